"""The interpreter: the order of pointers, the next instruction, and the cost of a step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oracles.befunge_98.files import Disk
from oracles.befunge_98.instructions import COMMON, DIGITS, INSTRUCTIONS, NEEDS
from oracles.befunge_98.ip import IP, Refused
from oracles.befunge_98.registry import FINGERPRINTS
from oracles.befunge_98.space import SPACE, Point, Space
from oracles.befunge_98.window import Flight, Skip, Window
from oracles.work import squared, words


@dataclass
class Oracle:
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    max_steps: int = 10**9
    max_output: int = 10**9
    max_work: int = 10**18
    options: dict[str, str | int] = field(default_factory=dict)  # options that are set
    seed: int = 0
    started: int = 0
    disk: Disk | None = None  # None if files may not be used
    output: bytearray = field(default_factory=bytearray)
    printed_at: list[int] = field(default_factory=list)
    read_at: list[int] = field(default_factory=list)
    writes: list[tuple[int, Point, int, int]] = field(default_factory=list)
    states: dict[str, Any] = field(default_factory=dict)  # states that all IPs share
    steps: int = 0
    position: int = 0
    work: int = 0
    charge: int = 0
    paid: int = 0  # work on cells that this step was charged for
    turn: int = 0  # index of the pointer that executes next
    status: str = "running"
    fault: str = ""
    exit_code: int | None = None

    def __post_init__(self) -> None:
        take = self.options.get
        self.bits = 0 if take("cell") == "unbounded" else 64
        self.old = take("befunge") == 93
        self.reduced = take("instructions") == "reduced" and not self.old
        lines = Space().lines(self.source)
        box = max(map(len, lines), default=0), len(lines)
        self.space = Space((80, 25) if self.old else box if take("space") == "box" else None)
        self.space.load(self.source)
        self.window = None
        if self.space.torus is None:
            self.window = Window(self.space, *box, len(self.source))
        self.ips = [IP(strict=take("underflow") == "fault")]
        self.last_id = 0
        self.random = seeded(self.seed)

    def knows(self, char: str) -> bool:
        """Return whether a character is an instruction under the options."""
        if self.old:
            return char in "0123456789" + COMMON
        if self.reduced:
            return char in "0123456789abcdefABCDEF" + COMMON + "';[]jknqrsx"
        return char in INSTRUCTIONS or char in DIGITS or char.isupper() or char == ";"

    # Running.

    def run(self, budget: int) -> str:
        if self.status == "needs_input":
            self.status = "running"  # the read is tried again
        for _ in range(budget):
            if not self.step():
                break
        if self.status == "running" and self.steps == self.max_steps:
            self.status = "limited"
        return self.status

    def step(self) -> bool:
        """Execute one instruction; return False if none could be executed."""
        if self.status not in ("running", "needs_input") or self.steps == self.max_steps:
            return False
        self.status = "running"
        ip = self.ips[self.turn]
        self.charge = self.paid = ip.moved = 0
        before, position, states = ip.copied(), self.position, dict(self.states)
        try:
            self.execute_one(ip)
        except Refused as refused:
            self.ips[self.turn], self.position, self.states = before, position, states
            self.status, self.fault = refused.status, refused.fault
            return False
        self.steps += 1
        self.work += self.charge
        return True

    def location(self) -> Point | None:
        """Return the place of the next instruction, or None if there is none."""
        if not self.ips:
            return None
        ip = self.ips[self.turn]
        if ip.repeats:
            return ip.at
        try:
            return self.fetch(ip)[0]
        except Refused:
            return None

    def fetch(self, ip: IP) -> tuple[Point, int]:
        """Return the place of a pointer's next instruction, and the work of finding it.

        Spaces and the text between semicolons are skipped.
        """
        straight = abs(ip.delta[0]) + abs(ip.delta[1]) <= 1
        self.path = Skip(self.window) if straight else Flight(self.space, self.window, ip.delta)
        at = self.destination(ip)
        return at, self.path.units()

    def destination(self, ip: IP) -> Point:
        if ip.in_string:
            return self.ahead(ip.at, ip.delta) if ip.after_space else ip.at
        at, begun = self.ahead(ip.at, ip.delta), set[Point]()
        while self.space.get(at) == ord(";") and self.knows(";"):
            if at in begun:
                raise Refused("faulted", "empty_path")
            begun.add(at)
            at = self.passing(at, ip.delta)
            while self.space.get(at) != ord(";"):
                at = self.ahead(self.passing(at, ip.delta), ip.delta)
            at = self.ahead(self.passing(at, ip.delta), ip.delta)
        return at

    def passing(self, at: Point, delta: Point) -> Point:
        """Return the next cell, and count this one as passed."""
        self.path.over_one(at)
        return self.next_to(at, delta)

    def ahead(self, at: Point, delta: Point) -> Point:
        found = self.space.ahead(at, delta)
        if found is None:
            raise Refused("faulted", "empty_path")
        if found != at:
            self.path.over(at, found)
        return found

    def next_to(self, at: Point, delta: Point, times: int = 1) -> Point:
        """Return the place after ``times`` deltas, wrapped if the line meets the used space."""
        there = self.space.move(at, delta, times)
        return there or (at[0] + delta[0] * times, at[1] + delta[1] * times)

    def jump(self, ip: IP, times: int) -> None:
        ip.at = self.next_to(ip.at, ip.delta, times)

    def execute_one(self, ip: IP) -> None:
        if ip.repeats:
            self.near(*ip.delta, *ip.offset)
            self.repeat(ip)
        else:
            ip.at, units = self.fetch(ip)
            self.near(*ip.delta, *ip.offset)
            self.move(ip, units)
            self.execute(ip, self.space.get(ip.at))
        if ip.repeats:
            return  # the same pointer continues: all repetitions of "k" are one tick
        index = self.ips.index(ip)
        if ip.dead:
            self.ips.remove(ip)
        else:
            if not ip.stays:
                self.jump(ip, 1)
            ip.stays = False
            index += 1
        if not self.ips:
            self.status = "halted"
        self.turn = index if index < len(self.ips) else 0

    def repeat(self, ip: IP) -> None:
        times = ip.repeats[-1]
        times[0] -= 1
        if times[0] == 0:
            ip.repeats.pop()
        self.execute(ip, times[1])
        if ip.dead or self.status == "halted":
            ip.repeats.clear()

    # Instructions.

    def fit(self, value: int) -> int:
        """Return the value that a cell stores for a number."""
        if not self.bits:
            return value
        half = 1 << (self.bits - 1)
        return (value + half) % (2 * half) - half

    def write(self, at: Point, value: int) -> None:
        at = self.space.within(self.wrap_point(at))
        self.writes.append((self.steps + 1, at, self.space.get(at), value))
        self.space.put(at, value)
        if self.window is not None:
            self.window.written(at, value == SPACE, self.move_at_least)

    def wrap_point(self, at: Point) -> Point:
        self.near(*at)
        return self.fit(at[0]), self.fit(at[1])

    def afford(self, cells: int) -> None:
        """Refuse a step that needs more cells than the memory limit of any test allows."""
        if cells > 1 << 19:
            raise Refused("limited", "memory")

    def near(self, *numbers: int) -> None:
        """Refuse coordinates, deltas and counts of more than 4096 bits."""
        if any(abs(number) >= 1 << 4096 for number in numbers):
            raise Refused("limited", "memory")

    def spend(self, units: int) -> None:
        """Charge work on unbounded numbers."""
        if self.bits:
            return
        self.charge += units
        if self.work + self.charge > self.max_work:
            raise Refused("limited", "work")

    def move(self, ip: IP, units: int = 0) -> None:
        """Charge work on cells; the first 2^18 units of a step are free."""
        ip.moved += units
        due = max(0, ip.moved - (1 << 18))
        self.charge += due - self.paid
        self.paid = due
        if self.work + self.charge > self.max_work:
            raise Refused("limited", "work")

    def move_at_least(self, units: int) -> bool:
        """Raise this step's work on cells to ``units``; return False if the limit is lower."""
        ip = self.ips[self.turn]
        ip.moved = max(ip.moved, units)
        due = max(0, ip.moved - (1 << 18))
        more, self.paid = due - self.paid, due
        if self.work + self.charge + more > self.max_work:
            return False
        self.charge += more
        return True

    def emit(self, data: bytes) -> None:
        fits = data[: self.max_output - len(self.output)]
        self.output += fits
        self.printed_at += [self.steps + 1] * len(fits)
        if len(fits) < len(data):
            raise Refused("limited", "output")

    def execute(self, ip: IP, code: int) -> None:
        if ip.in_string:
            self.in_string(ip, code)
            return
        code = ip.mapping.get(code, code)
        char = chr(code) if SPACE < code < 127 else ""
        if code == SPACE:
            return  # only a character that IMAP maps to a space reaches this line
        if char != ";" and (ip.invert or ip.queue):
            self.move(ip, len(ip.toss))
        if not char or not self.knows(char):
            self.unknown(ip)
        elif char == ";":
            pass  # like a space, it does nothing
        elif char in DIGITS or (self.reduced and char.isupper()):
            ip.push(int(char, 16))
        elif char.isupper():
            bound = ip.bindings.get(char)
            if bound:
                self.move_in_modes(ip)
                operands = ip.toss[:4] if ip.queue else ip.toss[-4:]
                self.spend(4 * squared(max(map(words, operands), default=0)))
                name, letter = bound[-1]
                FINGERPRINTS[name][letter](self, ip)
                self.move(ip)
            else:
                self.unknown(ip)
        else:
            if ip.strict and len(ip.toss) < NEEDS.get(char, 0):
                raise Refused("faulted", "stack_underflow")
            if char in "y()io":
                self.move_in_modes(ip)
            INSTRUCTIONS[char](self, ip)
            pairs = "[]{}()"
            if ip.switch and char in pairs and self.space.get(ip.at) == code:
                self.write(ip.at, ord(pairs[pairs.index(char) ^ 1]))

    def move_in_modes(self, ip: IP) -> None:
        """Charge an instruction that may use many values in invert or queue mode."""
        if ip.invert or ip.queue:
            self.move(ip, 32 * len(ip.toss))

    def unknown(self, ip: IP) -> None:
        rule = self.options.get("unknown", "reflect")
        if rule == "fault":
            raise Refused("faulted", "unknown_instruction")
        if rule == "reflect" and not self.old:  # Befunge-93 has no reflection
            ip.reflect()

    def in_string(self, ip: IP, code: int) -> None:
        ip.after_space = code == SPACE and not self.old
        if code == ord('"'):
            ip.in_string = False
        else:
            if ip.invert:
                self.move(ip, len(ip.toss))
            ip.push(code)

    def draw(self) -> int:
        """Draw 64 random bits with xorshift64* (Vigna, "An experimental exploration…")."""
        state = self.random
        state ^= state >> 12
        state ^= state << 25 & (1 << 64) - 1
        state ^= state >> 27
        self.random = state
        return state * 0x2545F4914F6CDD1D & (1 << 64) - 1

    def kept(self, value: int) -> int:
        return value & 255 if self.options.get("put") == "byte" else value


def seeded(seed: int) -> int:
    """Return the first state of the generator, never 0 (splitmix64's mixing)."""
    state = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & (1 << 64) - 1
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & (1 << 64) - 1
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & (1 << 64) - 1
    return (state ^ (state >> 31)) or 1
