"""``esoplay play FILE`` says what is wrong with the name of a file, and that a file is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from esoplay.cli.commands import play
from esoplay.errors import UsageError
from esoplay.tui.workspace import LaunchRequest, Workspace


def test_an_empty_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esoplay.cli.commands.play.has_screen", lambda: True)
    with pytest.raises(UsageError, match="the name of the file is empty"):
        play.play("")


def test_an_unknown_extension_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"(?s)nosuch.xyz: no installed language.*try: .*--lang"):
        Workspace(tmp_path, request=LaunchRequest(tmp_path / "nosuch.xyz"))
    with pytest.raises(UsageError, match=r"(?s)nosuch: .*try: .*--lang"):
        Workspace(tmp_path, request=LaunchRequest(tmp_path / "nosuch"))


def test_a_missing_file_is_opened_as_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    workspace = Workspace(tmp_path / "state", request=LaunchRequest(tmp_path / "nosuch.b98"))
    assert workspace.open_initial_program().notice == "nosuch.b98 is a new file: saving writes it."
    (tmp_path / "there.b98").write_bytes(b"@")
    assert (
        Workspace(tmp_path / "state", request=LaunchRequest(tmp_path / "there.b98"))
        .open_initial_program()
        .notice
        is None
    )
