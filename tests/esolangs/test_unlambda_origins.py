"""Which step made each part of a term, against an oracle that rewrites a tree with origins."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.unlambda_terms import Rewriter, parts_of, text_of
from strategies import unlambda as programs

from esolangs.limits import Limits
from esolangs.stops import StopSet
from esolangs.view import PartOrigin, Term, Window

ENGINES = engine_names("unlambda")
engines = pytest.mark.parametrize("engine", one_fast_engine("unlambda"))
WIDE = Window(width=400, depth=24)
LIMITS = Limits(memory=1 << 20)


def traced(source: bytes, engine: str, stdin: bytes = b"", nursery: int | None = None) -> Any:
    tracing = program("unlambda", source, engine)
    if nursery is not None:
        tracing.nursery = nursery
    machine = tracing.start(stdin, limits=LIMITS)
    assert machine.trace()
    return machine


def term(machine: Any, window: Window | None = None) -> Term:
    panel = machine.view(window).panels[0]
    assert isinstance(panel, Term)
    return panel


def part_origins(machine: Any, window: Window | None = None) -> list[PartOrigin]:
    return list(machine.part_origins(window))


@engines
@given(source=programs.sources(), stdin=programs.stdins(), nursery=st.sampled_from([1, 3, 1 << 14]))
def test_origins_match_a_rewritten_tree(
    engine: str, source: bytes, stdin: bytes, nursery: int
) -> None:
    machine, oracle = traced(source, engine, stdin, nursery), Rewriter(source, stdin)
    for _ in range(60):
        assert machine.steps == oracle.steps
        if oracle.tree.size > 100 or machine.status == "limited":
            return
        shown, text = term(machine, WIDE), text_of(oracle.tree)
        if "…" not in shown.text:
            expected = list(parts_of(oracle.tree))
            assert shown.text == text
            assert shown.parts == tuple((start, end) for start, end, _ in expected)
            found = part_origins(machine, WIDE)
            assert [each.step for each in found] == [max(born, 0) for _, _, born in expected]
            assert [each.span[0] for each in found if each.span] == [
                ~born for _, _, born in expected if born < 0
            ]
        redex = oracle.redex()
        assert (redex is None or oracle.ended) == (machine.status == "halted")
        if redex is not None and machine.status != "halted":
            machine.run(1)
            origin = machine.application_origin(machine.steps)
            assert origin.step == max(redex[1].born, 0)
        oracle.step()
        if oracle.ended and machine.status == "halted" and machine.steps == oracle.steps:
            assert text_of(oracle.tree) == term(machine, WIDE).text or "…" in term(machine).text
            return


@given(
    source=programs.sources(),
    stdin=programs.stdins(),
    nursery=st.sampled_from([1, 3, 40, 1 << 14]),
    cuts=st.lists(st.integers(0, 3_000), min_size=1, max_size=4),
)
def test_tracing_changes_nothing_and_both_engines_agree(
    source: bytes, stdin: bytes, nursery: int, cuts: list[int]
) -> None:
    plain = program("unlambda", source, "plain")
    plain.nursery = nursery
    reference = plain.start(stdin, limits=LIMITS)
    machines = [traced(source, engine, stdin, nursery) for engine in ENGINES]
    for cut in cuts:
        reference.run(cut)
        view = reference.view()
        for machine in machines:
            machine.run(cut)
            assert machine.view() == view
            assert machine.core.canonical() == reference.core.canonical()
            assert machine.registers() == reference.registers()
            assert machine.snapshot().steps == reference.snapshot().steps
        assert part_origins(machines[0]) == part_origins(machines[-1])
    assert [machine.take_printed() for machine in machines] == [reference.take_printed()] * len(
        machines
    )


@engines
def test_copied_terms_have_the_origin_of_the_original(engine: str) -> None:
    source = b"```s`k.a`ki.b"
    machine = traced(source, engine)
    machine.run(5)  # the fifth is that of s, which makes three applications
    assert term(machine).text == "```k.a.b``ki.b"
    assert part_origins(machine)[:3] == [PartOrigin(5), PartOrigin(5), PartOrigin(1)]
    machine.run(1)
    assert term(machine).text == "`.a``ki.b"
    assert part_origins(machine)[1] == PartOrigin(0, (6, 8))  # .a is as it stood in the source


@engines
def test_an_expression_of_the_source_is_reported_with_its_whole_span(engine: str) -> None:
    source = b"`i ``k # in between\n.x i"
    machine = traced(source, engine)
    found = part_origins(machine)
    assert [source[slice(*each.span)] for each in found if each.span] == [
        source,
        b"i",
        b"``k # in between\n.x i",
        b"`k # in between\n.x",
        b"k",
        b".x",
        b"i",
    ]


@engines
def test_an_elided_part_counts_as_a_part(engine: str) -> None:
    machine = traced(b"`.a" * 300 + b"`k" + b"``ss" * 200 + b"i" + b"i" * 200, engine)
    for _ in range(50):
        window = Window(width=20, depth=6)
        shown = term(machine, window)
        starts = [start for start, _ in shown.parts]
        assert starts == sorted(set(starts))
        assert all(0 <= start < end <= len(shown.text) for start, end in shown.parts)
        assert shown.redex in shown.parts
        assert len(part_origins(machine, window)) == len(shown.parts) <= len(shown.text)
        machine.run(7)


@engines
def test_only_a_tracing_machine_reports_parts(engine: str) -> None:
    machine = program("unlambda", b"`.ai", engine).start()
    with pytest.raises(ValueError, match="is not tracing"):
        machine.part_origins()
    assert machine.application_origin(1) is None
    machine.run(1)
    with pytest.raises(ValueError, match="only at step 0"):
        machine.trace()


@engines
def test_a_machine_that_traces_can_be_stopped(engine: str) -> None:
    source = b"```s`k.a``s`k.bii"
    machine = traced(source, engine)
    machine.run(99, StopSet(locations=frozenset({source.index(b".b")})))
    assert machine.view().location.instruction == ".b"
    assert machine.part_origins()[0].step > 0
