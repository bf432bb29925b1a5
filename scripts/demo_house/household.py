"""What the family of the demo house has: people, helpers, lists, dates, meters, dashboards. Data only."""

from typing import Any

type Fields = dict[str, Any]

OWNER, USER, PASSWORD = "Mia", "demo", "demo-house"

PEOPLE: dict[str, list[str]] = {
    "Mia": ["device_tracker.mia_s_phone"],
    "Jonas": ["device_tracker.jonas_phone"],
    "Lena": ["device_tracker.lena_s_phone"],
    "Emil": ["device_tracker.emil_s_watch"],
}

WORK: Fields = {
    "name": "Work",
    "latitude": 50.03,
    "longitude": 9.97,
    "radius": 200,
    "icon": "mdi:briefcase",
}

SCHOOL_DAY = [{"from": "08:00:00", "to": "13:15:00"}]

# One helper of each kind, made as in the user interface.
HELPERS: dict[str, Fields] = {
    "counter": {"name": "Laundry loads", "icon": "mdi:washing-machine"},
    "input_boolean": {"name": "Holiday mode", "icon": "mdi:palm-tree"},
    "input_button": {"name": "Filter was changed"},
    "input_datetime": {"name": "Holiday begins", "has_date": True, "has_time": False},
    "input_number": {
        "name": "Shower minutes",
        "min": 1,
        "max": 30,
        "unit_of_measurement": "min",
    },
    "input_select": {
        "name": "Dinner tonight",
        "options": ["Pasta", "Soup", "Pizza", "Leftovers"],
    },
    "input_text": {"name": "Message of the day", "max": 120},
    "schedule": {
        "name": "School hours",
        **dict.fromkeys(("monday", "tuesday", "wednesday"), SCHOOL_DAY),
        **dict.fromkeys(("thursday", "friday"), SCHOOL_DAY),
    },
    "timer": {"name": "Laundry", "duration": "00:45:00", "restore": True},
}

# Integrations and the answers to their config flows.
INTEGRATIONS: list[tuple[str, list[Fields]]] = [
    ("local_todo", [{"todo_list_name": "Shopping"}]),
    ("local_todo", [{"todo_list_name": "Chores"}]),
    ("local_calendar", [{"calendar_name": "Family"}]),
    ("local_calendar", [{"calendar_name": "Waste collection"}]),
    (
        "group",
        [
            {"next_step_id": "light"},
            {
                "name": "Kitchen lights together",
                "entities": ["light.kuchenlicht", "light.svet_na_kukhne"],
                "hide_members": False,
                "all": False,
            },
        ],
    ),
    # Temperature and humidity do not mix: Home Assistant opens a repair issue about this one.
    (
        "group",
        [
            {"next_step_id": "sensor"},
            {
                "name": "Upstairs air",
                "entities": ["sensor.bedroom_temperature", "sensor.bathroom_humidity"],
                "hide_members": False,
                "type": "mean",
            },
        ],
    ),
]

TODO: dict[str, list[Fields]] = {
    "todo.shopping": [
        {"item": "Milk"},
        {"item": "Bread"},
        {"item": "Äpfel"},
        {"item": "Coffee beans", "done": True},
    ],
    "todo.chores": [
        {"item": "Clean the gutter", "due_in_days": 5},
        {
            "item": "Pay the water bill",
            "due_in_days": 2,
            "description": "The meter reading is on the fridge.",
        },
        {"item": "Mow the lawn", "done": True},
    ],
}

# Calendar, summary, day counted from today, hours (None: all day), what else the event says.
EVENTS: list[tuple[str, str, int, tuple[int, int] | None, Fields]] = [
    ("calendar.family", "Dentist Emil", 2, (15, 16), {"location": "Town hall square"}),
    ("calendar.family", "Swimming lesson", 1, (17, 18), {"rrule": "FREQ=WEEKLY"}),
    (
        "calendar.family",
        "Grandma arrives",
        9,
        None,
        {"description": "Stays three nights"},
    ),
    (
        "calendar.waste_collection",
        "Paper",
        3,
        None,
        {"rrule": "FREQ=WEEKLY;INTERVAL=2"},
    ),
]

ENERGY: Fields = {
    "energy_sources": [
        {
            "type": "grid",
            "stat_energy_from": "sensor.grid_import",
            "stat_energy_to": "sensor.grid_export",
            "stat_cost": None,
            "entity_energy_price": None,
            "number_energy_price": 0.31,
            "stat_compensation": None,
            "entity_energy_price_export": None,
            "number_energy_price_export": 0.08,
            "cost_adjustment_day": 0,
        },
        {
            "type": "solar",
            "stat_energy_from": "sensor.solar_energy",
            "stat_rate": "sensor.solar_power",
            "config_entry_solar_forecast": None,
        },
    ],
    "device_consumption": [
        {"stat_consumption": "sensor.heat_pump_energy", "name": "Heat pump"},
        {"stat_consumption": "sensor.washing_machine_energy"},
    ],
}

DASHBOARD: Fields = {
    "url_path": "family-home",
    "title": "Family",
    "icon": "mdi:home-heart",
}
DASHBOARD_CONFIG: Fields = {
    "views": [
        {
            "title": "Home",
            "path": "home",
            "type": "sections",
            "sections": [
                {
                    "type": "grid",
                    "cards": [
                        {"type": "heading", "heading": "Downstairs"},
                        {"type": "tile", "entity": "light.ceiling_lights"},
                        {"type": "tile", "entity": "light.kuchenlicht"},
                        {"type": "thermostat", "entity": "climate.hvac"},
                    ],
                },
                {
                    "type": "grid",
                    "cards": [
                        {"type": "todo-list", "entity": "todo.shopping"},
                        {
                            "type": "weather-forecast",
                            "entity": "weather.demo_weather_south",
                        },
                    ],
                },
            ],
        },
        {
            "title": "Garden",
            "path": "garden",
            "cards": [
                {
                    "type": "entities",
                    "entities": ["valve.front_garden", "sensor.soil_moisture"],
                }
            ],
        },
    ]
}

# How the family left things, once.
SETTINGS: list[tuple[str, Fields]] = [
    (
        "input_number.set_value",
        {"entity_id": "input_number.target_brightness", "value": 60},
    ),
    (
        "input_number.set_value",
        {"entity_id": "input_number.shower_minutes", "value": 7},
    ),
    (
        "input_text.set_value",
        {
            "entity_id": "input_text.note_on_the_fridge",
            "value": "Emil has football at five",
        },
    ),
    (
        "input_datetime.set_datetime",
        {"entity_id": "input_datetime.wake_up", "time": "06:45:00"},
    ),
    (
        "light.turn_on",
        {"entity_id": ["light.kuchenlicht", "light.ke_ting_deng"], "brightness": 180},
    ),
    (
        "light.turn_off",
        {
            "entity_id": [
                "light.lumiere_de_l_entree",
                "light.svet_na_kukhne",
                "light.loftslampe_stue",
            ]
        },
    ),
    ("switch.turn_off", {"entity_id": ["switch.offnung_tur", "switch.coffee_machine"]}),
]

# What happens in the house after it is built, so that there is something to explain: runs, traces, causes.
HAPPENINGS: list[tuple[str, Fields]] = [
    ("scene.turn_on", {"entity_id": "scene.breakfast"}),
    ("counter.increment", {"entity_id": "counter.coffees"}),
    ("script.movie_night", {"brightness": 35}),
    (
        "input_select.select_option",
        {"entity_id": "input_select.house_mode", "option": "Night"},
    ),
    ("automation.trigger", {"entity_id": "automation.low_battery_reminder"}),
]
