"""Functions that open a program, and move breakpoints to it from its previous version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from esolangs.language import Program
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.errors import EsoplayError
from esoplay.tui.debug.breakpoints import OrphanBreakpoint, TextChange, anchor_at
from esoplay.tui.debug.source_position import use_map
from esoplay.tui.debug.status_rows import StateBadge
from esoplay.tui.debug.target import DebugTarget

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap


LARGE_BYTES = 50_000
"""Minimum size, in bytes, of programs that are opened in a thread."""

OPENING = StateBadge("OPENING"), "reading a large program"


class OpenRequest(NamedTuple):
    """The arguments of ``DebugPane.open``.

    supplied_input: the input that the user has set instead of ``stdin``, or None.
    """

    language_id: str
    source: bytes
    stdin: bytes
    expected: bytes | None
    dialect: str
    is_other_program: bool
    source_map: SourceMap | None
    supplied_input: bytes | None = None
    options: Mapping[str, str | int] | None = None


class OpenedProgram(NamedTuple):
    """A program at step 0. map_error: why the source map is not used, or ""."""

    target: DebugTarget
    map_error: str


def open_program(request: OpenRequest) -> OpenedProgram | Exception:
    """Return the program, or the error that prevents opening it; safe to call from any thread."""
    stdin = request.stdin if request.supplied_input is None else request.supplied_input
    is_input_open = (
        request.expected is None and not request.stdin and request.supplied_input is None
    )
    try:
        debugger = Debugger.open(
            request.language_id,
            request.source,
            stdin=stdin,
            closed=not is_input_open,
            dialect=request.dialect,
            options=request.options,
        )
        map_error = "" if request.source_map is None else use_map(debugger, request.source_map)
        # The expected output of an example does not apply to other input.
        expected = request.expected if request.supplied_input is None else None
        return OpenedProgram(DebugTarget(debugger, expected), map_error)
    except Exception as error:  # an engine may fail in any way; the error is reported
        return error


# Move breakpoints to a new version of a program.


def move_breakpoints(old: DebugTarget, new: DebugTarget) -> bool:
    """Set the breakpoints of ``old`` in ``new``; breakpoints whose text was deleted become orphans.

    Returns False, without any change, if the programs are not versions of one program.
    """
    before, after = old.debugger.program, new.debugger.program
    change = TextChange(before.source, after.source)
    if not change.is_new_version and not _same_source(old, new):
        return False
    for each in old.debugger.breakpoints:
        if each.spec.source_line is not None:
            spec = _move_line_breakpoint(old, new, each.spec, each.spec.source_line)
            _restore_or_orphan(new, OrphanBreakpoint(spec, None, 0), f"breakpoint {each.id}")
            continue
        offset = _find_offset(before, each.spec)
        if offset is None:
            _restore_or_orphan(new, OrphanBreakpoint(each.spec, None, 0), f"breakpoint {each.id}")
            continue
        span = before.instruction_at(offset) or (offset, offset + 1)
        near = change.new_offset(offset)
        anchor = anchor_at(before.source, span)
        if near is None or after.instruction_at(near) is None:
            near = anchor.find(after.source, change.prefix_length if near is None else near)
        orphan = OrphanBreakpoint(each.spec, anchor, change.prefix_length)
        _restore_or_orphan(new, orphan, f"breakpoint {each.id}", near)
    for orphan in old.orphans:
        near = change.new_offset(orphan.nearest_offset)
        near = change.prefix_length if near is None else near
        found = None if orphan.anchor is None else orphan.anchor.find(after.source, near)
        _restore_or_orphan(new, orphan._replace(nearest_offset=near), "", found)
    new.refresh()
    return True


def _same_source(old: DebugTarget, new: DebugTarget) -> bool:
    """Return whether the programs were generated from versions of the same source."""
    before, after = old.source.source_map, new.source.source_map
    if before is None or after is None or before.name != after.name:
        return False
    return TextChange(before.text.encode(), after.text.encode()).is_new_version


def _move_line_breakpoint(
    old: DebugTarget, new: DebugTarget, spec: BreakpointSpec, line: int
) -> BreakpointSpec:
    """Return ``spec`` with the new number of its source line; unchanged if the line was deleted."""
    before, after = old.source.source_map, new.source.source_map
    if before is None or after is None or before.text == after.text:
        return spec
    lines = before.text.encode().split(b"\n")
    offset = sum(len(each) + 1 for each in lines[: line - 1])
    source = after.text.encode()
    moved = TextChange(before.text.encode(), source).new_offset(offset)
    return spec if moved is None else replace(spec, source_line=source.count(b"\n", 0, moved) + 1)


def _find_offset(program: Program, spec: BreakpointSpec) -> int | None:
    """Return the source offset of a breakpoint; None if it is not on a byte of the source."""
    if spec.offset is not None:
        return spec.offset
    if spec.position is None:
        return None
    offsets = range(len(program.source))
    return next((at for at in offsets if program.address_at(at) == spec.position), None)


def _restore_or_orphan(
    target: DebugTarget, orphan: OrphanBreakpoint, name: str, offset: int | None = None
) -> None:
    """Set a breakpoint again in the changed program, or add it to the orphans of the target.

    It becomes an orphan if its instruction was deleted, or if setting it fails. offset: the new
    offset of its instruction, or None if the instruction was deleted. If ``orphan`` does not have
    an anchor, None keeps the location. name: the breakpoint in log messages; "" if it was an orphan
    before.
    """
    if orphan.anchor is not None and offset is None:
        if name:
            target.log_line(f"{name}: its instruction was deleted; undo the edit to restore both")
        target.orphans.append(orphan)
        return
    spec = orphan.spec
    if offset is not None:
        program = target.debugger.program
        address = program.address_at(offset)
        if spec.position is not None and isinstance(address, tuple):
            spec = replace(spec, position=(address[0], address[1]))
        elif spec.offset is not None:
            spec = replace(spec, offset=offset)
    try:
        added = target.breakpoints.put(spec, is_additional=True)
    except EsoplayError as error:
        if name:
            target.log_line(f"cannot restore {name}: {error}")
        target.orphans.append(orphan)
        return
    if not name:
        target.log_line(f"breakpoint {added.id} is restored")
