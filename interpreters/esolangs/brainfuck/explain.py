"""The next command in plain English, with the values it will meet now."""

from __future__ import annotations

from esolangs.brainfuck.machine import BrainfuckMachine
from esolangs.brainfuck.opcodes import CLOSE, HALT, LEFT, MINUS, OPEN, PLUS, PRINT, RIGHT


def explain(machine: BrainfuckMachine) -> str:
    """One line on what the next step does, or why there is none."""
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
        return _move(machine, pointer, 1)
    if command == LEFT:
        return _move(machine, pointer, -1)
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
        return f"print cell {pointer}: {_as_character(value & 255)}"
    return _read(machine, pointer)


def _move(machine: BrainfuckMachine, pointer: int, direction: int) -> str:
    options, target = machine.program.options, pointer + direction
    size = int(options["size"])
    if options["tape"] == "wrap":
        target %= size
    elif target < 0 and options["tape"] == "error":
        return "move left of cell 0: there is no such cell, the program will fault"
    elif size and target >= size:
        return f"move right of cell {pointer}: the tape ends here, the program will fault"
    side = "right" if direction > 0 else "left"
    return f"move {side} to cell {target} (it holds {machine.peek(target)})"


def _read(machine: BrainfuckMachine, pointer: int) -> str:
    byte = machine.next_input()
    if byte is not None:
        return f"read {_as_character(byte)} into cell {pointer}"
    if not machine.core.closed:
        return f"read into cell {pointer}: waiting for input"
    eof = machine.program.options["eof"]
    if eof == "unchanged":
        return f"read: the input has ended, cell {pointer} stays as it is"
    value = int(eof) % (1 << machine.core.bits)
    return f"read: the input has ended, cell {pointer} becomes {value}"


def _as_character(byte: int) -> str:
    """A byte as people write it: ``'A' (65)``, ``newline (10)``, ``byte 200``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if byte in names:
        return f"{names[byte]} ({byte})"
    return f"'{chr(byte)}' ({byte})" if 32 < byte < 127 else f"byte {byte}"
