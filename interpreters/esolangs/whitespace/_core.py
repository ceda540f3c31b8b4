# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The engine: executes compiled traces of instructions where it can, else single instructions.

``_run_exact`` executes one instruction after the other with every check and defines the language,
for numbers of any size; ``_run_traces`` runs traces of instructions whose numbers fit a slot (see
``traces.py``) and leaves the rest to ``_run_exact``.
"""

from __future__ import annotations

from array import array
from sys import getsizeof

from esolangs import work
from esolangs.division import divide
from esolangs.lazy_zeros import extend_with_zeros
from esolangs.numbers import decimal
from esolangs.whitespace.addresses import LargeAddress
from esolangs.whitespace.reading import read_line, read_token

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

if not cython.compiled:
    from esolangs._slot_table import SlotTable
    from esolangs.filters import (
        FILTER_CELL,
        FILTER_PASSES,
        FILTER_REGISTER,
        MAX_FILTER_DEPTH,
        MAX_FILTER_LEVELS,
        run_filter,
    )
    from esolangs.numbers import MAX_BITS
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
    from esolangs.whitespace.opcodes import (
        ADD,
        BIG,
        BIG_COST,
        BY_ZERO,
        CALL,
        CELL_COST,
        COMPILE,
        COPY,
        DISCARD,
        DIV,
        DUP,
        END,
        EOF_ERROR,
        EOF_UNCHANGED,
        FAR_COST,
        FAR_WORK,
        FRAME_COST,
        FREE_WORK,
        HALT,
        HOT_COUNT,
        JN,
        JUMP,
        JZ,
        LABEL,
        MAX_PAUSE,
        MIN_CELLS,
        MIN_FAR_ADDRESS,
        MIN_VISIT_INSTRUCTIONS,
        MOD,
        MUL,
        NO_CALL,
        NO_CHARACTER,
        NO_INPUT,
        NO_LABEL,
        PRINTC,
        PRINTN,
        PUSH,
        READC,
        READN,
        RETRIEVE,
        RETURN,
        SLIDE,
        SLOT_COST,
        STORE,
        SUB,
        SWAP,
        TURN_INSTRUCTIONS,
        UNDERFLOW,
        WORK_SLICE,
    )
    from esolangs.whitespace.tracing import (
        BACK,
        BAIL,
        HEAD,
        T_ADD,
        T_ADDC,
        T_AND,
        T_CALL,
        T_DIV,
        T_END,
        T_JEQ,
        T_JEQC,
        T_JGTC,
        T_JLT,
        T_JLTC,
        T_JN,
        T_JZ,
        T_LOAD,
        T_LOADC,
        T_MOD,
        T_MUL,
        T_MULC,
        T_POP,
        T_RSUBC,
        T_SET,
        T_SHR,
        T_STORE,
        T_STOREC,
        T_STORECK,
        T_STOREK,
        T_SUB,
    )

    MAX_SLOT = (1 << 63) - 1
    WIDE = False  # plain Python has only one kind of integer
    WIDE_LIMIT = WORD = 1 << 126
    wide = cython.longlong
    WIDE_BITS = 126
    high_word = from_words = abs


@cython.final
@cython.cclass
class NumbersPage:
    """The numbers of 1024 successive places, a page of :class:`LargeNumbers`.

    A number is in ``numbers``.  In the first page of the stack, numbers of at most 126 bits are in
    two words instead if the C compiler has integers of 128 bits (WIDE); both words are 0 if the
    number is in ``numbers``.
    Other pages have no words, because a page with few numbers must not take much memory.
    """

    numbers: list
    charges: cython.int[::1]
    has_words: cython.bint
    lows: cython.ulonglong[::1]
    highs: cython.longlong[::1]

    def __init__(self, has_words):
        self.numbers = [None] * (_PAGE_MASK + 1)
        self.charges = array("i", bytes(4 * (_PAGE_MASK + 1)))
        self.has_words = has_words
        if has_words:
            self.lows = array("Q", bytes(8 * (_PAGE_MASK + 1)))
            self.highs = array("q", bytes(8 * (_PAGE_MASK + 1)))

    def size(self):
        """Return the approximate size in bytes of this page and the numbers in it."""
        numbers = [number for number in self.numbers if number is not None]
        return 12 * (_PAGE_MASK + 1) + sum(map(getsizeof, numbers))

    @cython.cfunc
    @cython.inline
    def has_number(self, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether a number is stored at a place."""
        if WIDE and self.has_words and (self.lows[at] != 0 or self.highs[at] != 0):
            return True
        return self.numbers[at] is not None

    @cython.cfunc
    def copy(self) -> NumbersPage:
        """Return an independent copy of this page, whose ``has_words`` must be False."""
        at: cython.Py_ssize_t
        copied: NumbersPage = NumbersPage(False)
        copied.numbers = list(self.numbers)
        for at in range(_PAGE_MASK + 1):
            copied.charges[at] = self.charges[at]
        return copied

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def wide_number(self, at: cython.Py_ssize_t) -> wide:
        """Return the number in the two words at index ``at``; it is 0 if they are not used."""
        return from_words(self.highs[at], self.lows[at])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def put_wide(self, at: cython.Py_ssize_t, number: wide) -> cython.int:
        """Store a number of at most 126 bits in the two words of a place."""
        self.lows[at] = cython.cast(cython.ulonglong, number)
        self.highs[at] = high_word(number)
        return 0

    @cython.cfunc
    def number(self, at: cython.Py_ssize_t) -> object:
        """Return the number at a place, or None."""
        if WIDE and self.has_words and self.wide_number(at) != 0:
            return self.wide_number(at)
        return self.numbers[at]

    @cython.cfunc
    def put(self, at: cython.Py_ssize_t, number: object) -> cython.int:
        """Store a number, or None, at a place."""
        if WIDE and self.has_words:
            if number is not None and number.bit_length() <= WIDE_BITS:
                self.put_wide(at, number)
                return 0
            self.put_wide(at, 0)
        self.numbers[at] = number
        return 0

    def entries(self):
        """Return a tuple (place, number, charge) for each place that ever held a large number.

        charge: the bytes of memory charged for the place.  A number is outdated if the slot of its
        place is not BIG.
        """
        at: cython.Py_ssize_t
        found: list = []
        for at in range(_PAGE_MASK + 1):
            if self.charges[at] != 0:
                found.append((at, self.number(at), self.charges[at]))
        return found


@cython.final
@cython.cclass
class LargeNumbers:
    """The numbers that do not fit the slots of a stack or heap, by place.

    Each place is charged for the largest number that it ever held.  A page is None until one of its
    places holds a large number, so that no step creates many entries.  ``shared`` has for each page
    the part of a snapshot to which it belongs, or None; a shared page is copied before it is
    changed.  ``saved_words`` has the entries of the page with words in the last snapshot, or None.
    """

    pages: list
    shared: list
    saved_words: object

    def __init__(self, has_words):
        """Create an empty table.

        has_words: whether its first page has words for smaller numbers; see :class:`NumbersPage`.
        """
        self.pages = []
        self.shared = []
        self.saved_words = None
        if has_words:
            self.pages.append(NumbersPage(True))
            self.shared.append(None)

    @cython.cfunc
    @cython.inline
    def number(self, at: cython.Py_ssize_t) -> object:
        page: NumbersPage = self.pages[at >> _PAGE_BITS]
        return page.number(at & _PAGE_MASK)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def charge(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return the memory charged for the largest number that was ever stored at a place."""
        page: NumbersPage
        if at >> _PAGE_BITS >= len(self.pages):
            return 0
        page = self.pages[at >> _PAGE_BITS]
        return 0 if page is None else page.charges[at & _PAGE_MASK]

    @cython.cfunc
    @cython.inline
    def page(self, at: cython.Py_ssize_t) -> NumbersPage:
        """Return the page of a place, for changing it; create it if necessary."""
        page: NumbersPage = None
        if at >> _PAGE_BITS < len(self.pages):
            page = self.pages[at >> _PAGE_BITS]
        else:
            self._add_places((at >> _PAGE_BITS) + 1)
        if page is None:
            page = NumbersPage(False)
            self.pages[at >> _PAGE_BITS] = page
        elif self.shared[at >> _PAGE_BITS] is not None:
            page = page.copy()
            self.pages[at >> _PAGE_BITS] = page
            self.shared[at >> _PAGE_BITS] = None
        return page

    def _add_places(self, count):
        """Lengthen the lists of pages to ``count`` if they are shorter; added pages are None."""
        self.pages.extend([None] * (count - len(self.pages)))
        self.shared.extend([None] * (count - len(self.shared)))

    @cython.cfunc
    @cython.inline
    def put(self, at: cython.Py_ssize_t, number: object, charge: cython.longlong) -> cython.int:
        """Put a number at a place, and raise the memory charged for the place to ``charge``."""
        page: NumbersPage = self.page(at)
        page.put(at & _PAGE_MASK, number)
        if charge > page.charges[at & _PAGE_MASK]:
            page.charges[at & _PAGE_MASK] = charge
        return 0

    def clear(self, at):
        """Remove the number at a place, and set the memory charged for the place to 0."""
        page: NumbersPage = self.page(at)
        page.put(at & _PAGE_MASK, None)
        page.charges[at & _PAGE_MASK] = 0

    def entries(self):
        """Return (place, number, charge) for each place that has ever stored a large number."""
        found = []
        for index, page in enumerate(self.pages):
            if page is not None:
                first = index * (_PAGE_MASK + 1)
                found += [(first + at, number, charge) for at, number, charge in page.entries()]
        return found

    def save(self, slots: cython.longlong[::1], used: cython.Py_ssize_t):
        """Return the table's state for ``load``, or None if there is nothing to save.

        The state is a part of a snapshot.  It shares the pages with this table, but contains a copy
        of the entries of a page with words.  slots: the stack or heap, of which the first ``used``
        places are in use.
        """
        from esolangs.pages import SharedObject

        index: cython.Py_ssize_t
        page: NumbersPage
        indexes: list = []
        words = None
        for index in range(len(self.pages)):
            if self.pages[index] is None:
                continue
            page = self._drop_outdated(index, slots, used)
            if page.has_words:
                words = self._save_words(page)
                continue
            indexes.append(index)
            if self.shared[index] is None:
                self.shared[index] = SharedObject(page, page.size())
        if words is None and not indexes:
            return None
        parts = [self.shared[index] for index in indexes]
        return SharedObject(tuple(indexes), 0, tuple(parts if words is None else [*parts, words]))

    @cython.cfunc
    def _drop_outdated(
        self, index: cython.Py_ssize_t, slots: cython.longlong[::1], used: cython.Py_ssize_t
    ) -> NumbersPage:
        """Remove from a page the numbers of slots that are unused or not BIG; return the page."""
        at: cython.Py_ssize_t
        page: NumbersPage = self.pages[index]
        first: cython.Py_ssize_t = index << _PAGE_BITS
        for at in range(_PAGE_MASK + 1):
            if (first + at >= used or slots[first + at] != BIG) and page.has_number(at):
                page = self.page(first + at)
                page.put(at, None)
        return page

    def _save_words(self, words_page):
        """Return the entries of ``words_page`` as a snapshot part; None if the page is empty.

        If the entries have not changed, return the same part as for the last snapshot.
        """
        from esolangs.pages import SharedObject

        page: NumbersPage = words_page
        entries = page.entries()
        if not entries:
            return None
        if self.saved_words is None or self.saved_words.value != entries:
            size = sum([_ENTRY_BYTES + getsizeof(number) for _, number, _ in entries])
            self.saved_words = SharedObject(entries, size)
        return self.saved_words

    def load(self, saved):
        """Restore ``saved``, a result of ``save``; this object must be new."""
        if saved is None:
            return
        *pages, words = saved.parts if len(saved.parts) > len(saved.value) else [*saved.parts, None]
        if words is not None:
            for at, number, charge in words.value:
                self.put(at, number, charge)
            self.saved_words = words
        if pages:
            self._add_places(max(saved.value) + 1)
        for index, part in zip(saved.value, pages, strict=True):
            self.pages[index] = part.value
            self.shared[index] = part


@cython.final
@cython.cclass
class FarCells:
    """The heap cells outside the window (the array of cells from address 0 on).

    Each cell has a slot, a number that ``slots`` assigns to its address; its number is in
    ``cells``, a view of ``buffer``, or in ``large`` if the cell holds BIG.
    """

    slots: SlotTable
    buffer: object
    cells: cython.longlong[::1]
    large: LargeNumbers

    def __init__(self):
        self.slots = SlotTable()
        self.buffer = array("q")
        self.cells = _NO_NUMBERS
        self.large = LargeNumbers(False)

    def save(self, copy):
        """Return the number of slots and a copy of the cells; ``copy`` is as in ``Core.save``."""
        used = self.slots.used
        return used, copy(3, self.buffer, used)

    def load(self, saved, slots, copy):
        """Restore all cells except large numbers, which the caller restores in ``large``.

        saved: what ``save`` returned.  slots: what ``SlotTable.save`` returned.  ``copy``
        copies a saved memory to a buffer.
        """
        used, cells = saved
        self.buffer = array("q")
        self.cells = _NO_NUMBERS
        self.large = LargeNumbers(False)
        self.slots.load(slots)
        if used > 0:
            self._reserve(used)
            copy(cells, self.buffer)

    def _reserve(self, size):
        """Make room for ``size`` slots."""
        self.cells = _NO_NUMBERS  # an array with a view cannot grow
        self.buffer = extend_with_zeros(self.buffer, size, _MAX_ENTRIES)
        self.cells = self.buffer

    @cython.cfunc
    def number(self, slot: cython.Py_ssize_t) -> object:
        """Return the number in a slot."""
        return self.large.number(slot) if self.cells[slot] == BIG else self.cells[slot]

    @cython.cfunc
    def add(self, address: object) -> cython.Py_ssize_t:
        """Add a cell at an address that has no slot; return its slot, which holds 0."""
        slot: cython.Py_ssize_t = self.slots.add(address)
        if slot == len(self.buffer):
            self._reserve(max(64, 2 * slot))
        return slot

    def below(self, end):
        """Return the addresses of all cells from 0 to ``end`` - 1."""
        return [address for address in self.slots.all_keys() if 0 <= address < end]

    def pop(self, address):
        """Remove the cell at an address; return its number, and the memory charged for the cell.

        The memory is the charge for the largest number that the cell has contained.
        """
        slot: cython.Py_ssize_t = self.slots.remove(address)
        number, charge = self.number(slot), self.large.charge(slot)
        self.cells[slot] = 0
        if charge > 0:
            self.large.clear(slot)
        return number, charge

    def items(self):
        """Return a dictionary of all cells."""
        found: dict = {}
        slot: cython.Py_ssize_t = 0
        for page in self.slots.pages:
            for address in page:
                if address is not None:
                    found[address] = self.number(slot)
                slot += 1
        return found


@cython.cclass
class Core:
    """The state of a run, which a replay must restore, and the tables of its program.

    A slot holds a number of up to 63 bits and its sign, or BIG: then the number is in
    ``stack_large`` or ``heap_large``.  ``high`` and ``calls_high`` are the greatest
    depths of the stack and of the call stack so far.  ``step_work`` is the work of the instruction
    that is being executed.
    """

    ops: cython.uchar[::1]
    args: cython.longlong[::1]
    constants: dict
    constant_at: cython.int[::1]  # the instructions whose constants are in words, by a hash
    constant_lows: cython.ulonglong[::1]
    constant_highs: cython.longlong[::1]
    code: cython.longlong[::1]  # the traces
    entry: cython.int[::1]  # where in `code` the trace from an instruction begins, or -1
    heat: cython.uchar[::1]
    pause: cython.int
    pause_length: cython.int
    stack = cython.declare(cython.longlong[::1])
    # The arrays that other attributes view.
    stack_array = cython.declare(object, visibility="public")
    frames_array = cython.declare(object, visibility="public")
    heap_array = cython.declare(object, visibility="public")
    # Memory of compiled code, which begins with the window of the heap; None without it.
    heap_room = cython.declare(object, visibility="public")
    stack_large: LargeNumbers
    lows: cython.ulonglong[::1]  # of the first page of `stack_large`
    highs: cython.longlong[::1]
    charges: cython.int[::1]
    frames: cython.int[::1]  # return points
    heap: cython.longlong[::1]
    heap_large: LargeNumbers
    far: FarCells
    stdin: cython.uchar[::1]
    input_bytes: bytes
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]  # the step that printed each byte of `out`
    read_steps: cython.longlong[::1]
    marks: cython.uchar[::1]
    ip = cython.declare(cython.Py_ssize_t, visibility="public")
    sp = cython.declare(cython.Py_ssize_t, visibility="public")
    calls = cython.declare(cython.Py_ssize_t, visibility="public")
    high = cython.declare(cython.Py_ssize_t, visibility="public")
    calls_high = cython.declare(cython.Py_ssize_t, visibility="public")
    capacity: cython.Py_ssize_t
    frames_capacity: cython.Py_ssize_t
    cells = cython.declare(cython.longlong, visibility="public")  # of the window of the heap
    steps = cython.declare(cython.longlong, visibility="public")
    memory = cython.declare(cython.longlong, visibility="public")
    work = cython.declare(cython.longlong, visibility="public")  # on large numbers and many cells
    work_pause: cython.longlong  # the work at which the run pauses, so that it can be stopped
    step_work: cython.longlong
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    number_read: object  # its start, end and value, while FLUSH is requested
    printed = cython.declare(cython.longlong, visibility="public")
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    # the rules
    closed = cython.declare(cython.bint, visibility="public")
    floor_quotient: cython.bint
    floor_remainder: cython.bint
    eof: cython.int
    utf8: cython.bint
    by_line: cython.bint
    max_output: cython.longlong
    max_memory: cython.longlong
    max_work: cython.longlong
    # what to watch for
    watching: cython.bint
    scanning: cython.bint
    every_step: cython.bint
    every_read: cython.bint
    marks_at_depth: object  # pairs of an instruction and a depth of calls
    watched: object  # addresses
    printable: object  # values of bytes
    output_index: cython.longlong
    filtered: cython.bint
    filter: cython.longlong[::1]
    filter_numbers: cython.longlong[::1]
    hits = cython.declare(cython.longlong, visibility="public")
    first_hit = cython.declare(cython.longlong, visibility="public")
    last_hit = cython.declare(cython.longlong, visibility="public")
    # the tally
    tallying: cython.bint
    counts: cython.longlong[::1]
    latest: cython.longlong[::1]
    # the instruction executed last while watching
    last_ip = cython.declare(cython.Py_ssize_t, visibility="public")
    last_write = cython.declare(object, visibility="public")  # (address, old, new) or None
    last_printed = cython.declare(bytes, visibility="public")
    last_read = cython.declare(object, visibility="public")  # bytes; None without a read
    read_stored_value: cython.bint  # false if the last read left the cell unchanged
    last_depth = cython.declare(cython.Py_ssize_t, visibility="public")  # of the stack
    previous_depth: cython.Py_ssize_t  # the depth before that instruction
    # places on the stack to watch for
    levels: object
    min_level: cython.longlong  # the first and last of them; nothing lies between -1 and -2
    max_level: cython.longlong

    def __init__(self, tables, rules, max_output, max_memory, max_work):
        self.ops, self.args, self.constants = tables
        if WIDE and self.constants:
            self.constant_at = array("i", [-1]) * (_CONSTANT_MASK + 1)
            self.constant_lows = array("Q", bytes(8 * (_CONSTANT_MASK + 1)))
            self.constant_highs = array("q", bytes(8 * (_CONSTANT_MASK + 1)))
        self.floor_quotient, self.floor_remainder, self.eof, self.utf8, self.by_line = rules
        self.max_output = max_output
        self.max_memory = max_memory
        self.max_work = max_work
        size = len(self.ops)
        self.code = array("q", [0])
        self.entry = array("i", [-1]) * size
        self.heat = bytearray(size)
        self.pause = 0
        self.pause_length = 1
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.set_input(b"", True)
        self.out_length = self.read_length = 0
        self.watching = self.tallying = self.read_stored_value = self.filtered = False
        self.filter_numbers = array("q", bytes(8 * MAX_FILTER_DEPTH))
        self.last_ip = -1
        self.last_depth = self.previous_depth = 0
        self.load((0, 0, None, 0, 0, None, 0, 0, None, None, 0, 0, 0), None, None)
        self.steps = self.printed = 0
        self.hits = self.first_hit = self.last_hit = 0

    def save(self, copy):
        """Return the state for ``load``, without steps, output and tables (see ``save_tables``).

        copy: a function that saves a memory.  It gets the memory's number, the memory, and the
        number of its used entries; its results are passed to the ``copy`` of ``load``.
        """
        return (
            self.ip,
            self.sp,
            copy(0, self.stack_array, self.sp),
            self.high,
            self.calls,
            copy(1, self.frames_array, self.calls),
            self.calls_high,
            self.cells,
            copy(2, self.heap_array, self.cells),
            self.far.save(copy),
            self.memory,
            self.work,
            self.input_position,
        )

    def save_tables(self):
        """Return the tables of large numbers and of far cells' slots, as parts of a snapshot.

        The large numbers are in the stack, the heap and the far cells.  None stands for an empty
        table.
        """
        return (
            self.stack_large.save(self.stack, self.sp),
            self.heap_large.save(self.heap, self.cells),
            self.far.large.save(self.far.cells, self.far.slots.used),
            self.far.slots.save(),
        )

    def load(self, state, tables, copy):
        """Restore a state that ``save`` returned.

        copy: a function that copies saved entries, its first argument, to a buffer, its second.
        tables: what ``save_tables`` returned, or None if all tables are empty.
        """
        (
            self.ip,
            self.sp,
            stack,
            self.high,
            self.calls,
            frames,
            self.calls_high,
            self.cells,
            heap,
            far,
            self.memory,
            self.work,
            self.input_position,
        ) = state
        self.step_work = 0
        self.number_read = None
        self.work_pause = self.work + WORK_SLICE
        self.capacity = 64
        while self.capacity < self.high + 64:
            self.capacity *= 2
        self.capacity = self.max_places(self.capacity)
        self.stack_array = extend_with_zeros(
            array("q"), self.capacity, self.max_places(_MAX_ENTRIES)
        )
        if self.sp > 0:
            copy(stack, self.stack_array)
        self.stack = self.stack_array
        self.stack_large = LargeNumbers(WIDE)
        self.heap_large = LargeNumbers(False)
        if tables is None:
            self.far = FarCells()
        else:
            stack_large, heap_large, far_large, far_slots = tables
            self.stack_large.load(stack_large)
            self.heap_large.load(heap_large)
            self.far.load(far, far_slots, copy)
            self.far.large.load(far_large)
        if WIDE:
            self.view_first_page()
        self.frames_capacity = self.max_frames(max(64, 2 * self.calls))
        self.frames_array = extend_with_zeros(
            array("i"), self.frames_capacity, self.max_frames(_MAX_ENTRIES)
        )
        if self.calls > 0:
            copy(frames, self.frames_array)
        self.frames = self.frames_array
        self.heap_room = None
        self.heap_array = array("q", bytes(8 * max(1, min(self.cells, _PART_ENTRIES))))
        if self.cells > _PART_ENTRIES:
            self.extend_heap(self.cells)
        if self.cells > 0:
            copy(heap, self.heap_array)
        self.heap = self.heap_array

    def view_first_page(self):
        """Make the arrays of the stack's first page attributes of the core, for fast access.

        They are the two words of each number, and the memory charged for each place.
        """
        page: NumbersPage = self.stack_large.page(0)
        self.lows = page.lows
        self.highs = page.highs
        self.charges = page.charges

    def set_input(self, data, closed):
        """Set the whole input since step 0.

        closed: whether the input ends after ``data``.  A byte is stored after the data, because an
        empty buffer has no address.
        """
        self.input_bytes = bytes(data)
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed
        self.number_read = None

    def set_traces(self, code, entry):
        """Run these traces from now on; ``code`` and ``entry`` are as in ``Traces``."""
        self.code = code
        self.entry = entry

    def use_heap_room(self, room):
        """Store the heap in ``room``, which has a copy of the heap's window, followed by zeros."""
        self.heap_room = room
        self.heap_array = room[: max(1, self.cells)]
        self.heap = self.heap_array

    def count_narrow(self, limit: cython.Py_ssize_t, bound: cython.longlong) -> int:
        """Return how many numbers at the top of the stack are from -bound to bound - 1.

        limit: the maximum result; deeper numbers are not searched.
        """
        count: cython.Py_ssize_t = 0
        number: cython.longlong
        limit = min(limit, self.sp)
        while count < limit:
            number = self.stack[self.sp - 1 - count]
            if number < -bound or number >= bound:
                break
            count += 1
        return count

    def raise_high(self, high, calls_high, calls):
        """Charge memory for new maximum depths of the stack and the call stack; make room for them.

        high, calls_high: the maximum depths.  calls: number of return points to make room for.
        """
        self.memory += (high - self.high) * SLOT_COST
        self.memory += (calls_high - self.calls_high) * FRAME_COST
        self.high = high
        self.calls_high = calls_high
        while self.capacity < high + 64:
            self.grow_stack()
        while self.frames_capacity < calls:
            self.grow_frames()

    def run_to_entry(self, entries: cython.uchar[::1], limit: cython.longlong) -> cython.int:
        """Execute single instructions, at least one, up to one that ``entries`` marks.

        Return the reason as ``run`` does; BUDGET also if a marked instruction was reached.
        """
        reason: cython.int = BUDGET
        while reason == BUDGET and self.steps < limit:
            reason = _run_exact(self, self.steps + 1)
            if entries[self.ip] != 0:
                break
        return reason

    def pushes(self):
        """Return the number of stack places, from the top, that the last instruction wrote."""
        return _pushed_count(self) if self.last_ip >= 0 else 0

    def depth(self):
        """Return the number of entries of the stack."""
        return self.sp

    def value(self, at):
        """Return the number at a level of the stack; 0 is the bottom."""
        return _stack_number(self, at)

    def frame(self, at):
        """Return the instruction to which a running call returns; 0 is the oldest call."""
        return self.frames[at]

    def peek(self, address):
        """Return the number at an address of the heap."""
        return _heap_number(self, address)

    def poke(self, address, value):
        """Change a cell; return False if memory does not suffice."""
        stored = _store(self, address, value)
        self.step_work = 0  # the change is not part of a step
        return stored

    def near_cells(self, first, count):
        """Return up to ``count`` pairs of address and value from the window; empty cells are 0."""
        end = min(first + count, self.cells)
        return [(at, _heap_number(self, at)) for at in range(max(0, first), end)]

    def large_numbers(self):
        """Return the numbers that are too large for their slots, as two dicts: stack, heap.

        The keys are the indices of the slots.
        """
        place: cython.Py_ssize_t
        stack = {}
        for at, number, _ in self.stack_large.entries():
            place = at
            if place < self.sp and self.stack[place] == BIG:
                stack[at] = number
        heap = {}
        for at, number, _ in self.heap_large.entries():
            place = at
            if self.heap[place] == BIG:
                heap[at] = number
        return stack, heap

    def take_far(self, other):
        """Take over the far cells of the core ``other``, which must not be used afterwards.

        Far cells are the heap cells outside the window, see ``FarCells``.  Having them makes the
        next ``load`` faster if many addresses have the same slots in the loaded state.
        """
        core: Core = other
        self.far = core.far
        core.far = FarCells()

    def far_cells(self):
        """Return the cells outside the window by address."""
        return self.far.items()

    def far_addresses(self):
        """Return the addresses of the cells outside the window."""
        return self.far.slots.all_keys()

    def watch(
        self,
        marks,
        marks_at_depth,
        watched,
        levels,
        printable,
        output_index,
        every_read,
        every_step,
        scanning,
    ):
        """Until ``unwatch``, stop at marked instructions, writes, pushes, printed bytes and reads.

        marks: for each instruction, 1 to stop at any call depth, 2 to search ``marks_at_depth``,
        else 0.  watched: heap addresses.  levels: places on the stack.
        """
        self.marks = marks
        self.marks_at_depth = marks_at_depth
        self.watched = watched
        self.levels = levels
        self.min_level = min(levels, default=-1)
        self.max_level = max(levels, default=-2)
        self.printable = printable
        self.output_index = output_index
        self.every_read = every_read
        self.every_step = every_step
        self.scanning = scanning
        self.hits = self.first_hit = self.last_hit = 0
        self.watching = True

    def unwatch(self):
        """Stop watching and run at full speed."""
        self.watching = self.filtered = False

    def set_filter(self, code):
        """Until ``unwatch``, do not stop where the condition ``code`` evaluates to zero."""
        self.filter = code
        self.filtered = True

    def begin_tally(self, counts, latest):
        """For each instruction, count steps and record the last step, until ``end_tally``."""
        self.counts = counts
        self.latest = latest
        self.tallying = True

    def end_tally(self):
        """Stop counting the steps of each instruction."""
        self.tallying = False

    def take_printed(self):
        """Return the bytes printed since the last call, and the step that printed each."""
        length = self.out_length
        self.out_length = 0
        return bytes(self.out[:length]), array("q", bytes(self.out_steps[:length]))

    def take_reads(self):
        """Return the step of every byte that was read since the last call."""
        length = self.read_length
        self.read_length = 0
        return array("q", bytes(self.read_steps[:length]))

    def run(self, limit: cython.longlong) -> cython.int:
        """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason."""
        return _run_exact(self, limit)

    def max_places(self, wanted):
        """Return a stack size near ``wanted`` that memory allows and that has room for traces.

        The slots up to ``high`` are paid for, and 64 spare slots suffice for any trace.
        """
        unpaid = max(0, self.max_memory - self.memory) // SLOT_COST
        return min(max(wanted, self.high + 64), self.high + unpaid + 64)

    def max_frames(self, wanted):
        """Return a call stack size near ``wanted`` that memory allows."""
        return max(self.calls + 1, min(wanted, self.max_memory // FRAME_COST + 1))

    def grow_stack(self):
        """Enlarge the stack; the places beyond ``high`` are temporary space for traces.

        Add at most ``_PART_ENTRIES`` places, so that the step does not take long.
        """
        self.capacity = self.max_places(self.capacity + min(self.capacity, _PART_ENTRIES))
        self.stack = _NO_NUMBERS  # an array that is in use cannot be resized
        self.stack_array = extend_with_zeros(
            self.stack_array, self.capacity, self.max_places(_MAX_ENTRIES)
        )
        self.stack = self.stack_array

    def grow_frames(self):
        """Enlarge the call stack."""
        more = min(self.frames_capacity, _PART_ENTRIES)
        self.frames_capacity = self.max_frames(self.frames_capacity + more)
        self.frames = _NO_FRAMES
        most = self.max_frames(_MAX_ENTRIES)
        self.frames_array = extend_with_zeros(self.frames_array, self.frames_capacity, most)
        self.frames = self.frames_array

    def enlarge_window(self, cells):
        """Enlarge the heap's window (the array of cells from address 0 on) to ``cells`` cells.

        Cells that were outside the window, and are now inside, are moved into it.
        """
        self.heap = _NO_NUMBERS
        self.extend_heap(cells)
        self.heap = self.heap_array
        self.cells = cells
        for address in self.far.below(cells):
            value, charge = self.far.pop(address)
            if charge:
                self.heap_large.put(address, value, charge)
            self.heap[address] = value if -MAX_SLOT <= value <= MAX_SLOT else BIG

    def extend_heap(self, cells):
        """Make room for a larger window, whose new cells are zero."""
        if self.heap_room is not None:
            if cells <= len(self.heap_room):
                self.heap_array = self.heap_room[:cells]
                return
            copy = array("q")
            copy.frombytes(self.heap_array.cast("B"))
            self.heap_array = copy
            self.heap_room = None
        unpaid = max(0, self.max_memory - self.memory) // CELL_COST
        self.heap_array = extend_with_zeros(self.heap_array, cells, cells + unpaid)


_ENTRY_BYTES = 80  # approximate size of a saved entry with a large number, without the number
_MAX_SHORT_BITS = cython.declare(cython.longlong, 6000)  # bits up to which Python divides as fast
_NO_NUMBERS = array("q", [0])
_NO_FRAMES = array("i", [0])
_PART_ENTRIES = 1 << 17  # entries of a buffer that a step may copy or fill with zeros
_MAX_ENTRIES = 1 << 62  # more entries than any buffer has
_PAGE_BITS = cython.declare(cython.Py_ssize_t, 10)
_PAGE_MASK = cython.declare(cython.Py_ssize_t, (1 << 10) - 1)
_CONSTANT_MASK = cython.declare(cython.Py_ssize_t, (1 << 8) - 1)


@cython.cfunc
def _stack_number(core: Core, at: cython.Py_ssize_t) -> object:
    if core.stack[at] == BIG:
        return core.stack_large.number(at)
    return core.stack[at]


@cython.cfunc
def _heap_number(core: Core, address: object) -> object:
    at: cython.longlong
    if 0 <= address < core.cells:
        at = address
        if core.heap[at] == BIG:
            return core.heap_large.number(at)
        return core.heap[at]
    return _far_number(core, address)


@cython.cfunc
def _far_number(core: Core, address: object) -> object:
    """Return the number at an address outside the window; 0 if none was stored."""
    slot: cython.Py_ssize_t = core.far.slots.find(_far_key(address))
    return 0 if slot < 0 else core.far.number(slot)


@cython.cfunc
def _far_key(address: object) -> object:
    """Return an address in the form in which ``FarCells`` uses it as a key."""
    return LargeAddress(address) if address.bit_length() > 63 else address


@cython.cfunc
def _add_work(core: Core, charge: cython.longlong) -> cython.bint:
    """Charge the current instruction for work; return False if the limit does not allow it."""
    if charge > core.max_work - core.work:
        return False
    core.step_work = charge
    return True


@cython.cfunc
def _number_cost(bits: cython.longlong) -> cython.longlong:
    """Return the memory that a number of ``bits`` bits takes in addition to its place."""
    return 0 if bits <= 63 else BIG_COST + 8 * ((bits + 63) // 64)


@cython.cfunc
def _place_cost(core: Core, at: cython.Py_ssize_t, bits: cython.longlong) -> cython.longlong:
    """Return the memory to charge for putting a number of ``bits`` bits in a stack place."""
    extra: cython.longlong = SLOT_COST if at >= core.high else 0
    cost: cython.longlong
    charged: cython.longlong
    if bits > 63:
        cost = _number_cost(bits)
        charged = core.stack_large.charge(at)
        if cost > charged:
            extra += cost - charged
    return extra


@cython.cfunc
def _raise_high(core: Core, at: cython.Py_ssize_t) -> cython.int:
    """Record that the stack has reached index ``at``, higher than before, and make room for it."""
    core.high = at + 1
    if core.high + 64 > core.capacity:
        core.grow_stack()
    return 0


@cython.cfunc
def _put_charged(
    core: Core, at: cython.Py_ssize_t, value: object, bits: cython.longlong
) -> cython.int:
    """Put a number of ``bits`` bits at level ``at``; its memory is already charged."""
    if at >= core.high:
        _raise_high(core, at)
    if bits <= 63:
        core.stack[at] = value
        return 0
    core.stack[at] = BIG
    core.stack_large.put(at, value, _number_cost(bits))
    return 0


@cython.cfunc
def _put(core: Core, at: cython.Py_ssize_t, value: object) -> cython.bint:
    """Put a number at level ``at`` of the stack; return False if memory does not suffice."""
    bits: cython.longlong = value.bit_length()
    extra: cython.longlong
    cost: cython.longlong
    page: NumbersPage
    if bits <= 63 or at >= core.high:
        extra = _place_cost(core, at, bits)
        if bits > MAX_BITS or extra > core.max_memory - core.memory:
            return False
        core.memory += extra
        _put_charged(core, at, value, bits)
        return True
    page = core.stack_large.page(at)  # the same, and faster
    cost = _number_cost(bits)
    extra = cost - page.charges[at & _PAGE_MASK]
    if extra > 0:
        if bits > MAX_BITS or extra > core.max_memory - core.memory:
            return False
        core.memory += extra
        page.charges[at & _PAGE_MASK] = cost
    core.stack[at] = BIG
    page.put(at & _PAGE_MASK, value)
    return True


@cython.cfunc
@cython.inline
def _wide_stack_number(core: Core, at: cython.Py_ssize_t) -> wide:
    """Return the number at place ``at`` of the stack; 0 if a Python integer represents it.

    See ``NumbersPage`` for the numbers that are Python integers.
    """
    if core.stack[at] != BIG:
        return core.stack[at]
    if at > _PAGE_MASK:
        return 0
    return from_words(core.highs[at], core.lows[at])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _wide_cost(number: wide) -> cython.longlong:
    """Return the result of ``_number_cost`` for a number of at most 126 bits."""
    if -MAX_SLOT <= number <= MAX_SLOT:
        return 0
    return BIG_COST + (8 if -WORD < number < WORD else 16)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _charged_memory(core: Core, at: cython.Py_ssize_t) -> cython.longlong:
    """Return the bytes of memory already charged for the stack's entry at index ``at``."""
    return core.charges[at] if at <= _PAGE_MASK else core.stack_large.charge(at)


@cython.cfunc
@cython.inline
def _put_wide(core: Core, at: cython.Py_ssize_t, number: wide) -> cython.bint:
    """Put a number of C type ``wide`` on the stack; return False if memory does not suffice."""
    cost: cython.longlong
    charged: cython.longlong
    extra: cython.longlong = SLOT_COST if at >= core.high else 0
    if -MAX_SLOT <= number <= MAX_SLOT:
        if extra > core.max_memory - core.memory:
            return False
        core.memory += extra
        if extra:
            _raise_high(core, at)
        core.stack[at] = cython.cast(cython.longlong, number)
        return True
    if at > _PAGE_MASK or not -WIDE_LIMIT < number < WIDE_LIMIT:
        return _put(core, at, number)
    charged = core.charges[at]
    cost = _wide_cost(number)
    if cost > charged:
        extra += cost - charged
    if extra > core.max_memory - core.memory:
        return False
    core.memory += extra
    if at >= core.high:
        _raise_high(core, at)
    core.stack[at] = BIG
    if cost > charged:
        core.charges[at] = cost
    core.lows[at] = cython.cast(cython.ulonglong, number)
    core.highs[at] = high_word(number)
    return True


@cython.cfunc
def _copy_large(core: Core, target: cython.Py_ssize_t, source: cython.Py_ssize_t) -> cython.bint:
    """Copy a number on the stack to another place; return False if memory does not suffice."""
    number: wide
    if WIDE:
        number = _wide_stack_number(core, source)
        if number != 0:
            return _put_wide(core, target, number)
    return _put(core, target, _stack_number(core, source))


@cython.cfunc
def _push_constant(core: Core, sp: cython.Py_ssize_t, ip: cython.Py_ssize_t) -> cython.bint:
    """Push a large constant of the program; return False if memory does not suffice."""
    slot: cython.Py_ssize_t = ip & _CONSTANT_MASK
    number: wide
    if not WIDE or sp > _PAGE_MASK:
        return _put(core, sp, core.constants[ip])
    if core.constant_at[slot] != ip:
        value = core.constants[ip]
        if value.bit_length() > WIDE_BITS:
            return _put(core, sp, value)
        number = value
        core.constant_at[slot] = ip
        core.constant_lows[slot] = cython.cast(cython.ulonglong, number)
        core.constant_highs[slot] = high_word(number)
    return _put_wide(core, sp, from_words(core.constant_highs[slot], core.constant_lows[slot]))


@cython.cfunc
def _large_is_negative(core: Core, at: cython.Py_ssize_t) -> cython.bint:
    """Return whether a large number on the stack is negative."""
    number: wide
    if WIDE:
        number = _wide_stack_number(core, at)
        if number != 0:
            return number < 0
    return core.stack_large.number(at) < 0


@cython.cfunc
def _swap_large(core: Core, sp: cython.Py_ssize_t) -> cython.bint:
    """Swap the top two numbers, one or both large; return False if memory does not suffice."""
    a: wide
    b: wide
    if WIDE:
        a = _wide_stack_number(core, sp - 1)
        b = _wide_stack_number(core, sp - 2)
        if (a != 0 or core.stack[sp - 1] == 0) and (b != 0 or core.stack[sp - 2] == 0):
            return _swap_wide(core, sp, a, b)
    upper = _stack_number(core, sp - 1)
    lower = _stack_number(core, sp - 2)
    above: cython.longlong = lower.bit_length()
    below: cython.longlong = upper.bit_length()
    extra: cython.longlong = _place_cost(core, sp - 1, above) + _place_cost(core, sp - 2, below)
    if extra > core.max_memory - core.memory:
        return False
    core.memory += extra
    _put_charged(core, sp - 1, lower, above)
    _put_charged(core, sp - 2, upper, below)
    return True


@cython.cfunc
@cython.inline
def _swap_wide(core: Core, sp: cython.Py_ssize_t, a: wide, b: wide) -> cython.bint:
    """Swap the top ``a`` with ``b`` below it; return False if memory does not suffice."""
    above: cython.longlong = _wide_cost(b) - _charged_memory(core, sp - 1)
    below: cython.longlong = _wide_cost(a) - _charged_memory(core, sp - 2)
    extra: cython.longlong = (above if above > 0 else 0) + (below if below > 0 else 0)
    if extra > core.max_memory - core.memory:
        return False
    _put_wide(core, sp - 1, b)
    _put_wide(core, sp - 2, a)
    return True


@cython.cfunc
def _store(core: Core, address: object, value: object) -> cython.bint:
    """Put a number into the heap; return False if memory does not suffice.

    The window grows only if the work limit allows a search of the far cells.
    """
    bits: cython.longlong = value.bit_length()
    cost: cython.longlong = _number_cost(bits)
    cells: cython.longlong = core.cells
    at: cython.longlong
    extra: cython.longlong
    charged: cython.longlong
    slot: cython.Py_ssize_t
    units: cython.longlong = 0
    if bits > MAX_BITS:
        return False
    if cells <= address < 2 * cells + 16 * core.far.slots.count + MIN_FAR_ADDRESS:
        units = max(0, FAR_WORK * core.far.slots.count - FREE_WORK)
        if units <= core.max_work - core.work - core.step_work:
            cells = max(cells, MIN_CELLS)
            while cells <= address:
                cells *= 2
    if 0 <= address < cells:
        at = address
        extra = CELL_COST * (cells - core.cells)
        if cost:
            if at >= core.cells:
                slot = core.far.slots.find(address)
                charged = 0 if slot < 0 else core.far.large.charge(slot)
            else:
                charged = core.heap_large.charge(at)
            if cost > charged:
                extra += cost - charged
        if extra > core.max_memory - core.memory:
            return False
        core.memory += extra
        if cells > core.cells:
            core.step_work += units
            core.enlarge_window(cells)
        if cost == 0:
            core.heap[at] = value
            return True
        core.heap[at] = BIG
        core.heap_large.put(at, value, cost)
        return True
    address = _far_key(address)
    slot = core.far.slots.find(address)
    if slot < 0:
        extra = cost + FAR_COST + _number_cost(address.bit_length())
    else:
        extra = max(0, cost - core.far.large.charge(slot))
    if extra > core.max_memory - core.memory:
        return False
    core.memory += extra
    if slot < 0:
        slot = core.far.add(address)
    if cost == 0:
        core.far.cells[slot] = value
    else:
        core.far.cells[slot] = BIG
        core.far.large.put(slot, value, cost)
    return True


@cython.cfunc
def _store_slow(core: Core, sp: cython.Py_ssize_t) -> cython.int:
    """Store a large number, or a number in a far cell; return BUDGET or the reason for failure."""
    address = _stack_number(core, sp - 2)
    if core.stack[sp - 2] == BIG and not _add_work(core, work.of_address(address)):
        return WORK_FULL
    return BUDGET if _store(core, address, _stack_number(core, sp - 1)) else MEMORY_FULL


@cython.cfunc
def _retrieve_slow(core: Core, sp: cython.Py_ssize_t) -> cython.int:
    """Retrieve a large number, or one from a far cell; return BUDGET or the reason for failure."""
    a: cython.longlong = core.stack[sp - 1]
    if a == BIG:
        address = _stack_number(core, sp - 1)
        if not _add_work(core, work.of_address(address)):
            return WORK_FULL
        value = _far_number(core, address)
    elif 0 <= a < core.cells:
        value = core.heap_large.number(a)
    else:
        value = _far_number(core, a)
    return BUDGET if _put(core, sp - 1, value) else MEMORY_FULL


@cython.cfunc
def _add_printing_work(core: Core, number: object) -> cython.bint:
    return _add_work(core, work.of_printing(number))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sum_fits(a: cython.longlong, b: cython.longlong) -> cython.bint:
    """Return whether the sum of two numbers, neither of them BIG, fits a slot."""
    return a <= MAX_SLOT - b if b >= 0 else a >= -MAX_SLOT - b


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _product_fits(a: cython.longlong, b: cython.longlong) -> cython.bint:
    """Return whether a product certainly fits a slot, which holds numbers below 2⁶³.

    9.2e18 is less than 2⁶³ by more than the rounding errors.  So a large product that fits may be
    rejected, but a product that does not fit is never accepted.
    """
    product: cython.double = cython.cast(cython.double, a) * cython.cast(cython.double, b)
    return -9.2e18 < product < 9.2e18


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _quotient(a: cython.longlong, b: cython.longlong, rounds_down: cython.bint) -> cython.longlong:
    quotient: cython.longlong = a // b
    if not rounds_down and quotient < 0 and quotient * b != a:
        quotient += 1
    return quotient


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _remainder(a: cython.longlong, b: cython.longlong, rounds_down: cython.bint) -> cython.longlong:
    remainder: cython.longlong = a % b
    if not rounds_down and remainder != 0 and (a < 0) != (b < 0):
        remainder -= b
    return remainder


@cython.cfunc
def _operation_work(op: cython.int, a: object, b: object) -> cython.longlong:
    """Return the work of an operation as in ``esolangs.work``, faster for short numbers."""
    words: cython.longlong = a.bit_length() >> 6
    others: cython.longlong = b.bit_length() >> 6
    longer: cython.longlong = words if words > others else others
    more: cython.longlong
    if longer == 0 or op == ADD or op == SUB:
        return longer
    if op == MUL:
        more = words if words < others else others
        return (more + 1) * longer if more <= 32 else work.of_product(a, b)
    more = words - others if words > others else 0
    if others <= 32:
        if others < more:
            return longer + 2 * (others + 1) * more
        return longer + 2 * (more + 1) * others
    return work.of_quotient(a, b)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _wide_quotient(a: wide, b: wide, rounds_down: cython.bint) -> wide:
    quotient: wide = a // b
    if not rounds_down and quotient < 0 and quotient * b != a:
        quotient += 1
    return quotient


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _wide_remainder(a: wide, b: wide, rounds_down: cython.bint) -> wide:
    remainder: wide = a % b
    if not rounds_down and remainder != 0 and (a < 0) != (b < 0):
        remainder -= b
    return remainder


@cython.cfunc
def _calculate_wide(
    core: Core, op: cython.int, sp: cython.Py_ssize_t, a: wide, b: wide
) -> cython.int:
    """Calculate like ``_calculate`` with at most 126 bits; return CHUNK if a product may need more.

    The numbers have at most one whole word, so the work is the same as ``_operation_work`` returns.
    """
    value: wide
    product: cython.double
    charge: cython.longlong = 0
    large: cython.longlong = (core.stack[sp - 2] == BIG) + (core.stack[sp - 1] == BIG)
    if op == ADD or op == SUB:
        charge = 1 if large else 0
        value = a + b if op == ADD else a - b
    elif op == MUL:
        product = cython.cast(cython.double, a) * cython.cast(cython.double, b)
        if not -8.0e37 < product < 8.0e37:  # less than 2¹²⁶, with any rounding
            return CHUNK
        charge = large
        value = a * b
    elif b == 0:
        return BY_ZERO
    else:
        charge = 3 if large else 0
        if op == DIV:
            value = _wide_quotient(a, b, core.floor_quotient)
        else:
            value = _wide_remainder(a, b, core.floor_remainder)
    if not _add_work(core, charge):
        return WORK_FULL
    return BUDGET if _put_wide(core, sp - 2, value) else MEMORY_FULL


@cython.cfunc
def _calculate(core: Core, op: cython.int, sp: cython.Py_ssize_t) -> cython.int:
    """Execute an arithmetic instruction that slots alone cannot execute.

    An operand or the result does not fit a slot, or the divisor is 0.  Return BUDGET on success,
    otherwise the reason for the failure.
    A product is not computed if memory does not suffice for a lower bound of its size.
    """
    x: wide
    y: wide
    reason: cython.int
    if WIDE:
        x = _wide_stack_number(core, sp - 2)
        y = _wide_stack_number(core, sp - 1)
        if (x != 0 or core.stack[sp - 2] == 0) and (y != 0 or core.stack[sp - 1] == 0):
            reason = _calculate_wide(core, op, sp, x, y)
            if reason != CHUNK:
                return reason
    a = _stack_number(core, sp - 2)
    b = _stack_number(core, sp - 1)
    least: cython.longlong
    if (op == DIV or op == MOD) and not b:
        return BY_ZERO
    if not _add_work(core, _operation_work(op, a, b)):
        return WORK_FULL
    if op == ADD:
        value = a + b
    elif op == SUB:
        value = a - b
    elif op == MUL:
        least = 0
        if a and b:
            least = a.bit_length() + b.bit_length() - 1
        if least > MAX_BITS or _place_cost(core, sp - 2, least) > core.max_memory - core.memory:
            return MEMORY_FULL
        value = a * b
    elif b.bit_length() <= _MAX_SHORT_BITS:
        value = a // b if op == DIV else a % b
        if (a < 0) != (b < 0):
            if op == DIV and not core.floor_quotient and value * b != a:
                value += 1
            elif op == MOD and not core.floor_remainder and value:
                value -= b
    else:
        value, rest = divide(abs(a), abs(b))
        negative = (a < 0) != (b < 0)
        if op == DIV:
            if negative:
                value = -value - 1 if core.floor_quotient and rest else -value
        else:
            value = -rest if a < 0 else rest
            if negative and rest and core.floor_remainder:
                value += b
    return BUDGET if _put(core, sp - 2, value) else MEMORY_FULL


@cython.cfunc
def _print(core: Core, data: bytes) -> cython.int:
    """Print the bytes of one step up to the limit, or return FLUSH if the buffer is too full."""
    size: cython.Py_ssize_t = len(data)
    room: cython.longlong = core.max_output - core.printed
    count: cython.Py_ssize_t = size if size <= room else room
    at: cython.Py_ssize_t
    if core.out_length + count > len(core.out):
        if core.out_length:
            return FLUSH
        core.out = bytearray(count)
        core.out_steps = array("q", bytes(8 * count))
    for at in range(count):
        core.out[core.out_length] = data[at]
        core.out_steps[core.out_length] = core.steps + 1
        core.out_length += 1
    core.printed += count
    return BUDGET if count == size else OUTPUT_FULL


@cython.cfunc
def _character(core: Core, value: cython.longlong) -> object:
    """Return the bytes of a character, or None if there is no such character."""
    if not core.utf8:
        return bytes((value & 255,))
    if 0 <= value < 0x80:
        return bytes((value,))
    if 0xDC80 <= value <= 0xDCFF:  # a byte that was not UTF-8 when read
        return bytes((value - 0xDC00,))
    if value < 0 or value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
        return None
    return chr(value).encode()


@cython.cfunc
def _utf8_length(core: Core) -> cython.Py_ssize_t:
    """Return the length of the next UTF-8 sequence (Unicode, table 3-7), or 0 if it is incomplete.

    Return 1 for a byte that does not begin a sequence, or whose sequence is interrupted.
    """
    at: cython.Py_ssize_t = core.input_position
    first: cython.int = core.stdin[at]
    low: cython.int = 0x80
    high: cython.int = 0xBF
    size: cython.Py_ssize_t
    more: cython.Py_ssize_t
    if first < 0xC2 or first > 0xF4:
        return 1
    size = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if first == 0xE0:
        low = 0xA0
    elif first == 0xED:
        high = 0x9F
    elif first == 0xF0:
        low = 0x90
    elif first == 0xF4:
        high = 0x8F
    for more in range(1, size):
        if at + more >= core.input_length:
            return 1 if core.closed else 0
        if core.stdin[at + more] < low or core.stdin[at + more] > high:
            return 1
        low = 0x80
        high = 0xBF
    return size


@cython.cfunc
def _read(core: Core, op: cython.int, address: object) -> cython.int:
    """Read a character or a number into the heap; return BUDGET or the reason for failure."""
    at: cython.Py_ssize_t = core.input_position
    end: cython.Py_ssize_t = at
    digits: cython.Py_ssize_t = 0
    value = None
    if op == READN:
        if core.number_read is None or core.number_read[0] != at:
            reader = read_line if core.by_line else read_token
            reason, end, value = reader(core.input_bytes, at, core.closed)
            if reason != BUDGET:
                return reason
            core.number_read = at, end, value
        end, value = core.number_read[1:]
        digits = end - at
    elif at < core.input_length:
        end = at + (_utf8_length(core) if core.utf8 else 1)
        if end == at:
            return NEEDS_INPUT
        value = core.stdin[at]
        if end > at + 1:
            value = ord(core.input_bytes[at:end].decode())
        elif core.utf8 and core.stdin[at] >= 0x80:
            value = 0xDC00 + core.stdin[at]
    elif not core.closed:
        return NEEDS_INPUT
    if value is None:
        if core.eof == EOF_ERROR:
            return NO_INPUT
        if core.eof != EOF_UNCHANGED:
            value = core.eof
    if core.read_length + end - at > len(core.read_steps):
        if core.read_length:
            return FLUSH
        core.read_steps = array("q", bytes(8 * (end - at)))
    if digits > 18 or address.bit_length() > 63:
        if not _add_work(core, work.of_address(address) + work.of_reading(digits)):
            return WORK_FULL
    if value is not None and not _store(core, address, value):
        return MEMORY_FULL
    core.number_read = None
    core.read_stored_value = value is not None
    if core.watching:
        core.last_read = core.input_bytes[at:end]
    core.input_position = end
    while at < end:
        core.read_steps[core.read_length] = core.steps + 1
        core.read_length += 1
        at += 1
    return BUDGET


@cython.cfunc
def _pushed_count(core: Core) -> cython.Py_ssize_t:
    """Return the number of stack places, from the top, that the last instruction wrote."""
    op: cython.int = core.ops[core.last_ip]
    if op == SWAP:
        return 2
    if op == SLIDE:
        return 1 if core.previous_depth != core.last_depth else 0
    return 1 if (op <= MOD and op != DISCARD) or op == RETRIEVE else 0


@cython.cfunc
def _pushed_to_watched(core: Core) -> cython.bint:
    """Return whether the last instruction put a number into a watched place."""
    at: cython.Py_ssize_t
    for at in range(core.last_depth - _pushed_count(core), core.last_depth):
        if core.min_level <= at <= core.max_level and at in core.levels:
            return True
    return False


@cython.cfunc
def _stop_applies(
    core: Core, ip: cython.Py_ssize_t, sp: cython.Py_ssize_t, printed: cython.longlong
) -> cython.bint:
    """Count a hit if a stop applies after the last step; return whether the run must stop."""
    hit: cython.bint = core.every_step or core.marks[ip] == 1
    if core.marks[ip] == 2:
        hit = hit or (ip, core.calls) in core.marks_at_depth or (ip, -1) in core.marks_at_depth
    if core.last_printed:
        hit = (
            hit
            or printed <= core.output_index < core.printed
            or not core.printable.isdisjoint(core.last_printed)
        )
    if core.last_read is not None:
        hit = hit or core.every_read
    if core.last_write is not None:
        hit = hit or core.last_write[0] in core.watched
    if core.max_level >= 0:
        hit = hit or _pushed_to_watched(core)
    if not hit or (core.filtered and not _filter_passes(core, sp)):
        return False
    core.hits += 1
    core.last_hit = core.steps
    if core.hits == 1:
        core.first_hit = core.steps
    return not core.scanning


@cython.cfunc
def _filter_passes(core: Core, sp: cython.Py_ssize_t) -> cython.bint:
    """Return whether the filter lets the run stop here; see :mod:`esolangs.filters`."""
    code: cython.longlong[::1] = core.filter
    numbers: cython.longlong[::1] = core.filter_numbers
    at: cython.Py_ssize_t = run_filter(code, numbers, 0)
    to: cython.Py_ssize_t
    while at >= 0:
        to = code[at + 2]
        if code[at] == FILTER_REGISTER:
            numbers[to] = _register_value(core, sp, code[at + 1])
        elif code[at] == FILTER_CELL:
            numbers[to] = _filter_cell(core, numbers[to])
        else:
            numbers[to] = _filter_level(core, sp, numbers[to])
        if numbers[to] == BIG:
            return True
        at = run_filter(code, numbers, at + 3)
    return at == FILTER_PASSES


@cython.cfunc
@cython.exceptval(check=False)
def _register_value(core: Core, sp: cython.Py_ssize_t, number: cython.longlong) -> cython.longlong:
    """Return a register by its number in ``WhitespaceProgram.filter_names``; BIG if too large."""
    if number == 0:
        return core.steps
    if number == 1:
        return core.printed
    if number == 2:
        return core.stack[sp - 1] if sp > 0 else 0
    if number == 3:
        return core.stack[sp - 2] if sp > 1 else 0
    if number == 4:
        return sp
    return core.calls


@cython.cfunc
def _filter_cell(core: Core, address: cython.longlong) -> cython.longlong:
    """Return the number at an address of the heap, or BIG if it is too large."""
    if 0 <= address < core.cells:
        return core.heap[address]
    number = _heap_number(core, address)
    return number if -MAX_SLOT <= number <= MAX_SLOT else BIG


@cython.cfunc
@cython.exceptval(check=False)
def _filter_level(core: Core, sp: cython.Py_ssize_t, level: cython.longlong) -> cython.longlong:
    """Return the number at a level of the stack; 0 for a level outside the stack.

    Return BIG for a large number, and below the top ``MAX_FILTER_LEVELS`` levels.  Level 0 is the
    bottom, level -1 is the top.
    """
    if level < 0:
        level += sp
    if not 0 <= level < sp:
        return 0
    return core.stack[level] if sp - level <= MAX_FILTER_LEVELS else BIG


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_traces(core: Core, limit: cython.longlong) -> cython.bint:
    """Run traces from ``ip`` on; return whether an instruction without a trace was reached.

    Otherwise a single step must be executed at ``ip``.  The cost of a whole trace is subtracted
    from ``left`` at its beginning; the cost of steps not executed is added back at its exit.
    """
    code: cython.longlong[::1] = core.code
    entry: cython.int[::1] = core.entry
    stack: cython.longlong[::1] = core.stack
    heap: cython.longlong[::1] = core.heap
    cells: cython.longlong = core.cells
    left: cython.longlong = limit - core.steps
    base: cython.Py_ssize_t = core.sp
    ip: cython.Py_ssize_t = core.ip
    at: cython.Py_ssize_t = entry[ip]
    count: cython.Py_ssize_t
    to: cython.Py_ssize_t
    op: cython.longlong
    a: cython.longlong
    b: cython.longlong
    kind: cython.longlong
    arrived: cython.bint = False
    while True:
        if (
            code[at] > left
            or base < code[at + 1]
            or base + code[at + 2] > core.capacity
            or (
                base + code[at + 3] > core.high
                and (base + code[at + 3] - core.high) * SLOT_COST > core.max_memory - core.memory
            )
        ):
            break
        count = code[at + 4]
        to = at + HEAD
        while count > 0 and stack[base + code[to]] != BIG:
            to += 1
            count -= 1
        if count > 0:
            break
        left -= code[at]
        at = to
        while True:
            op = code[at]
            if op == T_LOADC:
                a = code[at + 2]
                if a < 0 or a >= cells or heap[a] == BIG:
                    at = code[at + 3]
                    break
                stack[base + code[at + 1]] = heap[a]
                at += 4
            elif op == T_LOAD:
                a = stack[base + code[at + 2]]
                if a < 0 or a >= cells or heap[a] == BIG:
                    at = code[at + 3]
                    break
                stack[base + code[at + 1]] = heap[a]
                at += 4
            elif op == T_ADDC:
                a = stack[base + code[at + 2]]
                b = code[at + 3]
                if not _sum_fits(a, b):
                    at = code[at + 4]
                    break
                stack[base + code[at + 1]] = a + b
                at += 5
            elif op == T_ADD:
                a = stack[base + code[at + 2]]
                b = stack[base + code[at + 3]]
                if not _sum_fits(a, b):
                    at = code[at + 4]
                    break
                stack[base + code[at + 1]] = a + b
                at += 5
            elif op == T_SUB:
                a = stack[base + code[at + 2]]
                b = stack[base + code[at + 3]]
                if not _sum_fits(a, -b):
                    at = code[at + 4]
                    break
                stack[base + code[at + 1]] = a - b
                at += 5
            elif op == T_STOREC:
                a = code[at + 1]
                if a < 0 or a >= cells:
                    at = code[at + 3]
                    break
                heap[a] = stack[base + code[at + 2]]
                at += 4
            elif op == T_STORE:
                a = stack[base + code[at + 1]]
                if a < 0 or a >= cells:
                    at = code[at + 3]
                    break
                heap[a] = stack[base + code[at + 2]]
                at += 4
            elif op == T_STOREK:
                a = stack[base + code[at + 1]]
                if a < 0 or a >= cells:
                    at = code[at + 3]
                    break
                heap[a] = code[at + 2]
                at += 4
            elif op == T_STORECK:
                a = code[at + 1]
                if a < 0 or a >= cells:
                    at = code[at + 3]
                    break
                heap[a] = code[at + 2]
                at += 4
            elif op == T_END:
                at = code[at + 1]
                break
            elif op == T_JZ:
                if stack[base + code[at + 1]] == 0:
                    at = code[at + 2]
                    break
                at += 3
            elif op == T_JN:
                if stack[base + code[at + 1]] < 0:
                    at = code[at + 2]
                    break
                at += 3
            elif op == T_JEQC or op == T_JEQ:
                a = stack[base + code[at + 1]]
                b = code[at + 2]
                if op == T_JEQ:
                    b = stack[base + b]
                if not _sum_fits(a, -b):
                    at = code[at + 3]
                    break
                if a == b:
                    at = code[at + 4]
                    break
                at += 5
            elif op == T_JLTC or op == T_JLT:
                a = stack[base + code[at + 1]]
                b = code[at + 2]
                if op == T_JLT:
                    b = stack[base + b]
                if not _sum_fits(a, -b):
                    at = code[at + 3]
                    break
                if a < b:
                    at = code[at + 4]
                    break
                at += 5
            elif op == T_JGTC:
                a = stack[base + code[at + 1]]
                b = code[at + 2]
                if not _sum_fits(b, -a):
                    at = code[at + 3]
                    break
                if a > b:
                    at = code[at + 4]
                    break
                at += 5
            elif op == T_MUL or op == T_MULC:
                a = stack[base + code[at + 2]]
                b = code[at + 3]
                if op == T_MUL:
                    b = stack[base + b]
                if not _product_fits(a, b):
                    at = code[at + 4]
                    break
                stack[base + code[at + 1]] = a * b
                at += 5
            elif op == T_RSUBC:
                a = stack[base + code[at + 2]]
                b = code[at + 3]
                if not _sum_fits(b, -a):
                    at = code[at + 4]
                    break
                stack[base + code[at + 1]] = b - a
                at += 5
            elif op == T_SHR:
                stack[base + code[at + 1]] = stack[base + code[at + 2]] >> code[at + 3]
                at += 5
            elif op == T_AND:
                stack[base + code[at + 1]] = stack[base + code[at + 2]] & code[at + 3]
                at += 5
            elif op == T_DIV or op == T_MOD:
                a = stack[base + code[at + 2]]
                b = stack[base + code[at + 3]]
                if b == 0:
                    at = code[at + 4]
                    break
                if op == T_DIV:
                    a = _quotient(a, b, core.floor_quotient)
                else:
                    a = _remainder(a, b, core.floor_remainder)
                stack[base + code[at + 1]] = a
                at += 5
            elif op == T_SET:
                stack[base + code[at + 1]] = code[at + 2]
                at += 3
            elif op == T_CALL:
                if core.calls == core.calls_high or core.calls == core.frames_capacity:
                    at = code[at + 2]
                    break
                core.frames[core.calls] = code[at + 1]
                core.calls += 1
                at += 3
            elif op == T_POP:
                core.calls -= 1
                at += 1
            else:  # T_RETURN
                at = code[at + (1 if core.calls == 0 else 2)]
                break
        left += code[at]
        count = code[at + 5]
        to = at + 6
        while count > 0:
            if code[to + 1] != 0:
                stack[base + code[to]] = code[to + 2]
            else:
                stack[base + code[to]] = stack[base + code[to + 2]]
            to += 3
            count -= 1
        if base + code[at + 2] > core.high:
            core.memory += (base + code[at + 2] - core.high) * SLOT_COST
            core.high = base + code[at + 2]
        base += code[at + 1]
        kind = code[at + 3]
        ip = code[at + 4]
        if kind == BAIL:
            break
        if kind == BACK:
            core.calls -= 1
            ip = core.frames[core.calls]
        at = entry[ip]
        if at < 0:
            arrived = True
            break
    core.ip = ip
    core.sp = base
    core.steps = limit - left
    return arrived


@cython.cfunc
def _run_exact(core: Core, limit: cython.longlong) -> cython.int:
    """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason.

    Traces are used only if the core neither watches for stops nor counts executions.
    """
    ops: cython.uchar[::1] = core.ops
    args: cython.longlong[::1] = core.args
    ip: cython.Py_ssize_t = core.ip
    sp: cython.Py_ssize_t = core.sp
    here: cython.Py_ssize_t
    op: cython.int
    n: cython.longlong
    a: cython.longlong
    b: cython.longlong
    fits: cython.bint
    printed: cython.longlong = 0
    before: cython.longlong
    began: cython.longlong = core.steps
    depth: cython.Py_ssize_t = 0
    reason: cython.int = BUDGET
    arrived: cython.bint = True  # whether a trace may begin here
    address = None
    old = None
    while True:
        if arrived and not core.watching and not core.tallying:
            arrived = False
            if core.entry[ip] >= 0:
                if core.pause > 0:
                    core.pause -= 1
                elif core.steps < limit:
                    core.ip = ip
                    core.sp = sp
                    before = core.steps
                    with cython.nogil:
                        arrived = _run_traces(core, limit)
                    ip = core.ip
                    sp = core.sp
                    if core.capacity < core.high + 64:
                        core.grow_stack()
                    if core.steps - before < MIN_VISIT_INSTRUCTIONS:
                        core.pause_length = min(2 * core.pause_length, MAX_PAUSE)
                        core.pause = core.pause_length
                    else:
                        core.pause_length = 1
                    continue
            elif core.entry[ip] == -1:
                core.heat[ip] += 1
                if core.heat[ip] == HOT_COUNT:
                    reason = COMPILE
                    break
        here = ip
        op = ops[ip]
        if op == HALT:
            reason = ENDED
            break
        if core.steps >= limit:
            break
        if core.steps & (TURN_INSTRUCTIONS - 1) == 0 and core.steps > began:
            # Python lets other threads run between two calls.  Releasing the GIL here would not: a
            # thread that waits for it needs longer to wake than this one to take it back.
            reason = PAUSE
            break
        if core.watching:
            printed = core.printed
            depth = sp
            core.last_read = None
            if op == STORE or op == READC or op == READN:
                address = None
                if sp >= (2 if op == STORE else 1):
                    address = _stack_number(core, sp - (2 if op == STORE else 1))
                    old = _heap_number(core, address)
        if op == PUSH:
            n = args[ip]
            if n == BIG:
                if not _push_constant(core, sp, ip):
                    reason = MEMORY_FULL
                    break
            elif sp < core.high:
                core.stack[sp] = n
            elif not _put(core, sp, n):
                reason = MEMORY_FULL
                break
            sp += 1
            ip += 1
        elif op == DUP or op == COPY:
            n = 0 if op == DUP else args[ip]
            if n < 0 or n >= sp:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 1 - n]
            if a != BIG and sp < core.high:
                core.stack[sp] = a
            elif not _copy_large(core, sp, sp - 1 - n):
                reason = MEMORY_FULL
                break
            sp += 1
            ip += 1
        elif op == SWAP:
            if sp < 2:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 1]
            b = core.stack[sp - 2]
            if a != BIG and b != BIG:
                core.stack[sp - 1] = b
                core.stack[sp - 2] = a
            elif not _swap_large(core, sp):
                reason = MEMORY_FULL
                break
            ip += 1
        elif op == DISCARD:
            if sp < 1:
                reason = UNDERFLOW
                break
            sp -= 1
            ip += 1
        elif op == SLIDE:
            if sp < 1:
                reason = UNDERFLOW
                break
            n = args[ip]
            if n >= sp:  # as in wspace: slide discards all that exist
                n = sp - 1
            if n > 0:
                a = core.stack[sp - 1]
                if a != BIG:
                    core.stack[sp - 1 - n] = a
                elif not _copy_large(core, sp - 1 - n, sp - 1):
                    reason = MEMORY_FULL
                    break
                sp -= n
            ip += 1
        elif op == ADD or op == SUB or op == MUL or op == DIV or op == MOD:
            if sp < 2:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 2]
            b = core.stack[sp - 1]
            fits = False
            n = 0
            if a != BIG and b != BIG:
                if op == ADD:
                    fits = _sum_fits(a, b)
                    if fits:
                        n = a + b
                elif op == SUB:
                    fits = _sum_fits(a, -b)
                    if fits:
                        n = a - b
                elif op == MUL:
                    fits = _product_fits(a, b)
                    if fits:
                        n = a * b
                elif b != 0:
                    fits = True
                    if op == DIV:
                        n = _quotient(a, b, core.floor_quotient)
                    else:
                        n = _remainder(a, b, core.floor_remainder)
            if fits:
                core.stack[sp - 2] = n
            else:
                reason = _calculate(core, op, sp)
                if reason != BUDGET:
                    break
            sp -= 1
            ip += 1
        elif op == STORE:
            if sp < 2:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 2]
            b = core.stack[sp - 1]
            if 0 <= a < core.cells and b != BIG:
                core.heap[a] = b
            else:
                reason = _store_slow(core, sp)
                if reason != BUDGET:
                    break
            sp -= 2
            ip += 1
        elif op == RETRIEVE:
            if sp < 1:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 1]
            if 0 <= a < core.cells and core.heap[a] != BIG:
                core.stack[sp - 1] = core.heap[a]
            else:
                reason = _retrieve_slow(core, sp)
                if reason != BUDGET:
                    break
            ip += 1
        elif op == LABEL:
            ip += 1
        elif op == CALL or op == JUMP:
            n = args[ip]
            if n < 0:
                reason = NO_LABEL
                break
            if op == CALL:
                if core.calls == core.calls_high:
                    if core.max_memory - core.memory < FRAME_COST:
                        reason = MEMORY_FULL
                        break
                    core.memory += FRAME_COST
                    core.calls_high += 1
                if core.calls == core.frames_capacity:
                    core.grow_frames()
                core.frames[core.calls] = ip + 1
                core.calls += 1
            ip = n
            arrived = True
        elif op == JZ or op == JN:
            if sp < 1:
                reason = UNDERFLOW
                break
            a = core.stack[sp - 1]
            fits = a == 0 if op == JZ else a < 0
            if a == BIG and op == JN:
                fits = _large_is_negative(core, sp - 1)
            if fits:
                if args[ip] < 0:
                    reason = NO_LABEL
                    break
                ip = args[ip]
            else:
                ip += 1
            sp -= 1
            arrived = True
        elif op == RETURN:
            if core.calls == 0:
                reason = NO_CALL
                break
            core.calls -= 1
            ip = core.frames[core.calls]
            arrived = True
        elif op == END:
            ip = len(ops) - 1
        elif op == PRINTC or op == PRINTN:
            if sp < 1:
                reason = UNDERFLOW
                break
            if op == PRINTN:
                number = _stack_number(core, sp - 1)
                if (
                    core.out_length
                    and number.bit_length() // 3 + 2 > len(core.out) - core.out_length
                ):
                    reason = FLUSH  # charged before the digits are computed
                    break
                if core.stack[sp - 1] == BIG and not _add_printing_work(core, number):
                    reason = WORK_FULL
                    break
                data = decimal(number)
            else:
                data = None
                if core.stack[sp - 1] != BIG:
                    data = _character(core, core.stack[sp - 1])
                elif not core.utf8:
                    data = bytes((_stack_number(core, sp - 1) & 255,))
                if data is None:
                    reason = NO_CHARACTER
                    break
            reason = _print(core, data)
            if reason != BUDGET:
                break
            sp -= 1
            ip += 1
        else:
            if sp < 1:
                reason = UNDERFLOW
                break
            reason = _read(core, op, _stack_number(core, sp - 1))
            if reason != BUDGET:
                break
            sp -= 1
            ip += 1
        core.steps += 1
        if core.step_work:
            core.work += core.step_work
            core.step_work = 0
        if core.tallying:
            core.counts[here] += 1
            core.latest[here] = core.steps
        if core.watching:
            core.last_ip = here
            core.last_depth = sp
            core.previous_depth = depth
            core.last_write = None
            core.last_printed = b""
            if core.printed > printed:
                core.last_printed = bytes(
                    core.out[core.out_length - (core.printed - printed) : core.out_length]
                )
            if op == STORE or ((op == READC or op == READN) and core.read_stored_value):
                core.last_write = (address, old, _heap_number(core, address))
            if _stop_applies(core, ip, sp, printed):
                reason = STOP
                break
        if core.work > core.work_pause:
            core.work_pause = core.work + WORK_SLICE
            reason = PAUSE
            break
    core.step_work = 0
    core.ip = ip
    core.sp = sp
    return reason
