"""Services whose effect cannot be told from their arguments."""

from fnmatch import fnmatchcase

from homeassistant.core import HomeAssistant

from .entity_services import takes_target

# Open however they are aimed: they run code, pass on raw commands past the entities, or hand a sentence or message to
# something that may act on anything. Not among them are commands to one entity, such as remote.send_command: what they
# do is up to that device, and so to who may control it.
_ALWAYS_OPEN = (
    # A sentence can ask for anything that the agent may do.
    "conversation.process",
    "assist_satellite.ask_question",
    "assist_satellite.start_conversation",
    # Code and commands of the user's own.
    "appdaemon.*",
    "hassio.*",
    "pyscript.*",
    "python_script.*",
    "rest_command.*",
    "shell_command.*",
    # Raw messages, which other devices and automations act on.
    "ads.*",
    "enocean.*",
    "hdmi_cec.*",
    "homematic.*",
    "insteon.*",
    "isy994.*",
    "knx.*",
    "lcn.*",
    "modbus.*",
    "mqtt.publish",
    "nodered.*",
    "rflink.*",
    "rfxtrx.*",
    "velbus.*",
    "zha.*",
    "zwave_js.*",
    # What a device's own firmware makes of it. Its services are named after the device.
    "esphome.*",
)

# Contained although they take no target: they talk to people, read anew what is configured, or keep to what their
# data names, which is looked through (targets.py).
_CONTAINED = (
    "*.reload",
    "frontend.*",
    "group.*",
    "homeassistant.check_config",
    "homeassistant.reload_*",
    "homeassistant.restart",
    "homeassistant.save_persistent_states",
    "homeassistant.set_location",
    "homeassistant.stop",
    "homeassistant.toggle",
    "homeassistant.turn_off",
    "homeassistant.turn_on",
    "homeassistant.update_entity",
    "logbook.log",
    "logger.*",
    "notify.*",
    "persistent_notification.*",
    "recorder.*",
    "scene.apply",
    "scene.create",
    "scene.delete",
    # Their actions are followed (reach.py).
    "script.*",
    "system_log.*",
    "tts.*",
)


def open_ended(hass: HomeAssistant, service: str) -> bool:
    """Tell whether the effect of a service ("domain.service") cannot be told from its arguments.

    Those that take a target act on the target, with the known exceptions. Of the others only known ones are contained.
    A description that Home Assistant has not loaded yet counts as one without a target.
    """
    service = service.lower()
    if always_open(service):
        return True
    if _matches(service, _CONTAINED):
        return False
    domain, _, name = service.partition(".")
    return not takes_target(hass, domain, name)


def always_open(service: str) -> bool:
    """Tell whether a service is open-ended even with a target."""
    return _matches(service, _ALWAYS_OPEN)


def _matches(service: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(service, pattern) for pattern in patterns)
