"""A screen with panes that can be hidden, maximised and resized."""

from __future__ import annotations

from textual.widget import Widget

from esoplay.tui.fallback_keys import FallbackKeys
from esoplay.tui.keys import FooterKeys, KeyProvider
from esoplay.tui.layout import StableScreen
from esoplay.tui.terminal_diff import repaint_all
from esoplay.tui.views import PaneArrangement


class PaneScreen(StableScreen, KeyProvider):
    """Base class of screens whose layout can be changed by keys; subclasses define the panes."""

    arrangement: PaneArrangement
    fallback_keys: FallbackKeys
    _previous_focus: Widget | None = None
    """The focused widget before the last mouse press."""

    @property
    def main_pane(self) -> Widget:
        """The widget that gets the focus when the view opens."""
        raise NotImplementedError

    def keep_focus_visible(self) -> None:
        """Focus the main pane if the focused pane is hidden.

        Textual removes the focus from a hidden pane, after which no widget has it.
        """
        focused = self.focused
        if focused is None or not (focused.region.area and focused.is_on_screen):
            self.main_pane.focus()

    def footer_keys(self) -> FooterKeys | None:
        return self.fallback_keys.keys(self.focused)

    def get_focusable_widget_at(self, x: int, y: int) -> Widget | None:
        """Return the widget that a mouse press at a position focuses, or None."""
        self._previous_focus = self.focused
        return super().get_focusable_widget_at(x, y)

    def restore_focus(self) -> None:
        """Restore the focus after a mouse press that drags a border."""
        before = self._previous_focus
        if before is not None and before.is_attached and before.focusable:
            self.set_focus(before, scroll_visible=False)

    def action_sidebar(self) -> None:
        """Show or hide the sidebar with problems, statement and score."""
        self.explain(self.arrangement.toggle_sidebar())
        self.call_after_refresh(self.keep_focus_visible)

    def action_move_split(self, columns: int, rows: int) -> None:
        """Move a border of the focused pane."""
        self.explain(self.arrangement.move_border(self.focused, columns, rows))

    def action_reset_splits(self) -> None:
        """Reset all borders."""
        self.arrangement.reset_splits()
        self.notify("All borders have been reset.", timeout=2)

    def action_maximise(self) -> None:
        """Maximise the focused pane, or restore the layout."""
        self.explain(self.arrangement.toggle_maximised(self.focused))

    @property
    def maximised_pane(self) -> Widget | None:
        """The maximised pane, or None."""
        return self.arrangement.maximised_pane

    def explain(self, reason: str | None) -> None:
        """Show the reason why a key had no effect, if any."""
        if reason is not None:
            self.notify(f"{reason[0].upper()}{reason[1:]}.", severity="warning")

    def action_redraw(self) -> None:
        """Repaint every cell, after another program has written to the terminal."""
        repaint_all(self.app)

    def action_jump(self) -> None:
        from esoplay.tui.help import JumpScreen

        self.app.push_screen(JumpScreen(self), self._focus_jump_target)

    def _focus_jump_target(self, target: Widget | None) -> None:
        if target is not None:
            target.focus()
