"""List host lanes and their state on this machine, and find the lane of a file.

A host lane is an ordinary language, such as Python, in which programs can be submitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from esolangs.errors import UnknownLanguage
from esoplay.errors import LaneError, UsageError
from esoplay.programs.execution import language_for
from esoplay.running.host.lanes import (
    check_language_id,
    find_lane,
    find_lane_by_file,
    is_lane,
    lane_ids,
)
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain, missing_reason

__all__ = [
    "LaneState",
    "check_language_id",
    "describe_lanes",
    "is_lane",
    "lane_ids",
    "language_id_for",
    "toolchain_version",
]


_GUARDS = ("processes", "network", "files", "user")


@dataclass(frozen=True, slots=True)
class LaneState:
    """State of a host lane on this machine.

    version: version of the tool, None if it is not installed.  guards: which kinds of isolation
    (processes, network, files, user) work here; empty if untested.  unusable_reason: why the lane
    cannot be used, or None.  has_invalid_manifest: whether the manifest is invalid, as
    ``unusable_reason`` says.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    version: str | None
    guards: tuple[str, ...]
    unusable_reason: str | None = None
    has_invalid_manifest: bool = False

    @property
    def missing_guards(self) -> tuple[str, ...]:
        """Kinds of isolation that do not work here; empty if the lane is not installed."""
        return (
            () if self.version is None else tuple(one for one in _GUARDS if one not in self.guards)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the state in the format of ``esoplay lanes --json`` and ``lane.list``."""
        return {
            "id": self.id,
            "name": self.name,
            "extensions": self.extensions,
            "version": self.version,
            "held": self.guards,
            "lacks": self.unusable_reason,
            "broken": self.has_invalid_manifest,
        }


def describe_lanes(progress: Callable[[str], None] | None = None) -> Iterator[LaneState]:
    """Yield the state of each host lane on this machine.

    Runs the starter program of each lane to test its isolation; a toolchain that is used for the
    first time may take half a minute. Calls ``progress`` with the id of each lane before its test.
    Raises WorkerDied if a lane's process cannot be started.
    """
    for id in lane_ids():
        if progress is not None:
            progress(id)
        try:
            lane = find_lane(id)
        except LaneError as error:
            yield LaneState(id, id, (), None, (), str(error), has_invalid_manifest=True)
            continue
        toolchain = find_toolchain(lane)
        guards: tuple[str, ...] = ()
        if toolchain is not None:
            with HostRunner() as runner:
                runner.run(id, lane.starter)
                guards = runner.guards
        version = None if toolchain is None else toolchain.version
        unusable_reason = missing_reason(lane)
        yield LaneState(lane.id, lane.name, lane.extensions, version, guards, unusable_reason)


def toolchain_version(id: str) -> str | None:
    """Return the version of a lane's toolchain; None if the lane or its toolchain is missing."""
    if not is_lane(id):
        return None
    toolchain = find_toolchain(find_lane(id))
    return None if toolchain is None else toolchain.version


def language_id_for(path: str, id: str | None = None) -> str:
    """Return the id of the language or host lane ``id``; without it, choose by file extension.

    Raises UsageError if neither language nor lane is found, and LaneError if a manifest is invalid.
    """
    if id:
        try:
            return check_language_id(id.lower())
        except UnknownLanguage as error:
            raise UsageError(str(error)) from None
    try:
        return language_for(path).id
    except UsageError:
        lane = find_lane_by_file(path)
        if lane is None:
            raise
        return lane.id
