"""A call of one of Home Assistant's services (actions), worked out but not made yet."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """Which service to call, with which data, on which target (`{"entity_id": …}`, empty for none)."""

    domain: str
    service: str
    data: dict[str, Any]
    target: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name of the service."""
        return f"{self.domain}.{self.service}"
