"""What can go wrong with the demo house."""


class HouseError(Exception):
    """A step failed; the text says which and what to do about it."""
