"""Stepping over in Befunge-98: to the next instruction that turns the IP."""

from __future__ import annotations

import pytest

from esoplay.debugging.debugger import Debugger


def places(source: str, count: int, stdin: bytes = b"") -> list[object]:
    """Where the IP stands after each of ``count`` steps over."""
    debugger = Debugger.open("befunge-98", source.encode("latin-1"), stdin=stdin)
    found: list[object] = []
    for _ in range(count):
        debugger.step_by(granularity="loop")
        found.append(debugger.view().location.address)
    return found


def test_stepping_over_a_turn_executes_it_first() -> None:
    source = "v\n> 1 2 + v\n@     . <\n"
    assert places(source, 4) == [(0, 1), (8, 1), (8, 2), (0, 2)]


def test_each_step_over_in_many_rows_stops_at_the_next_arrow() -> None:
    rows = [">    v" if row % 2 == 0 else "v    <" for row in range(300)]
    corners = [(x, y) for y in range(300) for x in ((0, 5) if y % 2 == 0 else (5, 0))]
    assert places("\n".join(rows), 20) == corners[1:21]


@pytest.mark.parametrize(
    ("source", "stdin", "turn"),
    [
        ("1#v2>@", b"", (4, 0)),  # a bridge jumps over the arrow
        ('1"v<"2>@', b"", (6, 0)),  # text is not executed
        ("1;v<;2>@", b"", (6, 0)),
        ("12j<<3>@", b"", (6, 0)),
        ("1~2@", b"", (1, 0)),  # reflects at the end of the input
        ("12A3@", b"", (2, 0)),  # reflects: no fingerprint is loaded
        ("'v50p 1234@", b"", (5, 0)),  # the program writes the arrow first
        ("12345@", b"", (5, 0)),
    ],
)
def test_stepping_over_stops_only_at_instructions_that_turn(
    source: str, stdin: bytes, turn: tuple[int, int]
) -> None:
    assert places(source, 1, stdin) == [turn]


def test_stepping_over_without_a_turn_takes_one_step() -> None:
    assert places("12345", 2) == [(1, 0), (2, 0)]


SUBR = '"RBUS"4($$'


def test_a_subroutine_is_stepped_over() -> None:
    inner = "a,020C0R"  # calls another one
    source = f"{SUBR}010C'b,v\n{inner}\n'c,0R\n{'@':>17}"
    debugger = Debugger.open("befunge-98", source.encode())
    debugger.seek(len(SUBR) + 3)
    assert debugger.view().location.address == (13, 0)
    debugger.step_by(granularity="loop")
    assert debugger.view().location.address == (14, 0)
    assert debugger.output == b"\nc"


@pytest.mark.parametrize("called", ["010C", "0101-C", "010C"[:3] + "1C"])
def test_a_call_that_does_not_return_is_stepped_into(called: str) -> None:
    source = f"{SUBR}{called}2@\n12v\n >^\n"
    debugger = Debugger.open("befunge-98", source.encode())
    debugger.seek(len(SUBR) + len(called) - 1)
    steps = debugger.step
    debugger.step_by(granularity="loop")
    assert steps < debugger.step <= steps + 20


def test_a_mapped_arrow_counts_as_a_turn() -> None:
    source = "\"PAMI\"4($$'v'aM12a\n@" + " " * 17 + "<"
    debugger = Debugger.open("befunge-98", source.encode())
    debugger.seek(15)
    debugger.step_by(granularity="loop")
    assert debugger.view().location.address == (17, 0)
