"""What the editor shows of a source that cannot be compiled."""

from __future__ import annotations

from esoplay.tui.generate.sources import Wanted, make


def test_an_error_is_marked_behind_characters_of_several_bytes() -> None:
    source = "def main():\n    ä = 1; y += ä\n"
    error = make(Wanted(source.encode(), "brainfuck", "a.py")).error
    assert error is not None
    assert (error.message, error.line) == ("y has no value yet", 2)
    assert source.encode()[error.offset :].startswith(b"y += ")


def test_the_number_of_further_errors_is_told() -> None:
    source = b"def main():\n    x += 1\n    y += 1\n    z += 1\n"
    error = make(Wanted(source, "brainfuck", "a.py")).error
    assert error is not None
    assert error.message == "x has no value yet (and 2 more errors)"
