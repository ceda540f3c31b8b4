"""A breakpoint on a comment stands at the next instruction, in every language."""

from __future__ import annotations

import pytest

from esolangs.registry import find_language, language_ids
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.debugging.descriptions import breakpoint_as_json, moved_breakpoint_lines
from esoplay.errors import UsageError
from esoplay.timeline.places import next_instruction

SOURCES = {
    "brainfuck": b"+ first\n> then .\nthe end",
    "befunge-98": b"1   .\n    @  \n",
    "whitespace": b"first   \t\nthen\t\n  finally",
    "unlambda": b"# first\n`.a # then\ni # the end\n",
    "shakespeare": find_language("shakespeare").sample(),
}


@pytest.mark.parametrize("language", language_ids())
def test_a_breakpoint_on_a_comment_moves_to_the_next_instruction(language: str) -> None:
    source = SOURCES[language]
    debugger = Debugger.open(language, source)
    program = debugger.program
    starts = sorted(start for start, _ in program.spans())
    comments = [at for at in range(len(source)) if program.instruction_at(at) is None]
    assert comments
    for at in comments:
        following = [start for start in starts if start > at]
        if not following:
            with pytest.raises(UsageError, match="there is no instruction at"):
                debugger.add_breakpoint(BreakpointSpec(offset=at))
            continue
        added = debugger.add_breakpoint(BreakpointSpec(offset=at))
        assert (added.spec.offset, added.moved_from) == (following[0], at)
        assert breakpoint_as_json(added)["moved_from"] == at
        (words,) = moved_breakpoint_lines(added, source)
        assert "moved to the next instruction" in words
        assert ("is blank" in words) == (language == "befunge-98")
        assert ("in text order, which the pointer may never reach" in words) == (
            language == "befunge-98"
        )
    for at in starts:
        added = debugger.add_breakpoint(BreakpointSpec(offset=at))
        assert (added.spec.offset, added.moved_from, moved_breakpoint_lines(added, source)) == (
            at,
            None,
            [],
        )
        assert "moved_from" not in breakpoint_as_json(added)


@pytest.mark.parametrize("offset", [-1, 27, 1 << 70])
def test_breakpoint_outside_the_source_is_not_moved(offset: int) -> None:
    debugger = Debugger.open("brainfuck", b"+ first\n> then .\nthe end.+")
    assert next_instruction(debugger.program, offset) is None
    with pytest.raises(UsageError, match="there is no instruction at"):
        debugger.add_breakpoint(BreakpointSpec(offset=offset))


def test_run_stops_at_moved_breakpoint_even_after_a_change() -> None:
    debugger = Debugger.open("brainfuck", b"+ first\n> then .\nthe end.+")
    first = debugger.add_breakpoint(BreakpointSpec(offset=3))
    assert debugger.resume().reasons[0].breakpoint == first.id
    assert debugger.view().location.offset == 8
    changed = debugger.change_breakpoint(first.id, BreakpointSpec(offset=10))
    assert (changed.spec.offset, changed.moved_from) == (15, 10)
    debugger.run_to(BreakpointSpec(offset=16))
    assert debugger.view().location.offset == 24
