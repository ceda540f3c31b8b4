"""docs/dialects.md has the differences of the dialects of every language, and each is real.

``ESOPLAY_WRITE_CASES=1`` writes the tables; look at the difference then.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from esolangs.dialects import DialectDifference
from esolangs.language import Language
from esolangs.registry import find_language, language_ids
from esoplay.grading.dialects import differing_options
from esoplay.programs.execution import run
from esoplay.running.run import Outcome
from esoplay.timeline.places import bytes_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dialects.md"
BEGIN = "<!-- the tables: written by tests/docs/test_dialects_page.py -->\n"
END = "<!-- end -->\n"
LANGUAGES = [find_language(id) for id in language_ids()]
ROWS = [
    pytest.param(language, row, id=f"{language.id}-{row.option}")
    for language in LANGUAGES
    for row in language.differences()
]


def outcome(language: Language, row: DialectDifference, dialect: str) -> Outcome:
    return run(language.id, row.program, dialect=dialect, stdin=row.stdin)


def result(language: Language, row: DialectDifference, dialect: str) -> str:
    """What a row's program does in a dialect."""
    found = outcome(language, row, dialect)
    if found.status == "parse_error":
        return "is a parse error"
    printed = f"prints {bytes_text(found.stdout)}" if found.stdout else "prints nothing"
    if found.fault is None:
        return printed
    return f"faults: {found.fault.message}" if not found.stdout else f"{printed}, then faults"


def format_program(language: Language, row: DialectDifference) -> str:
    """A row's program as the page shows it; of Whitespace the letters S, T and L."""
    if language.id == "whitespace":
        text = row.program.decode().translate(str.maketrans(" \t\n", "STL"))
    else:
        text = row.program.decode().rstrip("\n")
    return f"```text\n{text}\n```"


def section(language: Language) -> str:
    rows = language.differences()
    if not rows:
        return f"\n### {language.name}\n\nThe two dialects are the same.\n"
    standard, benchmark = language.configure("standard"), language.configure("benchmark")
    lines = [
        f"\n### {language.name}\n",
        "| | about | `standard` | `benchmark` |",
        "|-|-|-|-|",
    ]
    for number, row in enumerate(rows, 1):
        here, there = (f"`{row.option}={each[row.option]}`" for each in (standard, benchmark))
        lines.append(f"|{number}|{row.subject}|{row.standard} ({here})|{row.benchmark} ({there})|")
    for number, row in enumerate(rows, 1):
        given = f", with the input {bytes_text(row.stdin)}" if row.stdin else ""
        told = [f"in `{name}` it {result(language, row, name)}" for name in language.dialects]
        words = "; ".join(told)
        lines += [f"\n{number}. I{words[1:]}{given}:\n", format_program(language, row)]
    return "\n".join(lines) + "\n"


def tables() -> str:
    return "".join(map(section, LANGUAGES)) + "\n"


def test_the_page_of_dialects_is_current() -> None:
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    now, _, tail = rest.partition(END)
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        PAGE.write_text(f"{head}{BEGIN}{tables()}{END}{tail}", "utf-8")
    assert now == tables()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.id)
def test_every_option_that_differs_has_a_row(language: Language) -> None:
    differing = differing_options(language, "standard", "benchmark")
    assert [row.option for row in language.differences()] == list(differing)


@pytest.mark.parametrize(("language", "row"), ROWS)
def test_the_program_of_a_row_differs_by_its_option(
    language: Language, row: DialectDifference
) -> None:
    standard, benchmark = (language.configure(name) for name in ("standard", "benchmark"))
    told = result(language, row, "standard")
    assert told != result(language, row, "benchmark")
    before = outcome(language, row, "standard")
    alone = run(
        language.id,
        row.program,
        stdin=row.stdin,
        options={row.option: benchmark[row.option]},
    )
    assert (before.status, before.stdout) != (alone.status, alone.stdout)
    assert standard[row.option] != benchmark[row.option]
