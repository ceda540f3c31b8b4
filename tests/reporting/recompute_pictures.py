"""Check the pictures of a report, for ``recompute.py``, against its JSON, after that was checked.

Each mark of a picture has a hint with its name and value.  The hints are compared, in order, and so
are the places of the marks: on one axis, places must be a linear function of the values.  Intervals
and lines are checked in the same way.  It imports nothing of esoplay.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from recompute_conditions import USUAL_ERRORS
from recompute_sessions import CLASSES
from recompute_tables import Series, amount, named, points, share

NEAR = 0.15
"""Tolerance for a place in pixels; the files have tenths.  An opacity counts as 20 pixels."""
STRONGEST = 0.55  # the opacity of a share of 1


class Mark(NamedTuple):
    """A mark with its hint.

    x, y: the values on the axes, None on an axis without numbers.  panel: marks of one panel have
    the same axes.  ends, others: further values on the horizontal axis, of an interval and of small
    strokes.
    """

    hint: str
    x: float | None = None
    y: float | None = None
    panel: str = ""
    ends: tuple[float, ...] = ()
    others: tuple[float, ...] = ()


class Line(NamedTuple):
    """A line through points, by their values."""

    panel: str
    points: list[tuple[float, float]]


class Picture(NamedTuple):
    marks: list[Mark]
    lines: tuple[Line, ...] = ()


def condition_pictures(told: dict[str, Any]) -> dict[str, Picture]:
    """Return the pictures on evaluations, or on evaluations and sessions together."""
    return {**_solved(told), **_effort(told)}


def common_pictures(told: dict[str, Any], about: dict[str, Any]) -> dict[str, Picture]:
    """Return the pictures that all kinds of reports have, and those on sessions.

    about: the problems of the pack.
    """
    found = _external(told)
    if "sessions" in told:
        series = Series(told)
        found |= {**_problems(told, series, about), **_submissions(told, series)}
        found |= {**_progress(told, series), **_workspaces(told, series), **_ablations(told)}
    return found


def _label(one: dict[str, Any]) -> str:
    return ", ".join(named(one))


def _stacks(rows: Iterable[tuple[str, dict[str, int]]]) -> Picture:
    """Return the segments of bars, whose widths are their numbers."""
    return Picture(
        [
            Mark(f"{name}, {part}: {count}", x=count)
            for name, counts in rows
            for part, count in counts.items()
            if count
        ]
    )


def interval_ends(interval: dict[str, float] | None, factor: float = 1) -> tuple[float, ...]:
    return () if interval is None else (factor * interval["low"], factor * interval["high"])


# Conditions.


def _solved(told: dict[str, Any]) -> dict[str, Picture]:
    conditions = told["conditions"]
    by_language = sorted(conditions, key=lambda one: one["language"])
    solved = [
        Mark(
            f"{one['model']}, {one['regime']}: {share(one['share'])}",
            x=one["share"],
            ends=interval_ends(one["interval"]),
        )
        for one in by_language
    ]
    tiers = [
        Mark(f"{_in_panel(one)}, {tier}: {share(part)}", y=part, panel=one["language"])
        for one in _by_panel(by_language)
        for tier in told["tiers"]
        for part in _parts(one["tiers"].get(tier))
    ]
    categories = [
        Mark(f"{_label(one)}, {name}: {one['categories'][name][0]}/{total}", x=STRONGEST * part)
        for one in conditions
        for name in told["categories"]
        for part in _parts(one["categories"].get(name))
        for total in one["categories"][name][1:]
    ]
    classes = (*USUAL_ERRORS, "rule", "other")
    errors = [
        (_label(one), {name: one["errors"].get(name, 0) for name in classes}) for one in conditions
    ]
    return {
        "eval-solved": Picture(solved),
        "eval-by-tier": Picture(tiers if len(told["tiers"]) > 1 else []),
        "eval-by-category": Picture(categories if len(told["categories"]) > 1 else []),
        "eval-errors": _stacks(errors),
    }


def _in_panel(one: dict[str, Any]) -> str:
    return f"{one['language']}, {one['model']}, {one['regime']}"


def _by_panel(some: list[dict[str, Any]]) -> list[dict[str, Any]]:
    languages = list(dict.fromkeys(one["language"] for one in some))
    return sorted(some, key=lambda one: languages.index(one["language"]))


def _parts(counts: list[int] | None) -> list[float]:
    return [] if counts is None else [counts[0] / counts[1]]


def _effort(told: dict[str, Any]) -> dict[str, Picture]:
    found: dict[str, Picture] = {}
    for kind in ("cost", "tokens"):
        marks = [
            Mark(
                f"{_label(one)}: {share(one['share'])} at {one['amount']:,.4g}",
                x=one["amount"],
                y=one["share"],
            )
            for one in told[f"by_{kind}"]
        ]
        best = [(one["amount"], one["share"]) for one in told[f"by_{kind}"] if one["best"]]
        found[f"eval-by-{kind}"] = Picture(marks, (Line("", best),) if len(best) > 1 else ())
    found["eval-comparison"] = Picture(compared_pairs(told["comparison"]))
    found["eval-language-tax"] = Picture(
        [
            Mark(
                f"{one['model']}, {one['regime']}: {points(one['loss']['tax'])}",
                x=100 * one["loss"]["tax"],
                ends=interval_ends(one["loss"]["interval"], 100),
            )
            for one in sorted(told["language_tax"], key=lambda one: one["language"])
        ]
    )
    return found


def compared_pairs(compared: dict[str, Any]) -> list[Mark]:
    return [
        Mark(
            f"{pair['match'] or 'all together'}: {points(pair['difference'])}",
            x=100 * pair["difference"],
            ends=interval_ends(pair["interval"], 100),
        )
        for one in compared["comparisons"]
        for pair in one["pairs"]
    ]


def _external(told: dict[str, Any]) -> dict[str, Picture]:
    found: dict[str, Picture] = {}
    for kind in ("scores", "corpora"):
        some = [one for one in told["external"] if one["kind"] == kind]
        for at, table in enumerate(dict.fromkeys(one["table"] for one in some)):
            marks = [
                Mark(
                    f"{one['condition']}, {point['name']}: {share(point['share'])} at "
                    f"{point['value']:,g}",
                    x=math.log10(point["value"]) if kind == "corpora" else point["value"],
                    y=point["share"],
                )
                for one in some
                if one["table"] == table
                for point in one["points"]
            ]
            suffix = f"-{'abcdefghijklmnopqrstuvwxyz'[at]}" if at else ""
            found[f"external-{kind}{suffix}"] = Picture(marks)
    return found


# Sessions.


def _problems(told: dict[str, Any], series: Series, about: dict[str, Any]) -> dict[str, Picture]:
    words = {"pending": "open", "active": "open"}
    marks: list[Mark] = []
    for one in told["series"]:
        plays = series.shown(one)["problems"]
        rank = {tier: at for at, tier in enumerate(one["tiers"])}
        for problem in sorted(plays, key=lambda name, rank=rank: rank[about[name]["tier"]]):
            status = plays[problem]["status"]
            outcome = words.get(status, status)
            marks.append(Mark(f"{problem} {about[problem]['title']}: {outcome}"))
    return {"problems": Picture(marks)}


def _submissions(told: dict[str, Any], series: Series) -> dict[str, Picture]:
    efforts = told["effort"]
    errors = [
        (series.label(one), {name: one["failures"][name] for name in CLASSES})
        for one in efforts
        if one["failures"] is not None
    ]
    ordinals = ("1st", "2nd", "3rd", "4th", "5th", "6th or later")

    def submissions(one: dict[str, Any]) -> dict[str, int]:
        counts = dict.fromkeys(ordinals, 0)
        for number, count in one["submissions"].items():
            counts[ordinals[min(int(number), 6) - 1]] += count
        return counts

    runs = [
        Mark(
            f"{series.label(one)}: {amount(of['median'])} "
            f"({amount(of['quarter'])}–{amount(of['three_quarters'])})",
            x=of["median"],
            ends=(of["quarter"], of["three_quarters"]),
            others=(of["greatest"],),
        )
        for one in efforts
        for of in [one["runs_at_solve"]]
        if of["size"]
    ]
    return {
        "errors": _stacks(errors),
        "submissions": _stacks((series.label(one), submissions(one)) for one in efforts),
        "runs": Picture(runs),
    }


def _progress(told: dict[str, Any], series: Series) -> dict[str, Picture]:
    protocols = list(dict.fromkeys(one["protocol"] for one in told["series"]))
    ordered = sorted(
        told["effort"], key=lambda one: (protocols.index(one["protocol"]), one["language"])
    )
    found: dict[str, Picture] = {}
    for kind in ("runs", "input_tokens", "output_tokens"):
        marks: list[Mark] = []
        lines: list[Line] = []
        for one in ordered:
            curve = [(at["used"], at["solved"]) for at in one[f"by_{kind}"] or []]
            if not curve:
                continue
            panel = ", ".join([one["language"], one["protocol"]][: len(series.head) - 1])
            x, y = curve[-1]
            marks.append(Mark(f"{one['solver']}: {y:,} at {x:,}", x, y, panel))
            steps = [curve[0]]
            for at, solved in curve[1:]:
                steps += [(at, steps[-1][1]), (at, solved)]
            lines.append(Line(panel, steps))
        found[f"by-{kind.replace('_', '-')}"] = Picture(marks, tuple(lines))
    return found


def _workspaces(told: dict[str, Any], series: Series) -> dict[str, Picture]:
    some = told["metaprogramming"]

    def reuse(one: dict[str, Any]) -> dict[str, int]:
        spans = np.array(one["spans"])
        return {
            "one problem": int((spans == 1).sum()),
            "2–5 problems": int(((spans >= 2) & (spans <= 5)).sum()),
            "6–20 problems": int(((spans >= 6) & (spans <= 20)).sum()),
            "more than 20": int((spans > 20).sum()),
        }

    def workspaces(one: dict[str, Any]) -> dict[str, int]:
        made = one["with_generator"]
        known = {"with generator": made, "without generator": one["seen"] - made}
        return {**known, "not inspected": one["unseen"]}

    ratios = [
        Mark(
            f"{series.label(one)}: {amount(one['ratio'], 2)} of {len(one['ratios'])}",
            x=one["ratio"],
            ends=tuple(np.quantile(one["ratios"], [0.25, 0.75])),
            others=(max(one["ratios"]),),
        )
        for one in some
        if one["ratios"]
    ]
    overlaps = [
        Mark(
            f"{series.label(one)}: {share(one['same'])}",
            x=one["same"],
            others=() if one["other"] is None else (one["other"],),
        )
        for one in told.get("overlap", [])
        if one["same"] is not None
    ]
    return {
        "generators": _stacks((series.label(one), workspaces(one)) for one in some),
        "helper-reuse": _stacks((series.label(one), reuse(one)) for one in some),
        "generator-ratio": Picture(ratios),
        "overlap": Picture(overlaps),
    }


def _ablations(told: dict[str, Any]) -> dict[str, Picture]:
    ablations = [
        Mark(
            f"{one['solver']}, {one['language'] or 'all together'}: {points(one['difference'])}",
            x=100 * one["difference"],
            ends=interval_ends(one["interval"], 100),
        )
        for one in sorted(told["ablations"], key=lambda one: one["protocol"])
    ]
    budgets = [
        Mark(
            f"{one['language']}, {one['solver']}, "
            f"{'unlimited' if one['runs'] is None else one['runs']}: {share(one['share'])}",
            y=one["share"],
            panel=one["language"],
        )
        for one in _by_panel(told["budgets"])
    ]
    return {"ablations": Picture(ablations), "by-budget": Picture(budgets)}


# Reading pictures.


class Drawing:
    """The marks, lines and strokes of a picture in SVG."""

    def __init__(self, path: Path):
        root = ElementTree.fromstring(path.read_text("utf-8"))
        every = [(_local(one), one) for one in root.iter()]
        self.hints: list[str] = []
        self.places: list[tuple[float, float]] = []
        for name, one in every:
            title = next((each for each in one if _local(each) == "title"), None)
            if name not in ("g", "rect") or title is None:
                continue
            self.hints.append(title.text or "")
            if name == "g":
                found = re.findall(r"-?[\d.]+", one.attrib["transform"])
                self.places.append((float(found[0]), float(found[1])))
            else:
                opacity = one.get("fill-opacity") if path.stem == "eval-by-category" else None
                width = float(one.attrib["width"]) if opacity is None else 20 * float(opacity)
                self.places.append((width, math.nan))
        self.lines = [
            [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", one.attrib["d"])]
            for name, one in every
            if name == "path" and re.fullmatch(r"s\d thin", one.get("class", ""))
        ]
        self._strokes = [
            (one.get("class", ""), *(float(one.attrib[key]) for key in ("x1", "y1", "x2", "y2")))
            for name, one in every
            if name == "line"
        ]

    def ends(self, y: float) -> list[float]:
        """Return the ends of the interval at this height."""
        return [
            x
            for kind, x1, y1, x2, y2 in self._strokes
            if kind.endswith(" bold") and y1 == y2 == y
            for x in (x1, x2)
        ]

    def others(self, y: float) -> list[float]:
        """Return the places of the small strokes at this height."""
        return [
            x1
            for kind, x1, y1, x2, y2 in self._strokes
            if kind == "axis" and x1 == x2 and abs((y1 + y2) / 2 - y) < 0.2 and y2 - y1 < 13
        ]


def _local(one: ElementTree.Element) -> str:
    return one.tag.rpartition("}")[2]


def drawn_values(drawing: Drawing, picture: Picture) -> Iterable[str]:
    """Yield what is wrong with the places of marks, intervals, strokes and lines."""
    horizontal: dict[str, list[tuple[float, float]]] = {}
    vertical: dict[str, list[tuple[float, float]]] = {}
    for mark, (x, y) in zip(picture.marks, drawing.places, strict=True):
        own = horizontal.setdefault(mark.panel, [])
        if mark.x is not None:
            own.append((mark.x, x))
        if mark.y is not None:
            vertical.setdefault(mark.panel, []).append((mark.y, y))
        for kind, values, places in (
            ("interval", mark.ends, drawing.ends(y)),
            ("other values", mark.others, drawing.others(y)),
        ):
            if len(values) != len(places):
                yield f"{mark.hint}: {len(places)} places of {kind}, {len(values)} values"
            own += zip(values, places, strict=False)
    if picture.lines:
        if [len(line.points) for line in picture.lines] != list(map(len, drawing.lines)):
            yield "lines: their numbers of points differ"
            return
        for line, places in zip(picture.lines, drawing.lines, strict=True):
            for value, place in zip(line.points, places, strict=True):
                horizontal.setdefault(line.panel, []).append((value[0], place[0]))
                vertical.setdefault(line.panel, []).append((value[1], place[1]))
    for name, axes in (("horizontal", horizontal), ("vertical", vertical)):
        for panel, pairs in axes.items():
            if len({value for value, _ in pairs}) > 1:
                values, places = np.array(pairs).T
                fitted = np.polyval(np.polyfit(values, places, 1), values)
                furthest = float(np.max(np.abs(places - fitted)))
                if furthest > NEAR:
                    where = f" in panel {panel}" if panel else ""
                    yield f"a place on the {name} axis{where} is off by {furthest:.1f} pixels"


def check_pictures(
    compare: Callable[[str, Any, Any], None],
    wrong: list[str],
    folder: Path,
    expected: dict[str, Picture],
) -> None:
    drawings = {path.stem: Drawing(path) for path in sorted(folder.glob("*.svg"))}
    compare(
        "pictures",
        {name: drawing.hints for name, drawing in drawings.items()},
        {
            name: [mark.hint for mark in picture.marks]
            for name, picture in expected.items()
            if picture.marks
        },
    )
    for name, picture in expected.items():
        if name in drawings and len(drawings[name].hints) == len(picture.marks):
            wrong += (f"pictures.{name}: {why}" for why in drawn_values(drawings[name], picture))
