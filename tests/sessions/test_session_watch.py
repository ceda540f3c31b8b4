"""``esoplay watch``: a session as its log grows, without a trace in it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from session_fakes import EXPECTED, FAILING, HIDDEN, SOLVING, fake_grade
from shell import PATHS, esoplay

from esoplay.benchmark.exports import event_lines, read_export
from esoplay.benchmark.replay import Replay
from esoplay.benchmark.session_watch import SessionWatch, describe_status
from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.errors import StoreError, UnknownSession
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

HOSTILE = b"\x1b]0;owned\x07\x1b[31m\n\xff"


@contextmanager
def played(folder: Path, protocol: str = "practice") -> Iterator[tuple[Sessions, str]]:
    """A session with the pack that ships, graded by what its programs say of themselves."""
    store = EventStore(folder / "store.sqlite")
    with Sessions(store, vault=Vault(folder / "vault"), grade=fake_grade) as sessions:
        yield sessions, sessions.init("brainfuck", protocol, solver="somebody").session


def watching(folder: Path, session: str) -> SessionWatch:
    return SessionWatch(folder / "store.sqlite", session, Vault(folder / "vault"))


def files(folder: Path) -> dict[str, tuple[int, str]]:
    """Every file with its time and its bytes."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_watching_changes_no_file_of_a_store_in_use(tmp_path: Path) -> None:
    with played(tmp_path) as (sessions, session):
        sessions.fetch(session)
        sessions.run(session, b"+.", b"in")
        before = files(tmp_path)
        assert "store.sqlite-shm" in before
        # In a process of its own: within one, SQLite lets its connections share memory.
        done = esoplay("watch", session, "--store", tmp_path / "store.sqlite", "--once")
        assert b"E01: run: ok" in done.stdout
        assert files(tmp_path) == before


def test_watching_changes_no_file_of_a_store_at_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with played(tmp_path) as (sessions, session):
        sessions.fetch(session)
    before = files(tmp_path)
    assert "store.sqlite-wal" not in before
    assert main(["watch", session, "--store", str(tmp_path / "store.sqlite"), "--once"]) == 0
    assert "E01 Print Hello World: fetched" in capsys.readouterr().out
    assert files(tmp_path) == before


def test_a_log_that_a_killed_process_left_is_read_and_left_alone(tmp_path: Path) -> None:
    with played(tmp_path) as (sessions, session):
        sessions.fetch(session)
        left = tmp_path / "left"
        left.mkdir()
        for name in ("store.sqlite", "store.sqlite-wal"):
            (left / name).write_bytes((tmp_path / name).read_bytes())
    whole = files(left)
    assert len(watching(left, session).events) == 2
    assert files(left) == whole
    log = left / "store.sqlite-wal"  # a power cut: the last page is not whole
    log.write_bytes(log.read_bytes()[:-100])
    cut = files(left)
    assert len(watching(left, session).events) == 1
    assert files(left) == cut


def test_a_reading_watcher_delays_no_client(tmp_path: Path) -> None:
    with played(tmp_path) as (sessions, session):
        watch = watching(tmp_path, session)
        with EventStore(tmp_path / "store.sqlite", observe=True) as store:
            store._connection.execute("BEGIN")  # pyright: ignore[reportPrivateUsage]
            assert len(store.read(session)) == 1
            sessions.fetch(session)
            assert len(store.read(session)) == 1
        assert [event.kind for event in watch.read_events()] == ["problem_fetched"]
        with sessions._store.transaction():  # pyright: ignore[reportPrivateUsage]
            assert watch.read_events() == []


def test_an_interrupted_grading_stays_as_it_is(tmp_path: Path) -> None:
    def interrupted(*_: object, **__: object) -> object:
        seen.append(watching(tmp_path, session))
        raise KeyboardInterrupt

    seen: list[SessionWatch] = []
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault"), grade=interrupted) as sessions:  # pyright: ignore[reportArgumentType]
        session = sessions.init("brainfuck", "practice").session
        sessions.fetch(session)
        with pytest.raises(KeyboardInterrupt):
            sessions.submit(session, "E01", SOLVING)
    assert describe_status(seen[0]) == "E01: submission 1 is being graded"
    assert seen[0].events[-1].kind == "submission_reserved"


def test_events_arrive_one_by_one_and_verdicts_reach_their_submission(tmp_path: Path) -> None:
    with played(tmp_path) as (sessions, session):
        watch = watching(tmp_path, session)
        replay = Replay(watch)
        assert replay.attempts == []
        assert describe_status(watch) == "no problem fetched, 0 of 80 problems solved"
        sessions.fetch(session)
        sessions.run(session, b"+.", b"in")
        replay.extend(watch.read_events())
        assert [attempt.kind for attempt in replay.attempts] == ["run"]
        sessions.submit(session, "E01", FAILING)
        first, second = watch.read_events()
        replay.extend([first])
        assert replay.attempts[-1].outcome == "not graded"
        replay.extend([second])
        assert replay.attempts[-1].outcome == "2 of 6"
        sessions.submit(session, "E01", SOLVING)
        replay.extend(watch.read_events())
        assert replay.solved_count == 1
        assert watch.read_events() == []
        assert Replay(watching(tmp_path, session)).attempts == replay.attempts
        sessions.close_session(session)
        assert not watch.closed
        watch.read_events()
        assert watch.closed
        assert describe_status(watch) == "closed, 1 of 80 problems solved"


def test_hidden_inputs_are_in_nothing_that_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even where the protocol explains every test and the session is closed."""
    with played(tmp_path) as (sessions, session):
        sessions.fetch(session)
        sessions.submit(session, "E01", FAILING)
        sessions.close_session(session)
        exported = json.dumps(sessions.export(session).as_json())
        assert HIDDEN.decode() in exported
    replay = Replay(watching(tmp_path, session))
    (attempt,) = replay.attempts
    assert attempt.steps is None
    inputs = replay.inputs(attempt)
    assert [each.is_example for each in inputs] == [True] * len(inputs)
    assert HIDDEN not in [each.data for each in inputs]
    for options in ([], ["--json"]):
        assert main(["watch", session, "--store", str(tmp_path / "store.sqlite"), *options]) == 0
        shown = capsys.readouterr().out
        assert "E01" in shown
        assert HIDDEN.decode() not in shown
        assert EXPECTED.decode() not in shown


def test_examples_are_offered_where_the_protocol_shows_them(tmp_path: Path) -> None:
    for protocol, some in (("practice", True), ("primary", False)):
        folder = tmp_path / protocol
        folder.mkdir()
        with played(folder, protocol) as (sessions, session):
            sessions.fetch(session)
            sessions.run(session, b"+.", b"in")
            watch = watching(folder, session)
            replay = Replay(watch)
            own, *others = replay.inputs(replay.attempts[0])
            assert own.data == b"in"
            assert bool(others) == some
            assert all(other.is_example and other.expected is not None for other in others)
            found = watch.problem("E01")
            assert found is not None
            assert found.title == "Print Hello World"
            assert watch.problem("Z99") is None


def test_an_unknown_session_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with played(tmp_path) as (_, session):
        with pytest.raises(UnknownSession):
            watching(tmp_path, "0" * 12)
        store = str(tmp_path / "store.sqlite")
        export = tmp_path / "session.json"
        export.write_text("{}")
        for given, words in [
            (["0" * 12, "--store", store], "there is no session"),
            ([session, "--store", str(tmp_path / "none")], "there is no session store"),
            (["nothing"], "neither a folder nor the id"),
            ([str(tmp_path)], "not the workspace of a session"),
            ([str(export)], "esoplay session replay"),
        ]:
            assert main(["watch", *given]) == 2
            assert words in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_damaged_store_is_reported_and_not_copied(tmp_path: Path) -> None:
    with played(tmp_path) as (_, session):
        pass
    store = tmp_path / "store.sqlite"
    data = bytearray(store.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    store.write_bytes(data)
    before = files(tmp_path)
    with pytest.raises(StoreError):
        watching(tmp_path, session)
    (tmp_path / "store.sqlite").write_bytes(b"nonsense" * 1000)
    before = files(tmp_path)
    with pytest.raises(StoreError):
        watching(tmp_path, session)
    assert files(tmp_path) == before


def test_a_store_with_one_session_needs_no_session_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with played(tmp_path) as (sessions, session):
        store = str(tmp_path / "store.sqlite")
        assert main(["watch", store, "--once"]) == 0
        assert session in capsys.readouterr().out
        sessions.init("brainfuck", "practice")
        assert main(["watch", store, "--once"]) == 2
        assert f", then esoplay watch ID --store {store}" in capsys.readouterr().err


def test_a_workspace_names_its_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Sessions(EventStore(tmp_path / "store.sqlite")) as sessions:
        workspace = tmp_path / "desk"
        sessions.init("brainfuck", "practice", workspace=workspace)
    assert main(["watch", str(workspace), "--once"]) == 0
    assert "started: brainfuck, protocol practice" in capsys.readouterr().out


def test_lines_follow_the_log_until_the_session_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with played(tmp_path) as (sessions, session):
        store = tmp_path / "store.sqlite"
        seen: list[str] = []
        moves = iter(
            [
                lambda: sessions.fetch(session),
                lambda: sessions.run(session, b"+" + b"\x1b(0\xff", HOSTILE),
                lambda: store.rename(tmp_path / "away"),
                lambda: (tmp_path / "away").rename(store),
                lambda: sessions.submit(session, "E01", SOLVING),
                lambda: sessions.close_session(session),
            ]
        )

        def wait() -> None:
            seen.append(capsys.readouterr().out)
            next(moves)()

        monkeypatch.setattr("esoplay.cli.commands.watch._wait", wait)
        assert main(["watch", session, "--store", str(store), "--plain"]) == 0
        seen.append(capsys.readouterr().out)
        assert "started: brainfuck, protocol practice" in seen[0]
        assert seen[1].endswith(" E01 Print Hello World: fetched\n")
        assert seen[2].endswith(
            r""" E01: run: ok, 1 step, input "\x1b]0;owned\x07\x1b[31m\n\\xff", """
            r'''5 bytes: "+\x1b(0\\xff"'''
            "\n"
        )
        assert seen[3:5] == ["", ""]
        handed, graded = seen[5].splitlines()
        assert handed.endswith(' E01: submission 1: submitted, 12 bytes: "6 passes all"')
        assert graded.endswith(" E01: submission 1: 6 of 6 tests passed, solved")
        assert seen[6].endswith(" session closed by the operator\n")
        # The same as JSON, and as an export says it.
        assert main(["watch", session, "--store", str(store), "--json"]) == 0
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        export = read_export(json.dumps(sessions.export(session).as_json()).encode())
        assert told == list(event_lines(export))


@pytest.mark.slow
def test_a_process_that_watches_ends_with_the_session(tmp_path: Path) -> None:
    with played(tmp_path) as (sessions, session):
        watcher = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "esoplay",
                "watch",
                session,
                "--store",
                tmp_path / "store.sqlite",
            ],
            env={**os.environ, "PYTHONPATH": PATHS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        try:
            assert watcher.stdout is not None
            assert b"started: brainfuck" in watcher.stdout.readline()
            sessions.fetch(session)
            assert watcher.stdout.readline().endswith(b": fetched\n")
            sessions.close_session(session)
            assert watcher.stdout.read().endswith(b"session closed by the operator\n")
            assert watcher.wait(300) == 0
        finally:
            watcher.kill()
            watcher.wait()


def test_a_long_log_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with played(tmp_path) as (sessions, session):
        sessions.fetch(session)
        watch = watching(tmp_path, session)
        read: list[int] = []
        genuine = EventStore.read

        def counted(self: EventStore, session: str, after: int = 0, *rest: str) -> object:
            records = genuine(self, session, after, *rest)
            read.append(len(records))
            return records

        monkeypatch.setattr(EventStore, "read", counted)
        for _ in range(3):
            watch.read_events()
        assert read == [0, 0, 0]
