"""The folder that a solver gets: everything to work with, and no secret."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from session_fakes import SOLVING

from esolangs.registry import find_language, language_ids
from esoplay.benchmark.sessions import Sessions, find_session
from esoplay.cli.main import main
from esoplay.errors import RejectedCommand, UsageError
from esoplay.grading.seeds import write_seed_file
from esoplay.sessions import inventory
from esoplay.sessions.audit import audit
from esoplay.sessions.instructions import strategy
from esoplay.sessions.protocols import PROTOCOLS
from esoplay.sessions.vault import Vault
from esoplay.sessions.workspace import INSTRUCTIONS, MARKER
from esoplay.thin_client import MEMORY


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "bench"


def instructions(sessions: Sessions, workspace: Path, protocol: str) -> str:
    sessions.init("brainfuck", protocol, workspace=workspace)
    return (workspace / "AGENTS.md").read_text("utf-8")


def test_the_workspace_has_two_equal_instruction_files_and_the_session(
    sessions: Sessions, workspace: Path
) -> None:
    started = sessions.init("brainfuck", workspace=workspace)
    assert {path.name for path in workspace.iterdir()} == {MARKER, *INSTRUCTIONS}
    assert (workspace / "AGENTS.md").read_bytes() == (workspace / "CLAUDE.md").read_bytes()
    assert (workspace / MARKER).read_text() == started.session + "\n"
    assert started.as_json()["workspace"] == str(workspace)


def test_the_workspace_contains_no_secret(
    sessions: Sessions, workspace: Path, tmp_path: Path
) -> None:
    session = sessions.init("brainfuck", workspace=workspace).session
    seed = Vault(tmp_path / "vault").seed(session)
    content = b"".join(path.read_bytes() for path in workspace.iterdir())
    assert seed.hex().encode() not in content
    assert seed not in content
    assert b"Statement" not in content
    assert str(tmp_path).encode() not in content


def test_instructions_say_all_that_a_solver_needs(sessions: Sessions, workspace: Path) -> None:
    text = instructions(sessions, workspace, "primary")
    assert text.startswith("# Session ")
    assert "Solve 3 programming problems by writing Brainfuck programs" in text
    for command in ("fetch", "run FILE", "submit ID FILE", "status", "skip", "export -o FILE"):
        assert f"`esoplay session {command}" in text
    assert "Submissions: 3 per problem" in text
    assert "`skip` is refused while submissions are left" in text
    assert "It is not shown again, and no further submission" in text
    assert "10,000,000 steps, 1 MiB of output, 256 MiB of memory and 60 s" in text
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        *("## Commands", "## Rules", "## Scoring", "## Limits", "## Language reference card")
    ]
    for line in find_language("brainfuck").card("benchmark").splitlines():
        assert line.lstrip("#").strip() in text


def test_instructions_follow_the_protocol(sessions: Sessions, workspace: Path) -> None:
    text = instructions(sessions, workspace, "practice")
    assert "esoplay session fetch [ID]" in text
    assert "Submissions: as many as you like per problem" in text
    assert "public examples" in text
    assert "may be opened again" in text
    assert "there is no score" in text


@pytest.mark.parametrize("name", [MARKER, *INSTRUCTIONS])
def test_no_file_is_ever_overwritten(sessions: Sessions, workspace: Path, name: str) -> None:
    workspace.mkdir()
    (workspace / name).write_text("mine")
    with pytest.raises(UsageError, match=f"{name} exists"):
        sessions.init("brainfuck", workspace=workspace)
    assert [path.name for path in workspace.iterdir()] == [name]
    assert (workspace / name).read_text() == "mine"


def test_a_file_is_not_a_workspace(sessions: Sessions, workspace: Path) -> None:
    workspace.write_text("mine")
    with pytest.raises(UsageError, match="is not a folder"):
        sessions.init("brainfuck", workspace=workspace)


def test_store_vault_and_seed_must_be_outside(
    sessions: Sessions, tmp_path: Path, workspace: Path
) -> None:
    with pytest.raises(UsageError, match=r"store.sqlite is in the workspace"):
        sessions.init("brainfuck", workspace=tmp_path)
    workspace.mkdir()
    write_seed_file(workspace / "seed", b"s" * 32)
    with pytest.raises(UsageError, match="seed is in the workspace"):
        sessions.init("brainfuck", workspace=workspace, seed_file=workspace / "seed")
    assert not (workspace / MARKER).exists()


@pytest.mark.parametrize("name", ["a" * 300, "with\0null"])
def test_a_name_that_no_folder_can_have_is_refused(
    sessions: Sessions, tmp_path: Path, name: str
) -> None:
    for folder in (tmp_path / name, tmp_path / "deep" / name):
        with pytest.raises(UsageError, match="cannot be a workspace"):
            sessions.init("brainfuck", workspace=folder)
    assert sessions.list() == ()


def test_a_folder_that_cannot_be_made_begins_no_session(sessions: Sessions, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="file/below' cannot be a workspace: Not a directory"):
        sessions.init("brainfuck", workspace=tmp_path / "file" / "below")
    assert sessions.list() == ()


def test_a_workspace_may_be_named_after_its_session(sessions: Sessions, tmp_path: Path) -> None:
    started = sessions.init("brainfuck", workspace_parent=tmp_path)
    assert started.workspace == tmp_path / f"session-{started.session}"


def test_the_session_is_found_from_any_folder_below(sessions: Sessions, workspace: Path) -> None:
    session = sessions.init("brainfuck", workspace=workspace).session
    below = workspace / "tools" / "more"
    below.mkdir(parents=True)
    assert find_session(below) == session
    assert find_session(workspace.parent) is None


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0" * 10_000_000, b"x" * 10_000_000])
def test_a_changed_marker_is_reported_briefly(
    tmp_path: Path,
    content: bytes,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / MARKER).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert main(["session", "status"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "a session id" in said.err
    assert len(said.err) < 500


# What lies there when a program is handed in


def submit_and_find_event(
    sessions: Sessions, session: str, problem: str, passing: int = 2
) -> dict[str, Any]:
    """The event of a submission that passes so many tests."""
    sessions.submit(session, problem, f"{passing}".encode())
    log = sessions.export(session).as_json()["events"]
    return [event["body"] for event in log if event["kind"] == "submission_reserved"][-1]


def begin(sessions: Sessions, workspace: Path, protocol: str) -> str:
    session = sessions.init("brainfuck", protocol, workspace=workspace).session
    sessions.fetch(session)
    return session


def test_files_written_by_init_break_no_rule(sessions: Sessions, workspace: Path) -> None:
    started = sessions.init(
        "brainfuck", "direct", workspace=workspace, socket=workspace.parent / "bench.sock"
    )
    sessions.fetch(started.session)
    (workspace / "hello.bf").write_text("+.")
    (workspace / MEMORY).write_text("{}")
    found = submit_and_find_event(sessions, started.session, "E01")
    assert found["violation"] is None
    assert found["workspace"]["generators"] == {}
    assert found["workspace"]["foreign"] is None
    (workspace / "session.py").write_text("print('+.')")
    answer = sessions.submit(started.session, "E01", SOLVING)
    assert answer.violation == (
        "generators allowed in the workspace: none; found session.py (python)"
    )
    assert (answer.passed, answer.solved, answer.status) == (6, False, "active")


@pytest.mark.parametrize(
    ("protocol", "file", "content", "told"),
    [
        ("direct", "notes.txt", b"plan", "found notes.txt"),
        ("direct", "AGENTS.md", b"mine now", "found AGENTS.md"),
        ("direct", "tool.bf", b"#!/usr/bin/perl\n", r"found tool.bf \(perl\)"),
        ("direct", "other.ws", b" ", "found other.ws"),
        ("host-python", "main.rs", b"", r"python; found main.rs \(rust\)"),
        ("host-javascript", "gen.ts", b"", r"javascript; found gen.ts \(typescript\)"),
        ("host-rust", "run.sh", b"", r"rust; found run.sh \(shell\)"),
    ],
)
def test_a_file_against_the_rules_fails_the_submission_and_is_named(
    sessions: Sessions, workspace: Path, protocol: str, file: str, content: bytes, told: str
) -> None:
    session = begin(sessions, workspace, protocol)
    (workspace / file).write_bytes(content)
    assert re.search(told, sessions.submit(session, "E01", SOLVING).violation or "")
    sessions.submit(session, "E01", SOLVING)
    assert sessions.submit(session, "E01", SOLVING).status == "failed"
    (workspace / file).unlink()
    sessions.fetch(session)
    assert sessions.submit(session, "E02", SOLVING).solved


def test_a_generator_that_is_allowed_is_recorded(sessions: Sessions, workspace: Path) -> None:
    session = begin(sessions, workspace, "host-python")
    (workspace / "lib").mkdir()
    (workspace / "lib" / "tape.py").write_text("class Tape: ...")
    (workspace / "e01.bf").write_text("+.")
    first = submit_and_find_event(sessions, session, "E01")
    assert first["violation"] is None
    assert first["size"] == 1
    assert first["workspace"]["generators"] == {"python": "lib/tape.py"}
    assert (first["workspace"]["new"], first["workspace"]["files"]) == (5, 5)
    assert first["workspace"]["reused"] == 0

    submit_and_find_event(sessions, session, "E01", 6)
    sessions.fetch(session)
    (workspace / "e01.bf").unlink()
    (workspace / "e02.py").write_text("from lib.tape import Tape")
    second = submit_and_find_event(sessions, session, "E02")["workspace"]
    assert (second["new"], second["changed"], second["removed"]) == (1, 0, 1)
    assert second["reused"] == 1, "tape.py was there for E01"
    (workspace / "e02.py").write_text("another text")
    third = submit_and_find_event(sessions, session, "E02")["workspace"]
    assert (third["new"], third["changed"], third["reused"]) == (0, 1, 1)


def test_the_export_has_the_list_of_files(sessions: Sessions, workspace: Path) -> None:
    session = begin(sessions, workspace, "primary")
    (workspace / "gen.py").write_text("x")
    body = submit_and_find_event(sessions, session, "E01")
    export = sessions.export(session).as_json()
    listed = json.loads(b64decode(export["inventories"][body["inventory"]]))
    kinds = {one["path"]: one["kind"] for one in listed["files"]}
    assert kinds == {
        **dict.fromkeys((MARKER, *INSTRUCTIONS), "given"),
        "gen.py": "generator",
    }
    assert list(listed["helpers"].values()) == ["E01"]
    assert not audit(json.dumps(export).encode()).findings


def test_a_permanent_helper_is_remembered_despite_short_lived_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "_MAX_SEEN", 3)
    (tmp_path / "stays.py").write_text("stays")
    previous: bytes | None = None
    for number in range(1, 9):
        passing = tmp_path / f"helper{number}.py"
        passing.write_text(f"helper {number}")
        found = inventory.inspect(tmp_path, (".bf",), {}, f"E0{number}", previous)
        assert found.summary.reused == (number > 1), "stays.py was there for E01"
        passing.unlink()
        previous = found.inventory
    assert previous is not None
    assert sorted(json.loads(previous)["helpers"].values()) == ["E01", "E07", "E08"]


def test_a_workspace_that_cannot_be_seen_is_recorded_so(
    sessions: Sessions, workspace: Path
) -> None:
    session = begin(sessions, workspace, "direct")
    workspace.rename(workspace.with_name("moved"))
    found = submit_and_find_event(sessions, session, "E01")
    assert found["workspace"]["seen"] is False
    assert "No such file" in found["workspace"]["reason"]
    elsewhere = sessions.init("brainfuck", "direct").session
    sessions.fetch(elsewhere)
    found = submit_and_find_event(sessions, elsewhere, "E01")
    assert "no workspace" in found["workspace"]["reason"]
    assert found["violation"] is None


def test_a_workspace_below_a_link_is_found_and_one_that_became_a_link_is_not(
    sessions: Sessions, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    session = begin(sessions, tmp_path / "link" / "desk", "direct")
    assert submit_and_find_event(sessions, session, "E01")["workspace"]["seen"] is True
    (tmp_path / "real" / "desk").rename(workspace)
    (tmp_path / "real" / "desk").symlink_to(tmp_path / "vault")
    found = submit_and_find_event(sessions, session, "E01")["workspace"]
    assert (found["seen"], found["files"]) == (False, 0)


def test_refused_submissions_take_no_inventory(
    sessions: Sessions, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(sessions, workspace, "primary")
    first = sessions.submit(session, "E01", SOLVING, request_id="r")
    looks: list[Path] = []

    def look(folder: Path, *_: object) -> None:
        looks.append(folder)

    monkeypatch.setattr(inventory, "take_inventory", look)
    assert sessions.submit(session, "E01", SOLVING, request_id="r") == first
    with pytest.raises(RejectedCommand):
        sessions.submit(session, "E01", SOLVING)
    assert looks == []


def test_the_protocol_text_writes_a_strategy_into_the_workspace(
    sessions: Sessions, workspace: Path
) -> None:
    text = instructions(sessions, workspace, "text")
    assert "Read `STRATEGY.md` first" in text
    assert (workspace / "STRATEGY.md").read_text("utf-8") == strategy("brainfuck")
    with pytest.raises(UsageError, match=r"STRATEGY\.md exists|\.esoplay-session exists"):
        sessions.init("brainfuck", "text", workspace=workspace)


@pytest.mark.parametrize(
    ("protocol", "language"),
    [
        *((protocol, "brainfuck") for protocol in PROTOCOLS if protocol != "library"),
        *((protocol, id) for protocol in ("direct", "practice") for id in language_ids()),
    ],
)
def test_instructions_are_there_for_every_protocol_and_language(
    sessions: Sessions, workspace: Path, protocol: str, language: str
) -> None:
    sessions.init(language, protocol, workspace=workspace)
    text = (workspace / "AGENTS.md").read_text("utf-8")
    rules = text[text.index("## Rules") : text.index("## Scoring")]
    row = PROTOCOLS[protocol]
    assert ("as many as you like" in rules) == (None in (row.runs, row.submissions))
    assert ("no shell" in rules) == (not row.shell)
    assert ("The debugger may be used" in rules) == row.debug
    for host in row.generators or ():
        assert f"only by programs in {host}" in rules
    extension = find_language(language).extensions[0]
    assert (f"`*{extension}`" in rules) == (row.files == "own")
