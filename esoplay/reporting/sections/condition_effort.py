"""The sections on the effort of trials (programs, runs, time, tokens, cost) and language tax."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from esolangs.wording import join_names
from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import (
    ChartPoint,
    ChartRow,
    draw_points,
    draw_ranges,
    percentage_point_axis,
)
from esoplay.reporting.condition_figures import ConditionFigures, FrontierPoint
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.sections.wording import (
    CONDITION_COLUMNS,
    condition_cells,
    condition_label,
    format_amount,
    format_points,
    in_points,
    percent,
    single_tax_table,
)


def attempt_section(figures: ConditionFigures) -> Section:
    """Return the section on the number of programs in a trial."""
    numbers = sorted({number for one in figures.standings for number in one.at_attempt})
    rows = [
        [
            *condition_cells(one),
            *(str(one.at_attempt.get(number, 0)) for number in numbers),
            str(one.total - one.solved),
            percent(one.first_attempt),
            format_amount(one.attempts_when_solved, 2),
        ]
        for one in figures.standings
    ]
    columns = [
        *CONDITION_COLUMNS,
        *(TableColumn(f"program {number}") for number in numbers),
        *map(TableColumn, ("not solved", "first attempt", "programs until solved")),
    ]
    told = (
        "The number of trials that were solved by their first program, by their second, and so "
        "on. “First attempt” is the share of all trials that the first program solved; “programs "
        "until solved” is the mean number of programs in solved trials (iterations to green). The "
        "table “Programs of a trial” has the mean number of programs over all trials, by tier."
    )
    means = [
        [
            *condition_cells(one),
            *(format_amount(one.attempts_by_tier.get(tier), 2) for tier in figures.tiers),
            format_amount(one.attempts, 2),
        ]
        for one in figures.standings
    ]
    heads = [*CONDITION_COLUMNS, *map(TableColumn, (*figures.tiers, "all"))]
    return Section(
        "Attempts",
        [
            Paragraph(told),
            *_session_note(figures, "In sessions, the programs are graded submissions."),
            ReportTable("Attempts", columns, rows, reproduces=publications.REPAIRS),
            ReportTable("Programs of a trial", heads, means, reproduces=publications.ATTEMPTS),
        ],
    )


def repeated_run_sections(figures: ConditionFigures) -> Iterator[Section]:
    """Yield the section on repeated runs, if a condition has several runs of each problem."""
    most = max(max(one.pass_at) for one in figures.standings)
    if most < 2:
        return
    ks = [k for k in (1, 2, 3, 5, 10, 20, 50, 100) if k <= most]
    rows = [
        [*condition_cells(one), *(percent(one.pass_at[k]) if k in one.pass_at else "–" for k in ks)]
        for one in figures.standings
    ]
    told = (
        "pass@k is the probability that at least one of k runs solves a problem, by the unbiased "
        "estimator of Chen et al. (2021), averaged over problems."
    )
    columns = [*CONDITION_COLUMNS, *(TableColumn(f"pass@{k}") for k in ks)]
    table = ReportTable("pass@k", columns, rows, reproduces=publications.NOTHING)
    more = _session_note(figures, "In sessions, a run is a complete session.")
    yield Section("Repeated runs", [Paragraph(told), *more, table])


def _session_note(figures: ConditionFigures, text: str) -> list[Paragraph]:
    """Return ``text`` as a paragraph, or nothing if the report has no sessions."""
    return [] if figures.sessions is None else [Paragraph(text)]


_COST_NOTE = (
    "Seconds are the time spent waiting for answers. Tokens and cost are means per trial; "
    "reasoning is a part of the output, 0 where an endpoint does not report it."
)


_SESSION_COST_NOTE = (
    "In sessions, the seconds of a problem are the time from its fetch to its end, including local "
    "runs and grading; its tokens include all answers since the end of the previous problem. "
    "Tokens and cost are as reported by agents or --usage; all costs are taken to be in one "
    "currency."
)


def cost_section(figures: ConditionFigures) -> Section:
    """Return the section on time, tokens and cost.

    Pareto frontiers show the share solved by cost and by output tokens.
    """
    currency = "" if figures.currency is None else f" in {figures.currency}"
    costs = [f"cost{currency}"] if figures.currency or figures.by_cost else []
    columns = [
        *CONDITION_COLUMNS,
        *map(TableColumn, ("median seconds", "seconds in all", "tokens in", "tokens out")),
        *map(TableColumn, ("reasoning", *costs)),
    ]
    rows = [
        [
            *condition_cells(one),
            format_amount(one.median_seconds, 2),
            format_amount(one.seconds),
            format_amount(one.input_tokens),
            format_amount(one.output_tokens),
            format_amount(one.reasoning_tokens),
            *([format_amount(one.cost, 4)] if costs else []),
        ]
        for one in figures.standings
    ]
    table = ReportTable(
        "Time, tokens and cost of a trial", columns, rows, reproduces=publications.SPENT
    )
    blocks: list[Block] = [
        Paragraph(_COST_NOTE),
        *_session_note(figures, _SESSION_COST_NOTE),
        table,
    ]
    for name, title, axis, found in (
        (
            "eval-by-cost",
            "Share solved against cost",
            f"cost per trial{currency}",
            figures.by_cost,
        ),
        (
            "eval-by-tokens",
            "Share solved against output tokens",
            "output tokens per trial",
            figures.by_tokens,
        ),
    ):
        if found:
            blocks += _frontier(name, title, axis, found)
    return Section("Time and cost", blocks)


def _frontier(
    name: str, title: str, axis: str, frontier_points: Sequence[FrontierPoint]
) -> list[Block]:
    canvas = SvgCanvas(
        name,
        title,
        "A marker for each condition; the line is the Pareto frontier.",
    )
    models = list(dict.fromkeys(one.model for one in frontier_points))
    placed = [
        ChartPoint(one.model, condition_label(one), one.amount, one.share, one.best)
        for one in frontier_points
    ]
    draw_points(canvas, placed, models, axis, "share solved")
    rows = [
        [
            *condition_cells(one),
            format_amount(one.amount, 4),
            percent(one.share),
            "yes" if one.best else "–",
        ]
        for one in frontier_points
    ]
    columns = [*CONDITION_COLUMNS, *map(TableColumn, (axis, "share", "on the frontier"))]
    table = ReportTable(f"{title}: the frontier", columns, rows, reproduces=publications.COMPUTE)
    return [Picture(canvas, publications.COMPUTE), table]


def tax_sections(figures: ConditionFigures) -> Iterator[Section]:
    """Yield the section on the language tax, if a model was evaluated in a familiar language."""
    if not figures.taxes:
        return
    canvas = SvgCanvas(
        "eval-language-tax",
        "Language tax",
        "For each language, model and regime: the share solved minus the share in familiar "
        "languages, in percentage points, with its bootstrap 95 % interval.",
    )
    bars = [
        ChartRow(
            group=tax.language,
            label=f"{tax.model}, {tax.regime}",
            marker=tax.model,
            value=100 * tax.loss.tax,
            low=100 * tax.loss.interval.low,
            high=100 * tax.loss.interval.high,
            value_text=format_points(tax.loss.tax),
        )
        for tax in sorted(figures.taxes, key=lambda tax: tax.language)
    ]
    models = list(dict.fromkeys(one.model for one in figures.standings))
    draw_ranges(canvas, bars, percentage_point_axis(bars), models, "points")
    rows = [
        [
            *condition_cells(tax),
            percent(tax.loss.share),
            percent(tax.loss.familiar_share),
            format_points(tax.loss.tax),
            in_points(tax.loss.interval),
            join_names(tax.familiar),
        ]
        for tax in figures.taxes
    ]
    columns = [
        *CONDITION_COLUMNS,
        *map(TableColumn, ("share", "familiar", "tax", "95 % interval")),
        text_column("compared with"),
    ]
    table = ReportTable(
        "Language tax in percentage points", columns, rows, reproduces=publications.TAX
    )
    blocks: list[Block] = [Picture(canvas, publications.TAX), table]
    single = [
        ([*condition_cells(tax), language], found)
        for tax in figures.taxes
        for language, found in tax.each.items()
    ]
    if len(single) > len(rows):
        blocks.append(single_tax_table(CONDITION_COLUMNS, single))
    yield Section("Language tax", blocks)
