# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Copy memory into the pages of snapshots and back; see ``pages.py``."""

from __future__ import annotations

from array import array

from esolangs.pages import GROUP_PAGES, PAGE_CELLS, ZERO_PAGE, MemoryPage, PageGroup

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

Cell = cython.fused_type(cython.uchar, cython.ushort, cython.uint, cython.int, cython.longlong)
_CELLS = cython.declare(cython.Py_ssize_t, PAGE_CELLS)
_MIN_INT = cython.declare(cython.longlong, -(1 << 31))
_MAX_INT = cython.declare(cython.longlong, (1 << 31) - 1)
_TYPES = {1: "B", 2: "h", 4: "i", 8: "q"}


def save_groups(
    memory: Cell[::1], itemsize: cython.Py_ssize_t, count: cython.Py_ssize_t, before: tuple
):
    """Return the groups of pages with the first ``count`` cells, each of ``itemsize`` bytes.

    before: the groups of an earlier snapshot; equal groups and pages are reused.
    """
    groups: list = []
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    room: bytearray = bytearray(8 * PAGE_CELLS)
    while begin < count:
        end = min(count, begin + PAGE_CELLS * GROUP_PAGES)
        old = before[len(groups)] if len(groups) < len(before) else None
        groups.append(_save_group(memory, begin, end, old, room, itemsize))
        begin = end
    return tuple(groups)


@cython.cfunc
def _save_group(
    memory: Cell[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    before: object,
    room: bytearray,
    itemsize: cython.Py_ssize_t,
):
    """Return a group of pages with the cells from ``begin`` to ``end``.

    before: the group of an earlier snapshot, or None.  It is returned if it is equal.
    room: a buffer for the data of a page.
    """
    pages: list = []
    old_pages: tuple = () if before is None else before.parts
    same: cython.bint = True
    stop: cython.Py_ssize_t
    while begin < end:
        stop = min(end, begin + _CELLS)
        old = old_pages[len(pages)] if len(pages) < len(old_pages) else None
        page = _save_page(memory, begin, stop, old, room, itemsize)
        same = same and page is old
        pages.append(page)
        begin = stop
    return before if same and len(pages) == len(old_pages) else PageGroup(tuple(pages))


@cython.cfunc
def _save_page(
    memory: Cell[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    before: object,
    room: bytearray,
    itemsize: cython.Py_ssize_t,
):
    """Return a page of the cells from ``begin`` to ``end``, or ``before`` if it has the same data.

    room: a buffer that is filled with the data.
    """
    width: cython.int
    packed: cython.uchar[::1]
    if cython.compiled:
        packed = room
        width = _pack(memory, begin, end, packed, itemsize)
    else:
        width = _pack_plainly(memory, begin, end, room)
    size: cython.Py_ssize_t = width * (end - begin) if width else 8
    if before is not None and before.width == width:
        if len(before.data) == size and room.startswith(before.data):
            return before
    if width == 0 and not any(room[:8]):
        return ZERO_PAGE
    return MemoryPage(width, bytes(memoryview(room)[:size]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pack(
    memory: Cell[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    packed: cython.uchar[::1],
    itemsize: cython.Py_ssize_t,
) -> cython.int:
    """Write the cells of a page to ``packed``; return the bytes per cell, 0 if all are equal."""
    i: cython.Py_ssize_t = begin + 1
    size: cython.Py_ssize_t = end - begin
    low: cython.longlong = memory[begin]
    high: cython.longlong = low
    value: cython.longlong
    while i < end and memory[i] == memory[begin]:
        i += 1
    all_equal: cython.bint = i == end
    if itemsize > 1:
        for i in range(begin, end):
            value = memory[i]
            low = min(low, value)
            high = max(high, value)
    shorts: cython.p_short = cython.cast(cython.p_short, cython.address(packed[0]))
    ints: cython.p_int = cython.cast(cython.p_int, cython.address(packed[0]))
    longs: cython.p_longlong = cython.cast(cython.p_longlong, cython.address(packed[0]))
    if all_equal:
        longs[0] = low
        return 0
    width: cython.int = _width_for(low, high)
    if width == 1 or itemsize == 1:
        for i in range(size):
            packed[i] = cython.cast(cython.uchar, memory[begin + i])
        return 1
    if width == 2 or itemsize == 2:
        for i in range(size):
            shorts[i] = cython.cast(cython.short, memory[begin + i])
        return 2
    if width == 4 or itemsize == 4:
        for i in range(size):
            ints[i] = cython.cast(cython.int, memory[begin + i])
        return 4
    for i in range(size):
        longs[i] = memory[begin + i]
    return 8


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _width_for(low: cython.longlong, high: cython.longlong) -> cython.int:
    """Return the number of bytes per cell for a page with values from ``low`` to ``high``."""
    if low >= 0 and high < 256:
        return 1
    if low >= -32768 and high < 32768:
        return 2
    return 4 if low >= _MIN_INT and high <= _MAX_INT else 8


def _pack_plainly(memory, begin, end, room):
    """Write the cells of a page to ``room``; return the bytes per cell, 0 if all are equal."""
    cells = memoryview(memory)[begin:end]
    values = cells.tolist()
    low, high = min(values), max(values)
    if low == high:
        room[:8] = array("q", [low]).tobytes()
        return 0
    width = min(cells.itemsize, _width_for(low, high))
    data = cells.tobytes() if width == cells.itemsize else array(_TYPES[width], values).tobytes()
    room[: len(data)] = data
    return width


def load_groups(groups: tuple, memory: Cell[::1], count: cython.Py_ssize_t):
    """Copy ``count`` cells from groups of pages to ``memory``, whose cells are 0."""
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    width: cython.int
    data: bytes
    for group in groups:
        for page in group.parts:
            end = min(count, begin + _CELLS)
            if page is not ZERO_PAGE:
                if cython.compiled:
                    width = page.width
                    data = page.data
                    _unpack(memory, begin, end, data, width)
                else:
                    _unpack_plainly(memory, begin, end, page)
            begin = end


@cython.cfunc
def _unpack(
    memory: Cell[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    data: bytes,
    width: cython.int,
):
    """Copy the cells of a page to ``memory``."""
    packed: cython.const[cython.uchar][::1] = data
    i: cython.Py_ssize_t
    size: cython.Py_ssize_t = end - begin
    shorts = cython.cast("const short *", cython.address(packed[0]))
    ints = cython.cast("const int *", cython.address(packed[0]))
    longs = cython.cast("const long long *", cython.address(packed[0]))
    if width == 0:
        for i in range(size):
            memory[begin + i] = longs[0]
    elif width == 1:
        for i in range(size):
            memory[begin + i] = packed[i]
    elif width == 2:
        for i in range(size):
            memory[begin + i] = shorts[i]
    elif width == 4:
        for i in range(size):
            memory[begin + i] = ints[i]
    else:
        for i in range(size):
            memory[begin + i] = longs[i]


def _unpack_plainly(memory, begin, end, page):
    """Copy the cells of a page to ``memory``; used if this module is not compiled."""
    cells = memoryview(memory)[begin:end]
    if page.width == cells.itemsize:
        cells.cast("B")[:] = page.data
    elif page.width == 0:
        cells[:] = array(cells.format, array("q", page.data)) * (end - begin)
    else:
        cells[:] = array(cells.format, array(_TYPES[page.width], page.data))
