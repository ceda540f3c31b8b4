"""Folders of an export: written whole or not at all, and never over anything else."""

from __future__ import annotations

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
    """The seed that is given, else that of the export which is replaced, else a fresh one."""
    if given is not None:
        return given
    if force and is_export(folder) and (folder / SEED).is_file():
        return read_seed_file(folder / SEED)
    return random_seed()


def is_export(folder: Path) -> bool:
    """Whether an export was written there."""
    try:
        return "seed_commitment" in json.loads((folder / HEAD).read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def check_folder(folder: Path, *, force: bool) -> None:
    """UsageError unless an export can be written there."""
    try:
        taken = folder.is_symlink() or (folder.exists() and not folder.is_dir())
        filled = not taken and folder.is_dir() and any(folder.iterdir())
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {folder}: {error}") from None
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
    scratch = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
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
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot write {folder}: {reason}") from None


def _swap(scratch: Path, folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()  # an empty one
    if not folder.exists():
        scratch.rename(folder)
        return
    old = Path(mkdtemp(prefix=f".{folder.name}.old.", dir=folder.parent))
    folder.rename(old / "export")
    try:
        scratch.rename(folder)
    except OSError:
        (old / "export").rename(folder)
        old.rmdir()
        raise
    shutil.rmtree(old, ignore_errors=True)
