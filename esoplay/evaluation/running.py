"""An evaluation at work: trials in several threads, each step kept as it is made."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, Queue, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from esoplay.errors import WorkerDied
from esoplay.evaluation.desk import Grading, Talk, foretell, solve
from esoplay.evaluation.models.asking import Model, Unavailable
from esoplay.evaluation.models.retrying import FIRST_PAUSE, Retrying, Stopped
from esoplay.evaluation.prompts import Setting
from esoplay.evaluation.transcript import Transcript
from esoplay.evaluation.trials import Trial
from esoplay.grading.grader import Compare
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Problem
from esoplay.running.worker import Worker

_LOOK = 0.5  # seconds after which the main thread looks up, so that it hears of Ctrl-C


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is to be done.

    settings: by language.  items: problems or output predictions, by language and id.  tiers: all
    that the pack has, in its order.
    sampling_seed: of the first run; each further run has the next one.
    """

    trials: Sequence[Trial]
    settings: Mapping[str, Setting]
    items: Mapping[tuple[str, str], Problem | Prediction]
    tiers: Sequence[str]
    attempts: int
    sampling_seed: int | None
    seed: bytes
    compare: Compare
    pack: str | None


class Step(NamedTuple):
    """What just happened: a trial came to its end, was left for another time, or has to wait.

    reason: why, None at the end.  pause: seconds until its question is asked again.
    """

    trial: Trial
    reason: str | None
    pause: float | None = None


_Told = SimpleQueue[Step | BaseException | None]
"""What the trials' threads say to the main one; None when one has nothing left to do."""


def run_trials(
    plan: Plan,
    transcript: Transcript,
    model: Model,
    *,
    jobs: int = 4,
    retries: int = 6,
    first_pause: float = FIRST_PAUSE,
    progress: Callable[[Step], None] | None = None,
) -> list[Step]:
    """Do what is left of the plan; returns the trials that had to be left, with the reasons.

    Whatever ends this early, also Ctrl-C, leaves a transcript to go on with.  Raises UsageError
    where the model can never be asked, and PackError.
    """
    waiting = SimpleQueue[Trial]()
    count = 0
    for trial in plan.trials:
        if trial.id not in transcript.finished:
            waiting.put(trial)
            count += 1
    stop = Event()
    told: _Told = SimpleQueue()
    asked = Retrying(model, retries, stop, first_pause=first_pause)
    with _Workers(min(jobs, os.cpu_count() or 1)) as workers:
        grading = Grading(plan.seed, plan.compare, plan.pack, workers.lent)

        def work() -> None:
            try:
                while not stop.is_set():
                    trial = waiting.get_nowait()
                    told.put(_play(trial, plan, transcript, asked, grading, told))
            except (Empty, Stopped):
                pass
            except BaseException as error:  # the main thread raises it
                told.put(error)
            told.put(None)

        # Daemons: whoever waits for a silent endpoint is not waited for.
        threads = [Thread(target=work, daemon=True) for _ in range(min(jobs, count))]
        try:
            for thread in threads:
                thread.start()
            return _follow(told, len(threads), progress)
        finally:
            stop.set()
            model.close()
            transcript.close()


def _play(
    trial: Trial,
    plan: Plan,
    transcript: Transcript,
    asked: Retrying,
    grading: Grading,
    told: _Told,
) -> Step:
    def waiting(reason: str, pause: float) -> None:
        told.put(Step(trial, reason, pause))

    seed = None if plan.sampling_seed is None else plan.sampling_seed + trial.run - 1
    talk = Talk(trial, transcript, asked, seed, waiting)
    setting = plan.settings[trial.language]
    item = plan.items[trial.language, trial.item]
    try:
        if isinstance(item, Problem):
            solve(trial, setting, item, plan.attempts, talk, transcript, grading)
        else:
            foretell(trial, setting, item, talk, transcript, plan.compare)
    except (Unavailable, WorkerDied) as error:
        return Step(trial, str(error))
    return Step(trial, None)


def _follow(told: _Told, threads: int, progress: Callable[[Step], None] | None) -> list[Step]:
    """Listen until every thread is done; raises what one of them raised."""
    left: list[Step] = []
    while threads:
        try:
            said = told.get(timeout=_LOOK)
        except Empty:
            continue
        if said is None:
            threads -= 1
            continue
        if isinstance(said, BaseException):
            raise said
        if said.reason is not None and said.pause is None:
            left.append(said)
        if progress is not None:
            progress(said)
    return left


class _Workers:
    """Processes that run programs, lent to whoever has one to run."""

    def __init__(self, most: int):
        self._workers = [Worker() for _ in range(most)]
        self._free = Queue[Worker]()
        for worker in self._workers:
            self._free.put(worker)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        """Those that are lent are not waited for; their processes end with this one."""
        with suppress(Empty):
            while True:
                self._free.get_nowait().close()

    @contextmanager
    def lent(self) -> Generator[Worker]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            self._free.put(worker)
