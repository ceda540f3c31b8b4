"""All regimes in all languages, with a model on loopback, counted by hand."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from scripted_models import (
    CACHED_TOKENS,
    ECHO,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    REASONING_TOKENS,
    Reply,
    add_fence,
    echoing,
    evaluate,
    line_of,
    records,
    serving,
)

from esolangs.registry import find_language, language_ids
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.evaluation.prompts import PREDICTION_REGIMES, solved_examples
from esoplay.evaluation.regimes import REGIMES
from esoplay.packs.catalogue import list_problems
from esoplay.reporting.statistics import wilson
from esoplay.running.run import run_source
from esoplay.sessions.target import find_target

TURNS = {
    "zero-shot": 1 + 1,
    "few-shot": 1 + 1,
    "self-scaffolding": 1 + 2,
    "textual-self-scaffolding": 1 + (2 + 1),
    "react": 2 + (3 + 2),
    "one-shot": 1 + 1,
    "agent-loop": 1 + 3,
}
"""Answers with two attempts: to E02, which the echo solves, and to E01, which it does not.

Between two attempts textual self-scaffolding asks a critic, and ReAct a critic and a planner.
"""


@pytest.mark.slow
def test_every_regime_runs_in_every_language(tmp_path: Path) -> None:
    with serving(echoing) as served:
        results, left = evaluate(tmp_path, served.url, ["all"], ["all"], ["E01", "E02"], attempts=2)
    assert left == []
    assert len(results.lines) == len(language_ids()) * len(REGIMES)
    for language in language_ids():
        for regime, turns in TURNS.items():
            line = line_of(results, language, regime)
            assert (line.solved, line.total) == (1, 2)
            assert line.interval == wilson(1, 2)
            assert line.verdicts == {"pass": 1, "wrong_answer": 1}, (language, regime)
            assert line.turns == turns, (language, regime)
            assert line.tokens == (
                INPUT_TOKENS * turns,
                CACHED_TOKENS * turns,
                OUTPUT_TOKENS * turns,
                0,
                REASONING_TOKENS * turns,
            )  # fmt: skip
    asked = len(language_ids()) * sum(TURNS.values())
    assert len(served.asked) == len(records(tmp_path, "answered")) == asked
    told = json.loads((tmp_path / "results.json").read_text())
    assert len(told["trials"]) == 2 * len(results.lines)
    assert told["tokens"]["output"] == OUTPUT_TOKENS * asked
    tests = [test for trial in told["trials"] for test in trial["tests"]]
    assert {frozenset(test) for test in tests} == {frozenset({"verdict", "steps"})}
    assert "| unlambda | agent-loop | 1 | 2 | 50.0 % |" in (tmp_path / "summary.md").read_text()


def test_each_role_gets_only_what_its_regime_gives_it(tmp_path: Path) -> None:
    with serving(echoing) as served:
        regimes = ["few-shot", "textual-self-scaffolding", "react", "agent-loop"]
        evaluate(tmp_path, served.url, ["brainfuck"], regimes, ["E01"], jobs=1, attempts=2)
    few, *others = served.asked
    shots = [message["content"] for message in few["messages"] if message["role"] == "assistant"]
    assert len(shots) == 3
    assert all(shot.startswith("~~~~\n") for shot in shots)
    prompts = [body["messages"][-1]["content"] for body in others]
    advice = next(text for text in prompts if "A reviewer" in text)
    assert "Print every character." in advice  # the critic's words reach the coder,
    assert "is code" not in advice  # and its code does not
    assert "(a block of code was left out)" in advice
    observed = [text for text in prompts if "Attempt 1 was this program" in text]
    assert len(observed) == 2  # the planner's and the coder's second turn
    found = next(text for text in prompts if "JSON object per line" in text)
    diagnostic = json.loads(next(line for line in found.splitlines() if line.startswith("{")))
    assert diagnostic["error_class"] == "wrong_answer"
    assert diagnostic["expected"] == "Hello World!"
    assert diagnostic["actual"] == ""


def test_a_model_uses_feedback(tmp_path: Path) -> None:
    def learning(messages: list[dict[str, str]]) -> Reply:
        last = messages[-1]["content"]
        if "There was no fenced block" in last:
            return Reply("Now then:\n```bf\n,[.,\n```\n")
        if "parse error" in last:
            return Reply(f"```bf\n{ECHO['Brainfuck']}\n```")
        return Reply("I would use `,[.,]` for that.")

    with serving(learning) as served:
        results, _ = evaluate(
            tmp_path, served.url, ["brainfuck"], ["self-scaffolding", "zero-shot"], ["E02"]
        )
    learned, at_once = line_of(results, "brainfuck", "self-scaffolding"), results.lines[0]
    assert (learned.solved, learned.turns, learned.results[0].attempts) == (1, 3, 2)
    assert (at_once.regime, at_once.verdicts) == ("zero-shot", {"no_program": 1})


def test_runs_are_counted_separately_and_have_their_own_seeds(tmp_path: Path) -> None:
    def moody(messages: list[dict[str, str]]) -> Reply:
        served_by_run.append(messages)
        return echoing(messages) if len(served_by_run) > 1 else Reply("no")

    served_by_run: list[object] = []
    with serving(moody) as served:
        results, _ = evaluate(
            tmp_path, served.url, ["brainfuck"], ["zero-shot"], ["E02"],
            jobs=1, runs=3, sampling_seed=5,
        )  # fmt: skip
    (line,) = results.lines
    assert line.runs == {1: (0, 1), 2: (1, 1), 3: (1, 1)}
    assert line.as_json()["mean_of_runs"] == pytest.approx(2 / 3)
    assert [body["seed"] for body in served.asked] == [5, 6, 7]


def test_whitespace_options_are_in_the_prompt(tmp_path: Path) -> None:
    def visible(messages: list[dict[str, str]]) -> Reply:
        assert "notation=visible" in messages[0]["content"]
        letters = ECHO["Whitespace"].translate(str.maketrans(" \t\n", "STL"))
        return Reply(letters)

    with serving(visible) as served:
        results, _ = evaluate(
            tmp_path, served.url, ["whitespace"], ["zero-shot"], ["E02"],
            options={"notation": "visible"}, bare=True,
        )  # fmt: skip
    assert results.lines[0].solved == 1


def test_the_language_tax_compares_with_a_familiar_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(echoing) as served:
        results, left = evaluate(
            tmp_path, served.url, ["python"], ["few-shot"], ["E02"], attempts=1
        )
    assert left == []
    (line,) = results.lines
    assert (line.solved, line.total) == (1, 1)
    told = served.asked[0]["messages"][0]["content"]
    assert "Each run may take 60 s." in told
    assert "CPython" in told
    assert "dialect" not in told
    with serving(lambda messages: Reply("nothing")) as served:
        evaluate(tmp_path, served.url, ["brainfuck"], ["few-shot", "react"], ["E02"], attempts=1)
    found = json.loads((tmp_path / "results.json").read_text())
    (tax,) = found["language_tax"]  # react was not asked in Python
    assert (tax["language"], tax["regime"], tax["familiar"]) == (
        *("brainfuck", "few-shot"),
        ["python"],
    )
    assert (tax["share"], tax["familiar_share"], tax["tax"]) == (0, 1, -1)
    assert tax["interval"] == [-1, -1]
    summary = (tmp_path / "summary.md").read_text()
    assert "Language tax" in summary
    version = f"Python {platform.python_version()}"
    assert found["toolchains"] == {"python": [version]}
    versions = {trial["language"]: trial.get("toolchain") for trial in found["trials"]}
    assert versions == {"brainfuck": None, "python": version}
    assert f"Toolchains: python {version}." in summary
    assert main(["report", str(tmp_path), "--markdown"]) == 0
    assert f"| python | {version} | 1 |" in capsys.readouterr().out
    with pytest.raises(UsageError, match="Python has no dialects"):
        evaluate(
            tmp_path, "http://localhost:1", ["python"], ["zero-shot"], None, options={"eof": "0"}
        )


def test_outputs_are_predicted(tmp_path: Path) -> None:
    def hopeful(messages: list[dict[str, str]]) -> Reply:
        return Reply(add_fence("0\n"))

    with serving(hopeful) as served:
        results, _ = evaluate(tmp_path, served.url, ["brainfuck"], ["all"], None, task="predict")
        results, _ = evaluate(tmp_path, served.url, ["brainfuck"], ["zero-shot"], ["E02"])
    zero, few, solving = results.lines
    assert (zero.task, few.regime, solving.task) == ("predict", "few-shot", "solve")
    expected = sum(record["solved"] for record in records(tmp_path, "finished"))
    assert zero.solved + few.solved + solving.solved == expected
    assert zero.total == few.total > 5
    assert 0 < zero.solved == few.solved < zero.total
    assert set(zero.verdicts) == {"pass", "wrong_answer"}


def test_outputs_of_programs_in_every_language_are_predicted(tmp_path: Path) -> None:
    ids = {find_language(id).name: id for id in language_ids()}
    items = [
        {"id": f"P-{id}", "difficulty": "easy", "title": "Echo", "language": id,
         "code": ECHO[name], "input": "ab", "expected_output": "ab"}
        for name, id in ids.items()
    ]  # fmt: skip
    path = tmp_path / "items.json"
    path.write_text(json.dumps(items))

    def reading(messages: list[dict[str, str]]) -> Reply:
        name = next(name for name in ids if f" in {name}" in messages[0]["content"])
        assert f"~~~~\n{ECHO[name]}" in messages[-1]["content"]  # whitespace programs too
        return Reply(add_fence("ab" if name != "Unlambda" else "ab\n\n"))

    with serving(reading) as served:
        results, left = evaluate(
            tmp_path / "run", served.url, ["all"], ["all"], None, task="predict", items=str(path)
        )
    assert left == []
    assert {(line.language, line.regime): line.solved for line in results.lines} == {
        (id, regime): int(id != "unlambda") for id in ids.values() for regime in PREDICTION_REGIMES
    }


@pytest.mark.parametrize("language", language_ids())
@pytest.mark.parametrize("dialect", ["standard", "benchmark"])
def test_the_solved_examples_are_correct_and_are_not_problems_of_the_pack(
    language: str, dialect: str
) -> None:
    solved = solved_examples(find_language(language))
    assert [each.name for each in solved] == ["twice", "between", "stars"]
    for each in solved:
        programs = {each.program, each.program + b"\n"}  # as an answer spells it
        for program in programs:
            for example in each.examples:
                outcome = run_source(language, program, dialect=dialect, stdin=example.input)
                assert (outcome.status, outcome.stdout) == ("ok", example.output), each.name
    titles = {problem.title.casefold() for problem in list_problems()}
    assert not titles & {each.title.casefold() for each in solved}


def test_the_solved_examples_in_python_are_right() -> None:
    for each in solved_examples(find_target("python", "benchmark")):
        example = each.examples[0]
        command = [sys.executable, "-I", "-S", "-c", each.program.decode()]
        done = subprocess.run(command, input=example.input, capture_output=True, check=True)
        assert (done.stdout, done.stderr) == (example.output, b""), each.name


def test_prices_give_the_cost_of_tokens_and_errors_name_the_key(tmp_path: Path) -> None:
    from esoplay.evaluation.results import read_price

    text = b'currency = "EUR"\n[models.m]\ninput = 2.5\ncached_input = 0.5\noutput = 10\n'
    price = read_price(text, "prices.toml", "m")
    # 60 fresh at 2.5, 40 cached at 0.5 and 7 at 10, for a million
    assert price.cost(INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS) == Decimal("240") / 1_000_000
    for broken, what in [
        (b"models", "not valid TOML"),
        (b"[models.x]\n", 'models."m"'),
        (b"[model.m]\ninput = 1\n", r"toml: model: expected .*did you mean models\?"),
        (b"rates = 1\n", r"toml: rates: expected only `currency` and tables \[models.NAME\]"),
        (b"", r"toml: models: expected only `currency` and tables \[models.NAME\]"),
        (b"[models.m]\ninput = 1\n", "output"),
        (b"[models.m]\ninput = nan\noutput = 1\n", "input"),
        (b'[models.m]\ninput = "1"\noutput = 1\n', "input: expected a price"),
        (b"[models.m]\ninput = 1\noutput = 1\nextra = 1\n", "extra"),
    ]:
        with pytest.raises(UsageError, match=what):
            read_price(broken, "prices.toml", "m")
