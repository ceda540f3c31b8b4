"""The launcher of the debugger, which opens the current program or a pack's solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from esoplay.tui.browser.pack_solutions import Debuggee, PackSolutions
from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.generate.sources import SourceCompiler, read_map_beside, requested_map
from esoplay.tui.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from esoplay.codegen.source_map import SourceMap
    from esoplay.grading.problem import Problem


class DebugLauncher:
    """Opens programs with their input; does not open the same version twice in succession."""

    def __init__(
        self,
        workspace: Workspace,
        deferred_debugger: DeferredDebugPane,
        compiler: SourceCompiler,
        pack_solutions: PackSolutions,
        on_opened: Callable[[], None],
    ) -> None:
        """Create a launcher that opens programs in ``deferred_debugger``.

        on_opened: called after another program was opened.
        """
        self._workspace = workspace
        self._deferred_debugger = deferred_debugger
        self._compiler = compiler
        self._pack_solutions = pack_solutions
        self._on_opened = on_opened
        self._input: tuple[bytes, bytes | None] = (b"", None)
        self._opened_program: Debuggee | None = None
        self._run_file: Path | None = None

    def set_input(self, stdin: bytes, expected: bytes | None) -> None:
        """Set the input and, if known, the expected output of the programs opened from now on."""
        self._input = (stdin, expected)
        pane = self._deferred_debugger.created_pane
        if pane is None:
            return
        if pane.has_supplied_input:
            self.forget()  # the open program reads another input
        pane.forget_supplied_input()

    def set_example_input(self, problem: Problem) -> None:
        """Use the input and expected output of a problem's first example."""
        example = problem.examples[0]
        self.set_input(example.input, example.output)

    def forget(self) -> None:
        """Forget the opened program, so that :meth:`refresh` opens it again even if unchanged."""
        self._opened_program = None

    @property
    def has_open_version(self) -> bool:
        """Whether a version of the current program is open in the debugger."""
        buffer = self._workspace.buffer
        if buffer is None or buffer.path != self._run_file:
            return False
        pane = self._deferred_debugger.created_pane
        return pane is not None and pane.has_program

    def refresh(self) -> None:
        """Open the current program in the debugger, unless it is already open there.

        If the user is debugging the pack's solution, open that instead.  A write-once source is
        compiled first if necessary; its program is opened afterwards.  Do nothing if no program is
        open in the editor.
        """
        workspace, compiler = self._workspace, self._compiler
        if workspace.buffer is None:
            return
        if self._pack_solutions.debugged_solution is not None:
            self._open(self._pack_solutions.debugged_solution)
            return
        if compiler.is_active and not compiler.is_current:
            compiler.compile()  # its callback calls this method again
            return
        source, buffer = compiler.runnable_program, workspace.buffer
        self._open(
            Debuggee(buffer.path, buffer.language_id, source, *self._input, workspace.dialect)
        )
        if compiler.is_active:
            self._deferred_debugger.pane.widgets.source.mark_stale(compiler.error is not None)

    def _open(self, program: Debuggee) -> None:
        """Open a program in the debugger if it is not open."""
        if program == self._opened_program:
            return
        self._opened_program = program
        other, self._run_file = self._run_file != program.path, program.path
        is_solution = self._pack_solutions.debugged_solution is not None
        source_map = program.source_map if is_solution else self._current_map()
        self._deferred_debugger.pane.open(
            *program[1:6], is_other_program=other, source_map=source_map, in_thread=True
        )
        self._on_opened()

    def _current_map(self) -> SourceMap | None:
        """Return the source map of the current program, or None."""
        asked = requested_map(self._workspace)
        if asked is not None:
            return asked or None
        if self._compiler.is_active:
            made = self._compiler.program
            return None if made is None else made.source_map
        return read_map_beside(
            self._workspace.buffer,
            lambda words: self._deferred_debugger.pane.notify(words, severity="warning"),
        )
