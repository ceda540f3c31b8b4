# cython: language_level=3, boundscheck=False, wraparound=False
"""The compiler from commands to blocks, which run fast and keep step counts exact.

A block is code up to the next loop bracket that is not part of a merged loop.  Its head contains
the static cost in source commands and the lowest and highest cell that its moves visit, so that
one check at entry covers them all; a block that might cross a limit or an edge is left to single
steps.  Operations that depend on cell values (clear, multiply and scan loops) check their cost and,
if they run, their cells themselves.
"""

from __future__ import annotations

from array import array
from time import sleep

from esolangs.brainfuck.opcodes import (
    ADD,
    CLEAR,
    CLOSE,
    COUNT_HEAD,
    END,
    ENTER_NEST,
    FAR_MOVE,
    FAR_MUL_HEAD,
    GO,
    IN,
    JUMP_BACK,
    JUMP_NEST,
    JUMP_ZERO,
    LEFT,
    MAX_NEST_CELLS,
    MAX_NEST_DEPTH,
    MERGED,
    MINUS,
    MOVE,
    MUL,
    MUL_HEAD,
    OPEN,
    OUT,
    PLUS,
    PRINT,
    READ,
    RIGHT,
    SCAN,
    ZERO,
)

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

TURN_COMMANDS = 2048
"""Number of commands after which the block compiler lets other threads run."""


class Blocks:
    """The compiled program; :mod:`esolangs.brainfuck.opcodes` explains ``ops`` and ``loops``.

    entry: for every command, the index in ``ops`` of the block that begins there, or a negative
    number.  It is ``MERGED`` minus the index of a record in ``loops`` for the first command in a
    merged loop and for the "]" of a nest, and -1 for other commands without a block.
    """

    def __init__(self, code: bytes, match: array[int], depth: array[int]):
        """Compile ``code``, which ends in HALT and whose brackets are matched by ``match``."""
        self.ops = array("i")
        self.entry = array("i", [-1]) * len(code)
        self.loops = array("i")
        self._nests = 0
        self._open: list[_Loop | None] = [None]  # loops around; None: not a nest, nor inside one
        self._code = code
        self._match = match
        self._depth = depth
        self._unresolved = array("i")  # operands that hold a command, not yet its block
        self._turn = TURN_COMMANDS
        at = 0
        while at < len(code):
            at = self._append_block(at)
        _resolve(self.ops, self.entry, self._unresolved)

    def _append_block(self, first: int) -> int:
        """Append the block that begins at command ``first``; return where the next block begins."""
        code, ops = self._code, self.ops
        head = len(ops)
        if code[first] == CLOSE or (code[first] == OPEN and code[first + 1] == OPEN):
            return self._append_brackets(first)
        ops.extend((0, 0, 0, first))  # the rest is known at the end
        at = first
        offset = low = high = cost = 0
        lowest = highest = 0  # as low and high, with merged loops
        tested_cells = 0  # by merged loops: a bit for each cell, from -MAX_NEST_CELLS on
        is_balanced = True
        sums: dict[int, int] = {}  # cell -> what to add, in order of first use
        refunds: list[tuple[int, int]] = []  # (operand, cost up to there)
        merged: list[tuple[int, int, int]] = []  # (operation, lowest cell, highest cell)
        while True:
            if at >= self._turn:
                sleep(0)
                self._turn = at + TURN_COMMANDS
            command = code[at]
            if command == PLUS:
                sums[offset] = sums.get(offset, 0) + 1
            elif command == MINUS:
                sums[offset] = sums.get(offset, 0) - 1
            elif command == RIGHT:
                offset += 1
                if offset > high:
                    high = offset
            elif command == LEFT:
                offset -= 1
                if offset < low:
                    low = offset
            elif command == PRINT or command == READ:
                is_balanced = False
                self._add_sums(sums)
                ops.extend((OUT if command == PRINT else IN, offset, at, 0))
                refunds.append((len(ops) - 1, cost))
            elif command == OPEN:
                end = self._match[at]
                loop = _simple_loop(code, at, end)
                if loop is None:
                    self._add_sums(sums)
                    cost += 1
                    self._unresolved.extend((len(ops) + 2, len(ops) + 3))
                    ops.extend((JUMP_ZERO, offset, at + 1, end + 1, self._depth[at]))
                    self._add_part(
                        offset, min(low, lowest), max(high, highest), tested_cells, is_balanced
                    )
                    self._open.append(_Loop(len(ops) - 5))
                    at += 1
                    break
                stride, targets, left, right = loop
                self._add_sums(sums)
                if targets:  # a scan changes no cell
                    refunds.append((len(ops) + 3, cost))
                    merged.append((len(ops), offset + left, offset + right))
                    self._record_round(at, end - at + 1, left, right, targets)
                    self._append_multiply(
                        at, offset, end - at + 1, targets, offset + left, offset + right
                    )
                    lowest = min(lowest, offset + left)
                    highest = max(highest, offset + right)
                    if abs(offset) < MAX_NEST_CELLS:
                        tested_cells |= 1 << offset + MAX_NEST_CELLS
                    else:
                        is_balanced = False
                    at = end + 1
                    continue
                self._add_part(
                    offset,
                    min(low, lowest),
                    max(high, highest),
                    tested_cells,
                    is_balanced and at > first,
                )
                if at > first:
                    self._unresolved.append(len(ops) + 2)
                    ops.extend((GO, offset, at))
                else:
                    self._unresolved.append(len(ops) + 5)
                    ops.extend((SCAN, at, stride, end - at + 1, self._depth[at], end + 1))
                    at = end + 1
                break
            elif command == CLOSE:
                self._add_sums(sums)
                cost += 1
                self._unresolved.extend((len(ops) + 2, len(ops) + 3))
                self._add_part(
                    offset, min(low, lowest), max(high, highest), tested_cells, is_balanced
                )
                nest = self._close_nest(at)
                jump = JUMP_BACK if nest < 0 else JUMP_NEST
                ops.extend((jump, offset, self._match[at] + 1, at + 1, self._depth[at]))
                if nest >= 0:
                    ops.append(nest)
                    self.entry[at] = MERGED - nest
                at += 1
                break
            else:
                self._add_sums(sums)
                ops.extend((END, offset))
                at += 1
                break
            cost += 1
            at += 1
        for operand, spent in refunds:
            ops[operand] = cost - spent
        for operation, left, right in merged:
            if (left < low or right > high) and ops[operation] in _FAR:
                ops[operation] = _FAR[ops[operation]]
        ops[head], ops[head + 1], ops[head + 2] = cost, low, high
        self.entry[first] = head
        return at

    def _append_brackets(self, first: int) -> int:
        """Append a block for each bracket in a run of equal ones, fast even for deep nesting.

        The last of several opening brackets is left out, because it may begin a loop that can be
        merged.
        """
        code = self._code
        end = first + 1
        while end - first < TURN_COMMANDS and code[end] == code[first]:
            end += 1
        if code[first] == OPEN:
            end -= 1
        blocks = array("i", bytes(4 * 9 * (end - first)))
        unresolved = array("i", bytes(4 * 2 * (end - first)))
        head = len(self.ops)
        jump = JUMP_ZERO if code[first] == OPEN else JUMP_BACK
        _fill_blocks(
            blocks, unresolved, self.entry, self._match, self._depth, first, end, head, jump
        )
        self.ops.extend(blocks)
        self._unresolved.extend(unresolved)
        self._count_brackets(end - first, code[first] == OPEN)
        sleep(0)
        return end

    def _count_brackets(self, brackets: int, opening: bool) -> None:
        """Record that ``brackets`` loops begin (``opening``) or end.

        If they are more than MAX_NEST_DEPTH, record also that none of them can be a nest.
        """
        if brackets > MAX_NEST_DEPTH:
            if opening:
                self._open.extend([None] * brackets)
            else:
                del self._open[len(self._open) - brackets :]
                self._open[len(self._open) - 1] = None
            return
        for _ in range(brackets):
            if opening:
                self._open.append(_Loop(-1))
            else:
                self._close()

    def _add_part(
        self, offset: int, low: int, high: int, tested_cells: int, is_balanced: bool
    ) -> None:
        """Add code to the innermost open loop if that loop may be a nest, a balanced loop of loops.

        If the code prevents that, the loop is marked as not being a nest.
        offset: the move of the pointer.  low, high: the lowest and highest cell.  tested_cells: as
        in ``_Loop``.  is_balanced: whether the code is free of input, output and scans.
        """
        innermost = len(self._open) - 1
        loop = self._open[innermost]
        if loop is not None and not (is_balanced and loop.add(offset, low, high, tested_cells)):
            self._open[innermost] = None

    def _close(self) -> _Loop | None:
        """Close the innermost loop and add it to the enclosing one; return the closed loop.

        If it cannot be a nest, return None; the enclosing loop cannot be one either.
        """
        loop = self._open.pop()
        if loop is None or loop.pointer:
            self._open[len(self._open) - 1] = None
            return None
        self._add_part(0, loop.low, loop.high, loop.tested_cells | 1 << MAX_NEST_CELLS, True)
        return loop

    def _close_nest(self, end: int) -> int:
        """Close the loop that ends at ``end``; return the index of its record in ``loops``, or -1.

        The result is -1 if the loop is not a nest, a loop around loops; see ``opcodes``.
        """
        loop = self._close()
        depth = self._depth[end]
        # A loop whose inner loops test its own cell does not only count rounds.
        if loop is None or depth >= MAX_NEST_DEPTH or loop.tested_cells >> MAX_NEST_CELLS & 1:
            return -1
        assert loop.jump >= 0, "no nest begins with a loop, because both would test the same cell"
        tested_cells = [
            at
            for at in range(loop.low, loop.high + 1)
            if loop.tested_cells >> at + MAX_NEST_CELLS & 1
        ]
        index = len(self.loops)
        self.loops.extend(
            (depth, loop.low, loop.high, self._nests, len(tested_cells), *tested_cells)
        )
        self._nests += 1
        self.ops[loop.jump] = ENTER_NEST
        self.ops[loop.jump + 4] = index
        return index

    def _add_sums(self, sums: dict[int, int]) -> None:
        for offset, amount in sums.items():
            if amount:
                self.ops.extend((ADD, offset, amount))
        sums.clear()

    def _record_round(
        self, at: int, round_steps: int, lowest: int, highest: int, targets: dict[int, int]
    ) -> None:
        """Record what one round does in a loop that a single operation executes.

        A run that stops between two rounds uses the record.  at: the command ``[``.  lowest,
        highest, targets: the cells that a round visits and what it adds to cells, by their distance
        from the cell that counts the rounds.
        """
        loops = self.loops
        self.entry[at + 1] = MERGED - len(loops)
        loops.extend((round_steps, *_round_factor(targets[0]), lowest, highest, len(targets)))
        loops.extend((0, targets[0]))
        for to, amount in targets.items():
            if to:
                loops.extend((to, amount))

    def _append_multiply(
        self, at: int, offset: int, round_steps: int, targets: dict[int, int], low: int, high: int
    ) -> None:
        """Append operations for a loop that adds multiples of one cell to others and clears it.

        at: the command ``[``.  offset: the cell that counts the rounds.  targets: what a round adds
        to each cell, by its distance from the counting cell.  low, high: the lowest and highest
        cell that a round visits.
        """
        ops = self.ops
        step = targets[0]
        others = [(offset + to, amount) for to, amount in targets.items() if amount and to]
        if step not in (1, -1):
            factor, shift = _round_factor(step)
            head = (COUNT_HEAD, offset, at, 0, factor, round_steps, 0, shift, low, high)
        elif not others and round_steps == 3:
            ops.extend((CLEAR, offset, at, 0, step))
            return
        elif len(others) == 1:
            ops.extend((MOVE, offset, at, 0, step, round_steps, *others[0], low, high))
            return
        else:
            head = (MUL_HEAD, offset, at, 0, step, round_steps, 0, low, high)
        skip = len(ops) + 6
        ops.extend(head)
        for to, amount in others:
            ops.extend((MUL, offset, to, amount))
        ops.extend((ZERO, offset))
        ops[skip] = len(ops)


_FAR = {MOVE: FAR_MOVE, MUL_HEAD: FAR_MUL_HEAD}


class _Loop:
    """An open loop that may become a nest, a loop around loops; see ``opcodes``.

    Cells are relative to the cell that the loop tests.  jump: index of the operation that enters
    the loop, or -1.  pointer: the pointer so far.  tested_cells: a bit for each cell that an inner
    loop tests, from -MAX_NEST_CELLS on.
    """

    __slots__ = ("high", "jump", "low", "pointer", "tested_cells")

    def __init__(self, jump: int) -> None:
        self.jump = jump
        self.pointer = self.low = self.high = self.tested_cells = 0

    def add(self, offset: int, low: int, high: int, tested_cells: int) -> bool:
        """Add a piece of code to the body of the loop.

        offset: by how much the piece moves the pointer.  low, high: the first and last cell that
        it visits.  tested_cells: as in the class.  All cells are relative to the pointer before
        the piece.  Return False if the loop then has more than MAX_NEST_CELLS cells.
        """
        self.low = min(self.low, self.pointer + low)
        self.high = max(self.high, self.pointer + high)
        if self.high - self.low >= MAX_NEST_CELLS:
            return False
        self.tested_cells |= (
            tested_cells << self.pointer if self.pointer >= 0 else tested_cells >> -self.pointer
        )
        self.pointer += offset
        return True


@cython.cfunc
def _fill_blocks(
    blocks: cython.int[::1],
    unresolved: cython.int[::1],
    entry: cython.int[::1],
    match: cython.int[::1],
    depth: cython.int[::1],
    first: cython.int,
    end: cython.int,
    head: cython.int,
    jump: cython.int,
) -> cython.int:
    """Write a block for each of the adjacent brackets from ``first`` to ``end`` - 1.

    head: index of the first block in ``ops``.  jump: ``JUMP_ZERO`` if the brackets are opening
    ones, else ``JUMP_BACK``.
    """
    at: cython.int
    block: cython.int = 0
    operand: cython.int = 0
    for at in range(first, end):
        entry[at] = head + block
        blocks[block] = 1
        blocks[block + 3] = at
        blocks[block + 4] = jump
        blocks[block + 6] = at + 1 if jump == JUMP_ZERO else match[at] + 1
        blocks[block + 7] = match[at] + 1 if jump == JUMP_ZERO else at + 1
        blocks[block + 8] = depth[at]
        unresolved[operand] = head + block + 6
        unresolved[operand + 1] = head + block + 7
        block += 9
        operand += 2
    return 0


@cython.cfunc
def _resolve(
    ops: cython.int[::1], entry: cython.int[::1], unresolved: cython.int[::1]
) -> cython.int:
    """Replace each index of a command in ``ops`` by the block that begins at this command.

    unresolved: where in ``ops`` these indexes are.  entry: the block, by index of the command.
    """
    at: cython.Py_ssize_t
    for at in range(len(unresolved)):
        ops[unresolved[at]] = entry[ops[unresolved[at]]]
    return 0


def _round_factor(step: int) -> tuple[int, int]:
    """Return a factor and a shift to compute how many rounds a loop takes.

    The number of rounds is ``(value >> shift) * factor`` modulo a power of 2, where ``value`` is
    the number in the counting cell before the loop.  ``step`` is the number that a round adds to
    the counting cell.  The factor is the same for all cell sizes, because an inverse modulo 2 ** 32
    is also an inverse modulo every smaller power of 2.
    """
    shift = (step & -step).bit_length() - 1
    factor = pow(-step >> shift, -1, 1 << 32)
    return factor - (1 << 32 if factor >> 31 else 0), shift


def _simple_loop(code: bytes, at: int, end: int) -> tuple[int, dict[int, int], int, int] | None:
    """Describe the loop from ``at`` to ``end``; return None if it is not mergeable.

    The result is the distance that a round moves the pointer, the number that a round adds to each
    cell, and the lowest and highest cell that it visits.  Cells are relative to the pointer.

    A loop is mergeable if it contains no loop, input or output, and either only moves the pointer
    (a scan; an empty loop is a scan by no cell) or ends where it began and changes the counting
    cell (a multiplication).
    """
    sums: dict[int, int] = {}
    offset = low = high = 0
    for inside in range(at + 1, end):  # by index: a slice would copy what is left at once
        command = code[inside]
        if inside % TURN_COMMANDS == 0:
            sleep(0)
        if command == PLUS:
            sums[offset] = sums.get(offset, 0) + 1
        elif command == MINUS:
            sums[offset] = sums.get(offset, 0) - 1
        elif command == RIGHT:
            offset += 1
            if offset > high:
                high = offset
        elif command == LEFT:
            offset -= 1
            if offset < low:
                low = offset
        else:
            return None
    if offset or end == at + 1:
        # Moving there and back within a round would visit cells that one compare misses.
        straight = not sums and max(high, -low) == abs(offset) and (low == 0 or high == 0)
        return (offset, sums, low, high) if straight and end - at - 1 == abs(offset) else None
    return (0, sums, low, high) if sums.get(0) else None
