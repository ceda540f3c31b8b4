"""The steps at which a run printed or read bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import overload

_MIN_PART = 1 << 12  # minimum entries of a part; a shorter last part is extended


class EventSteps(Sequence[int]):
    """The step of each byte that a run printed or read, in ascending order.

    An entry occupies 8 bytes. Entries are in several arrays, because a single array would be copied
    each time it has to grow.
    """

    def __init__(self) -> None:
        self._parts: list[array[int]] = []
        self._begins: list[int] = []  # index of the first entry of each part
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError("event index out of range")
        part = bisect_right(self._begins, at) - 1
        return self._parts[part][at - self._begins[part]]

    @property
    def size(self) -> int:
        """The number of bytes that the entries occupy."""
        return 8 * self._length

    def extend(self, steps: array[int]) -> None:
        """Add the steps of later events; the caller must not change ``steps`` afterwards."""
        if self._parts and len(self._parts[-1]) < _MIN_PART:
            self._parts[-1] += steps
        elif steps:
            self._parts.append(steps)
            self._begins.append(self._length)
        self._length += len(steps)

    def truncate(self, length: int) -> None:
        """Drop all but the first ``length`` entries."""
        while self._begins and self._begins[-1] >= length:
            self._begins.pop()
            self._parts.pop()
        if self._parts:
            del self._parts[-1][length - self._begins[-1] :]
        self._length = min(self._length, length)
