"""The result of a session, by its store alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from esoplay.agents import verdicts
from esoplay.agents.records import STORE, AttemptOutcome, End
from esoplay.agents.usage import UsageFile
from esoplay.agents.verdicts import finalize_attempt
from esoplay.benchmark.sessions import Sessions
from esoplay.errors import UsageError

BEGAN = 1_700_000_000_000


def begin(attempt: Path, pack: Path, protocol: str = "primary") -> str:
    attempt.mkdir(exist_ok=True)
    with Sessions.open(attempt / STORE) as sessions:
        return sessions.init("brainfuck", protocol, pack=str(pack)).session


def judged(attempt: Path, session: str, pack: Path, end: End, why: str = "") -> AttemptOutcome:
    usage = UsageFile(attempt, session, BEGAN)
    return finalize_attempt(attempt, session, end, why, pack=str(pack), usage=usage)


def test_a_session_is_not_complete_if_the_run_is_killed_while_judging(
    tmp_path: Path, pack: Path
) -> None:
    session = begin(tmp_path, pack)
    assert judged(tmp_path, session, pack, "timed out").end == "timed out"
    # It was closed by now; had the run been killed before it noted that, the next one settles it.
    again = judged(tmp_path, session, pack, "interrupted", "the run was killed")
    assert (again.end, again.why, again.verified) == ("interrupted", "the run was killed", True)


@pytest.mark.parametrize("protocol", ["primary", "relaxed"])
def test_a_solved_session_is_complete_however_its_agent_ended(
    protocol: str, tmp_path: Path, pack: Path, answers: Path
) -> None:
    session = begin(tmp_path, pack, protocol)
    with Sessions.open(tmp_path / STORE) as sessions:
        for problem in ("E02", "E08"):
            sessions.fetch(session)
            program = (answers / "brainfuck" / f"{problem}.bf").read_bytes()
            assert sessions.submit(session, problem, program).solved
    result = judged(tmp_path, session, pack, "timed out")
    assert (result.end, result.solved, result.is_valid) == ("complete", 2, True)


def test_unverified_sessions_are_marked_and_not_played_again(
    tmp_path: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_arguments: object, **_options: object) -> None:
        raise UsageError("an export has at most 512 MiB")

    session = begin(tmp_path, pack)
    monkeypatch.setattr(verdicts, "verify_export", too_large)
    result = judged(tmp_path, session, pack, "gave up")
    assert (result.end, result.verified) == ("gave up", False)
    assert "the export could not be verified: an export has at most 512 MiB" in result.notes
