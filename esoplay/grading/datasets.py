"""Read data sets of other benchmarks in JSON or JSON Lines, and make problem packs from them.

The formats come from EsoLang-Bench (``esolang_dataset.json`` and ``esolang_output_pred.json`` in
Lossfunk/EsolangBench) and its agentic harness (a public and a private file in
Lossfunk/esolang-metaprogramming).  The contents are never executed.  Errors name file, item and
field.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, NoReturn, cast

from msgspec import Meta

from esoplay.decoding import DecodingError, Kind, Text, decode
from esoplay.errors import PackError, UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.grading.packs import (
    COMPILED_PACK_FILE,
    EXIT_NEEDED,
    FORMAT_VERSION,
    TESTS_FILE,
    ArgumentText,
    ExitStatus,
    Need,
    RunSeconds,
    digest_tests,
    is_valid_id,
    load_pack,
)
from esoplay.grading.problem import MAX_SERVER_BYTES, SERVER_FILE
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import TIME_LIMIT

MAX_FILE_BYTES = 64 << 20
"""Maximum size of a file in bytes."""

MAX_ITEMS = 10_000
MAX_TESTS = 1_000
TEST_LISTS = ("input_output_examples", "test_cases", "tests")
"""Possible names of the field that contains an item's tests, from published files."""

_LISTS = ("problems", "items")
_Tables = Annotated[
    list[Any], Meta(min_length=1, extra={"expected": "a list of at least one table"})
]
_Arguments = tuple[ArgumentText, ...]
_Needs = tuple[Need, ...]
_Stems = tuple[Text, ...]
_REDACTED = re.compile(r"\s*[<\[][^<>\[\]]*redacted[^<>\[\]]*[>\]]\s*", re.IGNORECASE)


class DatasetCase(NamedTuple):
    """Test of a problem in a data set: input and expected output in bytes."""

    input: bytes
    output: bytes
    invocation: ProgramInvocation = PLAIN

    def as_json(self) -> dict[str, Any]:
        """Return the test as in ``tests.json``."""
        pair = {"input": self.input.decode(), "output": self.output.decode()}
        return pair | self.invocation.as_json()


class ItemFields:
    """Accessor for the fields of an item in a data set, or of a table in an item.

    Files have different fields, so each field is checked when it is read.  location: place of the
    table in the file, such as ``items[3]``, for error messages.
    """

    def __init__(self, table: object, file: str, location: str):
        self._file = file
        self._location = location
        self._table = self._decode(table, dict[str, Any], location)

    def has(self, name: str) -> bool:
        """Return whether a field is present."""
        return name in self._table

    def value(self, name: str) -> Any:
        """Return the value of a field; raise PackError if it is missing."""
        if name not in self._table:
            self.refuse(name, "this field is missing")
        return self._table[name]

    def text(self, name: str) -> str:
        """Return a field that is a nonblank string."""
        return self._text(name, cast("type[str]", Text))

    def bytes(self, name: str) -> bytes:
        """Return a field that is a string, which may be empty, encoded as UTF-8."""
        return self._text(name, str).encode()

    def tables(self, name: str) -> tuple[ItemFields, ...]:
        """Return a field that is a nonempty list of tables."""
        tables = self._decode(
            self.value(name), cast("type[list[Any]]", _Tables), self._field_path(name)
        )
        return tuple(
            ItemFields(table, self._file, self._field_path(f"{name}[{index}]"))
            for index, table in enumerate(tables)
        )

    def line(self, name: str) -> str:
        """Return a field that is a single line of text without control characters."""
        text = self.text(name).strip()
        if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in text):
            self.fail(name, "one line of text without control characters", text)
        return text

    def lines(self, name: str) -> str:
        """Return a field that is text of one or more lines without control characters."""
        text = self.text(name).replace("\r\n", "\n")
        if any(unicodedata.category(sign) == "Cc" and sign not in "\n\t" for sign in text):
            self.fail(name, "a string without control characters", text)
        return text

    def id(self) -> str:
        """Return the id of the item, which is also a valid folder name."""
        text = self.text("id")
        if not is_valid_id(text):
            self.fail(
                "id",
                "1 to 64 letters, digits, '.', '_' or '-', starting with a letter or digit",
                text,
            )
        return text

    def cases(self) -> tuple[DatasetCase, ...] | str:
        """Return the tests, or the reason why they are missing: ``left out`` or ``redacted``.

        Redacted tests have placeholders instead of input and output; see :func:`is_redacted`.
        """
        name = next((name for name in TEST_LISTS if self.has(name)), None)
        if name is None or not self.value(name):
            return "left out"
        tables = self.tables(name)
        if len(tables) > MAX_TESTS:
            self.fail(name, f"at most {MAX_TESTS:,} tests", len(tables))
        cases = tuple(table.case() for table in tables)
        redacted = any(is_redacted(text) for case in cases for text in (case.input, case.output))
        return "redacted" if redacted else cases

    def case(self) -> DatasetCase:
        """Return this table as a test.

        Only esoplay's own files have the fields ``arguments``, ``exit`` and ``stderr``.
        """
        stderr = self.bytes("stderr") if self.has("stderr") else b""
        return DatasetCase(
            self.bytes("input"),
            self.bytes("output"),
            ProgramInvocation(
                self.optional("arguments", _Arguments, ()),
                self.optional("exit", cast("type[int]", ExitStatus), 0),
                stderr,
            ),
        )

    def optional(self, name: str, kind: type[Kind], default: Kind) -> Kind:
        """Return a field, decoded as type ``kind``, or ``default`` if the field is missing."""
        if not self.has(name):
            return default
        return self._decode(self._table[name], kind, self._field_path(name))

    def fail(self, name: str, expected: str, found: object) -> NoReturn:
        """Raise PackError for a field with an unexpected value."""
        raise self._error(DecodingError(self._field_path(name), expected=expected, found=found))

    def refuse(self, name: str, message: str) -> NoReturn:
        """Raise PackError with a message about field ``name``."""
        raise self._error(
            DecodingError(self._field_path(name) if name else self._location, message)
        )

    def _text(self, name: str, kind: type[str]) -> str:
        text = self._decode(self.value(name), kind, self._field_path(name))
        try:
            text.encode()
        except UnicodeEncodeError:  # JSON can contain an unpaired surrogate
            self.fail(name, "a string that is not empty", text)
        return text

    def _decode(self, value: object, kind: type[Kind], path: str) -> Kind:
        try:
            return decode(value, kind, path=path)
        except DecodingError as mistake:
            raise self._error(mistake) from None

    def _field_path(self, name: str) -> str:
        return f"{self._location}.{name}"

    def _error(self, mistake: DecodingError) -> PackError:
        return PackError(f"{self._file}: {mistake}")


class Dataset(NamedTuple):
    """The items of a file, with ``title``, ``version`` and ``compare`` of its metadata, if any."""

    file: Path
    title: str | None
    version: str | None
    items: tuple[ItemFields, ...]
    has_predictions: bool
    compare: Compare = "exact"


def is_redacted(data: bytes) -> bool:
    """Return whether a value is a placeholder such as ``<REDACTED_INPUT>``."""
    return len(data) < 200 and _REDACTED.fullmatch(data.decode("utf-8", "replace")) is not None


def read_dataset(path: Path) -> Dataset:
    """Read a data set: a list of items, an object that contains items, or one item per line.

    Raises UsageError if the file cannot be read, and PackError if it is not a data set.
    """
    raw = _parse(_read(path), path)
    metadata: dict[str, Any] = {}
    if isinstance(raw, dict):
        table = cast("dict[str, Any]", raw)
        found = table.get("metadata")
        metadata = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        label, entries = _read_list(table, path)
    else:
        label, entries = "items", cast("list[Any]", raw)
    if not entries:
        raise PackError(f"{path}: {label}: expected at least one item")
    if len(entries) > MAX_ITEMS:
        raise PackError(f"{path}: {label}: expected at most {MAX_ITEMS:,}, found {len(entries):,}")
    items = tuple(
        ItemFields(entry, str(path), f"{label}[{index}]{_id_text(entry)}")
        for index, entry in enumerate(entries)
    )
    _refuse_duplicates(items)
    predictions = metadata.get("task_type") == "output_prediction" or items[0].has("code")
    head = ItemFields(metadata, str(path), "metadata")
    title = head.line("name") if head.has("name") else None
    compare = head.optional("compare", cast("type[Any]", Compare), "exact")
    return Dataset(path, title, _version(head), items, predictions, compare)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise PackError(f"{path}: expected at most {MAX_FILE_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackError(f"{path}: byte {error.start} is not UTF-8") from error


def _parse(text: str, path: Path) -> Any:
    try:
        whole = json.loads(text)
    except RecursionError as error:
        raise PackError(f"{path}: nested too deeply") from error
    except json.JSONDecodeError as error:
        return list(_parse_lines(text, path, error))
    except ValueError as error:  # a number with thousands of digits
        raise PackError(f"{path}: not valid JSON: {error}") from error
    if isinstance(whole, dict) and "id" in whole and "problems" not in whole:
        return [whole]  # a file with one line of JSON Lines
    if not isinstance(whole, dict | list):
        raise PackError(f"{path}: expected a list of items, found a single value")
    return cast("Any", whole)


def _parse_lines(text: str, path: Path, file_error: json.JSONDecodeError) -> Iterator[Any]:
    """Parse JSON Lines; raise PackError at the first invalid line.

    If the first line is invalid, the file is probably not JSON Lines. The reported error is then
    ``file_error``, which was raised when the whole file was parsed as JSON.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except RecursionError as error:
            raise PackError(f"{path}:{number}:1: nested too deeply") from error
        except json.JSONDecodeError as error:
            found, start = (file_error, 0) if number == 1 else (error, number - 1)
            place = f"{path}:{start + found.lineno}:{found.colno}"
            raise PackError(f"{place}: not valid JSON: {found.msg}") from error
        except ValueError as error:
            raise PackError(f"{path}:{number}:1: not valid JSON: {error}") from error


def _read_list(table: dict[str, Any], path: Path) -> tuple[str, list[Any]]:
    for name, value in table.items():
        if isinstance(value, list) and (name in _LISTS or _has_ids(cast("list[Any]", value))):
            return name, cast("list[Any]", value)
    by_id = {id: value for id, value in table.items() if id != "metadata"}
    if by_id and all(isinstance(value, list | dict) for value in by_id.values()):
        return "items", [_with_id(id, value) for id, value in by_id.items()]
    raise PackError(f"{path}: expected a list of items, or an object with the key `problems`")


def _has_ids(entries: list[Any]) -> bool:
    return bool(entries) and isinstance(entries[0], dict) and "id" in entries[0]


def _with_id(id: str, value: Any) -> Any:
    """Return a data set's entry as an object with an ``id``.

    id: the key of the entry in the data set. value: the entry, an object or a list of test cases.
    """
    if isinstance(value, list):
        return {"id": id, "test_cases": cast("list[Any]", value)}
    return {"id": id, **value}


def _id_text(entry: object) -> str:
    id = cast("dict[str, Any]", entry).get("id") if isinstance(entry, dict) else None
    return f" ({id})" if isinstance(id, str) and is_valid_id(id) else ""


def _refuse_duplicates(items: tuple[ItemFields, ...]) -> None:
    seen: set[str] = set()
    for item in items:
        id = item.id().casefold()  # ids are case-insensitive
        if id in seen:
            item.refuse("id", f"{item.id()} is already the id of an earlier item")
        seen.add(id)


def _version(metadata: ItemFields) -> str | None:
    value = metadata.value("version") if metadata.has("version") else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return metadata.line("version") if value else None


# Packs made from data sets: problems with fixed tests, which can be written into a folder.

TIERS = ("easy", "medium", "hard", "extra-hard")
DEFAULT_CATEGORY = "imported"
"""Category of problems from a data set without categories."""

_TIER_SPELLINGS = {"xhard": "extra-hard", "extrahard": "extra-hard"}


class ImportedProblem(NamedTuple):
    """Imported problem with its tests.

    time_limit: maximum seconds of one run, None for the usual limit.  needs, stems: see ``needs``
    and ``files`` of ``Problem``.  files: contents of the server and the references, by path in the
    folder of the problem.
    """

    id: str
    title: str
    tier: str
    category: str
    statement: str
    examples: tuple[DatasetCase, ...]
    tests: tuple[DatasetCase, ...]
    time_limit: float | None = None
    needs: tuple[str, ...] = ()
    files: Mapping[str, bytes] = MappingProxyType({})
    stems: tuple[str, ...] = ()


class ImportedPack(NamedTuple):
    """Problem pack made from a data set."""

    id: str
    version: str
    title: str
    problems: tuple[ImportedProblem, ...]
    compare: Compare = "exact"

    def write(self, folder: Path) -> None:
        """Write the pack into an empty folder.

        Raises OSError if a file cannot be written, and PackError if the pack is invalid.
        """
        rows: list[dict[str, Any]] = []
        for problem in self.problems:
            home = folder / f"problem-{problem.id}"
            home.mkdir()
            cases = [test.as_json() for test in problem.tests]
            tests = json.dumps(cases, ensure_ascii=False, indent=1).encode()
            (home / TESTS_FILE).write_bytes(tests)
            for name, data in problem.files.items():
                (home / name).parent.mkdir(exist_ok=True)
                (home / name).write_bytes(data)
            rows.append(_row(problem, home.name, digest_tests(tests)))
        raw = {
            "format": FORMAT_VERSION,
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "tiers": TIERS,
            "categories": sorted({problem.category for problem in self.problems}),
            "problems": rows,
            **({} if self.compare == "exact" else {"compare": self.compare}),
        }
        (folder / COMPILED_PACK_FILE).write_text(
            json.dumps(raw, ensure_ascii=False), encoding="utf-8"
        )
        load_pack(folder)


def convert_problems(
    public: Dataset, private: Dataset | None, *, id: str, title: str | None = None
) -> ImportedPack:
    """Convert a data set to a pack; its tests may be in a second data set, ``private``.

    Raises PackError for an invalid item or an item without tests.
    """
    if public.has_predictions:
        raise PackError(f"{public.file}: these are output predictions, not problems")
    kept = _tests_by_id(private) if private is not None else {}
    problems = tuple(_problem(item, kept, private) for item in public.items)
    for left in kept.values():
        left.refuse("id", f"this problem is not in {public.file}")
    named = title or public.title or id
    return ImportedPack(id, public.version or "1", named, problems, public.compare)


def parse_tier(item: ItemFields) -> str:
    """Return the tier for the ``difficulty`` of an item; raise PackError if it is unknown."""
    difficulty = item.line("difficulty")
    word = find_tier(difficulty)
    if word is None:
        item.fail("difficulty", " | ".join(TIERS), difficulty)
    return word


def find_tier(difficulty: str) -> str | None:
    """Return the tier for a difficulty, whose case and separators are ignored, or None."""
    word = re.sub(r"[\s_-]+", "-", difficulty.strip().lower())
    word = _TIER_SPELLINGS.get(word.replace("-", ""), word)
    return word if word in TIERS else None


def _tests_by_id(private: Dataset) -> dict[str, ItemFields]:
    return {item.id().casefold(): item for item in private.items}


def _problem(
    item: ItemFields, private_items: dict[str, ItemFields], private: Dataset | None
) -> ImportedProblem:
    id = item.id()
    shown, other = item.cases(), private_items.pop(id.casefold(), None)
    hidden = None if other is None else other.cases()
    tests = shown if isinstance(hidden, str) or hidden is None else hidden
    if isinstance(tests, str):
        item.refuse("", f"its tests are {tests}{_missing_tests_hint(private, hidden)}")
    if not isinstance(shown, str) and shown != tests:
        item.refuse("", "its tests in the public and the private file differ")
    examples = item.tables("public_examples") if item.has("public_examples") else ()
    problem = ImportedProblem(
        id,
        item.line("title"),
        parse_tier(item),
        item.line("category") if item.has("category") else DEFAULT_CATEGORY,
        item.lines("description"),
        tuple(table.case() for table in examples),
        tests,
        time_limit=item.optional("time_limit", cast("type[float]", RunSeconds), TIME_LIMIT),
        needs=item.optional("needs", cast("type[tuple[str, ...]]", _Needs), ()),
        files=_server(item),
        stems=item.optional("files", _Stems, ()),
    )
    _check_needs(item, problem)
    return problem


def _server(item: ItemFields) -> dict[str, bytes]:
    """Return the source of the server that an item's tests use, by file name; {} without one."""
    if not item.has("server"):
        return {}
    source = item.bytes("server")
    if len(source) > MAX_SERVER_BYTES:
        item.refuse("server", f"expected at most {MAX_SERVER_BYTES:,} bytes")
    return {SERVER_FILE: source}


def _check_needs(item: ItemFields, problem: ImportedProblem) -> None:
    """Raise PackError if an item's field ``needs`` does not match its server or its tests.

    ``needs`` must include "server" if and only if the item has the source of a server, and must
    include "exit" if a test expects a nonzero exit status or output on stderr.
    """
    if ("server" in problem.needs) != bool(problem.files):
        item.refuse("server", 'expected both this field and "server" in `needs`, or neither')
    cases = (*problem.examples, *problem.tests)
    if "exit" not in problem.needs and any(case.invocation.must_fail for case in cases):
        item.refuse("needs", EXIT_NEEDED)


def _missing_tests_hint(private: Dataset | None, hidden: object) -> str:
    if private is None:
        return "; expected them in a second file (PRIVATE)"
    if hidden is None:
        return f", and not in {private.file}"
    return f", and {hidden} in {private.file}"


def _row(problem: ImportedProblem, folder: str, digest: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "folder": folder,
        "id": problem.id,
        "title": problem.title,
        "tier": problem.tier,
        "category": problem.category,
        "statement": problem.statement,
        "tests": digest,
    }
    if problem.examples:
        row["examples"] = [example.as_json() for example in problem.examples]
    if problem.time_limit not in (None, TIME_LIMIT):
        row["time_limit"] = problem.time_limit
    if problem.needs:
        row["needs"] = list(problem.needs)
    if problem.stems:
        row["files"] = list(problem.stems)
    return row
