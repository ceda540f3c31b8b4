"""Modes of the published systems: own prompts, fewer examples, feedback from scoring tests."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scripted_models import Reply, echoing, evaluate, line_of, records, serving

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.evaluation.prompts import BUILT_IN, PLACEHOLDERS, read_templates
from esoplay.evaluation.regimes import outcome_from_json, outcome_of_report
from esoplay.evaluation.transcript import check_record
from esoplay.grading.grader import grade_examples
from esoplay.packs.catalogue import get_problem

EXAMPLES = get_problem("E02").examples
NOT_EMPTY = [example.input.decode() for example in EXAMPLES if example.input]


def asked_of(folder: Path, regime: str, **options: object) -> list[str]:
    """Return the last message of each request about E02, from a model that never solves it."""
    with serving(lambda _: Reply("```\n.\n```")) as served:
        evaluate(
            folder, served.url, ["brainfuck"], [regime], ["E02"], jobs=1, attempts=2, **options
        )
    return [body["messages"][-1]["content"] for body in served.asked]


def shown(text: str) -> int:
    return sum(json.dumps(given) in text for given in NOT_EMPTY)


@pytest.mark.parametrize("number", [0, 1, None])
def test_the_model_sees_as_many_examples_as_it_is_given(tmp_path: Path, number: int | None) -> None:
    (task,) = asked_of(tmp_path, "zero-shot", examples=number)
    assert shown(task) == (len(NOT_EMPTY) if number is None else number)


def test_feedback_is_about_the_examples_that_were_shown(tmp_path: Path) -> None:
    _, feedback = asked_of(tmp_path, "self-scaffolding", examples=1)
    assert "It passed 0 of 1." in feedback
    assert shown(feedback) == 1


def test_feedback_can_come_from_the_hidden_tests(tmp_path: Path) -> None:
    _, feedback = asked_of(tmp_path, "self-scaffolding", examples=0, feedback="scoring")
    assert "run on the hidden tests of the task. It passed 0 of 6." in feedback
    assert shown(feedback) == 0
    assert feedback.count("- wrong answer: input") == 3
    (tried, _) = records(tmp_path, "tried")
    assert tried["total"] == 6
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "The model saw no examples. Feedback came from the hidden tests" in summary
    terms = json.loads((tmp_path / "evaluation.json").read_text("utf-8"))
    assert (terms["feedback"], terms["examples"]) == ("scoring", 0)


@pytest.mark.parametrize("regime", ["textual-self-scaffolding", "react", "agent-loop"])
def test_every_regime_says_where_its_feedback_comes_from(tmp_path: Path, regime: str) -> None:
    told = "\n".join(asked_of(tmp_path, regime, feedback="scoring"))
    assert "of 6 hidden tests" in told
    assert re.search(r"(passed|on) \d of \d+ examples", told) is None


def test_without_examples_feedback_requires_another_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["eval", "--language", "brainfuck", "--regime", "react", "--problems", "E02"]
    words += ["--command", "cat", "-o", str(tmp_path / "run")]
    assert main([*words, "--examples", "none"]) == 2
    assert "E02 has none\ntry: --feedback scoring" in capsys.readouterr().err
    assert main([*words, "--examples", "some"]) == 2
    assert "--examples: expected an integer or none, not 'some'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_pack_and_an_option_set_comparison_and_time_limit(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    (pack / "Q1").mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'format = 1\nid = "mine"\nversion = "1"\ntitle = "Mine"\ntiers = ["easy"]\n'
        'categories = ["other"]\ncompare = "strip"\n'
    )
    (pack / "Q1" / "problem.toml").write_text(
        'id = "Q1"\ntitle = "Echo"\ntier = "easy"\ncategory = "other"\ntime_limit = 5\n'
    )
    (pack / "Q1" / "statement.md").write_text("Print the line.")
    (pack / "Q1" / "tests.json").write_text('[{"input": "a", "output": "a "}]')

    def play(name: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any], str]:
        with serving(echoing) as served:
            evaluate(
                tmp_path / name,
                served.url,
                ["brainfuck"],
                ["zero-shot"],
                ["Q1"],
                pack=str(pack),
                **options,
            )
        results = json.loads((tmp_path / name / "results.json").read_text("utf-8"))
        return results["terms"], results["trials"][0], served.asked[0]["messages"][0]["content"]

    terms, trial, prompt = play("defaults")
    assert (terms["compare"], terms["time_limit"]) == ("strip", None)
    assert (trial["solved"], trial["time_limit"]) == (True, 5)
    assert "10,000,000 steps and 5 s" in prompt
    terms, trial, _ = play("chosen", compare="exact", time_limit=0.5)
    assert (terms["compare"], terms["time_limit"]) == ("exact", 0.5)
    assert (trial["solved"], trial["time_limit"]) == (False, 0.5)
    summary = (tmp_path / "chosen" / "summary.md").read_text("utf-8")
    assert "A run of a program has at most 0.5 s." in summary


def test_own_prompts_replace_the_built_in_ones(tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "task.md").write_text("{{language}}, please: {{title}}\n", "utf-8")
    (own / "README.txt").write_text("not a prompt", "utf-8")
    with serving(echoing) as served:
        results, _ = evaluate(
            tmp_path / "run", served.url, ["brainfuck"], ["zero-shot"], ["E02"], prompts=own
        )
    assert line_of(results, "brainfuck", "zero-shot").solved == 1
    system, task = served.asked[0]["messages"]
    assert task["content"] == "Brainfuck, please: Echo Line\n"
    assert system["content"].startswith("You write programs in Brainfuck.")
    terms = json.loads((tmp_path / "run" / "evaluation.json").read_text("utf-8"))
    assert terms["own_prompts"] == ["task"]
    assert terms["prompts"] == read_templates(own).digest != BUILT_IN.digest
    assert "Prompt templates replaced by the user: task." in (
        tmp_path / "run" / "summary.md"
    ).read_text("utf-8")


def test_the_name_of_the_language_is_filled_in_parts_of_prompts(tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "fenced.md").write_text("Answer in {{language}} with {{ and }}.\n", "utf-8")
    with serving(echoing) as served:
        evaluate(tmp_path / "run", served.url, ["brainfuck"], ["zero-shot"], ["E02"], prompts=own)
    assert "Answer in Brainfuck with {{ and }}.\n" in served.asked[0]["messages"][0]["content"]


def test_an_evaluation_is_not_resumed_with_other_prompts(tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "task.md").write_text("{{title}}\n", "utf-8")
    asked_of(tmp_path / "run", "zero-shot")
    with pytest.raises(UsageError, match="choose another folder"):
        asked_of(tmp_path / "run", "zero-shot", prompts=own)
    with pytest.raises(UsageError, match="choose another folder"):
        asked_of(tmp_path / "run", "zero-shot", examples=1)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("tasks.md", b"", "tasks.md: no prompt has this name; did you mean task.md?"),
        ("task.md", b"a\nb {{plan}}", "task.md: line 2, column 3: unknown placeholder {{plan}}"),
        (
            "task.md",
            b"a\n{{ title }}",
            "line 2, column 1: {{ title }} is not a placeholder; expected",
        ),
        ("task.md", b"{{Title}}", "{{Title}} is not a placeholder; expected {{title}}"),
        ("task.md", b"\xff", "task.md: byte 0 is not valid UTF-8"),
        ("task.txt", b"", "expected files of prompts, such as task.md"),
    ],
)
def test_wrong_prompts_are_refused(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read_templates(tmp_path)
    assert reason in str(caught.value)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: No such file or directory"):
        read_templates(tmp_path / "none")


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_the_built_in_prompts_can_be_copied(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.md").write_text(BUILT_IN.text(name), "utf-8")
    assert read_templates(tmp_path).digest == BUILT_IN.digest


def test_feedback_shows_the_arguments_of_a_test() -> None:
    report = grade_examples(get_problem("B02", "basics"), "python", b"print(1)", max_examples=1)
    outcome = outcome_of_report(report)
    assert '- wrong answer: arguments "a" "b c", input "", expected "[b c][a]"' in outcome.details
    assert '"input": "", "arguments": ["a", "b c"], "expected"' in outcome.diagnostics
    saved = json.loads(json.dumps(outcome.as_json()))
    assert outcome_from_json(saved).details == outcome.details
    head = {"kind": "tried", "trial": "solve/python/react/B02/1", "time_ms": 1, "attempt": 1}
    assert check_record({**head, "program": "", **saved})["misses"] == saved["misses"]
    plain = grade_examples(get_problem("B01", "basics"), "python", b"print(1)", max_examples=1)
    assert "conditions" not in outcome_of_report(plain).as_json()["misses"][0]
