"""Main loop of a grading process, started as ``python -m esoplay.batch.child HEARTBEAT``.

HEARTBEAT is the file descriptor of its heartbeat; see :mod:`esoplay.batch.protocol`.  The process
reads frames from the original stdin until the end; the first frame contains the pickled
:class:`~esoplay.batch.protocol.BatchTerms`.  Results go to the original stdout; stdout itself is
redirected to stderr, so judges cannot write between results.  Programs run in this process.  If the
engine raises an unexpected exception, or if a frame requests it, the program runs in a separate
process, which is killed at the time limit.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time

from esolangs.errors import EngineError
from esoplay.batch.protocol import (
    BATCH_OUTCOMES,
    IDLE_LINE,
    BatchTerms,
    PipeInbox,
    ResultHeader,
    ResultLine,
    WorkerHeartbeat,
    encode_frame,
    graded_result,
    invalid_result,
    line_digest,
    voided_result,
    write_heartbeat,
)
from esoplay.batch.submissions import BatchSubmission, get_id, parse_line, read_submission
from esoplay.errors import EsoplayError, WorkerDied
from esoplay.grading.grader import HiddenTestCache, grade
from esoplay.grading.report import GradeReport
from esoplay.packs.catalogue import get_installed_pack, get_pack
from esoplay.running.run import SHOWN_IN_TEST
from esoplay.running.worker import RunCancelled, Worker

_MAX_BUFFERED = 64 << 10  # maximum bytes of buffered results
_MAX_DELAY = 0.05  # maximum seconds that results are buffered


class _SubmissionGrader:
    """Grader of submissions, one at a time, with a cache of hidden tests."""

    def __init__(self, terms: BatchTerms, heartbeat_fd: int):
        self._terms = terms
        self._terms_digest = terms.digest()
        self._test_cache = HiddenTestCache()
        self._heartbeat_fd = heartbeat_fd
        self._beat = 0
        self._parent = os.getppid()

    def grade_line(self, number: int, line: bytes, isolated: bool) -> ResultLine:
        """Grade the submission in ``line`` and return its result.

        isolated: run the program in a separate process.
        """
        self._write_heartbeat(number)
        try:
            return self._make_result(number, line, isolated)
        finally:
            self._write_heartbeat(IDLE_LINE)

    def _make_result(self, number: int, line: bytes, isolated: bool) -> ResultLine:
        head = ResultHeader(number, line_digest(line), self._terms_digest, None)
        try:
            fields = parse_line(line)
            head = head._replace(id=get_id(fields))
            submission = read_submission(fields, self._terms.folder)
            report = self._make_report(number, submission, isolated)
            shown = None if self._terms.full_output else SHOWN_IN_TEST
            return graded_result(head, submission, report, shown)
        except WorkerDied as error:
            return voided_result(head, str(error))
        except (EsoplayError, EngineError) as error:
            return invalid_result(head, error)

    def _make_report(self, number: int, submission: BatchSubmission, isolated: bool) -> GradeReport:
        if not isolated:
            try:
                return self._grade(number, submission, None)
            except (EsoplayError, EngineError, RunCancelled):
                raise
            except Exception:  # a bug in the engine; the separate process may report it
                pass
        with Worker() as worker:
            return self._grade(number, submission, worker)

    def _grade(
        self, number: int, submission: BatchSubmission, worker: Worker | None
    ) -> GradeReport:
        terms = self._terms
        # A submission must not name a folder: its judges would be executed.
        pack = (
            get_pack(terms.pack) if submission.pack is None else get_installed_pack(submission.pack)
        )
        return grade(
            pack.problem(submission.problem),
            submission.language,
            submission.source,
            seed=terms.seed,
            dialect=submission.dialect or terms.dialect,
            options=submission.options,
            compare=submission.compare or terms.compare,
            worker=worker,
            test_cache=self._test_cache,
            progress=lambda _done, _total: self._write_heartbeat(number),
            cancelled=self._is_orphaned,
        )

    def _write_heartbeat(self, number: int) -> None:
        self._beat += 1
        write_heartbeat(self._heartbeat_fd, WorkerHeartbeat(number, self._beat))

    def _is_orphaned(self) -> bool:
        return os.getppid() != self._parent


def main() -> None:
    """Grade submissions until the parent closes the pipe or exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent handles Ctrl-C
    inbox, out = PipeInbox(os.dup(0)), os.dup(1)
    os.dup2(2, 1)
    terms = inbox.wait()
    if terms is None:
        return
    grader = _SubmissionGrader(pickle.loads(terms.data), int(sys.argv[1]))
    buffered, start_time = bytearray(), 0.0
    try:
        while (request := inbox.wait()) is not None:
            outcome, line = grader.grade_line(request.number, request.data, bool(request.code))
            start_time = start_time if buffered else time.monotonic()
            buffered += encode_frame(BATCH_OUTCOMES.index(outcome), request.number, line)
            full = len(buffered) > _MAX_BUFFERED or time.monotonic() - start_time > _MAX_DELAY
            if full or not inbox.has_more():
                _write(out, buffered)
                buffered.clear()
    except (RunCancelled, BrokenPipeError):
        return  # the parent has exited


def _write(fd: int, data: bytearray) -> None:
    with memoryview(data) as view:
        written = 0
        while written < len(view):
            written += os.write(fd, view[written:])


if __name__ == "__main__":
    main()
