# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The engine: a loop that applies functions and returns values to frames.

Between two steps, the next application is always ready: ``fun`` is applied to ``arg``.  When
``fun`` is a frame, ``arg`` is returned to it, which costs no step.  The continuation is a
contiguous stack, whose frames ``c`` moves to the heap as a linked list; ``under`` is the uppermost
of those.  Words on the heap never change, and refer only to words allocated before them.  So
garbage is found in one pass from the last word to the first, and the living words move down in
order: what is before the first garbage stays in place.  A small heap that is mostly garbage is
collected by copying, which is faster then.

A tracing core stores two more numbers with every word on heap and stack and in the registers: the
origin of the object that the word represents, and the origin of an application around it.  An
origin is the step that made an object, or, if negative, the complement of a source offset.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

from esolangs.lazy_zeros import extend_with_zeros, lazy_zeros
from esolangs.machine import Part

if not cython.compiled:
    from esolangs.filters import FILTER_PASSES, MAX_FILTER_DEPTH, run_filter
    from esolangs.reasons import (
        BUDGET,
        CHUNK,
        ENDED,
        FLUSH,
        MEMORY_FULL,
        NEEDS_INPUT,
        OUTPUT_FULL,
        OWN,
        STOP,
    )
    from esolangs.unlambda.opcodes import (
        BIT_MASK,
        CONTINUATION,
        FORCE,
        HASH_FACTOR,
        HEAP_FRAMES,
        K1,
        LAST_VALUE,
        LINK,
        MAX_PART,
        MAX_WORDS,
        MIN_LAZY_BYTES,
        MIN_PART,
        MOVED,
        ODD_BIT_MASK,
        ONE,
        OPERAND,
        PACKED_WORD,
        PAYLOAD,
        PLACE,
        PLACE_MASK,
        PRINT,
        PROMISE_PAIR,
        PROMISE_TERM,
        PROMISE_VALUE,
        READ,
        REPRINT,
        S1,
        S2,
        SHARE,
        SPARE_WORDS,
        TABLE_ENTRIES,
        TAG,
        TEST,
        TRACED_STEPS,
        WORD_SIZES,
        C,
        D,
        I,
        K,
        S,
        V,
        lowest_bit,
    )

    MEASURE = OWN  # collect garbage and measure the live words


@cython.cclass
class Core:
    """A program, and the state of its run, which a replay must restore.

    Words are defined in ``opcodes.py``.  Index 0 of the heap is never used; index 0 of the stack
    always holds HEAP_FRAMES.  ``top`` and ``sp`` are the first free indices.
    """

    code: cython.longlong[::1]
    heap: cython.longlong[::1]
    heap_words: object  # the buffers that `heap` and `stack` are views of
    stack_words: object
    spare: cython.longlong[::1]  # the target of copies of a small heap
    stack: cython.longlong[::1]
    packed: (
        object  # the last SavedWords of the heap up to `packed.end` as a snapshot has it, or None
    )
    # when tracing: the origins of words, and of applications: the one that a frame stands for,
    # `sx of an S2, and `xy of a PROMISE_PAIR
    heap_origins: cython.longlong[::1]
    heap_app_origins: cython.longlong[::1]
    stack_origins: cython.longlong[::1]
    stack_app_origins: cython.longlong[::1]
    made: cython.longlong[::1]  # for the last steps the origin of the application that was made
    stdin: cython.uchar[::1]
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]  # the step that printed each byte of `out`
    read_steps: cython.longlong[::1]
    marks: cython.uchar[::1]  # by source offset: whether to stop before this function is applied
    max_frames: cython.longlong  # stop at this many waiting frames or fewer, or -1
    printable: cython.uchar[::1]
    fun = cython.declare(cython.longlong, visibility="public")
    arg = cython.declare(cython.longlong, visibility="public")
    under = cython.declare(cython.longlong, visibility="public")
    top = cython.declare(cython.Py_ssize_t, visibility="public")
    sp = cython.declare(cython.Py_ssize_t, visibility="public")
    pairs = cython.declare(cython.Py_ssize_t, visibility="public")  # frames of two words in `stack`
    character = cython.declare(cython.int, visibility="public")  # the current character, or -1
    steps = cython.declare(cython.longlong, visibility="public")
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    printed = cython.declare(cython.longlong, visibility="public")
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    # what is alive: see the cost model in program.py
    ordered: cython.bint  # whether words refer only to words before them: those from `young` on do
    sparse: cython.bint  # whether the last count found more garbage than living words
    young: cython.Py_ssize_t  # the first word that no collection has seen
    heap_mark: cython.Py_ssize_t  # a step that begins with `top` here or beyond measures first
    heap_stop: cython.Py_ssize_t  # one that begins with `top` here or beyond collects first
    stack_mark: cython.Py_ssize_t
    dropped: cython.Py_ssize_t  # words removed without a count, less those counted but not removed
    nursery: cython.Py_ssize_t
    max_words: cython.Py_ssize_t
    peak = cython.declare(cython.Py_ssize_t, visibility="public")  # peak of live words
    # rules
    expression_depth: cython.Py_ssize_t  # words that evaluating the program's expressions may push
    closed = cython.declare(cython.bint, visibility="public")
    max_output: cython.longlong
    # stops to watch for
    watching: cython.bint
    scanning: cython.bint
    every_step: cython.bint
    every_read: cython.bint
    output_index: cython.longlong
    filtered: cython.bint
    filter: cython.longlong[::1]
    filter_numbers: cython.longlong[::1]
    hits = cython.declare(cython.longlong, visibility="public")
    first_hit = cython.declare(cython.longlong, visibility="public")
    last_hit = cython.declare(cython.longlong, visibility="public")
    # tally
    tallying: cython.bint
    counts: cython.longlong[::1]
    latest: cython.longlong[::1]
    # origins of the registers, and of the application that is made next
    tracing = cython.declare(cython.bint, visibility="public")
    fun_origin = cython.declare(cython.longlong, visibility="public")
    arg_origin = cython.declare(cython.longlong, visibility="public")
    app_origin = cython.declare(cython.longlong, visibility="public")
    # the application executed last in single steps
    last_fun = cython.declare(cython.longlong, visibility="public")
    last_printed = cython.declare(cython.int, visibility="public")  # a byte, or -1
    last_read = cython.declare(cython.int, visibility="public")  # a byte, -1 at the end, -2 no read

    def __init__(self, code, depth, nursery, max_words, max_output):
        self.code = code
        self.expression_depth = depth
        self.nursery = nursery
        self.max_words = max_words
        self.max_output = max_output
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.heap = self.heap_words = array("q", bytes(8 * SPARE_WORDS))
        self.stack = self.stack_words = array("q", bytes(8 * (1 + SPARE_WORDS + depth)))
        self.stack[0] = HEAP_FRAMES
        self.spare = array("q", [0])
        self.set_input(b"", True)
        self.watching = self.tallying = self.tracing = self.filtered = False
        self.filter_numbers = array("q", bytes(8 * MAX_FILTER_DEPTH))
        self.max_frames = -1
        self.restart()

    def restart(self):
        """Go to step 0."""
        self.steps = self.input_position = self.printed = self.out_length = self.read_length = 0
        self.character = self.last_fun = -1
        self.peak = self.dropped = self.under = self.pairs = 0
        self.ordered = True
        self.sparse = False
        self.packed = None
        self.top = self.sp = self.young = 1
        self.heap_mark = self.heap_stop = self.stack_mark = 1
        self.fun = OPERAND  # the program is the operand of nothing: node 0
        self.arg = I
        self.begin()

    def begin(self):
        """Make the program's first application the next step; push the frames that wait for it."""
        word: cython.longlong = self.code[0]
        node: cython.Py_ssize_t = 0
        while word & TAG == OPERAND:
            self.stack[self.sp] = word
            self.sp += 1
            node += 1
            word = self.code[node]
        self.sp -= 1
        self.fun = self.stack[self.sp]
        self.arg = word
        if self.sp == 0:
            self.sp = 1  # HEAP_FRAMES stays

    def trace(self):
        """Restart at step 0, and record the origins of values until ``load`` is called.

        The module's docstring defines origins.
        """
        self.tracing = True
        self.packed = None
        self.top = self.sp = 1
        self.fun = OPERAND
        self.arg = I
        self.begin()
        self.heap_origins = array("q", [0]) * len(self.heap)
        self.heap_app_origins = array("q", [0]) * len(self.heap)
        self.stack_origins = array("q", [0]) * len(self.stack)
        self.stack_app_origins = array("q", [0]) * len(self.stack)
        self.made = array("q", [0]) * TRACED_STEPS
        for at in range(1, self.sp):
            self.stack_app_origins[at] = ~(self.stack[at] >> PLACE & PLACE_MASK)
        self.app_origin = ~(self.fun >> PLACE & PLACE_MASK)
        self.arg_origin = ~(self.arg >> PLACE & PLACE_MASK)

    def origins(self):
        """Return views of the four arrays of origins, which the module's docstring defines.

        They are the origins of the words on the heap, of the applications around these words, of
        the words on the stack, and of the applications around these words.
        """
        return (
            memoryview(self.heap_origins),
            memoryview(self.heap_app_origins),
            memoryview(self.stack_origins),
            memoryview(self.stack_app_origins),
        )

    def application_origin(self, step: cython.longlong):
        """Return the origin of the application made by ``step``, one of the last TRACED_STEPS."""
        return self.made[step & TRACED_STEPS - 1]

    def set_input(self, data, closed):
        """Set the whole input since step 0; a spare byte at its end keeps the buffer non-empty."""
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed

    def words(self):
        """Return a view of the heap."""
        return memoryview(self.heap)

    def frames(self):
        """Return a view of the stack."""
        return memoryview(self.stack)

    @property
    def cells(self):
        """Return the number of words found live at the last count, plus all allocated since."""
        return self.top - 1 + self.dropped + self.sp

    def save(self):
        """Return an immutable copy of the state, without steps and printed bytes.

        The copy is a tuple: the last ``SavedWords`` of the heap, that of the stack, and the
        registers.  Snapshots share the parts of the heap that have not moved between them.
        """
        if self.top < 8 * self.nursery or self.heap_stop < self.heap_mark:
            self._collect_young(0)
        registers = (
            self.fun, self.arg, self.under, self.pairs, self.character, self.peak, self.dropped,
            self.heap_mark - self.top, self.stack_mark - self.sp, self.top, self.sp,
            self.ordered,
        )  # fmt: skip
        part = self.packed
        while part is not None and part.end - part.begin < MIN_PART:
            part = part.before  # so that many small parts do not follow each other
        self.packed = _append_parts(part, self.heap, self.top)
        return self.packed, _append_parts(None, self.stack, self.sp), registers

    def load(self, saved):
        """Restore a state that ``save`` returned; skip parts that the heap has already."""
        heap, stack, registers = saved
        (self.fun, self.arg, self.under, self.pairs, self.character, self.peak, self.dropped,
            self.heap_mark, self.stack_mark, self.top, self.sp, self.ordered,
        ) = registers  # fmt: skip
        self.sparse = not self.ordered
        self.young = self.top
        self.heap_mark += self.top
        self.stack_mark += self.sp
        self._set_stop(0)
        same = _common_part(self.packed, heap)
        used: cython.Py_ssize_t = 1 if same is None else same.end
        self.heap = self.heap_words = _resize_buffer(self.heap_words, used, self._heap_needed(), 0)
        self.stack = self.stack_words = _resize_buffer(self.stack_words, 0, self._stack_needed(), 0)
        _read_parts(heap, same, self.heap)
        _read_parts(stack, None, self.stack)
        self.packed = heap
        self.tracing = False

    def take_heap(self, other: Core):
        """Take the heap of ``other``, a core of the same program, and restart ``other``."""
        if not other.tracing:
            self.heap_words, self.packed = other.heap_words, other.packed
            self.heap = self.heap_words
            other.heap = other.heap_words = array("q", bytes(8 * SPARE_WORDS))
        other.restart()

    def canonical(self):
        """Return heap, stack and three registers in a form that is the same for equal graphs."""
        heap: cython.longlong[::1] = array("q", self.heap[: self.top])
        stack: cython.longlong[::1] = array("q", self.stack[: self.sp])
        copied: cython.longlong[::1] = array("q", bytes(8 * self.top))
        registers: cython.longlong[::1] = array("q", [self.fun, self.arg, self.under])
        top: cython.Py_ssize_t
        with cython.nogil:
            top = _copy_living(heap, copied, stack, self.sp, registers)
        return bytes(copied[:top]), bytes(stack), tuple(registers)

    def watch(self, marks, max_frames, printable, output_index, every_read, every_step, scanning):
        """Stop at the events that the parameters select, until ``unwatch`` is called.

        marks: for each source offset, whether to stop before the function there is applied.
        max_frames: stop before an application with at most as many waiting frames.  printable: for
        each byte value, whether to stop after it was printed.  output_index: index of the output
        byte after which to stop, or -1.  every_read, every_step: whether to stop after each read,
        after each step.  scanning: whether to only count the stops.
        """
        self.marks = marks
        self.max_frames = max_frames
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
        """For each offset, count steps and record the last step, until ``end_tally``."""
        self.counts = counts
        self.latest = latest
        self.tallying = True

    def end_tally(self):
        """Stop counting."""
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
        reason: cython.int
        while True:
            with cython.nogil:
                if self.watching:
                    reason = _watch(self, limit)
                elif self.tracing:
                    reason = _run_tracing(self, self.code, self.heap, self.stack, limit)
                else:
                    reason = _run_fast(self, self.code, self.heap, self.stack, limit)
            if reason != MEASURE:
                return reason
            if not self._measure():
                return MEMORY_FULL

    def _measure(self):
        """Collect garbage; return whether the live words fit the limit.

        If ``c`` is applied next, the words that it adds count too.
        """
        need: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t = self.top
        if self.fun & TAG == C:
            need = 2 * self.sp
        if before + need < self.heap_mark and self.sp < self.stack_mark:
            self._collect_young(need)
            return True
        living: cython.Py_ssize_t = self._collect(1)
        self.sparse = 2 * living < before
        alive: cython.Py_ssize_t = living + self.sp + need
        if alive > self.max_words:
            self.dropped += before - self.top
            self.heap_mark -= before - self.top
            return False
        if alive > self.peak:
            self.peak = alive
        room: cython.Py_ssize_t = max(self.nursery, 2 * alive)
        self.dropped = living - (self.top - 1)
        self.heap_mark = self.top + need + room
        self.stack_mark = self.sp + room
        self._set_stop(need)
        needed: cython.Py_ssize_t = self._heap_needed()
        if not needed <= len(self.heap) <= 4 * needed:
            self._fit_heap(self.top)
        needed = self._stack_needed()
        if not needed <= len(self.stack) <= 4 * needed:
            self._fit_stack(self.sp)
        if self.tracing:
            self._fit_origins()
        return True

    def _collect_young(self, need: cython.Py_ssize_t):
        """Remove garbage that was allocated since the last collection."""
        before: cython.Py_ssize_t = self.top
        allocated: cython.Py_ssize_t = before - self.young
        self._collect(self.young)
        self.dropped += before - self.top  # the next measurement stays at the same step
        self.heap_mark -= before - self.top
        if 2 * (before - self.top) < allocated:
            self.heap_stop = self.heap_mark  # most words survive: wait for the measurement
        else:
            self._set_stop(need)

    def _set_stop(self, need: cython.Py_ssize_t):
        """Set ``heap_stop``, the heap size at which garbage is collected next."""
        self.heap_stop = self.heap_mark
        if self.top >= 8 * self.nursery:
            young: cython.Py_ssize_t = 2 * max(self.nursery, self.sp)
            self.heap_stop = min(self.heap_mark, self.top + need + young)

    def _heap_needed(self):
        return max(self.heap_mark, self.top) + SPARE_WORDS

    def _stack_needed(self):
        return max(self.stack_mark, self.sp) + SPARE_WORDS + self.expression_depth

    def _fit_heap(self, used: cython.Py_ssize_t):
        """Resize the heap to the needed size; its first ``used`` words do not change."""
        self.heap_words = _resize_buffer(
            self.heap_words, used, self._heap_needed(), len(self.heap) // 4
        )
        self.heap = self.heap_words

    def _fit_stack(self, used: cython.Py_ssize_t):
        """Resize the stack to the needed size; its first ``used`` words do not change."""
        self.stack_words = _resize_buffer(
            self.stack_words, used, self._stack_needed(), len(self.stack) // 4
        )
        self.stack = self.stack_words

    def _fit_origins(self):
        """Enlarge the arrays of origins to the size of the heap and the stack."""
        needed: cython.Py_ssize_t = len(self.heap)
        if len(self.heap_origins) != needed:
            self.heap_origins = _enlarge_array(self.heap_origins, self.top, needed)
            self.heap_app_origins = _enlarge_array(self.heap_app_origins, self.top, needed)
        needed = len(self.stack)
        if len(self.stack_origins) != needed:
            self.stack_origins = _enlarge_array(self.stack_origins, self.sp, needed)
            self.stack_app_origins = _enlarge_array(self.stack_app_origins, self.sp, needed)

    def _collect(self, start: cython.Py_ssize_t):
        """Return the number of living words; remove the garbage if there is enough of it.

        start: the first word that may be garbage; all words before it count as living.
        """
        if start == 1 and not self.tracing:
            copies: cython.bint = self.sparse and self.top < 24 * self.nursery
            if copies or not self.ordered:
                return self._copy(not copies)
        groups: cython.Py_ssize_t = (self.top >> 5) - (start >> 5) + 2
        marks: cython.uint[::1] = memoryview(bytearray(4 * groups)).cast("I")
        places: cython.longlong[::1]
        living: cython.Py_ssize_t
        first: cython.Py_ssize_t
        with cython.nogil:
            living = _mark_living(self, self.heap, self.stack, marks, start)
        if 8 * (self.top - 1 - living) > self.top - start:
            places = array("q", bytes(8 * groups))
            with cython.nogil:
                first = _close_gaps(self, self.heap, self.stack, marks, places, start)
            while self.packed is not None and self.packed.end > first:
                self.packed = self.packed.before
        self.young = self.top
        return living

    def _copy(self, ordered: cython.bint):
        """Collect garbage by copying the living words to another array; return their number.

        If ``ordered``, put every word after the words that it refers to.  Otherwise use an order in
        which copying is faster than ``_close_gaps`` if most words are garbage.
        """
        pending: cython.longlong[::1]
        registers: cython.longlong[::1] = array("q", [self.fun, self.arg, self.under])
        before: cython.Py_ssize_t = self.top
        self.ordered = ordered
        if len(self.spare) < before:
            self.spare = _zeros(max(before, 4 * self.nursery))
        if ordered:
            pending = _zeros(before)
            with cython.nogil:
                self.top = _order_living(
                    self.heap, self.spare, self.stack, self.sp, registers, pending
                )
        else:
            with cython.nogil:
                self.top = _copy_living(self.heap, self.spare, self.stack, self.sp, registers)
        self.fun, self.arg, self.under = registers
        self.heap[1 : self.top] = self.spare[1 : self.top]
        self.young = self.top
        self.packed = None
        return self.top - 1


def _resize_buffer(buffer, used, needed, least):
    """Return a buffer of ``needed`` words that begins with the first ``used`` words of ``buffer``.

    A mapped buffer (see ``lazy_zeros``) grows in place while it has room; if ``least`` words or
    fewer are needed, it is replaced by a smaller buffer.  An array is copied, because a view may
    use it.  A large result is a mapped buffer in the compiled build.
    """
    mapped = not hasattr(buffer, "typecode")
    if not mapped or needed <= least:
        words = memoryview(buffer).cast("B")[: 8 * used]
        buffer = array("q")
        buffer.frombytes(words)
    if needed < len(buffer):
        return buffer[:needed]
    return extend_with_zeros(buffer, needed, MAX_WORDS, MIN_LAZY_BYTES if cython.compiled else None)


def _zeros(count):
    """Return a buffer of ``count`` words that are 0."""
    words = lazy_zeros(8 * count, "q") if cython.compiled and 8 * count > MIN_LAZY_BYTES else None
    return array("q", [0]) * count if words is None else words


class SavedWords(Part):
    """A part of a snapshot: the words of the heap or the stack from index ``begin`` to ``end``.

    before: the part with the words before ``begin``, or None.  data: the words, as they are
    (``bytes``) or packed.
    """

    __slots__ = ("before", "begin", "data", "end")

    def __init__(self, before, begin, end, data):
        super().__init__(len(data) + 250, () if before is None else (before,))
        self.before = before
        self.begin = begin
        self.end = end
        self.data = data


def _append_parts(part, words, end):
    """Save ``words`` up to index ``end`` in parts that follow ``part``; return the last part.

    The first new part begins where ``part`` ends, or at index 0 if ``part`` is None.  A part
    contains the words as they are, or packed if that takes less.
    """
    begin: cython.Py_ssize_t = 0 if part is None else part.end
    count: cython.Py_ssize_t
    size: cython.Py_ssize_t
    view: cython.longlong[::1] = words
    table: cython.longlong[::1]
    packed: cython.uchar[::1]
    room = None
    while begin < end:
        count = min(end - begin, MAX_PART)
        data = None
        if cython.compiled and count >= MIN_PART:
            if room is None:
                room = bytearray(PACKED_WORD * count)
            packed = room
            table = array("q", bytes(8 * TABLE_ENTRIES))
            with cython.nogil:
                size = _pack(view, begin, begin + count, packed, table)
            if size < 8 * count:
                data = room[:size]
        if data is None:
            data = bytes(memoryview(words)[begin : begin + count])
        part = SavedWords(part, begin, begin + count, data)
        begin += count
    return part


def _common_part(first, second):
    """Return the last part that two snapshots share, or None if they share no part.

    first, second: the last part of each snapshot, or None.
    """
    while first is not second:
        if second is None or (first is not None and first.end > second.end):
            first = first.before
        elif first is None or second.end > first.end:
            second = second.before
        else:
            first, second = first.before, second.before
    return first


def _read_parts(part, same, words):
    """Copy the words of ``part``, and of all parts between ``same`` and ``part``, into ``words``.

    same: an earlier part whose words are already there; None to copy all parts.
    """
    view: cython.longlong[::1] = words
    table: cython.longlong[::1]
    packed: cython.uchar[::1]
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    while part is not same:
        begin = part.begin
        end = part.end
        if isinstance(part.data, bytes):
            memoryview(words)[begin:end] = memoryview(part.data).cast("q")
        else:
            packed = part.data
            table = array("q", bytes(8 * TABLE_ENTRIES))
            with cython.nogil:
                _unpack(packed, view, begin, end, table)
        part = part.before


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _table_slot(word: cython.longlong) -> cython.Py_ssize_t:
    """Return the index, from 0 to 63, of a word among 64 recent words in the table of ``_pack``."""
    return cython.cast(
        cython.Py_ssize_t, cython.cast(cython.ulonglong, word) * HASH_FACTOR >> 58 & 63
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _table_kind_slot(word: cython.longlong) -> cython.Py_ssize_t:
    """Return the index, in a table of 63 kinds, of a word's kind (its tag and its place).

    ``_pack`` describes the table.
    """
    return (7 * (word >> PLACE & PLACE_MASK) + (word & TAG)) % 63


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pack(
    words: cython.longlong[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    packed: cython.uchar[::1],
    table: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Compress ``words[begin:end]`` into ``packed``; return the number of bytes written.

    The table has 64 recent words whose payloads are relative to their own indexes, 64 recent words
    as they are, and 63 recent kinds (tags and places).  A word in the table takes one byte, the
    number of its entry.  A recent kind takes a byte and the payload: the distance back in two
    bytes, or the payload itself in four.  Any other word takes a byte of 255 and eight bytes.
    """
    at: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    to: cython.Py_ssize_t = 0
    word: cython.longlong
    relative: cython.longlong
    rest: cython.longlong
    refers: cython.bint
    low: cython.longlong = PLACE_MASK
    size: cython.int
    code: cython.Py_ssize_t
    low = low << PLACE | TAG  # all but the payload
    for at in range(begin, end):
        word = words[at]
        refers = WORD_SIZES >> 2 * (word & TAG) & 3 != 0
        relative = word - (cython.cast(cython.longlong, at) << PAYLOAD)
        if refers:
            slot = _table_slot(relative)
            if table[slot] == relative:
                packed[to] = slot
                to += 1
                continue
        slot = 64 + _table_slot(word)
        if table[slot] == word:
            packed[to] = slot
            to += 1
            continue
        table[slot] = word
        if refers:
            table[_table_slot(relative)] = relative
        kind = _table_kind_slot(word)
        rest = word >> PAYLOAD
        if table[128 + kind] != word & low:
            table[128 + kind] = word & low
            code = 255
            rest = word
            size = 8
        elif refers and 0 < at - rest < 65536:
            code = 128 + kind
            rest = at - rest
            size = 2
        else:
            code = 192 + kind
            size = 4
        packed[to] = code
        to += 1
        while size > 0:
            packed[to] = rest & 255
            rest = rest >> 8
            to += 1
            size -= 1
    return to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _unpack(
    packed: cython.uchar[::1],
    words: cython.longlong[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    table: cython.longlong[::1],
) -> cython.int:
    """Unpack the bytes from ``_pack`` into ``words`` from ``begin`` to ``end``."""
    at: cython.Py_ssize_t
    read: cython.Py_ssize_t = 0
    code: cython.Py_ssize_t
    word: cython.longlong
    relative: cython.longlong
    low: cython.longlong = PLACE_MASK
    size: cython.int
    shift: cython.int
    low = low << PLACE | TAG
    for at in range(begin, end):
        code = packed[read]
        read += 1
        if code < 64:
            words[at] = table[code] + (cython.cast(cython.longlong, at) << PAYLOAD)
            continue
        if code < 128:
            words[at] = table[code]
            continue
        size = 8 if code == 255 else 4 if code >= 192 else 2
        word = 0
        for shift in range(size):
            word |= cython.cast(cython.longlong, packed[read]) << 8 * shift
            read += 1
        if code == 255:
            table[128 + _table_kind_slot(word)] = word & low
        elif code >= 192:
            word = word << PAYLOAD | table[code - 64]
        else:
            word = (at - word) << PAYLOAD | table[code]
        words[at] = word
        table[64 + _table_slot(word)] = word
        if WORD_SIZES >> 2 * (word & TAG) & 3 != 0:
            relative = word - (cython.cast(cython.longlong, at) << PAYLOAD)
            table[_table_slot(relative)] = relative
    return 0


@cython.cfunc
def _enlarge_array(words: cython.longlong[::1], used: cython.Py_ssize_t, needed: cython.Py_ssize_t):
    """Return an array of ``needed`` words that begins with ``words[:used]``."""
    larger = array("q", [0]) * needed
    room: cython.longlong[::1] = larger
    room[:used] = words[:used]
    return larger


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mark(
    heap: cython.longlong[::1],
    marks: cython.uint[::1],
    word: cython.longlong,
    start: cython.Py_ssize_t,
) -> cython.int:
    """Mark the words that ``word`` refers to, if they are at ``start`` or later."""
    op: cython.int = word & TAG
    at: cython.Py_ssize_t = word >> PAYLOAD
    bits: cython.longlong = WORD_SIZES >> 2 * op & 3
    if bits != 0 and at >= start:
        if op >= CONTINUATION:
            other = heap[at] & TAG
            if (op == CONTINUATION or op == LINK) and (other == SHARE or other == FORCE):
                bits = 7
        bits = bits << (at & 31)
        at -= start & ~31
        marks[at >> 5] |= cython.cast(cython.uint, bits & BIT_MASK)
        if bits > BIT_MASK:
            marks[(at >> 5) + 1] |= cython.cast(cython.uint, bits >> 32)
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count_ones(bits: cython.longlong) -> cython.longlong:
    """Return the number of ones in 32 bits."""
    bits = bits - (bits >> 1 & ODD_BIT_MASK)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 & BIT_MASK) >> 24


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_living(
    core: Core,
    heap: cython.longlong[::1],
    stack: cython.longlong[::1],
    marks: cython.uint[::1],
    start: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Set a bit in ``marks`` for each living word from ``start`` on; count the living words.

    Returns the number of all living words.  The words before ``start`` all count as living.
    """
    base: cython.Py_ssize_t = start & ~31
    at: cython.Py_ssize_t
    group: cython.Py_ssize_t
    index: cython.int
    other: cython.Py_ssize_t
    bits: cython.longlong
    word: cython.longlong
    op: cython.int
    rest: cython.uint
    living: cython.Py_ssize_t = start - 1
    _mark(heap, marks, core.fun, start)
    _mark(heap, marks, core.arg, start)
    _mark(heap, marks, core.under, start)
    for at in range(core.sp):
        _mark(heap, marks, stack[at], start)
    group = (core.top >> 5) - (start >> 5)
    while group >= 0:
        rest = marks[group]
        if rest != 0:
            for index in range(31, -1, -1):
                if rest >> index & 1 == 0:
                    continue
                word = heap[base + (group << 5) + index]
                op = word & TAG
                at = word >> PAYLOAD
                bits = WORD_SIZES >> 2 * op & 3
                if bits == 0 or at < start:
                    continue
                if op == CONTINUATION or op == LINK:
                    op = heap[at] & TAG
                    if op == SHARE or op == FORCE:
                        bits = 7
                bits = bits << (at & 31)
                other = (at - base) >> 5
                if other == group:  # what a word refers to is before it
                    rest |= cython.cast(cython.uint, bits & BIT_MASK)
                else:
                    marks[other] |= cython.cast(cython.uint, bits & BIT_MASK)
                    if bits > BIT_MASK:
                        if other + 1 == group:
                            rest |= cython.cast(cython.uint, bits >> 32)
                        else:
                            marks[other + 1] |= cython.cast(cython.uint, bits >> 32)
            marks[group] = rest
            living += _count_ones(rest)
        group -= 1
    return living


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _moved_reference(
    word: cython.longlong,
    marks: cython.uint[::1],
    places: cython.longlong[::1],
    start: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
) -> cython.longlong:
    """Return ``word``, updated if it refers to a word that ``_close_gaps`` moves.

    Words before ``first`` do not move, so references to them stay the same.
    """
    op: cython.int = word & TAG
    at: cython.Py_ssize_t = word >> PAYLOAD
    low: cython.longlong = 1
    if at < first or WORD_SIZES >> 2 * op & 3 == 0:
        return word
    low = (low << PAYLOAD) - 1
    at -= start & ~31
    at = places[at >> 5] + _count_ones(marks[at >> 5] & ((ONE << (at & 31)) - 1))
    return (word & low) | cython.cast(cython.longlong, at) << PAYLOAD


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _close_gaps(
    core: Core,
    heap: cython.longlong[::1],
    stack: cython.longlong[::1],
    marks: cython.uint[::1],
    places: cython.longlong[::1],
    start: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Remove the unmarked words of the heap from ``start`` on, by moving the marked words down.

    Origins move with their words, and references are changed to the new places.
    Return an index before which no word has changed.
    places: filled with the new place of the first marked word in each group.
    """
    group: cython.Py_ssize_t = 0  # of 32 words, from that of `start` on
    groups: cython.Py_ssize_t = (core.top >> 5) - (start >> 5) + 1
    first: cython.Py_ssize_t
    at: cython.Py_ssize_t
    to: cython.Py_ssize_t
    rest: cython.uint
    tracing: cython.bint = core.tracing
    marks[group] |= (ONE << (start & 31)) - 1
    while group < groups and marks[group] == BIT_MASK:
        group += 1
    first = to = (start & ~31) + (group << 5)  # what is before stays
    for at in range(group, groups):
        places[at] = to
        to += _count_ones(marks[at])
    to = first
    while group < groups:
        rest = marks[group]
        while rest != 0:
            at = (start & ~31) + (group << 5) + lowest_bit(rest)
            heap[to] = _moved_reference(heap[at], marks, places, start, first)
            if tracing:
                core.heap_origins[to] = core.heap_origins[at]
                core.heap_app_origins[to] = core.heap_app_origins[at]
            to += 1
            rest &= rest - 1
        group += 1
    core.fun = _moved_reference(core.fun, marks, places, start, first)
    core.arg = _moved_reference(core.arg, marks, places, start, first)
    core.under = _moved_reference(core.under, marks, places, start, first)
    for at in range(core.sp):
        stack[at] = _moved_reference(stack[at], marks, places, start, first)
    core.top = to
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order_living(
    old: cython.longlong[::1],
    new: cython.longlong[::1],
    stack: cython.longlong[::1],
    sp: cython.Py_ssize_t,
    registers: cython.longlong[::1],
    pending: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Copy as ``_copy_living`` does, but put each object after all objects to which it refers.

    pending: space, as long as ``old``, for objects that refer to objects not copied yet.
    """
    top: cython.Py_ssize_t = 1
    root: cython.Py_ssize_t
    waiting: cython.Py_ssize_t
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t
    index: cython.Py_ssize_t
    word: cython.longlong
    for root in range(3 + sp):
        waiting = 0
        pending[0] = registers[root] if root < 3 else stack[root - 3]
        while waiting >= 0:
            word = pending[waiting]
            at = word >> PAYLOAD
            size = _unmoved_word_count(old, word)
            waiting -= 1
            for index in range(size):
                if _unmoved_word_count(old, old[at + index]) != 0:
                    waiting += 2
                    pending[waiting] = old[at + index]
                    size = 0
                    break
            for index in range(size):
                new[top + index] = _copied_reference(old, old[at + index])
            if size != 0:
                old[at] = cython.cast(cython.longlong, top) << PAYLOAD | MOVED
                top += size
        if root < 3:
            registers[root] = _copied_reference(old, registers[root])
        else:
            stack[root - 3] = _copied_reference(old, stack[root - 3])
    return top


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _unmoved_word_count(old: cython.longlong[::1], word: cython.longlong) -> cython.Py_ssize_t:
    """Return the number of words that ``word`` refers to, or 0 if they have already been copied."""
    at: cython.Py_ssize_t = word >> PAYLOAD
    op: cython.int = word & TAG
    size: cython.longlong = WORD_SIZES >> 2 * op & 3
    if size == 0 or at == 0 or old[at] & TAG == MOVED:
        return 0
    if size == 1:
        return 1
    if op == CONTINUATION or op == LINK:
        op = old[at] & TAG
        if op == SHARE or op == FORCE:
            return 3
    return 2


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _copied_reference(old: cython.longlong[::1], word: cython.longlong) -> cython.longlong:
    """Return ``word`` with its address changed to that of the copied object.

    A word without an address is returned unchanged.
    """
    at: cython.Py_ssize_t = word >> PAYLOAD
    op: cython.int = word & TAG
    low: cython.longlong = 1
    if at == 0 or WORD_SIZES >> 2 * op & 3 == 0:
        return word
    low = (low << PAYLOAD) - 1
    return (word & low) | (old[at] >> PAYLOAD) << PAYLOAD


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_living(
    old: cython.longlong[::1],
    new: cython.longlong[::1],
    stack: cython.longlong[::1],
    sp: cython.Py_ssize_t,
    registers: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Copy all reachable words to ``new`` and update all references (Cheney's algorithm).

    Return the first free index of ``new``.  The order of the copies depends only on the graph.
    """
    top: cython.Py_ssize_t = 1
    at: cython.Py_ssize_t = 1
    turn: cython.int = 0
    low: cython.longlong = PLACE_MASK
    index: cython.Py_ssize_t = 0
    source: cython.Py_ssize_t
    word: cython.longlong
    first: cython.longlong
    op: cython.int
    low = low << PLACE | TAG  # all but the payload
    while True:
        # The roots come first: three registers, then the stack; then what was copied.
        if turn < 3:
            word = registers[turn]
        elif turn == 3:
            if index == sp:
                turn = 4
                continue
            word = stack[index]
        else:
            if at == top:
                break
            word = new[at]
        op = word & TAG
        source = word >> PAYLOAD
        if source != 0 and (
            op == K1 or op == S1 or op == S2 or op == SHARE or op == CONTINUATION or op == LINK
            or op == PROMISE_VALUE or op == PROMISE_PAIR
        ):  # fmt: skip
            first = old[source]
            if first & TAG == MOVED:
                word = (word & low) | (first >> PAYLOAD) << PAYLOAD
            else:
                word = (word & low) | cython.cast(cython.longlong, top) << PAYLOAD
                old[source] = cython.cast(cython.longlong, top) << PAYLOAD | MOVED
                new[top] = first
                top += 1
                if op == S2 or op == SHARE or op == PROMISE_PAIR:
                    new[top] = old[source + 1]
                    top += 1
                elif op == CONTINUATION or op == LINK:
                    new[top] = old[source + 1]
                    top += 1
                    if first & TAG == SHARE or first & TAG == FORCE:
                        new[top] = old[source + 2]
                        top += 1
        if turn == 4:
            new[at] = word
            at += 1
        elif turn == 3:
            stack[index] = word
            index += 1
        else:
            registers[turn] = word
            turn += 1
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _watch(core: Core, limit: cython.longlong) -> cython.int:
    """Execute single steps up to ``limit``, and count the steps at which the run should stop.

    Returns at the first of these, unless ``core.scanning`` is set.
    """
    before: cython.longlong
    until: cython.longlong
    printed: cython.longlong
    fun: cython.longlong
    frames: cython.longlong
    hit: cython.bint
    reason: cython.int
    while True:
        before = core.steps
        printed = core.printed
        fun = core.fun
        until = before + 1 if before < limit else limit
        if core.tracing:
            reason = _run_tracing(core, core.code, core.heap, core.stack, until)
        else:
            reason = _run_fast(core, core.code, core.heap, core.stack, until)
        if core.steps == before:
            return reason
        core.last_fun = fun
        if core.tallying:
            core.counts[fun >> PLACE & PLACE_MASK] += 1
            core.latest[fun >> PLACE & PLACE_MASK] = core.steps
        core.last_printed = -1
        core.last_read = -2
        hit = core.every_step
        if core.fun & TAG <= LAST_VALUE:
            frames = core.sp - 1 - core.pairs + (core.under >> PLACE & PLACE_MASK)
            hit = (
                hit or core.marks[core.fun >> PLACE & PLACE_MASK] != 0 or frames <= core.max_frames
            )
        if fun & TAG == READ:
            core.last_read = core.character
            hit = hit or core.every_read
        if core.printed != printed:
            core.last_printed = core.out[core.out_length - 1]
            hit = hit or printed == core.output_index or core.printable[core.last_printed] != 0
        if hit and (not core.filtered or _filter_passes(core)):
            core.hits += 1
            core.last_hit = core.steps
            if core.hits == 1:
                core.first_hit = core.steps
            if not core.scanning:
                return STOP


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _filter_passes(core: Core) -> cython.bint:
    """Return whether the filter lets the run stop here; see :mod:`esolangs.filters`."""
    code: cython.longlong[::1] = core.filter
    numbers: cython.longlong[::1] = core.filter_numbers
    at: cython.Py_ssize_t = run_filter(code, numbers, 0)
    while at >= 0:  # at a register: filters have no cells or levels here
        numbers[code[at + 2]] = _register_value(core, code[at + 1])
        at = run_filter(code, numbers, at + 3)
    return at == FILTER_PASSES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _register_value(core: Core, number: cython.longlong) -> cython.longlong:
    """Return the value of register ``number`` of ``UnlambdaProgram.filter_names``."""
    if number == 0:
        return core.steps
    if number == 1:
        return core.printed
    if number == 2:
        return core.character
    if number == 3:
        return core.sp - 1 - core.pairs + (core.under >> PLACE & PLACE_MASK)
    return core.top - 1 + core.dropped + core.sp


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _capture(
    core: Core,
    heap: cython.longlong[::1],
    stack: cython.longlong[::1],
    top: cython.Py_ssize_t,
    sp: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Move the frames on the stack to the heap, as `c` does; return the new ``top``.

    The outermost frame is first, because words refer only to words before them.
    """
    at: cython.Py_ssize_t = 1
    frames: cython.longlong = core.under >> PLACE & PLACE_MASK
    op: cython.int
    tracing: cython.bint = core.tracing
    while at < sp:
        op = OPERAND
        if at + 1 < sp:
            op = stack[at + 1] & TAG
        heap[top + 1] = core.under
        frames += 1
        core.under = cython.cast(cython.longlong, top) << PAYLOAD | frames << PLACE | LINK
        if op == SHARE or op == FORCE:
            heap[top + 2] = stack[at]
            if tracing:
                core.heap_origins[top + 2] = core.stack_origins[at]
            at += 1
        heap[top] = stack[at]
        if tracing:
            core.heap_origins[top] = core.stack_origins[at]
            core.heap_app_origins[top] = core.stack_app_origins[at]
        top += 3 if op == SHARE or op == FORCE else 2
        at += 1
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_fast(
    core: Core,
    code: cython.longlong[::1],
    heap: cython.longlong[::1],
    stack: cython.longlong[::1],
    limit: cython.longlong,
) -> cython.int:
    """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason.

    A step is an application; a return to a frame is not counted.

    An S2 is executed together with the application of its first operand if that is simple, and then
    with the application of its second operand if that is simple too; all steps are counted.
    """
    fun: cython.longlong = core.fun
    arg: cython.longlong = core.arg
    top: cython.Py_ssize_t = core.top
    sp: cython.Py_ssize_t = core.sp
    pairs: cython.Py_ssize_t = core.pairs
    heap_stop: cython.Py_ssize_t = core.heap_stop
    stack_mark: cython.Py_ssize_t = core.stack_mark
    left: cython.longlong = limit - core.steps
    at: cython.Py_ssize_t
    word: cython.longlong
    other: cython.longlong
    op: cython.int
    place: cython.longlong = PLACE_MASK
    reason: cython.int = BUDGET
    place = place << PLACE
    while True:
        op = fun & TAG
        if op <= LAST_VALUE:
            if left <= 0:
                break
            left -= 1
        if op == S2:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            at = fun >> PAYLOAD
            word = heap[at]
            if left >= 2:
                op = word & TAG
                other = HEAP_FRAMES
                if op == K1:
                    other = heap[word >> PAYLOAD]
                elif op == I:
                    other = arg
                elif op == V:
                    other = word
                elif op == S1 and sp + 2 < stack_mark:
                    heap[top] = heap[word >> PAYLOAD]
                    heap[top + 1] = arg
                    other = (word & place) | cython.cast(cython.longlong, top) << PAYLOAD | S2
                    top += 2
                elif op == K and sp + 2 < stack_mark:
                    heap[top] = arg
                    other = (word & place) | cython.cast(cython.longlong, top) << PAYLOAD | K1
                    top += 1
                elif op == S and sp + 2 < stack_mark:
                    heap[top] = arg
                    other = (word & place) | cython.cast(cython.longlong, top) << PAYLOAD | S1
                    top += 1
                op = other & TAG
                if op != D and op != HEAP_FRAMES:
                    left -= 1
                    word = heap[at + 1]
                    op = word & TAG
                    if op == K1:
                        left -= 1
                        arg = heap[word >> PAYLOAD]
                        fun = other
                    elif op == I:
                        left -= 1
                        fun = other
                    else:
                        stack[sp] = other
                        sp += 1
                        fun = word
                    continue
                word = heap[at]
            stack[sp] = arg
            stack[sp + 1] = fun ^ (S2 ^ SHARE)
            sp += 2
            pairs += 1
            fun = word
        elif op == K1:
            arg = heap[fun >> PAYLOAD]
            sp -= 1
            fun = stack[sp]
        elif op == SHARE:
            if arg & TAG == D:  # it delays its operand, which is z's and y's application
                word = fun
                fun = arg
                arg = word
            else:
                word = stack[sp - 1]
                stack[sp - 1] = arg
                pairs -= 1
                fun = heap[(fun >> PAYLOAD) + 1]
                arg = word
        elif op == OPERAND:
            if arg & TAG == D:
                word = fun
                fun = arg
                arg = word
            else:
                at = fun >> PAYLOAD
                stack[sp] = arg
                sp += 1
                word = code[at]
                while word & TAG == OPERAND:
                    stack[sp] = word
                    sp += 1
                    at += 1
                    word = code[at]
                arg = word
                sp -= 1
                fun = stack[sp]
        elif op == S1:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            heap[top] = heap[fun >> PAYLOAD]
            heap[top + 1] = arg
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | S2
            top += 2
            sp -= 1
            fun = stack[sp]
        elif op == K:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            heap[top] = arg
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | K1
            top += 1
            sp -= 1
            fun = stack[sp]
        elif op == S:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            heap[top] = arg
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | S1
            top += 1
            sp -= 1
            fun = stack[sp]
        elif op == I:
            sp -= 1
            fun = stack[sp]
        elif op == V:
            arg = fun
            sp -= 1
            fun = stack[sp]
        elif op == D:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            op = arg & TAG
            if op == OPERAND:
                arg = (fun & place) | (arg >> PAYLOAD) << PAYLOAD | PROMISE_TERM
            elif op == SHARE:
                heap[top] = heap[(arg >> PAYLOAD) + 1]
                sp -= 1
                pairs -= 1
                heap[top + 1] = stack[sp]
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | PROMISE_PAIR
                top += 2
            else:
                heap[top] = arg
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | PROMISE_VALUE
                top += 1
            sp -= 1
            fun = stack[sp]
        elif op == PROMISE_VALUE:
            fun = heap[fun >> PAYLOAD]
        elif op == PROMISE_PAIR:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            at = fun >> PAYLOAD
            stack[sp] = arg
            stack[sp + 1] = (fun & place) | FORCE
            sp += 2
            pairs += 1
            fun = heap[at]
            arg = heap[at + 1]
        elif op == PROMISE_TERM:
            if top >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            stack[sp] = arg
            stack[sp + 1] = (fun & place) | FORCE
            sp += 2
            pairs += 1
            at = fun >> PAYLOAD
            word = code[at]
            while word & TAG == OPERAND:
                stack[sp] = word
                sp += 1
                at += 1
                word = code[at]
            arg = word
            sp -= 1
            fun = stack[sp]
        elif op == FORCE:
            sp -= 1
            pairs -= 1
            fun = arg
            arg = stack[sp]
        elif op == HEAP_FRAMES:
            sp = 1
            at = core.under >> PAYLOAD
            if at == 0:
                reason = ENDED
                break
            fun = heap[at]
            core.under = heap[at + 1]
            op = fun & TAG
            if op == SHARE or op == FORCE:
                stack[1] = heap[at + 2]
                sp = 2
                pairs = 1
        elif op == CONTINUATION:
            at = fun >> PAYLOAD
            sp = 1
            pairs = 0
            core.under = 0
            if at != 0:  # the place of a LINK counts frames: one more than are below
                word = (heap[at + 1] >> PLACE & PLACE_MASK) + 1
                core.under = cython.cast(cython.longlong, at) << PAYLOAD | word << PLACE | LINK
            fun = HEAP_FRAMES
        elif op == C:
            if top + 2 * sp >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                break
            top = _capture(core, heap, stack, top, sp)
            sp = 1
            pairs = 0
            word = fun
            fun = arg
            arg = (word & place) | (core.under >> PAYLOAD) << PAYLOAD | CONTINUATION
        elif op == PRINT:
            if core.printed == core.max_output:
                reason = OUTPUT_FULL
                break
            if core.out_length == CHUNK:
                reason = FLUSH
                break
            core.out[core.out_length] = fun >> PAYLOAD
            core.out_steps[core.out_length] = limit - left
            core.out_length += 1
            core.printed += 1
            sp -= 1
            fun = stack[sp]
        elif op == READ:
            op = V
            if core.input_position < core.input_length:
                if core.read_length == CHUNK:
                    reason = FLUSH
                    break
                core.read_steps[core.read_length] = limit - left
                core.read_length += 1
                core.character = core.stdin[core.input_position]
                core.input_position += 1
                op = I
            elif core.closed:
                core.character = -1
            else:
                reason = NEEDS_INPUT
                break
            word = (fun & place) | op
            fun = arg
            arg = word
        elif op == TEST:
            word = (fun & place) | (I if core.character == fun >> PAYLOAD else V)
            fun = arg
            arg = word
        elif op == REPRINT:
            word = (fun & place) | V
            if core.character >= 0:
                word = cython.cast(cython.longlong, core.character) << PAYLOAD | PRINT
                word = word | (fun & place)
            fun = arg
            arg = word
        else:  # EXIT
            sp = 1
            pairs = 0
            core.under = 0
            fun = HEAP_FRAMES
    if reason != BUDGET and reason != ENDED:
        left += 1  # the failed attempt does not count as a step
    core.fun = fun
    core.arg = arg
    core.top = top
    core.sp = sp
    core.pairs = pairs
    core.steps = limit - left
    return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_tracing(
    core: Core,
    code: cython.longlong[::1],
    heap: cython.longlong[::1],
    stack: cython.longlong[::1],
    limit: cython.longlong,
) -> cython.int:
    """Run as ``_run_fast`` does, and record the origins of all values and applications.

    The origin of the value that an application creates, and of the applications that it starts, is
    its step.  A value that it passes on unchanged keeps its origin.
    """
    heap_origins: cython.longlong[::1] = core.heap_origins
    heap_app_origins: cython.longlong[::1] = core.heap_app_origins
    origins: cython.longlong[::1] = core.stack_origins
    app_origins: cython.longlong[::1] = core.stack_app_origins
    made: cython.longlong[::1] = core.made
    fun: cython.longlong = core.fun
    arg: cython.longlong = core.arg
    fun_origin: cython.longlong = core.fun_origin
    arg_origin: cython.longlong = core.arg_origin
    app_origin: cython.longlong = core.app_origin
    top: cython.Py_ssize_t = core.top
    sp: cython.Py_ssize_t = core.sp
    pairs: cython.Py_ssize_t = core.pairs
    heap_stop: cython.Py_ssize_t = core.heap_stop
    stack_mark: cython.Py_ssize_t = core.stack_mark
    now: cython.longlong = core.steps
    before: cython.longlong
    at: cython.Py_ssize_t
    word: cython.longlong
    origin: cython.longlong
    op: cython.int
    pops: cython.bint
    place: cython.longlong = PLACE_MASK
    reason: cython.int = BUDGET
    place = place << PLACE
    while True:
        op = fun & TAG
        before = now
        if op <= LAST_VALUE:
            if now >= limit:
                break
            now += 1
            made[now & TRACED_STEPS - 1] = app_origin
        pops = False
        if (
            op == K or op == S or op == S1 or op == S2 or op == D or op == C or op == PROMISE_PAIR
            or op == PROMISE_TERM
        ):  # fmt: skip
            at = top + 2 * sp if op == C else top
            if at >= heap_stop or sp >= stack_mark:
                reason = MEASURE
                now = before
                break
        if op == S2:
            at = fun >> PAYLOAD
            stack[sp] = arg
            origins[sp] = arg_origin
            stack[sp + 1] = fun ^ (S2 ^ SHARE)
            origins[sp + 1] = fun_origin
            app_origins[sp + 1] = now
            sp += 2
            pairs += 1
            fun = heap[at]
            fun_origin = heap_origins[at]
            app_origin = now
        elif op == K1:
            at = fun >> PAYLOAD
            arg = heap[at]
            arg_origin = heap_origins[at]
            pops = True
        elif op == SHARE:
            if arg & TAG == D:  # of two applications that one step made, it delays the inner
                word = fun
                fun = arg
                fun_origin = arg_origin
                arg = word
                arg_origin = app_origin
            else:
                word = stack[sp - 1]
                origin = origins[sp - 1]
                stack[sp - 1] = arg
                origins[sp - 1] = arg_origin
                app_origins[sp - 1] = app_origin
                pairs -= 1
                at = (fun >> PAYLOAD) + 1
                fun = heap[at]
                fun_origin = heap_origins[at]
                arg = word
                arg_origin = origin
        elif op == OPERAND:
            if arg & TAG == D:
                word = fun
                fun = arg
                fun_origin = arg_origin
                arg = word
            else:
                at = fun >> PAYLOAD
                stack[sp] = arg
                origins[sp] = arg_origin
                app_origins[sp] = app_origin
                sp += 1
                word = code[at]
                while word & TAG == OPERAND:
                    stack[sp] = word
                    app_origins[sp] = ~((word & place) >> PLACE)
                    sp += 1
                    at += 1
                    word = code[at]
                arg = word
                arg_origin = ~((word & place) >> PLACE)
                pops = True
        elif op == S1:
            at = fun >> PAYLOAD
            heap[top] = heap[at]
            heap_origins[top] = heap_origins[at]
            heap_app_origins[top] = fun_origin
            heap[top + 1] = arg
            heap_origins[top + 1] = arg_origin
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | S2
            arg_origin = now
            top += 2
            pops = True
        elif op == K or op == S:
            heap[top] = arg
            heap_origins[top] = arg_origin
            op = K1 if op == K else S1
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | op
            arg_origin = now
            top += 1
            pops = True
        elif op == I:
            pops = True
        elif op == V:
            arg = fun
            arg_origin = fun_origin
            pops = True
        elif op == D:
            op = arg & TAG
            if op == OPERAND:
                arg = (fun & place) | (arg >> PAYLOAD) << PAYLOAD | PROMISE_TERM
            elif op == SHARE:
                at = (arg >> PAYLOAD) + 1
                heap[top] = heap[at]
                heap_origins[top] = heap_origins[at]
                heap_app_origins[top] = arg_origin
                sp -= 1
                pairs -= 1
                heap[top + 1] = stack[sp]
                heap_origins[top + 1] = origins[sp]
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | PROMISE_PAIR
                top += 2
            else:
                heap[top] = arg
                heap_origins[top] = arg_origin
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | PROMISE_VALUE
                top += 1
            arg_origin = now
            pops = True
        elif op == PROMISE_VALUE:
            at = fun >> PAYLOAD
            fun = heap[at]
            fun_origin = heap_origins[at]
            app_origin = now
        elif op == PROMISE_PAIR or op == PROMISE_TERM:
            at = fun >> PAYLOAD
            stack[sp] = arg
            origins[sp] = arg_origin
            stack[sp + 1] = (fun & place) | FORCE
            app_origins[sp + 1] = now
            sp += 2
            pairs += 1
            if op == PROMISE_PAIR:
                fun = heap[at]
                fun_origin = heap_origins[at]
                arg = heap[at + 1]
                arg_origin = heap_origins[at + 1]
                app_origin = heap_app_origins[at]
            else:
                word = code[at]
                while word & TAG == OPERAND:
                    stack[sp] = word
                    app_origins[sp] = ~((word & place) >> PLACE)
                    sp += 1
                    at += 1
                    word = code[at]
                arg = word
                arg_origin = ~((word & place) >> PLACE)
                pops = True
        elif op == FORCE:
            sp -= 1
            pairs -= 1
            fun = arg
            fun_origin = arg_origin
            arg = stack[sp]
            arg_origin = origins[sp]
        elif op == HEAP_FRAMES:
            sp = 1
            at = core.under >> PAYLOAD
            if at == 0:
                reason = ENDED
                break
            fun = heap[at]
            fun_origin = heap_origins[at]
            app_origin = heap_app_origins[at]
            core.under = heap[at + 1]
            op = fun & TAG
            if op == SHARE or op == FORCE:
                stack[1] = heap[at + 2]
                origins[1] = heap_origins[at + 2]
                sp = 2
                pairs = 1
        elif op == CONTINUATION:
            at = fun >> PAYLOAD
            sp = 1
            pairs = 0
            core.under = 0
            if at != 0:  # the place of a LINK counts frames: one more than are below
                word = (heap[at + 1] >> PLACE & PLACE_MASK) + 1
                core.under = cython.cast(cython.longlong, at) << PAYLOAD | word << PLACE | LINK
            fun = HEAP_FRAMES
        elif op == C:
            top = _capture(core, heap, stack, top, sp)
            sp = 1
            pairs = 0
            word = fun
            fun = arg
            fun_origin = arg_origin
            arg = (word & place) | (core.under >> PAYLOAD) << PAYLOAD | CONTINUATION
            arg_origin = app_origin = now
        elif op == PRINT:
            if core.printed == core.max_output:
                reason = OUTPUT_FULL
                now = before
                break
            if core.out_length == CHUNK:
                reason = FLUSH
                now = before
                break
            core.out[core.out_length] = fun >> PAYLOAD
            core.out_steps[core.out_length] = now
            core.out_length += 1
            core.printed += 1
            pops = True
        elif op == READ or op == TEST or op == REPRINT:
            word = I
            if op == READ:
                if core.input_position < core.input_length:
                    if core.read_length == CHUNK:
                        reason = FLUSH
                        now = before
                        break
                    core.read_steps[core.read_length] = now
                    core.read_length += 1
                    core.character = core.stdin[core.input_position]
                    core.input_position += 1
                elif core.closed:
                    core.character = -1
                    word = V
                else:
                    reason = NEEDS_INPUT
                    now = before
                    break
            elif op == TEST:
                if core.character != fun >> PAYLOAD:
                    word = V
            elif core.character >= 0:
                word = cython.cast(cython.longlong, core.character) << PAYLOAD | PRINT
            else:
                word = V
            word = word | (fun & place)
            fun = arg
            fun_origin = arg_origin
            arg = word
            arg_origin = app_origin = now
        else:  # EXIT
            sp = 1
            pairs = 0
            core.under = 0
            fun = HEAP_FRAMES
        if pops:
            sp -= 1
            fun = stack[sp]
            fun_origin = origins[sp]
            app_origin = app_origins[sp]
    core.fun = fun
    core.arg = arg
    core.fun_origin = fun_origin
    core.arg_origin = arg_origin
    core.app_origin = app_origin
    core.top = top
    core.sp = sp
    core.pairs = pairs
    core.steps = now
    return reason
