# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The engine: a loop that applies values and returns to frames.

Between two steps, the next application is always ready: ``fun`` is applied to ``arg``.  When
``fun`` is a frame, ``arg`` is returned to it, which costs no step.  The continuation is a
contiguous stack, whose frames ``c`` moves to the heap as a linked list; ``under`` is the uppermost
of those.  The heap is collected by copying.

A tracing core stores two more numbers with every word on heap and stack and in the registers: the
birth of the object that the word represents, and the birth of an application around it.  A birth is
the step that made an object, or, if negative, the complement of a source offset.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

if not cython.compiled:
    from esolangs.filters import FILTER_DEPTH, FILTER_PASSES, run_filter
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
        CONT,
        GIVE,
        K1,
        LAST_VALUE,
        LATER,
        LATER_PAIR,
        LATER_TERM,
        LINK,
        MOST_RESERVED,
        MOVED,
        OPERAND,
        PAYLOAD,
        PLACE,
        PLACES,
        PRINT,
        READ,
        REMEMBERED,
        REPRINT,
        S1,
        S2,
        SHARE,
        SLACK,
        TAG,
        TEST,
        UNDER,
        C,
        D,
        I,
        K,
        S,
        V,
    )

    MEASURE = OWN  # collect garbage and measure the live words


@cython.cclass
class Core:
    """The state of a run, which a replay must restore, and its program.

    Words are defined in ``opcodes.py``.  Index 0 of the heap is never used, index 0 of
    the stack always holds UNDER.  ``top`` and ``sp`` are the first free indices.
    """

    code: cython.longlong[::1]
    heap: cython.longlong[::1]
    spare: cython.longlong[::1]  # the target of the next collection, if it is large enough
    stack: cython.longlong[::1]
    # when tracing: the births of words, and of applications: the one that a frame stands for,
    # `sx of an S2, and `xy of a LATER_PAIR
    heap_births: cython.longlong[::1]
    heap_makers: cython.longlong[::1]
    stack_births: cython.longlong[::1]
    stack_makers: cython.longlong[::1]
    made: cython.longlong[::1]  # for the last steps the birth of the application that was made
    stdin: cython.uchar[::1]
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]  # the step that printed each byte of `out`
    read_steps: cython.longlong[::1]
    marks: cython.uchar[::1]  # of source offsets
    most_frames: cython.longlong  # stop at this many waiting frames or fewer, or -1
    printable: cython.uchar[::1]
    fun = cython.declare(cython.longlong, visibility="public")
    arg = cython.declare(cython.longlong, visibility="public")
    under = cython.declare(cython.longlong, visibility="public")
    top = cython.declare(cython.Py_ssize_t, visibility="public")
    sp = cython.declare(cython.Py_ssize_t, visibility="public")
    pairs = cython.declare(cython.Py_ssize_t, visibility="public")  # frames of two words in `stack`
    current = cython.declare(cython.int, visibility="public")  # the current character, or -1
    steps = cython.declare(cython.longlong, visibility="public")
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    printed = cython.declare(cython.longlong, visibility="public")
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    # what is alive: see the cost model in machine.py
    heap_mark: cython.Py_ssize_t  # a step that begins with `top` here or beyond measures first
    stack_mark: cython.Py_ssize_t
    dropped: cython.Py_ssize_t  # words of garbage that went without being measured
    nursery: cython.Py_ssize_t
    most_words: cython.Py_ssize_t
    highest = cython.declare(cython.Py_ssize_t, visibility="public")  # words alive at most
    # rules
    depth: cython.Py_ssize_t  # words that evaluating the program's expressions may push
    closed = cython.declare(cython.bint, visibility="public")
    most_output: cython.longlong
    # stops to watch for
    watching: cython.bint
    scanning: cython.bint
    every_step: cython.bint
    any_input: cython.bint
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
    # births of the registers, and of the application that is made next
    tracing = cython.declare(cython.bint, visibility="public")
    fun_birth = cython.declare(cython.longlong, visibility="public")
    arg_birth = cython.declare(cython.longlong, visibility="public")
    maker = cython.declare(cython.longlong, visibility="public")
    # the application executed last in single steps
    last_fun = cython.declare(cython.longlong, visibility="public")
    last_printed = cython.declare(cython.int, visibility="public")  # a byte, or -1
    last_read = cython.declare(cython.int, visibility="public")  # a byte, -1 at the end, -2 no read

    def __init__(self, code, depth, nursery, most_words, most_output):
        self.code = code
        self.depth = depth
        self.nursery = nursery
        self.most_words = most_words
        self.most_output = most_output
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.spare = array("q", [0])
        self.heap = array("q", bytes(8 * SLACK))
        self.stack = array("q", bytes(8 * (1 + SLACK + depth)))
        self.stack[0] = UNDER
        self.set_input(b"", True)
        self.watching = self.tallying = self.tracing = self.filtered = False
        self.filter_numbers = array("q", bytes(8 * FILTER_DEPTH))
        self.most_frames = -1
        self.steps = self.input_position = self.printed = self.out_length = self.read_length = 0
        self.current = self.last_fun = -1
        self.highest = self.dropped = self.under = self.pairs = 0
        self.top = self.sp = self.heap_mark = self.stack_mark = 1
        self.fun = OPERAND  # the program is the operand of nothing: node 0
        self.arg = I
        self.begin()

    def begin(self):
        """Go to the first application of the program."""
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
            self.sp = 1  # UNDER stays

    def trace(self):
        """Restart at step 0 and record births until ``load``."""
        self.tracing = True
        self.top = self.sp = 1
        self.fun = OPERAND
        self.arg = I
        self.begin()
        self.heap_births = array("q", [0]) * len(self.heap)
        self.heap_makers = array("q", [0]) * len(self.heap)
        self.stack_births = array("q", [0]) * len(self.stack)
        self.stack_makers = array("q", [0]) * len(self.stack)
        self.made = array("q", [0]) * REMEMBERED
        for at in range(1, self.sp):
            self.stack_makers[at] = ~(self.stack[at] >> PLACE & PLACES)
        self.maker = ~(self.fun >> PLACE & PLACES)
        self.arg_birth = ~(self.arg >> PLACE & PLACES)

    def births(self):
        """Return views of the births of the words and applications on heap and stack."""
        return (
            memoryview(self.heap_births),
            memoryview(self.heap_makers),
            memoryview(self.stack_births),
            memoryview(self.stack_makers),
        )

    def maker_of(self, step: cython.longlong):
        """Return the birth of the application that ``step``, one of the last REMEMBERED, made."""
        return self.made[step & REMEMBERED - 1]

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
        """Return the number of words live at the last collection, plus all allocated since."""
        return self.top - 1 + self.dropped + self.sp

    def save(self):
        """Return an immutable copy of the state, without steps and printed bytes."""
        before = self.top
        self._collect()
        self._subtract_garbage(before - self.top)
        registers = (
            self.fun, self.arg, self.under, self.pairs, self.current, self.highest, self.dropped,
            self.heap_mark - self.top, self.stack_mark - self.sp, self.top, self.sp,
        )  # fmt: skip
        return bytes(self.heap[: self.top]), bytes(self.stack[: self.sp]), registers

    def load(self, saved):
        """Restore a state that ``save`` returned."""
        heap, stack, registers = saved
        (self.fun, self.arg, self.under, self.pairs, self.current, self.highest, self.dropped,
            self.heap_mark, self.stack_mark, self.top, self.sp) = registers  # fmt: skip
        self.heap_mark += self.top
        self.stack_mark += self.sp
        self.heap = _larger(array("q", heap), self.top, self._heap_needed())
        self.stack = _larger(array("q", stack), self.sp, self._stack_needed())
        self.spare = array("q", [0])
        self.tracing = False

    def watch(self, marks, most_frames, printable, output_index, any_input, every_step, scanning):
        """Watch for these stops until ``unwatch``: offsets, depths, bytes printed, reads."""
        self.marks = marks
        self.most_frames = most_frames
        self.printable = printable
        self.output_index = output_index
        self.any_input = any_input
        self.every_step = every_step
        self.scanning = scanning
        self.hits = self.first_hit = self.last_hit = 0
        self.watching = True

    def unwatch(self):
        """Stop watching and run at full speed."""
        self.watching = self.filtered = False

    def set_filter(self, code):
        """Leave out the stops at which a filter is zero, until ``unwatch``."""
        self.filter = code
        self.filtered = True

    def begin_tally(self, counts, latest):
        """Count every step, and record the last step, by offset until ``end_tally``."""
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
        """Collect garbage; return whether the limit allows the live words and what `c` adds."""
        need: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t = self.top
        if self.fun & TAG == C:
            need = 2 * self.sp
        self._collect()
        alive: cython.Py_ssize_t = self.top - 1 + self.sp + need
        if alive > self.most_words:
            self._subtract_garbage(before - self.top)
            return False
        if alive > self.highest:
            self.highest = alive
        room: cython.Py_ssize_t = max(self.nursery, alive // 2)
        self.dropped = 0
        self.heap_mark = self.top + need + room
        self.stack_mark = self.sp + room
        needed: cython.Py_ssize_t = self._heap_needed()
        if not needed <= len(self.heap) <= 4 * needed:
            self.spare = array("q", [0])
            self.heap = _larger(self.heap, self.top, needed)
        needed = self._stack_needed()
        if not needed <= len(self.stack) <= 4 * needed:
            self.stack = _larger(self.stack, self.sp, needed)
        if self.tracing:
            self._fit_births()
        return True

    def _subtract_garbage(self, garbage: cython.Py_ssize_t):
        """Subtract collected garbage without moving the next measurement."""
        self.dropped += garbage
        self.heap_mark -= garbage

    def _heap_needed(self):
        return max(self.heap_mark, self.top) + SLACK

    def _stack_needed(self):
        return max(self.stack_mark, self.sp) + SLACK + self.depth

    def _collect(self):
        needed: cython.Py_ssize_t = self._heap_needed()
        if len(self.spare) < needed:
            self.spare = array("q", [0])  # let go of the old one first
            # A small heap that grows is likely to grow on: then this is large enough at once.
            self.spare = array("q", [0]) * (needed + min(needed, MOST_RESERVED))
        before: cython.Py_ssize_t = self.top
        with cython.nogil:
            _copy_living(self, self.heap, self.spare, self.stack)
        if self.tracing:
            self._copy_births(before)
        self.heap, self.spare = self.spare, self.heap

    def _copy_births(self, before: cython.Py_ssize_t):
        """Move births to the new places of words; the old heap had ``before`` words."""
        births = array("q", [0]) * len(self.spare)
        makers = array("q", [0]) * len(self.spare)
        _copy_births_of_words(
            self.heap, before, self.top, self.heap_births, births, self.heap_makers, makers
        )
        self.heap_births, self.heap_makers = births, makers

    def _fit_births(self):
        """Enlarge the arrays of births to the size of the heap and the stack."""
        needed: cython.Py_ssize_t = len(self.heap)
        if len(self.heap_births) != needed:
            self.heap_births = _larger(self.heap_births, self.top, needed)
            self.heap_makers = _larger(self.heap_makers, self.top, needed)
        needed = len(self.stack)
        if len(self.stack_births) != needed:
            self.stack_births = _larger(self.stack_births, self.sp, needed)
            self.stack_makers = _larger(self.stack_makers, self.sp, needed)


@cython.cfunc
def _larger(words: cython.longlong[::1], used: cython.Py_ssize_t, needed: cython.Py_ssize_t):
    """Return an array of ``needed`` words that begins with the first ``used`` of ``words``."""
    larger = array("q", [0]) * needed
    room: cython.longlong[::1] = larger
    room[:used] = words[:used]
    return larger


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_living(
    core: Core,
    old: cython.longlong[::1],
    new: cython.longlong[::1],
    stack: cython.longlong[::1],
) -> cython.int:
    """Copy all reachable words to ``new`` and update all references (Cheney's algorithm)."""
    top: cython.Py_ssize_t = 1
    at: cython.Py_ssize_t = 1
    turn: cython.int = 0
    low: cython.longlong = PLACES
    index: cython.Py_ssize_t = 0
    source: cython.Py_ssize_t
    word: cython.longlong
    first: cython.longlong
    op: cython.int
    low = low << PLACE | TAG  # all but the payload
    while True:
        # The roots come first: three registers, then the stack; then what was copied.
        if turn == 0:
            word = core.fun
        elif turn == 1:
            word = core.arg
        elif turn == 2:
            word = core.under
        elif turn == 3:
            if index == core.sp:
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
            op == K1 or op == S1 or op == S2 or op == SHARE or op == CONT or op == LINK
            or op == LATER or op == LATER_PAIR
        ):  # fmt: skip
            first = old[source]
            if first & TAG == MOVED:
                word = (word & low) | (first >> PAYLOAD) << PAYLOAD
            else:
                word = (word & low) | cython.cast(cython.longlong, top) << PAYLOAD
                old[source] = cython.cast(cython.longlong, top) << PAYLOAD | MOVED
                new[top] = first
                top += 1
                if op == S2 or op == SHARE or op == LATER_PAIR:
                    new[top] = old[source + 1]
                    top += 1
                elif op == CONT or op == LINK:
                    new[top] = old[source + 1]
                    top += 1
                    if first & TAG == SHARE or first & TAG == GIVE:
                        new[top] = old[source + 2]
                        top += 1
        if turn == 4:
            new[at] = word
            at += 1
        elif turn == 3:
            stack[index] = word
            index += 1
        else:
            if turn == 0:
                core.fun = word
            elif turn == 1:
                core.arg = word
            else:
                core.under = word
            turn += 1
    core.top = top
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_births_of_words(
    old: cython.longlong[::1],
    before: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    births: cython.longlong[::1],
    new_births: cython.longlong[::1],
    makers: cython.longlong[::1],
    new_makers: cython.longlong[::1],
) -> cython.int:
    """Copy the births of all copied words; both new arrays are full of zeros."""
    source: cython.Py_ssize_t
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t = top
    index: cython.Py_ssize_t
    for source in range(1, before):
        if old[source] & TAG == MOVED:
            new_births[old[source] >> PAYLOAD] = source
    # A thing ends where the next one begins: the last one first.
    at = top - 1
    while at > 0:
        source = new_births[at]
        if source != 0:
            for index in range(end - at):
                new_births[at + index] = births[source + index]
                new_makers[at + index] = makers[source + index]
            end = at
        at -= 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _watch(core: Core, limit: cython.longlong) -> cython.int:
    """Execute single steps until a stop applies, or up to ``limit`` to count the stops."""
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
            core.counts[fun >> PLACE & PLACES] += 1
            core.latest[fun >> PLACE & PLACES] = core.steps
        core.last_printed = -1
        core.last_read = -2
        hit = core.every_step
        if core.fun & TAG <= LAST_VALUE:
            frames = core.sp - 1 - core.pairs + (core.under >> PLACE & PLACES)
            hit = hit or core.marks[core.fun >> PLACE & PLACES] != 0 or frames <= core.most_frames
        if fun & TAG == READ:
            core.last_read = core.current
            hit = hit or core.any_input
        if core.printed != printed:
            core.last_printed = core.out[core.out_length - 1]
            hit = hit or printed == core.output_index or core.printable[core.last_printed] != 0
        if hit and (not core.filtered or _passes(core)):
            core.hits += 1
            core.last_hit = core.steps
            if core.hits == 1:
                core.first_hit = core.steps
            if not core.scanning:
                return STOP


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _passes(core: Core) -> cython.bint:
    """Return whether the filter passes a stop; see :mod:`esolangs.filters`."""
    code: cython.longlong[::1] = core.filter
    numbers: cython.longlong[::1] = core.filter_numbers
    at: cython.Py_ssize_t = run_filter(code, numbers, 0)
    while at >= 0:  # at a register, as there are no cells and levels
        numbers[code[at + 2]] = _register(core, code[at + 1])
        at = run_filter(code, numbers, at + 3)
    return at == FILTER_PASSES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _register(core: Core, number: cython.longlong) -> cython.longlong:
    """Return a register by its number in ``UnlambdaProgram.filter_names``."""
    if number == 0:
        return core.steps
    if number == 1:
        return core.printed
    if number == 2:
        return core.current
    if number == 3:
        return core.sp - 1 - core.pairs + (core.under >> PLACE & PLACES)
    return core.top - 1 + core.dropped + core.sp


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
    """Execute applications and returns to frames up to ``limit`` steps, or until the run stops.

    An S2 whose left part needs no evaluation is executed together with it, and with the right part
    if that is simple too; all steps are counted.
    """
    fun: cython.longlong = core.fun
    arg: cython.longlong = core.arg
    top: cython.Py_ssize_t = core.top
    sp: cython.Py_ssize_t = core.sp
    pairs: cython.Py_ssize_t = core.pairs
    heap_mark: cython.Py_ssize_t = core.heap_mark
    stack_mark: cython.Py_ssize_t = core.stack_mark
    left: cython.longlong = limit - core.steps
    at: cython.Py_ssize_t
    word: cython.longlong
    other: cython.longlong
    op: cython.int
    place: cython.longlong = PLACES
    reason: cython.int = BUDGET
    place = place << PLACE
    while True:
        op = fun & TAG
        if op <= LAST_VALUE:
            if left <= 0:
                break
            left -= 1
        if op == S2:
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            at = fun >> PAYLOAD
            word = heap[at]
            if left >= 2:
                op = word & TAG
                other = UNDER
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
                if op != D and op != UNDER:
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
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            heap[top] = heap[fun >> PAYLOAD]
            heap[top + 1] = arg
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | S2
            top += 2
            sp -= 1
            fun = stack[sp]
        elif op == K:
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            heap[top] = arg
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | K1
            top += 1
            sp -= 1
            fun = stack[sp]
        elif op == S:
            if top >= heap_mark or sp >= stack_mark:
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
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            op = arg & TAG
            if op == OPERAND:
                arg = (fun & place) | (arg >> PAYLOAD) << PAYLOAD | LATER_TERM
            elif op == SHARE:
                heap[top] = heap[(arg >> PAYLOAD) + 1]
                sp -= 1
                pairs -= 1
                heap[top + 1] = stack[sp]
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | LATER_PAIR
                top += 2
            else:
                heap[top] = arg
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | LATER
                top += 1
            sp -= 1
            fun = stack[sp]
        elif op == LATER:
            fun = heap[fun >> PAYLOAD]
        elif op == LATER_PAIR:
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            at = fun >> PAYLOAD
            stack[sp] = arg
            stack[sp + 1] = (fun & place) | GIVE
            sp += 2
            pairs += 1
            fun = heap[at]
            arg = heap[at + 1]
        elif op == LATER_TERM:
            if top >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            stack[sp] = arg
            stack[sp + 1] = (fun & place) | GIVE
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
        elif op == GIVE:
            sp -= 1
            pairs -= 1
            fun = arg
            arg = stack[sp]
        elif op == UNDER:
            sp = 1
            at = core.under >> PAYLOAD
            if at == 0:
                reason = ENDED
                break
            fun = heap[at]
            core.under = heap[at + 1]
            op = fun & TAG
            if op == SHARE or op == GIVE:
                stack[1] = heap[at + 2]
                sp = 2
                pairs = 1
        elif op == CONT:
            at = fun >> PAYLOAD
            sp = 1
            pairs = 0
            core.under = 0
            if at != 0:  # the place of a LINK counts frames: one more than are below
                word = (heap[at + 1] >> PLACE & PLACES) + 1
                core.under = cython.cast(cython.longlong, at) << PAYLOAD | word << PLACE | LINK
            fun = UNDER
        elif op == C:
            if top + 2 * sp >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                break
            word = (core.under >> PLACE & PLACES) + sp - 1 - pairs  # the frames there are
            other = core.under
            if sp > 1:
                core.under = cython.cast(cython.longlong, top) << PAYLOAD | word << PLACE | LINK
            while sp > 1:
                word -= 1
                sp -= 1
                heap[top] = stack[sp]
                op = stack[sp] & TAG
                at = top + 1
                top += 2
                if op == SHARE or op == GIVE:
                    sp -= 1
                    heap[top] = stack[sp]
                    top += 1
                if sp > 1:
                    heap[at] = cython.cast(cython.longlong, top) << PAYLOAD | word << PLACE | LINK
                else:
                    heap[at] = other
            pairs = 0
            word = fun
            fun = arg
            arg = (word & place) | (core.under >> PAYLOAD) << PAYLOAD | CONT
        elif op == PRINT:
            if core.printed == core.most_output:
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
                core.current = core.stdin[core.input_position]
                core.input_position += 1
                op = I
            elif core.closed:
                core.current = -1
            else:
                reason = NEEDS_INPUT
                break
            word = (fun & place) | op
            fun = arg
            arg = word
        elif op == TEST:
            word = (fun & place) | (I if core.current == fun >> PAYLOAD else V)
            fun = arg
            arg = word
        elif op == REPRINT:
            word = (fun & place) | V
            if core.current >= 0:
                word = (fun & place) | cython.cast(cython.longlong, core.current) << PAYLOAD | PRINT
            fun = arg
            arg = word
        else:  # EXIT
            sp = 1
            pairs = 0
            core.under = 0
            fun = UNDER
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
    """Run as ``_run_fast`` does, and record the births of all values and applications.

    Everything that an application makes is born at its step: the value that it returns, and the
    applications that it starts.  A value that it passes on unchanged keeps its birth.
    """
    heap_births: cython.longlong[::1] = core.heap_births
    heap_makers: cython.longlong[::1] = core.heap_makers
    births: cython.longlong[::1] = core.stack_births
    makers: cython.longlong[::1] = core.stack_makers
    made: cython.longlong[::1] = core.made
    fun: cython.longlong = core.fun
    arg: cython.longlong = core.arg
    fun_birth: cython.longlong = core.fun_birth
    arg_birth: cython.longlong = core.arg_birth
    maker: cython.longlong = core.maker
    top: cython.Py_ssize_t = core.top
    sp: cython.Py_ssize_t = core.sp
    pairs: cython.Py_ssize_t = core.pairs
    heap_mark: cython.Py_ssize_t = core.heap_mark
    stack_mark: cython.Py_ssize_t = core.stack_mark
    now: cython.longlong = core.steps
    before: cython.longlong
    at: cython.Py_ssize_t
    word: cython.longlong
    birth: cython.longlong
    other: cython.longlong
    op: cython.int
    pops: cython.bint
    place: cython.longlong = PLACES
    reason: cython.int = BUDGET
    place = place << PLACE
    while True:
        op = fun & TAG
        before = now
        if op <= LAST_VALUE:
            if now >= limit:
                break
            now += 1
            made[now & REMEMBERED - 1] = maker
        pops = False
        if (
            op == K or op == S or op == S1 or op == S2 or op == D or op == C or op == LATER_PAIR
            or op == LATER_TERM
        ):  # fmt: skip
            at = top + 2 * sp if op == C else top
            if at >= heap_mark or sp >= stack_mark:
                reason = MEASURE
                now = before
                break
        if op == S2:
            at = fun >> PAYLOAD
            stack[sp] = arg
            births[sp] = arg_birth
            stack[sp + 1] = fun ^ (S2 ^ SHARE)
            births[sp + 1] = fun_birth
            makers[sp + 1] = now
            sp += 2
            pairs += 1
            fun = heap[at]
            fun_birth = heap_births[at]
            maker = now
        elif op == K1:
            at = fun >> PAYLOAD
            arg = heap[at]
            arg_birth = heap_births[at]
            pops = True
        elif op == SHARE:
            if arg & TAG == D:  # of two applications that one step made, it delays the inner
                word = fun
                fun = arg
                fun_birth = arg_birth
                arg = word
                arg_birth = maker
            else:
                word = stack[sp - 1]
                birth = births[sp - 1]
                stack[sp - 1] = arg
                births[sp - 1] = arg_birth
                makers[sp - 1] = maker
                pairs -= 1
                at = (fun >> PAYLOAD) + 1
                fun = heap[at]
                fun_birth = heap_births[at]
                arg = word
                arg_birth = birth
        elif op == OPERAND:
            if arg & TAG == D:
                word = fun
                fun = arg
                fun_birth = arg_birth
                arg = word
            else:
                at = fun >> PAYLOAD
                stack[sp] = arg
                births[sp] = arg_birth
                makers[sp] = maker
                sp += 1
                word = code[at]
                while word & TAG == OPERAND:
                    stack[sp] = word
                    makers[sp] = ~((word & place) >> PLACE)
                    sp += 1
                    at += 1
                    word = code[at]
                arg = word
                arg_birth = ~((word & place) >> PLACE)
                pops = True
        elif op == S1:
            at = fun >> PAYLOAD
            heap[top] = heap[at]
            heap_births[top] = heap_births[at]
            heap_makers[top] = fun_birth
            heap[top + 1] = arg
            heap_births[top + 1] = arg_birth
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | S2
            arg_birth = now
            top += 2
            pops = True
        elif op == K or op == S:
            heap[top] = arg
            heap_births[top] = arg_birth
            op = K1 if op == K else S1
            arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | op
            arg_birth = now
            top += 1
            pops = True
        elif op == I:
            pops = True
        elif op == V:
            arg = fun
            arg_birth = fun_birth
            pops = True
        elif op == D:
            op = arg & TAG
            if op == OPERAND:
                arg = (fun & place) | (arg >> PAYLOAD) << PAYLOAD | LATER_TERM
            elif op == SHARE:
                at = (arg >> PAYLOAD) + 1
                heap[top] = heap[at]
                heap_births[top] = heap_births[at]
                heap_makers[top] = arg_birth
                sp -= 1
                pairs -= 1
                heap[top + 1] = stack[sp]
                heap_births[top + 1] = births[sp]
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | LATER_PAIR
                top += 2
            else:
                heap[top] = arg
                heap_births[top] = arg_birth
                arg = (fun & place) | cython.cast(cython.longlong, top) << PAYLOAD | LATER
                top += 1
            arg_birth = now
            pops = True
        elif op == LATER:
            at = fun >> PAYLOAD
            fun = heap[at]
            fun_birth = heap_births[at]
            maker = now
        elif op == LATER_PAIR or op == LATER_TERM:
            at = fun >> PAYLOAD
            stack[sp] = arg
            births[sp] = arg_birth
            stack[sp + 1] = (fun & place) | GIVE
            makers[sp + 1] = now
            sp += 2
            pairs += 1
            if op == LATER_PAIR:
                fun = heap[at]
                fun_birth = heap_births[at]
                arg = heap[at + 1]
                arg_birth = heap_births[at + 1]
                maker = heap_makers[at]
            else:
                word = code[at]
                while word & TAG == OPERAND:
                    stack[sp] = word
                    makers[sp] = ~((word & place) >> PLACE)
                    sp += 1
                    at += 1
                    word = code[at]
                arg = word
                arg_birth = ~((word & place) >> PLACE)
                pops = True
        elif op == GIVE:
            sp -= 1
            pairs -= 1
            fun = arg
            fun_birth = arg_birth
            arg = stack[sp]
            arg_birth = births[sp]
        elif op == UNDER:
            sp = 1
            at = core.under >> PAYLOAD
            if at == 0:
                reason = ENDED
                break
            fun = heap[at]
            fun_birth = heap_births[at]
            maker = heap_makers[at]
            core.under = heap[at + 1]
            op = fun & TAG
            if op == SHARE or op == GIVE:
                stack[1] = heap[at + 2]
                births[1] = heap_births[at + 2]
                sp = 2
                pairs = 1
        elif op == CONT:
            at = fun >> PAYLOAD
            sp = 1
            pairs = 0
            core.under = 0
            if at != 0:  # the place of a LINK counts frames: one more than are below
                word = (heap[at + 1] >> PLACE & PLACES) + 1
                core.under = cython.cast(cython.longlong, at) << PAYLOAD | word << PLACE | LINK
            fun = UNDER
        elif op == C:
            word = (core.under >> PLACE & PLACES) + sp - 1 - pairs  # the frames there are
            other = core.under
            if sp > 1:
                core.under = cython.cast(cython.longlong, top) << PAYLOAD | word << PLACE | LINK
            while sp > 1:
                word -= 1
                sp -= 1
                heap[top] = stack[sp]
                heap_births[top] = births[sp]
                heap_makers[top] = makers[sp]
                op = stack[sp] & TAG
                at = top + 1
                top += 2
                if op == SHARE or op == GIVE:
                    sp -= 1
                    heap[top] = stack[sp]
                    heap_births[top] = births[sp]
                    top += 1
                if sp > 1:
                    heap[at] = cython.cast(cython.longlong, top) << PAYLOAD | word << PLACE | LINK
                else:
                    heap[at] = other
            pairs = 0
            word = fun
            fun = arg
            fun_birth = arg_birth
            arg = (word & place) | (core.under >> PAYLOAD) << PAYLOAD | CONT
            arg_birth = maker = now
        elif op == PRINT:
            if core.printed == core.most_output:
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
                    core.current = core.stdin[core.input_position]
                    core.input_position += 1
                elif core.closed:
                    core.current = -1
                    word = V
                else:
                    reason = NEEDS_INPUT
                    now = before
                    break
            elif op == TEST:
                if core.current != fun >> PAYLOAD:
                    word = V
            elif core.current >= 0:
                word = cython.cast(cython.longlong, core.current) << PAYLOAD | PRINT
            else:
                word = V
            word = word | (fun & place)
            fun = arg
            fun_birth = arg_birth
            arg = word
            arg_birth = maker = now
        else:  # EXIT
            sp = 1
            pairs = 0
            core.under = 0
            fun = UNDER
        if pops:
            sp -= 1
            fun = stack[sp]
            fun_birth = births[sp]
            maker = makers[sp]
    core.fun = fun
    core.arg = arg
    core.fun_birth = fun_birth
    core.arg_birth = arg_birth
    core.maker = maker
    core.top = top
    core.sp = sp
    core.pairs = pairs
    core.steps = now
    return reason
