"""The whole report, section by section; the overview is the first section."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from esolangs.wording import join_names, plural
from esoplay.reporting import publications
from esoplay.reporting.document import (
    Block,
    Document,
    Paragraph,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.report import Report
from esoplay.reporting.sections.ablations import ablation_sections, budget_sections
from esoplay.reporting.sections.comparison import comparison_sections, tax_sections
from esoplay.reporting.sections.effort import effort_sections
from esoplay.reporting.sections.external import external_sections
from esoplay.reporting.sections.generators import generator_sections
from esoplay.reporting.sections.overlap import overlap_sections
from esoplay.reporting.sections.progress import progress_sections
from esoplay.reporting.sections.solved_problems import solved_sections
from esoplay.reporting.sections.wording import PARTIAL, describe_pack, toolchain_table


def write_report(report: Report, title: str = "Benchmark report") -> Document:
    """Return a report as a document.

    Without sessions, it has only the section on sessions, which lists refused exports, and the
    section on agents, if any log was read.
    """
    sections: list[Section] = [*overview_sections(report), *agent_sections(report)]
    if report.series:
        sections += solved_sections(report)
        sections += effort_sections(report)
        sections += budget_sections(report)
        sections += progress_sections(report)
        sections += generator_sections(report)
        sections += overlap_sections(report)
        sections += ablation_sections(report)
        sections += comparison_sections(report)
        sections += tax_sections(report)
        sections += external_sections(report.external)
    return Document(title, tuple(sections))


# The sessions of a report: included, left out, and refused.


def overview_sections(report: Report) -> list[Section]:
    """Return the section on the sessions of a report."""
    sessions = report.sessions
    blocks: list[Block] = [Paragraph(_report_overview(report))] if sessions else []
    if report.refused:
        rows = [[one.file, one.reason] for one in report.refused]
        blocks.append(
            ReportTable(
                "Refused exports, left out of the results",
                [text_column("export"), text_column("reason")],
                rows,
            )
        )
    partial = [session for session in sessions if session.partial_reason is not None]
    if partial:
        series = {
            session.file
            for one in report.series
            if not one.complete_sessions
            for session in one.sessions
        }
        rows = [
            [
                session.file,
                session.partial_reason or "",
                PARTIAL if session.file in series else "left out",
            ]
            for session in partial
        ]
        columns = [text_column("export"), text_column("why"), text_column("shown as")]
        blocks.append(ReportTable("Partial sessions, not in means and comparisons", columns, rows))
    exposed = [session for session in sessions if session.visible_processes is not None]
    if exposed:
        rows = [[session.file, session.visible_processes or ""] for session in exposed]
        columns = [text_column("export"), text_column("why (accepted by the operator)")]
        title = "Sessions whose solver could see processes with hidden tests in memory"
        blocks.append(ReportTable(title, columns, rows))
    if sessions:
        columns = [
            *(
                text_column("export"),
                text_column("session"),
                text_column("solver"),
                text_column("language"),
            ),
            *(text_column("dialect"), text_column("protocol"), text_column("began (UTC)")),
            *(TableColumn("events"), text_column("head")),
        ]
        rows = [
            [
                *(session.file, session.session, session.solver, session.language),
                *(session.rules.dialect, session.rules.id, _format_time(session.started_ms)),
                *(f"{session.events:,}", session.head[:12]),
            ]
            for session in sessions
        ]
        blocks.append(ReportTable("All sessions", columns, rows, is_folded=True))
    versions = Counter(
        (session.language, session.toolchain) for session in sessions if session.toolchain
    )
    if versions:
        blocks.append(toolchain_table(versions, "sessions"))
    return [Section("Sessions", blocks)]


# The agents that played, from their logs.

_FIGURES = {
    "input_tokens": "input tokens",
    "cached_tokens": "cached input tokens",
    "output_tokens": "output tokens",
    "reasoning_tokens": "reasoning output tokens",
    "tool_calls": "tool calls",
    "shell_commands": "shell commands",
    "edits": "edits",
}


def agent_sections(report: Report) -> list[Section]:
    """Return the section on agents, if any log was read."""
    agents = report.options.agents
    if not agents:
        return []
    about = (
        "Versions are as the agents print them. All other columns are from the logs of the agents, "
        "summed over the sessions, and are not checked; – means that the logs lack the figure. "
        "Cached tokens are a part of the input tokens, reasoning tokens of the output tokens, and "
        "shell commands and edits of the tool calls."
    )
    columns = [
        *map(text_column, ("solver", "agent", "version", "model", "effort")),
        *map(TableColumn, ("sessions", *_FIGURES.values())),
    ]
    rows = [
        [
            *(one.solver, one.agent, one.version or "–", one.model or "–", one.effort or "–"),
            str(one.sessions),
            *(_format_count(getattr(one, name)) for name in _FIGURES),
        ]
        for one in agents
    ]
    table = ReportTable("Agents", columns, rows, reproduces=publications.AGENTS)
    return [Section("Agents", [Paragraph(about), table])]


def _format_count(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _report_overview(report: Report) -> str:
    sessions = report.sessions
    solvers = list(dict.fromkeys(session.solver for session in sessions))
    languages = sorted({session.language for session in sessions})
    packs = sorted({describe_pack(session) for session in sessions})
    checked = (
        "All runs and submissions were executed again with the seed; every verdict was confirmed."
        if report.options.regraded
        else "To check the verdicts, pass the seed to `esoplay session verify`."
    )
    return (
        f"{plural(len(sessions), 'session')} of {plural(len(solvers), 'solver')} in "
        f"{join_names(languages)}, with the problems of {join_names(packs)}. "
        f"Every export was audited: its log is complete and follows the rules. {checked}"
    )


def _format_time(time_ms: int) -> str:
    try:
        return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "invalid time"
