"""Problems to choose from and to read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from esoplay.errors import UsageError
from esoplay.grading.packs import Pack, Problem, load_pack

__all__ = ["get_pack", "get_problem", "list_problems"]


def get_pack(folder: str | Path | None = None) -> Pack:
    """The pack in ``folder``, or the one that ships.

    Raises UsageError where there is no such folder, and PackError for a broken pack.
    """
    if folder is not None and not Path(folder).is_dir():
        raise UsageError(f"{folder} is no folder; a problem pack is a folder with a pack.toml")
    return _load(None if folder is None else Path(folder).resolve())


@cache
def _load(folder: Path | None) -> Pack:
    """A pack does not change while a process runs; reading one takes longer than grading."""
    return load_pack(folder)


def list_problems(pack: str | Path | None = None) -> tuple[Problem, ...]:
    """All problems in their fixed order; raises like :func:`get_pack`."""
    return get_pack(pack).problems


def get_problem(id: str, pack: str | Path | None = None) -> Problem:
    """One problem by its id, whatever its case; raises UnknownProblem."""
    return get_pack(pack).problem(id)
