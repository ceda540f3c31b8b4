"""The source maps that lie beside programs, or that the application was started with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

SUFFIX = ".map.json"
"""As in ``esoplay.codegen.source_map``, which is not imported for programs without a map."""

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.buffers import Buffer
    from esoplay.tui.desk import Desk


def map_beside(buffer: Buffer | None, warn: Callable[[str], None]) -> SourceMap | None:
    """Read the map beside a user's file; None without one.  A broken one is reported."""
    if buffer is None or buffer.draft is None:  # programs of problems are written by hand
        return None
    if not buffer.path.with_name(buffer.path.name + SUFFIX).is_file():
        return None
    from esoplay.service.source_maps import MapError, find_map

    try:
        return find_map(buffer.path)
    except MapError as error:
        warn(f"{error}; it is left out")
        return None


def map_asked_for(desk: Desk) -> SourceMap | Literal[False] | None:
    """Return the map that the application was started with for the file in hand.

    None where nothing was said of one.
    """
    errand, buffer = desk.errand, desk.buffer
    if errand is None or buffer is None or errand.source_map is None:
        return None
    return errand.source_map if buffer.path == errand.file.expanduser().resolve() else None
