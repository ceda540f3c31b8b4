"""What changed between two versions of a program, by lines and within them.

The work is bounded whatever the programs are: what both begin and end with is left out first, and
where too much is left to be matched line by line, all of it counts as replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

MOST_PAIRS = 20_000
"""Pairs of equal lines, or of equal bytes of a line, that are looked through to match them."""

CONTEXT = 3
"""Lines that are the same and are shown around those that are not."""

Range = tuple[int, int]


class Side(NamedTuple):
    """A line of one version: its number from 1, its bytes, and which of them changed."""

    number: int
    text: bytes
    changed: tuple[Range, ...] = ()


class Pair(NamedTuple):
    """What stands side by side: equal lines, or a line and what it became; None for no line."""

    old: Side | None
    new: Side | None
    same: bool


class Gap(NamedTuple):
    """Lines that both have and that are left out."""

    lines: int


DiffRow = Pair | Gap


class ProgramDiff(NamedTuple):
    """removed, added: lines that only the old, only the new version has."""

    rows: tuple[DiffRow, ...]
    removed: int
    added: int

    @property
    def same(self) -> bool:
        return not self.removed and not self.added


def compare_programs(old: bytes, new: bytes) -> ProgramDiff:
    """The difference between two versions of a program."""
    before, after = old.split(b"\n"), new.split(b"\n")
    pairs = list(_pairs(before, after))
    removed = sum(not pair.same and pair.old is not None for pair in pairs)
    added = sum(not pair.same and pair.new is not None for pair in pairs)
    return ProgramDiff(tuple(_shortened(pairs)), removed, added)


def _pairs(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Pair]:
    for tag, low, high, start, end in _blocks(old, new):
        if tag == "equal":
            for i, j in zip(range(low, high), range(start, end), strict=True):
                yield Pair(Side(i + 1, old[i]), Side(j + 1, new[j]), True)
            continue
        for i, j in zip_longest(range(low, high), range(start, end)):
            if i is None or j is None:
                left = None if i is None else Side(i + 1, old[i])
                yield Pair(left, None if j is None else Side(j + 1, new[j]), False)
            else:
                was, became = _changed(old[i], new[j])
                yield Pair(Side(i + 1, old[i], was), Side(j + 1, new[j], became), False)


def _changed(old: bytes, new: bytes) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """The bytes of each of two lines that the other does not have."""
    was: list[Range] = []
    became: list[Range] = []
    for tag, low, high, start, end in _blocks(old, new):
        if tag != "equal":
            was += [(low, high)] if low < high else []
            became += [(start, end)] if start < end else []
    return tuple(was), tuple(became)


def _blocks(
    old: Sequence[bytes] | bytes, new: Sequence[bytes] | bytes
) -> Iterator[tuple[str, int, int, int, int]]:
    """Blocks ``(tag, low, high, start, end)`` as difflib has them, in bounded time."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    if head:
        yield "equal", 0, head, 0, head
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    counts = Counter(right)
    if sum(counts[each] for each in left) <= MOST_PAIRS:
        matcher = SequenceMatcher(None, left, right, autojunk=False)
        for tag, low, high, start, end in matcher.get_opcodes():
            yield tag, low + head, high + head, start + head, end + head
    else:
        yield "replace", head, len(old) - tail, head, len(new) - tail
    if tail:
        yield "equal", len(old) - tail, len(old), len(new) - tail, len(new)


def _shortened(pairs: Sequence[Pair]) -> Iterator[DiffRow]:
    """Without equal lines that are far from any other; a gap says how many."""
    near: set[int] = set()
    for at, pair in enumerate(pairs):
        if not pair.same:
            near.update(range(at - CONTEXT, at + CONTEXT + 1))
    skipped = 0
    for at, pair in enumerate(pairs):
        if at not in near:
            skipped += 1
            continue
        if skipped:
            yield Gap(skipped)
            skipped = 0
        yield pair
    if skipped:
        yield Gap(skipped)
