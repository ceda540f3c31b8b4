"""A screen whose panes can be hidden, maximised and resized."""

from __future__ import annotations

from textual.widget import Widget

from esoplay.tui.layout import SettledScreen
from esoplay.tui.terminal_diff import paint_anew
from esoplay.tui.views import PaneArrangement


class ArrangedScreen(SettledScreen):
    """The actions that arrange the panes; subclasses define the panes."""

    arrangement: PaneArrangement

    @property
    def main_pane(self) -> Widget:
        """The widget of the view that has the keyboard at first."""
        raise NotImplementedError

    def keep_focus_visible(self) -> None:
        """Give the keyboard to the view if the pane that had it is hidden.

        Textual takes the keyboard from a pane that it hides, and then nothing has it.
        """
        focused = self.focused
        if focused is None or not (focused.region.area and focused.is_on_screen):
            self.main_pane.focus()

    def action_sidebar(self) -> None:
        """Show problems, statement and score beside the work, or hide them."""
        self.explain(self.arrangement.toggle_sidebar())
        self.call_after_refresh(self.keep_focus_visible)

    def action_move_split(self, columns: int, rows: int) -> None:
        """Move a border of the pane with the keyboard."""
        self.explain(self.arrangement.move_border(self.focused, columns, rows))

    def action_reset_splits(self) -> None:
        """Reset all borders."""
        self.arrangement.reset_splits()
        self.notify("All borders have been reset.", timeout=2)

    def action_maximise(self) -> None:
        """The pane with the keyboard alone, or all of them again."""
        self.explain(self.arrangement.toggle(self.focused))

    @property
    def maximised(self) -> Widget | None:
        """The pane that fills the screen."""
        return self.arrangement.maximised

    def explain(self, reason: str | None) -> None:
        """Say why a key did nothing, if there is a reason."""
        if reason is not None:
            self.notify(f"{reason[0].upper()}{reason[1:]}.", severity="warning")

    def action_redraw(self) -> None:
        """Repaint every cell, after another program has written on the terminal."""
        paint_anew(self.app)

    def action_jump(self) -> None:
        from esoplay.tui.help import JumpScreen

        self.app.push_screen(JumpScreen(self), self._jumped)

    def _jumped(self, target: Widget | None) -> None:
        if target is not None:
            target.focus()
