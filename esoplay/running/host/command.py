"""A command as the launcher is told of it."""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from esoplay.running.host.box import Box


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the box it runs in.

    words: the first is the path of the executable.  show: paths that it may read; hide: folders
    in there that it may not see all the same; writable: such that it may write.
    limits: by the names of ``resource`` without ``RLIMIT_``.  resident: bytes that all of its
    processes may have in memory together, None where the address space is bounded.
    """

    words: Sequence[str]
    environment: Mapping[str, str]
    box: Box
    show: Sequence[str]
    hide: Sequence[str]
    limits: Mapping[str, int]
    resident: int | None
    scratch_bytes: int
    writable: Sequence[str] = ()

    def spec(self) -> str:
        """What the launcher is told."""
        told = {
            "command": list(self.words),
            "environment": dict(self.environment),
            "show": list(self.show),
            "write": list(self.writable),
            "hide": list(self.hide),
            "root": str(self.box.root),
            "scratch": str(self.box.scratch),
            "scratch_bytes": self.scratch_bytes,
            "user": self.box.user,
            "limits": dict(self.limits),
            "isolate": not os.environ.get("ESOPLAY_NO_NAMESPACES"),
        }
        return marshal.dumps(told).hex()
