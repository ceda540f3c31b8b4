"""The layout of the panes, for each size of the terminal and each view.

Heights are fixed, so that nothing jumps while a program runs.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from esoplay.tui.frame import View
from esoplay.tui.splits import Part, Split

Width = Literal["narrow", "mid", "wide"]
MID_FROM, WIDE_FROM = 110, 180
TALL_FROM, HIGH_FROM = 34, 52
MIN_PANE_SIZE = (16, 3)
"""Columns and rows of the smallest pane."""
MIN_WORK_SIZE = (30, 6)
"""Columns and rows of the smallest editor or debugger."""


class LayoutInputs(NamedTuple):
    """What the layout of the panes depends on.

    columns, rows: of the terminal.  view: the focused one.  lesson: one is open.
    problem: there is a problem.  writing: a write-once source is edited.  sourced: the program in
    the debugger has a source map.  sidebar: the user wants it.  start: the start page is shown.
    folder: the programs of a folder are browsed.  alone: the id of the maximised pane.
    """

    columns: int
    rows: int
    view: View
    lesson: bool = False
    problem: bool = False
    writing: bool = False
    sourced: bool = False
    sidebar: bool = True
    start: bool = False
    folder: bool = False
    alone: str | None = None

    @property
    def width(self) -> Width:
        """The width class of the terminal."""
        if self.columns >= WIDE_FROM:
            return "wide"
        return "mid" if self.columns >= MID_FROM else "narrow"

    @property
    def short(self) -> bool:
        """Whether there are few rows."""
        return self.rows < TALL_FROM

    @property
    def high(self) -> bool:
        """Whether there are many rows."""
        return self.rows >= HIGH_FROM


def no_sidebar(at: LayoutInputs) -> str | None:
    """Return the reason why a sidebar is not possible, or None if it is."""
    if at.start:
        return "the start page has no sidebar"
    match at.view:
        case "learn" | "browse" | "score":
            return "only the editor and the debugger have a sidebar"
        case "debug" if at.width == "narrow":
            return f"no room beside the debugger in fewer than {MID_FROM} columns"
        case "edit" if at.width == "narrow" and at.lesson:
            return f"no room beside the editor in fewer than {MID_FROM} columns; ^l shows the text"
        case "edit" if at.width == "narrow" and not at.problem:
            return "this file has no statement to show"
        case _:
            return None


def sidebar_at_first(at: LayoutInputs) -> bool:
    """Return whether the sidebar is shown by default."""
    if not (at.lesson or at.problem):
        return False
    return at.lesson or at.view != "debug" or at.width == "wide"


def shows_sidebar(at: LayoutInputs) -> bool:
    """Return whether the sidebar is shown."""
    return at.sidebar and no_sidebar(at) is None


def plan(at: LayoutInputs) -> Part:
    """Return the layout of the panes."""
    if at.alone is not None:
        return at.alone
    if at.start:
        return "start"
    match at.view:
        case "learn":
            return _learn(at)
        case "browse" if at.folder:
            return _columns("list", 32 if at.width == "narrow" else 44, "folder", "preview")
        case "browse":
            size = {"narrow": 32, "mid": 44, "wide": 60}[at.width]
            return _columns("list", size, "problems", "statement")
        case "score":
            return _score(at)
        case "edit":
            return _with_sidebar(at, _editor(at))
        case "debug":
            return _with_sidebar(at, "debug")


def _columns(name: str, size: int, first: Part, second: Part, *, sized_first: bool = True) -> Split:
    least = MIN_PANE_SIZE[0]
    return Split(name, True, size, sized_first, first, second, (least, least))


def _stack(name: str, size: int, first: Part, second: Part) -> Split:
    """Return ``first`` above ``second``, which has this many rows."""
    least = MIN_PANE_SIZE[1]
    return Split(name, False, size, False, first, second, (least, least))


def _beside(side: Part, work: Part, size: int, name: str = "side") -> Split:
    least = MIN_PANE_SIZE[0], MIN_WORK_SIZE[0]
    return Split(name, True, size, True, side, work, least)


def _bottom(at: LayoutInputs) -> int:
    """Return the rows of the panes at the bottom of a wide screen, which are side by side."""
    return 8 if at.short else 26 if at.high else 24


def _learn(at: LayoutInputs) -> Part:
    if at.width != "wide":
        return _columns("lessons", 34, "lessons", "lesson")
    left = _stack("score", _bottom(at), "lessons", "score")
    return _columns("lessons", 34, left, "lesson")


def _score(at: LayoutInputs) -> Part:
    if at.width == "narrow":
        return "score"
    if at.width == "mid":
        return _columns("list", 32, "problems", "score")
    right = _columns("statement", 52, "statement", "score")
    return _columns("problems", 34, "problems", right)


def _editor(at: LayoutInputs) -> Part:
    """Return the program, the generated program, and its tests."""
    program: Part = "program"
    tested = at.problem or at.lesson
    if at.width == "narrow":
        if at.writing and tested:
            program = _stack("generated", 6, program, "generated")
            return _stack("results", 6, program, "results")
        if at.writing:
            return _stack("generated", 8, program, "generated")
    elif at.writing:
        side = {"mid": 38, "wide": 86}[at.width] if shows_sidebar(at) else 0
        size = (at.columns - side) * 2 // 5
        program = _columns("generated", size, program, "generated", sized_first=False)
    if not tested:
        return program
    rows = {"narrow": 7, "mid": 7 if at.short else 13, "wide": _bottom(at)}[at.width]
    return _stack("results", rows, program, "results")


def _with_sidebar(at: LayoutInputs, work: Part) -> Part:
    """Return the editor or the debugger with the sidebar."""
    if not shows_sidebar(at):
        return work
    match at.width:
        case "narrow":
            return _narrow(work)
        case "mid":
            return _beside(_side(at), work, 42 if at.lesson else 38)
        case "wide":
            return _wide(at, work)


def _narrow(work: Part) -> Part:
    """Return the statement beside the program, above the tests."""
    if isinstance(work, Split) and work.name == "results":
        return work._replace(size=6, first=_beside("statement", work.first, 36))
    return _beside("statement", work, 36)


def _side(at: LayoutInputs) -> Part:
    if at.lesson:
        return "lesson"
    if at.short:
        return _stack("score", 7, "statement", "score")
    return _stack("list", 18, "statement", _stack("score", 9, "problems", "score"))


def _wide(at: LayoutInputs, work: Part) -> Part:
    """Return the layout in which the statement has a column of its own."""
    rows = _bottom(at)
    if at.lesson:
        left: Part = _stack("score", rows, "lessons", "score")
        return _columns("list", 34, left, _beside("lesson", work, 52, "statement"))
    reading: Part = "statement"
    left = _stack("score", rows, "problems", "score")
    if at.high or at.sourced:
        reading, left = _stack("score", rows, "statement", "score"), "problems"
    right = _beside(reading, work, 52, "statement")
    # The source is between the statement and the program: the list of problems makes room.
    sourced = at.sourced and at.view == "debug"
    return right if sourced else _columns("list", 34, left, right)
