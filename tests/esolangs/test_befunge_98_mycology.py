"""Mycology, the Befunge community's test program, where ``ESOPLAY_MYCOLOGY`` names its file.

It is read from there with its companions (``mycorand.bf`` is loaded by ``i``) and is not part
of this repository.  Each line it prints judges one point: GOOD, BAD, or UNDEF where the
specification leaves the choice.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from engines import engine_names, program

from esolangs.limits import Limits, World

NAMED = os.environ.get("ESOPLAY_MYCOLOGY")
FINGERPRINTS = b"Testing fingerprint"
CORE_LINES = 84
"""GOOD lines before the fingerprints in the revision of August 2008; that of May 2009 has 91."""


@pytest.mark.skipif(not NAMED, reason="ESOPLAY_MYCOLOGY names no mycology.b98")
@pytest.mark.timeout(600)  # the plain engine is slow
@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_mycology_finds_nothing_bad(engine: str, tmp_path: Path) -> None:
    source = Path(str(NAMED))
    companion = source.with_name("mycorand.bf")
    if companion.exists():
        shutil.copy(companion, tmp_path)
    machine = program("befunge-98", source.read_bytes(), engine).start(
        limits=Limits(steps=10**8, output=10**7),
        world=World(started=1_000_000_000, folder=str(tmp_path)),
    )
    machine.run(10**8)
    report = machine.take_output()
    lines = report.splitlines()
    assert lines[0] == b"0 1 2 3 4 5 6 7 "
    assert [line for line in lines if line.lstrip().startswith(b"BAD")] == []
    core = report.partition(FINGERPRINTS)[0].splitlines()
    assert sum(line.startswith(b"GOOD") for line in core) >= CORE_LINES
    assert (machine.status, machine.exit_code) == ("halted", 15)
