"""The score panel: the results of the problem, plots of its solutions, and all problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from esolangs.wording import format_count, noun
from esoplay.grading.problem import Pack, Problem
from esoplay.packs.stars import SolutionFigures, award_stars
from esoplay.progress.records import count, problems_by_tier
from esoplay.tui.browser.problems import MARKS, progress_mark
from esoplay.tui.score.results import verdict_mark
from esoplay.tui.score.trends import solutions_over_time, solved_over_time
from esoplay.tui.workspace import NO_PROGRESS, ProblemStanding, SolvedProgramRecord, Streak

# Plots of solutions as text: histograms of steps or bytes, and steps against bytes. Values differ
# by orders of magnitude, so axes are logarithmic. Signs as well as colours show whose solution it
# is.

OWN, OTHER, LATEST, PAR = "█", "▒", "▲", "◆"
POINT_OWN, POINT_OTHER, POINT_LATEST = "•", "○", "●"
STYLES = {
    OWN: "$primary",
    OTHER: "$quiet",
    LATEST: "bold $accent",
    PAR: "bold $success",
    POINT_OWN: "$primary",
    POINT_OTHER: "$quiet",
    POINT_LATEST: "bold $accent",
}
_SIGN_PRIORITY = (" ", POINT_OTHER, POINT_OWN, PAR, POINT_LATEST)
"""Characters of points, in order of increasing priority.

Of several points at the same position, only the one with the highest priority is drawn.
"""

MIN_AXIS_RATIO = 1.5
"""Minimum ratio between the ends of an axis; an axis with closer values is extended."""


class LogScale(NamedTuple):
    """A logarithmic axis from ``low`` to ``high`` over ``length`` characters."""

    low: int
    high: int
    length: int

    def position_of(self, value: int) -> int:
        """Return the index of the character on the axis that represents ``value``."""
        low, high = max(1, self.low), max(self.high, MIN_AXIS_RATIO * max(1, self.low))
        share = log(max(1, value) / low) / log(high / low)
        return max(0, min(self.length - 1, int(share * self.length)))


def fit_scale(values: Sequence[int], length: int) -> LogScale:
    """Return an axis of ``length`` characters from the least to the greatest value."""
    return LogScale(min(values), max(values), length)


def histogram(
    title: str,
    own: Sequence[int],
    others: Sequence[int] = (),
    par: int | None = None,
    *,
    width: int = 28,
    height: int = 4,
) -> list[Content]:
    """Return a histogram that marks ``par`` and the last value of ``own``.

    Each line is ``width`` characters wide.
    """
    scale = fit_scale([*own, *others, *([] if par is None else [par])], width)
    counts = [[0] * width, [0] * width]
    for row, values in zip(counts, (own, others), strict=True):
        for value in values:
            row[scale.position_of(value)] += 1
    most = max(mine + theirs for mine, theirs in zip(*counts, strict=True))
    unit = max(1.0, most / height)
    rows: list[str] = []
    for level in range(height - 1, -1, -1):
        row = ""
        for mine, theirs in zip(*counts, strict=True):
            full = -(-(mine + theirs) // unit)
            row += " " if full <= level else OWN if mine and level * unit < mine else OTHER
        rows.append(row)
    marks = [" "] * width
    if par is not None:
        marks[scale.position_of(par)] = PAR
    if own:
        marks[scale.position_of(own[-1])] = LATEST
    low, high = f"{scale.low:,}", f"{scale.high:,}"
    ends = low.ljust(width) if scale.low == scale.high else low + high.rjust(width - len(low))
    head = title.ljust(width)
    return [
        Content.styled(head, "$quiet"),
        *(paint(row) for row in rows),
        Content.styled("─" * width, "$border-blurred"),
        paint("".join(marks)),
        Content.styled(ends, "$quiet"),
    ]


def scatter_plot(
    solutions: Sequence[SolvedProgramRecord],
    par: SolvedProgramRecord | None = None,
    *,
    width: int = 48,
    height: int = 10,
) -> list[Content]:
    """Return a plot of all solutions, with steps to the right and bytes upwards."""
    every = [*solutions, *([] if par is None else [par])]
    across = fit_scale([each.steps for each in every], width)
    up = fit_scale([each.size for each in every], height)
    field = [[" "] * width for _ in range(height)]

    def put(solution: SolvedProgramRecord, sign: str) -> None:
        row, column = height - 1 - up.position_of(solution.size), across.position_of(solution.steps)
        if _SIGN_PRIORITY.index(sign) > _SIGN_PRIORITY.index(field[row][column]):
            field[row][column] = sign

    own = [each for each in solutions if not each.solver]
    for each in solutions:
        put(each, POINT_OTHER if each.solver else POINT_OWN)
    if par is not None:
        put(par, PAR)
    if own:
        put(own[-1], POINT_LATEST)
    top, bottom = f"{up.high:,}", f"{up.low:,}"
    margin = max(len(top), len(bottom))
    labels = {0: top, height - 1: bottom}
    lines = [Content.styled("bytes".rjust(margin) + "  every solution", "$quiet")]
    for number, row in enumerate(field):
        label = labels.get(number, "").rjust(margin)
        lines.append(Content.assemble((f"{label} │", "$quiet"), paint("".join(row))))
    low, high = f"{across.low:,}", f"{across.high:,}"
    lines.append(Content.styled(" " * margin + " └" + "─" * width, "$quiet"))
    ends = low + f"{high} {noun(across.high, 'step')}".rjust(width - len(low))
    lines.append(Content.styled(" " * (margin + 2) + ends, "$quiet"))
    return lines


def legend(*, has_others: bool, has_par: bool, has_points: bool) -> Content:
    """Return a legend of the characters that the plots use."""
    parts = [
        (f"{OWN}{f' {POINT_OWN}' if has_points else ''} yours", OWN),
        (f"{LATEST}{f' {POINT_LATEST}' if has_points else ''} your latest", LATEST),
    ]
    if has_others:
        parts.append((f"{OTHER}{f' {POINT_OTHER}' if has_points else ''} imported", OTHER))
    if has_par:
        parts.append((f"{PAR} par", PAR))
    return Content("   ").join(Content.styled(words, STYLES[sign]) for words, sign in parts)


def join_columns(columns: Sequence[Sequence[Content]], gap: int = 4) -> list[Content]:
    """Return blocks of the same height side by side."""
    space = Content(" " * gap)
    return [space.join(row) for row in zip(*columns, strict=True)]


def paint(row: str) -> Content:
    """Return a row with its characters in their colours."""
    return Content.assemble(*((sign, STYLES.get(sign, "")) for sign in row))


MIN_CHARTED = 2
FEW_SOLUTIONS = "Plots appear here once there are two different solutions, yours or imported ones."
PLOTS_FROM = 60
"""Minimum columns of a panel with the full layout; with fewer columns it is a sidebar."""
NARROW_PLOTS_FROM, MIN_ROWS_BELOW_PLOTS = 44, 4
"""Minimum columns for histograms in a sidebar, and minimum rows for the tiers below them."""
SIDE_BY_SIDE_FROM = 92
MAX_PLOT_COLUMNS = 60
CELL_COLUMNS, COUNT_COLUMNS = 3, 9
"""Widths of the column of a problem, and of the last column, in the table of languages."""
NO_STREAK = Streak()
USUAL_DIALECT = "standard"
"""The dialect that is not shown if space is limited."""
NAME_COLUMNS = 6
"""Width of the names ``steps``, ``bytes`` and ``memory`` at the left of the table, in columns."""


class ScoreData(NamedTuple):
    """The content of the score panel.

    problem: the current problem. solutions: its solutions: the user's in order, and imported ones.
    par: the figures of the pack's solution, or None if not known yet. origin: whether that solution
    was written by hand or generated. progress_by_language: the results by name of language. streak:
    the user's streak in all languages. unmeasured_count: the number of solutions that are left out
    because their sizes are unknown. is_latest_measured: whether the size of the latest submission
    is known. dialect: the dialect in which that submission was graded.
    """

    language: str
    progress: Mapping[str, ProblemStanding]
    problem: Problem | None = None
    solutions: Sequence[SolvedProgramRecord] = ()
    par: SolvedProgramRecord | None = None
    progress_by_language: Mapping[str, Mapping[str, ProblemStanding]] = {}
    streak: Streak = NO_STREAK
    unmeasured_count: int = 0
    is_latest_measured: bool = True
    origin: str = ""
    dialect: str = ""


class ScorePanel(VerticalScroll):
    """Shows the :class:`ScoreData` that it is given; does not read the saved progress itself."""

    DEFAULT_CSS = """
    ScorePanel {
        border: round $border-blurred;
        border-title-color: $quiet;
        border-subtitle-color: $quiet;
        background: $background;
        scrollbar-size-vertical: 1;
        &:focus { border: round $border; }
        Static { padding: 0 1; }
    }
    """
    app: App[None]

    def __init__(self, pack: Pack, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pack = pack
        self._data: ScoreData | None = None
        self.border_title = "score"

    def compose(self) -> ComposeResult:
        yield Static(id="score-text", markup=False)

    def show(self, data: ScoreData) -> None:
        """Update the panel."""
        self._data = data
        solved = sum(entry.solved for entry in data.progress.values())
        total, days = len(self._pack.problems), data.streak.describe_current()
        self.border_subtitle = f"{days} · {solved}/{total}" if days else f"{solved}/{total}"
        self._update_text()

    def on_resize(self, event: Resize) -> None:
        # Text set during a layout would keep its old height.
        self.call_after_refresh(self._update_text)

    def _update_text(self) -> None:
        data, width = self._data, self.size.width - 3  # next to a scrollbar
        if data is None or width < 1:
            return
        parts: list[Content] = []
        if data.problem is not None:
            parts.append(_problem_results(data.problem, data, width))
        if width >= PLOTS_FROM and data.problem is not None:
            parts.extend(_plots(data, width))
        elif width >= NARROW_PLOTS_FROM and data.problem is not None:
            spaced = Content("\n").join(["", *_plots(data, width, with_scatter=False), ""])
            if _row_count([*parts, spaced]) + MIN_ROWS_BELOW_PLOTS <= self.size.height:
                parts.append(spaced)
        if width >= PLOTS_FROM:
            parts.append(_language_table(self._pack, data, width))
        else:
            parts.append(_tiers(self._pack, data, width, self.size.height - _row_count(parts)))
        if width >= PLOTS_FROM:
            solved_by_day = solved_over_time(data.progress, min(MAX_PLOT_COLUMNS, width))
            parts.append(Content("\n").join(solved_by_day))
        told = width < PLOTS_FROM and data.streak.describe_current()  # the frame shows the streak
        if not told and (width >= PLOTS_FROM or _row_count(parts) < self.size.height):
            parts.append(Content.styled(data.streak.describe(), "$quiet"))
        gap = "\n\n" if width >= PLOTS_FROM else "\n"
        text = Content(gap).join(part for part in parts if part.plain)
        self.query_one("#score-text", Static).update(text)


def _problem_results(problem: Problem, data: ScoreData, width: int) -> Content:
    """Return the results of the last submission, and a table of figures."""
    progress = data.progress.get(problem.id, NO_PROGRESS)
    title = (f"{problem.id} ", "bold")
    latest = progress.latest
    if latest is None:
        lines = [Content.assemble(title, ("not submitted yet", "$quiet"))]
    else:
        marks: list[str | tuple[str, str]] = []
        for verdict in latest.verdicts:
            marks.extend((verdict_mark(verdict), " "))
        line = Content.assemble(title, *marks, (f" try {progress.tries}", "$quiet"))
        stars = Content.styled(f"  {_stars_text(progress, data.par)}".rstrip(), "$accent")
        lines = [Content.assemble(line, stars) if len(line + stars) <= width else line]
    lines += _figure_table(progress, data, width - NAME_COLUMNS)
    wide = width >= PLOTS_FROM
    notes: list[str] = []
    if data.dialect and (wide or data.dialect != USUAL_DIALECT):
        notes.append(f"graded in the dialect {data.dialect}")
    if data.par is not None and wide:
        notes.append(f"the pack's solution is {data.origin}")
    if notes:
        lines.append(Content.styled("; ".join(notes), "$quiet"))
    return Content("\n").join(lines)


def _stars_text(standing: ProblemStanding, par: SolvedProgramRecord | None) -> str:
    """Return the stars of the best solutions; "" without solutions or par."""
    if par is None or standing.steps is None or standing.size is None:
        return ""
    return award_stars(
        SolutionFigures(standing.steps, standing.size), SolutionFigures(par.steps, par.size)
    ).text


def _figure_table(standing: ProblemStanding, data: ScoreData, room: int) -> list[Content]:
    """Return steps, bytes and memory of the latest submission, the best solutions, and par.

    room: columns after the names; columns of figures that do not fit are omitted.
    """
    columns: list[tuple[str, str, tuple[int | None, ...]]] = []
    latest, par = standing.latest, data.par
    if latest is not None:
        size = latest.size if data.is_latest_measured else None
        columns.append(("latest", "", (latest.steps, size, latest.memory)))
    if standing.solved:
        best = standing.steps, standing.size, standing.memory
        columns.append(("best", "$success", best))
    if par is not None:
        columns.append(("par", "", par[:3]))
    if not columns:
        return []
    rows: list[list[str | tuple[str, str]]] = [
        [" " * NAME_COLUMNS],
        *([(f"{name:<{NAME_COLUMNS}}", "$quiet")] for name in ("steps", "bytes", "memory")),
    ]
    for name, style, values in columns:
        texts = ["–" if value is None else f"{value:,}" for value in values]
        width = max(7, *(len(text) + 1 for text in texts))
        if room < width:
            break
        room -= width
        rows[0].append((f"{name:>{width}}", style or "$quiet"))
        for row, text in zip(rows[1:], texts, strict=True):
            row.append((f"{text:>{width}}", style))
    return [Content.assemble(*row) for row in rows]


def _plots(data: ScoreData, width: int, *, with_scatter: bool = True) -> list[Content]:
    """Return histograms of steps and bytes.

    with_scatter: also return a plot of all solutions.
    """
    solutions, par = data.solutions, data.par
    own = [each for each in solutions if not each.solver]
    others = [each for each in solutions if each.solver]
    every = [*solutions, *([] if par is None else [par])]
    varied = [(name, of) for name, of in FIGURES if len({of(each) for each in every}) > 1]
    words = _omission_note(data.unmeasured_count)
    left_out = [Content.styled(words, "$quiet")] if data.unmeasured_count else []
    if len(solutions) < MIN_CHARTED or not varied:
        return [Content.styled(FEW_SOLUTIONS, "$quiet"), *left_out]
    aside = width >= SIDE_BY_SIDE_FROM
    each_width = min(MAX_PLOT_COLUMNS, (width - 4) // 2)
    charts = [
        histogram(
            f"{name} of {len(solutions)} solution{'' if len(solutions) == 1 else 's'}",
            [figure(solution) for solution in own],
            [figure(solution) for solution in others],
            None if par is None else figure(par),
            width=each_width,
        )
        for name, figure in varied
    ]
    parts = [Content("\n").join(join_columns(charts))]
    if with_scatter and (aside or len(solutions) > 1):
        field = scatter_plot(solutions, par, width=min(2 * MAX_PLOT_COLUMNS, width - 10), height=8)
        parts.append(Content("\n").join(field))
    parts.append(legend(has_others=bool(others), has_par=par is not None, has_points=with_scatter))
    over_time = solutions_over_time(solutions, min(MAX_PLOT_COLUMNS, width))
    if over_time and with_scatter:
        parts.append(Content("\n").join(over_time))
    return [*parts, *left_out]


def _omission_note(unmeasured_count: int) -> str:
    """Return why some solutions are not compared."""
    return (
        f"not compared: {format_count(unmeasured_count, 'solution')}, because earlier versions of "
        "esoplay did not save programs; to compare the solutions of a session, import the session "
        "again"
    )


def _step_count(solution: SolvedProgramRecord) -> int:
    return solution.steps


def _program_size(solution: SolvedProgramRecord) -> int:
    return solution.size


FIGURES = (("steps", _step_count), ("bytes", _program_size))


def _row_count(parts: Sequence[Content]) -> int:
    return sum(part.plain.count("\n") + 1 for part in parts if part.plain)


def _tiers(pack: Pack, data: ScoreData, width: int, rows: int) -> Content:
    """Return all tiers in the largest form that fits ``rows``, or just the counts if none fits."""
    for write in (_spaced_signs, _tier_signs, _current_tier_signs, _tier_counts):
        lines = [
            line
            for tier, problems in problems_by_tier(pack)
            for line in write(tier, problems, data, width)
        ]
        if len(lines) <= rows:
            return Content("\n").join(lines)
    short: list[Content] = []
    for tier, problems in problems_by_tier(pack):
        text = _solved_line(tier, problems, data)
        if short and len(short[-1].plain) + 2 + len(text.plain) <= width:
            short[-1] = Content.assemble(short[-1], "  ", text)
        else:
            short.append(text)
    return Content("\n").join(short)


def _spaced_signs(
    tier: str, problems: Sequence[Problem], data: ScoreData, width: int
) -> list[Content]:
    """Return the counts of a tier, and rows with a character per problem and spaces between them.

    A row has ten problems.  width: unused, but the other forms of a tier need it.
    """
    return [_solved_line(tier, problems, data), *_progress_mark_rows(problems, data, " ", 10)]


def _tier_signs(
    tier: str, problems: Sequence[Problem], data: ScoreData, width: int
) -> list[Content]:
    """Return the counts of a tier, and rows with a character per problem, without spaces.

    The number of problems per row is the largest multiple of ten that fits.
    """
    across = max(10, (width - 2) // 10 * 10)  # brackets around the current problem
    return [_solved_line(tier, problems, data), *_progress_mark_rows(problems, data, "", across)]


def _current_tier_signs(
    tier: str, problems: Sequence[Problem], data: ScoreData, width: int
) -> list[Content]:
    """Return ``_tier_signs`` if the tier contains the current problem, else ``_tier_counts``."""
    write = _tier_signs if data.problem in problems else _tier_counts
    return write(tier, problems, data, width)


def _tier_counts(
    tier: str, problems: Sequence[Problem], data: ScoreData, width: int
) -> list[Content]:
    """Return one row with the count of solved problems and, if it fits, of tried problems."""
    line = _solved_line(tier, problems, data)
    _, tried, _ = count(problems, data.progress)
    sign, style = MARKS["tried"]
    more = Content.assemble(line, "  ", (f"{sign} {tried}", style))
    return [more if tried and len(more.plain) <= width else line]


def _solved_line(tier: str, problems: Sequence[Problem], data: ScoreData) -> Content:
    solved, _, total = count(problems, data.progress)
    return Content.styled(f"{tier} {solved}/{total}", "$quiet")


def _progress_mark_rows(
    problems: Sequence[Problem], data: ScoreData, gap: str, columns: int
) -> list[Content]:
    lines: list[Content] = []
    for at in range(0, len(problems), columns):
        parts: list[str | tuple[str, str]] = [" " if not gap else ""]
        for problem in problems[at : at + columns]:
            sign, style = progress_mark(data.progress.get(problem.id, NO_PROGRESS))
            here = problem is data.problem
            before, after = ("[", "]") if here else (gap, "")
            parts += [(f"{before}{sign}", f"bold {style}" if here else style), after]
        lines.append(Content.assemble(*parts))
    return lines


def _language_table(pack: Pack, data: ScoreData, width: int) -> Content:
    """Return the table of languages and problems, as one or more blocks of columns per tier."""
    name_columns = (
        max((len(name) for name in (*data.progress_by_language, *pack.tiers)), default=0) + 2
    )
    at_once = 20 if name_columns + 20 * CELL_COLUMNS + COUNT_COLUMNS <= width else 10
    blocks = [
        _language_block(
            problems[at : at + at_once], data, name_columns, tier, problems if at == 0 else ()
        )
        for tier, problems in problems_by_tier(pack)
        for at in range(0, len(problems), at_once)
    ]
    return Content("\n\n").join(blocks)


def _language_block(
    problems: Sequence[Problem],
    data: ScoreData,
    name_columns: int,
    tier: str,
    counted_problems: Sequence[Problem],
) -> Content:
    """Return the results of ``problems`` in all languages.

    counted_problems: the problems for the last column, which shows how many of them are solved;
    empty to omit the column.
    """
    head: list[str | tuple[str, str]] = [(tier.ljust(name_columns), "$quiet")]
    for problem in problems:
        here = problem is data.problem
        head.append((f"{problem.id[-2:]:>{CELL_COLUMNS}}", "bold $accent" if here else "$quiet"))
    lines = [
        Content.assemble(
            *head, (f"{'solved':>{COUNT_COLUMNS}}" if counted_problems else "", "$quiet")
        )
    ]
    for name, progress in data.progress_by_language.items():
        row: list[str | tuple[str, str]] = [
            (name.ljust(name_columns), "bold" if name == data.language else "$quiet")
        ]
        for problem in problems:
            sign, style = progress_mark(progress.get(problem.id, NO_PROGRESS))
            row.append((f"{sign:>{CELL_COLUMNS}}", style))
        if counted_problems:
            solved, _, total = count(counted_problems, progress)
            row.append((f"{f'{solved}/{total}':>{COUNT_COLUMNS}}", "$quiet"))
        lines.append(Content.assemble(*row))
    return Content("\n").join(lines)
