"""Opening a program: beside the screen where that takes longer than a key may."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from esoplay.debugging.debugger import Debugger
from esoplay.tui.debug.lines import Badge
from esoplay.tui.debug.sourced import use_map
from esoplay.tui.debug.target import DebugTarget

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap


LARGE = 50_000
"""Bytes of a program from which on it is opened beside the screen."""

OPENING = Badge("OPENING"), "a large program is being read"


class Wanted(NamedTuple):
    """What is to be opened, as for ``DebugPane.open``."""

    language_id: str
    source: bytes
    stdin: bytes
    expected: bytes | None
    dialect: str
    other: bool
    source_map: SourceMap | None


class Opened(NamedTuple):
    """A program at step 0.  refused: why the source map is left out, or nothing."""

    target: DebugTarget
    refused: str


def open_program(wanted: Wanted) -> Opened | Exception:
    """The program, ready for travel, or what keeps it from that; any thread may do this."""
    live = wanted.expected is None and not wanted.stdin
    try:
        debugger = Debugger.open(
            wanted.language_id,
            wanted.source,
            stdin=wanted.stdin,
            closed=not live,
            dialect=wanted.dialect,
        )
        refused = "" if wanted.source_map is None else use_map(debugger, wanted.source_map)
        return Opened(DebugTarget(debugger, wanted.expected), refused)
    except Exception as error:  # an engine may fail in any way, which is told of
        return error
