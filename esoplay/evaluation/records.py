"""Records of a transcript: what each kind has to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.trials import trial_named

_MOST, _LONGEST = 10**15, 10**9  # of anything that is counted; seconds


class Field(NamedTuple):
    """expected: in words."""

    holds: Callable[[object], bool]
    expected: str


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_trial(value: object) -> bool:
    try:
        trial = trial_named(cast("str", value))
    except (ValueError, AttributeError):
        return False
    return trial.regime in REGIMES and trial.run > 0


def _is_miss(value: object) -> bool:
    fields = ("verdict", "input", "expected", "got", "message")
    miss = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return set(miss) == set(fields) and all(map(_is_text, miss.values()))


def _is_seconds(value: object) -> bool:
    return type(value) in (int, float) and 0 <= cast("float", value) < _LONGEST


def _are_misses(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_miss, cast("list[object]", value)))


def _or_null(holds: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or holds(value)


_COUNT = Field(_is_count, "a number from 0")
_TEXT = Field(_is_text, "a text")
_PERHAPS_COUNT = Field(_or_null(_is_count), "a number from 0, or null")
_PERHAPS_TEXT = Field(_or_null(_is_text), "a text, or null")
_FLAG = Field(_is_flag, "true or false")
_SECONDS = Field(_is_seconds, "seconds")
_MISSES = Field(_are_misses, "a list of examples that were missed")
_TRIAL = Field(_is_trial, "a trial such as solve/brainfuck/react/E01/1")

_EVERY: Mapping[str, Field] = {"trial": _TRIAL, "time_ms": _COUNT}
_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "asked": {"turn": _COUNT, "request": _TEXT},
    "answered": {
        "turn": _COUNT,
        "request": _TEXT,
        "text": _TEXT,
        "seconds": _SECONDS,
        "input_tokens": _PERHAPS_COUNT,
        "cached_tokens": _PERHAPS_COUNT,
        "output_tokens": _PERHAPS_COUNT,
        "finish": _PERHAPS_TEXT,
    },
    "declined": {"turn": _COUNT, "request": _TEXT, "reason": _TEXT, "seconds": _SECONDS},
    "failed": {"turn": _COUNT, "reason": _TEXT},
    "tried": {"attempt": _COUNT, "passed": _COUNT, "total": _COUNT, "misses": _MISSES},
    "finished": {"tier": _TEXT, "solved": _FLAG, "verdict": _TEXT, "attempts": _COUNT},
}

BEGINNING = b'{"kind": "'
"""Of every line, as transcripts are written here."""


def checked_record(found: object) -> dict[str, Any]:
    """A record with all that its kind needs; raises ValueError saying what is missing."""
    record = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise ValueError(f"expected a record of kind {', '.join(_FIELDS)}")
    for name, field in {**_EVERY, **_FIELDS[kind]}.items():
        if name not in record or not field.holds(record[name]):
            raise ValueError(f"{name} of the record {kind}: expected {field.expected}")
    return record
