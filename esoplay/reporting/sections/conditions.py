"""The report that compares conditions: each is a model, a language and a regime.

Its data are evaluations of models and, if there are any, sessions of agents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from esolangs.wording import plural
from esoplay.reporting import publications
from esoplay.reporting.ablations import DEFAULT_BASELINE
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.category_charts import TierCurve, draw_heat_map, draw_tier_curves
from esoplay.reporting.charts import (
    ChartRow,
    ShareCell,
    ValueAxis,
    draw_ranges,
    draw_stacks,
)
from esoplay.reporting.condition_figures import ConditionFigures
from esoplay.reporting.conditions import AGENT_SESSION
from esoplay.reporting.document import (
    Block,
    Document,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.report import RefusedExport, Report
from esoplay.reporting.sections.ablations import ablation_sections, budget_sections
from esoplay.reporting.sections.comparison import TOGETHER_NOTE, paired_section
from esoplay.reporting.sections.condition_effort import (
    attempt_section,
    cost_section,
    repeated_run_sections,
    tax_sections,
)
from esoplay.reporting.sections.document import agent_sections, overview_sections
from esoplay.reporting.sections.effort import effort_sections
from esoplay.reporting.sections.external import external_sections
from esoplay.reporting.sections.generators import generator_sections
from esoplay.reporting.sections.overlap import overlap_sections
from esoplay.reporting.sections.progress import progress_sections
from esoplay.reporting.sections.solved_problems import problem_section
from esoplay.reporting.sections.wording import (
    CONDITION_COLUMNS,
    categories_text,
    condition_cells,
    condition_label,
    in_percent,
    percent,
    round_half_up,
    toolchain_table,
)
from esoplay.reporting.statistics import arithmetic_mean


def write_condition_report(
    figures: ConditionFigures, refused: Sequence[RefusedExport], title: str
) -> Document:
    """Return the report on evaluations and sessions.

    If no trial is finished, the part on evaluations only lists the files that were read.
    refused: the evaluation files that could not be used.
    """
    sessions = figures.sessions
    sections = [_results_overview(figures, refused)]
    if sessions is not None:
        sections += [*overview_sections(sessions), *agent_sections(sessions)]
    if figures.standings:
        sections += [
            _solved_section(figures),
            *_tier_section(figures),
            *_category_section(figures),
            _errors(figures),
            attempt_section(figures),
            *repeated_run_sections(figures),
            cost_section(figures),
            *_comparison(figures),
            *tax_sections(figures),
            *external_sections(figures.external),
        ]
    if sessions is not None and sessions.series:
        sections += _session_only_sections(sessions)
    return Document(title, tuple(sections))


_SESSION_ONLY_REASONS = {
    "Problem by problem": "evaluations have no order of problems",
    "Errors": "evaluations have no submissions and no local runs",
    "Submissions and local runs": "evaluations have no local runs",
    "Success by run budget": "evaluations have no budget of local runs",
    "Solved against local runs": "evaluations have no local runs",
    "Solved against tokens": "evaluations have no order of problems",
    "Metaprogramming": "evaluations have no workspaces with generators and helpers",
    "Overlap with references": "result files of evaluations contain no programs",
    "Ablations": "evaluations have no protocols",
}
"""The reason why evaluations lack a section that sessions have, by the section's title."""
_OTHER_TITLES = {"Errors": "Errors of submissions and local runs"}


def _session_only_sections(sessions: Report) -> list[Section]:
    """Return the sections that only sessions have, each with the reason why evaluations lack it."""
    found = [
        problem_section(sessions),
        *effort_sections(sessions),
        *budget_sections(sessions),
        *progress_sections(sessions),
        *generator_sections(sessions),
        *overlap_sections(sessions),
        *ablation_sections(sessions),
    ]
    return [
        Section(
            _OTHER_TITLES.get(title, title),
            [Paragraph(f"Only for sessions: {_SESSION_ONLY_REASONS[title]}."), *blocks],
        )
        for title, blocks in found
    ]


def _results_overview(figures: ConditionFigures, refused: Sequence[RefusedExport]) -> Section:
    evaluated = [one for one in figures.standings if not one.session]
    trials = sum(one.total for one in evaluated)
    models = list(dict.fromkeys(one.model for one in evaluated))
    told = f"{plural(trials, 'trial')} of {plural(len(models), 'model')}."
    rows = [
        [
            one.file,
            one.results.terms.model,
            f"{one.results.terms.pack} {one.results.terms.pack_version}",
            one.results.terms.dialect,
            one.results.terms.feedback,
            "all" if one.results.terms.examples is None else str(one.results.terms.examples),
            one.results.terms.compare,
            one.results.terms.limits_in_words or "usual",
            str(len(one.results.left)),
        ]
        for one in figures.evaluations
    ]
    columns = [
        *(
            text_column("file"),
            text_column("model"),
            text_column("pack"),
            text_column("dialect"),
            text_column("feedback"),
        ),
        *(
            text_column("examples"),
            text_column("compare"),
            text_column("limits"),
            TableColumn("unfinished"),
        ),
    ]
    blocks: list[Block] = [Paragraph(told), ReportTable("Evaluation files", columns, rows)]
    versions = Counter(
        (trial.language, trial.toolchain)
        for one in figures.evaluations
        for trial in one.results.trials
        if trial.toolchain is not None
    )
    if versions:
        blocks.append(toolchain_table(versions, "trials"))
    if not trials and figures.evaluations:
        blocks.append(
            Paragraph(
                "No trial of `--task solve` is finished, and this report covers only that task."
            )
        )
    if refused:
        left_out = [[one.file, one.reason] for one in refused]
        heads = [text_column("file"), text_column("reason")]
        blocks.append(ReportTable("Refused files, left out of the results", heads, left_out))
    return Section("Evaluations", blocks)


_SOLVED_NOTE = (
    "Intervals are at 95 %: Wilson's over all trials, and by percentile bootstrap over problems, "
    "which takes into account that runs of one problem are not independent. Mean and SD (n − 1) "
    "are of the share solved in each run."
)


_SESSIONS_NOTE = (
    "Sessions of agents are listed as well, with the solver as the model and "
    f"“{AGENT_SESSION}” as the regime, followed by the protocol unless it is {DEFAULT_BASELINE}. "
    "Each complete session is one run, and each of its problems one trial; partial sessions are "
    "left out."
)


def _solved_section(figures: ConditionFigures) -> Section:
    canvas = SvgCanvas(
        "eval-solved",
        "Share of trials solved",
        "For each language, model and regime: the share solved with its Wilson 95 % interval.",
    )
    models = list(dict.fromkeys(one.model for one in figures.standings))
    rows = [
        ChartRow(
            group=one.language,
            label=f"{one.model}, {one.regime}",
            marker=one.model,
            value=one.share,
            low=one.interval.low,
            high=one.interval.high,
            value_text=percent(one.share),
        )
        for one in sorted(figures.standings, key=lambda one: one.language)
    ]
    draw_ranges(canvas, rows, ValueAxis("share solved", 0, 1, is_percent=True), models, "solved")
    columns = [
        *CONDITION_COLUMNS,
        *map(TableColumn, ("problems", "solved", "of", "share", "Wilson", "bootstrap")),
        *map(TableColumn, ("runs", "mean", "SD")),
    ]
    cells = [
        [
            *condition_cells(one),
            str(one.problems),
            str(one.solved),
            str(one.total),
            percent(one.share),
            in_percent(one.interval),
            in_percent(one.bootstrap),
            str(one.over_runs.size),
            percent(one.over_runs.mean),
            "–" if one.over_runs.deviation is None else percent(one.over_runs.deviation),
        ]
        for one in figures.standings
    ]
    reproduced = publications.ACCURACY
    counts = publications.ACCURACY
    if figures.sessions is not None:
        reproduced = publications.join_publications(publications.ACCURACY, publications.MAIN)
        counts = publications.join_publications(publications.ACCURACY, publications.MAIN_INTERVALS)
    blocks: list[Block] = [
        *([] if figures.sessions is None else [Paragraph(_SESSIONS_NOTE)]),
        Paragraph(_SOLVED_NOTE),
        Picture(canvas, reproduced),
        _matrix(figures)._replace(reproduces=reproduced),
        ReportTable(
            "Accuracy by model, language and regime",
            columns,
            cells,
            bars=[one.share for one in figures.standings],
            reproduces=counts,
        ),
    ]
    return Section("Solved", blocks)


def _matrix(figures: ConditionFigures) -> ReportTable:
    """Return the table of solved shares by model and regime, with a column for each language.

    If there are several unfamiliar languages, the last column has their means.
    """
    languages = list(dict.fromkeys(one.language for one in figures.standings))
    unfamiliar = [language for language in languages if language not in figures.familiar]
    shares = {(one.model, one.regime, one.language): one.share for one in figures.standings}
    keys = dict.fromkeys((one.model, one.regime) for one in figures.standings)
    rows: list[list[str]] = []
    for key in keys:
        found = {name: shares[*key, name] for name in languages if (*key, name) in shares}
        row = [
            *key,
            *(round_half_up(100 * found[name]) if name in found else "–" for name in languages),
        ]
        if len(unfamiliar) > 1:
            known = [found[name] for name in unfamiliar if name in found]
            complete = len(known) == len(unfamiliar)
            row.append(round_half_up(100 * arithmetic_mean(known)) if complete else "–")
        rows.append(row)
    columns = [text_column("model"), text_column("regime"), *map(TableColumn, languages)]
    if len(unfamiliar) > 1:
        columns.append(
            TableColumn("mean" if unfamiliar == languages else "mean of unfamiliar languages")
        )
    return ReportTable("Share solved in percent", columns, rows)


def _tier_section(figures: ConditionFigures) -> Iterator[Section]:
    """Yield the section on tiers, with a curve for each condition.

    Yields nothing for fewer than two tiers.
    """
    tiers = figures.tiers
    if len(tiers) < 2:
        return
    canvas = SvgCanvas(
        "eval-by-tier",
        "Share of trials solved by tier",
        "A panel for each language, a line for each model and regime: the share solved in each "
        "tier, from the easiest to the hardest.",
    )
    curves = [
        TierCurve(
            one.language,
            f"{one.model}, {one.regime}",
            {tier: solved / total for tier, (solved, total) in one.tiers.items()},
        )
        for one in sorted(figures.standings, key=lambda one: one.language)
    ]
    draw_tier_curves(canvas, curves, tiers, list(dict.fromkeys(curve.name for curve in curves)))
    table = _counts_table(figures, "tier", tiers, [one.tiers for one in figures.standings])
    picture = Picture(canvas, publications.TIERS)
    yield Section("Tiers", [picture, table._replace(reproduces=publications.TIERS)])


def _category_section(figures: ConditionFigures) -> Iterator[Section]:
    """Yield the section with the shares solved by category, if there are several categories."""
    names = figures.categories
    if len(names) < 2:
        return
    canvas = SvgCanvas(
        "eval-by-category",
        "Share of trials solved by category",
        "A cell for each condition and category, in a stronger colour for a greater share solved.",
    )
    cells = [
        (
            condition_label(one),
            {
                name: ShareCell(solved / total, f"{solved}/{total}")
                for name, (solved, total) in one.categories.items()
            },
        )
        for one in figures.standings
    ]
    draw_heat_map(canvas, names, cells)
    counts = [one.categories for one in figures.standings]
    table = _counts_table(figures, "category", names, counts)
    picture = Picture(canvas, publications.CATEGORIES)
    about = [] if figures.categorization is None else [categories_text(figures.categorization)]
    blocks = [*about, picture, table._replace(reproduces=publications.CATEGORIES)]
    yield Section("Categories", blocks)


def _counts_table(
    figures: ConditionFigures,
    kind: str,
    names: Sequence[str],
    counts: Sequence[Mapping[str, tuple[int, int]]],
) -> ReportTable:
    rows = [
        [*condition_cells(one), *("/".join(map(str, each.get(name, (0, 0)))) for name in names)]
        for one, each in zip(figures.standings, counts, strict=True)
    ]
    return ReportTable(
        f"Trials solved by {kind}", [*CONDITION_COLUMNS, *map(TableColumn, names)], rows
    )


def _errors(figures: ConditionFigures) -> Section:
    parts = list(dict.fromkeys(name for one in figures.standings for name in one.errors))
    canvas = SvgCanvas(
        "eval-errors",
        "How trials failed",
        "For each condition the number of failed trials by the class of the first failed test.",
    )
    draw_stacks(
        canvas, parts, [(condition_label(one), one.errors) for one in figures.standings], "trials"
    )
    rows = [
        [*condition_cells(one), str(one.solved), *(str(one.errors.get(part, 0)) for part in parts)]
        for one in figures.standings
    ]
    columns = [*CONDITION_COLUMNS, TableColumn("solved"), *map(TableColumn, parts)]
    table = ReportTable("Error profile", columns, rows, reproduces=publications.ERRORS)
    return Section("Errors", [Picture(canvas, publications.ERRORS), table])


def _comparison(figures: ConditionFigures) -> Iterator[Section]:
    compared = figures.compared
    if compared is None:
        return
    made = (
        ""
        if figures.baseline is None
        else f" Each {compared.axis} is compared with {figures.baseline} only."
    )
    about = (
        "The two conditions of a pair have the same problems and differ only in the "
        f"{compared.axis}.{made} McNemar's exact test compares the first runs, problem by problem. "
        "The difference, its interval (percentile bootstrap over problems, "
        f"{figures.resamples:,} samples) and Wilcoxon's signed-rank test (two-sided, exact with "
        f"ties) use, for each problem, the share of runs that solved it. {TOGETHER_NOTE}"
    )
    reproduced = publications.REGIMES if compared.axis == "regime" else publications.NOTHING
    if figures.sessions is not None:
        own = publications.ABLATIONS if compared.axis == "regime" else publications.MAIN
        reproduced = publications.join_publications(reproduced, own)
    yield paired_section(compared, "eval-comparison", "conditions", about, reproduced)
