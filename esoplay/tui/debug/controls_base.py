"""What all controls of the debug pane stand on: its parts, its navigator, counts and marks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Literal

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from esoplay.debugging.debugger import Debugger, Stop
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.command_runner import CommandRunner, OwnCommand, ScreenHost
from esoplay.tui.debug.keys import ACTIONS
from esoplay.tui.debug.parts import Parts
from esoplay.tui.debug.target import Driver, Move
from esoplay.tui.debug.time_travel import Navigator
from esoplay.tui.debug.visible import grouped
from esoplay.tui.keys import bindings


class ControlsBase(Container):
    """The parts, a navigator through time, and keys that are no actions by themselves."""

    app: App[None]
    notes_folder: Path | None = None
    BINDINGS: ClassVar[list[BindingType]] = bindings("debug", *ACTIONS)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.parts = Parts()
        self.navigator = Navigator(self, self.show_moment, self.tell_crash, self._run_attached)
        host = ScreenHost(
            lambda: self.parts.program.cursor,
            self.keep_former,
            lambda: self.notes_folder,
            self._show_page,
            self.own_commands(),
        )
        self.commands = CommandRunner(self.navigator, host)
        self.parts.prompt.completions = self.commands.complete
        self.parts.prompt.tell = self.navigator.say
        self.count = ""
        self._awaited: Literal["set", "go"] | None = None

    def compose(self) -> ComposeResult:
        yield self.parts

    @abstractmethod
    def show_moment(self) -> None:
        """Bring everything up to date with the present moment."""

    @abstractmethod
    def tell_crash(self, error: Exception) -> None:
        """An engine has failed: let go of the program, and say so."""

    @abstractmethod
    def take_source(self, driver: Driver) -> None:
        """Show the source of a program that comes next, if it has one."""

    @abstractmethod
    def keep_former(self, run: Debugger) -> None:
        """Keep the run as it was before a command changed it, to go back to."""

    @abstractmethod
    def own_commands(self) -> Mapping[str, OwnCommand]:
        """The commands of the line at the bottom that the pane runs itself."""

    def _show_page(self, name: str) -> None:
        """Open a page, unless a list beside the state shows the same."""
        beside = {
            "watch": self.parts.side_watches,
            "notes": self.parts.side_notes,
            "breaks": self.parts.side_breaks,
        }
        if name not in beside or not beside[name].display:
            self.parts.open_page(name)

    def _run_attached(self, driver: Driver, stop: Stop) -> None:
        """Log what the commands of the breakpoints that were reached answer."""
        for line in self.commands.attached(driver, stop):
            driver.log_line(line)

    def go(self, move: Callable[[Driver], Move]) -> None:
        self.take_count()
        if self.navigator.driver is not None:
            self.navigator.go(move(self.navigator.driver))

    @property
    def here(self) -> Box:
        """The box that has the keyboard; the program if none has."""
        return next((box for box in self.parts.boxes if box.has_focus), self.parts.text)

    # Keys that are no actions by themselves: digits, and the letter of a mark

    def on_key(self, event: events.Key) -> None:
        if self.parts.prompt.is_open:
            return
        char = event.character or ""
        if self._awaited is not None:
            awaited, self._awaited = self._awaited, None
            if char.isalpha():
                self._use_mark(awaited, char)
            else:
                self.navigator.say("a mark is a letter")
        elif char.isdecimal() and char.isascii() and (self.count or char != "0"):
            self.count = (self.count + char)[:15]
            self.navigator.say("")
        else:
            return
        event.stop()
        event.prevent_default()

    def take_count(self, default: int = 1) -> int:
        count, self.count = self.count, ""
        return int(count) if count else default

    def action_await_mark(self, what: Literal["set", "go"]) -> None:
        self._awaited = what
        self.navigator.say("which mark? press a letter")

    def _use_mark(self, what: Literal["set", "go"], name: str) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        if what == "set":
            driver.marks[name] = driver.moment.step
            self._say_fresh(f"mark {name} is step {grouped(driver.moment.step)}")
        elif name in driver.marks:
            self.navigator.go(driver.seek(driver.marks[name]))
        else:
            self.navigator.say(f"there is no mark {name}")

    def _say_fresh(self, text: str) -> None:
        self.navigator.notice = text
        self.navigator.refresh()
