"""Figures of sessions that were played by script, against what was counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from report_sessions import DAY, play, report

from esoplay.errors import UsageError
from esoplay.grading.report import Verdict
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.category_charts import TierCurve, draw_tier_curves
from esoplay.reporting.charts import ChartPoint, draw_points
from esoplay.reporting.conditions import error_class
from esoplay.reporting.effort import Effort, Metaprogramming, Point
from esoplay.reporting.played_sessions import read_session
from esoplay.reporting.report import Report, ReportOptions
from esoplay.reporting.standing import SeriesStanding
from esoplay.reporting.statistics import wilson
from esoplay.reporting.usage import read_usage
from esoplay.running.run import LIMITS


def standing(found: Report, *name: str) -> SeriesStanding:
    return next(one for one in found.standings if (one.solver, one.language, one.protocol) == name)


def effort(found: Report, *name: str) -> Effort:
    return next(one for one in found.efforts if (one.solver, one.language, one.protocol) == name)


def test_the_first_session_is_the_headline_and_the_others_are_a_range(everything: Report) -> None:
    ant = standing(everything, "ant", "brainfuck", "primary")
    assert (ant.rate.solved, ant.rate.total) == (4, 6)
    assert ant.rate.interval == wilson(4, 6)
    assert ant.rate.half_width == pytest.approx(4 / 6 - wilson(4, 6).low)
    assert ant.sessions == (4, 3, 5)
    assert ant.others == (3, 5)
    assert ant.across is not None
    assert (ant.across.mean, ant.across.deviation) == (4, 1)
    assert ant.partial is None


def test_the_headline_is_the_first_session(exports: dict[str, bytes]) -> None:
    # Named the other way round: what counts is when they began.
    (ant,) = report(exports, ["ant-3", "ant-2"]).standings
    assert (ant.sessions, ant.rate.solved, ant.others) == ((3, 5), 3, (5, 5))


def test_solved_problems_are_counted_by_tier_and_category(everything: Report) -> None:
    ant = standing(everything, "ant", "brainfuck", "primary")
    assert {name: (one.solved, one.total) for name, one in ant.tiers.items()} == {
        "easy": (2, 3),
        "hard": (2, 3),
    }
    assert {name: (one.solved, one.total) for name, one in ant.categories.items()} == {
        "text": (2, 2),
        "sums": (2, 4),
    }


def test_partial_sessions_are_marked_and_left_out(everything: Report) -> None:
    bee = standing(everything, "bee", "brainfuck", "primary")
    assert bee.rate.solved == 2
    assert bee.sessions == (2,)
    assert bee.left_out == {"bee-open": "not closed"}
    cut = standing(everything, "bee", "unlambda", "primary")
    assert cut.partial == "ended with 4 of 6 problems left"
    assert (cut.rate.solved, cut.sessions, cut.across) == (2, (), None)
    assert all("unlambda" not in one.over and one.name != "unlambda" for one in everything.pooled)


def test_means_are_pooled_over_languages_and_solvers(exports: dict[str, bytes]) -> None:
    pooled = {(one.of, one.name): one for one in report(exports).pooled}
    ant = pooled["solver", "ant"]
    assert ant.over == ("brainfuck", "whitespace")
    assert ant.summary.mean == pytest.approx((4 / 6 + 1) / 2)
    assert ant.summary.spread == pytest.approx(2 / 6)
    brainfuck = pooled["language", "brainfuck"]
    assert brainfuck.over == ("ant", "bee")
    assert brainfuck.summary.mean == pytest.approx(3 / 6)
    assert brainfuck.summary.deviation == pytest.approx((2 / 36) ** 0.5)
    assert ("language", "unlambda") not in pooled


def test_familiar_languages_are_in_no_mean_over_languages(exports: dict[str, bytes]) -> None:
    names = ["ant-1", "ant-ws", "bee-1", "bee-ws"]
    found = report(exports, names, options=ReportOptions(familiar=("whitespace",))).pooled
    assert [(one.of, one.name) for one in found] == [
        *(("language", "brainfuck"), ("language", "whitespace"))
    ]
    # Where nothing else was played, the mean is of the familiar ones.
    known = ReportOptions(familiar=("brainfuck", "whitespace"))
    assert [one.of for one in report(exports, names, options=known).pooled] == [
        *("solver", "solver", "language", "language")
    ]


def test_effort_counts_submissions_and_runs_until_a_problem_is_solved(everything: Report) -> None:
    ant = effort(everything, "ant", "brainfuck", "primary")
    assert ant.submissions == {1: 2, 2: 1, 3: 1}
    assert (ant.submissions_at_solve.mean, ant.submissions_at_solve.median) == (7 / 4, 1.5)
    assert (ant.runs_at_solve.mean, ant.runs_at_solve.greatest) == (3 / 4, 2)
    assert (ant.runs, ant.graded) == (3, 13)
    assert ant.by_runs == (Point(0, 0), Point(1, 1), Point(3, 4))
    assert ant.by_tokens is None


def test_failures_of_submissions_and_runs_are_counted_by_class(everything: Report) -> None:
    ant = effort(everything, "ant", "brainfuck", "primary")
    assert ant.run_endings == {"ok": 2, "runtime": 1}
    failed = {"compile": 3, "runtime": 1, "limit": 1, "wrong answer": 4, "rule": 0, "other": 0}
    assert ant.failures == failed
    cut = effort(everything, "bee", "unlambda", "primary")
    assert cut.failures is not None
    assert sum(cut.failures.values()) == 0


def test_a_problem_that_is_left_and_resumed_is_solved_with_all_its_runs(tmp_path: Path) -> None:
    moves = {"E1": "r-", "E2": "S", "E3": "w-", "H1": "-", "H2": "-", "H3": "www"}
    again = {"E3": "rrS"}
    export = play(tmp_path, moves, protocol="relaxed", again=again, close=True)
    session = read_session("it", export)
    assert session.partial_reason is None  # what is skipped for good is an answer
    assert {name: play.status for name, play in session.problem_records.items()} == {
        **dict.fromkeys(("E1", "H1", "H2"), "skipped"),
        **dict.fromkeys(("E2", "E3"), "solved"),
        "H3": "failed",
    }
    solve = session.problem_records["E3"].solve
    assert solve is not None
    assert (solve.submission, solve.runs, solve.all_runs, solve.all_submissions) == (2, 2, 3, 6)
    assert [one.problem for one in session.sorted_solves] == ["E2", "E3"]


def test_reports_are_sealed_until_the_end(exports: dict[str, bytes]) -> None:
    (found,) = report(exports, ["bee-open"]).efforts
    assert found.failures is None
    assert (found.graded, found.submissions) == (2, {1: 1})


def test_a_broken_rule_of_the_workspace_is_a_class_of_its_own(tmp_path: Path) -> None:
    generator = {"E1": {"gen.py": b"print()"}, "E2": {"gen.py": None}}
    moves = {"E1": "SSS", "E2": "S"}
    export = play(tmp_path, moves, protocol="direct", files=generator, close=True)
    (found,) = report({"it": export}).efforts
    assert found.failures is not None
    assert found.failures["rule"] == 3
    assert sum(found.failures.values()) == 3
    assert found.submissions == {1: 1}


def test_every_verdict_and_every_ending_of_a_run_has_a_class() -> None:
    for known in (*get_args(Verdict), *LIMITS, "ok"):
        assert (error_class(known) == "other") == (known in ("pass", "ok")), known


def test_tokens_are_counted_until_each_solved_problem(exports: dict[str, bytes]) -> None:
    session = json.loads(exports["ant-1"])
    solved = [
        event["time_ms"]
        for event in session["events"]
        if event["kind"] == "submission_graded" and event["body"]["status"] == "solved"
    ]
    entries = [
        {"time_ms": DAY * 1000, "input_tokens": 90, "output_tokens": 10, "cost": 0.5},
        {"time_ms": solved[0], "input_tokens": 5, "output_tokens": 0},
        {"time_ms": solved[0] + 1, "input_tokens": 0, "output_tokens": 20, "cost": 1},
        {"time_ms": solved[3] + 1, "input_tokens": 1000, "output_tokens": 0},
    ]
    lines = [json.dumps({"session": session["session"], **entry}) for entry in reversed(entries)]
    usage = read_usage({"tokens.jsonl": "\n".join([*lines, ""]).encode()})
    (found,) = report(exports, ["ant-1"], usage=usage).efforts
    assert found.by_tokens == (Point(0, 0), Point(105, 1), Point(125, 4), Point(1125, 4))
    assert found.by_input_tokens == (Point(0, 0), Point(95, 4), Point(1095, 4))
    assert found.by_output_tokens == (Point(0, 0), Point(10, 1), Point(30, 4))
    assert (found.tokens, found.cost) == (1125, 1.5)
    assert (found.input_tokens, found.output_tokens, found.reasoning_tokens) == (1095, 30, None)
    for entry in entries:
        entry["reasoning_tokens"] = 2
    lines = [json.dumps({"session": session["session"], **entry}) for entry in entries]
    usage = read_usage({"tokens.jsonl": "\n".join(lines).encode()})
    (found,) = report(exports, ["ant-1"], usage=usage).efforts
    assert found.reasoning_tokens == 8


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "session: expected"),
        (b'{"session": "a"}', "time_ms: expected a non-negative integer"),
        (b'{"session": "a", "time_ms": 1, "input_tokens": -1}', "input_tokens"),
        (b'{"session":"a","time_ms":1,"input_tokens":1,"output_tokens":1.5}', "output_tokens"),
        (b'{"session":"a","time_ms":1,"input_tokens":1,"output_tokens":1,"cost":NaN}', "cost"),
    ],
)
def test_an_invalid_line_on_tokens_is_reported(line: bytes, complaint: str) -> None:
    with pytest.raises(UsageError, match=f"tokens, line 3: .*{complaint}"):
        read_usage({"tokens": b"\n\n" + line})


def test_generators_are_counted_from_the_workspaces(everything: Report) -> None:
    found = next(one for one in everything.metaprogramming if one.protocol == "primary")
    # gen.py and lib.py come with E1, another gen.py with E2, another lib.py with H1, where gen.py
    # goes; programs have 300 bytes.
    expected = Metaprogramming(
        solver="ant",
        language="brainfuck",
        protocol="primary",
        seen=13,
        unseen=0,
        with_generator=13,
        with_map=0,
        solved=4,
        solved_with_generator=4,
        languages={"python": 13},
        ratios=(300 / 150, 300 / 40, 300 / 25),
        ratio=300 / 40,
        helpers=4,
        reused=3,
        widest=3,
        spans=(1, 2, 3, 3),
    )
    assert found == expected


def test_pictures_round_like_tables() -> None:
    canvas = SvgCanvas("name", "Title", "Description")
    draw_points(
        canvas, [ChartPoint("heron", "heron", 2, 61 / 80, is_optimal=True)], ["heron"], "", ""
    )
    draw_tier_curves(canvas, [TierCurve("panel", "heron", {"easy": 73 / 80})], ["easy"], ["heron"])
    assert "<title>heron: 76.3 % at 2</title>" in canvas.element()
    assert "<title>panel, heron, easy: 91.3 %</title>" in canvas.element()
