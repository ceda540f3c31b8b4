"""Compare two packs by their verdicts on programs and by the mistakes that they catch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from esoplay.errors import UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.proof import load_mistakes, uncaught_mistakes
from esoplay.grading.report import GradeReport, TestResult
from esoplay.packs.catalogue import get_pack
from esoplay.packs.grading import grade_source
from esoplay.sessions.workers import Workers

Match = Literal["id", "title"]
"""The key by which problems of two packs are paired; case is ignored."""


class ComparedProgram(NamedTuple):
    """A program to grade with both packs.

    name: the name to print.  problem: the problem's id in the first pack."""

    name: str
    problem: str
    language: str
    source: bytes
    dialect: str | None = None


class ProblemPair(NamedTuple):
    """The same problem in both packs."""

    first: Problem
    second: Problem

    @property
    def same_title(self) -> bool:
        return self.first.title.casefold() == self.second.title.casefold()


@dataclass(frozen=True, slots=True)
class ProgramVerdicts:
    """A program and its verdict by each pack."""

    program: ComparedProgram
    pair: ProblemPair
    first: GradeReport
    second: GradeReport

    @property
    def agree(self) -> bool:
        return self.first.solved == self.second.solved

    def as_json(self) -> dict[str, Any]:
        return {
            "program": self.program.name,
            "program_sha256": sha256(self.program.source).hexdigest(),
            "language": self.program.language,
            "problem": self.pair.first.id,
            "problem_in_second": self.pair.second.id,
            "first": _verdict_json(self.first),
            "second": _verdict_json(self.second),
        }


class ProblemAgreement(NamedTuple):
    """Agreement of two packs on the programs for one problem, in numbers of programs.

    programs: graded programs. accepted_by_first, accepted_by_second: programs that the first or
    second pack accepts. only_first, only_second: programs that the first or
    second pack accepts and the other rejects.
    """

    pair: ProblemPair
    programs: int
    accepted_by_first: int
    accepted_by_second: int
    only_first: int
    only_second: int

    def as_json(self) -> dict[str, Any]:
        return {
            "problem": self.pair.first.id,
            "problem_in_second": self.pair.second.id,
            "title": self.pair.first.title,
            "same_title": self.pair.same_title,
            "programs": self.programs,
            "accepted_by_first": self.accepted_by_first,
            "accepted_by_second": self.accepted_by_second,
            "only_first": self.only_first,
            "only_second": self.only_second,
        }


class CaughtMistakes(NamedTuple):
    """The number of known mistakes in one problem, and which of them the tests of each pack miss.

    defined_in: the pack that defines the mistakes, ``first`` or ``second``.  missed_by_first,
    missed_by_second: the names of the mistakes that pass all tests of the first or second pack.
    """

    pair: ProblemPair
    defined_in: Literal["first", "second"]
    mistake_count: int
    missed_by_first: tuple[str, ...]
    missed_by_second: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "problem": self.pair.first.id,
            "of": self.defined_in,
            "mistakes": self.mistake_count,
            "missed_by_first": list(self.missed_by_first),
            "missed_by_second": list(self.missed_by_second),
        }


@dataclass(frozen=True, slots=True)
class PackComparison:
    """Two packs with their verdicts on programs and known mistakes.

    unmatched: programs for problems that one of the packs does not have.
    """

    first: Pack
    second: Pack
    compare: Compare | None
    verdicts: tuple[ProgramVerdicts, ...]
    unmatched: tuple[ComparedProgram, ...]
    mistakes: tuple[CaughtMistakes, ...]

    @property
    def table(self) -> dict[str, int]:
        """Return the contingency table: programs accepted by both, only one, or no pack."""
        counts = {"both": 0, "only_first": 0, "only_second": 0, "neither": 0}
        for each in self.verdicts:
            names = {
                (True, True): "both",
                (True, False): "only_first",
                (False, True): "only_second",
            }
            counts[names.get((each.first.solved, each.second.solved), "neither")] += 1
        return counts

    @property
    def agreement(self) -> float | None:
        """Return the share of programs on which both packs agree; None without a program."""
        total = len(self.verdicts)
        return sum(each.agree for each in self.verdicts) / total if total else None

    @property
    def kappa(self) -> float | None:
        """Return Cohen's kappa: agreement beyond chance; None if it is not defined."""
        total, counts, agreement = len(self.verdicts), self.table, self.agreement
        if agreement is None:
            return None
        first = (counts["both"] + counts["only_first"]) / total
        second = (counts["both"] + counts["only_second"]) / total
        chance = first * second + (1 - first) * (1 - second)
        return None if chance == 1 else (agreement - chance) / (1 - chance)

    @property
    def problems(self) -> list[ProblemAgreement]:
        """The agreement of the packs for each problem that has graded programs.

        The problems are in the order of the first pack.
        """
        order = {problem.id: at for at, problem in enumerate(self.first.problems)}
        found: dict[str, list[ProgramVerdicts]] = {}
        for each in self.verdicts:
            found.setdefault(each.pair.first.id, []).append(each)
        return [_agreement(found[id]) for id in sorted(found, key=order.__getitem__)]

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "esoplay-pack-comparison",
            "format_version": 1,
            "first": {"id": self.first.id, "version": self.first.version},
            "second": {"id": self.second.id, "version": self.second.version},
            "compare": self.compare,
            "programs": self.table | {"total": len(self.verdicts)},
            "agreement": self.agreement,
            "kappa": self.kappa,
            "problems": [each.as_json() for each in self.problems],
            "mistakes": [each.as_json() for each in self.mistakes],
            "verdicts": [each.as_json() for each in self.verdicts],
            "unmatched": [
                {"program": each.name, "problem": each.problem, "language": each.language}
                for each in self.unmatched
            ],
        }


def first_failed_test(report: GradeReport) -> TestResult | None:
    """Return the result of the first test that a program failed; None if it passed all tests."""
    return next((test for test in report.tests if not test.passed), None)


def compare_packs(
    first: str | None,
    second: str | None,
    programs: Sequence[ComparedProgram],
    *,
    seed: bytes,
    match: Match = "id",
    compare: Compare | None = None,
    dialect: str = "benchmark",
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> PackComparison:
    """Grade programs, and the known mistakes of both packs, with the tests of both packs.

    first, second: packs as for ``get_pack``. compare: None for the mode of each pack. dialect: the
    default for programs without one. Raises UsageError if a pack or program cannot be used,
    PackError if a pack is invalid, and WorkerDied if a worker dies.
    """
    packs = get_pack(first), get_pack(second)
    pairs = _pairs(*packs, match)
    if not pairs:
        raise UsageError(
            f"packs {packs[0].id} and {packs[1].id} have no problem with the same {match}\n"
            f"try: --match {'title' if match == 'id' else 'id'}"
        )
    matched = [program for program in programs if program.problem.casefold() in pairs]
    done = 0
    with closing(Workers(jobs)) as workers, ThreadPoolExecutor(jobs) as threads:

        def grade(program: ComparedProgram) -> ProgramVerdicts:
            pair = pairs[program.problem.casefold()]
            with workers.borrow() as worker:
                reports = [
                    grade_source(
                        problem.id,
                        program.language,
                        program.source,
                        seed=seed,
                        dialect=program.dialect or dialect,
                        compare=compare,
                        pack=name,
                        worker=worker,
                    )
                    for problem, name in zip(pair, (first, second), strict=True)
                ]
            return ProgramVerdicts(program, pair, *reports)

        verdicts: list[ProgramVerdicts] = []
        for found in threads.map(grade, matched):
            verdicts.append(found)
            done += 1
            if progress is not None:
                progress(done, len(matched))
    return PackComparison(
        *packs,
        compare,
        tuple(verdicts),
        tuple(program for program in programs if program.problem.casefold() not in pairs),
        tuple(_mistakes(list(pairs.values()), seed)),
    )


def _pairs(first: Pack, second: Pack, match: Match) -> dict[str, ProblemPair]:
    """Return the problems that are in both packs.

    The key of each pair is the case-folded id of the problem in the first pack.
    """
    others = {_match_key(problem, match): problem for problem in second.problems}
    return {
        problem.id.casefold(): ProblemPair(problem, others[key])
        for problem in first.problems
        if (key := _match_key(problem, match)) in others
    }


def _match_key(problem: Problem, match: Match) -> str:
    return (problem.id if match == "id" else problem.title).casefold()


def _mistakes(pairs: Sequence[ProblemPair], seed: bytes) -> list[CaughtMistakes]:
    found: list[CaughtMistakes] = []
    sides: tuple[Literal["first", "second"], ...] = ("first", "second")
    for pair in pairs:
        for of, problem in zip(sides, pair, strict=True):
            count = len(load_mistakes(problem))
            if count:
                missed = (tuple(uncaught_mistakes(problem, tested, seed)) for tested in pair)
                found.append(CaughtMistakes(pair, of, count, *missed))
    return found


def _agreement(verdicts: Sequence[ProgramVerdicts]) -> ProblemAgreement:
    first = [each.first.solved for each in verdicts]
    second = [each.second.solved for each in verdicts]
    both = sum(one and two for one, two in zip(first, second, strict=True))
    return ProblemAgreement(
        verdicts[0].pair,
        len(verdicts),
        sum(first),
        sum(second),
        sum(first) - both,
        sum(second) - both,
    )


def _verdict_json(report: GradeReport) -> dict[str, Any]:
    failed = first_failed_test(report)
    return {
        "accepted": report.solved,
        "passed": report.passed,
        "total": report.total,
        "first_failed": None if failed is None else failed.as_json(),
    }
