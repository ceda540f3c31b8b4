"""Host lanes: ordinary languages, compiled and run as the manifests in the folder ``lanes`` say.

``ESOPLAY_LANES`` in the environment names a folder of further ones, which come first.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_ids
from esoplay.errors import LaneError

FIELDS: Mapping[str, type] = {
    "id": str,
    "name": str,
    "extensions": list,
    "source": str,
    "toolchain": dict,
    "compile": dict,
    "run": dict,
    "starter": str,
    "card": str,
}
TOOLCHAIN: Mapping[str, type] = {
    "command": list,
    "root": list,
    "executable": str,
    "version": list,
    "with": dict,
    "show": list,
}
COMPILE: Mapping[str, type] = {"command": list, "environment": dict, "prepare": list}
RUN: Mapping[str, type] = {
    "command": list,
    "environment": dict,
    "address_space": bool,
    "allowance": int,
    "processes": int,
    "memory_marks": list,
}
_OPTIONAL = {
    "root",
    "executable",
    "with",
    "show",
    "compile",
    "environment",
    "prepare",
    "memory_marks",
}
_WORDS: Mapping[type, str] = {
    str: "a text",
    list: "a list of texts",
    dict: "a table",
    int: "a whole number",
    bool: "true or false",
}


@dataclass(frozen=True, slots=True)
class Tools:
    """How to find a toolchain.

    command: names of the tool; the first that is on the path is taken, and ``{python}`` is the
    interpreter that esoplay runs on.  root: a command that prints the folder of the toolchain,
    where the tool on the path is but a pointer to it, and executable: the tool's place in there.
    version: a command that prints it.  further: other tools that are needed, by placeholder.
    show: folders that compiling or running needs besides.
    """

    command: tuple[str, ...]
    root: tuple[str, ...]
    executable: str
    version: tuple[str, ...]
    further: Mapping[str, tuple[str, ...]]
    show: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """What a manifest says; docs/host-lanes.md describes its fields.

    source: the file name of a program.  compiling: None where nothing is to be done before runs.
    preparing: what is done once on a machine for all compiling, empty where there is nothing.
    address_space: whether the system may bound it; if not, resident memory is watched instead.
    allowance: bytes that the runtime takes for itself, on top of what a program may have.
    processes: and threads, of one run.  memory_marks: what the runtime writes to stderr, anywhere
    in a line, when memory has run out.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    source: str
    tools: Tools
    compiling: tuple[str, ...] | None
    preparing: tuple[str, ...]
    compile_environment: Mapping[str, str]
    running: tuple[str, ...]
    environment: Mapping[str, str]
    address_space: bool
    allowance: int
    processes: int
    memory_marks: tuple[str, ...]
    starter: bytes
    card: str


def read_lane(file: Path) -> Lane:
    """The lane that a manifest describes; raises LaneError, which names the field."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LaneError(f"{file}: {error}") from error
    top = _table(raw, FIELDS, file, "")
    tools = _table(top["toolchain"], TOOLCHAIN, file, "toolchain.")
    run = _table(top["run"], RUN, file, "run.")
    compiling = _table(top["compile"], COMPILE, file, "compile.") if "compile" in top else None
    extensions = _texts(top["extensions"], file, "extensions")
    if not all(one.startswith(".") and one == one.lower() for one in extensions):
        raise LaneError(f"{file}: extensions: expected such as .py, in lower case")
    if top["id"] != file.stem:
        raise LaneError(f"{file}: id: expected the name of the file, {file.stem}")
    if "/" in top["source"] or top["source"] in ("", ".", ".."):
        raise LaneError(f"{file}: source: expected the name of a file")
    return Lane(
        top["id"],
        top["name"],
        extensions,
        top["source"],
        Tools(
            _command(tools["command"], file, "toolchain.command"),
            _texts(tools.get("root", []), file, "toolchain.root"),
            tools.get("executable", ""),
            _command(tools["version"], file, "toolchain.version"),
            {
                name: _command(names, file, f"toolchain.with.{name}")
                for name, names in cast("dict[str, Any]", tools.get("with", {})).items()
            },
            _texts(tools.get("show", []), file, "toolchain.show"),
        ),
        None if compiling is None else _command(compiling["command"], file, "compile.command"),
        _texts((compiling or {}).get("prepare", []), file, "compile.prepare"),
        _environment(compiling or {}, file, "compile.environment"),
        _command(run["command"], file, "run.command"),
        _environment(run, file, "run.environment"),
        run["address_space"],
        _mebibytes(run["allowance"], file),
        run["processes"],
        _texts(run.get("memory_marks", []), file, "run.memory_marks"),
        top["starter"].encode(),
        top["card"],
    )


def _table(raw: object, fields: Mapping[str, type], file: Path, at: str) -> dict[str, Any]:
    """``raw`` if it has these fields and no other."""
    table = cast("dict[str, Any]", raw)
    for name in table:
        if name not in fields:
            raise LaneError(f"{file}: {at}{name}: there is no such field; {', '.join(fields)}")
    for name, kind in fields.items():
        if name not in table:
            if name in _OPTIONAL:
                continue
            raise LaneError(f"{file}: {at}{name}: this field is missing")
        if type(table[name]) is not kind:
            raise LaneError(f"{file}: {at}{name}: expected {_WORDS[kind]}")
    return table


def _texts(raw: Sequence[object], file: Path, at: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(one, str) for one in raw):
        raise LaneError(f"{file}: {at}: expected a list of texts")
    return tuple(cast("list[str]", raw))


def _command(raw: Sequence[object], file: Path, at: str) -> tuple[str, ...]:
    words = _texts(raw, file, at)
    if not words:
        raise LaneError(f"{file}: {at}: expected at least one text")
    return words


def _environment(table: Mapping[str, Any], file: Path, at: str) -> Mapping[str, str]:
    raw: dict[str, object] = table.get("environment", {})
    if not all(isinstance(one, str) for one in raw.values()):
        raise LaneError(f"{file}: {at}: expected texts")
    return cast("dict[str, str]", raw)


def _mebibytes(value: int, file: Path) -> int:
    if value < 0:
        raise LaneError(f"{file}: run.allowance: expected a number from 0")
    return value << 20


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
