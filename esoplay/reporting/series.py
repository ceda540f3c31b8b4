"""Sessions that belong together: one solver, one language, the same rules, the same problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from esoplay.reporting.played import Played
from esoplay.sessions.protocols import PROTOCOLS


@dataclass(frozen=True, slots=True)
class Series:
    """The sessions of one solver in one language on the same terms, in the order of time.

    protocol: its name; where rows of one name differ, with a number.  problems: in order.
    """

    solver: str
    language: str
    protocol: str
    pack: str
    pack_version: str
    problems: tuple[str, ...]
    sessions: tuple[Played, ...]

    @property
    def complete(self) -> tuple[Played, ...]:
        """The sessions that are not partial."""
        return tuple(session for session in self.sessions if session.partial is None)

    @property
    def headline(self) -> Played | None:
        """The first complete session, whose figures stand for the series; None if partial."""
        return next(iter(self.complete), None)

    @property
    def shown(self) -> Played:
        """The headline; of a partial series the session in which most was solved."""
        return self.headline or max(self.sessions, key=lambda session: len(session.solved))

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


def group(sessions: Sequence[Played]) -> list[Series]:
    """Series by solver, in the order in which these came, then by protocol and language.

    Protocols are in the order of their table, before those of somebody's own.
    """
    names = _protocol_names(sessions)
    groups: dict[tuple[object, ...], list[Played]] = {}
    for one in sessions:
        key = (one.solver, one.language, names[id(one)], one.pack, one.pack_version, one.problems)
        groups.setdefault(key, []).append(one)
    solvers = list(dict.fromkeys(one.solver for one in sessions))
    series = [_series(names[id(played[0])], played) for played in groups.values()]
    published = list(PROTOCOLS)

    def order(one: Series) -> tuple[int, int, str, str]:
        rules = one.sessions[0].rules.id
        place = published.index(rules) if rules in published else len(published)
        return solvers.index(one.solver), place, one.protocol, one.language

    return sorted(series, key=order)


def _series(protocol: str, played: Sequence[Played]) -> Series:
    first = played[0]
    return Series(
        solver=first.solver,
        language=first.language,
        protocol=protocol,
        pack=first.pack,
        pack_version=first.pack_version,
        problems=first.problems,
        sessions=tuple(sorted(played, key=lambda one: one.began_ms)),
    )


def _protocol_names(sessions: Sequence[Played]) -> dict[int, str]:
    """The name of each session's protocol; numbered where the rules or limits are others.

    With what it was played, where sessions of several packs or choices of problems meet; numbered
    again where choices of as many problems differ.  So two series never have one name.
    """
    packs = {(one.pack, one.pack_version) for one in sessions}
    choices = {(one.pack, one.pack_version, one.problems) for one in sessions}
    rows: dict[str, list[object]] = {}
    chosen: dict[tuple[str, str, int], list[object]] = {}
    names: dict[int, str] = {}
    for one in sessions:
        rules = (replace(one.rules, purpose=""), one.limits)
        name = one.rules.id + _number(rows.setdefault(one.rules.id, []), rules)
        if len(packs) > 1:
            name += f" on {one.pack} {one.pack_version}"
        if len(choices) > len(packs):
            as_many = chosen.setdefault((one.pack, one.pack_version, len(one.problems)), [])
            name += f", {len(one.problems)} problems{_number(as_many, one.problems)}"
        names[id(one)] = name
    return names


def _number(known: list[object], value: object) -> str:
    """Which of the values that are ``known`` it is, unless the first; a new one becomes known."""
    if value not in known:
        known.append(value)
    number = known.index(value) + 1
    return "" if number == 1 else f" ({number})"
