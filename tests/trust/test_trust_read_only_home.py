"""What only reads works where nothing can be written.

Row 8 of the attacks: with a read-only home, ``status``, ``list`` and ``export`` failed with "unable
to open database file".
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.progress.records import PracticeSubmission
from esoplay.progress.store import ProgressStore
from esoplay.sessions.machine import Submit
from esoplay.sessions.store import EventStore, digest

Run = Callable[..., subprocess.CompletedProcess[bytes]]

MOUNT = (
    'mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift'
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("ESOPLAY_HOME", str(home))
    return home


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Run:
    """Run esoplay where ``home`` is mounted read-only."""
    (tmp_path / "elsewhere").mkdir()

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        inner = [sys.executable, "-m", "esoplay", *arguments]
        return subprocess.run(
            ["unshare", "-m", "sh", "-c", f'{MOUNT} && exec "$@"', "sh", str(home), *inner],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=tmp_path / "elsewhere",
        )

    return run


def begin(home: Path) -> str:
    """A session of the default store, with two events that are not in the file itself yet."""
    with Sessions.open() as sessions:
        session = sessions.init("brainfuck").session
        sessions.fetch(session)
    return session


def reading_commands(session: str) -> list[list[str]]:
    return [
        ["session", "list", "--json"],
        ["session", "status", "--session", session, "--json"],
        ["session", "export", "--session", session],
    ]


def answers(run: Run, session: str) -> list[object]:
    found: list[object] = []
    for arguments in reading_commands(session):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (0, b""), arguments
        found.append(json.loads(done.stdout))
    return found


def answers_here(session: str, capfd: pytest.CaptureFixture[str]) -> list[object]:
    capfd.readouterr()
    found: list[object] = []
    for arguments in reading_commands(session):
        assert main(arguments) == 0
        found.append(json.loads(capfd.readouterr().out))
    return found


@pytest.mark.needs("linux", "root")
def test_sessions_are_shown_and_exported(
    home: Path, run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    session = begin(home)
    before = sorted(path.name for path in home.iterdir())
    assert answers(run, session) == answers_here(session, capfd)
    assert sorted(path.name for path in home.iterdir()) == before


@pytest.mark.needs("linux", "root")
@pytest.mark.parametrize("kept", [("-wal",), ("-wal", "-shm")])
def test_events_that_are_in_the_log_alone_are_read(
    home: Path, run: Run, capfd: pytest.CaptureFixture[str], kept: tuple[str, ...]
) -> None:
    begin(home)
    store = home / "sessions.sqlite"
    with Sessions.open() as sessions:  # as a killed server leaves its files
        session = sessions.init("befunge-98").session
        sessions.fetch(session)
        for suffix in ("", *kept):
            shutil.copyfile(f"{store}{suffix}", home / f"copy{suffix}")
        assert (home / "copy-wal").stat().st_size
    for suffix in ("", "-wal", "-shm"):
        Path(f"{store}{suffix}").unlink(missing_ok=True)
    for suffix in ("", *kept):
        (home / f"copy{suffix}").rename(f"{store}{suffix}")
        Path(f"{store}{suffix}").chmod(0o600)
    assert answers(run, session) == answers_here(session, capfd)


@pytest.mark.needs("linux", "root")
def test_events_in_the_log_of_a_store_via_a_link_are_read(home: Path, run: Run) -> None:
    begin(home)
    store = home / "sessions.sqlite"
    with Sessions.open() as sessions:  # as a killed server leaves its files
        session = sessions.init("befunge-98").session
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{store}{suffix}", home / f"copy{suffix}")
    link = home.parent / "elsewhere" / "link.sqlite"
    link.symlink_to(home / "copy")
    done = run("session", "list", "--store", str(link), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert session.encode() in done.stdout


@pytest.mark.needs("linux", "root")
def test_an_interrupted_submission_is_shown_where_nothing_can_be_written(
    home: Path, run: Run
) -> None:
    session = begin(home)
    with Sessions.open() as sessions:
        source = b"+."
        sessions._journal.commit(  # pyright: ignore[reportPrivateUsage]
            session, Submit("E01", digest(source)), [source]
        )
    assert len(answers(run, session)) == 3


@pytest.mark.slow
@pytest.mark.needs("linux", "root")
def test_a_failed_write_is_reported_in_one_line_with_the_file(home: Path, run: Run) -> None:
    session = begin(home)
    program = home.parent / "elsewhere" / "a.bf"
    program.write_bytes(b"+.")
    for arguments in (
        ["init", "--language", "brainfuck"],
        ["fetch", "--session", session],
        ["run", "--session", session, str(program)],
        ["submit", "--session", session, "E01", str(program)],
        ["skip", "--session", session],
        ["reveal", "--close", "--session", session],
    ):
        done = run("session", *arguments)
        assert done.returncode != 0, arguments
        (line,) = done.stderr.decode().splitlines()
        assert line.startswith(f"esoplay: cannot write {home / 'sessions.sqlite'}: "), line
        assert "read-only" in line
    assert list(program.parent.iterdir()) == [program]


@pytest.mark.slow
@pytest.mark.needs("linux", "root")
@pytest.mark.parametrize("state", ["present", "missing"])
def test_other_commands_that_read_work(
    home: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    program = tmp_path / "elsewhere" / "reverse.bf"
    program.write_bytes(b">,[>,]<[.<]")
    export = tmp_path / "elsewhere" / "export.json"
    session = begin(home)
    assert main(["session", "export", "--session", session, "-o", str(export)]) == 0
    if state == "missing":
        monkeypatch.setenv("ESOPLAY_HOME", str(home / "missing"))
    for arguments in (
        ["run", str(program)],
        ["grade", str(program), "--problem", "E08"],
        ["problems", "show", "E08"],
        ["progress", "export"],
        ["learn", "brainfuck", "1"],
        ["debug", "--repl", str(program)],
        ["session", "verify", str(export)],
        ["session", "replay", "--json", str(export)],
    ):
        done = run(*arguments, stdin=b"step\nquit\n" if arguments[0] == "debug" else b"")
        assert (done.returncode, done.stderr) == (0, b""), (arguments, done)


@pytest.mark.needs("linux", "root")
def test_progress_is_shown_and_what_would_change_it_is_refused(home: Path, run: Run) -> None:
    from esoplay.packs.catalogue import get_pack

    store = ProgressStore(home)
    submission = PracticeSubmission("E08", ("pass",) * 6, 300, 40)
    store.save_submission(get_pack().id, "brainfuck", "standard", submission, b"+")
    store.close()
    done = run("progress", "show", "--json")
    (cell,) = json.loads(done.stdout)["cells"]
    assert cell["status"] == "solved"
    exported = run("progress", "export")
    done = run("progress", "import", "-", stdin=exported.stdout)
    assert done.returncode != 0
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"esoplay: cannot write {home / 'play.sqlite3'}: "), line


@pytest.mark.needs("linux", "root")
def test_a_user_without_write_permission_reads(shared_folder: Path, unused_uid: int) -> None:
    """Mode bits instead of a mount; in a child, which becomes that user."""
    store = shared_folder / "store.sqlite"
    with EventStore(store) as opened, opened.transaction() as writer:
        writer.append("s", None, "noted", {})
    for path in (shared_folder, store):
        os.chown(path, unused_uid, unused_uid)
        path.chmod(path.stat().st_mode & 0o500)
    child = os.fork()
    if child == 0:
        try:
            os.setresuid(unused_uid, unused_uid, unused_uid)
            with EventStore(store) as opened:
                assert opened.read_only
                assert [record.kind for record in opened.read("s")] == ["noted"]
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.needs("linux", "root")
def test_a_store_in_a_folder_without_write_permission_becomes_private(
    shared_folder: Path, unused_uid: int
) -> None:
    """Its owner may change its mode, though nothing else."""
    store = shared_folder / "store.sqlite"
    with EventStore(store) as opened, opened.transaction() as writer:
        writer.append("s", None, "noted", {})
    store.chmod(0o644)
    for path in (shared_folder, store):
        os.chown(path, unused_uid, unused_uid)
    shared_folder.chmod(0o755 & ~0o222)
    child = os.fork()
    if child == 0:
        try:
            os.setresuid(unused_uid, unused_uid, unused_uid)
            with EventStore(store) as opened:
                assert opened.read_only
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.stat().st_mode & 0o777 == 0o600
