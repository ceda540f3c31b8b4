"""Compile write-once sources to programs; handle the files and commands of sources and programs.

A write-once source is written in a subset of Python, and compiled to a program in any of the
languages. It is compiled in a thread while the user types.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from esolangs.errors import ParseError
from esolangs.source import BYTE_ORDER_MARK
from esolangs.wording import format_count
from esoplay.errors import EsoplayError, UsageError
from esoplay.tui.buffers import write_file
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.pane import GeneratedPane, SourceErrorRow
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.programs.generation import GeneratedProgram
    from esoplay.tui.buffers import ProgramBuffer


# Compile the text of a source to a program, or to its errors.

NESTING_ERROR = "the source is nested too deeply"


class GenerateRequest(NamedTuple):
    """The current text of a source, and the language of the program."""

    text: bytes
    language_id: str
    file_name: str


class GenerateResult(NamedTuple):
    """The generated program, or the first error and its position.

    errors: all errors, with line and column.
    """

    request: GenerateRequest
    program: GeneratedProgram | None
    error: ParseError | None
    errors: tuple[SourceErrorRow, ...] = ()


def compile_source(request: GenerateRequest) -> GenerateResult:
    """Compile a source; errors are returned, so any thread may call this function."""
    from esoplay.codegen.errors import SourceError  # late: imports the whole compiler
    from esoplay.programs.generation import generate

    errors: tuple[SourceErrorRow, ...] = ()
    try:
        text = request.text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        span = error.start, error.start + 1
        return GenerateResult(
            request,
            None,
            ParseError("the source is not UTF-8 text; save it as UTF-8", request.text, span),
        )
    try:
        return GenerateResult(
            request, generate(text, request.language_id, name=request.file_name), None
        )
    except SourceError as error:
        at = _offset(request.text, error.line, error.column)
        words, more = error.brief_message, len(error.errors) - 1
        if more:
            words += f" (and {format_count(more, 'more error')})"
        errors = tuple(
            SourceErrorRow(each.line, each.column, each.brief_message) for each in error.errors
        )
    except RecursionError:
        at, words = 0, NESTING_ERROR
    # A bug in a back end must not lose the user's source.
    except Exception as error:
        at, words = 0, f"internal error in the back end ({error!r})"
    span = at, min(at + 1, len(request.text))
    return GenerateResult(request, None, ParseError(words, request.text, span), errors)


def _offset(text: bytes, line: int, column: int) -> int:
    """Return the offset of a line and column, both from 1, limited to the end of the line."""
    lines = text.split(b"\n")
    line = max(1, min(line, len(lines)))
    start = len(BYTE_ORDER_MARK) if line == 1 and text.startswith(BYTE_ORDER_MARK) else 0
    before = sum(len(each) + 1 for each in lines[: line - 1]) + start
    return before + len(lines[line - 1][start:].decode()[: max(0, column - 1)].encode())


# The program generated from the current source while the user types


class SourceCompiler:
    """Compiles the current source; stores the last generated program, and errors since then."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        pane: GeneratedPane,
        on_generated: Callable[[], None],
    ) -> None:
        """Create a compiler that reads source text from ``editor_pane``.

        pane: shows the results.
        on_generated: called after each compilation.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._pane = pane
        self._on_generated = on_generated
        self._buffer: ProgramBuffer | None = None
        self._result: GenerateResult | None = None
        self._program: GeneratedProgram | None = None
        self._is_working = False
        self._waiting_callbacks: list[Callable[[], object]] = []

    @property
    def is_active(self) -> bool:
        """Whether the current text is a write-once source, not a program."""
        buffer = self._workspace.buffer
        return buffer is not None and buffer.is_source

    @property
    def program(self) -> GeneratedProgram | None:
        """The last program generated in the current language, or None."""
        program = self._program
        same = program is not None and program.language == self._workspace.language_id
        return program if self.is_active and same else None

    @property
    def runnable_program(self) -> bytes:
        """The program in the editor or, if it shows a source, the last program generated from it.

        The generated program is in the current language, and can be from an earlier version of the
        source; empty if there is none.
        """
        if not self.is_active:
            return self._editor_pane.source
        result = self.program
        return b"" if result is None else result.source

    @property
    def error(self) -> ParseError | None:
        """Why the current text does not compile; None if it compiles or has not been compiled."""
        result = self._result
        return result.error if result is not None and result.request == self._request else None

    @property
    def is_current(self) -> bool:
        """Whether the result is for the current text and language."""
        return self._result is not None and self._result.request == self._request

    def reset(self) -> None:
        """Discard the result if another buffer was opened; compile the current write-once source.

        Does not compile a buffer that contains a program.
        """
        buffer = self._workspace.buffer
        if buffer is not self._buffer:
            self._buffer = buffer
            self._result = self._program = None
            self._waiting_callbacks.clear()
            self._pane.forget()
        if self.is_active:
            self.compile()

    def mark_stale(self) -> None:
        """Mark the program as stale, because the text has changed; the next pause compiles it."""
        if self.is_active:
            self._show()

    def compile(self, on_compiled: Callable[[], object] | None = None) -> None:
        """Compile the current text.

        on_compiled: called after the compilation, also if it fails.
        """
        if self.is_current and not self._is_working:
            self._show()
            if on_compiled is not None:
                on_compiled()
            return
        if on_compiled is not None:
            self._waiting_callbacks.append(on_compiled)
        if not self._is_working:
            self._is_working = True
            self._editor_pane.run_worker(
                self._compile_in_thread(), group="generate", exit_on_error=False
            )
        self._show()

    def show_cursor(self) -> None:
        """Mark the code of the cursor's line in the generated program."""
        if self.is_active:
            self._pane.show_line(self._editor_pane.editor.cursor_location[0] + 1)

    @property
    def _request(self) -> GenerateRequest | None:
        workspace = self._workspace
        if workspace.buffer is None or not workspace.buffer.is_source:
            return None
        return GenerateRequest(
            self._editor_pane.source, workspace.language_id, workspace.buffer.path.name
        )

    async def _compile_in_thread(self) -> None:
        """Compile in one thread at a time; later changes are compiled afterwards."""
        try:
            while (request := self._request) is not None and not self.is_current:
                buffer = self._buffer
                result = await asyncio.to_thread(compile_source, request)
                if not self.is_active:
                    return
                if buffer is not self._buffer:
                    continue
                self._result = result
                if result.program is not None:
                    self._program = result.program
        finally:
            self._is_working = False
        self._show()
        waiting, self._waiting_callbacks = self._waiting_callbacks, []
        for then in waiting:
            then()
        self._on_generated()

    def _show(self) -> None:
        if self.is_current:
            self._editor_pane.show_error(self.error)
        self._pane.show_program(
            self._workspace.language_id,
            self.program,
            self.error,
            self._result.errors if self._result is not None and self.is_current else (),
            is_generating=not self.is_current,
        )
        self.show_cursor()


# Source maps: next to a program, or given at start-up

MAP_SUFFIX = ".map.json"
"""The suffix of files with source maps.

It equals ``esoplay.codegen.source_map.MAP_SUFFIX``, whose module is imported only when needed.
"""


def read_map_beside(buffer: ProgramBuffer | None, warn: Callable[[str], None]) -> SourceMap | None:
    """Return the map next to a user's file, or None; report an invalid map."""
    if buffer is None or buffer.draft is None:  # Programs of problems are written by hand.
        return None
    if not buffer.path.with_name(buffer.path.name + MAP_SUFFIX).is_file():
        return None
    from esoplay.debugging.source_maps import MapError, find_map

    try:
        return find_map(buffer.path)
    except MapError as error:
        warn(f"{error}; the map is not used")
        return None


def requested_map(workspace: Workspace) -> SourceMap | Literal[False] | None:
    """Return the map given at start-up for the current file.

    Returns False if maps were disabled at start-up, and None if no map was given.
    """
    request, buffer = workspace.launch_request, workspace.buffer
    if request is None or buffer is None or request.file is None or request.source_map is None:
        return None
    return request.source_map if buffer.path == request.file.expanduser().resolve() else None


# A generated program and its map, as files beside their source


def program_path(source: Path, program: GeneratedProgram) -> Path:
    """Return the path of a generated program: next to its source, with its language's extension."""
    return source.with_suffix(program.extension)


def write_program_beside(source: Path, program: GeneratedProgram) -> Path:
    """Write a program and its map next to the source; return the program's path.

    Raises StoreError if a file cannot be written, and UsageError if a file with this name exists
    and was not generated.
    """
    path = program_path(source, program)
    beside = path.with_name(path.name + MAP_SUFFIX)
    if not _is_replaceable(path, beside, program):
        raise UsageError(
            f"{path.name} was not replaced: it was not generated, or was edited afterwards"
        )
    write_program(path, program)
    return path


def write_program(path: Path, program: GeneratedProgram) -> None:
    """Write a program to a file, and its map next to it.

    Raises StoreError if a file cannot be written.
    """
    write_file(path, program.source)
    beside = path.with_name(path.name + MAP_SUFFIX)
    write_file(beside, json.dumps(program.source_map.as_json()).encode() + b"\n")


def _is_replaceable(path: Path, map_path: Path, program: GeneratedProgram) -> bool:
    """Return whether the path is unused or contains a generated program.

    Raises UsageError if the file cannot be read.
    """
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if found == program.source:
        return True
    from esoplay.codegen.source_map import MapError, read_map

    try:
        read_map(map_path).check(found)
    except MapError:
        return False
    return True


PaletteCommand = tuple[str, str, Callable[[], object]]
"""Title, details and function of a palette command."""


class SourceFiles:
    """Opens sources, and writes the programs that are generated from them."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        compiler: SourceCompiler,
        navigation: Navigation,
        *,
        prepare_to_leave: Callable[[], Awaitable[bool]],
        on_retargeted: Callable[[], None],
    ) -> None:
        """Create the handler of the commands that open sources and write their programs.

        prepare_to_leave: asks about unsaved changes, and returns whether to leave.
        on_retargeted: called after the language of the generated programs has changed.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._compiler = compiler
        self._navigation = navigation
        self._prepare_to_leave = prepare_to_leave
        self._on_retargeted = on_retargeted

    @property
    def is_active(self) -> bool:
        """Whether the current text is a write-once source, not a program."""
        return self._compiler.is_active

    def commands(self) -> Iterator[PaletteCommand]:
        """Yield the palette's commands about sources."""
        workspace = self._workspace
        if workspace.problem is not None and workspace.lesson is None and self._is_problem_text:
            if self.is_active:
                words = "Leave the source, and return to the program"
                yield (
                    f"Write in {workspace.language_id}",
                    words,
                    partial(self.set_write_once, False),
                )
            else:
                words = "One source in Python for all languages"
                yield "New source", words, partial(self.set_write_once, True)
        elif workspace.lesson is None:
            yield "New source…", "A file that programs are generated from", self.ask_source_file
        if self.is_active:
            words = "The generated program, with its map"
            yield "Write the program to…", words, self.ask_program_file

    @property
    def _is_problem_text(self) -> bool:
        """Whether the current text belongs to a problem, not to a user's file."""
        buffer = self._workspace.buffer
        return buffer is not None and buffer.problem_id is not None

    async def set_write_once(self, enabled: bool) -> None:
        """Switch to one source for all languages or, if not ``enabled``, a program for each."""
        problem = self._workspace.problem
        if problem is None:
            return
        self._navigation.leave_program()
        try:
            self._workspace.set_write_once(enabled)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="warning")
            return
        await self._navigation.edit_buffer(self._workspace.open_problem(problem))
        self._navigation.show_view("edit")

    def ask_source_file(self) -> None:
        """Prompt for the file of a source, and open it."""

        async def answered(text: str | None) -> None:
            if text:
                await self.open_source(Path(text))

        words = "A file whose name ends with .py; a new file starts with a template."
        self._editor_pane.app.push_screen(TextDialog("New source", words, "source.py"), answered)

    async def open_source(self, path: Path) -> None:
        """Open a user's source."""
        if not await self._prepare_to_leave():
            return
        try:
            opened = self._workspace.open_source(path)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return
        await self._navigation.edit_buffer(opened)
        self._navigation.show_view("edit")

    def retarget(self, language_id: str) -> None:
        """Generate programs in another language from the current source."""
        try:
            self._workspace.retarget(language_id)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="warning")
            return
        self._on_retargeted()

    def save_program(self) -> None:
        """Compile the source, and write the program and its map beside it."""
        self._compiler.compile(self._save_program)

    def _save_program(self) -> None:
        buffer, program, pane = self._workspace.buffer, self._compiler.program, self._editor_pane
        if buffer is None or program is None or self._compiler.error is not None:
            name = "" if buffer is None else buffer.path.name
            pane.notify(f"Saved {name}, but no program was generated: the source has an error")
            return
        try:
            path = write_program_beside(buffer.path, program)
        except EsoplayError as error:
            words = f"Saved {buffer.path.name}, but {error}; use ^p “Write the program to…”"
            pane.notify(words, severity="warning")
            return
        pane.notify(f"Saved {buffer.path.name}, {path.name} and its map")

    def ask_program_file(self) -> None:
        """Prompt for a path, and write the program and its map there."""
        buffer, program, pane = self._workspace.buffer, self._compiler.program, self._editor_pane
        if buffer is None or program is None:
            pane.notify("No program was generated from the source yet.", severity="warning")
            return

        def answered(text: str | None) -> None:
            if not text:
                return
            path = Path(text).expanduser()
            try:
                write_program(path, program)
            except EsoplayError as error:
                pane.notify(str(error), severity="error")
            else:
                pane.notify(f"Written: {path} and its map")

        words = (
            "The path of the program; its map is written beside it. An existing file is replaced."
        )
        place = str(program_path(buffer.path, program))
        pane.app.push_screen(TextDialog("Write the program", words, place), answered)
