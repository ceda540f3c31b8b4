"""The part of a debugger that keeps breakpoints, and the source map whose lines they may name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from esoplay.errors import ConditionError, UsageError
from esoplay.timeline.breakpoint_spec import BreakpointSpec
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.states import has_stacks
from esoplay.timeline.timeline import Timeline

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.timeline.source_lines import SourceLines


class BreakpointList:
    """Breakpoints on one recording."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._breakpoints: list[Breakpoint] = []
        self._next_id = 1
        self._lines: SourceLines | None = None

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        return tuple(self._breakpoints)

    def add_breakpoint(self, spec: BreakpointSpec) -> Breakpoint:
        """Raises UsageError or ConditionError for what can never apply."""
        breakpoint = self._checked(self._next_id, spec)
        self._next_id += 1
        self._breakpoints.append(breakpoint)
        return breakpoint

    def change_breakpoint(self, id: int, spec: BreakpointSpec) -> Breakpoint:
        """Give a breakpoint another spec under the same id.

        Its hits begin anew unless it was only switched on or off.  Raises like
        ``add_breakpoint``, and UsageError when there is none of this id.
        """
        at = next((at for at, each in enumerate(self._breakpoints) if each.id == id), None)
        if at is None:
            raise UsageError(f"there is no breakpoint {id}")
        old, changed = self._breakpoints[at], self._checked(id, spec)
        if replace(spec, enabled=True) == replace(old.spec, enabled=True):
            changed.hits = old.hits
        self._breakpoints[at] = changed
        return changed

    def set_breakpoints(self, specs: Sequence[BreakpointSpec]) -> tuple[Breakpoint, ...]:
        """Replace all breakpoints; when one is wrong none is replaced."""
        before = self._breakpoints
        self._breakpoints = []
        try:
            for spec in specs:
                self.add_breakpoint(spec)
        except Exception:
            self._breakpoints = before
            raise
        return self.breakpoints

    def remove_breakpoint(self, id: int) -> None:
        """Raises UsageError when there is none of this id."""
        kept = [each for each in self._breakpoints if each.id != id]
        if len(kept) == len(self._breakpoints):
            raise UsageError(f"there is no breakpoint {id}")
        self._breakpoints = kept

    # The source map.

    @property
    def source_map(self) -> SourceMap | None:
        """The map that is open; see :mod:`esoplay.service.source_maps` for what it tells."""
        return None if self._lines is None else self._lines.source_map

    @property
    def source_lines(self) -> SourceLines | None:
        """Where the lines of that map are in the program."""
        return self._lines

    def use_map(self, source_map: SourceMap | None) -> None:
        """Open a map, or none; breakpoints on lines or variables that it does not have are removed.

        Raises MapError when it is about another program, and changes nothing then.
        """
        lines = None
        if source_map is not None:
            from esoplay.timeline.source_lines import SourceLines

            lines = SourceLines(self._timeline.program, source_map)
        self._lines = lines
        for each in self._breakpoints:
            if each.spec.source_line is not None or each.asks_for_variables:
                try:
                    self.change_breakpoint(each.id, each.spec)
                except (UsageError, ConditionError):
                    self.remove_breakpoint(each.id)

    def _checked(self, id: int, spec: BreakpointSpec) -> Breakpoint:
        program, machine = self._timeline.program, self._timeline.machine
        breakpoint = Breakpoint(id, spec, program, self._lines)
        for cell in breakpoint.cells:
            try:
                machine.peek(cell)
            except ValueError as error:
                raise UsageError(str(error)) from None
        if spec.slot is not None and not has_stacks(machine):
            raise UsageError(f"{program.language.name} has no stacks")
        return breakpoint

    def _copy_to(self, twin: BreakpointList) -> None:
        """Give another list the same map, and the same breakpoints with no hits yet."""
        twin._lines = self._lines
        twin._breakpoints = [
            Breakpoint(each.id, each.spec, self._timeline.program, self._lines)
            for each in self._breakpoints
        ]
        twin._next_id = self._next_id
