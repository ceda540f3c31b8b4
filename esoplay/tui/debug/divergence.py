"""Find and classify the first difference between printed and expected bytes."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from esolangs.source import common_prefix


class DivergenceKind(Enum):
    """The kind of difference between two outputs; the value is the label in the pane."""

    SAME = "the same, byte for byte"
    SO_FAR = "the same so far"
    SHORT = "ends too early"
    EXTRA = "continues after the expected end"
    NEWLINE_MISSING = "only the newline at the end is missing"
    NEWLINE_EXTRA = "only the newline at the end is extra"
    WRONG = "differs"

    @property
    def is_failure(self) -> bool:
        return self not in (DivergenceKind.SAME, DivergenceKind.SO_FAR)


class Divergence(NamedTuple):
    """The first difference between two outputs.

    offset: index of the first wrong or missing byte, or None if the outputs do not differ.
    """

    kind: DivergenceKind
    offset: int | None


def first_divergence(expected: bytes, actual: bytes, *, complete: bool) -> Divergence:
    """Return the first difference between the printed and the expected bytes.

    complete: whether the program will not print any more.
    """
    at = common_prefix(expected, actual)
    if at < len(expected) and at < len(actual):
        return Divergence(DivergenceKind.WRONG, at)
    if len(actual) > len(expected):
        only_newline = actual[at:] in (b"\n", b"\r\n")
        return Divergence(
            DivergenceKind.NEWLINE_EXTRA if only_newline else DivergenceKind.EXTRA, at
        )
    if len(actual) == len(expected):
        return Divergence(DivergenceKind.SAME if complete else DivergenceKind.SO_FAR, None)
    if not complete:
        return Divergence(DivergenceKind.SO_FAR, None)
    only_newline = expected[at:] in (b"\n", b"\r\n")
    return Divergence(DivergenceKind.NEWLINE_MISSING if only_newline else DivergenceKind.SHORT, at)


def excerpt_range(length: int, position: int, max_length: int) -> tuple[int, int]:
    """Return which part of a row of ``length`` glyphs to show in ``max_length`` columns.

    The range includes ``position``. It starts at 0 if ``position`` and a few glyphs after it fit,
    and is empty only if the row is empty.
    """
    max_length = max(1, max_length)
    if length <= max_length:
        return 0, length
    after = min(8, max_length // 3)
    start = max(0, min(position + after + 1 - max_length, length - max_length))
    return start, start + max_length
