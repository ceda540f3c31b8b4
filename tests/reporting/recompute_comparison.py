"""Compare a report, as JSON data, with figures that were recomputed, member by member.

Every member of the report must have a recomputed counterpart: a member that nothing recomputes is
an error, so a figure that is added to reports must be added here as well.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

DRAWS = 20_000
LEVEL = 0.015
"""Tolerance for the ends of a bootstrap interval, as a share of the samples.

An end is an empirical quantile of 2,000 samples.  The share of all samples that are below it has
the standard error sqrt(0.025 * 0.975 / 2000) = 0.0035; four of them are 0.014.  The samples drawn
here add 0.0011.
"""


class Interval:
    """The 95 % percentile interval of a mean, by drawing values with replacement."""

    def __init__(self, values: Sequence[float]):
        self._values = tuple(map(float, values))

    def samples(self) -> np.ndarray:
        return _means(self._values, 7)


class DifferenceInterval:
    """The same for a difference of two means, averaged over pairs.

    The values of both sides are drawn independently.
    """

    def __init__(self, pairs: Sequence[tuple[Sequence[float], Sequence[float]]]):
        self._pairs = pairs

    def samples(self) -> np.ndarray:
        differences = [
            _means(tuple(first), 2 * at + 8) - _means(tuple(second), 2 * at + 9)
            for at, (first, second) in enumerate(self._pairs)
        ]
        return np.mean(differences, axis=0)


@cache
def _means(values: tuple[float, ...], seed: int) -> np.ndarray:
    draws = np.random.default_rng(seed).choice(np.array(values), (DRAWS, len(values)))
    return draws.mean(axis=1)


class Comparison:
    """Counts the compared figures by path, and lists the figures that differ."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.wrong: list[str] = []

    def compare(self, path: str, found: Any, expected: Any) -> None:
        """Compare ``found``, from the report, with ``expected`` and with all of its members."""
        if isinstance(expected, (Interval, DifferenceInterval)):
            self._interval(path, found, expected.samples())
        elif isinstance(expected, Mapping):
            self._members(path, found, expected)
        elif isinstance(expected, (list, tuple)):
            if not isinstance(found, list) or len(found) != len(expected):
                self._differs(path, found, expected)
                return
            for at, (one, other) in enumerate(zip(found, expected, strict=True)):
                self.compare(f"{path}[{at}]", one, other)
            if not expected:
                self._count(path)
        else:
            self._count(path)
            if not _equal(found, expected):
                self._differs(path, found, expected)

    def _members(self, path: str, found: Any, expected: Mapping[Any, Any]) -> None:
        wanted = {str(name): value for name, value in expected.items()}
        if not isinstance(found, dict):
            self._differs(path, found, expected)
            return
        for name in found.keys() - wanted.keys():
            self.wrong.append(f"{path}.{name}: nothing recomputes it")
        for name, value in wanted.items():
            if name in found:
                self.compare(f"{path}.{name}", found[name], value)
            else:
                self.wrong.append(f"{path}.{name}: is missing in the report")

    def _interval(self, path: str, found: Any, samples: np.ndarray) -> None:
        if not isinstance(found, dict) or found.keys() != {"low", "high"}:
            self._differs(path, found, "an interval")
            return
        for end, level in (("low", 0.025), ("high", 0.975)):
            self._count(path)
            below = np.mean(samples < found[end] - 1e-9)
            up_to = np.mean(samples <= found[end] + 1e-9)
            if not below - LEVEL <= level <= up_to + LEVEL:
                self.wrong.append(
                    f"{path}.{end}: the report has {found[end]!r}; of other samples {below:.1%} "
                    f"are below it and {up_to:.1%} up to it"
                )

    def _count(self, path: str) -> None:
        self.compared[re.sub(r"\[\d+]", "", path)] += 1

    def _differs(self, path: str, found: Any, expected: Any) -> None:
        self.wrong.append(f"{path}: the report has {found!r}, recomputed {expected!r}")


def _equal(found: Any, expected: Any) -> bool:
    numbers = (int, float, np.number)
    if isinstance(found, bool) or isinstance(expected, (bool, np.bool_)):
        return isinstance(found, bool) and found == bool(expected)
    if isinstance(found, numbers) and isinstance(expected, numbers):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)
    return bool(found == expected)
