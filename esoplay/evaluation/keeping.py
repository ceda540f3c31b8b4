"""What an evaluation leaves in its folder beside the transcript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from esoplay.evaluation.prices import Price
from esoplay.evaluation.results import Results, results_of
from esoplay.evaluation.summary import summary_of
from esoplay.evaluation.tax import language_taxes
from esoplay.evaluation.transcript import Transcript
from esoplay.evaluation.trials import Terms
from esoplay.reporting.forms.markdown import as_markdown

RESULTS_FILE = "results.json"
SUMMARY_FILE = "summary.md"


def keep_results(
    folder: Path, terms: Terms, transcript: Transcript, price: Price | None = None
) -> Results:
    """Write results and summary of all that the transcript holds; returns the results."""
    results = results_of(terms.as_json(), transcript, price)
    _write(folder / RESULTS_FILE, json.dumps(results_json(results), indent=1) + "\n")
    _write(folder / SUMMARY_FILE, as_markdown(summary_of(results)))
    return results


def results_json(results: Results) -> dict[str, Any]:
    """The object that ``results.json`` holds."""
    taxes = [tax.as_json() for tax in language_taxes(results.lines)]
    return {**results.as_json(), "language_tax": taxes}


def _write(path: Path, text: str) -> None:
    """Whoever reads it meanwhile sees the old or the new one."""
    half = path.with_name(f".{path.name}.new")
    half.write_text(text, "utf-8", "backslashreplace")
    half.replace(path)
