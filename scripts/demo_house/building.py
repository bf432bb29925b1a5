"""From an empty folder to an open house."""

from . import household, recorder
from .client import Client
from .errors import HouseError
from .furnish import furnish
from .house import House
from .progress import step

BRIDGE = "mcp_bridge"


def build(house: House) -> None:
    """Make the house anew: owner, furniture, everything but a past. Home Assistant is stopped in the end."""
    with step("laying the foundations"):
        house.check_vacant()
        house.lay_foundations()
    try:
        with step("starting Home Assistant for the first time"):
            house.start()
            house.token = _create_owner(house.url)
            house.wait_until_running()
        with step("furnishing the house"):
            furnish(house.client)
        with step("stopping Home Assistant"):
            house.stop()
    finally:
        house.stop()


def move_in(house: House) -> None:
    """Give a house that was built a past, up to this moment."""
    with step("writing the past into the recorder"):
        recorder.write_past(house.folder)
    house.complete()


def open_up(house: House) -> None:
    """Start a house and see to it that MCP Bridge is set up in it."""
    with step("starting Home Assistant"):
        house.check_vacant()
        recorder.pretend_closed_just_now(house.folder)
        house.start()
    if _bridge_state(house.client) is None:
        with step("setting up MCP Bridge through its config flow"):
            house.client.set_up(BRIDGE, {})
    if (state := _bridge_state(house.client)) != "loaded":
        raise HouseError(f"MCP Bridge is set up, but its state is {state}")


def _create_owner(url: str) -> str:
    """Create the owner of a new house and return a long-lived token."""
    visitor = Client(url)
    access_token = visitor.create_owner(
        household.OWNER, household.USER, household.PASSWORD
    )
    return Client(url, access_token).create_token("Demo house")


def _bridge_state(client: Client) -> str | None:
    """The state of MCP Bridge's config entry, None when it is not set up."""
    entries = client.get(f"/api/config/config_entries/entry?domain={BRIDGE}")
    return str(entries[0]["state"]) if entries else None
