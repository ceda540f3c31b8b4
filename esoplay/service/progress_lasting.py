"""A file with progress that a screen can rely on, whatever happens to it meanwhile."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from esoplay.databases import why_not_writable
from esoplay.errors import StoreError
from esoplay.service.progress_file import ProgressFile, Reading, T, Writing, transact
from esoplay.service.progress_schema import create_tables

PAUSE = 20.0
"""Seconds between two attempts to write to a file that refused."""


class LastingFile(ProgressFile):
    """Reading and writing never fail once it is open.

    A file that is found damaged is set aside, and a new one begun.  Where it can be neither read
    nor written (a full disk, a folder that became read-only) everything goes on in memory, and what
    was to be written is written as soon as that succeeds.

    tell: is called with each notice that comes after the file was opened.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.tell: Callable[[str], None] | None = None
        self._told = len(self.notices)
        self._unwritten: list[Writing] = []
        self._in_memory = False
        self._again_at = 0.0
        if self.read_only:
            self.read_only = False
            self._use_memory(self._db, StoreError(why_not_writable(path)))

    def close(self) -> None:
        """Raises StoreError where something was to be written and cannot be."""
        try:
            if self._unwritten:
                self._write_to_file()
        finally:
            super().close()

    def ask(self, reading: Reading[T]) -> T:
        try:
            return super().ask(reading)
        except StoreError as error:
            self._mend(error)
        try:
            return super().ask(reading)
        except StoreError as error:  # it can be opened, and yet not be read
            self._go_on_in_memory(error)
        return super().ask(reading)

    def write(self, writing: Writing) -> None:
        if self._in_memory:
            self._unwritten.append(writing)
            super().write(writing)
            if time.monotonic() >= self._again_at:
                self._try_again()
            return
        try:
            super().write(writing)
            return
        except StoreError as error:
            self._mend(error)
        if not self._in_memory:
            try:
                super().write(writing)
                return
            except StoreError as error:
                self._go_on_in_memory(error)
        self._unwritten.append(writing)
        super().write(writing)

    def _mend(self, error: StoreError) -> None:
        """Open the file anew, which finds out whether it is damaged; else go on in memory."""
        copy = _copy(self._db)
        self._db.close()  # before, as SQLite removes files beside it by their names
        try:
            self._db = self.open()
        except StoreError as refused:
            self._use_memory(copy, refused if refused.__cause__ else error)
        else:
            copy.close()
            self._tell_news()

    def _go_on_in_memory(self, error: StoreError) -> None:
        copy = _copy(self._db)
        self._db.close()
        self._use_memory(copy, error)

    def _use_memory(self, memory: sqlite3.Connection, error: StoreError) -> None:
        self._db = memory
        self._in_memory = True
        self._again_at = time.monotonic() + PAUSE
        self.notices.append(
            f"Your progress cannot be kept ({error}). It goes on in memory, and is written once "
            "that is possible."
        )
        self._tell_news()

    def _try_again(self) -> None:
        try:
            self._write_to_file()
        except StoreError:
            self._again_at = time.monotonic() + PAUSE
            return
        self.notices.append("Your progress is kept in its file again.")
        self._tell_news()

    def _write_to_file(self) -> None:
        """Write what waits, and use the file again; raises StoreError."""
        db = self.open()
        try:
            transact(db, lambda db: [each(db) for each in self._unwritten])
        except sqlite3.Error as error:
            db.close()
            raise StoreError(f"cannot write {self.path}: {error}") from error
        self._db.close()
        self._db = db
        self._unwritten.clear()
        self._in_memory = False

    def _tell_news(self) -> None:
        if self.tell is not None:
            for notice in self.notices[self._told :]:
                self.tell(notice)
        self._told = len(self.notices)


def _copy(db: sqlite3.Connection) -> sqlite3.Connection:
    """A database in memory with what can be read of this one: everything, or nothing."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        db.backup(memory)
        if memory.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its check failed")
        create_tables(memory)
    except sqlite3.Error:
        memory.close()
        memory = sqlite3.connect(":memory:", isolation_level=None)
        create_tables(memory)
    return memory
