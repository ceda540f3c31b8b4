"""Programs and files, from the screen: keep, save, edit elsewhere, notice changes, quit."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported
from textual.worker import Worker

from esoplay.errors import EsoplayError
from esoplay.temporary import TemporaryFolder
from esoplay.tui.buffers import Buffer
from esoplay.tui.dialogs import Choice, ChoiceDialog, DiffScreen
from esoplay.tui.generate.controls import save_program
from esoplay.tui.watch import changes

if TYPE_CHECKING:
    from esoplay.tui.screen import PlayScreen


class Files:
    """What happens to the program in hand outside the editor."""

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen
        self._watcher: Worker[None] | None = None
        self._asking = False

    def keep(self) -> None:
        """Make sure that the program survives whatever comes."""
        try:
            if self._screen.desk.buffer is not None:
                self._screen.desk.keep(self._screen.program.source)
        except EsoplayError as error:
            self._screen.notify(str(error), severity="error")

    def save(self) -> bool:
        """Write the program to its file."""
        buffer = self._screen.desk.buffer
        if buffer is None:
            return False
        try:
            buffer.save(self._screen.program.source)
        except EsoplayError as error:
            self._screen.notify(str(error), severity="error")
            return False
        self._screen.program.refresh_titles()
        if buffer.is_source:
            save_program(self._screen)
        else:
            self._screen.notify(f"Saved {buffer.path}")
        return True

    # Another editor

    def edit_externally(self) -> None:
        """Let ``$VISUAL`` or ``$EDITOR`` have the program; what comes back is one edit."""
        buffer = self._screen.desk.buffer
        if buffer is None:
            return
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with TemporaryFolder("edit") as folder:
            copy = folder / buffer.path.name
            copy.write_bytes(self._screen.program.source)
            try:
                with self._screen.app.suspend():
                    ended = _run(command, copy)
                if isinstance(ended, Exception):
                    raise ended
                after = copy.read_bytes()
            except (OSError, ValueError, SuspendNotSupported) as error:
                self._screen.notify(f"{command} could not be used: {error}", severity="error")
                return
        if ended.returncode != 0:
            words = f"{command} ended with {ended.returncode}; nothing was taken over"
            self._screen.notify(words, severity="warning")
        elif after != self._screen.program.source:
            self._screen.program.editor.replace_source(after)
            if self._screen.view == "debug":
                self._screen.refresh_debugger()

    # Changes on disk

    def watch(self, buffer: Buffer) -> None:
        """Notice from now on when the file of ``buffer`` changes."""
        if self._watcher is not None:
            self._watcher.cancel()
        self._watcher = self._screen.run_worker(self._watch(buffer), exit_on_error=False)

    async def _watch(self, buffer: Buffer) -> None:
        async for _ in changes(buffer.path):
            await self.look_at_disk(buffer)

    async def look_at_disk(self, buffer: Buffer) -> None:
        """Take over what changed on disk, asking first when there are unsaved changes."""
        screen = self._screen
        found = buffer.read()
        if buffer is not screen.desk.buffer or found is None or found == buffer.saved:
            return
        if screen.program.source in (buffer.saved, found):
            self._take_over(buffer, found)
        elif not self._asking:
            self._asking = True
            try:
                await self._ask(buffer, found)
            finally:
                self._asking = False

    async def _ask(self, buffer: Buffer, found: bytes) -> None:
        screen = self._screen
        while True:
            answer = await screen.app.push_screen_wait(
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
                await screen.app.push_screen_wait(DiffScreen(found, screen.program.source))
                continue
            if answer == "reload":
                self._take_over(buffer, buffer.read() or found)
            return

    def _take_over(self, buffer: Buffer, found: bytes) -> None:
        buffer.saved = found
        self._forget_draft(buffer)
        screen = self._screen
        if found != screen.program.source:
            screen.program.editor.replace_source(found)
            screen.notify(f"{buffer.path.name} changed on disk and was read again")
        screen.check()
        if screen.view == "debug":
            screen.refresh_debugger()
        screen.test_again()

    def _forget_draft(self, buffer: Buffer) -> None:
        try:
            buffer.discard_draft()
        except EsoplayError as error:
            self._screen.notify(str(error), severity="error")

    # The end

    async def ready_to_quit(self) -> bool:
        """Keep everything; ask about a file with unsaved changes."""
        self._screen.testing.cancel()
        self.keep()
        buffer = self._screen.desk.buffer
        if buffer is None or not self._screen.program.dirty or buffer.draft is None:
            return True
        answer = await self._screen.app.push_screen_wait(
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
