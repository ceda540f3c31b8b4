"""The names that Python programs may import; a change of them is a change for users."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from shell import PATHS, ROOT

import esoplay
from esoplay.errors import UsageError

PUBLIC = {
    "esolangs": [
        "EngineError",
        "Fault",
        "Language",
        "Leap",
        "Limits",
        "Machine",
        "OptionError",
        "ParseError",
        "Program",
        "ProgramResult",
        "Slot",
        "Snapshot",
        "Step",
        "StopSet",
        "UnknownLanguage",
        "View",
        "Window",
        "World",
        "Write",
        "as_json",
        "find_language",
        "language_ids",
        "language_of_file",
        "languages",
        "parse",
        "run",
    ],
    "esoplay": [
        "CaseResult",
        "GradeResult",
        "RunResult",
        "Timeline",
        "Verification",
        "grade",
        "open_timeline",
        "parse",
        "run",
        "verify",
    ],
}
MEMBERS = {
    "esolangs.ProgramResult": (
        "count exit_code fault index input_position limit memory output status steps"
    ),
    "esoplay.RunResult": "exit_code input_used language memory ok status stderr stdout steps",
    "esoplay.GradeResult": "dialect hidden language passed problem solved tests",
    "esoplay.CaseResult": "index passed steps verdict",
    "esoplay.Timeline": "output position registers seek status step step_of_output view",
    "esoplay.Verification": (
        "as_json dialect events exit_code findings head notes recorded repeated runs submissions "
        "verified"
    ),
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_of_a_package_are_unchanged(package: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == PUBLIC[package]
    assert set(PUBLIC[package]) <= set(dir(module))
    for name in PUBLIC[package]:
        assert getattr(module, name).__doc__, name


@pytest.mark.parametrize("package", PUBLIC)
def test_type_checkers_read_the_types(package: str) -> None:
    folder = Path(str(import_module(package).__file__)).parent
    assert (folder / "py.typed").is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "py.typed" in project["tool"]["setuptools"]["package-data"][package]


@pytest.mark.parametrize("name", MEMBERS)
def test_the_members_of_public_classes_are_unchanged(name: str) -> None:
    package, _, attribute = name.partition(".")
    found = getattr(import_module(package), attribute)
    assert sorted(each for each in dir(found) if not each.startswith("_")) == MEMBERS[name].split()


def test_importing_the_engines_loads_no_other_module() -> None:
    script = "import esolangs, sys; print(*[name for name in sys.modules if 'eso' in name])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        env={"PYTHONPATH": PATHS},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.split() == ["esolangs"]
    with pytest.raises(AttributeError, match="no attribute 'prase'"):
        import_module("esolangs").prase  # noqa: B018


def test_the_page_describes_every_name_of_the_engines() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = page.partition("\n## esolangs\n")[2].partition("\n## ")[0]
    assert {name for name in PUBLIC["esolangs"] if f"`{name}`" not in section} == set()


@pytest.mark.timeout(30)
def test_a_position_is_a_whole_number() -> None:
    timeline = esoplay.open_timeline("+++.", "brainfuck")
    for move in (timeline.seek, timeline.step, timeline.step_of_output):
        with pytest.raises(TypeError, match="integer"):
            move(1.5)  # type: ignore[arg-type]  # seek ran forever
    assert timeline.position == 0


def test_the_output_byte_can_be_given_by_either_name() -> None:
    timeline = esoplay.open_timeline("+.+.", "brainfuck")
    assert timeline.step_of_output(byte_index=1) == timeline.step_of_output(byte=1) == 4
    with pytest.raises(TypeError, match="integer"):
        timeline.step_of_output()


def test_the_budget_of_step_of_output_counts_further_steps() -> None:
    timeline = esoplay.open_timeline("+" * 30 + ".", "brainfuck")
    assert [timeline.step_of_output(0, budget=20) for _ in range(2)] == [None, 31]
    assert timeline.position == 0


@pytest.mark.parametrize(
    ("source", "language", "stdin", "words"),
    [
        ("+.", None, b"", "must be passed"),
        ("+.\ud800", "brainfuck", b"", "surrogates"),
        (",.", "brainfuck", "\udcff", "surrogates"),
    ],
)
def test_invalid_arguments_raise_usage_errors(
    source: str, language: str | None, stdin: str | bytes, words: str
) -> None:
    with pytest.raises(UsageError, match=words) as error:
        esoplay.run(source, language, stdin=stdin)
    assert "--lang" not in str(error.value)
    with pytest.raises(UsageError, match=words):
        esoplay.open_timeline(source, language, stdin=stdin)
