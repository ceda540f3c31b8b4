"""What the screen writes with a colon works as text, where there is none."""

from __future__ import annotations

import pytest

from esoplay.cli.repl.debugger import lesson_phrase
from esoplay.debugging.command_line import parse_line


@pytest.mark.parametrize("text", [":b 3", ": b 3", "b 3"])
def test_a_colon_before_a_command_is_skipped(text: str) -> None:
    assert parse_line(text) == parse_line("b 3")
    assert parse_line(":") is None


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Select it with :cell 1 and press w.", "Select it with cell 1 and press w."),
        ("Type `:cell 0,5` now.", "Type 'cell 0,5' now."),
        ("After  :b write 0,0  press c.", "After  b write 0,0  press c."),
        ("A digit is  :a%'0+  then.", "A digit is  :a%'0+  then."),
        ("one: b and two", "one: b and two"),
    ],
)
def test_commands_of_lessons_are_written_without_a_colon(said: str, shown: str) -> None:
    assert " ".join(lesson_phrase(said).split()) == " ".join(shown.split())
