"""The list of runs and submissions in a session, and rows about the session and an attempt."""

from __future__ import annotations

from esolangs.wording import plural
from esoplay.benchmark.exports import iso_time
from esoplay.benchmark.replay import Replay, ReplayAttempt, clock_text
from esoplay.reporting.viewer import MARKS
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int, to_glyphs
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.replay.item_list import ItemList
from esoplay.tui.replay.run_screen import RunLine

_STEPS_COLUMNS, _SIZE_COLUMNS = 11, 6
"""Widths of the columns for steps and sizes, which are shown if both fit."""


class AttemptList(ItemList[ReplayAttempt]):
    """The runs and submissions of a session."""

    TITLE = "runs and submissions"
    NOUN = "attempt"
    GRADED_NAME = "submissions"
    EMPTY_TEXT = "nothing was run or submitted"

    def item_index(self, item: ReplayAttempt) -> int:
        return item.index

    def item_problem(self, item: ReplayAttempt) -> str | None:
        return item.problem

    def is_gradable(self, item: ReplayAttempt) -> bool:
        return item.kind == "submission"

    def has_failed(self, item: ReplayAttempt) -> bool:
        return item.tone == "bad"

    def row_spans(self, item: ReplayAttempt, mark: str, width: int) -> list[StyledText]:
        palette = self.palette
        words = self._text(item, mark, width)
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.base}[item.tone]
        return [
            StyledText(words[:_TIME_END], palette.faint),
            StyledText(words[_TIME_END:_KIND_END], palette.base),
            StyledText(words[_KIND_END:_OUTCOME_END], tone),
            StyledText(words[_OUTCOME_END:], palette.faint),
        ]

    def _text(self, attempt: ReplayAttempt, mark: str, width: int) -> str:
        kind = attempt.kind if attempt.number is None else f"submit {attempt.number}"
        words = (
            f"{mark}{clock_text(attempt.elapsed_ms):>8} {attempt.problem or '-':<4.4} {kind:<10.10}"
            f"{MARKS[attempt.tone]} {attempt.outcome:<14.14}"
        )
        room = width - len(words)
        if room < _STEPS_COLUMNS + _SIZE_COLUMNS:
            return words
        steps = "" if attempt.steps is None else format_int(attempt.steps)
        size_columns = min(room - _STEPS_COLUMNS, 8)
        return f"{words}{steps:>{_STEPS_COLUMNS}}{format_int(attempt.size):>{size_columns}}"


_TIME_END = 10
_KIND_END = _TIME_END + 15
_OUTCOME_END = _KIND_END + 16


# The rows above and below a session: its name and state, and the selected attempt


def attempt_name(attempt: ReplayAttempt) -> str:
    """Return the name of an attempt, such as ``E04, submission 2``."""
    name = attempt.kind if attempt.number is None else f"submission {attempt.number}"
    return f"{attempt.problem or 'no problem'}, {name}".translate(CONTROL_PICTURES)


class SessionLine(RunLine):
    """A row with the session and its counts or, while debugging, with the debugged attempt."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self._replay = replay

    def run_name(self) -> str:
        export = self._replay.export
        solver = f" by {export.solver}" if export.solver else ""
        return f"{export.session}{solver}".translate(CONTROL_PICTURES)

    def run_conditions(self) -> str:
        export = self._replay.export
        return f"{export.language}, {export.protocol}".translate(CONTROL_PICTURES)

    def counts(self) -> str:
        replay = self._replay
        submissions = sum(attempt.kind == "submission" for attempt in replay.attempts)
        return ", ".join(
            (
                plural(len(replay.attempts) - submissions, "run"),
                plural(submissions, "submission"),
                f"{replay.solved_count} solved",
                "closed" if replay.export.closed else "open",
            )
        )


class AttemptLine(LineCanvas):
    """A row with the outcome, the input and the time of the selected attempt."""

    def __init__(self) -> None:
        super().__init__(id="item-line")
        self._attempt: ReplayAttempt | None = None
        self._input: bytes | None = None

    def show(self, replay: Replay, attempt: ReplayAttempt | None) -> None:
        """Show an attempt; None shows an empty row."""
        self._attempt = attempt
        name = None if attempt is None else attempt.input
        self._input = None if name is None else replay.export.input(name)
        self.repaint()

    def left(self) -> list[StyledText]:
        palette, attempt = self.palette, self._attempt
        if attempt is None:
            return []
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.strong}[attempt.tone]
        tests = " tests passed" if " of " in attempt.outcome and "," not in attempt.outcome else ""
        said = f"{attempt.outcome}{tests}".translate(CONTROL_PICTURES)
        pieces = [StyledText(f" {MARKS[attempt.tone]} {said}", tone)]
        if attempt.steps is not None:
            most = "" if attempt.kind != "submission" else " in the longest test"
            pieces.append(StyledText(f"  {plural(attempt.steps, 'step')}{most}", palette.base))
        pieces.append(StyledText(f"  {plural(attempt.size, 'byte')}", palette.base))
        if self._input is not None:
            pieces.append(
                StyledText(f"  input {to_glyphs(self._input[:200]) or 'empty'}", palette.faint)
            )
        return pieces

    def right(self) -> list[StyledText]:
        if self._attempt is None:
            return []
        moment = iso_time(self._attempt.time_ms).replace("T", " ")[:19]
        return [StyledText(f"{moment} UTC ", self.palette.faint)]
