"""Compute the sizes of stored solutions by the current rules.

The rules have changed between versions (comments once counted), and each row of the history has the
size by the rules of its time. To compare solutions, older sizes are computed again from the saved
programs; if a program is missing, its size is unknown.
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
"""Version of the rules in :func:`esoplay.programs.execution.code_size`."""

_SETTING = "code sizes"


class CodeSizes:
    """The sizes of a store's solutions; each is computed at most once."""

    def __init__(self, store: ProgressStore) -> None:
        self._store = store
        self._sizes: dict[tuple[str, str], int | None] = {}
        self._standings: dict[tuple[str, str, str, ProblemStanding], ProblemStanding] = {}
        setting = store.setting(_SETTING)
        known = cast("dict[str, Any]", setting) if isinstance(setting, dict) else {}
        self._is_start_saved = known.get("rules") == RULES and isinstance(known.get("since"), str)
        now = store.clock().astimezone(UTC).isoformat()
        self._since: str = known["since"] if self._is_start_saved else now

    def save_rules_start(self) -> None:
        """Save the earliest time at which recorded sizes follow the current rules.

        Does nothing if the time is already saved.  Raises StoreError if the time cannot be saved.
        """
        if not self._is_start_saved:
            self._store.set_setting(_SETTING, {"rules": RULES, "since": self._since})
            self._is_start_saved = True

    def is_current(self, recorded_at: str) -> bool:
        """Return whether sizes recorded at ``recorded_at`` follow the current rules."""
        return recorded_at >= self._since

    def solutions(self, pack: str, language: str, problem: str) -> list[OwnSolution]:
        """Return all of the user's solutions, oldest first; ``size`` is None if unknown."""
        return [
            each
            if self.is_current(each.at)
            else each._replace(size=self._size(language, each.digest))
            for each in self._store.own_solutions(pack, language, problem)
        ]

    def imported_solutions(
        self, pack: str, language: str, problem: str
    ) -> tuple[list[SolvedProgramRecord], int]:
        """Return the imported solutions with a known size, and the number with an unknown size."""
        known: list[SolvedProgramRecord] = []
        unknown = 0
        for each in self._store.all_imported_solutions():
            if (each.pack, each.language, each.problem) == (pack, language, problem):
                size = self._size(language, each.digest)
                if size is None:
                    unknown += 1
                else:
                    known.append(each.solution._replace(size=size))
        return known, unknown

    def standing(
        self, pack: str, language: str, problem: str, standing: ProblemStanding
    ) -> ProblemStanding:
        """Return ``standing`` with its program sizes replaced by sizes under the current rules.

        The minimum ``size`` is None if no solution's size under these rules is known.
        If the latest submission failed or its program is missing, its recorded size is returned
        unchanged; ``is_latest_known`` says whether it follows the current rules.
        """
        if not standing.solved or self.is_current(standing.solved_at):
            return standing
        key = pack, language, problem, standing
        if key not in self._standings:
            solutions = self.solutions(pack, language, problem)
            size, at = _smallest_size(solutions)
            latest = self._latest(standing, solutions)
            self._standings[key] = standing._replace(size=size, size_at=at, latest=latest)
        return self._standings[key]

    def is_latest_known(
        self, pack: str, language: str, problem: str, standing: ProblemStanding
    ) -> bool:
        """Return whether the latest submission's size under the current rules is known.

        Also returns True if there is no submission.
        """
        if standing.latest is None or self.is_current(standing.latest_at):
            return True
        return any(
            each.at == standing.latest_at and each.size is not None
            for each in self.solutions(pack, language, problem)
        )

    def _latest(
        self, standing: ProblemStanding, solutions: Iterable[OwnSolution]
    ) -> PracticeSubmission | None:
        sizes = [each.size for each in solutions if each.at == standing.latest_at]
        known = next((size for size in sizes if size is not None), None)
        if standing.latest is None or not standing.latest.solved or known is None:
            return standing.latest
        return standing.latest._replace(size=known)

    def _size(self, language: str, digest: str | None) -> int | None:
        """Return the size of a saved program; None if it is missing."""
        if digest is None:
            return None
        key = language, digest
        if key not in self._sizes:
            from esoplay.programs.execution import code_size

            source = self._store.files.read(digest)
            self._sizes[key] = None if source is None else code_size(language, source)
        return self._sizes[key]


def _smallest_size(solutions: Iterable[OwnSolution]) -> tuple[int | None, str]:
    """Return the smallest size and when it was first reached; ``(None, "")`` if all are unknown."""
    known = [(each.size, each.at) for each in solutions if each.size is not None]
    return min(known, default=(None, ""))
