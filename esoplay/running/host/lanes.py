"""Read the manifests of host lanes, which compile and run programs in ordinary languages.

Manifests are files in the folder ``lanes`` and in the folder that the environment variable
``ESOPLAY_LANES`` names, which has priority.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from msgspec import Meta, field

from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_ids
from esolangs.wording import suggest
from esoplay.decoding import DecodingError, FileWording, StrictTable, decode_toml
from esoplay.errors import LaneError

_TEXTS = "a list of strings"
Texts = Annotated[tuple[str, ...], Meta(extra={"expected": _TEXTS, "whole": True})]
Environment = Annotated[
    dict[str, str], Meta(extra={"expected": "a table of strings", "whole": True})
]


class ToolchainTable(StrictTable, kw_only=True):
    """The table ``[toolchain]`` of a manifest; see :class:`ToolchainSearch`."""

    command: Texts
    root: Texts = ()
    executable: str = ""
    version: Texts
    other_tools: dict[str, Texts] = field(name="with", default_factory=dict[str, tuple[str, ...]])
    show: Texts = ()

    def __post_init__(self) -> None:
        _require_words("command", self.command)
        _require_words("version", self.version)
        for name, words in self.other_tools.items():
            _require_words(f"with.{name}", words)


class CompileTable(StrictTable):
    """The table ``[compile]`` of a manifest."""

    command: Texts
    environment: Environment = field(default_factory=dict[str, str])
    prepare: Texts = ()

    def __post_init__(self) -> None:
        _require_words("command", self.command)


class LaneRunTable(StrictTable, kw_only=True):
    """The table ``[run]`` of a manifest.  allowance: MiB of memory for the runtime."""

    command: Texts
    environment: Environment = field(default_factory=dict[str, str])
    address_space: bool
    allowance: int
    processes: int
    memory_marks: Texts = ()

    def __post_init__(self) -> None:
        _require_words("command", self.command)
        if self.allowance < 0:
            raise DecodingError("allowance", "expected a non-negative number")


class LaneTable(StrictTable, kw_only=True):
    """The manifest of a host lane."""

    id: str
    name: str
    extensions: Texts
    source: str
    toolchain: ToolchainTable
    compile: CompileTable | None = None
    run: LaneRunTable
    starter: str
    card: str

    def __post_init__(self) -> None:
        if not all(one.startswith(".") and one == one.lower() for one in self.extensions):
            raise DecodingError("extensions", "expected a lowercase extension such as .py")
        if "/" in self.source or self.source in ("", ".", ".."):
            raise DecodingError("source", "expected a file name without a folder")


_WORDING = FileWording(
    unknown="unknown field; expected {known}",
    expected="expected {expected}",
    unknown_before_missing=True,
)


@dataclass(frozen=True, slots=True)
class ToolchainSearch:
    """Rules for finding a toolchain.

    command: names of the tool; the first one that is on PATH is used, and ``{python}`` is the
    interpreter that runs esoplay.  root: command that prints the folder of the toolchain, if the
    tool on PATH is only a launcher.  executable: path of the tool in that folder.  version: command
    that prints the version.  other_tools: names of other required tools, by placeholder.
    readable_paths: further folders that the compiler or the programs read.
    """

    command: tuple[str, ...]
    root: tuple[str, ...]
    executable: str
    version: tuple[str, ...]
    other_tools: Mapping[str, tuple[str, ...]]
    readable_paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HostLane:
    """Host lane, as described by a manifest; docs/host-lanes.md describes the fields.

    source: file name of a program.  compile_command: command, None if programs are not compiled.
    prepare_command: command that runs once per machine before the first compilation, or empty.
    limits_address_space: whether to limit the address space; if not, resident memory is monitored.
    memory_allowance: bytes for the runtime in addition to the program's memory limit.  processes:
    maximum processes and threads of one run.  memory_marks: strings that the runtime writes to
    stderr when it runs out of memory.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    source: str
    toolchain_search: ToolchainSearch
    compile_command: tuple[str, ...] | None
    prepare_command: tuple[str, ...]
    compile_environment: Mapping[str, str]
    run_command: tuple[str, ...]
    environment: Mapping[str, str]
    limits_address_space: bool
    memory_allowance: int
    processes: int
    memory_marks: tuple[str, ...]
    starter: bytes
    card: str


def read_lane(file: Path) -> HostLane:
    """Read a manifest; raise LaneError, which names the field, if it is invalid."""
    try:
        table = decode_toml(file.read_bytes(), LaneTable, _WORDING)
        if table.id != file.stem:
            raise DecodingError("id", f"expected {file.stem}, as in the file name")
    except (OSError, DecodingError) as error:
        raise LaneError(f"{file}: {error}") from error
    tools, compilation, run = table.toolchain, table.compile, table.run
    return HostLane(
        table.id,
        table.name,
        table.extensions,
        table.source,
        ToolchainSearch(
            tools.command,
            tools.root,
            tools.executable,
            tools.version,
            tools.other_tools,
            tools.show,
        ),
        None if compilation is None else compilation.command,
        () if compilation is None else compilation.prepare,
        {} if compilation is None else compilation.environment,
        run.command,
        run.environment,
        run.address_space,
        run.allowance << 20,
        run.processes,
        run.memory_marks,
        table.starter.encode(),
        table.card,
    )


def _require_words(name: str, words: tuple[str, ...]) -> None:
    if not words:
        raise DecodingError(name, "expected at least one string")


_BUILT_IN_FOLDER = Path(__file__).parent / "lanes"


def lane_ids() -> list[str]:
    """Return the sorted ids of all lanes, including lanes without an installed toolchain."""
    return sorted({file.stem for file in _files()})


def is_lane(id: str) -> bool:
    """Return whether a lane has this id; False if an esoteric language has the same id."""
    return _file(id) is not None and id not in language_ids()


def find_lane(id: str) -> HostLane:
    """Return the lane with this id.

    Raises UnknownLanguage if it does not exist, and LaneError if its manifest is invalid.
    """
    file = _file(id)
    if file is None:
        raise UnknownLanguage(f"unknown lane {id!r}; available: {', '.join(lane_ids())}")
    return _cached_lane(file, file.stat().st_mtime_ns)


def check_language_id(id: str) -> str:
    """Return ``id`` if a language or lane has it, else raise UnknownLanguage, listing the ids."""
    if is_lane(id):
        return find_lane(id).id
    if id not in language_ids():
        raise UnknownLanguage(
            f"language {id!r} is not installed; installed: {', '.join(language_ids())}; "
            f"host lanes: {', '.join(lane_ids())}{suggest(id, [*language_ids(), *lane_ids()])}"
        )
    return find_language(id).id


def find_lane_by_file(path: str) -> HostLane | None:
    """Return the lane with the extension of ``path``, or None.

    Raises LaneError if no valid lane has this extension and a manifest is invalid.
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
        raise LaneError(
            f"no valid host lane has the extension {extension!r}, but a manifest is invalid: "
            f"{broken}"
        )
    return None


@lru_cache(64)
def _cached_lane(file: Path, stamp: int) -> HostLane:
    """Return the lane of a manifest; the cache key ``stamp`` is its modification time."""
    return read_lane(file)


def _file(id: str) -> Path | None:
    """Return the path of a lane's manifest; None if it is missing or ``id`` is malformed."""
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
            raise LaneError(f"ESOPLAY_LANES: {more} is not a folder")
        yield folder
    yield _BUILT_IN_FOLDER
