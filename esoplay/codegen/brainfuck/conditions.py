"""Conditions of the statements, as flags in cells of scratch."""

from __future__ import annotations

from esoplay.codegen.brainfuck import arithmetic
from esoplay.codegen.brainfuck.machine import Machine
from esoplay.codegen.brainfuck.values import Values
from esoplay.codegen.ir import (
    Both,
    Compare,
    Condition,
    Convert,
    Either,
    Not,
    Number,
    Value,
    Variable,
)


class Conditions:
    """Writes what looks at values."""

    def __init__(self, machine: Machine, values: Values):
        self._machine = machine
        self._writer = machine.writer
        self._cells = machine.cells
        self._values = values

    def flag(self, condition: Condition, yes: bool = True) -> int:
        """A cell of scratch with 1 if the condition holds, or does not if not ``yes``, else 0."""
        match condition:
            case Not(inner):
                return self.flag(inner, not yes)
            case Both(first, second):
                return self._both((first, True), (second, True), yes)
            case Either(first, second):
                return self._both((first, False), (second, False), not yes)
            case Compare(relation, left, right):
                left, right = _as_bytes(left, right)
                if isinstance(left, Number) and isinstance(right, Number):
                    pair = left.value, right.value
                    holds = pair[0] < pair[1] if relation == "<" else pair[0] == pair[1]
                    return self._cells.constant(int(holds == yes))
                if relation == "==":
                    if isinstance(left, Number):
                        left, right = right, left
                    kind = self._equal_bytes if left.type == "byte" else self._equal_ints
                    return kind(left, right, yes)
                if isinstance(left, Number):  # n < x means that x < n + 1 does not hold
                    above = Number(left.value + 1, left.type)
                    left, right, yes = right, above, not yes
                kind = self._less_bytes if left.type == "byte" else self._less_ints
                return kind(left, right, yes)

    def _both(
        self, first: tuple[Condition, bool], second: tuple[Condition, bool], yes: bool
    ) -> int:
        """Whether both hold, or do not hold, as asked; the second is looked at after the first."""
        held = self._cells.flags.take()
        if not yes:
            self._writer.add(held, 1)
        flag = self.flag(*first)
        with self._writer.once(flag):
            then = self.flag(*second)
            self._writer.move(then, (held, 1 if yes else -1))
            self._cells.pool.free(then)
        self._writer.move(held, flag)
        self._cells.flags.free(held)
        return flag

    def _equal_bytes(self, left: Value, right: Value, yes: bool) -> int:
        match left, right:
            case Variable(name), Number(number):
                return self._cells.equals(self._machine.byte(name), number, yes)
            case Variable(name), Variable(other) if name != other:
                return self._cells.equal(self._machine.byte(name), self._machine.byte(other), yes)
            case _:
                difference = self._values.byte(left)
                self._values.add_byte(right, difference, -1)
                return self._cells.flag(difference, not yes)

    def _less_bytes(self, left: Value, right: Value, yes: bool) -> int:
        match left, right:
            case _, Number(0):
                return self._cells.constant(int(not yes))
            case _, Number(1):
                return self._equal_bytes(left, Number(0, "byte"), yes)
            case _, Number(number) if number > 255:
                return self._cells.constant(int(yes))
            case _, Number(number):
                return self._cells.below(self._values.byte(left), number, yes)
            case Variable(name), Variable(other) if name != other:
                byte = self._machine.byte
                return self._cells.precedes(byte(name), byte(other), yes)
            case _:
                self._values.put((left, self._cells.lesser), (right, self._cells.other))
                return self._cells.less(yes)

    def _equal_ints(self, left: Value, right: Value, yes: bool) -> int:
        one, other = self._values.lane(left), self._values.operand(right)
        found = arithmetic.differs(self._machine.slices, one, other)
        self._values.release(one, other)
        return self._taken(found, not yes)

    def _less_ints(self, left: Value, right: Value, yes: bool) -> int:
        one, other = self._values.lane(left), self._values.operand(right)
        found = arithmetic.is_less(self._machine.slices, one, other)
        self._values.release(one, other)
        return self._taken(found, yes)

    def _taken(self, found: int, yes: bool) -> int:
        """Move a flag to scratch, turned round if not ``yes``."""
        flag = self._cells.pool.take()
        if not yes:
            self._writer.add(flag, 1)
        self._writer.move(found, (flag, 1 if yes else -1))
        return flag


def _as_bytes(left: Value, right: Value) -> tuple[Value, Value]:
    """The same values as bytes, if they are no more than that."""
    one, other = _byte_of(left), _byte_of(right)
    if one is None or other is None:
        return left, right
    return one, other


def _byte_of(value: Value) -> Value | None:
    match value:
        case Convert(inner, "int"):
            return inner
        case Number(number) if 0 <= number <= 255:
            return Number(number, "byte")
        case _:
            return value if value.type == "byte" else None
