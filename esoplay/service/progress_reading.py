"""What a file of progress says, checked field by field; see ``docs/progress.md``."""

from __future__ import annotations

import json
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn, cast, get_args

from esoplay.errors import UsageError
from esoplay.grading.report import Verdict
from esoplay.service.progress import Solution, Submission
from esoplay.service.progress_store import Foreign, Record

FORMAT = "esoplay-progress"
FORMAT_VERSION = 1
LARGEST = 64 << 20
"""Bytes of a file beyond which it is not read."""
MOST_FIGURE = 2**63 - 1
"""The greatest number that the store holds."""

_VERDICTS = frozenset(get_args(Verdict))


class BroughtProgress(NamedTuple):
    """The contents of a file.

    programs: by digest.  hints, lesson_hints: rungs shown, by what they belong to.  lessons: the
    slugs of those done, by language.
    """

    programs: Mapping[str, bytes]
    records: tuple[Record, ...]
    others: tuple[Foreign, ...]
    hints: Mapping[str, int]
    lesson_hints: Mapping[str, int]
    lessons: Mapping[str, set[str]]


def read_progress(data: bytes) -> BroughtProgress:
    """Read a file; raises UsageError, which names the field that is broken."""
    if len(data) > LARGEST:
        raise UsageError(
            f"a file of progress has at most {LARGEST:,} bytes; this has {len(data):,}"
        )
    table = _object(data)
    return BroughtProgress(
        programs=_programs(table),
        records=tuple(_record(*each) for each in enumerate(_list(table, "submissions"))),
        others=tuple(_foreign(*each) for each in enumerate(_list(table, "others"))),
        hints=_counts(table, "hints"),
        lesson_hints=_counts(table, "lesson_hints"),
        lessons=_lessons(table),
    )


def _object(data: bytes) -> dict[str, Any]:
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is no file of progress: {error}") from None
    table = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if table.get("format") != FORMAT:
        raise UsageError(
            f"this is no file of progress: it lacks format: {FORMAT}"
            " (`esoplay progress export` writes one)"
        )
    version = table.get("format_version")
    if type(version) is not int or version < 1:
        _fail("format_version", "a whole number from 1", version)
    if version > FORMAT_VERSION:
        raise UsageError(
            f"this file has format version {version}, and this esoplay reads up to"
            f" {FORMAT_VERSION}: a newer esoplay wrote it, and a newer one can read it"
        )
    return table


def _programs(table: dict[str, Any]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for digest, text in _table(table, "programs").items():
        try:
            source = b64decode(text, validate=True)
        except (TypeError, ValueError, Base64Error):
            _fail(f"programs.{digest}", "a program in base64", text)
        if sha256(source).hexdigest() != digest:
            _fail(f"programs.{digest}", "the program that its name says", text)
        found[digest] = source
    return found


def _record(number: int, row: object) -> Record:
    place = f"submissions[{number}]"
    fields = _row(row, place)
    submission = Submission(
        _word(fields, "problem", place),
        _verdicts(fields, place),
        _figure(fields, "steps", place),
        _figure(fields, "size", place),
        None if fields.get("memory") is None else _figure(fields, "memory", place),
    )
    digest = None if fields.get("program") is None else _digest(fields, place)
    return Record(
        _time(fields, place),
        _day(fields, place),
        _word(fields, "pack", place),
        _word(fields, "language", place),
        _word(fields, "dialect", place),
        submission,
        digest,
    )


def _foreign(number: int, row: object) -> Foreign:
    place = f"others[{number}]"
    fields = _row(row, place)
    solution = Solution(
        _figure(fields, "steps", place),
        _figure(fields, "size", place),
        _figure(fields, "memory", place),
        _word(fields, "solver", place),
    )
    return Foreign(
        _word(fields, "pack", place),
        _word(fields, "problem", place),
        _word(fields, "language", place),
        _digest(fields, place),
        solution,
    )


def _counts(table: dict[str, Any], name: str) -> dict[str, int]:
    fields = _table(table, name)
    return {_name(each, name): _figure(fields, each, name) for each in fields}


def _lessons(table: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for language, value in _table(table, "lessons").items():
        place = f"lessons.{_name(language, 'lessons')}"
        slugs = cast("list[object]", value) if isinstance(value, list) else [None]
        found[language] = {_name(slug, place) for slug in slugs}
    return found


# Fields


def _fail(place: str, expected: str, found: object) -> NoReturn:
    shown = json.dumps(found, ensure_ascii=True, default=repr)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    raise UsageError(
        f"this file of progress is broken: {place}: expected {expected}, found {shown}"
    )


def _list(table: dict[str, Any], name: str) -> list[object]:
    value = table.get(name, [])
    if not isinstance(value, list):
        _fail(name, "a list", value)
    return cast("list[object]", value)


def _table(table: dict[str, Any], name: str) -> dict[str, Any]:
    return _row(table.get(name, {}), name)


def _row(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _fail(place, "an object", value)
    return cast("dict[str, Any]", value)


def _word(fields: dict[str, Any], name: str, place: str) -> str:
    return _name(fields.get(name), f"{place}.{name}")


def _name(value: object, place: str) -> str:
    if not isinstance(value, str) or not value or not value.isprintable() or len(value) > 200:
        _fail(place, "a short text", value)
    return value


def _figure(fields: dict[str, Any], name: str, place: str) -> int:
    value = fields.get(name)
    if type(value) is not int or not 0 <= value <= MOST_FIGURE:
        _fail(f"{place}.{name}", f"a whole number from 0 to {MOST_FIGURE}", value)
    return value


def _verdicts(fields: dict[str, Any], place: str) -> tuple[str, ...]:
    value: object = fields.get("verdicts")
    verdicts = cast("list[object]", value) if isinstance(value, list) else []
    words = tuple(each for each in verdicts if isinstance(each, str) and each in _VERDICTS)
    if not words or len(words) != len(verdicts):
        _fail(f"{place}.verdicts", "a list of verdicts", fields.get("verdicts"))
    return words


def _digest(fields: dict[str, Any], place: str) -> str:
    value = fields.get("program")
    if not isinstance(value, str) or len(value) != 64 or not set(value) <= set("0123456789abcdef"):
        _fail(f"{place}.program", "a SHA-256 in 64 hexadecimal digits", value)
    return value


def _time(fields: dict[str, Any], place: str) -> str:
    value = fields.get("at")
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        if at is not None and at.tzinfo is not None:
            return at.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    _fail(f"{place}.at", "a time in ISO 8601 with its zone", value)


def _day(fields: dict[str, Any], place: str) -> str:
    value = fields.get("day")
    try:
        if isinstance(value, str):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    _fail(f"{place}.day", "a date, such as 2026-01-31", value)
