"""Export and import progress as one JSON object; see ``docs/progress.md``.

An import merges the file into the store, and can be repeated.  If the file and the store contain
the same submission, the store keeps the larger number of copies, not the sum.  Best results are
computed from the submissions.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, cast

from msgspec import Meta, Struct, field

from esolangs.wording import format_count
from esoplay.decoding import DecodingError, FileWording, decode, short_json
from esoplay.errors import UsageError
from esoplay.grading.report import Verdict
from esoplay.progress.records import PracticeSubmission, SolvedProgramRecord
from esoplay.progress.store import ImportedSolution, ProgressStore, SubmissionRecord
from esoplay.version import VERSION

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "MAX_FILE_BYTES",
    "MAX_NUMBER",
    "Base64",
    "Digest",
    "ForeignTable",
    "ImportSummary",
    "ImportedProgress",
    "Name",
    "Names",
    "ProgressTable",
    "StoredInteger",
    "SubmissionTable",
    "Verdicts",
    "export_progress",
    "export_text",
    "import_progress",
    "read_progress",
]


# Reading a file.

FORMAT = "esoplay-progress"
FORMAT_VERSION = 1
MAX_FILE_BYTES = 64 << 20
"""Maximum size of a progress file, in bytes."""
MAX_NUMBER = 2**63 - 1
"""The greatest integer that the store can save."""

_PROGRAM = "a program in base64"
_TIME = "a time in ISO 8601 with a time zone"
_DAY = "a date, such as 2026-01-31"
_NAME = "a string of 1 to 200 characters"

StoredInteger = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Name = Annotated[str, Meta(min_length=1, max_length=200, extra={"expected": _NAME})]
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
Names = Annotated[tuple[Name, ...], Meta(extra={"expected": _NAME, "whole": True})]


class SubmissionTable(Struct):
    """A submission in a progress file.  at: ISO 8601 with a time zone.  day: local date."""

    at: Annotated[str, Meta(extra={"expected": _TIME})]
    day: Annotated[str, Meta(extra={"expected": _DAY})]
    pack: Name
    problem: Name
    language: Name
    dialect: Name
    verdicts: Verdicts
    steps: StoredInteger
    size: StoredInteger
    memory: StoredInteger | None = None
    program: Digest | None = None

    def __post_init__(self) -> None:
        _check_printable(self, "pack", "problem", "language", "dialect")
        _check_value(_as_utc, "at", self.at, _TIME)
        _check_value(date.fromisoformat, "day", self.day, _DAY)


class ForeignTable(Struct):
    """Another person's solution in a progress file."""

    solver: Name
    pack: Name
    problem: Name
    language: Name
    program: Digest
    steps: StoredInteger
    size: StoredInteger
    memory: StoredInteger

    def __post_init__(self) -> None:
        _check_printable(self, "solver", "pack", "problem", "language")


class ProgressTable(Struct):
    """A progress file; unknown members are allowed."""

    programs: dict[str, Base64] = field(default_factory=dict[str, str])
    submissions: tuple[SubmissionTable, ...] = ()
    others: tuple[ForeignTable, ...] = ()
    hints: dict[str, StoredInteger] = field(default_factory=dict[str, int])
    lesson_hints: dict[str, StoredInteger] = field(default_factory=dict[str, int])
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
                    raise DecodingError(place, expected=_NAME, found=name)


_WORDING = FileWording(
    missing="expected {expected}, found null", show=short_json, table="an object"
)


class ImportedProgress(NamedTuple):
    """The decoded contents of a progress file.

    programs: sources by digest. others: solutions by other people. hints, lesson_hints: number of
    shown hints by problem or lesson. lessons: slugs of finished lessons, by language.
    """

    programs: Mapping[str, bytes]
    records: tuple[SubmissionRecord, ...]
    others: tuple[ImportedSolution, ...]
    hints: Mapping[str, int]
    lesson_hints: Mapping[str, int]
    lessons: Mapping[str, set[str]]


def read_progress(data: bytes) -> ImportedProgress:
    """Decode a progress file; raise UsageError if it is invalid."""
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(
            f"a progress file has at most {MAX_FILE_BYTES:,} bytes; this one has {len(data):,}"
        )
    try:
        table = decode(_parse_object(data), ProgressTable, _WORDING)
        return ImportedProgress(
            programs={name: _decode_program(name, text) for name, text in table.programs.items()},
            records=tuple(map(_as_record, table.submissions)),
            others=tuple(map(_as_imported_solution, table.others)),
            hints=table.hints,
            lesson_hints=table.lesson_hints,
            lessons={language: set(slugs) for language, slugs in table.lessons.items()},
        )
    except DecodingError as mistake:
        raise UsageError(f"invalid progress file: {mistake}") from None


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is not a progress file: {error}") from None
    table = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if table.get("format") != FORMAT:
        raise UsageError(
            f"this is not a progress file: expected the format {FORMAT}"
            " (`esoplay progress export` writes one)"
        )
    version = table.get("format_version")
    if type(version) is not int or version < 1:
        expected = "an integer, 1 or more"
        raise DecodingError("format_version", f"expected {expected}, found {short_json(version)}")
    if version > FORMAT_VERSION:
        raise UsageError(
            f"format version {version} was written by a newer esoplay; this one reads versions up"
            f" to {FORMAT_VERSION}"
        )
    return table


def _decode_program(digest: str, text: str) -> bytes:
    try:
        source = b64decode(text, validate=True)
    except ValueError:
        raise DecodingError(f"programs.{digest}", _mismatch(_PROGRAM, text)) from None
    if sha256(source).hexdigest() != digest:
        raise DecodingError(f"programs.{digest}", _mismatch("a program with this digest", text))
    return source


def _as_record(table: SubmissionTable) -> SubmissionRecord:
    return SubmissionRecord(
        _as_utc(table.at),
        date.fromisoformat(table.day).isoformat(),
        table.pack,
        table.language,
        table.dialect,
        PracticeSubmission(table.problem, table.verdicts, table.steps, table.size, table.memory),
        table.program,
    )


def _as_imported_solution(table: ForeignTable) -> ImportedSolution:
    solution = SolvedProgramRecord(table.steps, table.size, table.memory, table.solver)
    return ImportedSolution(table.pack, table.problem, table.language, table.program, solution)


def _check_printable(table: Struct, *names: str) -> None:
    for name in names:
        if not getattr(table, name).isprintable():
            raise DecodingError(name, expected=_NAME, found=getattr(table, name))


def _check_value(read: Callable[[str], object], name: str, text: str, expected: str) -> None:
    try:
        read(text)
    except (ValueError, OverflowError):
        raise DecodingError(name, expected=expected, found=text) from None


def _as_utc(text: str) -> str:
    """Convert a time to UTC; raise ValueError or OverflowError if it is invalid."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("no zone")
    return at.astimezone(UTC).isoformat()


def _mismatch(expected: str, found: object) -> str:
    return f"expected {expected}, found {short_json(found)}"


_HINTS, _LESSON_HINTS, _LESSONS = "hints ", "lesson hints ", "lessons done "


class ImportSummary(NamedTuple):
    """The numbers of records in an import.

    submissions, programs: submissions and program files added to the store.  known: submissions
    that the store already had.  others: added solutions of other people.
    """

    submissions: int
    known: int
    programs: int
    others: int

    def describe(self) -> str:
        """Return one sentence about the import."""
        if not (self.submissions or self.programs or self.others):
            if not self.known:
                return "nothing new: no submissions in the file"
            if self.known == 1:
                return "nothing new: the submission in the file is already in your progress"
            each = f"all {self.known} submissions in the file are"
            return f"nothing new: {each} already in your progress"
        parts = [f"{format_count(self.submissions, 'submission')} imported"]
        if self.known:
            parts.append(f"{self.known} already in your progress")
        return ", ".join(parts)


# Exporting.


def export_progress(store: ProgressStore) -> dict[str, Any]:
    """Return all progress, with the programs of the user's solutions."""
    records = store.records()
    digests = sorted({record.digest for record in records if record.digest is not None})
    programs = {digest: store.files.read(digest) for digest in digests}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "esoplay": VERSION,
        "submissions": [_encode_record(record) for record in records],
        "programs": {
            digest: b64encode(source).decode()
            for digest, source in programs.items()
            if source is not None
        },
        "others": [_encode_imported_solution(each) for each in store.all_imported_solutions()],
        "hints": _valid_numbers(store.settings(_HINTS)),
        "lesson_hints": _valid_numbers(store.settings(_LESSON_HINTS)),
        "lessons": {id: _valid_slugs(done) for id, done in store.settings(_LESSONS).items()},
    }


def export_text(store: ProgressStore) -> str:
    """Return the text of a progress file."""
    return json.dumps(export_progress(store), ensure_ascii=False, indent=1) + "\n"


def _encode_record(record: SubmissionRecord) -> dict[str, Any]:
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


def _encode_imported_solution(imported: ImportedSolution) -> dict[str, Any]:
    solution = imported.solution
    return {
        "solver": solution.solver,
        "pack": imported.pack,
        "problem": imported.problem,
        "language": imported.language,
        "program": imported.digest,
        "steps": solution.steps,
        "size": solution.size,
        "memory": solution.memory or 0,
    }


def _valid_numbers(table: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in table.items() if type(value) is int and value >= 0}


def _valid_slugs(value: object) -> list[str]:
    slugs = cast("list[object]", value) if isinstance(value, list) else []
    return sorted({slug for slug in slugs if isinstance(slug, str)})


# Importing.


def import_progress(store: ProgressStore, data: bytes) -> ImportSummary:
    """Merge a progress file into the store; raise UsageError before any change if it is invalid."""
    contents = read_progress(data)
    new = _missing_records(contents.records, store.records())
    missing = [
        source for digest, source in contents.programs.items() if store.files.read(digest) is None
    ]
    for source in missing:
        store.files.save(source)
    imported_solutions = sorted(set(contents.others) - set(store.all_imported_solutions()))
    store.add(new)
    store.add_imported_solutions(imported_solutions)
    hints = {_HINTS + name: value for name, value in contents.hints.items()}
    hints |= {_LESSON_HINTS + name: value for name, value in contents.lesson_hints.items()}
    for name, value in hints.items():
        known = store.setting(name, 0)
        if not isinstance(known, int) or value > known:
            store.set_setting(name, value)
    for language, slugs in contents.lessons.items():
        known = _valid_slugs(store.setting(_LESSONS + language, []))
        if not slugs <= set(known):
            store.set_setting(_LESSONS + language, sorted(slugs | set(known)))
    return ImportSummary(
        len(new), len(contents.records) - len(new), len(missing), len(imported_solutions)
    )


def _missing_records(
    records: Sequence[SubmissionRecord], existing: list[SubmissionRecord]
) -> list[SubmissionRecord]:
    """Return the records that ``existing`` lacks or contains less often, oldest first.

    A record that occurs more often in ``records`` is returned once for each missing copy.
    """
    known = Counter(existing)
    new: list[SubmissionRecord] = []
    for record in sorted(records, key=lambda record: record.at):
        if known[record]:
            known[record] -= 1
        else:
            new.append(record)
    return new
