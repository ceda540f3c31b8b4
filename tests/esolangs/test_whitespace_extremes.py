"""Deep calls, huge numbers, far addresses: what no program means, and some do."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from saved_states import comparable_state

from esolangs.errors import ParseError
from esolangs.limits import UNLIMITED, Limits
from esolangs.numbers import MAX_BITS, decimal
from esolangs.reasons import PAUSE
from esolangs.stops import StopSet
from esolangs.view import Window
from esolangs.whitespace.opcodes import TURN_INSTRUCTIONS

engines = pytest.mark.parametrize("engine", one_fast_engine("whitespace"))
EDGE = 1 << 63


def assembled(text: str, engine: str, **options: str | int) -> Any:
    return program("whitespace", text.encode(), engine, notation="assembly", **options)


@engines
def test_a_million_calls_return(engine: str) -> None:
    calls = 1_000_000 if engine == "compiled" else 100_000
    text = (
        f"push {calls}\ncall f\nend\nlabel f\ndup\njz g\npush 1\nsub\ncall f\nreturn\n"
        "label g\nreturn"
    )
    machine = assembled(text, engine).start()
    machine.run(5 * calls)
    assert machine.registers()["calls"] > calls // 2
    assert len(machine.view(Window(depth=3)).panels[2].frames) == 3
    resumed = assembled(text, engine).resume(machine.snapshot())
    for one in (machine, resumed):
        assert one.run(UNLIMITED) == "halted"
        assert one.memory == 16 * 2 + 8 * (calls + 1)
    assert machine.steps == resumed.steps


@engines
@pytest.mark.parametrize(
    ("body", "limited"),
    [("dup\nmul", "memory"), ("dup\nadd", ""), ("push 1\nadd", "")],
)
def test_growing_numbers_reach_the_memory_limit_quickly(
    engine: str, body: str, limited: str
) -> None:
    code = assembled(f"push 3\nlabel a\n{body}\njump a", engine)
    machine = code.start(limits=Limits(memory=10**9))
    machine.run(2000)
    assert (machine.limit or "") == limited


@engines
def test_the_size_limit_of_numbers_is_exact(engine: str) -> None:
    half = MAX_BITS // 2
    text = f"push {1 << 1000}\n" + "dup\nmul\n" * 9 + "push 1\nadd\n"
    machine = assembled(text, engine).start()
    assert machine.run(UNLIMITED) == "halted"
    assert machine.registers()["top"] == (1 << 512_000) + 1
    assert "bits" in machine.view().panels[0].values[0]
    full = assembled(f"push {1 << 1023}\n" + "dup\nmul\n" * 9 + f"push {1 << 400}\nmul\n", engine)
    machine = full.start()
    assert machine.run(UNLIMITED) == "halted"
    assert machine.registers()["top"].bit_length() == 1023 * 512 + 401
    text = "push 0\nreadn\npush 0\nretrieve\ndup\nmul\n"
    fits = assembled(text, engine).start(decimal((1 << half) - 1))
    assert fits.run(UNLIMITED) == "halted"
    too_large = assembled(text, engine).start(decimal(1 << half))
    assert (too_large.run(UNLIMITED), too_large.limit) == ("limited", "memory")
    assert too_large.steps == 5


@engines
@pytest.mark.parametrize("size", [80, 126, 127])
@pytest.mark.parametrize("below", [0, 1021, 1022, 1023])
def test_large_numbers_are_exact_around_the_first_1024_places(
    engine: str, below: int, size: int
) -> None:
    a, b = (1 << size) - 1, 3**39
    text = "push 1\n" * below + f"push {a}\npush {-b}\nswap\ncopy 1\nsub\ndup\nprintn\n"
    text += "push 10\nprintc\nadd\ndup\nprintn\ndup\njn end\nprintn\nlabel end"
    code = assembled(text, engine)
    machine = code.start()
    machine.run(below)
    for _ in range(12):
        machine.step()
        machine = code.resume(machine.snapshot())
    assert machine.run(UNLIMITED) == "halted"
    whole = code.start()
    whole.run(UNLIMITED)
    assert whole.take_output() == f"{a + b}\n{a}{a}".encode()
    assert whole.memory == machine.memory
    assert comparable_state(whole.snapshot()) == comparable_state(machine.snapshot())


@engines
def test_a_thousand_large_constants_add_up_exactly(engine: str) -> None:
    """More than the core keeps in words, and of one word, two words and more."""
    numbers = [(-1) ** n * (n + 3) ** (30 + n % 60) for n in range(1000)]
    loop = "".join(f"push {number}\nadd\n" for number in numbers)
    text = f"push 0\npush 3\nlabel a\nswap\n{loop}swap\npush 1\nsub\ndup\njz b\njump a\n"
    machine = assembled(text + "label b\ndiscard\nprintn", engine).start()
    assert machine.run(UNLIMITED) == "halted"
    assert machine.take_output() == str(3 * sum(numbers)).encode()


@engines
def test_thousands_of_digits_are_read_and_printed(engine: str) -> None:
    digits = b"-" + b"9" * 20_000
    text = "push 0\nreadn\npush 0\nretrieve\nprintn\n"
    machine = assembled(text, engine).start(digits + b"\n")
    assert machine.run(UNLIMITED) == "halted"
    printed, steps = machine.take_printed()
    assert printed == digits
    assert set(steps) == {5}
    assert set(machine.take_reads()) == {2}
    short = assembled(text, engine).start(digits, limits=Limits(output=7000))
    assert (short.run(UNLIMITED), short.limit, short.steps) == ("limited", "output", 4)
    assert short.take_output() == digits[:7000]


@engines
def test_reading_a_number_that_is_too_long_reaches_the_limit(engine: str) -> None:
    machine = assembled("push 0\nreadn\n", engine).start(b"9" * 400_000)
    assert (machine.run(9), machine.limit, machine.input_position) == ("limited", "memory", 0)


def test_a_factorial_of_2000_is_exact() -> None:
    text = (
        "push 1\npush 2000\nlabel a\ndup\njz b\nswap\ncopy 1\nmul\nswap\npush 1\nsub\njump a\n"
        "label b\ndiscard\nprintn"
    )
    for engine in engine_names("whitespace"):
        machine = assembled(text, engine).start()
        machine.run(UNLIMITED)
        assert machine.take_output() == decimal(math.factorial(2000))


@engines
def test_cells_far_apart_cost_nothing_between_them(engine: str) -> None:
    text = "".join(f"push {10**9 * n}\npush {n}\nstore\n" for n in range(-5, 6))
    machine = assembled(text, engine).start(limits=Limits(memory=10_000))
    assert machine.run(UNLIMITED) == "halted"
    assert [machine.peek(10**9 * n) for n in range(-5, 6)] == list(range(-5, 6))
    assert machine.memory == 2 * 16 + 64 * 16 + 10 * 128
    rows = machine.view(Window(depth=12)).panels[1].rows
    assert (-5 * 10**9, -5) in rows


@engines
def test_arithmetic_is_exact_at_the_edges_of_64_bits(engine: str) -> None:
    """Around 2⁶³, in hot code and in cold: the traces leave where a number does."""
    numbers = [EDGE - 1, EDGE, -EDGE, -EDGE - 1, 1 - EDGE, 1, -1, 0, EDGE // 2, 3_037_000_500]
    operations = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a // b,
        "mod": lambda a, b: a % b,
    }
    for name, meant in operations.items():
        for b in numbers:
            if b == 0 and name in ("div", "mod"):
                continue
            # reads a from cell 0 in a loop, so that constants are not folded
            text = (
                f"push 1\npush 60\nstore\nlabel l\npush 0\nretrieve\npush {b}\n{name}\n"
                "push 2\nswap\nstore\npush 1\ndup\nretrieve\npush 1\nsub\nstore\n"
                "push 1\nretrieve\njz e\njump l\nlabel e\n"
            )
            code = assembled(text, engine)
            for a in numbers:
                machine = code.start()
                machine.poke(0, a)
                assert machine.run(10**5) == "halted"
                assert machine.peek(2) == meant(a, b), (a, name, b)


@engines
def test_jumps_on_differences_are_exact_for_large_values(engine: str) -> None:
    for a, b in ((EDGE - 1, -2), (-EDGE + 1, 2), (-EDGE + 1, EDGE - 1), (5, 5), (4, 5), (5, 4)):
        for jump, jumps in (("jz", a == b), ("jn", a < b)):
            for left, right in (("load", b), (a, "load"), ("load", "load2")):
                first = "push 0\nretrieve" if left == "load" else f"push {left}"
                second = (
                    "push 3\nretrieve"
                    if right == "load2"
                    else "push 0\nretrieve"
                    if right == "load"
                    else f"push {right}"
                )
                text = (
                    f"push 1\npush 60\nstore\nlabel l\n{first}\n{second}\nsub\n{jump} yes\n"
                    "push 2\npush 0\nstore\njump on\nlabel yes\npush 2\npush 1\nstore\nlabel on\n"
                    "push 1\ndup\nretrieve\npush 1\nsub\nstore\npush 1\nretrieve\njz e\njump l\n"
                    "label e\n"
                )
                machine = assembled(text, engine).start()
                machine.poke(0, a if left == "load" else b)
                machine.poke(3, b)
                machine.run(10**5)
                assert machine.peek(2) == int(jumps), (a, b, jump, left, right)
                fresh = assembled(text, engine).start(limits=Limits(steps=500))
                fresh.poke(0, a if left == "load" else b)
                fresh.poke(3, b)
                while fresh.step() is not None:
                    pass
                again = assembled(text, engine).start(limits=Limits(steps=500))
                again.poke(0, a if left == "load" else b)
                again.poke(3, b)
                again.run(UNLIMITED)
                assert again.view() == fresh.view()


@engines
def test_machines_that_share_traces_do_not_interfere(engine: str) -> None:
    """Machines of one program share traces that were made while others ran."""
    text = (
        "push 0\nreadn\nlabel a\npush 0\nretrieve\njz z\npush 0\nretrieve\npush 2\nmod\njz even\n"
        "push 'o'\nprintc\njump down\nlabel even\npush 'e'\nprintc\nlabel down\npush 0\ndup\n"
        "retrieve\npush 1\nsub\nstore\njump a\nlabel z"
    )
    code = assembled(text, engine)
    machines = [code.start(b"%d" % n) for n in (150, 3, 151, 80)]
    while any(machine.status == "running" for machine in machines):
        for machine in machines:
            machine.run(97)
    for machine, n in zip(machines, (150, 3, 151, 80), strict=True):
        expected = b"".join(b"eo"[k % 2 : k % 2 + 1] for k in range(n, 0, -1))
        assert machine.take_output() == expected


@engines
def test_a_program_with_a_deep_stack_runs_correctly(engine: str) -> None:
    """Hot code that goes higher each time: the places that it needs are paid for one by one."""
    text = "push 0\nlabel a\ndup\ndup\npush 1\nadd\nswap\nadd\njump a"
    for memory in (160, 1000, 16 * 100, 16 * 333 + 5):
        machines = [assembled(text, engine).start(limits=Limits(memory=memory)) for _ in range(2)]
        machines[0].run(10**6)
        while machines[1].step() is not None:
            pass
        assert machines[0].view() == machines[1].view()
        assert machines[0].memory <= memory


@pytest.mark.skipif("compiled" not in engine_names("whitespace"), reason="needs the compiled core")
@pytest.mark.parametrize(
    ("power", "steps"), [pytest.param(50, 10**7, marks=pytest.mark.slow), (40_000, 3000)]
)
def test_other_threads_get_their_turn(power: int, steps: int) -> None:
    """A screen stays alive while numbers beyond 64 bits are worked on.

    On a busy machine the other thread may be late, so a run may be twice as long three times;
    a run that never yields gives no more than a turn before it and one after, however long.
    """
    text = "push 0\nreadn\nlabel a\npush 0\nretrieve\ndup\nmul\ndiscard\njump a"
    for length in (steps, 2 * steps, 4 * steps, 8 * steps):
        machine = assembled(text, "compiled").start(decimal(3**power))
        worker = threading.Thread(target=machine.run, args=(length,), daemon=True)
        turns = 0
        worker.start()
        while worker.is_alive():
            turns += 1
            time.sleep(0.001)
        assert machine.steps == length
        if turns > 5:
            return
    pytest.fail("no other thread got its turn")


@engines
def test_far_and_missing_watchpoints_do_not_hide_near_ones(engine: str) -> None:
    text = "push 1\npush 2\nstore\npush 5\npush 6\nstore\npush 1\npush 3\nstore"
    stops = StopSet(
        writes=frozenset({1, 10**30, -(10**30)}), locations=frozenset({10**9, -4}), output_index=9
    )
    machine = assembled(text, engine).start()
    met: list[int] = []
    while machine.run(100, stops) == "stopped":
        met.append(machine.steps)
        assert machine.last_step is not None
        assert machine.last_step.writes[0].address == 1
    assert met == [3, 9]


@engines
def test_writes_of_large_numbers_are_reported(engine: str) -> None:
    text = f"push {10**40}\npush {10**50}\nstore\npush {10**40}\npush 7\nstore"
    machine = assembled(text, engine).start()
    machine.run(5)
    step = machine.step()
    assert tuple(step.writes[0]) == (10**40, 10**50, 7)


@engines
def test_a_cell_that_is_set_can_be_read_again(engine: str) -> None:
    machine = assembled("push 1\nprintn", engine).start(limits=Limits(memory=3000))
    for address, value in ((0, 5), (-3, -(10**30)), (10**30, 9), (7, 1 << 70), (7, 3)):
        machine.poke(address, value)
        assert machine.peek(address) == value
    with pytest.raises(ValueError, match="memory"):
        machine.poke(70_000 * 16, 1 << 30_000)
    with pytest.raises(ValueError, match="expected an integer as a heap address, not"):
        machine.peek((1, 2))


@engines
@pytest.mark.parametrize(
    "body",
    ["dup\nmul\ndiscard", "dup\ndup\nadd\nadd\npush 3\ndiv\ndup\nmul\ndiscard", "dup\nprintn"],
)
def test_a_run_of_large_numbers_returns_within_the_time_limit(engine: str, body: str) -> None:
    text = f"push 0\nreadn\nlabel a\npush 0\nretrieve\n{body}\njump a"
    code = assembled(text, engine)
    digits = decimal(3**100_000)
    patient, impatient = code.start(digits), code.start(digits)
    impatient.patience = 0.0
    rounds = 0
    while impatient.steps < 100:
        before = impatient.steps
        assert impatient.run(10**9) == "running"
        assert before < impatient.steps < before + 30
        rounds += 1
    assert rounds >= 4
    assert patient.run(impatient.steps) == "running"
    assert impatient.view() == patient.view()
    assert impatient.take_printed() == patient.take_printed()


@engines
def test_a_pause_at_the_last_step_does_not_hide_the_end(engine: str) -> None:
    """A pause after the step that the limit allows as the last hides neither end nor limit."""
    large = "ST" + "S" * 200_000
    code = assembled(f"push {large}\ndup\nmul", engine)
    machine = code.start(limits=Limits(steps=3))
    machine.patience = 0.0
    assert machine.run(10**9) == "halted"
    machine = assembled(f"push {large}\ndup\nmul\nend", engine).start(limits=Limits(steps=3))
    machine.patience = 0.0
    assert (machine.run(10**9), machine.limit) == ("limited", "steps")
    machine = code.start()
    machine.patience = 0.0
    told = [machine.step() for _ in range(4)]
    assert [step is None for step in told] == [False, False, False, True]
    assert machine.status == "halted"


@engines
def test_addresses_with_equal_python_hashes_do_not_collide(engine: str) -> None:
    alike = (1 << 61) - 1
    text = f"push {alike}\nlabel a\ndup\npush 1\nstore\npush {alike}\nadd\njump a"
    machine = assembled(text, engine).start()
    machine.run(1 + 7 * 3000)
    assert len({hash(address) for address in range(alike, 3000 * alike, alike)}) == 1
    cells = machine.core.far_cells()
    assert len({hash(address) for address in cells}) > len(cells) - 9
    assert len(cells) == 3000
    assert [machine.peek(count * alike) for count in (0, 1, 3000, 3001)] == [0, 1, 1, 0]


@engines
def test_many_far_cells_keep_their_values(engine: str) -> None:
    """There are more than one dictionary holds, and in the end the window takes half of them in."""
    text = (
        "push 100000\nlabel a\ndup\ndup\nstore\ndup\npush -1\nmul\ncopy 1\nstore\n"
        "push 1\nsub\njump a"
    )
    machine = assembled(text, engine).start()
    machine.run(1 + 12 * 2500)
    numbers = range(100_000, 97_500, -1)
    assert machine.core.far_cells() == {at: abs(at) for n in numbers for at in (n, -n)}
    machine = machine.program.resume(machine.snapshot())
    machine.run(12 * 2500)
    numbers = range(100_000, 95_000, -1)
    assert machine.core.cells > 100_000
    assert machine.core.far_cells() == {-n: n for n in numbers}
    assert [machine.peek(n) for n in numbers] == list(numbers)


@engines
@pytest.mark.parametrize("number", ["line", "token"])
def test_leading_zeros_of_a_number_cost_nothing(engine: str, number: str) -> None:
    text = "push 0\nreadn\n" * 3
    code = assembled(text, engine, number=number)
    machine = code.start(b"0" * 10**6 + b"12\n-" + b"0" * 400_000 + b"\n" + b"0" * 400_000 + b"x")
    assert machine.run(2) == "running"
    assert machine.peek(0) == 12
    assert machine.run(2) == "running"
    assert machine.peek(0) == 0
    machine.run(9)
    assert (machine.status == "faulted") == (number == "line")


@engines
@pytest.mark.parametrize("line", ["copy ST{}", "jump ST{}", "call ST{}", "jz ST{}"])
def test_long_operands_are_shortened_in_reports(engine: str, line: str) -> None:
    long = line.format("S" * 100_000)
    machine = assembled(f"push 0\n{long}", engine).start()
    machine.step()
    before = machine.view()
    assert machine.run(5) == "faulted"
    for told in (machine.fault.message, before.location.explanation, before.location.instruction):
        assert len(told) < 150
    for row in before.panels[3].rows:
        assert len(row[1]) <= 60
        assert len(row[2]) <= 60


def test_long_labels_are_shortened_in_reports() -> None:
    label = f"label ST{'S' * 100_000}\n"
    code = assembled(label * 2, engine_names("whitespace")[0])
    assert len(code.warnings[0]) < 200
    source = f"call T{'T' * 100_000}\nlabel T{'T' * 100_000}\nlabel a"
    machine = assembled(source, engine_names("whitespace")[0]).start()
    machine.run(1)
    view = machine.view()
    assert len(view.panels[2].frames[0].label) <= 60
    with pytest.raises(ParseError) as caught:
        assembled("x" * 100_000, engine_names("whitespace")[0])
    assert len(str(caught.value)) < 400


@engines
def test_a_run_that_watches_returns_to_python_after_some_instructions(engine: str) -> None:
    """Only there does another thread, such as one that compiles the program, surely get the GIL."""
    machine = assembled("push 0\nlabel a\npush 1\nadd\njump a\n", engine).start()
    machine._watch(StopSet(locations=frozenset({0})), scanning=True)
    for turn in range(1, 4):
        assert machine.core.run(1 << 30) == PAUSE
        assert machine.core.steps == turn * TURN_INSTRUCTIONS
    machine._unwatch()
