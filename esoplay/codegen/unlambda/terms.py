r"""Lambda terms and the elimination of their variables; independent of the compiler.

>>> library = Library()
>>> library.define("twice", r"\f x. f (f x)")
>>> library.add("star", ".*")
>>> library.text(r"twice twice star I")
'`````s``s`kski``s``s`kski.*i'

A term is written as usual: ``\x y. body``, application by juxtaposition, parentheses.  The names
``S K I V C D`` are built into the language, and ``F`` is ``K I``.  The booleans are ``K`` and
``F``.

Unlambda evaluates operands first.  So ``\x. e`` becomes ``K e``, and ``\x. f x`` becomes ``f``,
only if ``e`` or ``f`` is a value: a variable, a combinator, or a combinator that lacks operands.
``S`` delays everything else until the variable has its value.  This makes ``\x. f f x`` safe in
loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from esoplay.errors import UsageError


@dataclass(frozen=True, slots=True)
class BoundName:
    """A name that an enclosing lambda or the library binds."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """The application of a function to an operand."""

    function: Term
    operand: Term


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function of one parameter."""

    parameter: str
    body: Term


@dataclass(frozen=True, slots=True)
class ClosedTerm:
    """Unlambda text of a value, whose evaluation has no effect."""

    text: str


Term = BoundName | Apply | Lambda | ClosedTerm

S, K, I = ClosedTerm("s"), ClosedTerm("k"), ClosedTerm("i")  # noqa: E741  # the combinator's name
BUILT_IN = {"S": "s", "K": "k", "I": "i", "V": "v", "C": "c", "D": "d", "F": "`ki"}

_TOKEN = re.compile(r"\\|\.|\(|\)|[^\s\\.()]+")


class TermError(UsageError):
    """Raised for text that is not a term or uses an undefined name."""


def parse(text: str) -> Term:
    """Parse a term; raise TermError if it is invalid."""
    tokens = _TOKEN.findall(text)
    try:
        term, at = _sequence(tokens, 0)
    except RecursionError:
        raise TermError("the term is nested too deeply") from None
    if at < len(tokens):
        raise TermError(f"unexpected {tokens[at]!r} in {text!r}")
    return term


def eliminate_lambdas(term: Term) -> Term:
    """Return an equivalent term in which ``s``, ``k`` and ``i`` replace the lambdas."""
    match term:
        case Lambda(parameter, body):
            return abstract_variable(parameter, eliminate_lambdas(body))
        case Apply(function, operand):
            return Apply(eliminate_lambdas(function), eliminate_lambdas(operand))
        case _:
            return term


def abstract_variable(name: str, term: Term) -> Term:
    r"""Convert ``\name. term`` to an equal term without lambdas; ``term`` must not contain any."""
    if term == BoundName(name):
        return I
    if not occurs(name, term) and is_value(term):
        return Apply(K, term)
    assert isinstance(term, Apply)
    function, operand = term.function, term.operand
    if operand == BoundName(name) and not occurs(name, function) and is_value(function):
        return function
    return Apply(Apply(S, abstract_variable(name, function)), abstract_variable(name, operand))


def occurs(name: str, term: Term) -> bool:
    """Return whether a variable is free in a term without lambdas."""
    match term:
        case BoundName(other):
            return other == name
        case Apply(function, operand):
            return occurs(name, function) or occurs(name, operand)
        case _:
            return False


def is_value(term: Term) -> bool:
    """Return whether a term is a value, which has no side effects when it is evaluated.

    An application is a value only if its function is ``s`` or ``k`` and lacks operands.
    """
    match term:
        case Apply(ClosedTerm("s" | "k"), operand):
            return is_value(operand)
        case Apply(Apply(ClosedTerm("s"), first), second):
            return is_value(first) and is_value(second)
        case Apply():
            return False
        case _:
            return True


class Library:
    """A library of named closed terms, stored as Unlambda text."""

    def __init__(self, texts: Mapping[str, str] = BUILT_IN):
        self._texts = dict(texts)

    def __contains__(self, name: str) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __getitem__(self, name: str) -> str:
        """Return the text of the term with this name; raise TermError if the name is unknown."""
        if name not in self._texts:
            raise TermError(f"unknown name {name!r}")
        return self._texts[name]

    def add(self, name: str, text: str) -> None:
        """Add an expression of Unlambda, whose evaluation must have no effect."""
        self._texts[name] = text

    def define(self, name: str, term: str, **local_texts: str) -> None:
        r"""Add a term such as ``\x y. y x``, which can use other names of the library.

        local_texts: texts of more terms, by name, that only this term can use.
        """
        self.add(name, self.text(term, **local_texts))

    def text(self, term: str, **local_texts: str) -> str:
        """Return a term as Unlambda; raise TermError if it contains a free variable.

        ``local_texts`` maps names to texts for this term only.
        """
        library = Library({**self._texts, **local_texts}) if local_texts else self
        try:
            return render(eliminate_lambdas(library._resolve_names(parse(term), frozenset())))
        except RecursionError:
            raise TermError("the term is nested too deeply") from None

    def _resolve_names(self, term: Term, bound: frozenset[str]) -> Term:
        """Replace the names that no lambda binds with the library's terms."""
        match term:
            case BoundName(name) if name not in bound:
                return ClosedTerm(self[name])
            case Lambda(parameter, body):
                return Lambda(parameter, self._resolve_names(body, bound | {parameter}))
            case Apply(function, operand):
                return Apply(
                    self._resolve_names(function, bound), self._resolve_names(operand, bound)
                )
            case _:
                return term


def render(term: Term) -> str:
    """Return the text of a term; raise TermError if it contains a lambda or a variable."""
    out: list[str] = []
    waiting = [term]
    while waiting:
        match waiting.pop():
            case Apply(function, operand):
                out.append("`")
                waiting += operand, function
            case ClosedTerm(text):
                out.append(text)
            case BoundName(name) | Lambda(name):
                raise TermError(f"{name} is a free variable")
    return "".join(out)


def _sequence(tokens: Sequence[str], at: int) -> tuple[Term, int]:
    """Parse applications from ``at`` up to a closing parenthesis or the end."""
    term: Term | None = None
    while at < len(tokens) and tokens[at] != ")":
        if tokens[at] == "(":
            part, at = _sequence(tokens, at + 1)
            if at == len(tokens):
                raise TermError("expected ) before the end of the term")
            at += 1
        elif tokens[at] == "\\":
            part, at = _lambda(tokens, at + 1)
        elif tokens[at] == ".":
            raise TermError("unexpected dot; a dot is valid only after the parameters of a lambda")
        else:
            part, at = BoundName(tokens[at]), at + 1
        term = part if term is None else Apply(term, part)
    if term is None:
        raise TermError("expected a term, found nothing")
    return term, at


def _lambda(tokens: Sequence[str], at: int) -> tuple[Term, int]:
    end = at
    while end < len(tokens) and tokens[end] not in "\\.()":
        end += 1
    if end == at or end == len(tokens) or tokens[end] != ".":
        raise TermError(r"expected a lambda such as \x y. body")
    body, behind = _sequence(tokens, end + 1)
    for parameter in reversed(tokens[at:end]):
        body = Lambda(parameter, body)
    return body, behind
