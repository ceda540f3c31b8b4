"""The fixtures below ``data``, and how what is answered now is compared with them.

Each folder ``data/COMMIT`` holds what the version at that commit wrote (see ``freeze.py``); tests
find all of them.  Fixtures are never changed: tests work with copies.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

import esolangs
import esoplay
from esoplay.cli.main import main
from esoplay.grading.packs import load_pack

DATA = Path(__file__).resolve().parent / "data"
VERSIONS = sorted(folder for folder in DATA.iterdir() if folder.is_dir())
STANDS_FOR_ROOT = "/frozen-root"

FOR_PEOPLE = frozenset(
    {
        *("message", "explanation", "text", "card", "statement", "hints", "title", "purpose"),
        *("help", "advice", "say", "done", "why", "notes", "what", "description", "excerpt"),
        *("markdown", "words", "task", "learnt", "reason", "usage", "next", "stderr"),
    }
)
"""Members whose text people read; what it says may change."""
_BY_DRAWN_NAMES = frozenset({"reports"})
"""Objects whose members have drawn names: only how many there are counts."""
REGISTRIES = frozenset(
    {
        *("methods", "languages", "protocols", "lanes", "lessons", "problems"),
        *("notifications", "extensions", "options"),
    }
)
"""Lists of what there is, which may grow."""
DATA_BESIDE_TEXT = frozenset({"panel", "parts", "part", "line"})
"""A ``text`` beside one of these is a part of a program or of a state, and no words of ours."""

DRAWN = frozenset(
    {
        *("head", "time", "time_ms", "elapsed_ms", "seed_commitment", "report", "session"),
        *("workspace", "memory", "engine", "esoplay", "version", "versions", "generator"),
        *("terms", "report_sha256", "seconds", "file", "reports"),
    }
)
"""Members with times, random values, versions, and what was measured or depends on the machine."""


def each_version(
    path: str,
    where: Callable[[Path], bool] | None = None,
    fast: Collection[str] | None = None,
) -> list[Any]:
    """Parameters for a test: every fixture that the pattern finds, and where that is true.

    fast: words of which a fixture's path has one unless its test is slow; None: none is slow.
    """
    return [
        pytest.param(
            found,
            id=f"{version.name}-{found.relative_to(version)}",
            marks=[] if fast is None or _has_one(found, fast) else [pytest.mark.slow],
        )
        for version in VERSIONS
        for found in sorted(version.glob(path))
        if where is None or where(found)
    ]


def _has_one(found: Path, words: Iterable[str]) -> bool:
    return any(word in (found.stem, found.parent.name) for word in words)


def require_shipped_pack(fixture: Path) -> None:
    """Skip where the pack that ships is another edition: its problems are no format."""
    packs = read_json(version_of(fixture) / "packs" / "installed.json")["packs"]
    (before,) = (pack["version"] for pack in packs if pack["id"] == "esoplay-80")
    now = load_pack().version
    if before != now:
        pytest.skip(f"the pack that ships has version {now}, not {before}")


def read_json(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def read_lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def version_of(file: Path) -> Path:
    """The folder of the version that a fixture belongs to."""
    return DATA / file.relative_to(DATA).parts[0]


class Restored:
    """A copy of what a version left on a machine: state folder, packs, seeds and workspaces.

    Stored paths lead into the copy.  Files are private to their owner, which git does not keep.
    """

    def __init__(self, version: Path, root: Path) -> None:
        self.version, self.root = version, root
        for name in ("home", "packs", "programs", "seeds", "work"):
            shutil.copytree(version / name, root / name)
        for folder in (root / "home", root / "seeds"):
            make_private(folder)
        neutral, own = STANDS_FOR_ROOT.encode(), os.fsencode(root)
        for file in (root / "home" / "sessions").iterdir():
            file.write_bytes(file.read_bytes().replace(neutral, own))
        self.home, self.work, self.pack = root / "home", root / "work", root / "packs" / "frozen"

    def seed(self, name: str) -> Path:
        return self.root / "seeds" / f"{name}.seed"

    def session(self, name: str) -> str:
        """The id of a session."""
        return read_json(self.version / "sessions" / name / "session.json")["session"]


Restore = Callable[[Path], Restored]
"""Copies what the version of a fixture left; see ``conftest``."""


def make_private(folder: Path) -> None:
    """What umask 077 gives: git keeps no modes but that of programs."""
    folder.chmod(0o700)
    for inner in folder.rglob("*"):
        inner.chmod(0o700 if inner.is_dir() else 0o600)


class Command:
    """``esoplay`` in this process: prints, and an exit status."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str | Path, status: int | None = 0) -> str:
        """What is printed; the exit status has to be ``status``, None for any."""
        self._capsys.readouterr()
        found = main([*map(str, words)])
        said = self._capsys.readouterr()
        assert status in (None, found), (found, said.out, said.err)
        return said.out

    def json(self, *words: str | Path, status: int | None = 0) -> Any:
        return json.loads(self(*words, "--json", status=status))


def server_command(*arguments: str) -> list[str]:
    """``esoplay serve`` in a process of its own."""
    return [sys.executable, "-P", "-m", "esoplay", "serve", *arguments]


def environment(home: Path) -> dict[str, str]:
    """For a process that uses the same esoplay as this one, with a state folder."""
    places = [Path(module.__path__[0]).parent for module in (esoplay, esolangs)]
    paths = os.pathsep.join(map(str, places))
    return {**os.environ, "ESOPLAY_HOME": str(home), "PYTHONPATH": paths}


# Comparing


def differences(
    frozen: Any, now: Any, ignored: Iterable[str] = DRAWN | FOR_PEOPLE, at: str = "$"
) -> list[str]:
    """Where ``now`` is not what was frozen; an empty list where all of that is still there.

    What was frozen has to be a subset of what is answered now: objects may have further members,
    and so may lists that are named in ``REGISTRIES``; other lists have the same elements.
    Of members named in ``ignored`` only the type counts.
    """
    ignored = frozenset(ignored)
    if isinstance(frozen, dict):
        if not isinstance(now, dict):
            return [f"{at}: {_short(now)} is not an object"]
        return _in_object(cast("Any", frozen), cast("Any", now), ignored, at)
    if isinstance(frozen, list):
        before = cast("list[Any]", frozen)
        after = cast("list[Any]", now) if isinstance(now, list) else []
        if len(before) != len(after) or not isinstance(now, list):
            return [f"{at}: {_short(cast('Any', now))} instead of {_short(before)}"]
        found: list[str] = []
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            found += differences(one, other, ignored, f"{at}[{number}]")
        return found
    if type(frozen) is not type(now) or frozen != now:
        return [f"{at}: {_short(now)} instead of {_short(frozen)}"]
    return []


def _in_object(
    frozen: Mapping[str, Any], now: Mapping[str, Any], ignored: frozenset[str], at: str
) -> list[str]:
    found: list[str] = []
    for name, value in frozen.items():
        if name not in now:
            found.append(f"{at}.{name}: is missing")
        elif name in ignored and not _counts(name, value, frozen):
            if _kind(value) != _kind(now[name]):
                found.append(f"{at}.{name}: {_short(now[name])} instead of {_short(value)}")
        elif name in REGISTRIES and isinstance(value, list) and isinstance(now[name], list):
            found += _in_registry(cast("Any", value), now[name], ignored, f"{at}.{name}")
        elif name in _BY_DRAWN_NAMES and name in ignored:
            found += differences(len(cast("Any", value)), len(now[name]), ignored, f"{at}.{name}")
        else:
            found += differences(value, now[name], ignored, f"{at}.{name}")
    return found


def _in_registry(frozen: list[Any], now: list[Any], ignored: frozenset[str], at: str) -> list[str]:
    """Where an element has no counterpart; those with an ``id`` are compared with its bearer."""
    found: list[str] = []
    for number, one in enumerate(frozen):
        others = [each for each in now if _id_of(one) in (None, _id_of(each))]
        tries = [differences(one, other, ignored, f"{at}[{number}]") for other in others]
        if [] not in tries:
            found += tries[0] if len(tries) == 1 else [f"{at}[{number}]: {_short(one)} is missing"]
    return found


def _id_of(value: object) -> object:
    return cast("Any", value).get("id") if isinstance(value, dict) else None


def shape_of(value: Any) -> Any:
    """Types instead of values; of the elements of a list the first stands for all."""
    if isinstance(value, dict):
        return {name: shape_of(each) for name, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [shape_of(each) for each in cast("list[Any]", value)[:1]]
    return type(value).__name__


def _counts(name: str, value: object, beside: Mapping[str, Any]) -> bool:
    """Some words name a text in one place, and an object or data in another."""
    if name == "text":
        return bool(DATA_BESIDE_TEXT & beside.keys())
    return isinstance(value, dict) and name != "versions"


def _kind(value: object) -> str:
    return "number" if type(value) in (int, float) else type(value).__name__


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "…"
