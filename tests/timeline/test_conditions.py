"""The condition language takes what it says and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.stops import Address
from esoplay.errors import ConditionError
from esoplay.timeline.conditions import Condition

REGISTERS = ("ptr", "value", "depth")


class Here:
    """A state with cell[n] = 10 n and fixed names."""

    def peek(self, address: Address) -> int:
        return 10 * address if isinstance(address, int) else sum(address)

    def level(self, level: int) -> int:
        return [7, 8, 9][level]

    def lookup(self, name: str) -> int:
        known = {"ptr": 3, "value": 65, "step": 100, "hits": 6, "output": 2, "input": 1}
        return known.get(name, 0)

    def variable(self, name: str) -> int:
        return {"n": 5, "ptr": 6, "n of f": 7, "a[0]": 8, "a[1]": 9, "λ": 10}.get(name, 0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cell[3] == 30 && hits>5", 1),
        ("cell[ptr] == 30", 1),
        ("value == 'A'", 1),
        ("value == '!'", 0),
        ("!(value == 65)", 0),
        ("value != 65 || ptr == 3", 1),
        ("1 < ptr < 4", 1),
        ("-ptr + 2 * 5 // 3 % 2", -2),
        ("ptr // 0", 0),
        ("ptr % 0", 0),
        ("not step", 0),
        ("cell[1, 2]", 3),
        ("  hits  ", 6),
        ("stack[0]+1", 8),
        ("stack[-1] - stack[1 - 1]", 2),
    ],
)
def test_conditions_have_the_values_of_their_expressions(text: str, value: int) -> None:
    assert Condition(text, REGISTERS).value(Here()) == value


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("ptr == ==", 8),
        ("ptr + nope", 7),
        ("foo[1]", 1),
        ("ptr ** 2", 1),
        ("ptr / 2", 1),
        ("1 + ptr()", 5),
        ("ptr.x", 1),
        ("'ab'", 1),
        ("1.5", 1),
        ("[1]", 1),
        ("lambda: 1", 1),
        ("(x := 1)", 2),
        ("ptr is 3", 1),
        ("~ptr", 1),
        ("__import__('os')", 1),
    ],
)
def test_errors_name_the_column(text: str, column: int) -> None:
    with pytest.raises(ConditionError) as caught:
        Condition(text, REGISTERS)
    assert caught.value.column == column


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_a_clear_error(text: str) -> None:
    try:
        condition = Condition(text, REGISTERS)
    except ConditionError as error:
        column = error.column
    else:
        column = 1
        assert isinstance(condition.value(Here()), int)
    assert column >= 1


def test_hostile_conditions_are_refused_quickly() -> None:
    for text in ("(" * 400, "-" * 499 + "1", "9" * 600):
        with pytest.raises(ConditionError):
            Condition(text, REGISTERS)


class Vast(Here):
    """A state whose one register has half a million bits."""

    def lookup(self, name: str) -> int:
        return 1 << 500_000


def test_numbers_have_any_size() -> None:
    assert Condition("ptr == ptr + 0 and ptr > 10", REGISTERS).value(Vast()) == 1
    assert Condition("9" * 400 + " < ptr", REGISTERS).value(Vast()) == 1
    # What would be too large to compute quickly is as large as may be, and keeps its sign.
    product = " * ".join(["ptr"] * 60)
    assert Condition(f"{product} > ptr", REGISTERS).value(Vast()) == 1
    assert Condition(f"-{product} < ptr", REGISTERS).value(Vast()) == 1
    assert Condition("ptr % 7 == 4 and ptr // ptr == 1", REGISTERS).value(Vast()) == (
        pow(2, 500_000, 7) == 4
    )


VARIABLES = ["n", "ptr", "n of f", "a[0]", "a[1]", "λ"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n == 5 and f.n == 7 and λ == 10", 1),
        ("ptr", 3),
        ("main.ptr", 6),
        ("a[0] * 10 + a[n - 4]", 89),
        ("main.a[1]", 9),
        ("a[7]", 0),
    ],
)
def test_conditions_use_source_variables(text: str, value: int) -> None:
    condition = Condition(text, REGISTERS, VARIABLES)
    assert condition.value(Here()) == value
    assert condition.uses_variables == (text != "ptr")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("m > 3", "unknown name 'm'.*hits.*, n, ptr, n of f"),
        ("g.n > 3", "unknown name 'g.n'"),
        ("a > 3", r"a is an array; expected an element such as a\[0\]"),
        ("n[0]", "only cell and stack can be indexed"),
        ("main.cell[0]", "only cell and stack can be indexed"),
    ],
)
def test_unknown_variables_are_reported(text: str, words: str) -> None:
    with pytest.raises(ConditionError, match=words):
        Condition(text, REGISTERS, VARIABLES)
