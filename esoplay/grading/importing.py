"""Packs made of data sets: problems with fixed tests, ready to be written into a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.errors import PackError
from esoplay.grading.datasets import Dataset, ItemFields, Pair
from esoplay.grading.packs import COMPILED, FIXED, FORMAT, digest_tests, load_pack

TIERS = ("easy", "medium", "hard", "extra-hard")
UNSORTED = "imported"
"""The category of problems whose data set tells none."""

_TIER_SPELLINGS = {"xhard": "extra-hard", "extrahard": "extra-hard"}


class ImportedProblem(NamedTuple):
    """One problem, and the tests that it brings."""

    id: str
    title: str
    tier: str
    category: str
    statement: str
    examples: tuple[Pair, ...]
    tests: tuple[Pair, ...]


class ImportedPack(NamedTuple):
    """What a data set comes to."""

    id: str
    version: str
    title: str
    problems: tuple[ImportedProblem, ...]

    def write(self, folder: Path) -> None:
        """Fill an empty folder with this pack; raises OSError, and PackError should it not load."""
        rows: list[dict[str, Any]] = []
        for problem in self.problems:
            home = folder / f"problem-{problem.id}"
            home.mkdir()
            tests = json.dumps(_pairs_as_json(problem.tests), ensure_ascii=False, indent=1).encode()
            (home / FIXED).write_bytes(tests)
            rows.append(_row(problem, home.name, digest_tests(tests)))
        raw = {
            "format": FORMAT,
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "tiers": TIERS,
            "categories": sorted({problem.category for problem in self.problems}),
            "problems": rows,
        }
        (folder / COMPILED).write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
        load_pack(folder)


def problems_of(
    public: Dataset, private: Dataset | None, *, id: str, title: str | None = None
) -> ImportedPack:
    """The pack of a data set whose tests stand in it or, by id, in a ``private`` one.

    Raises PackError for an item that is not as it should be, or has no tests to be judged by.
    """
    if public.predictions:
        raise PackError(f"{public.file}: these are output predictions, not problems")
    kept = _tests_by_id(private) if private is not None else {}
    problems = tuple(_problem(item, kept, private) for item in public.items)
    for left in kept.values():
        left.refuse("id", f"{public.file} has no such problem")
    return ImportedPack(id, public.version or "1", title or public.title or id, problems)


def tier_of(item: ItemFields) -> str:
    """The tier that ``difficulty`` names, however it spells it."""
    said = item.line("difficulty")
    word = re.sub(r"[\s_-]+", "-", said.lower())
    word = _TIER_SPELLINGS.get(word.replace("-", ""), word)
    if word not in TIERS:
        item.fail("difficulty", " | ".join(TIERS), said)
    return word


def _tests_by_id(private: Dataset) -> dict[str, ItemFields]:
    return {item.id().casefold(): item for item in private.items}


def _problem(
    item: ItemFields, kept: dict[str, ItemFields], private: Dataset | None
) -> ImportedProblem:
    id = item.id()
    shown, other = item.pairs(), kept.pop(id.casefold(), None)
    hidden = None if other is None else other.pairs()
    tests = shown if isinstance(hidden, str) or hidden is None else hidden
    if isinstance(tests, str):
        item.refuse("", f"its tests are {tests}{_where_else(private, hidden)}")
    if not isinstance(shown, str) and shown != tests:
        item.refuse("", "its tests are others than those in the private file")
    return ImportedProblem(
        id,
        item.line("title"),
        tier_of(item),
        item.line("category") if item.has("category") else UNSORTED,
        item.lines("description"),
        tuple(
            Pair(table.bytes("input"), table.bytes("output"))
            for table in (item.tables("public_examples") if item.has("public_examples") else ())
        ),
        tests,
    )


def _where_else(private: Dataset | None, hidden: object) -> str:
    if private is None:
        return "; name the file that holds them as well"
    if hidden is None:
        return f", and {private.file} has no problem of this id"
    return f", and in {private.file} they are {hidden}"


def _row(problem: ImportedProblem, folder: str, digest: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "folder": folder,
        "id": problem.id,
        "title": problem.title,
        "tier": problem.tier,
        "category": problem.category,
        "statement": problem.statement,
        "tests": digest,
    }
    if problem.examples:
        row["examples"] = list(_pairs_as_json(problem.examples))
    return row


def _pairs_as_json(pairs: tuple[Pair, ...]) -> list[dict[str, str]]:
    return [{"input": each.input.decode(), "output": each.output.decode()} for each in pairs]
