"""The replay screen: attempts on the left, and a program and its changes beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen

from esolangs.wording import plural
from esoplay.benchmark.replay import Replay, ReplayAttempt, UsedInput
from esoplay.errors import UsageError
from esoplay.tui.app import EsoplayApp
from esoplay.tui.debug.byte_glyphs import reveal
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice
from esoplay.tui.footer import Footer
from esoplay.tui.frame import TooSmallNotice
from esoplay.tui.keys import Action, bindings
from esoplay.tui.layout import HEIGHTS, WIDTHS
from esoplay.tui.replay.attempts import FILTERS, AttemptLine, AttemptList, SessionLine, name_of
from esoplay.tui.replay.changes import DiffView, ProgramReader

# The input with which an attempt is debugged: one of the inputs that the solver used

MAX_INPUTS = 200
"""Maximum number of inputs to choose from."""

_KEYS = "123456789abcdefghilmopqrstuvwxyz"
_SHOWN_BYTES = 60  # maximum bytes of an input in the list

EMPTY = UsedInput(b"", ())


def ask_input(
    app: App[None],
    replay: Replay,
    attempt: ReplayAttempt,
    inputs: Sequence[UsedInput],
    answered: Callable[[UsedInput | None], None],
) -> None:
    """Ask for the input with which to debug an attempt, if there are several.

    answered: called with the chosen input; None if the user cancelled.
    """
    offered = list(inputs[:MAX_INPUTS])
    if all(each.data or each.expected is not None for each in offered):
        offered.append(EMPTY)
    if len(offered) == 1:
        answered(offered[0])
        return
    choices = [
        DialogChoice(
            str(at), _KEYS[at] if at < len(_KEYS) else " ", *_input_text(replay, attempt, each)
        )
        for at, each in enumerate(offered)
    ]

    def chosen(id: str | None) -> None:
        answered(None if id is None else offered[int(id)])

    text = "Inputs that the solver used, without hidden tests."
    if any(each.expected is not None and not each.example for each in inputs):
        text = "Inputs that the solver used, and hidden tests."
    elif any(each.example for each in inputs):
        text = "Inputs that the solver used and public examples, without hidden tests."
    app.push_screen(ChoiceDialog("Debug with input", text, choices), chosen)


def _input_text(replay: Replay, attempt: ReplayAttempt, used: UsedInput) -> tuple[str, str]:
    """Describe when an input was used, and its kind."""
    shown = reveal(used.data[:_SHOWN_BYTES]) + ("…" if len(used.data) > _SHOWN_BYTES else "")
    words = shown if used.data else "empty"
    if used.example:
        return "public example", words
    if used.expected is not None:
        return "hidden test", words
    if not used.attempts:
        return "not used", words
    if attempt.place in used.attempts:
        return "of this run", words
    last = replay.attempts[used.attempts[-1]]
    times = plural(len(used.attempts), "run")
    same = "this program" if last.program == attempt.program else f"#{last.place + 1}"
    return f"{times}, {same}", words


class ReplayScreen(Screen[None]):
    """A read-only screen that shows, compares and debugs the attempts of a session."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    ReplayScreen { layout: vertical; layers: base cover; background: $background; }
    ReplayScreen.-tiny TooSmallNotice, ReplayScreen.-flat TooSmallNotice { display: block; }
    ReplayScreen Footer { dock: bottom; background: $background; }
    #replay-body { layout: grid; height: 1fr; grid-gutter: 0; grid-size: 2 1; }
    #replay-body > * { width: 100%; height: 100%; display: none; }
    #attempts, #replay-program { display: block; }
    ReplayScreen.-tiny #replay-body, ReplayScreen.-narrow #replay-body { grid-columns: 43 1fr; }
    ReplayScreen.-mid #replay-body { grid-columns: 60 1fr; }
    ReplayScreen.-wide #replay-body { grid-size: 3 1; grid-columns: 62 1fr 1fr; }
    ReplayScreen.-wide #changes { display: block; }
    ReplayScreen.-changes #changes { display: block; }
    ReplayScreen.-changes #replay-program { display: none; }
    ReplayScreen.-changes.-wide #replay-program { display: block; }
    ReplayScreen.-alone #replay-body { grid-size: 1 1; grid-columns: 1fr; }
    ReplayScreen.-alone #attempts { display: none; }
    ReplayScreen.-alone.-wide #replay-program { display: none; }
    ReplayScreen.-debugging #replay-body { grid-size: 1 1; grid-columns: 1fr; }
    ReplayScreen.-debugging #replay-body > * { display: none; }
    ReplayScreen.-debugging #replay-body > #debug { display: block; }
    ReplayScreen.-debugging AttemptLine { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "replay",
        Action("help", "help", "Help", in_footer=True),
        Action(
            "replay.toggle",
            "toggle_debug",
            "Switch",
            in_footer=True,
            tip="Switch between the list and the debugger",
        ),
        Action("replay.changes", "changes", "Changes", in_footer=True),
        Action("replay.alone", "alone", "Alone", in_footer=True, tip="Hide the list"),
        Action("replay.pane", "next_pane", "Next pane"),
        Action("theme.next", "app.next_theme", "Theme"),
        Action("replay.back", "back", "Back"),
    )
    app: App[None]

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self._replay = replay
        self._debugged: ReplayAttempt | None = None

    def compose(self) -> ComposeResult:
        yield SessionLine(self._replay)
        with Container(id="replay-body"):
            yield AttemptList(self._replay.attempts, id="attempts")
            yield ProgramReader(id="replay-program")
            yield DiffView(id="changes")
            yield DebugPane(id="debug")
        yield AttemptLine()
        yield Footer(self.is_hidden_in_footer)
        yield TooSmallNotice()

    def is_hidden_in_footer(self, action: str) -> bool:
        """Return whether the footer has no room for an action."""
        return False

    @property
    def attempts(self) -> AttemptList:
        return self.query_one(AttemptList)

    @property
    def debugger(self) -> DebugPane:
        return self.query_one(DebugPane)

    @property
    def debugging(self) -> bool:
        """Whether the debugger fills the screen."""
        return self.has_class("-debugging")

    @property
    def debugged(self) -> ReplayAttempt | None:
        """The attempt that was debugged last, or None."""
        return self._debugged

    def on_mount(self) -> None:
        self._show(self.attempts.selected)
        self.attempts.focus()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmallNotice).show_size(event.size.width, event.size.height)

    def commands(self) -> Iterator[SystemCommand]:
        """Return the commands of the palette."""
        yield SystemCommand("Help", "Keys and the language's reference card", self.action_help)
        yield SystemCommand(
            "Changes", "What changed since the previous attempt", self.action_changes
        )
        for filter in FILTERS:
            yield SystemCommand(
                f"Show {filter}",
                "Filter the runs and submissions",
                partial(self.attempts.show_only, filter),
            )

    # The selection

    @on(AttemptList.Selected)
    def _selected(self, event: AttemptList.Selected) -> None:
        if event.attempt is self.attempts.selected:  # another event follows
            self._show(event.attempt)

    def _show(self, attempt: ReplayAttempt | None) -> None:
        self.query_one(AttemptLine).show(self._replay, attempt)
        reader, changes = self.query_one(ProgramReader), self.query_one(DiffView)
        if attempt is None:
            reader.read(b"", self._replay.export.language, "no program")
            changes.show(None, "", "nothing was run or submitted")
            return
        source = self._replay.program(attempt)
        reader.read(source, self._replay.export.language, name_of(attempt))
        diff = self._replay.difference(attempt)
        if diff is None:
            nothing = f"the first attempt on {attempt.problem or 'no problem'}"
        else:
            nothing = "the same program as before"
        assert diff is None or attempt.previous is not None
        since = "" if attempt.previous is None else f" since attempt {attempt.previous + 1}"
        changes.show(diff, since, nothing)

    # The debugger

    @on(AttemptList.Opened)
    def _opened(self, event: AttemptList.Opened) -> None:
        self.open_attempt(event.attempt)

    def open_attempt(self, attempt: ReplayAttempt) -> None:
        """Debug an attempt. Ask for the input if there are several."""
        inputs = self.inputs_of(attempt)
        if inputs is None:
            return

        def answered(chosen: UsedInput | None) -> None:
            # After the dialog has closed, because widgets below it are not drawn.
            if chosen is not None:
                self.call_after_refresh(self.debug_attempt, attempt, chosen)

        ask_input(self.app, self._replay, attempt, inputs, answered)

    def inputs_of(self, attempt: ReplayAttempt) -> list[UsedInput] | None:
        """Return the inputs with which an attempt can be debugged; None after an error."""
        try:
            return self._replay.inputs(attempt)
        except UsageError as error:
            self.notify(str(error), severity="error")
            return None

    def debug_attempt(self, attempt: ReplayAttempt, chosen: UsedInput) -> None:
        export, pane = self._replay.export, self.debugger
        self._debugged = attempt
        self._show_debugger(True)
        pane.close()
        source = self._replay.program(attempt)
        pane.open(export.language, source, chosen.data, chosen.expected, export.dialect)
        if not chosen.data and chosen.expected is None and pane.has_program:
            pane.time.end_input()  # an empty input, instead of live input

    def _show_debugger(self, shown: bool) -> None:
        self.set_class(shown, "-debugging")
        self.query_one(SessionLine).show_debugged(self._debugged if shown else None)
        if shown:
            self.debugger.focus()
        else:
            self.attempts.focus()

    def action_toggle_debug(self) -> None:
        if self.debugging:
            self._show_debugger(False)
        elif self._debugged is not None:
            self._show_debugger(True)
        else:
            self.attempts.action_open()

    def action_back(self) -> None:
        """Stop a running move; otherwise close the debugger, or restore a maximised pane."""
        if self.debugging:
            if not self.debugger.stop_running():
                self._show_debugger(False)
            return
        self.remove_class("-alone")
        self.attempts.focus()

    # Panes

    def action_changes(self) -> None:
        """Show the changes in place of the program. A wide screen shows both."""
        if self.debugging:
            return
        self.toggle_class("-changes")
        if self.focused is not self.attempts:
            self._focus_beside()

    def action_alone(self) -> None:
        """Maximise the program or the changes, or restore the list."""
        if self.debugging:
            return
        self.toggle_class("-alone")
        if self.has_class("-alone"):
            self._focus_beside()
        else:
            self.attempts.focus()

    def action_next_pane(self) -> None:
        if self.focused is self.attempts:
            self._focus_beside()
        elif self.focused is self.query_one(ProgramReader) and self.query_one(DiffView).display:
            self.query_one(DiffView).focus()
        elif self.has_class("-alone"):
            self._focus_beside()
        else:
            self.attempts.focus()

    def _focus_beside(self) -> None:
        """Focus the pane with the text."""
        reader, changes = self.query_one(ProgramReader), self.query_one(DiffView)
        self.call_after_refresh(lambda: (reader if reader.display else changes).focus())

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        export = self._replay.export
        self.app.push_screen(HelpScreen(self, export.language, export.dialect))


# The application that shows a session instead of the workspace


class ReplayApp(EsoplayApp):
    """An application that shows one session. It saves only the chosen theme."""

    COMMANDS = App.COMMANDS

    def __init__(self, replay: Replay, folder: Path | None = None) -> None:
        super().__init__(folder)
        self._replay = replay
        self._replay_screen: ReplayScreen | None = None

    @property
    def replay_screen(self) -> ReplayScreen:
        """The session's screen, even if another one is on top of it."""
        assert self._replay_screen is not None, "the application has not started"
        return self._replay_screen

    def get_default_screen(self) -> Screen[None]:
        self._replay_screen = ReplayScreen(self._replay)
        return self._replay_screen

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("Theme", "Choose a theme", self.action_change_theme)
        yield from self.replay_screen.commands()
        yield SystemCommand("Quit", "Leave the replay", self.action_quit_soon)

    def action_quit_soon(self) -> None:
        self.exit(0)
