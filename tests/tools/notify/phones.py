"""Where messages can be sent in the house of these tests, and the tool that sends them."""

TOOL = "ha_send_notification"
PHONE = "notify.phone"
PAUL = "notify.mobile_app_paul"
LEA = "notify.mobile_app_lea"
SCREEN = "persistent_notification"
