"""Damage the database of progress while the application uses it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from esoplay.tui.workspace import FILE_NAME


def damage(folder: Path) -> None:
    """Overwrite the file of an open but idle database so that the next query fails."""
    # After a write on another connection, SQLite reads the file again instead of its page cache.
    other = sqlite3.connect(folder / FILE_NAME)
    other.execute("INSERT OR REPLACE INTO settings VALUES ('view', '1')")
    other.commit()
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    size = (folder / FILE_NAME).stat().st_size
    (folder / FILE_NAME).write_bytes(b"\xff" * size)
