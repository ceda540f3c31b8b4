"""The text debugger on a plane: points for places and cells, rows for lines."""

from __future__ import annotations

from test_repl_languages import talk

COUNT = b"0v\n >:.v\n ^+1<p\n"
"""Counts forever in a loop and never reaches the p."""


def test_breakpoints_at_points_instructions_and_offsets() -> None:
    said = talk("befunge-98", COUNT, "b 4,1", "b '+'", "b p", "b 0", "b 9,-9", "c", "c", "list")
    assert said[0] == "breakpoint 1: at 4,1, never hit"
    assert said[1] == 'breakpoint 2: at any "+", never hit'
    assert said[2] == 'breakpoint 3: at any "p", never hit'
    assert said[4] == "breakpoint 5: at 9,-9, never hit"
    assert "breakpoint 1: before 4,1" in said[5]
    assert "breakpoint 2: before any '+'" in said[6]
    assert "at 2,2: +" in said[6]
    assert "breakpoint 5: at 9,-9, never hit" in said[7]


def test_invalid_places_are_reported() -> None:
    said = talk("befunge-98", COUNT, "b x", "b 2:99", "watch 3", "b '4'", "tape", "grid 3")
    assert "a point such as 3,-4" in said[0]
    assert said[1] == "error: line 2 column 99 is outside the program"
    assert "a cell of a plane is a column and a row" in said[2]
    assert said[3] == "error: no instruction of the program has the text '4'"
    assert said[4] == "error: Befunge-98 has no tape; try: view"
    assert "a column and a row" in said[5]


def test_cells_are_points() -> None:
    said = talk("befunge-98", b"3415-p@", "watch 4,-4", "c", "w", "v 4,-4", "S", "set 4,-4 65",
                "b if cell[4, -4] == 3", "c", "v")  # fmt: skip
    assert "breakpoint 1: write to cell 4,-4" in said[1]
    assert "has no earlier write" in said[2]
    assert "32 to 3, by the instruction at 5,0" in said[3]
    assert said[5].startswith("cell 4,-4 is now 65")
    assert "breakpoint 2: if cell[4, -4] == 3" in said[7]
    assert said[8].startswith("cell 6,0 has not been written")


def test_lines_are_rows_and_the_plane_is_described() -> None:
    said = talk("befunge-98", COUNT, "line", "line", "rline", "grid 0,0 8 3", "panels 2", "view")
    assert "at 1,1: >" in said[0]
    assert "at 4,2: <" in said[1]
    assert "at 4,1: v" in said[2]
    assert "shown: columns 0 to 7, rows 0 to 2" in said[3]
    assert "row 1:  >:.v" in said[3]
    assert "pointer 0 at 4,1, going east, active" in said[4]
    assert "stacks: 1, innermost first" in said[5]


def test_a_grid_of_another_size_or_in_another_language_is_refused() -> None:
    for words in ("grid 0,0 65", "grid 0,0 1 2 3", "grid 0,0 600 1"):
        (answer,) = talk("befunge-98", COUNT, words)
        assert answer == "error: grid accepts a corner, then width and height, each at most 512"
    assert talk("brainfuck", b"+", "grid 1 2 3") == ["error: Brainfuck has no grid; try: view"]
