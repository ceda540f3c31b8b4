"""What a person sees of a Brainfuck machine: the tape and the running loops."""

from __future__ import annotations

from esolangs.brainfuck.explain import explain
from esolangs.brainfuck.machine import BrainfuckMachine
from esolangs.brainfuck.opcodes import CLOSE, OPEN
from esolangs.source import locate
from esolangs.view import CallStack, Frame, Location, Tape, View, Window


def view_of(machine: BrainfuckMachine, window: Window | None = None) -> View:
    """The machine's view; costs no more for a large tape than for a small one."""
    window = window or Window()
    core = machine.core
    return View(
        step=core.steps,
        status=machine.status,
        location=_location(machine),
        panels=(_tape(machine, window), _loops(machine, window)),
        output_length=core.printed,
        input_position=machine.input_position,
        memory=machine.memory,
        fault=machine.fault,
        limit=machine.limit,
    )


def _location(machine: BrainfuckMachine) -> Location:
    program = machine.program
    offset = program.offsets[machine.core.ip]
    line, column = locate(program.source, offset)
    instruction = program.source[offset : offset + 1].decode("ascii")
    span = (offset, offset + len(instruction))
    return Location(offset, line, column, span, instruction, explain(machine), offset)


def _tape(machine: BrainfuckMachine, window: Window) -> Tape:
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


def _loops(machine: BrainfuckMachine, window: Window) -> CallStack:
    program, core = machine.program, machine.core
    rounds = core.loop_rounds()
    at = core.ip
    depth = program.depth[at]
    if program.code[at] == CLOSE or (program.code[at] == OPEN and rounds[depth]):
        depth += 1  # its own loop: about to decide on another round
    if program.code[at] != OPEN or not rounds[program.depth[at]]:
        at = program.enclosing[at]
    frames: list[Frame] = []
    while at >= 0 and len(frames) < window.depth:
        offset, end = program.offsets[at], program.offsets[program.match[at]] + 1
        line, column = locate(program.source, offset)
        frames.append(Frame("loop", (offset, end), line, column, rounds[program.depth[at]]))
        at = program.enclosing[at]
    return CallStack("loops", tuple(frames), depth)
