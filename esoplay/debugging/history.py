"""Commands about values: which steps put them into places, and where they come from."""

from __future__ import annotations

import re

from esolangs.stops import Slot
from esolangs.view import View, as_json
from esoplay.debugging.command_line import Line, whole
from esoplay.debugging.descriptions import instruction_words, write_line
from esoplay.debugging.locations import PLACES, SMALLEST, read_state_place
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.debugging.terms import origin_of_a_part
from esoplay.errors import UsageError
from esoplay.service import provenance
from esoplay.service.debugging import address_text
from esoplay.service.encoding import write_as_json
from esoplay.service.provenance import Origin, place_text
from esoplay.service.puts import Place, Put, puts

_MAX_WRITES = 1_000
_NUMBER = re.compile(r"-?[\d_]+")  # anything else belongs to a name of several words
_LISTED = 20  # links of a chain that are said, half of them the newest ones


def _origin(session: DebugSession, line: Line) -> Reply:
    if line.arguments[:1] == ("part",):
        return origin_of_a_part(session, line.arguments[1:])
    place = _place(session, line.arguments)
    found = session.ask(lambda ticker: provenance.origin(session.debugger, place, ticker))
    lines = _origin_lines(place, found, session.debugger.view(SMALLEST))
    return Reply(lines, provenance.origin_as_json(found))


def _origin_lines(place: Place, found: Origin, view: View) -> list[str]:
    value = "" if found.value is None else f" holds {found.value}"
    lines = [f"{place_text(place, view)}{value}, newest step first:"]
    said = [f"  {_put_line(each, view)}" for each in found.links]
    if len(said) > _LISTED:
        half = _LISTED // 2
        said[half:-half] = [f"  … {len(said) - 2 * half} more copies …"]
    return [*(lines + said if said else ()), provenance.end_text(found, view)]


def _put_line(put: Put, view: View) -> str:
    at = put.location if isinstance(put.location, tuple) else put.span[0]
    value = "a value" if put.value is None else str(put.value)
    source = "" if put.source is None else f", copied from {place_text(put.source, view)}"
    return (
        f"step {put.step}: {value} to {place_text(put.place, view)} by "
        f"{instruction_words(put.instruction)} at {address_text(at)}{source}"
    )


def _writes(session: DebugSession, line: Line) -> Reply:
    words = line.arguments
    place, limit = _place_and_limit(session, words)
    if not 1 <= limit <= _MAX_WRITES:
        raise UsageError(f"between 1 and {_MAX_WRITES} writes are listed")
    if isinstance(place, Slot):
        return _pushes(session, place, limit)
    found = session.ask(lambda ticker: session.debugger.writes(place, limit=limit, ticker=ticker))
    name = address_text(place)
    lines = [f"cell {name}, newest write first:", *(f"  {write_line(each)}" for each in found)]
    return Reply(
        lines if found else [f"cell {name} has not been written: it has its initial value"],
        {
            "cell": as_json(place),
            "writes": [write_as_json(each) for each in found],
        },
    )


def _pushes(session: DebugSession, slot: Slot, limit: int) -> Reply:
    found = session.ask(lambda ticker: puts(session.debugger, slot, limit=limit, ticker=ticker))
    view = session.debugger.view(SMALLEST)
    name = place_text(slot, view)
    lines = [f"{name}, newest push first:", *(f"  {_put_line(each, view)}" for each in found)]
    return Reply(
        lines if found else [f"nothing has been put into {name}"],
        {
            "slot": as_json(slot),
            "writes": [provenance.put_as_json(each) for each in found],
        },
    )


def _place_and_limit(session: DebugSession, words: tuple[str, ...]) -> tuple[Place, int]:
    """``3 20``, ``top 2 20``, ``stack 0:5 20``: the number at the end is the limit."""
    least = 2 if words[:1] in (("top",), ("stack",)) else 1
    if len(words) > least and _NUMBER.fullmatch(words[-1]):
        return _place(session, words[:-1]), whole(words[-1], "how many writes to list")
    return _place(session, words), 10


def _place(session: DebugSession, words: tuple[str, ...]) -> Place:
    if not words:
        return session.place_in_focus()
    return read_state_place(session.debugger, " ".join(words))


_PLACES_OR_PART = "[CELL | top [N] | stack KEY:LEVEL | part N]"

COMMANDS = (
    Command(
        ("origin", "p"),
        _PLACES_OR_PART,
        "where the value of a cell or of a place on a stack comes from, through all copies; "
        "or what made a part of the term",
        _origin,
        ("origin 3", "origin top", "origin top 2", "origin stack 0:5", "origin part 4"),
    ),
    Command(
        ("writes", "v"),
        f"{PLACES} [N]",
        "list the last N writes of a cell, or pushes to a place on a stack",
        _writes,
        ("writes 3 20", "writes top", "writes top 0 20", "writes stack 0:5"),
    ),
)
