"""Conditions of breakpoints name variables of the source, in every language."""

from __future__ import annotations

from gc import collect
from weakref import ref

import pytest

from esoplay.codegen.back_ends import back_end_ids
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.debugging.session import DebugSession
from esoplay.debugging.source_maps import variables
from esoplay.debugging.watches import shared_watches
from esoplay.errors import ConditionError, UsageError
from esoplay.programs.generation import generate

SOURCE = """\
def twice(n: int) -> int:
    return 2 * n


def main():
    total = 0
    a = ints(3)
    c = getc()
    while c != 0:
        total += twice(c - ord("0"))
        a[1] = total
        c = getc()
    print_int(total)
"""


def opened(language: str) -> Debugger:
    made = generate(SOURCE, language, name="total.py")
    debugger = Debugger.open(language, made.source, stdin=b"12345")
    debugger.use_map(made.source_map)
    return debugger


def value_of(debugger: Debugger, name: str) -> int | None:
    return next(each.value for each in variables(debugger) if each.name == name)


@pytest.mark.parametrize("language", back_end_ids())
def test_breakpoint_stops_where_variable_condition_holds(language: str) -> None:
    debugger = opened(language)
    debugger.add_breakpoint(BreakpointSpec(source_line=11, condition="total > 10 and a[1] == 6"))
    assert debugger.resume().reasons[0].kind == "breakpoint"
    assert (value_of(debugger, "total"), value_of(debugger, "c")) == (12, ord("3"))
    assert debugger.resume().reasons[0].kind == "end"
    assert debugger.resume(reverse=True).reasons[0].kind == "breakpoint"
    assert value_of(debugger, "total") == 12


@pytest.mark.parametrize("language", back_end_ids())
def test_log_shows_values_of_variables(language: str) -> None:
    debugger = opened(language)
    debugger.add_breakpoint(BreakpointSpec(source_line=12, log="{total} after {c - 48}"))
    told = ["2 after 1", "6 after 2", "12 after 3", "20 after 4", "30 after 5"]
    assert list(debugger.resume().logs) == told


def test_a_variable_of_a_function_is_named_by_both() -> None:
    debugger = opened("whitespace")
    debugger.add_breakpoint(BreakpointSpec(source_line=10, condition="twice.n == 3"))
    assert debugger.resume().reasons[0].kind == "breakpoint"
    assert (value_of(debugger, "n of twice"), value_of(debugger, "total")) == (3, 6)


def test_a_condition_on_variables_needs_a_place_and_a_map() -> None:
    debugger = opened("brainfuck")
    with pytest.raises(UsageError, match="also needs a place, such as a line"):
        debugger.add_breakpoint(BreakpointSpec(condition="total > 10"))
    with pytest.raises(ConditionError, match="unknown name 'sum'"):
        debugger.add_breakpoint(BreakpointSpec(source_line=11, condition="sum > 10"))
    debugger.add_breakpoint(BreakpointSpec(offset=0, condition="total > 10"))
    debugger.use_map(None)
    assert not debugger.breakpoints
    with pytest.raises(ConditionError, match="unknown name 'total'"):
        debugger.add_breakpoint(BreakpointSpec(offset=0, condition="total > 10"))


def test_element_with_a_huge_index_has_no_value() -> None:
    debugger = opened("whitespace")
    debugger.set_cell(-9, 1 << 100_000)
    debugger.add_breakpoint(BreakpointSpec(source_line=10, condition="a[cell[-9]] == 0"))
    assert debugger.resume().reasons[0].text.startswith("breakpoint 1: source line 10")


def test_closed_map_is_freed() -> None:
    debugger = opened("brainfuck")
    variables(debugger)
    lines = ref(debugger.source_lines)
    debugger.use_map(None)
    collect()
    assert lines() is None


@pytest.mark.parametrize("language", back_end_ids())
def test_expressions_name_variables_of_the_source(language: str) -> None:
    debugger = opened(language)
    watches = shared_watches(debugger)
    watches.add("total * 2 + a[1]")
    with pytest.raises(ConditionError, match="unknown name 'sum'"):
        watches.add("sum")
    debugger.add_breakpoint(BreakpointSpec(source_line=12))
    values: list[int | None] = []
    for _ in range(3):
        debugger.resume()
        values.append(watches.values(debugger)[0].value)
    assert values == [3 * 2, 3 * 6, 3 * 12]
    if language != "unlambda":  # what a call made of its parameter is not seen before it
        held_there = DebugSession(debugger).evaluate("twice.n").value
        assert held_there == value_of(debugger, "n of twice")


def test_an_expression_follows_the_map_that_is_open() -> None:
    debugger = opened("whitespace")
    watches = shared_watches(debugger)
    watches.add("total")
    source_map = debugger.source_map
    debugger.use_map(None)
    assert "unknown name 'total'" in watches.values(debugger)[0].error
    debugger.use_map(source_map)
    debugger.resume()
    assert watches.values(debugger)[0].value == 30
