"""What a file of progress says, checked field by field; see ``docs/progress.md``."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, cast

from msgspec import Meta, Struct, field

from esoplay.decoding import Mistake, Wording, decode, short_json
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

_PROGRAM = "a program in base64"
_TIME = "a time in ISO 8601 with its zone"
_DAY = "a date, such as 2026-01-31"

Figure = Annotated[int, Meta(ge=0, le=MOST_FIGURE)]
Name = Annotated[str, Meta(min_length=1, max_length=200, extra={"expected": "a short text"})]
Digest = Annotated[
    str,
    Meta(
        min_length=64,
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        extra={"expected": "a SHA-256 in 64 hexadecimal digits"},
    ),
]
Verdicts = Annotated[
    tuple[Verdict, ...],
    Meta(min_length=1, extra={"expected": "a list of verdicts", "whole": True}),
]
Base64 = Annotated[str, Meta(extra={"expected": _PROGRAM})]
Names = Annotated[tuple[Name, ...], Meta(extra={"expected": "a short text", "whole": True})]


class SubmissionTable(Struct):
    """A submission in a file of progress.  at: ISO 8601 with a zone.  day: the local date then."""

    at: Annotated[str, Meta(extra={"expected": _TIME})]
    day: Annotated[str, Meta(extra={"expected": _DAY})]
    pack: Name
    problem: Name
    language: Name
    dialect: Name
    verdicts: Verdicts
    steps: Figure
    size: Figure
    memory: Figure | None = None
    program: Digest | None = None

    def __post_init__(self) -> None:
        _check_printable(self, "pack", "problem", "language", "dialect")
        _check(_as_utc, "at", self.at, _TIME)
        _check(date.fromisoformat, "day", self.day, _DAY)


class ForeignTable(Struct):
    """A solution of somebody else's in a file of progress."""

    solver: Name
    pack: Name
    problem: Name
    language: Name
    program: Digest
    steps: Figure
    size: Figure
    memory: Figure

    def __post_init__(self) -> None:
        _check_printable(self, "solver", "pack", "problem", "language")


class ProgressTable(Struct):
    """A file of progress; it may have more members."""

    programs: dict[str, Base64] = field(default_factory=dict[str, str])
    submissions: tuple[SubmissionTable, ...] = ()
    others: tuple[ForeignTable, ...] = ()
    hints: dict[str, Figure] = field(default_factory=dict[str, int])
    lesson_hints: dict[str, Figure] = field(default_factory=dict[str, int])
    lessons: dict[str, Names] = field(default_factory=dict[str, tuple[str, ...]])

    def __post_init__(self) -> None:
        for place, names in (
            ("hints", self.hints),
            ("lesson_hints", self.lesson_hints),
            ("lessons", self.lessons),
            *((f"lessons.{language}", slugs) for language, slugs in self.lessons.items()),
        ):
            for name in names:
                if not name.isprintable() or not 0 < len(name) <= 200:
                    raise Mistake(place, expected="a short text", found=name)


_WORDING = Wording(missing="expected {expected}, found null", show=short_json, table="an object")


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
    try:
        table = decode(_object(data), ProgressTable, _WORDING)
        return BroughtProgress(
            programs={name: _program(name, text) for name, text in table.programs.items()},
            records=tuple(map(_record, table.submissions)),
            others=tuple(map(_foreign, table.others)),
            hints=table.hints,
            lesson_hints=table.lesson_hints,
            lessons={language: set(slugs) for language, slugs in table.lessons.items()},
        )
    except Mistake as mistake:
        raise UsageError(f"this file of progress is broken: {mistake}") from None


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
        expected = "a whole number from 1"
        raise Mistake("format_version", f"expected {expected}, found {short_json(version)}")
    if version > FORMAT_VERSION:
        raise UsageError(
            f"this file has format version {version}, and this esoplay reads up to"
            f" {FORMAT_VERSION}: a newer esoplay wrote it, and a newer one can read it"
        )
    return table


def _program(digest: str, text: str) -> bytes:
    try:
        source = b64decode(text, validate=True)
    except ValueError:
        raise Mistake(f"programs.{digest}", _found(_PROGRAM, text)) from None
    if sha256(source).hexdigest() != digest:
        raise Mistake(f"programs.{digest}", _found("the program that its name says", text))
    return source


def _record(table: SubmissionTable) -> Record:
    return Record(
        _as_utc(table.at),
        date.fromisoformat(table.day).isoformat(),
        table.pack,
        table.language,
        table.dialect,
        Submission(table.problem, table.verdicts, table.steps, table.size, table.memory),
        table.program,
    )


def _foreign(table: ForeignTable) -> Foreign:
    solution = Solution(table.steps, table.size, table.memory, table.solver)
    return Foreign(table.pack, table.problem, table.language, table.program, solution)


def _check_printable(table: Struct, *names: str) -> None:
    for name in names:
        if not getattr(table, name).isprintable():
            raise Mistake(name, expected="a short text", found=getattr(table, name))


def _check(read: Callable[[str], object], name: str, text: str, expected: str) -> None:
    try:
        read(text)
    except (ValueError, OverflowError):
        raise Mistake(name, expected=expected, found=text) from None


def _as_utc(text: str) -> str:
    """A time in UTC; raises ValueError and OverflowError."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("no zone")
    return at.astimezone(UTC).isoformat()


def _found(expected: str, found: object) -> str:
    return f"expected {expected}, found {short_json(found)}"
