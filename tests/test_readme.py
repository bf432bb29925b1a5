"""The README tells of the tools as they are."""

from .readme import README, readme_with, tool_table


def test_the_tool_table_is_up_to_date() -> None:
    """If this fails: python -m tests.readme."""
    assert README.read_text() == readme_with(tool_table())
