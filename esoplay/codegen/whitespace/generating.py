"""Statements as Whitespace: variables are cells of the heap, control is jumps."""

from __future__ import annotations

from esoplay.codegen.bounds import most
from esoplay.codegen.generated import Generated, Span
from esoplay.codegen.ir import (
    Append,
    Assign,
    Block,
    Clear,
    Compare,
    Condition,
    Element,
    If,
    Not,
    Origin,
    Program,
    Read,
    Statement,
    Store,
    Variable,
    While,
    Write,
    WriteInt,
    WriteText,
)
from esoplay.codegen.whitespace.assembler import Assembler
from esoplay.codegen.whitespace.expressions import Expressions
from esoplay.codegen.whitespace.places import addresses, places
from esoplay.codegen.whitespace.routines import Routines
from esoplay.codegen.wording import Wording

_ASCII = 127


def generate(program: Program, *, comments: bool = False) -> Generated:
    """See :class:`esoplay.codegen.generated.Generator`."""
    given = addresses(program)
    writer = _Writer(program, given, comments)
    writer.block(program.body)
    writer.finish()
    assembled = writer.code.assemble()
    spans = [
        Span(assembled.starts[start], assembled.ends[end - 1], origin, what)
        for start, end, origin, what in writer.marks
    ]
    return Generated(assembled.text, tuple(spans), places(program, given))


class _Writer:
    """marks: first instruction, the one behind the last, origin and words of each statement."""

    def __init__(self, program: Program, given: dict[str, int], comments: bool):
        self.code = Assembler()
        self.marks: list[tuple[int, int, Origin, str]] = []
        self._program = program
        self._addresses = given
        self._expressions = Expressions(self.code, given)
        self._routines = Routines(self.code)
        self._wording = Wording(program.labels)
        self._comments = comments

    def block(self, block: Block) -> None:
        for statement in block:
            what = self._wording.of(statement)
            if self._comments:
                self.code.comment(what)
            start, at = self.code.length, len(self.marks)
            self._write(statement)
            if self.code.length > start:
                self.marks.insert(at, (start, self.code.length, statement.origin, what))

    def finish(self) -> None:
        """The end of the program and the routines behind it."""
        self.code.end()
        self._routines.write(comments=self._comments)

    def _write(self, statement: Statement) -> None:
        code, expressions = self.code, self._expressions
        match statement:
            case Assign(name, value):
                code.push(self._addresses[name])
                expressions.push(value, Variable(name, self._program.variables[name]))
                code.store()
            case Store(array, index, value):
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
            case Write(value):
                expressions.push(value)
                if most(value) <= _ASCII:
                    code.printc()
                else:
                    self._routines.print_byte()
            case WriteText(text):
                for character in text:
                    code.push(ord(character))
                    code.printc()
            case WriteInt(value):
                expressions.push(value)
                code.printn()
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    def _clear(self, array: str) -> None:
        """From the last element to the first; the stack keeps the address."""
        code, base = self.code, self._addresses[array]
        again = code.fresh("clear")
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
        """The block that is not jumped to comes first."""
        code = self.code
        first, second, when = statement.then, statement.otherwise, False
        if not first or (second and _is_equality(statement.condition)):
            first, second, when = second, first, True
        end, other = code.fresh("end if"), code.fresh("else")
        self._expressions.jump(statement.condition, other if second else end, when=when)
        self.block(first)
        if second:
            code.jump(end)
            code.label(other)
            self.block(second)
        self._end_at(end)

    def _while(self, statement: While) -> None:
        """The condition stands behind the body, so that a round takes one jump."""
        code = self.code
        test, body = code.fresh("test"), code.fresh("while")
        if statement.body:
            code.jump(test)
            code.label(body)
            self.block(statement.body)
            self._end_at(test)
            self.block(statement.before)
        else:
            self._end_at(body)
            self.block(statement.before)
        self._expressions.jump(statement.condition, body, when=True)

    def _end_at(self, label: str) -> None:
        """Mark this place.  Where statements inside end on a label already, that serves both.

        It is no longer theirs then: they are not come to by going there.
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
    """Whether a jump is cheaper where the condition holds."""
    match condition:
        case Compare("==", _, _):
            return True
        case Not(Not(inner)):
            return _is_equality(inner)
        case _:
            return False
