"""The first difference between printed and expected bytes, and its kind."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from esolangs.source import common_prefix


class Verdict(Enum):
    """How two texts differ; the value is the label in the pane."""

    SAME = "the same, byte for byte"
    SO_FAR = "the same so far"
    SHORT = "ends too early"
    EXTRA = "continues after the expected end"
    NEWLINE_MISSING = "only the newline at the end is missing"
    NEWLINE_EXTRA = "only the newline at the end is extra"
    WRONG = "differs"

    @property
    def is_failure(self) -> bool:
        return self not in (Verdict.SAME, Verdict.SO_FAR)


class Divergence(NamedTuple):
    """The first difference of two texts.  at: index of the wrong or missing byte, or None."""

    verdict: Verdict
    at: int | None


def first_divergence(expected: bytes, got: bytes, *, complete: bool) -> Divergence:
    """Compare byte for byte; ``complete``: the program will not print more."""
    at = common_prefix(expected, got)
    if at < len(expected) and at < len(got):
        return Divergence(Verdict.WRONG, at)
    if len(got) > len(expected):
        only_newline = got[at:] in (b"\n", b"\r\n")
        return Divergence(Verdict.NEWLINE_EXTRA if only_newline else Verdict.EXTRA, at)
    if len(got) == len(expected):
        return Divergence(Verdict.SAME if complete else Verdict.SO_FAR, None)
    if not complete:
        return Divergence(Verdict.SO_FAR, None)
    only_newline = expected[at:] in (b"\n", b"\r\n")
    return Divergence(Verdict.NEWLINE_MISSING if only_newline else Verdict.SHORT, at)


def excerpt(length: int, at: int, room: int) -> tuple[int, int]:
    """Return the part of a row of ``length`` glyphs to show in ``room`` columns, with ``at`` in it.

    It starts at 0 if that shows ``at`` with a few glyphs after it, and is never empty if there is
    something to show.
    """
    room = max(1, room)
    if length <= room:
        return 0, length
    behind = min(8, room // 3)
    start = max(0, min(at + behind + 1 - room, length - room))
    return start, start + room
