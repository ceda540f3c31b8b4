"""What an evaluation keeps in its folder beside the transcript."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from esoplay.errors import UsageError
from esoplay.evaluation.prices import Price
from esoplay.evaluation.results import Results, results_of
from esoplay.evaluation.summary import summary_of
from esoplay.evaluation.tax import language_taxes
from esoplay.evaluation.transcript import Transcript, to_disk
from esoplay.evaluation.trials import FORMAT_NAME, Terms
from esoplay.grading.seeds import read_seed_file, write_seed_file
from esoplay.reporting.document import as_markdown

TERMS_FILE = "evaluation.json"
SEED_FILE = "seed"
RESULTS_FILE = "results.json"
SUMMARY_FILE = "summary.md"


def kept_seed(folder: Path) -> bytes | None:
    """The seed that was drawn for the evaluation in ``folder``, if one was."""
    path = folder / SEED_FILE
    return read_seed_file(path) if path.exists() else None


def begin(folder: Path, terms: Terms, transcript: Transcript, drawn: bytes | None) -> None:
    """Begin an evaluation in ``folder``, or make sure that it goes on under the same terms.

    Where nothing was answered yet, other terms take the place of those before: an address or a name
    was mistyped.  drawn: the seed, where it was not given.  Raises UsageError naming what differs.
    """
    path, wanted = folder / TERMS_FILE, terms.as_json()
    try:
        kept = _terms_in(path)
    except FileNotFoundError:
        kept = None
    if kept is not None and transcript.answers:
        for name, value in wanted.items():
            if name not in kept or kept[name] != value:
                raise UsageError(
                    f"{folder} holds an evaluation with {_said(name, kept.get(name))}, not "
                    f"{_said(name, value)}; name another folder"
                )
    if drawn is not None and kept_seed(folder) != drawn:
        write_seed_file(folder / SEED_FILE, drawn)
        to_disk(folder / SEED_FILE)
    if kept != wanted:
        _write(path, json.dumps(wanted, indent=1) + "\n")


def _terms_in(path: Path) -> dict[str, Any]:
    try:
        found: object = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        found = None
    kept = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if kept.get("format") != FORMAT_NAME:
        raise UsageError(f"{path} is no file of an evaluation; name another folder")
    return kept


def keep_results(
    folder: Path,
    terms: Terms,
    transcript: Transcript,
    tiers: Sequence[str],
    price: Price | None = None,
) -> Results:
    """Write results and summary of all that the transcript holds; returns the results.

    tiers: all that the pack has, in its order.
    """
    results = results_of(terms.as_json(), transcript, price, tiers)
    _write(folder / RESULTS_FILE, json.dumps(results_json(results), indent=1) + "\n")
    _write(folder / SUMMARY_FILE, as_markdown(summary_of(results)))
    return results


def results_json(results: Results) -> dict[str, Any]:
    """The object that ``results.json`` holds."""
    taxes = [tax.as_json() for tax in language_taxes(results.lines)]
    return {**results.as_json(), "language_tax": taxes}


def _write(path: Path, text: str) -> None:
    """Whoever reads it meanwhile, or after a kill or a power cut, sees the old or the new one."""
    half = path.with_name(f".{path.name}.new")
    try:
        with half.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    to_disk(path.parent)


def _said(name: str, value: object) -> str:
    return f"{name.replace('_', ' ')} {json.dumps(value)}"
