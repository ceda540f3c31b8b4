"""The report on evaluations of models, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from esolangs.wording import plural
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import (
    Axis,
    ChartPoint,
    ChartRow,
    ShareCell,
    draw_points,
    draw_ranges,
    draw_shares,
    draw_stacks,
)
from esoplay.reporting.document import (
    Block,
    Document,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    words,
)
from esoplay.reporting.evaluations import EvaluationFigures, FrontierPoint, Standing
from esoplay.reporting.report import RefusedExport
from esoplay.reporting.sections.comparison import TOGETHER, paired_section
from esoplay.reporting.sections.wording import (
    format_amount,
    in_percent,
    in_points,
    join_names,
    percent,
    points,
    round_half_up,
)

_NAMES = [words("model"), words("language"), words("regime")]


def write_evaluation_report(
    figures: EvaluationFigures, refused: Sequence[RefusedExport], title: str
) -> Document:
    """Return the document; without finished trials, only what was read."""
    sections = [_about(figures, refused)]
    if figures.standings:
        sections += [
            _solved(figures),
            *_by_group(figures, "tier", "Tiers", figures.tiers, lambda one: one.tiers),
            *_by_group(
                figures, "category", "Categories", figures.categories, lambda one: one.categories
            ),
            _errors(figures),
            _attempts(figures),
            *_repeated(figures),
            _cost(figures),
            *_comparison(figures),
            *_taxes(figures),
        ]
    return Document(title, tuple(sections))


def _names(one: Standing | FrontierPoint) -> list[str]:
    return [one.model, one.language, one.regime]


def _label(one: Standing | FrontierPoint) -> str:
    return ", ".join(_names(one))


def _about(figures: EvaluationFigures, refused: Sequence[RefusedExport]) -> Section:
    trials = sum(one.total for one in figures.standings)
    models = list(dict.fromkeys(one.model for one in figures.standings))
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
            str(len(one.results.left)),
        ]
        for one in figures.evaluations
    ]
    columns = [
        *(words("file"), words("model"), words("pack"), words("dialect"), words("feedback")),
        *(words("examples"), words("compare"), TableColumn("unfinished")),
    ]
    blocks: list[Block] = [Paragraph(told), ReportTable("What was read", columns, rows)]
    if not trials and figures.evaluations:
        blocks.append(
            Paragraph(
                "No trial that solves a problem is finished. This report is on `--task solve` only."
            )
        )
    if refused:
        left_out = [[one.file, one.reason] for one in refused]
        heads = [words("file"), words("reason")]
        blocks.append(ReportTable("Refused files, not in the figures", heads, left_out))
    return Section("Evaluations", blocks)


_SOLVED = (
    "Intervals are at 95 %: Wilson's over all trials, and by percentile bootstrap over problems, "
    "which takes into account that runs of one problem are not independent. Mean and SD (n − 1) "
    "are of the share solved in each run."
)


def _solved(figures: EvaluationFigures) -> Section:
    canvas = SvgCanvas(
        "eval-solved",
        "Share of trials solved",
        "For each language, model and regime the share solved with its Wilson 95 % interval.",
    )
    models = list(dict.fromkeys(one.model for one in figures.standings))
    rows = [
        ChartRow(
            group=one.language,
            label=f"{one.model}, {one.regime}",
            sign=one.model,
            value=one.share,
            low=one.interval.low,
            high=one.interval.high,
            written=percent(one.share),
        )
        for one in sorted(figures.standings, key=lambda one: one.language)
    ]
    draw_ranges(canvas, rows, Axis("share solved", 0, 1, percent=True), models, "solved")
    columns = [
        *_NAMES,
        *map(TableColumn, ("problems", "solved", "of", "share", "Wilson", "bootstrap")),
        *map(TableColumn, ("runs", "mean", "SD")),
    ]
    cells = [
        [
            *_names(one),
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
    blocks: list[Block] = [
        Paragraph(_SOLVED),
        Picture(canvas),
        _matrix(figures),
        ReportTable(
            "Accuracy by model, language and regime (main results of EsoLang-Bench)",
            columns,
            cells,
            bars=[one.share for one in figures.standings],
        ),
    ]
    return Section("Solved", blocks)


def _matrix(figures: EvaluationFigures) -> ReportTable:
    """Return the shares with a column for each language."""
    languages = list(dict.fromkeys(one.language for one in figures.standings))
    shares = {(one.model, one.regime, one.language): one.share for one in figures.standings}
    keys = dict.fromkeys((one.model, one.regime) for one in figures.standings)
    rows = [
        [
            *key,
            *(
                round_half_up(100 * shares[*key, language]) if (*key, language) in shares else "–"
                for language in languages
            ),
        ]
        for key in keys
    ]
    columns = [words("model"), words("regime"), *map(TableColumn, languages)]
    return ReportTable("Share solved in percent", columns, rows)


def _by_group(
    figures: EvaluationFigures,
    kind: str,
    title: str,
    names: Sequence[str],
    counts: Callable[[Standing], Mapping[str, tuple[int, int]]],
) -> Iterator[Section]:
    """Yield a section on tiers or categories, if there are several."""
    if len(names) < 2:
        return
    canvas = SvgCanvas(
        f"eval-by-{kind}",
        f"Share of trials solved by {kind}",
        f"A cell for each condition and {kind}, filled by the share solved.",
    )
    cells = [
        (
            _label(one),
            {
                name: ShareCell(solved / total, f"{solved}/{total}")
                for name, (solved, total) in counts(one).items()
            },
        )
        for one in figures.standings
    ]
    draw_shares(canvas, names, cells)
    rows = [
        [*_names(one), *("/".join(map(str, counts(one).get(name, (0, 0)))) for name in names)]
        for one in figures.standings
    ]
    caption = f"Trials solved by {kind} (figures of EsoLang-Bench on {title.lower()})"
    table = ReportTable(caption, [*_NAMES, *map(TableColumn, names)], rows)
    yield Section(title, [Picture(canvas), table])


def _errors(figures: EvaluationFigures) -> Section:
    parts = list(dict.fromkeys(name for one in figures.standings for name in one.errors))
    canvas = SvgCanvas(
        "eval-errors",
        "How trials failed",
        "For each condition the number of failed trials by the class of the first failed test.",
    )
    draw_stacks(canvas, parts, [(_label(one), one.errors) for one in figures.standings], "trials")
    rows = [
        [*_names(one), str(one.solved), *(str(one.errors.get(part, 0)) for part in parts)]
        for one in figures.standings
    ]
    columns = [*_NAMES, TableColumn("solved"), *map(TableColumn, parts)]
    table = ReportTable("Error profile (EsoLang-Bench)", columns, rows)
    return Section("Errors", [Picture(canvas), table])


def _attempts(figures: EvaluationFigures) -> Section:
    numbers = sorted({number for one in figures.standings for number in one.at_attempt})
    rows = [
        [
            *_names(one),
            *(str(one.at_attempt.get(number, 0)) for number in numbers),
            str(one.total - one.solved),
            percent(one.first_attempt),
            format_amount(one.attempts_when_solved, 2),
        ]
        for one in figures.standings
    ]
    columns = [
        *_NAMES,
        *(TableColumn(f"program {number}") for number in numbers),
        *map(TableColumn, ("not solved", "first attempt", "programs until solved")),
    ]
    told = (
        "Trials by the program that solved them. “First attempt” is the share of all trials that "
        "the first program solved; “programs until solved” is the mean over solved trials "
        "(iterations to green)."
    )
    caption = "Attempts (attempts per problem in EsoLang-Bench; first-attempt rate in AgentLang)"
    return Section("Attempts", [Paragraph(told), ReportTable(caption, columns, rows)])


def _repeated(figures: EvaluationFigures) -> Iterator[Section]:
    most = max(max(one.pass_at) for one in figures.standings)
    if most < 2:
        return
    ks = [k for k in (1, 2, 3, 5, 10, 20, 50, 100) if k <= most]
    rows = [
        [*_names(one), *(percent(one.pass_at[k]) if k in one.pass_at else "–" for k in ks)]
        for one in figures.standings
    ]
    told = (
        "pass@k is the probability that one of k runs solves a problem, by the unbiased estimator "
        "of Chen et al. (2021), averaged over problems."
    )
    columns = [*_NAMES, *(TableColumn(f"pass@{k}") for k in ks)]
    yield Section("Repeated runs", [Paragraph(told), ReportTable("pass@k", columns, rows)])


def _cost(figures: EvaluationFigures) -> Section:
    costs = [] if figures.currency is None else [f"cost in {figures.currency}"]
    columns = [
        *_NAMES,
        *map(TableColumn, ("median seconds", "tokens in", "tokens out", *costs)),
    ]
    rows = [
        [
            *_names(one),
            format_amount(one.median_seconds, 2),
            format_amount(one.input_tokens),
            format_amount(one.output_tokens),
            *([format_amount(one.cost, 4)] if costs else []),
        ]
        for one in figures.standings
    ]
    blocks: list[Block] = [ReportTable("Time, tokens and cost of a trial (means)", columns, rows)]
    for name, title, axis, found in (
        ("eval-by-cost", "Share solved against cost", "cost of a trial", figures.by_cost),
        (
            "eval-by-tokens",
            "Share solved against output tokens",
            "output tokens of a trial",
            figures.by_tokens,
        ),
    ):
        if found:
            blocks += _frontier(name, title, axis, found)
    return Section("Time and cost", blocks)


def _frontier(name: str, title: str, axis: str, found: Sequence[FrontierPoint]) -> list[Block]:
    canvas = SvgCanvas(
        name,
        title,
        "A sign for each condition; the line connects conditions that no other one beats for less.",
    )
    models = list(dict.fromkeys(one.model for one in found))
    placed = [ChartPoint(one.model, _label(one), one.amount, one.share, one.best) for one in found]
    draw_points(canvas, placed, models, axis, "share solved")
    rows = [
        [*_names(one), format_amount(one.amount, 4), percent(one.share), "yes" if one.best else "–"]
        for one in found
    ]
    columns = [*_NAMES, TableColumn("mean"), TableColumn("share"), TableColumn("on the frontier")]
    return [Picture(canvas), ReportTable(f"{title}: the frontier", columns, rows)]


def _comparison(figures: EvaluationFigures) -> Iterator[Section]:
    compared = figures.compared
    if compared is None:
        return
    made = (
        ""
        if figures.baseline is None
        else f" Each {compared.axis} is compared with {figures.baseline} only."
    )
    about = (
        f"Pairs of conditions that differ only in the {compared.axis}, on the same problems.{made} "
        "McNemar's exact test compares the first runs, problem by problem. The difference, its "
        f"interval (percentile bootstrap over problems, {figures.resamples:,} samples) and "
        "Wilcoxon's signed-rank test (two-sided, exact with ties) use each problem's share of runs "
        f"that solved it. {TOGETHER}"
    )
    yield paired_section(compared, "eval-comparison", "conditions", about)


def _taxes(figures: EvaluationFigures) -> Iterator[Section]:
    if not figures.taxes:
        return
    rows = [
        [
            tax.model,
            tax.language,
            tax.regime,
            percent(tax.loss.share),
            percent(tax.loss.familiar_share),
            points(tax.loss.tax),
            in_points(tax.loss.interval),
            join_names(tax.familiar),
        ]
        for tax in figures.taxes
    ]
    columns = [
        *_NAMES,
        *map(TableColumn, ("share", "familiar", "tax", "95 % interval")),
        words("compared with"),
    ]
    caption = "Language tax in percentage points (AgentLang Index)"
    yield Section("Language tax", [ReportTable(caption, columns, rows)])
