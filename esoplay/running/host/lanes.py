"""Which host lanes there are: the manifests in this folder's ``lanes``.

``ESOPLAY_LANES`` in the environment names a folder of further ones, which come first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_ids
from esoplay.errors import LaneError
from esoplay.running.host.lane import Lane, read_lane

_OWN = Path(__file__).parent / "lanes"


def lane_ids() -> list[str]:
    """Ids of all lanes, whether or not their toolchains are installed, in alphabetical order."""
    return sorted({file.stem for file in _files()})


def is_lane(id: str) -> bool:
    """Whether a lane has this id; an esoteric language of the same id would hide it."""
    return _file(id) is not None and id not in language_ids()


def find_lane(id: str) -> Lane:
    """The lane with this id; raises UnknownLanguage, and LaneError for a broken manifest."""
    file = _file(id)
    if file is None:
        raise UnknownLanguage(f"there is no lane {id!r}; there are {', '.join(lane_ids())}")
    return _kept(file, file.stat().st_mtime_ns)


def known_id(id: str) -> str:
    """The id of an esoteric language or of a lane; raises UnknownLanguage with all there are."""
    if is_lane(id):
        return find_lane(id).id
    if id not in language_ids():
        raise UnknownLanguage(
            f"language {id!r} is not installed; installed: {', '.join(language_ids())}; "
            f"host lanes: {', '.join(lane_ids())}"
        )
    return find_language(id).id


def lane_of_file(path: str) -> Lane | None:
    """The lane whose extension ``path`` has, None if there is none.

    Raises LaneError if there is none but a broken manifest that may be meant.
    """
    extension = os.path.splitext(path)[1].lower()
    broken: LaneError | None = None
    for id in lane_ids():
        try:
            lane = find_lane(id)
        except LaneError as error:
            broken = broken or error
            continue
        if extension in lane.extensions:
            return lane
    if broken is not None and extension:
        raise LaneError(f"no lane has files ending in {extension!r}, or it is this: {broken}")
    return None


@lru_cache(64)
def _kept(file: Path, stamp: int) -> Lane:  # ``stamp`` so that a changed manifest is read again
    return read_lane(file)


def _file(id: str) -> Path | None:
    """The manifest of a lane; ``id`` may be anything, and leads nowhere else."""
    if not id.replace("-", "").isalnum():
        return None
    files = (folder / f"{id}.toml" for folder in _folders())
    return next((file for file in files if file.is_file()), None)


def _files() -> Iterator[Path]:
    for folder in _folders():
        yield from sorted(folder.glob("*.toml"))


def _folders() -> Iterator[Path]:
    more = os.environ.get("ESOPLAY_LANES")
    if more:
        folder = Path(more)
        if not folder.is_dir():
            raise LaneError(f"ESOPLAY_LANES: {more} is no folder")
        yield folder
    yield _OWN
