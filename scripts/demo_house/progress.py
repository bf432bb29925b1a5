"""Short lines about what is being done."""

from collections.abc import Iterator
from contextlib import contextmanager
import time

from .errors import HouseError


def tell(text: str) -> None:
    """Print a line of progress."""
    print(f"demo: {text}", flush=True)


@contextmanager
def step(doing: str) -> Iterator[None]:
    """Tell what is being done and how long it took; a failure names it."""
    tell(f"{doing} ...")
    begin = time.monotonic()
    try:
        yield
    except (HouseError, OSError) as error:
        raise HouseError(f"{doing}: {error}") from error
    tell(f"{doing}: done in {time.monotonic() - begin:.1f} s")
