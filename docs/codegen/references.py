"""Measure the references of all problems, and write the tables of docs/references.md.

make references                       or: python docs/codegen/references.py
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import NamedTuple

from costly_inputs import COSTLY_INPUTS

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.codegen.back_ends import back_end_ids
from esoplay.grading.grader import HiddenTestCache, grade, grade_examples
from esoplay.grading.packs import Problem, load_pack
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.references import Reference, generated_reference
from esoplay.running.run import run_source

PAGE = Path(__file__).parents[1] / "references.md"
BEGIN, END = "<!-- made by `make references` -->", "<!-- end -->"

SEEDS = (PRACTICE_SEED, *(number.to_bytes(32) for number in range(10)))
LIMITS = Limits(steps=100_000_000, output=1 << 20, memory=1 << 28)


class Cell(NamedTuple):
    """A problem in a language: steps of the slowest test and of the slowest input, and bytes."""

    problem: str
    language: str
    steps: int
    worst_steps: int
    size: int


def measure(problem: Problem, language: str, derived: HiddenTestCache) -> Cell:
    """Run the reference on examples and tests, in both dialects, and on the costly inputs."""
    reference = generated_reference(problem, language)
    assert reference is not None
    steps = max(test_steps(problem, language, reference.program, derived))
    worst = worst_steps(problem, language, reference)
    return Cell(problem.id, language, steps, worst, len(reference.program))


def test_steps(
    problem: Problem, language: str, program: bytes, derived: HiddenTestCache
) -> Iterator[int]:
    """Yield the steps of each test."""
    for dialect in ("standard", "benchmark"):
        reports = [grade_examples(problem, language, program, dialect=dialect)]
        for seed in SEEDS:
            reports.append(
                grade(problem, language, program, seed=seed, dialect=dialect, test_cache=derived)
            )
        for report in reports:
            assert report.solved, (problem.id, language, dialect)
            yield from (test.steps for test in report.tests)


def worst_steps(problem: Problem, language: str, reference: Reference) -> int:
    """Return the steps of the slowest costly input."""
    steps: list[int] = []
    for text in COSTLY_INPUTS[problem.id]:
        outcome = run_source(language, reference.program, stdin=text.encode(), limits=LIMITS)
        assert outcome.status == "ok", (problem.id, language, text)
        steps.append(outcome.steps)
    return max(steps)


def tables() -> str:
    """Return all tables, in Markdown."""
    languages = sorted(back_end_ids(), key=lambda id: find_language(id).name)
    problems = load_pack().problems
    derived = HiddenTestCache()
    cells = {
        (problem.id, language): measure(problem, language, derived)
        for problem in problems
        for language in languages
    }
    parts = [
        _summary_table(languages, list(cells.values())),
        "## Costly inputs",
        _slowest_table(languages, list(cells.values())),
        "## All programs",
        "Steps of the slowest test · bytes of the program.",
        _cell_table(languages, problems, cells),
    ]
    return "\n\n".join(parts)


def _summary_table(languages: list[str], cells: list[Cell]) -> str:
    rows = [
        "| language | median steps | most steps | next | median bytes | most bytes |",
        "|-|-|-|-|-|-|",
    ]
    for language in languages:
        own = [cell for cell in cells if cell.language == language]
        worst = sorted(own, key=lambda cell: -cell.steps)[:4]
        largest = max(own, key=lambda cell: cell.size)
        listed = [f"{cell.problem} {cell.steps:,}" for cell in worst]
        rows.append(
            f"| {find_language(language).name} | {median(cell.steps for cell in own):,.0f} "
            f"| {listed[0]} | {', '.join(listed[1:])} | {median(cell.size for cell in own):,.0f} "
            f"| {largest.problem} {largest.size:,} |"
        )
    return "\n".join(rows)


def _slowest_table(languages: list[str], cells: list[Cell]) -> str:
    rows = ["| language | the ten programs with the most steps |", "|-|-|"]
    for language in languages:
        own = sorted(
            (cell for cell in cells if cell.language == language), key=attrgetter("worst_steps")
        )[-10:]
        listed = ", ".join(f"{cell.problem} {cell.worst_steps:,}" for cell in reversed(own))
        rows.append(f"| {find_language(language).name} | {listed} |")
    return "\n".join(rows)


def _cell_table(
    languages: list[str], problems: tuple[Problem, ...], cells: dict[tuple[str, str], Cell]
) -> str:
    names = " | ".join(find_language(language).name for language in languages)
    rows = [f"| problem | {names} |", "|-" * (len(languages) + 1) + "|"]
    for problem in problems:
        row = [cells[problem.id, language] for language in languages]
        listed = " | ".join(f"{cell.steps:,} · {cell.size:,}" for cell in row)
        rows.append(f"| {problem.id} {problem.title} | {listed} |")
    return "\n".join(rows)


def main() -> None:
    """Replace the tables on the page."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
