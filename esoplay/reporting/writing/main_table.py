"""The table that papers lead with: solvers down, languages across."""

from __future__ import annotations

from esoplay.reporting.document import Column, Table, words
from esoplay.reporting.report import Report
from esoplay.reporting.standing import Pooled, Standing
from esoplay.reporting.writing.wording import PARTIAL, percent


def main_tables(report: Report) -> list[Table]:
    """One for each protocol that several solvers or languages were tried under.

    Familiar languages stand behind the means over the others.
    """
    protocols = dict.fromkeys(one.protocol for one in report.standings)
    tables = [_protocol_table(report, protocol) for protocol in protocols]
    return [table for table in tables if table is not None]


def _protocol_table(report: Report, protocol: str) -> Table | None:
    found = {
        (one.solver, one.language): one for one in report.standings if one.protocol == protocol
    }
    if len(found) < 2:
        return None
    solvers = list(dict.fromkeys(solver for solver, _ in found))
    familiar = report.wishes.familiar
    languages = sorted({language for _, language in found}, key=lambda one: (one in familiar, one))
    before = sum(one not in familiar for one in languages) or len(languages)
    pooled = {(one.of, one.name): one for one in report.pooled if one.protocol == protocol}
    over_languages = [_pooled_figures(pooled.get(("solver", solver))) for solver in solvers]
    over_solvers = [_pooled_figures(pooled.get(("language", language))) for language in languages]
    names = _POOLED if any(over_languages) else ()
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
        for name in _POOLED:
            cells = [figures.get(name, "–") for figures in over_solvers]
            rows.append([name, *cells[:before], *("" for _ in names), *cells[before:]])
    columns = [words("solver"), *map(Column, languages[:before])]
    columns += map(Column, (*names, *languages[before:]))
    return Table(f"Solved by solver and language, {protocol}", columns, rows)


_POOLED = ("mean", "spread", "SD")


def _standing_cell(one: Standing | None) -> str:
    if one is None:
        return "–"
    others = "" if one.others is None else f" ({'–'.join(map(str, sorted(set(one.others))))})"
    return f"{one.rate.solved}/{one.rate.total}{PARTIAL if one.partial else ''}{others}"


def _pooled_figures(one: Pooled | None) -> dict[str, str]:
    """Mean, spread and deviation by these names; none where there is nothing to pool."""
    if one is None or one.summary.deviation is None:
        return {}
    summary = one.summary
    values = (summary.mean, summary.spread, one.summary.deviation)
    return dict(zip(_POOLED, map(percent, values), strict=True))
