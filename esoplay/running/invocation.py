"""How a program of a host lane is started for one test, and how it must end."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class ProgramInvocation(NamedTuple):
    """The conditions of a run besides its input.

    arguments: of the command line.  exit_code, stderr: how the run must end; another end is a
    fault.  server: the source of a Python program that serves HTTP on the loopback device while the
    program runs, or None.
    """

    arguments: tuple[str, ...] = ()
    exit_code: int = 0
    stderr: bytes = b""
    server: str | None = None

    @property
    def must_fail(self) -> bool:
        """Whether the run must end with an exit status, or print on stderr."""
        return bool(self.exit_code or self.stderr)

    def as_rows(self) -> dict[str, str]:
        """Return what differs from an ordinary run, by name, for people; a server is left out."""
        rows: dict[str, str] = {}
        if self.arguments:
            rows["arguments"] = " ".join(
                json.dumps(one, ensure_ascii=False) for one in self.arguments
            )
        if self.exit_code:
            rows["exit"] = str(self.exit_code)
        if self.stderr:
            rows["stderr"] = json.dumps(self.stderr.decode("utf-8", "replace"), ensure_ascii=False)
        return rows

    def as_json(self) -> dict[str, Any]:
        """Return the members of a test in JSON that differ from an ordinary run."""
        found: dict[str, Any] = {}
        if self.arguments:
            found["arguments"] = list(self.arguments)
        if self.exit_code:
            found["exit"] = self.exit_code
        if self.stderr:
            found["stderr"] = self.stderr.decode("utf-8", "replace")
        return found


PLAIN = ProgramInvocation()
"""The conditions of ordinary tests, which programs in every language can meet."""
