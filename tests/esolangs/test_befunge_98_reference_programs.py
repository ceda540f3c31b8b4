"""A folder of programs with expected output, where ``ESOPLAY_BEFUNGE_PROGRAMS`` names it.

Each ``NAME.b98`` there prints the bytes of ``NAME.out``; its input is ``NAME.in``, or empty.  Each
runs as a user runs it, in an empty folder where it may use files.  The names of programs that need
a fingerprint begin with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NAMED = os.environ.get("ESOPLAY_BEFUNGE_PROGRAMS")
PROGRAMS = sorted(Path(NAMED).resolve().glob("*.b98")) if NAMED else []
OMITTED = frozenset({"IIPC", "PERL", "SOCK", "TERM"})
"""Fingerprints that are not there; docs/languages/befunge-98.md says why."""


@pytest.mark.skipif(not NAMED, reason="ESOPLAY_BEFUNGE_PROGRAMS names no folder")
def test_the_folder_of_reference_programs_is_not_empty() -> None:
    assert PROGRAMS


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", "plain"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_is_expected(path: Path, engine: str, tmp_path: Path) -> None:
    fingerprint = path.stem.partition("-")[0]
    if fingerprint in OMITTED:
        pytest.skip(f"the fingerprint {fingerprint} is omitted")
    given = path.with_suffix(".in")
    environment = {**os.environ, "ESOPLAY_EXT": "off"} if engine == "plain" else dict(os.environ)
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "esoplay", "run", str(path)),
            *("--lang", "befunge-98", "--allow-files", "."),
        ],
        input=given.read_bytes() if given.exists() else b"",
        capture_output=True,
        cwd=tmp_path,
        env=environment,
        timeout=60,
    )
    assert ended.stdout == path.with_suffix(".out").read_bytes()
    assert (ended.returncode, ended.stderr) == (0, b"")
