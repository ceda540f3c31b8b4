"""Write the tables of a report again, for ``recompute.py``: from its JSON, after that was checked.

The functions return the cells of each table by the name of its CSV file.  It imports nothing of
esoplay.  Figures are rounded half away from zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from recompute_conditions import ESOTERIC, USUAL_ERRORS
from recompute_sessions import CLASSES

Rows = list[list[str]]
Toolchains = dict[str, Counter[tuple[str, str]]]
"""The number of trials and of sessions by language and version of its toolchain."""
NONE = "–"
CONDITION = ["model", "language", "regime"]


# Numbers.


def number(value: float, digits: int = 1) -> str:
    exact = Decimal(str(round(float(value), 9)))
    return format(exact.quantize(Decimal(10) ** -digits, ROUND_HALF_UP), ",f")


def amount(value: float | None, digits: int = 1) -> str:
    """Return a number without trailing zeros."""
    if value is None:
        return NONE
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def share(value: float | None) -> str:
    return NONE if value is None else f"{number(100 * value)} %"


def points(value: float) -> str:
    """Return percentage points with their sign."""
    text = number(abs(100 * value))
    return text if float(text) == 0 else ("+" if value > 0 else "−") + text


def ends(interval: dict[str, float]) -> str:
    return f"{number(100 * interval['low'])}–{number(100 * interval['high'])}"


def ends_in_points(interval: dict[str, float] | None) -> str:
    return NONE if interval is None else f"{points(interval['low'])} to {points(interval['high'])}"


def probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else number(p, 3)


def names(some: Sequence[str]) -> str:
    return " and ".join([", ".join(some[:-1]), some[-1]] if len(some) > 1 else some)


# Tables on conditions.


def condition_tables(told: dict[str, Any]) -> dict[str, Rows]:
    """Return the tables on evaluations, or on evaluations and sessions together."""
    found = {**_inputs(told), **_solved(told), **_attempts(told), **_costs(told)}
    return {**found, **_taxes(told)}


def common_tables(told: dict[str, Any], toolchains: Toolchains) -> dict[str, Rows]:
    """Return the tables that all kinds of reports have, and those on sessions."""
    found = {**_comparison(told), **_external(told)}
    if "sessions" in told:
        series = Series(told)
        found |= {**_sessions(told, series), **_effort(told, series)}
        found |= {**_progress(told, series), **_workspaces(told, series)}
        found |= _ablations(told)
    for at, (heading, counts) in enumerate(toolchains.items(), 1):
        rows = sorted([*key, str(count)] for key, count in counts.items())
        name = "toolchains-of-host-lanes" + (f"-{at}" if at > 1 else "")
        found[name] = [["language", "version", heading], *rows]
    return found


def named(one: dict[str, Any]) -> list[str]:
    return [one[key] for key in CONDITION]


def _inputs(told: dict[str, Any]) -> dict[str, Rows]:
    head = [
        "file",
        "model",
        "pack",
        "dialect",
        "feedback",
        "examples",
        "compare",
        "limits",
        "unfinished",
    ]
    rows: Rows = []
    for one in told["evaluations"]:
        terms = one["terms"]
        examples = "all" if terms["examples"] is None else str(terms["examples"])
        rows.append(
            [
                *(one["file"], terms["model"], f"{terms['pack']} {terms['pack_version']}"),
                *(terms["dialect"], terms["feedback"], examples, terms["compare"], "usual"),
                str(len(one["unfinished"])),
            ]
        )
    return {"what-was-read": [head, *rows]}


def _solved(told: dict[str, Any]) -> dict[str, Rows]:
    conditions = told["conditions"]
    head = [
        *CONDITION,
        *["problems", "solved", "of", "share", "Wilson", "bootstrap", "runs", "mean", "SD"],
    ]
    accuracy = [
        [
            *(*named(one), str(one["problems"]), str(one["solved"]), str(one["total"])),
            *(share(one["share"]), ends(one["interval"]), ends(one["bootstrap"])),
            *(str(one["over_runs"]["size"]), share(one["over_runs"]["mean"])),
            share(one["over_runs"]["deviation"]),
        ]
        for one in conditions
    ]
    found = {
        "share-solved-in-percent": _matrix(conditions),
        "accuracy-by-model-language-and-regime": [head, *accuracy],
    }
    for kind, plural in (("tier", "tiers"), ("category", "categories")):
        columns = told[plural]
        rows = [
            [
                *named(one),
                *("/".join(map(str, one[plural].get(name, [0, 0]))) for name in columns),
            ]
            for one in conditions
        ]
        if len(columns) > 1:
            found[f"trials-solved-by-{kind}"] = [[*CONDITION, *columns], *rows]
    classes = [*USUAL_ERRORS, "rule", "other"]
    used = [name for name in classes if any(name in one["errors"] for one in conditions)]
    rows = [
        [
            *named(one),
            str(one["solved"]),
            *(str(one["errors"].get(name, 0)) for name in used),
        ]
        for one in conditions
    ]
    found["error-profile"] = [[*CONDITION, "solved", *used], *rows]
    return found


def _matrix(conditions: list[dict[str, Any]]) -> Rows:
    """Return the shares with a column for each language, and the means of the esoteric ones."""
    languages = list(dict.fromkeys(one["language"] for one in conditions))
    esoteric = [name for name in languages if name in ESOTERIC]
    shares: dict[tuple[str, str], dict[str, float]] = {}
    for one in conditions:
        shares.setdefault((one["model"], one["regime"]), {})[one["language"]] = one["share"]
    head = ["model", "regime", *languages]
    rows = [
        [*key, *(number(100 * own[name]) if name in own else NONE for name in languages)]
        for key, own in shares.items()
    ]
    if len(esoteric) > 1:
        head.append("mean" if esoteric == languages else "mean of unfamiliar languages")
        for row, own in zip(rows, shares.values(), strict=True):
            known = [own[name] for name in esoteric if name in own]
            complete = len(known) == len(esoteric)
            row.append(number(100 * sum(known) / len(known)) if complete else NONE)
    return [head, *rows]


def _attempts(told: dict[str, Any]) -> dict[str, Rows]:
    conditions = told["conditions"]
    numbers = sorted({int(n) for one in conditions for n in one["at_attempt"]})
    head = [*CONDITION, *(f"program {n}" for n in numbers)]
    rows = [
        [
            *(*named(one), *(str(one["at_attempt"].get(str(n), 0)) for n in numbers)),
            *(str(one["total"] - one["solved"]), share(one["first_attempt"])),
            amount(one["attempts_when_solved"], 2),
        ]
        for one in conditions
    ]
    found = {
        "attempts": [[*head, "not solved", "first attempt", "programs until solved"], *rows],
        "programs-of-a-trial": [
            [*CONDITION, *told["tiers"], "all"],
            *(
                [
                    *named(one),
                    *(amount(one["attempts_by_tier"].get(tier), 2) for tier in told["tiers"]),
                    amount(one["attempts"], 2),
                ]
                for one in conditions
            ),
        ],
    }
    most = max(int(k) for one in conditions for k in one["pass_at"])
    if most > 1:
        ks = [str(k) for k in (1, 2, 3, 5, 10, 20, 50, 100) if k <= most]
        rows = [[*named(one), *(share(one["pass_at"].get(k)) for k in ks)] for one in conditions]
        found["pass-at-k"] = [[*CONDITION, *(f"pass@{k}" for k in ks)], *rows]
    return found


def _costs(told: dict[str, Any]) -> dict[str, Rows]:
    unit = f" in {told['currency']}" if told["currency"] else ""
    costs = [f"cost{unit}"] if unit or told["by_cost"] else []
    head = ["median seconds", "seconds in all", "tokens in", "tokens out", "reasoning", *costs]
    rows = [
        [
            *(*named(one), amount(one["median_seconds"], 2), amount(one["seconds"])),
            *(amount(one[f"{kind}_tokens"]) for kind in ("input", "output", "reasoning")),
            *(amount(one["cost"], 4) for _ in costs),
        ]
        for one in told["conditions"]
    ]
    found = {"time-tokens-and-cost-of-a-trial": [[*CONDITION, *head], *rows]}
    for member, kind, axis in (
        ("by_cost", "cost", f"cost per trial{unit}"),
        ("by_tokens", "output-tokens", "output tokens per trial"),
    ):
        rows = [
            [
                *(*named(one), amount(one["amount"], 4), share(one["share"])),
                "yes" if one["best"] else NONE,
            ]
            for one in told[member]
        ]
        name = f"share-solved-against-{kind}-the-frontier"
        found[name] = [[*CONDITION, axis, "share", "on the frontier"], *rows]
    return found


def _comparison(told: dict[str, Any]) -> dict[str, Rows]:
    compared = told["comparison"]
    head = ["first", "second", "match", "both", "only first", "only second", "neither"]
    head += ["difference", "95 % interval", "McNemar p", "corrected", "Wilcoxon p", "corrected"]
    rows = [
        [
            *(one["first"], one["second"], pair["match"] or "all together"),
            *(str(pair[name]) for name in ("both", "only_first", "only_second", "neither")),
            *(points(pair["difference"]), ends_in_points(pair["interval"])),
            *(probability(pair["mcnemar"]), probability(pair["mcnemar_corrected"])),
            *(probability(pair["wilcoxon"]["p"]), probability(pair["wilcoxon_corrected"])),
        ]
        for one in compared["comparisons"]
        for pair in one["pairs"]
    ]
    left_out = [[one["name"], one["reason"]] for one in compared["left_out"]]
    compared_things = "conditions" if "conditions" in told else "series"
    return {
        "paired-comparison": [head, *rows],
        "left-out-of-the-comparison": [[compared_things, "why"], *left_out],
    }


def _taxes(told: dict[str, Any]) -> dict[str, Rows]:
    taxes = told["language_tax"]

    def loss(one: dict[str, Any]) -> list[str]:
        shares = [share(one["share"]), share(one["familiar_share"])]
        return [*shares, points(one["tax"]), ends_in_points(one["interval"])]

    head = [*CONDITION, "share", "familiar", "tax", "95 % interval", "compared with"]
    rows = [[*named(one), *loss(one["loss"]), names(one["familiar"])] for one in taxes]
    found = {"language-tax-in-percentage-points": [head, *rows]}
    single = [
        [*named(one), name, *loss(alone)] for one in taxes for name, alone in one["each"].items()
    ]
    if len(single) > len(taxes):
        head = [*CONDITION, "familiar", "solved", "in familiar languages", "tax", "95 % interval"]
        found["language-tax-against-each-familiar-language"] = [head, *single]
    return found


def _external(told: dict[str, Any]) -> dict[str, Rows]:
    def coefficient(one: dict[str, float] | None) -> list[str]:
        if one is None:
            return [NONE, NONE]
        size = number(abs(one["value"]), 2)
        negative = one["value"] < 0 and float(size) > 0
        return [f"−{size}" if negative else size, probability(one["p"])]

    found: dict[str, Rows] = {}
    for kind, title in (("scores", "external-scores"), ("corpora", "sizes-of-corpora")):
        some = [one for one in told["external"] if one["kind"] == kind]
        head = ["table", "condition", "points", "Pearson r", "p", "Spearman ρ", "p", "over"]
        rows = [
            [
                *(one["table"], one["condition"], str(len(one["points"]))),
                *(*coefficient(one["pearson"]), *coefficient(one["spearman"])),
                names(one["over"]),
            ]
            for one in some
        ]
        found[f"share-solved-against-{title}"] = [head, *rows]
        rows = [
            [
                *(one["table"], one["condition"], point["name"]),
                *(amount(point["value"], 2), share(point["share"])),
            ]
            for one in some
            for point in one["points"]
        ]
        head = ["table", "condition", "point", "value", "share solved"]
        found[f"share-solved-against-{title}-the-points"] = [head, *rows]
    return found


# Tables on sessions.


class Series:
    """The first columns of tables on series; the protocol only if protocols differ."""

    def __init__(self, told: dict[str, Any]):
        several = len({one["protocol"] for one in told["series"]}) > 1
        self.head = ["solver", "language", *(["protocol"] if several else [])]
        self._sessions: list[dict[str, Any]] = told["sessions"]
        self._partial = {self._key(one) for one in told["series"] if one["partial"]}

    def _key(self, one: dict[str, Any]) -> tuple[str, ...]:
        return one["solver"], one["language"], one["protocol"]

    def named(self, one: dict[str, Any]) -> list[str]:
        """Return the cells; the language of a series without a complete session has a mark."""
        mark = "*" if self._key(one) in self._partial else ""
        return [one["solver"], one["language"] + mark, one["protocol"]][: len(self.head)]

    def label(self, one: dict[str, Any]) -> str:
        return ", ".join(self.named(one))

    def shown(self, one: dict[str, Any]) -> dict[str, Any]:
        """Return the first complete session, or else the one with the most solved problems."""
        own = [each for each in self._sessions if self._key(each) == self._key(one)]
        complete = [each for each in own if not each["partial"]]
        return complete[0] if complete else max(own, key=lambda each: len(each["solved"]))

    def table(
        self, head: Sequence[str], some: list[Any], cells: Callable[[dict[str, Any]], list[str]]
    ) -> Rows:
        return [[*self.head, *head], *([*self.named(one), *cells(one)] for one in some)]


def _sessions(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    sessions = told["sessions"]
    head = ["export", "session", "solver", "language", "dialect", "protocol"]
    rows = [
        [
            *(one["file"], *(one[name] for name in head[1:])),
            datetime.fromtimestamp(one["began_ms"] / 1000, UTC).strftime("%Y-%m-%d %H:%M"),
            *(f"{one['events']:,}", one["head"][:12]),
        ]
        for one in sessions
    ]
    left_out = {file for one in told["series"] for file in one["left_out"]}
    partial = [
        [one["file"], one["partial"], "left out" if one["file"] in left_out else "*"]
        for one in sessions
        if one["partial"]
    ]

    def unsolved(one: dict[str, Any]) -> list[str]:
        problems = series.shown(one)["problems"]
        kinds = (("failed",), ("skipped",), ("pending", "active"))
        return [
            " ".join(id for id, play in problems.items() if play["status"] in kind) or NONE
            for kind in kinds
        ]

    return {
        "all-sessions": [[*head, "began (UTC)", "events", "head"], *rows],
        "partial-sessions-not-in-means-and-comparisons": [["export", "why", "shown as"], *partial],
        "problems-not-solved": series.table(
            ["failed", "skipped", "not finished"], told["series"], unsolved
        ),
    }


def _effort(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    efforts = told["effort"]

    def failures(one: dict[str, Any]) -> list[str]:
        if one["failures"] is None:
            return ["sealed"] * (len(CLASSES) + 1)
        counts = [one["failures"][name] for name in CLASSES]
        return [*map(str, counts), str(sum(counts))]

    used = [name for name in ("ok", *CLASSES) if any(name in one["run_endings"] for one in efforts)]

    def endings(one: dict[str, Any]) -> list[str]:
        return [*(str(one["run_endings"].get(name, 0)) for name in used), str(one["runs"])]

    def at_solve(one: dict[str, Any]) -> list[str]:
        runs = one["runs_at_solve"]
        quartiles = f"{amount(runs['quarter'])}–{amount(runs['three_quarters'])}"
        return [
            *(str(runs["size"]), str(one["submissions"].get("1", 0))),
            *(amount(one["submissions_at_solve"]["mean"], 2), amount(runs["median"])),
            *(quartiles if runs["size"] else NONE, amount(runs["greatest"]), amount(runs["mean"])),
            *(f"{one['runs']:,}", f"{one['graded']:,}"),
        ]

    budgets = (0, 1, 2, 3, 5, 10, 15, 30)

    def within(one: dict[str, Any]) -> list[str]:
        known = {int(n): solved for n, solved in one["within_runs"].items()}
        counts = [max([0, *(k for n, k in known.items() if n <= most)]) for most in budgets]
        return [*map(str, counts), str(one["runs_at_solve"]["size"])]

    of_runs = ["runs, median", "quartiles", "most", "mean", "runs in all", "submissions in all"]
    return {
        "failed-submissions-by-class": series.table([*CLASSES, "failed"], efforts, failures),
        "local-runs-by-how-they-ended": series.table([*used, "runs"], efforts, endings),
        "submissions-and-local-runs-at-solve-time": series.table(
            ["solved", "with 1 submission", "submissions, mean", *of_runs], efforts, at_solve
        ),
        "problems-solved-within-a-number-of-local-runs": series.table(
            [*(f"≤ {most}" for most in budgets), "all"], efforts, within
        ),
    }


def _progress(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    """Return the amounts used until a quarter, half and all of the solved problems were solved."""
    head = ["a quarter", "half", "all of them"]

    def milestones(curve: list[dict[str, int]]) -> list[str]:
        solved = curve[-1]["solved"]
        if not solved:
            return [NONE] * 3
        return [
            f"{next(at['used'] for at in curve if at['solved'] >= part * solved):,}"
            for part in (0.25, 0.5, 1)
        ]

    found = {
        "local-runs-until-a-share-of-the-solved-problems": series.table(
            head, told["effort"], lambda one: milestones(one["by_runs"])
        )
    }
    known = [one for one in told["effort"] if one["by_tokens"]]
    for kind in ("input", "output"):
        found[f"{kind}-tokens-until-a-share-of-the-solved-problems"] = series.table(
            head, known, lambda one, kind=kind: milestones(one[f"by_{kind}_tokens"])
        )

    def totals(one: dict[str, Any]) -> list[str]:
        solved = one["runs_at_solve"]["size"]
        each = amount(one["tokens"] / solved, 0) if one["tokens"] and solved else NONE
        kinds = [amount(one[f"{kind}_tokens"]) for kind in ("input", "output", "reasoning")]
        spent = [amount(one["tokens"]), each, *kinds, amount(one["cost"], 4)]
        return [*milestones(one["by_tokens"]), *spent]

    more = ["in all", "per solved problem", "input", "output", "reasoning", "cost"]
    found["tokens-until-a-share-of-the-solved-problems"] = series.table(
        [*head, *more], known, totals
    )
    return found


def _workspaces(told: dict[str, Any], series: Series) -> dict[str, Rows]:
    def generators(one: dict[str, Any]) -> list[str]:
        seen, made = one["seen"], one["with_generator"]
        languages = sorted(one["languages"].items(), key=lambda each: (-each[1], each[0]))
        return [
            f"{seen} of {seen + one['unseen']}",
            f"{made} ({share(made / seen)})" if seen else NONE,
            f"{one['solved_with_generator']} of {one['solved']}",
            str(one["with_map"]),
            ", ".join(f"{name} {count}" for name, count in languages) or NONE,
            amount(one["ratio"], 2),
            *(str(one[name]) for name in ("helpers", "reused", "widest")),
        ]

    head = [
        "submissions inspected",
        "with generator",
        "solved with generator",
        "with source map",
        "languages",
    ]
    head += ["size ratio", "helpers", "reused", "most problems"]
    found = {"metaprogramming": series.table(head, told["metaprogramming"], generators)}
    if told.get("overlap"):
        size = told["overlap"][0]["size"]
        found[f"overlap-with-references-by-{size}-grams"] = series.table(
            ["programs", "same problem", "greatest", "other problems"],
            told["overlap"],
            lambda one: [
                str(one["programs"]),
                *(share(one[name]) for name in ("same", "greatest", "other")),
            ],
        )
    return found


def _ablations(told: dict[str, Any]) -> dict[str, Rows]:
    head = ["solver", "language", "protocol", "sessions", "mean"]
    rows = [
        [
            *(one["solver"], one["language"] or f"all {len(one['languages'])} languages"),
            *(one["protocol"], str(one["sessions"]), share(one["mean"])),
            *(share(one["baseline_mean"]), str(one["baseline_sessions"])),
            *(points(one["difference"]), ends_in_points(one["interval"])),
        ]
        for one in told["ablations"]
    ]
    found = {
        "means-against-the-headline": [
            [*head, "primary", "primary sessions", "difference", "95 % interval"],
            *rows,
        ]
    }
    rows = [
        [
            *(one["solver"], one["language"], one["protocol"]),
            "unlimited" if one["runs"] is None else str(one["runs"]),
            *(str(one["sessions"]), share(one["share"]), ends(one["interval"])),
        ]
        for one in told["budgets"]
    ]
    head = ["solver", "language", "protocol", "local runs", "sessions", "mean", "95 % interval"]
    found["share-solved-by-budget-of-local-runs"] = [head, *rows]
    return found
