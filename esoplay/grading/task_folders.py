"""Make problem packs from folders of tasks in the format of the AgentLang Index.

A task is a folder with ``spec.json``, cases in ``tests/public`` and ``tests/hidden``, references
``ref.py``, ``ref.ts`` and so on, and for tasks that use the network ``fixture_server.py``.  Nothing
is executed.  Errors name the file, line and column.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct

from esoplay.decoding import DecodingError, Kind, Text, decode
from esoplay.errors import PackError, UsageError
from esoplay.grading.datasets import (
    MAX_ITEMS,
    MAX_TESTS,
    DatasetCase,
    ImportedPack,
    ImportedProblem,
    find_tier,
)
from esoplay.grading.packs import ArgumentText, ExitStatus, is_valid_id
from esoplay.grading.problem import MAX_SERVER_BYTES
from esoplay.running.host.source_files import is_path, join_files
from esoplay.running.invocation import ProgramInvocation
from esoplay.running.run import TIME_LIMIT

SPEC_FILE = "spec.json"
FIXTURE_FILE = "fixture_server.py"
MAX_FILE_BYTES = 4 << 20
"""Maximum size of a file in bytes."""

_REFERENCE_FILES = {
    "ref.py": "python.py",
    "ref.js": "javascript.js",
    "ref.ts": "typescript.ts",
    "ref.rs": "rust.rs",
    "ref.go": "go.go",
    "ref.0": "zero.0",
    "ref.zero": "zero.0",
}
"""Names of reference files in a task, preferred ones first, with their names in a pack."""

_REFERENCE_FOLDERS = {"zero": "zero.0"}
"""For each folder with a reference solution of several files, the solution's name in a pack."""

_ONLY_ARGUMENTS = "The program receives arguments of the command line."
_SAME_ARGUMENTS = """\
The program also receives the input as arguments of the command line, for languages that cannot read
the standard input."""

_Milliseconds = Annotated[
    float,
    Meta(
        gt=0,
        le=1000 * TIME_LIMIT,
        extra={"expected": f"milliseconds above 0, at most {1000 * TIME_LIMIT:g}"},
    ),
]
_Arguments = Annotated[
    tuple[ArgumentText, ...], Meta(extra={"expected": "a list of strings without NUL characters"})
]


class AcceptanceTable(Struct, frozen=True):
    """Object ``acceptance`` of ``spec.json``: what a run must satisfy to pass a test.

    Other members are ignored.
    """

    wall_time_max_ms: _Milliseconds = 1000 * TIME_LIMIT
    stdout_exact_per_case: bool = True
    stderr_exact: str = ""
    exit_code: ExitStatus = 0

    def __post_init__(self) -> None:
        if not self.stdout_exact_per_case:
            raise DecodingError("stdout_exact_per_case", expected="true", found=False)


class SpecTable(Struct):
    """The file ``spec.json``.  Other members are ignored."""

    slug: Text
    title: Text
    difficulty: Text
    prompt: Text
    tags: tuple[Text, ...] = ()
    spec_version: int = 1
    acceptance: AcceptanceTable = AcceptanceTable()


class CaseTable(Struct):
    """A file in ``tests/public`` or ``tests/hidden``; unknown members are ignored."""

    expected_stdout: str
    stdin: str = ""
    argv: _Arguments = ()
    expected_stderr: str | None = None
    expected_exit: ExitStatus | None = None


def read_task_folder(folder: Path, *, id: str, title: str | None = None) -> ImportedPack:
    """Convert a folder of tasks to a pack.

    Raises UsageError if the folder has no tasks, and PackError for an invalid file.
    """
    home = _find_task_root(folder)
    if home is None:
        raise UsageError(
            f"{folder}: not a corpus of tasks; expected folders with a file {SPEC_FILE}, or a data "
            "set in one file"
        )
    files = (
        [home / SPEC_FILE] if (home / SPEC_FILE).is_file() else sorted(home.glob(f"*/{SPEC_FILE}"))
    )
    if len(files) > MAX_ITEMS:
        raise PackError(f"{folder}: expected at most {MAX_ITEMS:,} tasks, found {len(files):,}")
    problems: dict[str, ImportedProblem] = {}
    versions: list[int] = []
    for file in files:
        task = _TaskFile.read(file)
        spec = task.decode(SpecTable)
        if spec.slug.casefold() in problems:
            task.fail("slug", f"{spec.slug} is also the slug of an earlier task")
        problems[spec.slug.casefold()] = _problem(task, spec)
        versions.append(spec.spec_version)
    return ImportedPack(id, str(max(versions)), title or id, tuple(problems.values()))


def _find_task_root(folder: Path) -> Path | None:
    if (folder / SPEC_FILE).is_file():
        return folder
    homes = (folder, folder / "corpus")
    return next((home for home in homes if any(home.glob(f"*/{SPEC_FILE}"))), None)


def _problem(task: _TaskFile, spec: SpecTable) -> ImportedProblem:
    if not is_valid_id(spec.slug):
        task.fail(
            "slug",
            "expected 1 to 64 letters, digits, '.', '_' or '-', starting with a letter or digit",
        )
    for name, text in (("title", spec.title), ("tags", "".join(spec.tags))):
        if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in text):
            task.fail(name, "expected text without control characters")
    tier = find_tier(spec.difficulty)
    if tier is None:
        task.fail("difficulty", "expected easy | medium | hard | extra-hard")
    folder = task.path.parent
    public, hidden = (list(_cases(folder / "tests" / kind, spec)) for kind in ("public", "hidden"))
    if not public and not hidden:
        raise PackError(f"{folder}: no tests; expected tests/public/*.json and tests/hidden/*.json")
    server = folder / FIXTURE_FILE
    arguments = any(case.invocation.arguments for case in (*public, *hidden))
    needs: list[str] = []
    if any(any(case.invocation.arguments) and not case.input for case in (*public, *hidden)):
        needs.append("arguments")  # otherwise the arguments repeat the input
    if any(case.invocation.must_fail for case in (*public, *hidden)):
        needs.append("exit")
    if server.is_file():
        needs.append("server")
    statement = spec.prompt.strip()
    if arguments:
        note = _ONLY_ARGUMENTS if "arguments" in needs else _SAME_ARGUMENTS
        statement = f"{statement}\n\n{note}"
    return ImportedProblem(
        spec.slug,
        spec.title.strip(),
        tier,
        spec.tags[0].strip() if spec.tags else "imported",
        statement,
        tuple(public),
        (*public, *hidden),
        time_limit=spec.acceptance.wall_time_max_ms / 1000,
        needs=tuple(needs),
        files=dict(_files(folder)),
    )


def _cases(folder: Path, spec: SpecTable) -> Iterator[DatasetCase]:
    files = sorted(folder.glob("*.json"))
    if len(files) > MAX_TESTS:
        raise PackError(f"{folder}: expected at most {MAX_TESTS:,} tests, found {len(files):,}")
    for file in files:
        case = _TaskFile.read(file).decode(CaseTable)
        stderr, code = case.expected_stderr, case.expected_exit
        yield DatasetCase(
            case.stdin.encode(),
            case.expected_stdout.encode(),
            ProgramInvocation(
                case.argv,
                spec.acceptance.exit_code if code is None else code,
                (spec.acceptance.stderr_exact if stderr is None else stderr).encode(),
            ),
        )


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files that are copied into the problem's folder: server and references."""
    server = folder / FIXTURE_FILE
    if server.is_file():
        data = _read(server)
        if len(data) > MAX_SERVER_BYTES:
            raise PackError(f"{server}: expected at most {MAX_SERVER_BYTES:,} bytes")
        yield "server.py", data
    written: set[str] = set()
    for name, target in _REFERENCE_FOLDERS.items():
        if (folder / name).is_dir() and (project := _join_project(folder / name)):
            written.add(target)
            yield f"references/{target}", project
    for name, target in _REFERENCE_FILES.items():
        if target not in written and (folder / name).is_file():
            written.add(target)
            yield f"references/{target}", _read(folder / name)


def _join_project(folder: Path) -> bytes:
    """Return one submission that contains the files of a project, except symbolic links.

    Files with a name that a submission cannot contain are left out.
    """
    files: dict[str, bytes] = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_symlink() or not file.is_file() or not is_path(name):
            continue
        files[name] = _read(file)
    return join_files(files)


class _TaskFile:
    """JSON file of a task, which can locate the line and column of each field."""

    def __init__(self, path: Path, text: str, value: Any):
        self.path = path
        self._text = text
        self._value = value

    @classmethod
    def read(cls, path: Path) -> _TaskFile:
        data = _read(path)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line, column = _line_and_column(data[: error.start].decode("utf-8", "replace"))
            raise PackError(f"{path}:{line}:{column}: not UTF-8") from error
        try:
            return cls(path, text, json.loads(text))
        except json.JSONDecodeError as error:
            where = f"{path}:{error.lineno}:{error.colno}"
            raise PackError(f"{where}: not valid JSON: {error.msg}") from error
        except ValueError as error:  # a number with thousands of digits
            raise PackError(f"{path}: not valid JSON: {error}") from error
        except RecursionError as error:
            raise PackError(f"{path}: nested too deeply") from error

    def decode(self, kind: type[Kind]) -> Kind:
        """Decode the file as a struct.  Raise PackError with the position of the invalid field."""
        try:
            decoded = decode(self._value, kind)
            json.dumps(self._value, ensure_ascii=False).encode()  # unpaired surrogate
        except DecodingError as mistake:
            raise PackError(f"{self._position(mistake.path)}: {mistake}") from None
        except UnicodeEncodeError as error:
            raise PackError(
                f"{self.path}: unpaired surrogate; expected valid Unicode text"
            ) from error
        return decoded

    def fail(self, field: str, message: str) -> NoReturn:
        """Raise PackError with the position of a field."""
        raise PackError(f"{self._position(field)}: {field}: {message}")

    def _position(self, path: str) -> str:
        """Return file, line and column of a field or, if it is missing, of the enclosing object."""
        at = max(self._text.find("{"), 0)
        for name in re.findall(r"[^.\[\]]+", path):
            found = re.compile(rf"{re.escape(json.dumps(name))}\s*:").search(self._text, at)
            if found is None:
                break
            at = found.start()
        line, column = _line_and_column(self._text[:at])
        return f"{self.path}:{line}:{column}"


def _line_and_column(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise PackError(f"{path}: expected at most {MAX_FILE_BYTES:,} bytes")
    return data
