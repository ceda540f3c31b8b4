"""What a person sees of an Unlambda machine: the term, the continuation, a few numbers."""

from __future__ import annotations

from esolangs.source import Span, locate
from esolangs.unlambda.explain import explain
from esolangs.unlambda.machine import UnlambdaMachine
from esolangs.unlambda.opcodes import OPERAND, TAG, place_of
from esolangs.unlambda.terms import ELIDED, HOLE, Terms
from esolangs.view import CallStack, Frame, Location, Table, Term, View, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda.terms import Application, Part

LABEL = 32
"""Characters of the label of a frame."""


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


def births(machine: UnlambdaMachine, window: Window | None = None) -> list[int]:
    """Of a machine that traces the births of the parts of its term, see ``terms``."""
    return [birth for _, _, birth in _next_in_context(machine, window or Window())[2]]


def _term(machine: UnlambdaMachine, window: Window) -> Term:
    text, redex, parts = _next_in_context(machine, window)
    ranges = tuple((start, end) for start, end, _ in parts)
    return Term("term", text, None if machine.ended else redex, ranges)


def _next_in_context(
    machine: UnlambdaMachine, window: Window
) -> tuple[str, tuple[int, int], list[Part]]:
    """The next application in its context, as far as twice the window's width allows.

    Its text, where in that the next application is, and the parts.
    """
    width, depth = 2 * window.width, min(window.depth, 24)
    terms = Terms(machine)
    text, parts = terms.text([terms.next()], width // 2, depth)
    start, end = 0, len(text)
    if machine.ended:
        return text, (start, end), parts
    for _, (items, birth) in terms.frames():
        hole = items.index(HOLE)
        left, left_parts = terms.text(["`", *items[:hole]], width // 8, depth)
        right, right_parts = terms.text(items[hole + 1 :], width // 8, depth)
        if len(left) + len(text) + len(right) > width:
            moved = _moved(parts, len(ELIDED))
            return ELIDED + text + ELIDED, (start + len(ELIDED), end + len(ELIDED)), moved
        middle = len(left) + len(text)
        whole = 0, middle + len(right), birth
        parts = [whole, *left_parts, *_moved(parts, len(left)), *_moved(right_parts, middle)]
        text = left + text + right
        start, end = start + len(left), end + len(left)
    return text, (start, end), parts


def _moved(parts: list[Part], by: int) -> list[Part]:
    return [(start + by, end + by, birth) for start, end, birth in parts]


def _continuation(machine: UnlambdaMachine, window: Window) -> CallStack:
    frames: list[Frame] = []
    if window.depth > 0:
        terms = Terms(machine)
        for frame, application in terms.frames():
            offset, span = _frame_span(machine, frame)
            line, column = locate(machine.program.source, offset)
            frames.append(Frame(_label(terms, application), span, line, column, 1))
            if len(frames) == window.depth:
                break
    return CallStack("continuation", tuple(frames), machine.depth)


def _label(terms: Terms, application: Application) -> str:
    return terms.text([application], LABEL, 6)[0]


def _frame_span(machine: UnlambdaMachine, frame: int) -> tuple[int, Span]:
    """Where a frame stems from: its function's atom, or the application it evaluates."""
    offset = place_of(frame)
    return offset, (
        (offset, offset + 1) if frame & TAG == OPERAND else machine.program.span_of(offset)
    )


def _state(machine: UnlambdaMachine) -> Table:
    core = machine.core
    current = core.current
    character = "none" if current < 0 else repr(chr(current)) if current < 128 else str(current)
    rows = (
        ("current character", character),
        ("continuation frames", machine.depth),
        ("words in use", core.cells),
        ("words alive at most", core.highest or "not measured"),
    )
    return Table("state", ("what", "now"), rows, len(rows))
