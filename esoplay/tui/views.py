"""Navigation between the views of the main screen, and the arrangement of panes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, cast

from textual.widget import Widget

from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.frame import View
from esoplay.tui.plans import (
    LayoutInputs,
    missing_sidebar_reason,
    plan_layout,
    shows_sidebar,
    shows_sidebar_by_default,
)
from esoplay.tui.splits import (
    Divider,
    DividerOwner,
    SplitBody,
    SplitControl,
    SplitSizes,
    pane_region,
)
from esoplay.tui.workspace import OpenedBuffer, PlayState

_MAXIMISED_SETTING, _ZOOMED_BOX_SETTING, _CHANGED_MODES_SETTING = (
    "maximised",
    "debug maximised",
    "changed typing modes",
)
_SIDEBAR_SETTING, _SPLITS_SETTING = "sidebar", "splits"
"""Names of saved settings."""

_OLD_CHANGED_MODES_SETTING = "typed otherwise"
"""The name that the setting ``_CHANGED_MODES_SETTING`` had in earlier versions."""


class Navigation(NamedTuple):
    """Functions of the main screen that its controllers call.

    view: returns the focused view. is_narrow: returns whether one view fills the screen. show_view:
    focuses a view. work_view: returns the view, ``edit`` or ``debug``, to which the user returns
    from other views. set_work_view: sets this view. leave_program: stops the tests and saves the
    program, because another program will be opened. edit_buffer: edits an opened buffer.
    """

    view: Callable[[], View]
    is_narrow: Callable[[], bool]
    show_view: Callable[[View], None]
    work_view: Callable[[], View]
    set_work_view: Callable[[View], None]
    leave_program: Callable[[], None]
    edit_buffer: Callable[[OpenedBuffer], Awaitable[None]]


class PaneArrangement:
    """The layout of the panes and the maximised pane, saved between runs."""

    def __init__(
        self,
        body: SplitBody,
        deferred_debugger: DeferredDebugPane,
        panes: Callable[[], Sequence[Widget]],
        layout_inputs: Callable[[], LayoutInputs],
        state: PlayState,
        remember: Callable[[str, object], None],
    ) -> None:
        """Create the arrangement of the screen's panes and of the debugger's panes.

        body: contains the panes of the screen. panes: returns all panes that ``body`` can show.
        layout_inputs: returns the state that determines the layout. remember: saves a setting for
        the next session of the application.
        """
        self._body = body
        self._deferred_debugger = deferred_debugger
        self._panes = panes
        self._layout_inputs = layout_inputs
        self._state = state
        self._remember = remember
        self._maximised: str | None = None
        self._sizes = SplitSizes(
            state.setting(_SPLITS_SETTING), lambda sizes: remember(_SPLITS_SETTING, sizes)
        )
        self._split_control = body.control = SplitControl(
            DividerOwner(lambda: body.dividers, self._resize_part),
            DividerOwner(self._debugger_dividers, self._resize_debugger_part),
        )

    # Layout

    @property
    def layout_inputs(self) -> LayoutInputs:
        """The state that determines the layout, including the user's choices."""
        inputs = self._layout_inputs()._replace(maximised=self._maximised)
        return inputs._replace(
            wants_sidebar=self._sidebar_choices().get(
                _sidebar_key(inputs), shows_sidebar_by_default(inputs)
            )
        )

    def arrange(self) -> None:
        """Place or hide each pane."""
        inputs = self.layout_inputs
        self._body.arrange_panes(
            plan_layout(inputs), self._sizes.sizes_for(inputs.width), self._panes()
        )
        pane = self._deferred_debugger.created_pane
        if pane is not None:
            pane.widgets.move_dividers(self._sizes.sizes_for(f"{inputs.width} debugger"))
        if self._body.is_attached:
            working = (
                inputs.has_lesson and inputs.view in ("edit", "debug") and not inputs.is_start_page
            )
            self._body.screen.set_class(working and not shows_sidebar(inputs), "-lesson-line")

    def _debugger_dividers(self) -> list[Divider]:
        pane = self._deferred_debugger.created_pane
        return [] if pane is None else pane.widgets.dividers

    def _resize_part(self, name: str, size: int | None) -> None:
        self._sizes.set(self.layout_inputs.width, name, size)
        self._save_and_arrange()

    def _resize_debugger_part(self, name: str, size: int | None) -> None:
        self._sizes.set(f"{self.layout_inputs.width} debugger", name, size)
        self._save_and_arrange()

    def _save_and_arrange(self) -> None:
        self._sizes.save()
        self.arrange()

    def reset_splits(self) -> None:
        """Move all dividers between panes to their default positions for this terminal size."""
        width = self.layout_inputs.width
        self._sizes.reset(width)
        self._save_and_arrange()

    # The sidebar

    def _sidebar_choices(self) -> Mapping[str, bool]:
        """The user's choices about the sidebar, by view and kind of program."""
        stored = self._state.setting(_SIDEBAR_SETTING)
        if not isinstance(stored, dict):
            return {}
        choices = cast("dict[object, object]", stored)
        return {str(kind): shown for kind, shown in choices.items() if isinstance(shown, bool)}

    @property
    def is_sidebar_shown(self) -> bool:
        """Whether the sidebar is shown."""
        return self._maximised is None and shows_sidebar(self.layout_inputs)

    def move_border(self, focused: Widget | None, columns: int, rows: int) -> str | None:
        """Move a border of the focused pane; return the reason if this is not possible."""
        if focused is None:
            return "no pane has the focus; ^o focuses one"
        if self._maximised is not None:
            return "only this pane is shown; Esc shows the others"
        if not self._split_control.move_beside(pane_region(focused), columns, rows):
            return "no border of this pane can move in this direction"
        return None

    def toggle_sidebar(self) -> str | None:
        """Show or hide the sidebar; return the reason if this is not possible."""
        inputs = self.layout_inputs
        reason = missing_sidebar_reason(inputs)
        if reason is not None:
            return reason
        shown = not self.is_sidebar_shown
        self.maximise(None)
        self._remember(_SIDEBAR_SETTING, {**self._sidebar_choices(), _sidebar_key(inputs): shown})
        self.arrange()
        return None

    # Maximised panes

    @property
    def maximised_pane(self) -> Widget | None:
        """The maximised pane, or None."""
        return next((pane for pane in self._panes() if pane.id == self._maximised), None)

    def maximise(self, pane: Widget | None) -> None:
        """Maximise a pane; None restores the layout."""
        if pane is None and self._maximised is None:
            return
        self._maximised = None if pane is None else pane.id
        self.arrange()

    def toggle_maximised(self, focused: Widget | None) -> str | None:
        """Maximise the focused pane, or restore the layout.

        Returns the reason if neither is possible.
        """
        if self._maximised is None and focused is None:
            return "no pane has the focus; ^o focuses one"
        if self.maximised_pane is not None:
            self.maximise(None)
        else:
            here = focused
            while here is not None and here.parent is not self._body:
                here = here.parent if isinstance(here.parent, Widget) else None
            if here is not None:
                if not any(pane.region.area for pane in self._panes() if pane is not here):
                    return "no other pane is shown"
                self.maximise(here)
        pane = self.maximised_pane
        self._remember(
            _MAXIMISED_SETTING, None if pane is None else [self.layout_inputs.view, pane.id]
        )
        return None

    def restore_maximised(self, view: View) -> None:
        """Maximise the pane that was maximised in ``view`` when the last session ended, if any."""
        stored = self._state.setting(_MAXIMISED_SETTING)
        for pane in self._panes():
            if stored == [view, pane.id] and pane.display:
                self.maximise(pane)

    # Saved settings: the maximised box of the debugger, and typing modes

    @property
    def stored_zoomed_box(self) -> str | None:
        """The name of the debugger's box that was maximised when the application last ended."""
        stored = self._state.setting(_ZOOMED_BOX_SETTING)
        return stored if isinstance(stored, str) else None

    def remember_zoomed_box(self, name: str | None) -> None:
        self._remember(_ZOOMED_BOX_SETTING, name)

    @property
    def changed_typing_modes(self) -> set[str]:
        """The languages in which the user selected a typing mode other than the default."""
        older = self._state.setting(_OLD_CHANGED_MODES_SETTING, [])
        stored = self._state.setting(_CHANGED_MODES_SETTING, older)
        if not isinstance(stored, list):
            return set()
        return {str(each) for each in cast("list[object]", stored)}

    def remember_typing_modes(self, languages: set[str]) -> None:
        self._remember(_CHANGED_MODES_SETTING, sorted(languages))


def _sidebar_key(inputs: LayoutInputs) -> str:
    """Return the name under which the user's choice about the sidebar is saved."""
    kind = "lesson" if inputs.has_lesson else "problem" if inputs.has_problem else "file"
    return f"{inputs.view} {kind}"
