"""What a report knows of the problems besides their ids: tiers, categories and titles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class About(NamedTuple):
    """A problem as its pack describes it."""

    title: str
    tier: str
    category: str


class Catalogue(NamedTuple):
    """The problems of one pack; tiers and categories in the pack's order."""

    problems: Mapping[str, About]
    tiers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    def by_tier(self, problems: Sequence[str]) -> dict[str, list[str]]:
        """The problems of each tier that has some; empty where one of them is unknown."""
        return _sorted_in(self.tiers, {one: self.problems[one].tier for one in self._all(problems)})

    def by_category(self, problems: Sequence[str]) -> dict[str, list[str]]:
        """The same by category."""
        kinds = {one: self.problems[one].category for one in self._all(problems)}
        return _sorted_in(self.categories, kinds)

    def title(self, problem: str) -> str:
        """The title, or the id where it is not known."""
        known = self.problems.get(problem)
        return known.title if known else problem

    def _all(self, problems: Sequence[str]) -> Sequence[str]:
        return problems if all(one in self.problems for one in problems) else ()


NO_CATALOGUE = Catalogue({})


def _sorted_in(names: Sequence[str], kinds: Mapping[str, str]) -> dict[str, list[str]]:
    found = {name: [one for one, kind in kinds.items() if kind == name] for name in names}
    return {name: problems for name, problems in found.items() if problems}
