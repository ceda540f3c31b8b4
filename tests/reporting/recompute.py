"""Recompute the figures of a report with pandas, scipy and statsmodels::

    python tests/reporting/recompute.py REPORT PROBLEMS EXTERNAL.toml FILES…

REPORT is what ``esoplay report FILES… --external EXTERNAL.toml --json`` prints, or the folder that
the same command with ``-o`` writes; of a folder the tables and pictures are checked as well.
PROBLEMS is the folder of the pack.  FILES are results of evaluations, exports of sessions, and,
ending in ``.jsonl``, files of ``--usage``, with the names and in the order that the report had.

It imports nothing of esoplay.  Only the bootstrap draws other samples: an end of an interval may be
a quantile of theirs that is off by ``recompute_comparison.LEVEL``.  The exit status is 1 if any
figure differs, or if the report has a figure, a table or a picture that nothing recomputes.
"""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from recompute_comparison import Comparison
from recompute_conditions import ESOTERIC, comparison, conditions, external, frontier, language_tax
from recompute_pictures import check_pictures, common_pictures, condition_pictures
from recompute_series import series_figures
from recompute_series_views import series_pictures, series_tables
from recompute_sessions import PROTOCOLS, Series, Session, group, session_figures
from recompute_tables import Series as SeriesRows
from recompute_tables import Toolchains, common_tables, condition_tables


def usage_of(files: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            json.loads(line)
            for file in files
            if file.endswith(".jsonl")
            for line in Path(file).read_text("utf-8").splitlines()
        ]
    )


class Inputs:
    """The files of a report: trials of all conditions, and series of sessions.

    Rows are in order of appearance.  With evaluations and sessions they are sorted by model and
    then by language, in order of appearance, evaluations first.  In a report on sessions alone they
    are sorted by solver, then by protocol, then by the name of the language.
    """

    def __init__(self, files: list[str], about: dict[str, Any]):
        usage = usage_of(files)
        texts = {file: Path(file).read_text("utf-8") for file in files if file[-6:] != ".jsonl"}
        data = {file: json.loads(text) for file, text in texts.items()}
        self.evaluations = {
            file: one for file, one in data.items() if one["format"] != "esoplay-session"
        }
        sessions = [
            Session(file, one, usage)
            for file, one in data.items()
            if one["format"] == "esoplay-session"
        ]
        frames: list[pd.DataFrame] = []
        for one in self.evaluations.values():
            frame = pd.json_normalize(one["trials"])
            frame = frame[frame["task"] == "solve"]
            frames.append(frame.assign(model=one["terms"]["model"], session=False))
        pairs = [pair for frame in frames for pair in _named(frame)]
        pairs += [one.name[:2] for one in sessions]
        order = _order(pairs)
        if self.evaluations:
            self.series = group(
                sessions, lambda name: (*order(*name[:2]), PROTOCOLS.index(name[2]))
            )
        else:
            self.series = group(
                sessions, lambda name: (order(*name[:2])[0], PROTOCOLS.index(name[2]), name[1])
            )
        frames += [
            session.trials(about).assign(run=run)
            for one in self.series
            for run, session in enumerate(one.complete, 1)
        ]
        trials = pd.concat(frames, ignore_index=True)
        trials["solved"] = trials["solved"].astype(float)
        trials["category"] = trials["item"].map(lambda item: about[item]["category"])
        if sessions:
            rank = [order(*pair) for pair in _named(trials)]
            trials = trials.iloc[sorted(range(len(rank)), key=lambda row: rank[row])]
        self.trials = trials.reset_index(drop=True)

    def toolchains(self) -> Toolchains:
        trials = [trial for one in self.evaluations.values() for trial in one["trials"]]
        known = [one for one in trials if one.get("toolchain") is not None]
        sessions = [session.started for one in self.series for session in one.sessions]
        lanes = [one for one in sessions if one["language"] not in ESOTERIC]
        counts = {
            "trials": Counter((one["language"], one["toolchain"]) for one in known),
            "sessions": Counter((one["language"], one["versions"]["engine"]) for one in lanes),
        }
        return {heading: found for heading, found in counts.items() if found}


def _named(trials: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(trials["model"], trials["language"], strict=True))


def _order(pairs: list[tuple[str, str]]) -> Callable[[str, str], tuple[int, int]]:
    models = list(dict.fromkeys(model for model, _ in pairs))
    languages = list(dict.fromkeys(language for _, language in pairs))
    return lambda model, language: (models.index(model), languages.index(language))


TERMS = {
    "prompts": "",
    "limits": None,
    "time_limit": None,
    "temperature": None,
    "max_tokens": None,
    "bare": False,
    "derived": None,
    "extra": {},
    "options": {},
}
"""The usual terms, which results need not name."""


def expected_report(
    told: dict[str, Any], inputs: Inputs, about: dict[str, Any], figures: Any, folder: Path
) -> dict[str, Any]:
    """Return the whole report, recomputed; ``told`` only gives its options."""
    trials = inputs.trials
    if not inputs.evaluations:
        return {
            **_usual_members(told, "report"),
            **_only_sessions(told, inputs.series, about, folder),
            **series_figures(told, inputs.series, about, figures),
        }
    currencies = {one["currency"] for one in inputs.evaluations.values()} - {None}
    pack = tomllib.loads((folder / "pack.toml").read_text("utf-8"))
    return {
        **_usual_members(told, "combined-report" if inputs.series else "evaluation-report"),
        "currency": next(iter(currencies)) if len(currencies) == 1 else None,
        "evaluations": [
            {"file": file, "terms": TERMS | one["terms"], "unfinished": one["left"]}
            for file, one in inputs.evaluations.items()
        ],
        "tiers": [name for name in pack["tiers"] if (trials["tier"] == name).any()],
        "categories": [name for name in pack["categories"] if (trials["category"] == name).any()],
        "categorization": None,
        "conditions": conditions(trials),
        "baseline": told["baseline"],
        "comparison": comparison(trials, told["comparison"]["axis"], told["baseline"]),
        "language_tax": language_tax(trials),
        "external": external(trials, figures),
        "by_cost": frontier(trials, "cost"),
        "by_tokens": frontier(trials, "tokens.output"),
        **_only_sessions(told, inputs.series, about, folder),
    }


def _usual_members(told: dict[str, Any], kind: str) -> dict[str, Any]:
    return {
        "format": f"esoplay-{kind}",
        "format_version": 1,
        "esoplay": told["esoplay"],  # the version that wrote the report
        "confidence": 0.95,
        "resamples": 2000,
        "bootstrap_seed": 0,
        "refused": [],
    }


def _only_sessions(
    told: dict[str, Any], series: list[Series], about: dict[str, Any], folder: Path
) -> dict[str, Any]:
    if not series:
        return {}
    sizes = {one["size"] for one in told.get("overlap", [])}
    references = {
        (path.stem, path.parent.parent.name.partition("-")[0]): path.read_bytes()
        for path in sorted(folder.glob("*/references/*"))
    }
    return session_figures(series, about, next(iter(sizes), None), references)


def recompute(arguments: list[str]) -> Comparison:
    report, problems, external_tables, *files = arguments
    path = Path(report, "report.json") if Path(report).is_dir() else Path(report)
    told = json.loads(path.read_text("utf-8"))
    found = [tomllib.loads(path.read_text()) for path in Path(problems).glob("*/problem.toml")]
    about = {one["id"]: one for one in sorted(found, key=lambda one: one["id"])}
    inputs = Inputs(files, about)
    figures = tomllib.loads(Path(external_tables).read_text("utf-8"))
    compared = Comparison()
    expected = expected_report(told, inputs, about, figures, Path(problems))
    compared.compare("report", told, expected)
    if Path(report).is_dir() and not compared.wrong:
        _compare_views(compared, Path(report), told, inputs, about)
    return compared


def _compare_views(
    compared: Comparison, report: Path, told: dict[str, Any], inputs: Inputs, about: dict[str, Any]
) -> None:
    """Compare the tables and pictures in the folder of a report, whose JSON is right."""
    tables = common_tables(told, inputs.toolchains())
    pictures = common_pictures(told, about)
    if inputs.evaluations:
        tables |= condition_tables(told)
        pictures |= condition_pictures(told)
    else:
        tables |= series_tables(told, SeriesRows(told))
        pictures |= series_pictures(told, SeriesRows(told))
    with_rows = {name: rows for name, rows in tables.items() if len(rows) > 1}
    compared.compare("tables", _read_tables(report), with_rows)
    check_pictures(compared.compare, compared.wrong, report / "pictures", pictures)


def _read_tables(report: Path) -> dict[str, list[list[str]]]:
    """Return the cells of all tables in CSV, by file name."""
    return {
        path.stem: list(csv.reader(path.read_text("utf-8").splitlines()))
        for path in sorted(report.glob("tables/*.csv"))
    }


def main() -> int:
    compared = recompute(sys.argv[1:])
    for line in compared.wrong:
        print(line)
    counts: Counter[str] = Counter()
    for path, count in compared.compared.items():
        counts[".".join(path.split(".")[1:3])] += count
    print(json.dumps(counts))
    return 1 if compared.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
