"""Places on stacks, in every language: what a step says it put there is what stops are met for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from esolangs.language import Language
from esolangs.machine import Machine
from esolangs.numbers import abbreviate
from esolangs.registry import find_language, language_ids
from esolangs.stops import Address, Slot, StopSet
from esolangs.view import Number, Stack, StackOfStacks, Stage, Window

STDIN = b"12 esolang"
STEPS = 1500
WIDE = Window(depth=200)
NONE = ("brainfuck", "unlambda")
PLAY = b"""A play whose people remember, which the sample does not.
Romeo, who speaks.
Juliet, who listens.
Act I: One.
Scene I: Two.
[Enter Romeo and Juliet]
Romeo: You are a big cat. Remember thyself. Remember a pig. You are as good as me. Remember me.
Recall it! Recall it! Recall it! Remember thyself! Listen to your heart. Open your heart.
Juliet: Remember me. Thou art as bad as thyself. Recall thy youth. Open your heart.
[Exeunt]
"""


@pytest.fixture(params=language_ids())
def language(request: pytest.FixtureRequest) -> Language:
    return find_language(request.param)


def stacks(machine: Machine) -> dict[int, Stack]:
    """By key; that keys are told apart is seen here."""
    found: list[Stack] = []
    for panel in machine.view(WIDE).panels:
        if isinstance(panel, Stack):
            found.append(panel)
        elif isinstance(panel, StackOfStacks):
            found += panel.stacks
        elif isinstance(panel, Stage):
            found += [actor.stack for actor in panel.actors]
    by_key = {each.key: each for each in found}
    assert len(by_key) == len(found)
    return by_key


def value(machine: Machine, place: Address | Slot) -> Number:
    if not isinstance(place, Slot):
        return abbreviate(machine.peek(place))
    stack = stacks(machine)[place.stack]
    return stack.values[stack.depth - 1 - place.level]


def source_of(language: Language) -> bytes:
    return PLAY if language.id == "shakespeare" else language.sample()


def steps(language: Language) -> Iterator[tuple[Machine, tuple[Slot, ...]]]:
    """A machine after each step, with what the step put on stacks."""
    machine = language.parse(source_of(language)).start(STDIN)
    while machine.steps < STEPS and (step := machine.step()) is not None:
        yield machine, step.pushes


def test_only_languages_with_stacks_report_pushes(language: Language) -> None:
    pushes = [each for _, pushed in steps(language) for each in pushed]
    has_stacks = bool(stacks(language.parse(source_of(language)).start(STDIN)))
    assert bool(pushes) == has_stacks == (language.id not in NONE)


def test_a_stack_changes_only_where_a_step_pushes(language: Language) -> None:
    before: dict[int, list[Number]] = {}
    for machine, pushes in steps(language):
        after = {key: [*reversed(each.values)] for key, each in stacks(machine).items()}
        assert len(set(pushes)) == len(pushes)
        for place in pushes:
            assert 0 <= place.level < len(after[place.stack])
        for key, values in after.items():
            old = before.get(key, [])
            for level, each in enumerate(values):
                same = level < len(old) and old[level] == each
                assert same or Slot(key, level) in pushes
        before = after


def test_slot_stops_match_single_steps(language: Language) -> None:
    program = language.parse(source_of(language))
    numbers: dict[Slot, list[int]] = {}
    for machine, pushes in steps(language):
        for place in pushes:
            numbers.setdefault(place, []).append(machine.steps)
    often = Counter({place: len(numbers[place]) for place in numbers})
    chosen = [place for place, _ in often.most_common(4)]
    sets = [frozenset({place}) for place in chosen] + [frozenset(chosen)]
    sets += [frozenset({Slot(0, 10**30), Slot(-1, 0), Slot(10**30, 1), Slot(0, -1)})]
    for slots in sets:
        singly = sorted({number for place in slots for number in numbers.get(place, ())})
        ends = (singly[0], singly[-1]) if singly else (None, None)
        hits = program.start(STDIN).scan(STEPS, StopSet(slots=slots))
        assert (hits.total, hits.first, hits.last) == (len(singly), *ends)
        machine = program.start(STDIN)
        for number in singly:
            assert machine.run(STEPS, StopSet(slots=slots)) == "stopped"
            assert machine.steps == number
            assert machine.last_step is not None
            assert slots.intersection(machine.last_step.pushes)
        assert machine.run(STEPS - machine.steps, StopSet(slots=slots)) != "stopped"


def test_a_copy_is_the_same_value(language: Language) -> None:
    before, copies = language.parse(source_of(language)).start(STDIN), 0
    for machine, pushes in steps(language):
        written = machine.last_step.writes if machine.last_step else ()
        for place in (*pushes, *(write.address for write in written)):
            source = before.copied_from(place)
            if source is not None:
                copies += 1
                assert value(before, source) == value(machine, place)
        before.step()
    assert copies or language.id in NONE


def test_printed_from_has_the_printed_value(language: Language) -> None:
    machine, printed = language.parse(source_of(language)).start(STDIN), 0
    while machine.steps < STEPS:
        place = machine.printed_from()
        held = None if place is None else value(machine, place)
        before = machine.output_length
        if machine.step() is None:
            break
        output = machine.take_printed()[0]
        assert (place is not None) == (machine.output_length > before) or language.id == "unlambda"
        if isinstance(held, int):
            printed += 1
            numeral = str(held).encode()
            assert output in (bytes([held & 255]), numeral, numeral + b" ")
    assert printed or language.id == "unlambda"
