"""Grade a file of submissions: from its lines, or where it stopped, to a line of result each."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from esoplay.service.batch.crew import Crew, Result
from esoplay.service.batch.lines import Lines
from esoplay.service.batch.results_file import ResultsFile
from esoplay.service.batch.terms import Terms

__all__ = ["Progress", "Summary", "Terms", "grade_batch"]


@dataclass(slots=True)
class Summary:
    """How many submissions came to what.  before: those that had a result at the start."""

    before: int = 0
    solved: int = 0
    unsolved: int = 0
    invalid: int = 0
    voided: int = 0

    @property
    def done(self) -> int:
        """Those that got their result this time."""
        return self.solved + self.unsolved + self.invalid + self.voided

    @property
    def exit_code(self) -> int:
        """0 when every submission got its verdict, whatever it is."""
        return EXIT_FAILED if self.invalid or self.voided else EXIT_PASSED

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Progress:
    """share: of the input that is done, from 0 to 1, None for a pipe.  seconds: since the start.

    fresh: the share that is done of what was left at the start, or None.
    """

    summary: Summary
    share: float | None
    fresh: float | None
    seconds: float


def grade_batch(
    submissions: int,
    results: Path | Callable[[bytes], object],
    terms: Terms,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """Grade what the open file ``submissions`` holds, in ``jobs`` processes at a time.

    ``cluster`` names one that grades instead of them; see :mod:`esoplay.service.batch.cluster`.

    ``results`` is a file to begin or to go on with, or takes one line after the other.  Lines
    come in the order of the submissions and do not depend on who grades them.  ``progress`` is
    told after each.  Whatever ends this early leaves a file to go on with.  Raises UsageError where
    the file holds other results, PackError, and WorkerDied when no process can be started.
    """
    lines = Lines(submissions)
    if not isinstance(results, Path):
        return _grade(_graders(terms, jobs, cluster), lines, results, Summary(), progress)
    with ResultsFile(results) as file:
        if file.is_same_as(submissions):
            raise UsageError(f"{results} holds the submissions; name another file for the results")
        summary = Summary(before=file.skip_done(lines, terms.digest()))
        return _grade(_graders(terms, jobs, cluster), lines, file.write, summary, progress)


Graders = Callable[[Lines], AbstractContextManager[Iterator[Result]]]


def _graders(terms: Terms, jobs: int, cluster: str | None) -> Graders:
    """Who grades: processes here, or a cluster."""

    @contextmanager
    def here(lines: Lines) -> Generator[Iterator[Result]]:
        with Crew(terms, jobs) as crew:
            yield crew.grade(lines)

    @contextmanager
    def there(lines: Lines) -> Generator[Iterator[Result]]:
        from esoplay.service.batch.cluster import grade_on_cluster

        assert cluster is not None
        with closing(grade_on_cluster(lines, terms, cluster)) as results:
            yield results

    return here if cluster is None else there


def _grade(
    graders: Graders,
    lines: Lines,
    write: Callable[[bytes], object],
    summary: Summary,
    progress: Callable[[Progress], None] | None,
) -> Summary:
    began, start, size = time.monotonic(), lines.taken, lines.size
    with graders(lines) as results:
        for result in results:
            write(result.line)
            setattr(summary, result.word, getattr(summary, result.word) + 1)
            if progress is not None:
                share = result.end / size if size else None
                fresh = (result.end - start) / (size - start) if size and size > start else None
                progress(Progress(summary, share, fresh, time.monotonic() - began))
    return summary
