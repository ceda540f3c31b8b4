"""The debugger's view of a Whitespace machine: stack, heap, calls, and code in mnemonics."""

from __future__ import annotations

from heapq import nsmallest

from esolangs.inspection import Inspector
from esolangs.machine import LeapKind
from esolangs.numbers import abbreviate
from esolangs.source import locate
from esolangs.stops import Leap, Slot, StopSet
from esolangs.view import CallStack, Frame, Location, Panel, Stack, Table, Window
from esolangs.whitespace.opcodes import (
    ADD,
    BIG,
    CALL,
    COPY,
    DISCARD,
    DIV,
    DUP,
    END,
    HALT,
    JN,
    JUMP,
    JZ,
    LABEL,
    MOD,
    MUL,
    PRINTC,
    PRINTN,
    PUSH,
    READC,
    READN,
    RETRIEVE,
    RETURN,
    SLIDE,
    STORE,
    SUB,
    SWAP,
)
from esolangs.whitespace.program import WhitespaceMachine
from esolangs.wording import format_count

TYPE_CHECKING = False

if TYPE_CHECKING:
    from esolangs.stops import Address


_NEEDS = {
    DUP: 1, SWAP: 2, DISCARD: 1, SLIDE: 1, STORE: 2, RETRIEVE: 1, JZ: 1, JN: 1,
    PRINTC: 1, PRINTN: 1, READC: 1, READN: 1, ADD: 2, SUB: 2, MUL: 2, DIV: 2, MOD: 2,
}  # fmt: skip
_SIGNS = {ADD: "+", SUB: "-", MUL: "×", DIV: "÷", MOD: "mod"}
_MAX_SEARCHED = 1 << 14
"""Number of heap addresses, from 0 on, that are searched for cells that are not 0."""
_WORDS = {9: "a tab", 10: "a newline", 13: "a carriage return", 27: "an escape", 32: "a space"}


class WhitespaceInspector(Inspector[WhitespaceMachine]):
    """The inspector of Whitespace; see :class:`esolangs.inspection.Inspector`."""

    def location(self, machine: WhitespaceMachine) -> Location:
        program, at = machine.program, machine.core.ip
        spans = program.spans()
        size = len(program.source)
        span = spans[at] if at < len(spans) else (size, size)
        line, column = locate(program.source, span[0])
        spelled, words = program.short_text(at), program.readable_text(at)
        words = "" if words == spelled else words
        return Location(span[0], line, column, span, spelled, explain(machine), span[0], words)

    def panels(self, machine: WhitespaceMachine, window: Window) -> tuple[Panel, ...]:
        """Return the panels: stack, heap, call stack and code.

        The time depends only on the number of far cells, which are outside the core's window.
        """
        return (
            _stack_panel(machine, window),
            _heap_panel(machine, window),
            _calls_panel(machine, window),
            _code_panel(machine, window),
        )

    def leap(self, machine: WhitespaceMachine, kind: LeapKind) -> Leap | None:
        """Return where a step over or out of a call stops, forward or backward, or None.

        A call has ended when control reaches the instruction after it at the same call depth, and
        it began at its instruction at that depth.  So the stops are pairs of an offset and a call
        depth, which are correct under recursion.
        """
        program, core = machine.program, machine.core
        op = program.code.ops[core.ip]
        if kind == "over":
            if op != CALL or program.code.args[core.ip] < 0:
                return None
            return _instruction_location(machine, core.ip + 1, core.calls)
        if core.calls == 0 or (kind == "back_over" and op != RETURN):
            return None
        behind = core.frame(core.calls - 1)
        return _instruction_location(
            machine, behind if kind == "out" else behind - 1, core.calls - 1
        )

    def copied_from(
        self, machine: WhitespaceMachine, place: Address | Slot
    ) -> Address | Slot | None:
        """Return the place that the next step copies into ``place``, or None.

        None means that the step computes the value, or faults.
        """
        code, core = machine.program.code, machine.core
        op, top = code.ops[core.ip], core.depth() - 1
        if not isinstance(place, Slot):
            return Slot(0, top) if op == STORE and top > 0 else None
        if op == RETRIEVE:
            return core.value(top) if top >= 0 else None
        if op in (DUP, SLIDE):
            level = top
        elif op == COPY:
            level = top - code.args[core.ip]
        elif op == SWAP:
            level = 2 * top - 1 - place.level
        else:
            return None
        return Slot(0, level) if 0 <= level <= top else None

    def printed_from(self, machine: WhitespaceMachine) -> Slot | None:
        core = machine.core
        printing = machine.program.code.ops[core.ip] in (PRINTC, PRINTN)
        return Slot(0, core.depth() - 1) if printing and core.depth() else None


INSPECTOR = WhitespaceInspector()


def explain(machine: WhitespaceMachine) -> str:
    """Describe the next step in one line, or the reason why none follows."""
    if machine.fault is not None:
        return machine.fault.message
    core, program = machine.core, machine.program
    op, arg, depth = program.code.ops[core.ip], program.code.args[core.ip], core.depth()
    if op == HALT:
        return "the program has ended"
    if depth < _NEEDS.get(op, 0):
        there = "nothing" if depth == 0 else "only one number"
        return f"there is {there} on the stack: the program will fault"
    top = core.value(depth - 1) if depth else 0
    second = core.value(depth - 2) if depth > 1 else 0
    if op == PUSH:
        value = program.code.constants[core.ip] if arg == BIG else arg
        return f"push {_format_number(value)}"
    if op == DUP:
        return f"duplicate the top: {_format_number(top)}"
    if op == COPY:
        if not 0 <= arg < depth:
            return f"copy entry {arg} of {depth}: no such entry, the program will fault"
        copied = _format_number(core.value(depth - 1 - arg))
        return f"copy {copied}, below {format_count(arg, 'number')}"
    if op == SWAP:
        return f"swap {_format_number(top)} on top with {_format_number(second)} below it"
    if op == DISCARD:
        return f"discard {_format_number(top)}"
    if op == SLIDE:
        discarded = format_count(max(0, min(arg, depth - 1)), "number")
        return f"keep {_format_number(top)} on top and discard {discarded} below it"
    if op in _SIGNS:
        return _explain_arithmetic(machine, op, second, top)
    if op == STORE:
        old = _format_number(core.peek(second))
        return f"store {_format_number(top)} at address {_format_number(second)} (it holds {old})"
    if op == RETRIEVE:
        return f"retrieve address {_format_number(top)}: it holds {_format_number(core.peek(top))}"
    if op in (PRINTC, PRINTN):
        printed = _format_character(top) if op == PRINTC else _format_number(top)
        return f"print {printed}" + (" as a number" if op == PRINTN else "")
    if op in (LABEL, CALL, JUMP, JZ, JN, RETURN, END):
        return _explain_jump(machine, op, arg, top)
    return _read(machine, op, top)


def _explain_arithmetic(machine: WhitespaceMachine, op: int, left: int, right: int) -> str:
    sign = _SIGNS[op]
    if op in (DIV, MOD) and right == 0:
        return f"{_format_number(left)} {sign} 0: the program will fault"
    formula = f"{_format_number(left)} {sign} {_format_number(right)}"
    if max(left.bit_length(), right.bit_length()) > 64:
        return formula
    if op == ADD:
        return f"{formula} = {left + right}"
    if op == SUB:
        return f"{formula} = {left - right}"
    if op == MUL:
        return f"{formula} = {left * right}"
    division = machine.program.options["division"]
    quotient, remainder = divmod(left, right)
    if remainder and quotient < 0:
        if op == DIV and division != "floor":
            quotient += 1
        if op == MOD and division == "truncate":
            remainder -= right
    return f"{formula} = {quotient if op == DIV else remainder}"


def _explain_jump(machine: WhitespaceMachine, op: int, target: int, top: int) -> str:
    core = machine.core
    if op == LABEL:
        return f"{_explain_label(machine)}: nothing happens"
    if op == END:
        return "end the program"
    if op == RETURN:
        if core.calls == 0:
            return "return, but no call is open: the program will fault"
        return f"return to line {_line_number(machine, core.frame(core.calls - 1))}"
    to = _explain_label(machine)
    if target < 0:
        to += ", which does not exist: the program will fault"
    else:
        to += f", line {_line_number(machine, target)}"
    if op == CALL:
        return f"call {to}"
    if op == JUMP:
        return f"jump to {to}"
    test, name = (top == 0, "zero") if op == JZ else (top < 0, "negative")
    if test:
        return f"{_format_number(top)} is {name}: jump to {to}"
    return f"{_format_number(top)} is not {name}: continue"


def _explain_label(machine: WhitespaceMachine) -> str:
    """Return the label that the next instruction marks or jumps to, with its spelling."""
    row = machine.program.disassembly.row(machine.core.ip)
    return f"label {row.operand} ({row.raw})" if row.raw else f"label {row.operand}"


def _line_number(machine: WhitespaceMachine, at: int) -> int:
    return machine.program.source.count(b"\n", 0, machine.program.starts[at]) + 1


def _read(machine: WhitespaceMachine, op: int, address: int) -> str:
    what = "a character" if op == READC else "a number"
    to = f"into address {_format_number(address)}"
    if machine.next_input() is not None:
        return f"read {what} {to}"
    if not machine.core.closed:
        return f"read {what} {to}: waiting for input"
    eof = machine.program.options["eof"]
    if eof == "error":
        return f"read {what}: the input has ended, the program will fault"
    if eof == "unchanged":
        return f"read {what}: the input has ended, address {_format_number(address)} stays as it is"
    return f"read {what}: the input has ended, address {_format_number(address)} becomes {eof}"


def _format_character(value: int) -> str:
    if value in _WORDS:
        return f"{_WORDS[value]} ({value})"
    if 0 <= value < 0x110000 and chr(value).isprintable():
        return f"'{chr(value)}' ({value})"
    return f"character {_format_number(value)}"


def _format_number(value: int) -> str:
    return str(abbreviate(value))


def _stack_panel(machine: WhitespaceMachine, window: Window) -> Stack:
    core = machine.core
    depth = core.depth()
    lowest = max(0, depth - window.depth)
    values = tuple(abbreviate(core.value(at)) for at in range(depth - 1, lowest - 1, -1))
    return Stack("stack", values, depth)


def _heap_panel(machine: WhitespaceMachine, window: Window) -> Table:
    """Return a table of the cells from ``window.first`` on.

    By default, up to half of the rows are the far cells with the lowest addresses, and the other
    rows are the cells of the heap's window from address 0 on.
    """
    core, far = machine.core, machine.core.far_addresses()
    if window.used_only and window.first is None:
        return _used_heap(machine, window)
    rows: list[tuple[int, int]] = []
    if window.first is None and far:
        rows = [(at, core.peek(at)) for at in nsmallest(window.depth // 2, far)]
    rows += core.near_cells(max(0, window.first or 0), window.depth - len(rows))
    if window.first is not None and len(rows) < window.depth and far:
        beyond = [at for at in far if at >= window.first]
        rows += [(at, core.peek(at)) for at in nsmallest(window.depth - len(rows), beyond)]
    return _heap_table(rows, core.cells + len(far))


def _used_heap(machine: WhitespaceMachine, window: Window) -> Table:
    """Return a table of the heap's cells in use.

    The engine does not record which cells of its window were written, so a cell in the window
    counts as in use if it is not 0.  After ``_MAX_SEARCHED`` addresses every cell counts, so that a
    view stays cheap.
    """
    core, far = machine.core, machine.core.far_addresses()
    used = [cell for cell in core.near_cells(0, _MAX_SEARCHED) if cell[1]]
    unsearched = max(0, core.cells - _MAX_SEARCHED)
    rows = [(at, core.peek(at)) for at in nsmallest(window.depth // 2, far)]
    rows += used[: window.depth - len(rows)]
    if unsearched:
        rows += core.near_cells(_MAX_SEARCHED, window.depth - len(rows))
    seen = {at for at, _ in rows}
    beyond = [at for at in far if at not in seen]
    rows += [(at, core.peek(at)) for at in nsmallest(window.depth - len(rows), beyond)]
    return _heap_table(rows, len(used) + unsearched + len(far))


def _heap_table(rows: list[tuple[int, int]], count: int) -> Table:
    listed = tuple((abbreviate(at), abbreviate(value)) for at, value in sorted(rows))
    return Table("heap", ("address", "value"), listed, count)


def _calls_panel(machine: WhitespaceMachine, window: Window) -> CallStack:
    program, core = machine.program, machine.core
    frames: list[Frame] = []
    known: dict[int, Frame] = {}  # by call, because recursion repeats few calls
    for depth in range(core.calls - 1, max(-1, core.calls - 1 - window.depth), -1):
        call = core.frame(depth) - 1
        if call not in known:
            span = program.spans()[call]
            line, column = locate(program.source, span[0])
            known[call] = Frame(program.label_name(call), span, line, column, 1)
        frames.append(known[call])
    return CallStack("calls", tuple(frames), core.calls)


def _code_panel(machine: WhitespaceMachine, window: Window) -> Table:
    program, at = machine.program, machine.core.ip
    count = len(program.code.ops) - 1
    first = max(0, min(at - window.depth // 2, count - window.depth))
    end = min(count, first + window.depth)
    starts, line, counted = program.starts, 1, 0
    rows: list[tuple[int, str, str]] = []
    for here in range(first, end):
        line += program.source.count(b"\n", counted, starts[here])
        counted = starts[here]
        rows.append((line, program.short_text(here), program.spelling(here)))
    current = at - first if first <= at < end else None
    return Table("code", ("line", "instruction", "spelled"), tuple(rows), count, current)


def _instruction_location(machine: WhitespaceMachine, instruction: int, depth: int) -> Leap:
    offset = machine.program.starts[instruction]
    return Leap(StopSet(locations=frozenset({(offset, depth)})))
