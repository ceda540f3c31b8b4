"""Exports of sessions: played with their tools in this process, without a framework."""

from __future__ import annotations

import inspect
import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from export_slices import SEED, missing_imports
from shell import PATHS, ROOT, esoplay

from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.references import find_reference
from esoplay.rpc.mcp.session_tools import SessionTools
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault
from esoplay.task_exports.frameworks import export_tasks
from esoplay.task_exports.judging import SEED_VARIABLE, Exported
from esoplay.task_exports.plan import ExportOptions
from esoplay.task_exports.playing import ExportedSessions, SessionScore
from esoplay.task_exports.sessions import SessionOptions

ID = "brainfuck-e01-m01"


def export(folder: Path, options: SessionOptions, problems: str = "E01,E02,M01") -> Path:
    chosen = ExportOptions(("brainfuck",), problems.split(","), sessions=options)
    export_tasks("inspect", folder, chosen, seed=SEED)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("sessions") / "export", SessionOptions())


@pytest.fixture(scope="module")
def exported(folder: Path) -> ExportedSessions:
    return ExportedSessions(folder)


def hello() -> str:
    reference = find_reference("E01", "brainfuck")
    assert reference is not None
    return reference.program.decode()


def test_a_session_is_played_with_tools_and_scored(exported: ExportedSessions) -> None:
    session = exported.start(ID)
    tools = SessionTools(exported.sessions, session).functions()
    assert list(tools) == ["fetch", "run", "submit", "status", "skip", "card"]
    assert json.loads(tools["fetch"]())["problem"] == "E01"
    assert json.loads(tools["run"](program=",[.,]", stdin="abc"))["stdout"] == "abc"
    assert json.loads(tools["submit"](problem="E01", program=hello()))["solved"]
    assert json.loads(tools["fetch"]())["problem"] == "E02"
    passed = [
        json.loads(tools["submit"](problem="E02", program=program))["passed"]
        for program in (",[.[-]]", "+.", ",")
    ]
    assert "finalized" in json.loads(tools["submit"](problem="E02", program=","))["message"]
    assert 0 < max(passed) < 6
    score = exported.score(ID, session)
    assert (score.solved, score.problems, score.runs, score.submissions) == (1, 3, 1, 4)
    assert score.tiers == {"easy": (1, 2), "medium": (0, 1)}
    assert score.passed == pytest.approx(1 + max(passed) / 6)
    assert not score.closed
    assert score.reward() == pytest.approx(1 / 3)
    worth = (1 + 0.5 * max(passed) / 6 - 0.01 * 5) / 3
    assert score.reward(partial_credit=0.5, step_cost=0.01) == pytest.approx(worth)
    assert score.metrics()["solved_easy"] == 0.5


def test_two_sessions_of_a_task_do_not_affect_each_other(exported: ExportedSessions) -> None:
    first, second = exported.start(ID), exported.start(ID)
    SessionTools(exported.sessions, first).call("fetch", {})
    assert SessionTools(exported.sessions, first).call("submit", {"problem": "E01"}).failed
    answer = SessionTools(exported.sessions, second).call("submit", {"problem": "E01"})
    assert answer.failed
    assert exported.score(ID, second).submissions == 0


def test_functions_have_the_parameters_of_the_tools(exported: ExportedSessions) -> None:
    tools = SessionTools(exported.sessions, exported.start(ID)).functions()
    submit = inspect.signature(tools["submit"])
    assert list(submit.parameters) == ["problem", "program", "program_base64"]
    assert submit.parameters["problem"].default is inspect.Parameter.empty
    assert submit.parameters["program"].annotation == str | None
    assert "hidden tests" in (tools["submit"].__doc__ or "")
    assert "- program: program as text" in (tools["submit"].__doc__ or "")


def test_a_protocol_with_debugging_offers_the_debugger(tmp_path: Path) -> None:
    options = SessionOptions(changes={"debug": True})
    exported = ExportedSessions(export(tmp_path / "out", options, "E01"))
    session = exported.start("brainfuck-e01")
    tools = SessionTools(exported.sessions, session)
    for tool in tools.tools:  # Inspect AI refuses parameters without
        assert all(one["description"] for one in tool.listed_schema["properties"].values()), tool
    assert tools.functions().keys() > {"debug_open", "debug_view", "debug_close"}
    tools.call("fetch", {})
    opened = tools.call("debug_open", {"language": "brainfuck", "program": "+."})
    assert not opened.failed, opened.text
    assert exported.score("brainfuck-e01", session).runs == 1
    tools.close()


def test_the_model_sees_rules_and_card_and_no_seed(folder: Path) -> None:
    text = (folder / "samples.json").read_text("utf-8")
    (sample,) = json.loads(text)
    assert "as many as you like" in sample["messages"][0]["content"]
    assert "benchmark" in sample["messages"][0]["content"]
    assert SEED.hex() not in text
    assert [problem["id"] for problem in sample["problems"]] == ["E01", "E02", "M01"]
    assert (folder / "seed").stat().st_mode & 0o777 == 0o600


def test_an_export_of_sessions_fits_the_schemas(tmp_path: Path) -> None:
    rules = SessionOptions(changes={"submissions": 1, "generators": ["python"], "debug": True})
    folder = export(tmp_path / "out", rules, "E01,E02")
    for schema, file in (("task-export", "export.json"), ("task-sessions", "samples.json")):
        written = (ROOT / "docs" / "schemas" / f"{schema}.schema.json").read_text("utf-8")
        jsonschema.validate(json.loads((folder / file).read_text("utf-8")), json.loads(written))


def test_problems_are_divided_into_sessions_of_a_length(tmp_path: Path) -> None:
    cut = export(tmp_path / "out", SessionOptions(length=2), "E01-E05")
    ids = [sample["id"] for sample in json.loads((cut / "samples.json").read_text("utf-8"))]
    assert ids == ["brainfuck-e01-e02", "brainfuck-e03-e04", "brainfuck-e05"]


def test_a_wrong_seed_starts_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.write_text("11" * 32)
    other.chmod(0o600)
    monkeypatch.setenv(SEED_VARIABLE, str(other))
    with pytest.raises(UsageError, match="is not the one that these tasks were exported with"):
        ExportedSessions(folder).start(ID)


def test_the_kinds_of_exports_are_not_confused(folder: Path, exports: dict[str, Path]) -> None:
    with pytest.raises(UsageError, match="expected an export of problems, not of sessions"):
        Exported(folder)
    with pytest.raises(UsageError, match="expected an export of sessions, not of problems"):
        ExportedSessions(exports["inspect"])


def test_imports_of_exported_modules_exist_in_esoplay(folder: Path, tmp_path: Path) -> None:
    assert missing_imports(folder) == []
    options = ExportOptions(("brainfuck",), ("E01",), sessions=SessionOptions())
    export_tasks("verifiers", tmp_path / "out", options, seed=SEED)
    assert missing_imports(tmp_path / "out") == []
    assert ExportedSessions(tmp_path / "out" / "esoplay_sessions" / "tasks").start("brainfuck-e01")


def test_a_score_survives_json(exported: ExportedSessions) -> None:
    score = exported.score_unplayed(ID)
    assert SessionScore.from_json(json.loads(json.dumps(score.as_json()))) == score
    assert (score.problems, score.reward(1.0, 1.0)) == (3, 0.0)


@pytest.mark.parametrize(
    ("options", "seed", "wording"),
    [
        (SessionOptions(), PRACTICE_SEED, "requires a secret seed"),
        (SessionOptions("practice"), SEED, "--seed practice"),
        (SessionOptions(length=0), SEED, "--length: expected 1 or more"),
        (SessionOptions("mine.toml"), SEED, "expected a name"),
        (SessionOptions(changes={"runs": "few"}), SEED, "runs"),
    ],
)
def test_sessions_that_cannot_be_exported_are_refused(
    options: SessionOptions, seed: bytes, wording: str, tmp_path: Path
) -> None:
    chosen = ExportOptions(("brainfuck",), ("E01",), sessions=options)
    with pytest.raises(UsageError, match=wording):
        export_tasks("inspect", tmp_path / "out", chosen, seed=seed)
    assert not (tmp_path / "out").exists()


# Harbor: the session is in a container of its own, and its log is scored in another one.


@pytest.fixture(scope="module")
def harbor_task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbor") / "out"
    rules = SessionOptions(changes={"submissions": 1, "generators": ["python", "shell"]})
    export_tasks(
        "harbor", folder, ExportOptions(("brainfuck",), ("E01", "E02"), sessions=rules), seed=SEED
    )
    return folder / "brainfuck-e01-e02"


def test_a_session_in_harbor_has_steps_and_a_server(harbor_task: Path) -> None:
    settings = tomllib.loads((harbor_task / "task.toml").read_text("utf-8"))
    assert [step["name"] for step in settings["steps"]] == ["01-e01", "02-e02"]
    assert [step["verifier"]["env"]["PROBLEM"] for step in settings["steps"]] == ["E01", "E02"]
    assert settings["environment"]["mcp_servers"][0]["url"] == "http://session:8000/mcp"
    assert "`E02`" in (harbor_task / "steps" / "02-e02" / "instruction.md").read_text("utf-8")
    seeds = [file.relative_to(harbor_task) for file in harbor_task.rglob("seed")]
    assert list(map(str, seeds)) == ["environment/session/seed"]
    solver = (harbor_task / "environment" / "Dockerfile").read_text("utf-8")
    assert "COPY" not in solver
    assert "pip" not in solver


def test_the_server_in_harbor_starts_the_session_of_the_task(
    harbor_task: Path, tmp_path: Path
) -> None:
    """Its command, with a folder in the place of the container's."""
    script = (harbor_task / "environment" / "session" / "serve.sh").read_text("utf-8")
    (line,) = (line for line in script.splitlines() if "session init" in line)
    words = shlex.split(line.strip().partition(" > ")[0].replace("/session/", f"{tmp_path}/"))
    shutil.copy(harbor_task / "environment" / "session" / "seed", tmp_path)
    done = esoplay(*words[1:], ESOPLAY_HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    done = esoplay(
        "session",
        "status",
        "--json",
        cwd=tmp_path / "workspace",
        ESOPLAY_HOME=str(tmp_path / "home"),
    )
    status = json.loads(done.stdout)
    assert status["protocol"] == "primary+submissions=1+generators=python,shell"
    assert [each["problem"] for each in status["problems"]] == ["E01", "E02"]


def test_the_image_of_the_server_has_the_extra_for_mcp(harbor_task: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (needed,) = project["project"]["optional-dependencies"]["mcp"]
    image = (harbor_task / "environment" / "session" / "Dockerfile").read_text("utf-8")
    assert f"'{needed}'" in image


def test_harbor_scores_the_log_of_a_session(harbor_task: Path, tmp_path: Path) -> None:
    with Sessions(EventStore(tmp_path / "store"), vault=Vault(tmp_path / "vault")) as sessions:
        session = sessions.init("brainfuck", problems=["E01", "E02"], seed=SEED).session
        sessions.fetch(session)
        sessions.submit(session, "E01", hello().encode())
        log = json.dumps(sessions.export(session).as_json())
    rewards: dict[str, float] = {}
    for problem in ("E01", "E02"):
        done = score_in_harbor(harbor_task, log, problem, tmp_path)
        assert done.returncode == 0, done.stderr
        rewards[problem] = json.loads((tmp_path / "logs" / "reward.json").read_text())["reward"]
    assert rewards == {"E01": 0.75, "E02": 0.0}
    (tmp_path / "logs" / "reward.json").unlink()
    done = score_in_harbor(harbor_task, log.replace('"passed": 6', '"passed": 5'), "E01", tmp_path)
    assert done.returncode == 1
    assert b"fails verification" in done.stderr
    assert not (tmp_path / "logs" / "reward.json").exists()


def score_in_harbor(
    task: Path, log: str, problem: str, folder: Path
) -> subprocess.CompletedProcess[bytes]:
    (folder / "session.json").write_text(log, "utf-8")
    (folder / "bin").mkdir(exist_ok=True)
    python = folder / "bin" / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    own = {"PROBLEM": problem, "PARTIAL_CREDIT": "0", "STEP_COST": "0.25", "PYTHONPATH": PATHS}
    return subprocess.run(
        [
            "bash",
            str(task / "tests" / "test.sh"),
            str(folder / "session.json"),
            str(folder / "logs"),
        ],
        env={**os.environ, **own, "PATH": f"{python.parent}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
        timeout=300,
    )


def test_the_command_exports_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    command = ["export", "inspect", "--lang", "unlambda", "--problem", "E01-E02", "-o", out]
    assert main([*command, "--protocol", "primary"]) == 2
    assert "require --sessions" in capsys.readouterr().err
    assert main([*command, "--sessions", "--set", "submissions=1", "--dialect", "standard"]) == 0
    assert "1 session for inspect" in capsys.readouterr().err
    head = json.loads((tmp_path / "out" / "export.json").read_text("utf-8"))
    assert (head["protocol"], head["dialect"]) == ("primary", "standard")
    assert head["changes"] == {"submissions": 1, "dialect": "standard"}
