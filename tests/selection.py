"""Choose which parameters ``make test`` runs; ``make test-all`` runs all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow_except(values: Iterable[Any], *fast: Any) -> list[Any]:
    """The same parameters in the same order, marked slow unless they are among ``fast``.

    A name in ``fast`` that is not a value raises ValueError, so that a misspelling does not
    silently leave `make test` without an example.
    """
    all_values = list(values)
    unknown = [value for value in fast if value not in all_values]
    if unknown:
        raise ValueError(f"not among the parameters: {unknown}")
    return [
        value if value in fast else pytest.param(value, marks=pytest.mark.slow)
        for value in all_values
    ]
