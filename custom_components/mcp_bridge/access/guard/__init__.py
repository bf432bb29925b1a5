"""The write guard: the one way to change anything. The first refusal ends it.

1. the tool exists for the caller, 2. its arguments are valid (both: tools/registry.py)
3. the service exists and is not on the denylist         services.py
4. targets are resolved to entities that are there       targets.py
5. all of them, and what they reach, may be controlled   permission.py
6. not too many changes in a minute                      rates.py
7. a dry run ends here, with the preview                 preview.py
8. a person agrees, where one has to                     confirmation.py, tickets.py, phone.py
9. the change is made, and what came of it is watched    execution.py
10. it can be undone, and it is on record                record.py
"""
