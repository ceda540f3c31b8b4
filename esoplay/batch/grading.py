"""Grade a file of submissions, and write or resume a file of results."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from esoplay.batch.grader_pool import GradedLine, GraderPool
from esoplay.batch.protocol import BatchTerms, ResultHeader, line_digest, result_prefix
from esoplay.batch.submissions import SubmissionLines
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

__all__ = ["BatchProgress", "BatchSummary", "BatchTerms", "ResultsFile", "grade_batch"]


# The file of results


class ResultsFile:
    """New or resumed file of results.  A context manager."""

    def __init__(self, path: Path):
        """Open or create ``path`` and lock it.

        Raises UsageError if it is not writable or already locked.
        """
        self.path = path
        try:
            self._file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"cannot write {path}: {reason}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise UsageError(
                f"{path} is being written by another batch\n"
                "try: wait until it ends, or choose another file with -o"
            ) from None

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def is_same_file(self, fd: int) -> bool:
        """Return whether the open file ``fd`` is this file of results."""
        return os.path.sameopenfile(self._file.fileno(), fd)

    def skip_graded(self, lines: SubmissionLines, terms_digest: str) -> int:
        """Skip the lines that already have results here; return their number.

        Removes an incomplete last line.  Raises UsageError without changes if the file contains
        results of other submissions, or of a batch with other settings.
        """
        if not os.fstat(self._file.fileno()).st_size:
            return 0
        done = 0
        for line in self._file:
            found = lines.wait()
            if found is None:
                raise UsageError(
                    f"{self.path} has more results than there are submissions; choose another "
                    "file for the results"
                )
            number, submission = found
            expected = ResultHeader(number, line_digest(submission), terms_digest, None)
            if not line.endswith(b"\n"):
                self._remove_incomplete_line(line, expected)
                lines.put_back(number, submission)
                break
            done += 1
            self._check(line, done, expected)
        self._file.seek(0, os.SEEK_END)
        return done

    def write(self, line: bytes) -> None:
        """Append the line of a result."""
        self._file.write(line)
        self._file.flush()

    def _check(self, line: bytes, number: int, expected: ResultHeader) -> None:
        try:
            found: object = json.loads(line)
            if not isinstance(found, dict):
                raise TypeError
            data = cast("dict[str, object]", found)
            head = data["line"], data["submission"], data["terms"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UsageError(
                f"{self.path}: line {number} is not a batch result; choose another file for the "
                "results"
            ) from None
        if head[:2] != (expected.line, expected.submission):
            raise UsageError(
                f"{self.path}: line {number} is not the result of line {expected.line} of the "
                "submissions; choose another file for the results"
            )
        if head[2] != expected.terms:
            raise UsageError(
                f"{self.path}: line {number} was graded with another seed, dialect, compare mode, "
                "pack or version of esoplay; choose another file for the results"
            )

    def _remove_incomplete_line(self, line: bytes, expected: ResultHeader) -> None:
        whole = result_prefix(expected)
        if line[: len(whole)] != whole[: len(line)]:
            raise UsageError(
                f"{self.path}: the last line is not a batch result; choose another file for the "
                "results"
            )
        self._file.seek(-len(line), os.SEEK_END)
        self._file.truncate()


@dataclass(slots=True)
class BatchSummary:
    """Number of submissions by result.  before: number of results in the file at the start."""

    before: int = 0
    solved: int = 0
    unsolved: int = 0
    invalid: int = 0
    voided: int = 0

    @property
    def graded_count(self) -> int:
        """Number of submissions graded in this run."""
        return self.solved + self.unsolved + self.invalid + self.voided

    @property
    def exit_code(self) -> int:
        """Exit code: 0 if every submission was graded, whether it passed or failed."""
        return EXIT_FAILED if self.invalid or self.voided else EXIT_PASSED

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Progress of a batch.

    share: finished share of the input, from 0 to 1; None for a pipe or an empty file.
    share_since_start: the same for the input that was not graded before the start; also None if
    nothing remained.  seconds: time since the start.
    """

    summary: BatchSummary
    share: float | None
    share_since_start: float | None
    seconds: float


def grade_batch(
    submissions_fd: int,
    results: Path | Callable[[bytes], object],
    terms: BatchTerms,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[BatchProgress], None] | None = None,
) -> BatchSummary:
    """Grade the submissions in the open file ``submissions_fd`` in ``jobs`` processes.

    results: file to create or resume, or function that receives each line.  The lines are in the
    order of the submissions and do not depend on the process that grades them.  terms: settings
    that decide the verdicts.  cluster: address of a cluster to use instead of ``jobs`` processes;
    see :mod:`esoplay.batch.cluster`.  progress: called after each submission.  An interrupted batch
    can be resumed from its file.  Raises UsageError if the file contains other results, PackError
    if the pack is invalid, and WorkerDied if no process can be started.
    """
    lines = SubmissionLines(submissions_fd)
    if not isinstance(results, Path):
        return _grade(
            _choose_backend(terms, jobs, cluster), lines, results, BatchSummary(), progress
        )
    with ResultsFile(results) as file:
        if file.is_same_file(submissions_fd):
            raise UsageError(
                f"{results} contains the submissions; choose another file for the results"
            )
        summary = BatchSummary(before=file.skip_graded(lines, terms.digest()))
        return _grade(_choose_backend(terms, jobs, cluster), lines, file.write, summary, progress)


GradingBackend = Callable[[SubmissionLines], AbstractContextManager[Iterator[GradedLine]]]


def _choose_backend(terms: BatchTerms, jobs: int, cluster: str | None) -> GradingBackend:
    """Return a function that yields graded lines from local processes or from a cluster."""

    @contextmanager
    def grade_in_processes(lines: SubmissionLines) -> Generator[Iterator[GradedLine]]:
        with GraderPool(terms, jobs) as pool:
            yield pool.grade(lines)

    @contextmanager
    def grade_on_backend(lines: SubmissionLines) -> Generator[Iterator[GradedLine]]:
        from esoplay.batch.cluster import grade_on_cluster

        assert cluster is not None
        with closing(grade_on_cluster(lines, terms, cluster)) as results:
            yield results

    return grade_in_processes if cluster is None else grade_on_backend


def _grade(
    backend: GradingBackend,
    lines: SubmissionLines,
    write: Callable[[bytes], object],
    summary: BatchSummary,
    progress: Callable[[BatchProgress], None] | None,
) -> BatchSummary:
    start_time, start, size = time.monotonic(), lines.taken_bytes, lines.size
    with backend(lines) as results:
        for result in results:
            write(result.line)
            setattr(summary, result.outcome, getattr(summary, result.outcome) + 1)
            if progress is not None:
                share = result.end / size if size else None
                fresh = (result.end - start) / (size - start) if size and size > start else None
                progress(BatchProgress(summary, share, fresh, time.monotonic() - start_time))
    return summary
