"""Protocol between a batch and its grading processes: frames, heartbeat, settings and results.

A frame is a header and the line of a submission or, in the other direction, of its result.  The
heartbeat is a file of a few bytes, to which a process writes its position before each run.  It can
be read without messages, even after the process has died.

Every result is a line of JSON that begins with ``line``, ``submission`` and ``terms``: the number
of the submission's line from 1, the digest of that line, and the digest of the terms.  With them, a
resumed batch checks that its file matches the submissions.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import struct
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from esoplay.batch.submissions import BatchSubmission, find_id
from esoplay.grading.output_comparison import Compare
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import commitment, report_salt
from esoplay.packs.catalogue import get_pack
from esoplay.running.run import GRADING_LIMITS, SHOWN_IN_TEST, TIME_LIMIT
from esoplay.version import VERSION

BatchOutcome = Literal["solved", "unsolved", "invalid", "voided"]
BATCH_OUTCOMES: tuple[BatchOutcome, ...] = ("solved", "unsolved", "invalid", "voided")
"""Possible results of a submission; the frame of a result contains an index into this list."""

IDLE_LINE = 0
"""Line number in the heartbeat of an idle process; submissions have line numbers from 1."""

_FRAME_HEADER = struct.Struct("<BQI")
_HEARTBEAT = struct.Struct("<QQ")
_MAX_READ_BYTES = 256 << 10  # maximum bytes of one read


class MessageFrame(NamedTuple):
    """Frame with a submission or a result.

    code: for a result, an index of ``BATCH_OUTCOMES``; for a submission, 1 to request that
    its program runs in a separate process.
    number: line number from 1.
    """

    code: int
    number: int
    data: bytes


def encode_frame(code: int, number: int, data: bytes) -> bytes:
    """Encode a frame."""
    return _FRAME_HEADER.pack(code, number, len(data)) + data


class FrameReader:
    """Decoder that splits a stream of bytes into frames and buffers incomplete ones."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def take(self) -> MessageFrame | None:
        """Return the next complete frame, or None if none has arrived."""
        if len(self._bytes) < _FRAME_HEADER.size:
            return None
        code, number, length = _FRAME_HEADER.unpack_from(self._bytes)
        end = _FRAME_HEADER.size + length
        if len(self._bytes) < end:
            return None
        data = bytes(memoryview(self._bytes)[_FRAME_HEADER.size : end])
        del self._bytes[:end]
        return MessageFrame(code, number, data)


class PipeInbox:
    """Reader of frames from a pipe."""

    def __init__(self, fd: int):
        self._fd = fd
        self._frames = FrameReader()
        self._next: MessageFrame | None = None

    def wait(self) -> MessageFrame | None:
        """Wait for the next frame and return it, or None at the end of the pipe."""
        found, self._next = self._next, None
        while found is None:
            found = self._frames.take()
            if found is None and not self._read():
                return None
        return found

    def has_more(self) -> bool:
        """Return whether the next frame has already arrived."""
        while self._next is None:
            self._next = self._frames.take()
            if self._next is None:
                ready, _, _ = select.select([self._fd], [], [], 0)
                if not ready or not self._read():
                    return False
        return True

    def _read(self) -> bool:
        data = os.read(self._fd, _MAX_READ_BYTES)
        self._frames.feed(data)
        return bool(data)


class WorkerHeartbeat(NamedTuple):
    """Progress of a grading process.

    line: number of the line being graded, or ``IDLE_LINE``.  beat: counter that increases
    with each run.
    """

    line: int
    beat: int


def write_heartbeat(fd: int, heartbeat: WorkerHeartbeat) -> None:
    """Write the heartbeat of this process."""
    os.pwrite(fd, _HEARTBEAT.pack(*heartbeat), 0)


def read_heartbeat(fd: int) -> WorkerHeartbeat:
    """Return the progress of a process, even if it has exited."""
    data = os.pread(fd, _HEARTBEAT.size, 0)
    return (
        WorkerHeartbeat(*_HEARTBEAT.unpack(data))
        if len(data) == _HEARTBEAT.size
        else WorkerHeartbeat(IDLE_LINE, 0)
    )


# Terms: the settings of a whole batch, and their digest, which every result contains

DIGEST_DIGITS = 16
"""Number of hexadecimal digits of a digest in results; 64 bits suffice to detect changes."""


@dataclass(frozen=True, slots=True)
class BatchTerms:
    """Settings of a batch, which submissions may override.

    seed: seed of the hidden tests, which only grading processes receive.
    compare: None for the mode of each pack.
    folder: base of relative paths in submissions.
    full_output: whether results contain the complete output of tests; it does not affect verdicts.
    """

    seed: bytes
    dialect: str
    compare: Compare | None
    pack: str | None
    folder: str
    full_output: bool = False

    def digest(self) -> str:
        """Return a digest of these settings that does not reveal the seed.

        It includes all settings that affect verdicts: seed, pack and its version, generator,
        dialect, comparison, limits and the version of esoplay.  The folder is not included, so that
        files can be moved before a batch is resumed.  Raises UsageError if the pack does not exist,
        and PackError if it is invalid.
        """
        pack = get_pack(self.pack)
        seed_commitment = commitment(self.seed, report_salt(self.seed), pack.name)
        compare = pack.compare if self.compare is None else f"={self.compare}"
        times = [[each.id, each.time_limit] for each in pack if each.time_limit != TIME_LIMIT]
        bound = [VERSION, seed_commitment, self.dialect, compare, *_limits(), *times]
        return hashlib.sha256(json.dumps(bound).encode()).hexdigest()[:DIGEST_DIGITS]


def line_digest(line: bytes) -> str:
    """Return the digest of a submission's line without its line break."""
    return hashlib.sha256(line.rstrip(b"\r\n")).hexdigest()[:DIGEST_DIGITS]


def _limits() -> list[int]:
    limits = GRADING_LIMITS
    return [limits.steps, limits.output, limits.memory, limits.work]


# Results

ResultLine = tuple[BatchOutcome, bytes]
"""Result of a submission: one of ``BATCH_OUTCOMES``, and its JSON line."""


class ResultHeader(NamedTuple):
    """Fields at the start of every result.  id: of the submission, or None."""

    line: int
    submission: str
    terms: str
    id: str | int | None


def make_header(number: int, line: bytes, terms_digest: str) -> ResultHeader:
    """Return the header of the result of a submission.

    number, line: the number and text of the submission's line.  terms_digest: see
    ``BatchTerms.digest``.
    """
    return ResultHeader(number, line_digest(line), terms_digest, find_id(line))


def graded_result(
    head: ResultHeader,
    submission: BatchSubmission,
    report: GradeReport,
    max_bytes: int | None = SHOWN_IN_TEST,
) -> ResultLine:
    """Return the result of a graded submission. max_bytes: see ``GradeReport.as_json``."""
    program = {
        "program_sha256": hashlib.sha256(submission.source).hexdigest(),
        "program_size": len(submission.source),
        "dialect": report.dialect,
    }
    data = {"status": "graded", **program, **report.as_json(max_bytes)}
    return "solved" if report.solved else "unsolved", _encode(head, data)


def invalid_result(head: ResultHeader, error: Exception) -> ResultLine:
    """Return the result of an invalid submission, which is not retried."""
    kind: str = getattr(error, "kind", "usage")  # errors of engines do not have a kind
    data = {"status": "invalid", "error": {"kind": kind, "message": str(error)}}
    return "invalid", _encode(head, data)


def voided_result(head: ResultHeader, reason: str) -> ResultLine:
    """Return the result of a submission that could not be graded, for an internal reason."""
    data = {"status": "voided", "error": {"kind": "internal_error", "message": reason}}
    return "voided", _encode(head, data)


def result_prefix(head: ResultHeader) -> bytes:
    """Return the first bytes of a result with this header, which are the same for all verdicts."""
    return json.dumps(head._replace(id=None)._asdict()).partition(', "id"')[0].encode("ascii")


def _encode(head: ResultHeader, data: dict[str, Any]) -> bytes:
    begin = {name: value for name, value in head._asdict().items() if value is not None}
    return json.dumps(begin | data).encode("ascii") + b"\n"
