"""Views of the main screen: which panes are seen, which has the keyboard, which fills it all."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

from textual import events, on
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from esoplay.errors import EsoplayError
from esoplay.tui.browser.problems import ProblemList
from esoplay.tui.debug import DebugPane
from esoplay.tui.desk import Desk
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.frame import VIEWS, Tip, TitleBar, View, ViewTab
from esoplay.tui.layout import classes_of_size
from esoplay.tui.learn.controls import LessonControls
from esoplay.tui.score.comparing import Comparing
from esoplay.tui.score.panel import ScorePanel
from esoplay.tui.thrift.driver import paint_anew

MAXIMISED = "-maximised"


class ViewControls(LessonControls):
    """Changes views, and lets one pane fill the screen."""

    desk: Desk
    program: EditorPane
    comparing: Comparing

    view: reactive[View] = reactive("browse", init=False)
    """The view that has the keyboard; on wider screens more than one is visible."""

    _work: View = "edit"
    _was_shown = False

    @property
    def debugger(self) -> DebugPane:
        return self.query_one(DebugPane)

    @property
    def title_bar(self) -> TitleBar:
        return self.query_one(TitleBar)

    @property
    def work(self) -> View:
        return self._work

    def work_in(self, view: View) -> None:
        """Let the way back to work lead to this view."""
        self._work = view

    @property
    def is_learning(self) -> bool:
        return self.view == "learn"

    @property
    def is_narrow(self) -> bool:
        """One view fills the screen."""
        return self.has_class("-narrow") or self.has_class("-tiny")

    @abstractmethod
    def check(self) -> None:
        """Mark the parse error of the program, if it has one."""

    @property
    @abstractmethod
    def has_last_run(self) -> bool:
        """The debugger holds a version of the program in hand."""

    @abstractmethod
    def refresh_debugger(self) -> None:
        """Open the program as it stands, unless it is open already."""

    def foresee(self, size: Size) -> None:
        """Take on the looks of the first view in a terminal of this size.

        Done before there are widgets: each is then styled once, and laid out once.
        """
        self.update_classes(
            {
                **self._classes_of(self.first_view),
                **dict.fromkeys(classes_of_size(size.width, size.height), True),
            },
            update=False,
        )

    @on(events.ScreenResume)
    def _first_shown(self, event: events.ScreenResume) -> None:
        """All styles are new when the screen is shown for the first time."""
        if not self._was_shown:
            self._was_shown = True
            event.refresh_styles = False

    def _classes_of(self, view: View) -> dict[str, bool]:
        """Which classes the screen has in a view, and which it has not."""
        work = {"browse": "edit", "edit": "edit", "debug": "debug"}.get(view)
        return {
            **{f"-view-{each}": each == view for each in VIEWS},
            **{f"-work-{each}": each == work for each in ("edit", "debug")},
        }

    def show_view(self, view: View) -> None:
        """Give the keyboard to a view, also when it has it already."""
        if view == self.view:
            self.watch_view(view)
        else:
            self.view = view

    def watch_view(self, view: View) -> None:
        if view in ("edit", "debug"):
            self._work = view
        self.update_classes(self._classes_of(view))
        self.maximise(None)
        self.title_bar.show_view(view)
        self.query_one(Tip).set_class(view != "debug", "-elsewhere")
        self.remember("view", view)
        if view == "learn":
            self.lessons.prepare()
        elif view == "debug":
            self.refresh_debugger()
        elif view == "score":
            self.comparing.measure_par()
        self._focus_of(view).focus()

    @cached_property
    def first_view(self) -> View:
        """The debugger for a newcomer, what an errand asks for, else the view of the last run.

        To be asked for before the desk has opened anything: then nobody is new any longer.
        """
        errand = self.desk.errand
        if errand is not None:
            return "debug" if errand.debug else "edit"
        if self.desk.first_run:
            return "debug"
        stored = self.desk.state.setting("view")
        known: dict[object, View] = {view: view for view in VIEWS}
        return known.get(stored, "edit")

    def _focus_of(self, view: View) -> Widget:
        match view:
            case "learn":
                return self.lessons.first_focus
            case "browse":
                return self.query_one(ProblemList)
            case "edit":
                return self.program.editor
            case "score":
                return self.query_one(ScorePanel)
            case "debug":
                return self.debugger

    @on(ViewTab.Clicked)
    def _tab(self, event: ViewTab.Clicked) -> None:
        self.show_view(event.view)

    def action_view(self, by: int) -> None:
        at = VIEWS.index(self.view) + by
        if VIEWS[at % len(VIEWS)] == "debug":
            self.check()
            if self.program.error is not None and not self.has_last_run:
                at += by  # what never could be parsed cannot be debugged, and must not bar the way
        self.show_view(VIEWS[at % len(VIEWS)])

    def action_show_view(self, view: View) -> None:
        self.show_view(view)

    def action_toggle_work(self) -> None:
        self.show_view("debug" if self._work == "edit" else "edit")

    # One pane alone

    @property
    def maximised(self) -> Widget | None:
        """The pane that fills the screen."""
        return next(iter(self.query(f"#body > .{MAXIMISED}")), None)

    def maximise(self, pane: Widget | None) -> None:
        """Let one pane fill the screen; None puts everything back."""
        if pane is None and not self.has_class("-alone"):
            return
        for each in self.query("#body > *"):
            each.set_class(each is pane, MAXIMISED)
        self.set_class(pane is not None, "-alone")

    def action_maximise(self) -> None:
        """The pane with the keyboard alone, or all of them again."""
        if self.maximised is not None:
            self.maximise(None)
            return
        body = self.query_one("#body")
        here = self.focused
        while here is not None and here.parent is not body:
            here = here.parent if isinstance(here.parent, Widget) else None
        if here is not None:
            self.maximise(here)

    def action_redraw(self) -> None:
        """Paint every cell anew, where something else has written on the terminal."""
        paint_anew(self.app)

    def remember(self, name: str, value: object) -> None:
        """Keep a setting for the next run."""
        try:
            self.desk.state.set_setting(name, value)
        except EsoplayError as error:
            self.notify(str(error), severity="error")
