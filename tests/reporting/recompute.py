"""Recompute the figures of a report on evaluations with pandas, scipy and statsmodels::

    python tests/reporting/recompute.py REPORT.json PROBLEMS EXTERNAL.toml FILES…

REPORT.json is what ``esoplay report FILES… --external EXTERNAL.toml --json`` prints, PROBLEMS the
folder of the pack.  FILES are results of evaluations, exports of sessions, and, ending in
``.jsonl``, files of ``--usage``.  It imports nothing of esoplay.  Only the bootstrap draws other
samples: an end of an interval may be a quantile of theirs that is off by ``LEVEL``.  The exit
status is 1 if any figure differs.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recompute_sessions import check_sessions
from scipy import stats
from scipy.special import comb
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.015  # four standard errors of the share of 2,000 samples that are below an end
ESOTERIC = ("brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare")
ERRORS = {
    "no_program": "no program",
    "no_answer": "no program",
    "parse_error": "compile",
    "fault": "runtime",
    "step_limit": "limit",
    "output_limit": "limit",
    "memory_limit": "limit",
    "work_limit": "limit",
    "time_limit": "limit",
    "wrong_answer": "wrong answer",
}
KEYS = ["model", "language", "regime"]


class Check:
    """Compares figures, and counts them."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.wrong: list[str] = []

    def same(self, where: str, found: Any, expected: Any, loose: float = 1e-9) -> None:
        self.compared[where.partition(" ")[0]] += 1
        if isinstance(expected, (int, float, np.number)) and isinstance(found, (int, float)):
            equal = math.isclose(found, expected, rel_tol=loose, abs_tol=loose)
        else:
            equal = found == expected
        if not equal:
            self.wrong.append(f"{where}: the report has {found!r}, recomputed {expected!r}")

    def interval(self, where: str, found: dict[str, float], values: pd.Series) -> None:
        """Check a 95 % interval of the mean by percentile bootstrap, by 20,000 other samples."""
        draws = np.random.default_rng(7).choice(values.to_numpy(), (20_000, len(values)))
        means = draws.mean(axis=1)
        for end, level in (("low", 0.025), ("high", 0.975)):
            self.compared[where.partition(" ")[0]] += 1
            below = np.mean(means < found[end] - 1e-9)
            up_to = np.mean(means <= found[end] + 1e-9)
            if not below - LEVEL <= level <= up_to + LEVEL:
                self.wrong.append(
                    f"{where}: {end} is {found[end]!r} in the report, and of other samples "
                    f"{below:.1%} are below it and {up_to:.1%} up to it"
                )


def usage_of(files: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            json.loads(line)
            for file in files
            if file.endswith(".jsonl")
            for line in Path(file).read_text("utf-8").splitlines()
        ]
    )


def read(
    files: list[str], tiers: dict[str, str], usage: pd.DataFrame
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Return all trials, and the exports of sessions."""
    frames: list[pd.DataFrame] = []
    sessions: list[dict[str, Any]] = []
    for file in (file for file in files if not file.endswith(".jsonl")):
        data = json.loads(Path(file).read_text("utf-8"))
        if data["format"] == "esoplay-session":
            sessions.append(data)
            continue
        frame = pd.json_normalize(data["trials"])
        frames.append(frame[frame["task"] == "solve"].assign(model=data["terms"]["model"]))
    sessions.sort(key=lambda data: data["events"][0]["time_ms"])
    runs: Counter[tuple[str, ...]] = Counter()
    for data in sessions:
        protocol = data["protocol"]["id"]
        regime = "agent session" + ("" if protocol == "primary" else f", {protocol}")
        frame = pd.DataFrame(session_rows(data, tiers))
        if frame.empty:
            continue
        name = (data["solver"], data["language"], regime)
        runs[name] += 1
        own = usage[usage["session"] == data["session"]] if len(usage) else usage
        for column, told in (
            ("tokens.input", "input_tokens"),
            ("tokens.output", "output_tokens"),
            ("tokens.reasoning", "reasoning_tokens"),
            ("cost", "cost"),
        ):
            frame[column] = own[told].sum() / len(frame) if len(own) else float("nan")
        columns = dict(zip(KEYS, name, strict=True))
        frames.append(frame.assign(run=runs[name], **columns))
    trials = pd.concat(frames, ignore_index=True)
    trials["solved"] = trials["solved"].astype(float)
    return trials, sessions


def session_rows(data: dict[str, Any], tiers: dict[str, str]) -> list[dict[str, Any]]:
    """The problems of a session from its events; none of a session that is partial."""
    rows: dict[str, dict[str, Any]] = {}
    since: dict[str, int] = {}
    for event in data["events"]:
        body, now = event["body"], event["time_ms"]
        problem = body.get("problem")
        if event["kind"] == "session_started":
            for name in body["problems"]:
                rows[name] = {"item": name, "tier": tiers[name], "solved": False}
                rows[name] |= {"verdict": "no_program", "attempts": 0, "seconds": 0.0, "end": False}
        elif event["kind"] == "problem_fetched":
            since.setdefault(problem, now)
        elif event["kind"] == "submission_graded":
            row = rows[problem]
            row["attempts"] += 1
            row["solved"] = body["status"] == "solved"
            tests = json.loads(data["reports"].get(body["report"], '{"tests": []}'))["tests"]
            failed = [test["verdict"] for test in tests if test["verdict"] != "pass"]
            row["verdict"] = "pass" if row["solved"] else failed[0] if failed else "other"
            if body["status"] != "active":
                row["end"] = True
                row["seconds"] += (now - since.pop(problem)) / 1000
    return list(rows.values()) if all(row["end"] for row in rows.values()) else []


def known(value: float) -> float | None:
    """A mean as in reports: None if nothing is known."""
    return None if math.isnan(value) else value


def check_conditions(check: Check, told: dict[str, Any], trials: pd.DataFrame) -> None:
    groups = dict(list(trials.groupby(KEYS)))
    check.same("conditions count", len(told["conditions"]), len(groups))
    for one in told["conditions"]:
        name = tuple(one[key] for key in KEYS)
        some, where = groups[name], " ".join(name)
        solved = some[some["solved"] == 1]
        check.same(f"problems {where}", one["problems"], some["item"].nunique())
        check.same(f"solved {where}", one["solved"], len(solved))
        check.same(f"total {where}", one["total"], len(some))
        check.same(f"share {where}", one["share"], some["solved"].mean())
        low, high = proportion_confint(len(solved), len(some), method="wilson")
        check.same(f"wilson {where}", one["interval"]["low"], low)
        check.same(f"wilson {where}", one["interval"]["high"], high)
        by_problem = some.groupby("item")["solved"].mean()
        check.interval(f"bootstrap {where}", one["bootstrap"], by_problem)
        runs = some.groupby("run")["solved"].mean()
        check.same(f"runs {where}", one["over_runs"]["mean"], runs.mean())
        deviation = None if len(runs) == 1 else runs.std(ddof=1)
        check.same(f"runs {where}", one["over_runs"]["deviation"], deviation)
        for kind, column in (("tiers", "tier"), ("categories", "category")):
            counts = some.groupby(column)["solved"].agg(["sum", "count"])
            expected = {str(key): [int(a), int(b)] for key, (a, b) in counts.iterrows()}
            check.same(f"{kind} {where}", one[kind], expected)
        failed = some[some["solved"] == 0]["verdict"].map(lambda word: ERRORS.get(word, "other"))
        expected = failed.value_counts().to_dict()
        check.same(f"errors {where}", {k: n for k, n in one["errors"].items() if n}, expected)
        expected = {str(key): int(n) for key, n in solved["attempts"].value_counts().items()}
        check.same(f"at_attempt {where}", one["at_attempt"], expected)
        first = (solved["attempts"] == 1).sum() / len(some)
        check.same(f"first_attempt {where}", one["first_attempt"], first)
        green = None if solved.empty else solved["attempts"].mean()
        check.same(f"attempts_when_solved {where}", one["attempts_when_solved"], green)
        check.same(f"attempts {where}", one["attempts"], some["attempts"].mean())
        for kind, column in (("attempts_by_tier", "tier"), ("attempts_by_problem", "item")):
            means = some.groupby(column)["attempts"].mean()
            for key, value in means.items():
                check.same(f"{kind} {where}", one[kind][str(key)], value)
        check.same(f"median_seconds {where}", one["median_seconds"], some["seconds"].median())
        check.same(f"seconds {where}", one["seconds"], some["seconds"].sum())
        for kind in ("input", "output", "reasoning"):
            mean = known(some[f"tokens.{kind}"].mean())
            check.same(f"tokens {where}", one[f"{kind}_tokens"], mean)
        check.same(f"cost {where}", one["cost"], known(some["cost"].mean()))
        counts = some.groupby("item")["solved"].agg(["sum", "count"])
        for k, value in one["pass_at"].items():
            left = counts["count"] - counts["sum"]
            chance = 1 - comb(left, int(k)) / comb(counts["count"], int(k))
            check.same(f"pass_at {where}", value, chance.mean())


def check_comparison(check: Check, told: dict[str, Any], trials: pd.DataFrame) -> None:
    compared = told["comparison"]
    axis = compared["axis"]
    others = [key for key in KEYS if key != axis]
    found: list[tuple[dict[str, Any], float, float]] = []
    for each in compared["comparisons"]:
        sides = [trials[trials[axis] == each[side]] for side in ("first", "second")]
        both = [dict(list(side.groupby(others))) for side in sides]
        names = [name for name in both[0] if name in both[1]]
        for pair in each["pairs"]:
            chosen = (
                names
                if pair["match"] is None
                else [name for name in names if ", ".join(map(str, name)) == pair["match"]]
            )
            found.append((pair, *_check_pair(check, each, pair, chosen, both)))
    for pooled in (False, True):
        family = [one for one in found if (one[0]["match"] is None) == pooled]
        for at, kind in ((1, "mcnemar"), (2, "wilcoxon")):
            if family:
                corrected = multipletests([one[at] for one in family], method="bonferroni")[1]
                for one, p in zip(family, corrected, strict=True):
                    check.same(f"{kind}_corrected", one[0][f"{kind}_corrected"], p)


def _check_pair(
    check: Check,
    each: dict[str, Any],
    pair: dict[str, Any],
    names: list[Any],
    both: list[dict[Any, pd.DataFrame]],
) -> tuple[float, float]:
    where = f"{each['first']} {each['second']} {pair['match']}"
    table = np.zeros((2, 2), dtype=int)
    differences: list[pd.Series] = []
    for name in names:
        first, second = (side[name] for side in both)
        headline = [
            part[part["run"] == part["run"].min()].set_index("item")["solved"]
            for part in (first, second)
        ]
        joined = pd.concat(headline, axis=1, keys=["first", "second"])
        for one, other in joined.itertuples(index=False):
            table[1 - int(one), 1 - int(other)] += 1
        shares = [part.groupby("item")["solved"].mean() for part in (first, second)]
        differences.append(shares[0] - shares[1])
    mean = pd.concat(differences, axis=1).mean(axis=1).round(12)
    for name, value in zip(
        ("both", "only_first", "only_second", "neither"), table.ravel(), strict=True
    ):
        check.same(f"{name} {where}", pair[name], int(value))
    exact = float(mcnemar(table, exact=True).pvalue) if table[0, 1] + table[1, 0] else 1.0
    check.same(f"mcnemar {where}", pair["mcnemar"], exact)
    check.same(f"difference {where}", pair["difference"], mean.mean())
    check.interval(f"interval {where}", pair["interval"], mean)
    kept = mean[mean != 0].to_numpy()
    p = 1.0  # also of a single difference, which scipy refuses
    if len(kept) > 1:
        method = stats.PermutationMethod(n_resamples=1 << 20)
        p = float(stats.wilcoxon(kept, method=method).pvalue)
    if len(kept):
        ranks = stats.rankdata(np.abs(kept))
        check.same(f"ranks {where}", pair["wilcoxon"]["plus"], float(ranks[kept > 0].sum()))
    check.same(f"wilcoxon {where}", pair["wilcoxon"]["p"], p)
    return exact, p


def check_tax(check: Check, told: dict[str, Any], trials: pd.DataFrame) -> None:
    shares = trials.groupby([*KEYS, "item"])["solved"].mean()
    played = trials[KEYS].drop_duplicates()
    lanes = played[~played["language"].isin(ESOTERIC)][["model", "regime"]].drop_duplicates()
    taxed = played[played["language"].isin(ESOTERIC)].merge(lanes, on=["model", "regime"])
    check.same("tax count", len(told["language_tax"]), len(taxed))
    for tax in told["language_tax"]:
        here = shares[tax["model"], tax["language"], tax["regime"]]
        familiar = pd.concat(
            [shares[tax["model"], language, tax["regime"]] for language in tax["familiar"]], axis=1
        ).mean(axis=1)
        where = f"{tax['model']} {tax['language']} {tax['regime']}"
        check.same(f"tax {where}", tax["loss"]["tax"], (here - familiar).mean())
        check.same(f"tax {where}", tax["loss"]["share"], here.mean())
        check.same(f"tax {where}", tax["loss"]["familiar_share"], familiar.mean())
        check.interval(f"tax_interval {where}", tax["loss"]["interval"], (here - familiar))
        check.same(f"tax_each {where}", list(tax["each"]), tax["familiar"])
        for language, alone in tax["each"].items():
            lost = here - shares[tax["model"], language, tax["regime"]]
            check.same(f"tax_each {where}", alone["tax"], lost.mean())
            check.interval(f"tax_each_interval {where}", alone["interval"], lost)


def check_frontiers(check: Check, told: dict[str, Any], trials: pd.DataFrame) -> None:
    every = trials.groupby(KEYS)[["cost", "tokens.output", "solved"]].mean()
    for name, column in (("by_cost", "cost"), ("by_tokens", "tokens.output")):
        means = every.dropna(subset=[column])
        check.same(f"{name} count", len(told[name]), len(means))
        for point in told[name]:
            row = means.loc[point["model"], point["language"], point["regime"]]
            check.same(f"{name} amount", point["amount"], row[column])
            better = means[
                (means[column] <= row[column])
                & (means["solved"] >= row["solved"])
                & ((means[column] < row[column]) | (means["solved"] > row["solved"]))
            ]
            check.same(f"{name} best", point["best"], better.empty)


def check_external(
    check: Check, told: dict[str, Any], trials: pd.DataFrame, tables: dict[str, Any]
) -> None:
    shares = trials.groupby(["regime", "model", "language"])["solved"].mean()
    for one in told["external"]:
        values = tables[one["kind"]][one["table"]]
        if one["kind"] == "scores":
            names = [name for name in values if name in shares[one["condition"]].unstack().index]
            languages = [name for name in one["over"] if name in ESOTERIC]
            check.same("external languages", list(one["over"]), languages)
            frame = shares[one["condition"]].unstack()[languages].mean(axis=1)
            xs = [values[name] for name in names]
            ys = [frame[name] for name in names]
        else:
            model, _, regime = one["condition"].partition(", ")
            table = shares[regime].unstack()
            every = table.dropna(axis=1).mean()  # of languages that all have
            column = every if model == "all together" else table.loc[model].dropna()
            names = [name for name in values if name in column.index]
            xs = [math.log10(values[name]) for name in names]
            ys = [column[name] for name in names]
        expected = {name: (values[name], y) for name, y in zip(names, ys, strict=True)}
        check.same("external points", len(one["points"]), len(expected))
        for point in one["points"]:
            check.same("external value", point["value"], expected[point["name"]][0])
            check.same("external share", point["share"], expected[point["name"]][1])
        for kind, statistic in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
            if len(names) < 3 or len(set(xs)) == 1 or len({round(y, 12) for y in ys}) == 1:
                check.same(f"external {kind}", one[kind], None)
                continue
            check.same(f"external {kind}", one[kind]["value"], float(statistic(xs, ys).statistic))
            tried = stats.permutation_test(
                (xs,),
                lambda x, statistic=statistic, ys=ys: statistic(x, ys).statistic,
                permutation_type="pairings",
                n_resamples=np.inf,
                alternative="two-sided",
            ).null_distribution
            value = abs(statistic(xs, ys).statistic)
            check.same(
                f"external {kind} p", one[kind]["p"], float(np.mean(np.abs(tried) >= value - 1e-12))
            )


def main() -> int:
    report, problems, external, *files = sys.argv[1:]
    told = json.loads(Path(report).read_text("utf-8"))
    about = {
        path.parent.name.partition("-")[0]: tomllib.loads(path.read_text("utf-8"))
        for path in Path(problems).glob("*/problem.toml")
    }
    usage = usage_of(files)
    trials, sessions = read(files, {name: one["tier"] for name, one in about.items()}, usage)
    trials["category"] = trials["item"].map({name: one["category"] for name, one in about.items()})
    check = Check()
    check_conditions(check, told, trials)
    check_comparison(check, told, trials)
    check_tax(check, told, trials)
    check_frontiers(check, told, trials)
    if sessions:
        check_sessions(check, told, sessions, usage, about)
    check_external(check, told, trials, tomllib.loads(Path(external).read_text("utf-8")))
    for line in check.wrong:
        print(line)
    print(json.dumps(check.compared))
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
