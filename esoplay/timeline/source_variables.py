"""The values of a generator's variables, read from the places in a source map."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from esolangs.machine import Machine
from esolangs.numbers import abbreviate
from esolangs.stops import Address, Slot
from esolangs.view import Number, Stack, Value
from esoplay.codegen.generated import TreePath, VariablePlace, parse_slot, parse_tree_path
from esoplay.errors import ConditionError, UsageError
from esoplay.timeline.conditions import Condition
from esoplay.timeline.states import MachineState, stacks_by_key

# Variables of a program whose state is one value, such as generated Unlambda.
#
# The state is a tree of pairs ``\f. f a b``, with variables and arrays as its leaves.  The path to
# a leaf is a string of ``K`` for the first half of a pair and ``F`` for the second.
# ``docs/codegen/unlambda.md`` describes numbers and arrays; ``esoplay/codegen/unlambda`` generates
# them.

_MAX_BITS = 1 << 16  # longer numbers are not decoded


class VariableState:
    """The variables of a program whose whole state is one value, such as generated Unlambda.

    Parts of the state that variables share are decoded once.
    """

    def __init__(self, state: Value) -> None:
        self._halves = {"": state}
        self._nodes: dict[int, tuple[Value, ...]] = {}
        self._numbers: dict[int, int | None] = {}

    def number(self, path: TreePath) -> int | None:
        """Return the value of a variable or an element, or None if it is not a valid number."""
        part = self._leaf(path.choices)
        if part is not None and path.element is not None:
            part = self._element(part, path.element)
        if part is None:
            return None
        if part.identity not in self._numbers:
            self._numbers[part.identity] = _number(part)
        return self._numbers[part.identity]

    def _leaf(self, choices: str) -> Value | None:
        if choices in self._halves:
            return self._halves[choices]
        parent = self._leaf(choices[:-1])
        pair = () if parent is None else _tuple_operands(parent, 2)
        if not pair:
            return None
        first, second = pair
        self._halves[choices[:-1] + "K"], self._halves[choices[:-1] + "F"] = first, second
        return self._halves[choices]

    def _element(self, array: Value, index: int) -> Value | None:
        while True:
            node = self._nodes.get(array.identity)
            if node is None:
                node = self._nodes[array.identity] = _tuple_operands(array, 3)
            if not node:
                return None
            if not index:
                return _constant(node[0])
            array, index = node[1 if index & 1 else 2], index >> 1


def _number(value: Value) -> int | None:
    r"""Decode a number from its bits, lowest first; return None if it is invalid.

    Bit 0 is ``K (K (\x. x rest))`` and bit 1 is ``K (\x. K (x rest))``, where ``rest`` contains the
    higher bits; after the last bit, ``\e. K (K (e sign))`` contains the sign.
    """
    bits: list[str] = []
    while len(bits) < _MAX_BITS:
        behind = _constant(value)
        if behind is None:
            return _number_from_bits(bits, value)
        inner = _constant(behind)
        held = _composed_function(behind) if inner is None else inner
        rest = () if held is None else _tuple_operands(held, 1)
        if not rest:
            return None
        bits.append("1" if inner is None else "0")
        value = rest[0]
    return None


def _number_from_bits(bits: list[str], sign: Value) -> int | None:
    """Return the number with these bits, lowest first; None if ``sign`` is invalid."""
    once = _composed_function(sign)
    twice = None if once is None else _composed_function(once)
    last = () if twice is None else _tuple_operands(twice, 1)
    if not last:
        return None
    high = int("".join(reversed(bits)) or "0", 2)
    if last[0].head == "k" and not last[0].parts:
        return high - (1 << len(bits))
    zero = _constant(last[0])
    return high if zero is not None and zero.head == "i" else None


def _constant(value: Value) -> Value | None:
    """Return ``x`` if ``value`` is `` `kx``, else None."""
    parts = value.parts
    return parts[0] if len(parts) == 1 and value.head == "k" else None


def _composed_function(value: Value) -> Value | None:
    r"""Return ``f`` if ``value`` is ``s (K K) f``, which is ``\x. K (f x)``; else None."""
    parts = value.parts
    if len(parts) != 2:
        return None
    outer = _constant(parts[0])
    return parts[1] if outer is not None and outer.head == "k" and not outer.parts else None


def _tuple_operands(value: Value, count: int) -> tuple[Value, ...]:
    r"""Return ``(a, b, …)`` if ``value`` is ``s (… (s I (K a)) …) (K b)``; else ().

    Such a value is the tuple ``\f. f a b …`` with ``count`` operands.
    """
    operands: list[Value] = []
    for _ in range(count):
        parts = value.parts
        held = _constant(parts[1]) if len(parts) == 2 else None
        if held is None:
            return ()
        operands.append(held)
        value = parts[0]
    return tuple(reversed(operands)) if value.head == "i" else ()


_CELL = re.compile(r"\s*cell\[\s*(-?\d{1,18}(?:\s*,\s*-?\d{1,18}){0,2})\s*\]\s*", re.ASCII)
_ONE_NUMBER_KINDS = ("number", "slots", "part")
"""The kinds of places with one number, which is shown with its character if it has one."""
_CHARACTER_ESCAPES = {9: r"'\t'", 10: r"'\n'", 13: r"'\r'"}


@dataclass(frozen=True, slots=True)
class SourceVariable:
    """A variable of the source, or an element of an array, such as ``a[0]``.

    ``value`` is None while the variable's cells do not contain a valid value, which can happen
    within a statement. ``text`` is the value for display, such as ``65 'A'``; without a value, the
    content of the cells. ``cells`` are expressions of the condition language for its cells; empty
    if the variable is on a stack, or in a state that is one value.
    """

    name: str
    value: int | None
    text: str
    cells: tuple[str, ...]


class _Cell(NamedTuple):
    """A cell with a constant address; reading it is faster than evaluating a Condition."""

    address: Address

    @property
    def constant_cells(self) -> set[Address]:
        return {self.address}

    def value(self, state: MachineState) -> int:
        return state.peek(self.address)


class SourceValues:
    """Reads the variables of one source map; the places of the variables are parsed once.

    ``has_parts``: whether any variable is in a state that is one value. ``unset_cells``: cells that
    contain program text before their variable is set.
    """

    def __init__(
        self,
        variables: Mapping[str, VariablePlace],
        registers: Sequence[str],
        statement_at: Callable[[Address], int | None],
    ) -> None:
        """Parse the places in which the program keeps its variables.

        variables: the place of each variable by its name.
        statement_at: returns the source statement of an instruction.
        """
        self._statement_at = statement_at
        self._cells: dict[str, list[_Cell | Condition]] = {}
        self._slots: dict[str, list[Slot]] = {}
        self._tree_paths: dict[str, TreePath] = {}
        self._places: dict[str, VariablePlace] = {}
        self._unset: dict[str, frozenset[Address]] = {}
        for name, place in variables.items():
            try:
                if place.kind == "part":
                    self._tree_paths[name] = parse_tree_path(place.cells[0])
                elif place.kind == "slots":
                    self._slots[name] = [Slot(*parse_slot(each)) for each in place.cells]
                else:
                    self._cells[name] = [_parse_cell(cell, registers) for cell in place.cells]
            except ConditionError:
                continue  # invalid as a cell in this language
            self._places[name] = place
            if place.unset is not None and name in self._cells:
                cells = (each.constant_cells for each in self._cells[name])
                self._unset[name] = frozenset[Address]().union(*cells)
        levels = [slot.level for slots in self._slots.values() for slot in slots]
        self._highest = max(levels, default=-1)
        self.has_parts = bool(self._tree_paths)
        self.unset_cells = frozenset[Address]().union(*self._unset.values())

    def read(
        self, machine: Machine, parts_machine: Machine | None, unwritten: AbstractSet[Address]
    ) -> tuple[SourceVariable, ...]:
        """Return all variables of the source with their values in the state of ``machine``.

        If the program keeps all variables in one value, they are read from ``parts_machine``
        instead: a machine at a step at which this value is complete, or None if no such step was
        found. ``unwritten``: the cells in ``unset_cells`` that no step has written.
        """
        state = MachineState(machine)
        stacks = stacks_by_key(machine, self._highest + 1) if self._slots else {}
        operand = None if parts_machine is None else parts_machine.operand()
        parts = None if operand is None else VariableState(operand)
        found: list[SourceVariable] = []
        for name, place in self._places.items():
            if name in self._cells:
                is_unset = name in self._unset and self._unset[name] <= unwritten
                held = [at.value(state) for at in self._cells[name]]
                found.append(
                    _variable_in_cells(name, place, encode_value(place, 0) if is_unset else held)
                )
            elif name in self._slots:
                found.append(
                    _variable_without_cells(
                        name, place, _first_stack_value(self._slots[name], stacks)
                    )
                )
            else:
                value = None if parts is None else parts.number(self._tree_paths[name])
                found.append(_variable_without_cells(name, place, value))
        return tuple(found)

    @property
    def names(self) -> Collection[str]:
        """The names of all variables and elements that can be shown."""
        return self._places.keys()

    def number(self, name: str, machine: Machine) -> int:
        """Return the value that a condition uses for a variable; 0 if it has no integer value.

        In Befunge-98, a variable in a single cell has the value of the program's character there
        until it is set.
        """
        place = self._places.get(name)
        if place is None:
            return 0
        value: Number | None = None
        if name in self._cells:
            state = MachineState(machine)
            held = [at.value(state) for at in self._cells[name]]
            is_unset = len(held) > 1 and all(each == place.unset for each in held)
            value = 0 if is_unset else decode_value(place, held)
        elif name in self._slots:
            value = _first_stack_value(self._slots[name], stacks_by_key(machine, self._highest + 1))
        elif self._statement_at(machine.location) is not None or machine.status == "halted":
            operand = machine.operand()
            value = (
                None if operand is None else VariableState(operand).number(self._tree_paths[name])
            )
        return value if isinstance(value, int) else 0


def decode_value(place: VariablePlace, contents: Sequence[int]) -> int | None:
    """Return the value that cells contain, or None if their content is invalid for the place."""
    if place.kind == "number":
        return contents[0] + place.offset
    is_decimal = place.kind in ("digits", "folded")
    base = 10 if is_decimal else place.base
    bounded = contents if is_decimal else contents[:-1]
    if any(not 0 <= digit < base for digit in bounded):
        return None
    if place.kind == "folded":
        contents = convert_folded(contents)
    value = sum(digit * base**at for at, digit in enumerate(contents))
    if is_decimal:
        whole = base ** len(contents)
        return value - whole if value >= whole // 2 else value
    return value + place.offset


def encode_value(place: VariablePlace, value: int) -> list[int]:
    """Return cell contents for a value; raise UsageError if the place cannot hold it."""
    if place.kind in ("slots", "part"):
        raise UsageError("the variable is not in a cell and cannot be changed")
    if place.kind == "number":
        return [value - place.offset]
    is_decimal = place.kind in ("digits", "folded")
    base, count = (10 if is_decimal else place.base), len(place.cells)
    whole = base**count
    low = -(whole // 2) if is_decimal else place.offset
    if not low <= value < low + whole:
        raise UsageError(f"expected {low} to {low + whole - 1}, found {value}")
    rest = value % whole if is_decimal else value - place.offset
    digits: list[int] = []
    for _ in range(count):
        rest, digit = divmod(rest, base)
        digits.append(digit)
    return convert_folded(digits) if place.kind == "folded" else digits


def convert_folded(digits: Sequence[int]) -> list[int]:
    """Convert decimal digits to the ``folded`` form (small digits for ints near 0), or back.

    The same operation works in both directions. :class:`VariablePlace` describes the form.
    """
    if not digits[-1]:
        return list(digits)
    return [*(9 - digit for digit in digits[:-1]), 10 - digits[-1]]


def place_addresses(place: VariablePlace) -> list[Address]:
    """Return the cells of a place; raise UsageError if any part of the place is not a cell."""
    found: list[Address] = []
    for cell in place.cells:
        address = _address(cell)
        if address is None:
            raise UsageError(f"{cell} is not a cell that can be changed")
        found.append(address)
    return found


def _address(cell: str) -> Address | None:
    match = _CELL.fullmatch(cell)
    if match is None:
        return None
    parts = tuple(map(int, match.group(1).split(",")))
    return parts[0] if len(parts) == 1 else parts


def _parse_cell(cell: str, registers: Sequence[str]) -> _Cell | Condition:
    """Parse the address of a cell; raise ConditionError if it is not a valid expression."""
    address = _address(cell)
    return Condition(cell, registers) if address is None else _Cell(address)


def _variable_in_cells(name: str, place: VariablePlace, contents: Sequence[int]) -> SourceVariable:
    value = decode_value(place, contents)
    if value is not None:
        return SourceVariable(name, value, _value_text(value, place), place.cells)
    text = " ".join(str(abbreviate(each)) for each in contents) + f" (no {place.kind})"
    return SourceVariable(name, None, text, place.cells)


def _variable_without_cells(
    name: str, place: VariablePlace, value: Number | None
) -> SourceVariable:
    """Return a variable that is not stored in cells."""
    if isinstance(value, int):
        return SourceVariable(name, value, _value_text(value, place), ())
    return SourceVariable(name, None, "not created yet" if value is None else value, ())


def _first_stack_value(slots: Sequence[Slot], stacks: Mapping[int, Stack]) -> Number | None:
    """Return the value of the first slot that exists, or None."""
    for slot in slots:
        stack = stacks.get(slot.stack)
        if stack is not None and slot.level < stack.depth:
            down = stack.depth - 1 - slot.level
            return stack.values[down] if down < len(stack.values) else None
    return None


def _value_text(value: int, place: VariablePlace) -> str:
    if place.kind not in _ONE_NUMBER_KINDS:
        return str(abbreviate(value))
    if 32 <= value < 127:
        return f"{value} {chr(value)!r}"
    return (
        f"{value} {_CHARACTER_ESCAPES[value]}"
        if value in _CHARACTER_ESCAPES
        else str(abbreviate(value))
    )
