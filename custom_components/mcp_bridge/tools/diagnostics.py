"""The bridge looks at itself."""

import asyncio
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers.recorder import get_instance
from homeassistant.util import dt as dt_util

from ..access.options import AccessOptions, Approval
from ..const import MAX_SESSIONS
from ..models import Kind
from .declaration import Call, Runtime, tool

# An event loop that is later than this (seconds) makes the whole house feel slow.
_SLOW_LOOP = 0.1
_LOOP_PROBES = 5


@tool(
    name="ha_get_self_test",
    title="Self-test",
    description="Whether the connection and Home Assistant behind it work: version, uptime, recorder, event loop, "
    "sessions, options that make the set-up unsafe. Holds no data of the house.",
    kind=Kind.READ,
)
async def get_self_test(call: Call) -> dict[str, Any]:
    """Return a verdict (ok, degraded or broken) and the checks that led to it."""
    runtime = call.runtime()
    checks = [*_checks(call.hass, runtime), await _loop_check()]
    statuses = {check["status"] for check in checks}
    verdict = (
        "broken"
        if "failed" in statuses
        else "degraded"
        if "warning" in statuses
        else "ok"
    )
    return {
        "verdict": verdict,
        "version": runtime.version,
        "uptime_seconds": round((dt_util.utcnow() - runtime.started).total_seconds()),
        "checks": checks,
    }


def _check(name: str, status: str, detail: str) -> dict[str, str]:
    return {"check": name, "status": status, "detail": detail}


def _checks(hass: HomeAssistant, runtime: Runtime) -> Iterator[dict[str, str]]:
    running = hass.state is CoreState.running
    yield _check(
        "home_assistant",
        "ok" if running else "warning",
        f"Home Assistant is {hass.state.value.lower()}.",
    )
    in_step = runtime.catalog_in_step
    yield _check(
        "catalog",
        "ok" if in_step else "failed",
        "Every entity is known." if in_step else "Entities are missing.",
    )
    yield _recorder_check(hass)
    sessions = runtime.open_sessions
    full = sessions >= MAX_SESSIONS
    yield _check(
        "sessions",
        "warning" if full else "ok",
        f"{sessions} of {MAX_SESSIONS} sessions are open.",
    )
    yield from _options_checks(hass, runtime.options)


def _recorder_check(hass: HomeAssistant) -> dict[str, str]:
    if "recorder" not in hass.config.components:
        return _check(
            "recorder",
            "warning",
            "The recorder is not set up, so there is no history.",
        )
    recorder = get_instance(hass)
    if not (recorder.enabled and recorder.recording):
        return _check("recorder", "warning", "The recorder is not recording.")
    return _check("recorder", "ok", "The recorder is recording.")


def _options_checks(
    hass: HomeAssistant, options: AccessOptions
) -> Iterator[dict[str, str]]:
    """Yield one check for each thing in the options that is worth a thought, or one that says that there is none."""
    unsafe = list(_unsafe(hass, options))
    yield from (_check("options", "warning", detail) for detail in unsafe)
    if not unsafe:
        detail = (
            "No option makes the set-up unsafe."
            if options.require_admin
            else "Users who are not administrators may connect, with their own rights."
        )
        yield _check("options", "ok", detail)


def _unsafe(hass: HomeAssistant, options: AccessOptions) -> Iterator[str]:
    if options.lists_without_effect:
        yield "The lists of entities hide nothing: 'Hide entities by the lists below' is off."
    if Kind.WRITE not in options.kinds:
        return
    if options.confirm_domains is None:
        yield "Nothing asks for a person's agreement, locks and alarms included."
    if options.denied_services is None:
        yield "No service is denied, not even those that stop Home Assistant or run commands."
    if options.approval is Approval.PHONE and not (
        options.approvers
        and hass.services.has_service("notify", options.approval_phone or "")
    ):
        yield "Changes are to be confirmed on a phone that cannot be asked."


async def _loop_check() -> dict[str, str]:
    """Check the usual delay: a single late turn is nothing to worry about."""
    delays = []
    for _ in range(_LOOP_PROBES):
        before = perf_counter()
        await asyncio.sleep(0.001)
        delays.append(perf_counter() - before - 0.001)
    usual = median(delays)
    detail = f"The event loop is {usual * 1000:.0f} ms late."
    return _check("event_loop", "warning" if usual > _SLOW_LOOP else "ok", detail)
