"""The folder that a solver gets: everything to work with, and no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from esolangs.registry import find_language
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading.seeds import write_seed_file
from esoplay.service.sessions import Sessions, find_session
from esoplay.sessions.vault import Vault
from esoplay.sessions.workspace import INSTRUCTIONS, MARKER


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "bench"


def instructions(sessions: Sessions, workspace: Path, protocol: str) -> str:
    sessions.init("brainfuck", protocol, workspace=workspace)
    return (workspace / "AGENTS.md").read_text("utf-8")


def test_it_holds_two_equal_instruction_files_and_the_session(
    sessions: Sessions, workspace: Path
) -> None:
    started = sessions.init("brainfuck", workspace=workspace)
    assert {path.name for path in workspace.iterdir()} == {MARKER, *INSTRUCTIONS}
    assert (workspace / "AGENTS.md").read_bytes() == (workspace / "CLAUDE.md").read_bytes()
    assert (workspace / MARKER).read_text() == started.session + "\n"
    assert started.as_json()["workspace"] == str(workspace)


def test_it_holds_nothing_secret(sessions: Sessions, workspace: Path, tmp_path: Path) -> None:
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
    assert "never shown or accepted again" in text
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
    assert "may be taken up again" in text
    assert "nothing is counted" in text


@pytest.mark.parametrize("name", [MARKER, *INSTRUCTIONS])
def test_no_file_is_ever_overwritten(sessions: Sessions, workspace: Path, name: str) -> None:
    workspace.mkdir()
    (workspace / name).write_text("mine")
    with pytest.raises(UsageError, match=f"{name} exists"):
        sessions.init("brainfuck", workspace=workspace)
    assert [path.name for path in workspace.iterdir()] == [name]
    assert (workspace / name).read_text() == "mine"


def test_a_file_is_no_workspace(sessions: Sessions, workspace: Path) -> None:
    workspace.write_text("mine")
    with pytest.raises(UsageError, match="is not a folder"):
        sessions.init("brainfuck", workspace=workspace)


def test_store_vault_and_seed_must_lie_outside(
    sessions: Sessions, tmp_path: Path, workspace: Path
) -> None:
    with pytest.raises(UsageError, match=r"store.sqlite lies in the workspace"):
        sessions.init("brainfuck", workspace=tmp_path)
    workspace.mkdir()
    write_seed_file(workspace / "seed", b"s" * 32)
    with pytest.raises(UsageError, match="seed lies in the workspace"):
        sessions.init("brainfuck", workspace=workspace, seed_file=workspace / "seed")
    assert not (workspace / MARKER).exists()


def test_a_workspace_may_be_named_after_its_session(sessions: Sessions, tmp_path: Path) -> None:
    started = sessions.init("brainfuck", workspace_in=tmp_path)
    assert started.workspace == tmp_path / f"session-{started.session}"


def test_the_session_is_found_from_any_folder_below(sessions: Sessions, workspace: Path) -> None:
    session = sessions.init("brainfuck", workspace=workspace).session
    below = workspace / "tools" / "more"
    below.mkdir(parents=True)
    assert find_session(below) == session
    assert find_session(workspace.parent) is None


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0" * 10_000_000, b"x" * 10_000_000])
def test_whatever_the_marker_was_changed_to_is_told_briefly(
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
    assert "no session id" in said.err
    assert len(said.err) < 500
