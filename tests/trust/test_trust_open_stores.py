"""A store, seed or private folder that other users can read is closed to them or refused.

Row 7 of the attacks: ``touch runs.sqlite; session init --store runs.sqlite`` kept mode 0644, so
sealed reports could be read during a session.
"""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.databases import make_private
from esoplay.errors import StoreError, UsageError
from esoplay.grading.seeds import read_seed_file
from esoplay.progress.store import FILE_NAME, ProgressStore
from esoplay.sessions.vault import Vault


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def opened(path: Path, bits: int = 0o644) -> Path:
    path.touch()
    path.chmod(bits)
    return path


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs.sqlite"


def init(store: Path) -> int:
    return main(["session", "init", "--language", "brainfuck", "--store", str(store)])


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o666])
def test_a_store_made_with_touch_becomes_private(
    store: Path, bits: int, capfd: pytest.CaptureFixture[str]
) -> None:
    opened(store, bits)
    assert init(store) == 0
    first, *_ = capfd.readouterr().err.splitlines()
    assert first == f"esoplay: {store} was readable by other users; mode set to 0600"
    assert mode(store) == 0o600
    assert init(store) == 0
    assert "readable" not in capfd.readouterr().err


def test_side_files_of_a_store_in_use_become_private(store: Path) -> None:
    with Sessions.open(store) as sessions:
        sessions.init("brainfuck")
        files = sorted(store.parent.glob("runs.sqlite*"))
        assert [file.name for file in files] == [
            "runs.sqlite",
            "runs.sqlite-shm",
            "runs.sqlite-wal",
        ]
        for file in files:
            file.chmod(0o644)
        with Sessions.open(store):
            assert [mode(file) for file in files] == [0o600] * 3


def test_a_database_of_another_program_keeps_its_mode(store: Path) -> None:
    import sqlite3

    with sqlite3.connect(store) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    store.chmod(0o644)
    assert init(store) != 0
    assert mode(store) == 0o644


@pytest.mark.needs("root")
def test_a_store_that_another_user_made_is_refused(
    store: Path, unused_uid: int, capfd: pytest.CaptureFixture[str]
) -> None:
    for bits in (0o600, 0o644, 0o666):
        os.chown(opened(store, bits), unused_uid, unused_uid)
        assert init(store) != 0
        (line,) = capfd.readouterr().err.splitlines()
        assert line.startswith(f"esoplay: {store} belongs to another user")
        assert line.endswith("use another file, or remove this one, which is empty")
    assert store.stat().st_size == 0


@pytest.mark.needs("root")
def test_root_makes_a_store_of_another_user_private_and_continues(
    store: Path, unused_uid: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert init(store) == 0
    os.chown(opened(store), unused_uid, unused_uid)
    wal = opened(Path(f"{store}-wal"))
    os.chown(wal, unused_uid, unused_uid)
    capfd.readouterr()
    assert init(store) == 0
    lines = capfd.readouterr().err.splitlines()
    assert lines.count(f"esoplay: {store} was readable by other users; mode set to 0600") == 1
    assert mode(store) == 0o600
    with Sessions.open(store) as sessions:
        assert len(sessions.list()) == 2


@pytest.mark.needs("root")
def test_no_advice_removes_a_store_with_contents(shared_folder: Path, unused_uid: int) -> None:
    store = shared_folder / "runs.sqlite"
    store.write_bytes(b"contents")
    store.chmod(0o644)
    os.seteuid(unused_uid)
    try:
        with pytest.raises(StoreError, match="belongs to another user") as refused:
            make_private(store)
    finally:
        os.seteuid(0)
    assert "remove" not in str(refused.value)


def test_side_files_beside_the_target_of_a_link_become_private(store: Path) -> None:
    (store.parent / "data").mkdir()
    target = store.parent / "data" / "target.sqlite"
    store.symlink_to(target)
    with Sessions.open(store) as sessions:
        sessions.init("brainfuck")
        files = sorted(target.parent.iterdir())
        assert len(files) == 3
        for file in files:
            file.chmod(0o644)
        with Sessions.open(store):
            assert [mode(file) for file in files] == [0o600] * 3


@pytest.mark.needs("root")
def test_a_report_of_an_open_session_is_not_readable_by_the_solver(
    shared_folder: Path, unused_uid: int
) -> None:
    store = opened(shared_folder / "runs.sqlite")
    with Sessions.open(store) as sessions:
        session = sessions.init("brainfuck").session
        sessions.fetch(session)
        sessions.submit(session, "E01", b"+.")
        seen = subprocess.run(
            ["/bin/sh", "-c", f"cat '{store}' '{store}'-wal '{store}'-shm"],
            user=unused_uid,
            group=unused_uid,
            extra_groups=[],
            capture_output=True,
            check=False,
        )
    assert seen.stdout == b""


def test_the_file_with_progress_becomes_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    ProgressStore(tmp_path).close()
    assert mode(tmp_path / FILE_NAME) == 0o600
    (tmp_path / FILE_NAME).chmod(0o644)
    store = ProgressStore(tmp_path)
    store.close()
    assert len(store.notices) == 1
    assert mode(tmp_path / FILE_NAME) == 0o600


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o604])
def test_a_seed_file_that_others_can_read_is_refused(tmp_path: Path, bits: int) -> None:
    seed = tmp_path / "seed"
    seed.write_text("00" * 32)
    seed.chmod(bits)
    with pytest.raises(UsageError, match="chmod 600"):
        read_seed_file(seed)


def test_the_folder_with_seeds_becomes_private(
    store: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    vault = Vault()
    vault.folder.mkdir(mode=0o755, parents=True)
    vault.folder.chmod(0o755)
    assert init(store) == 0
    assert f"{vault.folder} was open to other users" in capfd.readouterr().err
    assert mode(vault.folder) == 0o700
