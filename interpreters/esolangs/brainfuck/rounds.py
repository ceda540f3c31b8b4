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
    unsigned,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from esolangs.brainfuck.flow import TierBlock

    Value: TypeAlias = tuple[bytes, int]
    """Code that pushes a number, or empty code for 0, and a constant to add."""

_MOST_BLOCKS = 40  # on all paths
_MOST_CELLS = 24
_MOST_STEPS = 1 << 20
_MOST_ZEROS = 8


class Unsuited(Exception):
    """Raised for a loop whose rounds cannot be computed in local variables."""


class _TakeForZero(Exception):
    def __init__(self, cell: int):
        self.cell = cell


class _State:
    """The symbolic state at a point of a path.

    at: the pointer.  cells: values of the cells accessed so far.  cost: steps so far, without the
    merged loops whose rounds depend on cells; ``most``: the maximum steps of those.
    """

    __slots__ = ("at", "cells", "cost", "most")

    def __init__(self, at: int, cells: dict[int, Value], cost: int, most: int):
        self.at = at
        self.cells = cells
        self.cost = cost
        self.most = most

    def copy(self) -> _State:
        return _State(self.at, dict(self.cells), self.cost, self.most)


class Rounds:
    """The code of a round, for a WebAssembly loop inside of a block.

    It branches to the loop for another round, otherwise out of the block.  variables: the local
    variable of each cell.  zeros: cells that must be 0 before the loop.  changed: cells that a
    round may change.  low, high: lowest and highest cell, which must have been visited.  most:
    maximum steps of a round.
    """

    def __init__(
        self,
        ops: Sequence[int],
        blocks: list[TierBlock],
        number: int,
        bits: int,
        left: int,
        turn: int,
        first_local: int,
    ):
        """Translate the loop that a block begins, or raise Unsuited.

        left, turn: local variables with the remaining steps and the number of the round.
        """
        self._ops = ops
        self._blocks = blocks
        self._first = number + 1
        self._last = blocks[number].close
        self._opening = {block.close: at for at, block in enumerate(blocks) if block.close >= 0}
        self._mask = (1 << bits) - 1
        if bits > 8 and ops[blocks[self._last].at[-1]] == JUMP_NEST:
            raise Unsuited  # the core may be able to skip rounds
        self._left, self._turn = left, turn
        self.zeros: set[int] = set()
        self._flags = False
        while True:
            self.variables: dict[int, int] = {}
            self.changed: set[int] = set()
            self.low = self.high = 0
            self.most = 0
            self.locals = first_local
            self._walked = self._depth = 0
            self._out = bytearray()
            try:
                self._walk(self._first, _State(0, {}, 0, 0))
                break
            except _TakeForZero as zero:
                self.zeros.add(zero.cell)
                if zero.cell == 0 or len(self.zeros) > _MOST_ZEROS:
                    raise Unsuited from None
        if self.zeros and not self._flags:
            raise Unsuited  # the inner loops are always skipped: not worth a copy of the loop
        self.code = bytes(self._out)

    def _walk(self, number: int, state: _State) -> None:
        """Append the code of a path from a block to the end of the round."""
        ops = self._ops
        while True:
            self._walked += 1
            if self._walked > _MOST_BLOCKS:
                raise Unsuited
            block = self._blocks[number]
            self._visit(state.at + block.low, state.at + block.high)
            state.cost += block.cost
            place = 0
            while place < len(block.at) - 1:
                place = self._operation(block, place, state)
            at = block.at[-1]
            op = ops[at]
            state.at += ops[at + 1]
            if op in LOOP_ENDS and number == self._last:
                self._finish(state)
                return
            if op not in LOOP_BEGINS and op not in LOOP_ENDS:
                raise Unsuited
            code, value = self._value(state, state.at)
            begin = number if op in LOOP_BEGINS else self._opening[number]
            body, after = begin + 1, self._blocks[begin].close + 1
            if not code:
                if value and op in LOOP_ENDS:
                    state.cost += 1
                number = body if value else after
                continue
            if value == 0 and code == self._initial(state.at) and not self._blocks[begin].even:
                raise _TakeForZero(state.at)
            if op in LOOP_ENDS:
                raise Unsuited
            self._out += self._masked((code, value)) + IF
            self._depth += 1
            self._walk(body, state.copy())
            self._out += ELSE
            state.cells[state.at] = b"", 0
            self._walk(after, state)
            self._depth -= 1
            self._out += END
            return

    def _operation(self, block: TierBlock, place: int, state: _State) -> int:
        """Execute the operation at a place of a block; return the place of the next one."""
        ops = self._ops
        at = block.at[place]
        op, cell = ops[at], state.at + ops[at + 1]
        if op == ADD:
            code, value = self._value(state, cell)
            state.cells[cell] = code, self._reduced(value + ops[at + 2])
            self._flags = self._flags or cell in self.zeros
            return place + 1
        targets: list[tuple[int, int]] = []
        if op == CLEAR:
            steps = 3
        elif op in (MOVE, FAR_MOVE):
            steps = ops[at + 5]
            targets.append((state.at + ops[at + 6], ops[at + 7]))
            self._visit(state.at + ops[at + 8], state.at + ops[at + 9])
        elif op in (MUL_HEAD, FAR_MUL_HEAD):
            steps = ops[at + 5]
            self._visit(state.at + ops[at + 7], state.at + ops[at + 8])
            while ops[block.at[place + 1]] == MUL:
                place += 1
                to = block.at[place]
                targets.append((state.at + ops[to + 2], ops[to + 3]))
            place += 1  # the ZERO
        else:
            raise Unsuited
        self._multiply(state, cell, ops[at + 4] > 0, steps, targets)
        return place + 1

    def _multiply(
        self, state: _State, cell: int, rises: bool, steps: int, targets: list[tuple[int, int]]
    ) -> None:
        """Execute a merged loop."""
        code, value = self._value(state, cell)
        if not code:
            count = self._mask & (-value if rises else value)
            state.cost += count * steps or 1
            for to, factor in targets:
                base, number = self._value(state, to)
                state.cells[to] = base, self._reduced(number + count * factor)
        else:
            if self._mask > 255:
                raise Unsuited
            state.most += self._mask * steps
            if rises:
                code, value = i32(0) + self._sum((code, value)) + I32_SUB, 0
            rounds = self._new(self._masked((code, value)))
            for to, factor in targets:
                base, number = self._value(state, to)
                times = rounds if factor == 1 else rounds + i32(factor) + I32_MUL
                state.cells[to] = self._new(base + times + I32_ADD if base else times), number
            cost = rounds + I64_EXTEND_I32_U + i64(steps) + I64_MUL
            cost += rounds + I32_EQZ + I64_EXTEND_I32_U + I64_ADD
            self._out += get(self._left) + cost + I64_SUB + put(self._left)
        state.cells[cell] = b"", 0

    def _finish(self, state: _State) -> None:
        """Append the end of a path."""
        if (
            state.at
            or state.cost > _MOST_STEPS
            or any(self._value(state, cell) != (b"", 0) for cell in self.zeros)
        ):
            raise Unsuited
        self.most = max(self.most, state.cost + state.most + 1)
        self._out += get(self._left) + i64(state.cost) + I64_SUB + put(self._left)
        changed = [
            cell
            for cell, value in state.cells.items()
            if cell not in self.zeros and value != (self._initial(cell), 0)
        ]
        for cell in changed:  # push all before storing any: values may depend on other cells
            self._out += self._sum(state.cells[cell])
        for cell in reversed(changed):
            self._out += put(self._variable(cell))
        self.changed.update(changed)
        self._out += self._masked((self._initial(0), 0)) + IF
        self._out += get(self._left) + i64(1) + I64_SUB + put(self._left)
        self._out += get(self._turn) + i64(1) + I64_ADD + put(self._turn)
        self._out += BR + unsigned(self._depth + 1) + END
        self._out += BR + unsigned(self._depth + 1)

    def _visit(self, low: int, high: int) -> None:
        self.low, self.high = min(self.low, low), max(self.high, high)

    def _value(self, state: _State, cell: int) -> Value:
        found = state.cells.get(cell)
        if found is None:
            found = state.cells[cell] = (b"" if cell in self.zeros else self._initial(cell)), 0
        return found

    def _initial(self, cell: int) -> bytes:
        return get(self._variable(cell))

    def _variable(self, cell: int) -> int:
        if cell not in self.variables:
            if len(self.variables) == _MOST_CELLS:
                raise Unsuited
            self.variables[cell] = self.locals
            self.locals += 1
        return self.variables[cell]

    def _new(self, code: bytes) -> bytes:
        """Append code that stores a number in a new variable; return the variable."""
        self._out += code + put(self.locals)
        self.locals += 1
        return get(self.locals - 1)

    def _reduced(self, number: int) -> int:
        """Return the number of smallest magnitude that is equal modulo the size of a cell."""
        number &= self._mask
        return number - self._mask - 1 if number > self._mask >> 1 else number

    def _sum(self, value: Value) -> bytes:
        code, number = value
        if not code:
            return i32(number)
        return code + i32(number) + I32_ADD if number else code

    def _masked(self, value: Value) -> bytes:
        code = self._sum(value)
        return code if self._mask >> 31 else code + i32(self._mask) + I32_AND
