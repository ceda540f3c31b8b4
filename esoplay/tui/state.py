"""What is kept between runs, under the names that the screens use for it.

It is kept by :mod:`esoplay.service.progress_store`, which commands share with the screens.
"""

from __future__ import annotations

from esoplay.service.progress import (
    NOTHING_YET,
    OwnSolution,
    Progress,
    Solution,
    Streak,
    Submission,
)
from esoplay.service.progress_store import FILE_NAME
from esoplay.service.progress_store import ProgressStore as PlayState

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
