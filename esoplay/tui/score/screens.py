"""Two pages: the ranked solutions of a problem, and all problems in all languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from esolangs.wording import plural
from esoplay.grading.problem import Pack, Problem
from esoplay.progress.records import (
    NO_PROGRESS,
    Figure,
    OwnSolution,
    ProblemStanding,
    RankedSolution,
    Standings,
    Streak,
    count,
    problems_by_tier,
    rank,
)
from esoplay.tui.browser.problems import HEADING_PREFIX, progress_mark
from esoplay.tui.footer import ModalPage
from esoplay.tui.frame import MATRIX_NAME, ListPane
from esoplay.tui.keys import (
    Action,
    FooterKey,
    FooterKeys,
    bindings,
    enter_key,
    escape_key,
    footer_key,
)

FRONT_MARK, LEAST_MARK = "◆", "★"
LEGEND = (
    f"{LEAST_MARK} least   {FRONT_MARK} best trade-off: fewer steps take more bytes, and vice versa"
)
SOLUTION_HINTS = "Enter edits · Space picks · D compares with the picked one · R order"
NOT_SAVED = "Solutions from earlier versions of esoplay have no saved program."


class SolutionAction(NamedTuple):
    """The user's choice in the list of solutions.

    digest: the solution to open. compared_digest: the solution to compare with it in the debugger;
    None opens the editor.
    """

    digest: str
    compared_digest: str | None = None


class SolutionsScreen(ModalPage[SolutionAction | None]):
    """The ranked solutions of a problem; the dialog returns the user's selection."""

    DEFAULT_CSS = """
    SolutionsScreen {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 96%;
            max-width: 100;
            height: auto;
            max-height: 90%;
            padding: 0 1;
            border: round $border;
            border-title-style: bold;
            border-subtitle-color: $quiet;
            background: $surface;
        }
        Static { height: auto; }
        ListPane { height: auto; max-height: 60vh; border: none; background: $surface; }
        ListPane:focus { border: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "solutions",
        Action("solutions.close", "dismiss(None)", "Close", in_footer=True),
        Action("solutions.order", "order", "Order by steps / bytes", in_footer=True),
        Action("solutions.pick", "pick", "Pick for a comparison", in_footer=True),
        Action("solutions.compare", "compare", "Compare with the picked one", in_footer=True),
        Action("solutions.down", "move(1)", "Down"),
        Action("solutions.up", "move(-1)", "Up"),
    )
    app: App[None]

    def __init__(self, title: str, solutions: Sequence[OwnSolution]) -> None:
        super().__init__()
        self._title = title
        self._solutions = solutions
        self._order: Figure = "steps"
        self._ranked: list[RankedSolution] = []
        self._picked_solution: OwnSolution | None = None

    def footer_keys(self) -> FooterKeys:
        keys = (
            enter_key("Edit"),
            footer_key("solutions", "Order by steps / bytes", "solutions.order"),
            footer_key("solutions", "Pick", "solutions.pick"),
            footer_key("solutions", "Compare with the picked one", "solutions.compare"),
        )
        return FooterKeys(keys, (escape_key("Close"),))

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "Esc closes"
        with box:
            yield Static(id="solutions-head", markup=False)
            yield ListPane(id="solutions")
            yield Static(Content.styled(f"\n{LEGEND}\n{SOLUTION_HINTS}", "$quiet"), markup=False)

    def on_mount(self) -> None:
        self._update_rows()
        self._list.highlighted = 0
        self._list.focus()

    @property
    def _list(self) -> ListPane:
        return self.query_one(ListPane)

    @property
    def _current_solution(self) -> OwnSolution:
        return self._ranked[self._list.highlighted or 0].solution

    def action_order(self) -> None:
        here = self._current_solution
        self._order = "size" if self._order == "steps" else "steps"
        self._update_rows()
        found = [each.solution for each in self._ranked]
        self._list.highlighted = found.index(here)

    def action_move(self, offset: int) -> None:
        self._list.action_cursor_down() if offset > 0 else self._list.action_cursor_up()

    def action_pick(self) -> None:
        at = self._list.highlighted
        self._picked_solution = (
            None if self._picked_solution == self._current_solution else self._current_solution
        )
        self._update_rows()
        self._list.highlighted = at

    def action_compare(self) -> None:
        here, picked = self._current_solution, self._picked_solution
        if picked is None or picked == here:
            self.notify("Pick a solution with Space, then press D on another to compare them.")
        elif here.digest is None or picked.digest is None:
            self.notify(NOT_SAVED, severity="warning")
        else:
            self.dismiss(SolutionAction(here.digest, picked.digest))

    @on(OptionList.OptionSelected)
    def _handle_selection(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        digest = self._ranked[event.option_index].solution.digest
        if digest is None:
            self.notify(NOT_SAVED, severity="warning")
        else:
            self.dismiss(SolutionAction(digest))

    def _update_rows(self) -> None:
        self._ranked = rank(self._solutions, self._order)
        steps, size = ("steps ▾", "bytes") if self._order == "steps" else ("steps", "bytes ▾")
        head = f"       {steps:>13}{size:>11}{'memory':>12}  submitted"
        self.query_one("#solutions-head", Static).update(Content.styled(head, "$quiet"))
        self._list.clear_options()
        self._list.add_options(
            Option(self._row(number, each)) for number, each in enumerate(self._ranked, 1)
        )

    def _row(self, number: int, ranked: RankedSolution) -> Content:
        own = ranked.solution
        steps = f"{LEAST_MARK if ranked.has_least_steps else ' '}{own.steps:,}"
        size = (
            UNKNOWN
            if own.size is None
            else f"{LEAST_MARK if ranked.has_least_size else ' '}{own.size:,}"
        )
        memory = "–" if own.memory is None else f"{own.memory:,}"
        return Content.assemble(
            ("▸" if own == self._picked_solution else " ", "bold $accent"),
            (f"{number:>3} ", "$quiet"),
            (f"{FRONT_MARK if ranked.is_on_front else ' '} ", "$accent"),
            (f"{steps:>13}", "$success" if ranked.has_least_steps else ""),
            (f"{size:>11}", "$success" if ranked.has_least_size else ""),
            f"{memory:>12}",
            (f"  {own.at[:10]} {own.at[11:16]}", "$quiet"),
            ("" if own.digest else "  not saved", "$warning"),
        )


# All problems in all languages on one page, with the best steps and bytes

MAX_NAME_COLUMNS = 44
"""Maximum width of a problem's id and title, in columns."""
STEPS_ONLY, SHORT, FULL = 7, 12, 20
"""The possible widths of a table cell, in columns; a wider cell shows more figures.

STEPS_ONLY: rounded steps. SHORT: rounded steps and bytes. FULL: exact steps and bytes.
"""
MIN_NAME_COLUMNS = {FULL: 32, SHORT: 16}
"""For each cell width, the minimum columns for names; with less room, cells are narrower."""
UNKNOWN = "–"
"""The text for the size of a solution whose program was not saved."""


class MatrixData(NamedTuple):
    """The data of the matrix screen: the results of all problems in all languages.

    language_names: by id, in the order of columns. standings: results by language and problem.
    language, problem: the current ones, at which the cursor starts.
    """

    pack: Pack
    language_names: Mapping[str, str]
    standings: Standings
    streak: Streak
    language: str
    problem: Problem | None = None

    def standing(self, problem_id: str, language_id: str) -> ProblemStanding:
        return self.standings.get(language_id, {}).get(problem_id, NO_PROGRESS)


class SelectedCell(NamedTuple):
    """The problem and the language of the cell that the user selected in the table."""

    problem_id: str
    language_id: str


class Matrix(ListPane):
    """Rows of problems, with a cursor on one cell."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "matrix",
        Action("matrix.down", "cursor_down", "Down"),
        Action("matrix.up", "cursor_up", "Up"),
        Action("matrix.left", "column(-1)", "Language to the left"),
        Action("matrix.right", "column(1)", "Language to the right"),
        Action("matrix.next", "unsolved", "Next unsolved", in_footer=True),
    )
    app: App[None]

    @dataclass
    class Moved(Message):
        """The cursor moved to another cell."""

        cell: SelectedCell

    def __init__(self, matrix_data: MatrixData, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._matrix_data = matrix_data
        self._languages = list(matrix_data.language_names)
        known = matrix_data.language in self._languages
        self._column = self._languages.index(matrix_data.language) if known else 0
        self._row_id: str | None = None
        self._problems = {problem.id: problem for problem in matrix_data.pack}

    @property
    def cell(self) -> SelectedCell | None:
        """The cell under the cursor."""
        if self._row_id is None:
            return None
        return SelectedCell(self._row_id, self._languages[self._column])

    def on_mount(self) -> None:
        for tier, problems in problems_by_tier(self._matrix_data.pack):
            self.add_option(Option("", id=HEADING_PREFIX + tier, disabled=True))
            self.add_options(Option("", id=problem.id) for problem in problems)
        problem = self._matrix_data.problem
        first = next(iter(self._problems), None)
        here = problem.id if problem is not None and problem.id in self._problems else first
        self._row_id = here
        if here is not None:
            self.highlighted = self.get_option_index(here)

    def on_resize(self) -> None:
        self._update_rows()

    # Moving

    def action_column(self, offset: int) -> None:
        self._column = (self._column + offset) % len(self._languages)
        self._move_cursor(self._row_id)

    def action_unsolved(self) -> None:
        """Move to the next problem that is not solved in this language."""
        ids, language = list(self._problems), self._languages[self._column]
        at = ids.index(self._row_id) + 1 if self._row_id in ids else 0
        for id in ids[at:] + ids[:at]:
            if not self._matrix_data.standing(id, language).solved:
                self.highlighted = self.get_option_index(id)
                return
        self.notify(f"All problems are solved in {self._matrix_data.language_names[language]}.")

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None:
            name_columns, width = self._widths()
            column = (offset.x - name_columns) // width
            if 0 <= column < len(self._languages):
                self._column = column

    @on(OptionList.OptionHighlighted)
    def _option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._move_cursor(event.option.id)

    def _move_cursor(self, row_id: str | None) -> None:
        old, self._row_id = self._row_id, row_id
        for id in {old, row_id} - {None}:
            self._update_row(str(id))
        if self.cell is not None:
            self.post_message(self.Moved(self.cell))

    # Drawing

    def _widths(self) -> tuple[int, int]:
        """Return the width of the column of names, and of each language's column, in characters."""
        room, count = max(1, self.size.width - 1), len(self._languages)  # next to a scrollbar
        fit = (each for each, name in MIN_NAME_COLUMNS.items() if room - each * count >= name)
        width = next(fit, STEPS_ONLY)
        return max(4, min(MAX_NAME_COLUMNS, room - width * count)), width

    def heading(self) -> Content:
        """Return two lines above the rows: the names of the languages, and their counts."""
        name_columns, width = self._widths()
        top: list[str | tuple[str, str]] = [" " * name_columns]
        below: list[str | tuple[str, str]] = [("all".ljust(name_columns), "$quiet")]
        for id, words in self._matrix_data.language_names.items():
            here = id == self._matrix_data.language
            shown = f"{'▸' if here else ' '}{words[: width - 1]}"
            top.append((shown.ljust(width), "bold $accent" if here else "bold"))
            below.append((self._count(list(self._matrix_data.pack), id, width), "$quiet"))
        return Content("\n").join([Content.assemble(*top), Content.assemble(*below)])

    def _count(self, problems: list[Problem], language: str, width: int) -> str:
        solved, tried, total = count(problems, self._matrix_data.standings.get(language, {}))
        words = f" {solved}/{total}"
        if tried and width >= SHORT:
            words += f" ◐{tried}"
        return words.ljust(width)

    def _update_rows(self) -> None:
        for option in list(self.options):
            if option.id is not None:
                self._update_row(option.id)

    def _update_row(self, id: str) -> None:
        name_columns, width = self._widths()
        if id.startswith(HEADING_PREFIX):
            tier = id.removeprefix(HEADING_PREFIX)
            problems = [each for each in self._matrix_data.pack if each.tier == tier]
            counts = [self._count(problems, each, width) for each in self._languages]
            row = Content.styled(
                tier[: name_columns - 1].ljust(name_columns) + "".join(counts), "$quiet"
            )
        else:
            row = self._problem_row(self._problems[id], name_columns, width)
        self.replace_option_prompt(id, row)

    def _problem_row(self, problem: Problem, name_columns: int, width: int) -> Content:
        room = name_columns - len(problem.id) - 2
        title = problem.title
        title = title if len(title) <= room else f"{title[: room - 1]}…"
        parts: list[str | tuple[str, str]] = [
            (f"{problem.id} ", "$quiet"),
            title.ljust(name_columns - len(problem.id) - 1),
        ]
        for column, language in enumerate(self._languages):
            cell = self._matrix_data.standing(problem.id, language)
            here = problem.id == self._row_id and column == self._column
            sign, style = progress_mark(cell)
            figures = _figures(cell, width)
            parts.append((f"▸{sign}" if here else f" {sign}", f"{style}{' reverse' * here}"))
            parts.append((figures, "reverse" if here else ""))
        return Content.assemble(*parts)


def _figures(cell: ProblemStanding, width: int) -> str:
    """Return the text that follows the progress mark of a cell.

    It has the user's best steps and size if the problem is solved, otherwise the most tests passed.
    """
    if cell.steps is None:
        return (f"{cell.passed:>3}/{cell.total}" if cell.tries else "").ljust(width - 2)
    if width < SHORT:
        return f"{abbreviate(cell.steps):>{width - 2}}"
    if width < FULL:
        size = UNKNOWN if cell.size is None else abbreviate(cell.size)
        return f"{abbreviate(cell.steps):>5}{size:>5}"
    size = UNKNOWN if cell.size is None else f"{cell.size:,}"
    return f"{cell.steps:>11,}{size:>7}"


def abbreviate(number: int) -> str:
    """Return a number in at most four characters: 9999, 12k, 1.2M."""
    if number < 10_000:
        return str(number)
    for unit in ("k", "M", "G", "T"):
        number, rest = divmod(number, 1000)
        if number < 10 and unit != "k":
            return f"{number}.{rest // 100}{unit}"
        if number < 1000:
            return f"{number}{unit}"
    return "9.9P"


class MatrixScreen(ModalPage[SelectedCell | None]):
    """A dialog with the table of all problems; it returns the cell to open."""

    DEFAULT_CSS = """
    MatrixScreen {
        background: $background;
        & > Vertical { border: round $border; border-subtitle-color: $quiet; }
        #matrix-head { height: 2; text-wrap: nowrap; }
        #matrix { height: 1fr; border: none; &:focus { border: none; } }
        #matrix-cell { height: 2; color: $text; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "matrix-screen",
        Action("matrix.close", "dismiss(None)", "Close", in_footer=True),
    )
    app: App[None]

    def __init__(self, matrix_data: MatrixData) -> None:
        super().__init__()
        self._matrix_data = matrix_data

    def footer_keys(self) -> FooterKeys:
        keys = (
            enter_key("Open"),
            footer_key("matrix", "Up/down", "matrix.up", "matrix.down"),
            FooterKey("←/→", "Language", ("left", "right"), "right"),
            footer_key("matrix", "Next unsolved", "matrix.next"),
        )
        return FooterKeys(keys, (escape_key("Close"),))

    def compose(self) -> ComposeResult:
        box = Vertical()
        cells = [cell for known in self._matrix_data.standings.values() for cell in known.values()]
        solved = sum(cell.solved for cell in cells)
        total = len(self._matrix_data.pack.problems) * len(self._matrix_data.language_names)
        box.border_title = Content(f"{MATRIX_NAME.lower()}: {solved} of {total} solved")
        box.border_subtitle = Content(
            self._matrix_data.streak.describe() or "best steps, best bytes"
        )
        with box:
            yield Static(id="matrix-head", markup=False)
            yield Matrix(self._matrix_data, id="matrix")
            yield Static(id="matrix-cell", markup=False)

    def on_mount(self) -> None:
        self.query_one(Matrix).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._update_text)

    def _update_text(self) -> None:
        matrix = self.query_one(Matrix)
        self.query_one("#matrix-head", Static).update(matrix.heading())
        if matrix.cell is not None:
            self._describe_cell(matrix.cell)

    @on(Matrix.Moved)
    def _handle_move(self, event: Matrix.Moved) -> None:
        self._describe_cell(event.cell)

    @on(OptionList.OptionSelected)
    def _handle_selection(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        cell = self.query_one(Matrix).cell
        if cell is not None:
            self.dismiss(cell)

    def _describe_cell(self, cell: SelectedCell) -> None:
        problem = self._matrix_data.pack.problem(cell.problem_id)
        progress = self._matrix_data.standing(*cell)
        words = (
            f"{problem.id} {problem.title} in {self._matrix_data.language_names[cell.language_id]}"
        )
        self.query_one("#matrix-cell", Static).update(
            Content.assemble((f"{words}: ", "bold"), _cell_description(progress))
        )


def _cell_description(cell: ProblemStanding) -> str:
    """Return the number of tries, and the best results, of one problem in one language."""
    if not cell.tries:
        return "not tried yet"
    tries = f"{cell.tries} {'try' if cell.tries == 1 else 'tries'}"
    if cell.steps is None:
        return f"{tries}, at best {cell.passed} of {cell.total} tests passed"
    steps = f"solved, {tries}\nbest {plural(cell.steps, 'step')} ({cell.steps_at[:10]})"
    if cell.size is None:
        return f"{steps}, bytes unknown: no program was saved"
    return f"{steps}, {plural(cell.size, 'byte')} ({cell.size_at[:10]})"
