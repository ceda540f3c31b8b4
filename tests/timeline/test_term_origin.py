"""Which application made a term, and which had made that: against a tree that is rewritten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.unlambda_terms import Rewriter, parts_of, text_of
from strategies.unlambda import sources

from esolangs.limits import Limits
from esolangs.view import Window
from esoplay.debugging.debugger import Debugger, MoveCancelled
from esoplay.debugging.provenance import TermOrigin, current_term, last_created_part, origin_of_part
from esoplay.errors import UsageError
from esoplay.timeline import provenance

WIDE = Window(width=400)
LIMITS = Limits(memory=1 << 20, output=1000)


def debugger_of(source: bytes) -> Debugger:
    return Debugger.open("unlambda", source, limits=LIMITS)


def steps_of(origin: TermOrigin) -> list[int]:
    return [link.step for link in origin.links]


@given(source=sources(), steps=st.lists(st.integers(0, 40), min_size=1, max_size=3))
def test_chain_matches_the_term_tree(source: bytes, steps: list[int]) -> None:
    oracle = Rewriter(source)
    trees, applied = [oracle.tree], [0]  # the origin of what each step reduced
    while oracle.steps < max(steps) and not oracle.ended and oracle.tree.size < 80:
        redex = oracle.redex()
        if redex is None:
            break
        applied.append(redex[1].born)
        oracle.step()
        trees.append(oracle.tree)
    debugger = debugger_of(source)
    for step in steps:  # forwards and backwards, with one machine
        if step >= len(trees) or len(text_of(trees[step])) > 150:
            continue
        debugger.seek(step)
        term = current_term(debugger, WIDE)
        if "…" in term.text or debugger.step != step:
            continue
        made_now: list[int] = []
        for part, (start, end, born) in enumerate(parts_of(trees[step])):
            found = origin_of_part(debugger, part, WIDE)
            assert found.text == term.text[start:end]
            if born == step and step:
                made_now.append(part)
            chain: list[int] = []
            while born > 0:
                chain.append(born)
                born = applied[born]
            assert steps_of(found) == chain
            assert found.end == "source"
            assert found.span is not None
            assert found.span[0] == ~born
        assert last_created_part(debugger, WIDE) == (made_now[0] if made_now else None)


def test_links_contain_the_application() -> None:
    debugger = debugger_of(b"```s`k.a`ki\n.b")
    debugger.seek(5)
    found = origin_of_part(debugger, 2)
    assert (found.text, steps_of(found)) == ("`k.a", [1])
    link = found.links[0]
    assert (link.instruction, link.span, link.application) == ("k", (5, 6), "`k.a")
    assert (found.end, found.span, found.line, found.column) == ("source", (4, 8), 1, 5)
    held = origin_of_part(debugger, 5)
    assert (held.text, held.links, held.line, held.column) == (".b", (), 2, 1)


def test_long_chain_is_cut_and_can_be_continued() -> None:
    debugger = debugger_of(b"```sii``sii")
    debugger.seek(400)
    cut = origin_of_part(debugger, 0, max_length=3)
    assert (cut.end, len(cut.links)) == ("more", 3)
    whole = origin_of_part(debugger, 0, max_length=10_000)
    assert whole.end == "source"
    assert whole.links[:3] == cut.links
    steps = steps_of(whole)
    assert steps == sorted(set(steps), reverse=True)


def test_forgotten_applications_are_replayed() -> None:
    """A chain that leads further back than the steps that a machine remembers."""
    debugger = debugger_of(b"`" + b"```s`kk`kii" + b"```sii``sii")  # the latter never ends
    debugger.seek(2_500_000)
    assert debugger.step == 2_500_000
    assert current_term(debugger, WIDE).text.startswith("``ki")
    found = origin_of_part(debugger, 1, WIDE)
    assert [(link.step, link.application) for link in found.links] == [
        (8, "`ki"),
        (5, "```s`kk`kii"),
    ]
    assert found.end == "source"


def test_query_can_be_cancelled_and_repeated() -> None:
    debugger = debugger_of(b"```sii``sii")
    debugger.seek(300_000)
    with pytest.raises(MoveCancelled):
        origin_of_part(debugger, 0, ticker=lambda _done, _total: False)
    assert debugger.step == 300_000
    assert origin_of_part(debugger, 0, max_length=1).links[0].step == 299_999


def test_unknown_part_is_refused() -> None:
    debugger = debugger_of(b"`.ai")
    with pytest.raises(UsageError, match="expected a part number from 0 to 2"):
        origin_of_part(debugger, 3)
    other = Debugger.open("brainfuck", b"+")
    with pytest.raises(UsageError, match="Brainfuck has no terms"):
        origin_of_part(other, 0)
    with pytest.raises(UsageError, match="Brainfuck has no terms"):
        current_term(other)


def test_a_program_that_takes_much_memory_is_not_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "MAX_TRACED_MEMORY", 1 << 16)
    debugger = Debugger.open("unlambda", b"```s`ki``sii``s`ki``sii")  # grows forever
    debugger.seek(1000)
    assert origin_of_part(debugger, 0).links
    debugger.seek(200_000)
    assert debugger.view().memory > 1 << 16
    with pytest.raises(UsageError, match="cannot trace terms of a program that uses more than"):
        origin_of_part(debugger, 0)


def test_later_input_is_traced() -> None:
    debugger = Debugger.open("unlambda", b"``@`|ii", closed=False)
    debugger.seek(99)
    before = debugger.step
    assert origin_of_part(debugger, 0).links == ()
    debugger.feed(b"x")
    debugger.seek(99)
    assert debugger.step > before
    term = current_term(debugger)
    assert origin_of_part(debugger, 0).text == term.text
