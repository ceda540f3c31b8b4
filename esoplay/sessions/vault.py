"""The operator's secrets about sessions: their seeds and the locations of their stores.

The vault is a private folder outside all workspaces, which only its owner can read.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from esoplay.errors import StoreError, UnknownSession
from esoplay.grading.seeds import read_seed_file, write_seed_file
from esoplay.paths import state_folder

_SESSION = re.compile(r"[0-9a-f]{12}")
SESSION_BYTES = 6
"""The number of random bytes in a session id, which is written in hexadecimal."""


def default_store() -> Path:
    """Return the path of the default store."""
    return state_folder() / "sessions.sqlite"


class Vault:
    """A private folder of secrets; by default ``sessions`` in the user's state folder."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or state_folder() / "sessions"

    def save(self, session: str, store: Path, seed: bytes | None) -> None:
        """Save store and seed of a new session; ``seed`` is None for the public seed."""
        where = self._file(session, "store")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._restrict_access()
            with open(os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(os.fsencode(store.absolute()))
        except OSError as error:
            raise StoreError(f"cannot write {where}: {error.strerror}") from error
        if seed is not None:
            write_seed_file(self._file(session, "seed"), seed)

    def seed(self, session: str) -> bytes:
        """Return the secret seed. Raises StoreError if it is missing."""
        file = self._file(session, "seed")
        if not file.exists():
            raise StoreError(f"the seed of session {session} is missing; expected {file}")
        return read_seed_file(file)

    def find_store(self, session: str) -> Path:
        """Return the store that contains a session; the default store if none is recorded."""
        try:
            return Path(os.fsdecode(self._file(session, "store").read_bytes()))
        except FileNotFoundError:
            return default_store()
        except OSError as error:
            raise StoreError(f"cannot read {error.filename}: {error.strerror}") from error

    def save_note(self, session: str, kind: str, value: Mapping[str, Any]) -> None:
        """Save a value for a session under ``kind``; each kind can be saved only once."""
        where = self._file(session, kind)
        try:
            with open(os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(value, file)
        except OSError as error:
            raise StoreError(f"cannot write {where}: {error.strerror}") from error

    def read_note(self, session: str, kind: str) -> dict[str, Any] | None:
        """Return the value saved under ``kind``, or None.

        Raises StoreError if the file is unreadable.
        """
        where = self._file(session, kind)
        try:
            return json.loads(where.read_text("ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read {where}: {error}") from error

    def _restrict_access(self) -> None:
        if self.folder.stat().st_mode & 0o077:
            self.folder.chmod(0o700)
            notice = f"{self.folder} was open to other users; mode set to 0700"
            print(f"esoplay: {notice}", file=sys.stderr)

    def _file(self, session: str, kind: str) -> Path:
        if not _SESSION.fullmatch(session):
            raise UnknownSession(f"{session!r} is not a session id; expected 12 hexadecimal digits")
        return self.folder / f"{session}.{kind}"
