"""Exports in the frameworks themselves, with a scripted model that is right, wrong and silent.

Asked for by ``ESOPLAY_HARNESSES``: 1 for the Python that runs the tests, or the paths of others
with a colon between them, since no environment can hold all three packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from shell import PATHS

from esoplay.grading.seeds import parse_seed
from esoplay.packs.catalogue import get_problem
from esoplay.packs.references import find_reference
from esoplay.task_exports.frameworks import export_tasks
from esoplay.task_exports.plan import ExportOptions
from esoplay.task_exports.sessions import SessionOptions

ASKED = os.environ.get("ESOPLAY_HARNESSES", "")
pytestmark = [
    pytest.mark.skipif(not ASKED, reason="ESOPLAY_HARNESSES does not ask for it"),
    pytest.mark.timeout(600),
]

FRAMEWORKS = Path(__file__).parent / "frameworks"
ESOTERIC = ("befunge-98", "brainfuck", "shakespeare", "unlambda", "whitespace")
LANGUAGES = (*ESOTERIC, "python")
SEED = parse_seed("an operator's seed")


@cache
def python_with(package: str) -> str:
    """A Python that has the package, or the test is skipped."""
    tried = [sys.executable] if ASKED == "1" else ASKED.split(os.pathsep)
    for python in tried:
        looked = subprocess.run(
            [python, "-c", f"import {package}"], capture_output=True, check=False
        )
        if looked.returncode == 0:
            return python
    pytest.skip(f"none of {', '.join(tried)} has {package}")


def played(package: str, script: str, *arguments: Path | str) -> dict[str, Any]:
    done = subprocess.run(
        [python_with(package), str(FRAMEWORKS / script), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": PATHS, "ESOPLAY_PYTHON": sys.executable},
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def solution(language: str) -> bytes:
    """A program that solves E01."""
    if language in ESOTERIC:
        made = find_reference("E01", language)
        assert made is not None
        return made.program
    program = get_problem("E01").reference(language)
    assert program is not None
    return program


def answers() -> dict[str, str]:
    """By task: E01 is solved in every language, E02 answered like E01, and E10 not at all."""
    said: dict[str, str] = {}
    for language in LANGUAGES:
        block = f"I would write this.\n\n~~~~\n{solution(language).decode()}\n~~~~\n"
        said |= {f"e01-{language}": block, f"e02-{language}": block}
        said[f"e10-{language}"] = "It cannot be done."
    return said


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(answers()), "utf-8")
    return file


def exported(framework: str, folder: Path, languages: Sequence[str] = LANGUAGES) -> Path:
    options = ExportOptions(languages=languages, problems=("E01", "E02", "E10"))
    export_tasks(framework, folder / framework, options, seed=SEED)
    return folder / framework


def test_inspect_scores_answers(tmp_path: Path, script: Path) -> None:
    folder = exported("inspect", tmp_path)
    found = played("inspect_ai", "play_inspect.py", folder, script, tmp_path / "logs")
    assert {id for id, (value, _) in found["scores"].items() if value == "C"} == {
        f"e01-{language}" for language in LANGUAGES
    }
    assert len(found["scores"]) == 18
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert "wrong_answer" in found["scores"]["e02-unlambda"][1]
    assert "no program" in found["scores"]["e10-unlambda"][1]


Call = tuple[str, dict[str, str]]


def session_calls() -> dict[str, list[Call]]:
    """Two sessions of E01, E02 and E10: one is solved, the other is left at the third problem."""
    brainfuck: list[Call] = [
        ("fetch", {}),
        ("run", {"program": ",[.,]", "stdin": "abc"}),
        ("submit", {"problem": "E01", "program": solution("brainfuck").decode()}),
        ("fetch", {}),
        *[("submit", {"problem": "E02", "program": "+."})] * 2,
        ("submit", {"problem": "E02", "program": ",[.[-]]"}),  # the first character
        ("fetch", {}),
        ("skip", {}),
    ]
    unlambda: list[Call] = []
    for problem in ("E01", "E02", "E10"):
        reference = find_reference(problem, "unlambda")
        assert reference is not None
        submission = {"problem": problem, "program": reference.program.decode()}
        unlambda += [("fetch", {}), ("submit", submission)]
    unlambda += [("status", {})] * 3  # never called: the session is closed
    return {"brainfuck-e01-e10": brainfuck, "unlambda-e01-e10": unlambda}


SESSION_TOOLS = ["fetch", "run", "submit", "status", "skip", "card"]
REWARD = {"partial_credit": 0.5, "step_cost": 0.01}


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    file = tmp_path / "calls.json"
    file.write_text(json.dumps(session_calls()), "utf-8")
    return file


def exported_sessions(framework: str, folder: Path) -> Path:
    languages, problems = ("brainfuck", "unlambda"), ("E01", "E02", "E10")
    options = ExportOptions(languages, problems, sessions=SessionOptions())
    export_tasks(framework, folder / framework, options, seed=SEED)
    return folder / framework


def expected_reward(results: Sequence[str]) -> float:
    """The reward of the session in Brainfuck, of the results of its calls."""
    passed = max(json.loads(results[at])["passed"] for at in (4, 5, 6))
    assert 0 < passed < 6
    return (1 + 0.5 * passed / 6 - 0.01 * 5) / 3


def test_inspect_plays_sessions(tmp_path: Path, calls: Path) -> None:
    folder = exported_sessions("inspect", tmp_path)
    arguments = (folder, calls, tmp_path / "logs", json.dumps(REWARD))
    found = played("inspect_ai", "play_inspect_sessions.py", *arguments)
    assert found["tools"] == dict.fromkeys(session_calls(), SESSION_TOOLS)
    brainfuck, unlambda = (
        found["results"]["brainfuck-e01-e10"],
        found["results"]["unlambda-e01-e10"],
    )
    assert len(brainfuck) == 9
    assert "cannot be skipped" in brainfuck[-1]
    assert len(unlambda) == 6
    reward = expected_reward(brainfuck)
    assert found["rewards"]["brainfuck-e01-e10"] == pytest.approx(reward)
    assert found["rewards"]["unlambda-e01-e10"] == pytest.approx(0.99)
    assert found["metrics"]["mean"] == pytest.approx((reward + 0.99) / 2)
    assert found["metrics"]["solved"] == pytest.approx(2 / 3)
    assert found["metrics"]["solved_easy"] == pytest.approx(4 / 6)


@pytest.mark.skipif(shutil.which("uv") is None, reason="the harness needs uv")
def test_verifiers_plays_sessions(tmp_path: Path, calls: Path) -> None:
    folder = exported_sessions("verifiers", tmp_path)
    found = played("verifiers", "play_verifiers_sessions.py", folder, calls, json.dumps(REWARD))
    assert found.keys() == session_calls().keys()
    brainfuck, unlambda = found["brainfuck-e01-e10"], found["unlambda-e01-e10"]
    assert brainfuck["tools"] == unlambda["tools"] == SESSION_TOOLS
    assert len(brainfuck["results"]) == 9
    assert brainfuck["reward"] == pytest.approx(expected_reward(brainfuck["results"]))
    assert brainfuck["rewards"]["step_cost"] == pytest.approx(-0.05 / 3)
    assert brainfuck["metrics"]["closed"] == 0.0
    assert brainfuck["stop"] == "agent_completed"
    assert unlambda["rewards"]["solved"] == unlambda["metrics"]["solved_easy"] == 1.0
    assert unlambda["reward"] == pytest.approx(0.99)
    assert unlambda["stop"] == "session_closed"


def test_verifiers_rewards_answers(tmp_path: Path, script: Path) -> None:
    folder = exported("verifiers", tmp_path)
    found = played("verifiers", "play_verifiers.py", folder, script)
    assert {id: each["rewards"] for id, each in found.items()} == {
        id: {"solved": float(id.startswith("e01"))} for id in answers()
    }
    metrics = {id: each["metrics"] for id, each in found.items()}
    for language in LANGUAGES:
        assert metrics[f"e01-{language}"] == {"program_found": 1.0, "tests_passed": 1.0}
        assert metrics[f"e10-{language}"] == {"program_found": 0.0, "tests_passed": 0.0}
        assert metrics[f"e02-{language}"]["tests_passed"] < 1.0


def test_harbor_loads_the_tasks(tmp_path: Path) -> None:
    folder = exported("harbor", tmp_path, ESOTERIC)
    found = played("harbor", "load_harbor.py", folder)
    assert len(found) == 15
    for id, task in found.items():
        assert task["name"] == f"esoplay-80/{id}"
        assert task["instruction"].startswith("Write a program in ")
        assert (task["verifier_folder"], task["bundled"]) == ("tests", True)
        assert task["network"] == "no-network"
        rules = {finding.partition(": '")[2].partition("'")[0] for finding in task["findings"]}
        assert rules <= {"unpinned-image", "root-agent"}


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_harbor_rewards_programs(tmp_path: Path) -> None:
    """Whole trials, in folders in the place of containers; the agent sees no seed there."""
    folder, file = exported("harbor", tmp_path, ESOTERIC), tmp_path / "answers.json"
    said: dict[str, str | None] = {}
    for language in ESOTERIC:
        hello = solution(language).decode("latin-1")
        said |= {f"e01-{language}": hello, f"e02-{language}": hello, f"e10-{language}": None}
    file.write_text(json.dumps(said), "utf-8")
    found = played("harbor", "play_harbor.py", folder, file, tmp_path / "trials")
    assert {id: each["error"] for id, each in found.items()} == dict.fromkeys(said)
    assert {id for id, each in found.items() if each["rewards"] == {"reward": 1}} == {
        f"e01-{language}" for language in ESOTERIC
    }
    assert all(each["rewards"] in ({"reward": 0}, {"reward": 1}) for each in found.values())


def session_steps() -> dict[str, dict[str, list[Call]]]:
    """The calls of ``session_calls`` by problem."""
    steps: dict[str, dict[str, list[Call]]] = {}
    for id, calls in session_calls().items():
        problems = iter(("E01", "E02", "E10"))
        for call in calls:
            if call[0] == "fetch":
                made: list[Call] = []
                steps.setdefault(id, {})[next(problems)] = made
            if call[0] != "status":
                made.append(call)
    return steps


def test_harbor_loads_sessions(tmp_path: Path) -> None:
    found = played("harbor", "load_harbor.py", exported_sessions("harbor", tmp_path))
    assert found.keys() == session_calls().keys()
    for task in found.values():
        assert task["steps"] == ["01-e01", "02-e02", "03-e10"]
        assert task["servers"] == ["http://session:8000/mcp"]
        assert (task["verifier_folder"], task["network"]) == ("tests", "no-network")


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_harbor_plays_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole trials with steps and the MCP server, in folders in the place of containers."""
    folder, file = exported_sessions("harbor", tmp_path), tmp_path / "steps.json"
    file.write_text(json.dumps(session_steps()), "utf-8")
    monkeypatch.setenv("ESOPLAY_PARTIAL_CREDIT", "0.5")
    monkeypatch.setenv("ESOPLAY_STEP_COST", "0.01")
    found = played("harbor", "play_harbor_sessions.py", folder, file, tmp_path / "trials")
    assert {id: trial["errors"] for id, trial in found.items()} == {id: [] for id in found}
    brainfuck, unlambda = found["brainfuck-e01-e10"], found["unlambda-e01-e10"]
    assert [step["solved"] for step in brainfuck["steps"].values()] == [1.0, 0.0, 0.0]
    assert [step["submissions"] for step in brainfuck["steps"].values()] == [1, 3, 0]
    results = [text for step in brainfuck["results"].values() for text in step]
    assert brainfuck["rewards"]["reward"] == pytest.approx(expected_reward(results))
    assert unlambda["rewards"]["reward"] == pytest.approx(0.99)
