"""Memory in snapshots, in packed pages that are shared where they are equal.

``save_memory`` compares memory with an earlier snapshot and stores only the pages that differ, so
a snapshot takes only as many bytes as the program changed.
"""

from __future__ import annotations

import weakref

from esolangs.core import Engine
from esolangs.machine import Part

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    Copies = Mapping[Hashable, "bytes | SavedMemory"]
    References = Mapping[Hashable, "weakref.ref[SavedMemory]"]

PAGE_CELLS = 1 << 12
"""Number of cells of a page; the last page of a memory may be smaller."""

GROUP_PAGES = 1 << 6
"""Number of pages of a group; the last group of a memory may be smaller."""

_MIN_PAGED_BYTES = 1 << 10  # smaller memory is copied as it is
_OBJECT_BYTES = 120  # approximate size of a part without its data
_REFERENCE_BYTES = 8


class MemoryPage(Part):
    """An immutable copy of up to ``PAGE_CELLS`` successive cells.

    width: the number of bytes in ``data`` for each cell: 1 (unsigned), 2, 4 or 8 (signed), or 0 if
    all cells are equal; then ``data`` is their value in 8 bytes.
    """

    __slots__ = ("data", "width")

    def __init__(self, width: int, data: bytes):
        super().__init__(len(data) + _OBJECT_BYTES)
        self.width = width
        self.data = data


class PageGroup(Part):
    """A group of up to ``GROUP_PAGES`` successive pages, which is shared if it is unchanged."""

    __slots__ = ()

    def __init__(self, pages: tuple[MemoryPage, ...]):
        super().__init__(_REFERENCE_BYTES * len(pages) + _OBJECT_BYTES, pages)


class SavedMemory(Part):
    """An immutable copy of the first ``count`` cells of a memory, in groups of pages."""

    __slots__ = ("__weakref__", "count")

    def __init__(self, count: int, groups: tuple[PageGroup, ...]):
        super().__init__(_REFERENCE_BYTES * len(groups) + _OBJECT_BYTES, groups)
        self.count = count


ZERO_PAGE = MemoryPage(0, bytes(8))
"""A page of cells that are 0."""

_engines: list[Any] = []


def _engine() -> Any:
    """Return an object with ``save_groups`` and ``load_groups``, imported on first use."""
    if not _engines:
        _engines.append(Engine(__name__, save_groups="_pages", load_groups="_pages"))
    return _engines[0]


def save_memory(memory: Any, count: int, before: bytes | SavedMemory) -> bytes | SavedMemory:
    """Return an immutable copy of the first ``count`` cells of ``memory``.

    memory: a ``bytearray``, ``array`` or ``memoryview``.  before: what this function returned for
    an earlier state of the memory, or ``b""``; the copy shares with it what is equal.
    """
    cells = memoryview(memory)
    if count * cells.itemsize <= _MIN_PAGED_BYTES:
        return cells[:count].tobytes()
    groups_before = before.parts if isinstance(before, SavedMemory) else ()
    groups: tuple[PageGroup, ...] = _engine().save_groups(
        cells, cells.itemsize, count, groups_before
    )
    if isinstance(before, SavedMemory) and before.count == count and groups == before.parts:
        return before
    return SavedMemory(count, groups)


def load_memory(saved: bytes | SavedMemory, memory: Any) -> None:
    """Copy the saved cells to the beginning of ``memory``, whose cells are 0."""
    if isinstance(saved, bytes):
        memoryview(memory).cast("B")[: len(saved)] = saved
    else:
        _engine().load_groups(saved.parts, memory, saved.count)


def copy_memory(_key: Hashable, memory: Any, count: int) -> bytes:
    """Return the first ``count`` cells of ``memory``: the simplest ``copy`` for ``Core.save``."""
    return memoryview(memory)[:count].tobytes()


class MemorySaver:
    """Copies the memories of a machine, each with a key, for one snapshot.

    before: references to the copies of an earlier snapshot, which the new ones may share if it
    still exists.  copies: the new ones.
    """

    def __init__(self, before: References | None):
        self._before = before or {}
        self.copies: dict[Hashable, SavedMemory | bytes] = {}

    def save(self, key: Hashable, memory: Any, count: int) -> bytes | SavedMemory:
        """Return a copy of a memory; it shares what is equal with the earlier copy for ``key``."""
        before = self._before.get(key)
        saved = save_memory(memory, count, (before and before()) or b"")
        self.copies[key] = saved
        return saved

    @property
    def size(self) -> int:
        """The number of bytes of the copies that other snapshots cannot share."""
        return sum([len(each) for each in self.copies.values() if isinstance(each, bytes)])

    @property
    def parts(self) -> tuple[SavedMemory, ...]:
        """The copies that other snapshots may share."""
        return tuple([each for each in self.copies.values() if not isinstance(each, bytes)])


def references_to(copies: Copies) -> References:
    """Return weak references to the copies with which the next snapshot may share pages."""
    return {key: weakref.ref(each) for key, each in copies.items() if isinstance(each, SavedMemory)}
