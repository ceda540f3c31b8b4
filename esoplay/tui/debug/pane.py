"""The debug pane: opens programs, and shows every moment that a move leads to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.message import Message
from textual.timer import Timer

from esolangs.errors import ParseError
from esoplay.errors import EsoplayError
from esoplay.tui.debug.carrying import carry_over
from esoplay.tui.debug.controls import Controls
from esoplay.tui.debug.keys import HINTS, HINTS_BUSY, HINTS_PLAYING, HINTS_WAITING
from esoplay.tui.debug.lines import Badge, place_text
from esoplay.tui.debug.opening import LARGE, OPENING, Opened, Wanted, open_program
from esoplay.tui.debug.target import Driver

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap

NOTHING_OPEN = Badge("EMPTY"), "no program is open"
STALE, CRASHED = Badge("STALE", "bad"), Badge("CRASHED", "bad")
LOOK_UP_AFTER = 0.15
"""Seconds of rest after which the last write is looked up in a long history."""


class DebugPane(Controls):
    """Steps through one program at a time, forwards and backwards."""

    DEFAULT_CSS = """
    DebugPane { width: 1fr; height: 1fr; layout: vertical; }
    """

    class Moved(Message):
        """The pane shows another step.

        status: ``paused``, or why no further step is possible: ``halted``, ``faulted``,
        ``limited``, ``needs_input``.
        """

        def __init__(self, step: int, status: str) -> None:
            super().__init__()
            self.step = step
            self.status = status

    class Crashed(Message):
        """An engine has failed; no program is open any more."""

    class ParseFailed(Message):
        """What was to be opened is no program.

        stale: the last version that was one is still there, and says that it is not the newest.
        """

        def __init__(self, error: ParseError, *, stale: bool) -> None:
            super().__init__()
            self.error = error
            self.stale = stale

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._opened = ("", b"")
        self._wanted: Wanted | None = None
        self._told: tuple[int, str] | None = None
        self._edits: tuple[object, ...] = ()
        self._look_up: Timer | None = None
        self._trouble: tuple[Badge, str] = NOTHING_OPEN
        self._error: ParseError | None = None

    def on_mount(self) -> None:
        self.show_moment()

    def on_unmount(self) -> None:
        self.navigator.close()

    # What others call

    def open(
        self,
        language_id: str,
        source: bytes,
        stdin: bytes,
        expected: bytes | None,
        dialect: str,
        *,
        other: bool = False,
        source_map: SourceMap | None = None,
        beside: bool = False,
    ) -> None:
        """Show a program at step 0.

        expected: what it should print, to compare with.  Without it and without ``stdin`` the
        input stays open, to be typed when the program asks for it.  Breakpoints are kept where
        the program is a new version of the one shown.  source_map: leads to the source that it
        was made of; one about another version is told of and left out.
        A program that cannot be parsed posts ParseFailed; the one shown before stays, marked as
        stale, unless this is an ``other`` one.
        beside: a large one without a map is opened in a thread, and shown once it is there.
        """
        wanted = Wanted(language_id, source, stdin, expected, dialect, other, source_map)
        self._wanted = wanted
        if not beside or source_map is not None or len(source) < LARGE:
            self._finish(wanted, open_program(wanted))
            return
        if other:
            self.close()
        self._wanted = wanted
        self._trouble = OPENING
        self.show_moment()
        self.run_worker(self._open_beside(wanted), group="opening")

    async def _open_beside(self, wanted: Wanted) -> None:
        """The answer is dropped when something else is wanted by then."""
        opened = await asyncio.to_thread(open_program, wanted)
        if self._wanted is wanted and self.is_mounted:
            self._finish(wanted, opened)

    def _finish(self, wanted: Wanted, opened: Opened | Exception) -> None:
        """Show what was opened, or tell why it was not."""
        language_id, source, _, expected, _, other, _ = wanted
        self._wanted = None
        if isinstance(opened, ParseError):
            if other:
                self.close()
            self._show_parse_error(opened, language_id, source)
            return
        if isinstance(opened, EsoplayError):
            self.close()
            self._trouble = Badge("ERROR", "bad"), str(opened)
            self.show_moment()
            return
        if isinstance(opened, Exception):
            self.tell_crash(opened)
            return
        driver, refused = opened
        old = self._keep_breakpoints(driver, language_id)
        self.bring_back(driver, old)
        self._opened = (language_id, source)
        self._error = self._stale = None
        parts = self.parts
        parts.program.open(source, language_id, driver.debugger.program)
        parts.output.select(None)
        parts.input.select(None)
        driver.sight.room = parts.state.room
        driver.columns = parts.timeline.columns
        self._told = None
        self.take_source(driver)
        self.navigator.open(driver)
        if refused:
            driver.log_line(refused)
            self.navigator.notice = refused
        if expected is None and parts.diff.display:
            parts.open_page("out")
        elif expected is not None:
            parts.open_page("diff")
        self.navigator.refresh()
        if parts.zoom_wanted is not None:
            parts.zoom_as_before()

    def tell_crash(self, error: Exception) -> None:
        """An engine has failed, which is a defect of its own: nothing but its run is lost."""
        self.close()
        words = f"{type(error).__name__}: {error}".rstrip(": ")
        self._trouble = CRASHED, f"the interpreter failed ({words}); the program is safe, F2 edits"
        self.show_moment()
        self.post_message(self.Crashed())

    def close(self) -> None:
        """Show no program."""
        self._wanted = None
        self.navigator.close()
        self._opened = ("", b"")
        self._trouble = NOTHING_OPEN
        self._error = self._stale = None
        self.parts.program.open(b"", "")
        self.leave_source()
        self.show_moment()

    @property
    def has_program(self) -> bool:
        """A program is open."""
        return self.navigator.driver is not None

    @property
    def step(self) -> int:
        """The step shown; 0 without a program."""
        driver = self.navigator.driver
        return 0 if driver is None else driver.moment.step

    def keeps_enter(self) -> bool:
        """Say that Enter leads nowhere from here; False when nothing runs that it could lead in.

        So whoever means to type input, and is late, does not type it into the program.
        """
        driver, focused = self.navigator.driver, self.screen.focused
        if driver is None or driver.is_blank or focused is None or self not in focused.ancestors:
            return False
        self.navigator.say("nothing is selected that leads anywhere; F2 opens the editor")
        return True

    def say(self, words: str) -> None:
        """Tell the user something, until the next move."""
        self.navigator.say(words)

    def stop_running(self) -> bool:
        """End a long move or play; False when neither was under way."""
        return self.navigator.stop()

    def focus(self, scroll_visible: bool = True) -> DebugPane:
        """Give the keyboard to the program."""
        self.parts.text.focus(scroll_visible)
        return self

    # Showing

    def show_moment(self) -> None:
        """Bring everything up to date with the present moment."""
        driver, parts, navigator = self.navigator.driver, self.parts, self.navigator
        if not self.is_mounted:
            return
        if driver is None:
            parts.status.say(*self._trouble, "")
            parts.hints.show(HINTS)
            parts.explain.show(None)
            parts.timeline.show(None)
            return
        moment = driver.moment
        with self.app.batch_update():
            parts.status.say(*self._state(), self._place())
            if navigator.running:
                parts.hints.show(HINTS_BUSY)
                return
            parts.program.show(moment)
            parts.show_source(moment)
            parts.show_state(moment)
            self.show_heat()
            parts.explain.show(moment)
            parts.timeline.show(moment, self.noted_steps())
            parts.output.show(moment)
            parts.input.show(moment)
            parts.diff.show(moment)
            parts.show_watches(moment)
            parts.show_breaks(moment, driver.debugger.program.source)
            parts.log_page.show_log(tuple(driver.log))
            self.show_notes()
            self.show_reasons()
            waits = moment.view.status == "needs_input"
            if waits and self._told != (moment.step, "needs_input"):
                parts.open_page("in")
            elif moment.view.status == "faulted" and self._told != (moment.step, "faulted"):
                self.tell_fault()
            playing = HINTS_PLAYING if navigator.playing else self.hints
            parts.hints.show(HINTS_WAITING if waits else playing)
            if parts.status.rest and (navigator.notice or self._error is not None):
                parts.hints.go_on(parts.status.rest)
        self.keep_what_is_set()
        self._tell()
        self._plan_look_up()

    def _state(self) -> tuple[Badge, str]:
        """A word on the state and a sentence; of a stale program why it is."""
        navigator, error = self.navigator, self._error
        if error is None or navigator.running or navigator.playing:
            return navigator.badge(), navigator.sentence()
        place = f"{error.line}:{error.column}  {error.message}"
        return STALE, navigator.notice or f"the last run that parsed; now {place}"

    def _place(self) -> str:
        assert self.navigator.driver is not None
        count = f"{self.count}…  " if self.count else ""
        return count + place_text(self.navigator.driver.moment)

    def _tell(self) -> None:
        """Post Moved when step, status or what was set by hand are others than at the last time."""
        driver = self.navigator.driver
        assert driver is not None
        status = driver.moment.view.status
        now = driver.moment.step, "paused" if status in ("running", "stopped") else status
        edits = driver.debugger.recording.edits
        if now != self._told or edits != self._edits:
            self._told, self._edits = now, edits
            self.post_message(self.Moved(*now))

    def _plan_look_up(self) -> None:
        """In a long history the last write is only looked up once time rests."""
        driver = self.navigator.driver
        if self._look_up is not None:
            self._look_up.stop()
            self._look_up = None
        if driver is None or driver.history_is_long:
            return
        moment = driver.moment
        asked, known = moment.selected, moment.last_write
        if driver.slot is not None:
            asked, known = driver.slot, moment.last_put
        if asked is not None and known is None:
            self._look_up = self.set_timer(LOOK_UP_AFTER, self.look_up_last_write)

    def look_up_last_write(self) -> None:
        """Find out now when the selected cell was written last, and show it."""
        navigator, driver = self.navigator, self.navigator.driver
        if driver is not None and not navigator.mover.busy and not navigator.playing:
            self.parts.show_state(driver.look_up_last_write())

    def _show_parse_error(self, error: ParseError, language_id: str, source: bytes) -> None:
        parts = self.parts
        stale = self.navigator.driver is not None
        if self.navigator.driver is None:
            parts.program.open(source, language_id)
            parts.program.show_error(error)
            text = f"{error.line}:{error.column}  {error.message}"
            self._trouble = Badge("PARSE ERROR", "bad"), text
            self.show_moment()
        else:
            self.navigator.stop()
            self.navigator.notice = ""
            self._error = error
            parts.program.mark_stale(True)
        self.tell_parse_error(language_id, source, error)
        if stale and not self.navigator.running:
            self.show_moment()
        self.post_message(self.ParseFailed(error, stale=stale))

    def _keep_breakpoints(self, driver: Driver, language_id: str) -> Driver | None:
        """Take the breakpoints along to a new version of the program; the old one, if it is one."""
        old = self.navigator.driver
        if old is not None and self._opened[0] == language_id and carry_over(old, driver):
            return old
        return None
