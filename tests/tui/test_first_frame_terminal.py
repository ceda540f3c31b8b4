"""The first frame is complete: nothing moves afterwards, so a click hits what the user saw."""

from __future__ import annotations

import pytest
from selection import slow_except
from terminal import Start

pytestmark = pytest.mark.terminal

LAST = "F5 runs"
"""Stands in a pane at the bottom."""


def corners(lines: list[str]) -> set[tuple[int, int, str]]:
    """Where panes begin and end."""
    return {
        (y, x, sign)
        for y, line in enumerate(lines)
        for x, sign in enumerate(line)
        if sign in "╭╮╰╯"
    }


@pytest.mark.parametrize("size", slow_except([(80, 24), (120, 40), (200, 60)], (120, 40)))
def test_panes_and_tabs_stay_where_they_were_painted_first(
    start: Start, size: tuple[int, int]
) -> None:
    with start("-m", "esoplay", "play", "--problem", "E08", size=size) as terminal:
        terminal.wait_for("^q Quit")
        terminal.send("7")
        terminal.wait_for("7>,")  # typed where the code begins
        first, last = terminal.first_frame_with(LAST), terminal.lines
        assert "debug" in first[0]
        assert first[0] == last[0]
        assert any("E08.bf" in line for line in first)
        assert corners(first) == corners(last) != set()
