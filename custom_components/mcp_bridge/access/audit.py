"""The record of every attempt to change something: in the log, on the event bus, and in a ring that survives restarts."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
import json
import logging
from typing import Any

from homeassistant.core import CALLBACK_TYPE, Context, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from .kept import KeptList
from .refusals import MISTAKES

_LOGGER = logging.getLogger(f"custom_components.{DOMAIN}.audit")

EVENT_AUDIT = f"{DOMAIN}_audit"
# Fired before a change with its context, so that Home Assistant's Activity names the client as the cause; and after an
# attempt that came to nothing. It is the one that the Activity shows.
EVENT_ACTIVITY = f"{DOMAIN}_activity"

STORE_KEY = f"{DOMAIN}.audit"
_MOST_RECORDS = 500
_SAVE_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One attempt.

    outcome: ok, unknown (it still runs), error, dry_run, confirm_requested, or refused:<rule>.
    summary: the change in a few words; targets: the first entities that it acts on.
    duration: seconds. arguments: what the client sent, secrets masked. context: the id of Home Assistant's context.
    """

    time: str
    user: str
    user_id: str
    client: str
    tool: str
    summary: str
    targets: tuple[str, ...]
    outcome: str
    duration: float
    arguments: Mapping[str, Any]
    context: str

    @property
    def kind(self) -> str:
        """What sort of outcome it is: the outcome without its rule, or "mistake" for what makes no sense."""
        outcome, _, rule = self.outcome.partition(":")
        return "mistake" if rule in MISTAKES else outcome

    @property
    def is_of_interest(self) -> bool:
        """Whether people want to see it among what happens at home."""
        return self.kind not in ("dry_run", "mistake", "repeated")


type Listener = Callable[[AuditRecord, Context], None]


class Audit:
    """Keeps the records, and tells those who listen."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with none; `async_load` brings back those from before."""
        self._hass = hass
        self._kept = KeptList(
            hass, STORE_KEY, "records", lambda: list(self._records), _SAVE_SECONDS
        )
        self._records: deque[Mapping[str, Any]] = deque(maxlen=_MOST_RECORDS)
        self._listeners: list[Listener] = []

    async def async_load(self) -> None:
        """Read the records from before a restart."""
        self._records.extend(await self._kept.async_load())

    async def async_save(self) -> None:
        """Write what has not been written yet."""
        await self._kept.async_save()

    @property
    def records(self) -> Iterable[Mapping[str, Any]]:
        """The kept records, the oldest first."""
        return tuple(self._records)

    @callback
    def async_listen(self, listener: Listener) -> CALLBACK_TYPE:
        """Call a function with every record from now on; returns the way to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def announce(self, record: AuditRecord, context: Context) -> None:
        """Say in the Activity what is about to be done."""
        self._fire_activity(record, context)

    @callback
    def add(self, record: AuditRecord, context: Context, *, executed: bool) -> None:
        """Keep a record. What was executed stands in the Activity already."""
        told = asdict(record)
        _LOGGER.info("%s", json.dumps(told, ensure_ascii=False, default=str))
        self._records.append(told)
        self._kept.changed()
        if not executed and record.is_of_interest:
            self._fire_activity(record, context)
        event = {key: value for key, value in told.items() if key != "arguments"}
        self._hass.bus.async_fire(EVENT_AUDIT, event, context=context)
        for listener in list(self._listeners):
            listener(record, context)

    def _fire_activity(self, record: AuditRecord, context: Context) -> None:
        self._hass.bus.async_fire(
            EVENT_ACTIVITY,
            {
                "client": record.client,
                "tool": record.tool,
                "summary": record.summary,
                "outcome": record.outcome,
                "entity_id": list(record.targets),
            },
            context=context,
        )


def now_text() -> str:
    """Return the present time as records tell it."""
    return dt_util.now().isoformat(timespec="milliseconds")
