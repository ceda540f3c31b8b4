"""The client's source, function and data breakpoints, mapped to the debugger's breakpoints."""

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
    integer_argument,
    object_argument,
    objects_argument,
    required_integer,
    required_text,
    text_argument,
)
from esoplay.debugging.debugger import BreakpointSpec, Debugger, Reason
from esoplay.errors import EsoplayError

Group = Literal["source", "functions", "data"]
"""The breakpoints that one request replaces; ``source`` means the breakpoints in one file."""

Kind = Literal["breakpoint", "function breakpoint", "data breakpoint"]
"""The kind of a breakpoint, which is also the protocol's reason for a stop at it."""

_MAX_LOCATIONS = 10_000


@dataclass(slots=True)
class ClientBreakpoint:
    """A breakpoint that the client requested.

    debugger_id: the id of the debugger's breakpoint, or None if it cannot be set; breakpoints with
    the same ``spec`` share the id.  message: the reason why ``debugger_id`` is None.  move_message:
    the line to which the client's breakpoint was moved, as a sentence; empty if it was not moved.
    """

    id: int
    kind: Kind = "breakpoint"
    spec: BreakpointSpec | None = None
    debugger_id: int | None = None
    message: str = ""
    move_message: str = ""
    position: dict[str, Any] = field(default_factory=dict[str, Any])

    def as_json(self) -> dict[str, Any]:
        """Return the protocol's ``Breakpoint``."""
        message = self.message or self.move_message
        details = {"message": message} if message else {}
        return {"id": self.id, "verified": self.debugger_id is not None, **details, **self.position}

    @property
    def position_text(self) -> str:
        """The position as the editor shows it; empty for function and data breakpoints."""
        if "column" in self.position:
            return f"line {self.position['line']}, column {self.position['column']}"
        return f"line {self.position['line']}" if "line" in self.position else ""


class Breakpoints:
    """The client's breakpoints in a run.

    A request replaces all source breakpoints in one file, all function breakpoints or all data
    breakpoints.
    """

    def __init__(
        self, debugger: Debugger, places: TextPlaces, sources: ClientSources, ids: Iterator[int]
    ):
        """Start without breakpoints; ``ids`` yields unused ids for the client."""
        self._debugger = debugger
        self._places = places
        self._sources = sources
        self._entries: dict[str, list[ClientBreakpoint]] = {}
        self._ids = ids
        self.requests: dict[str, BreakpointRequest] = {}
        """The last request applied to this run for each file, for functions and for data."""

    def set(
        self, group: Group, arguments: Arguments, ids: Sequence[int] | None = None
    ) -> list[ClientBreakpoint]:
        """Apply a request, which replaces a group of breakpoints.

        group: source (the breakpoints in one file), functions or data.  ids: the ids of the
        requested breakpoints, in order, if the client already has them.

        Raises RequestError for an invalid request. A breakpoint that cannot be set has a message.
        """
        wanted = requested_breakpoints(arguments)
        if group == "source":
            source = object_argument(arguments, "source")
            role = self._sources.role(source)
            name = str(source.get("name") or source.get("path") or "this file")
            made = [self._source_breakpoint(role, name, each) for each in wanted]
            key = f"source {role or name}"
        elif group == "functions":
            made = [
                self._make_entry("function breakpoint", self._function, each) for each in wanted
            ]
            key = group
        else:
            made = [
                self._make_entry("data breakpoint", parse_data_breakpoint, each) for each in wanted
            ]
            key = group
        for entry, id in zip(made, ids or (), strict=False):
            entry.id = id
        return self._replace_group(key, made, have_ids=ids is not None)

    def copy_from(self, other: Breakpoints) -> None:
        """Copy the client's breakpoints from another run of the same program.

        If the debugger of this run is a copy of the other run's debugger, its breakpoints are
        reused.
        """
        there = {(each.id, each.spec) for each in self._debugger.breakpoints}
        specs = {each.id: each.spec for each in other._debugger.breakpoints}
        for group, entries in other._entries.items():
            self._entries[group] = made = [replace(entry) for entry in entries]
            owns: dict[BreakpointSpec, int | None] = {}
            for entry in made:
                if (
                    entry.debugger_id is None
                    or (entry.debugger_id, specs.get(entry.debugger_id)) in there
                ):
                    continue
                entry.spec, entry.debugger_id = specs.get(entry.debugger_id, entry.spec), None
                self._add(entry, owns)
        self.requests |= other.requests

    def mark_deleted(self) -> list[ClientBreakpoint]:
        """Mark the client's breakpoints that a console command deleted, and return them."""
        there = {each.id for each in self._debugger.breakpoints}
        gone = [
            entry
            for entries in self._entries.values()
            for entry in entries
            if entry.debugger_id is not None and entry.debugger_id not in there
        ]
        for entry in gone:
            entry.debugger_id, entry.message = None, "deleted in the console"
        return gone

    def find_reached(self, reasons: Sequence[Reason]) -> list[ClientBreakpoint]:
        """Return the client's breakpoints that caused a stop."""
        own = {reason.breakpoint for reason in reasons if reason.breakpoint is not None}
        return [
            entry
            for entries in self._entries.values()
            for entry in entries
            if entry.debugger_id in own
        ]

    def locations(self, role: Role, first: int, last: int) -> list[dict[str, Any]]:
        """Return where breakpoints can be set in the client's lines ``first`` to ``last``."""
        source_map = self._debugger.source_map
        if role == "generator":
            places = self._sources.generator_places
            assert source_map is not None
            assert places is not None
            lines = (places.client_line(number) for number in source_map.lines)
            return [{"line": line} for line in lines if first <= line <= last]
        found: list[dict[str, Any]] = []
        for start, _end in self._debugger.program.spans():
            line, column = self._places.place(start)
            if line > last or len(found) == _MAX_LOCATIONS:
                break
            if line >= first:
                found.append({"line": line, "column": column})
        return found

    def request_breakpoints(self, request: BreakpointRequest) -> list[ClientBreakpoint]:
        """Return the breakpoints that a request set when it was applied to this run."""
        ids = set(request.ids)
        return [entry for each in self._entries.values() for entry in each if entry.id in ids]

    def _replace_group(
        self, group: str, entries: list[ClientBreakpoint], *, have_ids: bool
    ) -> list[ClientBreakpoint]:
        """Replace a group's breakpoints; one with the same specification as before keeps its id.

        have_ids: whether the new breakpoints already have ids.
        """
        old = [entry for entry in self._entries.get(group, []) if entry.debugger_id is not None]
        owns = {entry.spec: entry.debugger_id for entry in old if entry.spec is not None}
        wanted = {entry.spec for entry in entries}
        for spec, own in owns.items():
            if spec not in wanted and own is not None:
                self._debugger.remove_breakpoint(own)
        for entry in entries:
            if entry.spec is None:
                continue
            same = next((each for each in old if each.spec == entry.spec), None)
            if same is not None:
                old.remove(same)
                if not have_ids:
                    entry.id = same.id
            self._add(entry, owns)
        self._entries[group] = entries
        return entries

    def _add(self, entry: ClientBreakpoint, existing: dict[BreakpointSpec, int | None]) -> None:
        """Add the client's breakpoint to the debugger, or reuse one with the same ``spec``."""
        assert entry.spec is not None
        entry.debugger_id = existing.get(entry.spec)
        if entry.debugger_id is None:
            try:
                existing[entry.spec] = entry.debugger_id = self._debugger.add_breakpoint(
                    entry.spec
                ).id
            except EsoplayError as error:
                entry.message = str(error)

    def _make_entry(
        self, kind: Kind, make: Callable[[Arguments], BreakpointSpec], request: Arguments
    ) -> ClientBreakpoint:
        entry = ClientBreakpoint(next(self._ids), kind)
        try:
            entry.spec = add_conditions(make(request), request)
        except EsoplayError as error:
            entry.message = str(error)
        return entry

    def _source_breakpoint(
        self, role: Role | None, name: str, request: Arguments
    ) -> ClientBreakpoint:
        line = required_integer(request, "line")
        entry = ClientBreakpoint(next(self._ids), "breakpoint")
        entry.position = {"line": line}
        try:
            if role == "program":
                entry.position, spec = self._program_position(
                    line, integer_argument(request, "column")
                )
                if entry.position["line"] != line:
                    entry.move_message = (
                        f"moved to the next instruction, in line {entry.position['line']}"
                    )
            elif role == "generator":
                entry.position, spec = self._generator_position(line)
            else:
                raise RequestError(f"{name} is not a source file of the debugged program")
            entry.spec = add_conditions(spec, request)
        except EsoplayError as error:
            entry.message = str(error)
        return entry

    def _program_position(
        self, line: int, column: int | None
    ) -> tuple[dict[str, Any], BreakpointSpec]:
        """Return the first instruction at or after a place: its position and a breakpoint on it.

        column: None for the beginning of the line.

        Raises RequestError if the line does not exist or no instruction follows.
        """
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
            raise RequestError("no instruction at or after this position")
        return self._position_json(span), BreakpointSpec(offset=span[0])

    def _position_json(self, span: tuple[int, int]) -> dict[str, Any]:
        line, column = self._places.place(span[0])
        end_line, end_column = self._places.place(span[1])
        return {
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
            "source": self._sources.program,
        }

    def _generator_position(self, line: int) -> tuple[dict[str, Any], BreakpointSpec]:
        """Return the place and the spec of a breakpoint on a line of the generator's source.

        line: the client's number of the line.  If the line generated no instruction, the breakpoint
        is on the next line that did.  Raises RequestError if no such line is found.
        """
        source_map, places = self._debugger.source_map, self._sources.generator_places
        assert source_map is not None
        assert places is not None
        number = next((each for each in source_map.lines if each >= places.line_number(line)), None)
        if number is None:
            raise RequestError("neither this line nor a later line has instructions in the program")
        shown = {"line": places.client_line(number), "source": self._sources.generator}
        return shown, BreakpointSpec(source_line=number)

    def _function(self, request: Arguments) -> BreakpointSpec:
        name = required_text(request, "name")
        if name in self._debugger.program.places():
            return BreakpointSpec(place=name)
        if self._debugger.program.occurrences(name):
            return BreakpointSpec(instruction=name)
        return BreakpointSpec(place=name)  # its error lists the valid places


# Translation of the client's breakpoints into the debugger's specs.

_HITS = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d{1,15})\s*")


def requested_breakpoints(arguments: Arguments) -> Sequence[Arguments]:
    """Return the breakpoints of a request; old clients send only lines."""
    if arguments.get("breakpoints") is None and isinstance(arguments.get("lines"), list):
        return [{"line": line} for line in arguments["lines"]]
    return objects_argument(arguments, "breakpoints")


def add_conditions(spec: BreakpointSpec, request: Arguments) -> BreakpointSpec:
    """Return ``spec`` with the condition, hit count and log text of the client's breakpoint."""
    parts = [text for text in (text_argument(request, "condition"),) if text and text.strip()]
    hits = text_argument(request, "hitCondition")
    if hits and hits.strip():
        parts.append(hits_condition(hits))
    condition = " and ".join(f"({part})" if len(parts) > 1 else part for part in parts)
    return replace(
        spec, condition=condition or None, log=text_argument(request, "logMessage") or None
    )


def hits_condition(text: str) -> str:
    """Return the condition on ``hits`` for a text of the form ``5``, ``>= 5`` or ``% 5``.

    Raises RequestError for other text.
    """
    match = _HITS.fullmatch(text)
    if match is None:
        raise RequestError(f"invalid hit condition {text!r}; expected, for example, 5, >= 5 or % 5")
    relation, number = match.groups()
    if relation == "%":
        return f"hits % {number} == 0"
    return f"hits {relation or '=='} {number}"


def data_id(place: Address | Slot) -> str:
    """Return the protocol's ``dataId`` of a cell or of a level on a stack."""
    if isinstance(place, Slot):
        return f"slot {place.stack} {place.level}"
    parts = place if isinstance(place, tuple) else (place,)
    return "cell " + " ".join(map(str, parts))


def parse_data_breakpoint(request: Arguments) -> BreakpointSpec:
    """Return the specification of a data breakpoint.

    Raises RequestError if the request is invalid.
    """
    text = required_text(request, "dataId")
    kind, *numbers = text.split()
    try:
        parts = list(map(int, numbers))
    except ValueError:
        parts = []
    access = text_argument(request, "accessType") or "write"
    if kind == "slot" and len(parts) == 2 and access == "write":
        return BreakpointSpec(slot=Slot(*parts))
    if kind != "cell" or not parts:
        raise RequestError(f"invalid data breakpoint: cannot watch {text!r} for {access}s")
    cell: Address = tuple(parts) if len(parts) > 1 else parts[0]
    if access == "write":
        return BreakpointSpec(cell=cell)
    if access == "read":
        return BreakpointSpec(read=cell)
    raise RequestError("one breakpoint cannot watch reads and writes; set one for each")


# The client's requests for breakpoints: they can arrive before the launch and remain after it.


class BreakpointRequest(NamedTuple):
    """A request with the ids of the breakpoints that it set."""

    group: Group
    arguments: Arguments
    ids: Sequence[int]


class BreakpointRequests:
    """The client's last breakpoint request for each source file, for functions and for data.

    ids: yields unused breakpoint ids for the client.
    """

    def __init__(self) -> None:
        self.ids = count(1)
        self._requests: dict[str, BreakpointRequest] = {}

    def apply(
        self, group: Group, key: str, arguments: Arguments, breakpoints: Breakpoints | None
    ) -> Sequence[ClientBreakpoint]:
        """Apply a request to the current run, or save it until a program is launched.

        Raises RequestError if the request is invalid.
        """
        if breakpoints is not None:
            entries = breakpoints.set(group, arguments)
        else:
            entries = [
                ClientBreakpoint(
                    next(self.ids),
                    position=_requested_line(each),
                    message="no program was launched yet",
                )
                for each in requested_breakpoints(arguments)
            ]
        request = BreakpointRequest(group, arguments, [entry.id for entry in entries])
        self._requests[key] = request
        if breakpoints is not None:
            breakpoints.requests[key] = request
        return entries

    def set_all(self, breakpoints: Breakpoints) -> Iterator[ClientBreakpoint]:
        """Apply the saved requests to the breakpoints of a run; yield the resulting breakpoints.

        A request that was already applied to the run is not applied again.  A request that is
        invalid for the launched program yields breakpoints with a message.
        """
        for key, request in self._requests.items():
            if breakpoints.requests.get(key) is not request:
                breakpoints.requests[key] = request
                try:
                    breakpoints.set(request.group, request.arguments, request.ids)
                except RequestError as error:  # unknown before the launch
                    yield from (ClientBreakpoint(id, message=str(error)) for id in request.ids)
                    continue
            yield from breakpoints.request_breakpoints(request)


def _requested_line(request: Arguments) -> dict[str, Any]:
    """Return the requested line of a breakpoint that is not checked yet."""
    line = request.get("line")
    return {"line": line} if type(line) is int else {}
