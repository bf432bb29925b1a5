"""Where things are in the demo house: floors, areas, labels, and what stands where. Data only."""

from typing import Any

type Fields = dict[str, Any]

FLOORS: list[Fields] = [
    {"name": "Basement", "level": -1, "aliases": ["cellar"]},
    {"name": "Ground floor", "level": 0, "aliases": ["downstairs", "Erdgeschoss"]},
    {"name": "Upper floor", "level": 1, "aliases": ["upstairs"]},
]

LABELS: list[Fields] = [
    {"name": "Security", "color": "red", "icon": "mdi:shield-home"},
    {"name": "Outdoor", "color": "green", "description": "Outside the walls"},
    {"name": "Energy", "color": "amber", "icon": "mdi:lightning-bolt"},
    {"name": "Night", "color": "indigo"},
]

# The ids of floors, areas and labels follow from their names: "Living Room" is living_room.
AREAS: list[Fields] = [
    {
        "name": "Living Room",
        "floor_id": "ground_floor",
        "aliases": ["lounge", "Wohnzimmer"],
        "icon": "mdi:sofa",
    },
    {"name": "Kitchen", "floor_id": "ground_floor", "icon": "mdi:stove"},
    {"name": "Hallway", "floor_id": "ground_floor", "aliases": ["entrance"]},
    {"name": "Office", "floor_id": "ground_floor", "aliases": ["study"]},
    {"name": "Garage", "floor_id": "ground_floor", "labels": ["outdoor"]},
    {
        "name": "Bedroom",
        "floor_id": "upper_floor",
        "temperature_entity_id": "sensor.bedroom_temperature",
    },
    {"name": "Kids' Room", "floor_id": "upper_floor", "aliases": ["nursery"]},
    {
        "name": "Bathroom",
        "floor_id": "upper_floor",
        "humidity_entity_id": "sensor.bathroom_humidity",
    },
    {"name": "Utility Room", "floor_id": "basement"},
    {"name": "Garden", "labels": ["outdoor"], "icon": "mdi:flower"},
]

# Devices of the "demo" integration, by name.
DEVICES: dict[str, Fields] = {
    "AC": {"area_id": "bedroom", "name_by_user": "Air conditioner"},
    "Back Garden": {"area_id": "garden"},
    "Basement Floor Wet": {"area_id": "utility_room"},
    "Bed Light": {"area_id": "bedroom"},
    "Carbon dioxide": {"area_id": "living_room"},
    "Carbon monoxide": {"area_id": "utility_room"},
    "Ceiling Lights": {"area_id": "living_room"},
    "Decorative Lights": {"area_id": "living_room"},
    "Demo vacuum 0 ground floor": {
        "area_id": "hallway",
        "name_by_user": "Robot vacuum downstairs",
    },
    "Demo vacuum 1 first floor": {
        "area_id": "kids_room",
        "name_by_user": "Robot vacuum upstairs",
    },
    "Ecobee": {"area_id": "bedroom", "name_by_user": "Bedroom thermostat"},
    "Entrance Color + White Lights": {"area_id": "hallway"},
    "Front Garden": {"area_id": "garden"},
    "Garage Door": {"area_id": "garage", "labels": ["security"]},
    "Hall Window": {"area_id": "hallway"},
    "HeatPump": {
        "area_id": "utility_room",
        "name_by_user": "Heat pump",
        "labels": ["energy"],
    },
    "Hvac": {"area_id": "living_room", "name_by_user": "Living room climate"},
    "Kitchen Lights": {"area_id": "kitchen"},
    "Kitchen Window": {"area_id": "kitchen"},
    "Living Room RGBWW Lights": {"area_id": "living_room"},
    "Living Room Window": {"area_id": "living_room"},
    "Movement Backyard": {"area_id": "garden"},
    "My Lawn Mower": {"area_id": "garden", "name_by_user": "Lawn mower"},
    "Office RGBW Lights": {"area_id": "office"},
    "Orchard": {"area_id": "garden"},
    "Outside Humidity": {"area_id": "garden"},
    "Outside Temperature": {"area_id": "garden"},
    "Pergola Roof": {"area_id": "garden"},
    "Push": {"area_id": "hallway", "name_by_user": "Doorbell button"},
    "Trees": {"area_id": "garden"},
}

# In aliases, None stands for the entity's own name.
ENTITIES: dict[str, Fields] = {
    "light.kuchenlicht": {
        "area_id": "kitchen",
        "aliases": [None, "worktop light", "Küchenlampe"],
    },
    "light.svet_na_kukhne": {"area_id": "kitchen"},
    "light.lumiere_de_l_entree": {"area_id": "hallway"},
    "light.ke_ting_deng": {"area_id": "living_room"},
    "light.loftslampe_stue": {"area_id": "living_room"},
    "light.bed_light": {"aliases": [None, "reading lamp"], "labels": ["night"]},
    "switch.offnung_tur": {"area_id": "hallway", "labels": ["security"]},
    "switch.coffee_machine": {"area_id": "kitchen", "labels": ["energy"]},
    "sensor.bedroom_temperature": {"area_id": "bedroom"},
    "sensor.bathroom_humidity": {"area_id": "bathroom"},
    "sensor.bathroom_window_battery": {"area_id": "bathroom"},
    "binary_sensor.bathroom_window": {
        "area_id": "bathroom",
        "labels": ["security"],
    },
    "binary_sensor.bathroom_window_battery_low": {"area_id": "bathroom"},
    "sensor.soil_moisture": {"area_id": "garden"},
    "sensor.solar_power": {"labels": ["energy"]},
    "sensor.solar_energy": {"labels": ["energy"]},
    "sensor.grid_import": {"area_id": "utility_room", "labels": ["energy"]},
    "sensor.grid_export": {"area_id": "utility_room", "labels": ["energy"]},
    "sensor.washing_machine_energy": {"area_id": "utility_room"},
    "automation.water_the_garden": {"area_id": "garden"},
    # Out of use, out of sight
    "number.large_range": {"disabled_by": "user"},
    "text.password": {"hidden_by": "user"},
    "text.text_with_1_to_5_characters": {"hidden_by": "user"},
}

AUTOMATION_CATEGORIES: dict[str, list[str]] = {
    "Comfort": ["automation.hall_light_on_motion", "automation.good_night"],
    "Garden": ["automation.water_the_garden"],
}
