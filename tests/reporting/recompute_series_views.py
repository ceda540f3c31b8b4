"""Write the tables and pictures that only a report on sessions alone has, for ``recompute.py``.

They are written from the report's JSON, after that was checked.  It imports nothing of esoplay.
"""

from __future__ import annotations

from typing import Any

from recompute_conditions import ESOTERIC
from recompute_pictures import Mark, Picture, compared_pairs, interval_ends
from recompute_tables import (
    NONE,
    Rows,
    Series,
    amount,
    ends,
    ends_in_points,
    number,
    points,
    share,
)

POOLED = ["mean", "spread", "SD"]


def series_tables(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    found = {"problems-solved": _totals(told, series), **_taxes(told, series)}
    for protocol in dict.fromkeys(one["protocol"] for one in told["series"]):
        rows = _by_solver(told, protocol)
        if rows:
            found[f"solved-by-solver-and-language-{protocol}"] = rows
    for kind, member in (("tier", "tiers"), ("category", "categories")):
        groups = list(dict.fromkeys(name for one in told["series"] for name in one[member]))
        found[f"solved-with-wilson-95-intervals-in-percent-by-{kind}"] = series.table(
            groups,
            told["series"],
            lambda one, member=member, groups=groups: [
                _counts(one[member].get(name), one["partial"]) for name in groups
            ],
        )
    return found


def _span(counts: list[int] | None) -> str:
    """Return the least and the greatest of some counts."""
    return NONE if counts is None else "–".join(map(str, sorted({int(one) for one in counts})))


def _counts(one: dict[str, Any] | None, partial: str | None) -> str:
    if one is None:
        return NONE
    text = f"{one['solved']}/{one['total']}"
    low, high = (number(100 * one["interval"][end], 0) for end in ("low", "high"))
    return f"{text}*" if partial else f"{text} ({low}–{high})"


def _totals(told: dict[str, Any], series: Series) -> Rows:
    def cells(one: dict[str, Any]) -> list[str]:
        rate, across, partial = one["rate"], one["across"], one["partial"]
        return [
            f"{rate['solved']}/{rate['total']}{'*' if partial else ''}",
            number(100 * rate["share"]),
            NONE if partial else ends(rate["interval"]),
            NONE if partial else number(100 * rate["half_width"]),
            *(str(len(one["sessions"])), _span(one["others"])),
            NONE if across is None else amount(across["mean"]),
            NONE if across is None else amount(across["deviation"]),
        ]

    head = ["solved", "%", "95 % interval", "± at worst", "sessions", "others", "mean", "SD"]
    return series.table(head, told["series"], cells)


def _by_solver(told: dict[str, Any], protocol: str) -> Rows:
    """Return the main table of a protocol: familiar languages are last; empty for one series."""
    some = {
        (one["solver"], one["language"]): one
        for one in told["series"]
        if one["protocol"] == protocol
    }
    if len(some) < 2:
        return []
    solvers = list(dict.fromkeys(solver for solver, _ in some))
    languages = sorted({language for _, language in some})
    first = [one for one in languages if one in ESOTERIC] or languages
    last = [one for one in languages if one not in first]
    pooled = {
        (one["of"], one["name"]): one["summary"]
        for one in told["pooled"]
        if one["protocol"] == protocol
    }

    def cell(solver: str, language: str) -> str:
        one = some.get((solver, language))
        if one is None:
            return NONE
        others = f" ({_span(one['others'])})" if one["others"] else ""
        mark = "*" if one["partial"] else ""
        return f"{one['rate']['solved']}/{one['rate']['total']}{mark}{others}"

    def figure(of: str, name: str, kind: str) -> str:
        one = pooled.get((of, name))
        if one is None:
            return NONE
        spread = one["greatest"] - one["least"]
        return share({"mean": one["mean"], "spread": spread, "SD": one["deviation"]}[kind])

    means = POOLED if any(("solver", solver) in pooled for solver in solvers) else []
    rows = [
        [
            *(solver, *(cell(solver, language) for language in first)),
            *(figure("solver", solver, kind) for kind in means),
            *(cell(solver, language) for language in last),
        ]
        for solver in solvers
    ]
    if any(("language", language) in pooled for language in languages):
        rows += [
            [
                *(kind, *(figure("language", language, kind) for language in first)),
                *("" for _ in means),
                *(figure("language", language, kind) for language in last),
            ]
            for kind in POOLED
        ]
    return [["solver", *first, *means, *last], *rows]


def _taxes(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    taxes = told["language_tax"]

    def name(one: dict[str, Any]) -> list[str]:
        language = one["language"] or f"all {len(one['languages'])} languages"
        return [one["solver"], language, one["protocol"]][: len(series.head)]

    def loss(one: dict[str, Any]) -> list[str]:
        shares = [share(one["share"]), share(one["familiar_share"])]
        return [*shares, points(one["tax"]), ends_in_points(one["interval"])]

    def familiar(one: dict[str, Any]) -> str:
        other = one["familiar_protocol"]
        return ", ".join(one["familiar"]) + ("" if other == one["protocol"] else f" ({other})")

    head = [*series.head, "familiar", "solved", "in familiar languages", "tax", "95 % interval"]
    single = [
        [*name(one), language, *loss(alone)]
        for one in taxes
        for language, alone in one["each"].items()
    ]
    taxed = {(one["solver"], one["language"], one["protocol"]) for one in taxes}
    lacking = "no complete session of this solver in a familiar language, on the same problems"
    keys = ("solver", "language", "protocol")
    without = [
        [", ".join(one[key] for key in keys), one["partial"] or lacking]
        for one in told["series"]
        if one["language"] in ESOTERIC and tuple(one[key] for key in keys) not in taxed
    ]
    return {
        "language-tax-in-percentage-points": [
            head,
            *([*name(one), familiar(one), *loss(one)] for one in taxes),
        ],
        "language-tax-against-each-familiar-language": [
            head,
            *(single if len(single) > len(taxes) else []),
        ],
        "without-a-language-tax": [["series", "why"], *without],
    }


def series_pictures(told: dict[str, Any], series: Series) -> dict[str, Picture]:
    def name(one: dict[str, Any]) -> str:
        return ", ".join([one["solver"], one["protocol"]][: len(series.head) - 1])

    solved = [
        Mark(
            f"{name(one)}: {rate['solved']}/{rate['total']}{'*' if one['partial'] else ''}"
            + (f" ({_span(one['others'])})" if one["others"] else ""),
            x=rate["share"],
            ends=() if one["partial"] else interval_ends(rate["interval"]),
            others=tuple(count / rate["total"] for count in one["sessions"][1:]),
        )
        for one in sorted(told["series"], key=lambda one: one["language"])
        for rate in [one["rate"]]
    ]
    groups = {
        f"by-{kind}": Picture(
            [
                Mark(f"{series.label(one)}, {group}: {of['solved']}/{of['total']}", x=of["share"])
                for one in told["series"]
                for group, of in one[member].items()
            ]
        )
        for kind, member in (("tier", "tiers"), ("category", "categories"))
    }
    taxes = [
        Mark(
            f"{name(one)}: {points(one['tax'])}",
            x=100 * one["tax"],
            ends=interval_ends(one["interval"], 100),
        )
        for one in sorted(
            told["language_tax"], key=lambda one: (one["language"] is None, one["language"] or "")
        )
    ]
    compared = Picture(compared_pairs(told["comparison"]))
    return {
        **groups,
        "solved": Picture(solved),
        "comparison": compared,
        "language-tax": Picture(taxes),
    }
