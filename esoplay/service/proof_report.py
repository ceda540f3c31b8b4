"""What ``esoplay verify`` has proved, and what not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from esoplay.errors import EXIT_FAILED, EXIT_PASSED
from esoplay.grading.proof import Cell


class StarterFault(NamedTuple):
    """A starter that is no program, or that solves its problem."""

    problem: str
    language: str
    dialect: str
    complaint: str


class MistakeEscape(NamedTuple):
    """A mistake of a problem that the tests of a seed let pass."""

    problem: str
    mistake: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was proved, and what was not.

    cells: of each problem and language that has a reference one for each dialect: of the program
    made from the problem's source if it has one, else of the one written by hand.
    by_hand: the same of programs that were written by hand where another one is made.
    missing: ``(problem, language)`` of those that have no reference.
    starters: how many were tried where there is no reference; with one, they are in its cell.
    mistakes: how many were tried under each of ``seeds`` seeds, in ``checked`` problems.
    """

    cells: tuple[Cell, ...]
    by_hand: tuple[Cell, ...]
    missing: tuple[tuple[str, str], ...]
    starters: int
    starter_faults: tuple[StarterFault, ...]
    checked: int
    mistakes: int
    seeds: int
    escapes: tuple[MistakeEscape, ...]

    def __iter__(self) -> Iterator[Cell]:
        """All that was proved of references."""
        return chain(self.cells, self.by_hand)

    @property
    def solved(self) -> int:
        """Problems times languages: those of which every reference passed in every dialect."""
        return self.total - len({(cell.problem, cell.language) for cell in self if not cell.solved})

    @property
    def total(self) -> int:
        """Problems times languages, as far as there is a reference."""
        return len({(cell.problem, cell.language) for cell in self.cells})

    @property
    def exit_code(self) -> int:
        """0 only if something was proved and nothing was not."""
        clean = not self.starter_faults and not self.escapes
        return EXIT_PASSED if clean and self.solved == self.total > 0 else EXIT_FAILED

    def missing_by_language(self) -> dict[str, list[str]]:
        """The problems that lack a reference, by language."""
        found: dict[str, list[str]] = {}
        for problem, language in self.missing:
            found.setdefault(language, []).append(problem)
        return found

    def as_json(self) -> dict[str, Any]:
        """The object that ``esoplay verify --json`` prints."""
        return {
            "cells": [cell.as_json() for cell in self.cells],
            "by_hand": [cell.as_json() for cell in self.by_hand],
            "solved": self.solved,
            "total": self.total,
            "missing": self.missing_by_language(),
            "starters": {
                "checked": self.starters,
                "faults": [fault._asdict() for fault in self.starter_faults],
            },
            "mistakes": {
                "problems": self.checked,
                "mistakes": self.mistakes,
                "seeds": self.seeds,
                "escapes": [
                    {**escape._asdict(), "seed": escape.seed.hex()} for escape in self.escapes
                ],
            },
        }
