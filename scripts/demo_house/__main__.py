"""Opens the demo house: python -m demo_house [--check] [--fresh] [--port N] [--dir FOLDER]."""

import argparse
from pathlib import Path
import signal
import sys
import textwrap

from . import building, household
from .errors import HouseError
from .first_call import FirstCall, make_first_call
from .furnish import live
from .house import House
from .progress import step, tell

REPOSITORY = Path(__file__).parents[2]
# Of what is printed: characters in a row, and rows for each part of the overview.
WIDTH = 110
PART_ROWS = 5


def main() -> int:
    """Build the house if need be, open it, show the way in, and keep it open."""
    arguments = _parse_arguments()
    house = House(arguments.dir, arguments.port)
    _end_in_good_order()
    try:
        _open(house, fresh=arguments.fresh)
        with step("making a first call with the official MCP client"):
            answer = make_first_call(house.mcp_url, house.token)
        _show_the_way_in(house, answer)
        if not arguments.check:
            print("\nCtrl-C closes the house.", flush=True)
            house.stay()
    except HouseError as error:
        _explain(house, error)
        return 1
    except KeyboardInterrupt:
        print()
        tell("closing the house ...")
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        house.stop()
    tell("closed, until scripts/demo is run again")
    return 0


def _open(house: House, fresh: bool) -> None:
    build = fresh or not house.is_complete
    if build:
        building.build(house)
        building.move_in(house)
    building.open_up(house)
    if build:
        live(house.client)


def _show_the_way_in(house: House, answer: FirstCall) -> None:
    tools = textwrap.wrap(", ".join(answer.tools), WIDTH)
    overview = [row for line in answer.overview.splitlines() for row in _rows(line)]
    print(
        f"""
The demo house is open.

  Home Assistant  {house.url} (user {household.USER}, password {household.PASSWORD})
  MCP             {house.mcp_url}
  Token           {house.token}

For Claude Code:

  claude mcp add --transport http home-assistant {house.mcp_url} --header "Authorization: Bearer {house.token}"

First call: {answer.server} speaks MCP {answer.protocol_version} and offers {len(answer.tools)} tools:
  {"\n  ".join(tools)}

ha_get_overview says:"""
    )
    print("\n".join(f"  {line}" for line in overview))
    if problems := house.problems():
        print("\nWarnings and errors in Home Assistant's log:")
        print("\n".join(f"  {line}" for line in problems), flush=True)


def _rows(line: str) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        max_lines=PART_ROWS,
        placeholder=" …",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _explain(house: House, error: HouseError) -> None:
    print(f"\ndemo: FAILED while {error}", file=sys.stderr)
    if lines := _last_error(house.log_lines()):
        print("\nThe end of Home Assistant's log:", file=sys.stderr)
        print("\n".join(f"  {line}" for line in lines), file=sys.stderr)
    print(
        f"\nThe whole log is {house.log}. Run scripts/demo again, or scripts/demo --fresh for a new house.",
        file=sys.stderr,
    )


def _last_error(log: list[str]) -> list[str]:
    """The last error in a log with what follows it, or the end of the log; without the middle of a long traceback."""
    errors = [number for number, line in enumerate(log) if " ERROR " in line]
    lines = log[errors[-1] :] if errors else log[-15:]
    return lines if len(lines) <= 18 else [*lines[:2], "...", *lines[-15:]]


def _end_in_good_order() -> None:
    """Take every polite request to end as Ctrl-C, also when started in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/demo",
        description="Opens a furnished Home Assistant with MCP Bridge on this machine.",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="close the house after the first call; the exit code tells whether it worked",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="build the house anew, whatever is there"
    )
    parser.add_argument(
        "--port", type=int, default=8123, help="port to listen on (default: 8123)"
    )
    parser.add_argument(
        "--dir",
        type=Path,
        default=REPOSITORY / ".demo",
        help="folder of the house (default: .demo)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
