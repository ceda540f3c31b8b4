"""Tasks for other frameworks: what is in an export, what solvers see of it, and who judges."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from export_slices import ECHO, SEED, SLICE, contents, judge_in_harbor, missing_imports
from shell import ROOT, esoplay

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading.hidden import hidden_tests
from esoplay.packs.catalogue import get_problem
from esoplay.packs.references import find_reference
from esoplay.task_exports.frameworks import FRAMEWORKS, export_tasks
from esoplay.task_exports.judging import SEED_VARIABLE, Exported
from esoplay.task_exports.plan import ExportOptions


@pytest.fixture(scope="module", params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> str:
    return request.param


def test_there_is_a_task_for_each_problem_in_each_language(exports: dict[str, Path]) -> None:
    ids = ["e02-brainfuck", "e02-whitespace", "e08-brainfuck", "e08-whitespace"]
    assert sorted(file.parent.name for file in exports["harbor"].glob("*/task.toml")) == ids
    inspect = json.loads((exports["inspect"] / "samples.json").read_text("utf-8"))
    assert [sample["id"] for sample in inspect] == ids
    package = exports["verifiers"] / "esoplay_tasks" / "tasks"
    assert json.loads((package / "samples.json").read_text("utf-8")) == inspect


def test_imports_of_exported_modules_exist_in_esoplay(exports: dict[str, Path]) -> None:
    """The frameworks are not installed here, so the modules themselves are not imported."""
    for framework in ("inspect", "verifiers"):
        assert missing_imports(exports[framework]) == []


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
        reference = find_reference(problem, id.partition("-")[2])
        assert reference is not None
        for secret in (*(test.input for test in long), reference.program, SEED.hex().encode()):
            assert secret not in data
            assert json.dumps(secret.decode()).encode()[1:-1] not in data
            looked += 1
    assert looked > 40


def test_solvers_get_statement_examples_card_and_limits(exports: dict[str, Path]) -> None:
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


def test_whitespace_characters_survive(exports: dict[str, Path]) -> None:
    reference = find_reference("E02", "whitespace")
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


def test_an_export_contains_its_pack_without_references(tmp_path: Path) -> None:
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
    options = ExportOptions(languages=("brainfuck",), pack=pack)
    export_tasks("inspect", tmp_path / "inspect", options, seed=SEED)
    copied = {name for name in contents(tmp_path / "inspect") if name.startswith("pack/")}
    assert copied == {
        "pack/pack.toml",
        *(f"pack/E02-echo-line/{name}" for name in ("problem.toml", "statement.md", "tests.json")),
    }
    judged = Exported(tmp_path / "inspect").judge("e02-brainfuck", ECHO)
    assert (judged.solved, judged.total) == (True, 1)
    export_tasks("harbor", tmp_path / "harbor", options, seed=SEED)
    task, program = tmp_path / "harbor" / "e02-brainfuck", tmp_path / "program.bf"
    program.write_text(",[.,]")
    assert judge_in_harbor(task, program, tmp_path / "logs").returncode == 0
    assert (tmp_path / "logs" / "reward.txt").read_text() == "1\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["klingon", "-o", "x"], "choose from"),
        (["inspect", "-o", "x", "--lang", "klingon"], "klingon"),
        (["inspect", "-o", "x", "--problem", "E99"], "E99"),
        (["inspect", "-o", "x", "--dialect", "old"], "unknown dialect 'old'"),
        (["inspect", "-o", "x", "--solutions"], "require the format harbor"),
        (["harbor", "-o", "x", "--install", "a b"], "--install: expected one word"),
        (["harbor", "-o", "x", "--install", "esoplay-1-py3-none-any.whl"], "cannot read esoplay-1"),
        (["harbor", "-o", "x", "--install", "no.whl"], "expected an esoplay wheel"),
        (["inspect", "-o", "."], "contains the current folder"),
        (["harbor", "-o", "x", "--pack", "nowhere"], "neither a folder nor an installed pack"),
    ],
)
def test_usage_errors_are_reported_and_nothing_is_written(
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


def test_the_command_shows_what_it_wrote(tmp_path: Path) -> None:
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
    options = ExportOptions(languages=("python",), problems=("E02",))
    with pytest.raises(UsageError, match="Python is a host lane"):
        export_tasks("harbor", tmp_path / "harbor", options, seed=SEED)
    export_tasks("inspect", tmp_path / "inspect", options, seed=SEED)
    (sample,) = Exported(tmp_path / "inspect").samples
    assert (sample["id"], sample["language"]) == ("e02-python", "python")
