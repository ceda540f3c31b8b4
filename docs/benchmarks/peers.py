"""Other interpreters that the engine is compared with, if they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from measure import FOLDER, WrongAnswerError


class NaiveLoop:
    """``naive.c``, compiled for this run."""

    def __init__(self, folder: Path):
        """Compile into ``folder``; OSError or CalledProcessError when that cannot be done."""
        self._path = folder / "naive"
        compiler = os.environ.get("CC", "cc")
        command = [compiler, "-O2", str(FOLDER / "naive.c"), "-o", str(self._path)]
        subprocess.run(command, check=True, capture_output=True)

    def run(self, program: Path, output: bytes | None, most_steps: int = 0) -> tuple[int, float]:
        """Steps and CPU seconds of the loop alone; ``output`` is what must come out."""
        limit = [str(most_steps)] if most_steps else []
        done = subprocess.run([self._path, program, *limit], check=True, capture_output=True)
        if output is not None and done.stdout != output:
            raise WrongAnswerError(f"the naive loop prints something else for {program.name}")
        steps, seconds = done.stderr.split()
        return int(steps), float(seconds)


def find_beef() -> str | None:
    """Debian's ``beef``, where it is installed."""
    return shutil.which("beef")


def run_beef(beef: str, program: Path, output: bytes) -> float:
    """CPU seconds of the whole process."""
    before = _children_seconds()
    done = subprocess.run([beef, program], check=True, capture_output=True)
    if done.stdout != output:
        raise WrongAnswerError(f"beef prints something else for {program.name}")
    return _children_seconds() - before


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system
