"""The debugger's view of an Unlambda machine: term, continuation, and a table of figures."""

from __future__ import annotations

from esolangs.inspection import Inspector
from esolangs.machine import LeapKind
from esolangs.source import Span, locate
from esolangs.stops import Leap, StopSet
from esolangs.unlambda.opcodes import (
    CONTINUATION,
    EXIT,
    K1,
    LAST_VALUE,
    OPERAND,
    PAYLOAD,
    PLACE,
    PLACE_MASK,
    PRINT,
    PROMISE_PAIR,
    PROMISE_TERM,
    PROMISE_VALUE,
    READ,
    REPRINT,
    S1,
    S2,
    SHARE,
    TAG,
    TEST,
    C,
    D,
    I,
    K,
    S,
    V,
    word_location,
)
from esolangs.unlambda.program import ANYWHERE, UnlambdaMachine
from esolangs.unlambda.terms import ELIDED, HOLE, MachineTerms, UnlambdaValue
from esolangs.view import CallStack, Frame, Location, Panel, Table, Term, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda.terms import Application, Item, Part
    from esolangs.view import PartOrigin, Value

TERM_WIDTH, TERM_DEPTH = 24, 5
"""Limits of a term in a sentence: its length in characters, and the nesting of its operands."""


class UnlambdaInspector(Inspector[UnlambdaMachine]):
    """The inspector of Unlambda; see :class:`esolangs.inspection.Inspector`."""

    def location(self, machine: UnlambdaMachine) -> Location:
        program = machine.program
        offset = machine.location
        span = (offset, offset) if machine.ended else program.atom_span(offset)
        line, column = locate(program.source, offset)
        instruction = program.source[span[0] : span[1]].decode("latin-1")
        return Location(offset, line, column, span, instruction, explain(machine), offset)

    def panels(self, machine: UnlambdaMachine, window: Window) -> tuple[Panel, ...]:
        """Return the panels that show the state, as limited by ``window``.

        The cost does not depend on the size of heap and continuation.
        """
        return (
            _term_panel(machine, window),
            _continuation_panel(machine, window),
            _state_table(machine),
        )

    def leap(self, machine: UnlambdaMachine, kind: LeapKind) -> Leap | None:
        """Return where a step over or out of an application stops, or None.

        The continuation has as many frames as there are applications waiting for a value.  Stepping
        over stops at the next application with at most as many frames as this one.  So for ```sxyz
        it skips the evaluation of `xz and `yz, but not the application of one result to the other.
        Stepping out stops at the next application with fewer frames.  Frames are counted, not
        identified: after a captured continuation is resumed, both stop at the first application
        with such a count, whichever continuation it belongs to.
        """
        if machine.ended:
            return None
        depth = machine.depth
        if kind == "back_over":
            after = machine.next_depth()
            return None if depth <= after else _leap_to_depth(after)
        if kind != "over":
            depth -= 1
        return _leap_to_depth(depth) if depth >= 0 else None

    def operand(self, machine: UnlambdaMachine) -> Value | None:
        """Return the operand of the next application; None if ``d`` leaves it unevaluated."""
        core = machine.core
        return UnlambdaValue(core.words(), core.arg) if core.arg & TAG <= LAST_VALUE else None

    def part_origins(
        self, machine: UnlambdaMachine, window: Window | None = None
    ) -> tuple[PartOrigin, ...]:
        if not machine.core.tracing:
            return super().part_origins(machine, window)
        parts = _next_in_context(machine, window or Window())[2]
        return tuple([machine.decode_origin(origin) for _, _, origin in parts])


INSPECTOR = UnlambdaInspector()


def explain(machine: UnlambdaMachine) -> str:
    """Describe the next step in one line, or the reason why no step follows."""
    if machine.ended:
        return "the program has ended"
    core, terms = machine.core, MachineTerms(machine)
    tag, at = core.fun & TAG, core.fun >> PAYLOAD
    operand = _text(terms, terms.operand())
    if tag == PRINT:
        return f"print {_format_byte(at)} and return {operand}"
    if tag == READ:
        return _explain_read(machine, operand)
    if tag in (TEST, REPRINT):
        return _explain_test(machine, operand)
    if tag == D:
        return _explain_delay(machine, operand)
    if tag in (PROMISE_VALUE, PROMISE_PAIR, PROMISE_TERM):
        return _explain_promise(terms, core.fun, operand)
    if tag in (C, CONTINUATION):
        return _explain_continuation(machine, operand)
    return _explain_application(terms, core.fun, operand)


def _explain_application(terms: MachineTerms, function: int, operand: str) -> str:
    """Describe the application of k, s, i, v or e, by its number of operands."""
    tag, at = function & TAG, function >> PAYLOAD
    if tag == K1:
        held = _text(terms, terms.heap_value(at))
        return f"k returns {held}, its first operand, and discards {operand}"
    if tag == S2:
        first, second = (_text(terms, terms.heap_value(each)) for each in (at, at + 1))
        return (
            f"s applies both {first} and {second} to {operand}, then the first result to the second"
        )
    return {
        K: f"k makes a function that always returns {operand}",
        S: f"s takes {operand} as its first operand and waits for two more",
        S1: f"s takes {operand} as its second operand and waits for one more",
        I: f"i returns its operand {operand}",
        V: f"v discards its operand {operand} and returns v",
        EXIT: f"e ends the program with the value {operand}",
    }[tag]


def _explain_delay(machine: UnlambdaMachine, operand: str) -> str:
    if machine.core.arg & TAG in (OPERAND, SHARE):
        return f"d promises {operand} without evaluating it"
    return f"d promises {operand}, which is a value already"


def _explain_promise(terms: MachineTerms, promise: int, operand: str) -> str:
    held = _text(terms, terms.promise_content(promise))
    if promise & TAG == PROMISE_VALUE:
        return f"force the promise of the value {held}: apply this value to {operand}"
    return f"force the promise of {held}: evaluate it and apply its value to {operand}"


def _explain_continuation(machine: UnlambdaMachine, operand: str) -> str:
    core = machine.core
    now = _frames(machine.depth)
    if core.fun & TAG == C:
        return f"c applies {operand} to the current continuation ({now})"
    at = core.fun >> PAYLOAD
    if at == 0:
        return f"return {operand} to the continuation that c captured, the end of the program"
    captured = (core.words()[at + 1] >> PLACE & PLACE_MASK) + 1
    return (
        f"return {operand} to the continuation that c captured ({_frames(captured)}), "
        f"discarding the current one ({now})"
    )


def _explain_read(machine: UnlambdaMachine, operand: str) -> str:
    byte = machine.next_input()
    if byte is not None:
        return f"read {_format_byte(byte)} as the current character and apply {operand} to i"
    if not machine.core.closed:
        return f"read a character and apply {operand} to i: waiting for input"
    return f"read: the input has ended; clear the current character and apply {operand} to v"


def _explain_test(machine: UnlambdaMachine, operand: str) -> str:
    current, tag = machine.core.character, machine.core.fun & TAG
    is_ = (
        f"the current character is {_format_byte(current)}"
        if current >= 0
        else "no current character"
    )
    if tag == REPRINT:
        gets = "the function that prints it" if current >= 0 else "v"
        return f"{is_}: apply {operand} to {gets}"
    wanted = machine.core.fun >> PAYLOAD
    if current == wanted:
        return f"{is_}, which matches: apply {operand} to i"
    return f"{is_}, not {_format_byte(wanted)}: apply {operand} to v"


def _text(terms: MachineTerms, item: Item) -> str:
    return terms.text([item], TERM_WIDTH, TERM_DEPTH)[0]


def _frames(depth: int) -> str:
    return "1 frame" if depth == 1 else f"{depth} frames"


def _format_byte(byte: int) -> str:
    """Return a byte in readable form: ``'A' (65)``, ``newline (10)``, ``byte 200``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if byte in names:
        return f"{names[byte]} ({byte})"
    return f"'{chr(byte)}' ({byte})" if 32 < byte < 127 else f"byte {byte}"


LABEL = 32
"""Maximum length of a frame's label, in characters."""


def _term_panel(machine: UnlambdaMachine, window: Window) -> Term:
    text, redex, parts = _next_in_context(machine, window)
    ranges = tuple((start, end) for start, end, _ in parts)
    return Term("term", text, None if machine.ended else redex, ranges)


def _next_in_context(
    machine: UnlambdaMachine, window: Window
) -> tuple[str, tuple[int, int], list[Part]]:
    """Format the next application with its context, up to twice the window's width.

    Return the text, the span of the next application in it, and the parts.
    """
    width, depth = 2 * window.width, min(window.depth, 24)
    terms = MachineTerms(machine)
    text, parts = terms.text([terms.next()], width // 2, depth)
    start, end = 0, len(text)
    if machine.ended:
        return text, (start, end), parts
    for _, (items, origin) in terms.frames():
        hole = items.index(HOLE)
        left, left_parts = terms.text(["`", *items[:hole]], width // 8, depth)
        right, right_parts = terms.text(items[hole + 1 :], width // 8, depth)
        if len(left) + len(text) + len(right) > width:
            moved = _shift_parts(parts, len(ELIDED))
            return ELIDED + text + ELIDED, (start + len(ELIDED), end + len(ELIDED)), moved
        middle = len(left) + len(text)
        whole = 0, middle + len(right), origin
        parts = [
            whole,
            *left_parts,
            *_shift_parts(parts, len(left)),
            *_shift_parts(right_parts, middle),
        ]
        text = left + text + right
        start, end = start + len(left), end + len(left)
    return text, (start, end), parts


def _shift_parts(parts: list[Part], distance: int) -> list[Part]:
    return [(start + distance, end + distance, origin) for start, end, origin in parts]


def _continuation_panel(machine: UnlambdaMachine, window: Window) -> CallStack:
    frames: list[Frame] = []
    if window.depth > 0:
        terms = MachineTerms(machine)
        for frame, application in terms.frames():
            offset, span = _frame_span(machine, frame)
            line, column = locate(machine.program.source, offset)
            frames.append(Frame(_label(terms, application), span, line, column, 1))
            if len(frames) == window.depth:
                break
    return CallStack("continuation", tuple(frames), machine.depth)


def _label(terms: MachineTerms, application: Application) -> str:
    return terms.text([application], LABEL, 6)[0]


def _frame_span(machine: UnlambdaMachine, frame: int) -> tuple[int, Span]:
    """Return the offset and the span in the source to show for a continuation frame.

    The span is the frame's function or, if the function is not evaluated yet, the backtick that
    applies it.
    """
    offset = word_location(frame)
    return offset, (
        (offset, offset + 1) if frame & TAG == OPERAND else machine.program.atom_span(offset)
    )


def _state_table(machine: UnlambdaMachine) -> Table:
    core = machine.core
    current = core.character
    character = "none" if current < 0 else repr(chr(current)) if current < 128 else str(current)
    rows = (
        ("current character", character),
        ("continuation frames", machine.depth),
        ("words in use", core.cells),
        ("words alive at most", core.peak or "not measured"),
    )
    return Table("state", ("what", "now"), rows, len(rows))


def _leap_to_depth(depth: int) -> Leap:
    return Leap(StopSet(locations=frozenset({(ANYWHERE, depth)})))
