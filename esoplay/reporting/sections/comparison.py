"""The sections that compare conditions, and the section on the language tax."""

from __future__ import annotations

from esolangs.wording import join_names, plural
from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import ChartRow, draw_ranges, percentage_point_axis
from esoplay.reporting.comparison import (
    AxisComparison,
    ConditionComparison,
    PairedResult,
    SolverTax,
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
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import (
    SeriesNames,
    format_p_value,
    format_points,
    in_points,
    percent,
    single_tax_table,
)

ALL_MATCHES = "all together"
_ONE_MATCH = "one match"


def comparison_sections(report: Report) -> list[Section]:
    """Return the section that compares conditions; [] if no conditions can be compared."""
    if report.compared is None:
        return []
    reproduced = publications.ABLATIONS if report.compared.axis == "protocol" else publications.MAIN
    about = _describe_pairs(report)
    return [paired_section(report.compared, "comparison", "series", about, reproduced)]


def paired_section(
    compared: AxisComparison, picture_name: str, noun: str, method_text: str, reproduces: str
) -> Section:
    """Return the section that compares pairs of conditions along one axis.

    picture_name: see ``SvgCanvas``.  noun: what is compared, in the plural, such as
    ``conditions``.  method_text: a paragraph on the method.  reproduces: see ``ReportTable``.
    """
    title = f"Comparison by {compared.axis}"
    blocks: list[Block] = []
    if compared.comparisons:
        cells = [_cells(each, pair) for each in compared.comparisons for pair in each.pairs]
        columns = [
            *(text_column("first"), text_column("second"), text_column("match")),
            *map(TableColumn, ("both", "only first", "only second", "neither")),
            *map(TableColumn, ("difference", "95 % interval")),
            *map(TableColumn, ("McNemar p", "corrected", "Wilcoxon p", "corrected")),
        ]
        blocks += [
            Paragraph(method_text),
            Picture(_differences_picture(compared, picture_name), reproduces),
            ReportTable("Paired comparison", columns, cells, reproduces=reproduces),
        ]
    else:
        blocks.append(
            Paragraph(
                f"Nothing to compare: there are no two complete {noun} on the same problems that "
                f"differ only in the {compared.axis}."
            )
        )
    if compared.left_out:
        rows = [[one.name, one.reason] for one in compared.left_out]
        columns = [text_column(noun), text_column("why")]
        blocks.append(ReportTable("Left out of the comparison", columns, rows, is_folded=True))
    return Section(title, blocks)


def _differences_picture(compared: AxisComparison, name: str) -> SvgCanvas:
    canvas = SvgCanvas(
        name,
        f"Differences by {compared.axis}",
        "For each pair of conditions the difference of the shares solved in percentage points, the "
        "first minus the second, with its bootstrap 95 % interval.",
    )
    rows = [
        ChartRow(
            group=f"{each.first} minus {each.second}",
            label=pair.match or ALL_MATCHES,
            marker=ALL_MATCHES if pair.match is None else _ONE_MATCH,
            value=100 * pair.difference,
            low=100 * pair.interval.low,
            high=100 * pair.interval.high,
            value_text=format_points(pair.difference),
        )
        for each in compared.comparisons
        for pair in each.pairs
    ]
    draw_ranges(canvas, rows, percentage_point_axis(rows), [_ONE_MATCH, ALL_MATCHES], "points")
    return canvas


def _describe_pairs(report: Report) -> str:
    return (
        "The two series of a pair have the same problems and differ only in the property in the "
        "heading. McNemar's exact test compares the headline sessions, problem by problem. The "
        "difference, its interval (percentile bootstrap over problems, "
        f"{report.options.resamples:,} samples) and Wilcoxon's signed-rank test "
        "(two-sided, exact with ties) use, for each problem, the share of complete sessions that "
        f"solved it. {TOGETHER_NOTE}"
    )


TOGETHER_NOTE = (
    "In the row “all together”, McNemar's test assumes that the matches are independent; "
    "Wilcoxon's test, which uses one value for each problem, does not. “Corrected” uses "
    "Bonferroni's correction for the number of tests of the same kind in this table."
)


def _cells(comparison: ConditionComparison, pair: PairedResult) -> list[str]:
    return [
        *(comparison.first, comparison.second, pair.match or ALL_MATCHES),
        *(str(pair.both), str(pair.only_first), str(pair.only_second), str(pair.neither)),
        *(format_points(pair.difference), in_points(pair.interval)),
        *(format_p_value(pair.mcnemar), format_p_value(pair.mcnemar_corrected)),
        *(format_p_value(pair.wilcoxon.p), format_p_value(pair.wilcoxon_corrected)),
    ]


# The language tax.


def tax_sections(report: Report) -> list[Section]:
    """Return the section on the language tax, if any session used a familiar language.

    The tax is the share solved in another language minus the mean share in the familiar ones.
    """
    played = sorted({one.language for one in report.series} & set(report.options.familiar))
    if not played:
        return []
    blocks: list[Block] = [Paragraph(f"Familiar languages: {join_names(played)}. {_TAX_NOTE}")]
    names = SeriesNames(report)
    if report.taxes:
        blocks += [Picture(_picture(report, names), publications.TAX), _table(report, names)]
        single = [
            ([*names.label_cells(one.solver, _language(one), one.protocol), language], found)
            for one in report.taxes
            for language, found in one.each.items()
        ]
        if len(single) > len(report.taxes):
            blocks.append(single_tax_table(names.columns, single))
    left_out = _languages_left_out(report)
    if left_out:
        columns = [text_column("series"), text_column("why")]
        folded = bool(report.taxes)  # otherwise the section has only this table
        blocks.append(
            ReportTable("Left out of the language tax", columns, left_out, is_folded=folded)
        )
    return [Section("Language tax", blocks)]


_TAX_NOTE = (
    "The tax of a language is the share of problems that a solver solves in it minus its mean "
    "share in the familiar languages, on the same problems: −30 points are 30 fewer of 100 "
    "problems solved. Each share counts all complete sessions under the same protocol; if the "
    "familiar languages were played only under one other protocol, their shares are from that "
    "protocol, which is named. “All together” is the mean over a solver's languages. Intervals are "
    "by bootstrap over problems: they show the influence of the choice of problems, but not the "
    "variation between sessions."
)


def _picture(report: Report, names: SeriesNames) -> SvgCanvas:
    canvas = SvgCanvas(
        "language-tax",
        "Language tax",
        "For each language and solver: the share solved minus the share in familiar languages, in "
        "percentage points, with its bootstrap 95 % interval; negative values are losses.",
    )
    rows = [
        ChartRow(
            group=one.language or ALL_MATCHES,
            label=names.with_protocol(one.solver, one.protocol),
            marker=one.solver,
            value=100 * one.tax,
            low=100 * one.interval.low,
            high=100 * one.interval.high,
            value_text=format_points(one.tax),
        )
        for one in sorted(report.taxes, key=lambda one: (one.language is None, one.language or ""))
    ]
    draw_ranges(canvas, rows, percentage_point_axis(rows), names.solvers, "points")
    return canvas


def _table(report: Report, names: SeriesNames) -> ReportTable:
    columns = [
        *names.columns,
        *(text_column("familiar"), TableColumn("solved"), TableColumn("in familiar languages")),
        *(TableColumn("tax"), TableColumn("95 % interval")),
    ]
    rows = [
        [
            *names.label_cells(one.solver, _language(one), one.protocol),
            *(_familiar(one), percent(one.share), percent(one.familiar_share)),
            *(format_points(one.tax), in_points(one.interval)),
        ]
        for one in report.taxes
    ]
    caption = "Language tax in percentage points"
    return ReportTable(caption, columns, rows, reproduces=publications.TAX)


def _language(tax: SolverTax) -> str:
    return tax.language or f"all {plural(len(tax.languages), 'language')}"


def _familiar(tax: SolverTax) -> str:
    other = "" if tax.familiar_protocol == tax.protocol else f" ({tax.familiar_protocol})"
    return ", ".join(tax.familiar) + other


def _languages_left_out(report: Report) -> list[list[str]]:
    """Return a row for each series in an unfamiliar language for which no tax was computed.

    A row has the name of the series and the reason.
    """
    taxed = {(one.solver, one.language, one.protocol) for one in report.taxes}
    lacking = "no complete session of this solver in a familiar language, on the same problems"
    return [
        [one.name, one.shown_session.partial_reason or lacking]
        for one in report.series
        if one.language not in report.options.familiar
        and (one.solver, one.language, one.protocol) not in taxed
    ]
