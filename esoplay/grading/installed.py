"""Packs that a user has installed: folders in ``packs/`` of the state folder, by their id."""

from __future__ import annotations

import re
from pathlib import Path

from esoplay.paths import state_folder

NAME = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What an id of a pack or a problem looks like: it serves as the name of a folder."""

PREDICTIONS = "predictions.json"
"""What a folder has that holds output predictions instead of problems."""


def packs_folder() -> Path:
    """Where installed packs are; raises StoreError."""
    return state_folder() / "packs"


def installed_ids() -> tuple[str, ...]:
    """The ids of all installed packs, sorted."""
    folder = packs_folder()
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(path.name for path in folder.iterdir() if path.is_dir() and is_name(path.name))
    )


def find_installed(id: str) -> Path | None:
    """The folder of the installed pack ``id``, or None."""
    folder = packs_folder() / id
    return folder if is_name(id) and folder.is_dir() else None


def is_name(text: str) -> bool:
    """Whether ``text`` may be an id: it can lead out of no folder."""
    return NAME.fullmatch(text) is not None
