"""The packs that a report needs, with their problem catalogues and reference programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from esolangs.registry import language_ids
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.packs import Pack
from esoplay.packs.catalogue import BUILT_IN, get_installed_pack, get_pack
from esoplay.packs.references import find_reference
from esoplay.reporting.overlap import References
from esoplay.reporting.played_sessions import PlayedSession
from esoplay.reporting.report import ReportOptions
from esoplay.reporting.standing import Catalogue, ProblemInfo


class RecordedPack(NamedTuple):
    """The pack that a run of agents recorded.

    run: the folder of the run.  exports: the names of its exports.  pack: the id or folder of the
    pack; None for the built-in pack.
    """

    run: str
    exports: Collection[str]
    pack: str | None


class PackSources(NamedTuple):
    """Where to look for packs that are not installed.

    requested_pack: the id or folder of ``--pack``.  recorded_packs: the packs that runs of agents
    recorded.  notify: called with a message if a recorded pack cannot be used.
    """

    requested_pack: str | Path | None = None
    recorded_packs: Sequence[RecordedPack] = ()
    notify: Callable[[str], None] = lambda _message: None


Packs = Mapping[str, Pack]
"""The packs of a report, by id.

They are the pack named with ``--pack`` and packs that runs recorded; they need not be installed.
"""


def named_pack(sources: PackSources) -> Pack | None:
    """Return the pack of ``--pack``, or None without this option.

    Raises UsageError if the pack does not exist, and PackError if it is invalid.
    """
    return None if sources.requested_pack is None else get_pack(sources.requested_pack)


def find_packs(sources: PackSources, sessions: Sequence[PlayedSession]) -> Packs:
    """Return the pack of ``--pack``, and the recorded packs of the sessions' runs.

    Raises UsageError or PackError if the pack of ``--pack`` does not exist or is invalid, and
    UsageError if two runs have different packs with one id.
    """
    named = named_pack(sources)
    found = {} if named is None else {named.id: named}
    runs: dict[str, RecordedPack] = {}
    for one in sources.recorded_packs:
        used = {session.pack for session in sessions if session.file in one.exports}
        if not used or (named is not None and named.id in used):
            continue
        pack = _find_recorded_pack(one, used, sources.notify)
        if pack is None:
            continue
        known = found.setdefault(pack.id, pack)
        if _reported_pack_data(known) != _reported_pack_data(pack):
            raise UsageError(
                f"{one.run}: its pack {pack.id} differs from the pack {pack.id} of "
                f"{runs[pack.id].run} in titles, tiers or categories\n"
                "try: make a report for each run, or name one pack for both with --pack"
            )
        runs.setdefault(pack.id, one)
    return found


def _find_recorded_pack(
    record: RecordedPack, used_ids: Collection[str], notify: Callable[[str], None]
) -> Pack | None:
    """Return the pack that a run recorded; call ``notify`` and return None if it cannot be used.

    record: the record of the run.  used_ids: the ids of the packs that the sessions of the run
    used.
    """
    without = "the sessions of the run are reported without titles, tiers and categories"
    recorded = record.pack or BUILT_IN
    try:
        pack = get_pack(record.pack)
    except EsoplayError as error:
        why = "" if isinstance(error, UsageError) else f" ({error})"
        message = f"the pack of the run, {recorded}, is not available{why}"
    else:
        if pack.id in used_ids:
            return pack
        names = ", ".join(sorted(used_ids))
        message = (
            f"the pack of the run, {recorded}, now has the id {pack.id}, but its sessions "
            f"used {names}"
        )
    notify(f"{record.run}: {message}; {without}\ntry: --pack FOLDER")
    return None


def _reported_pack_data(pack: Pack) -> object:
    """Return the version of a pack, and the data on its problems that a report shows."""
    about = {one.id: (one.title, one.tier, one.category) for one in pack}
    return pack.version, pack.tiers, pack.categories, about


def references_for(
    sessions: Sequence[PlayedSession], packs: Packs, options: ReportOptions
) -> References:
    """Return the reference programs of the packs; {} if the report does not need them."""
    if options.overlap is None:
        return {}
    found: dict[tuple[str, str], dict[str, bytes]] = {}
    for session in sessions:
        key = (session.pack, session.language)
        pack = _pack_named(session.pack, packs)
        if pack is None or key in found or session.language not in language_ids():
            continue
        references = {one.id: find_reference(one, session.language) for one in pack}
        found[key] = {id: one.program for id, one in references.items() if one is not None}
    return found


def find_catalogues(
    names: Collection[str], packs: Packs, categorization: str | None = None
) -> dict[str, Catalogue]:
    """Return the problem catalogue of each named pack; leave out packs that are not available.

    packs: used instead of installed packs with the same id.  categorization: how the catalogues
    assign problems to categories; None for the pack's default.

    Raises UsageError if a pack lacks the requested categorization.
    """
    found: dict[str, Catalogue] = {}
    for name in sorted(names):
        pack = _pack_named(name, packs)
        if pack is None:
            continue
        categories = pack.categories_by(categorization)
        about = {one.id: ProblemInfo(one.title, one.tier, categories[one.id]) for one in pack}
        found[name] = Catalogue(about, pack.tiers, pack.categories, categorization)
    return found


def _pack_named(name: str, packs: Packs) -> Pack | None:
    try:
        # An export must not name a folder.
        return packs[name] if name in packs else get_installed_pack(name)
    except EsoplayError:
        return None
