"""What the commands of the REPL act on, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from esolangs.stops import Address
from esolangs.view import Grid, Tape
from esoplay.cli.repl.lesson_words import told_phrase
from esoplay.cli.repl.syntax import Line
from esoplay.cli.repl.wording import change_line, stop_lines, where
from esoplay.errors import UsageError
from esoplay.paths import state_folder
from esoplay.service.advice import advice_on
from esoplay.service.debugging import Cancelled, Debugger, Stop, Ticker
from esoplay.service.encoding import bytes_as_json, stop_as_json, view_as_json
from esoplay.service.kept import Kept, read_kept, write_kept
from esoplay.service.notebook import Notebook, notebook_of
from esoplay.service.watches import Watch, Watches, watch_as_json, watches_of
from esoplay.timeline.places import bytes_text

if TYPE_CHECKING:
    from esoplay.service.lessons import Lesson

Answer = TypeVar("Answer")

BUDGET = 100_000_000
"""Steps of a move whose end is not known, unless a number is given: an endless loop comes back."""


class Reply(NamedTuple):
    """The answer to a command: lines for people, data for programs."""

    lines: list[str]
    data: dict[str, Any]


class Desk:
    """The debugger at hand; ``interrupt`` (any thread, a signal) ends the move that is going on."""

    def __init__(
        self, debugger: Debugger, *, keeps_notes: bool = False, keeps_watches: bool = False
    ):
        """``keeps_notes``, ``keeps_watches``: in the state folder, for the next time."""
        self.debugger = debugger
        self._keeps_notes = keeps_notes
        self._keeps_watches = keeps_watches
        if keeps_watches:
            kept = read_kept(debugger.program, state_folder())
            watches_of(debugger).take_over(kept.watches)
        self.other: Debugger | None = None  # the run that was compared with last
        self.lesson: Lesson | None = None
        self.hints_told = 0
        self.task_done = False
        self._interrupted = False  # no Event: a signal could come while it is locked

    def take(self, lesson: Lesson, debugger: Debugger) -> None:
        """Take a lesson, with its program at hand."""
        self.lesson, self.debugger, self.other = lesson, debugger, None
        self.hints_told, self.task_done = 0, False

    def interrupt(self) -> None:
        """End the current move at its next look around."""
        self._interrupted = True

    @property
    def interrupted(self) -> bool:
        """Whether the last move was ended by ``interrupt``."""
        return self._interrupted

    def tick(self, done: int, total: int) -> bool:
        """The ticker of every move."""
        return not self._interrupted

    def tick_within(self, budget: int) -> Callable[[int, int], bool]:
        """A ticker that also gives up after ``budget`` steps."""
        return lambda done, total: done < budget and not self._interrupted

    @property
    def notebook(self) -> Notebook:
        """The notes on the program."""
        return notebook_of(self.debugger, state_folder() if self._keeps_notes else None)

    # Watches

    @property
    def watches(self) -> Watches:
        """The watch expressions of the program."""
        return watches_of(self.debugger)

    def watched(self, before: Mapping[str, int | None] | None = None) -> tuple[Watch, ...]:
        """Their values now, compared with those from before."""
        return self.watches.values(self.debugger, before)

    def value_of(self, text: str) -> Watch:
        """The value of an expression that is not watched.  Raises ConditionError."""
        once = Watches(self.debugger.program)
        once.add(text)
        return once.values(self.debugger)[0]

    def keep_watches(self) -> None:
        """Keep them for the next time, if that is wanted; raises StoreError."""
        if self._keeps_watches and self.lesson is None:
            folder, program = state_folder(), self.debugger.program
            breakpoints = read_kept(program, folder).breakpoints
            write_kept(program, folder, Kept(breakpoints, self.watches.texts))

    def move(self, make: Callable[[], Stop]) -> Reply:
        """Make a move and tell where it led, and what was printed on the way."""
        self._interrupted = False
        before = self.debugger.view()
        values = {each.text: each.value for each in self.watched()}
        stop = make()
        view = self.debugger.view()
        lines = stop_lines(stop)
        if any(reason.kind == "cancelled" for reason in stop.reasons):
            within = "interrupted" if self.interrupted else f"not done within {BUDGET} steps"
            lines = [f"{within}: we are where we were"]
        data = stop_as_json(self.debugger, stop)
        printed = self.debugger.output[before.output_length : view.output_length]
        if printed:
            lines.append(f"printed: {bytes_text(printed)}")
            data |= bytes_as_json("printed", printed)
        if self._notices_that_the_task_is_done() and self.lesson is not None:
            lines.append(f"task done: {told_phrase(self.lesson.task.done)}")
            data["task_done"] = True
        lines += [where(view), *self._line()]
        watched = self.watched(values)
        if watched:
            lines += [change_line(each) for each in watched if each.changed]
            data["watches"] = [watch_as_json(each) for each in watched]
        if view.fault is not None:
            advice = advice_on(self.debugger.program.language.id, view.fault.kind)
            if advice:
                lines.append(f"try: {advice}")
                data["advice"] = advice
        return Reply(lines, data)

    def _notices_that_the_task_is_done(self) -> bool:
        """Whether the task of a lesson is done here, for the first time."""
        lesson = self.lesson
        if lesson is None or self.task_done or lesson.task.kind != "state":
            return False
        from esoplay.service.lessons import check_state

        self.task_done = check_state(lesson, self.debugger).done
        return self.task_done

    def ask(self, question: Callable[[Ticker], Answer]) -> Answer:
        """The answer to a question that may take long; UsageError if it was interrupted."""
        self._interrupted = False
        try:
            return question(self.tick)
        except Cancelled:
            raise UsageError("interrupted") from None

    def here(self) -> Reply:
        """Where we are, without moving."""
        view = self.debugger.view()
        told = {"step": view.step, "view": view_as_json(self.debugger, view)}
        return Reply([where(view), *self._line()], told)

    def _line(self) -> list[str]:
        """The line of the generator's source that is executed next, if that is known."""
        if self.debugger.source_lines is None:
            return []
        source = view_as_json(self.debugger, self.debugger.view(), ["source"])["source"]
        if source["line"] is None:
            return [f"{source['name']}: in code of no line"]
        label = f": {source['label']}" if source["label"] else ""
        return [f"{source['name']} line {source['line']}{label}"]

    def cell_in_focus(self) -> Address:
        """The cell that commands are about when none is named: where a pointer stands."""
        for panel in self.debugger.view().panels:
            if isinstance(panel, Tape):
                return panel.pointer
            if isinstance(panel, Grid):
                return next(each.position for each in panel.pointers if each.active)
        raise UsageError("say which cell: nothing points at one here")


Handler = Callable[[Desk, Line], Reply]


class Command(NamedTuple):
    """One row of the command table.

    names: the word, then its short forms.  usage: its arguments.  help: what it does.
    """

    names: tuple[str, ...]
    usage: str
    help: str
    handler: Handler
    examples: tuple[str, ...] = ()
