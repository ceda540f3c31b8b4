"""The store file: append-only, chained, and never thrown away."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

import pytest

from esoplay.errors import StoreError
from esoplay.sessions.store import GENESIS, EventStore, digest, next_head


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def fill(path: Path, count: int = 3) -> list[str]:
    """A store with one session of ``count`` events; the heads after each."""
    heads: list[str] = []
    with EventStore(path, clock=lambda: 1.5) as store, store.transaction() as writer:
        last = None
        for number in range(count):
            last = writer.append("s", last, "noted", {"number": number})
            heads.append(last.head)
        writer.store_blob(b"a program")
    return heads


def alter(path: Path, *statements: str) -> None:
    """Change the file without the store's knowledge."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_appended_events_are_read_again(path: Path) -> None:
    heads = fill(path)
    with EventStore(path) as store:
        records = store.read("s")
        assert [record.body for record in records] == [{"number": n} for n in range(3)]
        assert [record.head for record in records] == heads
        assert [record.time_ms for record in records] == [1500] * 3
        assert store.read("s", 2, heads[1]) == records[2:]
        assert store.blob(digest(b"a program")) == b"a program"
        assert store.sessions() == ["s"]


def test_the_chain_can_be_computed_by_anybody(path: Path) -> None:
    fill(path)
    with EventStore(path) as store:
        head = GENESIS
        for record in store.read("s"):
            body = json.dumps(record.body, sort_keys=True, separators=(",", ":"))
            head = next_head(head, "s", record.seq, record.time_ms, record.kind, body)
            assert head == record.head


def test_a_failed_transaction_leaves_nothing(path: Path) -> None:
    with EventStore(path) as store:
        with suppress(ZeroDivisionError), store.transaction() as writer:
            writer.append("s", None, "noted", {})
            writer.store_blob(b"lost")
            raise ZeroDivisionError
        assert store.read("s") == []
        with pytest.raises(StoreError, match="missing"):
            store.blob(digest(b"lost"))


def test_no_two_events_have_the_same_number(path: Path) -> None:
    with EventStore(path) as store:
        with store.transaction() as writer:
            writer.append("s", None, "first", {})
        with pytest.raises(StoreError, match="UNIQUE"), store.transaction() as writer:
            writer.append("s", None, "second", {})
        assert [record.kind for record in store.read("s")] == ["first"]


@pytest.mark.parametrize(
    "statement", ["UPDATE event SET kind = 'forged'", "DELETE FROM event WHERE seq = 3"]
)
def test_the_file_itself_refuses_changes_to_the_log(path: Path, statement: str) -> None:
    fill(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        alter(path, statement)


@pytest.mark.parametrize(
    ("statement", "event"),
    [
        ("UPDATE event SET body = '{\"number\":7}' WHERE seq = 2", 2),
        ("UPDATE event SET time_ms = 0 WHERE seq = 3", 3),
        ("DELETE FROM event WHERE seq = 1", 1),
        ("DELETE FROM event WHERE seq = 2", 2),
    ],
)
def test_a_forged_log_is_detected(path: Path, statement: str, event: int) -> None:
    fill(path)
    alter(
        path,
        "DROP TRIGGER event_is_never_changed",
        "DROP TRIGGER event_is_never_deleted",
        statement,
    )
    with EventStore(path) as store, pytest.raises(StoreError, match=f"event {event} of session s"):
        store.read("s")


def test_a_changed_blob_is_detected(path: Path) -> None:
    fill(path)
    alter(path, "UPDATE blob SET bytes = x'00'")
    with EventStore(path) as store, pytest.raises(StoreError, match="was changed"):
        store.blob(digest(b"a program"))


def test_a_damaged_file_is_copied_and_left_alone(path: Path) -> None:
    path.write_bytes(b"this is no database, but somebody may miss it " * 100)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"is damaged .* copied to"):
            EventStore(path)
    copies = list(path.parent.glob("store.sqlite.damaged-*"))
    assert [copy.read_bytes() for copy in copies] == [before]
    assert path.read_bytes() == before


def test_damage_that_shows_only_while_reading_is_copied_as_well(path: Path) -> None:
    fill(path, 200)
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = b"\xff" * (len(data) - 4096 * 2)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"), EventStore(path) as store:
        store.read("s")
    copies = path.parent.glob("store.sqlite.damaged-????????????")
    assert [copy.read_bytes() for copy in copies] == [data]


def test_a_database_of_another_program_is_not_touched(path: Path) -> None:
    alter(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        EventStore(path)
    assert path.read_bytes() == before


def test_a_newer_format_is_refused(path: Path) -> None:
    fill(path)
    alter(path, "PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="has format 99"):
        EventStore(path)


def test_a_store_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        EventStore(tmp_path / "nowhere" / "store.sqlite")


def test_only_the_owner_can_read_the_store(path: Path) -> None:
    with EventStore(path) as store, store.transaction() as writer:
        writer.append("s", None, "noted", {})
        files = list(path.parent.glob("store.sqlite*"))
        assert len(files) == 3
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
