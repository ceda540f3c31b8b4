"""A screen that shows a session while it runs, and adds each new attempt to the list."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.content import Content
from textual.strip import Strip

from esoplay.benchmark.exports import Event
from esoplay.benchmark.replay import Replay, clock_text
from esoplay.benchmark.session_watch import SessionWatch, describe_event, describe_status
from esoplay.errors import EsoplayError
from esoplay.grading.limits import statement_with_limits
from esoplay.tui.browser.statement import render_markdown
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, to_glyphs
from esoplay.tui.debug.canvas import StyledText, make_strip, spans_width
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.dialogs import ReadDialog, show_invisibles
from esoplay.tui.keys import Action, bindings
from esoplay.tui.replay.attempts import SessionLine
from esoplay.tui.replay.run_screen import RunApp
from esoplay.tui.replay.screen import ReplayScreen
from esoplay.tui.word_wrap import cut_words

POLL_SECONDS = 0.5
"""Seconds between two reads of the log."""

FULL_FOOTER_FROM = 100
"""Minimum number of columns at which the footer shows all keys."""

_SHOWN_BYTES = 40  # maximum bytes of an input in the row with the last event


class CurrentProblemLine(LineCanvas):
    """A row with the current problem on the left and the last event on the right."""

    def __init__(self, watch: SessionWatch) -> None:
        super().__init__()
        self._watch = watch
        self._start_ms = watch.events[0].time_ms
        self._error = ""
        self.show_event(watch.events[-1])

    def show_event(self, event: Event) -> None:
        """Show the state of the session after ``event``."""
        self._status_text = describe_status(self._watch)
        said = describe_event(self._watch, event, lambda data: to_glyphs(data[:_SHOWN_BYTES]))
        self._event_text = f"{clock_text(event.time_ms - self._start_ms)} {said}"
        self.repaint()

    def warn(self, message: str) -> None:
        """Show an error instead of the session's status; "" shows the status again."""
        if message != self._error:
            self._error = message
            self.repaint()

    def left(self) -> list[StyledText]:
        palette = self.palette
        if self._error:
            return [StyledText(f" {self._error}".translate(CONTROL_PICTURES), palette.bad)]
        return [
            StyledText(" " if self._watch.closed else " now ", palette.faint),
            StyledText(self._status_text.translate(CONTROL_PICTURES), palette.strong),
        ]

    def right(self) -> list[StyledText]:
        return [
            StyledText(f"  {self._event_text.translate(CONTROL_PICTURES)} ", self.palette.faint)
        ]

    def draw(self) -> list[Strip]:
        """Draw the status and the last event; shorten both if they do not fit.

        A shortened status omits the number of solved problems.
        """
        width, right = self.size.width, self.right()
        left = self.left()
        if self._error or spans_width(left) + spans_width(right) <= width:
            return super().draw()
        lead, state = left
        words = state.text.rpartition(", ")[0] or state.text
        words = cut_words(words, max(1, width // 2 - cell_len(lead.text)))
        left = [lead, StyledText(words, state.style)]
        event = cut_words(right[0].text.strip(), max(1, width - spans_width(left) - 3))
        pieces = [*left, StyledText(f"  {event}", self.palette.faint)]
        return [make_strip(pieces, width, self.palette.base)]


class WatchScreen(ReplayScreen):
    """Shows new events of a session; selects the last attempt until the user selects another."""

    DEFAULT_CSS = """
    WatchScreen CurrentProblemLine { background: $panel; }
    WatchScreen.-debugging CurrentProblemLine { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "watched-session",
        Action(
            "session.statement",
            "statement",
            "Problem",
            in_footer=True,
            tip="The statement of the selected attempt's problem",
        ),
    )

    def __init__(self, watch: SessionWatch, replay: Replay) -> None:
        super().__init__(replay)
        self._watch = watch

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield CurrentProblemLine(self._watch)

    def on_mount(self) -> None:
        self.move_child(self.query_one(CurrentProblemLine), after=self.query_one(SessionLine))
        super().on_mount()
        self.items.action_go(True)
        if not self._watch.closed:
            self.run_worker(self._follow_log(), exit_on_error=False)

    def commands(self) -> Iterator[SystemCommand]:
        yield SystemCommand(
            "Problem", "The statement of the selected attempt's problem", self.action_statement
        )
        yield from super().commands()

    def is_hidden_in_footer(self, action: str) -> bool:
        """Return whether the footer of a narrow screen omits an action."""
        return action == "toggle_debug" and self.size.width < FULL_FOOTER_FROM

    async def _follow_log(self) -> None:
        """Read the log repeatedly, in a thread because the store can be slow.

        Errors are shown, and reading continues.
        """
        line, failed = self.query_one(CurrentProblemLine), ""
        while not self._watch.closed:
            await asyncio.sleep(POLL_SECONDS)
            try:
                events = await asyncio.to_thread(self._watch.read_events)
            except Exception as error:
                line.warn(f"cannot read the log: {_error_text(error)}")
                continue
            if events:
                try:
                    failed = self.show_events(events)
                except Exception as error:
                    failed = f"cannot show the session: {_error_text(error)}"
            line.warn(failed)

    def show_events(self, events: Sequence[Event]) -> str:
        """Show new events; return which event could not be shown and why, or ""."""
        failed = ""
        for event in events:
            try:
                self._replay.extend([event])
            except Exception as error:
                failed = f"event {event.seq} is not shown: {_error_text(error)}"
        self.items.refresh_items()
        self.query_one(SessionLine).repaint()
        self.query_one(CurrentProblemLine).show_event(events[-1])
        return failed

    def action_statement(self) -> None:
        """Show the problem of the selected attempt, or else the last problem that was fetched."""
        selected = self.items.selected_item
        id = self._watch.state.current if selected is None else selected.problem
        found = None if id is None else self._watch.problem(id)
        if found is None:
            missing = (
                "no problem has been fetched so far"
                if id is None
                else f"{id} is not in an installed pack"
            )
            self.notify(missing[0].upper() + missing[1:] + ".", severity="warning")
            return
        parts = [render_markdown(statement_with_limits(found))]
        for number, (given, wanted) in enumerate(self._watch.examples(found.id), 1):
            parts.append(
                Content.assemble(
                    f"example {number}  input ",
                    show_invisibles(given, if_empty="empty"),
                    "  output ",
                    show_invisibles(wanted, if_empty="empty"),
                )
            )
        title = f"{found.id} {found.title}, {found.tier}"
        self.app.push_screen(ReadDialog(title, Content("\n\n").join(parts)))


def _error_text(error: Exception) -> str:
    """Return the message of an error, with its class if the error is not an expected one."""
    known = isinstance(error, EsoplayError)
    return str(error) if known else f"{type(error).__name__}: {error}"


def watch_app(watch: SessionWatch, folder: Path | None = None) -> RunApp:
    """Return an application that shows one running session."""
    replay = Replay(watch)
    return RunApp(lambda: WatchScreen(watch, replay), folder)
