"""Programs that solved a problem, each a file named by its SHA-256: the editor may go on."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from esoplay.errors import StoreError

FOLDER = "solutions"


class SolutionFiles:
    """Keeps programs in a folder of the state folder; nothing in it is ever changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep(self, source: bytes) -> str:
        """Make sure that a program is kept; returns its digest.  Raises StoreError."""
        digest = sha256(source).hexdigest()
        if self.read(digest) is None:
            self._write(self.path(digest), source)
        return digest

    def path(self, digest: str) -> Path:
        """Where a program is, or would be."""
        return self._folder / digest

    def read(self, digest: str | None) -> bytes | None:
        """A program that was kept; None where its file is gone, or is not what its name says."""
        if digest is None:
            return None
        try:
            source = self.path(digest).read_bytes()
        except OSError:
            return None
        return source if sha256(source).hexdigest() == digest else None

    def _write(self, path: Path, source: bytes) -> None:
        """A reader finds the whole program or none, also after a crash in between."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(source)
                Path(name).replace(path)
            except BaseException:
                with suppress(OSError):
                    Path(name).unlink()
                raise
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from error
