"""The file of the current program: saving, reloading, checks and external editors."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.timer import Timer
from textual.worker import Worker

from esolangs.errors import ParseError
from esoplay.errors import EsoplayError
from esoplay.programs import execution
from esoplay.tui.buffers import ProgramBuffer, watch_file
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice, DiffScreen
from esoplay.tui.editor.editor import LARGE_BYTES
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.sources import SourceCompiler
from esoplay.tui.workspace import Workspace


class CurrentFile:
    """Saves, checks and reloads the file of the current program."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        *,
        on_saved: Callable[[ProgramBuffer], None],
        on_edited: Callable[[], None],
        on_reloaded: Callable[[], None],
    ) -> None:
        """Create the manager of the file that ``editor_pane`` shows.

        on_saved: called after a save.
        on_edited: called after an edit in another editor.
        on_reloaded: called after a reload.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._on_saved = on_saved
        self._on_edited = on_edited
        self._on_reloaded = on_reloaded
        self._watcher: Worker[None] | None = None
        self._is_asking = False

    def autosave(self) -> None:
        """Save the program in its file, or as a draft."""
        try:
            if self._workspace.buffer is not None:
                self._workspace.autosave(self._editor_pane.source)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")

    def save(self) -> bool:
        """Write the program to its file; return whether it was saved."""
        buffer = self._workspace.buffer
        if buffer is None:
            return False
        try:
            buffer.save(self._editor_pane.source)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return False
        self._editor_pane.refresh_titles()
        self._on_saved(buffer)
        return True

    # Another editor

    def edit_externally(self) -> None:
        """Edit the program in ``$VISUAL`` or ``$EDITOR``, and apply the result as one edit."""
        buffer = self._workspace.buffer
        if buffer is None:
            return
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        from esoplay.temporary_folders import TemporaryFolder  # late: few users do this

        with TemporaryFolder("edit") as folder:
            copy = folder / buffer.path.name
            copy.write_bytes(self._editor_pane.source)
            try:
                with self._editor_pane.app.suspend():
                    ended = _run_editor(command, copy)
                if isinstance(ended, Exception):
                    raise ended
                after = copy.read_bytes()
            except (OSError, ValueError, SuspendNotSupported) as error:
                self._editor_pane.notify(f"{command} cannot be started: {error}", severity="error")
                return
        if ended.returncode != 0:
            words = f"{command} exited with status {ended.returncode}; the program is unchanged"
            self._editor_pane.notify(words, severity="warning")
        elif after != self._editor_pane.source:
            self._editor_pane.editor.replace_source(after)
            self._on_edited()

    # Changes on disk

    def watch(self, buffer: ProgramBuffer) -> None:
        """Watch the file of ``buffer`` for changes."""
        if self._watcher is not None:
            self._watcher.cancel()
        self._watcher = self._editor_pane.run_worker(self._watch(buffer), exit_on_error=False)

    async def _watch(self, buffer: ProgramBuffer) -> None:
        async for _ in watch_file(buffer.path):
            await self.check_disk(buffer)

    async def check_disk(self, buffer: ProgramBuffer) -> None:
        """Reload the file if it has changed on disk; ask first if there are unsaved changes."""
        found = buffer.read()
        if buffer is not self._workspace.buffer or found is None or found == buffer.saved_source:
            return
        if self._editor_pane.source in (buffer.saved_source, found):
            self._load_from_disk(buffer, found)
        elif not self._is_asking:
            self._is_asking = True
            try:
                await self._ask_to_reload(buffer, found)
            finally:
                self._is_asking = False

    async def _ask_to_reload(self, buffer: ProgramBuffer, on_disk: bytes) -> None:
        while True:
            answer = await self._editor_pane.app.push_screen_wait(
                ChoiceDialog(
                    f"{buffer.path.name} changed on disk",
                    "Your own changes are not saved yet.",
                    (
                        DialogChoice(
                            "reload", "r", "Reload", "load the file; undo restores your version"
                        ),
                        DialogChoice(
                            "keep", "k", "Keep", "keep your version; saving overwrites the file"
                        ),
                        DialogChoice("diff", "d", "Diff", "compare first"),
                    ),
                )
            )
            if answer == "diff":
                await self._editor_pane.app.push_screen_wait(
                    DiffScreen(on_disk, self._editor_pane.source)
                )
                continue
            if answer == "reload":
                self._load_from_disk(buffer, buffer.read() or on_disk)
            return

    def _load_from_disk(self, buffer: ProgramBuffer, on_disk: bytes) -> None:
        buffer.saved_source = on_disk
        self._forget_draft(buffer)
        if on_disk != self._editor_pane.source:
            self._editor_pane.editor.replace_source(on_disk)
            self._editor_pane.notify(f"{buffer.path.name} changed on disk and was reloaded")
        self._on_reloaded()

    def _forget_draft(self, buffer: ProgramBuffer) -> None:
        try:
            buffer.discard_draft()
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")

    # Leaving

    async def prepare_to_quit(self) -> bool:
        """Save everything, ask about unsaved changes, and return whether to continue."""
        self.autosave()
        buffer = self._workspace.buffer
        if buffer is None or not self._editor_pane.is_dirty or buffer.draft is None:
            return True
        answer = await self._editor_pane.app.push_screen_wait(
            ChoiceDialog(
                f"{buffer.path.name} has unsaved changes",
                "",
                (
                    DialogChoice("save", "s", "Save", "write the file and leave"),
                    DialogChoice(
                        "draft",
                        "k",
                        "Keep",
                        "leave; the changes are restored when you open the file",
                    ),
                    DialogChoice("discard", "d", "Discard", "leave without the changes"),
                ),
            )
        )
        if answer == "save":
            return self.save()
        if answer == "discard":
            self._forget_draft(buffer)
        return answer in ("draft", "discard")


def _run_editor(command: str, file: Path) -> subprocess.CompletedProcess[bytes] | Exception:
    """Run the external editor; return its exit status, or the error that prevented its start.

    Errors are returned, because after an exception the screen would not be restored.
    """
    try:
        return subprocess.run([*shlex.split(command), str(file)], check=False)
    except (OSError, ValueError) as error:
        return error


# The program is checked and saved when the user pauses. Checking a large program would delay keys,
# so it runs in a thread.

IDLE_SECONDS = 0.3
"""Seconds without a key after which a program is checked and saved."""

LARGE_IDLE_SECONDS = 1.0
"""Replaces ``IDLE_SECONDS`` for a large program, because its parser may block other threads."""

MAX_UNSAVED_SECONDS = 3.0
"""Maximum seconds before a change is saved, even if the user continues to type."""


class IdleChecker:
    """Checks and saves the current program when the user pauses."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        compiler: SourceCompiler,
        save: Callable[[], None],
        on_checked: Callable[[], None],
    ) -> None:
        """Create the checker of the program in ``editor_pane``.

        save: called when the user pauses, and at the latest ``MAX_UNSAVED_SECONDS`` after a change.
        on_checked: called when the user pauses, after the save; a check in a thread may still run.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._compiler = compiler
        self._save = save
        self._on_checked = on_checked
        self._idle_timer: Timer | None = None
        self._autosave_timer: Timer | None = None

    def on_edit(self) -> None:
        """Restart the wait for a pause, because the program was changed."""
        if self._idle_timer is not None:
            self._idle_timer.stop()
        large = len(self._editor_pane.source) >= LARGE_BYTES
        self._idle_timer = self._editor_pane.set_timer(
            LARGE_IDLE_SECONDS if large else IDLE_SECONDS, self._check_after_pause
        )
        if self._autosave_timer is None:
            self._autosave_timer = self._editor_pane.set_timer(MAX_UNSAVED_SECONDS, self._autosave)

    def check(self) -> None:
        """Check the text in the editor, and mark a parse error.

        A write-once source, from which programs are generated, is compiled instead.
        """
        workspace = self._workspace
        if self._compiler.is_active:
            self._compiler.compile()
        elif workspace.buffer is not None:
            self._editor_pane.show_error(
                _parse_error(workspace.language_id, self._editor_pane.source, workspace.dialect)
            )

    def _check_after_pause(self) -> None:
        self._idle_timer = None
        is_source = self._compiler.is_active  # sources are compiled in a thread
        if is_source or len(self._editor_pane.source) < LARGE_BYTES:
            self.check()
        else:
            self._editor_pane.run_worker(self._check_in_thread(), exclusive=True, group="check")
        self._autosave()
        self._on_checked()

    async def _check_in_thread(self) -> None:
        """Check the program in a thread; ignore the result if the program has changed."""
        workspace, editor_pane = self._workspace, self._editor_pane
        source = editor_pane.source
        error = await asyncio.to_thread(
            _parse_error, workspace.language_id, source, workspace.dialect
        )
        if editor_pane.source is source:
            editor_pane.show_error(error)

    def _autosave(self) -> None:
        if self._autosave_timer is not None:
            self._autosave_timer.stop()
            self._autosave_timer = None
        self._save()


def _parse_error(language_id: str, source: bytes, dialect: str) -> ParseError | None:
    """Return the parse error of a program; a crash of the parser is an error at the first byte."""
    try:
        return execution.check(language_id, source, dialect)
    except Exception as error:
        words = f"internal error in the parser ({error!r}); your program is unchanged"
        return ParseError(words, source, (0, min(1, len(source))))
