"""Keys and clicks on the cursor, the tabs and the line at the bottom; see ``keys``."""

from __future__ import annotations

from collections.abc import Mapping

from textual import on
from textual.actions import SkipAction

from esoplay.debugging.command_line import Line, typed_bytes, unescape, whole
from esoplay.debugging.handlers.history import check_comparison
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.command_runner import OwnCommand
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.prompt import Kind, Prompt
from esoplay.tui.debug.source_controls import SourceControls
from esoplay.tui.debug.source_view import SourceView
from esoplay.tui.terminal_diff import paint_anew


class Controls(SourceControls):
    """All that keys and clicks do in the pane."""

    # Cursor and selection

    def action_cursor(self, rows: int, columns: int) -> None:
        count = self.take_count()
        self.here.move(rows=rows * count, columns=columns * count)

    def action_partner(self) -> None:
        if not self.parts.program.go_to_partner():
            self.navigator.say("the cursor is on no bracket")

    def action_ask(self, kind: Kind) -> None:
        self.parts.prompt.ask(kind)
        self.parts.hints.display = False

    def action_search_again(self, direction: int) -> None:
        if not self._searched.find(backwards=direction < 0):
            self.navigator.say("not found; / looks for something")

    @property
    def _searched(self) -> ProgramView | SourceView:
        """What ``/`` looks through: the source where the keyboard is on it, or it stands alone."""
        source = self.parts.source
        return source if source.has_focus else self.parts.text

    def action_choose(self) -> None:
        driver = self.navigator.driver
        here = self.here
        if driver is not None and driver.moment.view.status == "needs_input":
            self.action_ask("input")
        elif "choose" in here.ACTIONS:
            here.choose()
        else:
            raise SkipAction

    # Tabs, maximising, letting go

    def action_output_mode(self) -> None:
        self.parts.bring_page("out")
        self.parts.output.cycle_mode()

    def action_turn_page(self, by: int) -> None:
        self.parts.turn_page(by)

    @on(Box.TabClicked)
    def _tab_clicked(self, event: Box.TabClicked) -> None:
        self.parts.open_page(event.name)
        self.parts.pages[event.name].focus()

    def action_zoom(self) -> None:
        self.parts.zoom(None if self.parts.zoomed else self.here)

    def action_zoom_next(self, by: int) -> None:
        """The next pane, where one fills the place of all; elsewhere Tab goes on by itself."""
        if not self.parts.zoomed:
            raise SkipAction
        self.parts.zoom_next(by)

    def action_cancel(self) -> None:
        """Stop what runs, else forget what was begun, else let go of selections."""
        driver, parts = self.navigator.driver, self.parts
        if self.navigator.stop():
            return
        if self.count:
            self.take_count()
            self.navigator.say("")
        elif parts.zoomed:
            parts.zoom(None)
        elif parts.source.is_open and parts.source.cursor_moved:
            parts.source.set_cursor(None)
        elif parts.program.cursor_moved or parts.output.selected is not None:
            parts.program.set_cursor(None)
            parts.output.select(None)
            parts.input.select(None)
        elif driver is not None and driver.is_asked:
            driver.select(None)
            self.navigator.refresh()
        else:
            raise SkipAction

    # What is typed at the bottom

    def own_commands(self) -> Mapping[str, OwnCommand]:
        navigator = self.navigator

        def why(line: Line) -> None:
            bound = whole(line.rest, "a number of steps", 1) if line.arguments else None
            self.ask_why(bound)

        def compare(line: Line) -> None:
            what, _, rest = line.rest.strip().partition(" ")
            check_comparison(what, rest.strip())
            self.compare_with(what, rest.strip())

        return {
            "compare": compare,
            "eof": lambda line: navigator.end_input(),
            "feed": lambda line: navigator.feed(unescape(line.rest)),
            "quit": lambda line: self._quit(),
            "redraw": lambda line: paint_anew(self.app),
            "speed": lambda line: navigator.set_speed(whole(line.rest, "the speed", 1)),
            "why": why,
        }

    def _quit(self) -> None:
        self.call_later(self.run_action, "app.quit")

    @on(Prompt.Submitted)
    def _typed(self, event: Prompt.Submitted) -> None:
        match event.kind:
            case "command":
                self.commands.run(event.text)
            case "search":
                searched = self._searched
                if not searched.find(typed_bytes(event.text)):
                    where = "source" if searched is self.parts.source else "program"
                    self.navigator.say(f"{event.text!r} is not in the {where}")
            case "note":
                self.typed_note(event.text)
            case "watch":
                self.typed_expression(event.text)
            case "input":
                self.navigator.feed(typed_bytes(event.text) + b"\n")

    @on(Prompt.InputEnded)
    def _input_ended(self) -> None:
        self.navigator.end_input()

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.parts.hints.display = True
