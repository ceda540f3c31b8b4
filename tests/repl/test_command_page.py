"""docs/commands.md is the command table of today.

``ESOPLAY_WRITE_CASES=1`` writes the page; look at the difference then.
"""

from __future__ import annotations

import os
from pathlib import Path

from esoplay.cli.repl.debugger import repl_table
from esoplay.debugging.session import DebugCommand

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
BEGIN, END = "<!-- the table: written by tests/repl/test_command_page.py -->\n", "<!-- end -->\n"


def row(command: DebugCommand) -> str:
    """A row of the page."""
    names = " ".join(f"`{name}`" for name in command.names)
    usage = " ".join(command.usage.split()).replace("|", "\\|")
    signature = f"{names} `{usage}`" if usage else names
    also = f"; also {', '.join(f'`{name}`' for name in command.aliases)}" if command.aliases else ""
    examples = ", ".join(f"`{example}`" for example in command.examples).replace("|", "\\|")
    return f"|{signature}|{command.help}{also}|{examples}|"


def table() -> str:
    """Every chapter as a table."""
    parts: list[str] = []
    for title, commands in repl_table().chapters:
        parts += [f"\n### {title.capitalize()}\n", "| command | does | examples |", "|-|-|-|"]
        parts += [row(command) for command in commands]
    return "\n".join(parts) + "\n\n"


def test_the_page_of_commands_is_current() -> None:
    text = PAGE.read_text()
    head, _, rest = text.partition(BEGIN)
    now, _, tail = rest.partition(END)
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        PAGE.write_text(f"{head}{BEGIN}{table()}{END}{tail}")
    assert now == table()
