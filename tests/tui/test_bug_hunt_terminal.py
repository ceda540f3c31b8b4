"""A bug is found by going backwards, in the real application, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bug_hunts import HUNTS, Hunt
from selection import slow_except
from terminal import CTRL_G, CTRL_Q, CTRL_S, CTRL_T, DELETE, ENTER, F2, F5, Start, Terminal

pytestmark = [pytest.mark.terminal, pytest.mark.slow]

SELECTED = {
    "brainfuck": "",  # the cell at the pointer, which is printed, needs none
    "befunge-98": ":top",
    "whitespace": ":top",
    "unlambda": "`.0i",
    "shakespeare": "listens  Juliet",
}
"""What selects the printed place: a command, or text on the screen to click on."""

PRINTED = re.compile(r"printed @([\d,]+) +o jump there")


@pytest.mark.parametrize("hunt", slow_except(HUNTS, HUNTS[2]), ids=lambda hunt: hunt.language)
def test_a_wrong_byte_leads_back_to_its_cause(hunt: Hunt, start: Start, tmp_path: Path) -> None:
    file = tmp_path / f"hunt{hunt.extension}"
    file.write_text(hunt.program)
    with start("-m", "esoplay", "play", str(file), "--problem", hunt.problem) as terminal:
        terminal.wait_for("F5 runs the examples")
        terminal.send(F5)
        terminal.wait_for("examples 0/")
        terminal.send(F2)
        terminal.wait_for("o jump there")
        found = PRINTED.search(terminal.text)
        assert found is not None
        printed = int(found.group(1).replace(",", ""))

        terminal.send("o")
        terminal.wait_for(f"step {printed - 1}/")
        select(terminal, SELECTED[hunt.language])
        terminal.send("p")
        terminal.wait_for(" [log] ")
        if hunt.language != "unlambda":  # there `p` leads to before the application
            terminal.send("h")
        terminal.wait_for(f"next   {hunt.cause}")

        terminal.send(F2)
        terminal.wait_for(file.name)
        edit(terminal, hunt)
        terminal.send(F2)
        terminal.wait_for("stays here")
        terminal.wait_for("the same, byte for byte")
        terminal.send("G")
        terminal.wait_for(" ENDED ")
        terminal.send(CTRL_T)
        terminal.wait_for("solved 6/6")
        terminal.send(CTRL_S)
        terminal.wait_for(lambda text: f"{file.name} ●" not in text, "no sign of changes")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    assert file.read_text() == hunt.mended


def select(terminal: Terminal, what: str) -> None:
    """Select the place whose value the next step prints."""
    if what.startswith(":"):
        terminal.send(what)
        terminal.wait_for(what)
        terminal.send(ENTER)
        terminal.wait_for("pushed @")
    elif what:
        row = next(y for y, line in enumerate(terminal.lines) if what in line)
        terminal.click(terminal.lines[row].index(what) + 1, row + 1)
        terminal.wait_for("made @" if "`" in what else "last write @")


def edit(terminal: Terminal, hunt: Hunt) -> None:
    """Replace the error by the correct text."""
    terminal.send(CTRL_G)
    terminal.wait_for("Go to")
    terminal.send(f"@{hunt.offset}{ENTER}")
    before = hunt.program[: hunt.offset]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    terminal.wait_for(f" {line}:{column} ─╯")
    if hunt.language == "befunge-98":  # typing overwrites the cells of a grid
        terminal.send(hunt.right)
    else:
        terminal.send(DELETE * len(hunt.wrong))
        terminal.paste(hunt.right)
