from __future__ import annotations

import pytest
from report_sessions import make, play, report

from esoplay.reporting.document import Document
from esoplay.reporting.played_sessions import PlayedSession, read_session
from esoplay.reporting.report import Report, ReportOptions
from esoplay.reporting.sections.document import write_report

FIRST = {"E1": "rS", "E2": "rfwS", "E3": "ccc", "H1": "xlS", "H2": "S", "H3": "www"}
"""Four solved: by submissions 1, 2, 3 and 1, after 1, 2, 0 and 0 local runs."""


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Sessions of two solvers; the tests contain figures counted by hand.

    solved of ant: 4, 3 and 5 (brainfuck), 2 (direct), 6 (whitespace); of bee: 2 (brainfuck), 3
    (whitespace), and partial sessions.
    """
    folder = tmp_path_factory.mktemp("sessions")
    bad = "www"
    generators = {
        "E1": {"gen.py": b"g" * 50, "lib.py": b"l" * 100},
        "E2": {"gen.py": b"G" * 40, "notes.md": b"n"},
        "H1": {"gen.py": None, "lib.py": b"L" * 25},
    }
    return {
        "ant-1": play(folder, FIRST, files=generators, size=300),
        "ant-2": play(
            folder,
            {"E1": "S", "E2": "S", "E3": "S", "H1": bad, "H2": bad, "H3": bad},
            day=2,
            number=2,
        ),
        "ant-3": play(
            folder,
            {"E1": "S", "E2": "S", "E3": "S", "H1": "S", "H2": "S", "H3": bad},
            day=3,
            number=3,
        ),
        "ant-direct": play(
            folder,
            {"E1": "S", "E2": bad, "E3": bad, "H1": "S", "H2": bad, "H3": bad},
            protocol="direct",
            files={"H2": {"gen.py": b"#"}, "H3": {"gen.py": None}},
        ),
        "ant-ws": play(
            folder,
            dict.fromkeys(("E1", "E2", "E3", "H1", "H2", "H3"), "S"),
            language="whitespace",
        ),
        "bee-1": play(
            folder,
            {"E1": "S", "E2": bad, "E3": bad, "H1": "S", "H2": bad, "H3": bad},
            solver="bee",
        ),
        "bee-open": play(folder, {"E1": "S", "E2": "w"}, solver="bee", day=2, number=2),
        "bee-ws": play(
            folder,
            {"E1": "S", "E2": "S", "E3": "S", "H1": bad, "H2": bad, "H3": bad},
            solver="bee",
            language="whitespace",
        ),
        "bee-cut": play(
            folder, {"E1": "S", "E2": "rS"}, solver="bee", language="unlambda", close=True
        ),
    }


@pytest.fixture(scope="session")
def sessions(exports: dict[str, bytes]) -> list[PlayedSession]:
    return [read_session(f"{name}.json", text) for name, text in exports.items()]


@pytest.fixture(scope="session")
def document(sessions: list[PlayedSession]) -> Document:
    return write_report(make(sessions), "Six problems")


@pytest.fixture(scope="session")
def everything(exports: dict[str, bytes]) -> Report:
    return report(exports, options=ReportOptions(familiar=("whitespace",)))
