"""Values and conditions of statements: bytes and flags in scratch cells, ints in lanes."""

from __future__ import annotations

from esoplay.codegen.brainfuck import arithmetic, long_arithmetic
from esoplay.codegen.brainfuck.arithmetic import DIGITS, IntLane, Operand
from esoplay.codegen.brainfuck.layout import BASE, Records
from esoplay.codegen.brainfuck.tape_builder import TapeBuilder
from esoplay.codegen.ir import (
    And,
    Binary,
    Compare,
    Condition,
    Convert,
    Element,
    Not,
    Number,
    Or,
    Value,
    VariableRef,
)

_POWERS = {10**power: power for power in range(1, DIGITS)}


class ValueWriter:
    """A writer of code that computes values; see :class:`TapeBuilder` for the tape."""

    def __init__(self, tape: TapeBuilder):
        self._tape = tape
        self._writer = tape.writer
        self._cells = tape.cells
        self._slices = tape.slices

    # Bytes

    def byte(self, value: Value) -> int:
        """Write code that computes a byte; return the scratch cell that will contain it."""
        match value:
            case Number(number):
                return self._cells.constant(number)
            case Convert(inner):
                operand = self.lane(inner)
                cell = arithmetic.to_byte(self._cells, self._slices, operand)
                self.release(operand)  # the higher digits are 0
                return cell
            case Binary("*", left, Number(factor)) | Binary("*", Number(factor), left):
                cell, product = self.byte(left), self._cells.pool.take()
                self._writer.move(cell, (product, factor))
                self._cells.pool.free(cell)
                return product
            case Binary("*", left, right):
                return self._cells.product(self.byte(left), self.byte(right))
            case _:
                cell = self._cells.pool.take()
                self.add_byte(value, cell)
                return cell

    def add_byte(self, value: Value, cell: int, sign: int = 1) -> None:
        """Add a byte to a cell, or subtract it if ``sign`` is -1."""
        match value:
            case Number(number) if number <= 15:
                self._writer.add(cell, sign * number)
            case Number(number) if sign == 1:
                self._cells.add_constant(cell, number)
            case Element(array, index):
                self._add_element_value(array, index, cell, sign)
            case Binary("//" | "%" as operator, left, right):
                self._add_division(operator, left, right, cell, sign)
            case VariableRef(name):
                spare = self._cells.pool.take()
                self._writer.copy(self._tape.byte(name).cell, [(cell, sign)], spare)
                self._cells.pool.free(spare)
            case Binary("+" | "-" as operator, left, right):
                self.add_byte(left, cell, sign)
                self.add_byte(right, cell, sign if operator == "+" else -sign)
            case _:
                found = self.byte(value)
                self._writer.move(found, (cell, sign))
                self._cells.pool.free(found)

    def _add_division(self, operator: str, left: Value, right: Value, cell: int, sign: int) -> None:
        self.put((left, self._cells.number), (right, self._cells.right))
        quotient, rest = self._cells.divide()
        wanted, other = (quotient, rest) if operator == "//" else (rest, quotient)
        self._writer.move(wanted, (cell, sign))
        self._writer.clear(other)

    def put(self, *pairs: tuple[Value, int]) -> None:
        """Put the byte of each pair's expression into the pair's cell, which must be 0 before.

        All bytes are computed before the first one is put, because computations may use the cells.
        """
        found = [
            None if isinstance(value, Number | VariableRef) else self.byte(value)
            for value, _ in pairs
        ]
        for (value, cell), source in zip(pairs, found, strict=True):
            if source is None:
                self.add_byte(value, cell)
            else:
                self._writer.move(source, cell)
                self._cells.pool.free(source)

    def set_index(self, records: Records, index: Value) -> None:
        """Put the index of an element into the cells in which an element access expects it.

        These are the cells ``near`` and ``far`` of ``records``.
        """
        match index, records.far:
            case _, None:
                self.put((index, records.near))
            case Number(number), far:
                far_steps, near_steps = divmod(number, records.shape.stride)
                self._cells.add_constant(far, far_steps)
                self._cells.add_constant(records.near, near_steps)
            case _, far:
                self.put((index, self._cells.number))
                self._tape.split_index(records, far)

    def _add_element_value(self, array: str, index: Value, cell: int, sign: int) -> None:
        records = self._tape.records(array)
        self.set_index(records, index)
        records.fetch(array)
        for power, value_cell in enumerate(records.value_cells):
            self._writer.move(value_cell, (cell, sign * BASE**power))

    # Ints

    def operand(self, value: Value) -> Operand:
        """Return an int as an operand; the caller releases it."""
        return value.value if isinstance(value, Number) else self.lane(value)

    def lane(self, value: Value) -> IntLane:
        """Return the lane that holds an int: the lane of a variable, or a scratch lane to release.

        The cells with the digits of one int are a lane.
        """
        if isinstance(value, VariableRef):
            return IntLane(value.name, owned=False)
        lane = self._slices.pool.take()
        self.set_int(lane, value)
        return IntLane(lane, owned=True)

    def release(self, *operands: Operand) -> None:
        """Make the scratch lanes of operands available again, after the last use of the operands.

        Constants and the lanes of variables are ignored.
        """
        for operand in operands:
            if isinstance(operand, IntLane) and operand.owned:
                self._slices.pool.free(operand.name)

    def set_int(self, lane: str, value: Value) -> None:
        """Compute an int into a lane that is 0 and that the value does not use."""
        slices = self._slices
        match value:
            case Number(number):
                slices.add_constant(lane, number)
            case VariableRef(name):
                slices.copy(IntLane(name, owned=False), lane)
            case Convert(inner):
                self.put((inner, self._cells.number))
                arithmetic.from_byte(self._cells, slices, lane)
            case Element(array, index):
                self._int_element(lane, array, index)
            case Binary("-", Number(0), right):
                self.set_int(lane, right)
                arithmetic.negate(slices, lane)
            case Binary("+", Number() as left, right):
                self.set_int(lane, right)
                arithmetic.add(slices, lane, left.value)
            case Binary("+" | "-" | "%" | "//" as operator, left, right):
                self.set_int(lane, left)
                self.change(lane, operator, right)
            case Binary("*", Number() as left, right):
                self._set_product(lane, right, left)
            case Binary(_, left, right):
                self._set_product(lane, left, right)

    def change(self, lane: str, operator: str, right: Value) -> None:
        """Compute ``lane operator= right`` for the operators +, -, // and %.

        lane: the name of the cells that hold an int.  For // and % the right operand must not
        use the lane.
        """
        slices = self._slices
        match operator, right:
            case "+" | "-", _:
                operand = self.operand(right)
                (arithmetic.add if operator == "+" else arithmetic.subtract)(slices, lane, operand)
                self.release(operand)
            case "//", Number(1):
                pass
            case "//", Number(number) if number in _POWERS:
                for _ in range(_POWERS[number]):
                    slices.shift_down(lane)
            case "//", Number(number) if _factors(number):
                for factor in _factors(number):
                    self._writer.clear(long_arithmetic.divide_by_digit(slices, lane, factor))
            case "//", _:
                divisor, quotient = self.lane(right), slices.pool.take()
                long_arithmetic.divide(self._cells, slices, lane, divisor, quotient)
                self.release(divisor)
                slices.clear(lane)
                slices.copy(IntLane(quotient, owned=True), lane)
                slices.pool.free(quotient)
            case _, Number(1):
                slices.clear(lane)
            case _, Number(2 | 5 | 10 as number):
                rest = long_arithmetic.remainder_from_lowest_digit(
                    slices, IntLane(lane, owned=False), number
                )
                slices.clear(lane)
                self._writer.move(rest, slices.cell(lane))
            case _, Number(number) if 2 <= number <= 9:
                rest = long_arithmetic.divide_by_digit(slices, lane, number)
                slices.clear(lane)
                self._writer.move(rest, slices.cell(lane))
            case _, Number(number) if number in _POWERS:
                for place in range(_POWERS[number], DIGITS):
                    self._writer.clear(slices.cell(lane, place))
            case _:
                divisor = self.lane(right)
                long_arithmetic.divide(self._cells, slices, lane, divisor, None)
                self.release(divisor)

    def _set_product(self, lane: str, left: Value, right: Value) -> None:
        slices = self._slices
        match right:
            case Number(number) if number in _POWERS:
                self.set_int(lane, left)
                for _ in range(_POWERS[number]):
                    slices.shift_up(lane)
            case Number(2):
                self.set_int(lane, left)
                arithmetic.add(slices, lane, IntLane(lane, owned=False))
            case _:
                first, second = slices.pool.take(), slices.pool.take()
                self.set_int(first, left)
                self.set_int(second, right)
                positive = isinstance(right, Number) and right.value >= 0
                long_arithmetic.multiply(self._cells, slices, first, second, lane, positive)
                slices.pool.free(first, second)

    def _int_element(self, lane: str, array: str, index: Value) -> None:
        records = self._tape.records(array)
        self.set_index(records, index)
        records.fetch(array)
        for place, value_cell in enumerate(records.value_cells):
            self._writer.move(value_cell, self._slices.cell(lane, place))
        arithmetic.fold(self._slices, lane)


def _factors(number: int) -> list[int]:
    """Return the fewest factors from 2 to 9 whose product is the number, or [] if none exist."""
    factors: list[int] = []
    for factor in range(9, 1, -1):
        while number % factor == 0 and number > 1:
            factors.append(factor)
            number //= factor
    return factors if number == 1 else []


# Conditions of statements, as flags in scratch cells.


class ConditionWriter:
    """A writer of code that computes conditions."""

    def __init__(self, tape: TapeBuilder, values: ValueWriter):
        self._tape = tape
        self._writer = tape.writer
        self._cells = tape.cells
        self._values = values

    def flag(self, condition: Condition, expected: bool = True) -> int:
        """Return a scratch cell with 1 if the condition equals ``expected``, else 0."""
        match condition:
            case Not(inner):
                return self.flag(inner, not expected)
            case And(first, second):
                return self._conjunction((first, True), (second, True), expected)
            case Or(first, second):
                return self._conjunction((first, False), (second, False), not expected)
            case Compare(relation, left, right):
                left, right = _as_bytes(left, right)
                if isinstance(left, Number) and isinstance(right, Number):
                    pair = left.value, right.value
                    holds = pair[0] < pair[1] if relation == "<" else pair[0] == pair[1]
                    return self._cells.constant(int(holds == expected))
                if relation == "==":
                    if isinstance(left, Number):
                        left, right = right, left
                    kind = self._equal_bytes if left.type == "byte" else self._equal_ints
                    return kind(left, right, expected)
                if isinstance(left, Number):  # n < x is the negation of x < n + 1
                    above = Number(left.value + 1, left.type)
                    left, right, expected = right, above, not expected
                kind = self._less_bytes if left.type == "byte" else self._less_ints
                return kind(left, right, expected)

    def _conjunction(
        self, first: tuple[Condition, bool], second: tuple[Condition, bool], value_if_true: bool
    ) -> int:
        """Return a flag: ``value_if_true`` if both conditions have their wanted results.

        Otherwise, the flag is the opposite.  Each condition is paired with its wanted result.  If
        ``first`` has the other result, the program does not compute ``second``.
        """
        result = self._cells.flags.take()
        if not value_if_true:
            self._writer.add(result, 1)
        flag = self.flag(*first)
        with self._writer.once(flag):
            then = self.flag(*second)
            self._writer.move(then, (result, 1 if value_if_true else -1))
            self._cells.pool.free(then)
        self._writer.move(result, flag)
        self._cells.flags.free(result)
        return flag

    def _equal_bytes(self, left: Value, right: Value, expected: bool) -> int:
        match left, right:
            case VariableRef(name), Number(number):
                return self._cells.equals_number(self._tape.byte(name), number, expected)
            case VariableRef(name), VariableRef(other) if name != other:
                return self._cells.equals_variable(
                    self._tape.byte(name), self._tape.byte(other), expected
                )
            case _:
                difference = self._values.byte(left)
                self._values.add_byte(right, difference, -1)
                return self._cells.flag(difference, not expected)

    def _less_bytes(self, left: Value, right: Value, expected: bool) -> int:
        match left, right:
            case _, Number(0):
                return self._cells.constant(int(not expected))
            case _, Number(1):
                return self._equal_bytes(left, Number(0, "byte"), expected)
            case _, Number(number) if number > 255:
                return self._cells.constant(int(expected))
            case _, Number(number):
                return self._cells.less_than_number(self._values.byte(left), number, expected)
            case VariableRef(name), VariableRef(other) if name != other:
                byte = self._tape.byte
                return self._cells.less_than_variable(byte(name), byte(other), expected)
            case _:
                self._values.put((left, self._cells.left), (right, self._cells.right))
                return self._cells.left_is_less(expected)

    def _equal_ints(self, left: Value, right: Value, expected: bool) -> int:
        one, other = self._values.lane(left), self._values.operand(right)
        found = arithmetic.differs(self._tape.slices, one, other)
        self._values.release(one, other)
        return self._move_to_scratch(found, not expected)

    def _less_ints(self, left: Value, right: Value, expected: bool) -> int:
        one, other = self._values.lane(left), self._values.operand(right)
        found = arithmetic.is_less(self._tape.slices, one, other)
        self._values.release(one, other)
        return self._move_to_scratch(found, expected)

    def _move_to_scratch(self, source: int, expected: bool) -> int:
        """Move a flag to a scratch cell, negated if not ``expected``; return the cell."""
        flag = self._cells.pool.take()
        if not expected:
            self._writer.add(flag, 1)
        self._writer.move(source, (flag, 1 if expected else -1))
        return flag


def _as_bytes(left: Value, right: Value) -> tuple[Value, Value]:
    """Return two values as bytes if both fit into a byte, else unchanged."""
    one, other = _as_byte(left), _as_byte(right)
    if one is None or other is None:
        return left, right
    return one, other


def _as_byte(value: Value) -> Value | None:
    match value:
        case Convert(inner, "int"):
            return inner
        case Number(number) if 0 <= number <= 255:
            return Number(number, "byte")
        case _:
            return value if value.type == "byte" else None
