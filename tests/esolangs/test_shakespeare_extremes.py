"""Extreme plays: deep, long, huge and far."""

from __future__ import annotations

import math
from functools import partial

import pytest
from engines import one_fast_engine, program

from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.numbers import MAX_BITS, decimal
from esolangs.registry import find_language
from esolangs.shakespeare import words
from esolangs.stops import StopSet
from esolangs.view import Stage, Table, Window

play = partial(program, "shakespeare")
engines = pytest.mark.parametrize("engine", one_fast_engine("shakespeare"))
HEAD = b"A play.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\nRomeo:\n"
DEPTH = 100_000


def run(source: bytes, engine: str, stdin: bytes = b"", **limits: int) -> Machine:
    machine: Machine = play(source, engine).start(stdin, limits=Limits(**limits))
    machine.run(10**6)
    return machine


@engines
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        (b"twice " * 60, b"", 2**60),
        (b"twice the square root of " * DEPTH, b"", 2),
        (b"the sum of a rose and " * DEPTH, b"", DEPTH + 1),
        (b"the sum of " * DEPTH, b" and a rose" * DEPTH, DEPTH + 1),
        (b"the difference between you and " * DEPTH, b"", 1),
    ],
)
def test_deep_expressions_need_no_recursion(
    engine: str, before: bytes, after: bytes, value: int
) -> None:
    machine = run(HEAD + b"You are " + before + b"a rose" + after + b". Open your heart.", engine)
    assert machine.take_output() == b"%d" % value
    assert machine.view().location.explanation == "the play has ended"


@engines
def test_a_deep_expression_is_explained_in_one_line(engine: str) -> None:
    source = HEAD + b"You are " + b"the sum of I and " * DEPTH + b"a rose."
    machine = play(source, engine).start()
    machine.run(1)
    location = machine.view().location
    assert len(location.explanation) < 200
    assert len(location.instruction) < 200


@engines
def test_a_constant_may_have_many_adjectives(engine: str) -> None:
    machine = run(HEAD + b"You are a " + b"big " * 20_000 + b"rose. Open your heart.", engine)
    assert machine.take_output() == decimal(1 << 20_000)
    machine = run(HEAD + b"You are a " + b"big " * (MAX_BITS) + b"rose.", engine)
    assert (machine.status, machine.limit, machine.steps) == ("limited", "memory", 1)


@engines
def test_a_factorial_is_exact_or_refused_before_it_is_computed(engine: str) -> None:
    source = HEAD + b"Listen to your heart. You are the factorial of yourself. Open your heart."
    assert run(source, engine, b"2000").take_output() == decimal(math.factorial(2000))
    for huge in (b"1000000", b"9" * 30, b"9" * 3000):
        machine = run(source, engine, huge)
        assert (machine.status, machine.limit, machine.steps) == ("limited", "memory", 2)


@engines
def test_a_number_with_too_many_digits_reaches_the_memory_limit(engine: str) -> None:
    source = HEAD + b"Listen to your heart. Open your heart."
    assert run(source, engine, b"0" * 10**6 + b"7").take_output() == b"7"
    machine = run(source, engine, b"1" * 10**6)
    assert (machine.status, machine.limit, machine.input_position) == ("limited", "memory", 0)


@engines
def test_pending_operands_count_as_memory(engine: str) -> None:
    square = b"the sum of the square of you and "
    source = HEAD + b"You are a " + b"big " * 10_000 + b"rose. You are " + square * 400 + b"you."
    machine = run(source, engine, memory=100_000)
    assert (machine.status, machine.limit, machine.steps) == ("limited", "memory", 2)
    assert run(source, engine, memory=10**7).status == "halted"


@engines
def test_memory_is_the_peak(engine: str) -> None:
    """Two characters of 8 bytes, three entries of 8, and 2¹⁰⁰ of 48 + 13 bytes as one of them."""
    said = b"Remember a rose. Remember a " + b"big " * 100 + b"cat. Remember me. Recall. Recall."
    machine = run(HEAD + said, engine)
    assert machine.memory == 16 + 24 + 48 + 13
    assert machine.peek(1) == 2**100
    assert run(HEAD + said, engine, memory=16 + 24 + 48 + 13).status == "halted"
    machine = run(HEAD + said, engine, memory=16 + 24 + 48 + 12)
    assert (machine.limit, machine.steps) == ("memory", 3)


@engines
def test_large_numbers_print_up_to_the_output_limit(engine: str) -> None:
    source = HEAD + b"You are a " + b"big " * 30_000 + b"rose. Open your heart. Open your heart."
    digits = decimal(1 << 30_000)
    machine = run(source, engine, output=len(digits) + 7)
    assert (machine.status, machine.limit, machine.steps) == ("limited", "output", 3)
    data, steps = machine.take_printed()
    assert data == digits + digits[:7]
    assert list(steps) == [3] * len(digits) + [4] * 7


@engines
def test_output_stops_apply_to_large_numbers(engine: str) -> None:
    source = HEAD + b"You are a " + b"big " * 100 + b"rose. Open your heart. Open your heart."
    digits = b"%d" % 2**100
    code = play(source, engine)
    for stops, steps in [
        (StopSet(output_index=0), [3]),
        (StopSet(output_index=len(digits)), [4]),
        (StopSet(output_values=frozenset(b"5")), [3, 4]),
        (StopSet(output_values=frozenset(b"x")), []),
        (StopSet(writes=frozenset({1, 10**30, -1})), [2]),
    ]:
        machine = code.start()
        met: list[int] = []
        while machine.run(100, stops) == "stopped":
            met.append(machine.steps)
        assert met == steps


@engines
def test_a_megabyte_is_echoed(engine: str) -> None:
    size = 10**6 if engine == "compiled" else 10**4
    source = (
        HEAD + b"Open your mind.\nScene II: x.\nRomeo: Speak your mind. Open your mind. "
        b"Is nothing better than you? If not, let us return to scene II."
    )
    data = bytes(range(256)) * (size // 256)
    machine = play(source, engine, io="bytes").start(data)
    assert machine.run(10**8) == "halted"
    printed, steps = machine.take_printed()
    assert printed == data
    assert len(machine.take_reads()) == len(steps) == len(data)


@engines
def test_a_line_longer_than_any_buffer_is_one_read(engine: str) -> None:
    source = HEAD + b"Open your mind. Listen to your heart. Open your heart. Open your mind."
    data = b"x12" + b" " * 10_000 + b"\nx"
    machine = play(source, engine).start(data, closed=False)
    machine.run(100)
    assert list(machine.take_reads()) == [2] + [3] * 10_003 + [5]
    assert machine.take_output() == b"12"


@engines
@pytest.mark.parametrize("number", ["line", "digits"])
def test_reading_a_number_waits_for_its_end(engine: str, number: str) -> None:
    source = HEAD + b"Listen to your heart. Open your heart."
    machine = play(source, engine, number=number).start(b"1", closed=False)
    assert machine.run(100) == "needs_input"
    assert (machine.steps, machine.input_position) == (1, 0)
    machine.feed(b"2")
    assert machine.run(100) == "needs_input"
    machine.feed(b"\n3")
    assert machine.run(100) == "halted"
    assert (machine.take_output(), machine.input_position) == (b"12", 3)


@engines
def test_reading_a_character_waits_for_all_its_bytes(engine: str) -> None:
    machine = play(HEAD + b"Open your mind. Open your heart.", engine).start(closed=False)
    for byte in "€".encode():
        assert machine.run(100) == "needs_input"
        assert machine.input_position == 0
        machine.feed(bytes([byte]))
    step = machine.step()
    assert step is not None
    assert step.read == "€".encode()
    machine.feed(b"more")
    assert machine.last_step == step
    assert machine.run(100) == "halted"
    assert machine.take_output() == b"8364"


@engines
def test_a_user_may_set_a_value_of_any_size(engine: str) -> None:
    machine = play(HEAD + b"Open your heart. Open your heart.", engine).start()
    machine.run(1)
    machine.poke(1, -(10**30))
    assert machine.peek(1) == machine.registers()["juliet"] == -(10**30)
    machine.run(1)
    machine.poke(1, 5)
    machine.run(1)
    assert machine.take_output() == b"-1%s5" % (b"0" * 30)
    for address, value in [(2, 0), (-1, 0), ((0, 0), 0), (1, 1 << MAX_BITS)]:
        with pytest.raises(ValueError, match=r"character|bits"):
            machine.poke(address, value)


@engines
def test_all_characters_may_be_on_stage(engine: str) -> None:
    people = "".join(f"{name}, x.\n" for name in words.NAMES_IN_ORDER)
    everybody = ", ".join(words.NAMES_IN_ORDER)
    source = f"A play.\n{people}Act I: x.\nScene I: x.\n[Enter {everybody}]\nAjax: Is a rose a"
    source = source[:-1] + "as good as Viola?\n[Exeunt]"
    machine = run(source.encode(), engine)
    assert (machine.status, machine.steps) == ("halted", 3)
    assert len(machine.registers()) == 153


@engines
def test_a_view_of_a_deep_stack_and_a_long_play_is_small(engine: str) -> None:
    source = HEAD + b"Remember a rose.\n" * 20_000
    machine = play(source, engine).start()
    machine.run(10_000)
    stage, script = machine.view(Window(depth=5)).panels
    assert isinstance(stage, Stage)
    assert isinstance(script, Table)
    (juliet,) = (actor for actor in stage.actors if actor.name == "Juliet")
    assert (juliet.stack.depth, len(juliet.stack.values), juliet.role) == (9999, 5, "addressee")
    assert (script.size, len(script.rows), script.current) == (20_001, 5, 2)
    assert script.rows[2] == (10_007, "Romeo", "Remember a rose.")


def test_a_large_play_is_parsed_without_recursion() -> None:
    language = find_language("shakespeare")
    source = HEAD + b"You are a big rose. Am I better than you? If so, remember me.\n" * 5000
    assert len(language.parse(source).spans()) == 15_001


@engines
def test_many_stacks_grow_side_by_side(engine: str) -> None:
    """Everybody remembers in turn, with what they remember read back at the end."""
    cast = words.NAMES_IN_ORDER[1:20]
    people = "".join(f"{name}, x.\n" for name in words.NAMES_IN_ORDER[:20])
    source = f"A play.\n{people}Act I: x.\nScene I: x.\n[Enter Achilles]\nScene II: x.\n"
    for number, name in enumerate(cast):
        source += (
            f"[Enter {name}]\nAchilles: Remember the sum of you and {'twice ' * number}a rose."
        )
        source += f" You are the sum of you and a pig.\n[Exit {name}]\n"
    source += "Achilles: Let us return to scene II."
    machine = play(source.encode(), engine).start()
    rounds = 300
    machine.run(1 + rounds * (4 * len(cast) + 1))
    stage = machine.view(Window(depth=1000)).panels[0]
    assert isinstance(stage, Stage)
    for number, actor in enumerate(stage.actors[1:]):
        assert actor.stack.values == tuple(2**number - at for at in range(rounds))[::-1]
    snapshot = machine.snapshot()
    again = play(source.encode(), engine).resume(snapshot)
    assert again.view(Window(depth=1000)).panels == machine.view(Window(depth=1000)).panels


@pytest.mark.slow
@engines
def test_a_run_of_large_numbers_returns_within_the_time_limit(engine: str) -> None:
    source = (
        HEAD + b"Listen to your heart.\nScene II: y.\n"
        b"Juliet: You are the quotient between the square of me and me. Let us return to scene II."
    )
    code = play(source, engine)
    digits = decimal(3**100_000)
    patient, impatient = code.start(digits), code.start(digits)
    impatient.patience = 0.0
    while impatient.steps < 60:
        before = impatient.steps
        assert impatient.run(10**9) == "running"
        assert before < impatient.steps < before + 20
    assert patient.run(impatient.steps) == "running"
    assert impatient.view() == patient.view()


@engines
def test_a_pause_at_the_last_step_does_not_hide_the_end(engine: str) -> None:
    source = HEAD + b"You are a " + b"big " * 200_000 + b"rose. You are the square of yourself."
    for steps, end in ((3, "halted"), (10, "halted"), (2, "limited")):
        machine = play(source, engine).start(limits=Limits(steps=steps))
        machine.patience = 0.0
        assert machine.run(10**9) in ("running", end)
        machine.run(10**9)
        assert machine.status == end
