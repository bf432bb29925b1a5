"""The few classes that cross floors."""

from dataclasses import dataclass
from enum import StrEnum

from homeassistant.auth.models import User


class Kind(StrEnum):
    """What a tool does. The option that must be on, the annotations and the guard follow from it."""

    READ = "read"
    WRITE = "write"
    CONFIG_WRITE = "config_write"
    CAMERA = "camera"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking: the Home Assistant user, the credential the request came with, and the client that applies.

    `credential` tells two logins of one user apart: the id of the refresh token, or what stands for a client's token;
    it is None for a caller that has none, such as the Supervisor. `client` is the id of the client's subentry, None
    when no client is set up for this login.
    """

    user: User
    credential: str | None = None
    client: str | None = None
