"""Reports on evaluations of models, made from the folders or results of ``esoplay eval``."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from msgspec import to_builtins

from esoplay.benchmark.reports import (
    ReportFiles,
    document_files,
    familiar_languages,
    find_catalogue,
)
from esoplay.errors import UsageError
from esoplay.reporting.document import Document
from esoplay.reporting.evaluations import (
    AXES,
    EvaluationFigures,
    EvaluationReportOptions,
    figures_of,
)
from esoplay.reporting.report import RefusedExport, plain
from esoplay.reporting.saved_evaluations import (
    FORMAT,
    Evaluation,
    EvaluationRefused,
    conditions_of,
    read_evaluation,
)
from esoplay.reporting.sections.evaluations import write_evaluation_report
from esoplay.reporting.statistics import CONFIDENCE
from esoplay.version import VERSION

TITLE = "Evaluation report"
RESULTS = "results.json"


def is_evaluation(path: Path) -> bool:
    """Return whether this is the folder or the results of an evaluation."""
    if path.is_dir():
        return True
    try:
        with path.open("rb") as file:
            return is_results(file.read(100))
    except OSError:
        return False


def is_results(data: bytes) -> bool:
    """Return whether a file that begins like this has the results of an evaluation."""
    return FORMAT.encode() in data[:100]


def evaluation_figures(
    files: Sequence[tuple[str, Callable[[], bytes]]],
    options: EvaluationReportOptions,
    *,
    familiar: Collection[str] | None = None,
    pack: str | Path | None = None,
    keep_going: bool = False,
) -> tuple[EvaluationFigures, list[RefusedExport]]:
    """Read evaluations and compute their figures; return also the refused files.

    Raises EvaluationRefused unless ``keep_going``, and UsageError.
    """
    evaluations: list[Evaluation] = []
    refused: list[RefusedExport] = []
    for name, load in files:
        try:
            one = read_evaluation(name, load())
            conditions_of([*evaluations, one])  # refuses the same trials twice
        except EvaluationRefused as error:
            if not keep_going:
                raise
            refused.append(RefusedExport(error.file, error.reason))
        else:
            evaluations.append(one)
    played = {trial.language for one in evaluations for trial in one.results.trials}
    packs = sorted({one.results.terms.pack for one in evaluations})
    found = [find_catalogue(name, pack, options.categories) for name in packs]
    catalogues = [each for each in found if each is not None]
    categories = {
        problem: category
        for catalogue in catalogues
        for category in catalogue.categories
        for problem, about in catalogue.problems.items()
        if about.category == category
    }
    options = options._replace(familiar=familiar_languages(played, familiar))
    options = _with_axis_of_baseline(evaluations, options)
    tiers = [tier for catalogue in catalogues for tier in catalogue.tiers]
    return figures_of(evaluations, tiers, categories, options), refused


def _with_axis_of_baseline(
    evaluations: Sequence[Evaluation], options: EvaluationReportOptions
) -> EvaluationReportOptions:
    """Return the options with the axis that the baseline is on.  Raises UsageError."""
    if options.baseline is None:
        return options
    conditions = conditions_of(evaluations)
    axes = AXES if options.by is None else (options.by,)
    values = {
        axis: list(dict.fromkeys(str(getattr(one, axis)) for one in conditions)) for axis in axes
    }
    for axis in axes:
        alike = [name for name in values[axis] if name.startswith(f"{options.baseline} (")]
        if options.baseline in values[axis]:
            return options._replace(by=axis)
        if axis == "model" and len(alike) == 1:
            return options._replace(by=axis, baseline=alike[0])
    known = "; ".join(f"{axis}: {', '.join(names)}" for axis, names in values.items())
    raise UsageError(f"--baseline: no condition is {options.baseline!r}; expected one of {known}")


def evaluation_document(
    figures: EvaluationFigures, refused: Sequence[RefusedExport], title: str = TITLE
) -> Document:
    """Return the report as a document."""
    return write_evaluation_report(figures, refused, title)


def evaluation_json(
    figures: EvaluationFigures, refused: Sequence[RefusedExport]
) -> dict[str, object]:
    """Return every figure as one JSON object."""
    return {
        "format": "esoplay-evaluation-report",
        "format_version": 1,
        "esoplay": VERSION,
        "confidence": CONFIDENCE,
        "resamples": figures.resamples,
        "bootstrap_seed": figures.seed,
        "currency": figures.currency,
        "evaluations": [
            {
                "file": one.file,
                "terms": to_builtins(one.results.terms),
                "unfinished": one.results.left,
            }
            for one in figures.evaluations
        ],
        "refused": plain(refused),
        "tiers": list(figures.tiers),
        "categories": list(figures.categories),
        "categorization": figures.categorization,
        "conditions": plain(figures.standings),
        "baseline": figures.baseline,
        "comparison": plain(figures.compared),
        "language_tax": plain(figures.taxes),
        "external": plain(figures.external),
        "by_cost": plain(figures.by_cost),
        "by_tokens": plain(figures.by_tokens),
    }


def evaluation_files(
    figures: EvaluationFigures,
    refused: Sequence[RefusedExport],
    title: str = TITLE,
    pdf: bool = False,
) -> ReportFiles:
    """Return the report in all forms, by file name; see ``document_files``."""
    data = json.dumps(evaluation_json(figures, refused), indent=1) + "\n"
    return document_files(evaluation_document(figures, refused, title), data, pdf)
