"""Folders of an export: written whole or not at all, and never over anything else."""

from __future__ import annotations

import glob
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from esoplay.errors import UsageError
from esoplay.grading.seeds import random_seed, read_seed_file

HEAD = "export.json"
SEED = "seed"
_RETIRED = "export"

PRIVATE = 0o600
SCRIPT = 0o755
PLAIN = 0o644


class File(NamedTuple):
    """What is written, and with which permissions."""

    data: bytes
    mode: int = PLAIN


def seed_file(seed: bytes) -> File:
    """A seed as ``--seed-file`` reads it."""
    return File(f"{seed.hex()}\n".encode(), PRIVATE)


def json_file(value: object) -> File:
    return File(json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")


def seed_for(folder: Path, given: bytes | None, *, force: bool) -> bytes:
    """The seed that is given, else that of the export which is replaced, else a fresh one.

    Raises UsageError where an export's own seed was taken away.
    """
    if given is not None:
        return given
    if not (force and is_export(folder)):
        return random_seed()
    if not (folder / SEED).is_file():
        raise UsageError(f"{folder / SEED} was taken away; name that file or another: --seed-file")
    return read_seed_file(folder / SEED)


def is_export(folder: Path) -> bool:
    """Whether an export was written there."""
    try:
        return "seed_commitment" in json.loads((folder / HEAD).read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def check_folder(folder: Path, *, force: bool) -> None:
    """UsageError unless an export can be written there."""
    try:
        here = folder.resolve()
        taken = folder.is_symlink() or (folder.exists() and not folder.is_dir())
        filled = not taken and folder.is_dir() and any(folder.iterdir())
        retired = [] if folder.exists() else _retired(here)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {folder}: {error}") from None
    if here == Path.cwd() or here in Path.cwd().parents:  # whose name cannot be given to another
        raise UsageError(f"{folder} is the current folder or above it; choose another folder")
    if retired:
        raise UsageError(
            f"esoplay was ended while it replaced {folder}: the export that was there is "
            f"{retired[0]}; move it back, or away"
        )
    if taken:
        raise UsageError(f"{folder} is not a folder")
    if not filled:
        return
    if not is_export(folder):
        raise UsageError(f"{folder} is not empty, and no export of tasks; choose another folder")
    if not force:
        raise UsageError(f"{folder} holds an export; --force puts this one in its place")


def write_folder(folder: Path, files: Mapping[str, File]) -> None:
    """Put an export in the place of ``folder``; raises UsageError, and then nothing changed."""
    folder = folder.absolute()
    scratch = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(mkdtemp(prefix=f".{folder.name}.new.", dir=folder.parent))
        for name, file in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode)
            with open(fd, "wb") as out:
                os.fchmod(fd, file.mode)
                out.write(file.data)
        scratch.chmod(SCRIPT)
        _swap(scratch, folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot write {folder}: {reason}") from None
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)  # where it has not become the export


def _swap(scratch: Path, folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()  # an empty one
    if not folder.exists():
        scratch.rename(folder)
        return
    old = Path(mkdtemp(prefix=_retired_prefix(folder), dir=folder.parent))
    try:
        folder.rename(old / _RETIRED)
        try:
            scratch.rename(folder)
        except BaseException:
            (old / _RETIRED).rename(folder)
            raise
    finally:
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)


def _retired(folder: Path) -> list[Path]:
    """Exports that were about to be replaced when esoplay was killed."""
    return sorted(folder.parent.glob(f"{glob.escape(_retired_prefix(folder))}*/{_RETIRED}"))


def _retired_prefix(folder: Path) -> str:
    return f".{folder.name}.old."
