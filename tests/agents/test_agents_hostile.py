"""Agents that leave traps, damage notes and kill their supervisors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from agents_helpers import agents, is_there, sessions_of, write_grid

from esoplay.agents.notes import (
    create_attempt_folder,
    last_attempt,
    read_standing,
    restrict_attempts,
    write_result,
    write_start,
)
from esoplay.agents.processes import SupervisedCommand
from esoplay.agents.records import AttemptOutcome, AttemptStart, GridCell

Capture = pytest.CaptureFixture[str]
linux = pytest.mark.skipif(sys.platform != "linux", reason="orphans are inherited on Linux alone")
CELL = GridCell("heron", "brainfuck", "primary", 1)


@pytest.mark.slow
@linux
@pytest.mark.usefixtures("visible_processes")
def test_special_files_do_not_block_and_an_agent_that_kills_its_supervisor_is_ended(
    pack: Path, answers: Path, tmp_path: Path, capsys: Capture
) -> None:
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    write_grid(file, pack, answers, {"rat": "wreck", "cuckoo": "murder"})
    status, out, _ = agents(capsys, "run", file, "-o", run, "--jobs", "2", "--json")
    assert status == 1
    found = sessions_of(out)
    result = found["cuckoo"]["result"]
    assert (result["end"], result["why"]) == ("died", "its supervisor was killed")
    pids = (Path(found["cuckoo"]["attempt"]) / "workspace" / "pids").read_text("ascii").split()
    assert len(pids) == 2
    assert not any(is_there(int(pid)) for pid in pids)
    # The session was judged all the same; its note on the start is the agent's work.
    noted = json.loads((Path(found["rat"]["attempt"]) / "result.json").read_bytes())
    assert noted["verified"]
    assert "files of the session were changed: AGENTS.md, session.py" in noted["notes"]
    assert "token reports: cannot be read: not a regular file" in noted["notes"]
    assert found["rat"]["status"] == "damaged"

    # It does not affect others, is not played again by default, and is reported.
    assert (
        "0 of 2 sessions would be played" in agents(capsys, "run", file, "-o", run, "--dry-run")[2]
    )
    words = agents(capsys, "run", file, "-o", run, "--dry-run", "--retry", "damaged")[2]
    assert "1 of 2 sessions would be played" in words
    status, out, _ = agents(capsys, "status", run)
    assert status == 1
    assert "damaged" in out
    assert "begun.json: Expecting property name" in out
    status, out, _ = agents(capsys, "report", run, "--keep-going", "--json")
    assert status == 1
    assert "begun.json" in json.loads(out)["refused"][0]["reason"]


@linux
def test_a_supervisor_that_is_killed_before_its_first_report_leaves_no_process(
    tmp_path: Path,
) -> None:
    code = (
        "import os, signal, subprocess, sys, time\n"
        "left = subprocess.Popen(['sleep', '900'], start_new_session=True)\n"
        "open('pids', 'w').write(f'{os.getpid()} {left.pid}')\n"
        "os.kill(os.getppid(), signal.SIGKILL); time.sleep(900)"
    )
    with (tmp_path / "lock").open("w") as lock:
        command = SupervisedCommand(
            [sys.executable, "-S", "-c", code],
            cwd=tmp_path,
            environment={"PATH": "/usr/bin:/bin"},
            stdout=tmp_path / "out",
            stderr=tmp_path / "err",
            max_bytes=100,
            lock_fd=lock.fileno(),
            grace_seconds=1,
        )
        assert command.ended.wait(300)
        end = command.stop()
    assert command.failure is None
    assert end["keeper_killed"]
    assert not any(is_there(int(pid)) for pid in (tmp_path / "pids").read_text("ascii").split())


DAMAGE = [
    "{",
    "[]",
    "[" * 100_000,
    '{"session": "a"}',
    '{"session": "a", "end": "won"}',
    '{"session": "a", "end": "complete", "solved": "3"}',
    '{"session": "a", "end": "complete", "seconds": NaN}',
    f'{{"session": "a", "end": "complete", "seconds": {10**400}}}',
    '{"session": "a", "end": "complete", "notes": [1]}',
    '{"session": "a", "end": "complete", "more": 1}',
]


@pytest.mark.parametrize("text", DAMAGE, ids=lambda text: text[-20:])
def test_a_damaged_note_is_reported_with_its_file(text: str, tmp_path: Path) -> None:
    attempt = create_attempt_folder(tmp_path / CELL.folder)
    write_start(attempt, AttemptStart("a", "b", 1, "/nowhere"))
    (attempt / "result.json").write_text(text, "utf-8")
    standing = read_standing(tmp_path, CELL)
    assert standing.description == "damaged"
    assert standing.damage is not None
    assert standing.damage.startswith(f"cannot read {attempt / 'result.json'}: ")


def test_notes_are_read_as_they_were_written(tmp_path: Path) -> None:
    attempt = create_attempt_folder(tmp_path / CELL.folder)
    assert read_standing(tmp_path, CELL).description == "not begun"
    write_start(attempt, AttemptStart("a", "b", 1, "/nowhere"))
    assert read_standing(tmp_path, CELL).description == "begun"
    result = AttemptOutcome(
        "a", "died", "by a signal", 1, 2, 3, 4.5, True, True, ("x",), ("y", "z"), 1
    )
    write_result(attempt, result)
    assert read_standing(tmp_path, CELL).result == result
    assert last_attempt(tmp_path / CELL.folder) == attempt


def test_notes_of_versions_without_isolation_are_read(tmp_path: Path) -> None:
    attempt = create_attempt_folder(tmp_path / CELL.folder)
    write_start(attempt, AttemptStart("a", "b", 1, "/nowhere"))
    write_result(attempt, AttemptOutcome("a", "complete"))
    for name in ("begun.json", "result.json"):
        table = json.loads((attempt / name).read_bytes())
        del table["isolated"]
        (attempt / name).write_text(json.dumps(table), "utf-8")
    standing = read_standing(tmp_path, CELL)
    assert standing.description == "complete"
    assert standing.result is not None
    assert standing.result.isolated is None


def test_folders_of_attempts_become_private_after_a_killed_run(tmp_path: Path) -> None:
    attempt = create_attempt_folder(tmp_path / CELL.folder)
    attempt.chmod(0o711)  # as that of an agent which is another user
    restrict_attempts(tmp_path)
    assert attempt.stat().st_mode & 0o777 == 0o700
