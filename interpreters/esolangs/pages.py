"""Memory in snapshots, in packed pages that are shared where they are equal.

``save_memory`` compares memory with an earlier snapshot and stores only the pages that differ, so
a snapshot takes only as many bytes as the program changed.  Tables with pages of their own, such as
a table of far cells, are not compared: a machine hands over each page to a snapshot as a
``SharedObject``, and copies a page before it changes it.
"""

from __future__ import annotations

import sys
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

SLICE_NUMBERS = 1 << 10
"""Number of entries of a list that are stored together; the last ones may be fewer."""

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


class SharedObject(Part):
    """An object that snapshots share, often also with a machine; the object must not change."""

    __slots__ = ("value",)

    def __init__(self, value: Any, size: int, parts: tuple[Part, ...] = ()):
        super().__init__(size + _REFERENCE_BYTES * len(parts) + _OBJECT_BYTES, parts)
        self.value = value


class SavedMemory(Part):
    """An immutable copy of the first ``count`` cells of a memory.

    parts: groups of pages, or for a list of numbers, slices of it.
    """

    __slots__ = ("__weakref__", "count")

    def __init__(self, count: int, parts: tuple[PageGroup, ...] | tuple[SharedObject, ...]):
        super().__init__(_REFERENCE_BYTES * len(parts) + _OBJECT_BYTES, parts)
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

    memory: a ``bytearray``, ``array`` or ``memoryview``, or a list of numbers, some of which may be
    None.  before: what this function returned for an earlier state of the memory, or ``b""``; the
    copy shares equal parts with it.
    """
    if _is_list(memory):
        return _save_numbers(memory, count, before)
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


def _is_list(memory: Any) -> bool:
    return isinstance(memory, list)


def _save_numbers(
    numbers: list[int | None], count: int, before: bytes | SavedMemory
) -> bytes | SavedMemory:
    """Return an immutable copy of the first ``count`` numbers of a list, for ``save_memory``.

    before: an earlier copy, or ``b""``; the new one shares equal parts with it.
    """
    if count == 0:
        return b""
    parts_before = before.parts if isinstance(before, SavedMemory) else ()
    parts: list[Any] = []
    for begin in range(0, count, SLICE_NUMBERS):
        numbers_here = numbers[begin : min(count, begin + SLICE_NUMBERS)]
        part: Any = parts_before[len(parts)] if len(parts) < len(parts_before) else None
        if part is None or part.value != numbers_here:
            part = SharedObject(numbers_here, _size_of_numbers(numbers_here))
        parts.append(part)
    found = tuple(parts)
    if isinstance(before, SavedMemory) and before.count == count and found == before.parts:
        return before
    return SavedMemory(count, found)


def _size_of_numbers(numbers: list[int | None]) -> int:
    """Return the approximate size of a list and its numbers in bytes."""
    distinct = {id(number): number for number in numbers}
    return sys.getsizeof(numbers) + sum(map(sys.getsizeof, distinct.values()))


def load_memory(saved: bytes | SavedMemory, memory: Any) -> None:
    """Copy the saved cells to the beginning of ``memory``.

    All cells of ``memory`` must be 0; a list must be empty.
    """
    if _is_list(memory):
        parts: tuple[Any, ...] = saved.parts if isinstance(saved, SavedMemory) else ()
        for part in parts:
            memory += part.value
    elif isinstance(saved, bytes):
        memoryview(memory).cast("B")[: len(saved)] = saved
    else:
        _engine().load_groups(saved.parts, memory, saved.count)


def copy_memory(_key: Hashable, memory: Any, count: int) -> Any:
    """Return a copy of the first ``count`` cells of ``memory``.

    ``Core.save`` accepts this function where copies need not share memory with earlier ones.
    """
    if _is_list(memory):
        return tuple(memory[:count])
    return memoryview(memory)[:count].tobytes()


class MemorySaver:
    """Copies the memories of a machine, each with a key, for one snapshot.

    before: weak references to the copies of an earlier snapshot, by key, or None.  The new copies
    share the equal parts of earlier copies that still exist.  copies: the new copies, by key.
    """

    def __init__(self, before: References | None):
        self._before = before or {}
        self.copies: dict[Hashable, SavedMemory | bytes] = {}

    def save(self, key: Hashable, memory: Any, count: int) -> bytes | SavedMemory:
        """Return a copy of the first ``count`` cells of a memory, and save it in ``copies``.

        The copy shares unchanged parts with the earlier snapshot's copy for ``key``.
        """
        before = self._before.get(key)
        saved = save_memory(memory, count, (before and before()) or b"")
        self.copies[key] = saved
        return saved

    @property
    def size(self) -> int:
        """The total length of the copies that are ``bytes``, which snapshots do not share."""
        return sum([len(each) for each in self.copies.values() if isinstance(each, bytes)])

    @property
    def parts(self) -> tuple[SavedMemory, ...]:
        """The items of ``copies`` that other snapshots may share."""
        return tuple([each for each in self.copies.values() if not isinstance(each, bytes)])


def references_to(copies: Copies) -> References:
    """Return weak references to the copies with which the next snapshot may share pages."""
    return {key: weakref.ref(each) for key, each in copies.items() if isinstance(each, SavedMemory)}
