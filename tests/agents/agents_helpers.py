"""A small pack, its answers, and grids of stand-in agents."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from esolangs.registry import find_language
from esoplay.agents.isolation import find_bubblewrap
from esoplay.cli.main import main
from esoplay.packs.references import find_reference

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STAND_IN = HERE / "stand_in.py"

_PACK = """\
format = 1
id = "a-few"
version = "1"
title = "A few problems"
"""


def make_pack(folder: Path, problems: Sequence[str]) -> Path:
    """A pack of some of the problems that ship, without their solutions."""
    folder.mkdir()
    shipped = (ROOT / "problems" / "pack.toml").read_text("utf-8")
    (folder / "pack.toml").write_text(_PACK + shipped[shipped.index("tiers =") :], "utf-8")
    for problem in problems:
        (source,) = (ROOT / "problems").glob(f"{problem}-*")
        hidden = shutil.ignore_patterns("references", "starters", "source.py", "__pycache__")
        shutil.copytree(source, folder / source.name, ignore=hidden)
    return folder


def make_answers(folder: Path, languages: Sequence[str], problems: Sequence[str]) -> Path:
    """What solves the problems, in a folder for each language."""
    for language in languages:
        (folder / language).mkdir(parents=True)
        ending = find_language(language).extensions[0]
        for problem in problems:
            program = find_reference(problem, language).program
            (folder / language / f"{problem}{ending}").write_bytes(program)
    return folder


def acceptance() -> tuple[str, ...]:
    """The option of ``agents run`` that is needed where solvers cannot be isolated."""
    return () if find_bubblewrap().is_usable else ("--accept-visible-processes",)


def agents(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """``esoplay agents``: exit status, stdout, stderr.  ``run`` isolates where that is possible."""
    capsys.readouterr()
    further = acceptance() if words[0] == "run" else ()
    status = main(["agents", *map(str, words), *further])
    told = capsys.readouterr()
    return status, told.out, told.err


def sessions_of(out: str) -> dict[str, dict[str, Any]]:
    """What ``--json`` says of a run with one session a solver."""
    return {one["solver"]: one for one in json.loads(out)["sessions"]}


def is_there(pid: int) -> bool:
    """Whether a process has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in (b"Z", b"X")  # a zombie, or one that is being released


def write_grid(
    file: Path,
    pack: Path,
    answers: Path,
    manners: Mapping[str, str],
    *,
    languages: Sequence[str] = ("brainfuck",),
    sessions: int = 1,
    protocols: Sequence[str] = ("primary",),
    time: str = "10m",
    more: str = "",
    limits: Mapping[str, str] | None = None,
) -> Path:
    """A grid of stand-in agents by name, each with its manner; ``limits`` of single ones."""
    solvers: list[str] = []
    for name, manner in manners.items():
        command = [sys.executable, "-S", str(STAND_IN), manner, f"{answers}/{{language}}"]
        solvers += ["[[solvers]]", f'name = "{name}"', f"command = {json.dumps(command)}", more]
        if limits and name in limits:
            solvers += ["[solvers.limits]", limits[name]]
    file.write_text(
        f'title = "Stand-ins"\nlanguages = {json.dumps(list(languages))}\n'
        f"protocols = {json.dumps(list(protocols))}\nsessions = {sessions}\n"
        f'pack = "{pack}"\n[limits]\ntime = "{time}"\ngrace = "1s"\n' + "\n".join(solvers) + "\n",
        "utf-8",
    )
    return file
