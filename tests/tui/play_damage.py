"""A file of progress that is damaged while it is in use."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from esoplay.tui.workspace import FILE_NAME


def damage(folder: Path) -> None:
    """Damage the file of a store that is open but idle, so that its next query notices."""
    # A write on another connection makes SQLite read the file again, if it has not read it since.
    other = sqlite3.connect(folder / FILE_NAME)
    other.execute("INSERT OR REPLACE INTO settings VALUES ('view', '1')")
    other.commit()
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    size = (folder / FILE_NAME).stat().st_size
    (folder / FILE_NAME).write_bytes(b"\xff" * size)
