"""Which places a step puts values into, and from where: against an oracle whose values are tagged.

Every number in the oracle carries the step that made it, and takes that along wherever it is
moved.  The machine's own account, ``Step.pushes`` and ``copied_from`` followed step by step, must
reach the same step for every place.  Left out is what the engine does not report: letters of
fingerprints other than ``COPYING`` count as making all that they put, and so do all instructions in
invert and queue mode, and the storage offset that ``{`` pushes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from engines import one_fast_engine
from hypothesis import given
from hypothesis import strategies as st
from oracles.befunge_98 import Oracle
from oracles.befunge_98.space import Point, Space
from strategies.befunge_98 import options as some_options
from strategies.befunge_98 import sources, stdins
from test_befunge_98_equals_oracle import STARTED, both

from esolangs.befunge_98.program import BefungeMachine
from esolangs.stops import Address, Slot, StopSet
from esolangs.view import StackOfStacks

ENGINES = one_fast_engine("befunge-98")
STEPS = 150
COPYING = {
    (name, letter)
    for name, letters in {
        "TOYS": "ALRQS", "ORTH": "GP", "FRTH": "LOPR", "INDV": "GPVW", "JSTR": "GP", "3DSP": "PU",
    }.items()
    for letter in letters
}  # fmt: skip
STACKS = 10**9

_NUMBERS = st.text(st.sampled_from("123"), min_size=1, max_size=5)
_COPIES = [":", "\\", "3k:", "3k\\", "00g", "70g", "90p", "80p", "'x", '"ab"', "'zs", "fby"]
_BLOCKS = ["0{", "2{", "1}", "1{1}", "1{:2}", "1u", "01-u", "#vt"]
_LETTERS = [
    f'"{name[::-1]}"4({use}'
    for name, uses in {
        "FRTH": ["O", "R", "2P", "3L", "02-L", "9L"], "JSTR": ["10203G", "10801P", "01012P"],
        "INDV": ["10G", "10p10V", "10P", "0012pp10W"], "3DSP": ["U", "0020P"],
    }.items()
    for use in uses
]  # fmt: skip
_MOVES = st.sampled_from([*_COPIES, *_BLOCKS, *_LETTERS, "+", "-", "$", ","])


def busy() -> st.SearchStrategy[bytes]:
    """Rows in which values are moved about and little else happens."""
    row = st.lists(st.one_of(_NUMBERS, _MOVES), min_size=2, max_size=12).map("".join)
    return st.tuples(_NUMBERS, row).map(lambda parts: "".join(parts).encode())


class Tagged(int):
    born: int


def tagged(value: int, step: int) -> Tagged:
    made = Tagged(value)
    made.born = step
    return made


class TaggedStack(list[int]):
    """Remembers the lowest level that something was put into."""

    lowest: int | None = None

    def append(self, value: int) -> None:
        self.extend([value])

    def extend(self, values: Iterable[int]) -> None:
        if new := list(values):
            self.lowest = len(self) if self.lowest is None else min(self.lowest, len(self))
            super().extend(new)

    def insert(self, at: Any, value: int) -> None:
        super().insert(at, value)  # at the bottom, which moves all
        self.lowest = 0

    def pop(self, at: Any = -1) -> int:
        if at == 0:
            self.lowest = 0
        return super().pop(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(at, value)
        if isinstance(at, slice):  # the oracle only replaces all of it
            self.lowest = 0


class TaggedSpace(Space):
    def __init__(self, torus: Point | None) -> None:
        super().__init__(torus)
        self.tags: dict[Point, int] = {}

    def get(self, at: Point) -> int:
        known = self.tags.get(self.within(at))
        return tagged(super().get(at), 0) if known is None else known

    def put(self, at: Point, value: int) -> None:
        x, y = self.within(at)
        super().put((int(x), int(y)), value)
        self.tags[int(x), int(y)] = value if isinstance(value, Tagged) else tagged(value, -1)


class Shadow(Oracle):
    """The oracle with tags; ``pushes`` are the places that the last step put values into."""

    def __post_init__(self) -> None:
        super().__post_init__()
        space, self.space = self.space, TaggedSpace(self.space.torus)
        self.space.cells = space.cells
        self.pushes: set[Slot] = set()
        self._tag(range(0))

    def kept(self, value: int) -> int:
        return value if super().kept(value) == value else super().kept(value)

    def step(self) -> bool:
        known = len(self.writes)
        ip = self.ips[self.turn] if self.ips else None
        at = self.location()
        code = ip.repeats[-1][1] if ip and ip.repeats else self.space.get(at) if at else 0
        letter, string = chr(code) if 65 <= code <= 90 else "", ip is not None and ip.in_string
        bound = ip.bindings.get(letter) if ip else None
        number, letter = bound[-1] if bound else (0, letter)
        name = number.to_bytes(8, "big").lstrip(b"\0").decode()
        shifting = ip is not None and (ip.invert or ip.queue)
        if not super().step():
            return False
        copying = not letter or string or (name, letter) in COPYING
        if shifting:
            copying = False
        self._tag([] if copying else range(known, len(self.writes) + 1))
        return True

    def _tag(self, made: Any) -> None:
        """Tag what is new; ``made``: not empty when all that the step put counts as new."""
        self.pushes.clear()
        for ip in self.ips:
            for at, stack in enumerate(ip.stacks):
                lowest = stack.lowest if isinstance(stack, TaggedStack) else 0
                for level in range(len(stack) if lowest is None else lowest, len(stack)):
                    self.pushes.add(Slot(ip.id * STACKS + at, level))
                    if made or not isinstance(stack[level], Tagged):
                        stack[level] = tagged(stack[level], self.steps)
                ip.stacks[at] = TaggedStack(stack)
            ip.at, ip.delta, ip.offset = map(_plain, (ip.at, ip.delta, ip.offset))
        for step, at, _, value in self.writes[made[0] if made else 0 :]:
            cell = self.space.within((int(at[0]), int(at[1])))
            if step == self.steps and (made or not isinstance(value, Tagged)):
                self.space.tags[cell] = tagged(self.space.get(cell), self.steps)


def _plain(point: Point) -> Point:
    return int(point[0]), int(point[1])


Place = Address | Slot


class Account:
    """The step that made what stands in each place, as the machine reports it.

    ``behind`` stands before the step that ``machine`` has just executed.
    """

    def __init__(self, machine: BefungeMachine, behind: BefungeMachine) -> None:
        self.machine = machine
        self.behind = behind
        self.slots: dict[Slot, int] = {}  # apart from cells: a slot equals a point as a tuple
        self.cells: dict[Address, int] = {}

    def step(self) -> tuple[set[Slot], bool]:
        """The places on stacks that got a value; and whether there was a step."""
        step = self.machine.step()
        if step is None:
            return set(), False
        slots = {place: self._maker(place, step.number) for place in step.pushes}
        addresses = {write.address for write in step.writes}
        cells = {place: self._maker(place, step.number) for place in addresses}
        self.slots.update(slots)
        self.cells.update(cells)
        self.behind.step()
        return set(step.pushes), True

    def _maker(self, place: Place, step: int) -> int:
        source = self.behind.copied_from(place)
        if source is None:
            return step
        assert self.value(self.behind, source) == self.value(self.machine, place)
        if isinstance(source, Slot):
            return self.slots.get(source, 0)
        return self.cells.get(source, 0)

    @staticmethod
    def value(machine: BefungeMachine, place: Place) -> int:
        if not isinstance(place, Slot):
            return machine.peek(place)
        number, at = divmod(place.stack, STACKS)
        ip = next(ip for ip in machine.core.ips if ip.id == number)
        return [*(buffer for buffer, _ in ip.below), ip.buffer][at][place.level]


def trace_both(
    engine: str, source: bytes, options: dict[str, Any], stdin: bytes
) -> tuple[Account, Shadow]:
    machine, _ = both(engine, source, options, stdin)
    behind, _ = both(engine, source, options, stdin)
    return Account(machine, behind), Shadow(source, stdin, options=options, started=STARTED)


@pytest.mark.parametrize("engine", ENGINES)
@given(source=st.one_of(busy(), sources()), options=some_options(), stdin=stdins())
def test_origins_match_the_oracle(
    engine: str, source: bytes, options: dict[str, Any], stdin: bytes
) -> None:
    account, shadow = trace_both(engine, source, options, stdin)
    for _ in range(STEPS):
        pushes, done = account.step()
        if not done:
            break
        assert shadow.step()
        for ip in shadow.ips:
            for at, stack in enumerate(ip.stacks):
                key = ip.id * STACKS + at
                told = [account.slots.get(Slot(key, level), 0) for level in range(len(stack))]
                assert told == [value.born for value in stack]  # type: ignore[attr-defined]
        assert pushes == shadow.pushes
        for at, value in shadow.space.tags.items():
            assert account.cells.get(at, 0) == value.born


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=st.one_of(busy(), sources()),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 60),
    slots=st.frozensets(
        st.builds(Slot, st.sampled_from((0, 0, 0, 1, 2, STACKS, STACKS + 1)), st.integers(0, 5)),
        max_size=4,
    ),
)
def test_slot_stops_are_the_steps_that_write_the_slot(
    engine: str,
    source: bytes,
    options: dict[str, Any],
    stdin: bytes,
    pause: int,
    slots: frozenset[Slot],
) -> None:
    machine, _ = both(engine, source, options, stdin)
    singly: list[int] = []
    while machine.steps < pause + STEPS and (step := machine.step()) is not None:
        if step.number > pause and slots.intersection(step.pushes):
            singly.append(step.number)
    scanned, _ = both(engine, source, options, stdin)
    scanned.run(pause)
    hits = scanned.scan(STEPS, StopSet(slots=slots))
    ends = (singly[0], singly[-1]) if singly else (None, None)
    assert (hits.total, hits.first, hits.last) == (len(singly), *ends)
    run, _ = both(engine, source, options, stdin)
    run.run(pause)
    for expected in singly:
        assert run.run(STEPS, StopSet(slots=slots)) == "stopped"
        assert run.steps == expected
        assert run.last_step is not None
        assert slots.intersection(run.last_step.pushes)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stack_keeps_its_key_while_it_exists(engine: str) -> None:
    machine, _ = both(engine, b"12340{56 2u}2{7}@", {}, b"")
    seen: list[dict[int, int]] = []
    while machine.step() is not None:
        (panel,) = [each for each in machine.view().panels if isinstance(each, StackOfStacks)]
        seen.append({stack.key: stack.depth for stack in panel.stacks})
        assert [stack.key for stack in panel.stacks] == list(range(len(panel.stacks)))[::-1]
    assert {key for keys in seen for key in keys} == {0, 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_stops_at_impossible_slots_never_apply(engine: str) -> None:
    far = frozenset({Slot(0, 1 << 80), Slot(0, (1 << 63) - 2), Slot(0, -1), Slot(1 << 80, 0)})
    machine, _ = both(engine, b"12:3..@", {}, b"")
    assert machine.scan(3, StopSet(slots=far)).total == 0
    assert machine.run(100, StopSet(slots=far)) == "halted"
