# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The engine: runs sentences fast with numbers of up to 62 bits, slower with larger ones.

``_run_fast`` executes every sentence whose numbers are small.  It leaves other sentences to
``Core._run_exact``, which uses Python's integers.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

from esolangs import work
from esolangs.numbers import MAX_BITS, decimal, skip_bytes
from esolangs.shakespeare.large import compare, compute_work, find_fault, operate, parse_number

if not cython.compiled:
    from esolangs.filters import (
        FILTER_CELL,
        FILTER_PASSES,
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
    from esolangs.shakespeare.opcodes import (
        ADD,
        ALONE,
        ASK,
        ASK_EXPR,
        BY_ZERO,
        CROWD,
        CUBE,
        DIV,
        EMPTY_STACK,
        ENTER,
        EXEUNT,
        EXIT,
        FACTORIAL,
        GOTO,
        GREATER,
        IF_SO,
        IN_CHAR,
        IN_NUMBER,
        LARGE_COST,
        MOD,
        MUL,
        NEGATED,
        NEGATIVE_FACTORIAL,
        NEGATIVE_ROOT,
        NO_CHARACTER,
        NO_DIGITS,
        NO_INPUT,
        NO_PERSON,
        NO_SCENE,
        NOBODY,
        NOT_ON_STAGE,
        OFF_STAGE,
        ON_STAGE_ALREADY,
        OUT_CHAR,
        OUT_NUMBER,
        PAUSE_HERE,
        POP,
        PUSH,
        PUSH_EXPR,
        ROOT,
        SET,
        SET_ADD,
        SET_EXPR,
        SET_MOD,
        SET_MUL,
        SET_SUB,
        SKIPPED,
        SLOW,
        SMALLER,
        SQUARE,
        SUB,
        TAG,
        TWICE,
        UNKNOWN,
        WIDTH,
        YOU,
    )

_LONG_BITS = 1 << 13  # bits above which other threads may run after an operation
_WORK_SLICE = cython.declare(cython.longlong, 1 << 20)  # work between two pauses

_PART_CELLS = 1 << 16  # cells that the stacks grow by at once


@cython.cclass
class Core:
    """The state of a run, which a replay must restore, and the tables of its play.

    The stack of character ``c`` is a part of ``cells``: ``room[c]`` entries from ``base[c]`` on, of
    which ``depth[c]`` are in use.  ``answer`` is the answer to the last question, or -1 before the
    first.
    ``half_done`` is the intermediate state of ``_evaluate`` for the sentence at ``ip``, so that a
    run can pause within it; it is recomputed if lost.
    """

    code: cython.int[::1]
    post: cython.int[::1]
    lists: cython.int[::1]
    values_array = cython.declare(object, visibility="public")  # characters, then constants
    values: cython.longlong[::1]
    cells: cython.longlong[::1]
    cells_array: object  # the memory that `cells` views
    base: cython.Py_ssize_t[::1]
    room: cython.Py_ssize_t[::1]
    depth: cython.Py_ssize_t[::1]
    on_stage: cython.uchar[::1]
    scratch: cython.longlong[::1]
    large_numbers = cython.declare(object, visibility="public")  # slot → large number or None
    free: object  # slots not in use, an array
    half_done: object
    cells_used: cython.Py_ssize_t
    cast = cython.declare(cython.Py_ssize_t, visibility="public")
    end = cython.declare(cython.Py_ssize_t, visibility="public")
    ip = cython.declare(cython.Py_ssize_t, visibility="public")
    on_stage_count = cython.declare(cython.Py_ssize_t, visibility="public")
    index_sum: cython.Py_ssize_t  # of the characters on stage
    answer = cython.declare(cython.int, visibility="public")
    used = cython.declare(cython.longlong, visibility="public")
    peak = cython.declare(cython.longlong, visibility="public")
    max_memory: cython.longlong
    work = cython.declare(cython.longlong, visibility="public")  # on large numbers and many cells
    work_pause: cython.longlong  # the work at which the run pauses, so that it can be stopped
    max_work: cython.longlong
    steps = cython.declare(cython.longlong, visibility="public")
    # input and output
    input_bytes: object
    stdin: cython.uchar[::1]
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]  # the step that printed each byte of `out`
    read_steps: cython.longlong[::1]
    more_out: object  # output after `out` that did not fit it
    more_reads: object
    more_step: cython.longlong  # the step that printed or read it
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    closed = cython.declare(cython.bint, visibility="public")
    printed = cython.declare(cython.longlong, visibility="public")
    max_output: cython.longlong
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    utf8: cython.bint
    by_line: cython.bint  # a number takes a whole line
    # stops to watch for
    watching: cython.bint
    scanning: cython.bint
    every_step: cython.bint
    every_read: cython.bint
    marks: cython.uchar[::1]
    watched: cython.uchar[::1]
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
    counts: cython.longlong[::1]
    latest: cython.longlong[::1]
    # the sentence executed last while watching
    last_ip = cython.declare(cython.Py_ssize_t, visibility="public")
    last_target = cython.declare(cython.Py_ssize_t, visibility="public")
    last_old: object
    last_small: cython.longlong
    last_large: cython.bint  # whether `last_old` holds it
    last_printed = cython.declare(cython.longlong, visibility="public")  # bytes
    last_read = cython.declare(cython.Py_ssize_t, visibility="public")  # bytes; -1 without a read
    # places on stacks to watch for
    slots: cython.longlong[::1]  # pairs of a character and a level of the stack, one spare
    slots_length: cython.Py_ssize_t  # of all but the spare one

    def __init__(self, tables, cast, constants, rules, max_memory, max_output, max_work):
        self.code, self.post, self.lists = tables  # each with a spare entry at the end
        self.utf8, self.by_line = rules
        self.cast = cast
        self.end = len(self.code) // WIDTH
        self.large_numbers = []
        self.free = array("i")
        self.values_array = array("q", bytes(8 * (cast + len(constants) + 1)))
        self.values = self.values_array
        for index, number in enumerate(constants):
            self.values_array[cast + index] = self._stored(number)
        self.base = array("q", bytes(8 * (cast + 1)))
        self.room = array("q", bytes(8 * (cast + 1)))
        self.depth = array("q", bytes(8 * (cast + 1)))
        self.cells_array = array("q", bytes(8 * 64))
        self.cells = self.cells_array
        self.cells_used = 0
        self.on_stage = bytearray(cast + 1)
        self.on_stage[cast] = 1  # the speaker of stage directions
        self.scratch = array("q", bytes(8 * (len(self.post) + 1)))
        self.ip = self.on_stage_count = self.index_sum = 0
        self.answer = -1
        self.used = self.peak = 8 * cast
        self.max_memory = max_memory
        self.max_output = max_output
        self.max_work = max_work
        self.work = 0
        self.work_pause = _WORK_SLICE
        self.half_done = None
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.more_out = b""
        self.more_reads = 0
        self.more_step = 0
        self.steps = self.printed = self.out_length = self.read_length = 0
        self.input_position = 0
        self.set_input(b"", True)
        self.watching = self.tallying = self.filtered = False
        self.filter_numbers = array("q", bytes(8 * MAX_FILTER_DEPTH))
        self.hits = self.first_hit = self.last_hit = 0
        self.last_ip = self.last_target = self.last_read = -1
        self.last_old = None
        self.last_small = self.last_printed = 0
        self.last_large = False

    def set_input(self, data, closed):
        """Set the whole input since step 0; a spare byte at its end keeps the buffer non-empty."""
        self.input_bytes = data
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed

    def watch(
        self, marks, watched, slots, printable, output_index, every_read, every_step, scanning
    ):
        """Stop at the events that the parameters select, until ``unwatch`` is called.

        marks: for each sentence, whether to stop before it.  watched: for each character, whether
        to stop after assignments to it.  slots: pairs of a character and a level of its stack; stop
        after a push to this level.  printable: for each byte value, whether to stop after it was
        printed.  output_index: index of the output byte after which to stop, or -1.
        every_read, every_step: whether to stop after each read, after each step.  scanning: whether
        to only count the stops.
        """
        self.marks = marks
        self.watched = watched
        self.slots = slots + array("q", [-1, -1])
        self.slots_length = len(slots)
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
        """Record, until ``end_tally``, how often and when last each sentence is executed."""
        self.counts = counts
        self.latest = latest
        self.tallying = True

    def end_tally(self):
        """Stop counting."""
        self.tallying = False

    def take_printed(self):
        """Return the bytes printed since the last call, and the step that printed each."""
        length, more = self.out_length, self.more_out
        self.out_length = 0
        self.more_out = b""
        steps = array("q", bytes(self.out_steps[:length]))
        if not more:
            return bytes(self.out[:length]), steps
        return bytes(self.out[:length]) + more, steps + array("q", [self.more_step]) * len(more)

    def take_reads(self):
        """Return the step of every byte that was read since the last call."""
        length, more = self.read_length, self.more_reads
        self.read_length = 0
        self.more_reads = 0
        steps = array("q", bytes(self.read_steps[:length]))
        return steps + array("q", [self.more_step]) * more if more else steps

    # State for the machine.

    def value(self, index: cython.Py_ssize_t):
        """Return the value of a character; an ``index`` from ``cast`` on means a constant."""
        return self._number(self.values[index])

    def set_value(self, index: cython.Py_ssize_t, number):
        """Set the value of a character."""
        self.half_done = None
        self._assign(index, number)
        self.peak = max(self.peak, self.used)

    def is_on_stage(self, index: cython.Py_ssize_t):
        """Return whether a character is on stage."""
        return self.on_stage[index] != 0

    def addressee(self, index: cython.Py_ssize_t):
        """Return the addressee of a character: the only other character on stage, else -1."""
        return self.index_sum - index if self.on_stage_count == 2 and self.on_stage[index] else -1

    def stack_depth(self, index: cython.Py_ssize_t):
        """Return the number of entries of a character's stack."""
        return self.depth[index]

    def stack_top(self, index: cython.Py_ssize_t, limit: cython.Py_ssize_t):
        """Return up to ``limit`` entries of a character's stack, the top first."""
        at: cython.Py_ssize_t = self.base[index] + self.depth[index]
        low: cython.Py_ssize_t = max(self.base[index], at - limit)
        return [self._number(self.cells[i]) for i in range(at - 1, low - 1, -1)]

    def old_value(self):
        """Return the previous value of the character that the last sentence changed."""
        return self.last_old if self.last_large else self.last_small

    def pushed_to(self):
        """Return the character whose stack the last sentence pushed to, or -1."""
        return _pushed_by(self, self.last_ip, self.answer) if self.last_ip >= 0 else -1

    # For a native tier.

    def stage(self):
        """Return who is on stage: for each character, a byte that is 1 on stage and 0 off stage.

        A final byte, always 1, stands for the speaker of stage directions.
        """
        return bytes(self.on_stage)

    def set_stage(self, on_stage):
        """Set who is on stage, in the form that ``stage`` returns."""
        self.on_stage = bytearray(on_stage)
        self.on_stage_count = self.index_sum = 0
        for index in range(self.cast):
            self.on_stage_count += self.on_stage[index]
            self.index_sum += index * self.on_stage[index]

    def copy_top(self, c: cython.Py_ssize_t, limit: cython.Py_ssize_t, target):
        """Copy a stack's entries above its topmost large number to ``target``; return how many.

        c: the index of the character who has the stack.  limit: the maximum number of copied
        entries.
        """
        end: cython.Py_ssize_t = self.base[c] + self.depth[c]
        low: cython.Py_ssize_t = end - min(limit, self.depth[c])
        at: cython.Py_ssize_t = end
        while at > low and self.cells[at - 1] < TAG:
            at -= 1
        with memoryview(self.cells_array) as cells:
            target[: end - at] = cells[at:end]
        return end - at

    def replace_top(self, c: cython.Py_ssize_t, count: cython.Py_ssize_t, entries):
        """Replace the top ``count`` entries of a character's stack with ``entries``.

        c: the index of the character.  None of the removed and new entries may be a large number.
        """
        at: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = len(entries)
        some: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        self.depth[c] -= count
        self.used -= 8 * count
        while True:
            some = min(size - at, self.room[c] - self.depth[c])
            begin = self.base[c] + self.depth[c]
            with memoryview(self.cells_array) as cells:
                cells[begin : begin + some] = entries[at : at + some]
            self.depth[c] += some
            self.used += 8 * some
            at += some
            if at == size:
                return
            self._grow(c)

    def run_to_entry(self, entries: cython.uchar[::1], limit: cython.longlong) -> cython.int:
        """Execute single sentences, at least one, up to one that ``entries`` marks.

        Return a reason as ``run`` does; it is BUDGET at the marked sentence, even before ``limit``.
        """
        reason: cython.int = BUDGET
        while reason == BUDGET and self.steps < limit:
            reason = self.run(self.steps + 1)
            if entries[self.ip] != 0:
                break
        return reason

    # State for a snapshot.

    def save(self, copy):
        """Return the state for ``load``, without input and output.

        copy: a function that saves a memory, called with a key, the memory and the number of its
        entries.  Its result is passed to the ``copy`` of ``load``.  The key of a character's stack
        is the character's number.
        """
        c: cython.Py_ssize_t
        stacks: list = []
        with memoryview(self.cells_array) as cells:
            for c in range(self.cast):
                with cells[self.base[c] : self.base[c] + self.depth[c]] as stack:
                    stacks.append((copy(c, stack, self.depth[c]), self.depth[c]))
        return (
            self.ip,
            self.answer,
            self.used,
            self.peak,
            self.stage(),
            bytes(self.values),
            tuple(stacks),
            copy("large numbers", self.large_numbers, len(self.large_numbers)),
            len(self.free),
            copy("free", self.free, len(self.free)),
            self.work,
        )

    def load(self, state, copy):
        """Restore a state that ``save`` returned; ``copy`` copies a saved memory to a buffer."""
        c: cython.Py_ssize_t
        self.ip, self.answer, self.used, self.peak, *rest, self.work = state
        on_stage, values, stacks, large_numbers, free_count, free = rest
        self.work_pause = self.work + _WORK_SLICE
        self.half_done = None
        self.set_stage(on_stage)
        self.values_array = array("q", values)
        self.values = self.values_array
        self.large_numbers = []
        copy(large_numbers, self.large_numbers)
        self.free = array("i", bytes(4 * free_count))
        if free_count > 0:
            copy(free, self.free)
        at: cython.Py_ssize_t = 0
        for c in range(self.cast):
            self.base[c] = at
            self.room[c] = self.depth[c] = stacks[c][1]
            at += self.depth[c]
        self.cells_used = at
        self.cells_array = array("q", bytes(8 * (at + 64)))
        with memoryview(self.cells_array) as cells:
            for c in range(self.cast):
                if self.depth[c] > 0:
                    with cells[self.base[c] : self.base[c] + self.depth[c]] as stack:
                        copy(stacks[c][0], stack)
        self.cells = self.cells_array

    def preview(self):
        """Compute the values of the sentence at ``ip`` without executing it.

        Return BUDGET and the values, PAUSE if computing them takes long, or the reason of a fault.
        """
        at: cython.Py_ssize_t = self.ip * WIDTH
        target: cython.Py_ssize_t = self.index_sum - self.code[at + 1]
        return self._evaluate(self.code[at], self.code[at + 3], self.code[at + 4], target, None)[:2]

    # Running.

    def run(self, limit: cython.longlong) -> cython.int:
        """Execute until ``steps`` reaches ``limit`` or the run must stop; return the reason."""
        reason: cython.int
        while True:
            if self.more_out or self.more_reads:
                return FLUSH
            with cython.nogil:
                reason = _run_fast(self, limit)
            if reason == SLOW:
                reason = self._run_exact()
                if reason == BUDGET:
                    if self.work > self.work_pause:
                        self.work_pause = self.work + _WORK_SLICE
                        return PAUSE
                    continue
            return reason

    @cython.cfunc
    def _number(self, stored: cython.longlong):
        return self.large_numbers[stored - TAG] if stored >= TAG else stored

    @cython.cfunc
    def _stored(self, number):
        """Return the 64 bits that represent a number; a large one is put into ``large_numbers``."""
        if -TAG < number < TAG:
            return number
        if self.free:
            slot = self.free.pop()
            self.large_numbers[slot] = number
        else:
            slot = len(self.large_numbers)
            self.large_numbers.append(number)
        return TAG + slot

    @cython.cfunc
    def _release(self, stored: cython.longlong):
        """Delete a number that is no longer used from ``large_numbers`` if it is there."""
        if stored >= TAG:
            self.used -= _size(self.large_numbers[stored - TAG])
            self.large_numbers[stored - TAG] = None
            self.free.append(stored - TAG)

    @cython.cfunc
    def _assign(self, target: cython.Py_ssize_t, number):
        self._release(self.values[target])
        self.values[target] = self._stored(number)
        self.used += _size(number)

    @cython.cfunc
    def _grow(self, c: cython.Py_ssize_t):
        """Double the room of a stack by moving it to the end of ``cells``, or enlarge ``cells``."""
        wanted: cython.Py_ssize_t = max(16, 2 * self.room[c])
        at: cython.Py_ssize_t = self.cells_used
        deep: cython.Py_ssize_t = self.depth[c]
        if at + wanted > len(self.cells):
            self._enlarge_space(c)
            return
        with memoryview(self.cells_array) as cells:
            cells[at : at + deep] = cells[self.base[c] : self.base[c] + deep]
        self.base[c] = at
        self.room[c] = wanted
        self.cells_used += wanted

    @cython.cfunc
    def _enlarge_space(self, c: cython.Py_ssize_t):
        """Enlarge ``cells``, the array that contains all stacks, without copying the array.

        A copy would need twice the memory.  The free space then equals the used space, unless the
        memory limit allows less.  Half of it is for stack ``c``; the other stacks share the rest
        in proportion to their sizes.
        """
        order = [at for _, at in sorted([(self.base[at], at) for at in range(self.cast)])]
        total: cython.Py_ssize_t = sum([self.depth[at] for at in order])
        free: cython.Py_ssize_t = 16 + min(16 + total, max(0, (self.max_memory - self.used) // 8))
        size: cython.Py_ssize_t = max(len(self.cells), total + free)
        at: cython.Py_ssize_t = 0
        deep: cython.Py_ssize_t
        index: cython.Py_ssize_t
        with memoryview(self.cells_array) as cells:
            for index in order:
                deep = self.depth[index]
                cells[at : at + deep] = cells[self.base[index] : self.base[index] + deep]
                self.base[index] = at
                at += deep
        self.cells = array("q", [0])  # an array that is in use cannot be resized
        zeros = array("q", [0]) * min(_PART_CELLS, size - len(self.cells_array))
        while size - len(self.cells_array) > _PART_CELLS:
            self.cells_array.extend(zeros)
        self.cells_array.extend(zeros[: size - len(self.cells_array)])
        self.cells = self.cells_array
        at = size
        free = (size - total) // 2
        with memoryview(self.cells_array) as cells:
            for index in reversed(order):
                deep = self.depth[index]
                self.room[index] = deep + (free * deep // total if total else 0)
                if index == c:
                    self.room[index] += free
                at -= self.room[index]
                cells[at : at + deep] = cells[self.base[index] : self.base[index] + deep]
                self.base[index] = at
        self.cells_used = size

    @cython.cfunc
    def _run_exact(self):
        """Execute the sentence at ``ip``, with numbers of any size.

        Its speaker must be on stage, its condition true and its addressee known.  Return BUDGET if
        it was executed, else the reason.
        """
        at: cython.Py_ssize_t = self.ip * WIDTH
        op: cython.int = self.code[at]
        a: cython.int = self.code[at + 3]
        b: cython.int = self.code[at + 4]
        target: cython.Py_ssize_t = self.index_sum - self.code[at + 1]
        before: cython.longlong = self.printed
        written: cython.Py_ssize_t = -1
        read: cython.Py_ssize_t = -1
        charge: cython.longlong = 0
        old = None
        if op == IN_CHAR or op == POP:
            return self._replace_large(target)
        if op == OUT_NUMBER:
            number = self._number(self.values[target])
            charge = work.of_printing(number)
            if charge > self.max_work - self.work:
                return WORK_FULL
            reason = self._print(decimal(number))
            if reason != BUDGET:
                return reason
        elif op == IN_NUMBER:
            reason, number, read = self._read_number()
            if reason != BUDGET:
                return reason
            charge = work.of_reading(read)
            if charge > self.max_work - self.work:
                return WORK_FULL
            most = self.used + _size(number)
            if most > self.max_memory:
                return MEMORY_FULL
            self.peak = max(self.peak, most)
            if read:
                self.more_reads = read
                self.more_step = self.steps + 1
                self.input_position += read
            written = target
            old = self._number(self.values[target])
            self._assign(target, number)
        else:
            reason, results, most, charge = self._evaluate(op, a, b, target, self.half_done)
            if reason == PAUSE:
                self.half_done = results, most, charge
                return PAUSE
            self.half_done = None
            if reason != BUDGET:
                return reason
            number = results[0]
            most += self.used
            if op == ASK or op == ASK_EXPR:
                charge += work.of_sum(number, results[1])
                if charge > self.max_work - self.work:
                    return WORK_FULL
                self.answer = compare(number, results[1], self.code[at + 5])
            elif op == PUSH or op == PUSH_EXPR:
                if self.used + 8 + _size(number) > self.max_memory:
                    return MEMORY_FULL
                if self.depth[target] == self.room[target]:
                    self._grow(target)
                self.cells[self.base[target] + self.depth[target]] = self._stored(number)
                self.depth[target] += 1
                self.used += 8 + _size(number)
            else:
                written = target
                old = self._number(self.values[target])
                self._assign(target, number)
            self.peak = max(self.peak, self.used, most)
        here: cython.Py_ssize_t = self.ip
        self.ip += 1
        self.steps += 1
        self.work += charge
        if not self.watching:
            return BUDGET
        self.last_ip = here
        self.last_target = written
        self.last_old = old
        self.last_large = True
        self.last_printed = self.printed - before
        self.last_read = read
        if self.tallying:
            self.counts[here] += 1
            self.latest[here] = self.steps
        hit = self.every_step or self.marks[self.ip] != 0 or (read >= 0 and self.every_read)
        if written >= 0 and self.watched[written]:
            hit = True
        if self.slots_length != 0 and _pushed_to_watched(self, here, self.answer):
            hit = True
        if self.printed > before and (
            before <= self.output_index < self.printed
            or self._matches_watched_output(self.more_out)
        ):
            hit = True
        return STOP if hit and _count_stop(self, self.ip, self.answer) else BUDGET

    def _matches_watched_output(self, printed):
        return any(self.printable[byte] for byte in set(printed))

    @cython.cfunc
    def _replace_large(self, target: cython.Py_ssize_t):
        """Execute a sentence that replaces the large value of the character ``target``."""
        stored: cython.longlong = self.values[target]
        self.values[target] = 0
        steps: cython.longlong = self.steps
        reason: cython.int = _run_fast(self, steps + 1)
        if self.steps == steps:
            self.values[target] = stored
            return reason
        self.last_old = self._number(stored)
        self.last_large = True
        self._release(stored)
        return BUDGET if reason == ENDED else reason

    @cython.cfunc
    def _print(self, digits):
        """Print ``digits`` up to the output limit; return OUTPUT_FULL if it was reached."""
        room = self.max_output - self.printed
        self.more_out = digits[:room]
        self.more_step = self.steps + 1
        self.printed += len(self.more_out)
        return BUDGET if len(digits) <= room else OUTPUT_FULL

    @cython.cfunc
    def _read_number(self):
        """Parse the next number in the input; return a reason, the number and its length in bytes.

        The reason is BUDGET after success; otherwise it is why no number was read.
        """
        data, start = self.input_bytes, self.input_position
        if start == self.input_length:
            return (NO_INPUT if self.closed else NEEDS_INPUT), 0, 0
        sign = b""
        first = start
        if self.by_line:
            end = data.find(b"\n", start) + 1
            if end == 0:
                if not self.closed:
                    return NEEDS_INPUT, 0, 0
                end = self.input_length
            first = skip_bytes(data, first, end, b" \t\v\f\r\n")
            if first < end and data[first] in b"+-":
                sign = data[first : first + 1]
                first += 1
        else:
            end = self.input_length
        last = skip_bytes(data, first, end, b"0123456789")
        if not self.by_line:
            if last == self.input_length and not self.closed:
                return NEEDS_INPUT, 0, 0
            end = last + 1 if data[last : last + 1] == b"\n" else last
        if last == first:
            return NO_DIGITS, 0, 0
        reason, number = parse_number(sign, data[first:last])
        return reason, number, end - start

    @cython.cfunc
    def _evaluate(
        self,
        op: cython.int,
        a: cython.int,
        b: cython.int,
        target: cython.Py_ssize_t,
        half_done: object,
    ):
        """Compute the values of a sentence; return a reason, the values, peak memory and work.

        The reason is BUDGET after success.  After much work it is PAUSE; to continue, call this
        again with the other three results as ``half_done``.  op, a, b: see ``opcodes``.  target:
        the character to whom the sentence is spoken.
        """
        code: cython.int
        bits: cython.longlong
        at: cython.Py_ssize_t = 0
        charge: cython.longlong = 0
        large: cython.bint
        held: cython.longlong = 0
        most: cython.longlong = 0
        room: cython.longlong = self.max_memory - self.used
        stack: list = []
        if op == SET or op == PUSH:
            codes = [a]
        elif op == ASK:
            codes = [a, b]
        elif SET_ADD <= op <= SET_MOD:
            codes = [a, b, ADD - (op - SET_ADD)]
        else:
            codes = self.post[a:b]
        if half_done is not None:
            (at, held, stack), most, charge = half_done
            stack = stack[:]
            codes = codes[at:]
        pause: cython.longlong = charge + _WORK_SLICE
        for code in codes:
            if charge > pause:
                return PAUSE, (at, held, stack), most, charge
            at += 1
            if code >= YOU:
                if code == YOU and self.on_stage_count != 2:
                    return (ALONE if self.on_stage_count < 2 else CROWD), stack, most, charge
                number = self._number(self.values[target if code == YOU else code])
            elif code == UNKNOWN:
                return NO_PERSON, stack, most, charge
            else:
                second = stack.pop()
                first = stack.pop() if code >= MOD else 0
                large = held > 0  # else no operand is large
                if large:
                    held -= _size(second) + _size(first)
                if second <= 0:
                    reason = find_fault(code, second)
                    if reason != BUDGET:
                        return reason, stack, most, charge
                if large or code == FACTORIAL:
                    charge += _operation_work(code, first, second)
                    if charge > self.max_work - self.work:
                        return WORK_FULL, stack, most, charge
                if code == ADD:
                    number = first + second
                elif code == SUB:
                    number = first - second
                else:
                    reason, number = operate(code, first, second, room - held)
                    if reason != BUDGET:
                        return reason, stack, most, charge
            bits = number.bit_length()
            if bits > 62:
                held += _size(number)
                if bits > MAX_BITS or held > room:
                    return MEMORY_FULL, stack, most, charge
                most = max(most, held)
                if bits > _LONG_BITS:
                    with cython.nogil:
                        _release_gil()
            stack.append(number)
        return BUDGET, stack, most, charge


@cython.cfunc
def _operation_work(code: cython.int, first, second) -> cython.longlong:
    """Return the estimated work (computing time) of an operation, in units of ``esolangs.work``.

    For short numbers, this is faster than the functions of that module.
    """
    words: cython.longlong = first.bit_length() >> 6
    others: cython.longlong = second.bit_length() >> 6
    longer: cython.longlong = words if words > others else others
    more: cython.longlong
    if code == FACTORIAL:
        return compute_work(code, first, second)
    if longer == 0 or code == ADD or code == SUB or code == TWICE:
        return longer
    if code == SQUARE:
        words = others
    if code == MUL or code == SQUARE:
        more = words if words < others else others
        return (more + 1) * longer if more <= 32 else compute_work(code, first, second)
    more = words - others if words > others else 0
    if others > 32 or (code != DIV and code != MOD):
        return compute_work(code, first, second)
    if others < more:
        return longer + 2 * (others + 1) * more
    return longer + 2 * (more + 1) * others


@cython.cfunc
def _size(number):
    """Return the memory of a number in addition to its 8 bytes; 0 for at most 62 bits."""
    bits = number.bit_length()
    return LARGE_COST + (bits + 7) // 8 if bits > 62 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _release_gil() -> cython.int:
    """Let other threads run: the caller releases the GIL around this call, which does nothing."""
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_stop(core: Core, ip: cython.Py_ssize_t, answer: cython.int) -> cython.bint:
    """Count a stop if the filter allows it; return whether the run must stop there."""
    if core.filtered and not _filter_passes(core, ip, answer):
        return False
    core.hits += 1
    core.last_hit = core.steps
    if core.hits == 1:
        core.first_hit = core.steps
    return not core.scanning


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _filter_passes(core: Core, ip: cython.Py_ssize_t, answer: cython.int) -> cython.bint:
    """Return whether the filter lets the run stop here; see :mod:`esolangs.filters`."""
    code: cython.longlong[::1] = core.filter
    numbers: cython.longlong[::1] = core.filter_numbers
    at: cython.Py_ssize_t = run_filter(code, numbers, 0)
    to: cython.Py_ssize_t
    while at >= 0:
        to = code[at + 2]
        if code[at] == FILTER_REGISTER:
            numbers[to] = _register_value(core, answer, code[at + 1])
        elif code[at] == FILTER_CELL:
            numbers[to] = core.values[numbers[to]] if 0 <= numbers[to] < core.cast else 0
        else:
            numbers[to] = _filter_level(core, ip, numbers[to])
        if numbers[to] >= TAG:
            return True
        at = run_filter(code, numbers, at + 3)
    return at == FILTER_PASSES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _register_value(core: Core, answer: cython.int, number: cython.longlong) -> cython.longlong:
    """Return the value of register ``number`` of ``ShakespeareProgram.filter_names``.

    answer: the answer to the last question; 1 is yes.
    """
    if number == 0:
        return core.steps
    if number == 1:
        return core.printed
    if number == 2:
        return answer == 1
    return core.values[number - 3]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _filter_level(core: Core, ip: cython.Py_ssize_t, level: cython.longlong) -> cython.longlong:
    """Return a number on the stack of the character whom the sentence at ``ip`` addresses.

    Level 0 is the bottom, level -1 is the top.  Returns 0 if there is no addressee or
    the level does not exist, and TAG if the level is below the top ``MAX_FILTER_LEVELS``.
    """
    c: cython.Py_ssize_t = core.code[ip * WIDTH + 1] if ip < core.end else core.cast
    if c == core.cast or core.on_stage_count != 2 or core.on_stage[c] == 0:
        return 0
    c = core.index_sum - c
    if level < 0:
        level += core.depth[c]
    if not 0 <= level < core.depth[c]:
        return 0
    if core.depth[c] - level > MAX_FILTER_LEVELS:
        return TAG
    return core.cells[core.base[c] + level]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pushed_by(core: Core, here: cython.Py_ssize_t, answer: cython.int) -> cython.Py_ssize_t:
    """Return the character to whose stack the last sentence pushed a value; -1 if none.

    here: the index of the last sentence.  answer: the answer to the last question.
    """
    at: cython.Py_ssize_t = here * WIDTH
    op: cython.int = core.code[at]
    condition: cython.int = core.code[at + 2]
    if op != PUSH and op != PUSH_EXPR:
        return -1
    if condition != 0 and (condition == IF_SO) != (answer == 1):
        return -1
    return core.index_sum - core.code[at + 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pushed_to_watched(core: Core, here: cython.Py_ssize_t, answer: cython.int) -> cython.bint:
    """Return whether the last sentence pushed a value to a watched level of a stack.

    here, answer: see ``_pushed_by``.
    """
    c: cython.Py_ssize_t = _pushed_by(core, here, answer)
    at: cython.Py_ssize_t = 0
    while c >= 0 and at < core.slots_length:
        if core.slots[at] == c and core.slots[at + 1] == core.depth[c] - 1:
            return True
        at += 2
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_fast(core: Core, limit: cython.longlong) -> cython.int:
    """Execute sentences until one needs the slow path or the run must stop."""
    code: cython.int[::1] = core.code
    values: cython.longlong[::1] = core.values
    on_stage: cython.uchar[::1] = core.on_stage
    ip: cython.Py_ssize_t = core.ip
    end: cython.Py_ssize_t = core.end
    left: cython.longlong = limit - core.steps
    answer: cython.int = core.answer
    two: cython.bint = core.on_stage_count == 2
    both: cython.Py_ssize_t = core.index_sum
    watching: cython.bint = core.watching
    reason: cython.int = BUDGET
    at: cython.Py_ssize_t
    here: cython.Py_ssize_t
    op: cython.int
    condition: cython.int
    a: cython.int
    b: cython.int
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    x: cython.longlong
    y: cython.longlong
    r: cython.longlong
    before: cython.longlong = 0
    read: cython.Py_ssize_t
    written: cython.Py_ssize_t
    hit: cython.bint
    if core.used > core.max_memory and ip < end and left > 0:
        return MEMORY_FULL
    while True:
        if ip >= end:
            reason = ENDED
            break
        if left <= 0:
            break
        at = ip * WIDTH
        here = ip
        t = code[at + 1]
        if on_stage[t] == 0:
            reason = OFF_STAGE
            break
        t = both - t
        condition = code[at + 2]
        op = code[at]
        if condition != 0 and (condition == IF_SO) != (answer == 1):
            op = SKIPPED
        written = -1
        read = -1
        if watching:
            before = core.printed
        ip += 1
        if SET <= op <= SET_MOD:
            if not two:
                reason = ALONE if core.on_stage_count < 2 else CROWD
                break
            a = code[at + 3]
            x = values[t if a < 0 else a]
            r = values[t]
            if x >= TAG or r >= TAG:
                reason = SLOW
                break
            if watching:
                core.last_small = r
            if op == SET:
                r = x
            else:
                b = code[at + 4]
                y = values[t if b < 0 else b]
                if y >= TAG:
                    reason = SLOW
                    break
                if op == SET_ADD:
                    r = x + y
                elif op == SET_SUB:
                    r = x - y
                elif op == SET_MUL:
                    if _is_wide(x) or _is_wide(y):
                        reason = SLOW
                        break
                    r = x * y
                elif y == 0:
                    reason = BY_ZERO
                    break
                else:
                    r = _quotient(x, y)
                    if op == SET_MOD:
                        r = x - y * r
                if r >= TAG or r <= -TAG:
                    reason = SLOW
                    break
            values[t] = r
            written = t
        elif op == SKIPPED or op == PAUSE_HERE:
            pass
        elif op == GOTO:
            ip = code[at + 3]
            if ip < 0:
                reason = NO_SCENE
                break
        elif op == ASK:
            a = code[at + 3]
            b = code[at + 4]
            if (a < 0 or b < 0) and not two:
                reason = ALONE if core.on_stage_count < 2 else CROWD
                break
            x = values[t if a < 0 else a]
            y = values[t if b < 0 else b]
            if x >= TAG or y >= TAG:
                reason = SLOW
                break
            answer = _compare(x, y, code[at + 5])
        elif op == ENTER or op == EXIT or op == EXEUNT:
            reason = _move(core, op, code[at + 3], code[at + 4])
            if reason != BUDGET:
                break
            two = core.on_stage_count == 2
            both = core.index_sum
        elif op == NOBODY:
            reason = NO_PERSON
            break
        elif op == ASK_EXPR:
            reason = _evaluate_fast(core, code[at + 3], code[at + 4], t)
            if reason != BUDGET:
                break
            answer = _compare(core.scratch[0], core.scratch[1], code[at + 5])
        elif not two:
            reason = ALONE if core.on_stage_count < 2 else CROWD
            break
        elif op == SET_EXPR:
            r = values[t]
            if r >= TAG:
                reason = SLOW
                break
            reason = _evaluate_fast(core, code[at + 3], code[at + 4], t)
            if reason != BUDGET:
                break
            core.last_small = r
            values[t] = core.scratch[0]
            written = t
        elif op == PUSH or op == PUSH_EXPR:
            if op == PUSH:
                a = code[at + 3]
                x = values[t if a < 0 else a]
                if x >= TAG:
                    reason = SLOW
                    break
            else:
                reason = _evaluate_fast(core, code[at + 3], code[at + 4], t)
                if reason != BUDGET:
                    break
                x = core.scratch[0]
            if core.used + 8 > core.max_memory:
                reason = MEMORY_FULL
                break
            if core.depth[t] == core.room[t]:
                reason = SLOW
                break
            core.cells[core.base[t] + core.depth[t]] = x
            core.depth[t] += 1
            core.used += 8
            if core.used > core.peak:
                core.peak = core.used
        elif op == POP:
            if core.depth[t] == 0:
                reason = EMPTY_STACK
                break
            r = values[t]
            if r >= TAG:
                reason = SLOW
                break
            core.last_small = r
            core.depth[t] -= 1
            core.used -= 8
            values[t] = core.cells[core.base[t] + core.depth[t]]
            written = t
        elif op == OUT_CHAR:
            reason = _print_character(core, values[t], limit - left + 1)
            if reason != BUDGET:
                break
        elif op == OUT_NUMBER:
            if values[t] >= TAG:
                reason = SLOW
                break
            reason = _print_number(core, values[t], limit - left + 1)
            if reason != BUDGET:
                break
        elif op == IN_CHAR:
            r = values[t]
            if r >= TAG:
                reason = SLOW
                break
            k = core.input_position
            reason = _read_character(core, t, limit - left + 1)
            if reason != BUDGET:
                break
            core.last_small = r
            read = core.input_position - k
            written = t
        else:  # IN_NUMBER
            reason = SLOW
            break
        left -= 1
        if watching:
            core.steps = limit - left
            core.last_ip = here
            core.last_large = False
            core.last_target = written
            core.last_printed = core.printed - before
            core.last_read = read
            if core.tallying:
                core.counts[here] += 1
                core.latest[here] = core.steps
            hit = core.every_step or core.marks[ip] != 0 or (read >= 0 and core.every_read)
            if written >= 0 and core.watched[written] != 0:
                hit = True
            if core.slots_length != 0 and _pushed_to_watched(core, here, answer):
                hit = True
            if before < core.printed:
                if before <= core.output_index < core.printed:
                    hit = True
                k = core.out_length
                while before < core.printed:
                    k -= 1
                    before += 1
                    if core.printable[core.out[k]] != 0:
                        hit = True
            if hit and _count_stop(core, ip, answer):
                reason = STOP
                break
    if reason != BUDGET and reason != STOP and reason != ENDED:
        ip = here
    core.ip = ip
    core.answer = answer
    core.steps = limit - left
    return reason


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_wide(x: cython.longlong) -> cython.bint:
    """Return whether a product with ``x`` may exceed 64 bits."""
    return x > 2147483647 or x < -2147483647


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _quotient(x: cython.longlong, y: cython.longlong) -> cython.longlong:
    """Return ``x / y`` rounded toward zero, whether this module is compiled to C or not."""
    q: cython.longlong = (-x if x < 0 else x) // (-y if y < 0 else y)
    return -q if (x < 0) != (y < 0) else q


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _compare(x: cython.longlong, y: cython.longlong, comparison: cython.int) -> cython.int:
    held: cython.bint
    denied: cython.bint = comparison >= NEGATED
    if denied:
        comparison -= NEGATED
    if comparison == GREATER:
        held = x > y
    elif comparison == SMALLER:
        held = x < y
    else:
        held = x == y
    return 1 if held != denied else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _evaluate_fast(
    core: Core, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, you: cython.Py_ssize_t
) -> cython.int:
    """Evaluate the postfix code from ``start`` to ``stop``; return BUDGET, or why it failed.

    The values are then at the beginning of ``core.scratch``.  Returns SLOW if a number may be too
    large for this function.  you: the character who is addressed.
    """
    scratch: cython.longlong[::1] = core.scratch
    post: cython.int[::1] = core.post
    top: cython.Py_ssize_t = -1
    op: cython.int
    x: cython.longlong
    y: cython.longlong
    r: cython.longlong
    while start < stop:
        op = post[start]
        start += 1
        if op >= YOU:
            if op == YOU:
                if core.on_stage_count != 2:
                    return ALONE if core.on_stage_count < 2 else CROWD
                x = core.values[you]
            else:
                x = core.values[op]
            if x >= TAG:
                return SLOW
            top += 1
            scratch[top] = x
            continue
        if op == UNKNOWN:
            return NO_PERSON
        y = scratch[top]
        if op >= MOD:
            top -= 1
            x = scratch[top]
            if op == ADD:
                r = x + y
            elif op == SUB:
                r = x - y
            elif op == MUL:
                if _is_wide(x) or _is_wide(y):
                    return SLOW
                r = x * y
            elif y == 0:
                return BY_ZERO
            else:
                r = _quotient(x, y)
                if op == MOD:
                    r = x - y * r
        elif op == TWICE:
            r = y + y
        elif op == SQUARE:
            if _is_wide(y):
                return SLOW
            r = y * y
        elif op == CUBE:
            if y > 1000000 or y < -1000000:
                return SLOW
            r = y * y * y
        elif op == ROOT:
            if y < 0:
                return NEGATIVE_ROOT
            r = _root(y)
        else:
            if y < 0:
                return NEGATIVE_FACTORIAL
            if y > 20:
                return SLOW
            r = 1
            while y > 1:
                r *= y
                y -= 1
        if r >= TAG or r <= -TAG:
            return SLOW
        scratch[top] = r
    return BUDGET


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _root(y: cython.longlong) -> cython.longlong:
    """Return the square root, rounded down, computed bit by bit."""
    bit: cython.longlong = 1152921504606846976  # 2⁶⁰
    root: cython.longlong = 0
    while bit > y:
        bit >>= 2
    while bit != 0:
        if y >= root + bit:
            y -= root + bit
            root = (root >> 1) + bit
        else:
            root >>= 1
        bit >>= 2
    return root


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move(
    core: Core, op: cython.int, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.int:
    """Execute an enter, exit or exeunt: move all its characters; if one cannot, move none."""
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    reason: cython.int = BUDGET
    wanted: cython.uchar = 0 if op == ENTER else 1  # whether they must be on stage before
    if op == EXEUNT:
        k = 0
        while k < core.cast:
            core.on_stage[k] = 0
            k += 1
        core.on_stage_count = core.index_sum = 0
        return BUDGET
    k = start
    while k < stop:
        c = core.lists[k]
        if c < 0:
            reason = NO_PERSON
            break
        if core.on_stage[c] != wanted:
            reason = ON_STAGE_ALREADY if op == ENTER else NOT_ON_STAGE
            break
        core.on_stage[c] = 1 - wanted
        k += 1
    if reason != BUDGET:
        while k > start:
            k -= 1
            core.on_stage[core.lists[k]] = wanted
        return reason
    while k > start:
        k -= 1
        if op == ENTER:
            core.on_stage_count += 1
            core.index_sum += core.lists[k]
        else:
            core.on_stage_count -= 1
            core.index_sum -= core.lists[k]
    return BUDGET


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _print_byte(core: Core, byte: cython.longlong, step: cython.longlong) -> cython.bint:
    """Print a byte, for which ``out`` has room; return False at the output limit."""
    if core.printed == core.max_output:
        return False
    core.out[core.out_length] = byte & 255
    core.out_steps[core.out_length] = step
    core.out_length += 1
    core.printed += 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _print_character(core: Core, v: cython.longlong, step: cython.longlong) -> cython.int:
    if v < 0 or v > (0x10FFFF if core.utf8 else 255):
        return NO_CHARACTER
    if core.utf8 and 0xD800 <= v <= 0xDFFF and not 0xDC80 <= v <= 0xDCFF:
        return NO_CHARACTER
    if core.out_length > CHUNK - 32:
        return FLUSH
    fits: cython.bint
    if v < 0x80 or not core.utf8:
        fits = _print_byte(core, v, step)
    elif v < 0x800:
        fits = _print_byte(core, 0xC0 | v >> 6, step) and _print_byte(core, 0x80 | v & 63, step)
    elif 0xDC80 <= v <= 0xDCFF:  # a byte that was not UTF-8 when read
        fits = _print_byte(core, v & 255, step)
    elif v < 0x10000:
        fits = (
            _print_byte(core, 0xE0 | v >> 12, step)
            and _print_byte(core, 0x80 | v >> 6 & 63, step)
            and _print_byte(core, 0x80 | v & 63, step)
        )
    else:
        fits = (
            _print_byte(core, 0xF0 | v >> 18, step)
            and _print_byte(core, 0x80 | v >> 12 & 63, step)
            and _print_byte(core, 0x80 | v >> 6 & 63, step)
            and _print_byte(core, 0x80 | v & 63, step)
        )
    return BUDGET if fits else OUTPUT_FULL


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _print_number(core: Core, v: cython.longlong, step: cython.longlong) -> cython.int:
    unit: cython.longlong = 1
    if core.out_length > CHUNK - 32:
        return FLUSH
    if v < 0:
        if not _print_byte(core, 45, step):
            return OUTPUT_FULL
        v = -v
    while v // unit >= 10:
        unit *= 10
    while unit > 0:
        if not _print_byte(core, 48 + v // unit % 10, step):
            return OUTPUT_FULL
        unit //= 10
    return BUDGET


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_character(core: Core, t: cython.Py_ssize_t, step: cython.longlong) -> cython.int:
    """Read one character of the input, or one byte if it is not UTF-8, as the value of ``t``."""
    at: cython.Py_ssize_t = core.input_position
    size: cython.Py_ssize_t = 1
    k: cython.Py_ssize_t = 1
    v: cython.longlong
    byte: cython.int
    low: cython.int
    high: cython.int
    if at >= core.input_length:
        if not core.closed:
            return NEEDS_INPUT
        core.values[t] = -1
        return BUDGET
    if core.read_length > CHUNK - 32:
        return FLUSH
    v = core.stdin[at]
    if core.utf8 and v >= 0x80:
        if 0xC2 <= v <= 0xDF:
            size = 2
        elif 0xE0 <= v <= 0xEF:
            size = 3
        elif 0xF0 <= v <= 0xF4:
            size = 4
        byte = v
        v = v & (0x7F >> size)
        while k < size:
            if at + k >= core.input_length:
                if not core.closed:
                    return NEEDS_INPUT
                break
            low = 0x80
            high = 0xBF
            if k == 1:  # no overlong forms, no surrogates, nothing past the last code point
                if byte == 0xE0:
                    low = 0xA0
                elif byte == 0xED:
                    high = 0x9F
                elif byte == 0xF0:
                    low = 0x90
                elif byte == 0xF4:
                    high = 0x8F
            if not low <= core.stdin[at + k] <= high:
                break
            v = v << 6 | core.stdin[at + k] & 63
            k += 1
        if size == 1 or k < size:
            size = 1
            v = 0xDC00 + byte
    k = 0
    while k < size:
        core.read_steps[core.read_length] = step
        core.read_length += 1
        k += 1
    core.input_position = at + size
    core.values[t] = v
    return BUDGET
