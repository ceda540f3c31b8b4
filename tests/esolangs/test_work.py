"""Work on large numbers: what is charged, where a run stops for it, and how soon it can pause."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles import work as oracle

from esolangs import division, work
from esolangs.limits import DEFAULT_WORK, UNLIMITED, Limits
from esolangs.numbers import MAX_BITS, decimal, from_decimal

EDGE = 1 << 63
SLICE = 1 << 20  # units between two pauses

large = st.integers(0, 3000).flatmap(lambda bits: st.integers(-(1 << bits), 1 << bits))
huge = st.integers(0, MAX_BITS).map(lambda bits: (1 << bits) - 1)

SQUARES = "push {}\nlabel a\ndup\ndup\nmul\ndiscard\njump a\n"


def whitespace(text: str, engine: str) -> Any:
    return program("whitespace", text.encode(), engine, notation="assembly")


# The formulas.


@given(a=large | huge, b=large | huge)
def test_the_formulas_match_the_oracle(a: int, b: int) -> None:
    assert work.of_sum(a, b) == oracle.work_of("+", a, b)
    assert work.of_product(a, b) == oracle.work_of("*", a, b)
    assert work.of_quotient(a, b) == oracle.work_of("/", a, b)
    assert work.of_cube(a) == oracle.work_of("^3", a)
    assert work.of_root(abs(a)) == oracle.work_of("root", abs(a))
    assert work.of_printing(a) == oracle.work_of_printing(a)
    count = abs(a) % 100_000
    assert work.of_factorial(count) == oracle.work_of("factorial", count)
    assert work.of_reading(count) == oracle.work_of_reading(count)


@given(a=st.integers(1 - EDGE, EDGE - 1), b=st.integers(1 - EDGE, EDGE - 1))
def test_small_numbers_cost_nothing(a: int, b: int) -> None:
    costs = (
        work.of_sum(a, b),
        work.of_product(a, b),
        work.of_quotient(a, b),
        work.of_cube(a),
    )
    assert costs == (0, 0, 0, 0)
    assert work.of_root(abs(a)) == work.of_printing(a) == work.of_address(a) == 0
    assert work.of_reading(18) == work.of_factorial(20) == 0


def test_ordinary_programs_use_little_work() -> None:
    product, spent = 1, 0
    for factor in range(2, 1001):
        spent += work.of_product(product, factor)
        product *= factor
    assert spent + work.of_printing(product) < DEFAULT_WORK // 10_000
    doubled = sum([work.of_product(1 << bits, 2) for bits in range(100_000)])
    assert doubled + work.of_printing(1 << 100_000) < DEFAULT_WORK // 10


# Division and roots, which no quadratic time limits.


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide and conquer also where Python's own division would do."""
    monkeypatch.setattr(division, "_MAX_SHORT_BITS", 8)


@pytest.mark.usefixtures("short")
@given(a=large, b=large, edge=st.integers(-2, 2), quotient=large)
def test_quotients_and_remainders_are_exact(a: int, b: int, edge: int, quotient: int) -> None:
    divisor = abs(b) or 1
    near = max(0, divisor * abs(quotient) + edge)
    for number in (abs(a), near, (1 << a.bit_length()) - 1):
        assert division.divide(number, divisor) == divmod(number, divisor)


@pytest.mark.usefixtures("short")
@given(root=large, edge=st.integers(-2, 2))
def test_square_roots_are_rounded_down(root: int, edge: int) -> None:
    number = max(0, root * root + edge)
    assert division.square_root(number) == math.isqrt(number)


@pytest.mark.parametrize("bits", [70_000, pytest.param(MAX_BITS, marks=pytest.mark.slow)])
def test_the_largest_numbers_are_divided_and_converted(bits: int) -> None:
    a, b = 3 ** int(bits / 1.59), 7 ** int(bits / 8)
    quotient, rest = division.divide(a, b)
    assert a == quotient * b + rest
    assert 0 <= rest < b
    root = division.square_root(a)
    assert root * root <= a < (root + 1) ** 2
    assert from_decimal(decimal(a)) == a
    assert decimal(10 ** (bits // 4)) == b"1" + b"0" * (bits // 4)


# Where a run stops.

LANGUAGES: dict[str, tuple[str, bytes, dict[str, str | int]]] = {
    "whitespace": ("whitespace", SQUARES.format(3**3000).encode(), {"notation": "assembly"}),
    "befunge-98": ("befunge-98", b"f:*:*:*:*:*:*:*:*:*>::*$", {"cell": "unbounded"}),
    "shakespeare": (
        "shakespeare",
        b"A play.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\n"
        b"Romeo: You are " + b"the cube of " * 6 + b"a big big big big rose.\nScene II: y.\n"
        b"Romeo: Remember yourself. You are the product of you and the square root of the square"
        b" of you. Open your heart. You are the quotient between you and a cat. Recall thyself."
        b" Let us return to Scene II.",
        {},
    ),
}


@pytest.mark.parametrize("name", LANGUAGES)
@given(limit=st.integers(0, 300_000), cut=st.integers(0, 200), slice=st.integers(1, 60))
def test_the_work_limit_is_exact_for_interrupted_runs(
    name: str, limit: int, cut: int, slice: int
) -> None:
    language, source, options = LANGUAGES[name]
    for engine in engine_names(language):
        code = program(language, source, engine, **options)
        whole = code.start(limits=Limits(work=limit))
        assert (whole.run(10**7), whole.limit) == ("limited", "work")
        assert whole.work <= limit
        again = code.start(limits=Limits(work=limit))
        again.run(cut)
        resumed = code.resume(again.snapshot(), limits=Limits(work=limit))
        while resumed.status == "running":
            resumed.run(slice)
        enough = code.start(limits=Limits(work=whole.work))
        enough.run(10**7)
        one_more = code.start(limits=Limits(steps=whole.steps + 1))
        assert (one_more.run(10**7), one_more.limit) == ("limited", "steps")
        assert one_more.work > limit
        expected = whole.steps, whole.work, "work"
        for machine in (resumed, enough):
            assert (machine.steps, machine.work, machine.limit) == expected
        assert resumed.view() == whole.view()


def test_engines_stop_at_the_same_step() -> None:
    for language, source, options in LANGUAGES.values():
        stops: set[tuple[int, int]] = set()
        for engine in engine_names(language):
            machine = program(language, source, engine, **options).start(limits=Limits(work=10**6))
            machine.run(10**7)
            stops.add((machine.steps, machine.work))
        assert len(stops) == 1


@pytest.mark.parametrize(
    "body",
    ["dup\nmul\ndiscard", "push 0\nretrieve\nswap\ndiv\ndiscard", "printn", "retrieve\ndiscard"],
)
@pytest.mark.parametrize("engine", one_fast_engine("whitespace"))
def test_hostile_loops_reach_the_work_limit(engine: str, body: str) -> None:
    text = f"push 0\nreadn\nlabel a\npush 0\nretrieve\n{body}\njump a\n"
    machine = whitespace(text, engine).start(decimal(3**100_000), limits=Limits(work=3 * 10**7))
    assert (machine.run(UNLIMITED), machine.limit) == ("limited", "work")
    assert machine.steps < 100_000
    assert 2 * 10**7 < machine.work <= 3 * 10**7


@pytest.mark.slow
@pytest.mark.skipif("compiled" not in engine_names("whitespace"), reason="takes minutes")
def test_repeated_squaring_reaches_a_default_limit() -> None:
    digits = decimal(3**330_000)
    text = "push 0\nreadn\nlabel a\npush 0\nretrieve\ndup\nmul\ndiscard\njump a\n"
    machine = whitespace(text, "compiled").start(digits)
    assert (machine.run(10**7), machine.limit) == ("limited", "work")
    assert machine.steps < 10_000


def test_small_numbers_do_no_work() -> None:
    text = "push 0\npush 9\nlabel a\npush 7\nmul\npush 1000003\nmod\ndup\nprintn\njump a\n"
    machine = whitespace(text, engine_names("whitespace")[0]).start(limits=Limits(work=0))
    assert machine.run(10_000) == "running"
    assert machine.work == 0


@pytest.mark.parametrize("engine", one_fast_engine("whitespace"))
def test_a_step_that_is_refused_for_its_memory_is_not_charged(engine: str) -> None:
    machine = whitespace(SQUARES.format(3**3000), engine).start(limits=Limits(memory=1000))
    machine.run(100)
    assert (machine.limit, machine.work) == ("memory", 0)


@pytest.mark.parametrize("engine", one_fast_engine("whitespace"))
def test_a_number_larger_than_the_buffer_is_converted_once(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "push 0\nreadn\npush 1\nreadn\npush 0\nretrieve\npush 1\nretrieve\nsub\n"
    code = whitespace(text, engine)
    machine = code.start(b"7" * 5000 + b"\n" + b"7" * 5000)
    core = sys.modules[type(machine.core).__module__]
    calls: list[int] = []
    read_line = core.read_line

    def counted(data: bytes, at: int, closed: bool) -> object:
        calls.append(at)
        return read_line(data, at, closed)

    monkeypatch.setattr(core, "read_line", counted)
    assert machine.run(100) == "halted"
    assert calls == [0, 5001]
    assert machine.registers()["top"] == 0


# Pauses.


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_run_returns_after_a_bounded_amount_of_work(name: str) -> None:
    language, source, options = LANGUAGES[name]
    for engine in engine_names(language):
        machine = program(language, source, engine, **options).start(limits=Limits(work=5 * 10**6))
        machine.patience = 0.0
        before, rounds = 0, 0
        while machine.run(10**9) == "running":
            assert machine.work - before < 2 * SLICE
            before = machine.work
            rounds += 1
        assert machine.limit == "work"
        assert rounds >= 3


SENTENCE = (
    b"A play.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\n"
    b"Romeo: You are " + b"the cube of " * 9 + b"a big big rose. "
    b"You are " + b"the sum of a rose and the square root of the square of " * 60 + b"you."
    b" Open your heart."
)


@pytest.mark.parametrize("engine", one_fast_engine("shakespeare"))
def test_a_long_sentence_is_interrupted_and_resumed(engine: str) -> None:
    code = program("shakespeare", SENTENCE, engine)
    patient, impatient = code.start(), code.start()
    assert patient.run(100) == "halted"
    impatient.patience = 0.0
    stays = 0
    while impatient.status == "running":
        before = impatient.steps
        impatient.run(100)
        if impatient.status == "running" and impatient.steps == before:
            stays += 1
            view = impatient.view().panels
            assert impatient.view().panels == view
            copy = code.resume(impatient.snapshot())
            assert (copy.steps, copy.work) == (impatient.steps, impatient.work)
            if stays == 2:
                copy.run(100)
                assert copy.work == patient.work
    assert stays >= 4, "pauses within the sentence"
    assert impatient.take_printed() == patient.take_printed()
    assert (impatient.steps, impatient.work) == (patient.steps, patient.work)
    assert impatient.view() == patient.view()


@pytest.mark.parametrize("engine", one_fast_engine("shakespeare"))
def test_a_value_changed_within_a_sentence_is_used(engine: str) -> None:
    machine = program("shakespeare", SENTENCE, engine).start()
    machine.patience = 0.0
    while machine.work == 0 or machine.steps < 2:
        machine.run(100)
    steps = machine.steps
    machine.run(100)
    assert machine.steps == steps
    machine.poke(1, 5)
    machine.patience = None
    machine.run(100)
    assert machine.take_output() == b"65"


@pytest.mark.parametrize("engine", one_fast_engine("shakespeare"))
def test_a_sentence_that_takes_long_is_explained_without_its_value(engine: str) -> None:
    machine = program("shakespeare", SENTENCE, engine).start()
    machine.run(2)
    assert "takes long to compute" in machine.view().location.explanation
    before = machine.work
    machine.view()
    assert machine.work == before


# Befunge-98 with unbounded cells.


def unbounded(source: bytes, **limits: int) -> Any:
    code = program("befunge-98", source, "plain", cell="unbounded")
    return code.start(limits=Limits(**limits))


@pytest.mark.parametrize(
    "body",
    [b":*", b":+", b"::/$", b":2/$", b":.", b"::w", b":1`$", b":*.", b":\"DOM\"+$"],
)  # fmt: skip
def test_instructions_on_unbounded_cells_are_charged(body: bytes) -> None:
    machine = unbounded(b"f:*:*:*:*:*:*:*:" + body + b"@")
    machine.run(10**4)
    assert machine.work > 0


def test_letters_of_fingerprints_are_charged_by_their_operands() -> None:
    power = b'"PXIF"4($$f:*:*:*:*:*:*:*:*2'
    idle = unbounded(power + b"@")
    idle.run(10**4)
    busy = unbounded(power + b"R@")
    busy.run(10**4)
    assert busy.status == "halted"
    assert busy.work - idle.work == 4 * work.of_square(1000 // 64) + work.of_square(2000 // 64)
    refused = unbounded(power + b"R@", work=idle.work)
    refused.run(10**4)
    assert (refused.limit, refused.steps, refused.work) == ("work", idle.steps - 1, idle.work)


@pytest.mark.parametrize("body", [b"0x", b"0\\x", b"0g", b"0p", b"j", b"k+"])
def test_coordinates_and_counts_have_at_most_4096_bits(body: bytes) -> None:
    machine = unbounded(b"f" + b":*" * 11 + body + b"z" * 9 + b"@")
    machine.run(100)
    assert (machine.status, machine.limit) == ("limited", "memory")
