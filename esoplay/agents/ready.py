"""Template grids: the published experiments, with a solver to be filled in."""

from __future__ import annotations

from pathlib import Path

GRIDS = ("main", "direct", "hosts", "library", "budgets")
"""The main experiment, direct authoring, host languages, strategy text and library, budgets."""

_FOLDER = Path(__file__).with_name("grids")


def grid_text(name: str) -> str:
    """The file of a ready-made grid."""
    return (_FOLDER / f"{name}.toml").read_text("utf-8")


def purpose_of(name: str) -> str:
    """What it is for: the title that it has."""
    line = next(line for line in grid_text(name).splitlines() if line.startswith("title = "))
    return line.partition(" = ")[2].strip('"')
