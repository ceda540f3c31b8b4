"""What a person sees: the term with its redex, the continuation, the next step in words."""

from __future__ import annotations

import pytest
from engines import engine_names, program

from esolangs.limits import Limits
from esolangs.stops import StopSet
from esolangs.unlambda.program import UnlambdaMachine
from esolangs.view import CallStack, Table, Term, Window

engines = pytest.mark.parametrize("engine", engine_names("unlambda"))


def at_step(source: bytes, engine: str, steps: int, stdin: bytes = b"") -> UnlambdaMachine:
    machine = program("unlambda", source, engine).start(stdin)
    machine.run(steps)
    return machine


def term(machine: UnlambdaMachine, window: Window | None = None) -> tuple[str, str]:
    """The text of the term and its redex."""
    panel = machine.view(window).panels[0]
    assert isinstance(panel, Term)
    assert panel.redex is not None
    return panel.text, panel.text[slice(*panel.redex)]


@engines
@pytest.mark.parametrize(
    ("source", "steps", "text", "redex"),
    [
        (b"`r``k.a`.bi", 0, "`r``k.a`.bi", "`k.a"),
        (b"`r``k.a`.bi", 1, "`r``k.a`.bi", "`.bi"),
        (b"`r``k.a`.bi", 2, "`r``k.ai", "``k.ai"),
        (b"`r``k.a`.bi", 3, "`r.a", "`r.a"),
        (b"```s.a.b`ki", 3, "```s.a.b`ki", "```s.a.b`ki"),
        (b"```s.a.b`ki", 4, "``.a`ki`.b`ki", "`.a`ki"),
        (b"```s.a.b`ki", 5, "``ki`.b`ki", "`.b`ki"),
        (b"`d`.ai", 0, "`d`.ai", "`d`.ai"),
        (b"```s`kd.ai", 5, "`d`.ai", "`d`.ai"),
        (b"``d`.a.bi", 2, "``.a.bi", "`.a.b"),
        (b"`.a``cii", 1, "`.a``i<c>i", "`i<c>"),
        (b"`.\xffr", 0, "`.\\xffr", "`.\\xffr"),
    ],
)
def test_the_term_shows_the_next_application_in_its_context(
    engine: str, source: bytes, steps: int, text: str, redex: str
) -> None:
    assert term(at_step(source, engine, steps)) == (text, redex)


@engines
def test_an_unmeasured_size_is_not_shown_as_a_number(engine: str) -> None:
    table = next(
        panel for panel in at_step(b"`.ai", engine, 0).view().panels if isinstance(panel, Table)
    )
    assert dict(table.rows)["words alive at most"] == "not measured"


@engines
def test_the_term_at_the_end_is_the_result(engine: str) -> None:
    machine = at_step(b"``ks`.ai", engine, 9)
    assert machine.view().panels[:2] == (
        Term("term", "s", None, ((0, 1),)),
        CallStack("continuation", (), 0),
    )
    assert machine.view().location.explanation == "the program has ended"


@engines
def test_long_terms_are_elided_around_the_redex(engine: str) -> None:
    machine = at_step(b"`.a" * 300 + b"`k" + b"``ss" * 200 + b"i" + b"i" * 200, engine, 0)
    text, redex = term(machine, Window(width=20, depth=6))
    assert len(text) <= 40 + 2
    assert text.startswith("…")
    assert redex == "`ss"
    machine.run(400)
    text, redex = term(machine, Window(width=20, depth=6))
    assert redex.endswith("…")
    assert len(text) <= 60


@engines
def test_the_continuation_lists_the_waiting_frames(engine: str) -> None:
    machine = at_step(b"`.a\n``k.b``si`cr", engine, 3)
    panel = machine.view().panels[1]
    assert isinstance(panel, CallStack)
    frames = [(frame.label, frame.line, frame.column) for frame in panel.frames]
    assert frames == [("``si_", 2, 8), ("``k.b_", 2, 3), ("`.a_", 1, 2)]
    bounded = machine.view(Window(depth=1)).panels[1]
    assert isinstance(bounded, CallStack)
    assert (bounded.depth, bounded.frames) == (3, panel.frames[:1])
    assert machine.registers()["depth"] == 3


@engines
def test_frames_that_c_moved_are_shown(engine: str) -> None:
    before, after = (at_step(b"`.a`.b``s`ki`ci", engine, steps) for steps in (2, 3))
    labels: list[list[str]] = []
    for machine in (before, after):
        panel = machine.view().panels[1]
        assert isinstance(panel, CallStack)
        labels.append([frame.label for frame in panel.frames])
    assert labels[0] == labels[1] == ["``s`ki_", "`.b_", "`.a_"]


@engines
@pytest.mark.parametrize(
    ("source", "steps", "stdin", "explanation"),
    [
        (b"`.Ai", 0, b"", "print 'A' (65) and return i"),
        (b"`rk", 0, b"", "print newline (10) and return k"),
        (b"`ki", 0, b"", "k makes a function that always returns i"),
        (b"`si", 0, b"", "s takes i as its first operand and waits for two more"),
        (b"``sir", 1, b"", "s takes r as its second operand and waits for one more"),
        (b"``k.ai", 1, b"", "k returns .a, its first operand, and discards i"),
        (b"```skri", 2, b"", "s applies both k and r to i, then the first result to the second"),
        (b"`d`.ai", 0, b"", "d promises `.ai without evaluating it"),
        (b"``dri", 1, b"", "force the promise of r: evaluate it and apply its value to i"),
        (b"``d`.aik", 1, b"", "force the promise of `.ai: evaluate it and apply its value to k"),
        (b"``@dk", 2, b"x", "force the promise of the value i: apply this value to k"),
        (b"````s`kd.ari", 6, b"", ("force the promise of `.ar: evaluate it and apply its value "
         "to i")),
        (b"``@dri", 1, b"x", "d promises i, which is a value already"),
        (b"```s`kd.ai", 5, b"", "d promises `.ai without evaluating it"),
        (b"``c`dri", 1, b"", ("c applies `dr to the current continuation (1 frame)")),
        (b"`@r", 0, b"x", "read 'x' (120) as the current character and apply r to i"),
        (b"`@r", 0, b"", "read: the input has ended; clear the current character and apply r to v"),
        (b"``@i`?xr", 2, b"y", "the current character is 'y' (121), not 'x' (120): apply r to v"),
        (b"``@i`?yr", 2, b"y", "the current character is 'y' (121), which matches: apply r to i"),
        (b"`|r", 0, b"", "no current character: apply r to v"),
        (b"``@i`|r", 2, b"y", ("the current character is 'y' (121): apply r to the function that "
         "prints it")),
        (b"`r`ck", 0, b"", "c applies k to the current continuation (1 frame)"),
        (b"`r`ci", 1, b"", "i returns its operand <c>"),
        (b"`cc", 1, b"", "c applies <c> to the current continuation (0 frames)"),
        (b"`cc", 2, b"", ("return <c> to the continuation that c captured, the end of "
         "the program")),
        (b"`.a``s`ki`ci", 99, b"", "the program has ended"),
        (b"```cir`.xi", 1, b"", "i returns its operand <c>"),
        (b"`k``cci", 2, b"", ("return <c> to the continuation that c captured (2 frames), "
         "discarding the current one (2 frames)")),

        (b"`v`.ai", 1, b"", "v discards its operand i and returns v"),
        (b"`ek", 0, b"", "e ends the program with the value k"),
    ],
)  # fmt: skip
def test_the_next_step_is_explained_in_words(
    engine: str, source: bytes, steps: int, stdin: bytes, explanation: str
) -> None:
    assert at_step(source, engine, steps, stdin).view().location.explanation == explanation


@engines
def test_a_breakpoint_on_a_combinator_stops_before_it_is_applied(engine: str) -> None:
    """Also when it has come a long way, as a part of what other combinators made."""
    source = b"```s`k.a``s`k.bii"
    machine = program("unlambda", source, engine).start()
    stops = StopSet(locations=frozenset({source.index(b".a"), source.index(b".b")}))
    met: list[tuple[bytes, str]] = []
    while machine.run(10**4, stops) == "stopped":
        met.append((machine.take_output(), machine.view().location.instruction))
    assert met == [(b"", ".b"), (b"b", ".a")]
    assert machine.take_output() == b"a"


@engines
def test_a_captured_continuation_is_located_at_its_c(engine: str) -> None:
    source = b"``ci.a"
    machine = program("unlambda", source, engine).start()
    places: list[int] = []
    while machine.status == "running":
        places.append(machine.location)
        machine.step()
    assert places == [
        source.index(b"c"),
        source.index(b"i"),
        source.index(b"c"),
        source.index(b"."),
    ]


@engines
def test_the_state_shows_the_current_character_as_a_number(engine: str) -> None:
    machine = at_step(b"``@i``@i`.ai", engine, 2, b"\xe9")
    assert machine.registers()["char"] == 0xE9
    state = machine.view().panels[2]
    assert isinstance(state, Table)
    assert dict(row for row in state.rows if len(row) == 2)["current character"] == "233"
    machine.run(2)
    assert machine.registers()["char"] == -1
    assert set(machine.registers()) == set(machine.program.register_names())


@engines
def test_unlambda_has_no_cells(engine: str) -> None:
    machine = program("unlambda", b"`.ai", engine).start(limits=Limits(memory=0))
    with pytest.raises(ValueError, match="no cells"):
        machine.peek(0)
    with pytest.raises(ValueError, match="no cells"):
        machine.poke(0, 1)
    assert machine.run(9) == "halted"
