"""Which sentences put values on stacks, and from where: against a shadow of the cast.

The shadow holds, for every character and every entry of a stack, the step that made the value.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from engines import one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.shakespeare import Oracle
from oracles.shakespeare_play import value
from strategies.shakespeare import options as some_options
from strategies.shakespeare import sources, stdins

from esolangs.stops import Slot, StopSet
from esoplay.timeline.provenance import origin
from esoplay.timeline.timeline import DEBUG_LIMITS, Recording, Timeline

ENGINES = one_fast_engine("shakespeare")
STEPS = 150
_PLAY = """A play.
Romeo, a man.
Juliet, a woman.
The Ghost, a memory.
Lady Macbeth, another.
Act I: First.
Scene I: Something.
[Enter Romeo and Juliet]
"""
_MOVES = (
    "Remember me",
    "Remember thyself",
    "Remember the Ghost",
    "Remember a big cat",
    "Remember the sum of me and thyself",
    "Recall thy youth",
    "Recall thy age",
    "You are as good as me",
    "You are as good as thyself",
    "You are Lady Macbeth",
    "You are as bad as a pig",
    "Open your mind",
    "If so, remember me",
    "If so, you are as good as me",
)


def busy() -> st.SearchStrategy[bytes]:
    """Plays in which values are moved about and little else happens."""
    said = st.lists(st.sampled_from(_MOVES), min_size=1, max_size=8).map(". ".join)
    speaker = st.sampled_from(("Romeo", "Juliet"))
    ask = st.sampled_from(("", " Am I as good as thyself?"))
    line = st.tuples(speaker, ask, said).map(lambda parts: "{}:{} {}.\n".format(*parts))
    return st.lists(line, min_size=2, max_size=6).map(
        lambda lines: (_PLAY + "".join(lines)).encode()
    )


class Shadow(Oracle):
    """The oracle with the steps that made its values; ``pushed`` is where the last step put one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.makers = dict.fromkeys(self.values, 0)
        self.entries: dict[str, list[int]] = {name: [] for name in self.values}
        self.pushed: set[Slot] = set()

    def step(self) -> bool:
        self.pushed = set()
        return super().step()

    def to_you(self, text: str, you: str) -> None:
        known = len(self.writes)
        super().to_you(text, you)
        if text.startswith("recall"):
            self.makers[you] = self.entries[you].pop()
        elif text.startswith("remember "):
            self.entries[you].append(self._maker(text.removeprefix("remember "), you))
            self.pushed = {Slot(list(self.values).index(you), len(self.entries[you]) - 1)}
        elif len(self.writes) > known:
            said = re.sub(r"^(you|thou|thee)( (am|are|art|be|is))? ", "", text)
            said = re.sub(r"^as (([\w-]+) as )?", "", said)
            reads = text.startswith(("open", "listen"))
            self.makers[you] = self.steps + 1 if reads else self._maker(said, you)

    def _maker(self, said: str, you: str) -> int:
        tree, _ = value(said, self.speaker)
        if not isinstance(tree, str):
            return self.steps + 1
        return self.makers[you if tree == "you" else tree]


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=st.one_of(busy(), sources()),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 30),
    slots=st.frozensets(st.builds(Slot, st.integers(0, 4), st.integers(0, 4)), max_size=6),
)
def test_slot_stops_are_the_sentences_that_write_the_slot(
    engine: str,
    source: bytes,
    options: dict[str, Any],
    stdin: bytes,
    pause: int,
    slots: frozenset[Slot],
) -> None:
    parsed = program("shakespeare", source, engine, **options)
    shadow = Shadow(source, stdin, **options)
    machine, singly = parsed.start(stdin), list[int]()
    while machine.steps < pause + STEPS and (step := machine.step()) is not None:
        assert shadow.step()
        assert set(step.pushes) == shadow.pushed
        if step.number > pause and slots & shadow.pushed:
            singly.append(step.number)
    stops = StopSet(slots=slots)
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
def test_origins_are_the_sentences_that_made_the_values(
    engine: str, source: bytes, stdin: bytes, steps: int, every: int
) -> None:
    parsed = program("shakespeare", source, engine)
    recording = Recording(
        "shakespeare", "standard", parsed.options, source, stdin, True, 0, DEBUG_LIMITS
    )
    timeline = Timeline(parsed, recording, every)
    timeline.seek(steps)
    shadow = Shadow(source, stdin)
    while shadow.steps < timeline.step:
        assert shadow.step()
    for index, name in enumerate(shadow.values):
        assert origin(timeline, index, timeline.step).step == shadow.makers[name]
        for level, maker in enumerate(shadow.entries[name]):
            assert origin(timeline, Slot(index, level), timeline.step).step == maker
