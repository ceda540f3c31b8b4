"""Folders with the data of esoplay and the state of the user."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def problems_folder() -> Path:
    """Return the folder of the default problem pack."""
    return _data_folder("problems")


def themes_folder() -> Path:
    """Return the folder of the included themes."""
    return _data_folder("themes")


def builder_pages_folder() -> Path:
    """Return the folder with the documentation pages of the program generator."""
    packaged = _PACKAGE / "codegen" / "pages"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "docs" / "codegen"


def state_folder() -> Path:
    """Return the user's state folder, created on first use; ``ESOPLAY_HOME`` overrides it.

    If it cannot be created, reads find nothing there and writes fail.
    """
    folder = _state_path()
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def cache_folder() -> Path:
    """Return the folder for data that can be recreated; it may not exist yet."""
    chosen = os.environ.get("ESOPLAY_HOME")
    if chosen:
        return Path(chosen).expanduser() / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("esoplay", appauthor=False)


def private_folders() -> list[Path]:
    """Return the folders that graded programs must not read: state, hidden tests, solutions."""
    return [_state_path().resolve(), _PACKAGE, problems_folder()]


def _state_path() -> Path:
    chosen = os.environ.get("ESOPLAY_HOME")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_state_path

    return user_state_path("esoplay", appauthor=False)


def _data_folder(name: str) -> Path:
    """Return a data folder inside the installed package, or beside it in a checkout."""
    packaged = _PACKAGE / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name
