"""Long work within the event loop, piece by piece: in between, everything else in Home Assistant has its turn."""

import asyncio
from collections.abc import Callable, Generator, Iterable
from time import perf_counter

# Work that stops at each `yield`, where others may have their turn, and returns its result in the end.
type Work[T] = Generator[None, None, T]

# How long, in seconds, others wait for their turn, and after how many small items that is looked at.
_SLICE_SECONDS = 0.003
_SLICE_ITEMS = 50


async def in_turns[T](work: Work[T]) -> T:
    """Do some work, and let others have their turn every few milliseconds."""
    started = perf_counter()
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
        if perf_counter() - started > _SLICE_SECONDS:
            await asyncio.sleep(0)
            started = perf_counter()


def at_once[T](work: Work[T]) -> T:
    """Do some work, which is known to be small, without a stop."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result


def listed[T](items: Iterable[T]) -> Work[list[T]]:
    """Return the items of something that takes its time to make them."""
    made: list[T] = []
    for item in items:
        made.append(item)
        if len(made) % _SLICE_ITEMS == 0:
            yield
    return made


def only[T](items: Iterable[T], test: Callable[[T], bool]) -> Work[list[T]]:
    """Return those of many items that stand a test, in order. Nothing may change the items meanwhile."""
    found: list[T] = []
    for number, item in enumerate(items, 1):
        if test(item):
            found.append(item)
        if number % _SLICE_ITEMS == 0:
            yield
    return found
