"""Recompute the figures that only sessions have, for ``recompute.py``, from events of exports.

It imports nothing of esoplay.  ``check_sessions`` covers solved problems, submissions, local runs,
tokens, failures, generators and ablations.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

ERRORS = {
    "parse_error": "compile",
    "fault": "runtime",
    "step_limit": "limit",
    "output_limit": "limit",
    "memory_limit": "limit",
    "work_limit": "limit",
    "time_limit": "limit",
    "wrong_answer": "wrong answer",
}
KEYS = ["solver", "language", "protocol"]


def check_sessions(
    check: Any,
    told: dict[str, Any],
    sessions: list[dict[str, Any]],
    usage: pd.DataFrame,
    about: Any,
) -> None:
    """Check all series, of which each session is complete; ``about``: the problems of the pack."""
    series: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for data in sorted(sessions, key=lambda data: data["events"][0]["time_ms"]):
        name = (data["solver"], data["language"], data["protocol"]["id"])
        series.setdefault(name, []).append(data)
    for member in ("series", "effort", "metaprogramming"):
        names = {tuple(one[key] for key in KEYS): one for one in told[member]}
        check.same(f"{member} names", sorted(names), sorted(series))
        for name, one in names.items():
            where = " ".join(name)
            if member == "series":
                _check_series(check, where, one, series[name], about)
            elif member == "effort":
                _check_effort(check, where, one, series[name][0], usage)
            else:
                _check_generators(check, where, one, series[name][0])
    _check_ablations(check, told["ablations"], series)


def _graded(data: dict[str, Any]) -> pd.DataFrame:
    """Return the graded submissions, each with its reservation and what was before it."""
    rows: list[dict[str, Any]] = []
    reserved: dict[tuple[str, int], dict[str, Any]] = {}
    runs: Counter[str] = Counter()
    submissions: Counter[str] = Counter()
    for event in data["events"]:
        body = event["body"]
        if event["kind"] == "program_run":
            runs[body["problem"]] += 1
        elif event["kind"] == "submission_reserved":
            reserved[body["problem"], body["number"]] = body
        elif event["kind"] == "submission_graded":
            submissions[body["problem"]] += 1
            own = reserved[body["problem"], body["number"]]
            tests = json.loads(data["reports"].get(body["report"], '{"tests": []}'))["tests"]
            failed = [test["verdict"] for test in tests if test["verdict"] != "pass"]
            rows.append(
                {
                    "problem": body["problem"],
                    "number": submissions[body["problem"]],
                    "solved": body["status"] == "solved",
                    "failure": ERRORS.get(failed[0], "other") if failed else "",
                    "time_ms": event["time_ms"],
                    "own_runs": runs[body["problem"]],
                    "all_runs": sum(runs.values()),
                    "seen": own["workspace"]["seen"],
                    "generators": sorted(own["workspace"].get("generators") or {}),
                }
            )
    return pd.DataFrame(rows)


def _solved(data: dict[str, Any]) -> set[str]:
    graded = _graded(data)
    return set(graded[graded["solved"]]["problem"])


def _check_series(
    check: Any, where: str, one: dict[str, Any], runs: list[dict[str, Any]], about: Any
) -> None:
    problems = runs[0]["events"][0]["body"]["problems"]
    solved = [_solved(data) for data in runs]

    def rate(found: dict[str, Any], some: list[str]) -> None:
        count = len(solved[0] & set(some))
        low, high = proportion_confint(count, len(some), method="wilson")
        check.same(f"series_rate {where}", (found["solved"], found["total"]), (count, len(some)))
        check.same(f"series_rate {where}", found["share"], count / len(some))
        check.same(f"series_rate {where}", found["interval"]["low"], low)
        check.same(f"series_rate {where}", found["interval"]["high"], high)
        longer = max(count / len(some) - low, high - count / len(some))
        check.same(f"series_rate {where}", found["half_width"], longer)

    rate(one["rate"], problems)
    for kind, column in (("tiers", "tier"), ("categories", "category")):
        groups = pd.Series({name: about[name][column] for name in problems})
        check.same(f"series_{kind} {where}", sorted(one[kind]), sorted(groups.unique()))
        for name, found in one[kind].items():
            rate(found, list(groups[groups == name].index))
    counts = pd.Series([len(each) for each in solved])
    check.same(f"series_sessions {where}", one["sessions"], counts.tolist())
    check.same(f"series_across {where}", one["across"]["mean"], counts.mean())
    deviation = None if len(counts) == 1 else counts.std(ddof=1)
    check.same(f"series_across {where}", one["across"]["deviation"], deviation)


def _check_effort(
    check: Any, where: str, one: dict[str, Any], data: dict[str, Any], usage: pd.DataFrame
) -> None:
    graded = _graded(data)
    solves = graded[graded["solved"]]
    runs = [event["body"] for event in data["events"] if event["kind"] == "program_run"]
    check.same(f"effort_graded {where}", one["graded"], len(graded))
    check.same(f"effort_runs {where}", one["runs"], len(runs))
    for member, column in (("submissions_at_solve", "number"), ("runs_at_solve", "own_runs")):
        values, found = solves[column], one[member]
        check.same(f"effort_{member} {where}", found["size"], len(values))
        if len(values):
            check.same(f"effort_{member} {where}", found["mean"], values.mean())
            for name, level in (("quarter", 0.25), ("median", 0.5), ("three_quarters", 0.75)):
                check.same(f"effort_{member} {where}", found[name], values.quantile(level))
            check.same(f"effort_{member} {where}", found["greatest"], int(values.max()))
    expected = {str(n): int(k) for n, k in solves["number"].value_counts().items()}
    check.same(f"effort_submissions {where}", one["submissions"], expected)
    within = {str(n): int((solves["own_runs"] <= n).sum()) for n in solves["own_runs"].unique()}
    check.same(f"effort_within_runs {where}", one["within_runs"], within)
    failures = graded[~graded["solved"]]["failure"].value_counts().to_dict()
    found = {name: count for name, count in one["failures"].items() if count}
    check.same(f"effort_failures {where}", found, failures)
    endings = Counter(
        "ok" if run["status"] == "ok" else ERRORS.get(run["status"], "other") for run in runs
    )
    check.same(f"effort_run_endings {where}", one["run_endings"], dict(endings))
    _check_curve(check, f"effort_by_runs {where}", one["by_runs"], solves["all_runs"], len(runs))
    own = usage[usage["session"] == data["session"]] if len(usage) else usage
    kinds = {"by_input_tokens": ["input_tokens"], "by_output_tokens": ["output_tokens"]}
    kinds["by_tokens"] = ["input_tokens", "output_tokens"]
    for member, columns in kinds.items():
        if not len(own):
            check.same(f"effort_{member} {where}", one[member], None)
            continue
        spent = own[columns].sum(axis=1)
        used = [spent[own["time_ms"] <= time].sum() for time in solves["time_ms"]]
        _check_curve(check, f"effort_{member} {where}", one[member], used, spent.sum())
    for member in ("input_tokens", "output_tokens", "reasoning_tokens", "cost"):
        total = own[member].sum() if len(own) else None
        check.same(f"effort_{member} {where}", one[member], total)


def _check_curve(check: Any, where: str, found: Any, used: Any, in_all: Any) -> None:
    """Check a curve of solved problems against what was used, from zero to the end."""
    amounts = np.asarray(list(used))
    for point in found:
        check.same(where, point["solved"], int((amounts <= point["used"]).sum()))
    expected = {0, *map(int, amounts), int(in_all)}
    check.same(where, sorted(point["used"] for point in found), sorted(expected))


def _check_generators(check: Any, where: str, one: dict[str, Any], data: dict[str, Any]) -> None:
    graded = _graded(data)
    seen = graded[graded["seen"]]
    has = seen["generators"].map(bool)
    check.same(f"generators_seen {where}", one["seen"], len(seen))
    check.same(f"generators_unseen {where}", one["unseen"], len(graded) - len(seen))
    check.same(f"generators_with {where}", one["with_generator"], int(has.sum()))
    check.same(f"generators_solved {where}", one["solved"], int(seen["solved"].sum()))
    both = int((has & seen["solved"]).sum())
    check.same(f"generators_solved {where}", one["solved_with_generator"], both)
    languages = seen["generators"].explode().dropna().value_counts().to_dict()
    check.same(f"generators_languages {where}", one["languages"], languages)


def _check_ablations(
    check: Any, found: list[dict[str, Any]], series: dict[tuple[str, ...], list[dict[str, Any]]]
) -> None:
    def share(name: tuple[str, ...]) -> float:
        runs = series[name]
        total = len(runs[0]["events"][0]["body"]["problems"])
        return float(np.mean([len(_solved(data)) / total for data in runs]))

    for one in found:
        where = f"ablations {one['solver']} {one['protocol']} {one['language']}"
        names = [
            [(one["solver"], language, protocol) for language in one["languages"]]
            for protocol in (one["protocol"], one["baseline"])
        ]
        means = [float(np.mean([share(name) for name in side])) for side in names]
        check.same(where, one["mean"], means[0])
        check.same(where, one["baseline_mean"], means[1])
        check.same(where, one["difference"], means[0] - means[1])
        sessions = [sum(len(series[name]) for name in side) for side in names]
        check.same(where, [one["sessions"], one["baseline_sessions"]], sessions)
    pairs = [name for name in series if name[2] != "primary" and (*name[:2], "primary") in series]
    single = [one for one in found if one["language"] is not None]
    check.same("ablations count", len(single), len(pairs))
