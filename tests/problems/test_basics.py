"""The pack ``basics``: its shapes, its references, and its mistakes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from selection import slow_except

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading.hidden import hidden_tests, load_judge
from esoplay.grading.problem import Problem
from esoplay.grading.proof import find_escaped_mistakes, load_mistakes
from esoplay.grading.seeds import PRACTICE_SEED, random_seed
from esoplay.packs import proofs
from esoplay.packs.catalogue import get_installed_pack, get_pack, select_solvable
from esoplay.packs.exchange import import_pack, installed_packs
from esoplay.programs.generation import run_in_python
from esoplay.running.host.lanes import find_lane, lane_ids
from esoplay.running.host.toolchain import find_toolchain, missing_reason

PACK = get_pack("basics")
GENERATED = [problem for problem in PACK if problem.solution_source() is not None]


def test_the_pack_basics_has_twenty_problems_of_six_kinds() -> None:
    shapes = {"strings": "parsing", "parsing": "parsing"}
    found = Counter(shapes.get(problem.category, problem.category) for problem in PACK)
    assert found == {
        "io": 2,
        "algorithms": 4,
        "parsing": 7,
        "network": 3,
        "checked": 3,
        "modules": 1,
    }
    assert [each.id for each in get_installed_pack("basics")] == [each.id for each in PACK]
    assert [pack.id for pack in installed_packs()] == ["esoplay-80", "basics"]


def test_no_imported_pack_can_have_the_id_basics() -> None:
    with pytest.raises(UsageError, match="'basics' is the id of a built-in pack"):
        import_pack(PACK.problems[0].folder, id="basics")


@pytest.mark.parametrize("problem", PACK.problems, ids=lambda problem: problem.id)
def test_each_problem_has_a_reference_in_every_possible_language(problem: Problem) -> None:
    assert all(problem.reference(id) is not None for id in lane_ids())
    assert (problem.solution_source() is None) == bool(problem.lane_requirements)


@pytest.mark.parametrize("problem", PACK.problems, ids=lambda problem: problem.id)
def test_examples_are_right_and_mistakes_are_caught(problem: Problem) -> None:
    judge = load_judge(problem)
    for example in problem.examples:
        answer = judge.solve(example.input.decode(), *example.invocation.arguments)
        assert answer == example.output.decode()
    assert len(load_mistakes(problem)) >= 5
    assert find_escaped_mistakes(problem, [number.to_bytes(32) for number in range(20)]) == []


@pytest.mark.parametrize("problem", GENERATED, ids=lambda problem: problem.id)
def test_sources_agree_with_the_judge(problem: Problem) -> None:
    source = problem.solution_source()
    assert source is not None
    for seed in (PRACTICE_SEED, random_seed()):
        for test in hidden_tests(problem, seed):
            assert run_in_python(source, test.input) == test.expected, (problem.id, test.input)


@pytest.mark.parametrize(
    "language", [pytest.param(id, marks=pytest.mark.slow) for id in language_ids()]
)
def test_generated_programs_are_proved(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MISTAKE_SEEDS", 1)
    report = proofs.verify(language, pack="basics", seeds=[random_seed()])
    assert [cell for cell in report if not cell.solved] == []
    assert (report.total, report.exit_code) == (len(GENERATED), 0)


@pytest.mark.parametrize("id", slow_except(lane_ids()))
def test_references_of_lanes_are_proved(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lane = find_lane(id)
    if find_toolchain(lane) is None:
        pytest.skip(f"{lane.name} is not installed: {missing_reason(lane)}")
    monkeypatch.setattr(proofs, "MISTAKE_SEEDS", 1)
    report = proofs.verify(id, pack="basics", seeds=[])
    assert [cell for cell in report if not cell.solved] == []
    assert (report.total, report.exit_code) == (len(PACK.problems), 0)


@pytest.mark.parametrize("id", lane_ids())
def test_the_card_of_a_lane_says_how_to_submit_two_files(id: str) -> None:
    lane = find_lane(id)
    card = " ".join(lane.card.split())
    assert f"a line like `-- {lane.source} --` starts each file" in card


def test_esoteric_languages_get_the_problems_that_they_can_solve() -> None:
    assert len(select_solvable(PACK.problems, None, "python")) == 20
    assert select_solvable(PACK.problems, None, "brainfuck") == GENERATED
    assert [each.id for each in select_solvable(PACK.problems, ["B13-B17"], "unlambda")] == [
        "B13",
        "B17",
    ]
    for names in (["B01", "b14"], ["B14-B16"]):
        with pytest.raises(UsageError, match="B14 cannot be solved in unlambda: it needs a net"):
            select_solvable(PACK.problems, names, "unlambda")


@pytest.mark.parametrize("language", ["brainfuck", "python"])
def test_a_session_has_the_problems_of_the_pack_basics(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    init = ["session", "init", "--language", language, "--pack", "basics", "--json"]
    assert main([*init, "--workspace", str(tmp_path / "bench")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["problems"]) == (20 if language == "python" else 15)
    assert main(["session", "fetch", "--session", told["session"]]) == 0
    assert "Greet" in capsys.readouterr().out


def test_an_esoteric_language_is_refused_where_a_lane_is_needed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", "--pack", "basics", "--problem", "B14", "--lang", "brainfuck"]) == 2
    assert (
        "every selected problem requires a host lane, and brainfuck is not"
        in capsys.readouterr().err
    )
