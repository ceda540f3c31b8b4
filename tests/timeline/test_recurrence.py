"""A state that comes again is found if and only if a naive dictionary of states finds one."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from selection import slow_except

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esoplay.debugging.debugger import Debugger
from esoplay.timeline.diagnosis import Recurrence, look_ahead
from esoplay.timeline.timeline import MoveCancelled

LANGUAGES = ["brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare"]
BOUND = 1_300
LIMITS = Limits(output=10_000)

ENDLESS = {
    "brainfuck": (b"+++[>+++<-]>[]", b"+[>+<]", b"++[>+[.,]<]"),
    "befunge-98": (b">v\n^<", b" >1$v\n ^  <", b"~:.$"),
    "whitespace": (b"\n  \t\n   \t\n \n\n\n \n\t\n", b"\n  \n   \t\t\n\t\n \t\n \n\n"),
    "unlambda": (b"```sii``sii", b"`r```sii``sii", b"``@i```sii``sii"),
    "shakespeare": (
        (
            b"A.\nRomeo, a.\nJuliet, b.\nAct I: a.\nScene I: a.\n[Enter Romeo and Juliet]\n"
            b"Romeo: Open your mind. Remember me.\nScene II: b.\nRomeo: Speak your mind. "
            b"Remember me. Recall it. Let us return to scene II.\n[Exeunt]"
        ),
    ),
}


def opened(language: str, source: bytes, stdin: bytes = b"", **options: Any) -> Debugger:
    try:
        return Debugger.open(language, source, stdin=stdin, limits=LIMITS, options=options)
    except ParseError:
        assume(False)
        raise


def naive(debugger: Debugger, first: int = 0) -> Recurrence | None:
    """Find a recurrence by storing every state from step ``first`` on."""
    diagnostics = debugger.program.language.diagnostics()
    assert diagnostics is not None
    machine = debugger.timeline.machine_at(first)
    seen: dict[Hashable, int] = {}
    while machine.steps <= BOUND:
        key = machine.input_position, diagnostics.key(machine)
        if key in seen:
            return Recurrence(seen[key], machine.steps)
        seen[key] = machine.steps
        if machine.step() is None:
            break
    return None


def strategies(language: str) -> Any:
    return import_module(f"strategies.{language.replace('-', '_')}")


@pytest.mark.parametrize(
    "language", slow_except(LANGUAGES, "brainfuck", "whitespace", "unlambda", "shakespeare")
)
@given(st.data())
def test_recurrence_matches_a_dictionary_of_states(language: str, data: st.DataObject) -> None:
    some = strategies(language)
    source = data.draw(some.sources() | st.sampled_from(ENDLESS[language]))
    debugger = opened(language, source, data.draw(some.stdins()), **data.draw(some.options()))
    assert look_ahead(debugger.timeline, BOUND).recurrence == naive(debugger)


@pytest.mark.parametrize("language", LANGUAGES)
def test_endless_programs_are_proved_endless(language: str) -> None:
    for source in ENDLESS[language]:
        debugger = opened(language, source, b"x")
        found = look_ahead(debugger.timeline, BOUND).recurrence
        assert found is not None, source
        assert found == naive(debugger)


def test_search_keeps_position_and_history() -> None:
    debugger = opened("brainfuck", b"+[>+<]")
    debugger.seek(5)
    assert look_ahead(debugger.timeline, 10_000).recurrence == Recurrence(1, 1281)
    assert (debugger.step, debugger.known_steps) == (5, 5)


def test_recurrence_past_the_bound_is_found_in_known_history() -> None:
    debugger = opened("brainfuck", b"+[>+<]")
    assert look_ahead(debugger.timeline, 1280).recurrence is None
    assert look_ahead(debugger.timeline, 1281).recurrence == Recurrence(1, 1281)
    debugger = opened("brainfuck", b"-[>-[>+<-]<-]+[]")
    debugger.seek(10**6)
    found = look_ahead(debugger.timeline, 100).recurrence
    assert found is not None
    assert found.period == 2
    assert found.first > 100


def test_state_before_an_edit_does_not_recur() -> None:
    debugger = opened("brainfuck", b"+[>+<]")
    debugger.seek(400)
    debugger.set_cell(0, 0)
    assert look_ahead(debugger.timeline, 10_000).recurrence is None
    debugger.set_cell(0, 7)
    found = look_ahead(debugger.timeline, 10_000).recurrence
    assert found == Recurrence(400, 400 + 1280)
    found = look_ahead(debugger.timeline, 1_280).recurrence
    assert found == Recurrence(400, 400 + 1280)
    assert look_ahead(debugger.timeline, 200).recurrence is None


def test_state_with_unread_input_does_not_recur() -> None:
    debugger = opened("brainfuck", b"+[,>+<]+[]", b"aaaa")
    found = look_ahead(debugger.timeline, 10_000).recurrence
    assert found is not None
    assert debugger.seek(found.first)
    assert debugger.view().input_position == 4


def test_search_can_be_cancelled() -> None:
    debugger = opened("brainfuck", b"+[>+]")
    with pytest.raises(MoveCancelled):
        look_ahead(debugger.timeline, 10**9, lambda done, total: False)
    assert debugger.step == 0


def test_waiting_for_input_is_not_a_recurrence() -> None:
    debugger = Debugger.open("brainfuck", b"+[,]", closed=False)
    assert look_ahead(debugger.timeline, 1000).recurrence is None


def _fault_kinds(language: str) -> set[str]:
    """The kinds that a language can raise, from its own table of faults."""
    folder = f"esolangs.{language.replace('-', '_')}"
    program = import_module(f"{folder}.program")
    faults = cast("dict[int, tuple[str, str]]", getattr(program, "_FAULTS", {}))
    return {kind for kind, _ in faults.values()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_says_what_to_try(language: str) -> None:
    diagnostics = Debugger.open(language, ENDLESS[language][0]).program.language.diagnostics()
    assert diagnostics is not None
    assert set(diagnostics.advice) == {*_fault_kinds(language), "parse_error"}
    for advice in diagnostics.advice.values():
        assert 20 < len(advice) < 250
        assert not advice.endswith(".")


@pytest.mark.parametrize(
    ("language", "source", "word"),
    [
        ("brainfuck", b"+[", "close the loop"),
        ("brainfuck", b"+]", "remove the"),
        ("unlambda", b"``k", "complete the program"),
        ("unlambda", b"xx", "has n + 1 atoms"),
        ("whitespace", b"\t\t\t\t", "tabs to spaces"),
        ("shakespeare", b"A. Bbb, c.", "reference card"),
    ],
)
def test_every_parse_error_says_what_to_try(language: str, source: bytes, word: str) -> None:
    found = Debugger.open(language, ENDLESS[language][0]).program.language
    diagnostics = found.diagnostics()
    assert diagnostics is not None
    with pytest.raises(ParseError) as caught:
        found.parse(source)
    assert word in diagnostics.parse_error_advice(caught.value.message)
