"""The services (actions) of the house, with their texts in English."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant, SupportsResponse
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.translation import async_get_translations


@dataclass(frozen=True, slots=True)
class ServiceField:
    """One field of a service; `selector` is the name of its type."""

    name: str
    description: str
    required: bool
    example: Any
    selector: str | None


@dataclass(frozen=True, slots=True)
class Service:
    """A service with its fields, those in sections included. `response` is "none", "optional" or "only"."""

    domain: str
    service: str
    name: str
    description: str
    fields: tuple[ServiceField, ...]
    has_target: bool
    response: str

    @property
    def id(self) -> str:
        """The name to call it by."""
        return f"{self.domain}.{self.service}"


async def describe_services(
    hass: HomeAssistant, domains: Iterable[str]
) -> list[Service]:
    """Return the services of some domains, sorted by name."""
    descriptions = await async_get_all_descriptions(hass)
    wanted = sorted(set(domains) & descriptions.keys())
    texts = await async_get_translations(hass, "en", "services", wanted)
    return [
        _service(hass, domain, service, descriptions[domain][service], texts)
        for domain in wanted
        for service in sorted(descriptions[domain])
        # One may have gone while the texts were loaded.
        if hass.services.has_service(domain, service)
    ]


def _service(
    hass: HomeAssistant,
    domain: str,
    service: str,
    description: Mapping[str, Any],
    texts: Mapping[str, str],
) -> Service:
    key = f"component.{domain}.services.{service}"
    placeholders = description.get("description_placeholders")
    if not isinstance(placeholders, Mapping):
        placeholders = {}

    def text(given: Any, translated: str) -> str:
        value = str(given or texts.get(translated, ""))
        for placeholder, replacement in placeholders.items():
            value = value.replace(f"{{{placeholder}}}", str(replacement))
        return value

    fields = tuple(
        ServiceField(
            name=name,
            description=text(
                field.get("description"), f"{key}.fields.{name}.description"
            ),
            required=bool(field.get("required")),
            example=field.get("example"),
            selector=_selector(field.get("selector")),
        )
        for name, field in _fields(description.get("fields"))
    )
    response = hass.services.supports_response(domain, service)
    return Service(
        domain=domain,
        service=service,
        name=text(description.get("name"), f"{key}.name"),
        description=text(description.get("description"), f"{key}.description"),
        fields=fields,
        has_target="target" in description,
        response="none" if response is SupportsResponse.NONE else response.value,
    )


def _fields(fields: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the fields by name, sections opened. Users write descriptions, too, so nothing is sure of their form."""
    if not isinstance(fields, Mapping):
        return
    for name, field in fields.items():
        if not isinstance(field, Mapping):
            continue
        if "fields" in field:
            yield from _fields(field["fields"])
        else:
            yield str(name), field


def _selector(selector: Any) -> str | None:
    """Return the type of a selector, which is a text or the one key of a mapping."""
    if isinstance(selector, Mapping):
        selector = next(iter(selector), None)
    return selector if isinstance(selector, str) else None
