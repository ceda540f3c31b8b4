"""Grids of stand-in agents, and what is said of each."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from agents_helpers import STAND_IN, acceptance, agents, sessions_of, write_grid
from shell import PATHS, heed_interrupts

from esoplay.agents.isolation import DISABLE_VARIABLE
from esoplay.cli.main import main

HONEST = {"heron": "solve", "crow": "fail", "moth": "die", "owl": "endless", "wren": "endless"}
LIMITS = {"owl": 'time = "1s"', "wren": "turns = 3"}

Capture = pytest.CaptureFixture[str]


@pytest.mark.slow
def test_each_agent_is_reported_by_its_behaviour(
    pack: Path, answers: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    monkeypatch.setenv("STAND_IN_KEY", "for nobody else")
    monkeypatch.setenv("ANOTHER_KEY", "for nobody at all")
    key = 'environment = ["STAND_IN_KEY"]'
    write_grid(file, pack, answers, HONEST, limits=LIMITS, more=key)
    acceptance_before = acceptance()
    status, out, _ = agents(capsys, "run", file, "-o", run, "--jobs", "2", "--json")
    assert status == 1
    found = sessions_of(out)
    assert {name: one["status"] for name, one in found.items()} == {
        "heron": "complete",
        "crow": "complete",
        "moth": "died",
        "owl": "timed out",
        "wren": "out of turns",
    }
    results = {name: one["result"] for name, one in found.items()}
    assert all(result["verified"] and result["repeated"] for result in results.values())
    assert [results[name]["solved"] for name in ("heron", "crow", "moth", "wren")] == [2, 0, 1, 1]
    assert results["moth"]["why"] == "ended by signal 9"
    assert results["wren"]["why"] == "after 3 moves"
    attempt = Path(found["heron"]["attempt"])
    assert (attempt / "stdout.log").read_text("utf-8") == "solved 2, keys [STAND_IN_KEY] None\n"
    seed = ("--seed", results["heron"]["seed"], "--pack", str(pack), "--jobs", "1")
    assert main(["session", "verify", str(attempt / "session.json"), *seed]) == 0

    # Two are added that reach what an isolated one does not; what was played is not played again.
    monkeypatch.setenv(DISABLE_VARIABLE, "1")
    assert {result["isolated"] for result in results.values()} == {not acceptance_before}
    more = {**HONEST, "jay": "cheat", "fox": "edit_the_log"}
    write_grid(file, pack, answers, more, limits=LIMITS, more=key)
    _, out, told = agents(capsys, "run", file, "-o", run, "--jobs", "2", "--json")
    assert "[2/2]" in told
    now = sessions_of(out)
    assert {name: now[name]["result"] for name in HONEST} == results
    assert now["crow"]["status"] == "altered"
    assert now["fox"]["status"] == "tampered"
    assert "was changed" in now["fox"]["result"]["why"]
    assert (now["jay"]["status"], now["jay"]["result"]["solved"]) == ("complete", 0)
    assert "files of the session were changed: AGENTS.md" in now["jay"]["result"]["notes"]
    said = (Path(now["jay"]["attempt"]) / "stdout.log").read_text("utf-8")
    assert "changed crow" in said
    assert "in its home: PROMPT.md tmp\nhidden things in its environment: ESOPLAY_USAGE\n" in said

    status, _, told = agents(capsys, "report", run)
    assert status == 1
    assert "session.json: was altered after it was verified" in told
    _, out, _ = agents(capsys, "report", run, "--keep-going")
    assert "every verdict was confirmed" in " ".join(out.split())
    status, out, _ = agents(capsys, "report", run, "--keep-going", "--json")
    report = json.loads(out)
    assert [Path(one["file"]).parts[1] for one in report["refused"]] == ["crow", "fox"]
    partial = {one["solver"]: one["partial"] is not None for one in report["sessions"]}
    assert partial == {"heron": False, "moth": True, "owl": True, "wren": True, "jay": False}

    write_grid(file, pack, answers, {"heron": "fail"})
    status, _, told = agents(capsys, "run", file, "-o", run)
    assert status == 2
    assert "was played with an earlier version of the grid" in told


def begin(file: Path, run: Path) -> subprocess.Popen[bytes]:
    """A run whose agent has reached the point where it only waits."""
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "agents", "run", file, "-o", run, *acceptance()],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )
    said = run / "cells/owl/brainfuck/primary/1/attempt-1/stdout.log"
    deadline = time.monotonic() + 300
    while not (said.exists() and b"started" in said.read_bytes()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


@pytest.mark.slow
def test_ctrl_c_saves_running_sessions_and_a_kill_is_finalized_later(
    pack: Path, answers: Path, tmp_path: Path, capsys: Capture
) -> None:
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    write_grid(file, pack, answers, {"owl": "endless"}, sessions=2)
    process = begin(file, run)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert (
        b"interrupted (the run was stopped), 1 of 2 solved, log verified without regrading" in told
    )

    killed = tmp_path / "killed"
    process = begin(file, killed)
    status, _, words = agents(capsys, "run", file, "-o", killed)
    assert (status, "is in use" in words) == (2, True)
    status, out, _ = agents(capsys, "status", killed)
    assert (status, out.split()[:6]) == (1, ["owl", "brainfuck", "primary", "1", "begun", "1/2"])
    process.kill()
    process.communicate()
    write_grid(file, pack, answers, {"owl": "endless"}, sessions=1)
    deadline = time.monotonic() + 300
    settled = "left by an earlier run: interrupted (the run was killed), 1 of 2 solved"
    while settled not in words:  # the agent is being ended
        assert time.monotonic() < deadline, words
        time.sleep(0.05)
        _, out, words = agents(capsys, "run", file, "-o", killed, "--json")
    one = sessions_of(out)["owl"]
    assert one["status"] == "interrupted"
    start = json.loads(Path(one["attempt"], "begun.json").read_bytes())
    assert not Path(start["sockets"]).exists()
    assert start["isolated"] == one["result"]["isolated"]
    assert not Path(one["attempt"], "tmp").exists()
    status, _, words = agents(
        capsys, "run", file, "-o", killed, "--retry", "interrupted", "--dry-run"
    )
    assert "1 of 1 sessions would be played" in words


@pytest.mark.slow
def test_a_session_is_played_through_the_tools_of_mcp(
    pack: Path, answers: Path, tmp_path: Path, capsys: Capture
) -> None:
    pytest.importorskip("mcp")
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    command = [
        sys.executable,
        "-S",
        str(STAND_IN),
        "mcp",
        "{mcp_config}",
        f"{answers}/{{language}}",
    ]
    file.write_text(
        f'languages = ["brainfuck"]\npack = "{pack}"\n'
        f'[[solvers]]\nname = "heron"\nclient = "mcp"\ncommand = {json.dumps(command)}\n',
        "utf-8",
    )
    status, out, _ = agents(capsys, "run", file, "-o", run, "--json")
    one = sessions_of(out)["heron"]
    assert (status, one["status"], one["result"]["solved"]) == (0, "complete", 2)
    assert one["result"]["repeated"]
    attempt = Path(one["attempt"])
    assert (attempt / "stdout.log").read_text("utf-8") == "solved 2 by tools\n"
    assert f"the session is {one['result']['session']}." in (
        (attempt / "home" / "PROMPT.md").read_text("utf-8")
    )


@pytest.mark.slow
def test_runs_with_different_packs_are_reported_with_the_pack_of_each(
    pack: Path, answers: Path, tmp_path: Path, capsys: Capture
) -> None:
    other = shutil.copytree(pack, tmp_path / "other")
    head = (other / "pack.toml").read_text("utf-8")
    (other / "pack.toml").write_text(head.replace('"a-few"', '"others"'), "utf-8")
    for name, folder in (("first", pack), ("second", other)):
        write_grid(tmp_path / f"{name}.toml", folder, answers, {"heron": "solve"})
        run = tmp_path / name
        assert agents(capsys, "run", tmp_path / f"{name}.toml", "-o", run, "--json")[0] == 0
    words = ["report", str(tmp_path / "first"), str(tmp_path / "second"), "--json"]

    def tiers() -> tuple[dict[str, bool], str]:
        capsys.readouterr()
        assert main(words) == 0
        out, said = capsys.readouterr()
        return {one["pack"]: bool(one["tiers"]) for one in json.loads(out)["series"]}, said

    found, said = tiers()
    assert found == {"a-few 1": True, "others 1": True}
    assert "is not available" not in said
    shutil.rmtree(other)
    found, said = tiers()
    assert found == {"a-few 1": True, "others 1": False}
    assert f"{tmp_path / 'second'}: the pack of the run, {other}, is not available" in said
    words += ["--pack", str(pack)]
    assert tiers()[0] == found
