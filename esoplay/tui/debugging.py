"""What the debugger of the screen opens: the program in hand, or a solution that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from esolangs.registry import find_language
from esoplay.tui.browser.reading import Debuggee
from esoplay.tui.generate.maps import map_in_hand

if TYPE_CHECKING:
    from pathlib import Path

    from esoplay.grading.problem import Problem
    from esoplay.tui.screen import PlayScreen

WELCOME_INPUT = b"you!"
"""What the sample reads when somebody sees it for the first time."""


class Debugging:
    """Opens programs with their input, each version once."""

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen
        self._input: tuple[bytes, bytes | None] = (b"", None)
        self._opened: Debuggee | None = None
        self._run_file: Path | None = None

    def take_input(self, stdin: bytes, expected: bytes | None) -> None:
        """What programs are to read from now on, and to print, as far as that is known."""
        self._input = (stdin, expected)

    def take_example(self, problem: Problem) -> None:
        """Read and print what a problem's first example says."""
        example = problem.examples[0]
        self.take_input(example.input, example.output)

    def forget(self) -> None:
        """Open the program anew the next time, even if it is the same."""
        self._opened = None

    @property
    def has_last_run(self) -> bool:
        """The debugger holds a version of the program in hand."""
        buffer, debugger = self._screen.desk.buffer, self._screen.debugger
        return buffer is not None and buffer.path == self._run_file and debugger.has_program

    def refresh(self) -> None:
        """Open the program as it stands, unless it is open already."""
        screen = self._screen
        desk, generating = screen.desk, screen.generating
        if desk.buffer is None:
            return
        if screen.reading.guest is not None:
            self._open(screen.reading.guest)
            return
        if generating.active and not generating.is_current:
            generating.follow()  # which comes back here
            return
        source, buffer = screen.runnable, desk.buffer
        # A newcomer's greeting is for the sample alone.
        if self._input == (WELCOME_INPUT, None) and desk.problem is not None:
            if source != find_language(desk.language_id).sample():
                self.take_example(desk.problem)
        self._open(Debuggee(buffer.path, buffer.language_id, source, *self._input, desk.dialect))
        if generating.active:
            screen.debugger.parts.source.mark_stale(generating.error is not None)

    def _open(self, wanted: Debuggee) -> None:
        """Open a program in the debugger, unless it is open already."""
        if wanted == self._opened:
            return
        self._opened = wanted
        screen = self._screen
        other, self._run_file = self._run_file != wanted.path, wanted.path
        guest = screen.reading.guest is not None
        source_map = wanted.source_map if guest else map_in_hand(screen)
        screen.debugger.open(*wanted[1:6], other=other, source_map=source_map, beside=True)
        screen.set_class(screen.debugger.is_sourced, "-sourced")
