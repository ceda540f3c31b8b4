"""How a cell (a problem in a language) is marked: signs that differ without colours as well."""

from __future__ import annotations

from esoplay.service.progress import Progress, Status

MARKS: dict[Status, tuple[str, str]] = {
    "solved": ("✓", "$success"),
    "tried": ("◐", "$warning"),
    "untried": ("·", "$quiet"),
}
"""Sign and style by status."""


def mark_of_cell(progress: Progress) -> tuple[str, str]:
    """The sign of a cell, and its style."""
    return MARKS[progress.status]
