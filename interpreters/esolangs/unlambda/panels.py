"""What a person sees of an Unlambda machine: the term, the continuation, a few numbers."""

from __future__ import annotations

from esolangs.source import Span, locate
from esolangs.unlambda.explain import explain
from esolangs.unlambda.machine import UnlambdaMachine
from esolangs.unlambda.opcodes import GIVE, OPERAND, PAYLOAD, SHARE, TAG, place_of
from esolangs.unlambda.terms import ELIDED, Part, application, around, text_of
from esolangs.view import CallStack, Frame, Location, Table, Term, View, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LABEL = 32
"""Characters of the label of a frame."""

HOLE = "_"
"""Stands in a label for the value that the frame waits for."""


def view_of(machine: UnlambdaMachine, window: Window | None = None) -> View:
    """The machine's view; costs no more for a large heap and continuation than for small ones."""
    window = window or Window()
    return View(
        step=machine.steps,
        status=machine.status,
        location=_location(machine),
        panels=(_term(machine, window), _continuation(machine, window), _state(machine)),
        output_length=machine.output_length,
        input_position=machine.input_position,
        memory=machine.memory,
        fault=machine.fault,
        limit=machine.limit,
    )


def _location(machine: UnlambdaMachine) -> Location:
    program = machine.program
    offset = machine.location
    span = (offset, offset) if machine.ended else program.span_of(offset)
    line, column = locate(program.source, offset)
    instruction = program.source[span[0] : span[1]].decode("latin-1")
    return Location(offset, line, column, span, instruction, explain(machine), offset)


def _term(machine: UnlambdaMachine, window: Window) -> Term:
    """The next application in its context, as far as twice the window's width allows."""
    width, depth = 2 * window.width, min(window.depth, 24)
    redex = text_of(machine, application(machine), width // 2, depth)
    if machine.ended:
        return Term("term", redex, None)
    before, after = "", ""
    for frame, kept in _frames(machine):
        left, right = around(machine, frame, kept)
        left_text = text_of(machine, left, width // 4, depth)
        right_text = text_of(machine, right, width // 4, depth)
        if len(left_text + before + redex + after + right_text) > width:
            before, after = ELIDED + before, after + ELIDED
            break
        before, after = left_text + before, after + right_text
    return Term("term", before + redex + after, (len(before), len(before + redex)))


def _continuation(machine: UnlambdaMachine, window: Window) -> CallStack:
    frames: list[Frame] = []
    if window.depth > 0:
        for frame, kept in _frames(machine):
            before, after = around(machine, frame, kept)
            parts: list[Part] = [*before, HOLE, *after]
            offset, span = _frame_span(machine, frame)
            line, column = locate(machine.program.source, offset)
            frames.append(Frame(text_of(machine, parts, LABEL, 6), span, line, column, 1))
            if len(frames) == window.depth:
                break
    return CallStack("continuation", tuple(frames), machine.depth)


def _frame_span(machine: UnlambdaMachine, frame: int) -> tuple[int, Span]:
    """Where a frame stems from: its function's atom, or the application it evaluates."""
    offset = place_of(frame)
    return offset, (
        (offset, offset + 1) if frame & TAG == OPERAND else machine.program.span_of(offset)
    )


def _frames(machine: UnlambdaMachine) -> Iterator[tuple[int, int]]:
    """The frames, innermost first, each with the value that it keeps besides or 0."""
    core = machine.core
    stack, heap = core.frames(), core.words()
    at = core.sp - 1
    if core.arg & TAG == SHARE:
        at -= 1  # what `d` is about to delay is still on the stack, and no frame
    while at > 0:
        pair = stack[at] & TAG in (SHARE, GIVE)
        yield stack[at], stack[at - 1] if pair else 0
        at -= 2 if pair else 1
    link = core.under >> PAYLOAD
    while link:
        pair = heap[link] & TAG in (SHARE, GIVE)
        yield heap[link], heap[link + 2] if pair else 0
        link = heap[link + 1] >> PAYLOAD


def _state(machine: UnlambdaMachine) -> Table:
    core = machine.core
    current = core.current
    character = "none" if current < 0 else repr(chr(current)) if current < 128 else str(current)
    rows = (
        ("current character", character),
        ("frames of the continuation", machine.depth),
        ("words in use", core.cells),
        ("words alive at most", core.highest),
    )
    return Table("state", ("what", "now"), rows, len(rows))
