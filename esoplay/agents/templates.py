"""Template grids for the published experiments, and included agent manifests."""

from __future__ import annotations

from pathlib import Path

GRIDS = ("main", "direct", "hosts", "library", "budgets")
"""Names of the template grids, one per published experiment; a grid plans sessions to run."""

_FOLDER = Path(__file__).with_name("grids")


def read_grid_template(name: str) -> str:
    """Return the text of a template grid."""
    return (_FOLDER / f"{name}.toml").read_text("utf-8")


def grid_title(name: str) -> str:
    """Return the title of a template grid."""
    line = next(
        line for line in read_grid_template(name).splitlines() if line.startswith("title = ")
    )
    return line.partition(" = ")[2].strip('"')


_MANIFESTS = Path(__file__).with_name("manifests")


def manifest_names() -> tuple[str, ...]:
    """Return the names of the included manifests."""
    return tuple(sorted(file.stem for file in _MANIFESTS.glob("*.toml")))


def read_manifest_text(name: str) -> str:
    """Return the text of an included manifest."""
    return (_MANIFESTS / f"{name}.toml").read_text("utf-8")
