"""The demo house, started as a person starts it: with scripts/demo."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
import json
import os
from pathlib import Path
import signal
import socket
import subprocess
import time
from typing import Any

import pytest
import pytest_socket

from demo_house import household
from demo_house.client import Client
from demo_house.errors import HouseError
from demo_house.first_call import connect
from demo_house.house import House

from .conftest import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

DEMO = Path(__file__).parents[2] / "scripts" / "demo"


@pytest.fixture(scope="module")
def checked(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[House, subprocess.CompletedProcess[str]]:
    """A house that `scripts/demo --check` built and closed again, and what it printed."""
    pytest_socket.enable_socket()
    house = House(tmp_path_factory.mktemp("check") / "house", free_port())
    return house, _run("--check", "--dir", str(house.folder), "--port", str(house.port))


@pytest.fixture(scope="module")
def reopened(
    checked: tuple[House, subprocess.CompletedProcess[str]],
) -> Iterator[tuple[House, subprocess.Popen[bytes], str]]:
    """The same house started a second time, to stay open; its process, and what it printed so far."""
    pytest_socket.enable_socket()
    house = House(checked[0].folder, free_port())
    printed = house.folder.parent / "printed"
    command = [str(DEMO), "--dir", str(house.folder), "--port", str(house.port)]
    with printed.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        while "Ctrl-C closes the house." not in printed.read_text():
            assert process.poll() is None, printed.read_text()
            time.sleep(0.1)
        yield house, process, printed.read_text()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(90)


def test_check_shows_the_way_in(
    checked: tuple[House, subprocess.CompletedProcess[str]],
) -> None:
    """The addresses, the token and the first answers are printed, and the exit code is 0."""
    house, run = checked
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{house.url} (user demo, password demo-house)" in run.stdout
    assert (
        f"claude mcp add --transport http home-assistant {house.url}/api/mcp_bridge "
        f'--header "Authorization: Bearer {house.token}"'
    ) in run.stdout
    assert "ha_get_overview says:" in run.stdout
    assert "Living Room" in run.stdout


def test_check_leaves_nothing_running(
    checked: tuple[House, subprocess.CompletedProcess[str]],
) -> None:
    """Home Assistant is gone after the check, without a warning about the integration or the house."""
    house, _ = checked
    assert not _is_running(house)
    assert house.problems() == []


def test_second_start_keeps_the_house(
    reopened: tuple[House, subprocess.Popen[bytes], str],
) -> None:
    """Nothing is built again, also on another port: the furniture, the token and MCP Bridge are still there."""
    house, _, printed = reopened
    assert "furnishing" not in printed
    assert "config flow" not in printed
    assert house.token in printed
    assert house.client.get("/api/states/todo.shopping")["state"] == "3"
    assert house.problems() == []


def test_open_house_is_left_alone(
    reopened: tuple[House, subprocess.Popen[bytes], str],
) -> None:
    """A house that is open is neither opened a second time nor built anew."""
    house, _, _ = reopened
    run = _run("--fresh", "--dir", str(house.folder), "--port", str(free_port()))
    assert run.returncode == 1
    assert "is open already" in run.stderr
    assert house.client.is_running()


def test_ctrl_c_closes_the_house(
    reopened: tuple[House, subprocess.Popen[bytes], str],
) -> None:
    """The interrupt ends Home Assistant in good order, and the command with exit code 0."""
    house, process, _ = reopened
    assert _is_running(house)
    process.send_signal(signal.SIGINT)
    assert process.wait(90) == 0
    assert not _is_running(house)


def test_taken_port(checked: tuple[House, subprocess.CompletedProcess[str]]) -> None:
    """A port that somebody listens on is named, with the option to choose another."""
    house, _ = checked
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        run = _run("--check", "--dir", str(house.folder), "--port", port)
    assert run.returncode == 1
    assert f"port {port} is taken" in run.stderr
    assert "--port" in run.stderr


@pytest.mark.parametrize("option", ["--check", "--fresh"])
def test_folder_of_somebody_else(tmp_path: Path, option: str) -> None:
    """A folder with other things in it is left alone."""
    precious = tmp_path / "precious"
    precious.touch()
    run = _run(option, "--dir", str(tmp_path), "--port", str(free_port()))
    assert run.returncode == 1
    assert "--dir" in run.stderr
    assert [*tmp_path.iterdir()] == [precious]


def test_house_is_healthy(house: House) -> None:
    """The log of the house that the tests share has no warning."""
    assert house.problems() == []


def test_house_is_furnished(house: House) -> None:
    """Names of many languages, rooms, helpers of all kinds, lists and a repair issue are there."""
    states = {state["entity_id"]: state for state in house.client.get("/api/states")}
    names = {state["attributes"].get("friendly_name") for state in states.values()}
    assert names >= {
        "Küchenlicht",
        "Lumière de l'entrée",
        "Свет на кухне",
        "客厅灯",
        "Loftslampe stue",
        "Öffnung Tür",
    }
    assert {entity_id.split(".")[0] for entity_id in states} >= {*household.HELPERS}
    assert states["binary_sensor.bathroom_window_battery_low"]["state"] == "on"
    assert states["automation.holiday_lights"]["state"] == "off"
    assert states["person.jonas"]["state"] == "Work"
    rooms = house.client.ask("config/area_registry/list")
    assert {room["floor_id"] for room in rooms} == {
        "basement",
        "ground_floor",
        "upper_floor",
        None,
    }
    issues = house.client.ask("repairs/list_issues")["issues"]
    assert "group" in {issue["domain"] for issue in issues}


def test_house_has_a_past(house: House) -> None:
    """History, statistics and energy reach back from now, and the recorder finds nothing to complain about."""
    begin = datetime.now(UTC) - timedelta(days=3)
    period = {"start_time": begin.isoformat()}
    ids = ["light.kitchen_lights", "sensor.outside_temperature"]
    history = house.client.ask(
        "history/history_during_period", entity_ids=ids, **period
    )
    assert all(len(history[entity_id]) > 6 for entity_id in ids)
    statistics = house.client.ask(
        "recorder/statistics_during_period",
        statistic_ids=["sensor.grid_import"],
        period="day",
        **period,
    )
    full_day = statistics["sensor.grid_import"][1]
    assert full_day["change"] == pytest.approx(9.6, abs=0.01)
    energy: dict[str, Any] = house.client.ask("energy/validate")
    assert not any(issue for issues in energy.values() for issue in issues)
    assert house.client.ask("recorder/validate_statistics") == {}


def test_house_takes_another_user(house: House) -> None:
    """A user who is no administrator may read states, but not the configuration."""
    kid = house.add_user("emil")
    assert kid.get("/api/states/sun.sun")["entity_id"] == "sun.sun"
    with pytest.raises(HouseError, match="unauthorized"):
        kid.ask("config/auth/list")


async def test_house_takes_mcp_clients(house: House) -> None:
    """The official client can be used in a test, with the token of any user."""
    async with connect(house.mcp_url, house.token) as client:
        tools = (await client.list_tools()).tools
    assert "ha_get_overview" in {tool.name for tool in tools}


def test_house_restarts(house: House) -> None:
    """After a restart MCP Bridge is there again, and lights without hardware remember what they were told."""
    house.client.act("light.turn_on", entity_id="light.lumiere_de_l_entree")
    house.restart()
    entries = house.client.get("/api/config/config_entries/entry?domain=mcp_bridge")
    assert [entry["state"] for entry in entries] == ["loaded"]
    light = house.client.get("/api/states/light.lumiere_de_l_entree")
    assert light["state"] == "on"
    assert house.problems() == []


def _run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [str(DEMO), *options]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300
    )


def _is_running(house: House) -> bool:
    """Whether the Home Assistant that last took possession of the folder is alive."""
    if not Client(house.url).is_reachable():
        pid = json.loads((house.folder / ".ha_run.lock").read_text())["pid"]
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
