"""A generated program and its map as files beside their source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from esoplay.errors import UsageError
from esoplay.tui.buffers import write_file
from esoplay.tui.generate.maps import SUFFIX

if TYPE_CHECKING:
    from esoplay.service.generating import GeneratedProgram


def place_of(source: Path, program: GeneratedProgram) -> Path:
    """Where the program of a source goes: beside it, under its language's extension."""
    return source.with_suffix(program.extension)


def write_beside(source: Path, program: GeneratedProgram) -> Path:
    """Write a program and its map; the program's path.

    Raises StoreError, and UsageError where a program stands that was not made of a source.
    """
    path = place_of(source, program)
    beside = path.with_name(path.name + SUFFIX)
    if not _may_be_replaced(path, beside, program):
        raise UsageError(f"{path.name} is there and was written by hand: it stays as it is")
    write_to(path, program)
    return path


def write_to(path: Path, program: GeneratedProgram) -> None:
    """Write a program to a file, and its map beside it; raises StoreError."""
    write_file(path, program.source)
    beside = path.with_name(path.name + SUFFIX)
    write_file(beside, json.dumps(program.source_map.as_json()).encode() + b"\n")


def _may_be_replaced(path: Path, beside: Path, program: GeneratedProgram) -> bool:
    """Whether there is nothing, or what was generated before."""
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if found == program.source:
        return True
    from esoplay.codegen.source_map import MapError, read_map

    try:
        read_map(beside).check(found)
    except MapError:
        return False
    return True
