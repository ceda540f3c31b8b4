"""The hidden tests of a problem.  Only the grader may import this module.

Tests are not stored anywhere: they are derived from a seed, by the ``cases``
of the problem's ``judge.py``, whose ``solve`` gives the expected outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple, Protocol, cast

from esoplay.errors import PackError
from esoplay.grading.problem import Problem
from esoplay.grading.rng import GENERATOR_VERSION, Rng

SLOTS = 6


class HiddenTest(NamedTuple):
    """One test that a solver must not see; ``edge_class`` is the kind it belongs to."""

    edge_class: str
    input: bytes
    expected: bytes


class Judge(Protocol):
    """What ``judge.py`` offers: the oracle, and six inputs by edge class."""

    def solve(self, text: str) -> str: ...
    def cases(self, rng: Rng) -> Iterator[tuple[str, str]]: ...


def hidden_tests(problem: Problem, seed: bytes) -> tuple[HiddenTest, ...]:
    """The six tests that ``seed`` gives this problem; raises PackError.

    Each slot draws from a generator of its own.  The order is shuffled by the
    seed too: a solver who is told which tests failed does not learn their kinds.
    """
    judge = load_judge(problem)
    rng = Rng(seed).fork(GENERATOR_VERSION, *problem.pack, problem.id)
    drawn = [_slot(problem, judge, rng, slot) for slot in range(SLOTS)]
    missing = {entry.name for entry in problem.classes} - {test.edge_class for test in drawn}
    if missing:
        raise PackError(f"{_file(problem)}: cases: no slot for {', '.join(sorted(missing))}")
    return tuple(rng.fork("order").shuffle(drawn))


def _slot(problem: Problem, judge: Judge, rng: Rng, slot: int) -> HiddenTest:
    cases = list(judge.cases(rng.fork("slot", slot)))
    if len(cases) != SLOTS:
        raise PackError(f"{_file(problem)}: cases: expected {SLOTS} tests, found {len(cases)}")
    edge_class, text = cases[slot]
    if edge_class not in {entry.name for entry in problem.classes}:
        raise PackError(f"{_file(problem)}: cases: class {edge_class!r} is not in problem.toml")
    return HiddenTest(edge_class, text.encode(), judge.solve(text).encode())


def load_judge(problem: Problem) -> Judge:
    """``judge.py`` as a module of no package, compiled in memory: a pack stays clean."""
    file = _file(problem)
    module = ModuleType(f"judge_{problem.id}")
    module.__file__ = file
    try:
        source = (problem.folder / "judge.py").read_bytes()
        exec(compile(source, file, "exec"), module.__dict__)
    except (OSError, SyntaxError, ImportError) as error:
        raise PackError(f"{file}: {error}") from error
    for name in ("solve", "cases"):
        if not callable(module.__dict__.get(name)):
            raise PackError(f"{file}: {name}: this function is missing")
    return cast("Judge", module)


def _file(problem: Problem) -> str:
    return str(problem.folder / "judge.py")
