"""A variable of a generator's source is read and written as its place says."""

from __future__ import annotations

import agreement
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from selection import slow_except
from strategies.sources import INPUTS, sources

from esolangs.limits import Limits
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.errors import SourceError
from esoplay.codegen.generated import VariablePlace
from esoplay.codegen.source_map import SourceMap, digest
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.source_maps import last_line, parse_map, set_variable, variables
from esoplay.errors import UsageError
from esoplay.grading.packs import load_pack
from esoplay.programs.generation import generate
from esoplay.timeline.source_variables import decode_value, encode_value


def in_limbs(count: int, offset: int, base: int) -> VariablePlace:
    return VariablePlace("limbs", ("cell[0]",) * count, offset, base)


PLACES = st.one_of(
    st.builds(VariablePlace, st.just("number"), st.just(("cell[0]",)), st.integers(-9, 9)),
    st.integers(1, 9).map(lambda n: VariablePlace("digits", ("cell[0]",) * n)),
    st.builds(
        in_limbs,
        st.integers(1, 5),
        st.integers(-(1 << 31), 9),
        st.integers(2, 256),
    ),
)


@given(PLACES, st.integers(-(10**10), 10**10))
def test_decode_reverses_encode(place: VariablePlace, value: int) -> None:
    try:
        held = encode_value(place, value)
    except UsageError as error:
        low, high = (int(part) for part in str(error).split(",")[0][9:].split(" to "))
        assert not low <= value <= high
        assert decode_value(place, encode_value(place, low)) == low
        assert decode_value(place, encode_value(place, high)) == high
    else:
        assert len(held) == len(place.cells)
        assert decode_value(place, held) == value


def test_invalid_cells_are_shown_raw() -> None:
    source = b"+" * 65 + b">" + b"+" * 12 + b">+++++++++"
    debugger = Debugger.open("brainfuck", source)
    places = {
        "letter": VariablePlace("number", ("cell[0]",)),
        "wrong": VariablePlace("digits", ("cell[1]", "cell[2]")),
        "below": VariablePlace("digits", ("cell[2]", "cell[2]")),
        "parts": VariablePlace("limbs", ("cell[2]", "cell[1]"), -5, 10),
        "sum": VariablePlace("number", ("cell[1] + cell[2]",)),
        "foreign": VariablePlace("number", ("cell[0, 0, 0](",)),
    }
    debugger.use_map(SourceMap(digest(source), "x.py", "", (), places))
    debugger.seek(10**6)
    assert [(each.name, each.value, each.text) for each in variables(debugger)] == [
        ("letter", 65, "65 'A'"),
        ("wrong", None, "12 9 (no digits)"),
        ("below", -1, "-1"),
        ("parts", 124, "124"),
        ("sum", 21, "21"),
    ]
    assert set_variable(debugger, "letter", 10).reasons[0].text == "letter is now 10"
    assert variables(debugger)[0].text == r"10 '\n'"
    for name, message in (
        ("sum", "sum: cell"),
        ("below", "below: expected -50 to 49, found 50"),
        ("none", "no variable 'none'; variables: letter, wrong"),
    ):
        with pytest.raises(UsageError, match=message.replace("[", r"\[")):
            set_variable(debugger, name, 50)


SOURCE = (
    "def main():\n    n = -42\n    a = ints(3)\n    c = getc()\n    a[1] = 7 * n\n"
    "    print_int(n)\n    putc(c)\n    print_int(a[1])\n"
)


def values_at_lines(
    language: str, text: str, stdin: bytes, most: int = 10_000
) -> list[dict[str, int | None]]:
    """The values of the variables and of ``line`` wherever a line starts."""
    made = generate(text, language, name="x.py")
    debugger = Debugger.open(language, made.source, stdin=stdin, limits=Limits(steps=5_000_000))
    debugger.use_map(made.source_map)
    found: list[dict[str, int | None]] = []
    moving = last_line(debugger) is None
    while len(found) < most:
        if moving and debugger.step_by(granularity="source").reasons[0].kind != "step":
            break
        moving = True
        held = {each.name: each.value for each in variables(debugger)}
        found.append({**held, "line": last_line(debugger)})
    return found


@pytest.mark.parametrize("language", back_end_ids())
def test_variables_are_named_in_every_language(language: str) -> None:
    made = generate(SOURCE, language, name="x.py")
    debugger = Debugger.open(language, made.source, stdin=b"x")
    debugger.use_map(made.source_map)
    held: dict[str, int | None] = {}
    while debugger.step_by(granularity="source").reasons[0].kind == "step":
        held = {each.name: each.value for each in variables(debugger)}
        if debugger.output:
            break
    assert debugger.output == b"-42"
    assert (held["n"], held["c"], held["a[1]"]) == (-42, 120, -294)
    if language == "unlambda":
        with pytest.raises(UsageError, match="c: the variable is not in a cell"):
            set_variable(debugger, "c", 121)
        return
    set_variable(debugger, "c", 121)
    debugger.seek(10**6)
    assert debugger.output == b"-42y-294"


OTHERS = [each for each in back_end_ids() if each != "whitespace"]


def assert_same_values(language: str, text: str, stdin: bytes, most: int) -> None:
    """Compare the values with Whitespace, which stores variables in the simplest way."""
    expected = values_at_lines("whitespace", text, stdin, most)
    for one, other in zip(expected, values_at_lines(language, text, stdin, most), strict=True):
        assert not {name: (one[name], held) for name, held in other.items() if one[name] != held}


@pytest.mark.parametrize("language", OTHERS)
def test_problem_lines_start_with_equal_values_in_every_language(language: str) -> None:
    text = (load_pack().problem("X04").folder / "source.py").read_text("utf-8")
    assert_same_values(language, text, b"12 3 - 4 * -36 + 5 /\n", 60)


@pytest.mark.parametrize(
    "language", slow_except([each for each in OTHERS if each != "brainfuck"], "shakespeare")
)
@settings(max_examples=3, phases=[Phase.generate], deadline=None)
@given(text=sources(), stdin=INPUTS)
def test_lines_start_with_equal_values_in_every_language(
    language: str, text: str, stdin: bytes
) -> None:
    """Not in Brainfuck, where such programs are too large to be stepped at leisure."""
    try:
        assume(agreement.expected(text, stdin) is not None)
        generate(text, language)
    except SourceError:  # a constant that this language cannot hold, or a negative divisor
        assume(False)
    assert_same_values(language, text, stdin, 12)


def test_cell_with_a_huge_address_cannot_be_edited() -> None:
    made = generate("def main():\n    n = 1\n    print_int(n)\n", "whitespace")
    table = made.source_map.as_json()
    table["variables"]["far"] = {"kind": "number", "cells": [f"cell[{'9' * 5000}]"]}
    debugger = Debugger.open("whitespace", made.source)
    debugger.use_map(parse_map(table))
    with pytest.raises(UsageError, match="is not a cell that can be changed"):
        set_variable(debugger, "far", 1)
