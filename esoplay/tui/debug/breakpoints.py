"""The breakpoints of a program, and how they move when its text changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from esolangs.source import common_prefix, locate
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec, Debugger
from esoplay.errors import UsageError
from esoplay.timeline.places import is_on_plane, next_instruction
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES

if TYPE_CHECKING:
    from esolangs.source import Span


class BreakpointRegistry:
    """Sets, finds and removes the breakpoints of a program."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger

    def spec_at(self, offset: int) -> BreakpointSpec | None:
        """Return the location of the instruction at a byte offset; None on a comment."""
        program = self._debugger.program
        span = program.instruction_at(offset)
        if span is None:
            return None
        address = program.address_at(span[0])
        if isinstance(address, tuple):
            return BreakpointSpec(position=(address[0], address[1]))
        return BreakpointSpec(offset=address)

    def toggle_in_range(self, start: int, end: int) -> str:
        """Set or remove a breakpoint on the first instruction in a byte range; return a message.

        In a comment, the next instruction is used. Raises UsageError after the last instruction.
        """
        candidates = [spec for at in range(start, end) if (spec := self.spec_at(at)) is not None]
        location_keys = {_location_key(spec) for spec in candidates}
        for each in self._debugger.breakpoints:
            if _location_key(each.spec) in location_keys:
                return self.toggle(each.spec)
        if candidates:
            return self.toggle(candidates[0])
        program = self._debugger.program
        following = next_instruction(program, start)
        next_location = None if following is None else self.spec_at(following[0])
        if following is None or next_location is None:
            raise UsageError("no instruction found at the cursor or after it")
        line, column = locate(program.source, following[0])
        order = "in the text" if is_on_plane(program) else "after the comment"
        return f"{self.toggle(next_location)} at {line}:{column}, the next instruction {order}"

    def spec_at_or_after(self, offset: int) -> BreakpointSpec | None:
        """Return a breakpoint at an offset; in a comment, it stops at the next instruction.

        Returns None after the last instruction.
        """
        spec = self.spec_at(offset)
        if spec is None and next_instruction(self._debugger.program, offset) is not None:
            return BreakpointSpec(offset=offset)
        return spec

    def toggle(self, spec: BreakpointSpec) -> str:
        """Set a breakpoint, or remove the existing one at the location; return a message."""
        key = _location_key(spec)
        existing = [each for each in self._debugger.breakpoints if _location_key(each.spec) == key]
        for each in existing:
            self._debugger.remove_breakpoint(each.id)
        if existing:
            return f"breakpoint {existing[0].id} removed"
        added = self._debugger.add_breakpoint(spec)
        return f"breakpoint {added.id} set"

    def put(self, spec: BreakpointSpec, *, is_additional: bool = False) -> Breakpoint:
        """Set a breakpoint, which replaces others at the same location.

        is_additional: replace only an equal breakpoint, so that a location can have several.
        """
        if spec.offset is not None:
            found = self.spec_at(spec.offset)
            if found is not None:
                spec = replace(spec, offset=found.offset, position=found.position)
        added = self._debugger.add_breakpoint(spec)
        key = _location_key(spec)
        if key is not None:
            for each in self._debugger.breakpoints:
                same = each.spec == spec if is_additional else _location_key(each.spec) == key
                if same and each.id != added.id:
                    self._debugger.remove_breakpoint(each.id)
        return added

    def breakpoint_at(self, spec: BreakpointSpec | None) -> Breakpoint | None:
        """Return the breakpoint at the location of ``spec``, or None."""
        if spec is None:
            return None
        key = _location_key(spec)
        return next((e for e in self._debugger.breakpoints if _location_key(e.spec) == key), None)

    def enable(self, breakpoint: Breakpoint, enabled: bool) -> None:
        """Enable or disable a breakpoint; its id and hit count do not change."""
        breakpoint.spec = replace(breakpoint.spec, enabled=enabled)


def _location_key(spec: BreakpointSpec) -> object:
    """Return the location of a breakpoint without its conditions; None if it has no location."""
    if spec.slot is not None:
        return "slot", spec.slot  # Without the tag, a slot could equal a point.
    if spec.source_line is not None:
        return "line", spec.source_line
    return spec.offset if spec.position is None else spec.position


# How breakpoints move when the program's text changes.

MIN_SIMILARITY = 0.5
"""Minimum share of the shorter text that two versions of a program have in common, from 0 to 1."""


class TextChange:
    """The range in which two versions of a text differ."""

    def __init__(self, old: bytes, new: bytes) -> None:
        shortest = min(len(old), len(new))
        self.prefix_length = common_prefix(old, new)
        longest_suffix = shortest - self.prefix_length
        tail_old, tail_new = (
            old[len(old) - longest_suffix :][::-1],
            new[len(new) - longest_suffix :][::-1],
        )
        self.suffix_length = common_prefix(tail_old, tail_new)
        self._old_length, self._new_length = len(old), len(new)

    @property
    def is_new_version(self) -> bool:
        """Whether the old and new text are similar enough to be versions of one program."""
        shortest = min(self._old_length, self._new_length)
        return (
            shortest > 0 and (self.prefix_length + self.suffix_length) >= MIN_SIMILARITY * shortest
        )

    def new_offset(self, offset: int) -> int | None:
        """Return the new offset of a byte; None if the byte was in the changed range."""
        if offset < self.prefix_length:
            return offset
        if offset >= self._old_length - self.suffix_length:
            return offset + self._new_length - self._old_length
        return None


CONTEXT_BYTES = 16
"""Number of bytes saved before and after an instruction, to find it in changed source."""
MAX_OCCURRENCES = 1000
"""Maximum number of occurrences to check when looking for a breakpoint in changed source."""
_CONTEXT_SIZES = ((16, 16), (8, 8), (16, 0), (0, 16), (4, 4), (8, 0), (0, 8))
"""Numbers of bytes before and after an instruction that must match, most reliable first."""
MIN_DISTINCT_BYTES = 2
"""Minimum number of distinct bytes in the context of an instruction if only one side is compared.

Repeated spaces, for example, do not identify a location.
"""


class Anchor(NamedTuple):
    """The text of a breakpoint's instruction with its context, to find it in changed source."""

    before: bytes
    text: bytes
    after: bytes

    def find(self, source: bytes, offset: int) -> int | None:
        """Return the offset of the instruction in a changed ``source``; None if it is not found.

        If the text occurs several times, the occurrence nearest to ``offset`` is returned.
        """
        for left, right in _CONTEXT_SIZES:
            before, after = self.before[max(0, len(self.before) - left) :], self.after[:right]
            if not before and not after:
                continue
            if not (left and right) and len(set(before + after)) < MIN_DISTINCT_BYTES:
                continue
            occurrences = _find_occurrences(source, before + self.text + after)
            if occurrences:
                return min(
                    (at + len(before) for at in occurrences), key=lambda at: abs(at - offset)
                )
        return None


class OrphanBreakpoint(NamedTuple):
    """A breakpoint whose instruction or name was deleted from the program.

    anchor: the text of the instruction with its context; None for a breakpoint without an offset,
    such as on a source line. nearest_offset: an offset near the deleted text; only used with
    an anchor.
    """

    spec: BreakpointSpec
    anchor: Anchor | None
    nearest_offset: int

    @property
    def text(self) -> str:
        """The text that describes the breakpoint in a list.

        It is the deleted instruction, with context if it is a single byte; without an anchor, it is
        the location.
        """
        if self.anchor is None:
            return str(self.spec)
        shown = self.anchor.text if len(self.anchor.text) > 1 else self._context_bytes
        return shown.decode("utf-8", "replace").translate(CONTROL_PICTURES)

    @property
    def _context_bytes(self) -> bytes:
        assert self.anchor is not None
        return self.anchor.before[-6:] + self.anchor.text + self.anchor.after[:6]


def anchor_at(source: bytes, span: Span) -> Anchor:
    """Return the anchor of the instruction in a byte range."""
    start, end = span
    return Anchor(
        source[max(0, start - CONTEXT_BYTES) : start],
        source[start:end],
        source[end : end + CONTEXT_BYTES],
    )


def _find_occurrences(source: bytes, text: bytes) -> list[int]:
    found: list[int] = []
    at = source.find(text)
    while at >= 0 and len(found) < MAX_OCCURRENCES:
        found.append(at)
        at = source.find(text, at + 1)
    return found
