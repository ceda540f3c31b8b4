"""Cells that are left out of a paint change nothing: the terminal looks the same."""

from __future__ import annotations

from unittest.mock import patch

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from esoplay.tui import terminal_diff
from esoplay.tui.terminal_diff import PLAIN_PEN, TerminalCells, parse_pen, style_change

COLUMNS, ROWS = 12, 4

NARROW = "aab   ─▁▲"
LETTERS = st.sampled_from(NARROW + "漢字")
COLOURS = ["31", "39", "44", "49", "97", "102", "38;5;9", "48;5;9", "38;2;1;2;3", "48;2;9;2;3"]
CODES = st.lists(st.sampled_from(["0", "1", "2", "3", "4", "7", "9", *COLOURS]), max_size=4)


@st.composite
def paints(draw: st.DrawFn, letters: st.SearchStrategy[str] = LETTERS) -> str:
    """Runs as Textual writes them: each set up, written and reset."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 5))):
        row, column = draw(st.integers(1, ROWS)), draw(st.integers(1, COLUMNS))
        parts.append(f"\x1b[{row};{column}H")
        room = COLUMNS + 1 - column
        for _ in range(draw(st.integers(1, 3))):
            text = "".join(draw(st.lists(letters, min_size=1, max_size=6)))
            while cell_len(text) > room:
                text = text[:-1]
            if text:
                room -= cell_len(text)
                parts.append(f"\x1b[{';'.join(draw(CODES))}m{text}\x1b[0m")
    row, column = draw(st.integers(1, ROWS)), draw(st.integers(1, COLUMNS))
    return "".join([*parts, f"\x1b[{row};{column}H"])


class Shown:
    """A terminal, and its visible content."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self.screen)
        self._stream.feed("\x1b[?7l")  # as Textual has it: lines do not wrap

    def feed(self, data: str) -> None:
        self._stream.feed(data)

    @property
    def looks(self) -> object:
        cells = [
            [self._look(self.screen.buffer[y][x]) for x in range(COLUMNS)] for y in range(ROWS)
        ]
        return cells, (self.screen.cursor.y, self.screen.cursor.x)

    @staticmethod
    def _look(cell: pyte.screens.Char) -> object:
        seen = (cell.underscore, cell.reverse, cell.strikethrough)
        if cell.data == " " and not any(seen):
            return " ", cell.bg
        return cell


@given(st.lists(paints(), min_size=1, max_size=6))
def test_terminal_looks_the_same_as_without_the_diff(updates: list[str]) -> None:
    assert_looks_the_same(updates)


@given(st.lists(paints(st.sampled_from([*NARROW, "e\u0301"])), min_size=1, max_size=6))
def test_the_diff_is_correct_when_changes_are_sorted_by_pen(updates: list[str]) -> None:
    with patch.object(terminal_diff, "MIN_SORTED_BYTES", 0):
        assert_looks_the_same(updates)


def assert_looks_the_same(updates: list[str]) -> None:
    cells, plainly, thriftily = TerminalCells(), Shown(), Shown()
    for update in updates:
        plainly.feed(update)
        thriftily.feed(cells.shorten(update))
        assert thriftily.looks == plainly.looks


@given(CODES, CODES)
def test_pen_changes_are_correct(first: list[str], second: list[str]) -> None:
    before, after = parse_pen(";".join(first)), parse_pen(";".join(second))
    assert before is not None
    assert after is not None
    from_plain, from_before = Shown(), Shown()
    from_plain.feed(style_change(PLAIN_PEN, after) + "x")
    from_before.feed(style_change(PLAIN_PEN, before) + style_change(before, after) + "x")
    assert from_plain.looks == from_before.looks


def test_unchanged_cells_are_not_sent_again() -> None:
    cells = TerminalCells()
    paint = "\x1b[2;3H\x1b[1;31mone\x1b[0m two\x1b[1;1H"
    assert cells.shorten(paint)
    assert cells.shorten(paint) == ""
    assert cells.shorten(paint.replace("two", "twx")) == "\x1b[2;9Hx\x1b[1H"


def test_cursor_move_is_not_longer_than_the_skipped_text() -> None:
    cells = TerminalCells()
    cells.shorten("\x1b[1;1Habcdefghijk\x1b[1;1H")
    assert cells.shorten("\x1b[1;1HAbcDefghijK\x1b[1;1H") == "AbcD\x1b[11GK\x1b[1H"


@pytest.mark.parametrize(
    "other",
    [
        "\x1b[?1049h",  # the other screen
        "\x1b[2J",
        "some words",
        "\x1b[1;1H\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\",
        "\x1b[1;1H\x1b[4:3mcurled\x1b[0m",
    ],
)
def test_everything_is_sent_after_unknown_output(other: str) -> None:
    cells = TerminalCells()
    paint = "\x1b[2;3Hone\x1b[1;1H"
    cells.shorten(paint)
    assert cells.shorten(other) == other
    assert "one" in cells.shorten(paint)


@pytest.mark.parametrize("other", ["\x1b[?2026h", "\x1b[?2026$p", "\x1b[?25l", "\x1b[>1u"])
def test_mode_sequences_do_not_change_cells(other: str) -> None:
    cells = TerminalCells()
    paint = "\x1b[2;3Hone\x1b[1;1H"
    cells.shorten(paint)
    assert cells.shorten(other) == other
    assert cells.shorten(paint) == ""


def test_a_paint_of_all_rows_is_sent_in_full() -> None:
    """A complete paint follows a change of the terminal's size, which may have moved anything."""
    cells = TerminalCells()
    paint = "\x1b[1;1Hone\n\x1b[2;1Htwo\n\x1b[3;1Hsix\x1b[1;1H"
    cells.shorten(paint)
    again = cells.shorten(paint)
    assert all(word in again for word in ("one", "two", "six"))
