"""Evaluations and runs of agents at earlier versions: opened again, reported, and continued."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from frozen_data import (
    DRAWN,
    FOR_PEOPLE,
    STANDS_FOR_ROOT,
    Command,
    Restore,
    Restored,
    differences,
    each_version,
    environment,
    make_private,
    read_json,
    server_command,
)

from esoplay.evaluation.prompts import BUILT_IN
from esoplay.version import VERSION

GUESS = "#!/bin/sh\ncat > /dev/null\nprintf 'It prints this.\\n```\\nB\\n```\\n'\n"


class Evaluation:
    """A copy of an evaluation's folder, and the command that goes on with it."""

    def __init__(self, arguments: Path, copy: Path) -> None:
        self.frozen = arguments.with_name(arguments.name.partition(".")[0])
        self.words: list[str] = read_json(arguments)
        self.folder = copy
        shutil.copytree(self.frozen, copy)
        if (copy / "seed").exists():
            (copy / "seed").chmod(0o600)
        terms = read_json(copy / "evaluation.json")
        if terms["prompts"] != BUILT_IN.digest:
            pytest.skip("the prompts were changed: another evaluation")
        # An evaluation is bound to a version of esoplay; that apart, it has to go on.
        terms["esoplay"] = VERSION
        (copy / "evaluation.json").write_text(json.dumps(terms), "utf-8")

    @property
    def transcript(self) -> Path:
        return self.folder / "transcript.jsonl"


@pytest.mark.parametrize("arguments", each_version("evaluations/endpoint.arguments.json"))
def test_an_evaluation_is_resumed_without_asking(
    arguments: Path,
    restore: Restore,
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody is there to answer; all results follow from the transcript."""
    restore(arguments)
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    evaluation = Evaluation(arguments, tmp_path / "evaluation")
    before = evaluation.transcript.read_bytes()
    prices = arguments.with_name("endpoint.prices.toml")
    words = ("--prices", prices, "--retries", "0", "-o", evaluation.folder)
    now = command.json("eval", *evaluation.words, *words)
    frozen = read_json(evaluation.frozen / "results.json")
    assert differences(frozen, now) == []
    assert differences(frozen, read_json(evaluation.folder / "results.json")) == []
    assert evaluation.transcript.read_bytes() == before


@pytest.mark.parametrize("arguments", each_version("evaluations/predict.arguments.json"))
def test_a_transcript_is_completed(
    arguments: Path,
    restore: Restore,
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last trial and half a record are missing, as after a kill; that trial is asked again."""
    restored = restore(arguments)
    evaluation = Evaluation(arguments, tmp_path / "evaluation")
    monkeypatch.chdir(tmp_path)
    script = Path("guess.sh")
    script.write_text(GUESS, "ascii")
    script.chmod(0o755)
    lines = evaluation.transcript.read_bytes().splitlines(keepends=True)
    trial = json.loads(lines[-1])["trial"]
    kept = [line for line in lines if json.loads(line).get("trial") != trial]
    evaluation.transcript.write_bytes(b"".join(kept) + lines[-1][:30])
    words = ("--seed-file", restored.seed("guesses"), "-o", evaluation.folder)
    now = command.json("eval", *evaluation.words, *words)
    assert differences(read_json(evaluation.frozen / "results.json"), now) == []
    after = evaluation.transcript.read_bytes().splitlines(keepends=True)
    assert after[: len(kept)] == kept
    assert sorted(map(kind_of, after)) == sorted(map(kind_of, lines))


def kind_of(record: bytes) -> str:
    return json.loads(record)["kind"]


# Agents


class Run:
    """A copy of the folder of a run."""

    def __init__(self, grid: Path, restored: Restored) -> None:
        self.grid = shutil.copy(grid, restored.work)
        self.folder = restored.work / f"{grid.stem}.runs"
        shutil.copytree(grid.with_name(self.folder.name), self.folder)
        make_private(self.folder)

    def attempts(self) -> list[Path]:
        return sorted(self.folder.glob("cells/*/*/*/*/attempt-*"))


def readable(grid: Path, name: str, restored: Restored) -> Any:
    """A fixture beside the grid, with paths of the copy."""
    text = grid.with_name(name).read_text("utf-8")
    return json.loads(text.replace(STANDS_FOR_ROOT, str(restored.root)))


@pytest.mark.parametrize("grid", each_version("agents/*.toml"))
def test_a_frozen_run_of_agents_has_the_same_status(
    grid: Path, restore: Restore, command: Command
) -> None:
    restored = restore(grid)
    run = Run(grid, restored)
    now = command.json("agents", "status", run.folder, status=1)
    ignored = FOR_PEOPLE | {"path"}
    assert differences(readable(grid, "status.json", restored), now, ignored) == []


@pytest.mark.parametrize("grid", each_version("agents/*.toml"))
def test_a_run_is_reported(grid: Path, restore: Restore, command: Command) -> None:
    """With the tokens that agents told of; partial sessions are marked."""
    restored = restore(grid)
    run = Run(grid, restored)
    words = ("--resamples", "100", "--keep-going")
    now = command.json("agents", "report", run.folder, *words, status=None)
    assert differences(readable(grid, "report.json", restored), now, DRAWN | FOR_PEOPLE) == []


@pytest.mark.parametrize("grid", each_version("agents/*.toml"))
def test_a_run_is_not_played_again(grid: Path, restore: Restore, command: Command) -> None:
    """The grid still means the same: what has a result is not begun again."""
    run = Run(grid, restore(grid))
    said = command("agents", "run", run.grid, "-o", run.folder, "--dry-run", status=None)
    assert "not begun" not in said
    assert said.count("complete") == said.count("gave up") == 2


@pytest.mark.parametrize("grid", each_version("agents/*.toml"))
def test_the_exports_of_a_run_verify(grid: Path, restore: Restore, command: Command) -> None:
    run = Run(grid, restore(grid))
    assert len(run.attempts()) == 4
    for attempt in run.attempts():
        result = read_json(attempt / "result.json")
        now = command.json(
            *("session", "verify", attempt / "session.json", "--seed", result["seed"]),
            *("--head", result["head"]),
        )
        assert (now["verified"], now["repeated"]) == (True, True)


@pytest.mark.parametrize("grid", each_version("agents/*.toml"))
def test_a_workspace_of_the_thin_client_is_used_again(
    grid: Path, restore: Restore, tmp_path: Path
) -> None:
    """It keeps heads and request ids; the server has the store of that time."""
    restored = restore(grid)
    run = Run(grid, restored)
    (attempt,) = run.folder.glob("cells/scripted/*/primary/1/attempt-1")
    session = read_json(attempt / "begun.json")["session"]
    socket = tmp_path / "s"
    words = ("--solver", "--session", session, "--store", str(attempt / "store.sqlite"))
    own = environment(restored.home)
    serve = server_command(*words, "--socket", str(socket))
    with subprocess.Popen(serve, env=own, stderr=subprocess.PIPE) as server:
        try:
            deadline = time.monotonic() + 60
            while not socket.exists():
                assert server.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)
            client = [*server_command()[:-1], "session", "--connect", str(socket)]
            done = subprocess.run(
                [*client, "status", "--json"],
                cwd=attempt / "workspace",
                env=own,
                capture_output=True,
                timeout=60,
                check=True,
            )
        finally:
            server.terminate()
            assert server.stderr is not None
            server.stderr.close()
    assert json.loads(done.stdout)["closed"]
    assert done.stderr == b""


@pytest.mark.parametrize("grid", each_version("agents/grids/*.toml"))
def test_a_published_grid_is_read(grid: Path, command: Command, tmp_path: Path) -> None:
    filled = tmp_path / grid.name
    solver = '\n[[solvers]]\nname = "some"\ncommand = ["true"]\n'
    filled.write_text(grid.read_text("utf-8") + solver, "utf-8")
    said = command("agents", "run", filled, "--dry-run", status=None)
    assert said.count("not begun") >= 15
