"""The breakpoints of a program by where they stand, which is how keys and clicks mean them."""

from __future__ import annotations

from dataclasses import replace

from esoplay.debugging.debugger import Breakpoint, BreakpointSpec, Debugger
from esoplay.errors import UsageError


class StandingBreakpoints:
    """Sets, finds and takes away breakpoints, one at each place."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger

    def spec_at(self, offset: int) -> BreakpointSpec | None:
        """What stops at the instruction that covers ``offset``; None on comment."""
        program = self._debugger.program
        span = program.instruction_at(offset)
        if span is None:
            return None
        address = program.address_of(span[0])
        if isinstance(address, tuple):
            return BreakpointSpec(position=(address[0], address[1]))
        return BreakpointSpec(offset=address)

    def toggle_at(self, start: int, end: int) -> str:
        """Set a breakpoint on the first instruction in a byte range, or take it away there.

        Raises UsageError where there is none.
        """
        places = [spec for at in range(start, end) if (spec := self.spec_at(at)) is not None]
        standing = {_place_of(spec) for spec in places}
        for each in self._debugger.breakpoints:
            if _place_of(each.spec) in standing:
                return self.toggle(each.spec)
        if not places:
            raise UsageError("there is no instruction here to stop at")
        return self.toggle(places[0])

    def toggle(self, spec: BreakpointSpec) -> str:
        """Set a breakpoint, or take away what stands at its place; tells which."""
        place = _place_of(spec)
        here = [each for each in self._debugger.breakpoints if _place_of(each.spec) == place]
        for each in here:
            self._debugger.remove_breakpoint(each.id)
        if here:
            return f"breakpoint {here[0].id} removed"
        added = self._debugger.add_breakpoint(spec)
        return f"breakpoint {added.id} set"

    def put(self, spec: BreakpointSpec, *, beside: bool = False) -> Breakpoint:
        """Set a breakpoint; one that stands at the same place is replaced.

        beside: only one that is the same in all else, too, is replaced.
        """
        if spec.offset is not None:
            at = self.spec_at(spec.offset)
            if at is not None:
                spec = replace(spec, offset=at.offset, position=at.position)
        added = self._debugger.add_breakpoint(spec)
        place = _place_of(spec)
        if place is not None:
            for each in self._debugger.breakpoints:
                same = each.spec == spec if beside else _place_of(each.spec) == place
                if same and each.id != added.id:
                    self._debugger.remove_breakpoint(each.id)
        return added

    def standing_at(self, spec: BreakpointSpec | None) -> Breakpoint | None:
        """The breakpoint that stands where ``spec`` does."""
        if spec is None:
            return None
        place = _place_of(spec)
        return next((e for e in self._debugger.breakpoints if _place_of(e.spec) == place), None)

    def enable(self, breakpoint: Breakpoint, enabled: bool) -> None:
        """Let a breakpoint rest, or work again; its number and hits stay."""
        breakpoint.spec = replace(breakpoint.spec, enabled=enabled)


def _place_of(spec: BreakpointSpec) -> object:
    """What one breakpoint can stand at, whatever else it asks for; None when it stands nowhere."""
    if spec.slot is not None:
        return "slot", spec.slot  # by itself it would equal a point
    if spec.source_line is not None:
        return "line", spec.source_line
    return spec.offset if spec.position is None else spec.position
