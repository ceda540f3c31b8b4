"""Figures of sessions that were played by script, against what was counted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from report_sessions import CATALOGUE, DAY, PROBLEMS, play

from esoplay.errors import UsageError
from esoplay.grading.report import Verdict
from esoplay.reporting.comparison import Compared, Pair, choose_axis, compare
from esoplay.reporting.effort import Effort, Point
from esoplay.reporting.forms.text import as_text
from esoplay.reporting.metaprogramming import Metaprogramming
from esoplay.reporting.played import Play, Played, error_class
from esoplay.reporting.reading import Refused, inventory_of, read_session
from esoplay.reporting.report import Report, Wishes, make_report
from esoplay.reporting.series import Series, group
from esoplay.reporting.standing import Standing
from esoplay.reporting.statistics.intervals import wilson
from esoplay.reporting.statistics.summary import bootstrap_mean
from esoplay.reporting.usage import Usage, read_usage
from esoplay.reporting.writing.document import write_report
from esoplay.running.outcome import LIMITS
from esoplay.sessions.audit import audit
from esoplay.sessions.protocols import PROTOCOLS
from esoplay.sessions.store import GENESIS, body_text, chain


def report(
    exports: Mapping[str, bytes],
    names: Sequence[str] = (),
    wishes: Wishes | None = None,
    usage: Usage | None = None,
) -> Report:
    sessions = [read_session(name, exports[name]) for name in names or exports]
    return make_report(sessions, (), {"six": CATALOGUE}, usage or Usage(), wishes or Wishes())


@pytest.fixture(scope="module")
def everything(exports: dict[str, bytes]) -> Report:
    return report(exports, wishes=Wishes(familiar=("whitespace",)))


def standing(found: Report, *name: str) -> Standing:
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


def test_the_headline_is_no_other_session(exports: dict[str, bytes]) -> None:
    # Named the other way round: what counts is when they began.
    (ant,) = report(exports, ["ant-3", "ant-2"]).standings
    assert (ant.sessions, ant.rate.solved, ant.others) == ((3, 5), 3, (5, 5))


def test_solved_by_tier_and_category(everything: Report) -> None:
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


def test_pooled_means(exports: dict[str, bytes]) -> None:
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
    found = report(exports, names, wishes=Wishes(familiar=("whitespace",))).pooled
    assert [(one.of, one.name) for one in found] == [
        *(("language", "brainfuck"), ("language", "whitespace"))
    ]
    # Where nothing else was played, the mean is of the familiar ones.
    known = Wishes(familiar=("brainfuck", "whitespace"))
    assert [one.of for one in report(exports, names, wishes=known).pooled] == [
        *("solver", "solver", "language", "language")
    ]


def test_what_solving_took(everything: Report) -> None:
    ant = effort(everything, "ant", "brainfuck", "primary")
    assert ant.submissions == {1: 2, 2: 1, 3: 1}
    assert (ant.submissions_at_solve.mean, ant.submissions_at_solve.median) == (7 / 4, 1.5)
    assert (ant.runs_at_solve.mean, ant.runs_at_solve.greatest) == (3 / 4, 2)
    assert (ant.runs, ant.graded) == (3, 13)
    assert ant.by_runs == (Point(0, 0), Point(1, 1), Point(3, 4))
    assert ant.by_tokens is None


def test_how_submissions_and_runs_failed(everything: Report) -> None:
    ant = effort(everything, "ant", "brainfuck", "primary")
    assert ant.run_endings == {"ok": 2, "runtime": 1}
    failed = {"compile": 3, "runtime": 1, "limit": 1, "wrong answer": 4, "rule": 0, "other": 0}
    assert ant.failures == failed
    cut = effort(everything, "bee", "unlambda", "primary")
    assert cut.failures is not None
    assert sum(cut.failures.values()) == 0


def test_problems_that_are_left_and_taken_up_again(tmp_path: Path) -> None:
    moves = {"E1": "r-", "E2": "S", "E3": "w-", "H1": "-", "H2": "-", "H3": "www"}
    again = {"E3": "rrS"}
    export = play(tmp_path, moves, protocol="relaxed", again=again, close=True)
    session = read_session("it", export)
    assert session.partial is None  # what is skipped for good is an answer
    assert {name: play.status for name, play in session.plays.items()} == {
        **dict.fromkeys(("E1", "H1", "H2"), "skipped"),
        **dict.fromkeys(("E2", "E3"), "solved"),
        "H3": "failed",
    }
    solve = session.plays["E3"].solve
    assert solve is not None
    assert (solve.submission, solve.runs, solve.all_runs, solve.all_submissions) == (2, 2, 3, 6)
    assert [one.problem for one in session.solves] == ["E2", "E3"]


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


def test_tokens_until_each_solve(exports: dict[str, bytes]) -> None:
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
    assert (found.tokens, found.cost) == (1125, 1.5)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{", "no JSON"),
        (b"[]", "session: expected"),
        (b'{"session": "a"}', "time_ms: expected a whole number"),
        (b'{"session": "a", "time_ms": 1, "input_tokens": -1}', "input_tokens"),
        (b'{"session":"a","time_ms":1,"input_tokens":1,"output_tokens":1.5}', "output_tokens"),
        (b'{"session":"a","time_ms":1,"input_tokens":1,"output_tokens":1,"cost":NaN}', "cost"),
    ],
)
def test_a_line_on_tokens_that_is_none_is_named(line: bytes, complaint: str) -> None:
    with pytest.raises(UsageError, match=f"tokens, line 3: .*{complaint}"):
        read_usage({"tokens": b"\n\n" + line})


def test_what_lay_in_the_workspace(everything: Report) -> None:
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
    )
    assert found == expected


def pair(compared: Compared, match: str | None = None) -> Pair:
    (comparison,) = compared.comparisons
    return next(one for one in comparison.pairs if one.match == match)


def series(exports: Mapping[str, bytes], *names: str) -> list[Series]:
    return group([read_session(name, exports[name]) for name in names])


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


def test_series_that_are_alike_are_not_compared(exports: dict[str, bytes]) -> None:
    assert report(exports, ["ant-1", "ant-2"]).compared is None
    assert report(exports, ["ant-1", "bee-open"]).compared is None


def test_the_language_tax(everything: Report) -> None:
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


def in_language(session: Played, language: str, protocol: str = "primary") -> Played:
    return replace(
        session,
        session=f"{session.session}-{language}",
        language=language,
        rules=PROTOCOLS[protocol],
    )


def test_the_language_tax_of_several_languages_against_several(exports: dict[str, bytes]) -> None:
    four, three, two = (read_session(one, exports[one]) for one in ("ant-1", "bee-ws", "bee-1"))
    sessions = [
        replace(in_language(session, language), solver="ant")
        for session, language in (
            *((four, "brainfuck"), (two, "unlambda")),
            *((three, "python"), (replace(four, plays=all_solved(four)), "rust")),
        )
    ]
    found = make_report(sessions, (), {}, Usage(), Wishes(familiar=("python", "rust")))
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
    # By problem E1 E2 E3 H1 H2 H3: brainfuck 1 1 0 1 1 0, unlambda 1 0 0 1 0 0, python 1 1 1 0 0 0.
    lost = [1 - 1, 0.5 - 1, 0 - 1, 1 - 0.5, 0.5 - 0.5, 0 - 0.5]
    assert together.interval == bootstrap_mean(lost)


def all_solved(session: Played) -> dict[str, Play]:
    solve = session.plays["E1"].solve
    return {id: play._replace(status="solved", solve=solve) for id, play in session.plays.items()}


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
        wishes = Wishes(familiar=("python",))
        found = make_report([here, *others], (), {}, Usage(), wishes)
        assert [one.familiar_protocol for one in found.taxes] == expected
        text = as_text(write_report(found), folded=True)
        assert "Familiar here: python." in text
        assert ("Without a language tax" in text) == (not expected)


def test_series_of_other_rules_are_kept_apart(exports: dict[str, bytes]) -> None:
    text = exports["ant-2"]
    first, second = read_session("one", exports["ant-1"]), read_session("two", text)
    changed = replace(second, rules=replace(second.rules, submissions=5))
    assert [one.protocol for one in group([first, changed])] == ["primary", "primary (2)"]
    edition = replace(second, pack_version="2")
    assert [one.protocol for one in group([first, edition])] == [
        *("primary on six 1", "primary on six 2")
    ]
    fewer = replace(second, problems=second.problems[:2])
    assert [one.protocol for one in group([first, fewer])] == [
        *("primary, 2 problems", "primary, 6 problems")
    ]
    others = [
        replace(second, session=str(at), problems=second.problems[at : at + 2]) for at in (0, 1)
    ]
    assert [one.protocol for one in group([first, *others])] == [
        *("primary, 2 problems", "primary, 2 problems (2)", "primary, 6 problems")
    ]
    assert choose_axis(group([first, changed])) == "protocol"
    for other in (edition, fewer):
        assert choose_axis(group([first, other])) is None
    assert compare(group([first, edition]), "protocol").comparisons == ()
    reworded = replace(second, rules=replace(second.rules, purpose="in other words"))
    (both,) = group([first, reworded])
    assert both.headline is first


def test_an_altered_export_is_refused_by_name(exports: dict[str, bytes]) -> None:
    altered = exports["ant-1"].replace(b'"passed": 2', b'"passed": 6', 1)
    assert altered != exports["ant-1"]
    with pytest.raises(Refused, match=r"^mine\.json: the export does not verify: event 10, "):
        read_session("mine.json", altered)
    for text in (b"", b"[]", b"{}", b"\xff", b"[" * 100_000):
        with pytest.raises(Refused, match="does not verify"):
            read_session("it", text)


FILE = (
    '{"helpers": {"a": "E1"}, "files": '
    '[{"path": "a.c", "kind": "generator", "sha256": "a", "size": %s, "language": "%s"}]}'
)


def forged(export: bytes, changes: Mapping[str, object], **of_first: object) -> bytes:
    """The same with other fields in all events, or in the first one's body; the chain holds."""
    found = json.loads(export)
    found["events"][0]["body"].update(of_first)
    head = GENESIS
    for event in found["events"]:
        event.update(changes)
        body = body_text(event["body"])
        numbers = (event["seq"], event["time_ms"])
        event["head"] = head = chain(head, found["session"], *numbers, event["kind"], body)
    return json.dumps({**found, "head": head}).encode()


@pytest.mark.parametrize("time_ms", [-(10**30), 0, 10**30])
def test_a_log_at_no_time_there_is(exports: dict[str, bytes], time_ms: int) -> None:
    session = read_session("it", forged(exports["ant-1"], {"time_ms": time_ms}))
    found = make_report([session], (), {"six": CATALOGUE}, Usage(), Wishes())
    assert found.standings[0].rate.solved == 4
    assert "4/6" in as_text(write_report(found), folded=True)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("problems", ["E1", "E1"], "a problem twice"),
        ("pack", "a\x1b[2J", "no name that could be shown"),
        ("pack_version", "x" * 1000, "no name that could be shown"),
    ],
)
def test_a_log_that_no_session_has(
    exports: dict[str, bytes], field: str, value: object, complaint: str
) -> None:
    export = json.loads(exports["ant-1"])
    members = {"events": export["events"][:1], "programs": {}, "inputs": {}, "inventories": {}}
    packs = export["pack"]
    if field != "problems":
        packs["id" if field == "pack" else "version"] = value
    begun = {**export, **members, "reports": {}, "closed": False, "pack": packs}
    text = forged(json.dumps(begun).encode(), {}, **{field: value})
    assert audit(text).findings == []
    with pytest.raises(Refused, match=complaint):
        read_session("it", text)


def test_an_inventory_that_is_none_counts_as_not_seen(exports: dict[str, bytes]) -> None:
    assert inventory_of(None, "brainfuck") is None
    for text in (
        "",
        "[]",
        '{"files": [], "helpers": []}',
        FILE % ('"x"', "c"),
        FILE % ("1", "\\r"),
        FILE % ("-1", "c"),
        FILE % ("1e400", "c"),
    ):
        assert inventory_of(text.encode(), "brainfuck") is None
    listed = (FILE % ("1", "c")).encode()
    assert inventory_of(listed, "brainfuck") == ({"a": 1}, {"c"}, {"a": "E1"}, set())


def test_a_program_that_lies_there_with_its_source_map_is_told(tmp_path: Path) -> None:
    program = b"SE2".ljust(10)  # what is handed in for E2, and lies in the workspace
    files = {"E2": {"out.bf": program, "out.bf.map.json": b"{}"}, "H1": {"out.bf": b"another"}}
    export = play(tmp_path, dict.fromkeys(PROBLEMS, "S"), files=files)
    (found,) = report({"it": export}).metaprogramming
    assert (found.seen, found.with_map) == (6, 1)


def test_programs_of_a_host_lane_are_no_generators_of_themselves() -> None:
    # A session in Python; its program begins with #!, by which the inventory knows languages.
    listed = (FILE % ("1", "python")).encode()
    assert inventory_of(listed, "python") == ({}, set(), {"a": "E1"}, set())
    assert inventory_of(listed, "javascript") == ({"a": 1}, {"python"}, {"a": "E1"}, set())
