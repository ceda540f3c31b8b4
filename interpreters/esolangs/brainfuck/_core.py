# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The engine: runs blocks fast, and single commands where a run may stop.

``_run_exact`` executes one command after the other with every check and is the meaning
of the language; ``_run_blocks`` runs blocks whose head says that no limit and no edge
can be met inside them, and hands over to ``_run_exact`` where one can.  A merged loop
runs up to 2 ** 32 rounds where cells are wide, so ``_run_rounds`` executes those
between the first and the last that ``_run_exact`` has to look at.
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
        GO,
        GROW_DOWN,
        GROW_UP,
        HALT,
        HEAD,
        IN,
        JUMP_BACK,
        JUMP_ZERO,
        LEFT,
        MERGED,
        MINUS,
        MOVE,
        MUL,
        MUL_HEAD,
        OPEN,
        OUT,
        OVERFLOW,
        PLUS,
        PRINT,
        READ,
        RIGHT,
        SCAN,
        UNDERFLOW,
        ZERO,
    )
    from esolangs.reasons import (
        BUDGET,
        CHUNK,
        ENDED,
        FLUSH,
        MEMORY_FULL,
        NEEDS_INPUT,
        OUTPUT_FULL,
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
    buffer = cython.declare(object, visibility="public")  # what the next three look at
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
    input_position = cython.declare(cython.Py_ssize_t, visibility="public")
    input_length: cython.Py_ssize_t
    end: cython.Py_ssize_t  # the command that is HALT
    printed = cython.declare(cython.longlong, visibility="public")
    out_length: cython.Py_ssize_t
    read_length: cython.Py_ssize_t
    # the rules
    bits = cython.declare(cython.int, visibility="public")
    mask: cython.longlong
    eof: cython.longlong  # what a read at the end stores; below -1 leaves the cell as it is
    closed = cython.declare(cython.bint, visibility="public")
    wrap: cython.bint
    both_ways: cython.bint
    size: cython.Py_ssize_t  # cells of a fixed tape, or 0
    most_cells: cython.Py_ssize_t
    most_output: cython.longlong
    # what to watch for
    watching: cython.bint
    scanning: cython.bint
    every: cython.bint
    any_input: cython.bint
    watch_first: cython.Py_ssize_t  # the cell of the first entry of `watched`
    watch_length: cython.Py_ssize_t
    output_index: cython.longlong
    hits = cython.declare(cython.longlong, visibility="public")
    first_hit = cython.declare(cython.longlong, visibility="public")
    last_hit = cython.declare(cython.longlong, visibility="public")
    # who counts the steps
    tallying: cython.bint
    counts: cython.longlong[::1]
    latest: cython.longlong[::1]
    # the command executed last in single steps
    last_ip = cython.declare(cython.Py_ssize_t, visibility="public")
    last_old = cython.declare(cython.longlong, visibility="public")
    last_read = cython.declare(cython.int, visibility="public")  # a byte, -1 at the end

    def __init__(self, tables, bits, eof, tape, size, most_cells, most_output):
        self.code, self.match, self.depth, self.ops, self.entry, self.loops, deepest = tables
        self.rounds = array("q", [0]) * (deepest + 1)
        self.bits = bits
        self.mask = (1 << bits) - 1
        self.eof = eof
        self.wrap = tape == "wrap"
        self.both_ways = tape == "both-ways"
        self.size = size
        self.most_cells = most_cells
        self.most_output = most_output
        self.out = bytearray(CHUNK)
        self.out_steps = array("q", bytes(8 * CHUNK))
        self.read_steps = array("q", bytes(8 * CHUNK))
        self.end = len(self.code) - 1
        self.set_input(b"", True)
        self.ip = self.steps = self.pointer = self.base = self.low = 0
        self.input_position = self.printed = self.out_length = self.read_length = 0
        self.high = 1
        self.last_ip = -1
        self.watching = self.tallying = False
        self.set_tape(self.new_tape(min(256, most_cells)))

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
        """Set the whole input since step 0; the spare byte gives an empty input an address."""
        self.stdin = bytearray(data) + b"\0"
        self.input_length = len(data)
        self.closed = closed

    def loop_rounds(self):
        """Return the rounds of the loop at every depth, outermost first; 0 if none is running."""
        return memoryview(self.rounds)

    def watch(
        self, marks, watched, watch_first, printable, output_index, any_input, every, scanning
    ):
        """Watch for these stops until ``unwatch``: command marks, cells, bytes printed, reads."""
        self.marks = marks
        self.watched = watched
        self.watch_first = watch_first
        self.watch_length = len(watched)
        self.printable = printable
        self.output_index = output_index
        self.any_input = any_input
        self.every = every
        self.scanning = scanning
        self.hits = self.first_hit = self.last_hit = 0
        self.watching = True

    def unwatch(self):
        """Stop watching and run at full speed."""
        self.watching = False

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
        """Execute until ``steps`` is ``limit`` or something else happens; return the reason."""
        reason: cython.int
        with cython.nogil:
            if self.bits == 8:
                reason = _run(self, self.tape8, limit)
            elif self.bits == 16:
                reason = _run(self, self.tape16, limit)
            else:
                reason = _run(self, self.tape32, limit)
        return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(core: Core, tape: Cell[::1], limit: cython.longlong) -> cython.int:
    reason: cython.int = BUDGET
    while reason == BUDGET:
        if not core.watching and core.steps < limit and _at_block(core, core.ip):
            if _run_blocks(core, tape, limit):
                return ENDED
        reason = _run_exact(core, tape, limit)
        if reason == BUDGET and core.steps >= limit and core.code[core.ip] != HALT:
            return BUDGET
    return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _at_block(core: Core, ip: cython.Py_ssize_t) -> cython.bint:
    """Return whether a block begins at ``ip`` and can be entered now, not between merged rounds.

    A scan can be entered there, as it adds to the rounds that single steps counted.
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
def _run_blocks(core: Core, tape: Cell[::1], limit: cython.longlong) -> cython.bint:
    """Run blocks from the one at ``ip``; return whether the program has ended.

    Otherwise single steps must take over at ``ip``.  A block's whole cost is taken
    from ``left`` at its entry; what was not executed is given back on the way out.
    """
    ops: cython.int[::1] = core.ops
    rounds: cython.longlong[::1] = core.rounds
    mask: cython.longlong = core.mask
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
            elif op == JUMP_ZERO:
                p += ops[at + 1]
                if tape[p] != 0:
                    rounds[ops[at + 4]] = 1
                    at = ops[at + 2]
                else:
                    at = ops[at + 3]
                break
            elif op == MOVE:
                q = p + ops[at + 1]
                count = tape[q]
                if count == 0:
                    cost = 1
                else:
                    if ops[at + 4] > 0:
                        count = mask + 1 - count
                    cost = count * ops[at + 5]
                if cost > left:
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
                at += 8
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
            elif op == MUL_HEAD:
                q = p + ops[at + 1]
                count = tape[q]
                if count == 0:
                    cost = 1
                else:
                    if ops[at + 4] > 0:
                        count = mask + 1 - count
                    cost = count * ops[at + 5]
                if cost > left:
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                at = at + 7 if count else ops[at + 6]
            elif op == COUNT_HEAD:
                q = p + ops[at + 1]
                count = tape[q]
                shift = ops[at + 7]
                whole = (count >> shift) << shift == count
                count = ((count >> shift) * ops[at + 4]) & (mask >> shift)
                cost = count * ops[at + 5] if count else 1
                if cost > left or not whole:
                    p = q
                    core.ip = ops[at + 2]
                    left += ops[at + 3]
                    leaving = True
                    break
                left -= cost
                at = at + 8 if count else ops[at + 6]
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
                if core.out_length == CHUNK or core.printed == core.most_output:
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
def _run_exact(core: Core, tape: Cell[::1], limit: cython.longlong) -> cython.int:
    """Execute single commands until a block begins (when not watching) or something happens."""
    ip: cython.Py_ssize_t = core.ip
    here: cython.Py_ssize_t
    p: cython.Py_ssize_t = core.pointer
    command: cython.int
    hit: cython.bint
    cell: cython.Py_ssize_t
    reason: cython.int = BUDGET
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
            and _run_rounds(core, tape, ip, p, limit)
        ):
            ip = core.ip
            if not core.watching and _at_block(core, ip):
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
                elif core.high - core.low >= core.most_cells:
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
                    if core.size > core.most_cells:
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
                elif core.high - core.low >= core.most_cells:
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
                ip = core.match[ip]
            else:
                core.rounds[core.depth[ip]] += 1
        elif command == CLOSE:
            if tape[p] == 0:
                core.rounds[core.depth[ip]] = 0
            else:
                ip = core.match[ip] - 1
        elif command == PRINT:
            if core.printed == core.most_output:
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
            if _at_block(core, ip):
                break
            continue
        if core.tallying:
            core.counts[here] += 1
            core.latest[here] = core.steps
        hit = core.every or core.marks[ip] != 0
        if command == PRINT:
            hit = (
                hit
                or core.printed - 1 == core.output_index
                or core.printable[core.out[core.out_length - 1]] != 0
            )
        elif command == READ:
            hit = hit or core.any_input
        if (
            command == PLUS
            or command == MINUS
            or (command == READ and (core.last_read >= 0 or core.eof >= -1))
        ):
            cell = p - core.base - core.watch_first
            if 0 <= cell < core.watch_length and core.watched[cell] != 0:
                hit = True
        if hit:
            core.hits += 1
            core.last_hit = core.steps
            if core.hits == 1:
                core.first_hit = core.steps
            if not core.scanning:
                reason = STOP
                break
    core.ip = ip
    core.pointer = p
    return reason


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run_rounds(
    core: Core, tape: Cell[::1], ip: cython.Py_ssize_t, p: cython.Py_ssize_t, limit: cython.longlong
) -> cython.bint:
    """Execute all whole rounds up to ``limit`` of the merged loop whose "[" is at ``ip`` at once.

    False, and nothing is done, where there is none or a stop inside.  While watching, the last
    round is left to single steps, as it may lead to a mark.
    """
    loops: cython.int[::1] = core.loops
    loop: cython.Py_ssize_t = MERGED - core.entry[ip + 1]
    length: cython.longlong = loops[loop]
    shift: cython.int = loops[loop + 2]
    first: cython.Py_ssize_t = loop + 6
    end: cython.Py_ssize_t = first + 2 * loops[loop + 5]
    value: cython.longlong = tape[p]
    count: cython.longlong = (limit - core.steps) // length
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
        if count == 0 or not _watch_rounds(core, ip, p, count):
            return False
    if count == 0:
        return False
    for at in range(first, end, 2):
        q = p + loops[at]
        tape[q] = (tape[q] + (count & core.mask) * loops[at + 1]) & core.mask
    core.steps += count * length
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
def _watch_rounds(
    core: Core, ip: cython.Py_ssize_t, p: cython.Py_ssize_t, count: cython.longlong
) -> cython.bint:
    """Count the hits and steps of ``count`` rounds of the loop at ``ip``.

    False, and nothing is counted, where the run has to stop at one of the hits.
    """
    end: cython.Py_ssize_t = core.match[ip]
    cell: cython.Py_ssize_t = p - core.base - core.watch_first
    at: cython.Py_ssize_t
    hits: cython.longlong = 0  # in a round, and the steps in it of the first and the last one
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    before: cython.longlong  # steps before the last round
    hit: cython.bint
    for at in range(ip, end + 1):
        hit = core.every or core.marks[at + 1 if at < end else ip] != 0
        if core.code[at] == RIGHT:
            cell += 1
        elif core.code[at] == LEFT:
            cell -= 1
        elif core.code[at] == PLUS or core.code[at] == MINUS:
            if 0 <= cell < core.watch_length and core.watched[cell] != 0:
                hit = True
        if hit:
            if not core.scanning:
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
