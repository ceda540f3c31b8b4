"""Any sequence of commands keeps the rules."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from session_fakes import (
    EXPECTED,
    FAILING,
    HIDDEN,
    SOLVING,
    fake_grade,
    open_sessions,
)

from esoplay.errors import (
    EsoplayError,
    WorkerDied,
)
from esoplay.sessions.vault import Vault

PROGRAMS = st.sampled_from((SOLVING, FAILING, b"0", b"9 makes the grader fail"))
A_PROBLEM = st.sampled_from(("E01", "E02", "E03", "X99"))


class AnySequence(RuleBasedStateMachine):
    """Whatever a solver calls, the answers keep the secrets and a refusal changes nothing."""

    protocol = "primary"

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._sessions = open_sessions(Path(self._folder.name), self._grade)
        self._session = self._sessions.init("brainfuck", self.protocol).session
        self._seed = b""
        if self.protocol == "primary":
            self._seed = Vault(Path(self._folder.name) / "vault").seed(self._session)
        self._graded: dict[str, int] = {}
        self._shown: list[str] = []

    def teardown(self) -> None:
        self._sessions.close()
        self._folder.cleanup()

    @staticmethod
    def _grade(*args: Any, **named: Any) -> Any:
        if args[2].startswith(b"9"):
            raise WorkerDied("gone")
        return fake_grade(*args, **named)

    def _call(self, method: Any, *args: Any, **named: Any) -> dict[str, Any]:
        before = self._sessions.status(self._session).as_json()
        try:
            answer = method(self._session, *args, **named).as_json()
        except EsoplayError as error:
            after = self._sessions.status(self._session).as_json()
            if isinstance(error, WorkerDied):
                del before["head"], after["head"]
            assert before == after
            answer = {"refused": str(error)}
        self._check_secrets(answer)
        return answer

    def _check_secrets(self, answer: dict[str, Any]) -> None:
        text = json.dumps(answer)
        if self.protocol == "primary":
            assert self._seed.hex() not in text
            assert HIDDEN.decode() not in text
            assert EXPECTED.decode() not in text
            assert "a class" not in text

    @rule(problem=st.none() | A_PROBLEM)
    def fetch(self, problem: str | None) -> None:
        final = self._final()
        answer = self._call(self._sessions.fetch, problem)
        if "refused" not in answer:
            assert self.protocol == "practice" or answer["problem"] not in final

    @rule(problem=A_PROBLEM, program=PROGRAMS, request_id=st.none() | st.sampled_from("ab"))
    def submit(self, problem: str, program: bytes, request_id: str | None) -> None:
        numbered = self._sessions.status(self._session).state.numbered
        answer = self._call(self._sessions.submit, problem, program, request_id=request_id)
        if "refused" in answer or self._sessions.status(self._session).state.numbered == numbered:
            return
        self._graded[problem] = self._graded.get(problem, 0) + 1
        if self.protocol == "primary":
            assert self._graded[problem] <= 3
            assert answer.keys() == {
                *("passed", "total", "solved", "submissions_left", "status", "head")
            }

    @rule()
    def skip(self) -> None:
        answer = self._call(self._sessions.skip)
        assert self.protocol == "practice" or "refused" in answer

    @rule()
    def export(self) -> None:
        export = self._call(self._sessions.export)
        assert export["head"] == self._sessions.status(self._session).head
        if not export["closed"]:
            assert self.protocol == "practice" or export["reports"] == {}

    @rule()
    def reopen(self) -> None:
        before = self._sessions.status(self._session)
        self._sessions.close()
        self._sessions = open_sessions(Path(self._folder.name), self._grade)
        assert self._sessions.status(self._session) == before

    @invariant()
    def nothing_is_left_half_done(self) -> None:
        status = self._sessions.status(self._session)
        assert status.state.grading is None
        assert sum(status.counts.values()) == 3

    def _final(self) -> set[str]:
        progress = self._sessions.status(self._session).state.progress
        return {name for name, one in progress.items() if one.status in ("solved", "failed")}


class AnyPractice(AnySequence):
    protocol = "practice"


AnySequence.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
AnyPractice.TestCase.settings = settings(max_examples=8, stateful_step_count=25, deadline=None)
TestAnySequence = AnySequence.TestCase
TestAnyPractice = AnyPractice.TestCase
