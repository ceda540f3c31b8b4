"""Host lanes: which are installed, and which one a file belongs to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from esolangs.errors import UnknownLanguage
from esoplay.errors import LaneError, UsageError
from esoplay.programs.execution import language_for
from esoplay.running.host.lanes import find_lane, is_lane, known_id, lane_ids, lane_of_file
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain, why_missing

__all__ = [
    "LaneState",
    "describe_lanes",
    "is_lane",
    "known_id",
    "lane_ids",
    "language_id_for",
    "toolchain_version",
]


_GUARDS = ("processes", "network", "files", "user")


@dataclass(frozen=True, slots=True)
class LaneState:
    """A host lane on this machine.

    ``version`` is its tool's version, None if it is not installed.  ``held`` lists the isolation
    that works here, of processes, network, files and user; empty if untested.  ``lacks`` says why
    the lane cannot be used.  ``broken``: whether its manifest is invalid, as ``lacks`` says.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    version: str | None
    held: tuple[str, ...]
    lacks: str | None = None
    broken: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """The isolation that does not work here; empty if the lane is not installed."""
        return () if self.version is None else tuple(one for one in _GUARDS if one not in self.held)

    def as_json(self) -> dict[str, Any]:
        """Return the object in ``esoplay lanes --json`` and ``lane.list``."""
        return asdict(self)


def describe_lanes() -> list[LaneState]:
    """Return all lanes; each runs its starter to test the isolation.  Raises WorkerDied."""
    states: list[LaneState] = []
    for id in lane_ids():
        try:
            lane = find_lane(id)
        except LaneError as error:
            states.append(LaneState(id, id, (), None, (), str(error), broken=True))
            continue
        toolchain = find_toolchain(lane)
        held: tuple[str, ...] = ()
        if toolchain is not None:
            with HostRunner() as runner:
                runner.run(id, lane.starter)
                held = runner.guards
        version = None if toolchain is None else toolchain.version
        lacks = why_missing(lane)
        states.append(LaneState(lane.id, lane.name, lane.extensions, version, held, lacks))
    return states


def toolchain_version(id: str) -> str | None:
    """Return the version of a lane's toolchain; None for other languages and missing toolchains."""
    if not is_lane(id):
        return None
    toolchain = find_toolchain(find_lane(id))
    return None if toolchain is None else toolchain.version


def language_id_for(path: str, id: str | None = None) -> str:
    """Return the id of the language or lane ``id``, or that of the file's extension.

    Raises UsageError, and LaneError if the manifest in question is invalid.
    """
    if id:
        try:
            return known_id(id.lower())
        except UnknownLanguage as error:
            raise UsageError(str(error)) from None
    try:
        return language_for(path).id
    except UsageError:
        lane = lane_of_file(path)
        if lane is None:
            raise
        return lane.id
