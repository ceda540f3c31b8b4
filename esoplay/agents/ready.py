"""Template grids: the published experiments, with a solver to fill in."""

from __future__ import annotations

from pathlib import Path

GRIDS = ("main", "direct", "hosts", "library", "budgets")
"""Main experiment, direct authoring, host languages, strategy text and library, budgets."""

_FOLDER = Path(__file__).with_name("grids")


def grid_text(name: str) -> str:
    """Return the file of a template grid."""
    return (_FOLDER / f"{name}.toml").read_text("utf-8")


def purpose_of(name: str) -> str:
    """Return the title of a template grid."""
    line = next(line for line in grid_text(name).splitlines() if line.startswith("title = "))
    return line.partition(" = ")[2].strip('"')
