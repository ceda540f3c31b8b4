"""What a toolchain makes once on a machine, as compiling the same for each program takes long."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from esoplay.paths import cache_folder
from esoplay.running.host.box import Box
from esoplay.running.host.lane import Lane
from esoplay.running.host.toolchain import Toolchain


def bring_prepared(lane: Lane, toolchain: Toolchain, box: Box, prepare: Callable[[], bool]) -> None:
    """Copy what was prepared into ``box``; what ``prepare`` leaves there is kept the first time.

    ``prepare`` says whether it came to a good end.  Where the disk takes nothing, or it did not,
    compiling does without.
    """
    if not lane.preparing:
        return
    told = repr((lane.preparing, sorted(lane.compile_environment.items()), toolchain))
    name = f"{lane.id}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    with suppress(OSError):
        kept = cache_folder() / "lanes" / name
        if kept.is_dir():
            shutil.copytree(kept, box.prepared, dirs_exist_ok=True)
            for path in (box.prepared, *box.prepared.rglob("*")):
                box.give_away(path)
        elif prepare():
            _keep(box.prepared, kept)


def _keep(folder: Path, kept: Path) -> None:
    """All or nothing; another process may have done the same meanwhile."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f"{kept.name}-", dir=kept.parent))
    try:
        shutil.copytree(folder, new, dirs_exist_ok=True)
        new.rename(kept)
    finally:
        shutil.rmtree(new, ignore_errors=True)
