"""Grade on a cluster: joblib distributes chunks of submissions with Dask or Ray.

A worker grades a chunk with the same code as a local run, in a pool of one process, so the results
are identical.
If a worker dies, the cluster retries its chunks on other workers.  The number of chunks in progress
is limited, so memory does not grow with the batch.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.batch.grader_pool import GradedLine, GraderPool
from esoplay.batch.protocol import BatchOutcome, BatchTerms
from esoplay.batch.submissions import SubmissionLines
from esoplay.errors import UsageError, WorkerDied

MAX_CHUNK_LINES = 100
"""Maximum number of submissions in one chunk."""

_CHUNK_BYTES = 4 << 20  # size in bytes at which a chunk ends
_WINDOW = 8  # chunks in progress per process of the cluster
_CONNECT_SECONDS = 15  # seconds to wait for the scheduler and for the first worker
_RETRIES = 3  # retries of a chunk, each on another worker; Dask's default
_LOST_WORKER_ERRORS = (
    "KilledWorker",
    "ActorDiedError",
    "ActorUnavailableError",
)  # errors of Dask and Ray about dead workers


class Chunk(NamedTuple):
    """Submissions with their numbers, and the input offset after each of them."""

    numbers: list[int]
    lines: list[bytes]
    ends: list[int]


class GradedChunk(NamedTuple):
    """Results of a chunk, and the digest of the settings with which they were graded."""

    terms_digest: str
    results: list[tuple[BatchOutcome, bytes]]


def grade_on_cluster(
    lines: SubmissionLines, terms: BatchTerms, cluster: str
) -> Generator[GradedLine]:
    """Grade the rest of a batch on a cluster; yield the results in the order of the lines.

    lines: reader of the batch, which may have returned lines before.  cluster: the address of a
    Dask scheduler such as ``tcp://host:8786``, a Dask scheduler file, ``ray``, or
    ``ray://host:port``.  Raises UsageError if there is no cluster, the extra ``batch``
    is not installed, or the workers have another version of esoplay or the pack, and WorkerDied if
    a chunk crashed several workers.
    """
    terms_digest, delayed = terms.digest(), _import_library("joblib").delayed
    with _connect(cluster) as (backend, processes):
        chunks, asked = _chunks(lines), list[Chunk]()

        def calls() -> Iterator[Any]:
            for chunk in chunks:
                asked.append(chunk)
                # Pass a single callable without arguments, because Ray's pool retains every
                # argument.
                yield delayed(partial(grade_chunk, terms, chunk.numbers, chunk.lines))()

        try:
            for graded in _run_in_order(calls(), backend, processes):
                if graded.terms_digest != terms_digest:
                    raise UsageError(
                        f"the workers of {cluster} and this machine have different versions of "
                        "esoplay or of the pack; install the same versions"
                    )
                chunk = asked.pop(0)
                for (word, line), end in zip(graded.results, chunk.ends, strict=True):
                    yield GradedLine(word, line, end)
        except Exception as error:
            if any(type(each).__name__ in _LOST_WORKER_ERRORS for each in _find_causes(error)):
                raise WorkerDied(
                    f"workers of {cluster} ended repeatedly, or none is left; run the same "
                    "command again to resume"
                ) from error
            raise


def _find_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, because errors of joblib's cleanup can hide the first one."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def grade_chunk(terms: BatchTerms, numbers: list[int], lines: list[bytes]) -> GradedChunk:
    """Grade a chunk on a worker, in a process that is reused for later chunks."""
    pool = _pool_for_thread(terms)
    results = pool.grade(_AvailableLines(numbers, lines))  # pyright: ignore[reportArgumentType]
    return GradedChunk(terms.digest(), [(result.outcome, result.line) for result in results])


class _AvailableLines:
    """Lines in memory; implements the part of ``SubmissionLines`` that a pool uses."""

    pipe_fd = None
    taken_bytes = 0

    def __init__(self, numbers: list[int], lines: list[bytes]):
        self._left = list(zip(numbers, lines, strict=True))[::-1]

    @property
    def has_ended(self) -> bool:
        return not self._left

    def take(self) -> tuple[int, bytes] | None:
        return self._left.pop() if self._left else None


_thread_local = threading.local()  # a worker may have several threads, each with its own pool


def _pool_for_thread(terms: BatchTerms) -> GraderPool:
    """Return this thread's pool of grading processes, which grade under ``terms``.

    A pool that the thread has for other terms is closed and replaced.
    """
    kept: tuple[BatchTerms, GraderPool] | None = getattr(_thread_local, "kept", None)
    if kept is not None and kept[0] == terms:
        return kept[1]
    if kept is not None:
        kept[1].__exit__()
    pool = GraderPool(terms, 1)
    atexit.register(pool.__exit__)
    _thread_local.kept = terms, pool
    return pool


def _chunks(lines: SubmissionLines) -> Iterator[Chunk]:
    chunk, size = Chunk([], [], []), 0
    while (found := lines.wait()) is not None:
        number, line = found
        chunk.numbers.append(number)
        chunk.lines.append(line)
        chunk.ends.append(lines.taken_bytes)
        size += len(line)
        if len(chunk.lines) == MAX_CHUNK_LINES or size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = Chunk([], [], []), 0
    if chunk.lines:
        yield chunk


_MISSING = "--cluster needs an extra: pip install 'esoplay[batch]' for Dask, 'esoplay[ray]' for Ray"


def _import_library(name: str) -> Any:
    """Import a module of an optional dependency, untyped because it may not be installed."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(_MISSING) from None


def _run_in_order(calls: Iterator[Any], backend: Any, processes: int) -> Iterator[GradedChunk]:
    """Yield the results in the order of the calls; limit the number of calls in progress."""
    joblib = _import_library("joblib")
    window = max(2, _WINDOW * processes)
    with joblib.parallel_config(backend=backend):
        if backend.supports_return_generator:
            parallel = joblib.Parallel(
                n_jobs=-1, batch_size=1, pre_dispatch=window, return_as="generator"
            )
            yield from parallel(calls)
            return
        with joblib.Parallel(n_jobs=-1, batch_size=1) as parallel:  # one pool for all windows
            while some := list(islice(calls, window)):
                yield from parallel(some)


@contextmanager
def _connect(cluster: str) -> Generator[tuple[Any, int]]:
    """Connect joblib to a cluster; yield the backend and the number of processes."""
    if re.fullmatch(r"ray(://.+)?", cluster):
        yield from _connect_to_ray(cluster)
    elif re.match(r"[a-z]+://", cluster) or cluster.endswith(".json"):
        yield from _connect_to_dask(cluster)
    else:
        raise UsageError(
            f"--cluster must be a Dask scheduler such as tcp://host:8786, its scheduler file "
            f"(.json), ray, or ray://host:port; not {cluster!r}"
        )


def _connect_to_dask(cluster: str) -> Iterator[tuple[Any, int]]:
    backends = _import_library("joblib._dask")
    distributed = _import_library("distributed")
    address = cluster if "://" in cluster else _address_in(Path(cluster))
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at {cluster}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        except TimeoutError:
            raise UsageError(f"the Dask cluster at {cluster} has no workers") from None
        backend = backends.DaskDistributedBackend(client=client, pure=False)
        yield backend, sum(client.ncores().values())


def _address_in(file: Path) -> str:
    """Read the scheduler's address from its file; wait until the scheduler has written it.

    Dask's client would wait forever for a missing file.
    """
    end = time.monotonic() + _CONNECT_SECONDS
    while True:
        try:
            return str(json.loads(file.read_bytes())["address"])
        except FileNotFoundError:
            reason = "file not found"
        except OSError as error:
            raise UsageError(f"cannot read {file}: {error.strerror}") from None
        except (ValueError, LookupError, TypeError, RecursionError):
            reason = "expected a Dask scheduler file with an `address`"
        if time.monotonic() >= end:
            raise UsageError(f"no Dask scheduler answers at {file}: {reason}")
        time.sleep(0.1)


_RAY_WORKERS = {
    "max_restarts": -1,  # restart killed workers
    "max_task_retries": _RETRIES,  # retry the chunks of killed workers
    "scheduling_strategy": "SPREAD",  # workers do not reserve a processor
}


def _connect_to_ray(cluster: str) -> Iterator[tuple[Any, int]]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # submissions are private
    ray, backends = _import_library("ray"), _import_library("ray.util.joblib.ray_backend")
    # Ray reports dead workers and the normal end of its pool on stdout, where results may go.
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        try:
            ray.init(
                None if cluster == "ray" else cluster,
                ignore_reinit_error=True,
                log_to_driver=False,
                logging_level="ERROR",
            )
        except Exception as error:  # Ray does not raise specific types if it cannot start
            reason = " ".join(str(error).split())
            raise UsageError(f"no Ray cluster answers at {cluster}: {reason}") from None
        try:
            processes = int(ray.cluster_resources().get("CPU", 1))
            yield backends.RayBackend(ray_remote_args=_RAY_WORKERS), processes
        finally:
            ray.shutdown()
