"""What runs in the process of Home Assistant: `python inside` starts it, and finds the stand-ins of this folder."""
