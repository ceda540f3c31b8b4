"""Packs that a user has installed: folders in ``packs/`` of the state folder, by their id.

``install`` puts a pack among them, whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from esoplay.errors import StoreError, UsageError
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


# Installing

_LOCK, _STAGING, _RETIRED = ".lock", ".new-", ".old-"


def install(id: str, fill: Callable[[Path], None], *, replace: bool = False) -> Path:
    """Make the folder of pack ``id`` with what ``fill`` writes into it: all of it or nothing.

    Raises UsageError where there is such a pack and ``replace`` was not said, StoreError where
    the disk refuses, and whatever ``fill`` raises; then everything is as it was before.
    """
    import fcntl  # late, as in the other functions here: most commands only look packs up
    import shutil
    import tempfile

    home = packs_folder()
    target = home / id
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        with (home / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one process at a time; a killed one lets go
            _clean(home)
            if target.exists() and not replace:
                raise UsageError(
                    f"pack {id} is installed already; --replace puts the new one in its place"
                )
            staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=home))
            try:
                fill(staging)
                _swap(staging, target)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise StoreError(f"cannot install pack {id} in {home}: {error.strerror}") from error
    return target


def _swap(staging: Path, target: Path) -> None:
    """Two renames: what was there comes back when the second one fails."""
    import shutil
    import tempfile

    if not target.exists():
        staging.rename(target)
        return
    retired = Path(tempfile.mkdtemp(prefix=_RETIRED, dir=target.parent)) / target.name
    target.rename(retired)
    try:
        staging.rename(target)
    except OSError:
        retired.rename(target)
        raise
    finally:
        if target.exists():
            shutil.rmtree(retired.parent, ignore_errors=True)


def _clean(home: Path) -> None:
    """Finish or undo what a killed process left behind."""
    import shutil

    for path in home.glob(f"{_RETIRED}*"):
        for pack in path.iterdir():
            if not (home / pack.name).exists():
                pack.rename(home / pack.name)
        shutil.rmtree(path, ignore_errors=True)
    for path in home.glob(f"{_STAGING}*"):
        shutil.rmtree(path, ignore_errors=True)
