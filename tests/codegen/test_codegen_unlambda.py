"""The lambda terms, the library and the programs of the Unlambda back end."""

from __future__ import annotations

import doctest
import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from esolangs.limits import Limits
from esoplay.codegen import unlambda
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.unlambda import Library, TermError, number, recursive, standard_library, terms
from esoplay.codegen.unlambda.operations import (
    equal_to,
    greater_than_constant,
    less_than_constant,
    remainder_by,
)
from esoplay.codegen.unlambda.terms import Apply, BoundName, Lambda, Term
from esoplay.running.run import run_source

PAGE = Path(__file__).resolve().parents[2] / "docs" / "codegen" / "unlambda.md"
LIMITS = Limits(steps=20_000_000, output=100_000, memory=1 << 28)
STANDARD = standard_library()
NUMBERS = st.integers(-40, 40) | st.integers(-(10**12), 10**12)
NATURALS = st.integers(0, 300) | st.integers(0, 10**9)


def printed(text: str, stdin: bytes = b"") -> str:
    outcome = run_source("unlambda", text.encode("latin-1"), stdin=stdin, limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.stdout.decode("latin-1")


def printed_by(expression: str, *, library: Library = STANDARD, **numbers: int) -> str:
    """What a term prints, with ``show x`` for a number and a comma, ``tell x`` for a boolean."""
    given = {name: number(value) for name, value in numbers.items()}
    return printed(
        library.text(
            rf"(\show tell. {expression}) (\x. comma (print x)) (\x. x yes no)",
            comma=".,",
            yes=".y",
            no=".n",
            **given,
        )
    )


def in_turn(*parts: str) -> str:
    """A term that evaluates each of these, all of which become ``I``."""
    return " ".join(f"({part} I)" for part in parts)


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_arithmetic_on_numbers_of_any_size_and_sign(x: int, y: int) -> None:
    made = printed_by(
        in_turn(
            *(f"show ({name} x y)" for name in ("add", "sub", "mul")),
            *(f"show ({name} x)" for name in ("neg", "not", "inc", "dec", "half")),
            *(f"tell ({name} x y)" for name in ("lt", "eq")),
            *(f"tell ({name} x)" for name in ("isneg", "nonneg", "positive")),
            "tell (eq x x)",
        ),
        x=x,
        y=y,
    )
    values = [x + y, x - y, x * y, -x, ~x, x + 1, x - 1, x >> 1]
    truths = [x < y, x == y, x < 0, x >= 0, x > 0, True]
    assert made == "".join(f"{value}," for value in values) + "".join("ny"[one] for one in truths)


@settings(deadline=None)
@given(NATURALS, NATURALS)
def test_natural_numbers_are_divided_and_spelled(x: int, y: int) -> None:
    y += 1
    made = printed_by(
        in_turn(
            "show (div x y)",
            "show (mod x y)",
            "show (parity x)",
            "show (div10 x)",
            "show (mod10 x)",
            "show (append x d)",
        ),
        x=x,
        y=y,
        d=y % 10,
    )
    values = [x // y, x % y, x % 2, x // 10, x % 10, 10 * x + y % 10]
    assert made == "".join(f"{value}," for value in values)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 300) | st.integers(1, 10**6), st.integers(3, 32), st.data())
def test_operations_with_constants_match_python(
    known: int, divisor: int, data: st.DataObject
) -> None:
    x = data.draw(st.integers(known - 3, known + 3) | st.integers(-10, 2 * known))
    library = Library({name: STANDARD[name] for name in STANDARD})
    for name, make in (
        ("below", less_than_constant),
        ("above", greater_than_constant),
        ("equals", equal_to),
    ):
        library.add(name, make(library, known))
    library.add("minus", equal_to(library, -known))
    library.add("remains", remainder_by(library, divisor))
    made = printed_by(
        in_turn(
            "tell (below x)",
            "tell (above x)",
            "tell (equals x)",
            "tell (minus x)",
        )
        + " (show (remains n))",
        library=library,
        x=x,
        n=abs(x),
    )
    truths = [x < known, x > known, x == known, x == -known]
    assert made == "".join("ny"[one] for one in truths) + f"{abs(x) % divisor},"


def test_every_byte_is_read_and_printed() -> None:
    echo = recursive(
        STANDARD,
        r"\rec x. (\c. c (\s. I) (\n. next rec c) (\n. next rec c)) (getc I)",
        next=STANDARD.text(r"\rec c. rec (putc c)"),
    )
    every = bytes(range(1, 256))
    text = f"`{echo}i"
    assert printed(text, every) == every.decode("latin-1")


# Elimination, against the rules of strict evaluation


@dataclass
class Printer:
    """What prints its letter and gives back its operand."""

    letter: str


@dataclass
class Closure:
    parameter: str
    body: Term
    bound: dict[str, Value]


Value = Printer | Closure


class TooLong(Exception):
    pass


class StrictEvaluator:
    """Evaluates terms as they stand: the operator, the operand, then the one applied to it."""

    def __init__(self) -> None:
        self.printed = ""
        self._rounds = 300

    def value(self, term: Term, bound: dict[str, Value]) -> Value:
        match term:
            case BoundName(name):
                return bound[name]
            case Lambda(parameter, body):
                return Closure(parameter, body, bound)
            case Apply(function, operand):
                return self._applied(self.value(function, bound), self.value(operand, bound))
            case _:
                raise AssertionError(term)

    def _applied(self, function: Value, operand: Value) -> Value:
        self._rounds -= 1
        if self._rounds < 0:
            raise TooLong
        if isinstance(function, Printer):
            self.printed += function.letter
            return operand
        return self.value(function.body, {**function.bound, function.parameter: operand})


LETTERS = {name: f".{name}" for name in "ABZ"}


@st.composite
def closed_terms(draw: st.DrawFn, depth: int = 6, bound: tuple[str, ...] = tuple(LETTERS)) -> str:
    kind = draw(st.integers(0, 3)) if depth else 0
    if kind == 0:
        return draw(st.sampled_from(bound))
    if kind == 1:
        name = draw(st.sampled_from("skivcdf"))
        return rf"(\{name}. {draw(closed_terms(depth - 1, (*bound, name)))})"
    return f"({draw(closed_terms(depth - 1, bound))} {draw(closed_terms(depth - 1, bound))})"


@settings(deadline=None)
@given(closed_terms())
def test_elimination_of_variables_preserves_output(term: str) -> None:
    strict = StrictEvaluator()
    try:
        strict.value(terms.parse(f"{term} A"), {name: Printer(name) for name in LETTERS})
    except TooLong:
        assume(False)
    assert printed(Library().text(f"{term} A", **LETTERS)) == strict.printed


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("", "found nothing"),
        ("(x", "expected )"),
        ("K )", "unexpected ')'"),
        (r"\. x", r"\x y. body"),
        (r"\x", r"\x y. body"),
        ("K . K", "unexpected dot"),
        (r"\x. y", "unknown name 'y'"),
        ("(" * 5000 + "K" + ")" * 5000, "nested too deeply"),
    ],
)
def test_invalid_terms_are_refused(term: str, words: str) -> None:
    with pytest.raises(TermError, match=re.escape(words)):
        Library().text(term)


# Programs

SOURCE = """\
def main():
    total = 0
    x = read_int()
    while x != 0:
        if x < 0:
            puts("low")
        total += x
        x = read_int()
    print_int(total)
"""


def test_text_of_a_span_is_a_complete_expression() -> None:
    for comments in (False, True):
        made = unlambda.BACK_END.generate(compile_source(SOURCE), comments=comments)
        assert {span.what for span in made.spans} >= {"while", "if", "set total", "print an int"}
        for span in made.spans:
            text = made.text[span.start : span.end]
            outcome = run_source("unlambda", f"`k{text}".encode("latin-1"), limits=LIMITS)
            assert (outcome.status, outcome.stdout) == ("ok", b""), text


def test_comments_describe_the_parts() -> None:
    text = unlambda.BACK_END.generate(compile_source(SOURCE), comments=True).text
    assert "\n# line 4: while\n" in text
    assert "\n# line 7: set total\n" in text
    assert re.search(r"\n# the state at the start: [^`]*\btotal\b", text)
    assert all(len(line) <= 101 for line in text.split("\n"))


def test_most_deeply_nested_terms_are_generated() -> None:
    lines = ["n = getc()", "x = " + " + ".join(["int(n)"] * 250), "print_int(x)"]
    lines += ["n = 3"] * 1000
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    assert printed(unlambda.BACK_END.generate(compile_source(source)).text, b"\2") == "500"


# What is written about it


@pytest.mark.parametrize("module", [terms, unlambda])
def test_docstring_examples_run(module: object) -> None:
    assert doctest.testmod(module) == (0, doctest.testmod(module).attempted)  # type: ignore[arg-type]


def test_page_is_current() -> None:
    page = PAGE.read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    program, output = names["program"], names["output"]
    assert isinstance(program, str)
    assert printed(program) == output
    assert [name for name in STANDARD if f"`{name}`" not in page] == []


@pytest.mark.slow
def test_costs_on_the_page_are_current() -> None:
    made: dict[str, Callable[[], str]] = runpy.run_path(str(PAGE.with_name("unlambda_costs.py")))
    page = PAGE.read_text("utf-8")
    for table in ("table", "operations"):
        assert made[table]() in page, "run python docs/codegen/unlambda_costs.py"
