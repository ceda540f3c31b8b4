"""Run ``esoplay`` as a user does: a process, bytes in, bytes out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "interpreters")])


def esoplay(
    *args: str | Path, stdin: bytes = b"", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """The finished process; it is killed after a minute, which no test here should need."""
    return subprocess.run(
        [sys.executable, "-m", "esoplay", *map(str, args)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": PATHS, **env},
        timeout=300,
        check=False,
    )


def heed_interrupts() -> None:
    """For a child's start: a test run in the background has Ctrl-C ignored, and so its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
