"""Which places a step puts numbers into, and from where: against a shadow of the stack.

The shadow holds, for every place of the stack and the heap, the step that made the number there.
"""

from __future__ import annotations

import pytest
from engines import one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.whitespace import Oracle
from strategies.whitespace import SPELLINGS, number, sources, stdins
from strategies.whitespace import options as some_options

from esolangs.numbers import abbreviate
from esolangs.stops import Slot, StopSet
from esoplay.timeline.provenance import origin
from esoplay.timeline.timeline import DEBUG_LIMITS, Recording, Timeline

ENGINES = one_fast_engine("whitespace")
STEPS = 200
_COPIES = ["dup", "swap", "copy 0", "copy 1", "copy 3", "slide 1", "slide 2", "slide -1", "slide 9"]
_HEAP = ["push 0,retrieve", "push 5,retrieve", "push 0,swap,store", "push 5,swap,store"]
_OTHERS = ["add", "discard", "push 5,readc", "push 0,readn", "push 1000000", "push -7"]


def _spelled(words: list[str]) -> bytes:
    text = ""
    for word in ",".join(words).split(","):
        name, _, operand = word.partition(" ")
        text += SPELLINGS[name] + (number(int(operand)) + "L" if operand else "")
    return text.translate({83: " ", 84: "\t", 76: "\n"}).encode()


def busy() -> st.SearchStrategy[bytes]:
    """Programs in which numbers are moved about and little else happens."""
    push = st.integers(0, 9).map("push {}".format)
    start = st.lists(push, min_size=3, max_size=6)
    move = st.sampled_from(_COPIES + _HEAP) | st.sampled_from(_COPIES + _HEAP + _OTHERS)
    body = st.lists(move, min_size=4, max_size=25)
    return st.tuples(start, body).map(lambda parts: _spelled(parts[0] + parts[1]))


class Shadow:
    """An oracle with the steps that made its numbers; ``pushes`` are the levels filled last."""

    def __init__(self, oracle: Oracle):
        self.oracle = oracle
        self.stack: list[int] = []
        self.heap: dict[int, int] = {}
        self.pushes: set[int] = set()

    def step(self) -> bool:
        oracle, stack = self.oracle, self.stack
        if oracle.ip == len(oracle.code):
            return False
        _, name, operand = oracle.code[oracle.ip]
        numbers, written = list(oracle.stack), len(oracle.writes)
        if not oracle.step():
            return False
        now = oracle.steps
        self.pushes = set()
        if name == "push":
            stack.append(now)
        elif name in ("dup", "copy"):
            stack.append(stack[-1 - (0 if name == "dup" else int(operand))])
        elif name == "swap":
            stack[-2:] = stack[-1], stack[-2]
            self.pushes.add(len(stack) - 2)
        elif name == "slide":
            count = max(0, min(int(operand), len(stack) - 1))
            if count > 0:
                stack[-1 - count :] = [stack[-1]]
                self.pushes.add(len(stack) - 1)
        elif name in ("add", "sub", "mul", "div", "mod"):
            stack[-2:] = [now]
        elif name == "retrieve":
            stack[-1] = self.heap.get(numbers[-1], 0)
        elif name == "store":
            self.heap[numbers[-2]] = stack[-1]
            del stack[-2:]
        elif name in ("discard", "jz", "jn", "printc", "printn", "readc", "readn"):
            if name in ("readc", "readn") and len(oracle.writes) > written:
                self.heap[numbers[-1]] = now
            stack.pop()
        if name in ("push", "dup", "copy", "swap", "add", "sub", "mul", "div", "mod", "retrieve"):
            self.pushes.add(len(stack) - 1)
        return True


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=st.one_of(busy(), sources()),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 60),
    levels=st.frozensets(st.integers(0, 6), max_size=3),
)
def test_slot_stops_are_the_steps_that_write_the_slot(
    engine: str,
    source: bytes,
    options: dict[str, str | int],
    stdin: bytes,
    pause: int,
    levels: frozenset[int],
) -> None:
    parsed = program("whitespace", source, engine, **options)
    shadow = Shadow(Oracle(source, stdin, **options))  # pyright: ignore[reportArgumentType]
    machine, singly = parsed.start(stdin), list[int]()
    while machine.steps < pause + STEPS and (step := machine.step()) is not None:
        assert shadow.step()
        assert {place.level for place in step.pushes} == shadow.pushes
        if step.number > pause and levels & shadow.pushes:
            singly.append(step.number)
    stops = StopSet(slots=frozenset(Slot(0, level) for level in levels))
    scanned, run = parsed.start(stdin), parsed.start(stdin)
    scanned.run(pause)
    hits = scanned.scan(STEPS, stops)
    ends = (singly[0], singly[-1]) if singly else (None, None)
    assert (hits.total, hits.first, hits.last) == (len(singly), *ends)
    run.run(pause)
    for expected in singly:
        assert run.run(STEPS, stops) == "stopped"
        assert run.steps == expected


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=st.one_of(busy(), busy(), sources()),
    stdin=stdins(),
    steps=st.integers(0, STEPS),
    every=st.integers(3, 40),
)
def test_origins_are_the_steps_that_made_the_numbers(
    engine: str, source: bytes, stdin: bytes, steps: int, every: int
) -> None:
    parsed = program("whitespace", source, engine)
    recording = Recording(
        "whitespace", "standard", parsed.options, source, stdin, True, 0, DEBUG_LIMITS
    )
    timeline = Timeline(parsed, recording, every)
    timeline.seek(steps)
    shadow = Shadow(Oracle(source, stdin))
    while shadow.oracle.steps < timeline.step:
        assert shadow.step()
    core = timeline.machine.core  # type: ignore[attr-defined]
    for level, maker in enumerate(shadow.stack):
        found = origin(timeline, Slot(0, level), timeline.step)
        assert found.step == maker
        assert (found.end == "initial") == (maker == 0)
        assert found.value == abbreviate(core.value(level))
    for address, maker in shadow.heap.items():
        assert origin(timeline, address, timeline.step).step == maker
