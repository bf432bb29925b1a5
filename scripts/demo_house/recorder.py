"""Writes a past into the database of a house that is not running.

Home Assistant made the tables and knows every entity; the rows follow the curves and habits of past.py. Whatever the
recorder noted while the house was built is replaced, so that the history ends now, however old the building is.
"""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
import json
from pathlib import Path
from random import Random
import sqlite3
import time
from typing import Any, NamedTuple

from . import past
from .past import Curve

DAY, HOUR, FIVE_MINUTES = 86400, 3600, 300
DAYS_OF_STATES, DAYS_OF_STATISTICS = 2, 14
SECONDS_BETWEEN_READINGS = 600


class Recorded(NamedTuple):
    """An entity as the recorder knows it."""

    metadata_id: int
    attributes_id: int | None
    state: str
    attributes: dict[str, Any]


class Change(NamedTuple):
    """A state that an entity took on."""

    when: float
    entity_id: str
    state: str


def write_past(folder: Path) -> None:
    """Fill history and statistics up to this moment."""
    now = time.time()
    with closing(sqlite3.connect(folder / "home-assistant_v2.db")) as db, db:
        known = _known_entities(db)
        for table in ("events", "states", "statistics", "statistics_short_term"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608
        curves = _curves(known, now)
        changes = sorted([*_readings(curves, now), *_habits(now)])
        _write_states(db, [c for c in changes if c.entity_id in known], known)
        for entity_id, curve in curves.items():
            _write_statistics(db, entity_id, curve, known[entity_id], now)
        _say_that_statistics_are_compiled(db, now)


def pretend_closed_just_now(folder: Path) -> None:
    """Move the end of the last run to this moment.

    The recorder takes a run that ended long ago for one that was not closed in good order, and warns of it.
    """
    with closing(sqlite3.connect(folder / "home-assistant_v2.db")) as db, db:
        db.execute(
            """
            UPDATE recorder_runs SET end = ?
            WHERE run_id = (SELECT max(run_id) FROM recorder_runs) AND end IS NOT NULL
            """,
            (datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f"),),
        )


def _known_entities(db: sqlite3.Connection) -> dict[str, Recorded]:
    rows = db.execute(
        """
        SELECT states_meta.entity_id, metadata_id, attributes_id, state, shared_attrs, max(state_id)
        FROM states JOIN states_meta USING (metadata_id) LEFT JOIN state_attributes USING (attributes_id)
        GROUP BY metadata_id
        """
    )
    return {
        entity_id: Recorded(
            metadata_id, attributes_id, state, json.loads(attributes or "{}")
        )
        for entity_id, metadata_id, attributes_id, state, attributes, _ in rows
    }


def _curves(known: dict[str, Recorded], now: float) -> dict[str, Curve]:
    swings = {
        entity_id: past.swing(now / DAY, float(known[entity_id].state), amplitude)
        for entity_id, amplitude in past.SWINGS.items()
        if entity_id in known
    }
    return past.METERS | past.MEASUREMENTS | swings


def _readings(curves: dict[str, Curve], now: float) -> Iterator[Change]:
    """The values of the sensors, every ten minutes, as far as they changed."""
    for entity_id, curve in curves.items():
        before = ""
        when = now - DAYS_OF_STATES * DAY
        while when < now:
            state = str(curve(when / DAY))
            if state != before:
                yield Change(when, entity_id, state)
            before = state
            when += SECONDS_BETWEEN_READINGS


def _habits(now: float) -> Iterator[Change]:
    """What the family did, each time up to ten minutes earlier or later."""
    chance = Random(2026)
    today = now // DAY * DAY
    for entity_id, plan in past.HABITS.items():
        # The state of the evening before, so that the history has no hole at its beginning.
        yield Change(now - DAYS_OF_STATES * DAY, entity_id, plan[-1][1])
        for days_ago in range(DAYS_OF_STATES, -1, -1):
            for hour, state in plan:
                when = today - days_ago * DAY + hour * HOUR + chance.uniform(-600, 600)
                if now - DAYS_OF_STATES * DAY < when < now:
                    yield Change(when, entity_id, state)


def _write_states(
    db: sqlite3.Connection, changes: list[Change], known: dict[str, Recorded]
) -> None:
    chance = Random(2026)
    latest: dict[str, int] = {}
    rows = []
    for state_id, (when, entity_id, state) in enumerate(changes, 1):
        entity = known[entity_id]
        # Activity takes a row without a previous state for the beginning of the entity and leaves it out.
        previous = latest.get(entity_id)
        ids = (state_id, previous, entity.metadata_id, entity.attributes_id)
        rows.append((*ids, state, when, chance.randbytes(16)))
        latest[entity_id] = state_id
    db.executemany(
        """
        INSERT INTO states (state_id, old_state_id, metadata_id, attributes_id, state, last_updated_ts,
          context_id_bin, origin_idx) VALUES (?, ?, ?, ?, ?, ?, ?, 0)
        """,
        rows,
    )


def _write_statistics(
    db: sqlite3.Connection, entity_id: str, curve: Curve, entity: Recorded, now: float
) -> None:
    """Write hourly statistics of two weeks and five-minute statistics of the last day."""
    is_meter = entity_id in past.METERS
    metadata_id = _statistics_metadata(db, entity_id, entity, is_meter)
    this_hour = now // HOUR * HOUR
    begin = this_hour - DAYS_OF_STATISTICS * DAY
    for table, period, first in (
        ("statistics", HOUR, begin),
        ("statistics_short_term", FIVE_MINUTES, this_hour - DAY),
    ):
        rows = []
        for number in range(int((now - first) // period)):
            start = first + number * period
            if is_meter:
                values = _total(curve, begin, start + period)
            else:
                values = _average(curve, start, period)
            rows.append((metadata_id, now, start, *values))
        columns = "metadata_id, created_ts, start_ts, mean, min, max, state, sum"
        insert = f"INSERT INTO {table} ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        db.executemany(insert, rows)


def _total(curve: Curve, begin: float, end: float) -> tuple[float | None, ...]:
    """State and sum of a meter at the end of a period, counted from the first of all periods."""
    reading = curve(end / DAY)
    return None, None, None, reading, round(reading - curve(begin / DAY), 3)


def _average(curve: Curve, start: float, period: int) -> tuple[float | None, ...]:
    """Mean, minimum and maximum of a measurement in a period."""
    values = [curve((start + period * part) / DAY) for part in (0, 0.5, 1)]
    return sum(values) / 3, min(values), max(values), None, None


def _statistics_metadata(
    db: sqlite3.Connection, entity_id: str, entity: Recorded, is_meter: bool
) -> int:
    query = "SELECT id FROM statistics_meta WHERE statistic_id = ?"
    if row := db.execute(query, (entity_id,)).fetchone():
        return int(row[0])
    unit = entity.attributes.get("unit_of_measurement")
    mean_type = 0 if is_meter else 1
    cursor = db.execute(
        """
        INSERT INTO statistics_meta (statistic_id, source, unit_of_measurement, unit_class, has_mean, has_sum, mean_type)
        VALUES (?, 'recorder', ?, ?, ?, ?, ?)
        """,
        (
            entity_id,
            unit,
            past.UNIT_CLASSES.get(unit or ""),
            mean_type,
            is_meter,
            mean_type,
        ),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _say_that_statistics_are_compiled(db: sqlite3.Connection, now: float) -> None:
    """Keep Home Assistant from compiling the statistics of the past once more."""
    db.execute("DELETE FROM statistics_runs")
    last = datetime.fromtimestamp(
        now // FIVE_MINUTES * FIVE_MINUTES - FIVE_MINUTES, UTC
    )
    text = f"{last:%Y-%m-%d %H:%M:%S.%f}"
    db.execute("INSERT INTO statistics_runs (start) VALUES (?)", (text,))
