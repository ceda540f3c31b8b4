r"""A compiler from the intermediate representation to one expression of Unlambda.

A statement is a function from the state before it to the state after it; a block is their
composition.  ``if`` chooses between two functions.  A loop is a function that is passed itself as
an argument: ``\w s. condition s (\s. w w (body s)) I s``, applied to itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from esoplay.codegen.generated import Generated, TreePath, VariablePlace
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
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
)
from esoplay.codegen.unlambda.numbers import define_numbers, define_trees, number, zeros
from esoplay.codegen.unlambda.operations import (
    comparison,
    define_characters,
    define_decimal,
    operation,
    operation_text,
    printer,
    simplify_digit,
)
from esoplay.codegen.unlambda.state import (
    STATE,
    CommentPiece,
    Concatenation,
    LabelledPiece,
    LambdaFunction,
    Piece,
    StateLayout,
    abstract,
    apply,
    compose,
    constant,
    expected_uses,
    render_piece,
)
from esoplay.codegen.unlambda.terms import Library

MAX_REPEATED_LENGTH = 250
"""The maximum length of the text of an operation that is repeated wherever it is used.

The text of a longer operation occurs only once in the program, in the initial state.
"""

BEGIN_LOCATION = (-1, 0)
"""The location at which the first statement of the source begins; see ``Generated.begins``.

It is the first application without a waiting frame; see ``esolangs.unlambda.program.ANYWHERE``.
"""

EFFECTS = (":getc", ":print", ":putc")
"""Operations with side effects; each occurs only once in a program, in the initial state.

Repeated in an expression, they might be evaluated too early.
"""


def standard_library() -> Library:
    """Return a library with everything that generated programs use; it can be extended."""
    made = Library()
    define_numbers(made)
    define_trees(made)
    define_decimal(made)
    define_characters(made)
    return made


_library = lru_cache(1)(standard_library)


def generate(program: IrProgram, *, comments: bool = False) -> Generated:
    """Compile a program; see :class:`esoplay.codegen.generated.Generator`."""
    compiler = _Compiler(program)
    whole = compiler.compile()
    text, spans = render_piece(whole, comments=comments)
    return Generated(text, spans, compiler.places(), BEGIN_LOCATION)


class _Compiler:
    def __init__(self, program: IrProgram):
        self._program = program
        self._library = _library()
        uses = expected_uses(program.body)
        zero = number(0)
        initial_values = {name: zero for name in program.variables if name in uses}
        initial_values |= {
            name: zeros(self._library, array.length)
            for name, array in program.arrays.items()
            if name in uses
        }
        texts = {name: operation_text(self._library, name[1:]) for name in uses if name[0] == ":"}
        self._repeated = {
            name: text
            for name, text in texts.items()
            if len(text) <= MAX_REPEATED_LENGTH and name not in EFFECTS
        }
        initial_values |= {name: text for name, text in texts.items() if name not in self._repeated}
        self._state = StateLayout(self._library, uses, initial_values)

    def compile(self) -> Piece:
        """Return the whole expression: the statements applied to the initial state."""
        labels = self._program.labels
        ends = [
            name[1:] if name[0] == ":" else labels.get(name, name) for name in self._state.names
        ]
        order = "the last statement comes first: each is applied to the result of the next"
        start = f"the state at the start: {', '.join(ends)}" if ends else "an empty state"
        block = self._block(self._program.body)
        return Concatenation(
            (CommentPiece(order), "`", block, CommentPiece(start), self._state.initial_text)
        )

    def places(self) -> dict[str, VariablePlace]:
        """Return the paths to the source's variables in the state."""
        found: dict[str, VariablePlace] = {}
        for name in self._program.variables:
            if name in self._state.names:
                found[name] = _place(self._state.path(name))
        for name, array in self._program.arrays.items():
            if name in self._state.names:
                for index in range(array.length):
                    found[f"{name}[{index}]"] = _place(self._state.path(name, index))
        return found

    # Statements: functions of the state, as text

    def _block(self, block: Block) -> Piece:
        done = STATE
        for statement in block:
            part = self._label_statement(statement)
            done = LambdaFunction(part) if done is STATE else compose(part, done)
        return done.piece

    def _label_statement(self, statement: Statement) -> Piece:
        piece = self._statement(statement)
        return LabelledPiece(piece, statement.origin, self._description(statement))

    def _statement(self, statement: Statement) -> Piece:
        match statement:
            case Assign(name, value):
                return self._assign(name, value)
            case StoreElement(array, index, value):
                new = apply(constant("k"), self._value(value))
                return self._change(array, self._apply_operation("update", (index,), new))
            case Clear(array):
                zero = zeros(self._library, self._program.arrays[array].length)
                return self._change(array, constant(f"`k{zero}"))
            case Append(name, digit):
                value = VariableRef(name, "int")
                return self._set(
                    name, self._apply_operation("append", (value, simplify_digit(digit)))
                )
            case Read(name):
                return self._set(name, apply(self._operation("getc"), constant("i")))
            case PrintByte(Number(code)):
                return printer(code)
            case PrintByte(value):
                return self._print_statement(self._apply_operation("putc", (value,)))
            case PrintInt(value):
                return self._print_statement(self._apply_operation("print", (value,)))
            case PrintText(text):
                return self._text(text)
            case If(condition, then, otherwise):
                choice = self._choice(
                    condition, constant(self._block(then)), constant(self._block(otherwise))
                )
                return abstract(apply(choice, STATE))
            case While():
                return self._while(statement)

    def _assign(self, name: str, value: Value) -> Piece:
        if isinstance(value, Binary):
            operation_name, operands = operation(value)
            if operands == (VariableRef(name, value.type),):
                return self._change(name, self._operation(operation_name))
        return self._set(name, self._value(value))

    def _set(self, name: str, value: LambdaFunction) -> Piece:
        return self._change(name, apply(constant("k"), value))

    def _change(self, name: str, change: LambdaFunction) -> Piece:
        function = self._state.change(name, change)
        return function.piece if function.is_constant else apply(function, STATE).piece

    def _print_statement(self, print_code: LambdaFunction) -> Piece:
        """Return a function that takes the state, prints a value, and returns the state.

        print_code: the code that prints; its value is the identity function ``i``, which is
        applied to the state.
        """
        return abstract(apply(print_code, STATE))

    def _text(self, text: str) -> Piece:
        done = LambdaFunction(printer(ord(text[0])))
        for one in text[1:]:
            done = compose(printer(ord(one)), done)
        return done.piece

    def _while(self, loop: While) -> Piece:
        r"""Return a loop: a function ``\w. …`` that is applied to itself.

        The values in this method are functions of w. Another iteration, ``\s. w w (body s)``, is
        ``s (s (k w) (k w)) body``.
        """
        again = LambdaFunction(Concatenation(("``s``s`ks``s``s`kskk`k", self._block(loop.body))))
        condition, yes, no = loop.condition, apply(constant("k"), again), constant("`ki")
        while isinstance(condition, Not):
            condition, yes, no = condition.condition, no, yes
        s = constant("s")
        choice = apply(s, constant(abstract(self._condition(condition))), yes)
        loop_of = apply(s, apply(s, choice, no), constant("i"))
        if loop.before:
            loop_of = apply(s, apply(constant("k"), loop_of), constant(self._block(loop.before)))
        return Concatenation(("```sii", abstract(loop_of)))

    # Conditions

    def _choice(
        self, condition: Condition, if_true: LambdaFunction, if_false: LambdaFunction
    ) -> LambdaFunction:
        """Return a function that chooses one of two values by a condition."""
        while isinstance(condition, Not):
            condition, if_true, if_false = condition.condition, if_false, if_true
        return apply(self._condition(condition), if_true, if_false)

    def _condition(self, condition: Condition) -> LambdaFunction:
        """Return a function that returns ``k`` if the condition is true, else ```ki``."""
        true, false = constant("k"), constant("`ki")
        match condition:
            case Compare():
                name, operands = comparison(condition)
                return self._apply_operation(name, operands)
            case Not(inner):
                return self._choice(inner, false, true)
            case And(first, second):
                then = constant(abstract(self._condition(second)))
                return apply(self._choice(first, then, constant("`k`ki")), STATE)
            case Or(first, second):
                then = constant(abstract(self._condition(second)))
                return apply(self._choice(first, constant("`kk"), then), STATE)

    # Values

    def _value(self, value: Value) -> LambdaFunction:
        match value:
            case Number(known):
                return constant(number(known))
            case VariableRef(name):
                return self._state.get(name)
            case Element(array, index):
                return apply(self._state.get(array), self._value(index))
            case Binary():
                return self._apply_operation(*operation(value))
            case Convert(inner):
                return self._value(inner)

    def _apply_operation(
        self, name: str, operands: Sequence[Value], *more: LambdaFunction
    ) -> LambdaFunction:
        values = [self._value(operand) for operand in operands]
        return apply(self._operation(name), *values, *more)

    def _operation(self, name: str) -> LambdaFunction:
        if f":{name}" in self._repeated:
            return constant(self._repeated[f":{name}"])
        return self._state.get(f":{name}")

    def _description(self, statement: Statement) -> str:
        """Describe a statement in a few words."""
        labels = self._program.labels
        match statement:
            case Assign(name):
                return f"set {labels.get(name, name)}"
            case StoreElement(array):
                return f"set an element of {labels.get(array, array)}"
            case Clear(array):
                return f"clear {labels.get(array, array)}"
            case Append(name):
                return f"append a digit to {labels.get(name, name)}"
            case Read(name):
                return f"read {labels.get(name, name)}"
            case PrintByte():
                return "print a character"
            case PrintText():
                return "print a text"
            case PrintInt():
                return "print an int"
            case If():
                return "if"
            case While():
                return "while"


def _place(path: TreePath) -> VariablePlace:
    return VariablePlace("part", (str(path),))
