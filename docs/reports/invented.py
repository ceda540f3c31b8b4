"""Sessions of solvers that do not exist: played by the rules, graded by throwing dice.

The pictures of the documentation need sessions of several solvers, and published ones would make
claims about somebody.  Everything but the verdicts is real: the moves, the log, the export.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from esoplay.benchmark.sessions import Sessions
from esoplay.grading.packs import load_pack
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, TestResult, Verdict
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

TESTS = 6
BEGAN = 1_767_225_600  # the beginning of 2026, in seconds of Unix time


class Solver(NamedTuple):
    """skill: the chance of a submission to solve an easy problem, by language."""

    name: str
    skill: dict[str, float]
    generates: bool
    patience: int


SOLVERS = (
    Solver(
        "heron",
        {"brainfuck": 0.95, "befunge-98": 0.99, "whitespace": 0.97, "python": 0.99},
        generates=True,
        patience=6,
    ),
    Solver(
        "otter",
        {"brainfuck": 0.6, "befunge-98": 0.85, "whitespace": 0.75, "python": 0.95},
        generates=True,
        patience=4,
    ),
    Solver(
        "wren",
        {"brainfuck": 0.25, "befunge-98": 0.45, "whitespace": 0.4, "python": 0.85},
        generates=False,
        patience=2,
    ),
)
_HARDER = {"easy": 1.0, "medium": 0.85, "hard": 0.6, "extra-hard": 0.4}
_FAILURES: tuple[Verdict, ...] = (
    "wrong_answer",
    "wrong_answer",
    "fault",
    "parse_error",
    "step_limit",
)


def exports(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Play all sessions; gives their names and exports."""
    for solver in SOLVERS:
        for language in solver.skill:
            for number in (1, 2, 3) if language == "brainfuck" else (1,):
                yield _play(folder, solver, language, "primary", number)
        for number in (1, 2):
            yield _play(folder, solver, "brainfuck", "direct", number)
        for budget in ("budget-3", "budget-15"):
            yield _play(folder, solver, "brainfuck", budget, 1)
    yield _play(folder, SOLVERS[2], "unlambda", "primary", 1, most=11)


def usage(sessions: list[bytes]) -> bytes:
    """Invented tokens for each event of the sessions, as ``esoplay report --usage`` takes them."""
    lines: list[str] = []
    for text in sessions:
        export = json.loads(text)
        dice = Random(export["solver"])
        for event in export["events"]:
            told = {"session": export["session"], "time_ms": event["time_ms"]}
            tokens = {"input_tokens": dice.randrange(2_000, 9_000), "output_tokens": 700}
            lines.append(json.dumps(told | tokens) + "\n")
    return "".join(lines).encode()


def _play(
    folder: Path, solver: Solver, language: str, protocol: str, number: int, most: int | None = None
) -> tuple[str, bytes]:
    name = f"{solver.name}-{language}-{protocol}-{number}"
    dice = Random(name)
    lost = {"direct": 0.45, "budget-3": 0.6, "budget-15": 0.9}.get(protocol, 1.0)

    def grade(problem: Problem, language: str, source: bytes, **terms: Any) -> GradeReport:
        chance = solver.skill.get(language, 0.3) * _HARDER[problem.tier] * lost
        passed = TESTS if dice.random() < chance else dice.randrange(TESTS)
        failure = dice.choice(_FAILURES)
        verdicts: list[Verdict] = ["pass"] * passed + [failure] * (TESTS - passed)
        tests = (TestResult(at, None, one, 1, 0) for at, one in enumerate(verdicts, 1))
        return GradeReport(problem.id, language, terms["dialect"], tuple(tests), "")

    ticks = count(BEGAN + 86_400 * number, 20)
    work = folder / name
    work.mkdir(parents=True)
    with Sessions(
        EventStore(work / "store.sqlite", clock=lambda: float(next(ticks))),
        vault=Vault(work / "vault"),
        pack=load_pack(),
        grade=grade,
        randomness=dice.randbytes,
    ) as sessions:
        session = sessions.init(language, protocol, solver=solver.name, workspace=work / "bench")
        _work(sessions, session.session, solver, work / "bench", dice, most)
        return f"{name}.json", json.dumps(sessions.export(session.session).as_json()).encode()


def _work(
    sessions: Sessions, session: str, solver: Solver, bench: Path, dice: Random, most: int | None
) -> None:
    lane = "python" in bench.parent.name
    generates = solver.generates and "direct" not in bench.parent.name and not lane
    budget = next((int(word) for word in bench.parent.name.split("-") if word.isdecimal()), 1)
    allowed = budget if "budget" in bench.parent.name else None
    patience = 2 if lane else solver.patience  # each run in a lane takes a process
    if generates:
        (bench / "helpers.py").write_bytes(dice.randbytes(600))
    for number in range(80 if most is None else most):
        problem = sessions.fetch(session).problem
        if generates and dice.random() < 0.7:
            (bench / f"{problem}.py").write_bytes(dice.randbytes(dice.randrange(100, 400)))
        if number == 20 and generates:
            (bench / "helpers.py").write_bytes(dice.randbytes(900))
        verdict, left = None, allowed
        while verdict is None or verdict.status == "active":
            program = dice.randbytes(dice.randrange(100, 3_000))
            runs = dice.randrange(patience)
            if left is not None:
                runs = min(runs, left)
                left -= runs
            for _ in range(runs):
                sessions.run(session, program, b"")
            verdict = sessions.submit(session, problem, program)
