"""Recompute what only a report on sessions alone has, for ``recompute.py``.

These are the pooled shares of headlines, the comparison of series, and the language tax of solvers.
It imports nothing of esoplay; ``docs/reports.md`` has the definitions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from recompute_comparison import Interval
from recompute_conditions import ESOTERIC, comparison, external, summary
from recompute_sessions import Series

AXES = {"protocol": "regime", "solver": "model", "language": "language"}
"""The axes of sessions, with the columns of trials."""


def series_figures(
    told: dict[str, Any], series: list[Series], about: dict[str, Any], tables: dict[str, Any]
) -> dict[str, Any]:
    """Return the members; ``told`` only gives the axis and the baseline of the comparison."""
    complete = [one for one in series if one.complete]
    trials = pd.concat(
        [
            session.trials(about).assign(run=run, regime=one.name[2])
            for one in complete
            for run, session in enumerate(one.complete, 1)
        ],
        ignore_index=True,
    )
    trials["solved"] = trials["solved"].astype(float)
    axis = told["comparison"]["axis"]
    compared = comparison(trials, AXES[axis], _baseline(told["comparison"]))
    for one in (compared, *compared["comparisons"]):
        one["axis"] = axis
    reason = f"no counterpart that differs only in the {axis}"
    left_out = [{"name": one["name"], "reason": reason} for one in compared["left_out"]]
    partial = [
        {"name": ", ".join(one.name), "reason": one.shown.partial}
        for one in series
        if not one.complete
    ]
    return {
        "familiar": sorted({one.name[1] for one in series} - set(ESOTERIC)),
        "pooled": _pooled(complete),
        "comparison": {**compared, "left_out": [*partial, *left_out]},
        "language_tax": _taxes(complete),
        "external": external(trials, tables),
    }


def _baseline(compared: dict[str, Any]) -> str | None:
    """Return the value that all comparisons have as their second; None without one."""
    seconds = {one["second"] for one in compared["comparisons"]}
    firsts = {one["first"] for one in compared["comparisons"]}
    return next(iter(seconds)) if len(seconds) == 1 and len(firsts) > 1 else None


def _pooled(complete: list[Series]) -> list[dict[str, Any]]:
    """Return means of headline shares: of solvers over languages, and the other way round."""
    rows = pd.DataFrame(
        [
            {
                **one.names,
                "pack": f"{one.shown.started['pack']} {one.shown.started['pack_version']}",
                "share": len(one.shown.solved) / len(one.problems),
            }
            for one in complete
        ]
    )
    unfamiliar = rows[rows["language"].isin(ESOTERIC)]
    found: list[dict[str, Any]] = []
    for of, over, some in (
        ("solver", "language", rows if unfamiliar.empty else unfamiliar),
        ("language", "solver", rows),
    ):
        for (name, protocol, pack), own in some.groupby([of, "protocol", "pack"], sort=False):
            if len(own) > 1:
                names = {"of": of, "name": name, "protocol": protocol, "pack": pack}
                means = summary(own["share"])
                found.append({**names, "over": own[over].tolist(), "summary": means})
    return found


def _taxes(complete: list[Series]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str], list[Series]] = {}
    for one in complete:
        if one.name[1] not in ESOTERIC or not _familiar(one, complete):
            continue
        groups.setdefault((one.name[0], one.name[2]), []).append(one)
    found: list[dict[str, Any]] = []
    for several in groups.values():
        lanes = _familiar(several[0], complete)
        for some in [*([one] for one in several), *([several] if len(several) > 1 else [])]:
            solver, language, protocol = some[0].name
            here = _mean([one.shares_by_problem() for one in some])
            found.append(
                {
                    "solver": solver,
                    "language": language if len(some) == 1 else None,
                    "languages": [one.name[1] for one in some],
                    "protocol": protocol,
                    "familiar": [lane.name[1] for lane in lanes],
                    "familiar_protocol": lanes[0].name[2],
                    **_loss(here, _mean([lane.shares_by_problem() for lane in lanes])),
                    "each": {
                        lane.name[1]: _loss(here, np.array(lane.shares_by_problem()))
                        for lane in lanes
                    },
                }
            )
    return found


def _familiar(one: Series, complete: list[Series]) -> list[Series]:
    """Return the familiar series of the same protocol, or else of the only other protocol."""
    lanes = [
        lane for lane in complete if lane.name[0] == one.name[0] and lane.name[1] not in ESOTERIC
    ]
    same = [lane for lane in lanes if lane.name[2] == one.name[2]]
    return same or (lanes if len({lane.name[2] for lane in lanes}) == 1 else [])


def _mean(shares: list[list[float]]) -> np.ndarray:
    return np.mean(np.array(shares), axis=0)


def _loss(here: np.ndarray, familiar: np.ndarray) -> dict[str, Any]:
    return {
        "share": here.mean(),
        "familiar_share": familiar.mean(),
        "tax": (here - familiar).mean(),
        "interval": Interval((here - familiar).tolist()),
    }
