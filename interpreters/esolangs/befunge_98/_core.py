# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The engine: single steps with every check, and a fast loop for common instructions.

``_run_exact`` executes one instruction of one IP and defines the language; ``_run_fast`` runs the
frequent instructions of a single IP that moves in one of the four directions inside the window, and
returns to ``_run_exact`` for everything else.
"""

from __future__ import annotations

from array import array
from math import isqrt
from operator import itemgetter
from sys import byteorder

from esolangs import work
from esolangs.befunge_98.opcodes import MAX_COORDINATE, size_of_window
from esolangs.division import divide
from esolangs.lazy_zeros import RESERVED_BYTES, extend_with_zeros
from esolangs.numbers import MAX_BITS, decimal, from_decimal

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

if not cython.compiled:
    from esolangs._slot_table import SlotTable
    from esolangs.befunge_98.opcodes import (
        BLANK,
        CELL_COST,
        COPY_WORK,
        EDGE,
        FAR_COST,
        FAULT,
        FREE_ROOM,
        FREE_WORK,
        HOVER,
        IGNORE,
        INVERT,
        IP_COST,
        LOST,
        MAPPED,
        MAX_CELLS_PER_FAR_CELL,
        MAX_GROWN_CELLS,
        MAX_SHIFTED,
        MEANING_COST,
        MIN_ROOM,
        MOVE_WORK,
        NO_INSTRUCTION,
        NO_NUMBER,
        OUTSIDE_WORK,
        PASS_WORK,
        QUEUE,
        REACHED_GROUPS,
        REPEAT_COST,
        SHIFT_WORK,
        SIZE_WORK,
        SKIP_WORK,
        SPACE,
        STACK_COST,
        STACK_KEY_FACTOR,
        SWITCH,
        TRAIL_LENGTH,
        UNDERFLOW,
        UNKNOWN,
        ZERO_DIVISION,
    )
    from esolangs.filters import (
        FILTER_PASSES,
        FILTER_POINT,
        FILTER_REGISTER,
        MAX_FILTER_DEPTH,
        MAX_FILTER_LEVELS,
        run_filter,
    )
    from esolangs.reasons import (
        BUDGET,
        CHUNK,
        ENDED,
        FLUSH,
        MEMORY_FULL,
        NEEDS_INPUT,
        OUTPUT_FULL,
        PAUSE,
        STOP,
        WORK_FULL,
    )

# Number of values that an instruction pops, where too few are a fault.
_OPERAND_COUNTS = bytearray(256)
for _op, _count in (
    *((_character, 2) for _character in b"+-*/%`\\wxg"),
    *((_character, 1) for _character in b"!_|$.,jksq{}uy()"),
    (112, 3),
):
    _OPERAND_COUNTS[_op] = _count
OPERAND_COUNTS = cython.declare(cython.uchar[::1], _OPERAND_COUNTS)
_ARROWS = frozenset(b"><^v_|")
_BLOCKS = frozenset(b"{}u")
_PAIRS = {91: 93, 93: 91, 123: 125, 125: 123, 40: 41, 41: 40}  # instructions that S of MODE swaps

# Cells that are walked over one by one before the summaries of blocks are used.
_MAX_WALKED_CELLS = cython.declare(cython.int, 32)
# The target of a search along a path: any cell that is not blank, or an instruction.
_NONBLANK = cython.declare(cython.int, 0)
_INSTRUCTION = cython.declare(cython.int, 1)
# Summary of a block of cells: an odd number of semicolons; an instruction after an even number of
# them, and after an odd one; a cell that is not blank; a cell of the ring.
_ODD = cython.declare(cython.int, 1)
_AFTER_EVEN = cython.declare(cython.int, 2)
_AFTER_ODD = cython.declare(cython.int, 4)
_HAS_NONBLANK = cython.declare(cython.int, 8)
_HAS_RING = cython.declare(cython.int, 16)
_STALE = cython.declare(cython.int, 255)
_CACHED_SEARCHES = cython.declare(cython.Py_ssize_t, 64)  # a power of two
_REFERENCE_BYTES = 8
_MAX_CHUNK_POINTS = cython.declare(cython.Py_ssize_t, 512)  # of a `FarIndex`
# Start of a search in a `FarIndex`: at a point, after it, at the start or the end of its line.
_AT, _AFTER = cython.declare(cython.int, 0), cython.declare(cython.int, 1)
_LINE, _LINE_END = cython.declare(cython.int, 2), cython.declare(cython.int, 3)
_PAUSE_STEPS = cython.declare(cython.longlong, 8192)  # effort between two pauses, in steps
_PUSHING_OPS = b"+-*/%!`:g'"  # fast instructions that push one value, except constants
_CHECKED_OPS = b"+-*/%`w:gpjk"  # instructions that `_check_budget` checks
_SIGN_BIT = 1 << 63
_WORD_MASK = (1 << 64) - 1
_MAX_SAFE_SUM = cython.declare(
    cython.longlong, 1 << 61
)  # sums of numbers up to this cannot overflow
_RETRY_STEPS = cython.declare(cython.int, 8)
_NO_LEVEL = cython.declare(cython.longlong, 1 << 62)  # a level above all stacks
_REPEATS_REGISTER = cython.declare(cython.longlong, 15)  # its value can exceed 64 bits
_NO_CELLS = array("q", [0])  # the view that TOSS uses while its buffer grows
_NO_CODES = bytearray(1)
_PART_CELLS = 1 << 16  # cells that are copied, or that a list grows by, at once
_MIN_SORTED_CELLS = cython.declare(
    cython.Py_ssize_t, 1024
)  # number of far cells from which they remain sorted


@cython.cclass
class IP:
    """An instruction pointer.  The machine may read and change everything except ``toss``.

    buffer: the cells of TOSS, of which ``depth`` are in use.  below: the other stacks,
    SOSS last, as pairs of buffer and depth.  repeats: instructions that a ``k`` still has to
    execute, as pairs of count and cell value, the innermost last.
    semantics: the meanings of each letter, the latest last; a meaning is a fingerprint and one of
    its letters.  modes: flags of the changes that MODE and IMAP made.  states: the saved states of
    fingerprints, by name: an immutable value and its cost.
    """

    id = cython.declare(cython.longlong, visibility="public")
    x = cython.declare(cython.longlong, visibility="public")
    y = cython.declare(cython.longlong, visibility="public")
    dx = cython.declare(cython.longlong, visibility="public")
    dy = cython.declare(cython.longlong, visibility="public")
    ox = cython.declare(cython.longlong, visibility="public")
    oy = cython.declare(cython.longlong, visibility="public")
    in_string = cython.declare(cython.bint, visibility="public")
    after_space = cython.declare(
        cython.bint, visibility="public"
    )  # whether the IP has just pushed a space
    modes = cython.declare(cython.int, visibility="public")
    toss: cython.longlong[::1]
    buffer = cython.declare(object, visibility="public")
    room = cython.declare(cython.Py_ssize_t, visibility="public")
    depth = cython.declare(cython.Py_ssize_t, visibility="public")
    below = cython.declare(list, visibility="public")
    repeats = cython.declare(list, visibility="public")
    semantics = cython.declare(dict, visibility="public")
    states = cython.declare(dict, visibility="public")

    def __init__(self, id, buffer):
        self.id = id
        self.x = self.y = self.dy = self.ox = self.oy = 0
        self.dx = 1
        self.in_string = self.after_space = False
        self.modes = 0
        self.below = []
        self.repeats = []
        self.semantics = {}
        self.states = {}
        self.set_toss(buffer, 0)

    def set_toss(self, buffer, depth):
        """Set the top stack to ``buffer``, of which ``depth`` cells are in use."""
        self.buffer = buffer
        self.toss = buffer
        self.room = len(buffer)
        self.depth = depth


@cython.cclass
class FarIndex:
    """A sorted index of the cells outside the window, by row (``axis`` 0) or by column (1).

    ``chunks`` are lists of points, each of at most ``_MAX_CHUNK_POINTS``; ``infos`` are their
    summaries, like the summaries of blocks in :class:`Core`.  ``shared`` has for each chunk the
    part of a snapshot to which it belongs, or None; a shared chunk is copied before it is changed.
    Adding, removing and finding a point take logarithmic time.  ``locate`` sets ``chunk_index`` and
    ``point_index`` to the chunk and the place in it.
    """

    axis: cython.int
    chunks: list
    shared: list
    infos: bytearray
    chunk_index: cython.Py_ssize_t
    point_index: cython.Py_ssize_t

    def __init__(self, axis, points):
        points.sort(key=itemgetter(axis))
        points.sort(key=itemgetter(1 - axis))
        self.axis = axis
        size = _MAX_CHUNK_POINTS * 3 // 4
        self.chunks = [points[at : at + size] for at in range(0, len(points), size)]
        self.shared = [None] * len(self.chunks)
        self.infos = bytearray((_STALE,)) * len(self.chunks)
        self.chunk_index = self.point_index = 0

    def save(self):
        """Return the state for ``load_index``.

        The state and the index share each chunk; the index copies it before a change.
        """
        from esolangs.pages import SharedObject

        at: cython.Py_ssize_t
        for at in range(len(self.chunks)):
            if self.shared[at] is None:
                size = _REFERENCE_BYTES * len(self.chunks[at])
                self.shared[at] = SharedObject(self.chunks[at], size)
        infos = bytes(self.infos)
        return SharedObject((self.axis, infos), len(infos), tuple(self.shared))

    @cython.cfunc
    def own_chunk(self, at: cython.Py_ssize_t) -> list:
        """Return a chunk that no snapshot shares, so that it can be changed."""
        if self.shared[at] is not None:
            self.chunks[at] = list(self.chunks[at])
            self.shared[at] = None
        return self.chunks[at]

    @cython.cfunc
    def first(self) -> cython.longlong:
        """Return the smallest row or column that has a point."""
        return self.chunks[0][0][1 - self.axis]

    @cython.cfunc
    def last(self) -> cython.longlong:
        """Return the largest row or column that has a point."""
        chunk: list = self.chunks[len(self.chunks) - 1]
        return chunk[len(chunk) - 1][1 - self.axis]

    @cython.cfunc
    def _is_before(
        self,
        point: tuple,
        line: cython.longlong,
        along: cython.longlong,
        where: cython.int,
    ) -> cython.bint:
        a: cython.longlong = point[1 - self.axis]
        if a != line:
            return a < line
        if where >= _LINE:
            return where == _LINE_END
        a = point[self.axis]
        return a < along or (a == along and where == _AFTER)

    @cython.cfunc
    def locate(self, line: cython.longlong, along: cython.longlong, where: cython.int):
        """Find the first point at or after a start; set ``chunk_index`` and ``point_index``.

        line, along: a place, as a row or column and the position within it.  where: the start;
        ``_AT``: this place, ``_AFTER``: the next place, ``_LINE`` or ``_LINE_END``: the start or
        end of the line.  If no point follows, ``chunk_index`` is the number of chunks.
        """
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = len(self.chunks)
        middle: cython.Py_ssize_t
        chunk: list
        if high > 0:  # often a point is added after all others
            chunk = self.chunks[high - 1]
            if self._is_before(chunk[len(chunk) - 1], line, along, where):
                low = high
        while low < high:
            middle = (low + high) >> 1
            chunk = self.chunks[middle]
            if self._is_before(chunk[len(chunk) - 1], line, along, where):
                low = middle + 1
            else:
                high = middle
        self.chunk_index = low
        self.point_index = 0
        if low == len(self.chunks):
            return
        chunk = self.chunks[low]
        low, high = 0, len(chunk) - 1
        while low < high:
            middle = (low + high) >> 1
            if self._is_before(chunk[middle], line, along, where):
                low = middle + 1
            else:
                high = middle
        self.point_index = low

    @cython.cfunc
    def step_forward(self):
        self.point_index += 1
        if self.point_index == len(self.chunks[self.chunk_index]):
            self.point_index = 0
            self.chunk_index += 1

    @cython.cfunc
    def step_back(self):
        self.point_index -= 1
        if self.point_index < 0:
            self.chunk_index -= 1
            if self.chunk_index >= 0:
                self.point_index = len(self.chunks[self.chunk_index]) - 1

    def line(self, line):
        """Return all points in row ``line``, or in column ``line`` if the index is by column."""
        points = []
        self.locate(line, 0, _LINE)
        while self.chunk_index < len(self.chunks):
            chunk = self.chunks[self.chunk_index]
            for point in chunk[self.point_index :]:
                if point[1 - self.axis] != line:
                    return points
                points.append(point)
            self.point_index = 0
            self.chunk_index += 1
        return points

    @cython.cfunc
    def update(self, point: tuple, was_present: cython.bint, is_present: cython.bint):
        """Update the index after the value at a point has changed.

        was_present: whether the index contains the point.  is_present: whether it must contain it
        now.
        """
        chunk: list
        at: cython.Py_ssize_t
        self.locate(point[1 - self.axis], point[self.axis], _AT)
        at = self.chunk_index
        if was_present:
            self.infos[at] = _STALE
            if not is_present:
                self._remove(at)
            return
        if at == len(self.chunks):
            # After all other points: a full chunk is not split, because many may follow in a row.
            if at == 0 or len(self.chunks[at - 1]) >= _MAX_CHUNK_POINTS:
                self.chunks.append([point])
                self.shared.append(None)
                self.infos.append(_STALE)
                return
            at -= 1
            self.own_chunk(at).append(point)
            self.infos[at] = _STALE
            return
        chunk = self.own_chunk(at)
        chunk.insert(self.point_index, point)
        self.infos[at] = _STALE
        if len(chunk) > _MAX_CHUNK_POINTS:
            self.chunks.insert(at + 1, chunk[_MAX_CHUNK_POINTS // 2 :])
            self.shared.insert(at + 1, None)
            self.infos.insert(at + 1, _STALE)
            del chunk[_MAX_CHUNK_POINTS // 2 :]

    def remove_block(self, left, top, right, bottom):
        """Remove the points in a rectangle; ``right`` and ``bottom`` belong to it."""
        chunks: list = self.chunks
        self.chunks = []
        for chunk in chunks:
            rest = [
                point
                for point in chunk
                if not (left <= point[0] <= right and top <= point[1] <= bottom)
            ]
            if rest:
                self.chunks.append(rest)
        self.shared = [None] * len(self.chunks)
        self.infos = bytearray((_STALE,)) * len(self.chunks)

    @cython.cfunc
    def _remove(self, at: cython.Py_ssize_t):
        """Remove the point that ``locate`` found, and join chunks that have become small."""
        chunk: list = self.own_chunk(at)
        del chunk[self.point_index]
        if (
            at + 1 < len(self.chunks)
            and len(chunk) + len(self.chunks[at + 1]) <= _MAX_CHUNK_POINTS // 2
        ):
            chunk.extend(self.chunks[at + 1])
            del self.chunks[at + 1]
            del self.shared[at + 1]
            del self.infos[at + 1]
        elif len(chunk) == 0:
            del self.chunks[at]
            del self.shared[at]
            del self.infos[at]


def load_index(saved):
    """Return a new index with the state that ``FarIndex.save`` returned; None for None."""
    if saved is None:
        return None
    axis, infos = saved.value
    index: FarIndex = FarIndex(axis, [])
    index.chunks = [part.value for part in saved.parts]
    index.shared = list(saved.parts)
    index.infos = bytearray(infos)
    return index


@cython.cclass
class FarCells:
    """The cells outside the window that are not blank.

    Each cell has a slot, a number that ``slots`` assigns to its point; its value is in ``cells``, a
    view of ``buffer``.
    """

    slots: SlotTable
    buffer: object
    cells: cython.longlong[::1]

    def __init__(self, cells, buffer):
        """Store the values of ``cells``, a dictionary from points to values.

        buffer: an empty array or list, in which the values are stored.
        """
        self.slots = SlotTable()
        self.buffer = buffer
        self.cells = _NO_CELLS
        for point, value in cells.items():
            self.add(point, value)

    def save(self, copy):
        """Return the state for ``load``: the number of slots, the values, and the points.

        The points are a ``Part``, which snapshots can share, or None if no slot is used.  ``copy``
        saves the values, as in ``Core.save_plane``.
        """
        used = self.slots.used
        return used, copy("far", self.buffer, used), self.slots.save()

    def load(self, saved, buffer, copy):
        """Restore the state ``saved`` that ``save`` returned; store its values in ``buffer``.

        ``buffer`` must be empty.  ``copy`` copies a saved memory to a buffer.
        """
        used, values, slots = saved
        self.slots.load(slots)
        self.buffer = buffer
        self._reserve(0 if isinstance(buffer, list) else used)
        if used > 0:
            copy(values, self.buffer)
            self.cells = self.buffer

    def _reserve(self, size):
        """Enlarge ``buffer`` so that it has room for the values of ``size`` slots."""
        self.cells = _NO_CELLS  # an array with a view cannot grow
        if isinstance(self.buffer, list):
            _extend(self.buffer, size, [0])
        else:
            self.buffer = extend_with_zeros(self.buffer, size, RESERVED_BYTES // 8)
        self.cells = self.buffer if size > 0 else _NO_CELLS

    @cython.cfunc
    def value(self, point: tuple) -> object:
        """Return the value at a point; ``BLANK`` if there is no cell."""
        slot: cython.Py_ssize_t = self.slots.find(point)
        return BLANK if slot < 0 else self.cells[slot]

    @cython.cfunc
    def add(self, point: tuple, value: object):
        """Add a cell, which must not exist yet."""
        slot: cython.Py_ssize_t = self.slots.add(point)
        if slot == len(self.buffer):
            self._reserve(max(64, 2 * slot))
        self.cells[slot] = value

    def pop(self, point):
        """Remove a cell and return its value."""
        slot: cython.Py_ssize_t = self.slots.remove(point)
        value = self.cells[slot]
        self.cells[slot] = 0
        return value

    def items(self):
        """Return a dictionary of all cells."""
        found: dict = {}
        slot: cython.Py_ssize_t = 0
        for page in self.slots.pages:
            for point in page:
                if point is not None:
                    found[point] = self.cells[slot]
                slot += 1
        return found

    def near(self, left, top, right, bottom):
        """Return the points in a rectangle; ``right`` and ``bottom`` belong to it."""
        if cython.compiled:
            left, top = max(left, -_SIGN_BIT), max(top, -_SIGN_BIT)
            right, bottom = min(right, _SIGN_BIT - 1), min(bottom, _SIGN_BIT - 1)
        found: list = []
        _find_near(self.slots.all_keys(), left, top, right, bottom, found)
        return found


@cython.cfunc
def _find_near(
    points: object,
    left: cython.longlong,
    top: cython.longlong,
    right: cython.longlong,
    bottom: cython.longlong,
    found: list,
):
    """Append the points in a rectangle to ``found``."""
    x: cython.longlong
    y: cython.longlong
    for point in points:
        x, y = point
        if left <= x <= right and top <= y <= bottom:
            found.append(point)


@cython.cclass
class Core:
    """The options of a run, and its state, which a replay must restore.

    ``cells`` and ``codes`` hold the window and a ring of one cell around it: the cell (x, y) is at
    ``(y - top + 1) * stride + x - left + 1``.  Cells outside it that are not blank are in
    ``outer``.  The rectangle from the ``low`` to the ``high`` corner contains all cells that are
    not blank; it is the smallest one if ``bounds_loose`` is false.  ``far_rows`` and
    ``far_columns`` hold the points of ``outer`` in order.  They are None until a search needs them,
    or until ``outer`` has ``_MIN_SORTED_CELLS`` cells.  ``flight_work`` is the work on cells of the
    latest search, ``path_work`` the work of the search for the next instruction.  Blocks are 64
    cells of the window, ring included, row after row or column after column, and groups are 64
    blocks.  Each block and group has a summary (flags for its content), with which
    ``_search_line`` decides whether to search inside it.  ``sought`` and ``found`` cache searches
    and their results for a version of the window.
    """

    cells: cython.longlong[::1]
    codes: cython.uchar[::1]
    plane = cython.declare(object, visibility="public")  # the memory that `cells` views
    plane_codes = cython.declare(object, visibility="public")
    enlarge_plane = cython.declare(object, visibility="public")  # while the tier owns both
    code_of: cython.uchar[::1]
    left = cython.declare(cython.longlong, visibility="public")
    top = cython.declare(cython.longlong, visibility="public")
    width = cython.declare(cython.longlong, visibility="public")
    height = cython.declare(cython.longlong, visibility="public")
    stride: cython.longlong
    row_blocks: cython.uchar[::1]
    row_groups: cython.uchar[::1]
    column_blocks: cython.uchar[::1]
    column_groups: cython.uchar[::1]
    version: cython.longlong
    sought: cython.longlong[::1]
    sought_version: cython.longlong[::1]
    found: cython.longlong[::1]
    outer: FarCells
    far_rows = cython.declare(FarIndex, visibility="public")
    far_columns = cython.declare(FarIndex, visibility="public")
    far_version = cython.declare(cython.longlong, visibility="public")  # of the cells in `outer`
    next_absorb = cython.declare(cython.Py_ssize_t, visibility="public")
    low_x = cython.declare(cython.longlong, visibility="public")
    low_y = cython.declare(cython.longlong, visibility="public")
    high_x = cython.declare(cython.longlong, visibility="public")
    high_y = cython.declare(cython.longlong, visibility="public")
    bounds_loose = cython.declare(cython.bint, visibility="public")
    touched = cython.declare(cython.bint, visibility="public")  # a cell was written
    # pointers and time
    ips = cython.declare(list, visibility="public")
    ip = cython.declare(IP, visibility="public")  # the IP that executes the next step
    turn = cython.declare(cython.Py_ssize_t, visibility="public")
    last_id = cython.declare(cython.longlong, visibility="public")
    tick = cython.declare(cython.longlong, visibility="public")
    lost = cython.declare(cython.bint, visibility="public")  # there is no next instruction
    ended = cython.declare(cython.bint, visibility="public")
    exit_code = cython.declare(object, visibility="public")
    random = cython.declare(cython.ulonglong, visibility="public")
    states = cython.declare(dict, visibility="public")  # shared by all IPs
    steps = cython.declare(cython.longlong, visibility="public")
    used = cython.declare(cython.longlong, visibility="public")  # memory now
    max_used = cython.declare(cython.longlong, visibility="public")
    trail_x: cython.longlong[::1]
    trail_y: cython.longlong[::1]
    recent: cython.longlong[::1]
    recording = cython.declare(cython.bint, visibility="public")  # the cells that are executed
    reached: cython.uchar[::1]  # by index of the cell modulo `REACHED_GROUPS`: 1 if it was executed
    reached_anywhere = cython.declare(cython.bint, visibility="public")  # `reached` is incomplete
    # input and output
    stdin: cython.uchar[::1]
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    closed = cython.declare(cython.bint, visibility="public")
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]
    out_length: cython.Py_ssize_t
    out_room: cython.Py_ssize_t
    printed = cython.declare(cython.longlong, visibility="public")
    reads = cython.declare(object, visibility="public")
    # rules
    extras = cython.declare(object, visibility="public")
    unbounded = cython.declare(cython.bint, visibility="public")
    sgml: cython.bint
    torus = cython.declare(cython.bint, visibility="public")
    outside_is_nothing: cython.bint
    strict: cython.bint
    zero_fault: cython.bint
    floored: cython.bint
    unknown = cython.declare(cython.int, visibility="public")
    eof_pushes: cython.bint
    number_eof_fault: cython.bint
    number_eof_pushes: cython.bint
    byte_cells: cython.bint
    max_memory = cython.declare(cython.longlong, visibility="public")
    max_output: cython.longlong
    # stops to watch for
    watching = cython.declare(cython.bint, visibility="public")
    scanning: cython.bint
    every_step: cython.bint
    every_read: cython.bint
    marks: set
    watched: set
    slots: dict
    # whether `_run_fast` leaves puts and prints to `_run_exact`, and its bounds of TOSS
    exact_puts: cython.bint
    exact_prints: cython.bint
    recording_puts: cython.bint  # whether fast steps record `put_…`
    put_step: cython.longlong  # the number of steps after the latest fast `p`, or -1
    put_x: cython.longlong  # the cell that this `p` wrote
    put_y: cython.longlong
    put_old: cython.longlong  # its value before
    floor: cython.Py_ssize_t
    ceiling: cython.Py_ssize_t
    retry_after: cython.int  # steps before a watched run tries again to advance at speed
    printable: cython.uchar[::1]
    output_index: cython.longlong
    filtered: cython.bint
    filter: cython.longlong[::1]
    filter_numbers: cython.longlong[::1]
    hits = cython.declare(cython.longlong, visibility="public")
    first_hit = cython.declare(cython.longlong, visibility="public")
    last_hit = cython.declare(cython.longlong, visibility="public")
    # tally
    tallying: cython.bint
    counts: cython.longlong[::1]  # of the cells of a page
    latest: cython.longlong[::1]
    page_x: cython.longlong
    page_y: cython.longlong
    page_width: cython.longlong
    page_height: cython.longlong
    beyond: dict  # counts of the cells outside the page
    # marks inside the window, for `_run_fast`
    flags: cython.uchar[::1]
    flagged: object  # the window to which the flags belong
    marking: cython.bint
    # the step executed last in single steps
    last_x = cython.declare(cython.longlong, visibility="public")
    last_y = cython.declare(cython.longlong, visibility="public")
    last_writes = cython.declare(list, visibility="public")
    last_printed = cython.declare(bytes, visibility="public")
    last_read = cython.declare(object, visibility="public")
    last_ip: IP
    child: IP  # the IP that the step created, with copies of all stacks
    pushed_from: cython.longlong  # the lowest level of TOSS that the step wrote
    under_from: cython.longlong  # the levels of SOSS that it wrote, up to `under_to`
    under_to: cython.longlong
    # results of _move and _find
    found_x: cython.longlong
    found_y: cython.longlong
    inside: cython.int  # whether a search is between semicolons
    ip_stays = cython.declare(
        cython.bint, visibility="public"
    )  # the IP does not move after this step
    ip_died: cython.bint
    off_edge: cython.bint  # the last move is pending, see _run_fast
    has_far_cells: cython.bint
    effort = cython.declare(cython.longlong, visibility="public")  # since the last pause
    work = cython.declare(cython.longlong, visibility="public")  # on large numbers and many cells
    step_work = cython.declare(cython.longlong, visibility="public")  # work of the current step
    cell_work = cython.declare(cython.longlong, visibility="public")  # its work on cells, also free
    flight_work: cython.longlong
    path_work = cython.declare(cython.longlong, visibility="public")
    reserved = cython.declare(cython.longlong, visibility="public")  # memory for the current step
    max_work = cython.declare(cython.longlong, visibility="public")

    def __init__(self, code_of, rules, seed, max_memory, max_output, max_work, extras):
        self.code_of = bytearray(code_of)
        self.unbounded = rules["unbounded"]
        self.sgml = rules["sgml"]
        self.torus = rules["torus"]
        self.outside_is_nothing = rules["outside_is_nothing"]
        self.strict = rules["strict"]
        self.zero_fault = rules["zero_fault"]
        self.floored = rules["floored"]
        self.unknown = rules["unknown"]
        self.eof_pushes = rules["eof_pushes"]
        self.number_eof_fault = rules["number_eof_fault"]
        self.number_eof_pushes = rules["number_eof_pushes"]
        self.byte_cells = rules["byte_cells"]
        self.max_memory = max_memory
        self.max_output = max_output
        self.extras = extras
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.out_room = CHUNK
        self.reads = array("q")
        self.trail_x = array("q", bytes(8 * TRAIL_LENGTH))
        self.trail_y = array("q", bytes(8 * TRAIL_LENGTH))
        self.recent = array("q", bytes(8 * TRAIL_LENGTH))
        self.set_input(b"", True)
        self.steps = self.input_position = self.printed = self.out_length = 0
        self.hits = self.first_hit = self.last_hit = 0
        self.turn = self.last_id = self.tick = 0
        self.used = self.max_used = 0
        self.enlarge_plane = None
        self.reached = bytearray(REACHED_GROUPS)
        self.recording = self.reached_anywhere = False
        self.lost = self.ended = self.touched = self.watching = False
        self.filter_numbers = array("q", bytes(8 * MAX_FILTER_DEPTH))
        self.tallying = self.marking = False
        self.counts = self.latest = array("q", [0])
        self.page_x = self.page_y = self.page_width = self.page_height = 0
        self.flags = bytearray(1)
        self.flagged = None
        self.effort = self.version = self.far_version = 0
        self.sought = array("q", bytes(8 * _CACHED_SEARCHES))
        self.sought_version = array("q", bytes(8 * _CACHED_SEARCHES))
        self.found = array("q", bytes(8 * _CACHED_SEARCHES))
        self.work = self.step_work = self.cell_work = self.reserved = 0
        self.flight_work = self.path_work = 0
        self.max_work = max_work
        self.ip_stays = self.ip_died = self.off_edge = self.has_far_cells = False
        self.inside = self.found_x = self.found_y = self.last_x = self.last_y = 0
        self.exit_code = None
        self.states = {}
        self.random = _initial_random_state(seed)
        self.set_far({})
        self.ips = []
        self.last_ip = None
        self.slots = {}
        self.retry_after = 0
        self.unwatch()
        self.forget_step()

    def begin(self, pieces, width, height, far):
        """Load a program.

        pieces: the bytes of the window and of the ring of one cell around it, in order; None if the
        program needs more memory than the limit.  width, height: size of the window.  far: the
        cells outside the window.
        """
        if pieces is None or not self.charge(size_of_window(width, height) + FAR_COST * len(far)):
            width = height = 1  # nothing runs: see `run`
            pieces, far = (b" " * 9,), {}
            self.used = self.max_memory + 1
        code_of = bytes(self.code_of)
        size = (width + 2) * (height + 2)
        codes = bytearray(size)
        plane = [BLANK] * size if self.unbounded else array("q", (BLANK,)) * size
        at = 0
        for piece in pieces:
            codes[at : at + len(piece)] = piece.translate(code_of)
            for begin in range(0, len(piece), _PART_CELLS):
                part = piece[begin : begin + _PART_CELLS]
                plane[at : at + len(part)] = self.new_cells(part)
                at += len(part)
        self.set_plane(plane, codes, width, height)
        self.left = self.top = 0
        self.set_far(dict(far))
        self.next_absorb = 32
        self._mark_ring()
        self.low_x = self.low_y = 0
        self.high_x, self.high_y = width - 1, height - 1
        if not self.torus:
            self.bounds_loose = True
            self._tighten_bounds()
        ip = IP(0, self.new_cells(bytes(MIN_ROOM)))
        if not self.charge(IP_COST + STACK_COST + CELL_COST * MIN_ROOM):
            self.used = self.max_memory + 1
            self.max_used = self.max_memory
        self.ips = [ip]
        self.ip = ip
        self._resolve(ip)

    def set_plane(self, plane, codes, width, height):
        """Use ``plane`` as the cells of the window and ``codes`` as their codes.

        Both include the ring of one cell around the window; ``width`` and ``height`` do not.
        """
        self.plane = plane
        self.cells = plane
        self.plane_codes = codes if isinstance(codes, (bytearray, memoryview)) else bytearray(codes)
        self.codes = self.plane_codes
        self.width, self.height, self.stride = width, height, width + 2
        self.version += 1
        size = (width + 2) * (height + 2)
        blocks, groups = (size + 63) // 64, (size + 4095) // 4096
        self.row_blocks = bytearray((_STALE,)) * blocks
        self.row_groups = bytearray((_STALE,)) * groups
        self.column_blocks = bytearray((_STALE,)) * blocks
        self.column_groups = bytearray((_STALE,)) * groups

    def save_plane(self, copy):
        """Return a copy of the window, which ``restore_plane`` accepts as ``saved``.

        copy: a function that makes the copy; its arguments are a key, the cells, and their number.
        """
        return copy("plane", self.plane, len(self.plane))

    def restore_plane(self, saved, width, height, copy):
        """Replace the window by cells that ``save_plane`` returned, and compute their codes.

        saved: these cells.  copy: a function that copies saved cells to a buffer.
        """
        size: cython.Py_ssize_t = (width + 2) * (height + 2)
        at: cython.Py_ssize_t
        plane = [] if self.unbounded else array("q", (0,)) * size
        copy(saved, plane)
        self.set_plane(plane, bytearray(size), width, height)
        for at in range(size):
            self.codes[at] = self._code(self.cells[at])
        self._mark_ring()

    def set_far(self, far):
        """Use ``far`` as the cells outside the window."""
        self.outer = FarCells(far, self.new_cells(b""))
        self.far_version += 1
        self.far_rows = self.far_columns = None

    def save_far(self, copy):
        """Return the cells outside the window for ``load_far``; ``copy`` is as in ``save_plane``.

        The last three items are parts of a snapshot: the points of the cells and the two indexes,
        which may be None.
        """
        indexes = [index and index.save() for index in (self.far_rows, self.far_columns)]
        return (*self.outer.save(copy), *indexes)

    def load_far(self, saved, copy):
        """Restore the cells that ``save_far`` returned; ``copy`` copies saved cells to a buffer."""
        *cells, rows, columns = saved
        self.outer.load(cells, self.new_cells(b""), copy)
        self.far_version += 1
        self.far_rows, self.far_columns = load_index(rows), load_index(columns)

    def take_far(self, other):
        """Take the cells outside the window from ``other``, a core that must not be used later.

        The cells make ``load_far`` faster if many points have the same slots.
        """
        core: Core = other
        self.outer = core.outer
        core.set_far({})

    @property
    def far(self):
        """The cells outside the window that are not blank, by point."""
        return self.outer.items()

    def far_bounds(self):
        """Return the smallest x and y and the largest x and y of the cells outside the window."""
        x: cython.longlong
        y: cython.longlong
        low_x: cython.longlong = _SIGN_BIT - 1
        low_y: cython.longlong = _SIGN_BIT - 1
        high_x: cython.longlong = -_SIGN_BIT
        high_y: cython.longlong = -_SIGN_BIT
        for page in self.outer.slots.pages:
            for point in page:
                if point is not None:
                    x, y = point
                    low_x, high_x = min(low_x, x), max(high_x, x)
                    low_y, high_y = min(low_y, y), max(high_y, y)
        return low_x, low_y, high_x, high_y

    def copy_far(self, rectangle, left: cython.longlong, top: cython.longlong, width):
        """Write the cells outside the window to ``rectangle``, an array of cells row by row.

        left, top: the coordinates of its first cell.  width: the number of cells of a row.
        """
        x: cython.longlong
        y: cython.longlong
        columns: cython.longlong = width
        slot: cython.Py_ssize_t = 0
        cells: cython.longlong[::1] = rectangle
        for page in self.outer.slots.pages:
            for point in page:
                if point is not None:
                    x, y = point
                    cells[(y - top) * columns + x - left] = self.outer.cells[slot]
                slot += 1

    @property
    def far_count(self):
        """The number of cells outside the window that are not blank."""
        return self.outer.slots.count

    def new_cells(self, values):
        """Convert bytes to a buffer of cells."""
        if self.unbounded:
            return list(values)
        cells = array("q")
        cells.frombytes(bytes(8 * len(values)))
        low = 0 if byteorder == "little" else 7
        with memoryview(cells) as whole, whole.cast("B") as raw:
            raw[low::8] = values
        return cells

    def extend_buffer(self, buffer, size):
        """Append zeros to a stack's buffer, up to ``size`` cells; return it or its replacement."""
        if self.unbounded:
            _extend(buffer, size, [0])
            return buffer
        if size <= _PART_CELLS and not isinstance(
            buffer, memoryview
        ):  # the same result, but faster
            _extend(buffer, size, _NO_CELLS)
            return buffer
        unpaid = max(0, self.max_memory - self.used) // CELL_COST
        return extend_with_zeros(buffer, size, size + unpaid)

    def set_input(self, data, closed):
        """Set the whole input since step 0; a spare byte at its end keeps the buffer non-empty."""
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed

    def watch(
        self, marks, watched, slots, printable, output_index, every_read, every_step, scanning
    ):
        """Let ``run`` watch for the events that the arguments describe, until ``unwatch``.

        marks: points that an IP reaches.  watched: points of cells that are written.  slots:
        positions that are written, by the key of their stack.  printable: for each byte, whether
        printing it is a stop.  output_index: the index of an output byte, or -1.  every_read,
        every_step: whether every read and every step is a stop.  scanning: whether to count stops
        without stopping.
        """
        self.marks = marks
        self.watched = watched
        self.slots = slots
        self.flagged = None
        self.marking = False
        self.exact_puts = self.byte_cells or len(watched) > 0
        self.exact_prints = output_index >= 0 or any(printable)
        # After fast steps to a mark, the run reports the last one.
        self.recording_puts = len(marks) > 0 and not scanning
        self.retry_after = 0
        self.printable = printable
        self.output_index = output_index
        self.every_read = every_read
        self.every_step = every_step
        self.scanning = scanning
        self.hits = self.first_hit = self.last_hit = 0
        self.watching = True

    def unwatch(self):
        """Stop watching and run at full speed."""
        self.watching = self.marking = self.filtered = False
        self.exact_puts, self.exact_prints = self.byte_cells, False
        self.recording_puts = False
        self.floor, self.ceiling = 0, _NO_LEVEL

    def set_filter(self, code):
        """Ignore the stops at which the filter ``code`` evaluates to 0, until ``unwatch``."""
        self.filter = code
        self.filtered = True

    def begin_tally(self, counts, latest, page, beyond):
        """Start to count the steps at each cell and to record the last one, until ``end_tally``.

        page: left, top, width and height of the cells that ``counts`` and ``latest`` cover.
        beyond: count and last step of each other cell, by point.
        """
        self.counts = counts
        self.latest = latest
        self.page_x, self.page_y, self.page_width, self.page_height = page
        self.beyond = beyond
        self.tallying = True

    def end_tally(self):
        """Stop counting."""
        self.tallying = False

    @cython.cfunc
    def _count_step(self):
        """Count the step just executed at its cell."""
        at: cython.Py_ssize_t
        if (
            self.page_x <= self.last_x < self.page_x + self.page_width
            and self.page_y <= self.last_y < self.page_y + self.page_height
        ):
            at = (self.last_y - self.page_y) * self.page_width + self.last_x - self.page_x
            self.counts[at] += 1
            self.latest[at] = self.steps
        else:
            point = (self.last_x, self.last_y)
            self.beyond[point] = (self.beyond.get(point, (0, 0))[0] + 1, self.steps)

    def forget_step(self):
        """Discard the record of the last step."""
        self.last_writes = []
        self.last_printed = b""
        self.last_read = None
        self.child = None
        self.pushed_from = _NO_LEVEL
        self.under_from = self.under_to = 0

    def pushed(self):
        """Return the stack levels that the last step wrote, as ranges.

        Each range is the key of the stack, the lowest level, and the level above the highest one.

        Everything above the lowest value that the step pushed was pushed by it too, so the lowest
        level is enough.
        """
        ip: IP = self.last_ip
        found = []
        if ip is not None and self.pushed_from < ip.depth:
            found.append((ip.id * STACK_KEY_FACTOR + len(ip.below), self.pushed_from, ip.depth))
        if self.under_from < self.under_to:
            key = ip.id * STACK_KEY_FACTOR + len(ip.below) - 1
            found.append((key, self.under_from, self.under_to))
        if self.child is not None:
            ip = self.child
            for at, (_, depth) in enumerate(ip.below):
                found.append((ip.id * STACK_KEY_FACTOR + at, 0, depth))
            found.append((ip.id * STACK_KEY_FACTOR + len(ip.below), 0, ip.depth))
        return found

    def take_printed(self):
        """Return the bytes printed since the last call, and the step that printed each."""
        length = self.out_length
        self.out_length = 0
        return bytes(self.out[:length]), array("q", bytes(self.out_steps[:length]))

    def take_reads(self):
        """Return the step of every byte that was read since the last call."""
        reads = self.reads
        self.reads = array("q")
        return reads

    def take_reached(self):
        """Return and clear ``reached``, the record of executed cells; None if it is incomplete."""
        found = None if self.reached_anywhere else bytes(self.reached)
        self.reached = bytearray(REACHED_GROUPS)
        self.reached_anywhere = False
        return found

    def add_reached(self, groups):
        """Mark in ``reached`` the groups of cells that compiled code may have executed.

        groups: numbers of groups; a cell's group is its index modulo ``REACHED_GROUPS``.
        """
        group: cython.uint
        numbers: cython.uint[::1] = groups
        i: cython.Py_ssize_t
        for i in range(len(groups)):
            group = numbers[i]
            self.reached[group & (REACHED_GROUPS - 1)] = 1

    def trail(self):
        """Return the points executed last, the latest first."""
        return [
            (self.trail_x[n & (TRAIL_LENGTH - 1)], self.trail_y[n & (TRAIL_LENGTH - 1)])
            for n in range(self.steps - 1, max(-1, self.steps - 1 - TRAIL_LENGTH), -1)
        ]

    def set_trail(self, points):
        """Set the points executed last, as ``trail`` returns them; ``steps`` must be set before."""
        for back, (x, y) in enumerate(points):
            at = (self.steps - 1 - back) & (TRAIL_LENGTH - 1)
            self.trail_x[at] = x
            self.trail_y[at] = y

    # Methods for the rare instructions, which both builds execute in Python.

    def charge(self, size):
        """Count ``size`` more bytes as used; return False if this exceeds the memory limit."""
        if self.used + size > self.max_memory:
            return False
        self.used += size
        if self.used > self.max_used:
            self.max_used = self.used
        return True

    def get(self, x, y):
        """Return the value of a cell with any coordinates."""
        if not self.unbounded and not (-_SIGN_BIT <= x < _SIGN_BIT and -_SIGN_BIT <= y < _SIGN_BIT):
            return BLANK
        return self._get(x, y)

    def put(self, x, y, value):
        """Write a cell; return False if memory does not suffice."""
        return self._put(x, y, value)

    def put_far(self, numbers, values, left, top, width):
        """Write the cells with the given ``numbers`` in a rectangle of ``width`` columns.

        numbers: the numbers of the cells to write, counted from 0 at (left, top), row by row.
        values: the values of all cells of the rectangle, by number.
        """
        x: cython.longlong = left
        y: cython.longlong = top
        columns: cython.longlong = width
        listed: cython.uint[::1] = numbers
        cells: cython.longlong[::1] = values
        i: cython.Py_ssize_t
        at: cython.longlong
        for i in range(len(numbers)):
            at = listed[i]
            self._put(x + at % columns, y + at // columns, cells[at])

    def pop(self):
        """Pop the top value of TOSS; 0 if it is empty."""
        return self._pop(self.ip)

    def drop(self, count):
        """Drop up to ``count`` values from TOSS."""
        ip = self.ip
        count = min(count, ip.depth)
        if not cython.compiled and self.unbounded:
            self.used -= _sum_extra_bytes(ip.buffer[ip.depth - count : ip.depth])
        ip.depth -= count

    def push(self, value):
        """Push a value; ``reserve_room`` must have succeeded before."""
        self._push(self.ip, value)

    def set_stack(self, values):
        """Replace the cells of TOSS; ``reserve_room`` must have succeeded before."""
        ip = self.ip
        if not cython.compiled and self.unbounded:
            self.used += _sum_extra_bytes(values) - _sum_extra_bytes(ip.buffer[: ip.depth])
            self.max_used = max(self.max_used, self.used)
        ip.depth = len(values)
        if values:
            ip.buffer[: ip.depth] = values if self.unbounded else array("q", values)
        self.pushed_from = 0

    def reserve_room(self, count):
        """Make room for ``count`` more cells on TOSS; return False if memory does not suffice."""
        return self._ensure_room(self.ip, count)

    def add_work(self, charge):
        """Charge work to the current step; return False if that would exceed ``max_work``."""
        if charge > self.max_work - self.work - self.step_work:
            return False
        self.step_work += charge
        return True

    def add_cell_work(self, units):
        """Add work on cells to the current step, and charge what exceeds ``FREE_WORK``.

        Returns False if the limit does not allow it.
        """
        free = max(0, FREE_WORK - self.cell_work)
        self.cell_work += units
        return units <= free or self.add_work(units - free)

    def _add_cell_work_at_least(self, units):
        """Raise the step's work on cells to at least ``units``.

        Returns False if the limit does not allow it.
        """
        return self.add_cell_work(max(0, units - self.cell_work))

    def wrap(self, value):
        """Return the value that a cell stores for a number of any size."""
        return value if self.unbounded else ((value + _SIGN_BIT) & _WORD_MASK) - _SIGN_BIT

    def reflect(self):
        """Reverse the delta of the IP."""
        self.ip.dx, self.ip.dy = self.wrap(-self.ip.dx), self.wrap(-self.ip.dy)

    def print_bytes(self, data):
        """Print bytes; return BUDGET on success, otherwise the reason why not all were printed."""
        return self._print(data)

    def read_ahead(self):
        """Return the unread input."""
        return bytes(self.stdin[self.input_position : self.input_length])

    def consume(self, data):
        """Consume ``data``, which must be the next bytes of the input."""
        self._consume(data)

    def after(self, x, y, dx, dy):
        """Return the cell after one move from (x, y)."""
        self._move(x, y, dx, dy)
        return self.found_x, self.found_y

    def move_ip(self):
        """Move the IP by one delta, as ``#`` does."""
        ip = self.ip
        self._move(ip.x, ip.y, ip.dx, ip.dy)
        ip.x, ip.y = self.found_x, self.found_y

    def line(self, axis, index, limit):
        """Return x, y and value of the cells in a row (``axis`` 0) or column, except spaces.

        If there are more than ``limit`` cells, the result has at least ``limit`` + 1.
        """
        found = []
        if self.outer.slots.count:
            order = self._far_index(axis)
            found = [(*point, self.outer.value(point)) for point in order.line(index)]
        d: cython.Py_ssize_t = self.stride if axis else 1
        i: cython.Py_ssize_t
        i = self._index(index, self.top) if axis else self._index(self.left, index)
        if i < 0:
            return found
        i = _search_line(self, i, d, _NONBLANK, 0) >> 1
        while self.codes[i] != EDGE and len(found) <= limit:
            x = i % self.stride - 1 + self.left
            y = i // self.stride - 1 + self.top
            found.append((x, y, self.cells[i]))
            i = _search_line(self, i + d, d, _NONBLANK, 0) >> 1
        return sorted(found)

    def draw_random(self):
        """Return a random number of 64 bits."""
        return self._draw_random_state()

    def tighten_bounds(self):
        """Shrink the bounds to the smallest rectangle that contains all nonblank cells."""
        self._tighten_bounds()

    def resolve(self):
        """Move the active IP to its next instruction, after code other than ``run`` changed it."""
        self._resolve(self.ip)

    # Runs.

    def run(self, limit: cython.longlong) -> cython.int:
        """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason."""
        reason: cython.int
        before: cython.longlong
        ip: IP
        while True:
            if self.ended:
                return ENDED
            if self.steps >= limit:
                return BUDGET
            if self.used > self.max_memory:
                return MEMORY_FULL
            ip = self.ip
            if (
                not self.unbounded
                and not self.lost
                and self.path_work == 0  # otherwise the next step is charged
                and len(self.ips) == 1
                and len(ip.repeats) == 0
                and ip.modes == 0
                and self._can_run_fast(ip)
                and (not self.watching or self._prepare_fast_run(ip))
            ):
                self.has_far_cells = self.outer.slots.count > 0
                before = self.steps
                with cython.nogil:
                    if not _run_fast(self, ip, limit):
                        self.retry_after = _RETRY_STEPS
                if self.off_edge:
                    self._move(ip.x, ip.y, ip.dx, ip.dy)
                    ip.x, ip.y = self.found_x, self.found_y
                self._resolve(ip)
                if self.marking and self.steps > before:
                    if self._count_mark() and not self.scanning:
                        self._report_fast_step(ip)
                        return STOP
                    if self.steps - before < _RETRY_STEPS and not self.filtered:
                        self.retry_after = _RETRY_STEPS
                if self.steps >= limit:
                    return BUDGET
            reason = self._run_exact()
            if reason != BUDGET:
                return reason
            self.effort += 1
            if self.effort > _PAUSE_STEPS:
                self.effort = 0
                return PAUSE

    @cython.cfunc
    def _can_run_fast(self, ip: IP) -> cython.bint:
        """Return whether ``_run_fast`` supports the movement of this IP."""
        if not (
            (ip.dy == 0 and (ip.dx == 1 or ip.dx == -1))
            or (ip.dx == 0 and (ip.dy == 1 or ip.dy == -1))
        ):
            return False
        return (
            self.left <= ip.x < self.left + self.width and self.top <= ip.y < self.top + self.height
        )

    @cython.cfunc
    def _prepare_fast_run(self, ip: IP) -> cython.bint:
        """Return whether ``_run_fast`` can run while stops are watched, and prepare its run.

        Sets ``floor`` and ``ceiling``, limits for the depth of TOSS (the top of the stack stack).
        ``_run_fast`` returns at these limits, where it would reach a watched position of the stack,
        and at marks.  A run that starts below the lowest watched position stays below it, and one
        that starts above the highest stays above it.
        """
        if self.every_step:
            return False
        if self.retry_after > 0:
            self.retry_after -= 1
            return False
        if self.marks:
            self._set_flags()
        self.put_step = -1
        self.floor, self.ceiling = 0, _NO_LEVEL
        levels = self.slots.get(ip.id * STACK_KEY_FACTOR + len(ip.below)) if self.slots else None
        if not levels:
            return True
        if ip.depth > max(levels):
            self.floor = max(levels) + 1
            return True
        self.ceiling = min(levels)
        return ip.depth <= self.ceiling

    @cython.cfunc
    def _set_flags(self):
        """Set ``flags``: 1 for each cell of the window whose position is in ``marks``, else 0."""
        window = (self.left, self.top, self.width, self.height)
        self.marking = True
        if self.flagged == window:
            return
        flags = bytearray(self.stride * (self.height + 2))
        for x, y in self.marks:
            if 0 <= x - self.left < self.width and 0 <= y - self.top < self.height:
                flags[(y - self.top + 1) * self.stride + x - self.left + 1] = 1
        self.flags = flags
        self.flagged = window

    @cython.cfunc
    def _count_mark(self) -> cython.bint:
        """After fast steps, count a hit if the IP is at a marked cell and the filter passes.

        Return whether a hit was counted.
        """
        if self.lost or (self.ip.x, self.ip.y) not in self.marks or not self._filter_passes():
            return False
        self._count_hit()
        return True

    @cython.cfunc
    def _report_fast_step(self, ip: IP):
        """Record the effects of the last fast step in the same way as ``_run_exact``."""
        op: cython.int
        value: cython.longlong
        self.forget_step()
        self.last_ip = ip
        self.last_x = self.trail_x[(self.steps - 1) & (TRAIL_LENGTH - 1)]
        self.last_y = self.trail_y[(self.steps - 1) & (TRAIL_LENGTH - 1)]
        if self.put_step == self.steps:  # it may have overwritten itself
            value = self._get(self.put_x, self.put_y)
            self.last_writes.append((self.put_x, self.put_y, self.put_old, value))
            return
        value = self._get(self.last_x, self.last_y)
        if value == 34:
            return
        op = self._code(value)
        if op == 44 and not ip.in_string:  # ,
            self.last_printed = bytes((self.out[self.out_length - 1],))
        elif ip.in_string or op < 16 or op in _PUSHING_OPS:
            self.pushed_from = ip.depth - 1
        elif op == 92:  # \
            self.pushed_from = ip.depth - 2

    @cython.cfunc
    def _count_hit(self):
        self.hits += 1
        self.last_hit = self.steps
        if self.hits == 1:
            self.first_hit = self.steps

    @cython.cfunc
    def _run_exact(self) -> cython.int:
        """Execute one step; return BUDGET, or the reason why the run must stop.

        A step that cannot be executed leaves the state of the program unchanged.
        """
        ip: IP = self.ip
        value: cython.longlong
        at: cython.Py_ssize_t = len(ip.repeats) - 1
        reason: cython.int
        if self.lost:
            return LOST
        if self.watching:
            self.forget_step()
            self.last_ip = ip
        if not cython.compiled and self.unbounded and self._is_out_of_range(ip):
            return MEMORY_FULL
        self.last_x = ip.x
        self.last_y = ip.y
        self.ip_stays = self.ip_died = False
        self.step_work = self.cell_work = 0
        if self.path_work and not self.add_cell_work(self.path_work):
            return WORK_FULL
        value = ip.repeats[at][1] if at >= 0 else self._get(ip.x, ip.y)
        if ip.in_string:
            if value == 34:
                ip.in_string = False
            else:
                if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                    return MEMORY_FULL
                if not cython.compiled and self.unbounded and not self._can_copy(value):
                    return MEMORY_FULL
                if ip.modes & INVERT:
                    if ip.depth > MAX_SHIFTED:
                        return MEMORY_FULL
                    if not self.add_cell_work(SHIFT_WORK * ip.depth):
                        return WORK_FULL
                self._push(ip, value)
                if ip.modes & INVERT:
                    self._move_top_to_bottom(ip, 1)
                ip.after_space = self.sgml and value == BLANK
        else:
            if ip.modes == 0:
                reason = self._execute(ip, value)
            else:
                reason = self._execute_in_modes(ip, value)
            if reason != BUDGET:
                return reason
        if at >= 0:
            count = ip.repeats[at][0]
            if count == 1:
                del ip.repeats[at]
                self.used -= REPEAT_COST
            else:
                ip.repeats[at] = (count - 1, value)
        if self.recording:
            self._record_cell()
        self.trail_x[self.steps & (TRAIL_LENGTH - 1)] = self.last_x
        self.trail_y[self.steps & (TRAIL_LENGTH - 1)] = self.last_y
        self.steps += 1
        if self.step_work:
            self.work += self.step_work
            self.effort += self.step_work >> 7
        if self.tallying:
            self._count_step()
        if self.ip_died or len(ip.repeats) == 0:
            self._activate_next_ip(ip)
        if self.watching:
            return self._stop_applies()
        return BUDGET

    @cython.cfunc
    def _record_cell(self):
        at: cython.Py_ssize_t = self._index(self.last_x, self.last_y)
        if at >= 0:
            self.reached[at & (REACHED_GROUPS - 1)] = 1
        else:
            self.reached_anywhere = True

    @cython.cfunc
    def _activate_next_ip(self, ip: IP):
        """Move the IP, and make the next one active."""
        if self.ended:
            return
        if self.ip_died:
            self._release_ip(ip)
            if len(self.ips) == 0:
                self.ended = True
                self.ips = [ip]  # for viewers of the final state
                return
        else:
            if not self.ip_stays:
                self._move(ip.x, ip.y, ip.dx, ip.dy)
                ip.x, ip.y = self.found_x, self.found_y
            self.turn += 1
        if self.turn >= len(self.ips):
            self.turn = 0
            self.tick += 1
        self.ip = self.ips[self.turn]
        self._resolve(self.ip)

    @cython.cfunc
    def _release_ip(self, ip: IP):
        """Release the memory of an IP; the last IP remains for display."""
        del self.ips[self.turn]
        if len(self.ips) == 0:
            return
        self.used -= IP_COST + STACK_COST + CELL_COST * ip.room + REPEAT_COST * len(ip.repeats)
        self.used -= MEANING_COST * _meaning_count(ip) + _state_costs(ip)
        if not cython.compiled and self.unbounded:
            self.used -= _sum_extra_bytes(ip.buffer[: ip.depth])
        for buffer, depth in ip.below:
            self.used -= STACK_COST + CELL_COST * len(buffer)
            if not cython.compiled and self.unbounded:
                self.used -= _sum_extra_bytes(buffer[:depth])

    @cython.cfunc
    def _stop_applies(self) -> cython.int:
        """Return STOP if the run must stop after the last step, otherwise BUDGET.

        If a stop applies, count a hit; while scanning, hits are only counted.
        """
        hit: cython.bint = self.every_step
        if not hit and not self.lost and not self.ended and self.marks:
            hit = (self.ip.x, self.ip.y) in self.marks
        if not hit and self.last_printed:
            first = self.printed - len(self.last_printed)
            hit = first <= self.output_index < self.printed
            for byte in self.last_printed:
                if self.printable[byte]:
                    hit = True
        if not hit and self.every_read and self.last_read is not None:
            hit = True
        if not hit and self.watched:
            for x, y, _, _ in self.last_writes:
                if (x, y) in self.watched:
                    hit = True
                    break
        if not hit and self.slots:
            hit = self._pushed_to_watched()
        if hit and self._filter_passes():
            self._count_hit()
            if not self.scanning:
                return STOP
        return BUDGET

    @cython.cfunc
    def _filter_passes(self) -> cython.bint:
        """Return whether a stop counts: there is no filter, or it does not reject the stop.

        A filter is a condition for stops; see :mod:`esolangs.filters`.
        """
        at: cython.Py_ssize_t
        if not self.filtered:
            return True
        at = run_filter(self.filter, self.filter_numbers, 0)
        while at >= 0:
            if not self._load_filter_value(
                self.filter[at], self.filter[at + 1], self.filter[at + 2]
            ):
                return True
            at = run_filter(self.filter, self.filter_numbers, at + 3)
        return at == FILTER_PASSES

    @cython.cfunc
    def _load_filter_value(
        self, operation: cython.longlong, argument: cython.longlong, to: cython.Py_ssize_t
    ) -> cython.bint:
        """Load a register, cell or stack value into entry ``to`` of the filter's numbers.

        operation, argument: what to load.  The coordinates of a cell or the index of a stack entry
        are in the numbers from ``to`` on.  Returns False if the value exceeds 64 bits, or is too
        deep in the stack.
        """
        ip: IP = self.ip
        number: cython.longlong
        level: cython.longlong
        if operation == FILTER_REGISTER:
            if argument == _REPEATS_REGISTER:
                total = sum([count for count, _ in ip.repeats])
                if total >= _SIGN_BIT:
                    return False
                number = total
            else:
                number = self._register_value(argument)
        elif operation == FILTER_POINT:
            number = self._get(self.filter_numbers[to], self.filter_numbers[to + 1])
        else:
            level = self.filter_numbers[to]
            if level < 0:
                level += ip.depth
            number = 0
            if 0 <= level < ip.depth:
                if ip.depth - level > MAX_FILTER_LEVELS:
                    return False
                number = ip.toss[level]
        if not cython.compiled and not -_SIGN_BIT <= number < _SIGN_BIT:
            return False
        self.filter_numbers[to] = number
        return True

    @cython.cfunc
    def _register_value(self, number: cython.longlong) -> cython.longlong:
        """Return the value of register ``number`` of ``BefungeProgram.filter_names``."""
        ip: IP = self.ip
        if number == 0:
            return self.steps
        if number == 1:
            return self.printed
        if number == 2:
            return ip.x
        if number == 3:
            return ip.y
        if number == 4:
            return ip.dx
        if number == 5:
            return ip.dy
        if number == 6:
            return ip.ox
        if number == 7:
            return ip.oy
        if number == 8:
            return ip.toss[ip.depth - 1] if ip.depth else 0
        if number == 9:
            return ip.depth
        if number == 10:
            return len(ip.below) + 1
        if number == 11:
            return ip.in_string
        if number == 12:
            return ip.id
        if number == 13:
            return 0 if self.ended and self.exit_code is None else len(self.ips)
        return self.tick

    @cython.cfunc
    def _pushed_to_watched(self) -> cython.bint:
        """Return whether the step wrote to a watched position of a stack."""
        ip: IP = self.last_ip
        level: cython.Py_ssize_t
        if self.pushed_from < ip.depth:
            levels = self.slots.get(ip.id * STACK_KEY_FACTOR + len(ip.below))
            if levels is not None:
                for level in levels:
                    if self.pushed_from <= level < ip.depth:
                        return True
        if self.under_from < self.under_to or self.child is not None:
            for key, first, end in self.pushed():
                for level in self.slots.get(key, ()):
                    if first <= level < end:
                        return True
        return False

    @cython.cfunc
    def _execute(self, ip: IP, value: cython.longlong) -> cython.int:
        """Execute one instruction of the IP, including moves that it causes, such as a jump."""
        op: cython.int = self._code(value)
        a: cython.longlong
        b: cython.longlong
        c: cython.longlong
        n: cython.longlong
        if self.strict and ip.depth < OPERAND_COUNTS[op]:
            return UNDERFLOW
        if not cython.compiled and self.unbounded:
            reason = self._check_budget(ip, op)
            if reason != BUDGET:
                return reason
        if op < UNKNOWN:
            if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                return MEMORY_FULL
            self._push(ip, op)
        elif op == 43:  # +
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, self._sum(a, b))
        elif op == 45:  # -
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, self._difference(a, b))
        elif op == 42:  # *
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, self._product(a, b))
        elif op == 47 or op == 37:  # / %
            if self.zero_fault and (ip.depth == 0 or ip.toss[ip.depth - 1] == 0):
                return ZERO_DIVISION
            b = self._pop(ip)
            a = self._pop(ip)
            if b == 0:
                c = 0
            elif op == 47:
                c = self._quotient(a, b)
            else:
                c = self._remainder(a, b)
            self._push(ip, c)
        elif op == 33:  # !
            a = self._pop(ip)
            self._push(ip, 1 if a == 0 else 0)
        elif op == 96:  # `
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, 1 if a > b else 0)
        elif op == 62:  # >
            ip.dx, ip.dy = 1, 0
        elif op == 60:  # <
            ip.dx, ip.dy = -1, 0
        elif op == 94:  # ^
            ip.dx, ip.dy = 0, -1
        elif op == 118:  # v
            ip.dx, ip.dy = 0, 1
        elif op == 95:  # _
            a = self._pop(ip)
            ip.dx, ip.dy = (1 if a == 0 else -1), 0
        elif op == 124:  # |
            a = self._pop(ip)
            ip.dx, ip.dy = 0, (1 if a == 0 else -1)
        elif op == 58:  # :
            if ip.depth == 0:
                if not self.strict:
                    self._push(ip, 0)
                self._push(ip, 0)
            else:
                if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                    return MEMORY_FULL
                self._push(ip, ip.toss[ip.depth - 1])
        elif op == 92:  # \
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, b)
            self._push(ip, a)
        elif op == 36:  # $
            self._pop(ip)
        elif op == 35:  # #
            self._move(ip.x, ip.y, ip.dx, ip.dy)
            ip.x, ip.y = self.found_x, self.found_y
        elif op == 34:  # "
            ip.in_string = True
            ip.after_space = False
        elif op == 103:  # g
            b = self._pop(ip)
            a = self._pop(ip)
            self._push(ip, self._get(self._sum(a, ip.ox), self._sum(b, ip.oy)))
        elif op == 112:  # p
            if not self._execute_put(ip):
                return MEMORY_FULL
        elif op == 44:  # ,
            a = ip.toss[ip.depth - 1] if ip.depth else 0
            reason = self._print(bytes((a & 255,)))
            if reason != BUDGET:
                return reason
            self._pop(ip)
        elif op == 46:  # .
            number = ip.toss[ip.depth - 1] if ip.depth else 0
            if not cython.compiled and self.unbounded:
                if not self.add_work(work.of_printing(number)):
                    return WORK_FULL
            reason = self._print(decimal(number) + b" ")
            if reason != BUDGET:
                return reason
            self._pop(ip)
        elif op == 126:  # ~
            return self._read_byte(ip)
        elif op == 38:  # &
            return self._read_number(ip)
        elif op == 63:  # ?
            n = self._draw_random_state() >> 62
            ip.dx = 1 if n == 0 else -1 if n == 1 else 0
            ip.dy = 1 if n == 2 else -1 if n == 3 else 0
        elif op == 64:  # @
            if len(self.ips) > 1:
                if not cython.compiled and self.unbounded:
                    if not self.add_cell_work(SIZE_WORK * _stack_cell_count(ip)):
                        return WORK_FULL
                if not self.add_work(_freeing_work(ip)):
                    return WORK_FULL
            self.ip_died = True
        elif op == 113:  # q
            self.exit_code = self._pop(ip)
            self.ended = True
        elif op == 91:  # [
            a = ip.dx
            ip.dx, ip.dy = ip.dy, self._difference(0, a)
        elif op == 93:  # ]
            a = ip.dx
            ip.dx, ip.dy = self._difference(0, ip.dy), a
        elif op == 114:  # r
            self._reverse(ip)
        elif op == 119:  # w
            b = self._pop(ip)
            a = self._pop(ip)
            if a < b:
                c = ip.dx
                ip.dx, ip.dy = ip.dy, self._difference(0, c)
            elif a > b:
                c = ip.dx
                ip.dx, ip.dy = self._difference(0, ip.dy), c
        elif op == 120:  # x
            b = self._pop(ip)
            ip.dx, ip.dy = self._pop(ip), b
        elif op == 106:  # j
            self._jump(ip, self._pop(ip))
        elif op == 107:  # k
            return self._repeat(ip)
        elif op == 110:  # n
            if not cython.compiled and self.unbounded:
                if not self.add_cell_work(SIZE_WORK * ip.depth):
                    return WORK_FULL
                self.used -= _sum_extra_bytes(ip.buffer[: ip.depth])
            ip.depth = 0
        elif op == 39:  # '
            if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                return MEMORY_FULL
            self._move(ip.x, ip.y, ip.dx, ip.dy)
            a = self._get(self.found_x, self.found_y)
            if not cython.compiled and self.unbounded and not self._can_copy(a):
                return MEMORY_FULL
            ip.x, ip.y = self.found_x, self.found_y
            self._push(ip, a)
        elif op == 115:  # s: "(position + delta)", so past an edge, without wrapping around
            a, b = self._sum(ip.x, ip.dx), self._sum(ip.y, ip.dy)
            if self.torus:
                self._move(ip.x, ip.y, ip.dx, ip.dy)
                a, b = self.found_x, self.found_y
            c = ip.toss[ip.depth - 1] if ip.depth else 0
            if not self._put(a, b, c & 255 if self.byte_cells else c):
                return MEMORY_FULL
            self._pop(ip)
            ip.x, ip.y = a, b
        elif op == 122:  # z
            pass
        elif op == 116:  # t
            return self._split(ip)
        elif op == 123:  # {
            return self._begin_block(ip)
        elif op == 125:  # }
            return self._end_block(ip)
        elif op == 117:  # u
            return self._move_between_stacks(ip)
        elif (
            op == 121
            or op == 40
            or op == 41
            or op == 105
            or op == 111
            or (65 <= op <= 90 and ip.semantics.get(op))
        ):  # y ( ) i o
            return self.extras(self, ip, op)
        elif self.unknown == FAULT:
            return NO_INSTRUCTION
        elif self.unknown != IGNORE:
            self._reverse(ip)
        return BUDGET

    @cython.cfunc
    def _execute_in_modes(self, ip: IP, value: cython.longlong) -> cython.int:
        """Execute an instruction for an IP with active modes of fingerprint MODE or IMAP."""
        modes: cython.int = ip.modes
        op: cython.int
        taken: cython.Py_ssize_t = 0
        depth: cython.Py_ssize_t = ip.depth
        if modes & MAPPED and 0 <= value < 256:
            meant = ip.states["IMAP"][0][value]
            if meant is not None:
                value = meant
        op = self._code(value)
        if op == SPACE or op == 59:  # mapped to a character that is skipped before an instruction
            return BUDGET
        if modes & (INVERT | QUEUE):
            if depth > MAX_SHIFTED:
                return MEMORY_FULL
            if not self.add_cell_work(SHIFT_WORK * depth):
                return WORK_FULL
            self.effort += depth >> 6
            self.pushed_from = _NO_LEVEL
            # Without a block, } and u reflect and pop nothing.
            reflects = len(ip.below) == 0 and (op == 125 or op == 117)
            if modes & QUEUE and not reflects and not _is_extra(op):
                taken = min(depth, 1 if op == 58 else OPERAND_COUNTS[op])
                if taken > 0:
                    self._move_bottom_to_top(ip, taken)
        dx, dy = ip.dx, ip.dy
        reason = self._execute(ip, value)
        if reason != BUDGET:
            if taken > 0:
                self._move_top_to_bottom(ip, taken)
            return reason
        if modes & HOVER and op in _ARROWS:
            ip.dx, ip.dy = self._sum(dx, ip.dx), self._sum(dy, ip.dy)
        if modes & SWITCH and op in _PAIRS and self._get(ip.x, ip.y) == op:
            self._put(ip.x, ip.y, _PAIRS[op])
        if modes & INVERT and op not in _BLOCKS and not _is_extra(op):
            if op == 58 and depth > 0:
                self.pushed_from = depth - 1  # it pops the value and pushes it twice
            if self.pushed_from < ip.depth:
                self._move_top_to_bottom(ip, ip.depth - self.pushed_from)
        if taken > 0:
            self._record_shift(op)
        return BUDGET

    @cython.cfunc
    def _move_bottom_to_top(self, ip: IP, count: cython.Py_ssize_t):
        """Move the lowest cells of TOSS to its top; the lowest becomes the uppermost."""
        cells = _stack_slice(ip.buffer, 0, count)
        cells.reverse()
        if ip.depth > count:
            ip.buffer[: ip.depth - count] = ip.buffer[count : ip.depth]
        ip.buffer[ip.depth - count : ip.depth] = cells

    @cython.cfunc
    def _move_top_to_bottom(self, ip: IP, count: cython.Py_ssize_t):
        """Move the top cells of TOSS to its bottom; the uppermost becomes the lowest."""
        cells = _stack_slice(ip.buffer, ip.depth - count, ip.depth)
        cells.reverse()
        if ip.depth > count:
            ip.buffer[count : ip.depth] = ip.buffer[: ip.depth - count]
        ip.buffer[:count] = cells
        self.pushed_from = 0

    @cython.cfunc
    def _record_shift(self, op: cython.int):
        """Record that all values of a stack moved, because values were taken from its bottom."""
        if op == 123:  # the stack is now below the top one
            self.under_from = 0
        elif op != 125:
            self.pushed_from = 0

    @cython.cfunc
    def _reverse(self, ip: IP):
        ip.dx, ip.dy = self._difference(0, ip.dx), self._difference(0, ip.dy)

    @cython.cfunc
    def _execute_put(self, ip: IP) -> cython.bint:
        """Execute ``p``; pop nothing if memory does not suffice."""
        depth: cython.Py_ssize_t = ip.depth
        y = ip.toss[depth - 1] if depth > 0 else 0
        x = ip.toss[depth - 2] if depth > 1 else 0
        value = ip.toss[depth - 3] if depth > 2 else 0
        if self.byte_cells:
            value &= 255
        if not self._put(self._sum(x, ip.ox), self._sum(y, ip.oy), value):
            return False
        self._pop(ip)
        self._pop(ip)
        self._pop(ip)
        return True

    @cython.cfunc
    def _jump(self, ip: IP, count: cython.longlong):
        """Execute ``j``: one long move; then the IP moves as usual, so that ``1j`` equals ``#``."""
        if self.torus:
            self.found_x = (ip.x + int(count) * ip.dx) % self.width
            self.found_y = (ip.y + int(count) * ip.dy) % self.height
        else:
            if self.bounds_loose:
                self._tighten_bounds()
            self._move_far(ip.x, ip.y, ip.dx, ip.dy, int(count))
        ip.x, ip.y = self.found_x, self.found_y

    @cython.cfunc
    def _repeat(self, ip: IP) -> cython.int:
        """Execute ``k``: repeat the next instruction on the path, at the position of the ``k``."""
        count = ip.toss[ip.depth - 1] if ip.depth else 0
        self._move(ip.x, ip.y, ip.dx, ip.dy)
        if not self._find(self.found_x, self.found_y, ip.dx, ip.dy, _INSTRUCTION):
            return LOST
        if self.flight_work and not self.add_cell_work(self.flight_work):
            return WORK_FULL
        if count < 0:
            self._pop(ip)
            self._reverse(ip)
            return BUDGET
        if count == 0:
            self._pop(ip)
            ip.x, ip.y = self.found_x, self.found_y
            return BUDGET
        if not self.charge(REPEAT_COST):
            return MEMORY_FULL
        self._pop(ip)
        ip.repeats.append((count, self._get(self.found_x, self.found_y)))
        return BUDGET

    @cython.cfunc
    def _split(self, ip: IP) -> cython.int:
        """Execute ``t``: create an IP with the opposite delta, and move it once."""
        child: IP
        room: cython.Py_ssize_t = min(ip.room, _doubled_capacity(MIN_ROOM, ip.depth))
        meanings = _meaning_count(ip)
        units = MOVE_WORK * len(ip.below) + COPY_WORK * meanings
        units += (SIZE_WORK if self.unbounded else COPY_WORK) * _stack_cell_count(ip)
        if not self.add_cell_work(units):
            return WORK_FULL
        size = IP_COST + STACK_COST + CELL_COST * room
        size += MEANING_COST * meanings + _state_costs(ip)
        for buffer, depth in ip.below:
            size += STACK_COST + CELL_COST * min(len(buffer), _doubled_capacity(MIN_ROOM, depth))
        if not cython.compiled and self.unbounded:
            size += _sum_extra_bytes(ip.buffer[: ip.depth])
            for buffer, depth in ip.below:
                size += _sum_extra_bytes(buffer[:depth])
        if not self.charge(size):
            return MEMORY_FULL
        self.last_id += 1
        child = IP(self.last_id, self._copy_stack(ip.buffer, room))
        child.depth = ip.depth
        child.below = [
            (self._copy_stack(buffer, min(len(buffer), _doubled_capacity(MIN_ROOM, depth))), depth)
            for buffer, depth in ip.below
        ]
        child.dx, child.dy = self._difference(0, ip.dx), self._difference(0, ip.dy)
        child.ox, child.oy = ip.ox, ip.oy
        child.after_space = ip.after_space
        child.modes = ip.modes
        child.semantics = {letter: names[:] for letter, names in ip.semantics.items()}
        child.states = dict(ip.states)
        self._move(ip.x, ip.y, child.dx, child.dy)
        child.x, child.y = self.found_x, self.found_y
        # "executed for the first time before the parent IP is next executed"
        self.ips.insert(self.turn, child)
        self.turn += 1
        self.child = child
        return BUDGET

    def _copy_stack(self, buffer, room):
        """Return the first ``room`` cells of a stack in a new buffer."""
        if room <= _PART_CELLS:
            return _stack_slice(buffer, 0, room)
        copy = self.extend_buffer(self.new_cells(b""), room)
        _copy_cells(buffer, 0, room, copy, 0)
        return copy

    @cython.cfunc
    def _begin_block(self, ip: IP) -> cython.int:
        """Execute ``{``: move cells to a new stack, which becomes TOSS; set the storage offset."""
        count = ip.toss[ip.depth - 1] if ip.depth else 0
        depth: cython.Py_ssize_t = max(0, ip.depth - 1)  # of the old stack, the count gone
        moved = max(0, count)
        zeros = 2 if count >= 0 else 2 - int(count)
        kept: cython.Py_ssize_t = max(0, depth - moved)
        # Check the limit first, so that a huge count is not executed only to fail.
        if CELL_COST * (moved + kept + zeros) > self.max_memory:
            return MEMORY_FULL
        if not self.add_cell_work(COPY_WORK * (moved + zeros - 2)):
            return WORK_FULL
        room = max(MIN_ROOM, moved)
        cost = STACK_COST + CELL_COST * room
        if kept + zeros > ip.room:
            cost += CELL_COST * (self._grown_capacity(ip, kept + zeros) - ip.room)
        if not self.charge(cost):
            return MEMORY_FULL
        if not cython.compiled and self.unbounded and ip.depth:
            self.used -= _extra_bytes(ip.toss[ip.depth - 1])
        toss = self.extend_buffer(self.new_cells(b""), room)
        taken: cython.Py_ssize_t = depth - kept
        _copy_cells(ip.buffer, kept, depth, toss, moved - taken)
        soss = ip.buffer
        ip.toss = _NO_CELLS  # a buffer that is in use cannot be resized
        if kept + zeros > ip.room:
            soss = self.extend_buffer(soss, self._grown_capacity(ip, kept + zeros))
        padding = zeros - 2
        _clear_cells(soss, kept, kept + padding)
        soss[kept + padding] = ip.ox
        soss[kept + padding + 1] = ip.oy
        ip.below.append((soss, kept + zeros))
        ip.set_toss(toss, moved)
        self._move(ip.x, ip.y, ip.dx, ip.dy)
        ip.ox, ip.oy = self.found_x, self.found_y
        self.pushed_from = 0
        self.under_from, self.under_to = kept, kept + zeros
        return BUDGET

    @cython.cfunc
    def _end_block(self, ip: IP) -> cython.int:
        """Execute ``}``: remove TOSS, and move its top cells to the stack below."""
        if len(ip.below) == 0:
            self._reverse(ip)
            return BUDGET
        count = ip.toss[ip.depth - 1] if ip.depth else 0
        depth: cython.Py_ssize_t = max(0, ip.depth - 1)
        soss, soss_depth = ip.below[len(ip.below) - 1]
        moved = max(0, count)
        base: cython.Py_ssize_t = max(0, soss_depth - 2)  # where the storage offset was
        if count < 0:
            base = max(0, base + count)
        if CELL_COST * (base + moved) > self.max_memory:
            return MEMORY_FULL
        units = COPY_WORK * moved
        if self.unbounded:
            units += SIZE_WORK * (ip.depth + soss_depth - base)
        if not self.add_cell_work(units) or not self.add_work(max(0, ip.room - FREE_ROOM) >> 2):
            return WORK_FULL
        room = len(soss)
        freed = STACK_COST + CELL_COST * ip.room
        if base + moved > room:
            room = _doubled_capacity(room, base + moved)
            if self.used - freed + CELL_COST * (room - len(soss)) > self.max_memory:
                return MEMORY_FULL
        oy = soss[soss_depth - 1] if soss_depth > 0 else 0
        ox = soss[soss_depth - 2] if soss_depth > 1 else 0
        if not cython.compiled and self.unbounded:
            taken_now = ip.buffer[max(0, depth - moved) : depth]
            freed += _sum_extra_bytes(ip.buffer[: ip.depth]) - _sum_extra_bytes(taken_now)
            freed += _sum_extra_bytes(soss[base:soss_depth])
        self.used -= freed
        self.charge(CELL_COST * (room - len(soss)))
        ip.below.pop()
        soss = self.extend_buffer(soss, room)
        taken: cython.Py_ssize_t = min(moved, depth)
        zeros: cython.Py_ssize_t = moved - taken
        _clear_cells(soss, base, base + zeros)
        _copy_cells(ip.buffer, depth - taken, depth, soss, base + zeros)
        ip.ox, ip.oy = ox, oy
        ip.set_toss(soss, base + moved)
        self.pushed_from = base
        return BUDGET

    @cython.cfunc
    def _move_between_stacks(self, ip: IP) -> cython.int:
        """Execute ``u``: move cells from SOSS to TOSS, or back if the count is negative."""
        if len(ip.below) == 0:
            self._reverse(ip)
            return BUDGET
        count = ip.toss[ip.depth - 1] if ip.depth else 0
        depth: cython.Py_ssize_t = max(0, ip.depth - 1)
        soss, soss_depth = ip.below[len(ip.below) - 1]
        if count >= 0:
            source, source_depth, target, target_depth = soss, soss_depth, ip.buffer, depth
        else:
            source, source_depth, target, target_depth = ip.buffer, depth, soss, soss_depth
        size = count if count >= 0 else -int(count)
        if CELL_COST * (target_depth + size) > self.max_memory:
            return MEMORY_FULL
        if not self.add_cell_work(COPY_WORK * size):
            return WORK_FULL
        room = len(target)
        if target_depth + size > room:
            room = _doubled_capacity(room, target_depth + size)
            if not self.charge(CELL_COST * (room - len(target))):
                return MEMORY_FULL
            ip.toss = _NO_CELLS  # see `_begin_block`
            target = self.extend_buffer(target, room)
            ip.toss = ip.buffer
        if not cython.compiled and self.unbounded and ip.depth:
            self.used -= _extra_bytes(ip.toss[ip.depth - 1])
        taken: cython.Py_ssize_t = min(size, source_depth)
        end: cython.Py_ssize_t = target_depth + size
        _copy_cells_reversed(source, source_depth - taken, source_depth, target, target_depth)
        _clear_cells(target, target_depth + taken, end)
        if count >= 0:
            ip.below[len(ip.below) - 1] = (soss, soss_depth - taken)
            ip.set_toss(target, end)
            self.pushed_from = target_depth
        else:
            ip.below[len(ip.below) - 1] = (target, end)
            ip.depth = depth - taken
            self.under_from, self.under_to = target_depth, end
        return BUDGET

    # Input and output.

    @cython.cfunc
    def _print(self, data: bytes) -> cython.int:
        """Print bytes up to the output limit; return OUTPUT_FULL if that is not all of them.

        If the buffer holds earlier output and has no room for them, print nothing and return FLUSH.
        Otherwise return BUDGET.
        """
        length: cython.Py_ssize_t = len(data)
        fits: cython.Py_ssize_t = min(length, max(0, self.max_output - self.printed))
        at: cython.Py_ssize_t
        if self.out_length + fits > self.out_room:
            if self.out_length:
                return FLUSH
            self.out = bytearray(fits)
            self.out_steps = array("q", bytes(8 * fits))
            self.out_room = fits
        for at in range(fits):
            self.out[self.out_length] = data[at]
            self.out_steps[self.out_length] = self.steps + 1
            self.out_length += 1
        self.printed += fits
        if self.watching:
            self.last_printed = data[:fits]
        return BUDGET if fits == length else OUTPUT_FULL

    @cython.cfunc
    def _consume(self, data: bytes):
        self.input_position += len(data)
        for _ in range(len(data)):
            self.reads.append(self.steps + 1)
        if self.watching:
            self.last_read = data

    @cython.cfunc
    def _read_byte(self, ip: IP) -> cython.int:
        if self.input_position >= self.input_length and not self.closed:
            return NEEDS_INPUT
        if len(self.reads) >= CHUNK:
            return FLUSH
        if self.input_position < self.input_length:
            if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                return MEMORY_FULL
            byte = self.stdin[self.input_position]
            self._consume(bytes((byte,)))
            self._push(ip, byte)
        elif self.eof_pushes:
            if ip.depth >= ip.room and not self._ensure_room(ip, 1):
                return MEMORY_FULL
            self._consume(b"")
            self._push(ip, -1)
        else:
            self._consume(b"")
            self._reverse(ip)
        return BUDGET

    @cython.cfunc
    def _read_number(self, ip: IP) -> cython.int:
        """Read a number: skip to a digit, use a minus directly before it, leave the rest unread."""
        at: cython.Py_ssize_t = self.input_position
        while at < self.input_length and not 48 <= self.stdin[at] <= 57:
            at += 1
        begin: cython.Py_ssize_t = at
        if at == self.input_length:
            if not self.closed:
                return NEEDS_INPUT
            if self.number_eof_fault:
                return NO_NUMBER
            if len(self.reads) >= CHUNK:
                return FLUSH
            if self.number_eof_pushes and ip.depth >= ip.room and not self._ensure_room(ip, 1):
                return MEMORY_FULL
            self._consume(bytes(self.stdin[self.input_position : at]))
            if self.number_eof_pushes:
                self._push(ip, -1)
            else:
                self._reverse(ip)
            return BUDGET
        if at > self.input_position and self.stdin[at - 1] == 45:
            begin -= 1
        if len(self.reads) >= CHUNK:
            return FLUSH
        number = 0
        if self.unbounded:
            while at < self.input_length and 48 <= self.stdin[at] <= 57:
                at += 1
            if 4 * (at - begin) > MAX_BITS or not self._can_copy(1 << (4 * (at - begin))):
                return MEMORY_FULL
            number = from_decimal(bytes(self.stdin[begin:at]))
        else:
            # Funge-98, "&": as many digits as a cell can hold.
            while at < self.input_length and 48 <= self.stdin[at] <= 57:
                more = number * 10 + self.stdin[at] - 48
                if more >= _SIGN_BIT:
                    break
                number = more
                at += 1
            if self.stdin[begin] == 45:
                number = -number
        if at == self.input_length and not self.closed:
            return NEEDS_INPUT
        if self.unbounded and not self.add_work(work.of_reading(at - begin)):
            return WORK_FULL
        if ip.depth >= ip.room and not self._ensure_room(ip, 1):
            return MEMORY_FULL
        self._consume(bytes(self.stdin[self.input_position : at]))
        self._push(ip, number)
        return BUDGET

    @cython.cfunc
    def _draw_random_state(self) -> cython.ulonglong:
        """Return 64 random bits, and advance the random state.

        The generator is xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift").
        """
        state: cython.ulonglong = self.random
        state ^= state >> 12
        state ^= (state << 25) & _WORD_MASK
        state ^= state >> 27
        self.random = state
        return (state * 0x2545F4914F6CDD1D) & _WORD_MASK

    # The stack.

    @cython.cfunc
    def _push(self, ip: IP, value: cython.longlong):
        if ip.depth < self.pushed_from:
            self.pushed_from = ip.depth
        ip.toss[ip.depth] = value
        ip.depth += 1
        if not cython.compiled and self.unbounded:
            self.used += _extra_bytes(value)
            self.max_used = max(self.max_used, self.used)

    @cython.cfunc
    def _pop(self, ip: IP) -> cython.longlong:
        if ip.depth == 0:
            return 0
        ip.depth -= 1
        if not cython.compiled and self.unbounded:
            self.used -= _extra_bytes(ip.toss[ip.depth])
        return ip.toss[ip.depth]

    @cython.cfunc
    def _ensure_room(self, ip: IP, count: cython.longlong) -> cython.bint:
        """Make room for ``count`` more cells on TOSS; return False if memory does not suffice.

        A buffer that is too small grows at least to twice its size.
        """
        if ip.depth + count <= ip.room:
            return True
        if CELL_COST * (ip.depth + count) > self.max_memory:
            return False
        room = self._grown_capacity(ip, ip.depth + count)
        if not self.charge(CELL_COST * (room - ip.room)):
            return False
        ip.toss = _NO_CELLS  # see `_begin_block`
        ip.set_toss(self.extend_buffer(ip.buffer, room), ip.depth)
        return True

    @cython.cfunc
    def _grown_capacity(self, ip: IP, needed: cython.longlong) -> cython.longlong:
        return _doubled_capacity(ip.room, needed)

    # Arithmetic.

    @cython.cfunc
    def _sum(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        if not cython.compiled and self.unbounded:
            return a + b
        return _add(a, b)

    @cython.cfunc
    def _difference(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        if not cython.compiled and self.unbounded:
            return a - b
        return _subtract(a, b)

    @cython.cfunc
    def _product(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        if not cython.compiled and self.unbounded:
            return a * b
        return _multiply(a, b)

    @cython.cfunc
    def _quotient(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        if not cython.compiled and self.unbounded:
            quotient = divide(abs(a), abs(b))[0]
            return quotient if (a < 0) == (b < 0) else -quotient
        return _divide(a, b)

    @cython.cfunc
    def _remainder(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        if not cython.compiled and self.unbounded:
            rest = divide(abs(a), abs(b))[1]
            if self.floored and rest and (a < 0) != (b < 0):
                return b - rest if b > 0 else b + rest
            return rest if a >= 0 else -rest
        return _modulo(a, b, self.floored)

    def _can_copy(self, value):
        """Return whether memory suffices for one more copy of a number.

        Only used with unbounded cells, where numbers can be of any size.
        """
        return self.used + _extra_bytes(value) <= self.max_memory

    def _check_budget(self, ip, op):
        """Return BUDGET if the limits allow an instruction, otherwise the reason why they do not.

        Charges the work of the instruction.  Only used with unbounded cells.
        """
        if op not in _CHECKED_OPS or ip.depth == 0:
            return BUDGET
        b = ip.toss[ip.depth - 1]
        a = ip.toss[ip.depth - 2] if ip.depth > 1 else 0
        if op == 58:  # :
            return BUDGET if self._can_copy(b) else MEMORY_FULL
        if op in b"gp":
            return MEMORY_FULL if _is_far(a) or _is_far(b) else BUDGET
        if op in b"jk":
            return MEMORY_FULL if _is_far(b) else BUDGET
        if op in b"/%":
            charge = work.of_quotient(a, b) if b else 0
        else:
            charge = work.of_product(a, b) if op == 42 else work.of_sum(a, b)
        if not self.add_work(charge):
            return WORK_FULL
        if op not in b"+-*":
            return BUDGET
        bits = a.bit_length() + b.bit_length()
        if op != 42:
            bits = max(a.bit_length(), b.bit_length()) + 1
        freed = _extra_bytes(a) + _extra_bytes(b)
        if bits > MAX_BITS or (bits >= 8 and self.used - freed + bits // 8 + 32 > self.max_memory):
            return MEMORY_FULL
        return BUDGET

    def _is_out_of_range(self, ip):
        """Return whether the delta or the storage offset of ``ip`` is too large to use.

        This is called only if the size of numbers is unbounded.
        """
        return not (
            -MAX_COORDINATE < ip.dx < MAX_COORDINATE
            and -MAX_COORDINATE < ip.dy < MAX_COORDINATE
            and -MAX_COORDINATE < ip.ox < MAX_COORDINATE
            and -MAX_COORDINATE < ip.oy < MAX_COORDINATE
        )

    # Fungespace.

    @cython.cfunc
    def _code(self, value: cython.longlong) -> cython.int:
        return self.code_of[value] if 0 <= value < 256 else UNKNOWN

    @cython.cfunc
    def _index(self, x: cython.longlong, y: cython.longlong) -> cython.Py_ssize_t:
        """Return the index of a cell in the window, or -1."""
        if self.left <= x < self.left + self.width and self.top <= y < self.top + self.height:
            return (y - self.top + 1) * self.stride + x - self.left + 1
        return -1

    @cython.cfunc
    def _get(self, x: cython.longlong, y: cython.longlong) -> cython.longlong:
        at: cython.Py_ssize_t = self._index(x, y)
        if at >= 0:
            return self.cells[at]
        if self.torus:
            if self.outside_is_nothing:
                return 0
            return self.cells[self._index(_floor_mod(x, self.width), _floor_mod(y, self.height))]
        if self.outer.slots.count == 0:
            return BLANK
        point: tuple = (x, y)
        return self.outer.value(point)

    @cython.cfunc
    def _put(self, x: cython.longlong, y: cython.longlong, value: cython.longlong) -> cython.bint:
        """Write a cell; return False, and change nothing, if memory does not suffice."""
        at: cython.Py_ssize_t = self._index(x, y)
        old: cython.longlong = BLANK
        if at < 0 and self.torus:
            if self.outside_is_nothing:
                return True
            x, y = _floor_mod(x, self.width), _floor_mod(y, self.height)
            at = self._index(x, y)
        if at >= 0:
            old = self.cells[at]
            if not cython.compiled and self.unbounded:
                if not self.charge(_extra_bytes(value) - _extra_bytes(old)):
                    return False
            self.cells[at] = value
            if self.codes[at] != self._code(value):
                self.codes[at] = self._code(value)
                _invalidate_summaries(self, x - self.left + 1, y - self.top + 1)
        else:
            point: tuple = (x, y)
            slot: cython.Py_ssize_t = self.outer.slots.find(point)
            if slot >= 0:
                old = self.outer.cells[slot]
            size = (FAR_COST if value != BLANK else 0) - (FAR_COST if slot >= 0 else 0)
            if not cython.compiled and self.unbounded:
                size += _extra_bytes(value) - _extra_bytes(old)
            if not self.charge(size):
                return False
            self.far_version += 1
            if value == BLANK:
                if slot >= 0:
                    self.outer.pop(point)
            elif slot >= 0:
                self.outer.cells[slot] = value
            else:
                self.outer.add(point, value)
            if (slot < 0) != (value == BLANK) or old == 59 or value == 59:
                if self.far_rows is not None:
                    self.far_rows.update(point, slot >= 0, value != BLANK)
                if self.far_columns is not None:
                    self.far_columns.update(point, slot >= 0, value != BLANK)
                elif self.outer.slots.count == _MIN_SORTED_CELLS and slot < 0:
                    self._far_index(0)  # later this would be slow
                    self._far_index(1)
        self.touched = True
        if self.watching:
            self.last_writes.append((x, y, old, value))
        if not self.torus:
            _update_bounds(self, x, y, value)
            if at < 0 and self.outer.slots.count >= self.next_absorb:
                self._enlarge_window()
        return True

    def _mark_ring(self):
        """Set the codes of the ring around the window to ``EDGE``."""
        stride, height = self.stride, self.height
        codes = self.plane_codes
        codes[:stride] = bytes((EDGE,)) * stride
        codes[(height + 1) * stride :] = bytes((EDGE,)) * stride
        codes[::stride] = bytes((EDGE,)) * (height + 2)
        codes[stride - 1 :: stride] = bytes((EDGE,)) * (height + 2)

    def _enlarge_window(self):
        """Enlarge the window if many far cells are near it, because far cells are slow.

        Adds no more than ``MAX_CELLS_PER_FAR_CELL`` cells to the window for each far cell that
        moves into it.  The step is charged for the work; if this exceeds the limit, the window is
        not changed.
        """
        if self._add_cell_work_at_least(OUTSIDE_WORK * self.outer.slots.count):
            self._include_near_cells()
        # Copying a larger window is worthwhile only for more cells.
        count = self.outer.slots.count
        self.next_absorb = max(32, 2 * count, self.width * self.height // MAX_CELLS_PER_FAR_CELL)

    def _include_near_cells(self):
        """Enlarge the window to include cells just outside it, if enough of them are not blank."""
        count = self.outer.slots.count
        right, bottom = self.left + self.width - 1, self.top + self.height - 1
        for reach in (4 * count, count, 64):
            near = self.outer.near(
                self.left - reach, self.top - reach, right + reach, bottom + reach
            )
            if not near:
                continue
            left = min(self.left, min([x for x, _ in near]))
            top = min(self.top, min([y for _, y in near]))
            width = max(right, max([x for x, _ in near])) - left + 1
            height = max(bottom, max([y for _, y in near])) - top + 1
            spare = MAX_CELLS_PER_FAR_CELL * len(near) - (width * height - self.width * self.height)
            if spare < 0:
                continue
            here = left, top, width, height
            for window in (self._widen(*here, spare), here):
                width, height = window[2], window[3]
                cost = size_of_window(width, height) - size_of_window(self.width, self.height)
                # Reserve memory for the remaining writes of the instruction.
                cost += self.reserved - FAR_COST * len(near)
                if self.used + cost <= self.max_memory:
                    if self._add_cell_work_at_least(
                        OUTSIDE_WORK * count + COPY_WORK * width * height
                    ):
                        self.charge(cost)
                        self.used -= self.reserved
                        self._resize(*window, near)
                    break
            return

    def _widen(self, left, top, width, height, spare):
        """Return the given window, enlarged by up to ``spare`` cells.

        The cells are added on the sides on which the given window exceeds the current one, because
        a program that writes in one direction will soon need them.
        """
        spare = min(spare, MAX_GROWN_CELLS - width * height)
        if spare <= 0:
            return left, top, width, height
        if width == self.width:
            columns, rows = 0, spare // width
        elif height == self.height:
            columns, rows = spare // height, 0
        else:
            columns = rows = (isqrt((width + height) ** 2 + 4 * spare) - width - height) // 2
        first_columns = _lines_before(
            columns, left < self.left, width > self.width + self.left - left
        )
        first_rows = _lines_before(rows, top < self.top, height > self.height + self.top - top)
        return left - first_columns, top - first_rows, width + columns, height + rows

    def _resize(self, left, top, width, height, near):
        """Enlarge the window in place, row by row from the last one."""
        plane, codes, stride = self.plane, self.plane_codes, self.stride
        size = (width + 2) * (height + 2)
        self.cells, self.codes = _NO_CELLS, _NO_CODES  # see `_begin_block`
        longer = None
        if isinstance(plane, memoryview):  # in the memory of the native tier
            longer = self.enlarge_plane(size)
            if longer is None:
                plane, codes = array("q", plane.tobytes()), bytearray(codes)
            else:
                plane, codes = longer
        if longer is None:
            _extend(plane, size, self.new_cells(b"\0"))
            codes.extend(bytes(size - len(codes)))
        self.plane, self.plane_codes = plane, codes
        shift = self.left - left + 1
        if cython.compiled:
            _move_rows_compiled(plane, codes, stride, self.height, width + 2, self.top - top, shift)
        else:
            self._move_rows(plane, codes, size, width + 2, self.top - top, shift)
        self.left, self.top = left, top
        self.reached_anywhere = True  # cells have new indexes
        self.set_plane(plane, codes, width, height)
        self._mark_ring()
        self._take_far_cells(near)
        if self.outer.slots.count < _MIN_SORTED_CELLS:
            self.far_rows = self.far_columns = None
        for order in (self.far_rows, self.far_columns):
            if order is not None:
                order.remove_block(left, top, left + width - 1, top + height - 1)

    def _take_far_cells(self, points):
        """Move the far cells at ``points`` into the window."""
        x: cython.longlong
        y: cython.longlong
        at: cython.Py_ssize_t
        for x, y in points:
            at = self._index(x, y)
            self.cells[at] = self.outer.pop((x, y))
            self.codes[at] = self._code(self.cells[at])
        self.far_version += 1

    def _move_rows(self, plane, codes, size, to_stride, down, shift):
        """Move the rows of the window to their places in a larger window.

        size, to_stride: size and stride of the larger window.  down: number of rows added above.
        shift: number of columns added on the left, plus 1 for the edge.
        """
        blank = self.new_cells(bytes((BLANK,))) * to_stride
        space = bytes((SPACE,)) * to_stride
        end = size  # end of the rows that have not been moved
        for row in range(self.height - 1, -1, -1):
            begin = (row + 1) * self.stride + 1
            to = (row + down + 1) * to_stride + shift
            plane[to : to + self.width] = plane[begin : begin + self.width]
            codes[to : to + self.width] = codes[begin : begin + self.width]
            self._fill_with_spaces(to + self.width, end, blank, space)
            end = to
        self._fill_with_spaces(0, end, blank, space)

    def _fill_with_spaces(self, begin, end, blank, space):
        """Fill part of the window with spaces, copied from the rows ``blank`` and ``space``."""
        while begin < end:
            count = min(len(space), end - begin)
            self.plane[begin : begin + count] = blank[:count]
            self.plane_codes[begin : begin + count] = space[:count]
            begin += count

    @cython.cfunc
    def _tighten_bounds(self):
        """Compute the smallest rectangle that contains all cells other than spaces."""
        rows: FarIndex
        columns: FarIndex
        far: cython.bint = self.outer.slots.count > 0
        x: cython.longlong = self.left - 1
        y: cython.longlong = self.top - 1
        first: cython.longlong
        last: cython.longlong
        self.bounds_loose = False
        top: cython.longlong = self._find_nonblank(True, 1, self.low_y - y)
        if top == 0 and not far:
            self.low_x = self.low_y = 1
            self.high_x = self.high_y = 0
            return
        if top != 0:
            last = self._find_nonblank(True, -1, self.high_y - y) + y
            self.low_y, self.high_y = top + y, last
            first = self._find_nonblank(False, 1, self.low_x - x) + x
            last = self._find_nonblank(False, -1, self.high_x - x) + x
            self.low_x, self.high_x = first, last
        if far:
            rows, columns = self._far_index(0), self._far_index(1)
            if top == 0:
                self.low_x, self.high_x = columns.first(), columns.last()
                self.low_y, self.high_y = rows.first(), rows.last()
            else:
                self.low_x = min(self.low_x, columns.first())
                self.high_x = max(self.high_x, columns.last())
                self.low_y = min(self.low_y, rows.first())
                self.high_y = max(self.high_y, rows.last())

    @cython.cfunc
    def _find_nonblank(
        self, across: cython.bint, step: cython.int, guess: cython.longlong
    ) -> cython.longlong:
        """Return the window's first row or column that is not blank; 0 if all are blank.

        Rows and columns are counted from the ring, which is 0.  step: -1 for the last row or
        column.  guess: the result, unless this row or column is blank.
        """
        at: cython.Py_ssize_t
        if 1 <= guess <= (self.height if across else self.width):
            at = guess * self.stride + 1 if across else self.stride + guess
            at = _search_line(self, at, 1 if across else self.stride, _NONBLANK, 0) >> 1
            if self.codes[at] != EDGE:
                return guess
        return _outermost_line(self, across, step)

    @cython.cfunc
    def _far_index(self, axis: cython.int) -> FarIndex:
        """Return the index of cells outside the window, by row or, if ``axis`` is 1, by column."""
        if axis == 0:
            if self.far_rows is None:
                self.far_rows = FarIndex(0, self.outer.slots.all_keys())
            return self.far_rows
        if self.far_columns is None:
            self.far_columns = FarIndex(1, self.outer.slots.all_keys())
        return self.far_columns

    # Paths.

    @cython.cfunc
    def _move(
        self, x: cython.longlong, y: cython.longlong, dx: cython.longlong, dy: cython.longlong
    ):
        """Set ``found_x, found_y`` to the cell after one move; wrap at the edge (Lahey-space)."""
        if self.torus:
            self.found_x = _floor_mod(x + _floor_mod(dx, self.width), self.width)
            self.found_y = _floor_mod(y + _floor_mod(dy, self.height), self.height)
            return
        if self.bounds_loose:
            self._tighten_bounds()
        if (
            -_MAX_SAFE_SUM < x < _MAX_SAFE_SUM
            and -_MAX_SAFE_SUM < dx < _MAX_SAFE_SUM
            and -_MAX_SAFE_SUM < y < _MAX_SAFE_SUM
            and -_MAX_SAFE_SUM < dy < _MAX_SAFE_SUM
        ):
            self.found_x = x + dx
            self.found_y = y + dy
            if (
                self.low_x <= self.found_x <= self.high_x
                and self.low_y <= self.found_y <= self.high_y
            ):
                return
            if dy == 0 and (dx == 1 or dx == -1) and self.low_y <= y <= self.high_y:
                self.found_x = self.low_x if dx > 0 else self.high_x
                return
            if dx == 0 and (dy == 1 or dy == -1) and self.low_x <= x <= self.high_x:
                self.found_y = self.low_y if dy > 0 else self.high_y
                return
        self._move_far(x, y, dx, dy, 1)

    def _move_far(self, x, y, dx, dy, times):
        """Move by ``times`` deltas; outside the used space, wrap to its first cell on the path."""
        to_x, to_y = x + times * int(dx), y + times * int(dy)
        if not (self.low_x <= to_x <= self.high_x and self.low_y <= to_y <= self.high_y):
            span = _path_range(to_x, to_y, dx, dy, self.low_x, self.low_y, self.high_x, self.high_y)
            if span is not None:
                to_x += span[0] * int(dx)
                to_y += span[0] * int(dy)
            elif not self.unbounded and not _can_be_point(to_x, to_y):
                to_x, to_y = x, y  # no path leads back from there, so any place is valid
        self.found_x = to_x
        self.found_y = to_y

    @cython.cfunc
    def _resolve(self, ip: IP):
        """Skip spaces and the text between semicolons, unless in a string."""
        code: cython.int
        self.path_work = 0
        if len(ip.repeats) or (ip.in_string and not ip.after_space):
            self.lost = False
            return
        if ip.in_string:
            self.lost = not self._find(ip.x, ip.y, ip.dx, ip.dy, _NONBLANK)
            if not self.lost:
                ip.x, ip.y = self.found_x, self.found_y
                self.path_work = self.flight_work
            return
        code = self._code(self._get(ip.x, ip.y))
        if code != SPACE and code != 59:
            self.lost = False
            return
        self.lost = not self._find(ip.x, ip.y, ip.dx, ip.dy, _INSTRUCTION)
        if not self.lost:
            ip.x, ip.y = self.found_x, self.found_y
            self.path_work = self.flight_work

    @cython.cfunc
    def _find(
        self,
        x: cython.longlong,
        y: cython.longlong,
        dx: cython.longlong,
        dy: cython.longlong,
        mode: cython.int,
    ) -> cython.bint:
        """Set ``found_x, found_y`` to the first cell that matches on a path from (x, y).

        mode: ``_NONBLANK`` matches any cell that is not blank, ``_INSTRUCTION`` leaves out
        semicolons and the cells between them too.  Return False if the whole path has no such cell.
        """
        self.inside = 0
        self.flight_work = 0
        if (dy == 0 and (dx == 1 or dx == -1)) or (dx == 0 and (dy == 1 or dy == -1)):
            return self._find_straight(x, y, dx, dy, mode)
        if self.torus:
            return self._find_on_torus(x, y, dx, dy, mode)
        return self._find_flying(x, y, dx, dy, mode)

    @cython.cfunc
    def _find_straight(
        self,
        x: cython.longlong,
        y: cython.longlong,
        dx: cython.longlong,
        dy: cython.longlong,
        mode: cython.int,
    ) -> cython.bint:
        """Search as ``_find`` does, but only along a row or column, which is faster.

        Blocks of cells that have no match according to their summaries are skipped.  An unmatched
        semicolon inverts which cells are between semicolons on the next round, so up to two rounds
        are needed.
        """
        return (
            self._find_to_end(x, y, dx, dy, mode, False)
            or self._find_to_end(x, y, dx, dy, mode, True)
            or (mode == _INSTRUCTION and self._find_to_end(x, y, dx, dy, mode, True))
        )

    @cython.cfunc
    def _find_to_end(
        self,
        x: cython.longlong,
        y: cython.longlong,
        dx: cython.longlong,
        dy: cython.longlong,
        mode: cython.int,
        whole: cython.bint,
    ) -> cython.bint:
        """Search as ``_find_straight`` does, but only to the end of the row or column.

        whole: whether to begin at the start of the row or column instead of at (x, y).
        """
        axis: cython.int = 0 if dy == 0 else 1
        step: cython.int = dx + dy
        line: cython.longlong = x if axis else y
        begin: cython.longlong = y if axis else x
        low: cython.longlong = self.top if axis else self.left
        high: cython.longlong = low + (self.height if axis else self.width) - 1
        enter: cython.longlong = low if step > 0 else high
        leave: cython.longlong = high if step > 0 else low
        at: cython.Py_ssize_t
        far: cython.bint = self.outer.slots.count > 0
        start: cython.int = _LINE if whole else _AT
        if axis == 0 and not self.top <= line < self.top + self.height:
            return far and self._find_ordered(axis, line, begin, start, step, mode, False, 0)
        if axis == 1 and not self.left <= line < self.left + self.width:
            return far and self._find_ordered(axis, line, begin, start, step, mode, False, 0)
        if whole or (begin < enter if step > 0 else begin > enter):
            if far and self._find_ordered(axis, line, begin, start, step, mode, True, enter):
                return True
            begin = enter
        if begin <= leave if step > 0 else begin >= leave:
            at = self._index(line, begin) if axis else self._index(begin, line)
            at = _search_line(self, at, dy * self.stride + dx, mode, self.inside)
            self.inside = at & 1
            at >>= 1
            if self.codes[at] != EDGE:
                self.found_x = at % self.stride - 1 + self.left
                self.found_y = at // self.stride - 1 + self.top
                return True
            begin = leave
        return far and self._find_ordered(axis, line, begin, _AT, step, mode, False, 0)

    @cython.cfunc
    def _find_ordered(
        self,
        axis: cython.int,
        line: cython.longlong,
        begin: cython.longlong,
        start: cython.int,
        step: cython.int,
        mode: cython.int,
        ends: cython.bint,
        end: cython.longlong,
    ) -> cython.bint:
        """Search as ``_find_to_end`` does, but only the cells outside the window.

        start: ``_AT`` to begin at the coordinate ``begin``, ``_LINE`` to begin at the first cell in
        the direction ``step``.  ends: whether to search only the cells before ``end``.
        """
        order: FarIndex = self._far_index(axis)
        chunk: list
        point: tuple
        info: cython.int
        at: cython.longlong
        if step > 0:
            order.locate(line, begin, start)
        else:
            order.locate(line, begin, _LINE_END if start == _LINE else _AFTER)
            order.step_back()
        while 0 <= order.chunk_index < len(order.chunks):
            chunk = order.chunks[order.chunk_index]
            if mode == _INSTRUCTION and order.point_index == (0 if step > 0 else len(chunk) - 1):
                point = chunk[len(chunk) - 1 if step > 0 else 0]
                at = point[axis]
                if point[1 - axis] == line and not (
                    ends and (at >= end if step > 0 else at <= end)
                ):
                    info = self._chunk_summary(order)
                    if not _search_ends(info, step, mode, self.inside):
                        self.inside ^= info & _ODD
                        self.flight_work += SKIP_WORK * len(chunk)
                        order.chunk_index += step
                        order.point_index = 0
                        if step < 0 and order.chunk_index >= 0:
                            order.point_index = len(order.chunks[order.chunk_index]) - 1
                        continue
            point = chunk[order.point_index]
            at = point[axis]
            if point[1 - axis] != line or (ends and (at >= end if step > 0 else at <= end)):
                return False
            if mode == _INSTRUCTION and self._code(self.outer.value(point)) == 59:
                self.inside ^= 1
            elif self.inside == 0:
                self.found_x, self.found_y = point
                return True
            self.flight_work += SKIP_WORK
            if step > 0:
                order.step_forward()
            else:
                order.step_back()
        return False

    @cython.cfunc
    def _chunk_summary(self, order: FarIndex) -> cython.int:
        """Return the summary of chunk ``order.chunk_index``; compute it first if it is out of date.

        order: the index of the cells outside the window.  A summary is a sum of ``_ODD`` etc.
        """
        info: cython.int = order.infos[order.chunk_index]
        code: cython.int
        point: tuple
        if info != _STALE:
            return info
        info = _HAS_NONBLANK
        for point in order.chunks[order.chunk_index]:
            code = self._code(self.outer.value(point))
            if code == 59:
                info ^= _ODD
            else:
                info |= _AFTER_ODD if info & _ODD else _AFTER_EVEN
        order.infos[order.chunk_index] = info
        return info

    @cython.cfunc
    def _find_on_torus(
        self,
        x: cython.longlong,
        y: cython.longlong,
        dx: cython.longlong,
        dy: cython.longlong,
        mode: cython.int,
    ) -> cython.bint:
        """Search as ``_find`` does, for any delta on a torus, with all cells in the window."""
        code: cython.int
        walked: cython.longlong = 0
        dx = _floor_mod(dx, self.width)
        dy = _floor_mod(dy, self.height)
        begin_x: cython.longlong = x
        begin_y: cython.longlong = y
        while True:
            walked += 1
            code = self.codes[(y + 1) * self.stride + x + 1]
            if code == 59 and mode == _INSTRUCTION:
                self.inside ^= 1
            elif code != SPACE and self.inside == 0:
                self.found_x, self.found_y = x, y
                self.effort += walked >> 6
                self.flight_work = PASS_WORK * (walked - 1)
                return True
            x += dx
            y += dy
            if x >= self.width:
                x -= self.width
            if y >= self.height:
                y -= self.height
            if x == begin_x and y == begin_y and self.inside == 0:
                self.effort += walked >> 6
                return False

    @cython.cfunc
    def _find_flying(
        self,
        x: cython.longlong,
        y: cython.longlong,
        dx: cython.longlong,
        dy: cython.longlong,
        mode: cython.int,
    ) -> cython.bint:
        """Search as ``_find`` does, for a delta of any size and direction.

        In the window, every cell on the path is tested.
        """
        at: cython.Py_ssize_t
        walked: cython.longlong = 0
        code: cython.int
        if self.bounds_loose:
            self._tighten_bounds()
        left: cython.longlong = max(self.left, self.low_x)
        right: cython.longlong = min(self.left + self.width - 1, self.high_x)
        top: cython.longlong = max(self.top, self.low_y)
        bottom: cython.longlong = min(self.top + self.height - 1, self.high_y)
        at_x: cython.longlong = x
        at_y: cython.longlong = y
        if (
            -self.width <= dx <= self.width
            and -self.height <= dy <= self.height
            and (dx != 0 or dy != 0)
        ):
            while left <= at_x <= right and top <= at_y <= bottom:
                at = (at_y - self.top + 1) * self.stride + at_x - self.left + 1
                code = self.codes[at]
                if code == 59 and mode == _INSTRUCTION:
                    self.inside ^= 1
                elif code != SPACE and self.inside == 0:
                    self.found_x = at_x
                    self.found_y = at_y
                    self.flight_work = PASS_WORK * walked
                    self.effort += walked >> 6
                    return True
                walked += 1
                at_x += dx
                at_y += dy
        return self._find_flying_outside(x, y, dx, dy, mode, walked)

    def _find_flying_outside(self, x, y, dx, dy, mode, walked):
        """Continue the search of ``_find_flying`` outside the window, with integers of any size.

        walked: the number of cells on the path that ``_find_flying`` has tested.
        """
        if dx == 0 and dy == 0:
            value = self.get(x, y)
            if value == BLANK or (mode == _INSTRUCTION and self._code(value) == 59):
                return False
            self.found_x, self.found_y = x, y
            return True
        span = _path_range(x, y, dx, dy, self.low_x, self.low_y, self.high_x, self.high_y)
        if span is None:
            return False
        first, last = span
        rounds = 0
        found = self._first_match(x, y, dx, dy, max(first, walked), last, mode)
        if found is None:
            rounds = 1
            found = self._first_match(x, y, dx, dy, first, last, mode)
        if found is None and mode == _INSTRUCTION:
            rounds = 2
            found = self._first_match(x, y, dx, dy, first, last, mode)
        if found is None:
            return False
        self.found_x = x + found * dx
        self.found_y = y + found * dy
        self._charge_flight(x, y, dx, dy, span, rounds, found)
        return True

    def _charge_flight(self, x, y, dx, dy, span, rounds, found):
        """Set ``flight_work`` to the work of a search that passed the cells of a path.

        Cell k of the path is (x, y) + k (dx, dy).  span: the first and last k in the used space.
        rounds: how often the path wraps from the last to the first.  found: the k at which it ends.
        """
        first, last = span
        right, bottom = self.left + self.width - 1, self.top + self.height - 1
        window = _path_range(x, y, dx, dy, self.left, self.top, right, bottom)
        passed = in_window = 0
        for turn in range(rounds + 1):
            begin = max(first, 0) if turn == 0 else first
            end = found - 1 if turn == rounds else last
            passed += max(0, end - begin + 1)
            if window is not None:
                in_window += max(0, min(end, window[1]) - max(begin, window[0]) + 1)
        outside = min(passed - in_window, self.outer.slots.count)
        self.flight_work = PASS_WORK * in_window + OUTSIDE_WORK * outside

    def _first_match(self, x, y, dx, dy, first, last, mode):
        """Return the smallest k from ``first`` to ``last`` whose cell matches ``mode``, or None.

        The cell of k is (x, y) + k (dx, dy).
        """
        if first > last:
            return None
        right, bottom = self.left + self.width - 1, self.top + self.height - 1
        window = _path_range(x, y, dx, dy, self.left, self.top, right, bottom)
        if window is None or window[0] > last or window[1] < first:
            return self._first_far_match(x, y, dx, dy, first, last, mode)
        found = self._first_far_match(x, y, dx, dy, first, window[0] - 1, mode)
        if found is not None:
            return found
        begin, end = max(first, window[0]), min(last, window[1])
        at: cython.Py_ssize_t = self._index(x + begin * dx, y + begin * dy)
        step: cython.Py_ssize_t = dy * self.stride + dx if begin < end else 0
        count: cython.Py_ssize_t = end - begin + 1
        k: cython.Py_ssize_t
        code: cython.int
        whole: cython.bint = mode == _NONBLANK
        self.effort += count >> 6
        for k in range(count):
            code = self.codes[at]
            if code == 59 and not whole:
                self.inside ^= 1
            elif code != SPACE and self.inside == 0:
                return begin + k
            at += step
        return self._first_far_match(x, y, dx, dy, window[1] + 1, last, mode)

    def _first_far_match(self, x, y, dx, dy, first, last, mode):
        """Search as ``_first_match`` does, if all cells of the range are outside the window.

        A short path is followed cell by cell.  For a long one, all far cells are tested, or only
        the cells of its row or column; in the order of the path if semicolons matter.
        """
        if first > last or self.outer.slots.count == 0:
            return None
        walk = min(last - first + 1, 32 + self.outer.slots.count // 8)
        self.effort += walk >> 4
        for k in range(first, first + walk):
            point: tuple = (x + k * dx, y + k * dy)
            slot = self.outer.slots.find(point)
            if slot >= 0:
                if mode == _INSTRUCTION and self._code(self.outer.cells[slot]) == 59:
                    self.inside ^= 1
                elif self.inside == 0:
                    return k
        first += walk
        if first > last:
            return None
        if dx and dy:
            points = self.outer.slots.all_keys()
        else:
            points = self._far_index(0).line(y) if dx else self._far_index(1).line(x)
        close: cython.bint = max(abs(x), abs(y), abs(dx), abs(dy)) < _MAX_SAFE_SUM
        self.effort += len(points) >> 4
        if close:
            found = _distances(points, x, y, dx, dy, last >= 0, first < 0)
        else:
            found = _distances_exact(points, x, y, dx, dy)
        found = [k for k in found if first <= k <= last]
        if mode != _INSTRUCTION:
            return min(found, default=None)
        found.sort()
        for k in found:
            if self._code(self.get(x + k * dx, y + k * dy)) == 59:
                self.inside ^= 1
            elif self.inside == 0:
                return k
        return None


@cython.cfunc
@cython.cdivision(True)
def _distances(
    points: object,
    x: cython.longlong,
    y: cython.longlong,
    dx: cython.longlong,
    dy: cython.longlong,
    forward: cython.bint,
    backward: cython.bint,
) -> list:
    """Return each k for which (x, y) + k (dx, dy) is one of ``points``.

    forward: whether to include k of 0 or more.  backward: whether to include negative k.
    """
    found = []
    at_x: cython.longlong
    at_y: cython.longlong
    k: cython.longlong
    for point in points:
        at_x, at_y = point
        if cython.compiled and not (
            -_MAX_SAFE_SUM < at_x < _MAX_SAFE_SUM and -_MAX_SAFE_SUM < at_y < _MAX_SAFE_SUM
        ):
            found += _distances_exact((point,), x, y, dx, dy)
            continue
        at_x -= x
        at_y -= y
        # Many points are on the other side; a division is slow.
        if ((at_x < 0) != (dx < 0) and at_x != 0) or ((at_y < 0) != (dy < 0) and at_y != 0):
            if not backward:
                continue
        elif not forward:
            continue
        if dx == 0:
            if at_x != 0 or at_y % dy != 0:
                continue
            k = at_y // dy
        else:
            if at_x % dx != 0:
                continue
            k = at_x // dx
            if at_y != 0 if dy == 0 else at_y % dy != 0 or at_y // dy != k:
                continue
        found.append(k)
    return found


def _distances_exact(points, x, y, dx, dy):
    """Return the result of ``_distances`` for points and deltas of any size."""
    found = []
    x, y, dx, dy = int(x), int(y), int(dx), int(dy)
    for to_x, to_y in points:
        k = (to_x - x) // dx if dx != 0 else (to_y - y) // dy
        if x + k * dx == to_x and y + k * dy == to_y:
            found.append(k)
    return found


def _lines_before(count, before, after):
    """Return how many of ``count`` new rows or columns go to the top or left of the window.

    before: whether the window grows at the top (or left).  after: at the bottom (or right).
    """
    return 0 if not before else count // 2 if after else count


@cython.cfunc
def _move_rows_compiled(
    plane: object,
    plane_codes: object,
    stride: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    to_stride: cython.Py_ssize_t,
    down: cython.Py_ssize_t,
    shift: cython.Py_ssize_t,
):
    """Move rows as ``_move_rows`` does, but cell by cell, for the compiled core."""
    cells: cython.longlong[::1] = plane
    codes: cython.uchar[::1] = plane_codes
    end: cython.Py_ssize_t = cells.shape[0]
    row: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    to: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for row in range(height, -1, -1):
        begin = row * stride + 1
        to = (row + down) * to_stride + shift if row > 0 else 0
        for i in range(to + stride - 2 if row > 0 else 0, end):
            cells[i] = BLANK
            codes[i] = SPACE
        if row > 0:
            for i in range(stride - 3, -1, -1):
                cells[to + i] = cells[begin + i]
                codes[to + i] = codes[begin + i]
        end = to


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_extra(op: cython.int) -> cython.bint:
    """Return whether ``extras`` may execute an instruction: one of ``y()io`` or a capital letter.

    Its pushes and pops follow the modes of MODE, so the core must not move its values.
    """
    return op == 121 or op == 40 or op == 41 or op == 105 or op == 111 or 65 <= op <= 90


def _path_range(x, y, dx, dy, low_x, low_y, high_x, high_y):
    """Return the lowest and highest k for which (x, y) + k (dx, dy) is in a rectangle, or None."""
    x, y, dx, dy = int(x), int(y), int(dx), int(dy)
    ends = []
    for at, delta, low, high in ((x, dx, low_x, high_x), (y, dy, low_y, high_y)):
        if delta == 0:
            if not low <= at <= high:
                return None
        elif delta > 0:
            ends.append((-((at - low) // delta), (high - at) // delta))
        else:
            ends.append((-((high - at) // -delta), (at - low) // -delta))
    if not ends:
        return 0, 0
    first = max([low for low, _ in ends])
    last = min([high for _, high in ends])
    return None if first > last else (first, last)


def _can_be_point(x, y):
    """Return whether both coordinates fit 64 bits."""
    return -_SIGN_BIT <= x < _SIGN_BIT and -_SIGN_BIT <= y < _SIGN_BIT


def _stack_cell_count(ip):
    """Return the number of cells on all stacks of an IP."""
    return ip.depth + sum([depth for _, depth in ip.below])


def _freeing_work(ip):
    """Return the work to charge (see ``add_work``) for freeing the memory of an IP's stacks."""
    room = ip.room + sum([len(buffer) for buffer, _ in ip.below])
    return max(0, room - FREE_ROOM) >> 2


def _meaning_count(ip):
    return sum([len(names) for names in ip.semantics.values()])


def _state_costs(ip):
    return sum([size for _, size in ip.states.values()])


def _doubled_capacity(room, needed):
    while room < needed:
        room *= 2
    return room


def _extend(buffer, size, zero):
    """Extend an array or list to ``size`` cells, in place: a copy would need twice the memory."""
    zeros = zero * max(0, min(_PART_CELLS, size - len(buffer)))
    while size - len(buffer) > _PART_CELLS:
        buffer.extend(zeros)
    buffer.extend(zeros[: size - len(buffer)])


def _stack_slice(buffer, begin, end):
    """Return a copy of part of a stack, whose buffer may be a ``memoryview``."""
    cells = buffer[begin:end]
    if isinstance(cells, memoryview):
        part = array("q")
        part.frombytes(cells.cast("B"))
        return part
    return cells


def _copy_cells(source, begin, end, target, at):
    """Copy part of a buffer of cells to another one in pieces, to limit temporary memory."""
    while begin < end:
        count = min(_PART_CELLS, end - begin)
        target[at : at + count] = _stack_slice(source, begin, begin + count)
        begin += count
        at += count


def _copy_cells_reversed(source, begin, end, target, at):
    """Copy part of a buffer of cells to another one, the last cell first."""
    while begin < end:
        count = min(_PART_CELLS, end - begin)
        cells = _stack_slice(source, end - count, end)
        cells.reverse()
        target[at : at + count] = cells
        end -= count
        at += count


def _clear_cells(buffer, begin, end):
    """Fill part of a buffer of cells with zeros."""
    zeros = _stack_slice(buffer, 0, 0)
    zeros.append(0)
    zeros *= min(_PART_CELLS, max(0, end - begin))
    while begin < end:
        count = min(_PART_CELLS, end - begin)
        buffer[begin : begin + count] = zeros[:count]
        begin += count


def _extra_bytes(value):
    """Return the memory of a number in addition to its cell, in bytes (unbounded cells).

    Python shares one object for each number from -5 to 256.
    """
    return 0 if -5 <= value <= 256 else value.bit_length() // 8 + 32


def _is_far(number):
    """Return whether the magnitude of a number is too large for a coordinate or a count.

    Only unbounded cells can contain such numbers.
    """
    return not -MAX_COORDINATE < number < MAX_COORDINATE


def _sum_extra_bytes(values):
    return sum([_extra_bytes(value) for value in values])


def _initial_random_state(seed):
    """Return a random state for any seed, never 0 (splitmix64's mixing)."""
    state = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & _WORD_MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD_MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _WORD_MASK
    return (state ^ (state >> 31)) or 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(
            cython.longlong, cython.cast(cython.ulonglong, a) + cython.cast(cython.ulonglong, b)
        )
    return ((a + b + _SIGN_BIT) & _WORD_MASK) - _SIGN_BIT


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _subtract(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(
            cython.longlong, cython.cast(cython.ulonglong, a) - cython.cast(cython.ulonglong, b)
        )
    return ((a - b + _SIGN_BIT) & _WORD_MASK) - _SIGN_BIT


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _multiply(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(
            cython.longlong, cython.cast(cython.ulonglong, a) * cython.cast(cython.ulonglong, b)
        )
    return ((a * b + _SIGN_BIT) & _WORD_MASK) - _SIGN_BIT


@cython.cfunc
@cython.inline
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _divide(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    """Divide, rounding toward zero; ``b`` must not be 0.  -2**63 divided by -1 gives -2**63."""
    if b == -1:
        return _subtract(0, a)
    if cython.compiled:
        return a / b
    return abs(a) // abs(b) if (a < 0) == (b < 0) else -(abs(a) // abs(b))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _modulo(a: cython.longlong, b: cython.longlong, floored: cython.bint) -> cython.longlong:
    """Return the remainder with the sign of ``a``, or of ``b`` if floored; ``b`` must not be 0."""
    c: cython.longlong
    if b == -1:
        return 0
    if cython.compiled:  # noqa: SIM108 - the C compiler is to see one branch only
        c = a % b
    else:
        c = abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))
    if floored and c != 0 and (c < 0) != (b < 0):
        c += b
    return c


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _floor_mod(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    return _modulo(a, b, True)


@cython.cfunc
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _run_fast(core: Core, ip: IP, limit: cython.longlong) -> cython.bint:
    """Run to the limit, or to a step that needs ``_run_exact``; return whether it executed steps.

    ``at`` is the cell of the next instruction, or a blank or semicolon before it; ``d`` the
    delta as a distance between cells.  A tally counts the steps inside its page, and the function
    returns at a marked cell.  After a step, the IP is at the start of its last move, and
    ``off_edge`` records that the move is pending, because only ``_move`` finds the edge of the used
    space.
    """
    cells: cython.longlong[::1] = core.cells
    codes: cython.uchar[::1] = core.codes
    code_of: cython.uchar[::1] = core.code_of
    toss: cython.longlong[::1] = ip.toss
    floor: cython.Py_ssize_t = core.floor
    recent: cython.longlong[::1] = core.recent
    reached: cython.uchar[::1] = core.reached
    stride: cython.Py_ssize_t = core.stride
    width: cython.longlong = core.width
    height: cython.longlong = core.height
    first_x: cython.longlong = core.left
    first_y: cython.longlong = core.top
    ox: cython.longlong = ip.ox
    oy: cython.longlong = ip.oy
    sp: cython.Py_ssize_t = ip.depth - floor
    room: cython.Py_ssize_t = (ip.room if ip.room < core.ceiling else core.ceiling) - floor
    d: cython.Py_ssize_t = ip.dy * stride + ip.dx
    at: cython.Py_ssize_t = (ip.y - first_y + 1) * stride + ip.x - first_x + 1
    origin: cython.Py_ssize_t = at
    left: cython.longlong = limit - core.steps
    begun: cython.longlong = left
    wrapped: cython.longlong = left + 1  # the value of `left` when the edge was last reached
    string: cython.bint = ip.in_string
    closed: cython.bint = not core.has_far_cells
    torus: cython.bint = core.torus
    counting: cython.bint = core.tallying
    recording: cython.bint = core.recording or counting
    counts: cython.longlong[::1] = core.counts
    latest: cython.longlong[::1] = core.latest
    page_x: cython.longlong = core.page_x - first_x + 1
    page_y: cython.longlong = core.page_y - first_y + 1
    counted: cython.longlong = 0
    marking: cython.bint = core.marking
    flags: cython.uchar[::1] = core.flags
    floored: cython.bint = core.floored
    op: cython.int
    i: cython.Py_ssize_t
    a: cython.longlong
    b: cython.longlong
    x: cython.longlong
    y: cython.longlong
    if floor > 0:
        toss = ip.toss[floor:] if cython.compiled else memoryview(ip.toss)[floor:]
    while left > 0:
        op = codes[at]
        if marking and left < begun and flags[at] != 0:
            break
        if counting and op != SPACE and op != EDGE:
            x = at % stride - page_x
            y = at // stride - page_y
            if x < 0 or x >= core.page_width or y < 0 or y >= core.page_height:
                break
            counted = y * core.page_width + x
        if string:
            if op == SPACE or op == EDGE:
                break
            a = cells[at]
            ip.after_space = False
            if a == 34:
                string = False
            elif sp == room:
                break
            else:
                toss[sp] = a
                sp += 1
            recent[left & (TRAIL_LENGTH - 1)] = at
            left -= 1
            if recording:
                reached[at & (REACHED_GROUPS - 1)] = 1
                if counting:
                    counts[counted] += 1
                    latest[counted] = limit - left
            origin = at
            at += d
            continue
        origin_next: cython.Py_ssize_t = at
        if op == SPACE:
            at += d
            i = _MAX_WALKED_CELLS
            while codes[at] == SPACE and i > 0:
                at += d
                i -= 1
            if i == 0:
                at = _search_line(core, at, d, _NONBLANK, 0) >> 1
            continue
        if (
            op == 0
            or op == 1
            or op == 2
            or op == 3
            or op == 4
            or op == 5
            or op == 6
            or op == 7
            or op == 8
            or op == 9
            or op == 10
            or op == 11
            or op == 12
            or op == 13
            or op == 14
            or op == 15
        ):
            if sp == room:
                break
            toss[sp] = op
            sp += 1
        elif op == 62:  # >
            d = 1
        elif op == 60:  # <
            d = -1
        elif op == 94:  # ^
            d = -stride
        elif op == 118:  # v
            d = stride
        elif op == 95:  # _
            if sp == 0:
                break
            sp -= 1
            d = 1 if toss[sp] == 0 else -1
        elif op == 124:  # |
            if sp == 0:
                break
            sp -= 1
            d = stride if toss[sp] == 0 else -stride
        elif op == 58:  # :
            if sp == 0 or sp == room:
                break
            toss[sp] = toss[sp - 1]
            sp += 1
        elif op == 92:  # \
            if sp < 2:
                break
            a = toss[sp - 1]
            toss[sp - 1] = toss[sp - 2]
            toss[sp - 2] = a
        elif op == 36:  # $
            if sp == 0:
                break
            sp -= 1
        elif op == 43:  # +
            if sp < 2:
                break
            sp -= 1
            toss[sp - 1] = _add(toss[sp - 1], toss[sp])
        elif op == 45:  # -
            if sp < 2:
                break
            sp -= 1
            toss[sp - 1] = _subtract(toss[sp - 1], toss[sp])
        elif op == 42:  # *
            if sp < 2:
                break
            sp -= 1
            toss[sp - 1] = _multiply(toss[sp - 1], toss[sp])
        elif op == 47:  # /
            if sp < 2 or toss[sp - 1] == 0:
                break
            sp -= 1
            toss[sp - 1] = _divide(toss[sp - 1], toss[sp])
        elif op == 37:  # %
            if sp < 2 or toss[sp - 1] == 0:
                break
            sp -= 1
            toss[sp - 1] = _modulo(toss[sp - 1], toss[sp], floored)
        elif op == 33:  # !
            if sp == 0:
                break
            toss[sp - 1] = 1 if toss[sp - 1] == 0 else 0
        elif op == 96:  # `
            if sp < 2:
                break
            sp -= 1
            toss[sp - 1] = 1 if toss[sp - 1] > toss[sp] else 0
        elif op == 103:  # g
            if sp < 2:
                break
            y = _subtract(_add(toss[sp - 1], oy), first_y)
            x = _subtract(_add(toss[sp - 2], ox), first_x)
            if x < 0 or x >= width or y < 0 or y >= height:
                break
            sp -= 1
            toss[sp - 1] = cells[(y + 1) * stride + x + 1]
        elif op == 112:  # p
            if sp < 3 or core.exact_puts:
                break
            y = _subtract(_add(toss[sp - 1], oy), first_y)
            x = _subtract(_add(toss[sp - 2], ox), first_x)
            if x < 0 or x >= width or y < 0 or y >= height:
                break
            sp -= 3
            a = toss[sp]
            i = (y + 1) * stride + x + 1
            if core.recording_puts:
                core.put_step = limit - left + 1
                core.put_x = x + first_x
                core.put_y = y + first_y
                core.put_old = cells[i]
            cells[i] = a
            op = code_of[a] if 0 <= a < 256 else UNKNOWN
            if op != codes[i]:
                codes[i] = op
                _invalidate_summaries(core, x + 1, y + 1)
            core.touched = True
            if not torus:
                _update_bounds(core, x + first_x, y + first_y, a)
        elif op == 35:  # #
            if codes[at + d] == SPACE or codes[at + d] == EDGE:
                break
            origin_next = at + d
        elif op == 34:  # "
            string = True
            ip.after_space = False
        elif op == 39:  # '
            if codes[at + d] == SPACE or codes[at + d] == EDGE or sp == room:
                break
            origin_next = at + d
            toss[sp] = cells[origin_next]
            sp += 1
        elif op == 91:  # [
            if d == 1:
                d = -stride
            elif d == -1:
                d = stride
            elif d == stride:
                d = 1
            else:
                d = -1
        elif op == 93:  # ]
            if d == 1:
                d = stride
            elif d == -1:
                d = -stride
            elif d == stride:
                d = -1
            else:
                d = 1
        elif op == 114:  # r
            d = -d
        elif op == 119:  # w
            if sp < 2:
                break
            sp -= 2
            a = toss[sp]
            b = toss[sp + 1]
            if a != b:
                if d == 1 or d == -1:
                    d = d * stride if a > b else -d * stride
                elif d == stride:
                    d = -1 if a > b else 1
                else:
                    d = 1 if a > b else -1
        elif op == 110:  # n
            if floor > 0:
                break
            sp = 0
        elif op == 122:  # z
            origin_next = at
        elif op == 44:  # ,
            if sp == 0 or core.printed >= core.max_output or core.out_length >= core.out_room:
                break
            if core.exact_prints:
                break
            sp -= 1
            core.out[core.out_length] = toss[sp] & 255
            core.out_steps[core.out_length] = limit - left + 1
            core.out_length += 1
            core.printed += 1
        elif op == 59:  # ;
            i = at + d
            a = _MAX_WALKED_CELLS
            while codes[i] != 59 and codes[i] != EDGE and a > 0:
                i += d
                a -= 1
            if codes[i] == EDGE:
                break
            if codes[i] == 59 and codes[i + d] != 59:
                at = i + d
                continue
            i = _search_line(core, i, d, _INSTRUCTION, 1)
            if i & 1:
                break
            at = i >> 1
            continue
        elif op == EDGE:
            if not closed or wrapped == left:
                break
            wrapped = left
            if d == 1:
                at -= width
            elif d == -1:
                at += width
            elif d == stride:
                at -= height * stride
            else:
                at += height * stride
            continue
        else:
            break
        recent[left & (TRAIL_LENGTH - 1)] = at
        left -= 1
        if recording:
            reached[at & (REACHED_GROUPS - 1)] = 1
            if counting:
                counts[counted] += 1
                latest[counted] = limit - left
        origin = origin_next
        at = origin_next + d
    core.off_edge = left < begun
    if left == begun:
        return False
    ip.depth = sp + floor
    ip.in_string = string
    ip.x = (origin % stride) - 1 + first_x
    ip.y = (origin // stride) - 1 + first_y
    ip.dx = 1 if d == 1 else -1 if d == -1 else 0
    ip.dy = 1 if d == stride else -1 if d == -stride else 0
    core.steps = limit - left
    a = begun - left
    core.tick += a
    if a > TRAIL_LENGTH:
        a = TRAIL_LENGTH
    for b in range(a):  # the step that was executed when `left` was left + 1 + b
        i = recent[(left + 1 + b) & (TRAIL_LENGTH - 1)]
        core.trail_x[(core.steps - 1 - b) & (TRAIL_LENGTH - 1)] = (i % stride) - 1 + first_x
        core.trail_y[(core.steps - 1 - b) & (TRAIL_LENGTH - 1)] = (i // stride) - 1 + first_y
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _invalidate_summaries(
    core: Core, column: cython.Py_ssize_t, row: cython.Py_ssize_t
) -> cython.int:
    """Discard the summaries of blocks and groups that contain a cell whose code has changed.

    A block is 64 cells along rows or columns, a group is 64 blocks.  column, row: the position of
    the cell in the window with its ring.
    """
    at: cython.Py_ssize_t = row * core.stride + column
    core.row_blocks[at >> 6] = _STALE
    core.row_groups[at >> 12] = _STALE
    at = column * (core.height + 2) + row
    core.column_blocks[at >> 6] = _STALE
    core.column_groups[at >> 12] = _STALE
    core.version += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _summarize(core: Core, across: cython.bint, block: cython.Py_ssize_t) -> cython.int:
    """Compute, store and return the flags, such as ``_ODD``, that summarize a block of 64 cells.

    across: whether the cells of the block follow each other along rows, not along columns.
    """
    stride: cython.Py_ssize_t = core.stride
    rows: cython.Py_ssize_t = core.height + 2
    codes: cython.uchar[::1] = core.codes
    index: cython.Py_ssize_t = block << 6
    count: cython.Py_ssize_t = min(64, stride * rows - index)
    at: cython.Py_ssize_t = index
    row: cython.Py_ssize_t = 0
    info: cython.int = 0
    code: cython.int
    if not across:
        row = index % rows
        at = row * stride + index // rows
    while count > 0:
        code = codes[at]
        if code == EDGE:
            info |= _HAS_RING
        elif code == 59:
            info = (info ^ _ODD) | _HAS_NONBLANK
        elif code != SPACE:
            info |= (_AFTER_ODD if info & _ODD else _AFTER_EVEN) | _HAS_NONBLANK
        count -= 1
        if across:
            at += 1
        else:
            at += stride
            row += 1
            if row == rows:
                row = 0
                at -= stride * rows - 1
    if across:
        core.row_blocks[block] = info
    else:
        core.column_blocks[block] = info
    return info


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _summarize_group(core: Core, across: cython.bint, group: cython.Py_ssize_t) -> cython.int:
    """Set and return the summary of a group of 64 blocks, from the summaries of these blocks.

    across: whether the blocks are parts of rows, not of columns.
    """
    blocks: cython.uchar[::1] = core.row_blocks
    size: cython.Py_ssize_t = core.stride * (core.height + 2)
    block: cython.Py_ssize_t
    whole: cython.int = 0
    info: cython.int
    if not across:
        blocks = core.column_blocks
    for block in range(group << 6, min((group + 1) << 6, (size + 63) >> 6)):
        info = blocks[block]
        if info == _STALE:
            info = _summarize(core, across, block)
        if whole & _ODD and (info & _AFTER_EVEN != 0) != (info & _AFTER_ODD != 0):
            info ^= _AFTER_EVEN | _AFTER_ODD
        whole = (whole | (info & ~_ODD)) ^ (info & _ODD)
    if across:
        core.row_groups[group] = whole
    else:
        core.column_groups[group] = whole
    return whole


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _search_ends(
    info: cython.int, step: cython.int, mode: cython.int, inside: cython.int
) -> cython.bint:
    """Return whether a search along a line ends at one of the cells that ``info`` summarizes.

    info: the summary of a block of the window, or of a chunk of cells outside the window.
    step: negative if the search moves backwards.  inside: whether the search is between semicolons
    when it enters these cells.
    """
    if mode == _NONBLANK:
        return info & (_HAS_NONBLANK | _HAS_RING) != 0
    if step < 0:  # counted from the other end
        inside ^= info & _ODD
    return info & (_HAS_RING | (_AFTER_ODD if inside else _AFTER_EVEN)) != 0


@cython.cfunc
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _search_line(
    core: Core,
    at: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    mode: cython.int,
    inside: cython.int,
) -> cython.Py_ssize_t:
    """Search the window along a row or column from index ``at``; return where the search ends.

    The search ends at a cell that matches ``mode`` (see ``Core._find``), or at the ring around the
    window.  d: the difference between the indexes of successive cells.  inside: whether ``at`` is
    between semicolons.  The result is twice the index of the cell where it ends, plus 1 if
    that is between semicolons.
    """
    direction: cython.Py_ssize_t = 4 if d == 1 else 5 if d == -1 else 6 if d > 0 else 7
    key: cython.longlong = 32 * at + 16 * inside + direction + (8 if mode == _NONBLANK else 0)
    slot: cython.Py_ssize_t = (at ^ (at >> 6) ^ direction) & (_CACHED_SEARCHES - 1)
    if core.sought[slot] != key or core.sought_version[slot] != core.version:
        core.found[slot] = _search_blocks(core, at, d, mode, inside)
        core.sought[slot] = key
        core.sought_version[slot] = core.version
    return core.found[slot]


@cython.cfunc
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _search_blocks(
    core: Core,
    at: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    mode: cython.int,
    inside: cython.int,
) -> cython.Py_ssize_t:
    """Do the search of ``_search_line``, whose cache does not have the result.

    Blocks whose summaries show that the search cannot end in them are skipped.
    """
    codes: cython.uchar[::1] = core.codes
    stride: cython.Py_ssize_t = core.stride
    rows: cython.Py_ssize_t = core.height + 2
    across: cython.bint = d == 1 or d == -1
    blocks: cython.uchar[::1] = core.row_blocks
    groups: cython.uchar[::1] = core.row_groups
    index: cython.Py_ssize_t = at if across else at % stride * rows + at // stride
    step: cython.int = 1 if d > 0 else -1
    first: cython.int = 0 if d > 0 else 63  # where a block is entered
    block: cython.Py_ssize_t
    code: cython.int
    info: cython.int
    if not across:
        blocks = core.column_blocks
        groups = core.column_groups
    while True:
        while True:
            code = codes[at]
            if code != SPACE:
                if code == EDGE or mode == _NONBLANK:
                    return 2 * at + inside
                if code == 59:
                    inside ^= 1
                elif inside == 0:
                    return 2 * at
            at += d
            index += step
            if (index & 63) == first:
                break
        block = index >> 6
        while True:
            if (block & 63) == first:
                info = groups[block >> 6]
                if info != _STALE and not _search_ends(info, step, mode, inside):
                    inside ^= info & _ODD
                    block += 64 * step
                    continue
            info = blocks[block]
            if info == _STALE:
                info = _summarize(core, across, block)
            if _search_ends(info, step, mode, inside):
                break
            inside ^= info & _ODD
            block += step
            if (block & 63) == first and groups[(block - step) >> 6] == _STALE:
                _summarize_group(core, across, (block - step) >> 6)
        index = (block << 6) + first
        at = index if across else index % rows * stride + index // rows


@cython.cfunc
@cython.nogil
@cython.cdivision(True)
@cython.exceptval(check=False)
def _outermost_line(core: Core, across: cython.bint, step: cython.int) -> cython.Py_ssize_t:
    """Return the window's first row or column that is not blank; 0 if all are blank.

    The result counts from the ring, which is 0.  across: whether to search rows.  step: -1 for the
    last row or column.  Blocks of cells that are blank according to their summaries are skipped.
    """
    stride: cython.Py_ssize_t = core.stride
    rows: cython.Py_ssize_t = core.height + 2
    size: cython.Py_ssize_t = stride * rows
    length: cython.Py_ssize_t = stride if across else rows
    blocks: cython.uchar[::1] = core.row_blocks
    groups: cython.uchar[::1] = core.row_groups
    count: cython.Py_ssize_t = (size + 63) >> 6
    block: cython.Py_ssize_t = 0 if step > 0 else count - 1
    index: cython.Py_ssize_t
    info: cython.int
    code: cython.int
    if not across:
        blocks = core.column_blocks
        groups = core.column_groups
    while 0 <= block < count:
        info = groups[block >> 6]
        if info != _STALE and not info & _HAS_NONBLANK:
            block = ((block >> 6) + 1) << 6 if step > 0 else (block >> 6 << 6) - 1
            continue
        info = blocks[block]
        if info == _STALE:
            info = _summarize(core, across, block)
        if info & _HAS_NONBLANK:
            break
        block += step
        if (block & 63) == (0 if step > 0 else 63) and groups[(block - step) >> 6] == _STALE:
            _summarize_group(core, across, (block - step) >> 6)
    if block < 0 or block >= count:
        return 0
    index = block << 6 if step > 0 else min((block << 6) + 63, size - 1)
    while True:
        code = core.codes[index if across else index % rows * stride + index // rows]
        if code != SPACE and code != EDGE:
            return index // length
        index += step


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _update_bounds(
    core: Core, x: cython.longlong, y: cython.longlong, value: cython.longlong
) -> cython.bint:
    """Update the bounds after a write to a cell; return whether they may now be too wide."""
    if value == BLANK:
        if x == core.low_x or x == core.high_x or y == core.low_y or y == core.high_y:
            core.bounds_loose = True
    elif core.low_x > core.high_x:
        core.low_x = x
        core.high_x = x
        core.low_y = y
        core.high_y = y
    else:
        if x < core.low_x:
            core.low_x = x
        if x > core.high_x:
            core.high_x = x
        if y < core.low_y:
            core.low_y = y
        if y > core.high_y:
            core.high_y = y
    return core.bounds_loose
