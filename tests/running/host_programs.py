"""Running small programs in the lane of Python, for tests."""

from __future__ import annotations

import pytest

from esolangs.limits import MEBIBYTE, Limits
from esoplay.running.host.runner import HostRunner
from esoplay.running.run import Outcome
from esoplay.running.worker import Runner


def python(runner: Runner, source: str, stdin: bytes = b"", **more: float) -> Outcome:
    limits = Limits(output=1000, memory=64 * MEBIBYTE)
    return runner.run(
        *("python", source.encode()),
        stdin=stdin,
        limits=limits,
        time_limit=more.get("time_limit", 60),
    )


def needs(runner: HostRunner, *guards: str) -> None:
    """Not every system lets a program be kept from everything; docs/threat-model.md says so."""
    if not runner.guards:
        python(runner, "")
    lacking = set(guards) - set(runner.guards)
    if lacking:
        pytest.skip(f"this system does not keep programs from: {', '.join(sorted(lacking))}")
