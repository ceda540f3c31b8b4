"""Files where an agent may have put anything: pipes, links, devices, and very many bytes."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

_CAREFUL = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE = 1 << 20


def open_regular(file: Path) -> BinaryIO:
    """Open a file that is neither link, pipe nor device; raises OSError."""
    descriptor = os.open(file, _CAREFUL)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is no regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(file: Path, most: int) -> bytes:
    """What is in a file of at most ``most`` bytes; raises OSError."""
    with open_regular(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(f"it has more than {most:,} bytes")
    return data


def digest_of(file: Path, most: int) -> str | None:
    """The SHA-256 of a file; None for what is not there, is no file, or has too many bytes."""
    found = sha256()
    try:
        with open_regular(file) as stream:
            while data := stream.read(_PIECE):
                found.update(data)
                most -= len(data)
                if most < 0:
                    return None
    except OSError:
        return None
    return found.hexdigest()
