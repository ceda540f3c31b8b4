"""The screen that shows a run: a list, the selected item next to it, and the debugger.

Subclasses for sessions and evaluations provide the items and their programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple

from textual import events, on
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget

from esoplay.errors import EsoplayError
from esoplay.tui.app import EsoplayApp
from esoplay.tui.debug.byte_glyphs import to_glyphs
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice
from esoplay.tui.footer import Footer
from esoplay.tui.frame import TooSmallNotice
from esoplay.tui.keys import Action, bindings
from esoplay.tui.layout import HEIGHT_BREAKPOINTS, WIDTH_BREAKPOINTS
from esoplay.tui.replay.item_list import FILTERS, Item, ItemList
from esoplay.tui.viewer.source import DebugInput

MAX_INPUTS = 200
"""Maximum number of inputs to choose from."""

_INPUT_KEYS = "123456789abcdefghilmopqrstuvwxyz"
_SHOWN_BYTES = 60  # maximum bytes of an input in the dialog


EMPTY_INPUT = DebugInput("not used", b"")


class DebugProgram(NamedTuple):
    """A program for the debugger.  options: values that override the dialect's, or None."""

    language: str
    source: bytes
    dialect: str
    options: Mapping[str, str | int] | None = None


class RunLine(LineCanvas):
    """The first row of the screen: the run and its counts, or the item that is being debugged."""

    DEFAULT_CSS = "RunLine { background: $panel; }"

    def __init__(self) -> None:
        super().__init__()
        self._debugged_item = ""

    def run_name(self) -> str:
        raise NotImplementedError

    def run_conditions(self) -> str:
        """Return the text after the run's name, such as the language and the protocol."""
        return ""

    def counts(self) -> str:
        raise NotImplementedError

    def show_debugged_item(self, name: str) -> None:
        """Show ``name``, the item that is being debugged; "" shows the run again."""
        self._debugged_item = name
        self.repaint()

    def left(self) -> list[StyledText]:
        words = self._debugged_item or self.run_conditions()
        return [
            StyledText(f" {self.run_name()}", self.palette.strong),
            StyledText(f"  {words}" if words else "", self.palette.base),
        ]

    def right(self) -> list[StyledText]:
        if self._debugged_item:
            return [
                StyledText("Esc", self.palette.key),
                StyledText(" back to the list ", self.palette.faint),
            ]
        return [StyledText(f"{self.counts()} ", self.palette.base)]


class RunScreen(Screen[None], Generic[Item]):
    """A read-only list of the items of a session or evaluation, with their programs and results."""

    HORIZONTAL_BREAKPOINTS = WIDTH_BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHT_BREAKPOINTS
    DEFAULT_CSS = """
    RunScreen { layout: vertical; layers: base cover; background: $background; }
    RunScreen.-tiny TooSmallNotice, RunScreen.-flat TooSmallNotice { display: block; }
    RunScreen Footer { dock: bottom; background: $background; }
    #run-body { layout: grid; height: 1fr; grid-gutter: 0; grid-size: 2 1; grid-columns: 60 1fr; }
    #run-body > * { width: 100%; height: 100%; }
    #run-body > #debug { display: none; }
    RunScreen.-alone #run-body { grid-size: 1 1; grid-columns: 1fr; }
    RunScreen.-alone ItemList { display: none; }
    RunScreen.-debugging #run-body { grid-size: 1 1; grid-columns: 1fr; }
    RunScreen.-debugging #run-body > * { display: none; }
    RunScreen.-debugging #run-body > #debug { display: block; }
    RunScreen.-debugging #item-line { display: none; }
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
        Action("replay.alone", "alone", "Alone", in_footer=True, tip="Hide the list"),
        Action("replay.pane", "next_pane", "Next pane"),
        Action("theme.next", "app.next_theme", "Theme"),
        Action(
            "session.input",
            "ask_input",
            "Input…",
            in_footer=True,
            tip="Debug the selected program with an input of your choice",
        ),
        Action("replay.back", "back", "Back"),
    )
    app: App[None]

    def __init__(self) -> None:
        super().__init__()
        self._debugged_item: Item | None = None

    # Methods of subclasses

    def make_list(self) -> ItemList[Item]:
        raise NotImplementedError

    def make_run_line(self) -> RunLine:
        raise NotImplementedError

    def make_item_line(self) -> LineCanvas:
        """Return the row about the selected item, with the id ``item-line``."""
        raise NotImplementedError

    def make_panes(self) -> Sequence[Widget]:
        """Return all panes next to the list."""
        raise NotImplementedError

    def panes(self) -> Sequence[Widget]:
        """Return the visible panes next to the list."""
        raise NotImplementedError

    def show_item(self, item: Item | None) -> None:
        """Show the selected item in the panes."""
        raise NotImplementedError

    def item_name(self, item: Item) -> str:
        """Return a short description of an item, for the first row of the screen."""
        raise NotImplementedError

    def item_program(self, item: Item) -> DebugProgram | str:
        """Return the program of an item, or the reason why it cannot be debugged."""
        raise NotImplementedError

    def item_inputs(self, item: Item) -> Sequence[DebugInput]:
        """Return the inputs to offer for an item, except for the empty input.

        Raises EsoplayError if the inputs cannot be read.
        """
        raise NotImplementedError

    def first_input(self, item: Item, inputs: Sequence[DebugInput]) -> DebugInput:
        """Return the input with which :meth:`open_item` debugs the program."""
        return inputs[0] if inputs else EMPTY_INPUT

    def describe_inputs(self, inputs: Sequence[DebugInput]) -> str:
        """Return the text of the dialog in which the user selects one of ``inputs``."""
        raise NotImplementedError

    def help_subject(self) -> tuple[str, str]:
        """Return the language and dialect for the help page."""
        raise NotImplementedError

    # Widgets

    def compose(self) -> ComposeResult:
        yield self.make_run_line()
        with Container(id="run-body"):
            yield self.make_list()
            yield from self.make_panes()
            yield DebugPane(id="debug")
        yield self.make_item_line()
        yield Footer(self.is_hidden_in_footer)
        yield TooSmallNotice()

    def is_hidden_in_footer(self, action: str) -> bool:
        """Return whether an action does not fit in the footer."""
        return False

    @property
    def items(self) -> ItemList[Item]:
        found: ItemList[Item] = self.query_one(ItemList)  # pyright: ignore[reportUnknownVariableType]
        return found

    @property
    def debugger(self) -> DebugPane:
        return self.query_one(DebugPane)

    @property
    def is_debugging(self) -> bool:
        """Whether the debugger fills the screen."""
        return self.has_class("-debugging")

    def on_mount(self) -> None:
        self.show_item(self.items.selected_item)
        self.items.focus()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmallNotice).show_size(event.size.width, event.size.height)

    def commands(self) -> Iterator[SystemCommand]:
        """Return the commands of the palette."""
        yield SystemCommand("Help", "Keys and the language's reference card", self.action_help)
        yield SystemCommand(
            "Debug with input…", "Choose the input of the program", self.action_ask_input
        )
        for filter in FILTERS:
            yield SystemCommand(
                f"Show {self.items.filter_name(filter)}",
                "Filter the list",
                partial(self.items.show_only, filter),
            )

    # The selection

    @on(ItemList.ItemSelected)
    def _handle_selection(self, event: ItemList.ItemSelected) -> None:
        if event.item is self.items.selected_item:  # else a later event has the selected item
            self.show_item(event.item)

    # The debugger

    @on(ItemList.ItemOpened)
    def _handle_opening(self, event: ItemList.ItemOpened) -> None:
        self.open_item(event.item)

    def open_item(self, item: Item) -> None:
        """Debug the program of an item without asking for the input."""
        found = self._debuggable_program(item)
        if found is not None:
            program, inputs = found
            self.debug_item(item, program, self.first_input(item, inputs))

    def action_ask_input(self) -> None:
        """Ask for the input with which to debug the selected program."""
        item = self._debugged_item if self.is_debugging else self.items.selected_item
        if item is None:
            self.notify(f"No {self.items.NOUN} is selected.", severity="warning")
            return
        found = self._debuggable_program(item)
        if found is None:
            return
        program, inputs = found
        offered = list(inputs[:MAX_INPUTS])
        if all(each.data or each.expected is not None for each in offered):
            offered.append(EMPTY_INPUT)

        def chosen(id: str | None) -> None:
            # Wait until the dialog has closed, because the widgets below it are not drawn.
            if id is not None:
                self.call_after_refresh(self.debug_item, item, program, offered[int(id)])

        choices = [
            DialogChoice(
                str(at),
                _INPUT_KEYS[at] if at < len(_INPUT_KEYS) else " ",
                each.name,
                _shown_bytes(each),
            )
            for at, each in enumerate(offered)
        ]
        about = self.describe_inputs(inputs)
        self.app.push_screen(ChoiceDialog("Debug with input", about, choices), chosen)

    def _debuggable_program(self, item: Item) -> tuple[DebugProgram, Sequence[DebugInput]] | None:
        """Return the program and inputs of an item; if this fails, show why and return None."""
        program = self.item_program(item)
        if isinstance(program, str):
            self.notify(program, severity="warning")
            return None
        try:
            return program, self.item_inputs(item)
        except EsoplayError as error:
            self.notify(str(error), severity="error")
            return None

    def debug_item(self, item: Item, program: DebugProgram, debug_input: DebugInput) -> None:
        """Open the program of an item in the debugger, with the input ``debug_input``."""
        pane = self.debugger
        self._debugged_item = item
        self._set_debugging(True)
        pane.close()
        pane.open(
            program.language,
            program.source,
            debug_input.data,
            debug_input.expected,
            program.dialect,
            options=program.options,
        )
        if not debug_input.data and debug_input.expected is None and pane.has_program:
            pane.time.end_input()  # an empty input, instead of live input

    def _set_debugging(self, is_debugging: bool) -> None:
        self.set_class(is_debugging, "-debugging")
        debugged = self._debugged_item if is_debugging else None
        self.query_one(RunLine).show_debugged_item(
            "" if debugged is None else self.item_name(debugged)
        )
        if is_debugging:
            self.debugger.focus()
        else:
            self.items.focus()

    def action_toggle_debug(self) -> None:
        if self.is_debugging:
            self._set_debugging(False)
        elif self._debugged_item is not None:
            self._set_debugging(True)
        else:
            self.items.action_open()

    def action_back(self) -> None:
        """Stop a running program, else leave the debugger; outside the debugger, focus the list.

        A hidden list is shown again.
        """
        if self.is_debugging:
            if not self.debugger.stop_running():
                self._set_debugging(False)
            return
        self.remove_class("-alone")
        self.items.focus()

    # Panes

    def action_alone(self) -> None:
        """Hide the list of items so that the other panes are alone, or show it again."""
        if self.is_debugging:
            return
        self.toggle_class("-alone")
        if self.has_class("-alone"):
            self.focus_side_pane()
        else:
            self.items.focus()

    def action_next_pane(self) -> None:
        panes = list(self.panes())
        stops: list[Widget] = panes if self.has_class("-alone") else [self.items, *panes]
        at = stops.index(self.focused) if self.focused in stops else -1
        target = stops[(at + 1) % len(stops)]
        self.call_after_refresh(target.focus)

    def focus_side_pane(self) -> None:
        """Focus the first visible pane next to the list, after the layout has changed."""
        self.call_after_refresh(lambda: self.panes()[0].focus())

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        self.app.push_screen(HelpScreen(self, *self.help_subject()))


def _shown_bytes(debug_input: DebugInput) -> str:
    if not debug_input.data:
        return "empty"
    more = "…" if len(debug_input.data) > _SHOWN_BYTES else ""
    return to_glyphs(debug_input.data[:_SHOWN_BYTES]) + more


# The application that shows a run instead of the workspace


class RunApp(EsoplayApp):
    """An application that shows one run; it saves only the selected theme."""

    COMMANDS = App.COMMANDS

    def __init__(self, make_screen: Callable[[], RunScreen[Any]], folder: Path | None = None):
        super().__init__(folder)
        self._make_screen = make_screen
        self._run_screen: RunScreen[Any] | None = None

    @property
    def run_screen(self) -> RunScreen[Any]:
        """The screen of the run; another screen, such as the help, may cover it."""
        assert self._run_screen is not None, "the application has not started"
        return self._run_screen

    def get_default_screen(self) -> Screen[None]:
        self._run_screen = self._make_screen()
        return self._run_screen

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("Theme", "Choose a theme", self.action_change_theme)
        yield from self.run_screen.commands()
        yield SystemCommand("Quit", "Leave the viewer", self.action_leave_app)

    def action_leave_app(self) -> None:
        self.exit(0)
