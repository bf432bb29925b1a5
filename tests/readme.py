"""The tool table of the README, out of the declarations.

Brought up to date with: python -m tests.readme
"""

from pathlib import Path

from custom_components.mcp_bridge.tools import all_tools
from custom_components.mcp_bridge.tools.declaration import Tool

# Home Assistant puts its own names in the place of some packages, so it comes before them.
import homeassistant  # noqa: F401

README = Path(__file__).parents[1] / "README.md"
BEGIN = "<!-- tools: made by python -m tests.readme -->\n\n"
END = "\n<!-- end of tools -->\n"


def tool_table() -> str:
    """Return the table, a row for each tool."""
    rows = ["| Tool | What it does | Parameters |", "| --- | --- | --- |"]
    rows += [_row(tool) for tool in all_tools()]
    return "\n".join(rows) + "\n"


def readme_with(table: str) -> str:
    """Return the README with this table in its place."""
    before, rest = README.read_text().split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{table}{END}{after}"


def _row(tool: Tool) -> str:
    required = tool.input_schema.get("required", [])
    names = tool.input_schema["properties"]
    parameters = [f"**{name}**" if name in required else name for name in names]
    cells = (f"`{tool.name}`", tool.description, ", ".join(parameters) or "none")
    return f"| {' | '.join(cell.replace('|', '\\|') for cell in cells)} |"


if __name__ == "__main__":
    README.write_text(readme_with(tool_table()))
