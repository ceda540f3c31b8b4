"""Killed processes and processes that work at the same time, on one store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kills import play
from session_fakes import FAILING, SOLVING, open_sessions

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import RejectedCommand
from esoplay.sessions.events import decode
from esoplay.sessions.journal import INTERRUPTED, Journal
from esoplay.sessions.state import fold
from esoplay.sessions.store import EventStore

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Child:
    """``session_child.py`` in a process of its own, waiting for ``go``."""

    def __init__(
        self, folder: Path, session: str, count: int, prefix: str, program: bytes, *extra: str
    ):
        paths = os.pathsep.join(map(str, (ROOT, ROOT / "interpreters", HERE)))
        command = [sys.executable, str(HERE / "session_child.py"), str(folder), session]
        self._process = subprocess.Popen(
            [*command, str(count), prefix, program.decode(), *extra],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self.answer() == {"ready": True}

    def go(self) -> None:
        assert self._process.stdin
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def finish(self) -> list[dict[str, Any]]:
        """All answers that are still to come; the process must end well."""
        out = self._rest()
        assert self._process.returncode == 0
        return [json.loads(line) for line in out.splitlines()]

    def _rest(self) -> bytes:
        """What is still to come; through the same buffer as the lines before it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        out = self._process.stdout.read()
        self._process.wait()
        return out

    def kill(self) -> list[dict[str, Any]]:
        """SIGKILL, then the whole lines that got out before it."""
        self._process.kill()
        out = self._rest()
        return [json.loads(line) for line in out.splitlines(True) if line.endswith(b"\n")]


def begin(sessions: Sessions, protocol: str) -> str:
    session = sessions.init("brainfuck", protocol).session
    sessions.fetch(session)
    return session


def check_log(folder: Path, session: str) -> set[str]:
    """The log holds together and gives the state; its heads."""
    with open_sessions(folder) as sessions, EventStore(folder / "store.sqlite") as store:
        state = sessions.status(session).state
        records = store.read(session)
        assert fold(decode(record.kind, record.body) for record in records) == state
        return {record.head for record in records}


@pytest.mark.slow
def test_a_kill_loses_and_duplicates_no_answer(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "practice")
    answers: list[dict[str, Any]] = []
    for round_number in range(4):
        child = Child(tmp_path, session, 100_000, f"{round_number}-", FAILING)
        child.go()
        answers += [child.answer() for _ in range(5 + 7 * round_number)]
        answers += child.kill()
    heads = check_log(tmp_path, session)
    assert {answer["head"] for answer in answers} <= heads
    with open_sessions(tmp_path) as sessions:
        before = sessions.status(session).head
        for answer in answers:
            request_id = answer.pop("request_id")
            again = sessions.submit(session, "E01", FAILING, request_id=request_id)
            assert again.as_json() == answer
        assert sessions.status(session).head == before
        submissions = sessions.status(session).state.progress["E01"].submissions
        assert len(answers) <= submissions <= len(answers) + 4


def test_a_submission_whose_process_is_killed_does_not_count(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "primary")
    child = Child(tmp_path, session, 1, "r", SOLVING, "hang")
    child.go()
    assert child.answer() == {"grading": True}
    with open_sessions(tmp_path) as sessions:
        status = sessions.status(session)
        assert status.as_json()["grading"]
        assert status.state.submissions_left("E01") == 2
        with pytest.raises(RejectedCommand, match="being graded"):
            sessions.close_session(session)
        child.kill()
        status = sessions.status(session)
        assert status.state.submissions_left("E01") == 3
        answer = sessions.submit(session, "E01", SOLVING, request_id="r0")
        assert (answer.solved, answer.submissions_left) == (True, 2)
        events = sessions.export(session).as_json()["events"]
    voided = [event["body"] for event in events if event["kind"] == "submission_voided"]
    assert voided == [{"number": 1, "problem": "E01", "reason": INTERRUPTED}]
    check_log(tmp_path, session)


def test_a_submission_that_waits_for_a_killed_one_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "primary")
        child = Child(tmp_path, session, 1, "r", SOLVING, "hang")
        child.go()
        assert child.answer() == {"grading": True}
        turn = Journal.hold_turn

        def turn_after_the_kill(journal: Journal, session: str, *, wait: float) -> Any:
            if wait:
                child.kill()
            return turn(journal, session, wait=wait)

        monkeypatch.setattr(Journal, "hold_turn", turn_after_the_kill)
        assert sessions.submit(session, "E01", SOLVING).submissions_left == 2


def test_two_processes_may_move_in_one_session(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "practice")
    children = [Child(tmp_path, session, 200, prefix, b"", "fetch") for prefix in "ab"]
    for child in children:
        child.go()
    heads = {answer["head"] for child in children for answer in child.finish()}
    assert len(heads) == 400
    assert heads <= check_log(tmp_path, session)


def test_two_processes_at_once_neither_lose_nor_duplicate_a_submission(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "practice")
    children = [Child(tmp_path, session, 30, prefix, FAILING) for prefix in "ab"]
    for child in children:
        child.go()
    answers = [answer for child in children for answer in child.finish()]
    assert len({answer["head"] for answer in answers}) == 60
    assert {answer["head"] for answer in answers} <= check_log(tmp_path, session)
    with open_sessions(tmp_path) as sessions:
        state = sessions.status(session).state
        assert (state.progress["E01"].submissions, state.submission_count) == (60, 60)


def test_two_processes_with_one_request_submit_once(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, "primary")
    children = [Child(tmp_path, session, 3, "same", FAILING) for _ in range(2)]
    for child in children:
        child.go()
    first, second = (child.finish() for child in children)
    assert first == second
    assert [answer["submissions_left"] for answer in first] == [2, 1, 0]
    check_log(tmp_path, session)


@pytest.mark.slow
def test_a_session_continues_after_repeated_kills_of_its_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At random moments; ESOPLAY_KILLS in the environment is how often."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    played = play(tmp_path, int(os.environ.get("ESOPLAY_KILLS", "3")), seed=1)
    assert played.interrupted >= played.kills >= 3
    assert (played.lost, played.doubled) == ([], [])
    assert played.verification.findings == ()
    assert played.verification.submissions + played.verification.runs == played.moves


@pytest.mark.slow
def test_many_processes_may_create_one_store(tmp_path: Path) -> None:
    script = (
        "import sys; from session_fakes import open_sessions; from pathlib import Path;"
        "sys.stdin.readline();"
        "print(open_sessions(Path(sys.argv[1])).init('brainfuck', 'practice').session)"
    )
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "interpreters", HERE)))
    children = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        for _ in range(4)
    ]
    begun = {child.communicate(b"\n")[0].decode().strip() for child in children}
    with EventStore(tmp_path / "store.sqlite") as store:
        assert set(store.sessions()) == begun
        assert len(begun) == 4
