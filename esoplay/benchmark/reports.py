"""Reports on sessions, made from exports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from esolangs.registry import language_ids
from esolangs.wording import plural
from esoplay.benchmark.exports import MAX_EXPORT_BYTES
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.packs import Pack
from esoplay.packs.catalogue import get_installed, get_pack
from esoplay.packs.references import reference_of
from esoplay.reporting.comparison import AXES
from esoplay.reporting.document import Document, as_markdown, as_page
from esoplay.reporting.overlap import References
from esoplay.reporting.pdf import pdf_writer
from esoplay.reporting.played_sessions import ExportRefused, PlayedSession, group, read_session
from esoplay.reporting.report import RefusedExport, Report, ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.standing import Catalogue, ProblemInfo
from esoplay.reporting.tables import as_latex, files_included, table_files
from esoplay.reporting.usage import read_usage

__all__ = [
    "MAX_EXPORT_BYTES",
    "ExportRefused",
    "Report",
    "ReportOptions",
    "document_files",
    "files_named",
    "find_catalogue",
    "pictures_named",
    "report_document",
    "report_files",
    "report_on",
]


TITLE = "Benchmark report"
PICTURES = "pictures"
"""The folder of pictures next to a Markdown report."""

ReportFiles = dict[str, str | bytes]
"""The files of a report by name; PDF is in bytes."""
Load = Callable[[], bytes]
Progress = Callable[[int, int], None]
"""Called before each export is read, with the number of finished exports and the total."""


def report_on(
    exports: Sequence[tuple[str, Load]],
    options: ReportOptions,
    *,
    familiar: Collection[str] | None = None,
    usage: Mapping[str, bytes] | None = None,
    pack: str | Path | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Audit exports and compute the figures of their sessions.

    exports: names with functions that load them, so that only one is in memory at a time.
    familiar: languages for the language tax; None for all that are not languages of esoplay.
    usage: files with token counts.  pack: the id or folder of a pack with tiers and titles;
    installed packs are found without it.  keep_going: continue with the other exports if one is
    refused.  Raises ExportRefused for an export that does not verify or occurs twice; UsageError.
    """
    sessions: list[PlayedSession] = []
    refused: list[RefusedExport] = []
    known: dict[str, PlayedSession] = {}
    for done, (file, load) in enumerate(exports):
        if progress is not None:
            progress(done, len(exports))
        try:
            session = _read(file, load(), programs=options.overlap is not None)
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
    familiar = familiar_languages({session.language for session in sessions}, familiar)
    chosen = None if pack is None else get_pack(pack)
    packs = {session.pack for session in sessions}
    if chosen is not None and packs and chosen.id not in packs:
        there = ", ".join(sorted(packs))
        raise UsageError(f"no session uses pack {chosen.id}; the sessions use {there}")
    if options.baseline is not None and sessions:
        _check_baseline(sessions, options)
    catalogues = {pack: _find_pack(pack, chosen, options.categories) for pack in packs}
    return make_report(
        sessions,
        refused,
        {pack: found for pack, found in catalogues.items() if found is not None},
        read_usage(usage or {}),
        replace(options, familiar=familiar, references=_references(sessions, chosen, options)),
    )


def _check_baseline(sessions: Sequence[PlayedSession], options: ReportOptions) -> None:
    axes = AXES if options.by is None else (options.by,)
    series = group(sessions)
    known = {axis: list(dict.fromkeys(getattr(one, axis) for one in series)) for axis in axes}
    if not any(options.baseline in values for values in known.values()):
        names = "; ".join(f"{axis}: {', '.join(values)}" for axis, values in known.items())
        raise UsageError(
            f"--baseline: no condition is {options.baseline!r}; expected one of {names}"
        )


def familiar_languages(played: AbstractSet[str], asked: Collection[str] | None) -> AbstractSet[str]:
    """Return the languages of the language tax.  Raises UsageError for a language without
    sessions.
    """
    if asked is None:
        return played - set(language_ids())
    unknown = [language for language in asked if language not in played]
    if unknown and played:
        known = ", ".join(sorted(played))
        raise UsageError(f"no session uses language {unknown[0]!r}; the sessions use {known}")
    return set(asked)


def report_document(report: Report, title: str = TITLE) -> Document:
    """Return the report as a document."""
    return write_report(report, title)


def report_files(report: Report, title: str = TITLE, pdf: bool = False) -> ReportFiles:
    """Return the report in all forms, by file name; see ``document_files``."""
    figures = json.dumps(report.as_json(), indent=1) + "\n"
    return document_files(write_report(report, title), figures, pdf)


def document_files(document: Document, figures: str, pdf: bool = False) -> ReportFiles:
    """Return a report as page, Markdown, LaTeX, tables and pictures, and its figures as JSON.

    pdf: also return the pictures as PDF, and include them in the LaTeX document; raises UsageError
    if the extra is not installed.
    """
    convert = pdf_writer() if pdf else None
    files: ReportFiles = {
        "report.html": as_page(document),
        "report.md": as_markdown(document, PICTURES),
        "report.tex": as_latex(document, PICTURES if pdf else None),
        "report.json": figures,
        **table_files(document),
    }
    for each in document.pictures:
        files[f"{PICTURES}/{each.name}.svg"] = each.document()
        if convert is not None:
            files[f"{PICTURES}/{each.name}.pdf"] = convert(each)
    return files


def files_named(markdown: str, latex: str) -> set[str]:
    """Return the names of the pictures and tables that an earlier report includes."""
    return pictures_named(markdown) | files_included(latex)


def pictures_named(markdown: str) -> set[str]:
    """Return the names of the picture files that a Markdown report includes."""
    return set(re.findall(rf"\]\(({PICTURES}/[a-z-]+\.svg)\)", markdown))


def _read(file: str, text: bytes, *, programs: bool) -> PlayedSession:
    if len(text) > MAX_EXPORT_BYTES:
        raise ExportRefused(file, f"export too large: expected at most {MAX_EXPORT_BYTES:,} bytes")
    return read_session(file, text, programs=programs)


def _duplicate_error(session: PlayedSession, other: PlayedSession) -> str:
    """Return why an export of a duplicate session is refused."""
    counts = f"{plural(session.events, 'event')} here and {other.events:,} there"
    return f"session {session.session} is also in {other.file}, {counts}; include only one of them"


def _references(
    sessions: Sequence[PlayedSession], chosen: Pack | None, options: ReportOptions
) -> References:
    """Return the references of the solved problems' packs, if programs are compared with them."""
    if options.overlap is None:
        return {}
    found: dict[tuple[str, str], dict[str, bytes]] = {}
    for session in sessions:
        key = (session.pack, session.language)
        pack = _pack_named(session.pack, chosen)
        if pack is None or key in found or session.language not in language_ids():
            continue
        references = {one.id: reference_of(one, session.language) for one in pack}
        found[key] = {id: one.program for id, one in references.items() if one is not None}
    return found


def find_catalogue(
    name: str, pack: str | Path | None, categorization: str | None = None
) -> Catalogue | None:
    """Return the problems of the pack ``name`` if it is installed, or is ``pack``.

    Raises UsageError if the pack has no such categorization.
    """
    return _find_pack(name, None if pack is None else get_pack(pack), categorization)


def _find_pack(
    name: str, chosen: Pack | None, categorization: str | None = None
) -> Catalogue | None:
    """Return what a pack says about its problems, if it is available, in any version."""
    pack = _pack_named(name, chosen)
    if pack is None:
        return None
    categories = pack.categories_by(categorization)
    about = {one.id: ProblemInfo(one.title, one.tier, categories[one.id]) for one in pack}
    return Catalogue(about, pack.tiers, pack.categories, categorization)


def _pack_named(name: str, chosen: Pack | None) -> Pack | None:
    try:
        # An export must not name a folder.
        return chosen if chosen and chosen.id == name else get_installed(name)
    except EsoplayError:
        return None
