"""Reports on sessions, from the files of their exports."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from esolangs.registry import language_ids
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.packs import Pack
from esoplay.reporting.catalogue import About, Catalogue
from esoplay.reporting.forms.markdown import as_markdown
from esoplay.reporting.forms.page import as_page
from esoplay.reporting.forms.text import Style, as_text
from esoplay.reporting.played import Played
from esoplay.reporting.reading import Refused, read_session
from esoplay.reporting.report import RefusedExport, Report, Wishes, make_report
from esoplay.reporting.usage import read_usage
from esoplay.reporting.writing.document import write_report
from esoplay.service.exports import LARGEST
from esoplay.service.problems import get_installed, get_pack

__all__ = [
    "LARGEST",
    "Refused",
    "Report",
    "Wishes",
    "report_files",
    "report_markdown",
    "report_on",
    "report_text",
]

TITLE = "Benchmark report"
PICTURES = "pictures"
"""The folder of the pictures beside a report in Markdown."""

Load = Callable[[], bytes]
Progress = Callable[[int, int], None]
"""Told before each export is read: how many are done, and of how many."""


def report_on(
    exports: Sequence[tuple[str, Load]],
    wishes: Wishes,
    *,
    familiar: Collection[str] | None = None,
    usage: Mapping[str, bytes] | None = None,
    pack: str | Path | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Audit exports, and work out the figures of their sessions.

    exports: names with what loads them, so that one is held at a time.  familiar: languages for
    the language tax; None for all that are no esoteric languages here.  usage: files of lines
    on tokens.  pack: an installed one's id or a folder, for the tiers and titles of sessions that
    were played with it; those of installed packs are known.  keep_going: report on the others
    where one is refused.  Raises Refused for an export that does not verify or is there twice,
    and UsageError.
    """
    sessions: list[Played] = []
    refused: list[RefusedExport] = []
    files: dict[str, str] = {}
    for done, (file, load) in enumerate(exports):
        if progress is not None:
            progress(done, len(exports))
        try:
            session = _read(file, load())
            if session.session in files:
                known = files[session.session]
                raise Refused(file, f"session {session.session} is also in {known}")
        except Refused as error:
            if not keep_going:
                raise
            refused.append(RefusedExport(error.file, error.reason))
            continue
        files[session.session] = file
        sessions.append(session)
    if progress is not None:
        progress(len(exports), len(exports))
    familiar = familiar_languages({session.language for session in sessions}, familiar)
    chosen = None if pack is None else get_pack(pack)
    known = {session.pack: _catalogue(session, chosen) for session in sessions}
    return make_report(
        sessions,
        refused,
        {pack: found for pack, found in known.items() if found is not None},
        read_usage(usage or {}),
        replace(wishes, familiar=familiar),
    )


def familiar_languages(played: AbstractSet[str], asked: Collection[str] | None) -> AbstractSet[str]:
    """The languages of the language tax; UsageError for one in which nothing was played."""
    if asked is None:
        return played - set(language_ids())
    unknown = [language for language in asked if language not in played]
    if unknown and played:
        known = ", ".join(sorted(played))
        raise UsageError(f"no session is in {unknown[0]!r}; there are sessions in {known}")
    return set(asked)


def report_text(
    report: Report,
    title: str = TITLE,
    *,
    width: int = 100,
    bold: Style = str,
    folded: bool = False,
    bars: bool = True,
) -> str:
    """The report for a terminal; see ``forms.text``."""
    return as_text(write_report(report, title), width, bold=bold, folded=folded, bars=bars)


def report_markdown(report: Report, title: str = TITLE) -> str:
    """The report as Markdown without pictures."""
    return as_markdown(write_report(report, title))


def report_files(report: Report, title: str = TITLE) -> dict[str, str]:
    """The report as page, Markdown, JSON and pictures: texts by the names of their files."""
    document = write_report(report, title)
    return {
        "report.html": as_page(document),
        "report.md": as_markdown(document, PICTURES),
        "report.json": json.dumps(report.as_json(), indent=1) + "\n",
        **{f"{PICTURES}/{each.name}.svg": each.document() for each in document.pictures},
    }


def _read(file: str, text: bytes) -> Played:
    if len(text) > LARGEST:
        raise Refused(file, f"an export has at most {LARGEST:,} bytes; this has more")
    return read_session(file, text)


def _catalogue(session: Played, chosen: Pack | None) -> Catalogue | None:
    """The session's pack where it is at hand, in whatever edition has its problems."""
    try:
        # An export must not choose a folder.
        pack = chosen if chosen and chosen.id == session.pack else get_installed(session.pack)
    except EsoplayError:
        return None
    about = {one.id: About(one.title, one.tier, one.category) for one in pack}
    if not all(problem in about for problem in session.problems):
        return None
    return Catalogue(about, pack.tiers, pack.categories)
