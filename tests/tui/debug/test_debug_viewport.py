"""The window on a program's state follows the program, or the selection."""

from __future__ import annotations

from debug_app import make_view
from panel_app import HEAP, plane

from esoplay.tui.debug.viewport import Viewport


def test_memory_window_moves_to_the_requested_cell() -> None:
    sight = Viewport()
    view = make_view(panels=(HEAP,))
    sight.adjust(view)
    assert sight.window.first is None
    sight.reveal(3)
    assert not sight.adjust(view)
    sight.reveal(10**6)
    assert sight.adjust(view)
    first = sight.window.first
    assert first is not None
    assert first <= 10**6 < first + sight.window.depth
    sight.follow()
    assert sight.adjust(view)
    assert sight.window.first is None


def test_the_window_on_a_plane_follows_the_pointer_unless_scrolled_away() -> None:
    sight = Viewport()
    row = "x" * 200
    view = make_view(panels=(plane(row, at=(150, 0)),))
    assert sight.adjust(view)
    corner = sight.window.corner
    assert corner is not None
    assert corner[0] <= 150 < corner[0] + sight.window.width
    sight.scroll(-20, 3)
    assert sight.window.corner == (corner[0] - 20, corner[1] + 3)
    assert not sight.adjust(view)
    sight.follow()
    assert not sight.adjust(view)
    sight.reveal((-500, 7))
    assert sight.adjust(view)
    assert sight.window.corner is not None
    assert sight.window.corner[0] <= -500 < sight.window.corner[0] + sight.window.width
    sight.reveal(None)
    assert sight.adjust(view)
