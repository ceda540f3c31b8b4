"""``esoplay rescore``: new verdicts on saved answers, and the check of results."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from published_schemas import assert_valid
from scripted_models import evaluate, records

from esoplay.cli.main import main
from esoplay.evaluation.extraction import add_fence
from esoplay.evaluation.model import Message, ModelAnswer
from esoplay.evaluation.trial_context import question_digest

SEED = bytes(range(32)).hex()
LOUD_ECHO = ",[.,]++++++++++."
"""An echo in Brainfuck with one line break too many."""


class Scripted:
    """A model in this process."""

    def __init__(self, program: str = LOUD_ECHO):
        self._program = program

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        program = self._program
        if not messages[0].text.startswith("You write"):
            program = "B \n"
        return ModelAnswer(f"So:\n{add_fence(program)}\n", 100, 0, 7)

    def close(self) -> None: ...


REGIMES = ["zero-shot", "agent-loop", "react"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "run"
    evaluate(folder, Scripted(), ["brainfuck"], REGIMES, ["E01", "E02"], attempts=2)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def rewrite(run: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Change records of the transcript; None removes one."""
    path = run / "transcript.jsonl"
    changed = [change(json.loads(line)) for line in path.read_bytes().splitlines()]
    lines = [json.dumps(record) for record in changed if record is not None]
    path.write_text("".join(f"{line}\n" for line in lines), "ascii")


def test_another_comparison_solves_what_differs_only_by_a_line_break(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again"
    before = (run / "transcript.jsonl").read_bytes()
    words = ("--seed", SEED, "--compare", "newline", "-o", str(again))
    assert main(["rescore", str(run), *words]) == 0
    shown = capsys.readouterr().out
    assert "Rescored: the original comparison was exact." in re.sub(r"\s+", " ", shown)
    assert "3 verdicts changed." in shown
    assert re.search(r"agent-loop/E02/1 +wrong answer +pass", shown)
    results = load(again / "results.json")
    solved = {trial["id"] for trial in results["trials"] if trial["solved"]}
    assert solved == {f"solve/brainfuck/{regime}/E02/1" for regime in REGIMES}
    derived = results["terms"]["derived"]
    assert (results["terms"]["compare"], derived["compare"]) == ("newline", "exact")
    assert derived["seed_commitment"] == results["terms"]["seed_commitment"]
    assert (run / "transcript.jsonl").read_bytes() == before
    assert records(again, "answered") == records(run, "answered")
    assert not (again / "seed").exists()  # it was the user's
    assert main(["rescore", str(again), "--check", "--seed", SEED]) == 0
    # a derived run cannot be continued
    asked = ("--language", "brainfuck", "--regime", "zero-shot", "--command", "true")
    assert main(["eval", *asked, "-o", str(again), "--seed", SEED]) == 2
    assert "rescored evaluation" in capsys.readouterr().err


def test_a_run_and_its_rescoring_are_conditions_of_one_report(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again"
    assert main(["rescore", str(run), "--seed", "another", "-o", str(again)]) == 0
    capsys.readouterr()
    assert main(["report", str(run), str(again), "--json"]) == 0
    models = [one["model"] for one in json.loads(capsys.readouterr().out)["conditions"]]
    digits = load(again / "evaluation.json")["seed_commitment"][-6:]
    assert set(models) == {"scripted (2 attempts)", f"scripted (2 attempts, rescored {digits})"}


def test_a_fresh_seed_is_saved_and_rescoring_without_a_folder_writes_nothing(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = set(tmp_path.iterdir())
    assert main(["rescore", str(run), "--fresh-seed", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert_valid(shown, "rescored")
    assert (shown["trials"], shown["changes"]) == (6, [])
    assert set(tmp_path.iterdir()) == there
    again = tmp_path / "again"
    assert main(["rescore", str(run), "--fresh-seed", "-o", str(again)]) == 0
    assert len((again / "seed").read_text()) == 65
    assert main(["rescore", str(again), "--check"]) == 0
    assert main(["rescore", str(run), "--fresh-seed", "-o", str(again)]) == 2
    assert "contains an evaluation already" in capsys.readouterr().err


def test_another_pack_grades_the_problems_that_it_has(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = [{"input": "a", "output": "a\n"}, {"input": "", "output": "\n"}]
    item = {"difficulty": "hard", "title": "Echo", "description": "Print.", "test_cases": tests}
    (tmp_path / "loud.json").write_text(json.dumps([{"id": "E02", **item}]))
    assert main(["problems", "import", str(tmp_path / "loud.json"), "--replace"]) == 0
    again = tmp_path / "again"
    words = ("--seed", SEED, "--pack", "loud", "-o", str(again))
    assert main(["rescore", str(run), *words]) == 0
    captured = capsys.readouterr()
    assert "3 trials left out: no problem with the same id in pack loud" in captured.err
    assert "the original pack was esoplay-80" in captured.out
    results = load(again / "results.json")
    assert [(trial["item"], trial["solved"]) for trial in results["trials"]] == [("E02", True)] * 3
    assert {trial["tier"] for trial in results["trials"]} == {"hard"}
    assert results["left"] == []
    assert results["terms"]["pack"] == "loud"


def test_checking_an_unchanged_run_finds_no_difference(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rescore", str(run), "--check", "--seed", SEED]) == 0
    assert "6 trials played again: the same verdicts and results" in capsys.readouterr().out


def forged_verdict(record: dict[str, Any]) -> dict[str, Any]:
    if record["kind"] == "finished" and record["trial"].endswith("zero-shot/E02/1"):
        return record | {"verdict": "pass", "solved": True}
    return record


def forged_answer(record: dict[str, Any]) -> dict[str, Any]:
    if record["kind"] == "answered" and record["trial"].endswith("zero-shot/E02/1"):
        return record | {"text": add_fence(",[.,]")}
    return record


def forged_feedback(record: dict[str, Any]) -> dict[str, Any]:
    if record["kind"] == "answered" and record["trial"].endswith("agent-loop/E02/1"):
        return record | {"request": "0" * 32} if record["turn"] == 2 else record
    return record


def edited_question(record: dict[str, Any]) -> dict[str, Any]:
    """A question that looks harder than the one that was answered."""
    if record["kind"] == "asked" and record["trial"].endswith("zero-shot/E02/1"):
        system, *rest = record["messages"]
        lines = system["content"].split("\n")
        harder = {**system, "content": "\n".join([lines[0], "Think. " + lines[1], *lines[2:]])}
        return record | {"messages": [harder, *rest]}
    return record


def question_of_another_version(record: dict[str, Any]) -> dict[str, Any]:
    """As saved by a version of esoplay with another system prompt."""
    if not record["trial"].endswith("zero-shot/E02/1"):
        return record
    system = Message("system", "You write.\nNothing else.")
    if record["kind"] == "asked":
        user = record["messages"][1]
        record |= {"messages": [system.as_json(), user]}
        record |= {"request": question_digest("coder", [system, Message("user", user["content"])])}
        requests.append(record["request"])
    elif record["kind"] == "answered":
        record |= {"request": requests.pop()}
    return record


requests: list[str] = []


def other_result_of_a_program(record: dict[str, Any]) -> dict[str, Any]:
    if record["kind"] == "tried" and record["trial"].endswith("react/E02/1"):
        return (
            record | {"passed": record["total"], "misses": []} if record["attempt"] == 2 else record
        )
    return record


def without_last_answer(record: dict[str, Any]) -> dict[str, Any] | None:
    last = record["kind"] == "answered" and record["trial"].endswith("agent-loop/E02/1")
    return None if last and record["turn"] == 3 else record


def with_second_answer(record: dict[str, Any]) -> dict[str, Any]:
    """The second program of a trial that may only have one."""
    if record["kind"] == "answered" and record["trial"].endswith("react/E02/1"):
        return record | {"turn": record["turn"] + (record["turn"] > 4)}
    return record


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (forged_verdict, "zero-shot/E02/1: saved verdict pass; the tests give wrong_answer"),
        (forged_answer, "zero-shot/E02/1: saved verdict wrong_answer; the tests give pass"),
        (forged_feedback, "agent-loop/E02/1: turn 2: the answer belongs to another question"),
        (
            edited_question,
            "zero-shot/E02/1: turn 1: the question was edited: message 1 (system), line 2: ",
        ),
        (
            question_of_another_version,
            "zero-shot/E02/1: turn 1: the replay asks a different question: message 1 (system), ",
        ),
        (
            other_result_of_a_program,
            "react/E02/1: program 2: the result differs when the trial is repeated",
        ),
        (without_last_answer, "agent-loop/E02/1: turn 3 has no answer"),
        (with_second_answer, "react/E02/1: turn 5 has no answer"),
    ],
)
def test_a_changed_transcript_is_found(
    run: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], dict[str, Any] | None],
    reason: str,
) -> None:
    rewrite(run, change)
    assert main(["rescore", str(run), "--check", "--seed", SEED, "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert not shown["checked"]
    assert_valid(shown, "run-check")
    found = [f"{one['where']}: {one['reason']}" for one in shown["findings"]]
    assert any(each.startswith(f"solve/brainfuck/{reason}") for each in found)


def test_changed_results_and_an_unused_answer_are_found(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = load(run / "results.json")
    results["trials"][0]["solved"] = True
    (run / "results.json").write_text(json.dumps(results))
    extra = records(run, "answered")[-1] | {"turn": 9}
    twice = records(run, "answered")[0]
    with (run / "transcript.jsonl").open("a") as file:
        file.write(f"{json.dumps(extra)}\n{json.dumps(twice)}\n")
    assert main(["rescore", str(run), "--check", "--seed", SEED]) == 1
    shown = capsys.readouterr().out
    assert "results.json: trials: does not follow from the transcript" in shown
    assert "1 answers after the last question" not in shown
    assert f"{extra['trial']}: 1 answer after the last question" in shown
    assert f"{twice['trial']}: turn {twice['turn']} is answered 2 times" in shown


def test_changed_prompts_are_reported_by_the_check(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    terms = load(run / "evaluation.json")
    (run / "evaluation.json").write_text(json.dumps({**terms, "prompts": "0" * 16}))
    assert main(["rescore", str(run), "--check", "--seed", SEED]) == 1
    said = 'evaluation.json: prompts, the digest of all templates: "0000000000000000" in the run'
    assert said in capsys.readouterr().out


def test_the_seed_must_be_the_one_that_was_committed_to(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rescore", str(run), "--check"]) == 2
    assert "does not contain the seed of its tests\ntry: --seed-file" in capsys.readouterr().err
    assert main(["rescore", str(run), "--check", "--seed", "another"]) == 2
    assert "the seed does not match the commitment" in capsys.readouterr().err
    assert main(["rescore", str(run), "--compare", "strip"]) == 2
    assert "does not contain the seed" in capsys.readouterr().err


def test_predictions_are_rescored_by_another_comparison_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [
        {
            "id": "P1",
            "difficulty": "easy",
            "title": "Next",
            "language": "brainfuck",
            "code": ",+.",
            "input": "A",
            "expected_output": "B",
        }
    ]
    (tmp_path / "next.json").write_text(json.dumps(items))
    run = tmp_path / "run"
    options: dict[str, Any] = {"task": "predict", "items": str(tmp_path / "next.json")}
    evaluate(run, Scripted(), ["brainfuck"], ["zero-shot"], ["P1"], **options)
    assert main(["rescore", str(run), "--check", "--seed", SEED]) == 0
    assert main(["rescore", str(run), "--seed", SEED, "--compare", "strip", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[-1])["changes"] == [
        {"trial": "predict/brainfuck/zero-shot/P1/1", "before": "wrong_answer", "after": "pass"}
    ]
    assert main(["rescore", str(run), "--fresh-seed"]) == 2
    assert "rescore it only with another --compare" in capsys.readouterr().err


def test_a_program_too_long_for_its_record_is_found_in_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    program = f"{LOUD_ECHO}{' ' * (1 << 20)}"
    evaluate(run, Scripted(program), ["brainfuck"], ["zero-shot"], ["E02"])
    assert "program" not in records(run, "finished")[0]
    words = ("--seed", SEED, "--compare", "newline", "--json")
    assert main(["rescore", str(run), *words]) == 0
    assert [one["after"] for one in json.loads(capsys.readouterr().out)["changes"]] == ["pass"]
