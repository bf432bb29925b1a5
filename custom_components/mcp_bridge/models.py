"""The few classes that cross floors."""

from dataclasses import dataclass

from homeassistant.auth.models import User


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking: the Home Assistant user, and the credential the request came with.

    `credential` is the id of the refresh token, which tells two logins of one user apart; it is None for a caller that
    has none, such as the Supervisor.
    """

    user: User
    credential: str | None = None
