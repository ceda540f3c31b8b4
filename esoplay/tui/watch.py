"""Notices when a file changes on disk, however its editor writes it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

DEBOUNCE = 300
"""Milliseconds for which changes are gathered, so that a half-written file is not read."""


async def changes(path: Path) -> AsyncIterator[None]:
    """Yield each time after ``path`` changed.

    The folder is watched: a watch on the file itself goes silent when an editor replaces it.
    """
    async for names in folder_changes(path.parent):
        if path in names:
            yield


async def folder_changes(folder: Path) -> AsyncIterator[set[Path]]:
    """Yield the files of a folder that changed, each time after some did."""
    from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType]

    folder.mkdir(parents=True, exist_ok=True)
    async for batch in awatch(folder, debounce=DEBOUNCE, step=50, recursive=False):
        yield {Path(name) for _, name in batch}
