"""Any sequence of commands keeps the rules, whatever the protocol."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from protocol_rows import ANY_PROTOCOL, FINAL, changes_to, checks_workspace
from session_fakes import (
    EXPECTED,
    FAILING,
    HIDDEN,
    SOLVING,
    fake_grade,
    open_sessions,
)

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import (
    EsoplayError,
    WorkerDied,
)
from esoplay.running.run import Outcome
from esoplay.sessions.protocols import PROTOCOLS, Protocol, resolve_protocol
from esoplay.sessions.vault import Vault

PROGRAMS = st.sampled_from((SOLVING, FAILING, b"0", b"9 makes the grader fail"))
A_PROBLEM = st.sampled_from(("E01", "E02", "E03", "X99"))


class NoWorkers:
    """Runs that need no process."""

    @contextmanager
    def borrow(self, session: object) -> Any:
        def run(language: str, source: bytes, *, dialect: str, **_: Any) -> Outcome:
            return Outcome(language, dialect, {}, "ok", b"printed", steps=len(source))

        yield SimpleNamespace(run=run)

    def close(self) -> None:
        pass


class AnySequence(RuleBasedStateMachine):
    """Whatever a solver calls, the answers keep the secrets and a refusal changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._sessions = self._open()

    @initialize(row=ANY_PROTOCOL)
    def begin(self, row: Protocol) -> None:
        changes = changes_to(row)
        if row.compare == "exact":  # as the pack compares: not a change
            del changes["compare"]
        self._row = resolve_protocol("primary", changes)
        workspace = Path(self._folder.name) / "desk"
        self._desk = workspace
        started = self._sessions.init(
            "brainfuck", changes=changes_to(row), workspace=workspace, solver="any"
        )
        self._session = started.session
        assert started.protocol == replace(self._row, compare=self._row.comparison)
        self._seed = None
        if not self._row.public_seed:
            self._seed = Vault(Path(self._folder.name) / "vault").seed(self._session)
        self._graded: dict[str, int] = {}
        self._ran: dict[str | None, int] = {}

    def _open(self) -> Sessions:
        return open_sessions(Path(self._folder.name), self._grade, workers=NoWorkers())

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
        if self._seed is not None:
            assert self._seed.hex() not in text
        if self._row.feedback != "explained":
            assert HIDDEN.decode() not in text
            assert EXPECTED.decode() not in text
            assert "a class" not in text

    @rule(problem=st.none() | A_PROBLEM)
    def fetch(self, problem: str | None) -> None:
        final = self._final()
        answer = self._call(self._sessions.fetch, problem)
        if "refused" not in answer:
            assert answer["problem"] not in final
            assert ("examples" in answer) == self._row.examples

    @rule(program=PROGRAMS)
    def submit_what_is_shown(self, program: bytes) -> None:
        answer = self._call(self._sessions.fetch)
        if "refused" not in answer:
            self._submit(answer["problem"], program, None)

    @rule(problem=A_PROBLEM, program=PROGRAMS, request_id=st.none() | st.sampled_from("ab"))
    def submit(self, problem: str, program: bytes, request_id: str | None) -> None:
        self._submit(problem, program, request_id)

    def _submit(self, problem: str, program: bytes, request_id: str | None) -> None:
        final = self._final()
        was = self._status(problem)
        numbered = self._sessions.status(self._session).state.submission_count
        answer = self._call(self._sessions.submit, problem, program, request_id=request_id)
        if (
            "refused" in answer
            or self._sessions.status(self._session).state.submission_count == numbered
        ):
            return
        assert problem not in final
        self._graded[problem] = self._graded.get(problem, 0) + 1
        if self._row.submissions is not None:
            assert self._graded[problem] <= self._row.submissions
        told = answer.keys() - {"violation"}
        assert told - {"tests"} == {
            *("passed", "total", "solved", "submissions_left", "status", "head", "dialect")
        }
        assert ("tests" in told) == (self._row.feedback != "count")
        if self._row.feedback == "per-test":
            assert all(test.keys() == {"index", "verdict"} for test in answer["tests"])
        if "violation" in answer:
            assert checks_workspace(self._row)
            assert not answer["solved"]
            assert answer["status"] in (was, "failed")
        else:
            assert answer["solved"] == (program == SOLVING)

    @rule(program=PROGRAMS, debug=st.booleans())
    def run(self, program: bytes, debug: bool) -> None:
        answer = self._call(self._sessions.run, program, b"mine", debug=debug)
        if "refused" not in answer and self._row.runs is not None:
            problem = answer["problem"]
            self._ran[problem] = self._ran.get(problem, 0) + 1
            assert self._ran[problem] + answer["runs_left"] == self._row.runs

    @rule(name=st.sampled_from(("gen.py", "notes.txt", "a.bf", "main.rs")), there=st.booleans())
    def work(self, name: str, there: bool) -> None:
        if there:
            (self._desk / name).write_text("x")
        else:
            (self._desk / name).unlink(missing_ok=True)

    @rule()
    def skip(self) -> None:
        answer = self._call(self._sessions.skip)
        assert self._row.skip == "free" or "refused" in answer

    @rule()
    def export(self) -> None:
        export = self._call(self._sessions.export)
        assert export["head"] == self._sessions.status(self._session).head
        if not export["closed"]:
            assert self._row.feedback == "explained" or export["reports"] == {}

    @rule()
    def reopen(self) -> None:
        before = self._sessions.status(self._session)
        self._sessions.close()
        self._sessions = self._open()
        assert self._sessions.status(self._session) == before

    @invariant()
    def nothing_is_left_half_done(self) -> None:
        status = self._sessions.status(self._session)
        assert status.state.grading is None
        assert sum(status.counts.values()) == 3
        if self._row.order == "forward":
            assert status.counts["active"] <= 1

    def _status(self, problem: str) -> str | None:
        progress = self._sessions.status(self._session).state.progress.get(problem)
        return None if progress is None else progress.status

    def _final(self) -> set[str]:
        progress = self._sessions.status(self._session).state.progress
        return {name for name, one in progress.items() if one.status in FINAL[self._row.revisit]}


class PrimarySequence(AnySequence):
    """The same for the protocol that counts most."""

    @initialize(row=st.just(PROTOCOLS["primary"]))
    def begin(self, row: Protocol) -> None:
        super().begin(row)


MANY = int(os.environ.get("ESOPLAY_EXAMPLES", "50"))
AnySequence.TestCase.settings = settings(
    max_examples=MANY // 2, stateful_step_count=25, deadline=None
)
PrimarySequence.TestCase.settings = settings(
    max_examples=MANY // 6, stateful_step_count=25, deadline=None
)
TestAnySequence = AnySequence.TestCase
TestPrimarySequence = PrimarySequence.TestCase
