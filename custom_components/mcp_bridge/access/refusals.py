"""Why a change is refused: the rules by name, as the audit names them."""

from enum import StrEnum

from ..errors import BridgeError, ErrorCode


class Rule(StrEnum):
    """The rules of the write guard, in the order in which they are asked."""

    UNKNOWN_SERVICE = "unknown_service"
    SERVICE_DENYLIST = "service_denylist"
    MISSING_TARGET = "missing_target"
    NO_TARGET = "no_target"
    WRONG_DOMAIN = "wrong_domain"
    TOO_MANY_TARGETS = "too_many_targets"
    UNAVAILABLE_TARGET = "unavailable_target"
    ENTITY_LISTS = "entity_lists"
    CLIENT_LISTS = "client_lists"
    ASSIST_EXPOSED_ONLY = "assist_exposed_only"
    USER_RIGHTS = "user_rights"
    ADMIN_ONLY = "admin_only"
    ELEVATED = "elevated"
    UNKNOWN_REACH = "unknown_reach"
    TEMPLATE_IN_DATA = "template_in_data"
    RATE_LIMIT = "rate_limit"
    STILL_RUNNING = "still_running"
    CHANGED_SINCE = "changed_since"
    CONFIRMATION = "confirmation"


# Slips of an assistant, which nobody has to hear of: what it asked for is not there, or makes no sense.
MISTAKES = frozenset(
    (
        Rule.UNKNOWN_SERVICE,
        Rule.MISSING_TARGET,
        Rule.NO_TARGET,
        Rule.WRONG_DOMAIN,
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.NOT_FOUND,
        ErrorCode.TOO_LARGE,
    )
)

_CODES = {
    Rule.UNKNOWN_SERVICE: ErrorCode.NOT_FOUND,
    Rule.MISSING_TARGET: ErrorCode.NOT_FOUND,
    Rule.NO_TARGET: ErrorCode.INVALID_ARGUMENTS,
    Rule.WRONG_DOMAIN: ErrorCode.INVALID_ARGUMENTS,
    Rule.TOO_MANY_TARGETS: ErrorCode.TOO_LARGE,
    Rule.UNAVAILABLE_TARGET: ErrorCode.UNAVAILABLE,
    Rule.RATE_LIMIT: ErrorCode.RATE_LIMITED,
    Rule.STILL_RUNNING: ErrorCode.CONFLICT,
    Rule.CHANGED_SINCE: ErrorCode.CONFLICT,
}


class Refusal(BridgeError):
    """A change that is not made, and the rule that says so."""

    def __init__(self, rule: Rule, message: str, hint: str | None = None) -> None:
        """Hold the rule; the code follows from it."""
        super().__init__(message, hint)
        self.rule = rule
        self.code = _CODES.get(rule, ErrorCode.NOT_ALLOWED)

    def as_dict(self) -> dict[str, str]:
        """Return the error with the rule, so that it can be told what to change in the options."""
        return {**super().as_dict(), "rule": self.rule.value}
