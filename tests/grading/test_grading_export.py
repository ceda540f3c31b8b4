"""Exports hold what a seed gives, come back as the same verdicts, and give no seed away."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from esoplay.cli.main import main
from esoplay.grading.grader import grade
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import (
    PRACTICE_SEED,
    commitment_holds,
    random_seed,
    write_seed_file,
)
from esoplay.packs.catalogue import get_pack
from esoplay.packs.exchange import export_pack, import_pack, installed_packs

Capture = pytest.CaptureFixture[str]
PROBLEMS = ["E02", "E04", "E14", "E16"]
PROGRAMS = [b",[.,]", b"", b",.", b",[.,]++++++++++.", b"<", b"]", b">,[>,]<[.<]"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("ESOPLAY_HOME", str(folder))
    return folder


def verdicts(report: GradeReport) -> list[tuple[str, int, int]]:
    """In no order: a seed shuffles its tests, and a file keeps them as they were written."""
    return sorted((test.verdict, test.steps, test.memory) for test in report.tests)


@pytest.mark.parametrize("format", ["esolang-bench", "pair"])
def test_export_and_import_preserve_verdicts(format: str, tmp_path: Path) -> None:
    seed = random_seed()
    public, private = export_pack(seed=seed, format=format)
    files = [tmp_path / "public.json"]
    files[0].write_text(json.dumps(public))
    if private is not None:
        files.append(tmp_path / "private.json")
        files[1].write_text(json.dumps(private))
    import_pack(*files, id="copy")
    own, copy = get_pack(), get_pack("copy")
    assert [problem.as_json_row() for problem in copy] == [each.as_json_row() for each in own]
    for problem in own:
        back = copy.problem(problem.id)
        assert (back.statement, back.examples) == (problem.statement, problem.examples)
        again = [test[1:] for test in hidden_tests(back, random_seed())]
        assert again == [test[1:] for test in hidden_tests(problem, seed)]
    for id in PROBLEMS:
        reference = own.problem(id).reference("brainfuck")
        assert reference is not None
        for program in (reference, *PROGRAMS):
            for compare in ("exact", "strip"):
                before = grade(own.problem(id), "brainfuck", program, seed=seed, compare=compare)
                after = grade(
                    copy.problem(id), "brainfuck", program, seed=random_seed(), compare=compare
                )
                assert verdicts(after) == verdicts(before)
                assert (after.solved, after.exit_code) == (before.solved, before.exit_code)


@pytest.mark.parametrize("format", ["esolang-bench", "pair"])
def test_needs_of_lanes_and_the_comparison_are_exported(
    format: str, tmp_path: Path, capsys: Capture
) -> None:
    words = ["problems", "export", "--pack", "basics", "--format", format]
    assert main([*words, "-o", str(tmp_path / "b.json")]) == 0
    told = capsys.readouterr().err
    assert "metadata.compare: newline; other programs ignore it and may compare output" in told
    for line in ("B02 needs arguments; other programs ", "needs several files"):
        assert line in told
    assert sum("cannot grade the problem" in line for line in told.splitlines()) == 5
    assert main(["problems", "import", *map(str, sorted(tmp_path.glob("b*.json"))[::-1])]) == 0
    (id,) = [pack.id for pack in installed_packs()][2:]
    own, copy = get_pack("basics"), get_pack(id)
    assert (copy.compare, len(copy.problems)) == ("newline", 20)
    for problem in own:
        back = copy.problem(problem.id)
        assert (back.needs, back.files) == (problem.needs, problem.files)
        assert (back.server(), back.time_limit) == (problem.server(), problem.time_limit)
        assert back.examples == problem.examples
        again = [test[1:] for test in hidden_tests(back, PRACTICE_SEED)]
        assert again == [test[1:] for test in hidden_tests(problem, PRACTICE_SEED)]
    program = own.problem("B02").reference("python")
    assert program is not None
    if format == "pair":
        assert grade(copy.problem("B02"), "python", program, seed=PRACTICE_SEED).solved


def test_an_export_has_the_shape_that_was_published() -> None:
    data, private = export_pack()
    assert private is None
    assert data["metadata"]["total_problems"] == len(data["problems"]) == len(get_pack().problems)
    promise = data["metadata"]["seed_commitment"]
    assert commitment_holds(promise, PRACTICE_SEED, get_pack().name)
    for each in data["problems"]:
        assert {"id", "difficulty", "title", "description"} <= set(each)
        assert len(each["input_output_examples"]) == 6
        assert {tuple(test) for test in each["input_output_examples"]} == {("input", "output")}
    tiers = {each["difficulty"] for each in data["problems"]}
    assert tiers <= {"easy", "medium", "hard", "extra_hard"}


def test_an_export_as_a_pair_has_no_tests_in_the_public_file(
    tmp_path: Path, capsys: Capture
) -> None:
    seed = random_seed()
    write_seed_file(tmp_path / "seed", seed)
    name = str(tmp_path / "bench")
    arguments = ["problems", "export", "--format", "pair", "--seed-file", str(tmp_path / "seed")]
    assert main([*arguments, "-o", name]) == 0
    public, private = tmp_path / "bench_public.json", tmp_path / "bench_private.json"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    told = json.loads(public.read_text())
    assert not [each for each in told["problems"] if "test_cases" in each]
    longest = max(
        (test.input for problem in get_pack() for test in hidden_tests(problem, seed)), key=len
    )
    assert longest.decode() not in "".join(each["description"] for each in told["problems"])
    assert json.dumps(longest.decode()) not in public.read_text()
    assert json.dumps(longest.decode(), ensure_ascii=False) in private.read_text()
    assert seed.hex() not in public.read_text() + private.read_text()
    assert main(["problems", "import", str(public)]) == 1
    assert "its tests are left out; expected them in a second file" in capsys.readouterr().err
    assert main(["problems", "import", str(public), str(private)]) == 0
    assert "installed bench" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "mine"], "confirm with --tests"),
        (["--format", "pair"], "-o NAME"),
        (["--format", "pair", "-o", "-"], "-o NAME"),
        (["E08"], "export accepts no name"),
        (["--pack", "/nowhere"], "nor an installed pack"),
        (["-o", "/nowhere/x.json"], "cannot write /nowhere/x.json"),
    ],
)
def test_unexportable_problems_are_reported(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert main(["problems", "export", *arguments]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.out == ""


def test_tests_of_a_secret_seed_are_written_on_request(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "ours.json"
    file.write_text("x" * 1_000_000)  # what was there before leaves no rest
    file.chmod(0o644)
    assert main(["problems", "export", "--seed", "mine", "--tests", "-o", str(file)]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    data = json.loads(file.read_text())
    assert main(["problems", "export", "--seed", "mine", "--tests"]) == 0
    assert json.loads(capsys.readouterr().out) == data


def test_any_pack_can_be_exported(tiny: Path, capsys: Capture) -> None:
    assert main(["problems", "export", "--pack", str(tiny)]) == 0
    (only,) = json.loads(capsys.readouterr().out)["problems"]
    assert (only["id"], only["difficulty"], only["category"]) == ("T1", "first", "strings")
    assert only["public_examples"] == [{"input": "abc", "output": "abc"}]
    assert len(only["input_output_examples"]) == 6


def test_a_fixed_pack_is_exported_as_it_was_imported(tmp_path: Path) -> None:
    tests = [{"input": "é\n", "output": ""}, {"input": "", "output": "\x00"}]
    item: dict[str, Any] = {
        "id": "Q.1",
        "difficulty": "extra_hard",
        "title": "A title",
        "description": "What to do.",
    }
    (tmp_path / "q.json").write_text(json.dumps([item | {"test_cases": tests}]))
    import_pack(tmp_path / "q.json")
    data, _ = export_pack("q", seed=random_seed())
    (only,) = data["problems"]
    assert only == item | {"category": "imported", "input_output_examples": tests}
    assert load_pack(tmp_path / "home" / "packs" / "q").problem("q.1").has_fixed_tests
