"""Who runs a program: a worker for the engines, a host runner for lanes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Protocol

from esolangs.limits import Limits
from esoplay.running.outcome import Outcome
from esoplay.running.run import TIME_LIMIT
from esoplay.running.worker import Worker


class Runner(Protocol):
    """What runs programs one after the other, each under limits and in a process apart."""

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        limits: Limits | None = None,
        time_limit: float = TIME_LIMIT,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """The outcome; raises Cancelled, and WorkerDied where the program is not at fault."""
        ...


@contextmanager
def runner_for(language_id: str, given: Runner | None) -> Generator[Runner | None]:
    """``given``, or where the language is a lane and it runs none, a host runner that does.

    A program is compiled once for all runs in this context, and nothing of it is left after.
    """
    from esoplay.running.host.lanes import is_lane  # late: of no use to a run of an engine

    if not is_lane(language_id):
        yield given
        return
    from esoplay.running.host.runner import HostRunner  # late: grading esolangs needs none of it

    if isinstance(given, HostRunner):
        yield given
        return
    with given.for_lanes() if isinstance(given, Worker) else HostRunner() as runner:
        yield runner
