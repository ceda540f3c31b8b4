"""Recompute the figures of conditions with pandas, scipy and statsmodels, for ``recompute.py``.

It imports nothing of esoplay.  A row of ``trials`` is one run of one problem under a condition, the
columns of ``KEYS``; ``docs/reports.md`` has the definitions.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from recompute_comparison import Interval
from scipy import stats
from scipy.special import comb
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

ESOTERIC = ("brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare")
KEYS = ["model", "language", "regime"]
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
    "rule": "rule",
}
USUAL_ERRORS = ("no program", "compile", "runtime", "limit", "wrong answer")


def known(value: float) -> float | None:
    """Return a mean as in reports: None if nothing is known."""
    return None if math.isnan(value) else value


def wilson(solved: int, total: int) -> dict[str, float]:
    low, high = proportion_confint(solved, total, method="wilson")
    return {"low": float(low), "high": float(high)}


def summary(values: pd.Series) -> dict[str, Any]:
    return {
        "size": len(values),
        "mean": values.mean(),
        "deviation": None if len(values) == 1 else values.std(ddof=1),
        "least": values.min(),
        "greatest": values.max(),
    }


def groups(trials: pd.DataFrame) -> dict[tuple[str, ...], pd.DataFrame]:
    """Return the trials of each condition, in the order of the rows."""
    return dict(list(trials.groupby(KEYS, sort=False)))


def conditions(trials: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {**dict(zip(KEYS, name, strict=True)), **_condition(some)}
        for name, some in groups(trials).items()
    ]


def _condition(some: pd.DataFrame) -> dict[str, Any]:
    solved = some[some["solved"] == 1]
    by_problem = some.groupby("item")["solved"]
    failed = some[some["solved"] == 0]["verdict"].map(lambda word: ERRORS.get(word, "other"))
    counts = by_problem.agg(["sum", "count"])
    left = counts["count"] - counts["sum"]
    of_tiers, of_categories = (
        {
            str(name): [int(a), int(b)]
            for name, (a, b) in some.groupby(column)["solved"].agg(["sum", "count"]).iterrows()
        }
        for column in ("tier", "category")
    )
    return {
        "problems": some["item"].nunique(),
        "solved": len(solved),
        "total": len(some),
        "share": some["solved"].mean(),
        "interval": wilson(len(solved), len(some)),
        "bootstrap": Interval(by_problem.mean()),
        "over_runs": summary(some.groupby("run")["solved"].mean()),
        "tiers": of_tiers,
        "categories": of_categories,
        "errors": dict.fromkeys(USUAL_ERRORS, 0) | failed.value_counts().to_dict(),
        "at_attempt": {n: int(k) for n, k in solved["attempts"].value_counts().items()},
        "first_attempt": (solved["attempts"] == 1).sum() / len(some),
        "attempts_when_solved": None if solved.empty else solved["attempts"].mean(),
        "attempts": some["attempts"].mean(),
        "attempts_by_tier": some.groupby("tier")["attempts"].mean().to_dict(),
        "attempts_by_problem": some.groupby("item")["attempts"].mean().to_dict(),
        "median_seconds": some["seconds"].median(),
        "seconds": some["seconds"].sum(),
        "input_tokens": known(some["tokens.input"].mean()),
        "output_tokens": known(some["tokens.output"].mean()),
        "reasoning_tokens": known(some["tokens.reasoning"].mean()),
        "cost": known(some["cost"].mean()),
        "pass_at": {
            k: (1 - comb(left, k) / comb(counts["count"], k)).mean()
            for k in range(1, int(counts["count"].min()) + 1)
        },
        "session": bool(some["session"].iloc[0]),
    }


# Comparisons along an axis: the values of the other two columns are a match.


def comparison(trials: pd.DataFrame, axis: str, baseline: str | None) -> dict[str, Any]:
    others = [key for key in KEYS if key != axis]
    values = list(dict.fromkeys(trials[axis]))
    pairs = combinations(values, 2)
    if baseline is not None:
        pairs = ((value, baseline) for value in values if value != baseline)
    found: list[dict[str, Any]] = []
    met: set[tuple[str, ...]] = set()
    for first, second in pairs:
        sides = [
            dict(list(trials[trials[axis] == value].groupby(others, sort=False)))
            for value in (first, second)
        ]
        names = [name for name in sides[0] if name in sides[1]]
        if not names:
            continue
        met |= {(value, *name) for value in (first, second) for name in names}
        results = [_pair(", ".join(name), [name], sides) for name in names]
        if len(names) > 1:
            results.append(_pair(None, names, sides))
        found.append({"axis": axis, "first": first, "second": second, "pairs": results})
    for pooled in (False, True):
        family = [
            pair for one in found for pair in one["pairs"] if (pair["match"] is None) == pooled
        ]
        for pair in family:
            pair["tests"] = len(family)
        for name, values_of_p in (
            ("mcnemar", [pair["mcnemar"] for pair in family]),
            ("wilcoxon", [pair["wilcoxon"]["p"] for pair in family]),
        ):
            corrected = multipletests(values_of_p, method="bonferroni")[1] if family else []
            for pair, p in zip(family, corrected, strict=True):
                pair[f"{name}_corrected"] = float(p)
    left_out = [
        {
            "name": ", ".join(name),
            "reason": f"no counterpart that differs only in the {axis}",
        }
        for name in groups(trials)
        if (name[KEYS.index(axis)], *(name[KEYS.index(other)] for other in others)) not in met
    ]
    return {"axis": axis, "comparisons": found, "left_out": left_out}


def _pair(match: str | None, names: list[Any], sides: list[dict[Any, pd.DataFrame]]) -> Any:
    table = np.zeros((2, 2), dtype=int)
    differences: list[pd.Series] = []
    for name in names:
        both = [side[name] for side in sides]
        firsts = [part[part["run"] == 1].set_index("item")["solved"] for part in both]
        for one, other in pd.concat(firsts, axis=1).itertuples(index=False):
            table[1 - int(one), 1 - int(other)] += 1
        shares = [part.groupby("item")["solved"].mean() for part in both]
        differences.append(shares[0] - shares[1])
    mean = pd.concat(differences, axis=1).mean(axis=1).round(12)
    unequal = bool(table[0, 1] + table[1, 0])
    return {
        "match": match,
        "problems": len(mean),
        "matches": len(names),
        "both": int(table[0, 0]),
        "only_first": int(table[0, 1]),
        "only_second": int(table[1, 0]),
        "neither": int(table[1, 1]),
        "mcnemar": float(mcnemar(table, exact=True).pvalue) if unequal else 1.0,
        "difference": mean.mean(),
        "interval": Interval(mean),
        "wilcoxon": _signed_ranks(tuple(mean[mean != 0])),
    }


@cache
def _signed_ranks(differences: tuple[float, ...]) -> dict[str, Any]:
    kept = np.array(differences)
    ranks = stats.rankdata(np.abs(kept))
    p = 1.0  # also of a single difference, which scipy refuses
    if len(kept) > 1:
        method = stats.PermutationMethod(n_resamples=1 << 20)
        p = float(stats.wilcoxon(kept, method=method).pvalue)
    plus, minus = float(ranks[kept > 0].sum()), float(ranks[kept < 0].sum())
    return {"size": len(kept), "plus": plus, "minus": minus, "p": p, "exact": len(kept) <= 200}


# The language tax, and the share solved against cost and tokens.


def language_tax(trials: pd.DataFrame) -> list[dict[str, Any]]:
    shares = {name: some.groupby("item")["solved"].mean() for name, some in groups(trials).items()}
    found: list[dict[str, Any]] = []
    for (model, language, regime), here in shares.items():
        lanes = {
            name[1]: share
            for name, share in shares.items()
            if (name[0], name[2]) == (model, regime) and name[1] not in ESOTERIC
        }
        if language not in ESOTERIC or not lanes:
            continue
        found.append(
            {
                "model": model,
                "regime": regime,
                "language": language,
                "familiar": list(lanes),
                "loss": _loss(here, pd.concat(list(lanes.values()), axis=1).mean(axis=1)),
                "each": {name: _loss(here, share) for name, share in lanes.items()},
            }
        )
    return found


def _loss(here: pd.Series, familiar: pd.Series) -> dict[str, Any]:
    return {
        "share": here.mean(),
        "familiar_share": familiar.mean(),
        "tax": (here - familiar).mean(),
        "interval": Interval(here - familiar),
    }


def frontier(trials: pd.DataFrame, column: str) -> list[dict[str, Any]]:
    """Return the conditions by mean amount of a trial; best: none solves as much for less."""
    every = trials.groupby(KEYS, sort=False)[[column, "solved"]].mean().dropna().round(12)
    every = every.sort_values([column, "solved"], ascending=[True, False], kind="stable")
    return [
        {
            **dict(zip(KEYS, name, strict=True)),
            "amount": amount,
            "share": share,
            "best": every[
                (every[column] <= amount)
                & (every["solved"] >= share)
                & ((every[column] < amount) | (every["solved"] > share))
            ].empty,
        }
        for name, (amount, share) in every.iterrows()
    ]


# Correlations with figures from elsewhere.


def external(trials: pd.DataFrame, tables: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for regime in dict.fromkeys(trials["regime"]):
        some = trials[trials["regime"] == regime]
        shares = some.groupby(["model", "language"], sort=False)["solved"].mean()
        for table, values in tables.get("scores", {}).items():
            found += _scores(regime, shares, table, values)
        for table, values in tables.get("corpora", {}).items():
            found += _corpora(regime, shares, table, values)
    return found


def _scores(regime: str, shares: pd.Series, table: str, values: dict[str, float]) -> Any:
    models = list(dict.fromkeys(shares.index.get_level_values("model")))
    listed = {
        model: name
        for model in models
        for name in (model, model.partition(" (")[0])
        if name in values
    }
    if not listed:
        return
    languages = [
        language
        for language in shares[next(iter(listed))].index
        if all(language in shares[model].index for model in listed)
    ]
    languages = [one for one in languages if one in ESOTERIC] or languages
    if languages:
        points = {
            model: (values[name], shares[model][languages].mean()) for model, name in listed.items()
        }
        unused = [name for name in values if name not in listed.values()]
        yield _correlation("scores", table, regime, languages, points, unused)


def _corpora(regime: str, shares: pd.Series, table: str, values: dict[str, float]) -> Any:
    named = shares[shares.index.get_level_values("language").isin(list(values))]
    models = list(dict.fromkeys(named.index.get_level_values("model")))
    rows = {f"{model}, {regime}": ([model], named[model]) for model in models}
    if len(models) > 1:
        every = pd.concat([named[model] for model in models], axis=1, join="inner").mean(axis=1)
        order = [language for language in named[models[0]].index if language in every.index]
        if order:
            rows[f"all together, {regime}"] = (models, every[order])
    for condition, (over, share) in rows.items():
        points = {language: (values[language], share[language]) for language in share.index}
        unused = [name for name in values if name not in points]
        yield _correlation("corpora", table, condition, over, points, unused)


def _correlation(
    kind: str,
    table: str,
    condition: str,
    over: list[str],
    points: dict[str, tuple[float, float]],
    unused: list[str],
) -> dict[str, Any]:
    rows = sorted((float(value), name, share) for name, (value, share) in points.items())
    xs = tuple(math.log10(value) if kind == "corpora" else value for value, _, _ in rows)
    ys = tuple(share for _, _, share in rows)
    return {
        "kind": kind,
        "table": table,
        "condition": condition,
        "over": over,
        "points": [{"name": name, "value": value, "share": share} for value, name, share in rows],
        "pearson": _coefficient("pearsonr", xs, ys),
        "spearman": _coefficient("spearmanr", xs, ys),
        "unused": unused,
    }


@cache
def _coefficient(name: str, xs: tuple[float, ...], ys: tuple[float, ...]) -> Any:
    """Return a coefficient, and its p from all permutations of at most eight points."""
    if len(xs) < 3 or len(set(xs)) == 1 or len({round(y, 12) for y in ys}) == 1:
        return None
    statistic = getattr(stats, name)
    tried = stats.permutation_test(
        (xs,),
        lambda x: statistic(x, ys).statistic,
        permutation_type="pairings",
        n_resamples=np.inf,
    ).null_distribution
    value = float(statistic(xs, ys).statistic)
    return {"value": value, "p": float(np.mean(np.abs(tried) >= abs(value) - 1e-12))}
