"""The tables of an evaluation, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from esoplay.evaluation.results import Line, Results
from esoplay.evaluation.tax import language_taxes
from esoplay.reporting.document import Block, Column, Document, Section, Table, Text, words
from esoplay.reporting.sections.wording import (
    amount,
    in_percent,
    in_points,
    listed,
    percent,
    plural,
    points,
)

_CLASSES = {
    "no program": ("no_program", "no_answer"),
    "compile": ("parse_error",),
    "runtime": ("fault",),
    "limit": ("step_limit", "output_limit", "memory_limit", "time_limit"),
    "wrong answer": ("wrong_answer",),
}


def summary_of(results: Results) -> Document:
    """The tables of all that was found."""
    title = f"Evaluation of {results.terms['model']}"
    return Document(title, [Section("Solved", list(_solved(results))), *_further(results)])


def _solved(results: Results) -> Iterator[Block]:
    if not results.lines:
        yield Text("No trial came to its end yet.")
        return
    rows: list[list[str]] = []
    for line in results.lines:
        per_run = [solved for solved, _ in line.runs.values()]
        spread = f"{min(per_run)}–{max(per_run)}" if len(per_run) > 1 else "–"
        rows.append(
            [
                *_names(line, results),
                str(line.solved),
                str(line.total),
                percent(line.solved / line.total),
                in_percent(line.interval),
                str(len(per_run)),
                spread,
            ]
        )
    yield Table(
        "Solved, with Wilson's 95 % interval in percent",
        [
            *_heads(results),
            *map(Column, ("solved", "of", "share", "interval", "runs", "each run")),
        ],
        rows,
        [line.solved / line.total for line in results.lines],
    )
    if results.left:
        yield Text(
            f"{plural(len(results.left), 'trial')} had no end yet and are not counted; the same "
            "command goes on with them."
        )


def _further(results: Results) -> Iterator[Section]:
    if not results.lines:
        return
    rows = [
        [*_names(line, results), *(str(_count(line, verdicts)) for verdicts in _CLASSES.values())]
        for line in results.lines
    ]
    heads = [*_heads(results), *map(Column, _CLASSES)]
    yield Section("Errors", [Table("How trials failed that did", heads, rows)])
    if len(results.tiers) > 1:
        rows = [
            [
                *_names(line, results),
                *("/".join(map(str, line.tiers.get(tier, (0, 0)))) for tier in results.tiers),
            ]
            for line in results.lines
        ]
        heads = [*_heads(results), *map(Column, results.tiers)]
        yield Section("Tiers", [Table("Solved by tier", heads, rows)])
    taxes = list(language_taxes(results.lines))
    if taxes:
        rows = [
            [
                tax.language,
                tax.regime,
                percent(tax.share),
                percent(tax.familiar_share),
                points(tax.tax),
                in_points(tax.interval),
                listed(tax.familiar),
            ]
            for tax in taxes
        ]
        heads = [words("language"), words("regime")]
        heads += map(Column, ("share", "familiar", "tax", "95 % interval"))
        caption = "Shares solved in points against familiar languages, by bootstrap over problems"
        table = Table(caption, [*heads, words("compared with")], rows)
        yield Section("Language tax", [table])
    yield Section("Spent", list(_spent(results)))


def _spent(results: Results) -> Iterator[Block]:
    costs = [] if results.currency is None else [f"cost in {results.currency}"]
    heads = [*_heads(results), *map(Column, ("answers", "tokens in", "tokens out", *costs))]
    rows = [
        [
            *_names(line, results),
            f"{line.turns:,}",
            f"{line.tokens.input:,}",
            f"{line.tokens.output:,}",
            *([] if line.cost is None else [amount(float(line.cost), 4)]),
        ]
        for line in results.lines
    ]
    yield Table("Answers, tokens and cost", heads, rows)
    if results.tokens.untold:
        yield Text(f"{plural(results.tokens.untold, 'answer')} came without a count of tokens.")
    if results.failures:
        yield Text(f"{plural(results.failures, 'request')} failed and were made again.")


def _count(line: Line, verdicts: tuple[str, ...]) -> int:
    return sum(line.verdicts.get(verdict, 0) for verdict in verdicts)


def _heads(results: Results) -> list[Column]:
    return [*([words("task")] if _tasks(results) else []), words("language"), words("regime")]


def _names(line: Line, results: Results) -> list[str]:
    return [*([line.task] if _tasks(results) else []), line.language, line.regime]


def _tasks(results: Results) -> bool:
    return len({line.task for line in results.lines}) > 1
