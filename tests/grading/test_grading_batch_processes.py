"""The processes that grade a batch may vanish or hang: no submission is lost by that."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from grading_batches import SECRET, TERMS, batch, read, spell
from grading_packs import write_problem

from esoplay.batch import grader_pool
from esoplay.batch.grader_pool import GraderPool
from esoplay.batch.protocol import BatchTerms
from esoplay.batch.submissions import SubmissionLines


def test_killed_processes_lose_no_result(whole: tuple[bytes, bytes], tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(whole[0])
    found: list[bytes] = []
    with (tmp_path / "s").open("rb") as file, GraderPool(TERMS, 2) as graders:
        for result in graders.grade(SubmissionLines(file.fileno())):
            found.append(result.line)
            if len(found) in (1, 20):
                for pid in graders.pids:
                    os.kill(pid, signal.SIGKILL)
    assert b"".join(found) == whole[1]


def test_a_submission_that_ends_its_process_is_voided(tiny: Path, tmp_path: Path) -> None:
    write_problem(tiny, "T2")
    (tiny / "T2-copy" / "judge.py").write_text("import os\nos._exit(9)\n")
    lines = [spell(f"T{kind}", "brainfuck", b",[.,]") for kind in (1, 2, 1, 2, 1)]
    path, summary = batch(tmp_path, lines, BatchTerms(SECRET, "standard", "exact", str(tiny), "/"))
    assert [result["status"] for result in read(path)] == [
        "graded",
        "voided",
        "graded",
        "voided",
        "graded",
    ]
    assert read(path)[1]["error"]["message"] == "its grading process ended unexpectedly 2 times"
    assert (summary.solved, summary.voided, summary.exit_code) == (3, 2, 1)


@pytest.mark.slow
def test_a_slow_submission_is_killed_and_graded_alone(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first process to ask for these tests never gets them; any later one does.
    monkeypatch.setattr(grader_pool, "TIME_LIMIT", 0.1)
    marker = tmp_path / "asked"
    judge = tiny / "T1-copy" / "judge.py"
    judge.write_text(
        "import os, time\n"
        f"if not os.path.exists({str(marker)!r}):\n"
        f"    open({str(marker)!r}, 'w').close()\n"
        "    time.sleep(1000)\n" + judge.read_text()
    )
    terms = BatchTerms(SECRET, "standard", "exact", str(tiny), "/")
    path, summary = batch(tmp_path, [spell("T1", "brainfuck", b",[.,]")], terms, jobs=1)
    assert marker.exists()
    assert summary.solved == 1
    assert read(path)[0]["passed"] == 6


def test_no_more_is_read_ahead_than_is_needed(tmp_path: Path) -> None:
    line = spell("E02", "brainfuck", b"") + b"\n"
    (tmp_path / "s").write_bytes(line * 20_000)
    with (tmp_path / "s").open("rb") as file, GraderPool(TERMS, 2) as graders:
        lines = SubmissionLines(file.fileno())
        next(graders.grade(lines))
        assert lines.taken_bytes <= 4200 * len(line)
