"""Tasks for other frameworks: what is in an export, what solvers see of it, and who judges."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import PATHS, ROOT, esoplay

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.seeds import parse_seed
from esoplay.service.problems import get_problem
from esoplay.service.references import reference_of
from esoplay.task_exports.exporting import FRAMEWORKS, export_tasks
from esoplay.task_exports.judging import SEED_VARIABLE, Exported
from esoplay.task_exports.planning import Wishes

SEED = parse_seed("an operator's seed")
SLICE = Wishes(languages=("brainfuck", "whitespace"), problems=("E08", "E02"))
ECHO = "Here it is.\n\n~~~~\n,[.,]\n~~~~\n"


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in files
    }


@pytest.fixture(scope="module", params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("exports")
    for framework in FRAMEWORKS:
        export_tasks(framework, home / framework, SLICE, seed=SEED)
    return {framework: home / framework for framework in FRAMEWORKS}


def test_there_is_a_task_for_each_problem_in_each_language(exports: dict[str, Path]) -> None:
    ids = ["e02-brainfuck", "e02-whitespace", "e08-brainfuck", "e08-whitespace"]
    assert sorted(file.parent.name for file in exports["harbor"].glob("*/task.toml")) == ids
    inspect = json.loads((exports["inspect"] / "samples.json").read_text("utf-8"))
    assert [sample["id"] for sample in inspect] == ids
    package = exports["verifiers"] / "esoplay_tasks" / "tasks"
    assert json.loads((package / "samples.json").read_text("utf-8")) == inspect


def test_the_same_seed_gives_the_same_bytes(
    exports: dict[str, Path], framework: str, tmp_path: Path
) -> None:
    export_tasks(framework, tmp_path / "again", SLICE, seed=SEED)
    assert contents(tmp_path / "again") == contents(exports[framework])


def test_only_the_owner_reads_a_seed(exports: dict[str, Path], framework: str) -> None:
    found = contents(exports[framework])
    holding = {name: mode for name, (mode, data) in found.items() if SEED.hex().encode() in data}
    assert holding
    assert {Path(name).name for name in holding} == {"seed"}
    assert set(holding.values()) == {0o600}


def seen_by_solvers(exports: dict[str, Path]) -> Iterator[tuple[str, bytes]]:
    for task in exports["harbor"].glob("*/task.toml"):
        for path in (task.with_name("instruction.md"), *(task.parent / "environment").iterdir()):
            yield task.parent.name, path.read_bytes()
    for sample in json.loads((exports["inspect"] / "samples.json").read_text("utf-8")):
        yield sample["id"], json.dumps(sample, ensure_ascii=False).encode()


def test_solvers_see_no_hidden_test_and_no_reference(exports: dict[str, Path]) -> None:
    looked = 0
    for id, data in seen_by_solvers(exports):
        problem = get_problem(id.partition("-")[0])
        public = {example.input for example in problem.examples}
        tests = [test for test in hidden_tests(problem, SEED) if test.input not in public]
        long = [test for test in tests if len(test.input) > 3]
        assert long
        reference = reference_of(problem, id.partition("-")[2])
        assert reference is not None
        for secret in (*(test.input for test in long), reference.program, SEED.hex().encode()):
            assert secret not in data
            assert json.dumps(secret.decode()).encode()[1:-1] not in data
            looked += 1
    assert looked > 40


def test_solvers_are_told_statement_examples_card_and_limits(exports: dict[str, Path]) -> None:
    problem = get_problem("E08")
    told = (exports["harbor"] / "e08-brainfuck" / "instruction.md").read_text("utf-8")
    (sample,) = (
        sample
        for sample in json.loads((exports["inspect"] / "samples.json").read_text("utf-8"))
        if sample["id"] == "e08-brainfuck"
    )
    asked = "\n".join(message["content"] for message in sample["messages"])
    for text in (told, asked):
        assert problem.statement in text
        assert "10,000,000 steps" in text
        assert "Cells hold 0 to 255" in text
        assert '"dlroW olleH"' in text
        assert "{{" not in text
    assert "/app/solution.bf" in told


def test_a_folder_that_holds_anything_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        export_tasks("inspect", tmp_path, SLICE, seed=SEED, force=True)
    assert contents(tmp_path).keys() == {"mine.txt"}


def test_force_puts_an_export_in_the_place_of_one_and_keeps_its_seed(tmp_path: Path) -> None:
    folder = tmp_path / "tasks"
    first = export_tasks("inspect", folder, SLICE)
    with pytest.raises(UsageError, match="--force"):
        export_tasks("verifiers", folder, SLICE)
    before = (folder / "seed").read_bytes()
    second = export_tasks("verifiers", folder, SLICE, force=True)
    assert (folder / "seed").read_bytes() == before
    assert not (folder / "samples.json").exists()
    assert first["seed_commitment"] == second["seed_commitment"]
    assert [path.name for path in tmp_path.iterdir()] == ["tasks"]
    assert export_tasks("inspect", tmp_path / "other", SLICE)["seed_commitment"] != before


def test_answers_are_judged_by_the_hidden_tests(exports: dict[str, Path]) -> None:
    exported = Exported(exports["inspect"])
    right, wrong = exported.judge("e02-brainfuck", ECHO), exported.judge("e08-brainfuck", ECHO)
    assert (right.solved, right.passed, right.total, right.program) == (True, 6, 6, b",[.,]\n")
    assert (wrong.solved, wrong.total) == (False, 6)
    assert wrong.verdicts["wrong_answer"] == 6 - wrong.passed > 0
    none = exported.judge("e02-brainfuck", "I cannot do that: ,[.,]")
    assert (none.solved, none.passed, none.program) == (False, 0, None)
    assert "no program" in none.in_words()
    with pytest.raises(UsageError, match="no task"):
        exported.judge("e03-brainfuck", ECHO)


def test_blanks_of_whitespace_survive(exports: dict[str, Path]) -> None:
    reference = reference_of("E02", "whitespace")
    assert reference is not None
    answer = f"~~~~\n{reference.program.decode()}\n~~~~"
    assert Exported(exports["inspect"]).judge("e02-whitespace", answer).solved


def test_another_seed_gives_no_verdict(
    exports: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tasks"
    shutil.copytree(exports["inspect"], folder)
    given = tmp_path / "given"
    shutil.copy(folder / "seed", given)
    (folder / "seed").write_text("00" * 32)
    with pytest.raises(UsageError, match="exported with"):
        Exported(folder).judge("e02-brainfuck", ECHO)
    (folder / "seed").unlink()
    with pytest.raises(UsageError, match="cannot read"):
        Exported(folder).judge("e02-brainfuck", ECHO)
    monkeypatch.setenv(SEED_VARIABLE, str(given))
    assert Exported(folder).judge("e02-brainfuck", ECHO).solved


def judge_in_harbor(task: Path, program: Path, logs: Path) -> subprocess.CompletedProcess[bytes]:
    """What Harbor does in the verifier's container, with a folder in the place of /logs."""
    tool = logs.parent / "bin" / "esoplay"
    if not tool.exists():
        tool.parent.mkdir(parents=True)
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esoplay "$@"\n')
        tool.chmod(0o755)
    return subprocess.run(
        ["bash", str(task / "tests" / "test.sh"), str(program), str(logs)],
        env={**os.environ, "PYTHONPATH": PATHS, "PATH": f"{tool.parent}:{os.environ['PATH']}"},
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_harbor_is_given_a_reward(exports: dict[str, Path], tmp_path: Path) -> None:
    program, logs = tmp_path / "program.bf", tmp_path / "logs"
    program.write_text(",[.,]")
    for id, reward in (("e02-brainfuck", "1"), ("e08-brainfuck", "0")):
        done = judge_in_harbor(exports["harbor"] / id, program, logs)
        assert done.returncode == 0, done.stderr
        assert (logs / "reward.txt").read_text().strip() == reward
    assert json.loads((logs / "report.json").read_text())["problem"] == "E08"
    (tmp_path / "link.bf").symlink_to(program)
    for missing in (tmp_path / "nothing.bf", tmp_path / "link.bf"):
        assert judge_in_harbor(exports["harbor"] / "e02-brainfuck", missing, logs).returncode == 0
        assert (logs / "reward.txt").read_text().strip() == "0"


def test_harbor_is_given_none_where_judging_fails(exports: dict[str, Path], tmp_path: Path) -> None:
    task, program, logs = tmp_path / "task", tmp_path / "program.bf", tmp_path / "logs"
    shutil.copytree(exports["harbor"] / "e02-brainfuck", task)
    program.write_text(",[.,]")
    (task / "tests" / "seed").write_text("00" * 32)
    assert judge_in_harbor(task, program, logs).returncode == 4
    assert not (logs / "reward.txt").exists()


def test_harbors_settings_part_solver_and_judge(exports: dict[str, Path]) -> None:
    settings = tomllib.loads((exports["harbor"] / "e08-whitespace" / "task.toml").read_text())
    assert settings["task"]["name"] == "esoplay-80/e08-whitespace"
    assert settings["artifacts"] == ["/app/solution.ws"]
    assert settings["verifier"]["environment_mode"] == "separate"
    assert settings["verifier"]["environment"]["network_mode"] == "no-network"
    assert settings["verifier"]["timeout_sec"] >= 6 * 60


def test_what_is_left_in_the_solvers_image_runs_and_holds_no_solution(
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


def test_a_pack_goes_along_without_references(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    shutil.copy(ROOT / "problems" / "pack.toml", pack)
    text = (pack / "pack.toml").read_text().replace('id = "esoplay-80"', 'id = "mine"')
    (pack / "pack.toml").write_text(text)
    shutil.copytree(ROOT / "problems" / "E02-echo-line", pack / "E02-echo-line")
    (pack / "E02-echo-line" / "judge.py").unlink()
    (pack / "E02-echo-line" / "tests.json").write_text('[{"input": "a", "output": "a"}]')
    data = (pack / "E02-echo-line" / "problem.toml").read_text()
    kept = data.partition("[classes]")[0] + "[ranges]" + data.partition("[ranges]")[2]
    (pack / "E02-echo-line" / "problem.toml").write_text(kept.removesuffix("[ranges]"))
    wishes = Wishes(languages=("brainfuck",), pack=pack)
    export_tasks("inspect", tmp_path / "inspect", wishes, seed=SEED)
    copied = {name for name in contents(tmp_path / "inspect") if name.startswith("pack/")}
    assert copied == {
        "pack/pack.toml",
        *(f"pack/E02-echo-line/{name}" for name in ("problem.toml", "statement.md", "tests.json")),
    }
    judged = Exported(tmp_path / "inspect").judge("e02-brainfuck", ECHO)
    assert (judged.solved, judged.total) == (True, 1)
    export_tasks("harbor", tmp_path / "harbor", wishes, seed=SEED)
    task, program = tmp_path / "harbor" / "e02-brainfuck", tmp_path / "program.bf"
    program.write_text(",[.,]")
    assert judge_in_harbor(task, program, tmp_path / "logs").returncode == 0
    assert (tmp_path / "logs" / "reward.txt").read_text() == "1\n"


def test_a_wheel_and_solutions_go_along_if_asked(tmp_path: Path) -> None:
    wheel = tmp_path / "esoplay-9.whl"
    wheel.write_bytes(b"PK")
    wishes = Wishes(("brainfuck",), ("E02",), install=str(wheel), solutions=True)
    export_tasks("harbor", tmp_path / "out", wishes, seed=SEED)
    task = tmp_path / "out" / "e02-brainfuck"
    for folder in ("environment", "tests"):
        assert (task / folder / wheel.name).read_bytes() == b"PK"
        assert (
            f"pip install --no-cache-dir /tmp/{wheel.name}"
            in (task / folder / "Dockerfile").read_text()
        )
    assert os.access(task / "solution" / "solve.sh", os.X_OK)
    reference = reference_of("E02", "brainfuck")
    assert reference is not None
    assert (task / "solution" / "solution.bf").read_bytes() == reference.program


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["klingon", "-o", "x"], "choose from"),
        (["inspect", "-o", "x", "--lang", "klingon"], "klingon"),
        (["inspect", "-o", "x", "--problem", "E99"], "E99"),
        (["inspect", "-o", "x", "--dialect", "old"], "no dialect 'old'"),
        (["inspect", "-o", "x", "--solutions"], "for harbor"),
        (["harbor", "-o", "x", "--install", "a b"], "--install takes one word"),
        (["harbor", "-o", "x", "--install", "no.whl"], "cannot read no.whl"),
        (["harbor", "-o", "x", "--pack", "nowhere"], "no installed pack"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    done = esoplay(
        *("export", "harbor", "--lang", "unlambda", "--problem", "easy", "--json", "-o", "tasks"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["framework"], told["tasks"], told["languages"]) == ("harbor", 20, ["unlambda"])
    assert told["seed_commitment"].startswith("blake2b:")
    assert len(list((tmp_path / "tasks").glob("*/task.toml"))) == 20


def test_host_lanes_have_tasks_but_no_images(tmp_path: Path) -> None:
    wishes = Wishes(languages=("python",), problems=("E02",))
    with pytest.raises(UsageError, match="Python is a host lane"):
        export_tasks("harbor", tmp_path / "harbor", wishes, seed=SEED)
    export_tasks("inspect", tmp_path / "inspect", wishes, seed=SEED)
    (sample,) = Exported(tmp_path / "inspect").samples
    assert (sample["id"], sample["language"]) == ("e02-python", "python")
