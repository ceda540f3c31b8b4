"""Records of a transcript: what each kind has to hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from msgspec import Meta, Struct

from esoplay.decoding import Mistake, Wording, decode
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.trials import trial_named

_MOST = 10**15
"""Of anything that is counted."""

_TRIAL = "a trial such as solve/brainfuck/react/E01/1"

Count = Annotated[int, Meta(ge=0, lt=_MOST, extra={"expected": "a number from 0"})]
CountOrNull = Annotated[Count | None, Meta(extra={"expected": "a number from 0, or null"})]
TextOrNull = Annotated[str | None, Meta(extra={"expected": "a text, or null"})]
Seconds = Annotated[float, Meta(ge=0, lt=10**9, extra={"expected": "seconds"})]


class Record(Struct):
    """What every record has; it may have more.  time_ms: Unix time."""

    trial: Annotated[str, Meta(extra={"expected": _TRIAL})]
    time_ms: Count

    def __post_init__(self) -> None:
        try:
            trial = trial_named(self.trial)
        except ValueError:
            raise Mistake("trial", expected=_TRIAL) from None
        if trial.regime not in REGIMES or trial.run <= 0:
            raise Mistake("trial", expected=_TRIAL)


class AskedRecord(Record):
    """A model was asked.  request: digest of the question."""

    turn: Count
    request: str


class AnsweredRecord(Record):
    """A model answered."""

    turn: Count
    request: str
    text: str
    seconds: Seconds
    input_tokens: CountOrNull
    cached_tokens: CountOrNull
    output_tokens: CountOrNull
    finish: TextOrNull


class DeclinedRecord(Record):
    """A model, or its provider, declined to answer."""

    turn: Count
    request: str
    reason: str
    seconds: Seconds


class FailedRecord(Record):
    """A question could not be asked."""

    turn: Count
    reason: str


class Miss(Struct, forbid_unknown_fields=True):
    """An example that a program did not pass."""

    verdict: str
    input: str
    expected: str
    got: str
    message: str


class TriedRecord(Record):
    """A program was tried on the examples."""

    attempt: Count
    passed: Count
    total: Count
    misses: Annotated[
        list[Miss], Meta(extra={"expected": "a list of examples that were missed", "whole": True})
    ]


class FinishedRecord(Record):
    """A trial is over."""

    tier: str
    solved: Annotated[bool, Meta(extra={"expected": "true or false"})]
    verdict: str
    attempts: Count


RECORDS: Mapping[str, type[Record]] = {
    "asked": AskedRecord,
    "answered": AnsweredRecord,
    "declined": DeclinedRecord,
    "failed": FailedRecord,
    "tried": TriedRecord,
    "finished": FinishedRecord,
}
"""The kinds of records."""

BEGINNING = b'{"kind": "'
"""Of every line, as transcripts are written here."""

_WORDING = Wording(missing="expected {expected}", expected="expected {expected}")


def checked_record(found: object) -> dict[str, Any]:
    """A record with all that its kind needs; raises ValueError saying what is missing."""
    record = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in RECORDS:
        raise ValueError(f"expected a record of kind {', '.join(RECORDS)}")
    try:
        decode(record, RECORDS[kind], _WORDING)
    except Mistake as mistake:
        raise ValueError(f"{mistake.path} of the record {kind}: {mistake.words}") from None
    return record
