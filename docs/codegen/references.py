"""What the references of all problems take, measured; writes the tables of docs/references.md.

make references                       or: python docs/codegen/references.py
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import NamedTuple

from dearest_inputs import DEAREST

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

PROTOTYPE = {
    "befunge-98": (900, "H03", 20_000, 1_300, 13_700),
    "brainfuck": (137_000, "H03", 9_390_000, 5_400, 55_000),
    "shakespeare": (300, "H20", 10_000, 5_200, 24_000),
    "unlambda": (179_000, "H03", 5_190_000, 53_000, 126_000),
    "whitespace": (600, "H05", 20_000, 1_100, 7_400),
}
"""Median and worst steps, median and greatest size, of the prototype that came before; rounded."""


class Cell(NamedTuple):
    """A problem in a language: steps on the dearest test and the dearest input, bytes."""

    problem: str
    language: str
    steps: int
    dearest: int
    size: int


def measure(problem: Problem, language: str, derived: HiddenTestCache) -> Cell:
    """Run the reference on examples and tests, in both dialects, and on the dearest inputs."""
    reference = generated_reference(problem, language)
    assert reference is not None
    steps = max(tested(problem, language, reference.program, derived))
    return Cell(
        problem.id, language, steps, dearest(problem, language, reference), len(reference.program)
    )


def tested(
    problem: Problem, language: str, program: bytes, derived: HiddenTestCache
) -> Iterator[int]:
    """The steps of each test."""
    for dialect in ("standard", "benchmark"):
        reports = [grade_examples(problem, language, program, dialect=dialect)]
        for seed in SEEDS:
            reports.append(
                grade(problem, language, program, seed=seed, dialect=dialect, derived=derived)
            )
        for report in reports:
            assert report.solved, (problem.id, language, dialect)
            yield from (test.steps for test in report.tests)


def dearest(problem: Problem, language: str, reference: Reference) -> int:
    """The steps of the dearest input."""
    found: list[int] = []
    for text in DEAREST[problem.id]:
        outcome = run_source(language, reference.program, stdin=text.encode(), limits=LIMITS)
        assert outcome.status == "ok", (problem.id, language, text)
        found.append(outcome.steps)
    return max(found)


def tables() -> str:
    """All tables, in Markdown."""
    languages = sorted(back_end_ids(), key=lambda id: find_language(id).name)
    problems = load_pack().problems
    derived = HiddenTestCache()
    cells = {
        (problem.id, language): measure(problem, language, derived)
        for problem in problems
        for language in languages
    }
    parts = [
        _sums(languages, list(cells.values())),
        "## The slowest inputs",
        _dearest(languages, list(cells.values())),
        "## All cells",
        "Steps of the slowest test, and bytes of the program.",
        _all(languages, problems, cells),
    ]
    return "\n\n".join(parts)


def _sums(languages: list[str], cells: list[Cell]) -> str:
    rows = [
        "| language | median steps | worst | then | median bytes | largest | prototype |",
        "|-|-|-|-|-|-|-|",
    ]
    for language in languages:
        own = [cell for cell in cells if cell.language == language]
        worst = sorted(own, key=lambda cell: -cell.steps)[:4]
        largest = max(own, key=lambda cell: cell.size)
        listed = [f"{cell.problem} {cell.steps:,}" for cell in worst]
        rows.append(
            f"| {find_language(language).name} | {median(cell.steps for cell in own):,.0f} "
            f"| {listed[0]} | {', '.join(listed[1:])} | {median(cell.size for cell in own):,.0f} "
            f"| {largest.problem} {largest.size:,} | {_prototype(language)} |"
        )
    return "\n".join(rows)


def _prototype(language: str) -> str:
    if language not in PROTOTYPE:
        return ""
    steps, worst, most, size, largest = PROTOTYPE[language]
    return f"{steps:,}; {worst} {most:,}; {size:,}; {largest:,}"


def _dearest(languages: list[str], cells: list[Cell]) -> str:
    rows = ["| language | the ten slowest cells, in steps |", "|-|-|"]
    for language in languages:
        own = sorted(
            (cell for cell in cells if cell.language == language), key=attrgetter("dearest")
        )[-10:]
        listed = ", ".join(f"{cell.problem} {cell.dearest:,}" for cell in reversed(own))
        rows.append(f"| {find_language(language).name} | {listed} |")
    return "\n".join(rows)


def _all(
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
    """Put the tables where the page has them."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
