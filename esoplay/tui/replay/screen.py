"""A screen that shows a session: its attempts, and the program and changes of one attempt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.widget import Widget

from esolangs.wording import plural
from esoplay.benchmark.replay import Replay, ReplayAttempt, UsedInput
from esoplay.tui.keys import Action, bindings
from esoplay.tui.replay.attempts import AttemptLine, AttemptList, SessionLine, attempt_name
from esoplay.tui.replay.changes import DiffView, ProgramReader
from esoplay.tui.replay.run_screen import EMPTY_INPUT, DebugProgram, RunApp, RunScreen
from esoplay.tui.viewer.source import DebugInput


class ReplayScreen(RunScreen[ReplayAttempt]):
    """A read-only screen that shows, compares and debugs the attempts of a session."""

    DEFAULT_CSS = """
    ReplayScreen.-tiny #run-body, ReplayScreen.-narrow #run-body { grid-columns: 43 1fr; }
    ReplayScreen.-wide #run-body { grid-size: 3 1; grid-columns: 62 1fr 1fr; }
    ReplayScreen #changes { display: none; }
    ReplayScreen.-wide #changes { display: block; }
    ReplayScreen.-changes #changes { display: block; }
    ReplayScreen.-changes #run-program { display: none; }
    ReplayScreen.-changes.-wide #run-program { display: block; }
    ReplayScreen.-alone #run-body { grid-size: 1 1; grid-columns: 1fr; }
    ReplayScreen.-alone.-wide #run-program { display: none; }
    ReplayScreen.-debugging #run-body { grid-size: 1 1; grid-columns: 1fr; }
    ReplayScreen.-debugging #run-body > * { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "session", Action("replay.changes", "changes", "Changes", in_footer=True)
    )

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self._replay = replay

    def make_list(self) -> AttemptList:
        return AttemptList(self._replay.attempts)

    def make_run_line(self) -> SessionLine:
        return SessionLine(self._replay)

    def make_item_line(self) -> AttemptLine:
        return AttemptLine()

    def make_panes(self) -> Sequence[Widget]:
        return ProgramReader(id="run-program"), DiffView(id="changes")

    def panes(self) -> Sequence[Widget]:
        reader, changes = self.query_one(ProgramReader), self.query_one(DiffView)
        return [pane for pane in (reader, changes) if pane.display]

    def commands(self) -> Iterator[SystemCommand]:
        yield SystemCommand(
            "Changes", "What changed since the previous attempt", self.action_changes
        )
        yield from super().commands()

    def show_item(self, item: ReplayAttempt | None) -> None:
        self.query_one(AttemptLine).show(self._replay, item)
        reader, changes = self.query_one(ProgramReader), self.query_one(DiffView)
        if item is None:
            reader.show_program(b"", self._replay.export.language, "no program")
            changes.show(None, "", "nothing was run or submitted")
            return
        reader.show_program(
            self._replay.program(item), self._replay.export.language, attempt_name(item)
        )
        diff = self._replay.difference(item)
        if diff is None:
            where = f"on {item.problem}" if item.problem else "without a problem"
            nothing = f"no earlier attempt {where}"
        else:
            nothing = "the program did not change"
        assert diff is None or item.previous is not None
        since = "" if item.previous is None else f" since attempt {item.previous + 1}"
        changes.show(diff, since, nothing)

    # The debugger

    def item_name(self, item: ReplayAttempt) -> str:
        return f"#{item.index + 1}: {attempt_name(item)}"

    def item_program(self, item: ReplayAttempt) -> DebugProgram | str:
        export = self._replay.export
        return DebugProgram(export.language, self._replay.program(item), export.dialect)

    def item_inputs(self, item: ReplayAttempt) -> Sequence[DebugInput]:
        return [
            DebugInput(self._where_used(item, used), used.data, used.expected)
            for used in self._replay.inputs(item)
        ]

    def first_input(self, item: ReplayAttempt, inputs: Sequence[DebugInput]) -> DebugInput:
        """Return the input of the run, or else the first public example, or else any input."""
        if item.input is not None:
            return inputs[0]
        examples = [each for each in inputs if each.name == _EXAMPLE]
        return next(iter([*examples, *inputs]), EMPTY_INPUT)

    def describe_inputs(self, inputs: Sequence[DebugInput]) -> str:
        names = {each.name for each in inputs}
        if _HIDDEN in names:
            examples = ", public examples" if _EXAMPLE in names else ""
            return f"Inputs that the solver used{examples}, and hidden tests."
        if _EXAMPLE in names:
            return (
                "Inputs that the solver used, and public examples; hidden tests are not included."
            )
        return "Inputs that the solver used; hidden tests are not included."

    def _where_used(self, attempt: ReplayAttempt, used_input: UsedInput) -> str:
        if used_input.is_example:
            return _EXAMPLE
        if used_input.expected is not None:
            return _HIDDEN
        if attempt.index in used_input.attempts:
            return "of this run"
        last = self._replay.attempts[used_input.attempts[-1]]
        same = "this program" if last.program == attempt.program else f"#{last.index + 1}"
        return f"{plural(len(used_input.attempts), 'run')}, {same}"

    def help_subject(self) -> tuple[str, str]:
        return self._replay.export.language, self._replay.export.dialect

    def action_changes(self) -> None:
        """Switch between the changes and the program; a wide screen always shows both."""
        if self.is_debugging:
            return
        self.toggle_class("-changes")
        if self.focused is not self.items:
            self.focus_side_pane()


_EXAMPLE, _HIDDEN = "public example", "hidden test"


def replay_app(replay: Replay, folder: Path | None = None) -> RunApp:
    """Return an application that shows one session."""
    return RunApp(lambda: ReplayScreen(replay), folder)
