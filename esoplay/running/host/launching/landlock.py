"""Landlock: the same files for a program where it gets no file system of its own.

Linux lets any process give up rights to files, in containers too; see landlock(7).  What is not
given up by it, changing modes and owners of files, is refused by ``system_calls``.
"""

# ruff: noqa: PTH112

from __future__ import annotations

import ctypes
import os
import struct

from esoplay.running.host.launching.file_system import DEVICES
from esoplay.running.host.launching.kernel import Kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all architectures
_ASK_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE, _READ, _READ_FOLDER, _TRUNCATE, _DEVICE_CONTROL = (1, 2, 4, 8, 1 << 14, 1 << 15)
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | _DEVICE_CONTROL
_SCOPES = 1 | 2  # abstract sockets and signals


def confine(kernel: Kernel, spec: dict[str, Any]) -> bool:
    """Give up all files but those ``spec`` names; false where that does not hold for all rights.

    For a process that cannot win rights any more (no_new_privs).  Signals to processes outside
    are given up as well, where the system knows how (Linux 6.12), and so is looking into these.
    """
    try:
        version = kernel.call(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    except OSError:
        return False
    rights = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    words = 1 if version < 4 else 2 if version < 6 else 3
    attributes = struct.pack("=QQQ", rights, 0, _SCOPES)[: 8 * words]
    rules = kernel.call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    readable = _EXECUTE | _READ | _READ_FOLDER
    for path in spec["show"]:
        for part in _without(path, spec["hide"]):
            _allow(kernel, rules, part, rights & readable)
    for path in (*spec["write"], spec["scratch"]):
        _allow(kernel, rules, path, rights)
    for path in DEVICES:
        _allow(kernel, rules, path, rights & (_READ | _WRITE | _TRUNCATE))
    kernel.call(_RESTRICT_SELF, rules, 0)
    os.close(rules)
    return version >= 3  # before, nothing kept a program from emptying a file


def _without(path: str, hidden: Iterable[str]) -> Iterator[str]:
    """``path``, or in its place what is in there as far as it holds nothing hidden."""
    inside = [one for one in hidden if f"{one}/".startswith(f"{path}/")]
    if not inside:
        yield path
    elif path not in inside:
        for name in os.listdir(path):
            yield from _without(os.path.join(path, name), inside)


def _allow(kernel: Kernel, rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is not there, or not for this user
        return
    if not os.path.isdir(path):
        rights &= _OF_FILES
    kernel.call(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    os.close(place)
