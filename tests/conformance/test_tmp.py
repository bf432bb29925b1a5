from .test_inspector import *
async def test_y(inspector, everything, hass_access_token):
    o = await inspector.run(hass_access_token,"tools/list","--strict")
    print("STRICT", o.code, o.err[:800])
