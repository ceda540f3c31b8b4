"""Steps and stops by source line ≡ looking at every state; backwards is forwards, reversed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import brainfuck
from strategies.sources import INPUTS, sources

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.source_map import MapError, MappedSpan, SourceMap, digest
from esoplay.debugging import source_maps
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.errors import UsageError
from esoplay.programs.generation import GeneratedProgram, generate

SOURCE = """\
def show(n: int):
    print_int(n)
    putc(10)

def main():
    a = chars(3)
    i: byte = 0
    s = 0
    while i < 3:
        a[i] = i + 65
        s += int(i) * 100
        i += 1
    for k in range(4): s += 1
    show(s)
    show(-s)
    putc(a[1])
    if s > 200:
        puts("big")
    else:
        puts("small")
"""
LINES = [7, 8, *[9, 10, 11, 12] * 3, 9, 13, 14, 2, 3, 15, 2, 3, 16, 17, 18]
"""The lines in the order in which they start."""


def opened(made: GeneratedProgram, stdin: bytes = b"") -> Debugger:
    limits = Limits(steps=2_000_000)
    debugger = Debugger.open(made.language, made.source, stdin=stdin, limits=limits)
    debugger.use_map(made.source_map)
    return debugger


def stops(debugger: Debugger, most: int = 1000, **how: Any) -> list[int]:
    """Where steps by source line, or other moves, lead until one comes to an end of history."""
    found: list[int] = []
    while len(found) < most:
        stop = debugger.step_by(granularity="source", **how)
        if stop.reasons[0].kind != "step":
            break
        found.append(stop.step)
    return found


def hits(debugger: Debugger, most: int = 1000, reverse: bool = False) -> list[int]:
    found: list[int] = []
    while len(found) < most:
        stop = debugger.resume(reverse=reverse)
        if stop.reasons[0].kind != "breakpoint":
            break
        found.append(stop.step)
    return found


# The starts of lines, decided state by state.


def find_line_starts(debugger: Debugger, spans: Sequence[MappedSpan]) -> list[tuple[int, int]]:
    """Step and line of every state in which a line starts."""

    def chain(offset: int) -> list[int]:
        """The spans around an offset, the innermost first."""
        return [at for at, each in enumerate(spans) if each.start <= offset < each.end][::-1]

    names: dict[int, object] = {}
    comes_back: set[tuple[object, object]] = set()
    for at, span in enumerate(spans):
        outer = [other for other in chain(span.start) if other < at]
        if span.statement:
            names[at] = "number", span.statement
        elif outer and spans[outer[0]].line == span.line:
            names[at] = names[outer[0]]
        else:
            names[at] = "span", at
        seen = {names[at]}
        for other in outer:
            if names[other] not in seen and spans[other].once:
                comes_back.add((names[at], names[other]))
            seen.add(names[other])
    around: dict[object, list[int]] = {}
    heads: dict[object, int] = {}
    for start, _ in sorted(debugger.program.spans()):
        around[start] = chain(start)
        if around[start]:
            heads.setdefault(names[around[start][0]], start)

    found: list[tuple[int, int]] = []
    last: object = None
    came_from: list[int] = [0]
    recording = debugger.recording
    machine = debugger.program.start(recording.stdin, limits=recording.limits)
    while True:
        here = around.get(machine.location, [])
        if here and not machine.skips_instruction:
            own = names[here[0]]
            again = own == last or (last, own) in comes_back
            if not again or (heads[own] == machine.location and not came_from):
                found.append((machine.steps, spans[here[0]].line))
            last = own
        came_from = here
        if machine.step() is None:
            return found


@st.composite
def nested(draw: st.DrawFn, end: int, start: int = 0, depth: int = 3) -> list[MappedSpan]:
    """Spans within each other, with gaps."""
    spans: list[MappedSpan] = []
    at = start
    while depth and at < end and draw(st.integers(0, 4)):
        first = draw(st.integers(at, min(end - 1, at + 3)))
        behind = draw(st.integers(first + 1, end))
        line, once = draw(st.integers(1, 5)), draw(st.booleans())
        # Spans of one statement are of one line, as whoever writes a map has it.
        statement = draw(st.sampled_from([0, 0, line]))
        spans.append(MappedSpan(first, behind, line, "", statement, once))
        spans += draw(nested(behind, first, depth - 1))
        at = behind
    return spans


@pytest.mark.slow
@settings(max_examples=40)
@given(source=brainfuck.sources(), stdin=st.binary(max_size=4), data=st.data())
def test_source_steps_match_a_search_of_every_state(
    source: bytes, stdin: bytes, data: st.DataObject
) -> None:
    assume(source)
    spans = data.draw(nested(len(source)))
    limits = Limits(steps=200, output=50, memory=200)
    debugger = Debugger.open("brainfuck", source, stdin=stdin, limits=limits)
    debugger.use_map(SourceMap(digest(source), "any.py", "", spans))
    begun = find_line_starts(debugger, spans)
    steps = [step for step, _ in begun if step]
    assert stops(debugger) == steps
    debugger.seek(10**6)
    end = debugger.step
    assert stops(debugger, reverse=True) == [step for step, _ in begun if step < end][::-1]
    middle = data.draw(st.integers(0, end))
    debugger.seek(middle)
    debugger.step_by(granularity="source")
    assert debugger.step == min([step for step in steps if step > middle], default=end)
    debugger.seek(middle)
    debugger.step_by(granularity="source", reverse=True)
    assert debugger.step == max([step for step, _ in begun if step < middle], default=0)
    line = data.draw(st.sampled_from([line for _, line in begun] or [0]))
    assume(line)
    wanted = [step for step, each in begun if each == line and step]
    debugger.seek(0)
    debugger.set_breakpoints([BreakpointSpec(source_line=line)])
    assert hits(debugger) == wanted
    debugger.seek(end)
    back = [step for step in hits(debugger, reverse=True) if step]
    assert back == [step for step in reversed(wanted) if step < end]
    debugger.set_breakpoints([BreakpointSpec(source_line=line, condition="hits % 2 == 0")])
    debugger.seek(0)
    assert hits(debugger, 5) == wanted[1:11:2]
    debugger.seek(middle)
    debugger.set_breakpoints([BreakpointSpec(source_line=line), BreakpointSpec(every=50)])
    expected = sorted({*wanted, *range(50, end + 1, 50)})
    assert hits(debugger) == [step for step in expected if step > middle]


@pytest.mark.parametrize("language", back_end_ids())
def test_lines_start_in_the_same_order_in_every_language(language: str) -> None:
    debugger = opened(generate(SOURCE, language, name="ex.py"))
    steps = [*([0] if source_maps.last_line(debugger) else []), *stops(debugger)]
    lines: list[int] = []
    for step in steps:
        debugger.seek(step)
        here = source_maps.current_span(debugger)
        assert here is not None
        assert here.line == source_maps.last_line(debugger)
        lines.append(here.line)
    assert lines == LINES
    debugger.seek(0)  # where a program has yet to put itself together, no line is said to be next
    assert (source_maps.current_span(debugger) is None) == (steps[0] > 0)
    debugger.seek(10**8)
    assert stops(debugger, reverse=True) == steps[::-1]
    for line in {9, 10, 17, 3}:
        wanted = [step for step, each in zip(steps, lines, strict=True) if each == line]
        debugger.set_breakpoints([BreakpointSpec(source_line=line)])
        debugger.seek(0)
        assert hits(debugger) == wanted
        debugger.seek(10**8)
        assert hits(debugger, reverse=True) == wanted[::-1]


@pytest.mark.parametrize("language", back_end_ids())
@settings(max_examples=1, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=sources(), stdin=INPUTS)
def test_backwards_is_forwards_reversed_in_random_programs(
    language: str, text: str, stdin: bytes
) -> None:
    debugger = opened(generate(text, language), stdin)
    before = [*([0] if source_maps.last_line(debugger) else [])]
    onwards = stops(debugger, most=6)
    debugger.step_by(7)  # wherever that is, the way back is the same
    back = stops(debugger, most=7 + 7, reverse=True)
    assert back[::-1] == [*before, *onwards, *back[: len(back) - len(before) - len(onwards)][::-1]]


SPAN = st.tuples(
    st.integers(0, 700),
    st.integers(1, 700),
    st.sampled_from([1, 2, 10**30]),
    st.just("a label"),
    st.sampled_from([0, 0, 1, 10**30]),
    st.booleans(),
)


@settings(max_examples=30)
@given(
    language=st.sampled_from(back_end_ids()),
    spans=st.lists(SPAN, max_size=12),
    begins=st.sampled_from([None, None, 5, (-1, 0), (3, 2), 10**30]),
)
def test_spans_may_nest_arbitrarily(
    language: str, spans: list[tuple[int, int, int, str, int, bool]], begins: Any
) -> None:
    source = find_language(language).sample()
    mapped = [
        MappedSpan(at, at + length, line, label, statement, once)
        for at, length, line, label, statement, once in spans
    ]
    mapped.sort(key=lambda span: (span.start, -span.end))
    limits = Limits(steps=5_000, output=500, memory=1 << 20)
    debugger = Debugger.open(language, source, stdin=b"hello", limits=limits)
    debugger.use_map(SourceMap(digest(source), "any.py", "", mapped, {}, begins))
    onwards = stops(debugger, most=12)
    if onwards:
        debugger.seek(onwards[-1])
        back = [step for step in stops(debugger, reverse=True) if step]
        assert back == onwards[-2::-1]
    heat = source_maps.line_heat(debugger)
    assert {row.line for row in heat.lines} <= {span.line for span in mapped}


def test_a_map_of_another_program_or_nested_too_deeply_is_refused() -> None:
    source = b"+" * 6_000
    debugger = Debugger.open("brainfuck", source)
    with pytest.raises(MapError, match="another version of the program"):
        debugger.use_map(SourceMap(digest(b"+"), "x.py", "", ()))
    spans = [MappedSpan(at, 6_000, 1, "", at + 1, True) for at in range(3_000)]
    with pytest.raises(MapError, match="nests spans too deeply"):
        debugger.use_map(SourceMap(digest(source), "x.py", "", spans))
    assert debugger.source_map is None
    with pytest.raises(UsageError, match="no source map is open"):
        debugger.add_breakpoint(BreakpointSpec(source_line=1))


def test_debugger_uses_the_open_map() -> None:
    debugger = opened(generate(SOURCE, "whitespace", name="ex.py"))
    debugger.add_breakpoint(BreakpointSpec(source_line=11))
    debugger.resume()
    for twin in (debugger.fork(), debugger.fork_at_start()):
        assert twin.source_map is debugger.source_map
        assert [each.spec.source_line for each in twin.breakpoints] == [11]
    debugger.set_stdin(b"x")
    assert source_maps.last_line(debugger) == 11
    debugger.use_map(None)
    assert (debugger.breakpoints, source_maps.current_span(debugger)) == ((), None)
