"""The work that docs/limits.md charges for far cells, and for cells that an IP passes."""

from __future__ import annotations

from collections.abc import Callable

from oracles.befunge_98.space import Point, Space, in_bounds_from

PASSED, OUTSIDE, BETWEEN_SEMICOLONS = 2, 128, 16  # units for a cell


class Window:
    """The rectangle of the source with a margin, which grows when many cells are near it."""

    left: int
    top: int
    right: int
    bottom: int

    def __init__(self, space: Space, widest: int, rows: int, size: int) -> None:
        room = 8 * size + 4096
        if widest * rows > room:
            widest = min(widest, max(256, room // rows))
            rows = min(rows, room // widest)
        self.left, self.top, self.right, self.bottom = 0, 0, widest + 7, rows + 3
        self.outside = {at for at in space.cells if not self.holds(at)}
        self.next = 32

    def holds(self, at: Point) -> bool:
        return self.left <= at[0] <= self.right and self.top <= at[1] <= self.bottom

    @property
    def area(self) -> int:
        return (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def written(self, at: Point, blank: bool, at_least: Callable[[int], bool]) -> None:
        """Account for a written cell.  at_least: charge the step, or return False at the limit."""
        if self.holds(at):
            return
        if blank:
            self.outside.discard(at)
        else:
            self.outside.add(at)
        if len(self.outside) >= self.next:
            if at_least(OUTSIDE * len(self.outside)):
                self.grow(at_least)
            self.next = max(32, 2 * len(self.outside), self.area // 128)

    def grow(self, at_least: Callable[[int], bool]) -> None:
        """Enlarge the window if it gains at most 128 cells for each far cell that it takes in."""
        count = len(self.outside)
        for reach in (4 * count, count, 64):
            near = {
                (x, y) for x, y in self.outside
                if self.left - reach <= x <= self.right + reach
                and self.top - reach <= y <= self.bottom + reach
            }  # fmt: skip
            if not near:
                continue
            xs = {self.left, self.right, *(x for x, _ in near)}
            ys = {self.top, self.bottom, *(y for _, y in near)}
            wider = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
            spare = 128 * len(near) - (wider[0] * wider[1] - self.area)
            if spare >= 0:
                sides = self.ahead(
                    [min(xs), max(xs), min(ys), max(ys)],
                    min(spare, 4_000_000 - wider[0] * wider[1]),
                )
                area = (sides[1] - sides[0] + 1) * (sides[3] - sides[2] + 1)
                if at_least(OUTSIDE * count + 2 * area):
                    self.left, self.right, self.top, self.bottom = sides
                    self.outside -= near
                return

    def ahead(self, sides: list[int], spare: int) -> list[int]:
        """Move the sides that have moved further out, by at most ``spare`` cells."""
        before = [self.left, self.right, self.top, self.bottom]
        moved = [new != old for new, old in zip(sides, before, strict=True)]
        across, down = moved[0] or moved[1], moved[2] or moved[3]
        width, height = sides[1] - sides[0] + 1, sides[3] - sides[2] + 1
        least, most = 0, max(0, spare)
        while least < most:  # bisect the number of lines
            lines = (least + most + 1) // 2
            if (width + lines * across) * (height + lines * down) - width * height <= spare:
                least = lines
            else:
                most = lines - 1
        out = list(sides)
        for side in (0, 2):
            first = 0 if not moved[side] else least // 2 if moved[side + 1] else least
            if moved[side] or moved[side + 1]:
                out[side] -= first
                out[side + 1] += least - first
        return out


class Skip:
    """The cells outside the window that an IP skips in one of the four directions."""

    def __init__(self, window: Window | None) -> None:
        self.window = window
        self.beyond = 0

    def over(self, start: Point, found: Point) -> None:
        """Count nothing: spaces are free."""

    def over_one(self, at: Point) -> None:
        """Count a cell between semicolons that is not a space."""
        if self.window is not None and not self.window.holds(at):
            self.beyond += 1

    def units(self) -> int:
        return BETWEEN_SEMICOLONS * self.beyond


class Flight:
    """The cells that an IP passes with a delta that is not one of the four directions."""

    def __init__(self, space: Space, window: Window | None, delta: Point) -> None:
        self.space, self.window, self.delta = space, window, delta
        self.inside = self.beyond = 0  # cells in the window, and outside it

    def over(self, start: Point, found: Point) -> None:
        """Count the cells from ``start`` up to ``found``, which is excluded."""
        dx, dy = self.delta
        if self.window is None:
            width, height = self.space.torus or (1, 1)
            while start != found:
                self.inside += 1
                start = (start[0] + dx) % width, (start[1] + dy) % height
            return
        ahead = (found[0] - start[0]) // dx if dx else (found[1] - start[1]) // dy
        first, last = in_bounds_from(start, self.delta, self.space.bounds()) or (0, -1)
        if ahead >= 0:
            self.count(start, max(first, 0), ahead - 1)
        else:
            self.count(start, max(first, 0), last)
            self.count(start, first, ahead - 1)

    def over_one(self, at: Point) -> None:
        """Count a cell between semicolons that is not a space."""
        if self.window is None or self.window.holds(at):
            self.inside += 1
        else:
            self.beyond += 1

    def count(self, start: Point, first: int, last: int) -> None:
        assert self.window is not None
        box = self.window.left, self.window.top, self.window.right, self.window.bottom
        low, high = in_bounds_from(start, self.delta, box) or (0, -1)
        near = max(0, min(high, last) - max(low, first) + 1)
        self.inside += near
        self.beyond += max(0, last - first + 1) - near

    def units(self) -> int:
        far = min(self.beyond, len(self.window.outside)) if self.window else 0
        return PASSED * self.inside + OUTSIDE * far
