"""A solver who could see the operator's processes: the log, the export and reports say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from forgeries import Json, copy, findings, rechain
from rule_states import state_after
from session_fakes import SOLVING, open_sessions
from shell import esoplay

from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import verify_export
from esoplay.errors import RejectedCommand
from esoplay.reporting.played_sessions import read_session
from esoplay.sessions import events, machine
from esoplay.sessions.machine import decide
from esoplay.sessions.protocols import PROTOCOLS
from esoplay.thin_client import show_status

REASON = "user 1001 (solver) can see this server's processes: /proc/PID/cmdline"


def played(folder: Path, reason: str | None) -> Json:
    with open_sessions(folder) as sessions:
        session = sessions.init("brainfuck").session
        if reason is not None:
            sessions.accept_visible_processes(session, reason)
        sessions.fetch(session)
        sessions.submit(session, "E01", SOLVING)
        return sessions.export(session).as_json()


def test_visible_processes_are_recorded_once_and_never_in_a_closed_session(
    sessions: Sessions,
) -> None:
    session = sessions.init("brainfuck").session
    sessions.accept_visible_processes(session, REASON)
    sessions.accept_visible_processes(session, "another reason")
    assert sessions.status(session).state.length == 2
    assert sessions.status(session).as_json()["visible_processes"] == REASON
    other = sessions.init("brainfuck").session
    sessions.close_session(other)
    sessions.accept_visible_processes(other, REASON)
    assert "visible_processes" not in sessions.status(other).as_json()


def test_a_reason_is_one_printable_line(sessions: Sessions) -> None:
    session = sessions.init("brainfuck").session
    sessions.accept_visible_processes(session, "a\x1b]0;b\nc" + 1000 * "d")
    reason = sessions.status(session).state.visible_processes
    assert reason is not None
    assert reason.startswith("a?]0;b?cd")
    assert len(reason) == events.MAX_REASON_LENGTH
    for wrong in ("", "\x1b", "d" * (events.MAX_REASON_LENGTH + 1)):
        with pytest.raises(RejectedCommand, match="printable"):
            decide(state_after(PROTOCOLS["primary"]), machine.AcceptVisibleProcesses(wrong))


def test_an_export_with_visible_processes_notes_them_and_verifies(tmp_path: Path) -> None:
    export = played(tmp_path, REASON)
    assert (export["format_version"], findings(export)) == (3, [])
    assert export["events"][1]["body"] == {"reason": REASON}
    result = verify_export(json.dumps(export).encode())
    assert result.verified
    assert result.notes[0].endswith(REASON)


def test_an_export_without_visible_processes_can_be_read_by_earlier_releases(
    tmp_path: Path,
) -> None:
    export = played(tmp_path, None)
    assert (export["format_version"], findings(export)) == (2, [])
    assert not any("reach" in note for note in verify_export(json.dumps(export).encode()).notes)


def test_a_version_that_does_not_fit_the_log_is_found(tmp_path: Path) -> None:
    for folder, reason, wrong in (("a", None, 3), ("b", REASON, 2), ("c", REASON, 1)):
        (tmp_path / folder).mkdir()
        export = copy(played(tmp_path / folder, reason))
        export["format_version"] = wrong
        assert "export, format_version: contradicts the log" in findings(export)


def test_an_export_with_a_removed_or_repeated_record_is_refused(tmp_path: Path) -> None:
    export = copy(played(tmp_path, REASON))
    left_out = copy(export)
    del left_out["events"][1]
    left_out["format_version"] = 2
    assert findings(left_out)
    # A forger who rewrites the whole log needs a head that no client has acknowledged.
    assert findings(rechain(left_out), head=export["events"][2]["head"])
    twice = copy(export)
    twice["events"].insert(1, copy(export["events"][1]))
    assert any("the rules do not allow this event" in found for found in findings(rechain(twice)))


def test_status_shows_the_reason_for_visible_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_sessions(tmp_path) as sessions:
        session = sessions.init("brainfuck").session
        sessions.accept_visible_processes(session, REASON)
        show_status(sessions.status(session).as_json(), False)
    assert REASON in capsys.readouterr().out


def test_a_report_lists_sessions_with_visible_processes(tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_text(json.dumps(played(tmp_path, REASON)))
    assert read_session("x", file.read_bytes()).visible_processes == REASON
    text = " ".join(esoplay("report", file).stdout.decode().split())
    assert "Sessions whose solver could see processes with hidden tests in memory" in text
    assert REASON in text
    told = json.loads(esoplay("report", file, "--json").stdout)
    assert [one["visible_processes"] for one in told["sessions"]] == [REASON]
