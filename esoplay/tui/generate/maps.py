"""The source map of the program in hand: of what was made here, or of the file beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

SUFFIX = ".map.json"
"""As in ``esoplay.codegen.source_map``, which is not imported for programs without a map."""

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.screen import PlayScreen


def map_in_hand(screen: PlayScreen) -> SourceMap | None:
    """None where there is none; what is wrong with a file is told."""
    buffer, asked = screen.desk.buffer, _asked_for(screen)
    if asked is not None:
        return asked or None
    if screen.generating.active:
        made = screen.generating.program
        return None if made is None else made.source_map
    if buffer is None or buffer.draft is None:  # programs of problems are written by hand
        return None
    if not buffer.path.with_name(buffer.path.name + SUFFIX).is_file():
        return None
    from esoplay.service.source_maps import MapError, find_map

    try:
        return find_map(buffer.path)
    except MapError as error:
        screen.notify(f"{error}; it is left out", severity="warning")
        return None


def _asked_for(screen: PlayScreen) -> SourceMap | Literal[False] | None:
    """The map that the application was started with, for the file that it was started for.

    None where nothing was said of one.
    """
    errand, buffer = screen.desk.errand, screen.desk.buffer
    if errand is None or buffer is None or errand.source_map is None:
        return None
    return errand.source_map if buffer.path == errand.file.expanduser().resolve() else None
