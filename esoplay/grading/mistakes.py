"""Plausible wrong solutions of a problem, and whether its hidden tests catch each of them.

``mistakes.py`` in a problem's folder holds them: every function in it whose name has a double
underscore is one, named ``CLASS__what_is_wrong`` after the edge class that must catch it, with
underscores for hyphens.  It takes an input and returns the wrong output; raising counts as wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import NamedTuple, cast

from esoplay.errors import PackError
from esoplay.grading.hidden import SLOTS, HiddenTest, Slots
from esoplay.grading.problem import Problem

FILE = "mistakes.py"


class Mistake(NamedTuple):
    """A wrong solution, and the edge class whose test must catch it under every seed."""

    name: str
    edge_class: str
    answer: Callable[[str], str]


class Escape(NamedTuple):
    """A mistake that the tests of ``seed`` let pass."""

    mistake: str
    seed: bytes


def load_mistakes(problem: Problem) -> tuple[Mistake, ...]:
    """The mistakes of a problem, none if it has no such file; raises PackError."""
    path = problem.folder / FILE
    if not path.is_file():
        return ()
    module = ModuleType(f"mistakes_{problem.id}")
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except Exception as error:  # whatever the file does when it is read
        raise PackError(f"{path}: {type(error).__name__}: {error}") from error
    classes = {entry.name.replace("-", "_"): entry.name for entry in problem.classes}
    found: list[Mistake] = []
    for name, value in module.__dict__.items():
        spelled, separator, what = name.partition("__")
        if not separator or not spelled or not callable(value):
            continue
        if spelled not in classes or not what:
            raise PackError(
                f"{path}: {name}: expected CLASS__what_is_wrong, with a class of problem.toml: "
                + ", ".join(classes)
            )
        found.append(Mistake(name, classes[spelled], cast("Callable[[str], str]", value)))
    return tuple(found)


def escapes(problem: Problem, seeds: Iterable[bytes]) -> list[Escape]:
    """The first seed by which each mistake gets past the tests of its edge class, if any does.

    Raises PackError for a judge or a file of mistakes that is not as it should be.
    """
    by_class: defaultdict[str, list[Mistake]] = defaultdict(list)
    for mistake in load_mistakes(problem):
        by_class[mistake.edge_class].append(mistake)
    slots = Slots(problem)
    found: list[Escape] = []
    for seed in seeds:
        tests = [slots.test(seed, slot) for slot in range(SLOTS)]
        for edge_class, mistakes in by_class.items():
            own = [test for test in tests if test.edge_class == edge_class]
            for mistake in [
                one for one in mistakes if not any(_catches(test, one) for test in own)
            ]:
                found.append(Escape(mistake.name, seed))
                mistakes.remove(mistake)
    return found


def _catches(test: HiddenTest, mistake: Mistake) -> bool:
    try:
        return mistake.answer(test.input.decode()).encode() != test.expected
    except Exception:  # a mistake may well be one that fails
        return True
