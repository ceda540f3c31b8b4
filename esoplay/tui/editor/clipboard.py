"""Copying and pasting: real text for other programs, exact bytes between places of this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.events import Paste

from esoplay.tui.editor.codec import to_bytes, to_text
from esoplay.tui.editor.grid import GridMode
from esoplay.tui.editor.pasting import BytesPaste, pasted_bytes

if TYPE_CHECKING:
    from esoplay.tui.editor.editor import Editor


class Clipboard:
    """What was copied in an editor, beside what the terminal has of it."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._copied: tuple[str, str] | None = None  # as others see it, and as it is

    def copy(self) -> None:
        """Copy the selection, if there is one."""
        editor = self._editor
        selected = editor.mode.copied() or editor.selected_text
        if selected:
            text = to_bytes(selected).decode("utf-8", "replace")
            self._copied = (text, selected)
            editor.app.copy_to_clipboard(text)

    def cut(self) -> None:
        """Copy the selection, or the line, and delete it where that may be edited."""
        editor = self._editor
        if editor.mode.copied() is not None:
            self.copy()
            if not editor.read_only:
                editor.mode.clear()
            return
        if editor.selection.is_empty:
            editor.action_select_line()
        self.copy()
        if not editor.read_only:
            editor.delete(*editor.selection)

    def paste(self) -> None:
        """Paste what was copied last, here or elsewhere."""
        text = self._editor.app.clipboard
        if self._copied is not None and text == self._copied[0]:
            self._insert(self._copied[1], own=True)
        else:
            self._insert(to_text(pasted_bytes(text.encode("utf-8", "surrogatepass"))))

    def take(self, event: Paste) -> None:
        """Paste what the terminal sends."""
        if isinstance(event, BytesPaste):
            data = event.data
        else:
            data = event.text.encode("utf-8", "replace")
        self._insert(to_text(pasted_bytes(data)))

    def _insert(self, text: str, *, own: bool = False) -> None:
        """What was copied here is no notation of something else."""
        editor = self._editor
        editor.completer.close()
        if editor.read_only:
            return
        if (own and not isinstance(editor.mode, GridMode)) or not editor.mode.paste(text):
            editor.insert_exactly(text)
