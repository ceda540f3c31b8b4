"""An app with only the debug pane or one of its widgets, and views and snapshots to show."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget
from wire import Wire

from esolangs.view import CallStack, Frame, Location, Panel, Tape, View
from esoplay.tui.debug.canvas import Canvas, PanelFrame
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.messages import DebuggerMoved, DebuggerParseFailed
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.footer import Footer

NARROW, MID, WIDE = (80, 22), (114, 37), (170, 56)


class PaneApp(App[None]):
    """Shows one widget, counts the bytes that a terminal would get, and records messages."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.shown = widget
        self.wire = Wire()
        self.moved: list[tuple[int, str]] = []
        self.failed: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.shown
        if isinstance(self.shown, DebugPane):
            yield Footer()

    def on_debugger_moved(self, event: DebuggerMoved) -> None:
        self.moved.append((event.step, event.status))

    def on_debugger_parse_failed(self, event: DebuggerParseFailed) -> None:
        self.failed.append(event.error.message)

    def _display(self, screen: Any, renderable: Any) -> None:
        self.wire.paint(self, renderable)
        super()._display(screen, renderable)


def text_of(canvas: Canvas) -> list[str]:
    """Return the rows of a canvas as plain text."""
    return [canvas.render_line(y).text for y in range(canvas.size.height)]


def inside(box: PanelFrame) -> list[str]:
    """Return the rows inside a box's frame, without trailing spaces."""
    return [row[1:-1].rstrip() for row in text_of(box)[1:-1]]


def status(pane: DebugPane) -> str:
    """Return the status line of a pane."""
    return text_of(pane.widgets.status)[0]


def keys_shown(pane: DebugPane) -> str:
    """Return the footer of the screen."""
    return str(pane.screen.query_one(Footer).render())


async def settle(pilot: Pilot[None]) -> None:
    """Wait until messages and threads are idle."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def do(pilot: Pilot[None], *keys: str) -> None:
    """Press keys by their Textual names, and wait until the app is idle."""
    await pilot.press(*keys)
    await settle(pilot)


@asynccontextmanager
async def program(
    source: bytes,
    stdin: bytes = b"",
    expected: bytes | None = None,
    size: tuple[int, int] = NARROW,
) -> AsyncIterator[tuple[Pilot[None], DebugPane, PaneApp]]:
    """Open a Brainfuck program in a focused pane."""
    pane = DebugPane(id="debug")
    app = PaneApp(pane)
    async with app.run_test(size=size) as pilot:
        pane.open("brainfuck", source, stdin, expected, "standard")
        pane.focus()
        await settle(pilot)
        yield pilot, pane, app


def make_view(
    *,
    step: int = 5,
    panels: tuple[Panel, ...] = (),
    output_length: int = 0,
    input_position: int = 0,
    span: tuple[int, int] = (0, 1),
    **changes: Any,
) -> View:
    """Return a view; omitted fields have default values."""
    location = Location(span[0], 1, span[0] + 1, span, "+", "increment cell 0 (0 → 1)", span[0])
    view = View(step, "running", location, panels, output_length, input_position, 64)
    return view._replace(**changes)


def make_snapshot(view: View | None = None, **changes: Any) -> DebugSnapshot:
    """Return a snapshot of a view, by default of ``make_view()``."""
    view = make_view() if view is None else view
    snapshot = DebugSnapshot(view, None, view.step, None, b"", b"", True, selected_cell=None)
    return snapshot._replace(**changes)


def make_tape(cells: tuple[int, ...], *, first: int = 0, pointer: int = 0, bits: int = 8) -> Tape:
    return Tape("tape", first, cells, pointer, 0, first + len(cells) - 1, bits)


def make_loops(*frames: tuple[int, int]) -> CallStack:
    """Return a call stack of loops, given as (offset, round), innermost first."""
    entries = tuple(Frame("loop", (at, at + 1), 1, at + 1, times) for at, times in frames)
    return CallStack("loops", entries, len(entries))
