"""What is kept between runs, under the names that the screens use for it.

It is kept by :mod:`esoplay.service.progress_store`, which commands share with the screens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from esoplay.service.progress import (
    NOTHING_YET,
    OwnSolution,
    Progress,
    Solution,
    Streak,
    Submission,
)
from esoplay.service.progress_lasting import LastingFile
from esoplay.service.progress_store import FILE_NAME, ProgressStore

__all__ = [
    "FILE_NAME",
    "NOTHING_YET",
    "OwnSolution",
    "PlayState",
    "Progress",
    "Solution",
    "Streak",
    "Submission",
]


class PlayState(ProgressStore):
    """Settings and progress that can always be asked for, whatever becomes of their file.

    To open it raises StoreError, and to close it where something could not be written.
    """

    def __init__(self, folder: Path) -> None:
        file = LastingFile(folder / FILE_NAME)
        super().__init__(folder, file=file)
        self._lasting = file

    def listen(self, tell: Callable[[str], None]) -> None:
        """Have ``tell`` called with what happens to the file from now on."""
        self._lasting.tell = tell
