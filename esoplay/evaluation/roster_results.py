"""Write the files of a roster: ``roster.json`` with the folders of its runs, and a summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.wording import plural
from esoplay.evaluation.reports import SUMMARY_FILE, replace_file
from esoplay.evaluation.results import ResultTable
from esoplay.evaluation.rosters import Roster, RosterRun
from esoplay.reporting.document import (
    Document,
    Paragraph,
    ReportTable,
    Section,
    TableColumn,
    as_markdown,
    text_column,
)
from esoplay.reporting.saved_evaluations import ROSTER_FILE
from esoplay.reporting.sections.wording import format_amount, in_percent, percent

FORMAT_NAME = "esoplay-roster"
FORMAT_VERSION = 1


class RosterResult(NamedTuple):
    """Results of one run of a roster; ``results`` is None before the run was started."""

    run: RosterRun
    results: ResultTable | None

    def as_json(self) -> dict[str, Any]:
        results = self.results
        lines = () if results is None else results.lines
        return {
            "name": self.run.model.name,
            "regime": self.run.regime,
            "folder": str(self.run.folder),
            "state": self.state,
            "solved": sum(line.solved for line in lines),
            "total": sum(line.total for line in lines),
            "left": 0 if results is None else len(results.unfinished),
            "input_tokens": sum(line.tokens.input for line in lines),
            "output_tokens": sum(line.tokens.output for line in lines),
            "cost": None if results is None or results.cost is None else float(results.cost),
        }

    @property
    def state(self) -> str:
        """State of the run, such as ``not started``."""
        if self.results is None:
            return "not started"
        return "unfinished" if self.results.unfinished else "finished"


def roster_json(roster: Roster, results: Sequence[RosterResult]) -> dict[str, Any]:
    """Return the contents of ``roster.json``: the title and the results of all runs."""
    return {
        "format": FORMAT_NAME,
        "format_version": FORMAT_VERSION,
        "title": roster.title,
        "runs": [each.as_json() for each in results],
    }


def save_roster(folder: Path, roster: Roster, results: Sequence[RosterResult]) -> None:
    """Write ``roster.json`` and the summary into the folder for results."""
    replace_file(folder / ROSTER_FILE, json.dumps(roster_json(roster, results), indent=1) + "\n")
    replace_file(folder / SUMMARY_FILE, as_markdown(roster_summary(roster, results)))


def roster_summary(roster: Roster, results: Sequence[RosterResult]) -> Document:
    """Return the tables of all runs: solved trials by model, regime and language, and costs."""
    rows: list[list[str]] = []
    shares: list[float] = []
    for run, found in results:
        for line in () if found is None else found.lines:
            cost = "–"
            if found is not None and line.cost is not None:
                cost = f"{format_amount(float(line.cost), 4)} {found.currency}"
            rows.append(
                [
                    *(run.model.name, run.regime, line.language),
                    *(str(line.solved), str(line.total), percent(line.solved / line.total)),
                    in_percent(line.interval),
                    *(f"{line.turns:,}", f"{line.tokens.input:,}", f"{line.tokens.output:,}", cost),
                ]
            )
            shares.append(line.solved / line.total)
    names = ("solved", "of", "share", "95 % interval", "answers", "tokens in", "tokens out", "cost")
    heads = [
        text_column("model"),
        text_column("regime"),
        text_column("language"),
        *map(TableColumn, names),
    ]
    blocks = [ReportTable("Solved, by model, regime and language", heads, rows, shares)]
    left = [each for each in results if each.state != "finished"]
    about = [Paragraph(f"{plural(len(results), 'run')}, {len(results) - len(left)} finished.")]
    if left:
        names_left = ", ".join(f"{each.run.folder} ({each.state})" for each in left)
        about.append(
            Paragraph(f"Not finished: {names_left}. Run the same command again to continue them.")
        )
    return Document(roster.title, [Section("Solved", [*about, *(blocks if rows else [])])])
