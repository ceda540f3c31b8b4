"""Where breakpoints go when the program's text changes."""

from __future__ import annotations

from esoplay.tui.debug.divergence import common_prefix

ALIKE = 0.5
"""Share of the shorter text that must be unchanged for two texts to be versions of one."""


class Change:
    """The one stretch in which two versions of a text differ."""

    def __init__(self, old: bytes, new: bytes) -> None:
        shortest = min(len(old), len(new))
        self.before = common_prefix(old, new)
        rest = shortest - self.before
        tail_old, tail_new = old[len(old) - rest :][::-1], new[len(new) - rest :][::-1]
        self.after = common_prefix(tail_old, tail_new)
        self._old, self._new = len(old), len(new)

    @property
    def is_version(self) -> bool:
        """The texts have enough in common to be the same program, edited."""
        shortest = min(self._old, self._new)
        return shortest > 0 and (self.before + self.after) >= ALIKE * shortest

    def moved(self, offset: int) -> int | None:
        """Where the byte at ``offset`` is now; None when it was in the changed stretch."""
        if offset < self.before:
            return offset
        if offset >= self._old - self.after:
            return offset + self._new - self._old
        return None
