"""The source map of the program in hand: of what was made here, or of the file beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from esoplay.service.source_maps import MapError, find_map

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.screen import PlayScreen


def map_in_hand(screen: PlayScreen) -> SourceMap | None:
    """None where there is none; what is wrong with a file is told."""
    buffer = screen.desk.buffer
    if screen.generating.active:
        made = screen.generating.program
        return None if made is None else made.source_map
    if buffer is None or buffer.draft is None:  # programs of problems are written by hand
        return None
    try:
        return find_map(buffer.path)
    except MapError as error:
        screen.notify(f"{error}; it is left out", severity="warning")
        return None
