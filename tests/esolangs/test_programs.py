"""Programs with their input and expected output, found by glob.

``tests/programs/<language>/<name>.src`` with ``.out`` and perhaps ``.in``; a first line in
``<name>.set`` holds options, such as ``eof=-1 cell=16``, and ``<name>.end`` how the run
ends when it is not simply halted: ``fault tape_underflow 7`` or ``limit memory 9`` (step).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from esolangs.limits import Limits
from esolangs.registry import find_language

FOLDER = Path(__file__).resolve().parents[1] / "programs"
CASES = sorted(FOLDER.glob("*/*.src"))


def test_the_folder_has_at_least_thirty_programs() -> None:
    assert len(CASES) >= 30


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_a_program_prints_its_expected_output(case: Path) -> None:
    def beside(suffix: str) -> bytes:
        path = case.with_suffix(suffix)
        return path.read_bytes() if path.exists() else b""

    language = find_language(case.parent.name)
    settings = dict(pair.split("=") for pair in beside(".set").decode().split())
    limits = Limits(steps=10**7, memory=4_000_000)
    program = language.parse(case.read_bytes(), language.configure("standard", settings))
    machine = program.start(beside(".in"), limits=limits)
    machine.run(10**8)
    if machine.fault is not None:
        end = f"fault {machine.fault.kind} {machine.steps}"
    elif machine.limit is not None:
        end = f"limit {machine.limit} {machine.steps}"
    else:
        end = machine.status
    assert machine.take_output() == beside(".out")
    assert end == (beside(".end").decode().strip() or "halted")
