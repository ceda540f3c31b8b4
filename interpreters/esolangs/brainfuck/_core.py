# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The engine: runs whole blocks of commands fast, and command by command where a run may stop.

``_run_exact`` executes one command after the other with every check and defines the meaning of the
language; ``_run_blocks`` runs blocks whose head says that no limit and no edge can be reached
inside them, and returns to ``_run_exact`` at other blocks.  With wide cells, a merged loop can take
2 ** 32 rounds, so ``_run_rounds`` executes many rounds at once where ``_run_exact`` runs.
``_run_nest`` does this for loops that contain loops: once a round leaves unchanged the cells that
the inner loops test, all further rounds are alike.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

if not cython.compiled:
    from esolangs.brainfuck.opcodes import (
        ADD,
        CLEAR,
        CLOSE,
        COUNT_HEAD,
        ENTER_NEST,
        FAR_MOVE,
        FAR_MUL_HEAD,
        GO,
        GROW_DOWN,
        GROW_UP,
        HALT,
        HEAD,
        IN,
        JUMP_BACK,
        JUMP_NEST,
        JUMP_ZERO,
        LEFT,
        MAX_MISSES,
        MAX_NEST_CELLS,
        MAX_NEST_DEPTH,
        MERGED,
        MINUS,
        MOVE,
        MUL,
        MUL_HEAD,
        OPEN,
        OUT,
        OVERFLOW,
        PAUSE_STEPS,
        PLUS,
        PRINT,
        READ,
        RIGHT,
        SCAN,
        UNDERFLOW,
        ZERO,
    )
    from esolangs.filters import FILTER_PASSES, FILTER_REGISTER, MAX_FILTER_DEPTH, run_filter
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
    )

Cell = cython.fused_type(cython.uchar, cython.ushort, cython.uint)


@cython.cclass
class Core:
    """The state of a run, which a replay must restore, and the tables of its program.

    ``pointer``, ``low`` and ``high`` (the visited part, half-open) index the buffer
    ``tape8``, ``tape16`` or ``tape32``, whose element ``base`` is cell 0.
    """

    code: cython.uchar[::1]
    match: cython.int[::1]
    depth: cython.int[::1]
    ops: cython.int[::1]
    entry: cython.int[::1]
    loops: cython.int[::1]
    rounds: cython.longlong[::1]
    buffer = cython.declare(object, visibility="public")  # the buffer that the next three view
    tape8: cython.uchar[::1]
    tape16: cython.ushort[::1]
    tape32: cython.uint[::1]
    stdin: cython.uchar[::1]
    out: cython.uchar[::1]
    out_steps: cython.longlong[::1]  # the step that printed each byte of `out`
    read_steps: cython.longlong[::1]
    marks: cython.uchar[::1]
    watched: cython.uchar[::1]
    printable: cython.uchar[::1]
    ip = cython.declare(cython.Py_ssize_t, visibility="public")
    pointer = cython.declare(cython.Py_ssize_t, visibility="public")
    base = cython.declare(cython.Py_ssize_t, visibility="public")
    low = cython.declare(cython.Py_ssize_t, visibility="public")
    high = cython.declare(cython.Py_ssize_t, visibility="public")
    capacity = cython.declare(cython.Py_ssize_t, visibility="public")
    steps = cython.declare(cython.longlong, visibility="public")
    limit: cython.longlong  # of steps, in this run
    pause: cython.longlong  # the step to return at, so that a user can interrupt long runs
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    end: cython.Py_ssize_t  # the command that is HALT
    printed = cython.declare(cython.longlong, visibility="public")
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    # rules
    bits = cython.declare(cython.int, visibility="public")
    mask: cython.longlong
    eof: cython.longlong  # the value that a read at the end stores; below -1 the cell is unchanged
    closed = cython.declare(cython.bint, visibility="public")
    wrap: cython.bint
    both_ways: cython.bint
    size: cython.Py_ssize_t  # cells of a fixed tape, or 0
    max_cells: cython.Py_ssize_t
    max_output: cython.longlong
    # stops to watch for
    watching: cython.bint
    pausing: cython.bint  # whether a run that watches pauses where a block begins
    scanning: cython.bint
    every_step: cython.bint
    every_read: cython.bint
    watch_first: cython.Py_ssize_t  # the cell of the first entry of `watched`
    watch_length: cython.Py_ssize_t
    output_index: cython.longlong
    filtered: cython.bint
    filter: cython.longlong[::1]
    filter_numbers: cython.longlong[::1]
    misses: cython.longlong  # stops that the filter has left out
    hits = cython.declare(cython.longlong, visibility="public")
    first_hit = cython.declare(cython.longlong, visibility="public")
    last_hit = cython.declare(cython.longlong, visibility="public")
    # tally
    tallying: cython.bint
    counts: cython.longlong[::1]
    latest: cython.longlong[::1]
    # rounds of nests, by depth; valid during a run of blocks or while watching
    nest_due: cython.longlong[::1]  # the round after which to act
    nest_saved: cython.uchar[::1]  # whether the next three have the state before this round
    nest_cells: cython.uint[::1]
    nest_steps: cython.longlong[::1]
    nest_hits: cython.longlong[::1]
    nest_misses: cython.uchar[::1]  # by number: how often rounds differed, since some were alike
    # the command executed last in single steps
    last_ip = cython.declare(cython.Py_ssize_t, visibility="public")
    last_old = cython.declare(cython.longlong, visibility="public")
    last_read = cython.declare(cython.int, visibility="public")  # a byte, -1 at the end

    def __init__(self, tables, bits, eof, tape, size, max_cells, max_output):
        self.code, self.match, self.depth, self.ops, self.entry, self.loops, deepest = tables
        self.rounds = array("q", [0]) * (deepest + 1)
        depths = min(deepest + 1, MAX_NEST_DEPTH)
        self.nest_due = array("q", bytes(8 * depths))
        self.nest_saved = bytearray(depths)
        self.nest_cells = array("I", bytes(4 * depths * MAX_NEST_CELLS))
        self.nest_steps = array("q", bytes(8 * depths))
        self.nest_hits = array("q", bytes(8 * depths))
        self.nest_misses = bytearray(len(self.loops) // 5 + 1)  # a record has at least 5 numbers
        self.bits = bits
        self.mask = (1 << bits) - 1
        self.eof = eof
        self.wrap = tape == "wrap"
        self.both_ways = tape == "both-ways"
        self.size = size
        self.max_cells = max_cells
        self.max_output = max_output
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.end = len(self.code) - 1
        self.set_input(b"", True)
        self.ip = self.steps = self.pointer = self.base = self.low = 0
        self.input_position = self.printed = self.out_length = self.read_length = 0
        self.high = 1
        self.hits = 0
        self.last_ip = -1
        self.misses = 0
        self.filter_numbers = array("q", bytes(8 * MAX_FILTER_DEPTH))
        self.watching = self.pausing = self.tallying = self.filtered = False
        self.set_tape(self.new_tape(min(256, max_cells)))

    def new_tape(self, cells):
        """Return a blank buffer of ``cells`` cells of this machine's width."""
        if self.bits == 8:
            return bytearray(cells)
        return array("H" if self.bits == 16 else "I", bytes(cells * self.bits // 8))

    def set_tape(self, buffer):
        """Use ``buffer`` as the tape."""
        self.buffer = buffer
        self.capacity = len(buffer)
        if self.bits == 8:
            self.tape8 = buffer
        elif self.bits == 16:
            self.tape16 = buffer
        else:
            self.tape32 = buffer

    def set_input(self, data, closed):
        """Set the whole input since step 0; a spare byte at its end keeps the buffer non-empty."""
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed

    def loop_rounds(self):
        """Return the number of the current round, from 1, of the loop at each depth; 0 if none."""
        return memoryview(self.rounds)

    def watch(
        self,
        marks,
        watched,
        watch_first,
        printable,
        output_index,
        every_read,
        every_step,
        scanning,
    ):
        """Until ``unwatch``, stop at marked commands, writes to cells, printed bytes and reads.

        marks: for each command, whether to stop before it.  watched: for each cell from number
        ``watch_first`` on, whether to stop after a write to it.  printable: for each byte value,
        whether to stop after it was printed.  output_index: index of the output byte after which
        to stop, or -1.  every_read, every_step: whether to stop after each read, after each step.
        scanning: whether to only count the stops.
        """
        self.marks = marks
        self.watched = watched
        self.watch_first = watch_first
        self.watch_length = len(watched)
        self.printable = printable
        self.output_index = output_index
        self.every_read = every_read
        self.every_step = every_step
        self.scanning = scanning
        self.hits = self.first_hit = self.last_hit = self.misses = 0
        self.watching = True

    def unwatch(self):
        """Stop watching and run at full speed."""
        self.watching = self.filtered = False

    def set_filter(self, code):
        """Until ``unwatch``, do not stop where the condition ``code`` evaluates to zero."""
        self.filter = code
        self.filtered = True

    def begin_tally(self, counts, latest):
        """Record, until ``end_tally``, how often and when last each command is executed."""
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
        """Execute until ``steps`` is ``limit`` or the run must stop; return the reason."""
        reason: cython.int
        with cython.nogil:
            if self.bits == 8:
                reason = _run(self, self.tape8, limit)
            elif self.bits == 16:
                reason = _run(self, self.tape16, limit)
            else:
                reason = _run(self, self.tape32, limit)
        return reason

    def run_to_entry(self, limit: cython.longlong) -> cython.int:
        """Execute commands one by one up to the start of a block; return why execution stopped.

        Stop earlier where ``run`` stops.  The reason is BUDGET at a block too.  At least one
        command is executed if ``steps`` is below ``limit``.
        """
        reason: cython.int
        self.limit = self.pause = limit
        self.pausing = True
        with cython.nogil:
            if self.bits == 8:
                reason = _run_exact(self, self.tape8)
            elif self.bits == 16:
                reason = _run_exact(self, self.tape16)
            else:
                reason = _run_exact(self, self.tape32)
        self.pausing = False
        return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(core: Core, tape: Cell[::1], limit: cython.longlong) -> cython.int:
    reason: cython.int = BUDGET
    core.limit = core.pause = limit
    if limit - core.steps > PAUSE_STEPS:
        core.pause = core.steps + PAUSE_STEPS
    while reason == BUDGET:
        if not core.watching and core.steps < core.pause and _can_enter_block(core, core.ip):
            if _run_blocks(core, tape):
                return ENDED
        reason = _run_exact(core, tape)
        if reason == BUDGET and core.steps >= core.pause and core.code[core.ip] != HALT:
            return BUDGET if core.pause == limit else PAUSE
    return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _can_enter_block(core: Core, ip: cython.Py_ssize_t) -> cython.bint:
    """Return whether a block begins at ``ip`` and can be entered now.

    A merged loop cannot be entered between two rounds, except a scan, whose block adds its rounds
    to the rounds that single steps have counted.
    """
    block: cython.Py_ssize_t = core.entry[ip]
    if block < 0:
        return False
    if core.code[ip] != OPEN or core.rounds[core.depth[ip]] == 0:
        return True
    return core.ops[block + HEAD] == SCAN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_blocks(core: Core, tape: Cell[::1]) -> cython.bint:
    """Run blocks from the one at ``ip``; return whether the program has ended.

    If it has not ended, single steps must continue at ``ip``.  The whole cost of a block is
    subtracted from ``left`` at its entry; an early exit adds the cost of what was not executed.
    """
    ops: cython.int[::1] = core.ops
    rounds: cython.longlong[::1] = core.rounds
    mask: cython.longlong = core.mask
    limit: cython.longlong = core.pause
    left: cython.longlong = limit - core.steps
    low: cython.Py_ssize_t = core.low
    high: cython.Py_ssize_t = core.high
    p: cython.Py_ssize_t = core.pointer
    at: cython.Py_ssize_t = core.entry[core.ip]
    q: cython.Py_ssize_t
    stride: cython.Py_ssize_t
    count: cython.longlong
    cost: cython.longlong
    before: cython.longlong
    op: cython.int
    shift: cython.int
    whole: cython.bint
    ended: cython.bint = False
    leaving: cython.bint = False
    _forget_rounds(core)
    while not leaving:
        cost = ops[at]
        if cost > left or p + ops[at + 1] < low or p + ops[at + 2] >= high:
            core.ip = ops[at + 3]
            if left < 0:  # a "]" was the last step, and its "[" must not be executed again
                left = 0
                core.ip -= 1
                rounds[core.depth[core.ip]] -= 1
            break
        left -= cost
        at += HEAD
        while True:
            op = ops[at]
            if op == ADD:
                q = p + ops[at + 1]
                tape[q] = (tape[q] + ops[at + 2]) & mask
                at += 3
            elif op == JUMP_BACK:
                p += ops[at + 1]
                if tape[p] != 0:
                    left -= 1  # for the "["; the check of the next block sees if it was too much
                    rounds[ops[at + 4]] += 1
                    at = ops[at + 2]
                else:
                    rounds[ops[at + 4]] = 0
                    at = ops[at + 3]
                break
            elif op == JUMP_NEST:
                p += ops[at + 1]
                count = rounds[ops[at + 4]]
                if tape[p] != 0 and (count == 1 or count == core.nest_due[ops[at + 4]]):
                    before = limit - left
                    before += _run_nest(core, tape, ops[at + 5], p, before)
                    limit = core.pause
                    left = limit - before
                if tape[p] != 0:
                    left -= 1
                    rounds[ops[at + 4]] += 1
                    at = ops[at + 2]
                else:
                    rounds[ops[at + 4]] = 0
                    at = ops[at + 3]
                break
            elif op == ENTER_NEST:
                p += ops[at + 1]
                if tape[p] != 0:
                    rounds[core.loops[ops[at + 4]]] = 1
                    _enter_nest(core, tape, ops[at + 4], p, limit - left)
                    at = ops[at + 2]
                else:
                    at = ops[at + 3]
                break
            elif op == JUMP_ZERO:
                p += ops[at + 1]
                if tape[p] != 0:
                    rounds[ops[at + 4]] = 1
                    at = ops[at + 2]
                else:
                    at = ops[at + 3]
                break
            elif op == MOVE or op == FAR_MOVE:
                q = p + ops[at + 1]
                count = tape[q]
                if count == 0:
                    cost = 1
                else:
                    if ops[at + 4] > 0:
                        count = mask + 1 - count
                    cost = count * ops[at + 5]
                if cost > left or (
                    op == FAR_MOVE
                    and count != 0
                    and (p + ops[at + 8] < low or p + ops[at + 9] >= high)
                ):
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                if count:
                    tape[q] = 0
                    q = p + ops[at + 6]
                    tape[q] = (tape[q] + count * ops[at + 7]) & mask
                at += 10
            elif op == CLEAR:
                q = p + ops[at + 1]
                count = tape[q]
                if count == 0:
                    cost = 1
                elif ops[at + 4] > 0:
                    cost = 3 * (mask + 1 - count)
                else:
                    cost = 3 * count
                if cost > left:
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                tape[q] = 0
                at += 5
            elif op == MUL_HEAD or op == FAR_MUL_HEAD:
                q = p + ops[at + 1]
                count = tape[q]
                if count == 0:
                    cost = 1
                else:
                    if ops[at + 4] > 0:
                        count = mask + 1 - count
                    cost = count * ops[at + 5]
                if cost > left or (
                    op == FAR_MUL_HEAD
                    and count != 0
                    and (p + ops[at + 7] < low or p + ops[at + 8] >= high)
                ):
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                at = at + 9 if count else ops[at + 6]
            elif op == COUNT_HEAD:
                q = p + ops[at + 1]
                count = tape[q]
                shift = ops[at + 7]
                whole = (count >> shift) << shift == count
                count = ((count >> shift) * ops[at + 4]) & (mask >> shift)
                cost = count * ops[at + 5] if count else 1
                if (
                    cost > left
                    or not whole
                    or (count != 0 and (p + ops[at + 8] < low or p + ops[at + 9] >= high))
                ):
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                at = at + 10 if count else ops[at + 6]
            elif op == MUL:
                q = p + ops[at + 2]
                tape[q] = (tape[q] + count * ops[at + 3]) & mask
                at += 4
            elif op == ZERO:
                tape[p + ops[at + 1]] = 0
                at += 2
            elif op == SCAN:
                stride = ops[at + 2]
                cost = ops[at + 3]
                before = left
                q = p
                while stride > 0 and tape[q] != 0:
                    q += stride
                    left -= cost
                    if left < 0 or q >= high:
                        leaving = True
                        break
                while stride <= 0 and tape[q] != 0:
                    q += stride
                    left -= cost
                    if left < 0 or q < low:
                        leaving = True
                        break
                if leaving:  # the last round is for single steps: they stop where it must end
                    q -= stride
                    left += cost
                    rounds[ops[at + 4]] += (before - left) // cost
                elif q == p:  # a zero at once costs the "["
                    if left < 1:
                        leaving = True
                    else:
                        left -= 1
                # After rounds the last "]" fell through; their cost has every "[" and "]".
                p = q
                if leaving:
                    core.ip = ops[at + 1]
                    break
                rounds[ops[at + 4]] = 0
                at = ops[at + 5]
                break
            elif op == OUT:
                if core.out_length == CHUNK or core.printed == core.max_output:
                    p += ops[at + 1]
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                core.out[core.out_length] = tape[p + ops[at + 1]] & 255
                core.out_steps[core.out_length] = limit - left - ops[at + 3] + 1
                core.out_length += 1
                core.printed += 1
                at += 4
            elif op == IN:
                if core.input_position >= core.input_length or core.read_length == CHUNK:
                    p += ops[at + 1]
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                tape[p + ops[at + 1]] = core.stdin[core.input_position]
                core.read_steps[core.read_length] = limit - left - ops[at + 3] + 1
                core.read_length += 1
                core.input_position += 1
                at += 4
            elif op == GO:
                p += ops[at + 1]
                at = ops[at + 2]
                break
            else:  # END
                p += ops[at + 1]
                core.ip = core.end
                ended = True
                leaving = True
                break
    core.pointer = p
    core.steps = limit - left
    return ended


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_exact(core: Core, tape: Cell[::1]) -> cython.int:
    """Execute single commands until a block begins or the run must stop.

    A run that watches pauses where a block begins only if ``pausing`` is set.
    """
    ip: cython.Py_ssize_t = core.ip
    here: cython.Py_ssize_t
    p: cython.Py_ssize_t = core.pointer
    command: cython.int
    hit: cython.bint
    cell: cython.Py_ssize_t
    reason: cython.int = BUDGET
    limit: cython.longlong = core.pause
    skipped: cython.longlong
    if core.watching:
        _forget_rounds(core)
    while True:
        here = ip
        command = core.code[ip]
        if command == HALT:
            reason = ENDED
            break
        if core.steps >= limit:
            break
        if (
            command == OPEN
            and core.entry[ip + 1] <= MERGED
            and tape[p] != 0
            and _run_rounds(core, tape, ip, p)
        ):
            ip = core.ip
            limit = core.pause
            if (core.pausing or not core.watching) and _can_enter_block(core, ip):
                break
            continue
        if command == PLUS or command == MINUS:
            core.last_old = tape[p]
            tape[p] = (tape[p] + (1 if command == PLUS else -1)) & core.mask
        elif command == RIGHT:
            if p + 1 == core.high:
                if core.size and p + 1 == core.size:
                    if not core.wrap:
                        reason = OVERFLOW
                        break
                    p = -1
                elif core.high - core.low >= core.max_cells:
                    reason = MEMORY_FULL
                    break
                elif p + 1 == core.capacity:
                    reason = GROW_UP
                    break
                else:
                    core.high += 1
            p += 1
        elif command == LEFT:
            if p == core.low:
                if core.wrap:
                    if core.size > core.max_cells:
                        reason = MEMORY_FULL
                        break
                    if core.size > core.capacity:
                        reason = GROW_UP
                        break
                    core.high = core.size
                    p = core.size
                elif not core.both_ways:
                    reason = UNDERFLOW
                    break
                elif core.high - core.low >= core.max_cells:
                    reason = MEMORY_FULL
                    break
                elif p == 0:
                    reason = GROW_DOWN
                    break
                else:
                    core.low -= 1
            p -= 1
        elif command == OPEN:
            if tape[p] == 0:
                core.rounds[core.depth[ip]] = 0  # an edit may have ended a running loop
                ip = core.match[ip]
            else:
                core.rounds[core.depth[ip]] += 1
        elif command == CLOSE:
            if tape[p] != 0 and core.watching and core.entry[ip] <= MERGED and not core.tallying:
                skipped = core.rounds[core.depth[ip]]
                if skipped == 1 or skipped == core.nest_due[core.depth[ip]]:
                    skipped = _run_nest(core, tape, MERGED - core.entry[ip], p, core.steps)
                    if skipped:
                        core.steps += skipped
                        limit = core.pause
                        continue
            if tape[p] == 0:
                core.rounds[core.depth[ip]] = 0
            else:
                ip = core.match[ip] - 1
        elif command == PRINT:
            if core.printed == core.max_output:
                reason = OUTPUT_FULL
                break
            if core.out_length == CHUNK:
                reason = FLUSH
                break
            core.out[core.out_length] = tape[p] & 255
            core.out_steps[core.out_length] = core.steps + 1
            core.out_length += 1
            core.printed += 1
        else:
            core.last_old = tape[p]
            if core.input_position < core.input_length:
                if core.read_length == CHUNK:
                    reason = FLUSH
                    break
                core.read_steps[core.read_length] = core.steps + 1
                core.read_length += 1
                core.last_read = core.stdin[core.input_position]
                core.input_position += 1
                tape[p] = core.last_read
            elif core.closed:
                core.last_read = -1
                if core.eof >= -1:
                    tape[p] = core.eof & core.mask
            else:
                reason = NEEDS_INPUT
                break
        ip += 1
        core.steps += 1
        core.last_ip = here
        if not core.watching:
            if _can_enter_block(core, ip):
                break
            continue
        if core.tallying:
            core.counts[here] += 1
            core.latest[here] = core.steps
        hit = core.every_step or core.marks[ip] != 0
        if command == PRINT:
            hit = (
                hit
                or core.printed - 1 == core.output_index
                or core.printable[core.out[core.out_length - 1]] != 0
            )
        elif command == READ:
            hit = hit or core.every_read
        if (
            command == PLUS
            or command == MINUS
            or (command == READ and (core.last_read >= 0 or core.eof >= -1))
        ):
            cell = p - core.base - core.watch_first
            if 0 <= cell < core.watch_length and core.watched[cell] != 0:
                hit = True
        if hit and core.filtered and not _filter_passes(core, tape, ip, p):
            core.misses += 1
            hit = False
        if hit:
            core.hits += 1
            core.last_hit = core.steps
            if core.hits == 1:
                core.first_hit = core.steps
            if not core.scanning:
                reason = STOP
                break
        if core.pausing and _can_enter_block(core, ip):
            break
    core.ip = ip
    core.pointer = p
    return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _filter_passes(
    core: Core, tape: Cell[::1], ip: cython.Py_ssize_t, p: cython.Py_ssize_t
) -> cython.bint:
    """Return whether the filter lets the run stop here; see :mod:`esolangs.filters`."""
    code: cython.longlong[::1] = core.filter
    numbers: cython.longlong[::1] = core.filter_numbers
    at: cython.Py_ssize_t = run_filter(code, numbers, 0)
    to: cython.Py_ssize_t
    cell: cython.longlong
    while at >= 0:
        to = code[at + 2]
        if code[at] == FILTER_REGISTER:
            numbers[to] = _register_value(core, tape, ip, p, code[at + 1])
        else:
            cell = numbers[to]
            if core.low - core.base <= cell < core.high - core.base:
                numbers[to] = tape[cell + core.base]
            else:
                numbers[to] = 0
        at = run_filter(code, numbers, at + 3)
    return at == FILTER_PASSES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _register_value(
    core: Core,
    tape: Cell[::1],
    ip: cython.Py_ssize_t,
    p: cython.Py_ssize_t,
    number: cython.longlong,
) -> cython.longlong:
    """Return the value of register ``number`` of ``BrainfuckProgram.filter_names``."""
    if number == 0:
        return core.steps
    if number == 1:
        return core.printed
    if number == 2:
        return p - core.base
    if number == 3:
        return tape[p]
    return core.depth[ip]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_rounds(
    core: Core, tape: Cell[::1], ip: cython.Py_ssize_t, p: cython.Py_ssize_t
) -> cython.bint:
    """Execute at once all rounds of the merged loop with "[" at ``ip`` that end within the limit.

    A round is one iteration.  Return False, and do nothing, if there is no such round, if a stop
    applies inside, or if a round visits a cell for the first time or leads around the tape.  While
    watching, the last round is left to single steps, because a mark may follow it.
    """
    loops: cython.int[::1] = core.loops
    loop: cython.Py_ssize_t = MERGED - core.entry[ip + 1]
    length: cython.longlong = loops[loop]
    shift: cython.int = loops[loop + 2]
    first: cython.Py_ssize_t = loop + 6
    end: cython.Py_ssize_t = first + 2 * loops[loop + 5]
    value: cython.longlong = tape[p]
    count: cython.longlong = (core.limit - core.steps) // length
    whole: cython.longlong = ((value >> shift) * loops[loop + 1]) & (core.mask >> shift)
    ends: cython.bint = (value >> shift) << shift == value and whole <= count
    at: cython.Py_ssize_t
    q: cython.Py_ssize_t
    if p + loops[loop + 3] < core.low or p + loops[loop + 4] >= core.high:
        return False  # a round visits a cell for the first time, or leads around the tape
    if ends:
        count = whole
    if core.watching:
        if ends:
            count -= 1
            ends = False
        if count == 0 or not _count_rounds(core, ip, p, count):
            return False
    if count == 0:
        return False
    for at in range(first, end, 2):
        q = p + loops[at]
        tape[q] = (tape[q] + (count & core.mask) * loops[at + 1]) & core.mask
    core.steps += count * length
    _postpone_pause(core, count * length)
    if ends:
        core.rounds[core.depth[ip]] = 0
        core.ip = core.match[ip] + 1
    else:
        core.rounds[core.depth[ip]] += count
        core.ip = ip
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_rounds(
    core: Core, ip: cython.Py_ssize_t, p: cython.Py_ssize_t, count: cython.longlong
) -> cython.bint:
    """Count the hits and steps of ``count`` rounds of the loop at ``ip``.

    A hit is a step that leads to a marked command or writes a watched cell; if ``every_step``, each
    step is one.  Return False, and count nothing, if the run has to stop at one of the hits.
    """
    end: cython.Py_ssize_t = core.match[ip]
    cell: cython.Py_ssize_t = p - core.base - core.watch_first
    at: cython.Py_ssize_t
    hits: cython.longlong = 0  # in a round, and the steps of the first and the last hit in it
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    before: cython.longlong  # steps before the last round
    hit: cython.bint
    for at in range(ip, end + 1):
        hit = core.every_step or core.marks[at + 1 if at < end else ip] != 0
        if core.code[at] == RIGHT:
            cell += 1
        elif core.code[at] == LEFT:
            cell -= 1
        elif core.code[at] == PLUS or core.code[at] == MINUS:
            if 0 <= cell < core.watch_length and core.watched[cell] != 0:
                hit = True
        if hit:
            if not core.scanning or core.filtered:
                return False
            hits += 1
            last = at - ip + 1
            if hits == 1:
                first = last
    before = core.steps + (count - 1) * (end - ip + 1)
    if hits:
        if core.hits == 0:
            core.first_hit = core.steps + first
        core.hits += count * hits
        core.last_hit = before + last
    if core.tallying:
        for at in range(ip, end + 1):
            core.counts[at] += count
            core.latest[at] = before + at - ip + 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _postpone_pause(core: Core, steps: cython.longlong) -> cython.int:
    """Postpone the next pause by ``steps`` steps, but not beyond the limit of the run.

    steps: the steps of several rounds of a loop, whose effect was computed at once.
    """
    core.pause = core.pause + steps if core.limit - core.pause > steps else core.limit
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forget_rounds(core: Core) -> cython.int:
    """Discard the state that each running nest saved; a nest saves one again before it compares.

    A nest is a loop that contains loops; see ``_save_round``.
    """
    depth: cython.Py_ssize_t
    for depth in range(min(core.depth[core.ip] + 1, len(core.nest_due))):
        core.nest_due[depth] = core.rounds[depth]
        core.nest_saved[depth] = False
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enter_nest(
    core: Core,
    tape: Cell[::1],
    nest: cython.Py_ssize_t,
    p: cython.Py_ssize_t,
    steps: cython.longlong,
) -> cython.int:
    """Save the state when a nest is entered, to compare it with the state after the first round.

    See ``_save_round``.  Nothing is saved if rounds of the nest differed too often.
    """
    if core.nest_misses[core.loops[nest + 3]] == MAX_MISSES:
        core.nest_saved[core.loops[nest]] = False
    else:
        _save_round(core, tape, nest, p, steps - 1)  # as if its "]" had been executed before
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _save_round(
    core: Core,
    tape: Cell[::1],
    nest: cython.Py_ssize_t,
    p: cython.Py_ssize_t,
    steps: cython.longlong,
) -> cython.int:
    """Save the state after a round of a nest, for a comparison after the next round.

    A nest is a loop that contains loops; a round is one iteration.  nest: its index in ``loops``.
    """
    depth: cython.Py_ssize_t = core.loops[nest]
    low: cython.Py_ssize_t = core.loops[nest + 1]
    end: cython.Py_ssize_t = core.loops[nest + 2] + 1
    kept: cython.Py_ssize_t = depth * MAX_NEST_CELLS - low  # of cell 0, in nest_cells
    at: cython.Py_ssize_t
    for at in range(low, end):
        if core.low <= p + at < core.high:
            core.nest_cells[kept + at] = tape[p + at]
        else:
            core.nest_cells[kept + at] = 0
    core.nest_steps[depth] = steps
    core.nest_hits[depth] = core.hits + core.misses
    core.nest_saved[depth] = True
    core.nest_due[depth] = core.rounds[depth] + 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_nest(
    core: Core,
    tape: Cell[::1],
    nest: cython.Py_ssize_t,
    p: cython.Py_ssize_t,
    steps: cython.longlong,
) -> cython.longlong:
    """Execute many rounds of a nest at once if they are alike; return the number of their steps.

    A nest is a loop that contains loops; a round is one iteration.  Only rounds that end within the
    limit are executed.  Called at the nest's "]", which is to jump back, after ``steps`` steps.  If
    no state was saved, the current one is saved.  If the cells that the inner loops test are the
    same one round later, then every later round takes the same number of steps, visits the same
    cells and adds the same numbers to cells.
    """
    loops: cython.int[::1] = core.loops
    depth: cython.Py_ssize_t = loops[nest]
    low: cython.Py_ssize_t = loops[nest + 1]
    kept: cython.Py_ssize_t = depth * MAX_NEST_CELLS - low  # of cell 0, in nest_cells
    first: cython.Py_ssize_t = max(low, core.low - p)
    end: cython.Py_ssize_t = min(cython.cast(cython.Py_ssize_t, loops[nest + 2]) + 1, core.high - p)
    turn: cython.longlong = core.rounds[depth]
    count: cython.longlong
    cost: cython.longlong
    hits: cython.longlong
    change: cython.ulonglong
    at: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    if core.wrap and (p + low < 0 or p + loops[nest + 2] >= core.size):
        return 0
    if turn == 1:
        if core.watching:  # watched runs enter nests by single steps
            core.nest_saved[depth] = False
        elif core.nest_misses[loops[nest + 3]] == MAX_MISSES:
            core.nest_due[depth] = 16
            return 0
    if not core.nest_saved[depth]:
        _save_round(core, tape, nest, p, steps)
        return 0
    core.nest_saved[depth] = False
    core.nest_due[depth] = 2 * turn
    for at in range(nest + 5, nest + 5 + loops[nest + 4]):
        cell = loops[at]
        if first <= cell < end and tape[p + cell] != core.nest_cells[kept + cell]:
            if turn == 1:  # the first round may begin with different cells
                _save_round(core, tape, nest, p, steps)
            elif core.nest_misses[loops[nest + 3]] < MAX_MISSES:
                core.nest_misses[loops[nest + 3]] += 1
            return 0
    hits = core.hits + core.misses - core.nest_hits[depth]
    if core.watching and core.filtered and hits:
        return 0  # the filter may pass in a later round
    core.nest_misses[loops[nest + 3]] = 0
    cost = steps - core.nest_steps[depth]
    change = (tape[p] - core.nest_cells[kept]) & core.mask
    count = (core.limit - steps) // cost
    if change == core.mask:
        count = min(count, cython.cast(cython.longlong, tape[p]))
    elif change == 1:
        count = min(count, core.mask + 1 - tape[p])
    else:
        return 0
    for at in range(first, end):
        change = (tape[p + at] - core.nest_cells[kept + at]) & core.mask
        if change:
            tape[p + at] = (tape[p + at] + change * (count & core.mask)) & core.mask
    core.rounds[depth] += count
    core.nest_due[depth] = core.rounds[depth]
    if core.watching and hits:
        core.hits += count * hits
        core.last_hit += count * cost
    _postpone_pause(core, count * cost)
    return count * cost
