"""Reports on sessions, computed from their exports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from esolangs.registry import language_ids
from esolangs.wording import plural
from esoplay.benchmark.exports import MAX_EXPORT_BYTES
from esoplay.benchmark.report_packs import (
    PackSources,
    find_catalogues,
    find_packs,
    named_pack,
    references_for,
)
from esoplay.errors import UsageError
from esoplay.reporting.canvas import pdf_writer
from esoplay.reporting.comparison import AXES
from esoplay.reporting.document import Document, as_markdown, as_page
from esoplay.reporting.played_sessions import (
    ExportRefused,
    PlayedSession,
    group_sessions,
    read_session,
)
from esoplay.reporting.report import RefusedExport, Report, ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.tables import as_latex, included_files, table_files
from esoplay.reporting.usage import read_usage

TITLE = "Benchmark report"
PICTURES_FOLDER = "pictures"
"""The folder of pictures next to a Markdown report."""

ReportFiles = dict[str, str | bytes]
"""The files of a report by name; PDF files are bytes."""
Load = Callable[[], bytes]
Progress = Callable[[int, int], None]
"""Called before each export is read, with the number of finished exports and the total."""


class FinishedReport(NamedTuple):
    """A report with all figures, which can be written in several formats.

    title: the default title.  refused: files that the report leaves out.  write: builds the
    document under a given title.  figures: all figures as one JSON object.
    """

    title: str
    refused: Sequence[RefusedExport]
    write: Callable[[str], Document]
    figures: Callable[[], dict[str, Any]]

    def files(self, title: str | None = None, pdf: bool = False) -> ReportFiles:
        """Return the HTML page, Markdown, LaTeX, tables, pictures and JSON by file name.

        pdf: also return the pictures as PDF, and include them in the LaTeX document; raises
        UsageError if the extra is not installed.
        """
        convert = pdf_writer() if pdf else None
        document = self.write(title or self.title)
        files: ReportFiles = {
            "report.html": as_page(document),
            "report.md": as_markdown(document, PICTURES_FOLDER),
            "report.tex": as_latex(document, PICTURES_FOLDER if pdf else None),
            "report.json": json.dumps(self.figures(), indent=1) + "\n",
            **table_files(document),
        }
        for each in document.pictures:
            files[f"{PICTURES_FOLDER}/{each.name}.svg"] = each.document()
            if convert is not None:
                files[f"{PICTURES_FOLDER}/{each.name}.pdf"] = convert(each)
        return files


def finish_report(report: Report) -> FinishedReport:
    """Prepare a report for output in several formats.

    report: a report on benchmark sessions, without evaluations.
    """
    return FinishedReport(TITLE, report.refused, partial(write_report, report), report.as_json)


def read_exports(
    exports: Sequence[tuple[str, Load]],
    *,
    with_programs: bool = False,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> tuple[list[PlayedSession], list[RefusedExport]]:
    """Audit exports; return their sessions, and the exports that were refused.

    exports: names and functions that load the data, so that only one export is in memory at a time.
    with_programs: also collect the programs that solved problems.  keep_going: continue with the
    other exports if one is refused.  Raises ExportRefused for an export that fails the audit, or a
    duplicate session.
    """
    sessions: list[PlayedSession] = []
    refused: list[RefusedExport] = []
    known: dict[str, PlayedSession] = {}
    for done, (file, load) in enumerate(exports):
        if progress is not None:
            progress(done, len(exports))
        try:
            session = _read(file, load(), with_programs=with_programs)
            if session.session in known:
                raise ExportRefused(file, _duplicate_error(session, known[session.session]))
        except ExportRefused as error:
            if not keep_going:
                raise
            refused.append(RefusedExport(error.file, error.reason))
            continue
        known[session.session] = session
        sessions.append(session)
    if progress is not None:
        progress(len(exports), len(exports))
    return sessions, refused


def report_exports(
    exports: Sequence[tuple[str, Load]],
    options: ReportOptions,
    *,
    familiar: Collection[str] | None = None,
    usage: Mapping[str, bytes] | None = None,
    packs: PackSources | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Audit exports and compute the figures of their sessions; see ``read_exports``.

    familiar: languages for the language tax; None for all languages that are not esoplay's own.
    usage: files with token counts.  packs: where to find packs that are not installed.  Raises
    ExportRefused for an export that cannot be used, UsageError for invalid options, and PackError
    if a pack is invalid.
    """
    sessions, refused = read_exports(
        exports,
        with_programs=options.overlap is not None,
        keep_going=keep_going,
        progress=progress,
    )
    familiar = familiar_languages({session.language for session in sessions}, familiar)
    sources = packs or PackSources()
    named = named_pack(sources)
    names = {session.pack for session in sessions}
    if named is not None and names and named.id not in names:
        there = ", ".join(sorted(names))
        raise UsageError(f"no session uses pack {named.id}; the sessions use {there}")
    found = find_packs(sources, sessions)
    if options.baseline is not None and sessions:
        _check_baseline(sessions, options)
    return make_report(
        sessions,
        refused,
        find_catalogues(names, found, options.categories),
        read_usage(usage or {}),
        replace(options, familiar=familiar, references=references_for(sessions, found, options)),
    )


def _check_baseline(sessions: Sequence[PlayedSession], options: ReportOptions) -> None:
    axes = AXES if options.axis is None else (options.axis,)
    series = group_sessions(sessions)
    known = {axis: list(dict.fromkeys(getattr(one, axis) for one in series)) for axis in axes}
    if not any(options.baseline in values for values in known.values()):
        names = "; ".join(f"{axis}: {', '.join(values)}" for axis, values in known.items())
        raise UsageError(
            f"--baseline: unknown condition {options.baseline!r}; expected one of {names}"
        )


def familiar_languages(
    played_languages: AbstractSet[str], requested: Collection[str] | None
) -> AbstractSet[str]:
    """Return the languages that the language tax treats as familiar: ``requested``, or a default.

    Raises UsageError if a language in ``requested`` was not played.
    """
    if requested is None:
        return played_languages - set(language_ids())
    unknown = [language for language in requested if language not in played_languages]
    if unknown and played_languages:
        known = ", ".join(sorted(played_languages))
        raise UsageError(
            f"--familiar: there are no results in {unknown[0]!r}; expected one or more of {known}"
        )
    return set(requested)


def find_included_files(markdown: str, latex: str) -> set[str]:
    """Return the names of the pictures and tables that an earlier report includes."""
    return find_included_pictures(markdown) | included_files(latex)


def find_included_pictures(markdown: str) -> set[str]:
    """Return the names of the picture files that a Markdown report includes."""
    return set(re.findall(rf"\]\(({PICTURES_FOLDER}/[a-z-]+\.svg)\)", markdown))


def _read(file: str, text: bytes, *, with_programs: bool) -> PlayedSession:
    if len(text) > MAX_EXPORT_BYTES:
        raise ExportRefused(file, f"export too large: expected at most {MAX_EXPORT_BYTES:,} bytes")
    return read_session(file, text, with_programs=with_programs)


def _duplicate_error(session: PlayedSession, other: PlayedSession) -> str:
    """Return the message that refuses the export of a duplicate session."""
    counts = f"{plural(session.events, 'event')} in this export, {other.events:,} in the other"
    return f"session {session.session} is also in {other.file} ({counts}); include only one export"
