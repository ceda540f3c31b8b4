"""The cells, ints and arrays of the Brainfuck back end, what they cost, and where they are."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selection import slow_except

from esolangs.brainfuck import LANGUAGE
from esolangs.limits import Limits
from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.brainfuck import Names, TapeBuilder, build, tape_builder
from esoplay.codegen.errors import LayerError
from esoplay.codegen.generated import Generated, VariablePlace
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source
from esoplay.timeline.conditions import Condition
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Recording, Timeline

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "codegen" / "brainfuck.md"
COSTS = runpy.run_path(str(ROOT / "docs" / "codegen" / "brainfuck_costs.py"))
LIMITS = Limits(steps=20_000_000, output=100_000, memory=1 << 28)


def printed(text: str, stdin: bytes = b"") -> str:
    outcome = run_source("brainfuck", text.encode("latin-1"), stdin=stdin, limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.stdout.decode("latin-1")


def generated(lines: list[str], *, comments: bool = False) -> Generated:
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    return find_back_end("brainfuck").generate(compile_source(source), comments=comments)


PAIR = generated(
    [
        *("a = read_int()", "b = read_int()"),
        *("print_int(a + b)", "putc(ord(' '))", "print_int(a - b)"),
        *(
            "if a < b:",
            "    puts('<')",
            "if a == b:",
            "    puts('=')",
            "if a > b:",
            "    puts('>')",
        ),
        *(
            "if a < -9:",
            "    puts('l')",
            "if a == -10:",
            "    puts('e')",
            "if 99 < a:",
            "    puts('g')",
        ),
    ]
).text
PRODUCT = generated(["a = read_int()", "b = read_int()", "print_int(a * b)"]).text
QUOTIENT = generated(
    [
        *("a = read_int()", "b = read_int()", "c = a"),
        *("print_int(a // b)", "putc(ord(' '))", "print_int(a % b)"),
        *("putc(ord(' '))", "c = c % b", "print_int(a * 10 + b + c)"),
    ]
).text
CONSTANTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 26, 97, 100, 1000, 1024)
BY_CONSTANTS = generated(
    [
        "a = read_int()",
        *(
            line
            for number in CONSTANTS
            for line in (f"print_int(a // {number} + a % {number} * 3)", "putc(ord(' '))")
        ),
    ]
).text
INTS = st.integers(-12, 12) | st.integers(-20_000_000, 20_000_000)
NATURALS = st.integers(0, 120) | st.integers(0, 40_000_000)


@settings(max_examples=60, deadline=None)
@given(INTS, INTS)
@example(-1, 0)
@example(-9_988, -9_998)
@example(10_000_000, -10_000_000)
@example(-20_000_000, 20_000_000)
def test_ints_of_either_sign_are_added_and_compared(a: int, b: int) -> None:
    relation = "<" if a < b else "=" if a == b else ">"
    constants = "l" * (a < -9) + "e" * (a == -10) + "g" * (a > 99)
    assert printed(PAIR, b"%d %d" % (a, b)) == f"{a + b} {a - b}{relation}{constants}"


@settings(max_examples=40, deadline=None)
@given(st.integers(-4_000, 4_000), st.integers(-4_000, 4_000))
@example(0, -7)
@example(-1, -1)
@example(9_999, 4_999)
def test_ints_are_multiplied(a: int, b: int) -> None:
    assert printed(PRODUCT, b"%d %d" % (a, b)) == str(a * b)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(NATURALS, st.integers(1, 120) | st.integers(1, 40_000_000))
@example(99, 99)
@example(100, 99)
@example(99, 100)
@example(0, 1)
@example(49_999_999, 7)
@example(3, 12_345_678)
def test_ints_are_divided(a: int, b: int) -> None:
    whole, rest = divmod(a, b)
    total = (10 * a + b + rest + 50_000_000) % 100_000_000 - 50_000_000
    assert printed(QUOTIENT, b"%d %d" % (a, b)) == f"{whole} {rest} {total}"


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(NATURALS)
def test_ints_are_divided_by_constants(a: int) -> None:
    expected = "".join(f"{a // number + a % number * 3} " for number in CONSTANTS)
    assert printed(BY_CONSTANTS, b"%d" % a) == expected


BYTES = generated(
    [
        *("a = getc()", "b = getc()", "one: byte = 1", "d = b % 255 + one", "c: byte = 0"),
        *("if a < b:", "    puts('<')", "if a == b:", "    puts('=')"),
        *(
            "if a < 100:",
            "    puts('l')",
            "if a == 65:",
            "    puts('e')",
            "if 200 < a:",
            "    puts('g')",
        ),
        *("putc(a // d)", "putc(a % d)", "putc(a // 16)", "putc(a % 10)"),
        *("c = b % 13", "putc(c * c)", "putc(a)", "print_int(a)"),
    ]
).text


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 255), st.integers(0, 255))
@example(255, 255)
@example(0, 0)
@example(65, 0)
def test_bytes_are_compared_and_divided(a: int, b: int) -> None:
    d = b % 255 + 1
    marks = "<" * (a < b) + "=" * (a == b) + "l" * (a < 100) + "e" * (a == 65) + "g" * (a > 200)
    codes = (a // d, a % d, a // 16, a % 10, (b % 13) ** 2, a)
    assert printed(BYTES, bytes([a, b])) == marks + "".join(map(chr, codes)) + str(a)


def test_stored_elements_are_read_back() -> None:
    lines = ["s = chars(40)", "t = ints(19)", "n = 0"]
    lines += ["for i in range(40):", "    s[i] = 255 - i", "for i in range(19):"]
    lines += ["    n = int(i) * 1001", "    t[i] = 300 - n", "for i in range(19):"]
    lines += ["    s[39 - i] = s[i]", "    t[i] = t[18 - i]"]
    lines += ["for i in range(40):", "    print_int(s[i])", "    putc(ord(' '))"]
    lines += ["for i in range(19):", "    print_int(t[i])", "    putc(ord(' '))"]
    s, t = [255 - i for i in range(40)], [300 - 1001 * i for i in range(19)]
    for i in range(19):
        s[39 - i] = s[i]
        t[i] = t[18 - i]
    assert printed(generated(lines).text) == "".join(f"{one} " for one in s + t)


def test_comments_are_never_executed() -> None:
    lines = ["x = read_int()", "while x > -3 and x < 9:", "    x += 1", "    puts('<,.>[+-]')"]
    plain, told = generated(lines), generated(lines, comments=True)
    assert re.sub(r"[^-+<>.,\[\]]", "", told.text) == re.sub(r"\s", "", plain.text)
    assert "x = (x plus 1)" in told.text
    assert max(map(len, told.text.splitlines())) <= 100


def decoded(place: VariablePlace, state: MachineState) -> int:
    values = [Condition(cell).value(state) for cell in place.cells]
    if place.kind == "number":
        return values[0] - place.offset
    if place.kind == "folded" and values[-1]:
        values = [*(9 - digit for digit in values[:-1]), 10 - values[-1]]
    number = sum(digit * 10**at for at, digit in enumerate(values))
    return number - 10 ** len(values) if 2 * number >= 10 ** len(values) else number


def test_variable_places_are_correct_in_every_iteration() -> None:
    lines = ["n = -2", "s = chars(30)", "t = ints(4)", "for i in range(5):"]
    stores = ["    t[1] = n", "    t[2] = -n", "    t[3] = n * -900000"]
    made = generated([*lines, "    n -= 10", "    s[i + 20] = i + 70", *stores, "    putc(46)"])
    source = made.text.encode()
    options = LANGUAGE.configure()
    recording = Recording("brainfuck", "standard", options, source, b"", limits=LIMITS)
    timeline = Timeline(LANGUAGE.parse(source, options), recording)
    timeline.seek(LIMITS.steps)
    ends = [timeline.step_that_printed(index) for index in range(5)]
    assert len(set(ends)) == 5
    for round, step in enumerate(ends):
        assert step is not None
        state = MachineState(timeline.machine_at(step), 0)
        seen = {name: decoded(place, state) for name, place in made.places.items()}
        assert seen["n"] == -2 - 10 * (round + 1)
        assert seen["i"] == round
        assert seen[f"s[{round + 20}]"] == round + 70
        assert seen[f"s[{round + 21}]"] == 0
        assert seen["t[1]"] == seen["n"]
        assert seen["t[2]"] == -seen["n"]
        assert seen["t[3]"] == -900_000 * seen["n"]
        assert seen["t[0]"] == 0


def figures() -> dict[str, int]:
    """The page's table: a statement, and its steps for a = 97 and b = 12, or its only figure."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    return {
        row[0]: int(row[2 if len(row) == 4 else 1].replace(",", ""))
        for row in rows
        if row[0] in COSTS["STATEMENTS"] | COSTS["BYTES"]
    }


@pytest.mark.parametrize(
    "shown",
    slow_except(
        COSTS["STATEMENTS"] | COSTS["BYTES"], "`if c < e`", "`x = a // b`", "`x = many[5]`"
    ),
)
def test_a_statement_costs_no_more_than_the_page_says(shown: str) -> None:
    statement = (COSTS["STATEMENTS"] | COSTS["BYTES"])[shown]
    assert 0 < COSTS["cost"](statement, 97, 12) <= figures()[shown]


def test_macro_examples_on_the_page_run() -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    found: dict[str, str] = {}
    exec(code, found)
    assert printed(found["program"], b"3a7") == found["output"]


@pytest.mark.parametrize("index", [0, 5, "at"])
def test_a_recipe_can_use_ints_arrays_and_conditions(index: int | str) -> None:
    def recipe(m: TapeBuilder) -> None:
        m.set_byte("at", 37)
        m.set_int("x", -1234)
        m.put("ints", index, "x")
        m.put("bytes", index, "at")
        m.set_int("x", 12)
        m.copy_int("y", "x")
        m.multiply_int("x", "x")
        m.multiply_int("y", "x")
        m.print_int("y")
        m.set_int("x", 100)
        m.divide_int("y", "x", "y % 100")
        for name in ("y", "y % 100"):
            m.print_text(" ")
            m.print_int(name)
        m.print_text(" ")
        m.get("y", "ints", index)
        m.subtract_int("y", "x")
        m.print_int("y")
        for number in (-1335, -1334, -1333):
            with m.if_equals("y", number):
                m.print_text("=")
            with m.if_less("y", number):
                m.print_text("<")
        m.set_byte("at", 0)
        m.get("at", "bytes", index if isinstance(index, int) else 37)
        for number in (36, 37):
            with m.if_equals("at", number):
                m.print_text("!")
        m.write("at")

    names = Names(
        bytes=["at"],
        ints=["x", "y", "y % 100"],
        byte_arrays={"bytes": 40},
        int_arrays={"other": 5, "ints": 40},
    )
    assert printed(build(recipe, names)) == "1728 17 28 -1334=<!%"


def test_an_int_may_be_its_own_operand() -> None:
    def recipe(m: TapeBuilder) -> None:
        m.set_int("x", 12)
        m.copy_int("x", "x")
        m.add_int("x", "x")
        m.multiply_int("x", "x")
        m.print_int("x")
        m.subtract_int("x", "x")
        m.print_int("x")

    assert printed(build(recipe, Names(ints=["x"]))) == "5760"


def test_clashing_names_are_refused() -> None:
    with pytest.raises(ValueError, match="x is defined twice"):
        Names(bytes=["x"], ints=["x"])
    with pytest.raises(ValueError, match=r"\(scratch 1\)"):
        Names(ints=["(scratch 1)"])


NOT_THERE: list[tuple[Callable[[TapeBuilder], None], str]] = [
    (lambda made: made.read("n"), "unknown byte 'n'; expected one of: b"),
    (lambda made: made.set_int("b", 1), "unknown int 'b'; expected one of: n"),
    (lambda made: made.add_int("n", "m"), "unknown int 'm'; expected one of: n"),
    (lambda made: made.put("z", 0, "b"), "unknown array 'z'; expected one of: line, many"),
    (lambda made: made.print_text("λ"), "'λ' is not a byte"),
]


@pytest.mark.parametrize(("ask", "words"), NOT_THERE)
def test_unknown_names_of_a_tape_are_reported(
    ask: Callable[[TapeBuilder], None], words: str
) -> None:
    names = Names(bytes=["b"], ints=["n"], byte_arrays={"line": 3}, int_arrays={"many": 3})
    with pytest.raises(LayerError, match=words):
        build(ask, names)


def test_docstring_example_runs() -> None:
    assert tape_builder.__doc__ is not None
    code = tape_builder.__doc__.partition("::\n")[2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec("\n".join(line[4:] for line in code.splitlines()), {})
    assert printed(out.getvalue()) == "".join(f"{n} " for n in range(12, 0, -1))
