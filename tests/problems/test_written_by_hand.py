"""The page on references lists the programs that are not written by hand yet.

``ESOPLAY_WRITE_CASES=1`` brings the page up to date.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path

from esolangs.registry import find_language, language_ids
from esoplay.packs.catalogue import get_pack

PAGE = Path(__file__).parents[2] / "docs" / "references.md"
HEAD = "| language | written by hand | only generated |\n|-|-|-|\n"
TABLE = re.compile(re.escape(HEAD) + r"((?:\|.*\n)*)")


def spans(ids: list[str], every: list[str]) -> str:
    """Problem ids with those in a row joined: H01 to H20, X03."""
    runs: list[list[str]] = []
    missing = set(ids)
    for absent, run in groupby(every, lambda id: (id in missing, id[0])):
        if absent[0]:
            runs.append(list(run))
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def test_the_page_lists_the_problems_without_a_program_by_hand() -> None:
    pack = get_pack()
    every = [problem.id for problem in pack]
    rows = ""
    for language in sorted(language_ids(), key=lambda id: find_language(id).name):
        missing = [problem.id for problem in pack if problem.reference(language) is None]
        written = f"{len(every) - len(missing)} of {len(every)}"
        rows += f"| {find_language(language).name} | {written} | {spans(missing, every)} |\n"
    text = PAGE.read_text()
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        text = TABLE.sub(lambda found: HEAD + rows, text)
        PAGE.write_text(text)
    found = TABLE.search(text)
    assert found is not None
    assert found[1] == rows, "run this test with ESOPLAY_WRITE_CASES=1"
