"""The list of runs and submissions in a session, and rows about the session and an attempt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from esolangs.wording import plural
from esoplay.benchmark.exports import iso_time
from esoplay.benchmark.replay import Replay, ReplayAttempt, clock_text
from esoplay.tui.debug.byte_glyphs import PICTURED_TEXT, grouped, reveal
from esoplay.tui.debug.canvas import PanelFrame, StyledText, strip_of
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.keys import Action, bindings

AttemptFilter = Literal["all", "submissions", "one problem"]
FILTERS: tuple[AttemptFilter, ...] = ("all", "submissions", "one problem")

MARKS = {"good": "✓", "bad": "✗", "calm": "·"}
_STEPS, _SIZE = 11, 6
"""Columns for steps and sizes, if there is room for both."""


LIST_KEYS: list[BindingType] = bindings(
    "attempts",
    Action("replay.open", "open", "Debug", in_footer=True),
    Action("replay.down", "move(1)", "Down"),
    Action("replay.up", "move(-1)", "Up"),
    Action("replay.page-down", "page(1)", "Page down"),
    Action("replay.page-up", "page(-1)", "Page up"),
    Action("replay.first", "go(False)", "First"),
    Action("replay.last", "go(True)", "Last"),
    Action("replay.next", "same(1)", "Next", in_footer=True),
    Action("replay.previous", "same(-1)", "Previous on the same problem"),
    Action("replay.filter", "filter", "Filter", in_footer=True),
)
"""Keys of a list of attempts or entries."""


class AttemptList(PanelFrame):
    """A list of attempts; posts :class:`Selected` and :class:`Opened`."""

    BINDINGS: ClassVar[list[BindingType]] = LIST_KEYS

    class Selected(Message):
        """Another attempt was selected."""

        def __init__(self, attempt: ReplayAttempt) -> None:
            super().__init__()
            self.attempt = attempt

    class Opened(Message):
        """The user asked to debug an attempt."""

        def __init__(self, attempt: ReplayAttempt) -> None:
            super().__init__()
            self.attempt = attempt

    def __init__(self, attempts: Sequence[ReplayAttempt], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all = attempts
        self._listed: Sequence[ReplayAttempt] = attempts
        self._filter: AttemptFilter = "all"
        self._row = 0
        self._count = len(attempts)
        """The number of all attempts at the last update."""

    @property
    def selected(self) -> ReplayAttempt | None:
        """The selected attempt, or None."""
        return self._listed[self._row] if self._listed else None

    def select(self, row: int) -> None:
        """Select a row, and scroll it into view."""
        if not self._listed:
            return
        before, self._row = self._row, max(0, min(row, len(self._listed) - 1))
        self.scroll_into_view(self._row)
        self.repaint()
        if self._row != before:
            self.post_message(self.Selected(self._listed[self._row]))

    def show_only(self, filter: AttemptFilter) -> None:
        """Show the attempts that match a filter, and select the nearest one."""
        here = self.selected
        if here is None:
            return
        chosen = self._matching(filter, here)
        if not chosen:
            self.notify("Nothing was submitted in this session.", severity="warning")
            return
        self._filter, self._listed = filter, chosen
        nearest = min(range(len(chosen)), key=lambda at: abs(chosen[at].place - here.place))
        self._row = nearest
        self.scroll_into_view(nearest, leap=True)
        self.repaint()
        if chosen[nearest] is not here:
            self.post_message(self.Selected(chosen[nearest]))

    def _matching(self, filter: AttemptFilter, here: ReplayAttempt) -> Sequence[ReplayAttempt]:
        """Return the attempts that match a filter.

        here: the selected attempt, whose problem some filters use.
        """
        if filter == "submissions":
            return [each for each in self._all if each.kind == "submission"]
        if filter == "one problem":
            return [each for each in self._all if each.problem == here.problem]
        return self._all

    def refresh_attempts(self) -> None:
        """Show attempts that were added or changed.

        If the last attempt was selected, the new last attempt is selected; otherwise the selection
        stays.
        """
        here = self.selected
        before, self._count = self._count, len(self._all)
        if here is None or (here.place == before - 1 and self._filter != "one problem"):
            here = self._all[-1] if self._all else None
        if here is None:
            return
        self._listed = self._matching(self._filter, here) or self._all
        places = range(len(self._listed))
        self._row = min(places, key=lambda row: abs(self._listed[row].place - here.place))
        self.scroll_into_view(self._row)
        self.repaint()
        self.post_message(self.Selected(self._listed[self._row]))

    # Keys

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Opened(self.selected))

    def action_move(self, rows: int) -> None:
        self.select(self._row + rows)

    def action_page(self, pages: int) -> None:
        self.select(self._row + pages * max(1, self.inner_height - 1))

    def action_go(self, last: bool) -> None:
        self.select(len(self._listed) - 1 if last else 0)

    def action_same(self, by: int) -> None:
        """Go to the next or previous attempt on the same problem."""
        here = self.selected
        if here is None:
            return
        rows = range(self._row + 1, len(self._listed)) if by > 0 else range(self._row - 1, -1, -1)
        found = next((row for row in rows if self._listed[row].problem == here.problem), None)
        if found is None:
            which = "last" if by > 0 else "first"
            self.notify(f"This is the {which} attempt on {here.problem or 'no problem'}.")
        else:
            self.select(found)

    def action_filter(self) -> None:
        at = FILTERS.index(self._filter)
        self.show_only(FILTERS[(at + 1) % len(FILTERS)])

    def on_click(self, event: events.Click) -> None:
        offset = self.inner_offset(event)
        if offset is None or self.top + offset.y >= len(self._listed):
            return
        self.select(self.top + offset.y)
        if event.chain > 1:
            self.action_open()

    # Drawing

    def heading(self) -> list[StyledText]:
        only = "" if self._filter == "all" else f": {self._filter}"
        return [self.title_piece(f"runs and submissions{only}")]

    def caption(self) -> list[StyledText]:
        if not self._listed:
            return []
        return [self.title_piece(f"{grouped(self._row + 1)}/{grouped(len(self._listed))}")]

    def row_count(self) -> int:
        return max(1, len(self._listed))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if not self._listed:
            said = StyledText(" nothing was run or submitted", palette.faint)
            return strip_of([said], width, palette.base)
        attempt = self._listed[row]
        if row == self._row:
            plain = palette.cursor if self.has_focus else palette.selected
            return strip_of([StyledText(self._text(attempt, "›", width), plain)], width, plain)
        words = self._text(attempt, " ", width)
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.base}[attempt.tone]
        return strip_of(
            [
                StyledText(words[:_TIME_END], palette.faint),
                StyledText(words[_TIME_END:_KIND_END], palette.base),
                StyledText(words[_KIND_END:_OUTCOME_END], tone),
                StyledText(words[_OUTCOME_END:], palette.faint),
            ],
            width,
            palette.base,
        )

    def _text(self, attempt: ReplayAttempt, mark: str, width: int) -> str:
        kind = attempt.kind if attempt.number is None else f"submit {attempt.number}"
        words = (
            f"{mark}{clock_text(attempt.elapsed_ms):>8} {attempt.problem or '-':<4.4} {kind:<10.10}"
            f"{MARKS[attempt.tone]} {attempt.outcome:<14.14}"
        )
        room = width - len(words)
        if room < _STEPS + _SIZE:
            return words
        steps = "" if attempt.steps is None else grouped(attempt.steps)
        return f"{words}{steps:>{_STEPS}}{grouped(attempt.size):>{min(room - _STEPS, 8)}}"


_TIME_END = 10
_KIND_END = _TIME_END + 15
_OUTCOME_END = _KIND_END + 16


# The rows above and below a session: its name and state, and the selected attempt


def name_of(attempt: ReplayAttempt) -> str:
    """Return ``E04, submission 2``."""
    name = attempt.kind if attempt.number is None else f"submission {attempt.number}"
    return f"{attempt.problem or 'no problem'}, {name}".translate(PICTURED_TEXT)


class SessionLine(LineCanvas):
    """The session and its state, or the attempt that is being debugged."""

    DEFAULT_CSS = "SessionLine { background: $panel; }"

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        export = replay.export
        solver = f" by {export.solver}" if export.solver else ""
        self._session = f" {export.session}{solver}".translate(PICTURED_TEXT)
        self._rules = f"  {export.language}, {export.protocol}".translate(PICTURED_TEXT)
        self._replay = replay
        self._debugged: ReplayAttempt | None = None
        self.count()

    def count(self) -> None:
        """Update the number of attempts."""
        replay = self._replay
        submissions = sum(attempt.kind == "submission" for attempt in replay.attempts)
        self._counts = ", ".join(
            (
                plural(len(replay.attempts) - submissions, "run"),
                plural(submissions, "submission"),
                f"{replay.solved} solved",
                "closed" if replay.export.closed else "open",
            )
        )

    def show_debugged(self, attempt: ReplayAttempt | None) -> None:
        """Show the attempt in the debugger; None shows the session."""
        self._debugged = attempt
        self.repaint()

    def left(self) -> list[StyledText]:
        rules = self._rules
        if self._debugged is not None:
            rules = f"  #{self._debugged.place + 1}: {name_of(self._debugged)}"
        return [
            StyledText(self._session, self.palette.strong),
            StyledText(rules, self.palette.base),
        ]

    def right(self) -> list[StyledText]:
        if self._debugged is not None:
            return [
                StyledText("Esc", self.palette.key),
                StyledText(" back to the list ", self.palette.faint),
            ]
        return [StyledText(f"{self._counts} ", self.palette.base)]


class AttemptLine(LineCanvas):
    """Outcome, input and time of the selected attempt."""

    def __init__(self) -> None:
        super().__init__()
        self._attempt: ReplayAttempt | None = None
        self._input: bytes | None = None

    def show(self, replay: Replay, attempt: ReplayAttempt | None) -> None:
        """Show an attempt; None shows nothing."""
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
        said = f"{attempt.outcome}{tests}".translate(PICTURED_TEXT)
        pieces = [StyledText(f" {MARKS[attempt.tone]} {said}", tone)]
        if attempt.steps is not None:
            most = "" if attempt.kind != "submission" else " at most"
            pieces.append(StyledText(f"  {plural(attempt.steps, 'step')}{most}", palette.base))
        pieces.append(StyledText(f"  {plural(attempt.size, 'byte')}", palette.base))
        if self._input is not None:
            pieces.append(
                StyledText(f"  input {reveal(self._input[:200]) or 'empty'}", palette.faint)
            )
        return pieces

    def right(self) -> list[StyledText]:
        if self._attempt is None:
            return []
        moment = iso_time(self._attempt.time_ms).replace("T", " ")[:19]
        return [StyledText(f"{moment} UTC ", self.palette.faint)]
