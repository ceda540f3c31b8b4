"""The sections on solved problems, with the main table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import (
    ChartRow,
    Outcome,
    ShareCell,
    ValueAxis,
    draw_outcomes,
    draw_ranges,
    draw_shares,
)
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.played_sessions import Series
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import (
    PARTIAL,
    SeriesNames,
    categories_text,
    format_amount,
    in_percent,
    percent,
    round_half_up,
)
from esoplay.reporting.standing import PooledShares, Rate, SeriesStanding


def solved_sections(report: Report) -> list[Section]:
    """Return the sections on solved problems: in total, by tier, category and problem."""
    names = SeriesNames(report)
    sections = [Section("Solved", _totals(report, names))]
    for kind, title, rates in _KINDS:
        blocks = _solve_rate_charts(report, names, kind, rates)
        if blocks:
            sections.append(Section(title, blocks))
    return [*sections, problem_section(report)]


def problem_section(report: Report) -> Section:
    """Return the section with the result of every problem."""
    return Section("Problem by problem", _problem_outcomes(report, SeriesNames(report)))


def _totals(report: Report, names: SeriesNames) -> list[Block]:
    columns = [
        *names.columns,
        *(
            TableColumn("solved"),
            TableColumn("%"),
            TableColumn("95 % interval"),
            TableColumn("± at worst"),
        ),
        *(TableColumn("sessions"), TableColumn("others"), TableColumn("mean"), TableColumn("SD")),
    ]
    rows = [[*names.cells(one), *_figures(one)] for one in report.standings]
    shares = [one.rate.share for one in report.standings]
    return [
        Paragraph(_HEADLINE_NOTE),
        Picture(_picture(report, names), publications.MAIN),
        *main_tables(report),
        ReportTable(
            "Problems solved",
            columns,
            rows,
            bars=shares,
            reproduces=publications.MAIN_INTERVALS,
        ),
    ]


_HEADLINE_NOTE = (
    "The first complete session of each series is its headline; “others”, or numbers in brackets, "
    "give the range of its later complete sessions. Mean and SD (n − 1) of a series cover all its "
    "complete sessions, in problems. Mean and SD over solvers or over languages cover headline "
    "shares; means over languages leave out the familiar languages. The spread is the greatest "
    "share minus the least. "
    "Intervals are Wilson's for the headline, in percent; they are not symmetric, and “± at "
    "worst” is their longer side. "
    f"An asterisk {PARTIAL} marks a series without a complete session, here and below: its figures "
    "are not final, and come from the session with the most solved problems."
)


def _figures(standing: SeriesStanding) -> list[str]:
    mark = PARTIAL if standing.partial else ""
    across = standing.across
    return [
        f"{standing.rate.solved}/{standing.rate.total}{mark}",
        round_half_up(100 * standing.rate.share),
        "–" if standing.partial else in_percent(standing.rate.interval),
        "–" if standing.partial else round_half_up(100 * standing.rate.half_width),
        str(len(standing.sessions)),
        "–" if standing.others is None else _range(*standing.others),
        "–" if across is None else format_amount(across.mean),
        "–" if across is None else format_amount(across.deviation),
    ]


def _range(minimum: int, maximum: int) -> str:
    return str(minimum) if minimum == maximum else f"{minimum}–{maximum}"


def _picture(report: Report, names: SeriesNames) -> SvgCanvas:
    canvas = SvgCanvas(
        "solved",
        "Share of problems solved",
        "For each language and solver: the share solved in the headline session, the first "
        "complete one, with its Wilson 95 % interval. Short strokes are other sessions. An open "
        "ring marks a series without a complete session.",
    )
    rows: list[ChartRow] = []
    for one in sorted(report.standings, key=lambda one: one.language):
        total = one.rate.total
        rows.append(
            ChartRow(
                group=one.language,
                label=names.with_protocol(one.solver, one.protocol),
                marker=one.solver,
                value=one.rate.share,
                low=None if one.partial else one.rate.interval.low,
                high=None if one.partial else one.rate.interval.high,
                value_text=f"{one.rate.solved}/{total}{PARTIAL if one.partial else ''}"
                + (f" ({_range(*one.others)})" if one.others else ""),
                others=[count / total for count in one.sessions[1:]],
                is_partial=one.partial is not None,
            )
        )
    draw_ranges(
        canvas,
        rows,
        ValueAxis("solved", 0, 1, is_percent=True),
        names.solvers,
        "solved (other sessions)",
    )
    return canvas


_Rates = Callable[[SeriesStanding], Mapping[str, Rate]]
_KINDS: tuple[tuple[str, str, _Rates], ...] = (
    ("tier", "By tier", lambda one: one.tiers),
    ("category", "By category", lambda one: one.categories),
)


def _solve_rate_charts(report: Report, names: SeriesNames, kind: str, rates: _Rates) -> list[Block]:
    groups = list(dict.fromkeys(name for one in report.standings for name in rates(one)))
    if not groups:
        return []
    canvas = SvgCanvas(
        f"by-{kind}",
        f"Problems solved by {kind}",
        f"For each series and {kind} the number of problems solved out of all, and a bar for the "
        "share.",
    )
    shown = [
        (
            names.label(one),
            {
                name: ShareCell(each.share, f"{each.solved}/{each.total}")
                for name, each in rates(one).items()
            },
        )
        for one in report.standings
    ]
    draw_shares(canvas, groups, shown)
    rows = [
        [
            *names.cells(one),
            *(_with_interval(rates(one).get(name), bool(one.partial)) for name in groups),
        ]
        for one in report.standings
    ]
    columns = [*names.columns, *map(TableColumn, groups)]
    reproduced = publications.TIERS if kind == "tier" else publications.CATEGORIES
    chosen = {one.categorization for one in report.catalogues.values()} - {None}
    whose = [categories_text(str(name)) for name in chosen if kind == "category"]
    about = (
        f"The headline session of each series, by {kind} of the problems; in brackets Wilson's "
        "95 % interval in percent, which is wide for few problems."
    )
    return [
        Paragraph(about),
        *whose,
        Picture(canvas, reproduced),
        ReportTable(
            f"Solved, with Wilson 95 % intervals in percent, by {kind}",
            columns,
            rows,
            reproduces=reproduced,
        ),
    ]


def _with_interval(rate: Rate | None, partial: bool) -> str:
    if rate is None:
        return "–"
    if partial:
        return f"{rate.solved}/{rate.total}{PARTIAL}"
    low, high = (round_half_up(100 * end, 0) for end in rate.interval)
    return f"{rate.solved}/{rate.total} ({low}–{high})"


def _problem_outcomes(report: Report, names: SeriesNames) -> list[Block]:
    canvas = SvgCanvas(
        "problems",
        "The outcome of every problem",
        "For each series a filled square for each solved problem, a cross for each that failed, a "
        "dash for each that was skipped, and a ring for each that was not finished.",
    )
    packs = {one.pack for one in report.series}
    problems = list(dict.fromkeys(problem for one in report.series for problem in one.problems))
    catalogue = report.catalogues.get(next(iter(packs))) if len(packs) == 1 else None
    tiers = catalogue.by_tier(problems) if catalogue else {}
    titles = {problem: catalogue.title(problem) for problem in problems} if catalogue else {}
    draw_outcomes(
        canvas,
        list(tiers.items()) or [("", problems)],
        [(names.label(one), _outcomes(one)) for one in report.series],
        titles,
    )
    rows = [
        [
            *names.cells(one),
            _ids(outcomes, "failed"),
            _ids(outcomes, "skipped"),
            _ids(outcomes, "open"),
        ]
        for one, outcomes in ((one, _outcomes(one)) for one in report.series)
    ]
    columns = [
        *names.columns,
        text_column("failed"),
        text_column("skipped"),
        text_column("not finished"),
    ]
    about = (
        "The headline session of each series, problem by problem, in the order of the session; "
        "hover over a marker to see its problem."
    )
    return [
        Paragraph(about),
        Picture(canvas, publications.MAIN_INTERVALS),
        ReportTable(
            "Problems not solved",
            columns,
            rows,
            is_folded=True,
            reproduces=publications.MAIN_INTERVALS,
        ),
    ]


def _outcomes(series: Series) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    for problem, play in series.shown_session.problem_records.items():
        if play.solve is not None:
            outcomes[problem] = "solved"
        elif play.status == "failed" or play.status == "skipped":
            outcomes[problem] = play.status
        else:
            outcomes[problem] = "open"
    return outcomes


def _ids(outcomes: Mapping[str, Outcome], outcome_kind: Outcome) -> str:
    return " ".join(id for id, outcome in outcomes.items() if outcome == outcome_kind) or "–"


# The main table: solvers in rows, languages in columns.


def main_tables(report: Report) -> list[ReportTable]:
    """Return a table for each protocol with several solvers or languages.

    Familiar languages are the last columns, after the means over the other languages.
    """
    protocols = dict.fromkeys(one.protocol for one in report.standings)
    tables = [_protocol_table(report, protocol) for protocol in protocols]
    return [table for table in tables if table is not None]


def _protocol_table(report: Report, protocol: str) -> ReportTable | None:
    found = {
        (one.solver, one.language): one for one in report.standings if one.protocol == protocol
    }
    if len(found) < 2:
        return None
    solvers = list(dict.fromkeys(solver for solver, _ in found))
    familiar = report.options.familiar
    languages = sorted({language for _, language in found}, key=lambda one: (one in familiar, one))
    before = sum(one not in familiar for one in languages) or len(languages)
    pooled = {(one.of, one.name): one for one in report.pooled if one.protocol == protocol}
    over_languages = [_pooled_figures(pooled.get(("solver", solver))) for solver in solvers]
    over_solvers = [_pooled_figures(pooled.get(("language", language))) for language in languages]
    names = _POOLED_COLUMNS if any(over_languages) else ()
    rows = [
        [
            solver,
            *(_standing_cell(found.get((solver, language))) for language in languages[:before]),
            *(figures.get(name, "–") for name in names),
            *(_standing_cell(found.get((solver, language))) for language in languages[before:]),
        ]
        for solver, figures in zip(solvers, over_languages, strict=True)
    ]
    if any(over_solvers):
        for name in _POOLED_COLUMNS:
            cells = [figures.get(name, "–") for figures in over_solvers]
            rows.append([name, *cells[:before], *("" for _ in names), *cells[before:]])
    columns = [text_column("solver"), *map(TableColumn, languages[:before])]
    columns += map(TableColumn, (*names, *languages[before:]))
    caption = f"Solved by solver and language, {protocol}"
    return ReportTable(caption, columns, rows, reproduces=publications.MAIN)


_POOLED_COLUMNS = ("mean", "spread", "SD")


def _standing_cell(standing: SeriesStanding | None) -> str:
    if standing is None:
        return "–"
    others = (
        "" if standing.others is None else f" ({'–'.join(map(str, sorted(set(standing.others))))})"
    )
    return (
        f"{standing.rate.solved}/{standing.rate.total}{PARTIAL if standing.partial else ''}{others}"
    )


def _pooled_figures(shares: PooledShares | None) -> dict[str, str]:
    """Return the mean, spread and standard deviation as texts, by column title.

    The spread is the greatest minus the least share. The dictionary is empty if nothing was pooled
    or if there is only one share.
    """
    if shares is None or shares.summary.deviation is None:
        return {}
    summary = shares.summary
    values = (summary.mean, summary.spread, shares.summary.deviation)
    return dict(zip(_POOLED_COLUMNS, map(percent, values), strict=True))
