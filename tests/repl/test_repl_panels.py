"""Panels as sentences: every kind, empty ones, and panels that show only a part."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from esolangs.view import (
    Actor,
    CallStack,
    Drawing,
    Frame,
    Grid,
    Line,
    Panel,
    Pointer,
    Stack,
    StackOfStacks,
    Stage,
    Table,
    Tape,
    Term,
)
from esoplay.debugging.descriptions import panel_lines

HUGE = "1.2345e9999 (33216 bits)"
EAST = Pointer(0, (1, -2), (1, 0), (0, 0), True)
FLYING = Pointer(3, (7, 7), (2, -1), (5, 6), False)
GRID = Grid(
    "space", 0, -2, ((62, 49, 32), (32, 32, 32), (118, 300, HUGE)), (-4, -2), (9, 3),
    (EAST, FLYING), ((0, -2), (-1, -2)), ((1, 0),),
)  # fmt: skip
VIOLA = Actor("Viola", HUGE, Stack("memory", (2, 1), 5), True, "speaker")
ORSINO = Actor("Orsino", 3, Stack("memory", (), 0), False, "")

CASES: list[tuple[Panel, str]] = [
    (
        Tape("tape", 0, (1, 2), 1, 0, 1, 8),
        "tape: pointer at 1, visited cells 0 to 1\n  0: 1, [1: 2]",
    ),
    (CallStack("calls", (), 0), "calls: none"),
    (
        CallStack("calls", (Frame("label A", (0, 1), 2, 3, 1),), 4),
        (
            "calls: 4, innermost first\n  4: label A of line 2 column 3, entered once\n"
            "  and 3 more outside"
        ),
    ),
    (
        GRID,
        (
            "space: in use from -4,-2 to 9,3; shown: columns 0 to 2, rows -2 to 0\n"
            "  row -2: >1\n"
            "  row 0: v··\n"
            "  pointer 0 at 1,-2, going east, active\n"
            "  pointer 3 at 7,7, going by 2,-1, storage offset 5,6\n"
            f"  not printable: 1,0 holds 300; 2,0 holds {HUGE}\n"
            "  executed before, the latest first: 0,-2; -1,-2\n"
            "  changed by the program: 1,0"
        ),
    ),
    (Stack("stack", (), 0), "stack: empty"),
    (Stack("stack", (3, HUGE), 9), f"stack: 9, top first: 3 {HUGE} and 7 more below"),
    (
        StackOfStacks("stacks", (Stack("top", (1,), 1), Stack("second", (), 0)), 3),
        "stacks: 3, innermost first\n  top: 1, top first: 1\n  second: empty\n  and 1 more outside",
    ),
    (Table("heap", ("address", "value"), (), 0), "heap: empty"),
    (
        Table("heap", ("address", "value"), ((1, 2), (3, ""), (-4, HUGE)), 7, current=1),
        (
            f"heap: 7\n  address 1, value 2\n  next: address 3\n  address -4, value {HUGE}\n"
            "  and 4 more not shown"
        ),
    ),
    (Term("term", "`ki", None), "term: `ki"),
    (Term("term", "``kiv", (1, 4)), "term: ``kiv\n  reduced next, from character 2: `ki"),
    (
        Stage("stage", "Act I", "Scene II", (VIOLA, ORSINO), True),
        (
            "stage: Act I, Scene II; the last answer: yes\n"
            f"  on stage: Viola, speaker, value {HUGE}, stack 5, top first: 2 1 and 3 more below\n"
            "  off stage: Orsino, value 3, stack empty"
        ),
    ),
    (
        Stage("stage", "Act I", "Scene I", (), None),
        (
            "stage: Act I, Scene I; the last answer: none yet\n"
            "  on stage: no one\n  off stage: no one"
        ),
    ),
    (
        Drawing(
            "drawing",
            (Line((0, 0), (5, 0), 0), Line((5, 0), (5, 5), 0xFF8000)),
            20,
            (-1, 0),
            (9, 9),
            (5, 5),
            90,
            True,
            0xFF8000,
            0xFFFFFF,
        ),
        (
            "drawing: 20 lines from -1,0 to 9,9\n"
            "  turtle at 5,5, heading 90 degrees, pen down, color #ff8000\n"
            "  paper #ffffff\n"
            "  lines, the latest first: 5,0 to 5,5 #ff8000; 0,0 to 5,0 #000000\n"
            "  and 18 more before them"
        ),
    ),
    (
        Drawing("drawing", (), 0, (3, 4), (3, 4), (3, 4), 0, False, 0, 0),
        (
            "drawing: 0 lines\n"
            "  turtle at 3,4, heading 0 degrees, pen up, color #000000\n"
            "  paper #000000"
        ),
    ),
]


@pytest.mark.parametrize(("panel", "expected"), CASES, ids=lambda each: type(each).__name__)
def test_a_panel_is_described_in_sentences(panel: Any, expected: str) -> None:
    assert "\n".join(panel_lines(panel)) == expected


def test_every_kind_of_panel_has_words() -> None:
    assert {type(panel) for panel, _ in CASES} == set(get_args(Panel))


def test_long_lists_of_points_are_cut() -> None:
    lines = panel_lines(GRID._replace(written=tuple((x, 0) for x in range(100))))
    assert lines[-1].endswith("15,0 and 84 more")
