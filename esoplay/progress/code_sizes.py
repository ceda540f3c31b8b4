"""Sizes of stored solutions, all by the same rules.

What counts as code has changed between versions (once comments did), and a row of the history has
the size by the rules of its day.  To compare solutions, older sizes are computed again from the
programs that were saved; a size whose program is gone is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any, cast

from esoplay.progress.records import (
    OwnSolution,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
)
from esoplay.progress.store import ProgressStore

RULES = 2
"""Version of the rules of :func:`esoplay.programs.execution.code_size`."""

_SETTING = "code sizes"


class CodeSizes:
    """Looks up sizes of the solutions in a store; computes each at most once."""

    def __init__(self, store: ProgressStore) -> None:
        self._store = store
        self._sizes: dict[tuple[str, str], int | None] = {}
        self._cells: dict[tuple[str, str, str, ProblemStanding], ProblemStanding] = {}
        setting = store.setting(_SETTING)
        known = cast("dict[str, Any]", setting) if isinstance(setting, dict) else {}
        self._saved = known.get("rules") == RULES and isinstance(known.get("since"), str)
        now = store.clock().astimezone(UTC).isoformat()
        self._since: str = known["since"] if self._saved else now

    def begin_recording(self) -> None:
        """Save the time from which sizes follow the current rules; raises StoreError."""
        if not self._saved:
            self._store.set_setting(_SETTING, {"rules": RULES, "since": self._since})
            self._saved = True

    def is_current(self, at: str) -> bool:
        """Whether a submission of this time has a size by the current rules."""
        return at >= self._since

    def solutions(self, pack: str, language: str, problem: str) -> list[OwnSolution]:
        """Every submission that solved the problem, oldest first; ``size`` is None if unknown."""
        return [
            each
            if self.is_current(each.at)
            else each._replace(size=self._size(language, each.digest))
            for each in self._store.own_solutions(pack, language, problem)
        ]

    def others(
        self, pack: str, language: str, problem: str
    ) -> tuple[list[SolvedProgramRecord], int]:
        """Imported solutions, and how many more there are whose size is unknown."""
        known: list[SolvedProgramRecord] = []
        unknown = 0
        for each in self._store.all_others():
            if (each.pack, each.language, each.problem) == (pack, language, problem):
                size = self._size(language, each.digest)
                if size is None:
                    unknown += 1
                else:
                    known.append(each.solution._replace(size=size))
        return known, unknown

    def cell(
        self, pack: str, language: str, problem: str, cell: ProblemStanding
    ) -> ProblemStanding:
        """A cell whose sizes follow the current rules; the least is None where none is known.

        The size of a latest submission that did not solve stays: see ``is_latest_known``.
        """
        if not cell.solved or self.is_current(cell.solved_at):
            return cell
        key = pack, language, problem, cell
        if key not in self._cells:
            solutions = self.solutions(pack, language, problem)
            size, at = _least(solutions)
            latest = self._latest(cell, solutions)
            self._cells[key] = cell._replace(size=size, size_at=at, latest=latest)
        return self._cells[key]

    def is_latest_known(
        self, pack: str, language: str, problem: str, cell: ProblemStanding
    ) -> bool:
        """Whether the size of the latest submission of a cell follows the current rules."""
        if cell.latest is None or self.is_current(cell.latest_at):
            return True
        return any(
            each.at == cell.latest_at and each.size is not None
            for each in self.solutions(pack, language, problem)
        )

    def _latest(
        self, cell: ProblemStanding, solutions: Iterable[OwnSolution]
    ) -> PracticeSubmission | None:
        sizes = [each.size for each in solutions if each.at == cell.latest_at]
        known = next((size for size in sizes if size is not None), None)
        if cell.latest is None or not cell.latest.solved or known is None:
            return cell.latest
        return cell.latest._replace(size=known)

    def _size(self, language: str, digest: str | None) -> int | None:
        """The size of a program that was saved; None where it is gone."""
        if digest is None:
            return None
        key = language, digest
        if key not in self._sizes:
            from esoplay.programs.execution import code_size

            source = self._store.files.read(digest)
            self._sizes[key] = None if source is None else code_size(language, source)
        return self._sizes[key]


def _least(solutions: Iterable[OwnSolution]) -> tuple[int | None, str]:
    """The least known size, and when it was reached first."""
    known = [(each.size, each.at) for each in solutions if each.size is not None]
    return min(known, default=(None, ""))
