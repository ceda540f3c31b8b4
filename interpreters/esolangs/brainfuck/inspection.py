"""The debugger's view of a Brainfuck machine: the tape and the running loops."""

from __future__ import annotations

from esolangs.brainfuck.opcodes import CLOSE, HALT, LEFT, MINUS, OPEN, PLUS, PRINT, RIGHT
from esolangs.brainfuck.program import BrainfuckMachine
from esolangs.inspection import Inspector
from esolangs.machine import LeapKind
from esolangs.source import locate
from esolangs.stops import Address, Leap, StopSet
from esolangs.view import CallStack, Frame, Location, Panel, Tape, Window


class BrainfuckInspector(Inspector[BrainfuckMachine]):
    """The inspector of Brainfuck; see :class:`esolangs.inspection.Inspector`."""

    def location(self, machine: BrainfuckMachine) -> Location:
        program = machine.program
        offset = program.offsets[machine.core.ip]
        line, column = locate(program.source, offset)
        instruction = program.source[offset : offset + 1].decode("ascii")
        span = (offset, offset + len(instruction))
        return Location(offset, line, column, span, instruction, explain(machine), offset)

    def panels(self, machine: BrainfuckMachine, window: Window) -> tuple[Panel, ...]:
        """Return the panels at a cost that does not depend on the size of the tape."""
        return (_tape_panel(machine, window), _loop_panel(machine, window))

    def leap(self, machine: BrainfuckMachine, kind: LeapKind) -> Leap | None:
        """Return where a step over or out of a loop stops, forward or backward; else None.

        A loop ends only at its ``]`` or by skipping it at its ``[``, so the command after the ``]``
        marks its end.  It is entered only from the command before its ``[``, so it began one step
        after the last execution of that command.
        """
        program, at = machine.program, machine.core.ip
        command = program.code[at]
        value = machine.core.buffer[machine.core.pointer]
        if kind == "over":
            return _loop_end(machine, at) if command == OPEN and value else None
        if kind == "back_over":
            return (
                _loop_start(machine, program.match[at]) if command == CLOSE and not value else None
            )
        running = command == OPEN and machine.core.loop_rounds()[program.depth[at]] > 0
        loop = at if running else program.enclosing_loops[at]
        if loop < 0:
            return None
        return _loop_end(machine, loop) if kind == "out" else _loop_start(machine, loop)

    def printed_from(self, machine: BrainfuckMachine) -> Address | None:
        core = machine.core
        printing = machine.program.code[core.ip] == PRINT
        return core.pointer - core.base if printing else None


INSPECTOR = BrainfuckInspector()


def explain(machine: BrainfuckMachine) -> str:
    """Describe the next step in one line, or the reason why no step follows."""
    core = machine.core
    command = machine.program.code[core.ip]
    pointer = core.pointer - core.base
    value = core.buffer[core.pointer]
    if machine.fault is not None:
        return machine.fault.message
    if command == HALT:
        return "the program has ended"
    if command in (PLUS, MINUS):
        verb, sign = ("increment", 1) if command == PLUS else ("decrement", -1)
        after = (value + sign) % (1 << core.bits)
        wraps = ", wrapping around" if after != value + sign else ""
        return f"{verb} cell {pointer} ({value} → {after}{wraps})"
    if command == RIGHT:
        return _explain_move(machine, pointer, 1)
    if command == LEFT:
        return _explain_move(machine, pointer, -1)
    if command == OPEN:
        if value == 0:
            return f"cell {pointer} is 0: skip the loop"
        again = core.loop_rounds()[machine.program.depth[core.ip]]
        round_ = f"begin round {again + 1} of" if again else "enter"
        return f"cell {pointer} is {value}, not 0: {round_} the loop"
    if command == CLOSE:
        if value == 0:
            return f"cell {pointer} is 0: leave the loop"
        return f"cell {pointer} is {value}, not 0: back to the '['"
    if command == PRINT:
        return f"print cell {pointer}: {_format_byte(value & 255)}"
    return _explain_read(machine, pointer)


def _explain_move(machine: BrainfuckMachine, pointer: int, direction: int) -> str:
    options, target = machine.program.options, pointer + direction
    size = int(options["size"])
    if options["tape"] == "wrap":
        target %= size
    elif target < 0 and options["tape"] == "error":
        return "move left of cell 0, which is the first: the program will fault"
    elif size and target >= size:
        return f"move right of cell {pointer}: the tape ends here, the program will fault"
    side = "right" if direction > 0 else "left"
    return f"move {side} to cell {target} (it holds {machine.peek(target)})"


def _explain_read(machine: BrainfuckMachine, pointer: int) -> str:
    byte = machine.next_input()
    if byte is not None:
        return f"read {_format_byte(byte)} into cell {pointer}"
    if not machine.core.closed:
        return f"read into cell {pointer}: waiting for input"
    eof = machine.program.options["eof"]
    if eof == "unchanged":
        return f"read: the input has ended, cell {pointer} stays as it is"
    value = int(eof) % (1 << machine.core.bits)
    return f"read: the input has ended, cell {pointer} becomes {value}"


def _format_byte(byte: int) -> str:
    """Return a byte in readable form: ``'A' (65)``, ``newline (10)``, ``byte 200``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if byte in names:
        return f"{names[byte]} ({byte})"
    return f"'{chr(byte)}' ({byte})" if 32 < byte < 127 else f"byte {byte}"


def _tape_panel(machine: BrainfuckMachine, window: Window) -> Tape:
    core = machine.core
    options = machine.program.options
    pointer, low, high = (at - core.base for at in (core.pointer, core.low, core.high))
    size = int(options["size"])
    first = pointer - window.cells // 2 if window.first is None else window.first
    if options["tape"] != "both-ways":
        first = max(0, min(first, size - window.cells) if size else first)
    end = first + window.cells
    if size:
        end = min(end, size)
    begin, stop = max(first, low), max(first, min(end, high))
    shown = core.buffer[begin + core.base : stop + core.base] if begin < stop else ()
    cells = (0,) * (begin - first if shown else 0) + tuple(shown)
    cells += (0,) * (end - first - len(cells))
    return Tape("tape", first, cells, pointer, low, high - 1, core.bits)


def _loop_panel(machine: BrainfuckMachine, window: Window) -> CallStack:
    program, core = machine.program, machine.core
    rounds = core.loop_rounds()
    at = core.ip
    depth = program.depth[at]
    if program.code[at] == CLOSE or (program.code[at] == OPEN and rounds[depth]):
        depth += 1  # the loop of this bracket, which is about to decide on another round
    if program.code[at] != OPEN or not rounds[program.depth[at]]:
        at = program.enclosing_loops[at]
    frames: list[Frame] = []
    while at >= 0 and len(frames) < window.depth:
        offset, end = program.offsets[at], program.offsets[program.match[at]] + 1
        line, column = locate(program.source, offset)
        frames.append(Frame("loop", (offset, end), line, column, rounds[program.depth[at]]))
        at = program.enclosing_loops[at]
    return CallStack("loops", tuple(frames), depth)


def _loop_end(machine: BrainfuckMachine, opening: int) -> Leap:
    program = machine.program
    after = program.match[opening] + 1
    return Leap(StopSet(locations=frozenset({program.offsets[after]})))


def _loop_start(machine: BrainfuckMachine, opening: int) -> Leap:
    if opening == 0:
        return Leap(StopSet())  # no command before it: the loop began at step 0
    return Leap(StopSet(locations=frozenset({machine.program.offsets[opening - 1]})), extra=1)
