"""What a core watches at, made once of a set of locations and kept.

A debugger that steps by large parts of a program stops and goes on with the same few sets of
locations, each nearly as large as the program, and on one machine after the other.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from esolangs.stops import Address

    Marks = TypeVar("Marks")

MANY = 64
"""Locations in a set whose marks are worth to be kept."""

_KEPT = 8  # sets


class KeptMarks:
    """The marks of the sets that were asked for last; a set is known by being the same object."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: tuple[tuple[frozenset[Address], object], ...] = ()

    def of(
        self,
        locations: frozenset[Address],
        make: Callable[[frozenset[Address]], Marks],
    ) -> Marks:
        """What ``make`` makes of the set; nobody may change it."""
        for known, marks in self._kept:
            if known is locations:
                return marks  # pyright: ignore[reportReturnType]
        made = make(locations)
        self._kept = ((locations, made), *self._kept[: _KEPT - 1])
        return made
