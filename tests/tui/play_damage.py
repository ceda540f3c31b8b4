"""A file of progress that is spoiled while it is in use."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from esoplay.tui.desk import FILE_NAME


def damage(folder: Path) -> None:
    """Spoil the file of a store that is open, so that it notices with the next query."""
    other = sqlite3.connect(folder / FILE_NAME)  # a write of its own makes SQLite read anew
    other.execute("INSERT OR REPLACE INTO settings VALUES ('view', '1')")
    other.commit()
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    size = (folder / FILE_NAME).stat().st_size
    (folder / FILE_NAME).write_bytes(b"\xff" * size)
