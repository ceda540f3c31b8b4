"""Conditions compared, and the language tax, against what was counted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from report_sessions import PROBLEMS, play, report

from esoplay.cli.main import main
from esoplay.reporting.comparison import AxisComparison, PairedResult, choose_axis, compare
from esoplay.reporting.document import as_text
from esoplay.reporting.played_sessions import (
    PlayedSession,
    ProblemRecord,
    Series,
    group_sessions,
    read_session,
)
from esoplay.reporting.report import Report, ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.statistics import bootstrap_mean
from esoplay.reporting.usage import Usage
from esoplay.sessions.protocols import PROTOCOLS


def pair(compared: AxisComparison, match: str | None = None) -> PairedResult:
    (comparison,) = compared.comparisons
    return next(one for one in comparison.pairs if one.match == match)


def series(exports: Mapping[str, bytes], *names: str) -> list[Series]:
    return group_sessions([read_session(name, exports[name]) for name in names])


def test_protocols_are_compared_where_nothing_else_differs(everything: Report) -> None:
    compared = everything.compared
    assert compared is not None
    assert compared.axis == "protocol"
    (comparison,) = compared.comparisons
    assert (comparison.first, comparison.second) == ("primary", "direct")
    found = pair(compared, "ant, brainfuck")
    # Headlines: primary solved E1 E2 H1 H2, direct E1 H1.
    assert (found.both, found.only_first, found.only_second, found.neither) == (2, 2, 0, 2)
    assert found.mcnemar == 0.5
    # Shares over three sessions: E1 1, E2 1, E3 2/3, H1 2/3, H2 2/3, H3 0; less 1 0 0 1 0 0.
    assert found.difference == pytest.approx((0 + 1 + 2 / 3 - 1 / 3 + 2 / 3 + 0) / 6)
    # Sizes 1/3, 2/3, 2/3, 1 have ranks 1, 2.5, 2.5, 4; one way of 16 has 1 or less below zero,
    # two have: none, or the smallest.
    assert (found.wilcoxon.size, found.wilcoxon.plus, found.wilcoxon.minus) == (4, 9, 1)
    assert found.wilcoxon.p == 2 * 2 / 16
    assert found.interval.low < found.difference < found.interval.high
    reasons = {one.name: one.reason for one in compared.left_out}
    assert reasons["bee, unlambda, primary"] == "ended with 4 of 6 problems left"
    assert "no counterpart" in reasons["bee, brainfuck, primary"]


def test_tool_profiles_of_a_protocol_are_compared(tmp_path: Path) -> None:
    played: list[PlayedSession] = []
    for number, (tools, moves) in enumerate([("full-access", "S"), ("blind", "www")]):
        course = {problem: moves if problem < "H" else "www" for problem in PROBLEMS}
        export = play(tmp_path, course, number=number, changes={"tools": tools})
        played.append(read_session(tools, export))
    found = compare(group_sessions(played), "tools")
    (comparison,) = found.comparisons
    assert (comparison.first, comparison.second) == ("full-access", "blind")
    assert (pair(found, "ant, brainfuck, primary").only_first, found.left_out) == (3, ())
    assert [one.tools for one in group_sessions(played)] == ["full-access", "blind"]
    told = make_report(played, (), {}, Usage(), ReportOptions(axis="tools")).as_json()
    assert [one["tools"] for one in told["sessions"]] == ["full-access", "blind"]


def test_a_tool_profile_can_be_the_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: list[str] = []
    for number, tools in enumerate(["full-access", "blind"]):
        course = dict.fromkeys(PROBLEMS, "S")
        export = tmp_path / f"{tools}.json"
        export.write_bytes(play(tmp_path, course, number=number, changes={"tools": tools}))
        files.append(str(export))
    assert main(["report", *files, "--by", "tools", "--baseline", "blind", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["comparison"]["comparisons"]
    assert (found["first"], found["second"]) == ("full-access", "blind")
    assert main(["report", *files, "--by", "tools", "--baseline", "deaf"]) == 2
    assert "expected one of tools: full-access, blind" in capsys.readouterr().err


def test_solvers_are_compared_in_every_language_and_in_all(exports: dict[str, bytes]) -> None:
    found = compare(series(exports, "ant-1", "ant-ws", "bee-1", "bee-ws", "bee-open"), "solver")
    brainfuck, whitespace = pair(found, "brainfuck, primary"), pair(found, "whitespace, primary")
    together = pair(found)
    assert (brainfuck.only_first, brainfuck.only_second) == (2, 0)
    assert (whitespace.only_first, whitespace.only_second) == (3, 0)
    assert (together.both, together.only_first, together.neither) == (5, 5, 2)
    assert together.mcnemar == 0.0625
    assert together.matches == 2
    assert together.difference == pytest.approx(5 / 12)
    # Two single matches are a family of tests; all together is one by itself.
    assert (brainfuck.tests, together.tests) == (2, 1)
    assert whitespace.mcnemar_corrected == 2 * whitespace.mcnemar == 0.5
    assert together.mcnemar_corrected == together.mcnemar


def test_series_without_a_match_are_not_compared(exports: dict[str, bytes]) -> None:
    assert report(exports, ["ant-1", "ant-2"]).compared is None
    assert report(exports, ["ant-1", "bee-open"]).compared is None


def test_the_language_tax_compares_with_the_familiar_language(everything: Report) -> None:
    taxes = {(one.solver, one.protocol): one for one in everything.taxes}
    assert {one.language for one in everything.taxes} == {"brainfuck"}
    # Whitespace, the familiar one here: ant solved all, bee half.
    assert taxes["bee", "primary"].tax == pytest.approx(2 / 6 - 3 / 6)
    assert taxes["bee", "primary"].familiar == ("whitespace",)
    assert taxes["ant", "primary"].share == pytest.approx((4 + 3 + 5) / 18)
    assert taxes["ant", "primary"].tax == pytest.approx(12 / 18 - 1)
    # Whitespace was not played under direct; it was under one other protocol alone.
    assert taxes["ant", "direct"].tax == pytest.approx(2 / 6 - 1)
    assert [one.familiar_protocol for one in everything.taxes] == ["primary"] * 3


def in_language(session: PlayedSession, language: str, protocol: str = "primary") -> PlayedSession:
    return replace(
        session,
        session=f"{session.session}-{language}",
        language=language,
        rules=PROTOCOLS[protocol],
    )


def test_the_language_tax_compares_the_means_of_several_languages(
    exports: dict[str, bytes],
) -> None:
    four, three, two = (read_session(one, exports[one]) for one in ("ant-1", "bee-ws", "bee-1"))
    sessions = [
        replace(in_language(session, language), solver="ant")
        for session, language in (
            *((four, "brainfuck"), (two, "unlambda")),
            *((three, "python"), (replace(four, problem_records=all_solved(four)), "rust")),
        )
    ]
    found = make_report(sessions, (), {}, Usage(), ReportOptions(familiar=("python", "rust")))
    brainfuck, unlambda, together = found.taxes
    # Python 3 of 6 and Rust all: on the average 4.5; Brainfuck 4, Unlambda 2.
    assert brainfuck.familiar == unlambda.familiar == together.familiar == ("python", "rust")
    assert (brainfuck.language, unlambda.language, together.language) == (
        *("brainfuck", "unlambda", None),
    )
    assert together.languages == ("brainfuck", "unlambda")
    shares = [(one.share, one.familiar_share, one.tax) for one in found.taxes]
    assert shares == [
        pytest.approx((4 / 6, 4.5 / 6, -0.5 / 6)),
        pytest.approx((2 / 6, 4.5 / 6, -2.5 / 6)),
        pytest.approx((3 / 6, 4.5 / 6, -1.5 / 6)),
    ]
    assert {language: one.tax for language, one in brainfuck.each.items()} == pytest.approx(
        {"python": 1 / 6, "rust": -2 / 6}
    )
    assert {language: one.tax for language, one in together.each.items()} == pytest.approx(
        {"python": 0, "rust": -3 / 6}
    )
    # By problem E1 E2 E3 H1 H2 H3: brainfuck 1 1 0 1 1 0, unlambda 1 0 0 1 0 0, python 1 1 1 0 0 0.
    lost = [1 - 1, 0.5 - 1, 0 - 1, 1 - 0.5, 0.5 - 0.5, 0 - 0.5]
    assert together.interval == bootstrap_mean(lost)


def all_solved(session: PlayedSession) -> dict[str, ProblemRecord]:
    solve = session.problem_records["E1"].solve
    return {
        id: play._replace(status="solved", solve=solve)
        for id, play in session.problem_records.items()
    }


def test_no_tax_where_familiar_languages_were_played_under_several_other_protocols(
    exports: dict[str, bytes],
) -> None:
    here = read_session("here", exports["ant-direct"])
    there = read_session("there", exports["ant-ws"])
    for protocols, expected in (
        (["primary"], ["primary"]),
        (["primary", "controlled"], []),
        (["primary", "direct"], ["direct"]),
    ):
        others = [in_language(there, "python", protocol) for protocol in protocols]
        others = [replace(one, session=str(at)) for at, one in enumerate(others)]
        options = ReportOptions(familiar=("python",))
        found = make_report([here, *others], (), {}, Usage(), options)
        assert [one.familiar_protocol for one in found.taxes] == expected
        text = as_text(write_report(found))
        assert "Familiar languages: python." in text
        assert ("Left out of the language tax" in text) == (not expected)


def test_sessions_with_different_rules_are_separate_series(exports: dict[str, bytes]) -> None:
    text = exports["ant-2"]
    first, second = read_session("one", exports["ant-1"]), read_session("two", text)
    changed = replace(second, rules=replace(second.rules, submissions=5))
    assert [one.protocol for one in group_sessions([first, changed])] == ["primary", "primary (2)"]
    edition = replace(second, pack_version="2")
    assert [one.protocol for one in group_sessions([first, edition])] == [
        *("primary on six 1", "primary on six 2")
    ]
    fewer = replace(second, problems=second.problems[:2])
    assert [one.protocol for one in group_sessions([first, fewer])] == [
        *("primary, 2 problems", "primary, 6 problems")
    ]
    others = [
        replace(second, session=str(at), problems=second.problems[at : at + 2]) for at in (0, 1)
    ]
    assert [one.protocol for one in group_sessions([first, *others])] == [
        *("primary, 2 problems", "primary, 2 problems (2)", "primary, 6 problems")
    ]
    assert choose_axis(group_sessions([first, changed])) == "protocol"
    for other in (edition, fewer):
        assert choose_axis(group_sessions([first, other])) is None
    assert compare(group_sessions([first, edition]), "protocol").comparisons == ()
    reworded = replace(second, rules=replace(second.rules, purpose="in other words"))
    (both,) = group_sessions([first, reworded])
    assert both.headline is first
