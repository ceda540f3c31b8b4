"""One report on evaluations and sessions: both kinds are read into one table of trials."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from oracles.report_statistics import mcnemar_p, signed_rank_p, wilson_ends
from published_schemas import assert_valid
from report_sessions import evaluation, play, write_pack
from shell import ROOT

from esoplay.benchmark.report_packs import PackSources, RecordedPack, find_packs
from esoplay.cli.main import main
from esoplay.errors import UsageError

FAST = ["--resamples", "100"]
COURSE = {"E1": "rS", "E2": "wcS", "E3": "xww", "H1": "xxl", "H2": "S", "H3": "ccc"}
"""What happens to each problem in a session, see ``report_sessions``."""
SAME_COURSE = {
    "E1": ("pass", 1),
    "E2": ("pass", 3),
    "E3": ("wrong_answer", 3),
    "H1": ("step_limit", 3),
    "H2": ("pass", 1),
    "H3": ("parse_error", 3),
}
"""The same as verdicts and attempts of trials."""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sessions' pack."""
    return write_pack(tmp_path_factory.mktemp("packs") / "six")


def evaluation_of_course() -> dict[str, Any]:
    data = evaluation("ibis", languages=["brainfuck"], regimes=["zero-shot"], runs=1)
    for trial in data["trials"]:
        verdict, attempts = SAME_COURSE[trial["item"]]
        trial.update(solved=verdict == "pass", verdict=verdict, attempts=attempts)
    return data


Report = Callable[..., dict[str, Any]]


@pytest.fixture
def report(pack: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    def made(*words: str | Path) -> dict[str, Any]:
        assert main(["report", *map(str, words), *FAST, "--pack", str(pack), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return made


@pytest.fixture
def files(exports: dict[str, bytes], tmp_path: Path) -> list[Path]:
    """Two evaluations and nine sessions; the models are called as the solvers."""
    for model in ("ant", "bee"):
        data = evaluation(model, languages=["brainfuck", "whitespace"], regimes=["zero-shot"])
        (tmp_path / model).mkdir()
        (tmp_path / model / "results.json").write_text(json.dumps(data), "utf-8")
    for name, text in exports.items():
        (tmp_path / f"{name}.json").write_bytes(text)
    return [
        *(tmp_path / model for model in ("ant", "bee")),
        *(tmp_path / f"{name}.json" for name in exports),
    ]


def conditions_by_name(told: dict[str, Any]) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(one["model"], one["language"], one["regime"]): one for one in told["conditions"]}


def test_both_kinds_of_the_same_course_have_the_same_figures(
    tmp_path: Path, report: Report
) -> None:
    export = tmp_path / "session.json"
    export.write_bytes(play(tmp_path, COURSE, solver="ibis"))
    saved = tmp_path / "results.json"
    saved.write_text(json.dumps(evaluation_of_course()), "utf-8")
    told = conditions_by_name(report(saved, export))
    model = told["ibis", "brainfuck", "zero-shot"]
    agent = told["ibis", "brainfuck", "agent session"]
    assert (model["session"], agent["session"]) == (False, True)
    measured = {"seconds", "median_seconds", "cost"}
    measured |= {f"{kind}_tokens" for kind in ("input", "output", "reasoning")}
    for name in model.keys() - measured - {"regime", "session"}:
        assert agent[name] == model[name], name
    assert agent["tiers"] == {"easy": [2, 3], "hard": [1, 3]}
    assert {name: count for name, count in agent["errors"].items() if count} == {
        "compile": 1,
        "wrong answer": 1,
        "limit": 1,
    }
    # The clock of the session goes on by a second with each event.
    log = json.loads(export.read_bytes())["events"]
    times: dict[str, list[int]] = {}
    for event in log:
        problem = event["body"].get("problem")
        if problem and event["kind"] != "session_started":
            times.setdefault(problem, []).append(event["time_ms"])
    spans = {problem: (max(found) - min(found)) / 1000 for problem, found in times.items()}
    assert agent["seconds"] == sum(spans.values())
    assert agent["input_tokens"] is agent["cost"] is None


def test_tokens_of_a_session_belong_to_the_problem_of_their_time(
    tmp_path: Path, report: Report
) -> None:
    export = tmp_path / "session.json"
    export.write_bytes(play(tmp_path, COURSE, solver="ibis"))
    saved = tmp_path / "results.json"
    saved.write_text(json.dumps(evaluation_of_course()), "utf-8")
    told = json.loads(export.read_bytes())
    session = told["events"][0]["body"]["session"]
    usage = tmp_path / "tokens.jsonl"
    lines = [
        {
            "session": session,
            "time_ms": event["time_ms"],
            "input_tokens": 100,
            "output_tokens": 10 * at,
            "reasoning_tokens": at,
            "cost": 0.5,
        }
        for at, event in enumerate(told["events"])
    ]
    usage.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = report(saved, export, "--usage", usage)
    agent = conditions_by_name(found)["ibis", "brainfuck", "agent session"]
    count = len(lines)
    assert agent["input_tokens"] == pytest.approx(100 * count / 6)
    assert agent["output_tokens"] == pytest.approx(10 * sum(range(count)) / 6)
    assert agent["reasoning_tokens"] == pytest.approx(sum(range(count)) / 6)
    assert agent["cost"] == pytest.approx(0.5 * count / 6)
    regimes = {(one["regime"], one["amount"]) for one in found["by_cost"]}
    assert ("agent session", agent["cost"]) in regimes
    assert len(regimes) == 2


def test_sessions_are_in_the_tables_of_evaluations(files: list[Path], report: Report) -> None:
    told = report(*files, "--familiar", "whitespace")
    assert told["format"] == "esoplay-combined-report"
    assert_valid(told, "combined-report")
    found = conditions_by_name(told)
    assert {name for name in found if found[name]["session"]} == {
        ("ant", "brainfuck", "agent session"),
        ("ant", "brainfuck", "agent session, direct"),
        ("ant", "whitespace", "agent session"),
        ("bee", "brainfuck", "agent session"),
        ("bee", "whitespace", "agent session"),
    }
    # Rows are by model, then language, in all tables: each regime of a language, then the next.
    rows = [(one["model"], one["language"], one["session"]) for one in told["conditions"]]
    assert rows == sorted(rows)
    sessions = [row[:2] for row in rows if row[2]]
    for name in ("series", "effort", "metaprogramming"):
        played = [(one["solver"], one["language"]) for one in told[name]]
        assert [one for one in played if one in sessions] == sessions  # others are partial
    ant = found["ant", "brainfuck", "agent session"]  # 4, 3 and 5 of 6
    assert (ant["solved"], ant["total"], ant["over_runs"]["mean"]) == (12, 18, pytest.approx(2 / 3))
    low, high = wilson_ends(12, 18, 0.95)
    assert (ant["interval"]["low"], ant["interval"]["high"]) == pytest.approx((low, high))
    assert len(ant["pass_at"]) == 3
    assert ant["categories"] == {"text": [8, 9], "sums": [4, 9]}
    taxes = {(one["model"], one["regime"]): one["loss"]["tax"] for one in told["language_tax"]}
    assert taxes["ant", "agent session"] == pytest.approx(12 / 18 - 1)
    assert ("ant", "zero-shot") in taxes


def test_sessions_and_evaluations_are_compared_by_the_same_tests(
    files: list[Path], report: Report
) -> None:
    told = report(*files, "--baseline", "agent session")
    assert (told["comparison"]["axis"], told["baseline"]) == ("regime", "agent session")
    pairs = {
        (one["first"], pair["match"]): pair
        for one in told["comparison"]["comparisons"]
        for pair in one["pairs"]
        if pair["match"]
    }
    assert set(pairs) == {
        *(
            ("zero-shot", f"{name}, {language}")
            for name in ("ant", "bee")
            for language in ("brainfuck", "whitespace")
        ),
        ("agent session, direct", "ant, brainfuck"),
    }
    assert {pair["tests"] for pair in pairs.values()} == {5}
    trials = json.loads((files[0] / "results.json").read_text("utf-8"))["trials"]
    zero = {
        (one["item"], one["run"]): one["solved"] for one in trials if one["language"] == "brainfuck"
    }
    agent = {  # by hand, from the sessions ant-1, ant-2 and ant-3
        "E1": (1, 1, 1),
        "E2": (1, 1, 1),
        "E3": (0, 1, 1),
        "H1": (1, 0, 1),
        "H2": (1, 0, 1),
        "H3": (0, 0, 0),
    }
    only_first = sum(zero[item, 1] and not agent[item][0] for item in agent)
    only_second = sum(not zero[item, 1] and bool(agent[item][0]) for item in agent)
    differences = [
        round(sum(zero[item, run] for run in (1, 2, 3)) / 3 - sum(agent[item]) / 3, 12)
        for item in agent
    ]
    pair = pairs["zero-shot", "ant, brainfuck"]
    assert (pair["only_first"], pair["only_second"]) == (only_first, only_second)
    assert pair["mcnemar"] == pytest.approx(float(mcnemar_p(only_first, only_second)))
    assert pair["difference"] == pytest.approx(sum(differences) / 6)
    assert pair["wilcoxon"]["p"] == pytest.approx(float(signed_rank_p(differences)))


def test_what_one_kind_has_is_as_in_a_report_of_its_own(files: list[Path], report: Report) -> None:
    both, models, agents = report(*files), report(*files[:2]), report(*files[2:])
    apart = {**conditions_by_name(models)}
    assert {
        name: one for name, one in conditions_by_name(both).items() if not one["session"]
    } == apart
    for name in ("sessions", "series", "effort", "metaprogramming", "ablations", "budgets"):
        assert sorted(map(json.dumps, both[name])) == sorted(map(json.dumps, agents[name])), name
    assert both["evaluations"] == models["evaluations"]


def test_files_have_any_order_and_may_come_from_stdin(
    files: list[Path], report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = report(*files)
    backwards = report(*reversed(files))
    assert conditions_by_name(first).keys() == conditions_by_name(backwards).keys()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(files[2].read_bytes())))
    told = report(*files[:2], "-")
    assert [one["file"] for one in told["sessions"]] == ["-"]
    assert len(told["evaluations"]) == 2


def test_sections_say_what_only_sessions_have(
    files: list[Path], pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", *map(str, files), *FAST, "--pack", str(pack)]
    assert main([*words, "--markdown"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("# Report on evaluations and sessions\n")
    for title in ("Metaprogramming", "Ablations", "Solved against local runs"):
        assert "Only for sessions: " in told.partition(f"## {title}\n")[2][:40], title
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    assert f"wrote {tmp_path / 'out' / 'report.html'}; beside it" in capsys.readouterr().err


def test_a_pack_that_no_file_uses_is_refused(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_pack(tmp_path / "other")
    head = other / "pack.toml"
    head.write_text(head.read_text("utf-8").replace('"six"', '"other"'), "utf-8")
    assert main(["report", *map(str, files), *FAST, "--pack", str(other)]) == 2
    assert "no file of this report uses pack other; the files use six" in capsys.readouterr().err


def test_a_run_of_agents_is_reported_also_without_its_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (frozen,) = (ROOT / "tests/frozen/data").glob("*/agents/small.runs")
    pack = frozen.parents[1] / "home" / "packs" / "small"
    data = evaluation("ibis", languages=["brainfuck"], regimes=["zero-shot"], runs=1)
    saved = tmp_path / "results.json"
    saved.write_text(json.dumps(data), "utf-8")
    words = ["report", str(saved), str(frozen), *FAST, "--keep-going", "--json"]
    main(words)
    told, said = capsys.readouterr()
    assert "the pack of the run, small, is not available" in said
    without = [one for one in json.loads(told)["conditions"] if one["session"]]
    assert without
    assert not any(one["tiers"] for one in without)
    main([*words, "--pack", str(pack)])
    told, said = capsys.readouterr()
    assert "is not available" not in said
    assert all(one["tiers"] for one in json.loads(told)["conditions"] if one["session"])
    run = tmp_path / "run"
    shutil.copytree(frozen, run)
    note = json.loads((run / "run.json").read_text("utf-8"))
    for folder, complaint in ((pack, ""), (tmp_path, "is not available (")):
        (run / "run.json").write_text(json.dumps({**note, "pack": str(folder)}), "utf-8")
        main(["report", str(run), *FAST, "--keep-going", "--json"])
        told, said = capsys.readouterr()
        assert (f"{run}: the pack of the run, {folder}, " in said) == bool(complaint)
        assert complaint in said
        assert all(bool(one["tiers"]) == (not complaint) for one in json.loads(told)["series"])


def test_runs_with_different_packs_of_one_id_are_refused(tmp_path: Path, pack: Path) -> None:
    other = write_pack(tmp_path / "other")
    head = other / "pack.toml"
    head.write_text(head.read_text("utf-8").replace('"sums"', '"sums", "more"'), "utf-8")
    sessions: Any = [SimpleNamespace(pack="six", file=f"{run}/session.json") for run in "ab"]
    recorded = [
        RecordedPack(run, [f"{run}/session.json"], str(folder))
        for run, folder in (("a", pack), ("b", other))
    ]
    with pytest.raises(UsageError, match="b: its pack six differs from the pack six of a in title"):
        find_packs(PackSources(None, recorded), sessions)
    assert find_packs(PackSources(other, recorded), sessions)["six"].categories[-1] == "more"
    assert find_packs(PackSources(None, recorded[1:]), sessions)["six"].categories[-1] == "more"


def test_refused_files_of_both_kinds_are_listed(
    files: list[Path], pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged, altered = tmp_path / "damaged.json", tmp_path / "altered.json"
    damaged.write_text('{"format": "esoplay-evaluation-results"}', "utf-8")
    altered.write_bytes(files[2].read_bytes().replace(b'"solver": "ant"', b'"solver": "emu"'))
    words = ["report", *map(str, files), str(damaged), str(altered), *FAST, "--pack", str(pack)]
    assert main(words) == 1
    assert capsys.readouterr().err.startswith(f"esoplay: {damaged}: ")
    assert main([*words, "--keep-going", "--json"]) == 1
    refused = json.loads(capsys.readouterr().out)["refused"]
    assert [one["file"] for one in refused] == [str(damaged), str(altered)]


def test_axes_of_sessions_alone_have_others_beside_evaluations(
    files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *map(str, files), "--by", "solver"]) == 2
    told = capsys.readouterr().err
    assert (
        "--by solver is for sessions; compare evaluations and sessions reported with them" in told
    )
    assert told.endswith("try: --by model\n")
    assert main(["report", *map(str, files), "--baseline", "primary"]) == 2
    assert "regime: zero-shot, agent session" in capsys.readouterr().err
