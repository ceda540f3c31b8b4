"""Write and read transcripts: all questions and answers in chronological order.

A transcript is a file of JSON lines. Each record is on disk before the trial continues, so a killed
process loses at most one answer per trial. Answers in the transcript are never requested again.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, BinaryIO, NamedTuple, cast

from msgspec import Meta, Struct, field

from esoplay.decoding import DecodingError, FileWording, decode
from esoplay.errors import UsageError
from esoplay.evaluation.model import EvaluationStopped, ModelAnswer
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.trials import parse_trial_id

# Kinds of records and their required fields.

_MAX_COUNT = 10**15
"""Maximum value of each count in a record, such as a number of tokens."""

_TRIAL = "a trial such as solve/brainfuck/react/E01/1"

Count = Annotated[int, Meta(ge=0, lt=_MAX_COUNT, extra={"expected": "a non-negative integer"})]
CountOrNull = Annotated[Count | None, Meta(extra={"expected": "a non-negative integer or null"})]
TextOrNull = Annotated[str | None, Meta(extra={"expected": "a string or null"})]
Seconds = Annotated[float, Meta(ge=0, lt=10**9, extra={"expected": "seconds"})]


class TranscriptRecord(Struct):
    """Required fields of every record; others are allowed. time_ms: Unix time in milliseconds."""

    trial: Annotated[str, Meta(extra={"expected": _TRIAL})]
    time_ms: Count

    def __post_init__(self) -> None:
        try:
            trial = parse_trial_id(self.trial)
        except ValueError:
            raise DecodingError("trial", expected=_TRIAL) from None
        if trial.regime not in REGIMES or trial.run <= 0:
            raise DecodingError("trial", expected=_TRIAL)


class MessageRecord(Struct, forbid_unknown_fields=True):
    """A message of a request: text for the model, or one of its own earlier answers."""

    role: str
    content: str


class AskedRecord(TranscriptRecord):
    """A request to a model.

    request: digest of the whole request. repeated: number of messages at the start that are the
    same as in the role's previous request. messages: the messages after them.
    """

    turn: Count
    request: str
    role: str = ""
    repeated: Count = 0
    messages: Annotated[
        list[MessageRecord], Meta(extra={"expected": "a list of messages", "whole": True})
    ] = field(default_factory=list[MessageRecord])


class AnsweredRecord(TranscriptRecord):
    """Answer of a model."""

    turn: Count
    request: str
    text: str
    seconds: Seconds
    input_tokens: CountOrNull
    cached_tokens: CountOrNull
    output_tokens: CountOrNull
    finish: TextOrNull
    reasoning_tokens: CountOrNull = None


class DeclinedRecord(TranscriptRecord):
    """Refusal of a model or its provider."""

    turn: Count
    request: str
    reason: str
    seconds: Seconds


class FailedRecord(TranscriptRecord):
    """Failed request that will be sent again."""

    turn: Count
    reason: str


class FailedExampleRecord(Struct, forbid_unknown_fields=True):
    """An example that a program failed.

    conditions: arguments, exit status and text on stderr, if the example sets them.
    """

    verdict: str
    input: str
    expected: str
    got: str
    message: str
    conditions: dict[str, Any] = field(default_factory=dict[str, Any])


class TriedRecord(TranscriptRecord):
    """Result of a program on the tests for feedback."""

    attempt: Count
    passed: Count
    total: Count
    misses: Annotated[
        list[FailedExampleRecord],
        Meta(extra={"expected": "a list of failed examples", "whole": True}),
    ]


class VerdictRecord(Struct):
    """The verdict of one hidden test."""

    verdict: str
    steps: CountOrNull


class FinishedRecord(TranscriptRecord):
    """Result of a trial, written at its end."""

    tier: str
    solved: Annotated[bool, Meta(extra={"expected": "true or false"})]
    verdict: str
    attempts: Count
    passed: CountOrNull = None
    total: CountOrNull = None
    tests: Annotated[
        list[VerdictRecord], Meta(extra={"expected": "a list of verdicts of tests", "whole": True})
    ] = field(default_factory=list[VerdictRecord])


RECORDS: Mapping[str, type[TranscriptRecord]] = {
    "asked": AskedRecord,
    "answered": AnsweredRecord,
    "declined": DeclinedRecord,
    "failed": FailedRecord,
    "tried": TriedRecord,
    "finished": FinishedRecord,
}
"""Record types by kind."""

RECORD_START = b'{"kind": "'
"""First bytes of every line that this module writes."""

_WORDING = FileWording(missing="expected {expected}", expected="expected {expected}")


def check_record(value: object) -> dict[str, Any]:
    """Check the required fields of a record; raise ValueError that names the invalid field."""
    record = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in RECORDS:
        raise ValueError(f"expected a record of kind {' | '.join(RECORDS)}")
    try:
        decode(record, RECORDS[kind], _WORDING)
    except DecodingError as mistake:
        raise ValueError(f"record of kind {kind}: {mistake.path}: {mistake.message}") from None
    return record


TRANSCRIPT_FILE = "transcript.jsonl"


class SavedAnswer(NamedTuple):
    """Saved answer with the digest of its question.

    declined: reason why the model declined; None if it answered. If it declined, the text of
    ``answer`` is empty.
    """

    request: str
    answer: ModelAnswer
    declined: str | None
    time_ms: int
    seconds: float


class TranscriptContents:
    """Contents of a transcript by trial: numbered answers, tried programs, and the result.

    path: path of the file, for errors. Added records are not written to the file.
    """

    def __init__(self, path: Path):
        self.path = path
        self.answers: dict[str, dict[int, SavedAnswer]] = {}
        self.question_counts: dict[str, int] = {}
        self.failures: dict[str, int] = {}
        self.tried: dict[str, dict[int, dict[str, Any]]] = {}
        self.finished: dict[str, dict[str, Any]] = {}

    def add(self, kind: str, trial: str, **members: Any) -> None:
        """Add a record with the current time."""
        self.apply(_make_record(kind, trial, members))

    def apply(self, record: dict[str, Any]) -> None:
        """Update the contents with a record that :func:`check_record` accepted."""
        trial, kind = record["trial"], record["kind"]
        if kind == "asked":
            self.question_counts[trial] = self.question_counts.get(trial, 0) + 1
        elif kind == "failed":
            self.failures[trial] = self.failures.get(trial, 0) + 1
        elif kind == "tried":
            self.tried.setdefault(trial, {})[record["attempt"]] = record
        elif kind == "finished":
            self.finished[trial] = record
        else:
            answer = ModelAnswer(
                record.get("text", ""),
                record.get("input_tokens"),
                record.get("cached_tokens"),
                record.get("output_tokens"),
                record.get("finish"),
                record.get("reasoning_tokens"),
            )
            self.answers.setdefault(trial, {})[record["turn"]] = SavedAnswer(
                record["request"],
                answer,
                record.get("reason"),
                record["time_ms"],
                record["seconds"],
            )


class EvaluationTranscript(TranscriptContents):
    """Transcript in a folder, locked by this process. A context manager.

    A resumed evaluation uses the saved answers, results of programs and finished trials in it.
    """

    def __init__(self, folder: Path):
        """Open or create the file; raise UsageError if it is locked or not a transcript."""
        super().__init__(folder / TRANSCRIPT_FILE)
        self._lock = Lock()
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._open = True
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            sync_to_disk(folder)
            self._read()
        except BlockingIOError:
            os.close(self._fd)
            raise UsageError(
                f"{self.path} is being written by another evaluation\n"
                "try: wait until it ends, or choose another folder with -o"
            ) from None
        except BaseException:
            os.close(self._fd)
            raise

    def __enter__(self) -> EvaluationTranscript:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; later calls of ``add`` raise EvaluationStopped."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._fd)

    def add(self, kind: str, trial: str, **members: Any) -> None:
        """Write a record and sync it to disk; raise EvaluationStopped after ``close``."""
        record = _make_record(kind, trial, members)
        line = record_line(record)
        with self._lock:
            if not self._open:
                raise EvaluationStopped
            self._write(line)
            self.apply(record)

    def _write(self, line: bytes) -> None:
        """Write a line; after an error, remove what was written and raise UsageError."""
        end = os.fstat(self._fd).st_size
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
            os.fsync(self._fd)
        except OSError as error:
            os.ftruncate(self._fd, end)
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None

    def _read(self) -> None:
        end = 0
        with open(self._fd, "rb", closefd=False) as file:
            for record, size in _records(file, self.path):
                self.apply(record)
                end += size
        os.ftruncate(self._fd, end)


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a transcript without locking it.

    An incomplete last line is ignored.

    Raises UsageError if the transcript is unreadable or invalid.
    """
    try:
        with path.open("rb") as file:
            for record, _ in _records(file, path):
                yield record
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def record_line(record: dict[str, Any]) -> bytes:
    """Encode a record as a line of the file."""
    return json.dumps(record).encode("ascii") + b"\n"


def _make_record(kind: str, trial: str, members: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "trial": trial, "time_ms": time.time_ns() // 1_000_000, **members}


def _records(file: BinaryIO, path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield each record with the size of its line in bytes."""
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n") and _may_be_record(line):
            return  # incomplete: the process exited while writing
        try:
            record = check_record(_object(line))
        except ValueError as error:
            raise UsageError(
                f"{path}: line {number} is not a record of an evaluation: {error}"
            ) from None
        yield record, len(line)


def _may_be_record(line: bytes) -> bool:
    """Return whether an incomplete line may be the start of a record."""
    return line.startswith(RECORD_START) or RECORD_START.startswith(line)


def _object(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None


def sync_to_disk(path: Path) -> None:
    """Sync a file, or the entries of a folder, to disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
