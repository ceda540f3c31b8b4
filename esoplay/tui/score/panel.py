"""The score panel: all problems at a glance, the best of this one, and its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from esoplay.grading.problem import Pack, Problem
from esoplay.tui.score.results import mark_of
from esoplay.tui.state import NOTHING_YET, Progress, Submission

BARS = 10
_BLOCKS = "▏▎▍▌▋▊▉█"


class ScorePanel(VerticalScroll):
    """Shows progress; knows nothing of how it is stored."""

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
        self.border_title = "score"

    def compose(self) -> ComposeResult:
        yield Static(id="score-text", markup=False)

    def show(
        self,
        progress: Mapping[str, Progress],
        problem: Problem | None,
        solutions: Sequence[Submission],
    ) -> None:
        """Bring the panel up to date; ``problem`` is the one being worked on."""
        solved = sum(entry.solved for entry in progress.values())
        self.border_subtitle = f"{solved}/{len(self._pack.problems)}"
        parts: list[Content] = []
        if problem is not None:
            parts.append(_of_problem(problem, progress.get(problem.id, NOTHING_YET)))
        parts.extend(self._matrix(tier, progress, problem) for tier in self._pack.tiers)
        if solutions:
            parts.append(_history(solutions))
        text = Content("\n\n").join(part for part in parts if part.plain)
        self.query_one("#score-text", Static).update(text)

    def _matrix(
        self, tier: str, progress: Mapping[str, Progress], current: Problem | None
    ) -> Content:
        """One sign for each problem of a tier, ten in a row."""
        problems = [problem for problem in self._pack if problem.tier == tier]
        if not problems:
            return Content("")
        solved = sum(progress.get(problem.id, NOTHING_YET).solved for problem in problems)
        parts: list[Content | str | tuple[str, str]] = [
            (f"{tier} {solved}/{len(problems)}", "$quiet")
        ]
        for number, problem in enumerate(problems):
            if number % 10 == 0:
                parts.append("\n")
            sign, style = _sign(progress.get(problem.id, NOTHING_YET))
            here = problem is current
            parts.append((f"[{sign}" if here else f" {sign}", f"bold {style}" if here else style))
            parts.append("]" if here else "")
        return Content.assemble(*parts)


def _sign(progress: Progress) -> tuple[str, str]:
    if progress.solved:
        return "✓", "$success"
    return ("◐", "$warning") if progress.tries else ("·", "$quiet")


def _of_problem(problem: Problem, progress: Progress) -> Content:
    title = (f"{problem.id} ", "bold")
    if progress.latest is None:
        return Content.assemble(title, ("not submitted yet", "$quiet"))
    marks: list[str | tuple[str, str]] = []
    for verdict in progress.latest.verdicts:
        marks.extend((mark_of(verdict), " "))
    lines = [
        Content.assemble(title, *marks, (f" try {progress.tries}", "$quiet")),
        _line("steps", progress.latest.steps, progress.steps),
        _line("bytes", progress.latest.size, progress.size),
    ]
    return Content("\n").join(lines)


def _line(name: str, latest: int, best: int | None) -> Content:
    best_text = f"  best {best:,}" if best is not None else ""
    return Content.assemble((f"{name} ", "$quiet"), f"{latest:,}", (best_text, "$success"))


def _history(solutions: Sequence[Submission]) -> Content:
    """A bar for the size of each of the last solutions."""
    shown = solutions[-BARS:]
    largest = max(solution.size for solution in shown) or 1
    least = min(solution.size for solution in shown)
    lines: list[Content] = [Content.styled("your solutions, bytes", "$quiet")]
    for solution in shown:
        style = "$success" if solution.size == least else "$primary"
        lines.append(
            Content.assemble((_bar(solution.size / largest, 16), style), f" {solution.size:,}")
        )
    return Content("\n").join(lines)


def _bar(share: float, width: int) -> str:
    eighths = max(1, round(share * width * 8))
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_BLOCKS[rest - 1] if rest else "")).ljust(width)
