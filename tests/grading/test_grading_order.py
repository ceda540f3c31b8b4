"""The order in which the hidden tests of a submission run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sessions.forgeries import rechain

from esoplay.benchmark import verification
from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import verify_export
from esoplay.grading.grader import grade, revealed_tests
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import GENERATOR_VERSION, ORDER_VERSION, RunOrder
from esoplay.packs.catalogue import get_pack
from esoplay.running.run import Outcome
from esoplay.sessions.audit import audit
from esoplay.sessions.journal import Journal
from esoplay.sessions.machine import Start
from esoplay.sessions.store import EventStore

SEED = bytes(range(32))
PROBLEM = "E08"
COPY = b",[.,]"


class Recorder:
    """A runner that notes its inputs and prints something for each."""

    def __init__(self) -> None:
        self.inputs: list[bytes] = []

    def run(self, language_id: str, source: bytes, *, stdin: bytes = b"", **_: Any) -> Outcome:
        self.inputs.append(stdin)
        return Outcome(language_id, "standard", {}, "ok", stdout=stdin, steps=len(stdin))


def graded(order: RunOrder | None) -> tuple[list[bytes], GradeReport]:
    runner = Recorder()
    problem = get_pack().problem(PROBLEM)
    return runner.inputs, grade(problem, "brainfuck", COPY, seed=SEED, order=order, worker=runner)


def test_the_order_of_a_version_never_changes() -> None:
    # A change of these needs a new ORDER_VERSION; tests themselves are GENERATOR_VERSION's.
    assert (ORDER_VERSION, GENERATOR_VERSION) == (2, 2)
    orders = [
        RunOrder("0123456789ab", number).permutation(SEED, PROBLEM, 6) for number in (1, 2, 3)
    ]
    assert orders == [[1, 4, 5, 0, 2, 3], [0, 5, 3, 1, 4, 2], [4, 3, 2, 5, 1, 0]]


def test_the_order_depends_on_seed_session_problem_and_submission() -> None:
    def drawn(session: str = "s", number: int = 1, seed: bytes = SEED, problem: str = "E01") -> Any:
        return tuple(RunOrder(session, number).permutation(seed, problem, 20))

    orders = {
        drawn(),
        drawn(session="t"),
        drawn(number=2),
        drawn(seed=bytes(32)),
        drawn(problem="E02"),
    }
    assert len(orders) == 5
    assert all(sorted(order) == list(range(20)) for order in orders)
    assert drawn() == drawn()


def test_every_order_of_six_is_about_as_likely() -> None:
    first = [RunOrder("s", number).permutation(SEED, "E01", 6)[0] for number in range(600)]
    assert all(50 < first.count(place) < 150 for place in range(6))


def test_tests_run_in_the_order_and_are_reported_by_number() -> None:
    by_number, plain = graded(None)
    tests = revealed_tests(get_pack().problem(PROBLEM), SEED)
    assert by_number == [given for given, _ in tests]
    for number in range(1, 8):
        order = RunOrder("0123456789ab", number)
        inputs, report = graded(order)
        assert inputs == [by_number[place] for place in order.permutation(SEED, PROBLEM, 6)]
        assert report == plain
        assert report.as_json() == plain.as_json()


Use = tuple[bytes, RunOrder | None]


def recording_grade(used: list[Use]) -> Callable[..., GradeReport]:
    def noted(problem: Any, language: str, source: bytes, *, order: Any, **terms: Any) -> Any:
        used.append((source, order))
        return grade(problem, language, source, order=order, **terms)

    return noted


@pytest.fixture(params=["now", "earlier"])
def played(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session of this release or of one without orders: its export and how it was graded."""
    start = Journal.start

    def without_order(self: Journal, command: Start, blobs: Any = ()) -> Any:
        versions = {name: one for name, one in command.versions.items() if name != "order"}
        return start(self, replace(command, versions=versions), blobs)

    if request.param == "earlier":
        monkeypatch.setattr(Journal, "start", without_order)
    used: list[Use] = []
    with Sessions(EventStore(tmp_path / "store"), grade=recording_grade(used)) as sessions:
        session = sessions.init("brainfuck", seed=SEED).session
        sessions.fetch(session)
        for program in (COPY, COPY, b"+"):
            sessions.submit(session, "E01", program)
        sessions.close_session(session)
        return json.dumps(sessions.export(session).as_json()).encode(), used


def test_each_submission_of_a_session_has_its_order(played: tuple[bytes, list[Use]]) -> None:
    text, used = played
    state = audit(text).state
    assert state is not None
    orders = [order for _, order in used]
    if "order" in state.started.versions:
        assert orders == [RunOrder(state.started.session, number) for number in (1, 2, 3)]
    else:
        assert orders == [None, None, None]


def test_a_session_is_regraded_in_the_order_in_which_it_was_graded(
    played: tuple[bytes, list[Use]], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, used = played
    again: list[Use] = []
    monkeypatch.setattr(verification, "grade", recording_grade(again))
    result = verify_export(text, seed=SEED)
    assert (result.verified, result.submissions, result.notes) == (True, 3, ())
    assert again == [used[0], used[2]], "equal submissions are graded again once"


def test_a_test_order_of_a_later_release_gives_a_note(played: tuple[bytes, list[Use]]) -> None:
    export = json.loads(played[0])
    export["versions"]["order"] = export["events"][0]["body"]["versions"]["order"] = "9"
    text = json.dumps(rechain(export)).encode()
    result = verify_export(text, seed=SEED)
    assert result.verified
    assert any("test order, version 9, is unknown" in note for note in result.notes)
