"""Breakpoints and watch expressions of a program, saved between runs.

Each program has one file in the state folder, named after the hash of the program.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from esolangs.language import Program
from esoplay.errors import StoreError
from esoplay.timeline.breakpoint_spec import BreakpointSpec, spec_as_json, spec_from_json

FOLDER = "kept"
MAX_FILES = 200
"""The maximum number of programs whose state is saved; the oldest files are deleted."""
MAX_BREAKPOINTS = 200

_FORMAT_VERSION = 1


class SavedDebugState(NamedTuple):
    """The saved breakpoints and watch expressions of a program.

    watches: expressions as they were typed.
    """

    breakpoints: tuple[BreakpointSpec, ...] = ()
    watches: tuple[str, ...] = ()


EMPTY_STATE = SavedDebugState()


def load_state(program: Program, folder: Path) -> SavedDebugState:
    """Return the breakpoints and watch expressions saved for a program.

    If the file is damaged, renames it and returns an empty state.
    """
    file = _file(program, folder)
    try:
        data = cast("dict[str, Any]", json.loads(file.read_text("utf-8")))
        if data["format"] != _FORMAT_VERSION:
            raise ValueError("another format")
        watches = tuple(data["watches"])
        if not all(isinstance(each, str) for each in watches):
            raise TypeError("watches")
        specs = tuple(
            spec_from_json(each, _decode_output) for each in data["breakpoints"][:MAX_BREAKPOINTS]
        )
        return SavedDebugState(specs, watches)
    except FileNotFoundError:
        return EMPTY_STATE
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        with suppress(OSError):  # if renaming fails, the next write fails and reports it
            file.replace(file.with_suffix(".damaged"))
        return EMPTY_STATE


def save_state(program: Program, folder: Path, state: SavedDebugState) -> None:
    """Save breakpoints and watch expressions.  Raises StoreError if writing fails."""
    file = _file(program, folder)
    data = {
        "format": _FORMAT_VERSION,
        "language": program.language.id,
        "breakpoints": [
            spec_as_json(spec, lambda output: {"hex": output.hex()})
            for spec in state.breakpoints[:MAX_BREAKPOINTS]
        ],
        "watches": list(state.watches),
    }
    try:
        if state == EMPTY_STATE:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(data, indent=1), "utf-8")
        new.replace(file)
        _delete_oldest(file.parent)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error


def _file(program: Program, folder: Path) -> Path:
    digest = hashlib.sha256(program.language.id.encode() + b"\0" + program.source).hexdigest()
    return folder / FOLDER / f"{digest}.json"


def _decode_output(value: object) -> int | str | bytes:
    """Decode the saved output at which a breakpoint stops: the index of a byte, or a text.

    A text is returned as a string or as bytes, which are stored as ``{"hex": …}``.
    """
    if isinstance(value, dict):
        return bytes.fromhex(cast("dict[str, str]", value)["hex"])
    if type(value) is int or isinstance(value, str):
        return value
    raise TypeError("output")


def _delete_oldest(folder: Path) -> None:
    """Delete the oldest files if the folder has more than ``MAX_FILES``."""
    written: list[tuple[float, Path]] = []
    for file in folder.glob("*.json"):
        with suppress(FileNotFoundError):  # another process deleted it
            written.append((file.stat().st_mtime, file))
    for _, file in sorted(written)[:-MAX_FILES]:
        file.unlink(missing_ok=True)
