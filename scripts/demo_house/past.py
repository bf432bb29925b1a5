"""What happened in the demo house before it was built: curves of the sensors, habits of the family. Data and formulas."""

from collections.abc import Callable
from math import cos, pi, sin

# A curve takes days since 1970 (a float, UTC) and returns the value of a sensor.
type Curve = Callable[[float], float]


def _wave(days: float) -> float:
    """From -1 in the early morning to 1 in the afternoon."""
    return sin((days % 1 - 0.4) * 2 * pi)


def _solar_power(days: float) -> float:
    return round(max(0.0, sin((days % 1 - 0.25) * 2 * pi) * 4200))


def _solar_energy(days: float) -> float:
    daylight = min(max(days % 1 - 0.25, 0), 0.5)
    return round((int(days - 20000) + (1 - cos(daylight * 2 * pi)) / 2) * 32, 3)


def _meter(kwh_per_day: float) -> Curve:
    return lambda days: round((days - 20000) * kwh_per_day, 3)


# The same formulas as in config/templates.yaml, so that past and present join.
METERS: dict[str, Curve] = {
    "sensor.solar_energy": _solar_energy,
    "sensor.grid_import": _meter(9.6),
    "sensor.grid_export": _meter(14.4),
    "sensor.heat_pump_energy": _meter(7.2),
    "sensor.washing_machine_energy": _meter(0.9),
}

MEASUREMENTS: dict[str, Curve] = {
    "sensor.solar_power": _solar_power,
    "sensor.bedroom_temperature": lambda days: round(18.5 + 1.5 * _wave(days), 1),
    "sensor.bathroom_humidity": lambda days: round(
        58 + sin((days % 1 - 0.1) * 2 * pi) * 9
    ),
    "sensor.soil_moisture": lambda days: round(31 + sin(days % 1 * 2 * pi) * 3),
}

# Sensors of the "demo" integration stand still; their past swings by so much around the value that they show.
SWINGS: dict[str, float] = {
    "sensor.outside_temperature": 5.0,
    "sensor.outside_humidity": 14.0,
    "sensor.power_consumption": 45.0,
    "sensor.carbon_dioxide": 9.0,
}

UNIT_CLASSES = {"°C": "temperature", "%": "unitless", "W": "power", "kWh": "energy"}


def swing(now: float, value: float, amplitude: float) -> Curve:
    """A curve that ends at a value at the day named now."""
    return lambda days: round(value + amplitude * (_wave(days) - _wave(now)), 1)


# What the family does every day: hour (UTC, a float) and state. Nobody is on time: see recorder.py.
HABITS: dict[str, list[tuple[float, str]]] = {
    "light.kitchen_lights": [(5.8, "on"), (7.1, "off"), (16.5, "on"), (20.9, "off")],
    "light.ceiling_lights": [(16.8, "on"), (21.6, "off")],
    "light.bed_light": [(5.6, "on"), (6.3, "off"), (21.1, "on"), (21.9, "off")],
    "light.office_rgbw_lights": [(7.5, "on"), (11.2, "off"), (12.4, "on"), (16, "off")],
    "light.kuchenlicht": [(6.0, "on"), (6.9, "off"), (17.0, "on"), (18.6, "off")],
    "light.entrance_color_white_lights": [(15.9, "on"), (22.1, "off")],
    "switch.coffee_machine": [(5.7, "on"), (7.2, "off"), (13.0, "on"), (13.4, "off")],
    "cover.garage_door": [
        (6.4, "open"),
        (6.5, "closed"),
        (16.2, "open"),
        (16.3, "closed"),
    ],
    "cover.living_room_window": [(6.2, "open"), (19.5, "closed")],
    "lock.front_door": [
        (6.3, "unlocked"),
        (6.6, "locked"),
        (12.5, "unlocked"),
        (12.6, "locked"),
        (16.4, "unlocked"),
        (21.8, "locked"),
    ],
    "binary_sensor.movement_backyard": [
        (4.9, "on"),
        (5.0, "off"),
        (14.2, "on"),
        (14.6, "off"),
        (21.3, "on"),
        (21.4, "off"),
    ],
    "binary_sensor.bathroom_window": [(5.5, "on"), (6.1, "off")],
    "person.mia": [(7.0, "not_home"), (7.5, "Work"), (11.9, "home")],
    "person.jonas": [(6.5, "not_home"), (7.0, "Work"), (16.3, "home")],
    "person.lena": [(6.6, "not_home"), (6.9, "School"), (12.5, "home")],
    "person.emil": [(6.6, "not_home"), (6.9, "School"), (12.5, "home")],
    "input_select.house_mode": [(5.5, "Home"), (21.9, "Night")],
}
