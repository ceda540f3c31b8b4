"""Reports on evaluations of models, optionally together with sessions of agents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from msgspec import to_builtins

from esoplay.benchmark.report_packs import (
    PackSources,
    find_catalogues,
    find_packs,
    named_pack,
    references_for,
)
from esoplay.benchmark.reports import (
    FinishedReport,
    Load,
    Progress,
    familiar_languages,
    read_exports,
)
from esoplay.errors import UsageError
from esoplay.reporting.condition_figures import (
    AXES,
    ConditionFigures,
    ConditionOptions,
    compute_figures,
)
from esoplay.reporting.conditions import ReportedCondition
from esoplay.reporting.played_sessions import PlayedSession
from esoplay.reporting.report import RefusedExport, Report, ReportOptions, make_report, to_json_data
from esoplay.reporting.saved_evaluations import (
    FORMAT,
    Evaluation,
    EvaluationRefused,
    group_conditions,
    read_evaluation,
)
from esoplay.reporting.sections.conditions import write_condition_report
from esoplay.reporting.session_conditions import make_series_conditions
from esoplay.reporting.statistics import CONFIDENCE
from esoplay.reporting.usage import read_usage
from esoplay.version import VERSION

TITLE = "Evaluation report"
COMBINED_TITLE = "Report on evaluations and sessions"
RESULTS_FILE = "results.json"
_SESSION_FIELDS = (
    *("sessions", "series", "effort", "metaprogramming", "ablations", "budgets"),
    *("overlap", "agents"),
)
"""The fields of a session report that are missing from an evaluation report."""


def may_be_evaluation(path: Path) -> bool:
    """Return whether ``path`` is a results file of an evaluation, or any folder.

    Whether a folder contains an evaluation is not checked here.
    """
    if path.is_dir():
        return True
    try:
        with path.open("rb") as file:
            return is_results(file.read(100))
    except OSError:
        return False


def is_results(data: bytes) -> bool:
    """Return whether the first bytes of a file identify the results of an evaluation."""
    return FORMAT.encode() in data[:100]


def evaluation_report(
    files: Sequence[tuple[str, Callable[[], bytes]]],
    options: ConditionOptions,
    *,
    exports: Sequence[tuple[str, Load]] = (),
    session_options: ReportOptions | None = None,
    usage: Mapping[str, bytes] | None = None,
    familiar: Collection[str] | None = None,
    packs: PackSources | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> FinishedReport:
    """Return one report on evaluation results and session exports.

    session_options: options for the sections on sessions.  usage: files with the sessions' token
    counts.  packs: where to find packs that are not installed.  Raises UsageError for invalid
    options, PackError if a pack is invalid, and, unless ``keep_going``, EvaluationRefused or
    ExportRefused for a file that cannot be used.
    """
    evaluations, refused = _read(files, keep_going)
    sources = packs or PackSources()
    named = named_pack(sources)
    own = session_options or ReportOptions()
    sessions, refused_exports = read_exports(
        exports,
        with_programs=own.overlap is not None,
        keep_going=keep_going,
        progress=progress,
    )
    names = {one.results.terms.pack for one in evaluations} | {one.pack for one in sessions}
    if named is not None and names and named.id not in names and not (refused or refused_exports):
        used = ", ".join(sorted(names))
        raise UsageError(f"no file of this report uses pack {named.id}; the files use {used}")
    found = find_packs(sources, sessions)
    catalogues = find_catalogues(names, found, options.categories)
    conditions = group_conditions(evaluations)
    report: Report | None = None
    if exports:
        token_usage = read_usage(usage or {})
        own = replace(own, references=references_for(sessions, found, own))
        order = _row_order(conditions, sessions)
        report = make_report(
            sessions,
            refused_exports,
            catalogues,
            token_usage,
            own,
            order=lambda one: order(one.solver, one.language),
        )
        conditions += make_series_conditions(report.series, catalogues, token_usage)
        conditions.sort(key=lambda one: order(one.model, one.language))
    played = {one.language for one in conditions}
    options = options._replace(familiar=familiar_languages(played, familiar))
    options = _with_axis_of_baseline(conditions, options)
    figures = compute_figures(evaluations, report, conditions, catalogues, options)
    return FinishedReport(
        TITLE if report is None else COMBINED_TITLE,
        [*refused, *refused_exports],
        partial(write_condition_report, figures, refused),
        partial(_figures_as_json, figures, [*refused, *refused_exports]),
    )


def _row_order(
    conditions: Sequence[ReportedCondition], sessions: Sequence[PlayedSession]
) -> Callable[[str, str], tuple[int, int]]:
    """Return a function that returns the sort key of a model and a language, for rows of a table.

    Models and languages are sorted by first appearance: in the evaluations, then in the sessions.
    """
    models = [*(one.model for one in conditions), *(one.solver for one in sessions)]
    languages = [one.language for one in [*conditions, *sessions]]
    rank_of_model = {name: rank for rank, name in enumerate(dict.fromkeys(models))}
    rank_of_language = {name: rank for rank, name in enumerate(dict.fromkeys(languages))}
    return lambda model, language: (rank_of_model[model], rank_of_language[language])


def _read(
    files: Sequence[tuple[str, Callable[[], bytes]]], keep_going: bool
) -> tuple[list[Evaluation], list[RefusedExport]]:
    evaluations: list[Evaluation] = []
    refused: list[RefusedExport] = []
    for name, load in files:
        try:
            one = read_evaluation(name, load())
            group_conditions([*evaluations, one])  # rejects duplicate trials
        except EvaluationRefused as error:
            if not keep_going:
                raise
            refused.append(RefusedExport(error.file, error.reason))
        else:
            evaluations.append(one)
    return evaluations, refused


def _with_axis_of_baseline(
    conditions: Sequence[ReportedCondition], options: ConditionOptions
) -> ConditionOptions:
    """Return the options with ``axis`` set to the axis, such as "model", of the baseline.

    Without a baseline, the options are unchanged.  A model as baseline may be named without its
    settings in parentheses, if only one model fits; its full name then replaces it.  Raises
    UsageError if no condition has the baseline's name.
    """
    if options.baseline is None:
        return options
    axes = AXES if options.axis is None else (options.axis,)
    values = {
        axis: list(dict.fromkeys(str(getattr(one, axis)) for one in conditions)) for axis in axes
    }
    for axis in axes:
        alike = [name for name in values[axis] if name.startswith(f"{options.baseline} (")]
        if options.baseline in values[axis]:
            return options._replace(axis=axis)
        if axis == "model" and len(alike) == 1:
            return options._replace(axis=axis, baseline=alike[0])
    known = "; ".join(f"{axis}: {', '.join(names)}" for axis, names in values.items())
    raise UsageError(f"--baseline: unknown condition {options.baseline!r}; expected one of {known}")


def _figures_as_json(
    figures: ConditionFigures, refused: Sequence[RefusedExport]
) -> dict[str, object]:
    """Return all figures as one JSON object."""
    sessions = {} if figures.sessions is None else figures.sessions.as_json()
    return {
        "format": "esoplay-evaluation-report" if not sessions else "esoplay-combined-report",
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
        "refused": to_json_data(refused),
        "tiers": list(figures.tiers),
        "categories": list(figures.categories),
        "categorization": figures.categorization,
        "conditions": to_json_data(figures.standings),
        "baseline": figures.baseline,
        "comparison": to_json_data(figures.compared),
        "language_tax": to_json_data(figures.taxes),
        "external": to_json_data(figures.external),
        "by_cost": to_json_data(figures.by_cost),
        "by_tokens": to_json_data(figures.by_tokens),
        **{name: sessions[name] for name in _SESSION_FIELDS if name in sessions},
    }
