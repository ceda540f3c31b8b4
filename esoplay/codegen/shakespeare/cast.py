"""The assignment of characters to variables, arrays, frequent constants and temporary values.

A variable is a character.  An array is a row on the stacks of two characters: the first n elements
and the remaining ones; n is the value of a third character.  If there are too many variables or
arrays, the least used ones share a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from esoplay.codegen.ir import (
    Append,
    IrProgram,
    Number,
    PrintByte,
    Read,
    Statement,
    Value,
    count_uses,
    names_in,
    statements,
    upper_bound,
    values_in,
    walk_values,
)
from esoplay.codegen.shakespeare.vocabulary import Vocabulary, cast_in_order

MAX_ASCII = 127
SURROGATE_BASE = 0xDC00
"""The offset that ``surrogateescape`` adds to a byte that is not UTF-8: 0x80 becomes U+DC80."""

_MAX_ARRAYS = 12  # maximum number of arrays with their own characters
_MAX_VARIABLES = 72  # the same for variables
_MAX_CONSTANTS = 16  # the same for constants
_LONG_CONSTANT = 28  # length of a phrase from which a constant gets a character
_MIN_USES = 3


@dataclass(slots=True)
class StackRow:
    """Elements on the stacks of two characters, with a third character as counter.

    The first n elements are on the stack of ``before`` and all others on the stack of ``after``; n
    is the value of ``counter``.
    """

    before: str
    after: str
    counter: str
    length: int


class Cast:
    """The characters of a play.

    slots: for each array, and each variable without its own character, the row in which it is
    stored and its position in the row.
    """

    def __init__(self, program: IrProgram):
        self._free = cast_in_order()
        self._program = program
        self.descriptions: dict[str, str] = {}
        self.characters: dict[str, str] = {}
        self.slots: dict[str, tuple[StackRow, int]] = {}
        self.rows: list[StackRow] = []
        self.constants: dict[int, str] = {}
        self._unused: list[str] = []
        uses = count_uses(program)
        variables = sorted(program.variables, key=lambda name: -uses[name])
        for name in variables[:_MAX_VARIABLES]:
            self.characters[name] = self._assign_character(f"who plays {self.label(name)}")
        self._assign_rows(
            sorted(program.arrays, key=lambda name: -uses[name]), variables[_MAX_VARIABLES:]
        )
        self._assign_constants()

    def label(self, name: str) -> str:
        """Return the source's name for a variable or an array."""
        return self._program.labels.get(name, name)

    def take_character(self) -> str:
        """Allocate a character for a temporary value; ``free_characters`` frees it."""
        if self._unused:
            return self._unused.pop()
        return self._assign_character("who bears what is asked for between times")

    def free_characters(self, characters: list[str]) -> None:
        """Release characters for other temporary values, and clear the list ``characters``."""
        self._unused += reversed(characters)
        characters.clear()

    def stack_character(self) -> str:
        """Return the character whose stack stores temporary values."""
        if "~keeper" not in self.characters:
            self.characters["~keeper"] = self._assign_character("who remembers what others forget")
        return self.characters["~keeper"]

    def _assign_character(self, description: str) -> str:
        name = self._free.pop(0)
        self.descriptions[name] = description
        return name

    def _new_row(self, purpose: str, length: int) -> StackRow:
        row = StackRow(
            self._assign_character(f"who remembers what lies behind in {purpose}"),
            self._assign_character(f"who remembers what lies ahead in {purpose}"),
            self._assign_character(f"who knows the place in {purpose}"),
            length,
        )
        self.rows.append(row)
        return row

    def _assign_rows(self, arrays: list[str], variables: list[str]) -> None:
        lengths = {name: array.length for name, array in self._program.arrays.items()}
        for name in arrays[:_MAX_ARRAYS]:
            self.slots[name] = (self._new_row(self.label(name), lengths[name]), 0)
        shared = [*variables, *arrays[_MAX_ARRAYS:]]
        if not shared:
            return
        row = self._new_row("all the rest", 0)
        for name in shared:
            self.slots[name] = (row, row.length)
            row.length += lengths.get(name, 1)

    def _assign_constants(self) -> None:
        uses = Counter(
            number for one in statements(self._program.body) for number in _constants(one)
        )
        words = Vocabulary()
        wanted = sorted(uses, key=lambda number: (-uses[number], number))
        for number in wanted:
            total_length = uses[number] * len(words.number(number))
            often = uses[number] >= _MIN_USES and total_length >= _MIN_USES * _LONG_CONSTANT
            if (often or number == SURROGATE_BASE) and len(self.constants) < _MAX_CONSTANTS:
                self.constants[number] = self._assign_character(f"who is always {number}")


def _constants(statement: Statement) -> Iterator[int]:
    if isinstance(statement, Append):
        yield 10
    elif isinstance(statement, Read):
        yield SURROGATE_BASE
    elif isinstance(statement, PrintByte) and upper_bound(statement.value) > MAX_ASCII:
        yield from (MAX_ASCII + 1, SURROGATE_BASE)
    for value in values_in(statement):
        for part in walk_values(value):
            if isinstance(part, Number):
                yield part.value


def count_fetches(values: list[Value], slots: Mapping[str, tuple[StackRow, int]]) -> Counter[str]:
    """For each row of stacks, count how often ``values`` read one of its elements.

    A row is represented by the name of the character that is its counter.  slots: as in ``Cast``.
    """
    return Counter(
        slots[name][0].counter for value in values for name in names_in(value) if name in slots
    )
