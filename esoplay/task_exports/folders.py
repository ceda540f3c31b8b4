"""Write the folder of an export completely or not at all; replace only folders with an export.

Also fills the templates of exports, and copies packs for graders.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from esoplay.errors import PackError, UsageError
from esoplay.grading.packs import COMPILED_PACK_FILE, TESTS_FILE, Pack, load_pack
from esoplay.grading.seeds import random_seed, read_seed_file
from esoplay.temporary_folders import TemporaryFolder

HEAD_FILE = "export.json"
SEED_FILE = "seed"
_OLD_EXPORT_NAME = "export"

PRIVATE_MODE = 0o600
SCRIPT_MODE = 0o755
PLAIN_MODE = 0o644


class File(NamedTuple):
    """The contents and permissions of a file to write."""

    data: bytes
    mode: int = PLAIN_MODE


def seed_file(seed: bytes) -> File:
    """Return a seed in the format of ``--seed-file``."""
    return File(f"{seed.hex()}\n".encode(), PRIVATE_MODE)


def json_file(value: object) -> File:
    return File(json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")


def seed_for(folder: Path, requested_seed: bytes | None, *, force: bool) -> bytes:
    """Return the given seed, else the seed of the export to replace, else a new one.

    force: whether an export in ``folder`` is replaced. Raises UsageError if its seed was removed.
    """
    if requested_seed is not None:
        return requested_seed
    if not (force and is_export(folder)):
        return random_seed()
    if not (folder / SEED_FILE).is_file():
        raise UsageError(
            f"{folder / SEED_FILE}, the seed of the export to replace, is missing\n"
            "try: --seed-file with a copy of it, or with another seed"
        )
    return read_seed_file(folder / SEED_FILE)


def is_export(folder: Path) -> bool:
    """Return whether the folder contains an export."""
    try:
        return "seed_commitment" in json.loads((folder / HEAD_FILE).read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise UsageError unless an export can be written to ``folder``."""
    try:
        here = folder.resolve()
        taken = folder.is_symlink() or (folder.exists() and not folder.is_dir())
        filled = not taken and folder.is_dir() and any(folder.iterdir())
        retired = [] if folder.exists() else _interrupted_exports(here)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {folder}: {error}") from None
    if here == Path.cwd() or here in Path.cwd().parents:  # these folders cannot be renamed
        raise UsageError(f"{folder} is or contains the current folder; choose another folder")
    if retired:
        raise UsageError(
            f"esoplay was killed while replacing {folder}: the old export is "
            f"{retired[0]}; move it back, or remove it"
        )
    if taken:
        raise UsageError(f"{folder} is not a folder")
    if not filled:
        return
    if not is_export(folder):
        raise UsageError(f"{folder} is not empty and not an export; choose another folder")
    if not force:
        raise UsageError(f"{folder} contains an export; replace it with --force")


def write_folder(folder: Path, files: Mapping[str, File]) -> None:
    """Replace ``folder`` with an export; if that fails, raise UsageError and change nothing."""
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
        scratch.chmod(SCRIPT_MODE)
        _replace_folder(scratch, folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot write {folder}: {reason}") from None
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)  # only remains if writing failed


def _replace_folder(scratch: Path, folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()  # only if the folder is empty
    if not folder.exists():
        scratch.rename(folder)
        return
    old = Path(mkdtemp(prefix=_old_export_prefix(folder), dir=folder.parent))
    try:
        folder.rename(old / _OLD_EXPORT_NAME)
        try:
            scratch.rename(folder)
        except BaseException:
            (old / _OLD_EXPORT_NAME).rename(folder)
            raise
    finally:
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)


def _interrupted_exports(folder: Path) -> list[Path]:
    """Return old exports that remain because esoplay was killed while replacing them."""
    return sorted(
        folder.parent.glob(f"{glob.escape(_old_export_prefix(folder))}*/{_OLD_EXPORT_NAME}")
    )


def _old_export_prefix(folder: Path) -> str:
    return f".{folder.name}.old."


# Copies of packs, without references and sources, for graders that may lack the packs.

_TESTS = ("judge.py", TESTS_FILE)
_TEXTS = ("problem.toml", "statement.md")


def copy_pack(folder: Path, pack: Pack, ids: Collection[str]) -> tuple[dict[str, bytes], Pack]:
    """Copy only the problems ``ids`` of a pack; return the copy's files by path, and the copy.

    The hidden tests are the same as in the whole pack; if the pack has fixed tests, the commitment
    differs. Raises PackError if the pack cannot be copied.
    """
    try:
        files = _files(folder, pack, ids)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PackError(f"{folder}: cannot be copied: {error}") from error
    with TemporaryFolder("pack-copy") as scratch:
        for name, data in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return files, load_pack(scratch)


def _files(folder: Path, pack: Pack, ids: Collection[str]) -> dict[str, bytes]:
    chosen = [problem for problem in pack if problem.id in ids]
    files: dict[str, bytes] = {}
    if (folder / COMPILED_PACK_FILE).is_file():
        raw: dict[str, Any] = json.loads((folder / COMPILED_PACK_FILE).read_bytes())
        entries: list[Mapping[str, Any]] = raw["problems"]
        raw["problems"] = [entry for entry in entries if entry["id"] in ids]
        files[COMPILED_PACK_FILE] = json.dumps(raw, ensure_ascii=False, indent=1).encode() + b"\n"
        names = _TESTS
    else:
        files["pack.toml"] = (folder / "pack.toml").read_bytes()
        names = (*_TEXTS, *_TESTS)
    for problem in chosen:
        for name in names:
            file = problem.folder / name
            if file.is_file():
                files[f"{problem.folder.name}/{name}"] = file.read_bytes()
    return files


# Templates: the data files in ``templates/``.

_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_PACKAGE = "esoplay.task_exports"
_TEMPLATE_SUFFIX = ".in"
_CONTROL = re.compile("[\x7f\x80-\x9f]")


def template_names(framework: str) -> Iterator[str]:
    """Return the template names of a framework, in a fixed order."""
    folder = files(_PACKAGE) / "templates" / framework
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        yield file.name.removesuffix(_TEMPLATE_SUFFIX)


def fill_template(template: str, **values: str) -> bytes:
    """Fill a template, such as ``harbor/task.toml``; placeholders in values are not replaced."""
    return _PLACEHOLDER.sub(lambda gap: values[gap[1]], _text(template)).encode()


def quote(text: str) -> str:
    """Return a string in double quotes, valid in TOML and Python."""
    plain = json.dumps(text, ensure_ascii=False)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


@lru_cache
def _text(template: str) -> str:
    return (files(_PACKAGE) / "templates" / f"{template}{_TEMPLATE_SUFFIX}").read_text("utf-8")
