"""``eval --roster``: models, endpoints and regimes in one file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from scripted_models import Reply, echoing, serving

from esoplay.cli.main import main
from esoplay.evaluation.rosters import read_roster
from esoplay.toml_positions import find_position

ROOT = Path(__file__).parents[2]
HEAD = """\
title = "Two models"
languages = ["brainfuck"]
regimes = ["zero-shot", "self-scaffolding"]
problems = ["E01-E02"]
"""
LIMITS = """\
[limits.all]
tokens = 4000
[limits.self-scaffolding]
attempts = 3
"""
COMMAND = """\
[[models]]
name = "echo"
command = "./echo.sh"
"""
SEED = bytes(range(32))


def script(path: Path, program: str, before: str = "") -> None:
    path.write_text(f"#!/bin/sh\ncat > /dev/null\n{before}\nprintf '~~~\\n{program}\\n~~~\\n'\n")
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    script(tmp_path / "echo.sh", ",[.,]")
    return tmp_path


def write(text: str) -> None:
    Path("roster.toml").write_text(text, "utf-8")


def play(*more: str) -> int:
    return main(["eval", "--roster", "roster.toml", "-o", "out", "--jobs", "2", *more])


def read(*path: str) -> Any:
    return json.loads(Path("out", *path).read_text("utf-8"))


def test_each_model_and_regime_has_a_run_and_all_make_one_report(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda _: Reply("```\n.\n```")) as served:
        write(
            HEAD
            + LIMITS
            + COMMAND
            + f"""\
[[models]]
name = "served"
model = "some-model-2026"
base_url = "{served.url}"
temperature = 0.5
regimes = ["self-scaffolding"]
extra = {{ reasoning_effort = "high" }}
price = {{ input = 1000, output = 2000 }}
[models.limits.self-scaffolding]
turns = 2
"""
        )
        assert play("--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == read("roster.json")
    schema = json.loads((ROOT / "docs/schemas/roster-results.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(told)
    assert [(one["folder"], one["state"], one["solved"], one["total"]) for one in told["runs"]] == [
        ("echo/zero-shot", "finished", 1, 2),
        ("echo/self-scaffolding", "finished", 1, 2),
        ("served/self-scaffolding", "finished", 0, 2),
    ]
    bodies = served.asked
    assert len(bodies) == 4, "two answers for each problem, of three attempts"
    assert {(one["model"], one["temperature"], one["max_tokens"]) for one in bodies} == {
        ("some-model-2026", 0.5, 4000)
    }
    assert {one["reasoning_effort"] for one in bodies} == {"high"}
    results = read("served", "self-scaffolding", "results.json")
    assert {trial["limit"] for trial in results["trials"]} == {"turns"}
    assert results["cost"] > 0
    assert results["terms"]["limits"] == {"turns": 2, "output_tokens": None, "seconds": None}
    assert results["terms"]["requested_model"] == "some-model-2026"
    seeds = {Path("out", one["folder"], "seed").read_text() for one in told["runs"]}
    assert seeds == {Path("out", "seed").read_text()}, "all models have the same hidden tests"
    assert "| served | self-scaffolding | brainfuck | 0 | 2 |" in Path("out/summary.md").read_text()
    assert main(["report", "out", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert len(report["evaluations"]) == 3
    assert main(["report", "out", "--by", "regime"]) == 0
    shown = capsys.readouterr().out
    assert "3 attempts, max 4000 tokens" in shown
    assert "echo (" not in shown, "limits of a regime are not a part of the model's name"


def test_a_killed_roster_is_resumed(folder: Path) -> None:
    script(
        folder / "slow.sh", ".", f"echo asked >> {folder}/asked; test -e {folder}/go || sleep 60"
    )
    slow = COMMAND.replace("echo", "slow")
    write(HEAD + "runs = 2\n" + COMMAND + slow)
    words = [sys.executable, "-m", "esoplay", "eval", "--roster", "roster.toml", "-o", "out"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while not Path("asked").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    states = {one["folder"]: one["state"] for one in read("roster.json")["runs"]}
    assert states["echo/zero-shot"] == "finished"
    assert states["slow/zero-shot"] == "not started"
    before = Path("out/echo/zero-shot/transcript.jsonl").read_bytes()
    Path("go").touch()
    assert play() == 0
    assert {one["state"] for one in read("roster.json")["runs"]} == {"finished"}
    assert Path("out/echo/zero-shot/transcript.jsonl").read_bytes() == before
    asked = Path("asked").read_text().count("asked")
    write(HEAD + 'runs = 2\ndialect = "standard"\n' + COMMAND + slow)
    assert play() == 2, "other terms"
    assert Path("asked").read_text().count("asked") == asked


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"zero-shot"', '"zero"', "3:1: regimes[0]: expected all | zero-shot"),
        ("attempts = 3", "attempts = 0", "8:1: limits.self-scaffolding.attempts: expected"),
        ("limits.all", "limits.most", "5:1: limits.most: expected all | zero-shot"),
        ("limits.all", "limit.all", "5:1: limit: unknown field"),
        (
            'command = "./echo.sh"',
            "",
            "10:1: models[0].name: echo needs exactly one of base_url and command",
        ),
        ('"echo"', '"../echo"', "10:1: models[0].name: expected a folder name"),
        ('"brainfuck"', '"brainfork"', "2:1: languages: language 'brainfork' is not installed"),
        ("E01-E02", "E02-E01", "4:1: problems: 'E02-E01' ends before it starts"),
        ("tokens = 4000", "tokens = ", "6:10: Invalid value"),
        (
            'command = "./echo.sh"',
            'command = "x"\nextra = {n = 2}',
            "12:1: models[0].extra: requires base_url",
        ),
        ("[[models]]", 'pack = "gone"\n[[models]]', "9:1: limits.self-scaffolding.pack: unknown"),
    ],
)
def test_a_mistake_is_reported_with_line_and_column(
    folder: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HEAD + LIMITS + COMMAND
    assert old in text
    write(text.replace(old, new, 1))
    assert play() == 2
    assert f"esoplay: roster.toml:{message}" in capsys.readouterr().err
    assert not Path("out").exists()


def test_two_models_of_one_name_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(HEAD + COMMAND + COMMAND)
    assert play() == 2
    assert "roster.toml:9:1: models[1].name: duplicate name echo" in capsys.readouterr().err


def test_options_that_are_keys_of_a_roster_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(HEAD + COMMAND)
    for option in (["--language", "brainfuck"], ["--runs", "2"], ["--command", "cat"]):
        assert play(*option) == 2
        assert f"{option[0]} cannot be combined with --roster" in capsys.readouterr().err
    assert main(["eval", "--command", "cat", "--regime", "react", "-o", "x"]) == 2
    assert "--language is missing" in capsys.readouterr().err


def test_the_most_specific_limits_win(folder: Path) -> None:
    write(
        HEAD
        + "[limits.all]\nattempts = 2\ntokens = 10\nseconds = 5\n"
        + "[limits.zero-shot]\ntokens = 20\n"
        + COMMAND
        + "[models.limits.all]\nattempts = 4\n[models.limits.zero-shot]\ntrial_tokens = 9\n"
    )
    first, second = read_roster(Path("roster.toml"), SEED).runs
    options = first.options
    assert (options.attempts, options.max_tokens, options.limits) == (4, 20, (None, 9, 5))
    assert (second.options.attempts, second.options.max_tokens) == (4, 10)


@pytest.mark.parametrize(
    ("limits", "asked", "reached"),
    [
        (["--max-turns", "1"], 1, "turns"),
        (["--max-trial-tokens", "1"], 1, "output_tokens"),
        (["--max-seconds", "1e-9"], 1, "seconds"),
        (["--max-turns", "3"], 3, None),
    ],
)
def test_a_trial_ends_at_its_limits(
    folder: Path, limits: list[str], asked: int, reached: str | None
) -> None:
    words = ["eval", "--language", "brainfuck", "--regime", "self-scaffolding", "--attempts", "3"]
    words += ["--problems", "E01", "--model", "m", "-o", "out", "--jobs", "1"]
    with serving(echoing) as served:
        assert main([*words, "--base-url", served.url, *limits]) == 0
        assert main([*words, "--base-url", served.url, *limits]) == 0
    assert len(served.asked) == asked
    (trial,) = read("results.json")["trials"]
    assert (trial["verdict"], trial["attempts"]) == ("wrong_answer", asked)
    assert trial.get("limit") == reached


def test_positions_of_toml_keys_are_found() -> None:
    text = """\
a = [
  "b = 3",
]
"q r".s = 1
[t."u.v"]
  w = { x = 1 }
[[l]]
k = '''
m = 1
'''
[[l]]
[l.n]
o = 1
"""
    found = {
        path: find_position(text, path)
        for path in ("a[0]", "t", "l[0].k", "l[0].m", "l[1].n.o", "l[1].p", "none")
    }
    assert found == {
        "a[0]": (1, 1),
        "t": (5, 1),
        "l[0].k": (8, 1),
        "l[0].m": (7, 1),
        "l[1].n.o": (13, 1),
        "l[1].p": (11, 1),
        "none": None,
    }
