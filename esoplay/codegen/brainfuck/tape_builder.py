"""The layer for writing Brainfuck: named bytes, ints and arrays, and their operations.

::

    from esoplay.codegen.brainfuck import Names, TapeBuilder, build


    def countdown(m: TapeBuilder) -> None:
        m.set_int("n", 12)
        with m.while_not_zero("n"):
            m.print_int("n")
            m.print_text(" ")
            m.add_int("n", -1)


    print(build(countdown, Names(ints=["n"])))
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from esoplay.codegen.brainfuck import arithmetic, long_arithmetic
from esoplay.codegen.brainfuck.arithmetic import DIGITS, IntLane, Operand, Slices, T
from esoplay.codegen.brainfuck.cells import Cells, NamedCell
from esoplay.codegen.brainfuck.layout import BASE, Names, Records, Scratch, TapeLayout
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.errors import LayerError, unknown_name_error

Index = int | str
"""An index: a constant, or the name of a byte."""

_AMPLE_SCRATCH = Scratch(60, 60, 60)
"""More scratch cells than any expression needs.

It is for the first of the two calls of a recipe, which counts the cells that the second needs.
"""


class TapeBuilder:
    """A program under construction, and its tape.

    For operations without a method here, use ``writer``, ``cells``, ``slices`` and the records.
    Scratch cells are 0 between operations.
    """

    def __init__(self, names: Names, scratch: Scratch = _AMPLE_SCRATCH):
        """Lay out the tape; :func:`build` determines the scratch cells that are needed."""
        layout = TapeLayout(names, scratch)
        self.writer = Writer()
        self.cells = Cells(self.writer, layout.work, layout.scratch_bytes, layout.flags)
        self.slices = Slices(self.writer, layout.slices, layout.lanes, layout.scratch_ints)
        self._bytes = layout.bytes
        self._ints = tuple(names.ints)
        self._byte_arrays = set(names.byte_arrays)
        self._arrays = (*names.byte_arrays, *names.int_arrays)
        self.byte_records = self.int_records = None
        left, right = layout.left_home, layout.right_home
        if layout.byte_shape:
            self.byte_records = Records(self.writer, layout.byte_shape, left, leftward=True)
        if layout.int_shape and layout.byte_shape:
            self.int_records = Records(self.writer, layout.int_shape, right, leftward=False)
        elif layout.int_shape:
            self.int_records = Records(self.writer, layout.int_shape, left, leftward=True)
        for cell in layout.ones:
            self.writer.add(cell, 1)
        self.cells.start()
        if layout.lanes:
            self.slices.start()

    def byte(self, name: str) -> NamedCell:
        """Return the cell of the byte variable ``name``."""
        found = self._bytes.get(name)
        if found is None:
            raise unknown_name_error("byte", name, self._bytes)
        return found

    def records(self, array: str) -> Records:
        """Return the region of records that holds the elements of an array."""
        for records in (self.byte_records, self.int_records):
            if records is not None and array in records.shape.arrays:
                return records
        raise unknown_name_error("array", array, self._arrays)

    # Bytes

    def read(self, name: str) -> None:
        """Read a character into a byte; 0 at the end of the input."""
        self.writer.read(self.byte(name).cell)

    def write(self, name: str) -> None:
        """Print a byte as a character."""
        self.writer.write(self.byte(name).cell)

    def set_byte(self, name: str, number: int) -> None:
        """Set a byte to a constant."""
        cell = self.byte(name).cell
        self.writer.clear(cell)
        self.cells.add_constant(cell, number)

    def add_byte(self, name: str, number: int) -> None:
        """Add a constant, which may be negative, to a byte."""
        self.writer.add(self.byte(name).cell, number)

    def print_text(self, text: str) -> None:
        """Print a text."""
        cell, now = self.cells.pool.take(), 0
        for code in _encode_text(text):
            if now and abs(code - now) > 30:
                self.writer.clear(cell)
                now = 0
            if now:
                self.writer.add(cell, code - now)
            else:
                self.cells.add_constant(cell, code)
            self.writer.write(cell)
            now = code
        self.writer.clear(cell)
        self.cells.pool.free(cell)

    # Ints

    def set_int(self, name: str, number: int) -> None:
        """Set an int to a constant."""
        self.slices.clear(name)
        self.slices.add_constant(name, number)

    def copy_int(self, name: str, source: str) -> None:
        """Set an int to the value of another int."""
        if source == name:
            return
        self.slices.clear(name)
        self.slices.copy(IntLane(source, owned=False), name)

    def byte_to_int(self, name: str, source: str) -> None:
        """Set an int to the value of a byte."""
        self.slices.clear(name)
        spare = self.cells.pool.take()
        self.writer.copy(self.byte(source).cell, [self.cells.number], spare)
        self.cells.pool.free(spare)
        arithmetic.from_byte(self.cells, self.slices, name)

    def add_int(self, name: str, operand: int | str) -> None:
        """Add a constant or an int to an int."""
        arithmetic.add(self.slices, name, _operand(operand))

    def subtract_int(self, name: str, operand: int | str) -> None:
        """Subtract a constant or an int from an int."""
        arithmetic.subtract(self.slices, name, _operand(operand))

    def multiply_int(self, name: str, other: str) -> None:
        """Multiply an int in place by an int."""
        left, right = self.slices.pool.take(), self.slices.pool.take()
        self.slices.copy(IntLane(name, owned=False), left)
        self.slices.copy(IntLane(other, owned=False), right)
        self.slices.clear(name)
        long_arithmetic.multiply(self.cells, self.slices, left, right, name)
        self.slices.pool.free(left, right)

    def divide_int(self, name: str, divisor: str, remainder: str) -> None:
        """Divide an int by ``divisor`` in place; set the int ``remainder`` to the remainder."""
        self.slices.clear(remainder)
        self.slices.copy(IntLane(name, owned=True), remainder)
        long_arithmetic.divide(
            self.cells, self.slices, remainder, IntLane(divisor, owned=False), name
        )

    def print_int(self, name: str) -> None:
        """Print an int in decimal."""
        arithmetic.write_int(self.cells, self.slices, IntLane(name, owned=False))

    # Arrays

    def get(self, target: str, array: str, index: Index) -> None:
        """Copy an element of an array to the variable ``target``, a byte or an int."""
        records = self.records(array)
        if array in self._byte_arrays:
            cell = self.byte(target).cell
            self.set_index(records, self._index(index))
            self.writer.clear(cell)
            targets = [(cell, BASE**power) for power in range(2)]
        else:
            self.slices.clear(target)
            self.set_index(records, self._index(index))
            targets = [(self.slices.cell(target, place), 1) for place in range(DIGITS)]
        records.fetch(array)
        for value_cell, aim in zip(records.value_cells, targets, strict=True):
            self.writer.move(value_cell, aim)
        if array not in self._byte_arrays:
            arithmetic.fold(self.slices, target)

    def put(self, array: str, index: Index, source: str) -> None:
        """Set an element of an array to the value of the byte or int ``source``."""
        records = self.records(array)
        self.set_index(records, self._index(index))
        if array in self._byte_arrays:
            spare = self.cells.pool.take()
            self.writer.copy(self.byte(source).cell, [self.cells.number], spare)
            self.cells.pool.free(spare)
            self.load_byte(records)
        else:
            self.load_int(records, IntLane(source, owned=False))
        records.store(array)

    def _index(self, index: Index) -> int:
        if isinstance(index, str):
            return self.cells.copy(self.byte(index).cell)
        return self.cells.constant(index)

    def set_index(self, records: Records, index: int) -> None:
        """Move the index of the element to access into the records' cells ``near`` and ``far``.

        index: the scratch cell that contains the index; it is freed.  Without ``far``, ``near``
        contains the whole index.
        """
        self.writer.move(index, records.near if records.far is None else self.cells.number)
        self.cells.pool.free(index)
        if records.far is not None:
            self.split_index(records, records.far)

    def split_index(self, records: Records, far: int) -> None:
        """Divide the index in ``cells.number`` by the stride; move the results to two cells.

        far: the records' cell for the quotient.  The remainder is moved to ``records.near``.
        """
        self.writer.add(self.cells.right, records.shape.stride)
        quotient, rest = self.cells.divide()
        self.writer.move(quotient, far)
        self.writer.move(rest, records.near)

    def load_byte(self, records: Records) -> None:
        """Move the byte in ``cells.number``, as two digits, to ``records.value_cells``."""
        self.writer.add(self.cells.right, BASE)
        quotient, rest = self.cells.divide()
        low, high = records.value_cells
        self.writer.move(quotient, high)
        self.writer.move(rest, low)

    def load_int(self, records: Records, lane: IntLane) -> None:
        """Copy the digits of an int to ``records.value_cells``; an owned lane becomes 0.

        An owned lane is a scratch lane; see :class:`IntLane`.  The copied digits are recoded
        by ``arithmetic.fold``, so that ints near 0 have small digits.
        """
        arithmetic.fold(self.slices, lane.name)
        for place, value_cell in enumerate(records.value_cells):
            source = self.slices.cell(lane.name, place)
            if lane.owned:
                self.writer.move(source, value_cell)
            else:
                self.writer.copy(source, [value_cell], self.slices.cell(T, place))
        if not lane.owned:
            arithmetic.fold(self.slices, lane.name)

    # Conditions

    @contextmanager
    def while_not_zero(self, name: str) -> Generator[None]:
        """Repeat the code written in the ``with`` block while a byte or an int is not 0."""
        if name in self._bytes:
            with self.writer.loop(self.byte(name).cell):
                yield
            return
        flag = self.cells.flags.take()
        self._add_if_different(name, 0, flag)
        with self.writer.once(flag):
            yield
            self._add_if_different(name, 0, flag)
        self.cells.flags.free(flag)

    @contextmanager
    def if_equals(self, name: str, number: int) -> Generator[None]:
        """Run the code written in the ``with`` block if a byte or an int equals a constant."""
        if name in self._bytes:
            flag = self.cells.equals_number(self.byte(name), number, expected=True)
        else:
            flag = self.cells.constant(1)
            self._add_if_different(name, number, flag, -1)
        with self.writer.once(flag):
            self.cells.pool.free(flag)
            yield

    @contextmanager
    def if_less(self, name: str, other: int | str) -> Generator[None]:
        """Run the code written in the ``with`` block if an int is less than ``other``."""
        flag = self.cells.pool.take()
        lane = IntLane(name, owned=False)
        self.writer.move(arithmetic.is_less(self.slices, lane, _operand(other)), flag)
        with self.writer.once(flag):
            self.cells.pool.free(flag)
            yield

    def _add_if_different(self, name: str, number: int, flag: int, sign: int = 1) -> None:
        """Add ``sign`` to the cell ``flag`` if the int ``name`` does not equal ``number``."""
        found = arithmetic.differs(self.slices, IntLane(name, owned=False), number)
        self.writer.move(found, (flag, sign))


def _encode_text(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise LayerError(f"{text[error.start]!r} is not a byte, so it cannot be printed") from None


def _operand(operand: int | str) -> Operand:
    return operand if isinstance(operand, int) else IntLane(operand, owned=False)


def build(recipe: Callable[[TapeBuilder], None], names: Names) -> str:
    """Call a recipe with a tape builder, and return the program that it writes.

    The recipe is called twice: first to count the scratch cells that it needs, then to write.
    names: the variables and arrays of the program.
    """
    return run_recipe(recipe, names).writer.text


def run_recipe(recipe: Callable[[TapeBuilder], None], names: Names) -> TapeBuilder:
    """Return a tape builder with the program of a recipe and only the scratch cells it needs."""
    first = TapeBuilder(names)
    recipe(first)
    cells, slices = first.cells, first.slices
    second = TapeBuilder(
        names, Scratch(cells.pool.max_taken, cells.flags.max_taken, slices.pool.max_taken)
    )
    recipe(second)
    return second
