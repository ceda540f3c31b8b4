"""Harbor's tasks: what parts solver and judge, and what reward there is."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from export_slices import SEED, judge_in_harbor
from shell import ROOT, esoplay

from esoplay.batch.submissions import MAX_PROGRAM_BYTES
from esoplay.cli.main import main
from esoplay.packs.references import find_reference
from esoplay.task_exports.frameworks import export_tasks
from esoplay.task_exports.plan import ExportOptions


def test_harbor_is_given_a_reward(exports: dict[str, Path], tmp_path: Path) -> None:
    program, logs = tmp_path / "program.bf", tmp_path / "logs"
    program.write_text(",[.,]")
    for id, reward in (("e02-brainfuck", "1"), ("e08-brainfuck", "0")):
        done = judge_in_harbor(exports["harbor"] / id, program, logs)
        assert done.returncode == 0, done.stderr
        assert (logs / "reward.txt").read_text().strip() == reward
    assert json.loads((logs / "report.json").read_text())["problem"] == "E08"
    (tmp_path / "link.bf").symlink_to(program)
    with (tmp_path / "long.bf").open("wb") as file:
        file.truncate(
            MAX_PROGRAM_BYTES + 1
        )  # else a wrong program could be made one that does not count
    for unfit in (tmp_path / "nothing.bf", tmp_path / "link.bf", tmp_path / "long.bf"):
        assert judge_in_harbor(exports["harbor"] / "e02-brainfuck", unfit, logs).returncode == 0
        assert (logs / "reward.txt").read_text().strip() == "0"


def test_harbor_is_given_no_reward_if_judging_fails(
    exports: dict[str, Path], tmp_path: Path
) -> None:
    task, program, logs = tmp_path / "task", tmp_path / "program.bf", tmp_path / "logs"
    shutil.copytree(exports["harbor"] / "e02-brainfuck", task)
    program.write_text(",[.,]")
    (task / "tests" / "seed").write_text("00" * 32)
    assert judge_in_harbor(task, program, logs).returncode == 4
    assert not (logs / "reward.txt").exists()


def test_the_settings_for_harbor_separate_solver_and_judge(exports: dict[str, Path]) -> None:
    settings = tomllib.loads((exports["harbor"] / "e08-whitespace" / "task.toml").read_text())
    assert settings["task"]["name"] == "esoplay-80/e08-whitespace"
    assert settings["artifacts"] == ["/app/solution.ws"]
    assert settings["verifier"]["environment_mode"] == "separate"
    assert settings["verifier"]["environment"]["network_mode"] == "no-network"
    assert settings["verifier"]["timeout_sec"] >= 6 * 60


def test_the_solver_image_runs_and_contains_no_solution(
    exports: dict[str, Path], tmp_path: Path
) -> None:
    image = (exports["harbor"] / "e02-brainfuck" / "environment" / "Dockerfile").read_text()
    (removal,) = (line for line in image.splitlines() if "rm -rf" in line)
    removed = [word for word in removal.split("rm -rf ")[1].split() if not word.startswith("/")]
    ignored = shutil.ignore_patterns("__pycache__", "tui", "reporting")
    shutil.copytree(ROOT / "esoplay", tmp_path / "esoplay", ignore=ignored)
    for name in removed:
        if name not in {"problems", "tui"}:  # not copied
            shutil.rmtree(tmp_path / "esoplay" / name)
    (tmp_path / "echo.bf").write_text(",[.,]")
    paths = f"{tmp_path}{os.pathsep}{ROOT / 'interpreters'}"
    done = esoplay(
        "run", "echo.bf", "--dialect", "benchmark", "--input", "x", cwd=tmp_path, PYTHONPATH=paths
    )
    assert (done.returncode, done.stdout) == (0, b"x"), done.stderr
    done = esoplay(
        "debug", "echo.bf", "--repl", stdin=b"end\nquit\n", cwd=tmp_path, PYTHONPATH=paths
    )
    assert done.returncode == 0, done.stderr
    files = (path for path in (tmp_path / "esoplay").rglob("*") if path.is_file())
    left = b"\n".join(path.read_bytes() for path in files)
    programs = {
        file.read_bytes().strip()
        for file in (ROOT / "problems").glob("*/references/*")
        if file.suffix != ".py"
    }
    longer = [program for program in programs if len(program) > 10]
    assert len(longer) >= 20
    assert not [program for program in longer if program in left]


def test_images_install_the_wheel_that_the_readme_builds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["export", "harbor", "--lang", "brainfuck", "--problem", "E02", "-o", str(out)]
    assert main([*command, "--seed", "practice"]) == 0
    assert "try: ESOPLAY_EXT=off make wheel" in capsys.readouterr().err
    assert "make wheel" in (out / "README.md").read_text("utf-8")
    for folder in ("environment", "tests"):
        lines = (out / "e02-brainfuck" / folder / "Dockerfile").read_text("utf-8")
        assert "COPY esoplay-*.whl /tmp/" in lines
        assert "pip install --no-cache-dir /tmp/esoplay-*.whl" in lines


@pytest.mark.parametrize("framework", ["inspect", "verifiers"])
def test_other_exports_contain_the_wheel_or_say_how_to_build_it(
    framework: str, tmp_path: Path
) -> None:
    wheel = tmp_path / "esoplay-9-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    for install, folder in ((str(wheel), tmp_path / "with"), (None, tmp_path / "without")):
        options = ExportOptions(("brainfuck",), ("E02",), install=install)
        export_tasks(framework, folder, options, seed=SEED)
    assert (tmp_path / "with" / wheel.name).read_bytes() == b"PK"
    assert f"pip install ./{wheel.name}" in (tmp_path / "with" / "README.md").read_text("utf-8")
    assert "make wheel" in (tmp_path / "without" / "README.md").read_text("utf-8")
    if framework == "verifiers":
        project = tomllib.loads((tmp_path / "with" / "pyproject.toml").read_text("utf-8"))
        assert project["tool"]["uv"]["sources"] == {"esoplay": {"path": wheel.name}}


def test_an_export_contains_a_wheel_and_solutions_on_request(tmp_path: Path) -> None:
    wheel = tmp_path / "esoplay-9-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    options = ExportOptions(("brainfuck",), ("E02",), install=str(wheel), with_solutions=True)
    export_tasks("harbor", tmp_path / "out", options, seed=SEED)
    task = tmp_path / "out" / "e02-brainfuck"
    for folder in ("environment", "tests"):
        assert (task / folder / wheel.name).read_bytes() == b"PK"
        assert (
            f"pip install --no-cache-dir /tmp/{wheel.name}"
            in (task / folder / "Dockerfile").read_text()
        )
    assert os.access(task / "solution" / "solve.sh", os.X_OK)
    reference = find_reference("E02", "brainfuck")
    assert reference is not None
    assert (task / "solution" / "solution.bf").read_bytes() == reference.program
