"""The breakpoints of a client, of its three kinds, and the debugger's that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, NamedTuple

from esolangs.stops import Address, Slot
from esoplay.dap.launch import ClientSources, Role, TextPlaces
from esoplay.dap.protocol import (
    Arguments,
    RequestError,
    object_of,
    objects_of,
    required_text,
    required_whole,
    text_of,
    whole_of,
)
from esoplay.debugging.debugger import BreakpointSpec, Debugger, Reason
from esoplay.errors import EsoplayError

Group = Literal["source", "functions", "data"]
"""The breakpoints that one request replaces; source breakpoints: those in one file."""

Kind = Literal["breakpoint", "function breakpoint", "data breakpoint"]
"""Which is also the reason that the protocol gives for a stop at one."""

_MOST_LOCATIONS = 10_000


@dataclass(slots=True)
class ClientBreakpoint:
    """A breakpoint as the client knows it.

    own: the number of the debugger's one, which several may share that ask for the same; None
    while there is none.  message: why.
    """

    id: int
    kind: Kind = "breakpoint"
    spec: BreakpointSpec | None = None
    own: int | None = None
    message: str = ""
    note: str = ""
    shown: dict[str, Any] = field(default_factory=dict[str, Any])

    def as_json(self) -> dict[str, Any]:
        """The protocol's ``Breakpoint``."""
        said = self.message or self.note
        told = {"message": said} if said else {}
        return {"id": self.id, "verified": self.own is not None, **told, **self.shown}

    @property
    def where(self) -> str:
        """Its place in an editor's terms; empty where it is about none."""
        if "column" in self.shown:
            return f"line {self.shown['line']}, column {self.shown['column']}"
        return f"line {self.shown['line']}" if "line" in self.shown else ""


class Breakpoints:
    """All breakpoints of a run; a request replaces all in one file, or of one kind."""

    def __init__(
        self, debugger: Debugger, places: TextPlaces, sources: ClientSources, ids: Iterator[int]
    ):
        """``ids``: numbers for the client, of which none was given out before."""
        self._debugger = debugger
        self._places = places
        self._sources = sources
        self._entries: dict[str, list[ClientBreakpoint]] = {}
        self._ids = ids
        self.requests: dict[str, BreakpointRequest] = {}
        """The latest requests that were applied, by their keys."""

    def set(
        self, group: Group, arguments: Arguments, ids: Sequence[int] | None = None
    ) -> list[ClientBreakpoint]:
        """Apply a request; ``ids``: the numbers that the client has for them already.

        Raises RequestError where the request is none.  A breakpoint that cannot be has a message.
        """
        wanted = wanted_in(arguments)
        if group == "source":
            source = object_of(arguments, "source")
            role = self._sources.role(source)
            name = str(source.get("name") or source.get("path") or "this file")
            made = [self._in_source(role, name, each) for each in wanted]
            key = f"source {role or name}"
        elif group == "functions":
            made = [self._bind("function breakpoint", self._function, each) for each in wanted]
            key = group
        else:
            made = [self._bind("data breakpoint", data_in, each) for each in wanted]
            key = group
        for entry, id in zip(made, ids or (), strict=False):
            entry.id = id
        return self._replace(key, made, numbered=ids is not None)

    def take_over(self, other: Breakpoints) -> None:
        """Set the client's breakpoints of another run of the same program.

        One that this run has already, because it is a copy of the other, is not set again.
        """
        there = {(each.id, each.spec) for each in self._debugger.breakpoints}
        specs = {each.id: each.spec for each in other._debugger.breakpoints}
        for group, entries in other._entries.items():
            self._entries[group] = made = [replace(entry) for entry in entries]
            owns: dict[BreakpointSpec, int | None] = {}
            for entry in made:
                if entry.own is None or (entry.own, specs.get(entry.own)) in there:
                    continue
                entry.spec, entry.own = specs.get(entry.own, entry.spec), None
                self._add(entry, owns)
        self.requests |= other.requests

    def forget_deleted(self) -> list[ClientBreakpoint]:
        """The client's breakpoints that a command of the console has deleted, from now on none."""
        there = {each.id for each in self._debugger.breakpoints}
        gone = [
            entry
            for entries in self._entries.values()
            for entry in entries
            if entry.own is not None and entry.own not in there
        ]
        for entry in gone:
            entry.own, entry.message = None, "deleted in the console"
        return gone

    def reached(self, reasons: Sequence[Reason]) -> list[ClientBreakpoint]:
        """The client's breakpoints among the reasons of a stop."""
        own = {reason.breakpoint for reason in reasons if reason.breakpoint is not None}
        return [
            entry for entries in self._entries.values() for entry in entries if entry.own in own
        ]

    def locations(self, role: Role, first: int, last: int) -> list[dict[str, Any]]:
        """Where breakpoints can stand, in a client's lines ``first`` to ``last``."""
        source_map = self._debugger.source_map
        if role == "generator":
            places = self._sources.generator_places
            assert source_map is not None
            assert places is not None
            lines = (places.line(number) for number in source_map.lines)
            return [{"line": line} for line in lines if first <= line <= last]
        found: list[dict[str, Any]] = []
        for start, _end in self._debugger.program.spans():
            line, column = self._places.place(start)
            if line > last or len(found) == _MOST_LOCATIONS:
                break
            if line >= first:
                found.append({"line": line, "column": column})
        return found

    def reported(self, request: BreakpointRequest) -> list[ClientBreakpoint]:
        """The result of a request that was applied."""
        ids = set(request.ids)
        return [entry for each in self._entries.values() for entry in each if entry.id in ids]

    def _replace(
        self, group: str, made: list[ClientBreakpoint], *, numbered: bool
    ) -> list[ClientBreakpoint]:
        """Take the place of a group; one that says the same as before keeps its number.

        numbered: the client knows them by their numbers already.
        """
        old = [entry for entry in self._entries.get(group, []) if entry.own is not None]
        owns = {entry.spec: entry.own for entry in old if entry.spec is not None}
        wanted = {entry.spec for entry in made}
        for spec, own in owns.items():
            if spec not in wanted and own is not None:
                self._debugger.remove_breakpoint(own)
        for entry in made:
            if entry.spec is None:
                continue
            same = next((each for each in old if each.spec == entry.spec), None)
            if same is not None:
                old.remove(same)
                if not numbered:
                    entry.id = same.id
            self._add(entry, owns)
        self._entries[group] = made
        return made

    def _add(self, entry: ClientBreakpoint, owns: dict[BreakpointSpec, int | None]) -> None:
        """Give an entry the debugger's breakpoint of its spec; ``owns``: those there are."""
        assert entry.spec is not None
        entry.own = owns.get(entry.spec)
        if entry.own is None:
            try:
                owns[entry.spec] = entry.own = self._debugger.add_breakpoint(entry.spec).id
            except EsoplayError as error:
                entry.message = str(error)

    def _bind(
        self, kind: Kind, make: Callable[[Arguments], BreakpointSpec], wanted: Arguments
    ) -> ClientBreakpoint:
        entry = ClientBreakpoint(next(self._ids), kind)
        try:
            entry.spec = refined(make(wanted), wanted)
        except EsoplayError as error:
            entry.message = str(error)
        return entry

    def _in_source(self, role: Role | None, name: str, wanted: Arguments) -> ClientBreakpoint:
        line = required_whole(wanted, "line")
        entry = ClientBreakpoint(next(self._ids), "breakpoint")
        entry.shown = {"line": line}
        try:
            if role == "program":
                entry.shown, spec = self._in_program(line, whole_of(wanted, "column"))
                if entry.shown["line"] != line:
                    entry.note = f"moved to the next instruction, in line {entry.shown['line']}"
            elif role == "generator":
                entry.shown, spec = self._in_generator(line)
            else:
                raise RequestError(f"{name} is not a source of the program that is debugged")
            entry.spec = refined(spec, wanted)
        except EsoplayError as error:
            entry.message = str(error)
        return entry

    def _in_program(self, line: int, column: int | None) -> tuple[dict[str, Any], BreakpointSpec]:
        """Return the instruction at a place, else the first one after it."""
        row = self._places.row(line)
        if row is None:
            raise RequestError(f"the program has no line {line}")
        wanted = self._places.bounds(row)[0]
        if column is not None:
            wanted = self._places.offset(row, column)
        program = self._debugger.program
        span = program.instruction_at(wanted)
        if span is None or (column is None and span[0] < wanted):
            span = next((each for each in program.spans() if each[0] >= wanted), None)
        if span is None:
            raise RequestError("there is no instruction at or after this place")
        return self._place_of(span), BreakpointSpec(offset=span[0])

    def _place_of(self, span: tuple[int, int]) -> dict[str, Any]:
        line, column = self._places.place(span[0])
        end_line, end_column = self._places.place(span[1])
        return {
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
            "source": self._sources.program,
        }

    def _in_generator(self, line: int) -> tuple[dict[str, Any], BreakpointSpec]:
        """Return a line with instructions, else the first such line after it."""
        source_map, places = self._debugger.source_map, self._sources.generator_places
        assert source_map is not None
        assert places is not None
        number = next((each for each in source_map.lines if each >= places.number(line)), None)
        if number is None:
            raise RequestError("no line from here on has made a part of the program")
        shown = {"line": places.line(number), "source": self._sources.generator}
        return shown, BreakpointSpec(source_line=number)

    def _function(self, wanted: Arguments) -> BreakpointSpec:
        name = required_text(wanted, "name")
        if name in self._debugger.program.places():
            return BreakpointSpec(place=name)
        if self._debugger.program.occurrences(name):
            return BreakpointSpec(instruction=name)
        return BreakpointSpec(place=name)  # its error names the places there are


# What a client's breakpoints ask for, in the words of the debugger.

_HITS = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d{1,15})\s*")


def wanted_in(arguments: Arguments) -> Sequence[Arguments]:
    """The breakpoints that a request names; clients of old sent lines alone."""
    if arguments.get("breakpoints") is None and isinstance(arguments.get("lines"), list):
        return [{"line": line} for line in arguments["lines"]]
    return objects_of(arguments, "breakpoints")


def refined(spec: BreakpointSpec, wanted: Arguments) -> BreakpointSpec:
    """The spec with condition, count and log text of the client's breakpoint."""
    parts = [text for text in (text_of(wanted, "condition"),) if text and text.strip()]
    hits = text_of(wanted, "hitCondition")
    if hits and hits.strip():
        parts.append(hits_condition(hits))
    condition = " and ".join(f"({part})" if len(parts) > 1 else part for part in parts)
    return replace(spec, condition=condition or None, log=text_of(wanted, "logMessage") or None)


def hits_condition(text: str) -> str:
    """The condition on ``hits`` that ``5``, ``>= 5`` or ``% 5`` spells; raises RequestError."""
    match = _HITS.fullmatch(text)
    if match is None:
        raise RequestError(f"a hit condition is such as 5, >= 5 or % 5, not {text!r}")
    relation, number = match.groups()
    if relation == "%":
        return f"hits % {number} == 0"
    return f"hits {relation or '=='} {number}"


def data_id(place: Address | Slot) -> str:
    """What the client calls a cell or a slot between asking about it and watching it."""
    if isinstance(place, Slot):
        return f"slot {place.stack} {place.level}"
    parts = place if isinstance(place, tuple) else (place,)
    return "cell " + " ".join(map(str, parts))


def data_in(wanted: Arguments) -> BreakpointSpec:
    """What a data breakpoint watches; raises RequestError."""
    text = required_text(wanted, "dataId")
    kind, *numbers = text.split()
    try:
        parts = list(map(int, numbers))
    except ValueError:
        parts = []
    access = text_of(wanted, "accessType") or "write"
    if kind == "slot" and len(parts) == 2 and access == "write":
        return BreakpointSpec(slot=Slot(*parts))
    if kind != "cell" or not parts:
        raise RequestError(f"there is nothing called {text!r} to watch for {access}s")
    cell: Address = tuple(parts) if len(parts) > 1 else parts[0]
    if access == "write":
        return BreakpointSpec(cell=cell)
    if access == "read":
        return BreakpointSpec(read=cell)
    raise RequestError("watch for writes, or for reads: one breakpoint cannot do both")


# Breakpoints that a client has asked for: they may come before the program, and outlive it.


class BreakpointRequest(NamedTuple):
    """A request, with the numbers of the breakpoints that answered it."""

    group: Group
    arguments: Arguments
    ids: Sequence[int]


class BreakpointRequests:
    """The last request of each kind, and of each source.

    ids: numbers for the client, none given out twice.
    """

    def __init__(self) -> None:
        self.ids = count(1)
        self._requests: dict[str, BreakpointRequest] = {}

    def take(
        self, group: Group, key: str, arguments: Arguments, breakpoints: Breakpoints | None
    ) -> Sequence[ClientBreakpoint]:
        """Apply a request to the run shown, or save it until there is one.

        Raises RequestError.
        """
        if breakpoints is not None:
            entries = breakpoints.set(group, arguments)
        else:
            entries = [
                ClientBreakpoint(
                    next(self.ids), shown=_line_of(each), message="no program was launched yet"
                )
                for each in wanted_in(arguments)
            ]
        request = BreakpointRequest(group, arguments, [entry.id for entry in entries])
        self._requests[key] = request
        if breakpoints is not None:
            breakpoints.requests[key] = request
        return entries

    def set_all(self, breakpoints: Breakpoints) -> Iterator[ClientBreakpoint]:
        """Apply the requests that a run has missed; return the results of all of them."""
        for key, request in self._requests.items():
            if breakpoints.requests.get(key) is not request:
                breakpoints.requests[key] = request
                try:
                    breakpoints.set(request.group, request.arguments, request.ids)
                except RequestError as error:  # it came before there was a program to check it
                    yield from (ClientBreakpoint(id, message=str(error)) for id in request.ids)
                    continue
            yield from breakpoints.reported(request)


def _line_of(wanted: Arguments) -> dict[str, Any]:
    """The line of a breakpoint that cannot be looked at yet."""
    line = wanted.get("line")
    return {"line": line} if type(line) is int else {}
