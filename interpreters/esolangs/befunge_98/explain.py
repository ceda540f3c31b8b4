"""The next instruction in plain English, with the values it will meet now."""

from __future__ import annotations

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.befunge_98.opcodes import FAULT, IGNORE
from esolangs.numbers import shown

_ARROWS = {">": "east", "<": "west", "^": "north", "v": "south"}
_SUMS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "take the remainder of"}
_WAYS = {(1, 0): "east", (-1, 0): "west", (0, -1): "north", (0, 1): "south"}
_NAMES = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}


def spelled(value: int) -> str:
    """A cell as people write it in a program: its character, or its number."""
    return chr(value) if 32 <= value < 127 else f"{shown(value)}"


def explain(machine: BefungeMachine) -> str:
    """One line on what the next step does, or why there is none."""
    core, ip = machine.core, machine.core.ip
    if machine.fault is not None:
        return machine.fault.message
    if core.ended:
        if core.exit_code is not None:
            return f"the program has ended with exit code {shown(core.exit_code)}"
        return "the program has ended: no IP is left"
    if core.lost:
        return "no instruction ahead, all the way round: the program will fault"
    value = machine.next_value()
    line = _in_string(value) if ip.string else _instruction(machine, value)
    if ip.repeats:
        count = ip.repeats[len(ip.repeats) - 1][0]
        line = f"k, {shown(count)} to go: {line}"
    return f"IP {ip.id}: {line}" if len(core.ips) > 1 else line


def _in_string(value: int) -> str:
    return "end the string" if value == 34 else f"push {_character(value)} from the string"


def _instruction(machine: BefungeMachine, value: int) -> str:
    code = machine.program.codes[value] if 0 <= value < 256 else 16
    if code < 16:
        return f"push {code}"
    char = chr(code)
    if code == 16 or (char.isupper() and not machine.core.ip.semantics.get(code)):
        return _unknown(machine, value)
    if machine.program.options["underflow"] == "fault":
        if machine.core.ip.depth < _NEEDED.get(char, 0):
            return f"{char} needs more values than the stack has: the program will fault"
    if char in _SUMS:
        return _sum(machine, char)
    if char in _ARROWS:
        return f"go {_ARROWS[char]}"
    if char in "_|w[]rx?":
        return _turn(machine, char)
    if char in ",.~&":
        return _talk(machine, char)
    if char in "gps'":
        return _cell(machine, char)
    if char.isupper():
        return f"{char} of {_fingerprint(machine, code)}"
    return _other(machine, char)


_NEEDED = {**dict.fromkeys("+-*/%`\\wxg", 2), **dict.fromkeys("!_|$.,jksq", 1), "p": 3}


def _top(machine: BefungeMachine, below: int = 0) -> int:
    ip = machine.core.ip
    return ip.buffer[ip.depth - 1 - below] if ip.depth > below else 0


def _unknown(machine: BefungeMachine, value: int) -> str:
    does = machine.core.unknown
    then = "the program will fault" if does == FAULT else "nothing" if does == IGNORE else "reflect"
    return f"{_character(value)} is no instruction here: {then}"


def _sum(machine: BefungeMachine, char: str) -> str:
    a, b = shown(_top(machine, 1)), shown(_top(machine))
    if char in "/%" and b == 0:
        fault = machine.program.options["by-zero"] == "fault"
        return f"{a} {char} 0: " + ("the program will fault" if fault else "gives 0")
    return f"{_SUMS[char]} the two values on top: {a} {char} {b}"


def _turn(machine: BefungeMachine, char: str) -> str:
    ip, top = machine.core.ip, _top(machine)
    if char == "_":
        return f"{shown(top)} is {'0: go east' if top == 0 else 'not 0: go west'}"
    if char == "|":
        return f"{shown(top)} is {'0: go south' if top == 0 else 'not 0: go north'}"
    if char == "x":
        return f"set the delta to ({shown(_top(machine, 1))}, {shown(top)})"
    if char == "?":
        return "go in one of the four directions at random"
    delta = ip.dx, ip.dy
    if char == "w":
        a, b = _top(machine, 1), top
        side = "go straight on" if a == b else "turn left" if a < b else "turn right"
        return f"compare {shown(a)} with {shown(b)}: {side}"
    turned = {
        "[": (delta[1], -delta[0]),
        "]": (-delta[1], delta[0]),
        "r": (-delta[0], -delta[1]),
    }[char]
    verb = {"[": "turn left", "]": "turn right", "r": "reflect"}[char]
    return f"{verb}: go {_WAYS.get(turned) or f'by ({shown(turned[0])}, {shown(turned[1])})'}"


def _talk(machine: BefungeMachine, char: str) -> str:
    if char == ".":
        return f"print {shown(_top(machine))} and a space"
    if char == ",":
        return f"print {_character(_top(machine) & 255)}"
    what = "a byte" if char == "~" else "a number"
    byte = machine.next_input()
    if byte is not None:
        return f"read {_character(byte)}" if char == "~" else "read a number, skipping what is none"
    if not machine.core.closed:
        return f"read {what}: waiting for input"
    option = machine.program.options["eof" if char == "~" else "number-eof"]
    old = machine.program.options["befunge"] == 93
    does = "push -1" if option == -1 or (old and option == "reflect") else str(option)
    return f"read {what}: the input has ended, {does}"


def _cell(machine: BefungeMachine, char: str) -> str:
    ip, core = machine.core.ip, machine.core
    if char in "s'":
        x, y = core.after(ip.x, ip.y, ip.dx, ip.dy)
        if char == "'":
            return f"push the next cell, ({x}, {y}): {_character(core.get(x, y))}"
        return f"store {shown(_top(machine))} in the next cell, ({x}, {y})"
    x, y = core.wrap(_top(machine, 1) + ip.ox), core.wrap(_top(machine) + ip.oy)
    there = core.get(x, y)
    if char == "g":
        return f"push cell ({shown(x)}, {shown(y)}): {_character(there)}"
    value = shown(_top(machine, 2))
    return f"store {value} in cell ({shown(x)}, {shown(y)}), which holds {_character(there)}"


def _fingerprint(machine: BefungeMachine, code: int) -> str:
    names = machine.core.ip.semantics[code]
    return names[len(names) - 1].to_bytes(4, "big").decode("ascii")


def _other(machine: BefungeMachine, char: str) -> str:
    top, next_ = shown(_top(machine)), shown(_top(machine, 1))
    stacks = len(machine.core.ip.below)
    lines = {
        "!": f"not {top}",
        "`": f"is {next_} greater than {top}?",
        ":": f"duplicate {top}",
        "\\": f"swap {next_} and {top}",
        "$": f"discard {top}",
        "n": "empty the stack",
        '"': "begin a string",
        "#": "skip the next cell",
        "z": "do nothing",
        "@": "end this IP",
        "q": f"end the program with exit code {top}",
        "j": f"jump over {top} cells",
        "k": f"execute the next instruction {top} times, here",
        "t": "split: a second IP goes the other way",
        "{": f"begin a block with {top} cells of this stack",
        "}": f"end the block, taking {top} cells along" if stacks else "no block to end: reflect",
        "u": f"move {top} cells from the stack below" if stacks else "no stack below: reflect",
        "y": f"push what is known of the system, number {top}",
        "(": "load a fingerprint",
        ")": "unload a fingerprint",
        "i": "read a file into fungespace",
        "o": "write a part of fungespace to a file",
        "=": "run a command: there is none, reflect",
    }
    return lines[char]


def _character(value: int) -> str:
    """A value as people write it: ``'A' (65)``, ``newline (10)``, ``200``."""
    if value in _NAMES:
        return f"{_NAMES[value]} ({value})"
    return f"'{chr(value)}' ({value})" if 32 < value < 127 else f"{shown(value)}"
