"""The saved states of fingerprints: immutable, so that snapshots and undo need not copy them."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_CHUNK = 256
_TUPLE_COST, _TEXT_COST, _NUMBER_COST = 64, 64, 32  # bytes by the cost model, if empty


class PersistentList(NamedTuple):
    """An immutable sequence that can be extended cheaply with ``with_item``.

    full: chunks of items.  tail: the remaining items, fewer than a chunk.
    """

    full: tuple[tuple[Any, ...], ...] = ()
    tail: tuple[Any, ...] = ()

    def with_item(self, item: Any) -> PersistentList:
        """Return this sequence with one more item."""
        tail = (*self.tail, item)
        return (
            PersistentList((*self.full, tail), ())
            if len(tail) == _CHUNK
            else PersistentList(self.full, tail)
        )

    @property
    def length(self) -> int:
        """Return the number of items."""
        return len(self.full) * _CHUNK + len(self.tail)

    def item(self, index: int) -> Any:
        """Return the item at an index from 0 to ``length`` - 1."""
        chunk, at = divmod(index, _CHUNK)
        return self.full[chunk][at] if chunk < len(self.full) else self.tail[at]

    def items(self) -> Iterator[Any]:
        """Return all items in order."""
        for chunk in self.full:
            yield from chunk
        yield from self.tail


def cost(value: Any) -> int:
    """Return the size of an immutable value in bytes by the cost model, equal on all platforms."""
    if value is None or isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return _NUMBER_COST + value.bit_length() // 8
    if isinstance(value, float):
        return _NUMBER_COST
    if isinstance(value, str | bytes):
        return _TEXT_COST + len(value)
    return _TUPLE_COST + sum([8 + cost(item) for item in value])
