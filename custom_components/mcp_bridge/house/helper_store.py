"""The helpers that Home Assistant itself keeps in storage: read, created, changed, deleted and put back.

They are the ones people make under Settings > Helpers out of a name and a few fields. Home Assistant keeps each kind in
a collection that only its websocket commands know (see `_collection`). An item of it has an id that stays; the entity
is tied to it by the unique id in the entity registry, so an entity may be renamed or disabled and is still found.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
import inspect
import json
import math
from typing import Any, Final

import probatio as vol

from homeassistant.components import (
    counter,
    input_boolean,
    input_datetime,
    input_number,
    input_select,
    input_text,
    timer,
)
from homeassistant.const import CONF_ID, CONF_NAME, MAX_LENGTH_STATE_ENTITY_ID
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.collection import DictStorageCollection
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.typing import VolDictType

from ..errors import (
    Failed,
    InvalidArguments,
    NotFound,
    Unavailable,
    did_you_mean,
    quoted,
    some_of,
)
from .customisations import customisations, customise
from .nearest import nearest

_FIELDS: Final[Mapping[str, VolDictType]] = {
    input_boolean.DOMAIN: input_boolean.STORAGE_FIELDS,
    input_number.DOMAIN: input_number.STORAGE_FIELDS,
    input_select.DOMAIN: input_select.STORAGE_FIELDS,
    input_text.DOMAIN: input_text.STORAGE_FIELDS,
    input_datetime.DOMAIN: input_datetime.STORAGE_FIELDS,
    counter.DOMAIN: counter.STORAGE_FIELDS,
    timer.DOMAIN: timer.STORAGE_FIELDS,
}


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper as it is stored. All of it is plain JSON, so that it can be kept and put back later.

    `config` holds what Home Assistant stores, without the id; `registry` what people have set on the entity (see
    customisations.py).
    """

    entity_id: str
    id: str
    type: str
    config: dict[str, Any]
    registry: dict[str, Any] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """Return a text that is equal for equal configurations only, to notice that somebody else changed it."""
        stored = json.dumps([self.type, self.id, self.config], sort_keys=True)
        return sha256(stored.encode()).hexdigest()


def helper_types() -> tuple[str, ...]:
    """Return the kinds of helpers, which are also the domains of their entities."""
    return tuple(_FIELDS)


def fields(helper_type: str) -> tuple[str, ...]:
    """Return the names of the options of a kind, those that must be given first."""
    keys = _known(helper_type)
    return tuple(map(str, sorted(keys, key=lambda key: isinstance(key, vol.Optional))))


def find(hass: HomeAssistant, entity_id: str) -> Helper:
    """Return the helper behind an entity, or raise NotFound or InvalidArguments saying why it cannot be edited."""
    helper_type, _object_id = split_entity_id(entity_id)
    if helper_type not in _FIELDS:
        raise InvalidArguments(
            f"{quoted(entity_id)} is no helper that can be edited.",
            f"These kinds can be: {', '.join(_FIELDS)}",
        )
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None:
        raise _unregistered(hass, entity_id)
    if entry.platform != helper_type:
        raise InvalidArguments(
            f"{entity_id} belongs to the integration {entry.platform}, which alone can change it."
        )
    collection = _collection(hass, helper_type)
    item = collection.data.get(entry.unique_id)
    if item is None:
        raise _not_stored(entity_id, collection, entry.unique_id)
    config = {key: value for key, value in item.items() if key != CONF_ID}
    return Helper(
        entity_id=entity_id,
        id=entry.unique_id,
        type=helper_type,
        config=config,
        registry=customisations(entry),
    )


async def check(
    hass: HomeAssistant, helper_type: str, config: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what would be stored of a configuration, or raise what keeps it from being stored. Nothing is changed."""
    collection = _collection(hass, helper_type)
    checked = _checked(helper_type, config)
    with _refusals(helper_type):
        # Its only way to check without storing; the test of this module fails when a release changes that.
        return await collection._process_create_data(checked)  # noqa: SLF001


def new_id(hass: HomeAssistant, helper_type: str, name: str) -> str:
    """Return the id that a new helper of this name would get."""
    item_id = _collection(hass, helper_type).id_manager.generate_id(name)
    if len(f"{helper_type}.{item_id}") > MAX_LENGTH_STATE_ENTITY_ID:
        raise InvalidArguments("The name is too long to make an entity id of it.")
    return item_id


async def create(
    hass: HomeAssistant, helper_type: str, name: str, options: Mapping[str, Any]
) -> Helper:
    """Create a helper. An option that is None counts as not given."""
    collection = _collection(hass, helper_type)
    config = _checked(helper_type, {CONF_NAME: name, **options})
    entity_id = await _add(hass, collection, helper_type, config)
    await _save(collection)
    return find(hass, entity_id)


async def update(
    hass: HomeAssistant, entity_id: str, changes: Mapping[str, Any]
) -> Helper:
    """Change some options of a helper and keep the others; None removes an option."""
    helper = find(hass, entity_id)
    return await replace(hass, entity_id, {**helper.config, **changes})


async def replace(
    hass: HomeAssistant, entity_id: str, config: Mapping[str, Any]
) -> Helper:
    """Give a helper exactly this configuration."""
    helper = find(hass, entity_id)
    collection = _collection(hass, helper.type)
    checked = _checked(helper.type, config)
    with _refusals(helper.type):
        await collection.async_update_item(helper.id, checked)
    await _save(collection)
    return find(hass, entity_id)


async def delete(hass: HomeAssistant, entity_id: str) -> Helper:
    """Delete a helper and its entity, disabled ones too; returns what `restore` needs to put it back."""
    helper = find(hass, entity_id)
    collection = _collection(hass, helper.type)
    await collection.async_delete_item(helper.id)
    await _save(collection)
    return helper


async def restore(hass: HomeAssistant, helper: Helper) -> Helper:
    """Put a deleted helper back, with its id, its entity id and what people had set on the entity.

    An id that has been taken meanwhile cannot be had again: the helper returned tells which ones it got.
    """
    collection = _collection(hass, helper.type)
    config = _checked(helper.type, helper.config)
    # Home Assistant makes the id out of the name. So the id is the name for a moment.
    entity_id = await _add(
        hass, collection, helper.type, {**config, CONF_NAME: helper.id}
    )
    with _refusals(helper.type):
        await collection.async_update_item(find(hass, entity_id).id, config)
    entity_id = customise(hass, entity_id, helper.entity_id, helper.registry)
    await _save(collection)
    return find(hass, entity_id)


async def _add(
    hass: HomeAssistant,
    collection: DictStorageCollection,
    helper_type: str,
    config: dict[str, Any],
) -> str:
    """Add an item and return the id of its entity. Nothing is left behind when there comes no entity."""
    item_id = new_id(hass, helper_type, config[CONF_NAME])
    try:
        with _refusals(helper_type):
            await collection.async_create_item(config)
    finally:
        entity_id = er.async_get(hass).async_get_entity_id(
            helper_type, helper_type, item_id
        )
        if entity_id is None and item_id in collection.data:
            await collection.async_delete_item(item_id)
    if entity_id is None:
        raise Failed(
            f"Home Assistant made no entity for the {helper_type}, so it was removed again."
        )
    return entity_id


async def _save(collection: DictStorageCollection) -> None:
    """Write to disk now: Home Assistant would wait ten seconds, and forget the change when it crashes before."""
    await collection.store.async_save({"items": collection.async_items()})


def _known(helper_type: str) -> VolDictType:
    known = _FIELDS.get(helper_type)
    if known is None:
        raise InvalidArguments(
            f"{quoted(helper_type)} is no kind of helper.",
            f"The kinds are: {', '.join(_FIELDS)}",
        )
    return known


def _collection(hass: HomeAssistant, helper_type: str) -> DictStorageCollection:
    """Return the collection that holds the helpers of a kind.

    Home Assistant has no public way to it. Its websocket command is a method of an object that has it; the test of
    this module fails when a release changes that.
    """
    _known(helper_type)
    command = hass.data.get("websocket_api", {}).get(f"{helper_type}/create")
    if command is None:
        raise Unavailable(
            f"Home Assistant has the integration {helper_type} not loaded.",
            f"It is loaded with default_config, or with a line {helper_type}: in configuration.yaml.",
        )
    owner = getattr(inspect.unwrap(command[0]), "__self__", None)
    collection = getattr(owner, "storage_collection", None)
    if not isinstance(collection, DictStorageCollection):
        raise Failed(
            f"This version of Home Assistant keeps its {helper_type} helpers in a place that is not known here.",
            "They can still be edited in Home Assistant under Settings > Helpers.",
        )
    return collection


def _checked(helper_type: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration without the options that are None, or raise InvalidArguments naming the first fault.

    Home Assistant checks once more. But it takes some things that it cannot live with afterwards: numbers that are
    none, which its storage cannot hold; an initial date that it cannot read, for which it makes no entity; a timer
    without a duration, whose default it cannot store.
    """
    given = {key: value for key, value in config.items() if value is not None}
    known = fields(helper_type)
    if unknown := [key for key in config if key not in known]:
        near = nearest(unknown[0], known, limit=1)
        raise InvalidArguments(
            f"A helper of kind {helper_type} has no option {some_of(unknown)}.",
            did_you_mean(near) or f"Its options are: {', '.join(known)}",
        )
    with _refusals(helper_type):
        valid = vol.Schema(_FIELDS[helper_type])(dict(given))
        if helper_type == input_datetime.DOMAIN:
            input_datetime.valid_initial(valid)
    for key, value in valid.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidArguments(f"The option {key} must be a finite number.")
    if helper_type == timer.DOMAIN:
        given.setdefault(timer.CONF_DURATION, 0)
    _check_storable(given)
    return given


def _check_storable(config: Mapping[str, Any]) -> None:
    """Raise InvalidArguments for what cannot be written to disk: it would keep all the others from it, too."""
    try:
        json_bytes(config)
    except (TypeError, ValueError) as err:
        raise InvalidArguments(
            "There is something in the configuration that cannot be stored.",
            "Use plain text and numbers.",
        ) from err


@contextmanager
def _refusals(helper_type: str) -> Iterator[None]:
    """Turn what Home Assistant raises about a configuration into InvalidArguments."""
    try:
        yield
    except vol.Invalid as err:
        first = err.errors[0] if isinstance(err, vol.MultipleInvalid) else err
        path = ".".join(map(str, first.path))
        where = f"The option {path}" if path else "The configuration"
        raise InvalidArguments(
            f"{where} of the {helper_type} does not fit: {first.error_message}",
            f"The options are: {', '.join(fields(helper_type))}",
        ) from err
    except HomeAssistantError as err:
        raise InvalidArguments(f"Home Assistant refuses the helper: {err}") from err
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError) as err:
        # What its validators raise for values that their authors did not think of.
        raise InvalidArguments(
            f"The configuration of the {helper_type} does not fit: {err}"
        ) from err


def _unregistered(hass: HomeAssistant, entity_id: str) -> NotFound | InvalidArguments:
    if hass.states.get(entity_id) is None:
        return NotFound(f"There is no helper {quoted(entity_id)}.")
    return InvalidArguments(
        f"{entity_id} is not in the entity registry, so it is not managed in the user interface.",
        "It can be edited only where it comes from, most likely configuration.yaml.",
    )


def _not_stored(
    entity_id: str, collection: DictStorageCollection, item_id: str
) -> NotFound | InvalidArguments:
    if collection.id_manager.has_id(item_id):
        return InvalidArguments(
            f"{entity_id} is defined in YAML, so it cannot be edited here.",
            "It can be edited in configuration.yaml or a file that is included there.",
        )
    return NotFound(
        f"{entity_id} is in the entity registry, but there is no helper behind it any more."
    )
