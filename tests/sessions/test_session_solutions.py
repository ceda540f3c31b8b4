"""The programs in exports that solved problems."""

from __future__ import annotations

import json

from session_fakes import FAILING, SOLVING

from esoplay.benchmark.exports import SolvedProgram, read_solutions
from esoplay.benchmark.sessions import Sessions
from esoplay.sessions.store import digest


def test_solutions_of_an_export_passed_all_tests(sessions: Sessions) -> None:
    session = sessions.init("whitespace", solver="somebody").session
    sessions.fetch(session)
    sessions.submit(session, "E01", FAILING)
    sessions.submit(session, "E01", SOLVING)
    sessions.fetch(session)
    sessions.submit(session, "E02", FAILING)
    data = json.dumps(sessions.export(session).as_json()).encode()
    assert read_solutions(data) == [
        SolvedProgram(
            "somebody", "fake", "E01", "whitespace", "benchmark", SOLVING, digest(SOLVING)
        )
    ]
