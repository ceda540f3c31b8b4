"""Find packs, and select problems of the built-in pack or of another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from esoplay.errors import UsageError
from esoplay.grading.packs import (
    COMPILED_PACK_FILE,
    PREDICTIONS_FILE,
    TESTS_FILE,
    Pack,
    Problem,
    find_installed,
    installed_ids,
    list_files,
    load_pack,
    make_stamps,
)
from esoplay.paths import problems_folder

__all__ = [
    "get_installed_pack",
    "get_pack",
    "get_problem",
    "list_problems",
    "resolve_pack",
    "select",
    "select_solvable",
]


_CacheKey = tuple[object, ...]

BUILT_IN = "esoplay-80"
"""The id of the built-in pack."""
FURTHER_PACKS = ("basics",)
"""The ids of further packs that ship with esoplay, in the folder of the built-in pack."""


def resolve_pack(name: str | Path | None) -> Path | None:
    """Return the folder for the value of ``--pack``; None for the built-in pack.

    A plain word is the id of a built-in or installed pack; if none has this id, it is a folder.
    Raises UsageError if neither exists.
    """
    if name is None or name == BUILT_IN:
        return None
    if name in FURTHER_PACKS:
        return problems_folder() / name
    if isinstance(name, str):
        installed = find_installed(name)
        if installed is not None:
            return installed
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise UsageError(f"{name} is neither a folder nor an installed pack; {_installed_hint()}")
    return folder.resolve()


def get_pack(name: str | Path | None = None) -> Pack:
    """Return the built-in pack, an installed pack by its id, or the pack in a folder.

    Raises UsageError if the pack does not exist, and PackError if it is invalid.
    """
    folder = resolve_pack(name)
    if folder is not None and (folder / PREDICTIONS_FILE).is_file():
        raise UsageError(
            f"{name} contains output predictions, not problems; use esoplay predict --items {name}"
        )
    cache_key = _make_cache_key(folder)
    return load_pack(folder) if cache_key is None else _load(folder, cache_key)


def get_installed_pack(id: str | None) -> Pack:
    """Return a built-in or installed pack by its id; None stands for the built-in pack.

    A folder is refused, because the judge of a pack is run as code.
    """
    if id is not None and id not in (BUILT_IN, *FURTHER_PACKS) and find_installed(id) is None:
        raise UsageError(f"no installed pack {id!r}; {_installed_hint()}")
    return get_pack(id)


def list_problems(pack: str | Path | None = None) -> tuple[Problem, ...]:
    """Return all problems in their fixed order; raise the errors of :func:`get_pack`."""
    return get_pack(pack).problems


def get_problem(id: str, pack: str | Path | None = None) -> Problem:
    """Return a problem by its id, ignoring case.

    Raises UnknownProblem if the pack does not contain it.
    """
    return get_pack(pack).problem(id)


@lru_cache(maxsize=32)
def _load(folder: Path | None, cache_key: _CacheKey) -> Pack:
    """Load a pack; cached by ``cache_key``, because loading takes longer than grading."""
    return load_pack(folder)


def _make_cache_key(folder: Path | None) -> _CacheKey | None:
    """Return a cache key for the current files of a pack; None if they have just changed."""
    if folder is None:
        return ()
    try:
        found = (folder / COMPILED_PACK_FILE).stat()
    except OSError:
        files = list_files(folder)
        tests = [file.with_name(TESTS_FILE) for file in files if file.name == "problem.toml"]
        stamps = make_stamps(folder, [*files, *(file for file in tests if file.is_file())])
        return None if stamps is None else tuple(tuple(stamp) for stamp in stamps)
    return (found.st_ino, found.st_mtime_ns, found.st_size)


def _installed_hint() -> str:
    return f"installed: {', '.join([BUILT_IN, *FURTHER_PACKS, *installed_ids()])}"


def select_solvable(
    problems: Sequence[Problem], names: Iterable[str] | None, language_id: str
) -> list[Problem]:
    """Return the selected problems that can be solved in a language; see :func:`select`.

    For esoteric languages, problems that need a host lane are omitted. Raises UsageError if such a
    problem is named by its id, or no problem remains.
    """
    from esoplay.grading.grader import require_target  # imported late: lists do not need it
    from esoplay.running.host.lanes import is_lane

    named = None if names is None else [name.strip() for name in names]
    selected = select(problems, named)
    if is_lane(language_id):
        return selected
    ids = {name.casefold() for name in named or ()}
    for problem in selected:
        if problem.lane_requirements and problem.id.casefold() in ids:
            require_target(problem, language_id)
    found = [problem for problem in selected if not problem.lane_requirements]
    if selected and not found:
        require_target(selected[0], language_id)
    return found


class Selectable(Protocol):
    """A problem or an output prediction."""

    @property
    def id(self) -> str: ...
    @property
    def tier(self) -> str: ...


T = TypeVar("T", bound=Selectable)
_RANGE = re.compile(r"(?P<first>[^-]+)-(?P<last>[^-]+)")


def select(items: Sequence[T], names: Iterable[str] | None) -> list[T]:
    """Select items by ids, ranges of ids or tiers; return them in the order of ``items``.

    None selects all.  Raises UsageError for an unknown name.
    """
    if names is None:
        return list(items)
    positions = {item.id.casefold(): at for at, item in enumerate(items)}
    selected: set[int] = set()
    for word in names:
        name = word.strip().casefold()
        tier = {at for at, item in enumerate(items) if item.tier.casefold() == name}
        match = _RANGE.fullmatch(name)
        if name in positions:
            selected.add(positions[name])
        elif tier:
            selected |= tier
        elif match and match["first"] in positions and match["last"] in positions:
            first, last = positions[match["first"]], positions[match["last"]]
            if first > last:
                raise UsageError(
                    f"{word!r} ends before it starts; did you mean "
                    f"{items[last].id}-{items[first].id}?"
                )
            selected |= set(range(first, last + 1))
        else:
            raise UsageError(
                f"{word!r} is not an id, a range such as E01-E05 or a tier; the ids are "
                f"{items[0].id} to {items[-1].id}"
            )
    return [items[at] for at in sorted(selected)]
