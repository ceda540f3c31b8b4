"""Progress as one JSON object, to be kept or carried to another machine; see ``docs/progress.md``.

Merging loses nothing and may be repeated: afterwards each submission is there as often as it was in
the file or here, whichever is more, and bests follow from the submissions.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections import Counter
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn, cast, get_args

from esoplay.errors import UsageError
from esoplay.grading.report import Verdict
from esoplay.service.progress import Solution, Submission
from esoplay.service.progress_store import Foreign, ProgressStore, Record
from esoplay.version import VERSION

FORMAT = "esoplay-progress"
FORMAT_VERSION = 1
LARGEST = 64 << 20
"""Bytes of a file beyond which it is not read."""
MOST_FIGURE = 2**63 - 1
"""The greatest number that the store holds."""

_VERDICTS = frozenset(get_args(Verdict))
_HINTS, _LESSON_HINTS, _LESSONS = "hints ", "lesson hints ", "lessons done "


class Merged(NamedTuple):
    """What an import brought.  known: submissions that were here already."""

    submissions: int
    known: int
    programs: int
    others: int

    def words(self) -> str:
        """One sentence for people."""
        if not (self.submissions or self.programs or self.others):
            if not self.known:
                return "nothing new: there are no submissions in it"
            each = "its submission was" if self.known == 1 else f"its {self.known} submissions were"
            return f"nothing new: {each} here already"
        parts = [f"{self.submissions} submission{'' if self.submissions == 1 else 's'} imported"]
        if self.known:
            parts.append(f"{self.known} were here already")
        return ", ".join(parts)


# Exporting


def export_progress(store: ProgressStore) -> dict[str, Any]:
    """Everything that was achieved, with the programs of one's solutions."""
    records = store.records()
    digests = sorted({record.digest for record in records if record.digest is not None})
    programs = {digest: store.files.read(digest) for digest in digests}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "esoplay": VERSION,
        "submissions": [_submission(record) for record in records],
        "programs": {
            digest: b64encode(source).decode()
            for digest, source in programs.items()
            if source is not None
        },
        "others": [_other(each) for each in store.all_others()],
        "hints": _numbers(store.settings(_HINTS)),
        "lesson_hints": _numbers(store.settings(_LESSON_HINTS)),
        "lessons": {id: _slugs(done) for id, done in store.settings(_LESSONS).items()},
    }


def export_text(store: ProgressStore) -> str:
    """The object as a file holds it."""
    return json.dumps(export_progress(store), ensure_ascii=False, indent=1) + "\n"


def _submission(record: Record) -> dict[str, Any]:
    submission = record.submission
    return {
        "at": record.at,
        "day": record.day,
        "pack": record.pack,
        "problem": submission.problem,
        "language": record.language,
        "dialect": record.dialect,
        "verdicts": list(submission.verdicts),
        "steps": submission.steps,
        "size": submission.size,
        "memory": submission.memory,
        "program": record.digest,
    }


def _other(foreign: Foreign) -> dict[str, Any]:
    solution = foreign.solution
    return {
        "solver": solution.solver,
        "pack": foreign.pack,
        "problem": foreign.problem,
        "language": foreign.language,
        "program": foreign.digest,
        "steps": solution.steps,
        "size": solution.size,
        "memory": solution.memory or 0,
    }


def _numbers(table: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in table.items() if type(value) is int and value >= 0}


def _slugs(value: object) -> list[str]:
    slugs = cast("list[object]", value) if isinstance(value, list) else []
    return sorted({slug for slug in slugs if isinstance(slug, str)})


# Importing


def import_progress(store: ProgressStore, data: bytes) -> Merged:
    """Merge a file; raises UsageError, before anything is changed, for one that cannot be read."""
    if len(data) > LARGEST:
        raise UsageError(
            f"a file of progress has at most {LARGEST:,} bytes; this has {len(data):,}"
        )
    table = _object(data)
    programs = _programs(table)
    records = [_record(row, number) for number, row in enumerate(_list(table, "submissions"))]
    others = [_foreign(row, number) for number, row in enumerate(_list(table, "others"))]
    hints = {_HINTS + name: value for name, value in _counts(table, "hints").items()}
    hints |= {_LESSON_HINTS + name: value for name, value in _counts(table, "lesson_hints").items()}
    lessons = _lessons(table)

    new = _missing(records, store.records())
    missing = [source for digest, source in programs.items() if store.files.read(digest) is None]
    for source in missing:
        store.files.keep(source)
    foreign = sorted(set(others) - set(store.all_others()))
    store.add(new)
    store.add_others(foreign)
    for name, value in hints.items():
        known = store.setting(name, 0)
        if not isinstance(known, int) or value > known:
            store.set_setting(name, value)
    for language, slugs in lessons.items():
        known = _slugs(store.setting(_LESSONS + language, []))
        if not slugs <= set(known):
            store.set_setting(_LESSONS + language, sorted(slugs | set(known)))
    return Merged(len(new), len(records) - len(new), len(missing), len(foreign))


def _missing(records: list[Record], here: list[Record]) -> list[Record]:
    """Those that a file has more often than the store, by their times."""
    known = Counter(here)
    new: list[Record] = []
    for record in sorted(records, key=lambda record: record.at):
        if known[record]:
            known[record] -= 1
        else:
            new.append(record)
    return new


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


def _record(row: object, number: int) -> Record:
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


def _foreign(row: object, number: int) -> Foreign:
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
