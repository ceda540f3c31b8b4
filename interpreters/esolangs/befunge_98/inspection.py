"""The debugger's view of a Befunge machine: the plane, the stacks, and several IPs.

Its cost depends on the window, not on the size of the state.
"""

from __future__ import annotations

from esolangs.befunge_98.opcodes import (
    FAULT,
    HOVER,
    IGNORE,
    INVERT,
    MAPPED,
    QUEUE,
    STACK_KEY_FACTOR,
    SWITCH,
)
from esolangs.befunge_98.program import BefungeMachine
from esolangs.inspection import Inspector
from esolangs.machine import LeapKind
from esolangs.numbers import abbreviate
from esolangs.source import locate
from esolangs.stops import Address, Leap, Slot, StopSet
from esolangs.view import Grid, Location, Panel, Pointer, Stack, StackOfStacks, Table, Window
from esolangs.wording import noun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from esolangs.befunge_98._core import IP

    Place = Address | Slot
    Rule = Callable[["_NextStep", Slot], Place | None]

_ARROWS = {">": "east", "<": "west", "^": "north", "v": "south"}
_ARITHMETIC = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "%": "take the remainder of",
}
_DIRECTION_NAMES = {(1, 0): "east", (-1, 0): "west", (0, -1): "north", (0, 1): "south"}
_NAMES = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}


class BefungeInspector(Inspector[BefungeMachine]):
    """The inspector of Befunge-98; see :class:`esolangs.inspection.Inspector`."""

    def location(self, machine: BefungeMachine) -> Location:
        point = machine.location
        span = machine.span_at(*point)
        line, column = locate(machine.program.source, span[0])
        over = machine.core.ended or machine.core.lost
        instruction = "" if over else format_cell(machine.next_value())
        return Location(span[0], line, column, span, instruction, explain(machine), point)

    def panels(self, machine: BefungeMachine, window: Window) -> tuple[Panel, ...]:
        core = machine.core
        panels: list[Panel] = [_grid_panel(machine, window), _stacks_panel(core.ip, window)]
        if "TURT" in core.states:
            from esolangs.befunge_98.fingerprint_turtle import drawing_of

            drawing = drawing_of(core, window.lines)
            if drawing is not None:
                panels.append(drawing)
        if len(core.ips) > 1:
            panels.append(_pointers_table(machine, window))
        panels += _letters_table(core.ip, window)
        return tuple(panels)

    def leap(self, machine: BefungeMachine, kind: LeapKind) -> Leap | None:
        """Return where a step over or a step out (``kind``) stops; None if no place was found.

        A step over stops at the next instruction that turns the IP or may turn it; at a C of SUBR,
        after the return of the subroutine.  A step out stops at the end of a block.
        """
        core, ip = machine.core, machine.core.ip
        if core.ended or core.lost or kind.startswith("back"):
            return None
        if kind == "out":
            if not ip.below:
                return None
            ends = _block_ends(machine)
            return Leap(StopSet(locations=ends), extra=1) if ends else None
        return _leap_to_turn(machine)

    def copied_from(self, machine: BefungeMachine, place: Place) -> Place | None:
        """Return the place that the next step copies into ``place``; None if it computes the value.

        Copies within and between stacks and fungespace are recognized, including copies by ``y``,
        which can pick a value of the stack, and by fingerprint instructions that copy single
        values.  Values that a fingerprint reads or copies in blocks count as computed, as do all
        values in invert and queue mode, where a push or pop at the bottom moves the whole stack.
        """
        step = _NextStep(machine)
        if machine.core.ended or machine.core.lost or step.ip.modes & (INVERT | QUEUE):
            return None
        if not isinstance(place, Slot):
            return step.cell_source(place)
        if step.ip.in_string:
            return None if step.value == 34 else (step.ip.x, step.ip.y)
        rule = _RULES.get(chr(step.code)) if step.code > 15 else None
        if rule is None and 65 <= step.code <= 90:
            rule = _FINGERPRINT_RULES.get(step.fingerprint_and_letter())
        return None if rule is None else rule(step, place)

    def printed_from(self, machine: BefungeMachine) -> Place | None:
        """Return the place of the value that ``.`` or ``,`` prints next: the top of the stack.

        Return None if the next step prints nothing, and in queue mode.
        """
        step = _NextStep(machine)
        if machine.core.ended or machine.core.lost or step.ip.in_string or step.ip.modes & QUEUE:
            return None
        return step.slot(step.depth - 1) if step.code in (ord("."), ord(",")) else None


INSPECTOR = BefungeInspector()


def format_cell(value: int) -> str:
    """Return a cell as text: its character if that is printable ASCII, else its number."""
    return chr(value) if 32 <= value < 127 else f"{abbreviate(value)}"


def explain(machine: BefungeMachine) -> str:
    """Describe the next step in one line, or the reason why none follows."""
    core, ip = machine.core, machine.core.ip
    if machine.fault is not None:
        return machine.fault.message
    if core.ended:
        if core.exit_code is not None:
            return f"the program has ended with exit code {abbreviate(core.exit_code)}"
        return "the program has ended: no IP is left"
    if core.lost:
        return "no instruction on the path of the IP: the program will fault"
    value, meant = machine.next_value(), machine.next_instruction()
    line = _explain_in_string(value) if ip.in_string else _explain_instruction(machine, meant)
    if meant != value:
        line = f"{format_cell(value)} acts as {format_cell(meant)}: {line}"
    if ip.repeats:
        count = ip.repeats[len(ip.repeats) - 1][0]
        line = f"k, {abbreviate(count)} left: {line}"
    return f"IP {ip.id}: {line}" if len(core.ips) > 1 else line


def _explain_in_string(value: int) -> str:
    return "end the string" if value == 34 else f"push {_format_character(value)} from the string"


def _explain_instruction(machine: BefungeMachine, value: int) -> str:
    code = machine.program.codes[value] if 0 <= value < 256 else 16
    if code < 16:
        return f"push {code}"
    char = chr(code)
    if code == 16 or (char.isupper() and not machine.core.ip.semantics.get(code)):
        return _explain_unknown(machine, value)
    if machine.program.options["underflow"] == "fault":
        if machine.core.ip.depth < _NEEDED.get(char, 0):
            return f"{char} needs more values than the stack has: the program will fault"
    if char in _ARITHMETIC:
        return _explain_arithmetic(machine, char)
    if char in _ARROWS:
        hovering = machine.core.ip.modes & HOVER
        return f"{'add to the delta:' if hovering else 'go'} {_ARROWS[char]}"
    if char in "_|w[]rx?":
        return _explain_turn(machine, char)
    if char in ",.~&":
        return _explain_input_output(machine, char)
    if char in "gps'":
        return _explain_cell(machine, char)
    if char.isupper():
        name, letter = meaning(machine.core.ip, code)
        return f"{char}: {letter} of {name}" if letter != char else f"{char} of {name}"
    return _explain_other(machine, char)


_NEEDED = {**dict.fromkeys("+-*/%`\\wxg", 2), **dict.fromkeys("!_|$.,jksq", 1), "p": 3}


def _operand(machine: BefungeMachine, depth: int = 0) -> int:
    """Return the value that would be popped after ``depth`` other values, 0 if there is none."""
    ip = machine.core.ip
    if ip.depth <= depth:
        return 0
    return ip.buffer[depth if ip.modes & QUEUE else ip.depth - 1 - depth]


def _explain_unknown(machine: BefungeMachine, value: int) -> str:
    does = machine.core.unknown
    then = "the program will fault" if does == FAULT else "nothing" if does == IGNORE else "reflect"
    return f"{_format_character(value)} is not an instruction here: {then}"


def _explain_arithmetic(machine: BefungeMachine, char: str) -> str:
    a, b = abbreviate(_operand(machine, 1)), abbreviate(_operand(machine))
    if char in "/%" and b == 0:
        fault = machine.program.options["by-zero"] == "fault"
        return f"{a} {char} 0: " + ("the program will fault" if fault else "gives 0")
    return f"{_ARITHMETIC[char]} the two values on top: {a} {char} {b}"


def _explain_turn(machine: BefungeMachine, char: str) -> str:
    ip, top = machine.core.ip, _operand(machine)
    if char in "_|":
        way = "east west" if char == "_" else "south north"
        verb = "add to the delta:" if ip.modes & HOVER else "go"
        is_zero = "0" if top == 0 else "not 0"
        return f"{abbreviate(top)} is {is_zero}: {verb} {way.split()[top != 0]}"
    if char == "x":
        return f"set the delta to ({abbreviate(_operand(machine, 1))}, {abbreviate(top)})"
    if char == "?":
        return "go in one of the four directions at random"
    delta = ip.dx, ip.dy
    if char == "w":
        a, b = _operand(machine, 1), top
        side = "go straight on" if a == b else "turn left" if a < b else "turn right"
        return f"compare {abbreviate(a)} with {abbreviate(b)}: {side}"
    turned = {
        "[": (delta[1], -delta[0]),
        "]": (-delta[1], delta[0]),
        "r": (-delta[0], -delta[1]),
    }[char]
    verb = {"[": "turn left", "]": "turn right", "r": "reflect"}[char]
    delta = f"by ({abbreviate(turned[0])}, {abbreviate(turned[1])})"
    return f"{verb}: go {_DIRECTION_NAMES.get(turned) or delta}"


def _explain_input_output(machine: BefungeMachine, char: str) -> str:
    if char == ".":
        return f"print {abbreviate(_operand(machine))} and a space"
    if char == ",":
        return f"print {_format_character(_operand(machine) & 255)}"
    what = "a byte" if char == "~" else "a number"
    byte = machine.next_input()
    if byte is not None:
        return (
            f"read {_format_character(byte)}"
            if char == "~"
            else "read a number, skipping other characters"
        )
    if not machine.core.closed:
        return f"read {what}: waiting for input"
    option = machine.program.options["eof" if char == "~" else "number-eof"]
    old = machine.program.options["befunge"] == 93
    does = "push -1" if option == -1 or (old and option == "reflect") else str(option)
    return f"read {what}: the input has ended, {does}"


def _explain_cell(machine: BefungeMachine, char: str) -> str:
    ip, core = machine.core.ip, machine.core
    if char in "s'":
        x, y = core.after(ip.x, ip.y, ip.dx, ip.dy)
        if char == "'":
            return f"push the next cell, ({x}, {y}): {_format_character(core.get(x, y))}"
        return f"store {abbreviate(_operand(machine))} in the next cell, ({x}, {y})"
    x, y = core.wrap(_operand(machine, 1) + ip.ox), core.wrap(_operand(machine) + ip.oy)
    there = core.get(x, y)
    if char == "g":
        return f"push cell ({abbreviate(x)}, {abbreviate(y)}): {_format_character(there)}"
    value = abbreviate(_operand(machine, 2))
    cell = f"({abbreviate(x)}, {abbreviate(y)})"
    return f"store {value} in cell {cell}, which holds {_format_character(there)}"


def meaning(ip: IP, code: int) -> tuple[str, str]:
    """Return the fingerprint that defines the letter ``code``, and the letter used there.

    The two letters differ if an instruction was moved to another letter.  Both results are empty
    if no loaded fingerprint defines the letter.
    """
    from esolangs.befunge_98.fingerprints import fingerprint_name

    meanings = ip.semantics.get(code)
    if not meanings:
        return "", ""
    name, letter = meanings[len(meanings) - 1]
    return fingerprint_name(name), chr(letter)


def _explain_other(machine: BefungeMachine, char: str) -> str:
    top, next_ = abbreviate(_operand(machine)), abbreviate(_operand(machine, 1))
    stacks = len(machine.core.ip.below)
    cells, times = (f"{top} {noun(_operand(machine), each)}" for each in ("cell", "time"))
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
        "j": f"jump over {cells}",
        "k": f"execute the next instruction {times} at this cell",
        "t": "split: a second IP goes the other way",
        "{": f"begin a block with {cells} of this stack",
        "}": f"end the block and move {cells} to the stack below"
        if stacks
        else "no block to end: reflect",
        "u": f"move {cells} from the stack below" if stacks else "no stack below: reflect",
        "y": f"push system information, item {top}",
        "(": "load a fingerprint",
        ")": "unload a fingerprint",
        "i": "read a file into fungespace",
        "o": "write a part of fungespace to a file",
        "=": "run a command: not supported, reflect",
        " ": "do nothing",
        ";": "do nothing",
    }
    return lines[char]


def _format_character(value: int) -> str:
    """Return a value in readable form: ``'A' (65)``, ``newline (10)``, ``200``."""
    if value in _NAMES:
        return f"{_NAMES[value]} ({value})"
    return f"'{chr(value)}' ({value})" if 32 < value < 127 else f"{abbreviate(value)}"


_MAX_IPS = 1024  # maximum number of pointers searched for the grid


def _grid_panel(machine: BefungeMachine, window: Window) -> Grid:
    core, layout = machine.core, machine.program.layout
    if core.bounds_loose:
        core.tighten_bounds()
    low = core.low_x, core.low_y
    high = core.high_x, core.high_y
    if low[0] > high[0]:
        low = high = core.ip.x, core.ip.y
    left, top = window.corner or (
        _window_start(core.ip.x, low[0], high[0], window.width),
        _window_start(core.ip.y, low[1], high[1], window.height),
    )
    columns, rows = range(left, left + window.width), range(top, top + window.height)
    cells = [[core.get(x, y) for x in columns] for y in rows]
    written = tuple(
        (x, y)
        for y, row in zip(rows, cells, strict=True)
        for x, value in zip(columns, row, strict=True)
        if value != layout.initial_value(x, y)
    )
    pointers = tuple(
        Pointer(ip.id, (ip.x, ip.y), (ip.dx, ip.dy), (ip.ox, ip.oy), ip is core.ip)
        for ip in [core.ip, *core.ips[:_MAX_IPS]]
        if (ip is core.ip or (ip.x in columns and ip.y in rows))
    )
    # The active pointer comes first, because it may not be among the searched ones.
    pointers = pointers[:1] + tuple(one for one in pointers[1:] if not one.active)
    return Grid(
        "fungespace",
        left,
        top,
        tuple(tuple(abbreviate(value) for value in row) for row in cells),
        low,
        high,
        pointers,
        tuple(core.trail()),
        written,
    )


def _window_start(position: int, low: int, high: int, size: int) -> int:
    """Return the start of a window of ``size`` cells that contains ``position``.

    If ``position`` is in the used space, from ``low`` to ``high``, the window contains as much of
    this space as possible; otherwise ``position`` is in the middle of the window.
    """
    if high - low < size and low <= position <= high:
        return low
    first = position - size // 2
    if low <= position <= high:
        first = max(low, min(first, high - size + 1))
    return first


def _stacks_panel(ip: IP, window: Window) -> StackOfStacks:
    key = ip.id * STACK_KEY_FACTOR + len(ip.below)
    found = [_stack_panel("TOSS", ip.buffer, ip.depth, window, key)]
    for back in range(1, min(len(ip.below), window.depth - 1) + 1):
        buffer, depth = ip.below[len(ip.below) - back]
        name = "SOSS" if back == 1 else f"stack {back + 1}"
        found.append(_stack_panel(name, buffer, depth, window, key - back))
    return StackOfStacks("stacks", tuple(found), len(ip.below) + 1)


def _stack_panel(name: str, buffer: list[int], depth: int, window: Window, key: int) -> Stack:
    first = max(0, depth - window.depth)
    return Stack(
        name, tuple([abbreviate(value) for value in buffer[first:depth]][::-1]), depth, key
    )


def _pointers_table(machine: BefungeMachine, window: Window) -> Table:
    """Return a table of the IPs in the order of execution, limited to IPs around the active one."""
    core = machine.core
    first = max(0, min(core.turn - window.depth // 2, len(core.ips) - window.depth))
    chosen = core.ips[first : first + window.depth]
    rows = tuple(
        (ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.depth, format_cell(core.get(ip.x, ip.y)))
        for ip in chosen
    )
    columns = "id", "x", "y", "dx", "dy", "depth", "cell"
    return Table("pointers", columns, rows, len(core.ips), core.turn - first)


_MODES = ((HOVER, "hover"), (INVERT, "invert"), (QUEUE, "queue"), (SWITCH, "switch"))


def _letters_table(ip: IP, window: Window) -> list[Panel]:
    """Return a table of the letters, modes and instructions that fingerprints have changed.

    The result is a list with this table, or an empty list if nothing has changed.
    """
    rows: list[tuple[str, str]] = []
    for code in sorted(ip.semantics):
        name, letter = meaning(ip, code)
        if name:
            rows.append((chr(code), name if letter == chr(code) else f"{letter} of {name}"))
    rows += [("mode", word) for bit, word in _MODES if ip.modes & bit]
    if ip.modes & MAPPED:
        table = ip.states["IMAP"][0]
        rows += [
            (format_cell(old), f"acts as {format_cell(new)}")
            for old, new in enumerate(table)
            if new is not None
        ]
    columns = "instruction", "meaning"
    return [Table("letters", columns, tuple(rows[: window.depth]), len(rows))] if rows else []


_TURNS = frozenset(b"><^v?_|[]rwx@q")
_MAX_STEPS = 4096  # maximum number of steps searched


def _leap_to_turn(machine: BefungeMachine) -> Leap | None:
    """Return the leap to this IP's next change of direction, found by running a copy.

    A search along the delta is not sufficient: ``#`` and ``;`` skip cells, text in strings is not
    executed, and code may change itself.  If the run stops before that, the leap ends where it
    stops.  Return None if neither happens within ``_MAX_STEPS`` steps.
    """
    if _subroutine_letter(machine) == "C":
        return _leap_to_return(machine)
    copy = machine.copy()
    identity = copy.core.ip.id
    taken = 0  # number of steps up to the last move of this IP
    delta = None
    while copy.steps - machine.steps < _MAX_STEPS and copy.status == "running":
        ip = copy.core.ip
        if ip.id == identity:
            if delta is None:
                pass  # the requested step: it may turn the IP
            elif taken and delta != (ip.dx, ip.dy):
                return _leap_target(taken)
            elif not ip.in_string and copy.next_instruction() in _TURNS:
                return _leap_target(copy.steps - machine.steps)
            taken = copy.steps - machine.steps
            delta = ip.dx, ip.dy
        copy.run(1)
    return None if copy.status == "running" else _leap_target(copy.steps - machine.steps)


def _subroutine_letter(machine: BefungeMachine) -> str:
    """Return C or R if the next step executes this letter of SUBR, else ''."""
    ip, value = machine.core.ip, machine.next_instruction()
    if ip.in_string or not 65 <= value <= 90 or _operand(machine) < 0:  # a negative count reflects
        return ""
    name, letter = meaning(ip, value)
    return letter if name == "SUBR" and letter in "CR" else ""


def _leap_to_return(machine: BefungeMachine) -> Leap | None:
    """Return the leap to the end of the subroutine that the next step calls.

    If the run stops before that, the leap ends where it stops.  Return None if neither happens
    within ``_MAX_STEPS`` steps.
    """
    copy = machine.copy()
    identity, calls = copy.core.ip.id, 0
    while copy.steps - machine.steps < _MAX_STEPS and copy.status == "running":
        letter = _subroutine_letter(copy) if copy.core.ip.id == identity else ""
        calls += (letter == "C") - (letter == "R")
        copy.run(1)
        if letter and calls <= 0:
            return _leap_target(copy.steps - machine.steps)
    return None if copy.status == "running" else _leap_target(copy.steps - machine.steps)


def _leap_target(count: int) -> Leap | None:
    return Leap(StopSet(every=True), extra=count - 1) if count > 1 else None


def _block_ends(machine: BefungeMachine) -> frozenset[Address]:
    """Return the coordinates of every ``}``, where blocks end unless the code changes itself."""
    core = machine.core
    stride = core.width + 2
    codes = bytes(core.plane_codes)
    found: list[Address] = []
    at = codes.find(b"}")
    while at >= 0 and len(found) < _MAX_STEPS:
        found.append((at % stride - 1 + core.left, at // stride - 1 + core.top))
        at = codes.find(b"}", at + 1)
    return frozenset(found)


class _NextStep:
    """The state before a step, used to find the place from which the step copies a value.

    ip: the IP that executes the step.  depth: the depth of TOSS.  count: the top value, 0 if
    TOSS is empty.  value: the value of the IP's cell, or the one that ``k`` repeats.  code: the
    instruction code (see ``opcodes``) of this value, or of the one to which IMAP maps it.
    """

    def __init__(self, machine: BefungeMachine):
        options = machine.program.options
        self.is_befunge_93 = options["befunge"] == 93
        self.byte_cells = options["put"] == "byte"
        self.machine = machine
        self.ip: IP = machine.core.ip
        self.depth = self.ip.depth
        self.value = machine.next_value()
        meant = machine.next_instruction()
        self.code = machine.program.codes[meant] if 0 <= meant < 256 else 16
        self.stacks = len(self.ip.below)
        self.count = self.value_at(0)

    def value_at(self, index: int) -> int:
        """Return the value ``index`` cells below the top of TOSS."""
        return self.ip.buffer[self.depth - 1 - index] if index < self.depth else 0

    def slot(self, level: int, stack: int | None = None) -> Slot | None:
        """Return the place of a value on one of the IP's stacks; None if ``level`` is negative.

        level: counted from the bottom.  stack: the index of the stack, by default that of TOSS.
        """
        stack = self.stacks if stack is None else stack
        return Slot(self.ip.id * STACK_KEY_FACTOR + stack, level) if level >= 0 else None

    def fingerprint_and_letter(self) -> tuple[str, str]:
        """Return the fingerprint and letter of the instruction, which must be a letter."""
        return meaning(self.ip, self.code)

    def cell(self, x: int, y: int) -> Place | None:
        """Return the coordinates of a cell after wrapping; None if outside a page of Befunge-93."""
        core, wrap = self.machine.core, self.machine.core.wrap
        x, y = wrap(x), wrap(y)
        if not core.torus:
            return x, y
        if 0 <= x < core.width and 0 <= y < core.height:
            return x, y
        return None if self.is_befunge_93 else (x % core.width, y % core.height)

    def cell_after_move(self, dx: int, dy: int) -> Place:
        """Return the cell that the IP reaches by one move with the delta (dx, dy)."""
        core = self.machine.core
        return core.after(self.ip.x, self.ip.y, core.wrap(dx), core.wrap(dy))

    def cell_source(self, place: Address) -> Place | None:
        """Return the place from which the next step copies a value to cell ``place``.

        Returns None if the written value is not a copy, or if the original place is unknown.
        """
        if self.ip.in_string:
            return None
        rule = _CELL_RULES.get(self.fingerprint_and_letter()) if 65 <= self.code <= 90 else None
        if rule is not None:
            return rule(self, place)
        letter, ip = chr(self.code), self.ip
        taken = 2 if letter == "p" else 0 if letter == "s" else -1
        if 65 <= self.code <= 90:
            taken = {("TOYS", "Q"): 0, ("ORTH", "P"): 2, ("TOYS", "S"): 4}.get(
                self.fingerprint_and_letter(), -1
            )
        if taken < 0 or taken >= self.depth:
            return None
        if letter in "ps" and self.byte_cells and not 0 <= self.value_at(taken) < 256:
            return None
        return Slot(ip.id * STACK_KEY_FACTOR + self.stacks, self.depth - 1 - taken)


# Rules: each returns where the step copies the value of a place from, or None.


def _duplicate_rule(step: _NextStep, place: Slot) -> Place | None:
    return step.slot(step.depth - 1)


def _swap_rule(step: _NextStep, place: Slot) -> Place | None:
    if step.depth == 1:  # the missing lower value counts as 0 and becomes the top
        return place if place.level == 0 else None
    if step.depth == 0:
        return None
    return step.slot(2 * step.depth - 3 - place.level)


def _get_rule(step: _NextStep, place: Slot) -> Place | None:
    ip = step.ip
    return step.cell(step.value_at(1) + ip.ox, step.value_at(0) + ip.oy)


def _fetch_rule(step: _NextStep, place: Slot) -> Place | None:
    return step.cell_after_move(step.ip.dx, step.ip.dy)


def _begin_block_rule(step: _NextStep, place: Slot) -> Place | None:
    """Return the place whose value ``{`` copies to ``place``; None if nothing is copied.

    The values on the new stack are copies of the top values of the old one.  Padding, and values
    written to the old stack, are not copied from anywhere.
    """
    if place.stack != step.ip.id * STACK_KEY_FACTOR + step.stacks + 1:
        return None
    below_top = max(0, step.depth - 1)
    return step.slot(below_top - max(0, step.count) + place.level)


def _end_block_rule(step: _NextStep, place: Slot) -> Place | None:
    """Find the place from which ``}`` copies a value to ``place``.

    ``}`` removes the storage offset (two values) from the stack below TOSS, and copies the top
    values of TOSS there.
    """
    base = max(0, step.ip.below[step.stacks - 1][1] - 2)
    below_top, moved = max(0, step.depth - 1), max(0, step.count)
    return step.slot(below_top - moved + place.level - base)


def _move_rule(step: _NextStep, place: Slot) -> Place | None:
    """Find the place from which ``u`` moves a value to ``place``.

    ``u`` moves values one by one between the two top stacks, so their order is reversed.
    """
    soss, toss = step.ip.below[step.stacks - 1][1], max(0, step.depth - 1)
    if step.count >= 0:
        return step.slot(soss - 1 - (place.level - toss), step.stacks - 1)
    return step.slot(toss - 1 - (place.level - soss))


def _split_rule(step: _NextStep, place: Slot) -> Place | None:
    """Find where a value of the new IP comes from after ``t``, which copies all stacks."""
    return step.slot(place.level, place.stack % STACK_KEY_FACTOR)


def _system_information_rule(step: _NextStep, place: Slot) -> Place | None:
    """Find the value that ``y`` copies from the stack.

    ``y`` does so only if its operand is greater than the number of values in the system
    information. Returns None for other operands.
    """
    from esolangs.befunge_98.extras import sysinfo_length
    from esolangs.befunge_98.transaction import Transaction

    machine = step.machine
    if step.depth == 0 or step.count <= 0:
        return None
    known = sysinfo_length(Transaction(machine.core, step.ip, machine.world))
    return step.slot(step.depth - 1 - (step.count - known)) if step.count > known else None


_RULES: dict[str, Rule] = {
    ":": _duplicate_rule,
    "\\": _swap_rule,
    "g": _get_rule,
    "'": _fetch_rule,
    "{": _begin_block_rule,
    "}": _end_block_rule,
    "u": _move_rule,
    "t": _split_rule,
    "y": _system_information_rule,
}

# FRTH, INDV, JSTR and 3DSP.


def _top_values_rule(*offsets: int) -> Rule:
    """Return the rule of an instruction that pops its operands and pushes some of them again.

    offsets: how far below the top each pushed value was, in the order of pushes.
    """
    taken = max(offsets) + 1

    def rule(step: _NextStep, place: Slot) -> Place | None:
        offset = offsets[place.level - max(0, step.depth - taken)]
        return step.slot(step.depth - 1 - offset)

    return rule


def _roll_rule(step: _NextStep, place: Slot) -> Place | None:
    count, top = step.count, max(0, step.depth - 1)
    lowest = top - abs(count) - 1  # the positions as if the stack had enough values
    at, most = place.level - max(0, lowest), abs(count)
    if count > 0:
        return step.slot(lowest + (at + 1 if at < most else 0))
    return step.slot(lowest + (most if at == 0 else at - 1))


def _pointer_target(step: _NextStep) -> tuple[int, int]:
    """Return the cell to which a pointer in fungespace points.

    The vector on top of the stack says where the pointer is: its y is there, its x in the next
    cell.  Both the vector and the pointer are relative to the storage offset.
    """
    core, ip = step.machine.core, step.ip
    x, y = step.value_at(1) + ip.ox, step.value_at(0) + ip.oy
    get, wrap = core.get, core.wrap
    to_y, to_x = get(wrap(x), wrap(y)), get(wrap(x + 1), wrap(y))
    return to_x + ip.ox, to_y + ip.oy


def _get_vector_rule(step: _NextStep, place: Slot) -> Place | None:
    x, y = _pointer_target(step)
    return step.cell(x if place.level - max(0, step.depth - 2) else x + 1, y)


def _put_vector_rule(step: _NextStep, place: Address) -> Place | None:
    x, y = _pointer_target(step)
    return step.slot(step.depth - (4 if step.cell(x + 1, y) == place else 3))


def _line_at(step: _NextStep, index: int) -> Place | None:
    """Return the cell with this index in the line of cells that an instruction of JSTR accesses.

    The start of the line and its direction are operands on the stack.
    """
    ip = step.ip
    x, y = (
        step.value_at(2) + ip.ox + index * step.value_at(4),
        step.value_at(1) + ip.oy + index * step.value_at(3),
    )
    return step.cell(x, y)


def _get_line_rule(step: _NextStep, place: Slot) -> Place | None:
    at = place.level - max(0, step.depth - 5)
    return _line_at(step, at - 1) if at else None


def _put_line_rule(step: _NextStep, place: Address) -> Place | None:
    """Return the slot of the value that P of JSTR writes to ``place``; None if it writes none.

    P can write the same cell several times; the last write counts.
    """
    for at in reversed(range(step.count)):
        if _line_at(step, at) == place:
            return step.slot(step.depth - 6 - at)
    return None


def _copy_matrix_rule(step: _NextStep, place: Address) -> Place | None:
    ip = step.ip
    for y in reversed(range(4)):
        for x in reversed(range(4)):
            if step.cell(step.value_at(3) + ip.ox + x, step.value_at(2) + ip.oy + y) == place:
                return step.cell(step.value_at(1) + ip.ox + x, step.value_at(0) + ip.oy + y)
    return None


_CELL_RULES: dict[tuple[str, str], Callable[[_NextStep, Address], Place | None]] = {
    ("3DSP", "P"): _copy_matrix_rule,
    ("INDV", "P"): lambda step, _: step.slot(step.depth - 3),
    ("INDV", "W"): _put_vector_rule,
    ("JSTR", "P"): _put_line_rule,
}
"""The rules of instructions that write cells, by fingerprint and letter."""

_FINGERPRINT_RULES: dict[tuple[str, str], Rule] = {
    ("3DSP", "U"): _top_values_rule(2, 1, 0, 2, 1, 0),
    ("FRTH", "L"): _roll_rule,
    ("FRTH", "O"): _top_values_rule(1, 0, 1),
    ("FRTH", "P"): lambda step, _: step.slot(step.depth - 2 - step.count),
    ("FRTH", "R"): _top_values_rule(1, 0, 2),
    ("INDV", "G"): lambda step, _: step.cell(*_pointer_target(step)),
    ("INDV", "V"): _get_vector_rule,
    ("JSTR", "G"): _get_line_rule,
    ("TOYS", "A"): lambda step, _: step.slot(step.depth - 2),
    ("TOYS", "L"): lambda step, _: step.cell_after_move(step.ip.dy, -step.ip.dx),
    ("TOYS", "R"): lambda step, _: step.cell_after_move(-step.ip.dy, step.ip.dx),
    ("ORTH", "G"): lambda step, _: step.cell(step.value_at(0), step.value_at(1)),
}
