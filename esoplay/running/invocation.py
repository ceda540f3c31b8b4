"""How a test runs a program in an ordinary language (of a host lane), and how it must end."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class ProgramInvocation(NamedTuple):
    """How a test runs a host lane's program, and how the run must end, besides input and output.

    arguments: command-line arguments.  exit_code, stderr: expected exit code and stderr; anything
    else is a fault.  server: source of a Python program that serves HTTP on the loopback device
    while the program runs, or None.
    """

    arguments: tuple[str, ...] = ()
    exit_code: int = 0
    stderr: bytes = b""
    server: str | None = None

    @property
    def must_fail(self) -> bool:
        """Whether the run must end with an exit status other than 0, or write to stderr."""
        return bool(self.exit_code or self.stderr)

    def as_rows(self) -> dict[str, str]:
        """Return arguments, exit code and stderr that differ from ``PLAIN``, as texts by name."""
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
        """Return a JSON value for each condition that differs from ``PLAIN``, by name.

        The source of the server is not included.
        """
        found: dict[str, Any] = {}
        if self.arguments:
            found["arguments"] = list(self.arguments)
        if self.exit_code:
            found["exit"] = self.exit_code
        if self.stderr:
            found["stderr"] = self.stderr.decode("utf-8", "replace")
        return found


PLAIN = ProgramInvocation()
"""The default conditions of a test: no arguments, exit code 0, nothing on stderr, no server.

Programs in every language can pass such tests.
"""
