"""Values and conditions go on the stack, in code without turns."""

from __future__ import annotations

from esoplay.codegen.befunge_98.page import Page
from esoplay.codegen.ir import (
    Binary,
    Both,
    Compare,
    Condition,
    Convert,
    Either,
    Element,
    Not,
    Number,
    Value,
    Variable,
)


class Expressions:
    """Writes on a page.

    Both parts of ``and`` and ``or`` are worked out always, as values read and change nothing; only
    a division by 0 must not happen there, a fault in the dialect ``benchmark``.
    """

    def __init__(self, page: Page):
        self._page = page
        self._idle = False
        """Whether what is written may be worked out in vain."""

    # Values

    def push(self, value: Value) -> None:
        """Push a value."""
        page = self._page
        match value:
            case Number(number):
                page.push(number)
            case Variable(name):
                page.fetch(name)
            case Element(array, Number(index)):
                page.fetch_at(array, index)
            case Element(array, index):
                self.push_column(index)
                page.fetch_element(array)
            case Binary(operator, left, right):
                self.push(left)
                self.push(right)
                if self._idle and operator in ("//", "%") and not isinstance(right, Number):
                    page.code(":!+")
                page.code(operator[0])
            case Convert(inner):
                self.push(inner)

    def push_column(self, index: Value) -> None:
        """Push the column of an element."""
        match index:
            case Number(number):
                self._page.push(number)
                self._page.column()
            case Binary("+", left, Number(number)):
                self.push(left)
                self._page.column(number)
            case Binary("-", left, Number(number)):
                self.push(left)
                self._page.column(-number)
            case _:
                self.push(index)
                self._page.column()

    # Conditions

    def test(self, condition: Condition) -> None:
        """Push a number that is 0 where a condition does not hold, any other where it does."""
        match condition:
            case Not(Compare("==", left, right)):
                self._difference(left, right)
            case _:
                self._truth(condition)
        self._idle = False

    def _truth(self, condition: Condition) -> None:
        """Push a small number above 0 where a condition holds, else 0."""
        page = self._page
        match condition:
            case Not(inner):
                self._truth(inner)
                page.code("!")
            case Both(first, second) | Either(first, second):
                self._truth(first)
                self._idle = True
                self._truth(second)
                page.code("*" if isinstance(condition, Both) else "+")
            case Compare("<", left, right):
                self.push(right)
                self.push(left)
                page.code("`")
            case Compare(_, left, right):
                self._difference(left, right)
                page.code("!")

    def _difference(self, left: Value, right: Value) -> None:
        """Push a number that is 0 where two values are equal."""
        if left == Number(0, left.type):
            left, right = right, left
        self.push(left)
        if right != Number(0, right.type):
            self.push(right)
            self._page.code("-")
