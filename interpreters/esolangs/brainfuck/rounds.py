"""Translate loops whose rounds can be computed in local variables.

A round is executed symbolically: the pointer is known relative to its place at the beginning, and a
cell is a number or a variable plus a number.  A condition splits the round into two paths, each of
which continues to the end of the round.  Even a loop that moves the pointer, such as ``[>-]`` with
a flag, can be executed if the cells that it tests are known.  For this purpose, some cells are
assumed to be 0 at the beginning of a round; they are 0 again at the end of each path, so one test
before the loop is sufficient.
"""

from __future__ import annotations

from esolangs.brainfuck.opcodes import (
    ADD,
    CLEAR,
    FAR_MOVE,
    FAR_MUL_HEAD,
    JUMP_NEST,
    LOOP_BEGINS,
    LOOP_ENDS,
    MOVE,
    MUL,
    MUL_HEAD,
)
from esolangs.wasm import (
    BR,
    ELSE,
    END,
    I32_ADD,
    I32_AND,
    I32_EQZ,
    I32_MUL,
    I32_SUB,
    I64_ADD,
    I64_EXTEND_I32_U,
    I64_MUL,
    I64_SUB,
    IF,
    get,
    i32,
    i64,
    put,
    uleb128,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from esolangs.brainfuck.flow import TierBlock

    Value: TypeAlias = tuple[bytes, int]
    """Code that pushes a number, or empty code for 0, and a constant to add."""

_MAX_BLOCKS = 40  # on all paths
_MAX_CELLS = 24
_MAX_STEPS = 1 << 20
_MAX_ZERO_CELLS = 8


class UnsupportedLoop(Exception):
    """Raised for a loop that needs more than local variables, such as input or many cells."""


class _ZeroCellRequired(Exception):
    """Raised if the loop can be translated only if ``cell`` is 0 before it."""

    def __init__(self, cell: int):
        self.cell = cell


class _RoundState:
    """The known values of cells and numbers of steps at a point of a path through the loop.

    pointer: the current cell.  cells: values of the cells accessed so far.  cost: steps so far,
    without the merged loops whose rounds depend on cells.  max_steps: maximum steps of these loops.
    """

    __slots__ = ("cells", "cost", "max_steps", "pointer")

    def __init__(self, pointer: int, cells: dict[int, Value], cost: int, max_steps: int):
        self.pointer = pointer
        self.cells = cells
        self.cost = cost
        self.max_steps = max_steps

    def copy(self) -> _RoundState:
        return _RoundState(self.pointer, dict(self.cells), self.cost, self.max_steps)


class RoundCode:
    """The WebAssembly code of one round of a Brainfuck loop.

    It is the body of a WebAssembly loop inside of a WebAssembly block.  It branches to the loop for
    another round, otherwise out of the block.  variables: the local variable of each cell.  zeros:
    cells that must be 0 before the loop.  changed: cells that a round may change.  low, high:
    lowest and highest cell, which must have been visited.  max_steps: maximum steps of a round.
    """

    def __init__(
        self,
        ops: Sequence[int],
        blocks: list[TierBlock],
        number: int,
        bits: int,
        steps_local: int,
        round_local: int,
        first_local: int,
    ):
        """Translate the loop that block ``number`` begins, or raise UnsupportedLoop.

        steps_local, round_local: local variables with the remaining steps and the number of the
        round.  first_local: the first unused local variable.
        """
        self._ops = ops
        self._blocks = blocks
        self._first = number + 1
        self._last = blocks[number].loop_end
        self._opening = {
            block.loop_end: at for at, block in enumerate(blocks) if block.loop_end >= 0
        }
        self._mask = (1 << bits) - 1
        if bits > 8 and ops[blocks[self._last].operations[-1]] == JUMP_NEST:
            raise UnsupportedLoop  # the core may be able to skip rounds
        self._steps_left, self._round = steps_local, round_local
        self.zeros: set[int] = set()
        self._uses_zeros = False
        while True:
            self.variables: dict[int, int] = {}
            self.changed: set[int] = set()
            self.low = self.high = 0
            self.max_steps = 0
            self.locals = first_local
            self._block_count = self._depth = 0
            self._out = bytearray()
            try:
                self._append_path(self._first, _RoundState(0, {}, 0, 0))
                break
            except _ZeroCellRequired as zero:
                self.zeros.add(zero.cell)
                if zero.cell == 0 or len(self.zeros) > _MAX_ZERO_CELLS:
                    raise UnsupportedLoop from None
        if self.zeros and not self._uses_zeros:
            raise UnsupportedLoop  # the inner loops are always skipped
        self.code = bytes(self._out)

    def _append_path(self, number: int, state: _RoundState) -> None:
        """Append code for the rest of a round, from the start of block ``number`` on.

        state: what is known at the start of the block; it is updated.
        """
        ops = self._ops
        while True:
            self._block_count += 1
            if self._block_count > _MAX_BLOCKS:
                raise UnsupportedLoop
            block = self._blocks[number]
            self._record_access(state.pointer + block.low, state.pointer + block.high)
            state.cost += block.cost
            place = 0
            while place < len(block.operations) - 1:
                place = self._execute_operation(block, place, state)
            at = block.operations[-1]
            op = ops[at]
            state.pointer += ops[at + 1]
            if op in LOOP_ENDS and number == self._last:
                self._append_end(state)
                return
            if op not in LOOP_BEGINS and op not in LOOP_ENDS:
                raise UnsupportedLoop
            code, value = self._cell_value(state, state.pointer)
            begin = number if op in LOOP_BEGINS else self._opening[number]
            body, after = begin + 1, self._blocks[begin].loop_end + 1
            if not code:
                if value and op in LOOP_ENDS:
                    state.cost += 1
                number = body if value else after
                continue
            if (
                value == 0
                and code == self._initial_value(state.pointer)
                and not self._blocks[begin].balanced
            ):
                raise _ZeroCellRequired(state.pointer)
            if op in LOOP_ENDS:
                raise UnsupportedLoop
            self._out += self._masked_code((code, value)) + IF
            self._depth += 1
            self._append_path(body, state.copy())
            self._out += ELSE
            state.cells[state.pointer] = b"", 0
            self._append_path(after, state)
            self._depth -= 1
            self._out += END
            return

    def _execute_operation(self, block: TierBlock, place: int, state: _RoundState) -> int:
        """Translate the operation with index ``place``; return the index of the next one.

        state: what is known before the operation; it is updated.
        """
        ops = self._ops
        at = block.operations[place]
        op, cell = ops[at], state.pointer + ops[at + 1]
        if op == ADD:
            code, value = self._cell_value(state, cell)
            state.cells[cell] = code, self._reduce(value + ops[at + 2])
            self._uses_zeros = self._uses_zeros or cell in self.zeros
            return place + 1
        targets: list[tuple[int, int]] = []
        if op == CLEAR:
            steps = 3
        elif op in (MOVE, FAR_MOVE):
            steps = ops[at + 5]
            targets.append((state.pointer + ops[at + 6], ops[at + 7]))
            self._record_access(state.pointer + ops[at + 8], state.pointer + ops[at + 9])
        elif op in (MUL_HEAD, FAR_MUL_HEAD):
            steps = ops[at + 5]
            self._record_access(state.pointer + ops[at + 7], state.pointer + ops[at + 8])
            while ops[block.operations[place + 1]] == MUL:
                place += 1
                to = block.operations[place]
                targets.append((state.pointer + ops[to + 2], ops[to + 3]))
            place += 1  # the ZERO
        else:
            raise UnsupportedLoop
        self._execute_merged_loop(state, cell, ops[at + 4] > 0, steps, targets)
        return place + 1

    def _execute_merged_loop(
        self,
        state: _RoundState,
        cell: int,
        counts_up: bool,
        steps: int,
        targets: list[tuple[int, int]],
    ) -> None:
        """Translate a merged loop: add multiples of ``cell`` to ``targets``, then clear it."""
        code, value = self._cell_value(state, cell)
        if not code:
            count = self._mask & (-value if counts_up else value)
            state.cost += count * steps or 1
            for to, factor in targets:
                base, number = self._cell_value(state, to)
                state.cells[to] = base, self._reduce(number + count * factor)
        else:
            if self._mask > 255:
                raise UnsupportedLoop
            state.max_steps += self._mask * steps
            if counts_up:
                code, value = i32(0) + self._sum_code((code, value)) + I32_SUB, 0
            rounds = self._new_variable(self._masked_code((code, value)))
            for to, factor in targets:
                base, number = self._cell_value(state, to)
                times = rounds if factor == 1 else rounds + i32(factor) + I32_MUL
                state.cells[to] = (
                    self._new_variable(base + times + I32_ADD if base else times),
                    number,
                )
            cost = rounds + I64_EXTEND_I32_U + i64(steps) + I64_MUL
            cost += rounds + I32_EQZ + I64_EXTEND_I32_U + I64_ADD
            self._out += get(self._steps_left) + cost + I64_SUB + put(self._steps_left)
        state.cells[cell] = b"", 0

    def _append_end(self, state: _RoundState) -> None:
        """Append the code at the end of a round: store the changed cells, repeat or leave."""
        if (
            state.pointer
            or state.cost > _MAX_STEPS
            or any(self._cell_value(state, cell) != (b"", 0) for cell in self.zeros)
        ):
            raise UnsupportedLoop
        self.max_steps = max(self.max_steps, state.cost + state.max_steps + 1)
        self._out += get(self._steps_left) + i64(state.cost) + I64_SUB + put(self._steps_left)
        changed = [
            cell
            for cell, value in state.cells.items()
            if cell not in self.zeros and value != (self._initial_value(cell), 0)
        ]
        for cell in changed:  # push all before storing any: values may depend on other cells
            self._out += self._sum_code(state.cells[cell])
        for cell in reversed(changed):
            self._out += put(self._variable(cell))
        self.changed.update(changed)
        self._out += self._masked_code((self._initial_value(0), 0)) + IF
        self._out += get(self._steps_left) + i64(1) + I64_SUB + put(self._steps_left)
        self._out += get(self._round) + i64(1) + I64_ADD + put(self._round)
        self._out += BR + uleb128(self._depth + 1) + END
        self._out += BR + uleb128(self._depth + 1)

    def _record_access(self, low: int, high: int) -> None:
        self.low, self.high = min(self.low, low), max(self.high, high)

    def _cell_value(self, state: _RoundState, cell: int) -> Value:
        found = state.cells.get(cell)
        if found is None:
            found = state.cells[cell] = (
                (b"" if cell in self.zeros else self._initial_value(cell)),
                0,
            )
        return found

    def _initial_value(self, cell: int) -> bytes:
        return get(self._variable(cell))

    def _variable(self, cell: int) -> int:
        if cell not in self.variables:
            if len(self.variables) == _MAX_CELLS:
                raise UnsupportedLoop
            self.variables[cell] = self.locals
            self.locals += 1
        return self.variables[cell]

    def _new_variable(self, code: bytes) -> bytes:
        """Store the result of ``code`` in a new variable; return code that reads the variable.

        The code that stores it is appended to the output.
        """
        self._out += code + put(self.locals)
        self.locals += 1
        return get(self.locals - 1)

    def _reduce(self, number: int) -> int:
        """Return the number of smallest magnitude that a cell stores in the same way."""
        number &= self._mask
        return number - self._mask - 1 if number > self._mask >> 1 else number

    def _sum_code(self, value: Value) -> bytes:
        code, number = value
        if not code:
            return i32(number)
        return code + i32(number) + I32_ADD if number else code

    def _masked_code(self, value: Value) -> bytes:
        code = self._sum_code(value)
        return code if self._mask >> 31 else code + i32(self._mask) + I32_AND
