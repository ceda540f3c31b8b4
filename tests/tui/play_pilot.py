"""Press keys and read the screen in tests of the application."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import time
from collections.abc import Callable

from textual.pilot import Pilot
from textual.widget import Widget

from esoplay.tui.app import EsoplayApp
from esoplay.tui.screen import PlayScreen

PATIENCE = 240.0
"""Maximum seconds to wait for an event."""


class Player:
    """Presses keys and reads the screen; waits for messages, not for time."""

    def __init__(self, app: EsoplayApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> PlayScreen:
        return self.app.play_screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, source: bytes) -> None:
        """Replace the program in the editor."""
        self.screen.program.editor.replace_source(source)
        await self.pilot.pause()

    async def open(self, problem_id: str) -> None:
        await self.screen.open_problem(self.screen.workspace.pack.problem(problem_id))
        self.screen.show_view("edit")
        await self.pilot.pause()

    async def graded(self) -> None:
        """Wait until the running tests have finished."""
        for worker in list(self.app.workers):
            if worker.group == "grading":
                await worker.wait()
        await self.pilot.pause()

    async def until(self, true: Callable[[], bool]) -> None:
        """Handle messages until a condition is true."""
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline, "it never came about"
            await self.pilot.pause(0.01)

    def lines(self, widget: Widget | None = None) -> list[str]:
        """Return the rows of the screen, or of one widget, as text."""
        strips = self.app.screen._compositor.render_strips()
        lines = [strip.text for strip in strips]
        if widget is None:
            return lines
        region = widget.region
        return [line[region.x : region.right] for line in lines[region.y : region.bottom]]

    def text(self, widget: Widget | None = None) -> str:
        return "\n".join(self.lines(widget))
