"""Programs and files, from the screen: keep, save, edit elsewhere, notice changes, quit."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.worker import Worker

from esoplay.errors import EsoplayError
from esoplay.temporary import TemporaryFolder
from esoplay.tui.buffers import Buffer
from esoplay.tui.desk import Desk
from esoplay.tui.dialogs import Choice, ChoiceDialog, DiffScreen
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.watch import changes


class Files:
    """What happens to the program in hand outside the editor."""

    def __init__(
        self,
        desk: Desk,
        program: EditorPane,
        *,
        saved: Callable[[Buffer], None],
        edited: Callable[[], None],
        reloaded: Callable[[], None],
    ) -> None:
        """``saved``, ``edited`` and ``reloaded`` are called after a program was written to its
        file, came back from another editor, and was read again because it changed on disk.
        """
        self._desk = desk
        self._program = program
        self._saved = saved
        self._edited = edited
        self._reloaded = reloaded
        self._watcher: Worker[None] | None = None
        self._asking = False

    def keep(self) -> None:
        """Make sure that the program survives whatever comes."""
        try:
            if self._desk.buffer is not None:
                self._desk.keep(self._program.source)
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")

    def save(self) -> bool:
        """Write the program to its file."""
        buffer = self._desk.buffer
        if buffer is None:
            return False
        try:
            buffer.save(self._program.source)
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")
            return False
        self._program.refresh_titles()
        self._saved(buffer)
        return True

    # Another editor

    def edit_externally(self) -> None:
        """Let ``$VISUAL`` or ``$EDITOR`` have the program; what comes back is one edit."""
        buffer = self._desk.buffer
        if buffer is None:
            return
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with TemporaryFolder("edit") as folder:
            copy = folder / buffer.path.name
            copy.write_bytes(self._program.source)
            try:
                with self._program.app.suspend():
                    ended = _run(command, copy)
                if isinstance(ended, Exception):
                    raise ended
                after = copy.read_bytes()
            except (OSError, ValueError, SuspendNotSupported) as error:
                self._program.notify(f"{command} could not be used: {error}", severity="error")
                return
        if ended.returncode != 0:
            words = f"{command} ended with {ended.returncode}; nothing was taken over"
            self._program.notify(words, severity="warning")
        elif after != self._program.source:
            self._program.editor.replace_source(after)
            self._edited()

    # Changes on disk

    def watch(self, buffer: Buffer) -> None:
        """Notice from now on when the file of ``buffer`` changes."""
        if self._watcher is not None:
            self._watcher.cancel()
        self._watcher = self._program.run_worker(self._watch(buffer), exit_on_error=False)

    async def _watch(self, buffer: Buffer) -> None:
        async for _ in changes(buffer.path):
            await self.look_at_disk(buffer)

    async def look_at_disk(self, buffer: Buffer) -> None:
        """Take over what changed on disk, asking first when there are unsaved changes."""
        found = buffer.read()
        if buffer is not self._desk.buffer or found is None or found == buffer.saved:
            return
        if self._program.source in (buffer.saved, found):
            self._take_over(buffer, found)
        elif not self._asking:
            self._asking = True
            try:
                await self._ask(buffer, found)
            finally:
                self._asking = False

    async def _ask(self, buffer: Buffer, found: bytes) -> None:
        while True:
            answer = await self._program.app.push_screen_wait(
                ChoiceDialog(
                    f"{buffer.path.name} changed on disk",
                    "Your own changes are not saved yet.",
                    (
                        Choice("reload", "r", "Reload", "take the file; undo brings yours back"),
                        Choice("keep", "k", "Keep", "go on with yours; saving will overwrite"),
                        Choice("diff", "d", "Diff", "compare first"),
                    ),
                )
            )
            if answer == "diff":
                await self._program.app.push_screen_wait(DiffScreen(found, self._program.source))
                continue
            if answer == "reload":
                self._take_over(buffer, buffer.read() or found)
            return

    def _take_over(self, buffer: Buffer, found: bytes) -> None:
        buffer.saved = found
        self._forget_draft(buffer)
        if found != self._program.source:
            self._program.editor.replace_source(found)
            self._program.notify(f"{buffer.path.name} changed on disk and was read again")
        self._reloaded()

    def _forget_draft(self, buffer: Buffer) -> None:
        try:
            buffer.discard_draft()
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")

    # The end

    async def ready_to_quit(self) -> bool:
        """Keep everything; ask about a file with unsaved changes."""
        self.keep()
        buffer = self._desk.buffer
        if buffer is None or not self._program.dirty or buffer.draft is None:
            return True
        answer = await self._program.app.push_screen_wait(
            ChoiceDialog(
                f"{buffer.path.name} has unsaved changes",
                "",
                (
                    Choice("save", "s", "Save", "write the file and leave"),
                    Choice("draft", "k", "Keep", "leave; they come back with the file"),
                    Choice("discard", "d", "Discard", "leave without them"),
                ),
            )
        )
        if answer == "save":
            return self.save()
        if answer == "discard":
            self._forget_draft(buffer)
        return answer in ("draft", "discard")


def _run(command: str, file: Path) -> subprocess.CompletedProcess[bytes] | Exception:
    """How the editor ended, or why it could not begin.

    Nothing is raised: the screen would not come back.
    """
    try:
        return subprocess.run([*shlex.split(command), str(file)], check=False)
    except (OSError, ValueError) as error:
        return error
