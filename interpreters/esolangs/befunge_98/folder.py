"""The folder that a program may use: resolving names inside it, and opening files.

Absolute names, ``..``, symbolic links out of the folder, and anything that is not a regular file
are refused.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import contextmanager

    from esolangs.befunge_98.transaction import Transaction

    Parts = tuple[str, ...]
else:
    from contextlib import contextmanager

MAX_BYTES = 1 << 22
"""Maximum number of bytes in one read or write, and in a file that a program extends."""

MAX_CREATED = 1000
"""Maximum number of files and folders that a run creates, including deleted ones."""

MAX_NAME_BYTES = 1024
"""Maximum length of a file name in bytes; one step looks up every folder on its path."""

# Do not follow a symbolic link, and do not wait for a pipe.
_SAFE_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def decode_name(name: list[int]) -> str | None:
    """Return the text of a name, or None if it is not valid as a file name in the folder.

    name: the characters of the name, as values of the stack.
    """
    if not 0 < len(name) <= MAX_NAME_BYTES or not all(0 < char < 256 for char in name):
        return None
    text = os.fsdecode(bytes(name))
    return None if text.startswith("/") or "\\" in text or ":" in text else text


def resolve_name(transaction: Transaction, name: list[int]) -> Parts | None:
    """Resolve a name to a path relative to the allowed folder; None if it is refused."""
    text = decode_name(name)
    if text is None:
        return None
    parts = text.split("/")
    if os.pardir in parts or parts[len(parts) - 1] in ("", os.curdir):
        return None
    return (*current_folder(transaction), *parts)


def current_folder(transaction: Transaction) -> Parts:
    """Return the program's current folder, as a path relative to the allowed folder.

    Instructions of the fingerprint DIRF change it.
    """
    return transaction.load("DIRF", shared=True) or ()


def path_to(transaction: Transaction, parts: Parts | None) -> str | None:
    """Return the path of a file on this machine, or None if it leads out of the allowed folder.

    parts: the components of its path from the allowed folder, as ``resolve_name`` returns them.
    """
    folder = None if transaction.world is None else transaction.world.folder
    if folder is None or not parts:
        return None
    root = os.path.realpath(folder)
    try:
        inside = os.path.realpath(os.path.dirname(os.path.join(root, *parts)))
    except (OSError, ValueError):
        return None
    return os.path.join(inside, parts[-1]) if _is_within(inside, root) else None


def is_free_path(path: str | None) -> bool:
    """Return whether ``path`` is free for a new file: it is allowed and nothing exists at it.

    path: None if the path is not allowed.
    """
    return path is not None and not os.path.lexists(path)


def may_create(transaction: Transaction) -> bool:
    """Return whether the program may create one more file or folder."""
    return (transaction.load("created", shared=True) or 0) < MAX_CREATED


def count_created(transaction: Transaction) -> None:
    """Add 1 to the number of created files and folders, which is saved in the run's state."""
    transaction.save("created", (transaction.load("created", shared=True) or 0) + 1, 0, shared=True)


def is_folder(transaction: Transaction, parts: Parts) -> bool:
    """Return whether this path in the allowed folder is a folder."""
    folder = None if transaction.world is None else transaction.world.folder
    if folder is None:
        return False
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, *parts))
    return _is_within(path, root) and os.path.isdir(path)  # noqa: PTH112


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(os.path.join(root, ""))


@contextmanager
def open_file(path: str | None, flags: int) -> Generator[int | None]:
    """Open a regular file, yield its descriptor and close the file; on failure, yield None."""
    if path is None:
        yield None
        return
    try:
        file = os.open(path, flags | _SAFE_FLAGS, 0o666)
    except (OSError, ValueError):
        yield None
        return
    try:
        yield file if stat.S_ISREG(os.fstat(file).st_mode) else None
    finally:
        os.close(file)
