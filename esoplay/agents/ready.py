"""Template grids: the published experiments, with a solver to fill in; and agent manifests."""

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


_MANIFESTS = Path(__file__).with_name("manifests")


def manifest_names() -> tuple[str, ...]:
    """Return the names of the manifests that ship."""
    return tuple(sorted(file.stem for file in _MANIFESTS.glob("*.toml")))


def manifest_text(name: str) -> str:
    """Return the file of a manifest that ships."""
    return (_MANIFESTS / f"{name}.toml").read_text("utf-8")
