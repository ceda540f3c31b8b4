"""The names of the conditions of evaluations in tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from esoplay.reporting.document import ReportTable, TableColumn, words

NAME_COLUMNS = (words("model"), words("language"), words("regime"))


class NamedCondition(Protocol):
    """A condition by its model, language and regime."""

    @property
    def model(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def regime(self) -> str: ...


def name_cells(one: NamedCondition) -> list[str]:
    """Return the cells of ``NAME_COLUMNS``."""
    return [one.model, one.language, one.regime]


def toolchain_table(counts: Mapping[tuple[str, str], int], counted: str) -> ReportTable:
    """Return the versions of host lanes' toolchains, with the number of what they graded."""
    rows = [[language, version, str(count)] for (language, version), count in counts.items()]
    columns = [words("language"), words("version"), TableColumn(counted)]
    return ReportTable("Toolchains of host lanes", columns, sorted(rows))


def label(one: NamedCondition) -> str:
    """Return the name of a condition on one line."""
    return ", ".join(name_cells(one))
