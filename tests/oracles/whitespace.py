"""A simple interpreter of Whitespace that shares no code with the engine.

It follows docs/languages/whitespace.md literally, and prefers clear code to speed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from oracles.work import words, work_of, work_of_printing, work_of_reading

SPELLINGS = {
    "SS": "push", "SLS": "dup", "STS": "copy", "SLT": "swap", "SLL": "discard", "STL": "slide",
    "TSSS": "add", "TSST": "sub", "TSSL": "mul", "TSTS": "div", "TSTT": "mod",
    "TTS": "store", "TTT": "retrieve",
    "LSS": "label", "LST": "call", "LSL": "jump", "LTS": "jz", "LTT": "jn", "LTL": "return",
    "LLL": "end", "TLSS": "printc", "TLST": "printn", "TLTS": "readc", "TLTT": "readn",
}  # fmt: skip
NUMBERED = ("push", "copy", "slide")
LABELLED = ("label", "call", "jump", "jz", "jn")
MAX_BITS = 2**20


class CannotExecute(Exception):
    """A step cannot be executed; the argument is the status to report."""


def cost(value: int) -> int:
    """Return the memory of a number in addition to its place, in bytes."""
    bits = value.bit_length()
    return 0 if bits <= 63 else 32 + 8 * -(-bits // 64)


@dataclass
class Oracle:
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    division: str = "floor"
    eof: str | int = -1
    io: str = "utf8"
    number: str = "line"
    labels: str = "first"
    notation: str = "invisible"
    max_steps: int = 10**9
    max_output: int = 10**9
    max_memory: int = 10**9
    max_work: int = 10**18
    work: int = 0
    ip: int = 0
    stack: list[int] = field(default_factory=list)
    heap: dict[int, int] = field(default_factory=dict)
    calls: list[int] = field(default_factory=list)
    paid_stack: list[int] = field(default_factory=list)  # by place: bytes paid
    paid_heap: dict[int, int] = field(default_factory=dict)
    paid_calls: int = 0
    far: set[int] = field(default_factory=set)  # addresses outside of the window
    window: int = 0
    memory: int = 0
    output: bytearray = field(default_factory=bytearray)
    printed_at: list[int] = field(default_factory=list)
    read_at: list[int] = field(default_factory=list)
    writes: list[tuple[int, int, int, int]] = field(default_factory=list)
    steps: int = 0
    status: str = "running"
    position: int = 0

    def __post_init__(self) -> None:
        """Parse the source, which must be well-formed and in the invisible notation."""
        letters = {32: "S", 9: "T", 10: "L"}
        tokens = [(at, letters[byte]) for at, byte in enumerate(self.source) if byte in letters]
        text = "".join(letter for _, letter in tokens)
        self.code: list[tuple[int, str, int | str]] = []
        self.marks: dict[str, int] = {}
        at = 0
        while at < len(text) and text[at:] not in ("L", "LL"):
            length = next(n for n in (2, 3, 4) if text[at : at + n] in SPELLINGS)
            name, begin = SPELLINGS[text[at : at + length]], at
            at += length
            operand: int | str = ""
            if name in NUMBERED + LABELLED:
                end = text.index("L", at)
                operand, at = text[at:end], end + 1
            if name == "label":
                self.marks.setdefault(str(operand), len(self.code))
            if name in NUMBERED:
                digits = "".join("1" if c == "T" else "0" for c in str(operand)[1:])
                operand = int(digits or "0", 2) * (-1 if str(operand)[:1] == "T" else 1)
            self.code.append((tokens[begin][0], name, operand))

    @property
    def offset(self) -> int:
        return self.code[self.ip][0] if self.ip < len(self.code) else len(self.source)

    def run(self, budget: int) -> str:
        if self.status == "needs_input":
            self.status = "running"  # the read is tried again
        for _ in range(budget):
            if not self.step():
                break
        if self.status == "running":
            if self.ip == len(self.code):
                self.status = "halted"
            elif self.steps == self.max_steps:
                self.status = "limited"
        return self.status

    def step(self) -> bool:
        """Execute one instruction; return False if none could be executed."""
        if self.ip == len(self.code) or self.steps == self.max_steps:
            return False
        if self.status not in ("running", "needs_input"):
            return False
        _, name, operand = self.code[self.ip]
        self.charge = 0
        try:
            self.status = "running"
            self.execute(name, operand)
        except CannotExecute as stopped:
            self.status = str(stopped)
            return False
        self.steps += 1
        self.work += self.charge
        return True

    def execute(self, name: str, operand: int | str) -> None:
        stack, after = self.stack, self.ip + 1
        two = ("add", "sub", "mul", "div", "mod", "store", "swap")
        none = ("push", "copy", "label", "call", "jump", "return", "end")
        if len(stack) < (2 if name in two else 0 if name in none else 1):
            raise CannotExecute("faulted")
        if name == "push":
            self.replace(0, int(operand))
        elif name in ("dup", "copy"):
            n = 0 if name == "dup" else int(operand)
            if not 0 <= n < len(stack):
                raise CannotExecute("faulted")
            self.replace(0, stack[-1 - n])
        elif name == "swap":
            self.replace(2, stack[-1], stack[-2])
        elif name == "discard":
            stack.pop()
        elif name == "slide":
            n = max(0, min(int(operand), len(stack) - 1))
            if n > 0:
                self.replace(n + 1, stack[-1])
        elif name in ("add", "sub", "mul", "div", "mod"):
            self.replace(2, self.calculated(name, stack[-2], stack[-1]))
        elif name == "store":
            self.spend(2 * words(stack[-2]))
            self.write(stack[-2], stack[-1])
            del stack[-2:]
        elif name == "retrieve":
            self.spend(2 * words(stack[-1]))
            self.replace(1, self.heap.get(stack[-1], 0))
        elif name in ("jump", "call", "jz", "jn"):
            goes = name in ("jump", "call") or (stack[-1] == 0 if name == "jz" else stack[-1] < 0)
            if goes and str(operand) not in self.marks:
                raise CannotExecute("faulted")
            if name == "call":
                if len(self.calls) == self.paid_calls:
                    self.pay(8)
                    self.paid_calls += 1
                self.calls.append(after)
            if name in ("jz", "jn"):
                stack.pop()
            after = self.marks[str(operand)] if goes else after
        elif name == "return":
            if not self.calls:
                raise CannotExecute("faulted")
            after = self.calls.pop()
        elif name == "end":
            after = len(self.code)
        elif name in ("printc", "printn"):
            if name == "printn":
                self.spend(work_of_printing(stack[-1]))
            self.print(self.spelled(stack[-1]) if name == "printc" else b"%d" % stack[-1])
            stack.pop()
        elif name in ("readc", "readn"):
            size, value = self.next_character() if name == "readc" else self.next_number()
            if value is None and self.eof == "error":
                raise CannotExecute("faulted")
            if value is None and self.eof != "unchanged":
                value = int(self.eof)
            self.spend(2 * words(stack[-1]) + (work_of_reading(size) if name == "readn" else 0))
            if value is not None:
                self.write(stack[-1], value)
            self.position += size
            self.read_at += [self.steps + 1] * size
            stack.pop()
        self.ip = after

    def calculated(self, name: str, a: int, b: int) -> int:
        if name in ("div", "mod") and b == 0:
            raise CannotExecute("faulted")
        self.spend(work_of({"mul": "*", "div": "/", "mod": "/"}.get(name, "+"), a, b))
        if name == "div":
            sign = 1 if (a < 0) == (b < 0) else -1
            return a // b if self.division == "floor" else sign * (abs(a) // abs(b))
        if name == "mod":
            sign = 1 if a > 0 else -1
            return a % b if self.division != "truncate" else sign * (abs(a) % abs(b))
        return {"add": a + b, "sub": a - b, "mul": a * b}[name]

    def spend(self, units: int) -> None:
        self.charge = units
        if self.work + units > self.max_work:
            raise CannotExecute("limited")

    def pay(self, extra: int) -> None:
        if self.memory + extra > self.max_memory:
            raise CannotExecute("limited")
        self.memory += extra

    def replace(self, count: int, *values: int) -> None:
        """Replace the ``count`` uppermost values, and pay for additional memory."""
        base = len(self.stack) - count
        if any(value.bit_length() > MAX_BITS for value in values):
            raise CannotExecute("limited")
        paid = self.paid_stack[:]
        for place, value in enumerate(values, base):
            if place == len(paid):
                paid.append(16)
            paid[place] = max(paid[place], 16 + cost(value))
        self.pay(sum(paid) - sum(self.paid_stack))
        self.paid_stack = paid
        self.stack[base:] = values

    def write(self, address: int, value: int) -> None:
        window = self.window
        if value.bit_length() > MAX_BITS:
            raise CannotExecute("limited")
        charge = max(0, 64 * len(self.far) - 262_144)  # for searching all far addresses
        grows = window <= address < 2 * window + 16 * len(self.far) + 1024
        if grows and self.work + self.charge + charge <= self.max_work:
            window = max(window, 64)
            while window <= address:
                window *= 2
        extra = 16 * (window - self.window)
        paid = self.paid_heap.get(address, 0)
        if not 0 <= address < window and address not in self.far:
            extra += 128 + cost(address)
        self.pay(extra + max(0, cost(value) - paid))
        if window > self.window:
            self.charge += charge
        self.paid_heap[address] = max(paid, cost(value))
        if not 0 <= address < window:
            self.far.add(address)
        if window > self.window:
            self.far = {at for at in self.far if not 0 <= at < window}
        self.window = window
        self.writes.append((self.steps + 1, address, self.heap.get(address, 0), value))
        self.heap[address] = value

    def print(self, data: bytes) -> None:
        fits = data[: self.max_output - len(self.output)]
        self.output += fits
        self.printed_at += [self.steps + 1] * len(fits)
        if fits != data:
            raise CannotExecute("limited")

    def spelled(self, value: int) -> bytes:
        if self.io == "bytes":
            return bytes([value % 256])
        try:
            return chr(value).encode(errors="surrogateescape")
        except (ValueError, OverflowError):
            raise CannotExecute("faulted") from None

    def next_character(self) -> tuple[int, int | None]:
        rest = self.stdin[self.position :]
        if not rest:
            if not self.closed:
                raise CannotExecute("needs_input")
            return 0, None
        if self.io == "bytes":
            return 1, rest[0]
        character = rest[:4].decode(errors="surrogateescape")[0]
        size = len(character.encode(errors="surrogateescape"))
        if not self.closed and size == 1 and len(rest) < 4 and begins_a_character(rest):
            raise CannotExecute("needs_input")
        return size, ord(character)

    def next_number(self) -> tuple[int, int | None]:
        rest = self.stdin[self.position :]
        if self.number == "line":
            if b"\n" not in rest and not self.closed:
                raise CannotExecute("needs_input")
            line = rest.partition(b"\n")[0]
            size = len(line) + (b"\n" in rest)
            if not rest:
                return 0, None
            found = re.fullmatch(rb"[ \t\r\v\f]*([+-]?[0-9]+)[ \t\r\v\f]*", line)
        else:
            found = re.match(rb"[ \t\n\r\v\f]*([+-]?[0-9]*)", rest)
            assert found
            size = found.end()
            if size == len(rest):
                if not self.closed:
                    raise CannotExecute("needs_input")
                if not found[1]:
                    return size, None
        if not found or not found[1].lstrip(b"+-"):
            raise CannotExecute("faulted")
        return size, int(found[1])


def begins_a_character(data: bytes) -> bool:
    """Return whether bytes may be the start of an incomplete UTF-8 sequence."""
    for ends in (b"\x80", b"\x90", b"\xa0", b"\x80\x80", b"\x90\x80", b"\xa0\x80", b"\x80\x80\x80",
                 b"\x90\x80\x80"):  # fmt: skip
        try:
            if len((data + ends).decode()) == 1:
                return True
        except UnicodeDecodeError:
            pass
    return False
