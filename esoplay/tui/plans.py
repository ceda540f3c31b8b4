"""The layout of the panes, for each view and size of the terminal.

Heights are fixed, so that no pane moves while a program runs.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from esoplay.tui.frame import View
from esoplay.tui.splits import Split, SplitPart

Width = Literal["narrow", "mid", "wide"]
MIN_MID_COLUMNS, MIN_WIDE_COLUMNS = 110, 180
"""Minimum columns of the width classes ``mid`` and ``wide``."""
MIN_TALL_ROWS, MIN_HIGH_ROWS = 34, 52
"""Minimum rows for the usual layout, and for additional rows."""
MIN_PANE_SIZE = (16, 3)
"""Minimum columns and rows of a pane."""
MIN_WORK_SIZE = (30, 6)
"""Minimum columns and rows of the editor or debugger."""


class LayoutInputs(NamedTuple):
    """The state that determines the layout of the panes.

    columns, rows: the size of the terminal.
    view: the focused view.
    has_lesson, has_problem: whether a lesson or problem is open.
    is_source: whether a write-once source is edited.
    has_source_map: whether the program in the debugger has a source map.
    wants_sidebar: whether the user wants the sidebar.
    is_start_page: whether the start page is shown.
    has_folder: whether the programs of a folder are browsed.
    maximised: the id of the maximised pane.
    """

    columns: int
    rows: int
    view: View
    has_lesson: bool = False
    has_problem: bool = False
    is_source: bool = False
    has_source_map: bool = False
    wants_sidebar: bool = True
    is_start_page: bool = False
    has_folder: bool = False
    maximised: str | None = None

    @property
    def width(self) -> Width:
        """The width class of the terminal."""
        if self.columns >= MIN_WIDE_COLUMNS:
            return "wide"
        return "mid" if self.columns >= MIN_MID_COLUMNS else "narrow"

    @property
    def has_few_rows(self) -> bool:
        """Whether the terminal is too low for the usual layout (below ``MIN_TALL_ROWS`` rows)."""
        return self.rows < MIN_TALL_ROWS

    @property
    def has_many_rows(self) -> bool:
        """Whether the terminal is high enough for additional rows (``MIN_HIGH_ROWS`` or more)."""
        return self.rows >= MIN_HIGH_ROWS


def missing_sidebar_reason(inputs: LayoutInputs) -> str | None:
    """Return the reason why the sidebar cannot be shown, or None if it can."""
    if inputs.is_start_page:
        return "the start page has no sidebar"
    match inputs.view:
        case "learn" | "browse" | "score":
            return "only the editor and the debugger have a sidebar"
        case "debug" if inputs.width == "narrow":
            return f"no room for the sidebar in fewer than {MIN_MID_COLUMNS} columns"
        case "edit" if inputs.width == "narrow" and inputs.has_lesson:
            return (
                f"no room for the sidebar in fewer than {MIN_MID_COLUMNS} columns; "
                "^l shows the lesson"
            )
        case "edit" if inputs.width == "narrow" and not inputs.has_problem:
            return "this file has no problem statement to show in the sidebar"
        case _:
            return None


def shows_sidebar_by_default(inputs: LayoutInputs) -> bool:
    """Return whether the sidebar is shown by default."""
    if not (inputs.has_lesson or inputs.has_problem):
        return False
    return inputs.has_lesson or inputs.view != "debug" or inputs.width == "wide"


def shows_sidebar(inputs: LayoutInputs) -> bool:
    """Return whether the sidebar is shown."""
    return inputs.wants_sidebar and missing_sidebar_reason(inputs) is None


def plan_layout(inputs: LayoutInputs) -> SplitPart:
    """Return the layout of the panes."""
    if inputs.maximised is not None:
        return inputs.maximised
    if inputs.is_start_page:
        return "start"
    match inputs.view:
        case "learn":
            return _lesson_layout(inputs)
        case "browse" if inputs.has_folder:
            return _split_columns(
                "list", 32 if inputs.width == "narrow" else 44, "folder", "preview"
            )
        case "browse":
            size = {"narrow": 32, "mid": 44, "wide": 60}[inputs.width]
            return _split_columns("list", size, "problems", "statement")
        case "score":
            return _score_layout(inputs)
        case "edit":
            return _with_sidebar(inputs, _editor_layout(inputs))
        case "debug":
            return _with_sidebar(inputs, "debug")


def _split_columns(
    name: str, size: int, first: SplitPart, second: SplitPart, *, is_first_sized: bool = True
) -> Split:
    min_size = MIN_PANE_SIZE[0]
    return Split(name, True, size, is_first_sized, first, second, (min_size, min_size))


def _split_rows(name: str, size: int, first: SplitPart, second: SplitPart) -> Split:
    """Return a split with ``first`` above ``second``. size: the rows of ``second``."""
    min_size = MIN_PANE_SIZE[1]
    return Split(name, False, size, False, first, second, (min_size, min_size))


def _split_side_by_side(
    side: SplitPart, work_area: SplitPart, size: int, name: str = "side"
) -> Split:
    min_size = MIN_PANE_SIZE[0], MIN_WORK_SIZE[0]
    return Split(name, True, size, True, side, work_area, min_size)


def _bottom_rows(inputs: LayoutInputs) -> int:
    """Return the number of rows of the panes at the bottom of a wide screen."""
    return 8 if inputs.has_few_rows else 26 if inputs.has_many_rows else 24


def _lesson_layout(inputs: LayoutInputs) -> SplitPart:
    if inputs.width != "wide":
        return _split_columns("lessons", 34, "lessons", "lesson")
    left = _split_rows("score", _bottom_rows(inputs), "lessons", "score")
    return _split_columns("lessons", 34, left, "lesson")


def _score_layout(inputs: LayoutInputs) -> SplitPart:
    if inputs.width == "narrow":
        return "score"
    if inputs.width == "mid":
        return _split_columns("list", 32, "problems", "score")
    right = _split_columns("statement", 52, "statement", "score")
    return _split_columns("problems", 34, "problems", right)


def _editor_layout(inputs: LayoutInputs) -> SplitPart:
    """Return the layout of the program, the generated program and the tests."""
    program: SplitPart = "program"
    has_tests = inputs.has_problem or inputs.has_lesson
    if inputs.width == "narrow":
        if inputs.is_source and has_tests:
            program = _split_rows("generated", 6, program, "generated")
            return _split_rows("results", 6, program, "results")
        if inputs.is_source:
            return _split_rows("generated", 8, program, "generated")
    elif inputs.is_source:
        side = {"mid": 38, "wide": 86}[inputs.width] if shows_sidebar(inputs) else 0
        size = (inputs.columns - side) * 2 // 5
        program = _split_columns("generated", size, program, "generated", is_first_sized=False)
    if not has_tests:
        return program
    rows = {"narrow": 7, "mid": 7 if inputs.has_few_rows else 13, "wide": _bottom_rows(inputs)}[
        inputs.width
    ]
    return _split_rows("results", rows, program, "results")


def _with_sidebar(inputs: LayoutInputs, work_area: SplitPart) -> SplitPart:
    """Return the layout of the editor or the debugger, with the sidebar if it is shown."""
    if not shows_sidebar(inputs):
        return work_area
    match inputs.width:
        case "narrow":
            return _narrow_layout(work_area)
        case "mid":
            return _split_side_by_side(_sidebar(inputs), work_area, 42 if inputs.has_lesson else 38)
        case "wide":
            return _wide_layout(inputs, work_area)


def _narrow_layout(work_area: SplitPart) -> SplitPart:
    """Return the layout with the statement next to the program; tests, if shown, are below both."""
    if isinstance(work_area, Split) and work_area.name == "results":
        return work_area._replace(
            size=6, first=_split_side_by_side("statement", work_area.first, 36)
        )
    return _split_side_by_side("statement", work_area, 36)


def _sidebar(inputs: LayoutInputs) -> SplitPart:
    if inputs.has_lesson:
        return "lesson"
    if inputs.has_few_rows:
        return _split_rows("score", 7, "statement", "score")
    return _split_rows("list", 18, "statement", _split_rows("score", 9, "problems", "score"))


def _wide_layout(inputs: LayoutInputs, work_area: SplitPart) -> SplitPart:
    """Return the layout in which the statement has its own column."""
    rows = _bottom_rows(inputs)
    if inputs.has_lesson:
        left: SplitPart = _split_rows("score", rows, "lessons", "score")
        return _split_columns(
            "list", 34, left, _split_side_by_side("lesson", work_area, 52, "statement")
        )
    reading: SplitPart = "statement"
    left = _split_rows("score", rows, "problems", "score")
    if inputs.has_many_rows or inputs.has_source_map:
        reading, left = _split_rows("score", rows, "statement", "score"), "problems"
    right = _split_side_by_side(reading, work_area, 52, "statement")
    # The source is between statement and program, so the list of problems is hidden.
    has_source_map = inputs.has_source_map and inputs.view == "debug"
    return right if has_source_map else _split_columns("list", 34, left, right)
