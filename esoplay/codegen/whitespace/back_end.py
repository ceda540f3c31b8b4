"""A compiler from the intermediate representation to Whitespace; variables are heap cells."""

from __future__ import annotations

from collections.abc import Mapping

from esoplay.codegen.generated import Generated, SourceWording, Span, VariablePlace
from esoplay.codegen.ir import (
    And,
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Compare,
    Condition,
    Convert,
    Element,
    If,
    IrProgram,
    Not,
    Number,
    Or,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    SourceOrigin,
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
    count_uses,
    upper_bound,
)
from esoplay.codegen.whitespace.assembler import Assembler

_MAX_ASCII = 127


def generate(program: IrProgram, *, comments: bool = False) -> Generated:
    """Compile a program; see :class:`esoplay.codegen.generated.Generator`."""
    given = _assign_addresses(program)
    writer = _Writer(program, given, comments)
    writer.block(program.body)
    writer.finish()
    assembled = writer.code.assemble()
    spans = [
        Span(assembled.starts[start], assembled.ends[end - 1], origin, what)
        for start, end, origin, what in writer.marks
    ]
    return Generated(assembled.text, tuple(spans), _places(program, given))


class _Writer:
    """A writer of Whitespace code for statements.

    marks: for each statement its first instruction, the one after its last, its origin and its
    description.
    """

    def __init__(self, program: IrProgram, addresses: dict[str, int], comments: bool):
        self.code = Assembler()
        self.marks: list[tuple[int, int, SourceOrigin, str]] = []
        self._program = program
        self._addresses = addresses
        self._expressions = WhitespaceExpressions(self.code, addresses)
        self._routines = Routines(self.code)
        self._wording = SourceWording(program.labels)
        self._comments = comments

    def block(self, block: Block) -> None:
        for statement in block:
            what = self._wording.describe(statement)
            if self._comments:
                self.code.comment(what)
            start, at = self.code.length, len(self.marks)
            self._write(statement)
            if self.code.length > start:
                self.marks.insert(at, (start, self.code.length, statement.origin, what))

    def finish(self) -> None:
        """Write the end of the program and the routines after it."""
        self.code.end()
        self._routines.write(comments=self._comments)

    def _write(self, statement: Statement) -> None:
        code, expressions = self.code, self._expressions
        match statement:
            case Assign(name, value):
                code.push(self._addresses[name])
                expressions.push(value, VariableRef(name, self._program.variables[name]))
                code.store()
            case StoreElement(array, index, value):
                expressions.push_address(array, index)
                own = Element(array, index, self._program.arrays[array].type)
                expressions.push(value, own)
                code.store()
            case Clear(array):
                self._clear(array)
            case Append(name, digit):
                code.push(self._addresses[name])
                code.dup()
                code.retrieve()
                code.push(10)
                code.mul()
                expressions.push(digit)
                code.add()
                code.store()
            case Read(name):
                code.push(self._addresses[name])
                self._routines.read()
            case PrintByte(value):
                expressions.push(value)
                if upper_bound(value) <= _MAX_ASCII:
                    code.printc()
                else:
                    self._routines.print_byte()
            case PrintText(text):
                for character in text:
                    code.push(ord(character))
                    code.printc()
            case PrintInt(value):
                expressions.push(value)
                code.printn()
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    def _clear(self, array: str) -> None:
        """Write a loop that clears an array from its last element; the address is on the stack."""
        code, base = self.code, self._addresses[array]
        again = code.fresh_label("clear")
        code.push(base + self._program.arrays[array].length)
        code.label(again)
        code.push(1)
        code.sub()
        code.dup()
        code.push(0)
        code.store()
        code.dup()
        code.push(base)
        code.swap()
        code.sub()
        code.jn(again)
        code.discard()

    def _if(self, statement: If) -> None:
        """Write a branch; if its condition is an equality, its ``else`` block comes first."""
        code = self.code
        first, second, when = statement.then, statement.otherwise, False
        if not first or (second and _is_equality(statement.condition)):
            first, second, when = second, first, True
        end, other = code.fresh_label("end if"), code.fresh_label("else")
        self._expressions.jump(statement.condition, other if second else end, when=when)
        self.block(first)
        if second:
            code.jump(end)
            code.label(other)
            self.block(second)
        self._define_end_label(end)

    def _while(self, statement: While) -> None:
        """Write a loop with the condition after the body, so that each iteration has one jump."""
        code = self.code
        test, body = code.fresh_label("test"), code.fresh_label("while")
        if statement.body:
            code.jump(test)
            code.label(body)
            self.block(statement.body)
            self._define_end_label(test)
            self.block(statement.before)
        else:
            self._define_end_label(body)
            self.block(statement.before)
        self._expressions.jump(statement.condition, body, when=True)

    def _define_end_label(self, label: str) -> None:
        """Define a label after a statement, or reuse the label at the end of a nested statement.

        A reused label is removed from the span of the nested statement, because jumps of the outer
        statement use it too.
        """
        length = self.code.length
        self.code.label(label)
        if self.code.length > length:
            return
        for at in reversed(range(len(self.marks))):
            start, end, origin, what = self.marks[at]
            if end == length and start < end - 1:
                self.marks[at] = start, end - 1, origin, what
            elif end == length:
                del self.marks[at]


def _is_equality(condition: Condition) -> bool:
    """Return whether a condition is an equality, for which "jump if true" is the cheaper jump."""
    match condition:
        case Compare("==", _, _):
            return True
        case Not(Not(inner)):
            return _is_equality(inner)
        case _:
            return False


# Values go on the stack; conditions become jumps.


class WhitespaceExpressions:
    """A writer of values and conditions; ``addresses`` maps variables and arrays to cells."""

    def __init__(self, code: Assembler, addresses: Mapping[str, int]):
        self._code = code
        self._addresses = addresses
        self._operations = {
            "+": code.add,
            "-": code.sub,
            "*": code.mul,
            "//": code.div,
            "%": code.mod,
        }

    # Values

    def push(self, value: Value, addressed: Value | None = None) -> None:
        """Push a value; ``addressed`` is the variable or element whose address is on the stack."""
        code = self._code
        match value:
            case Number(number):
                code.push(number)
            case VariableRef() | Element() if value == addressed:
                code.dup()
                code.retrieve()
            case VariableRef(name):
                code.push(self._addresses[name])
                code.retrieve()
            case Element(array, index):
                self.push_address(array, index)
                code.retrieve()
            case Binary(operator, left, right):
                self.push(left, addressed)
                self.push(right)
                self._operations[operator]()
            case Convert(inner):
                self.push(inner, addressed)

    def push_address(self, array: str, index: Value) -> None:
        """Push the address of an element."""
        base = self._addresses[array]
        match index:
            case Number(number):
                self._code.push(base + number)
            case Binary("+" | "-" as operator, left, Number(number)):
                self.push(left)
                self._code.push(base + number if operator == "+" else base - number)
                self._code.add()
            case _:
                self.push(index)
                self._code.push(base)
                self._code.add()

    # Conditions

    def jump(self, condition: Condition, label: str, *, when: bool) -> None:
        """Jump to a label if the condition has the result ``when``."""
        match condition:
            case Not(inner):
                self.jump(inner, label, when=not when)
            case And(first, second) | Or(first, second):
                if when == isinstance(condition, Or):
                    self.jump(first, label, when=when)
                    self.jump(second, label, when=when)
                else:
                    past = self._code.fresh_label("past")
                    self.jump(first, past, when=not when)
                    self.jump(second, label, when=when)
                    self._code.label(past)
            case Compare("<", left, right):
                if when:
                    self._difference(left, right)
                else:
                    self._difference_minus_one(right, left)
                self._code.jn(label)
            case Compare(_, left, right) if when:
                self._difference(left, right)
                self._code.jz(label)
            case Compare(_, left, right):
                self._jump_if_different(left, right, label)

    def _difference(self, left: Value, right: Value) -> None:
        self.push(left)
        if not _is_zero(right):
            self.push(right)
            self._code.sub()

    def _difference_minus_one(self, left: Value, right: Value) -> None:
        """Push ``left - right - 1``, which is negative if ``left`` is at most ``right``."""
        if isinstance(left, Number):
            self._difference(Number(left.value - 1, left.type), right)
            return
        self.push(left)
        match right:
            case Number(number):
                if number != -1:
                    self._code.push(number + 1)
                    self._code.sub()
            case Binary("-", minuend, Number(1)):
                self.push(minuend)
                self._code.sub()
            case _:
                self.push(right)
                self._code.sub()
                self._code.push(1)
                self._code.sub()

    def _jump_if_different(self, left: Value, right: Value, label: str) -> None:
        code = self._code
        if _is_zero(right) and left.type == "byte":
            code.push(0)
            self.push(left)
            code.sub()
            code.jn(label)
            return
        same = code.fresh_label("same")
        self._difference(left, right)
        code.jz(same)
        code.jump(label)
        code.label(same)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Number) and value.value == 0


# Reading and printing of bytes; Whitespace reads and prints UTF-8 characters.
#
# A byte that is not UTF-8 is read as the character 0xDC00 + byte.  So a byte of 128 or more is
# printed as that character, which the output contains as a single byte.

SURROGATE_BASE = 0xDC00
"""Added to a byte that is not UTF-8; the sum is the code of the character that is read for it."""

READ = "read a byte"
PRINT = "print a byte"


class Routines:
    """The subroutines; each is written once, and only if it is called."""

    def __init__(self, code: Assembler):
        self._code = code
        self._called: set[str] = set()

    def read(self) -> None:
        """Pop an address and read a byte into it, 0 at the end of the input."""
        self._called.add(READ)
        self._code.call(READ)

    def print_byte(self) -> None:
        """Pop a byte and print it."""
        self._called.add(PRINT)
        self._code.call(PRINT)

    def write(self, *, comments: bool) -> None:
        """Append the subroutines that the program calls, after the instruction ``end``."""
        for name, body in ((READ, self._read), (PRINT, self._print)):
            if name in self._called:
                if comments:
                    self._code.comment(name)
                self._code.label(name)
                body()

    def _read(self) -> None:
        """Write the subroutine that stores a byte of the input in a cell, or 0 at the input's end.

        ``readc`` itself stores -1 at the end of the input.
        """
        code = self._code
        end, foreign = code.fresh_label("end of input"), code.fresh_label("no UTF-8")
        code.dup()
        code.readc()
        code.dup()
        code.retrieve()
        code.jn(end)
        code.dup()
        code.retrieve()
        code.push(SURROGATE_BASE)
        code.swap()
        code.sub()
        code.jn(foreign)
        code.discard()
        code.ret()
        code.label(foreign)
        code.dup()
        code.retrieve()
        code.push(SURROGATE_BASE)
        code.sub()
        code.store()
        code.ret()
        code.label(end)
        code.push(0)
        code.store()
        code.ret()

    def _print(self) -> None:
        code = self._code
        plain = code.fresh_label("a character of ASCII")
        code.dup()
        code.push(128)
        code.sub()
        code.jn(plain)
        code.push(SURROGATE_BASE)
        code.add()
        code.label(plain)
        code.printc()
        code.ret()


# The heap cells of variables and arrays.


def _assign_addresses(program: IrProgram) -> dict[str, int]:
    """Return the address of each variable and of the first element of each array.

    Small addresses have short spellings, so the most used variables come first.  Arrays follow, the
    shortest first.
    """
    uses = count_uses(program)
    given: dict[str, int] = {}
    for name in sorted(program.variables, key=lambda name: -uses[name]):
        given[name] = len(given)
    free = len(given)
    for name, array in sorted(program.arrays.items(), key=lambda item: item[1].length):
        given[name] = free
        free += array.length
    return given


def _places(program: IrProgram, addresses: dict[str, int]) -> dict[str, VariablePlace]:
    """Return the places of the variables and array elements in the heap, by name.

    addresses: the heap address of each variable, and of the first element of each array.
    """
    found = {name: _cell(addresses[name]) for name in program.variables}
    for name, array in program.arrays.items():
        for index in range(array.length):
            found[f"{name}[{index}]"] = _cell(addresses[name] + index)
    return found


def _cell(address: int) -> VariablePlace:
    return VariablePlace("number", (f"cell[{address}]",))
