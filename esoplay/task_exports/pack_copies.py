"""What a grader needs of a pack that it cannot be expected to have: no references, no sources."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from esoplay.errors import PackError
from esoplay.grading.packs import COMPILED, FIXED, Pack, load_pack
from esoplay.temporary import TemporaryFolder

_TESTS = ("judge.py", FIXED)
_TEXTS = ("problem.toml", "statement.md")


def copy_of(folder: Path, pack: Pack, ids: Collection[str]) -> tuple[dict[str, bytes], Pack]:
    """The files of a pack that has only the problems ``ids``, by path, and that pack.

    Its hidden tests are those of the whole pack; its commitment is another one where tests are
    fixed.  Raises PackError.
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
    if (folder / COMPILED).is_file():
        raw: dict[str, Any] = json.loads((folder / COMPILED).read_bytes())
        entries: list[Mapping[str, Any]] = raw["problems"]
        raw["problems"] = [entry for entry in entries if entry["id"] in ids]
        files[COMPILED] = json.dumps(raw, ensure_ascii=False, indent=1).encode() + b"\n"
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
