"""What is kept of a program between runs beside its notes: breakpoints and watch expressions.

One file for each program in the state folder, found by the program's content.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, cast

from esolangs.language import Program
from esolangs.stops import Slot
from esoplay.errors import StoreError
from esoplay.service.debugging import BreakpointSpec

FOLDER = "kept"
MOST_FILES = 200
"""Files in the folder; those written longest ago make room."""
MOST_BREAKPOINTS = 200

_FORMAT = 1
_POINTS = ("position", "cell", "read")
_PLAIN: dict[str, tuple[type, ...]] = {
    "offset": (int,),
    "place": (str,),
    "instruction": (str,),
    "output": (int, str),
    "condition": (str,),
    "effect": (str,),
    "log": (str,),
    "enabled": (bool,),
    "step": (int,),
    "every": (int,),
    "new": (bool,),
    "source_line": (int,),
    "direction": (str,),
}


class Kept(NamedTuple):
    """What there is to keep.  watches: expressions as they were typed."""

    breakpoints: tuple[BreakpointSpec, ...] = ()
    watches: tuple[str, ...] = ()


NOTHING = Kept()


def read_kept(program: Program, folder: Path) -> Kept:
    """What was kept of a program; nothing where that cannot be read, which sets it aside."""
    file = _file(program, folder)
    try:
        data = cast("dict[str, Any]", json.loads(file.read_text("utf-8")))
        if data["format"] != _FORMAT:
            raise ValueError("another format")
        watches = tuple(data["watches"])
        if not all(isinstance(each, str) for each in watches):
            raise TypeError("watches")
        specs = tuple(_spec_from(each) for each in data["breakpoints"][:MOST_BREAKPOINTS])
        return Kept(specs, watches)
    except FileNotFoundError:
        return NOTHING
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        with suppress(OSError):  # else it is in the way when something is written: that is told
            file.replace(file.with_suffix(".damaged"))
        return NOTHING


def write_kept(program: Program, folder: Path, kept: Kept) -> None:
    """Keep this for the next time; raises StoreError."""
    file = _file(program, folder)
    data = {
        "format": _FORMAT,
        "language": program.language.id,
        "breakpoints": [_as_json(spec) for spec in kept.breakpoints[:MOST_BREAKPOINTS]],
        "watches": list(kept.watches),
    }
    try:
        if kept == NOTHING:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(data, indent=1), "utf-8")
        new.replace(file)
        _make_room(file.parent)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error


def _file(program: Program, folder: Path) -> Path:
    digest = hashlib.sha256(program.language.id.encode() + b"\0" + program.source).hexdigest()
    return folder / FOLDER / f"{digest}.json"


def _as_json(spec: BreakpointSpec) -> dict[str, Any]:
    """The parts that are said, bytes as ``{"hex": …}``."""
    data: dict[str, Any] = {}
    for field in fields(BreakpointSpec):
        value = getattr(spec, field.name)
        if isinstance(value, bytes):
            value = {"hex": value.hex()}
        elif isinstance(value, Slot):
            value = {"stack": value.stack, "level": value.level}
        if value != field.default:
            data[field.name] = value
    return data


def _spec_from(data: dict[str, Any]) -> BreakpointSpec:
    """A spec that was stored; TypeError or ValueError for what is none."""
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name in _POINTS:
            values[name] = _address(value)
        elif name == "slot":
            values[name] = Slot(_whole(value["stack"]), _whole(value["level"]))
        elif name == "output" and isinstance(value, dict):
            values[name] = bytes.fromhex(cast("dict[str, str]", value)["hex"])
        elif type(value) in _PLAIN[name]:
            values[name] = value
        else:
            raise TypeError(name)
    return BreakpointSpec(**values)


def _address(value: object) -> int | tuple[int, ...]:
    if isinstance(value, list):
        return tuple(_whole(each) for each in cast("list[object]", value))
    return _whole(value)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError("a whole number")
    return value


def _make_room(folder: Path) -> None:
    """Delete the files written longest ago, where there are too many."""
    written: list[tuple[float, Path]] = []
    for file in folder.glob("*.json"):
        with suppress(FileNotFoundError):  # another process made room
            written.append((file.stat().st_mtime, file))
    for _, file in sorted(written)[:-MOST_FILES]:
        file.unlink(missing_ok=True)
