"""Extreme depths and lengths: a million of everything, and loops that never end."""

from __future__ import annotations

import pytest
from engines import one_fast_engine, program

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.unlambda.program import UnlambdaMachine
from esolangs.view import Window, as_json
from esoplay.timeline.timeline import Checkpoints

MILLION = 10**6
MEBIBYTE = 1 << 20
ENGINES = one_fast_engine("unlambda")
engines = pytest.mark.parametrize("engine", ENGINES)


def started(source: bytes, engine: str, memory: int = 256 * MEBIBYTE) -> UnlambdaMachine:
    return program("unlambda", source, engine).start(limits=Limits(memory=memory))


def size(engine: str) -> int:
    """A million for an engine that is quick, fewer for one that is not."""
    return MILLION if engine == "compiled" else MILLION // 20


@engines
@pytest.mark.parametrize(
    ("repeated", "last", "steps"),
    [
        (b"`", b"i", 1),  # operators in operators
        (b"`i", b"", 1),  # operands in operands
        (b"`k", b"", 1),
        (b"`d", b"", 1),  # the outermost promise is never forced
        (b"``kk", b"i", 2),
    ],
)
def test_expressions_may_have_any_depth(
    engine: str, repeated: bytes, last: bytes, steps: int
) -> None:
    times = size(engine)
    machine = started(repeated * times + b"i" + last * times, engine)
    assert machine.run(10 * MILLION) == "halted"
    assert machine.steps == (1 if repeated == b"`d" else steps * times)


@engines
def test_a_deep_expression_reaches_the_memory_limit(engine: str) -> None:
    machine = started(b"`k" * size(engine) + b"i", engine, memory=100_000)
    assert (machine.run(10 * MILLION), machine.limit, machine.steps) == ("limited", "memory", 0)


@engines
def test_the_view_of_a_deep_expression_is_small(engine: str) -> None:
    machine = started(b"``si" * size(engine) + b"i" + b"i" * size(engine), engine)
    machine.run(size(engine) // 2)
    assert machine.registers()["depth"] > size(engine) // 2
    assert len(repr(as_json(machine.view(Window(depth=8))))) < 5000


@engines
def test_a_million_frames_are_captured_and_left(engine: str) -> None:
    times = size(engine)
    machine = started(b"`.*" * times + b"``cci", engine)
    assert machine.run(10 * MILLION) == "halted"
    assert machine.output_length == times


@pytest.mark.slow
@engines
@pytest.mark.parametrize("capture", [b"`c`ki", b"`ck"])  # forgotten at once, and kept
def test_capturing_at_every_depth_shares_frames(engine: str, capture: bytes) -> None:
    """Frames that `c` moved are shared: a million captures of a million frames are cheap."""
    times = size(engine)
    machine = started((b"`i" + b"`" + capture) * times + b"i", engine)
    machine.run(20 * MILLION)
    assert machine.status == "halted"
    assert machine.memory < 200 * times


@engines
@pytest.mark.parametrize(
    "loop",
    [
        b"```sii``sii",
        b"``ci`ci",
        # U applied to itself, U = ``sPi, where P gives back what it gets, after some work
        b"```s`dii``s`dii",
        b"```s`d``ki`kki``s`d``ki`kki",
        b"```s`d`c`kii``s`d`c`kii",
        b"```s`d`|`kii``s`d`|`kii",
        b"```s`d`@`kii``s`d`@`kii",
    ],
)
def test_a_loop_runs_forever_in_bounded_memory(engine: str, loop: bytes) -> None:
    steps = 3 * 10**7 if engine == "compiled" else 10**5
    machine = started(loop, engine, memory=MEBIBYTE // 2)
    assert machine.run(steps) == "running"
    assert machine.registers()["cells"] < MEBIBYTE
    assert Checkpoints(machine.snapshot()).size < MEBIBYTE // 2


@engines
@pytest.mark.parametrize(
    "loop",
    [
        b"```s`ki``sii``s`ki``sii",  # the continuation grows
        b"```s`k``s`ksk``sii``s`k``s`ksk``sii",
        b"```s``s`kk``sii`ki``s``s`kk``sii`ki",
    ],
)
def test_a_loop_that_retains_everything_reaches_the_memory_limit(engine: str, loop: bytes) -> None:
    machine = started(loop, engine, memory=MEBIBYTE)
    machine.run(10**8)
    assert (machine.status, machine.limit) == ("limited", "memory")
    assert MEBIBYTE // 4 < machine.memory <= MEBIBYTE


@pytest.mark.skipif(len(ENGINES) < 2, reason="there is no compiled engine to compare with")
@pytest.mark.parametrize(
    "loop", [b"```s`ki``sii``s`ki``sii", b"```s`k``s`ksk``sii``s`k``s`ksk``sii"]
)
def test_engines_agree_on_where_the_limit_is(loop: bytes) -> None:
    plain, compiled = (started(loop, engine, memory=200_000) for engine in ("plain", "compiled"))
    for machine in (plain, compiled):
        machine.run(3 * 10**5)
    assert plain.limit == "memory"
    assert plain.view() == compiled.view()


@engines
def test_the_reported_memory_suffices_as_limit(engine: str) -> None:
    source = b"``" + b"``s``s`ksk" * 60 + b"i.*i"
    needed = started(source, engine)
    assert needed.run(10**6) == "halted"
    assert needed.memory > 0
    assert started(source, engine, needed.memory).run(10**6) == "halted"
    assert started(source, engine, needed.memory - 8).run(10**6) == "limited"


@engines
def test_an_unfinished_expression_of_a_million_bytes_is_reported(engine: str) -> None:
    with pytest.raises(ParseError, match=r"'`' at line 2, column 1000000 has no operator"):
        program("unlambda", b"\n" + b"`" * MILLION, engine)


@engines
def test_a_megabyte_of_comment_is_skipped(engine: str) -> None:
    source = b"#" + b"`" * MILLION + b"\n `.a#b\n.b#c"
    machine = started(source, engine)
    assert machine.location == MILLION + 4
    assert machine.run(9) == "halted"
    assert machine.take_output() == b"a"
