"""Recompute the figures that only sessions have, for ``recompute.py``, from events of exports.

It imports nothing of esoplay.  ``docs/reports.md`` has the definitions, and ``docs/sessions.md``
the format of exports.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from recompute_comparison import DifferenceInterval, Interval
from recompute_conditions import ERRORS, summary, wilson
from recompute_workspaces import metaprogramming, overlap

PROTOCOLS = [
    *("primary", "controlled", "budget-3", "budget-5", "budget-15", "budget-30", "budget-inf"),
    *("direct", "host-python", "host-javascript", "host-rust", "library", "text", "relaxed"),
    "practice",
]
"""The order of the table of protocols in ``docs/sessions.md``."""
CLASSES = ("compile", "runtime", "limit", "wrong answer", "rule", "other")


class Session:
    """The export of a session, with tables of its runs and of its graded submissions."""

    def __init__(self, file: str, data: dict[str, Any], usage: pd.DataFrame):
        self.file = file
        self.data = data
        self.events: list[dict[str, Any]] = data["events"]
        self.started: dict[str, Any] = self.events[0]["body"]
        self.problems: list[str] = self.started["problems"]
        self.protocol: dict[str, Any] = self.started["protocol"]
        own = usage[usage["session"] == data["session"]] if len(usage) else usage
        self.usage = own.sort_values("time_ms", kind="stable") if len(own) else own

    @property
    def name(self) -> tuple[str, str, str]:
        return self.started["solver"], self.started["language"], self.protocol["id"]

    @cached_property
    def runs(self) -> pd.DataFrame:
        bodies = [event["body"] for event in self.events if event["kind"] == "program_run"]
        return pd.DataFrame(bodies, columns=["problem", "status"])

    @cached_property
    def graded(self) -> pd.DataFrame:
        """The graded submissions, with their reservation and what was before them."""
        rows: list[dict[str, Any]] = []
        reserved: dict[str, Any] = {}
        runs: list[str] = []
        for event in self.events:
            body = event["body"]
            if event["kind"] == "program_run":
                runs.append(body["problem"])
            elif event["kind"] == "submission_reserved":
                reserved = body
            elif event["kind"] == "submission_graded":
                problem = body["problem"]
                before = sum(row["problem"] == problem for row in rows)
                rows.append(
                    {
                        "problem": problem,
                        "number": before + 1,
                        "solved": body["status"] == "solved",
                        "status": body["status"],
                        "failure": self._failure(body),
                        "time_ms": event["time_ms"],
                        "own_runs": runs.count(problem),
                        "all_runs": len(runs),
                        "all_submissions": len(rows) + 1,
                        "program": reserved["program"],
                        "inventory": reserved["inventory"],
                        "seen": reserved["workspace"]["seen"],
                    }
                )
        names = "problem number solved status failure time_ms own_runs all_runs all_submissions"
        return pd.DataFrame(rows, columns=[*names.split(), "program", "inventory", "seen"])

    def _failure(self, body: dict[str, Any]) -> str:
        if body["status"] == "solved":
            return ""
        if body["passed"] == body["total"]:
            return "rule"
        if body["report"] not in self.data["reports"]:
            return "sealed"
        tests = json.loads(self.data["reports"][body["report"]])["tests"]
        return next(test["verdict"] for test in tests if test["verdict"] != "pass")

    @cached_property
    def solves(self) -> pd.DataFrame:
        return self.graded[self.graded["solved"]]

    @cached_property
    def status(self) -> dict[str, str]:
        """The last status of each problem."""
        found = dict.fromkeys(self.problems, "pending")
        for event in self.events:
            body = event["body"]
            if event["kind"] == "problem_fetched" and found[body["problem"]] == "pending":
                found[body["problem"]] = "active"
            elif event["kind"] == "problem_skipped":
                found[body["problem"]] = "skipped"
            elif event["kind"] == "submission_graded":
                found[body["problem"]] = body["status"]
        return found

    @cached_property
    def partial(self) -> str | None:
        left = sum(status in ("pending", "active") for status in self.status.values())
        if not self.data["closed"]:
            return "not closed"
        return f"ended with {left} of {len(self.problems)} problems left" if left else None

    @property
    def solved(self) -> set[str]:
        return set(self.solves["problem"])

    def trials(self, about: dict[str, Any]) -> pd.DataFrame:
        """Return a row for each problem, as of a run of an evaluation."""
        rows: list[dict[str, Any]] = []
        seconds = self._seconds()
        for problem in self.problems:
            own = self.graded[self.graded["problem"] == problem]
            solved = bool(own["solved"].any())
            rows.append(
                {
                    "item": problem,
                    "tier": about[problem]["tier"],
                    "solved": solved,
                    "verdict": "no_program" if own.empty else own["failure"].iloc[-1],
                    "attempts": len(own),
                    "seconds": seconds.get(problem, 0.0),
                }
            )
        frame = pd.DataFrame(rows)
        solver, language, protocol = self.name
        frame["model"], frame["language"] = solver, language
        frame["regime"] = "agent session" + ("" if protocol == "primary" else f", {protocol}")
        # Only means over the trials of a session are reported, so each has an equal part.
        for column in ("input", "output", "reasoning"):
            total = self.usage[f"{column}_tokens"].sum() if len(self.usage) else float("nan")
            frame[f"tokens.{column}"] = total / len(frame)
        frame["cost"] = self.usage["cost"].sum() / len(frame) if len(self.usage) else float("nan")
        return frame.assign(session=True)

    def _seconds(self) -> Counter[str]:
        """Return the seconds from each fetch of a problem to its end, summed by problem."""
        found: Counter[str] = Counter()
        since: dict[str, int] = {}
        for event in self.events:
            body = event["body"]
            if event["kind"] == "problem_fetched":
                since.setdefault(body["problem"], event["time_ms"])
            elif event["kind"] == "problem_skipped" or (
                event["kind"] == "submission_graded" and body["status"] != "active"
            ):
                began = since.pop(body["problem"], event["time_ms"])
                found[body["problem"]] += (event["time_ms"] - began) / 1000
        return found

    def as_row(self) -> dict[str, Any]:
        protocol = self.protocol
        blind = protocol["runs"] == 0 and not protocol["debug"]
        profile = "blind" if blind else "interpreter-only"
        return {
            "file": self.file,
            "session": self.data["session"],
            "solver": self.started["solver"],
            "language": self.started["language"],
            "dialect": protocol["dialect"],
            "protocol": protocol["id"],
            "tools": "full-access" if protocol["shell"] else profile,
            "compare": protocol.get("compare", "exact"),
            "time_limit": self.started["limits"]["time"],
            "pack": {"id": self.started["pack"], "version": self.started["pack_version"]},
            "began_ms": self.events[0]["time_ms"],
            "ended_ms": self.events[-1]["time_ms"],
            "events": len(self.events),
            "head": self.events[-1]["head"],
            "closed": self.data["closed"],
            "partial": self.partial,
            "visible_processes": next(
                (
                    event["body"]["reason"]
                    for event in self.events
                    if event["kind"] == "visible_processes_accepted"
                ),
                None,
            ),
            "solved": self.solves["problem"].tolist(),
            "problems": {problem: self._problem(problem) for problem in self.problems},
        }

    def _problem(self, problem: str) -> dict[str, Any]:
        own = self.solves[self.solves["problem"] == problem]
        solve = None
        if len(own):
            row = own.iloc[0]
            solve = {
                "problem": problem,
                "submission": int(row["number"]),
                "runs": int(row["own_runs"]),
                "all_runs": int(row["all_runs"]),
                "all_submissions": int(row["all_submissions"]),
                "elapsed_ms": int(row["time_ms"]) - self.events[0]["time_ms"],
                "time_ms": int(row["time_ms"]),
            }
        return {
            "status": self.status[problem],
            "submissions": int((self.graded["problem"] == problem).sum()),
            "runs": int((self.runs["problem"] == problem).sum()),
            "solve": solve,
        }


class Series:
    """The sessions of one solver, language and protocol, in order of time."""

    def __init__(self, sessions: list[Session]):
        self.sessions = sorted(sessions, key=lambda one: one.events[0]["time_ms"])
        self.complete = [one for one in self.sessions if one.partial is None]
        # The headline; for a partial series the session with the most solved problems.
        self.shown = [
            *self.complete,
            *sorted(self.sessions, key=lambda one: -len(one.solved)),
        ][0]
        self.name = self.shown.name
        self.problems = self.shown.problems

    @property
    def names(self) -> dict[str, str]:
        return dict(zip(("solver", "language", "protocol"), self.name, strict=True))

    def shares(self) -> list[float]:
        """Return the share that each complete session solved."""
        return [len(one.solved) / len(self.problems) for one in self.complete]

    def shares_by_problem(self) -> list[float]:
        """Return the share of complete sessions that solved each problem."""
        return [
            float(np.mean([problem in one.solved for one in self.complete]))
            for problem in self.problems
        ]


def group(sessions: list[Session], order: Callable[[tuple[str, str, str]], Any]) -> list[Series]:
    """Return all series; order: the sort key of solver, language and protocol."""
    found: dict[tuple[str, str, str], list[Session]] = {}
    for one in sessions:
        found.setdefault(one.name, []).append(one)
    return [Series(found[name]) for name in sorted(found, key=order)]


def session_figures(
    series: list[Series],
    about: dict[str, Any],
    size: int | None,
    references: dict[tuple[str, str], bytes],
) -> dict[str, Any]:
    """Return the members of a report that only sessions have."""
    return {
        "sessions": [session.as_row() for one in series for session in one.sessions],
        "series": [_standing(one, about) for one in series],
        "effort": [{**one.names, **_effort(one.shown)} for one in series],
        "metaprogramming": [{**one.names, **metaprogramming(one.shown)} for one in series],
        "ablations": _ablations(series),
        "budgets": _budgets(series),
        **(
            {
                "overlap": [
                    {**one.names, **overlap(one.shown, references, size)}
                    for one in series
                    if any(language == one.name[1] for language, _ in references)
                ]
            }
            if size
            else {}
        ),
    }


def _standing(one: Series, about: dict[str, Any]) -> dict[str, Any]:
    counts = pd.Series([len(session.solved) for session in one.complete], dtype=float)
    tiers, categories = (
        {
            name: _rate(one.shown, [each for each in one.problems if about[each][column] == name])
            for name in dict.fromkeys(about[each][column] for each in one.problems)
        }
        for column in ("tier", "category")
    )
    return {
        **one.names,
        "pack": f"{one.shown.started['pack']} {one.shown.started['pack_version']}",
        "rate": _rate(one.shown, one.problems),
        "partial": None if one.complete else one.shown.partial,
        "sessions": counts.tolist(),
        "others": [counts[1:].min(), counts[1:].max()] if len(counts) > 1 else None,
        "across": summary(counts) if len(counts) else None,
        "left_out": {
            session.file: session.partial
            for session in one.sessions
            if session.partial and one.complete
        },
        "tiers": tiers,
        "categories": categories,
    }


def _rate(session: Session, problems: list[str]) -> dict[str, Any]:
    solved, total = len(session.solved & set(problems)), len(problems)
    interval, share = wilson(solved, total), solved / total
    longer = max(share - interval["low"], interval["high"] - share)
    counts = {"solved": solved, "total": total, "share": share}
    return {**counts, "interval": interval, "half_width": longer}


def _effort(one: Session) -> dict[str, Any]:
    solves = one.solves
    failures = one.graded[~one.graded["solved"]]["failure"].map(
        lambda verdict: ERRORS.get(verdict, "other")
    )
    endings = one.runs["status"].map(
        lambda status: "ok" if status == "ok" else ERRORS.get(status, "other")
    )
    numbers = solves["number"].value_counts()
    return {
        "submissions": {n: int(k) for n, k in numbers.items()},
        "submissions_at_solve": _distribution(solves["number"]),
        "runs_at_solve": _distribution(solves["own_runs"]),
        "runs": len(one.runs),
        "graded": len(one.graded),
        "by_runs": _curve(solves["all_runs"], len(one.runs)),
        "within_runs": {
            int(n): int((solves["own_runs"] <= n).sum()) for n in solves["own_runs"].unique()
        },
        "run_endings": endings.value_counts().to_dict(),
        "failures": dict.fromkeys(CLASSES, 0) | failures.value_counts().to_dict()
        if one.data["closed"]
        else None,
        **_tokens(one),
    }


def _tokens(one: Session) -> dict[str, Any]:
    """Return the tokens, and the problems solved by them: of all answers up to a verdict."""
    input_, output = "input_tokens", "output_tokens"
    kinds = {"tokens": [input_, output], input_: [input_], output: [output]}
    own = one.usage
    if not len(own):
        names = [name for kind in kinds for name in (kind, f"by_{kind}")]
        return dict.fromkeys([*names, "reasoning_tokens", "cost"])
    found: dict[str, Any] = {name: own[name].sum() for name in ("reasoning_tokens", "cost")}
    for kind, columns in kinds.items():
        spent = own[columns].sum(axis=1)
        used = [spent[own["time_ms"] <= time].sum() for time in one.solves["time_ms"]]
        found |= {kind: int(spent.sum()), f"by_{kind}": _curve(used, int(spent.sum()))}
    return found


def _distribution(values: pd.Series) -> dict[str, Any]:
    if not len(values):
        names = ("mean", "median", "quarter", "three_quarters", "greatest")
        return {"size": 0, **dict.fromkeys(names)}
    levels = {"quarter": 0.25, "median": 0.5, "three_quarters": 0.75}
    return {
        "size": len(values),
        "mean": values.mean(),
        **{name: values.quantile(level) for name, level in levels.items()},
        "greatest": int(values.max()),
    }


def _curve(used: Any, in_all: int) -> list[dict[str, int]]:
    """Return the number of solved problems at each amount used, from zero to the end."""
    amounts = np.array([int(each) for each in used], dtype=int)
    return [
        {"used": int(at), "solved": int((amounts <= at).sum())}
        for at in sorted({0, in_all, *amounts.tolist()})
    ]


def _ablations(series: list[Series]) -> list[dict[str, Any]]:
    """Return the protocols against ``primary``, of all series that have complete sessions."""
    complete = {one.name: one for one in series if one.complete}
    pairs: dict[tuple[str, str], list[tuple[Series, Series]]] = {}
    for (solver, language, protocol), one in complete.items():
        base = complete.get((solver, language, "primary"))
        if protocol != "primary" and base is not None:
            pairs.setdefault((solver, protocol), []).append((one, base))
    found: list[dict[str, Any]] = []
    for several in pairs.values():
        singles = [[pair] for pair in several]
        found += map(_ablation, singles + ([several] if len(several) > 1 else []))
    return found


def _ablation(pairs: list[tuple[Series, Series]]) -> dict[str, Any]:
    shares = [(one.shares(), base.shares()) for one, base in pairs]
    means = [float(np.mean([np.mean(pair[side]) for pair in shares])) for side in (0, 1)]
    solver, language, protocol = pairs[0][0].name
    several = all(len(side) > 1 for pair in shares for side in pair)
    return {
        "solver": solver,
        "language": language if len(pairs) == 1 else None,
        "languages": [one.name[1] for one, _ in pairs],
        "protocol": protocol,
        "baseline": "primary",
        "sessions": sum(len(pair[0]) for pair in shares),
        "baseline_sessions": sum(len(pair[1]) for pair in shares),
        "mean": means[0],
        "baseline_mean": means[1],
        "difference": means[0] - means[1],
        "interval": DifferenceInterval(shares) if several else None,
    }


def _budgets(series: list[Series]) -> list[dict[str, Any]]:
    """Return the series whose protocols differ only in ``runs``, the least budget first."""
    groups: dict[str, dict[int | None, Series]] = {}
    for one in series:
        if one.complete:
            protocol = {**one.shown.protocol, "id": "", "purpose": "", "base": None}
            runs = protocol.pop("runs")
            terms = [*one.name[:2], protocol, one.shown.started["limits"], one.problems]
            groups.setdefault(json.dumps(terms), {}).setdefault(runs, one)
    return [
        {
            **one.names,
            "runs": runs,
            "sessions": len(one.complete),
            "share": float(np.mean(one.shares_by_problem())),
            "interval": Interval(one.shares_by_problem()),
        }
        for budgets in groups.values()
        if len(budgets) > 1
        for runs, one in sorted(budgets.items(), key=lambda pair: (pair[0] is None, pair[0]))
    ]
