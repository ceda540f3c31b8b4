"""How a program of a host lane is started for one test, and how it must end."""

from __future__ import annotations

from typing import NamedTuple


class Invocation(NamedTuple):
    """The conditions of a run besides its input.

    arguments: of the command line.  exit_code, stderr: how the run must end; another end is a
    fault.  server: the source of a Python program that serves HTTP on the loopback device while the
    program runs, or None.
    """

    arguments: tuple[str, ...] = ()
    exit_code: int = 0
    stderr: bytes = b""
    server: str | None = None


PLAIN = Invocation()
"""The conditions of ordinary tests, which programs in every language can meet."""
