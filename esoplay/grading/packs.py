"""Load problem packs from TOML files or compiled JSON, and install packs.

A pack is a folder with ``pack.toml`` and one folder per problem; the format is
described in ``docs/problem-pack.md``.  The wheel also contains ``pack.json``,
because reading 80 TOML files takes 45 ms and reading one JSON file 1 ms; in
a checkout, a cache replaces it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import cache_from_source
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, UnsetType, field

from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode, decode_json
from esoplay.errors import PackError, StoreError, UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import EdgeClass, Example, Pack, PackName, Problem, Range
from esoplay.paths import problems_folder, state_folder
from esoplay.running.invocation import ProgramInvocation
from esoplay.running.run import TIME_LIMIT

FORMAT_VERSION = 1
HINT_COUNT = 3
COMPILED_PACK_FILE = "pack.json"
TESTS_FILE = "tests.json"

Interval = Annotated[
    tuple[int, int], Meta(extra={"expected": "two integers [least, greatest]", "whole": True})
]


RunSeconds = Annotated[
    float, Meta(gt=0, le=TIME_LIMIT, extra={"expected": f"seconds above 0, at most {TIME_LIMIT:g}"})
]
"""Time limit of one run in seconds."""


ArgumentText = Annotated[
    str, Meta(pattern=r"^[^\x00]*$", extra={"expected": "a string without NUL characters"})
]
ExitStatus = Annotated[int, Meta(ge=0, le=255, extra={"expected": "an exit status, 0 to 255"})]
Need = Literal["arguments", "exit", "server"]
EXIT_NEEDED = (
    'tests that expect an exit status other than 0, or text on stderr, require "exit" in needs'
)


class ExampleTable(StrictTable):
    """A test with fixed input and output: a public example, or a hidden test in ``tests.json``."""

    input: str
    output: str
    arguments: tuple[ArgumentText, ...] = ()
    exit: ExitStatus = 0
    stderr: str = ""

    def invocation(self) -> ProgramInvocation:
        """Return the arguments of the test, and the exit status and stderr that it expects."""
        return ProgramInvocation(self.arguments, self.exit, self.stderr.encode())


ExampleTables = Annotated[
    tuple[ExampleTable, ...],
    Meta(min_length=1, extra={"expected": "a list of at least one table"}),
]


class PackTable(StrictTable):
    """The file ``pack.toml``."""

    format: Literal[1]
    id: Text
    version: Text
    title: Text
    tiers: Texts
    categories: Texts
    compare: Compare = "exact"
    time_limit: RunSeconds = TIME_LIMIT
    categorizations: dict[str, dict[str, Text]] = field(default_factory=dict[str, dict[str, str]])


class ProblemTable(StrictTable):
    """The file ``problem.toml``."""

    id: Text
    title: Text
    tier: Text
    category: Text
    examples: ExampleTables = ()
    hints: Annotated[
        tuple[Text, ...],
        Meta(
            min_length=HINT_COUNT,
            max_length=HINT_COUNT,
            extra={"expected": f"a list of {HINT_COUNT} strings"},
        ),
    ] = ()
    classes: dict[str, Text] = field(default_factory=dict[str, str])
    ranges: dict[str, Interval] = field(default_factory=dict[str, tuple[int, int]])
    time_limit: RunSeconds | UnsetType = UNSET
    needs: tuple[Need, ...] = ()
    files: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        for name, (least, greatest) in self.ranges.items():
            if least > greatest:
                expected = "two integers [least, greatest]"
                raise DecodingError(f"ranges.{name}", expected=expected, found=[least, greatest])
        if "exit" not in self.needs:
            for number, example in enumerate(self.examples):
                if example.invocation().must_fail:
                    raise DecodingError(f"examples[{number}]", EXIT_NEEDED)


class CompiledProblem(ProblemTable, kw_only=True):
    """Problem in ``pack.json``: the fields of ``problem.toml``, and the text of its statement."""

    folder: Text
    statement: Text
    tests: Text | UnsetType = UNSET


class CompiledPack(PackTable, kw_only=True):
    """The file ``pack.json``."""

    problems: tuple[CompiledProblem, ...]


def load_pack(path: Path | None = None) -> Pack:
    """Load the pack in folder ``path``, or the built-in pack.  Raise PackError if it is invalid."""
    folder = path or problems_folder()
    compiled = folder / COMPILED_PACK_FILE
    if compiled.is_file():
        return _build(_read_json(compiled), folder, COMPILED_PACK_FILE)
    return _build(_read_folder(folder), folder, None)


def compile_pack(folder: Path) -> dict[str, Any]:
    """Check a pack and return the contents of its ``pack.json``.

    Raises PackError if the pack is invalid.
    """
    raw = _read_folder(folder)
    _build(raw, folder, None)
    return raw


def list_files(folder: Path) -> list[Path]:
    """Return ``pack.toml``, the tables of all problems and their statements, in this order."""
    files = sorted(folder.glob("*/problem.toml"))
    statements = [file.with_name("statement.md") for file in files]
    return [folder / "pack.toml", *files, *statements]


def _read_folder(folder: Path) -> dict[str, Any]:
    if not (folder / "pack.toml").is_file():
        raise PackError(f"{folder}: not a problem pack; expected a file pack.toml")
    every = list_files(folder)
    files = [file for file in every if file.name == "problem.toml"]
    stamps = make_stamps(folder, every)
    raw = _read_cache(folder, stamps) if stamps is not None else None
    if raw is None:
        raw = _read_toml(folder / "pack.toml")
        raw["problems"] = [
            {
                **_read_toml(file),
                "folder": file.parent.name,
                "statement": _read_statement(file.parent),
            }
            for file in files
        ]
        if stamps is not None and stamps == make_stamps(folder, every):
            _write_cache(folder, stamps, raw)
    for entry, file in zip(raw["problems"], files, strict=True):  # digests are never cached
        entry.update(_read_digest(file.parent))
    return raw


def _read_toml(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PackError(f"{file}: {error}") from error


def _read_statement(folder: Path) -> str:
    file = folder / "statement.md"
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise PackError(f"{file}: {error}") from error


def _read_digest(folder: Path) -> dict[str, str]:
    """Return ``{"tests": digest}`` for a problem with fixed tests, else an empty dict."""
    file = folder / TESTS_FILE
    try:
        return {"tests": digest_tests(file.read_bytes())} if file.is_file() else {}
    except OSError as error:
        raise PackError(f"{file}: {error}") from error


def digest_tests(data: bytes) -> str:
    """Return the digest of the contents of ``tests.json``."""
    from hashlib import blake2b  # imported late: the bundled pack has no fixed tests

    return blake2b(data, digest_size=32, person=b"esoplay.fixed").hexdigest()


def _digest_all(problems: list[Problem]) -> str:
    """Return a digest of all fixed tests of a pack; '' for a pack without fixed tests."""
    fixed = [(each.id, each.tests_digest) for each in problems if each.tests_digest is not None]
    if not fixed:
        return ""
    from esoplay.grading.seeds import encode_fields

    return digest_tests(encode_fields(*(field for pair in sorted(fixed) for field in pair)))


def _read_json(file: Path) -> dict[str, Any]:
    try:
        return decode_json(file.read_bytes(), dict[str, Any])
    except (OSError, DecodingError) as error:
        raise PackError(f"{file}: {error}") from error


def _build(raw: dict[str, Any], folder: Path, compiled_file: str | None) -> Pack:
    """Build the pack from decoded data.

    compiled_file: name of the JSON file with the data, None for TOML files.
    """
    entries = raw.get("problems")
    head = {name: value for name, value in raw.items() if name != "problems"}
    try:
        table = decode(head, PackTable)
    except DecodingError as mistake:
        raise PackError(f"{folder / (compiled_file or 'pack.toml')}: {mistake}") from None
    name = PackName(table.id, table.version)
    if not isinstance(entries, list) or not entries:
        raise PackError(f"{folder}: the pack has no problems")
    problems: dict[str, Problem] = {}
    for index, entry in enumerate(cast("list[Any]", entries)):
        problem = _build_problem(entry, index, folder, compiled_file, table)
        if problem.id in problems:
            raise PackError(
                f"{problem.folder}: id: {problem.id} is also the id of "
                f"{problems[problem.id].folder.name}"
            )
        problems[problem.id] = problem
    ordered = sorted(problems.values(), key=lambda entry: (table.tiers.index(entry.tier), entry.id))
    name = name._replace(tests_digest=_digest_all(ordered))
    return Pack(
        name.id,
        name.version,
        table.title,
        table.tiers,
        table.categories,
        tuple(replace(problem, pack=name) for problem in ordered)
        if name.tests_digest
        else tuple(ordered),
        name.tests_digest,
        table.compare,
        _categorizations(table, folder / (compiled_file or "pack.toml")),
    )


def _categorizations(table: PackTable, file: Path) -> Mapping[str, Mapping[str, str]]:
    """Check and return the categorizations of a pack; each may omit problems.

    Raises PackError if a category is unknown.
    """
    for name, categories in table.categorizations.items():
        for problem, category in categories.items():
            path = f"{file}: categorizations.{name}.{problem}"
            if category not in table.categories:
                known = " | ".join(table.categories)
                raise PackError(f"{path}: expected {known}, found {category!r}")
    return table.categorizations


def _build_problem(
    entry: object, index: int, folder: Path, compiled_file: str | None, pack: PackTable
) -> Problem:
    at = "" if compiled_file is None else f"problems[{index}]"
    file = folder / compiled_file if compiled_file is not None else None
    if file is None:
        file = folder / cast("dict[str, str]", entry)["folder"] / "problem.toml"
    try:
        table = decode(entry, CompiledProblem, path=at)
        for name, found, known in (
            ("tier", table.tier, pack.tiers),
            ("category", table.category, pack.categories),
        ):
            if found not in known:
                path = f"{at}.{name}" if at else name
                raise DecodingError(path, expected=" | ".join(known), found=found)
    except DecodingError as mistake:
        raise PackError(f"{file}: {mistake}") from None
    return Problem(
        pack=PackName(pack.id, pack.version),
        id=table.id,
        title=table.title,
        tier=table.tier,
        category=table.category,
        statement=table.statement.strip(),
        examples=tuple(
            Example(example.input.encode(), example.output.encode(), example.invocation())
            for example in table.examples
        ),
        hints=table.hints,
        classes=tuple(EdgeClass(*each) for each in table.classes.items()),
        ranges=tuple(Range(name, *interval) for name, interval in table.ranges.items()),
        folder=folder / table.folder,
        tests_digest=None if table.tests is UNSET else table.tests,
        compare=pack.compare,
        time_limit=pack.time_limit if table.time_limit is UNSET else table.time_limit,
        needs=table.needs,
        files=table.files,
    )


# Cache of the data in a pack's folder, saved in Python's bytecode folder.  Cached data is not
# checked again.
#
# Reading 80 problems as TOML takes 45 ms, and checking that their files are unchanged 2 ms.  A file
# is unchanged if its size, inode, mtime and ctime are the same, as in ``git``.  Files changed just
# now are not cached, because file systems have coarse clocks.  Nothing is cached if the folder
# cannot be written or ``PYTHONDONTWRITEBYTECODE`` is set.

Stamps = list[list[Any]]

CACHE_FORMAT = 1
"""Version of the cache; increase it if the cached data or its parsing changes."""

SETTLE_TIME_NS = 2_000_000_000
"""Minimum age of the newest file of a pack that is cached, in ns.

If a file is newer, a further change might not change its times.
"""


def make_stamps(folder: Path, files: Sequence[Path]) -> Stamps | None:
    """Return stamps for detecting changes of files; None if a file is too new or missing."""
    stamps: Stamps = []
    newest = 0
    try:
        for file in files:
            found = file.stat()
            changed = max(found.st_mtime_ns, found.st_ctime_ns)
            newest = max(newest, changed)
            name = str(file.relative_to(folder))
            stamps.append([name, found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns])
    except OSError:
        return None
    return stamps if newest + SETTLE_TIME_NS < time.time_ns() else None


def _read_cache(folder: Path, stamps: Stamps) -> dict[str, Any] | None:
    """Return the cached data if its stamps match, or None."""
    try:
        raw: object = json.loads(_cache_file(folder).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    kept = cast("dict[str, Any]", raw)
    pack = kept.get("pack")
    if (
        kept.get("format") != CACHE_FORMAT
        or kept.get("stamps") != stamps
        or not isinstance(pack, dict)
    ):
        return None
    return cast("dict[str, Any]", pack)


def _write_cache(folder: Path, stamps: Stamps, pack: dict[str, Any]) -> None:
    """Write the data of a pack to the cache; ignore errors."""
    if sys.dont_write_bytecode:
        return
    place = _cache_file(folder)
    unfinished = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(
            json.dumps({"format": CACHE_FORMAT, "stamps": stamps, "pack": pack}), "utf-8"
        )
        unfinished.replace(place)
    except (OSError, TypeError, ValueError):  # TOML has dates, JSON does not
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _cache_file(folder: Path) -> Path:
    return Path(cache_from_source(str(folder.resolve() / "pack.py"))).with_name("pack.json")


# Installed packs are folders in ``packs/`` of the state folder; their names are the ids.
#
# ``install`` adds a pack atomically.

_ID_SYNTAX = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Syntax of the ids of packs and problems, which are also folder names."""

PREDICTIONS_FILE = "predictions.json"
"""Name of the file in the folder of a set of output predictions."""


def packs_folder() -> Path:
    """Return the folder of installed packs."""
    return state_folder() / "packs"


def installed_ids() -> tuple[str, ...]:
    """Return the ids of all installed packs, sorted."""
    folder = packs_folder()
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(path.name for path in folder.iterdir() if path.is_dir() and is_valid_id(path.name))
    )


def find_installed(id: str) -> Path | None:
    """Return the folder of the installed pack ``id``, or None."""
    folder = packs_folder() / id
    return folder if is_valid_id(id) and folder.is_dir() else None


def is_valid_id(text: str) -> bool:
    """Return whether ``text`` is a valid id, and therefore not a path to another folder."""
    return _ID_SYNTAX.fullmatch(text) is not None


# Installing

_LOCK, _STAGING, _RETIRED = ".lock", ".new-", ".old-"


def install(id: str, fill: Callable[[Path], None], *, replace: bool = False) -> Path:
    """Create the folder of pack ``id`` atomically, with the files that ``fill`` writes.

    Raises UsageError if the pack exists and ``replace`` is False, StoreError on disk errors, and
    the errors of ``fill``; after an error, no files are changed.
    """
    import fcntl  # imported late: most commands only look packs up
    import shutil
    import tempfile

    home = packs_folder()
    target = home / id
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        with (home / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one process at a time; a kill releases the lock
            _recover_installation(home)
            if target.exists() and not replace:
                raise UsageError(f"pack {id} is already installed; use --replace to replace it")
            staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=home))
            try:
                fill(staging)
                _replace_folder(staging, target)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise StoreError(f"cannot install pack {id} in {home}: {error.strerror}") from error
    return target


def _replace_folder(staging: Path, target: Path) -> None:
    """Move ``staging`` to ``target``; restore the old ``target`` if this fails."""
    import shutil
    import tempfile

    if not target.exists():
        staging.rename(target)
        return
    retired = Path(tempfile.mkdtemp(prefix=_RETIRED, dir=target.parent)) / target.name
    target.rename(retired)
    try:
        staging.rename(target)
    except OSError:
        retired.rename(target)
        raise
    finally:
        if target.exists():
            shutil.rmtree(retired.parent, ignore_errors=True)


def _recover_installation(home: Path) -> None:
    """Complete or undo an installation whose process was killed."""
    import shutil

    for path in home.glob(f"{_RETIRED}*"):
        for pack in path.iterdir():
            if not (home / pack.name).exists():
                pack.rename(home / pack.name)
        shutil.rmtree(path, ignore_errors=True)
    for path in home.glob(f"{_STAGING}*"):
        shutil.rmtree(path, ignore_errors=True)
