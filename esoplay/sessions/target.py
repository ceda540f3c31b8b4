"""The target of programs: an esoteric language or a host lane."""

from __future__ import annotations

from dataclasses import dataclass

from esolangs.registry import find_language
from esoplay.errors import LaneError
from esoplay.running.host.lanes import check_language_id, find_lane, is_lane
from esoplay.running.host.toolchain import find_toolchain, missing_reason


@dataclass(frozen=True, slots=True)
class Target:
    """A language with its dialect, or a host lane.

    card: the reference card for the dialect, in Markdown. is_lane: whether a local toolchain, which
    does not count steps, runs the programs.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    card: str
    is_lane: bool = False


def find_target(id: str, dialect: str) -> Target:
    """Return the esoteric language, or the host lane of an ordinary language, with this id.

    Raises EngineError for an unknown language or dialect, and LaneError if the lane's toolchain is
    not installed.
    """
    if is_lane(id):
        lane = find_lane(id)
        engine_name(id)
        card = f"# {lane.name}\n\n{lane.card}"
        return Target(lane.id, lane.name, lane.extensions, card, is_lane=True)
    language = find_language(check_language_id(id))
    language.configure(dialect)
    return Target(language.id, language.name, tuple(language.extensions), language.card(dialect))


def engine_name(id: str) -> str:
    """Return what runs programs here: ``compiled`` or ``plain`` code, or a lane's toolchain.

    For a toolchain, this is its version.  Raises LaneError if it is not installed.
    """
    if is_lane(id):
        lane = find_lane(id)
        toolchain = find_toolchain(lane)
        if toolchain is None:
            raise LaneError(f"{lane.name} is not installed here: {missing_reason(lane)}")
        return toolchain.version
    language = find_language(id)
    return language.parse(language.sample()).engine
