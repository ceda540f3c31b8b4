"""Fungespace as a dictionary of cells, without windows or caches."""

from __future__ import annotations

Point = tuple[int, int]
SPACE = 32


class Space:
    """The cells that are not spaces.  torus: the size of a bounded space, None without bounds."""

    def __init__(self, torus: Point | None = None) -> None:
        self.cells: dict[Point, int] = {}
        self.torus = torus and (max(1, torus[0]), max(1, torus[1]))
        self.known: tuple[int, int, int, int] | None = None  # bounds, until a cell changes

    def get(self, at: Point) -> int:
        return self.cells.get(self.within(at), SPACE)

    def within(self, at: Point) -> Point:
        return at if self.torus is None else (at[0] % self.torus[0], at[1] % self.torus[1])

    def put(self, at: Point, value: int) -> None:
        at = self.within(at)
        self.known = None
        if value == SPACE:
            self.cells.pop(at, None)
        else:
            self.cells[at] = value

    @staticmethod
    def lines(source: bytes) -> list[bytes]:
        """Split at LF, CR and CR LF; drop form feeds and an empty last line."""
        text = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        parts = text.split(b"\n")
        return [line.replace(b"\f", b"") for line in (parts if parts[-1] else parts[:-1])]

    def load(self, source: bytes) -> None:
        for y, line in enumerate(self.lines(source)):
            for x, char in enumerate(line):
                inside = self.torus is None or (x < self.torus[0] and y < self.torus[1])
                if char != SPACE and inside:
                    self.put((x, y), char)

    def bounds(self) -> tuple[int, int, int, int]:
        """Return the least x and y, and the greatest, of all cells that are not spaces."""
        if self.known is None:
            xs, ys = [x for x, _ in self.cells], [y for _, y in self.cells]
            self.known = (min(xs), min(ys), max(xs), max(ys)) if xs else (0, 0, 0, 0)
        return self.known

    def move(self, at: Point, delta: Point, times: int = 1) -> Point | None:
        """Return the wrapped place after ``times`` deltas; None if the line misses the bounds."""
        x, y = at[0] + delta[0] * times, at[1] + delta[1] * times
        if self.torus is not None:
            return x % self.torus[0], y % self.torus[1]
        left, top, right, bottom = self.bounds()
        if not self.cells:
            return None
        if left <= x <= right and top <= y <= bottom:
            return x, y
        # Wrap to the first point of this line that is inside the bounds.
        least, most = None, None
        for place, step, low, high in ((x, delta[0], left, right), (y, delta[1], top, bottom)):
            if step == 0:
                if not low <= place <= high:
                    return None
                continue
            ends = (low - place, high - place) if step > 0 else (place - high, place - low)
            first, last = -(-ends[0] // abs(step)), ends[1] // abs(step)
            least = first if least is None else max(least, first)
            most = last if most is None else min(most, last)
        if least is None or most is None or least > most:
            return None
        return x + delta[0] * least, y + delta[1] * least

    def ahead(self, start: Point, delta: Point) -> Point | None:
        """Return the first cell from ``start`` on that is not a space, wrapping if necessary."""
        if start in self.cells:
            return start
        if self.torus is not None:
            at, seen = start, set[Point]()
            while self.get(at) == SPACE:
                if at in seen:
                    return None
                seen.add(at)
                at = (at[0] + delta[0]) % self.torus[0], (at[1] + delta[1]) % self.torus[1]
            return at
        steps = [k for k in (_steps(start, delta, cell) for cell in self.cells) if k is not None]
        if not steps:
            return None
        k = min([k for k in steps if k >= 0] or steps)
        return start[0] + k * delta[0], start[1] + k * delta[1]


def _steps(start: Point, delta: Point, cell: Point) -> int | None:
    """Return the number of deltas from ``start`` to ``cell``, or None if no number fits."""
    apart = cell[0] - start[0], cell[1] - start[1]
    axis = 0 if delta[0] else 1
    if delta[axis] == 0:
        return 0 if apart == (0, 0) else None
    k = apart[axis] // delta[axis]
    return k if (k * delta[0], k * delta[1]) == apart else None


def in_bounds_from(
    start: Point, delta: Point, box: tuple[int, int, int, int]
) -> tuple[int, int] | None:
    """Return the least and greatest number of deltas that lead into a rectangle, or None."""
    least, most = [], []
    for place, step, low, high in (
        (start[0], delta[0], box[0], box[2]), (start[1], delta[1], box[1], box[3]),
    ):  # fmt: skip
        if step == 0:
            if not low <= place <= high:
                return None
            continue
        ends = (low - place, high - place) if step > 0 else (place - high, place - low)
        least.append(-(-ends[0] // abs(step)))
        most.append(ends[1] // abs(step))
    if max(least) > min(most):
        return None
    return max(least), min(most)
