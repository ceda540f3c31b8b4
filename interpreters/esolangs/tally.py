"""Execution counts of a program's instructions, with the last step of each.

A machine counts executions by location (:meth:`esolangs.machine.Machine.tally`).  A program creates
the fastest kind of tally for its machines (:meth:`esolangs.language.Program.new_tally`).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from esolangs.stops import Address

NEVER = (0, 0)


class Tally:
    """How often each location was executed, and the last step that executed it.

    steps: number of steps counted; these are the first steps of the run.
    """

    def __init__(self) -> None:
        self.steps = 0
        self._counts: dict[Address, tuple[int, int]] = {}

    @property
    def size(self) -> int:
        """Return the approximate size in bytes."""
        return 300 + 200 * len(self._counts)

    @property
    def max_count(self) -> int:
        """Return the highest count."""
        return max((count for count, _ in self._counts.values()), default=0)

    def add(self, location: Address, step: int) -> None:
        """Count one step at a location."""
        self._counts[location] = (self.count_and_last_step(location)[0] + 1, step)

    def count_and_last_step(self, location: Address) -> tuple[int, int]:
        """Return the count and the last step of a location; 0 and 0 if it was never executed."""
        return self._counts.get(location, NEVER)

    def entries(self) -> Iterator[tuple[Address, int, int]]:
        """Yield the location, count and last step of every executed location."""
        for location, (count, latest) in self._counts.items():
            yield location, count, latest

    def copy(self) -> Tally:
        """Return an independent copy with the same counts."""
        twin = Tally()
        twin.steps = self.steps
        twin._counts = dict(self._counts)
        return twin


class IndexedTally(Tally):
    """A tally in two arrays, for locations that are known in advance.

    locations: the location of each entry, ascending.
    """

    def __init__(self, locations: Sequence[int]) -> None:
        super().__init__()
        self.locations = locations
        self.counts = array("q", bytes(8 * len(locations)))
        self.latest = array("q", bytes(8 * len(locations)))

    @property
    def size(self) -> int:
        return 300 + 16 * len(self.counts)

    @property
    def max_count(self) -> int:
        return max(self.counts, default=0)

    def add(self, location: Address, step: int) -> None:
        at = self._index(location)
        self.counts[at] += 1
        self.latest[at] = step

    def count_and_last_step(self, location: Address) -> tuple[int, int]:
        at = self._index(location)
        return NEVER if at < 0 else (self.counts[at], self.latest[at])

    def entries(self) -> Iterator[tuple[Address, int, int]]:
        for at, count in enumerate(self.counts):
            if count:
                yield self.locations[at], count, self.latest[at]

    def copy(self) -> IndexedTally:
        twin = IndexedTally(())
        twin.locations = self.locations
        twin.steps = self.steps
        twin.counts, twin.latest = self.counts[:], self.latest[:]
        return twin

    def _index(self, location: Address) -> int:
        if not isinstance(location, int):
            return -1
        at = bisect_left(self.locations, location)
        return at if at < len(self.locations) and self.locations[at] == location else -1


class PlaneTally(Tally):
    """A tally in two arrays for the cells of a rectangle, and in a dictionary for all other cells.

    page: left, top, width and height of the rectangle.
    """

    def __init__(self, page: tuple[int, int, int, int]) -> None:
        super().__init__()
        self.page = page
        cells = page[2] * page[3]
        self.counts = array("q", bytes(8 * cells))
        self.latest = array("q", bytes(8 * cells))
        self.beyond: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def size(self) -> int:
        return 300 + 16 * len(self.counts) + 200 * len(self.beyond)

    @property
    def max_count(self) -> int:
        beyond = max((count for count, _ in self.beyond.values()), default=0)
        return max(max(self.counts, default=0), beyond)

    def add(self, location: Address, step: int) -> None:
        point = _point(location)
        at = self._index(point)
        if at < 0:
            self.beyond[point] = (self.beyond.get(point, NEVER)[0] + 1, step)
        else:
            self.counts[at] += 1
            self.latest[at] = step

    def count_and_last_step(self, location: Address) -> tuple[int, int]:
        if not isinstance(location, tuple):
            return NEVER
        point = _point(location)
        at = self._index(point)
        return self.beyond.get(point, NEVER) if at < 0 else (self.counts[at], self.latest[at])

    def entries(self) -> Iterator[tuple[Address, int, int]]:
        left, top, width, _ = self.page
        for at, count in enumerate(self.counts):
            if count:
                yield (left + at % width, top + at // width), count, self.latest[at]
        for point, (count, latest) in self.beyond.items():
            yield point, count, latest

    def copy(self) -> PlaneTally:
        twin = PlaneTally((0, 0, 0, 0))
        twin.page = self.page
        twin.steps = self.steps
        twin.counts, twin.latest = self.counts[:], self.latest[:]
        twin.beyond = dict(self.beyond)
        return twin

    def _index(self, point: tuple[int, int]) -> int:
        left, top, width, height = self.page
        x, y = point[0] - left, point[1] - top
        return y * width + x if 0 <= x < width and 0 <= y < height else -1


def _point(location: Address) -> tuple[int, int]:
    x, y = location if isinstance(location, tuple) else (location, 0)
    return x, y
