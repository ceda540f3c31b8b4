"""The screen of the viewer: entries on the left, the selected one beside them, the debugger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen

from esolangs.registry import language_ids
from esolangs.wording import plural
from esoplay.errors import EsoplayError
from esoplay.reporting.viewer import MARKS, ViewerEntry
from esoplay.tui.app import EsoplayApp
from esoplay.tui.debug.byte_glyphs import PICTURED_TEXT, reveal
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice
from esoplay.tui.footer import Footer
from esoplay.tui.frame import TooSmallNotice
from esoplay.tui.keys import Action, bindings
from esoplay.tui.layout import HEIGHTS, WIDTHS
from esoplay.tui.viewer.entries import FILTERS, EntryList, EntryText
from esoplay.tui.viewer.source import DebugInput, ViewerSource

_EMPTY = DebugInput("none of them", b"", None)
_KEYS = "123456789abcdefghilmopqrstuvwxyz"
_SHOWN_BYTES = 60  # bytes of an input that are shown


class RunLine(LineCanvas):
    """The run, and how much of it was solved; or the entry that is being debugged."""

    DEFAULT_CSS = "RunLine { background: $panel; }"

    def __init__(self, source: ViewerSource) -> None:
        super().__init__()
        self._title = f" {source.run.title}".translate(PICTURED_TEXT)
        verdicts = [entry for entry in source.run.entries if entry.last]
        solved = sum(entry.tone == "good" for entry in verdicts)
        self._counts = f"{plural(len(verdicts), 'verdict')}, {solved} solved"
        self._debugged: ViewerEntry | None = None

    def show_debugged(self, entry: ViewerEntry | None) -> None:
        """Show the entry in the debugger; None shows the run again."""
        self._debugged = entry
        self.repaint()

    def left(self) -> list[StyledText]:
        pieces = [StyledText(self._title, self.palette.strong)]
        if self._debugged is not None:
            labels = ", ".join(label for label in self._debugged.labels if label)
            pieces.append(StyledText(f"  {labels}".translate(PICTURED_TEXT), self.palette.base))
        return pieces

    def right(self) -> list[StyledText]:
        if self._debugged is not None:
            return [
                StyledText("Esc", self.palette.key),
                StyledText(" back to the list ", self.palette.faint),
            ]
        return [StyledText(f"{self._counts} ", self.palette.base)]


class ResultLine(LineCanvas):
    """The result of the selected entry, in full."""

    def __init__(self) -> None:
        super().__init__()
        self._entry: ViewerEntry | None = None

    def show(self, entry: ViewerEntry | None) -> None:
        """Show an entry; nothing for None."""
        self._entry = entry
        self.repaint()

    def left(self) -> list[StyledText]:
        palette, entry = self.palette, self._entry
        if entry is None:
            return []
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.base}[entry.tone]
        results = [section.title for section in entry.sections if section.kind == "result"]
        said = results[-1] if results else entry.outcome
        return [StyledText(f" {MARKS[entry.tone]} {said}".translate(PICTURED_TEXT), tone)]

    def right(self) -> list[StyledText]:
        if self._entry is None or self._entry.program is None:
            return []
        return [StyledText(f"{plural(len(self._entry.program), 'byte')} ", self.palette.faint)]


class ViewerScreen(Screen[None]):
    """A read-only screen that shows an evaluation and debugs its programs."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    ViewerScreen { layout: vertical; layers: base cover; background: $background; }
    ViewerScreen.-tiny TooSmallNotice, ViewerScreen.-flat TooSmallNotice { display: block; }
    ViewerScreen Footer { dock: bottom; background: $background; }
    #viewer-body { layout: grid; height: 1fr; grid-gutter: 0; grid-size: 2 1; }
    #viewer-body { grid-columns: 46 1fr; }
    #viewer-body > * { width: 100%; height: 100%; display: none; }
    #entries, #entry-text { display: block; }
    ViewerScreen.-wide #viewer-body { grid-columns: 60 1fr; }
    ViewerScreen.-alone #viewer-body { grid-size: 1 1; grid-columns: 1fr; }
    ViewerScreen.-alone #entries { display: none; }
    ViewerScreen.-debugging #viewer-body { grid-size: 1 1; grid-columns: 1fr; }
    ViewerScreen.-debugging #viewer-body > * { display: none; }
    ViewerScreen.-debugging #viewer-body > #debug { display: block; }
    ViewerScreen.-debugging ResultLine { display: none; }
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
        Action("replay.back", "back", "Back"),
    ) + bindings(
        "session",
        Action(
            "session.input",
            "ask_input",
            "Input…",
            in_footer=True,
            tip="Debug the selected attempt with an input of your choice",
        ),
    )
    app: App[None]

    def __init__(self, source: ViewerSource) -> None:
        super().__init__()
        self._source = source
        self._debugged: ViewerEntry | None = None

    def compose(self) -> ComposeResult:
        yield RunLine(self._source)
        with Container(id="viewer-body"):
            yield EntryList(self._source.run.entries, id="entries")
            yield EntryText(id="entry-text")
            yield DebugPane(id="debug")
        yield ResultLine()
        yield Footer(lambda action: False)
        yield TooSmallNotice()

    @property
    def entries(self) -> EntryList:
        return self.query_one(EntryList)

    @property
    def entry_text(self) -> EntryText:
        return self.query_one(EntryText)

    @property
    def debugger(self) -> DebugPane:
        return self.query_one(DebugPane)

    @property
    def debugging(self) -> bool:
        """Whether the debugger fills the screen."""
        return self.has_class("-debugging")

    def on_mount(self) -> None:
        self._show(self.entries.selected)
        self.entries.focus()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmallNotice).show_size(event.size.width, event.size.height)

    def commands(self) -> Iterator[SystemCommand]:
        """Return the commands of the palette."""
        yield SystemCommand("Help", "Keys and the language's reference card", self.action_help)
        yield SystemCommand("Debug with input…", "A public example, or none", self.action_ask_input)
        for filter in FILTERS:
            yield SystemCommand(
                f"Show {filter}",
                "Filter the questions and answers",
                partial(self.entries.show_only, filter),
            )

    # The selection

    @on(EntryList.EntrySelected)
    def _selected(self, event: EntryList.EntrySelected) -> None:
        if event.entry is self.entries.selected:  # else another one follows
            self._show(event.entry)

    def _show(self, entry: ViewerEntry | None) -> None:
        self.query_one(ResultLine).show(entry)
        self.entry_text.show(entry)

    # The debugger

    @on(EntryList.EntryOpened)
    def _opened(self, event: EntryList.EntryOpened) -> None:
        self.open_entry(event.entry)

    def open_entry(self, entry: ViewerEntry) -> None:
        """Debug the program of an entry at once, with the first public example or no input."""
        inputs = self._inputs_of(entry)
        if inputs:
            self.debug_entry(entry, inputs[0])

    def action_ask_input(self) -> None:
        """Ask which input to debug the selected program with."""
        entry = self._debugged if self.debugging else self.entries.selected
        inputs = [] if entry is None else self._inputs_of(entry)
        if entry is None or not inputs:
            return
        choices = [
            DialogChoice(str(at), _KEYS[at] if at < len(_KEYS) else " ", each.name, _shown(each))
            for at, each in enumerate(inputs)
        ]

        def chosen(id: str | None) -> None:
            if id is not None:  # after the dialog has closed: what lies below it is not drawn
                self.call_after_refresh(self.debug_entry, entry, inputs[int(id)])

        hidden = any(each.name.startswith("hidden") for each in inputs)
        text = "Public examples and hidden tests." if hidden else "Public examples."
        self.app.push_screen(ChoiceDialog("Debug with input", text, choices), chosen)

    def _inputs_of(self, entry: ViewerEntry) -> list[DebugInput]:
        """Return the inputs for an entry; none after a message why it cannot be debugged."""
        if entry.program is None:
            self.notify("No program was run from this answer.", severity="warning")
            return []
        if entry.language not in language_ids():
            self.notify(f"The debugger does not run {entry.language}.", severity="warning")
            return []
        try:
            inputs = list(self._source.inputs(entry))
        except EsoplayError as error:  # the pack of the run is not installed
            self.notify(str(error), severity="error")
            inputs = []
        if all(each.data or each.expected is not None for each in inputs):
            inputs.append(_EMPTY)
        return inputs

    def debug_entry(self, entry: ViewerEntry, chosen: DebugInput) -> None:
        """Open the program of an entry in the debugger."""
        assert entry.program is not None
        pane = self.debugger
        self._debugged = entry
        self._show_debugger(True)
        pane.close()
        pane.open(entry.language, entry.program, chosen.data, chosen.expected, self._source.dialect)
        if not chosen.data and chosen.expected is None and pane.has_program:
            pane.time.end_input()  # an empty input, and not one to be typed

    def _show_debugger(self, shown: bool) -> None:
        self.set_class(shown, "-debugging")
        self.query_one(RunLine).show_debugged(self._debugged if shown else None)
        if shown:
            self.debugger.focus()
        else:
            self.entries.focus()

    def action_toggle_debug(self) -> None:
        if self.debugging:
            self._show_debugger(False)
        elif self._debugged is not None:
            self._show_debugger(True)
        else:
            self.entries.action_open()

    def action_back(self) -> None:
        """Stop a running move, else close the debugger, else restore the list."""
        if self.debugging:
            if not self.debugger.stop_running():
                self._show_debugger(False)
            return
        self.remove_class("-alone")
        self.entries.focus()

    # Panes

    def action_alone(self) -> None:
        """Maximise the text, or restore the list."""
        if self.debugging:
            return
        self.toggle_class("-alone")
        self._focus(beside=self.has_class("-alone"))

    def action_next_pane(self) -> None:
        beside = self.focused is self.entries or self.has_class("-alone")
        self._focus(beside=beside)

    def _focus(self, *, beside: bool) -> None:
        if beside:
            self.call_after_refresh(self.entry_text.focus)
        else:
            self.entries.focus()

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        selected = self.entries.selected
        known = selected is not None and selected.language in language_ids()
        language = selected.language if selected is not None and known else language_ids()[0]
        self.app.push_screen(HelpScreen(self, language, self._source.dialect))


def _shown(chosen: DebugInput) -> str:
    if not chosen.data:
        return "empty"
    more = "…" if len(chosen.data) > _SHOWN_BYTES else ""
    return reveal(chosen.data[:_SHOWN_BYTES]) + more


class ViewerApp(EsoplayApp):
    """An application that shows one evaluation; it saves only the chosen theme."""

    COMMANDS = App.COMMANDS

    def __init__(self, source: ViewerSource, folder: Path | None = None) -> None:
        super().__init__(folder)
        self._source = source
        self._viewer_screen: ViewerScreen | None = None

    @property
    def viewer_screen(self) -> ViewerScreen:
        """The screen of the run, even if another one is on top of it."""
        assert self._viewer_screen is not None, "the application has not started"
        return self._viewer_screen

    def get_default_screen(self) -> Screen[None]:
        self._viewer_screen = ViewerScreen(self._source)
        return self._viewer_screen

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("Theme", "Choose a theme", self.action_change_theme)
        yield from self.viewer_screen.commands()
        yield SystemCommand("Quit", "Leave the viewer", self.action_quit_soon)

    def action_quit_soon(self) -> None:
        self.exit(0)
