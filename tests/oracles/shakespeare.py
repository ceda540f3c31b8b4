"""A simple interpreter of Shakespeare: regular expressions, recursion, Python's integers.

Written from docs/languages/shakespeare.md and the grammar of spl, independently of the
engine; it prefers clear code to speed, and supports only well-formed plays.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from oracles.shakespeare_play import ADJECTIVES, read_play, value
from oracles.work import work_of, work_of_printing, work_of_reading

MAX_BITS = 1 << 20


class CannotExecute(Exception):
    """A sentence cannot be executed; the argument is a fault's kind, "limit" or "input"."""


def large(value: int) -> int:
    return 48 + (value.bit_length() + 7) // 8 if value.bit_length() > 62 else 0


@dataclass
class Oracle:
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    number: str = "line"
    io: str = "utf8"
    missing: str = "refused"
    max_steps: int = 10**9
    max_output: int = 10**9
    max_memory: int = 10**9
    max_work: int = 10**18
    work: int = 0
    steps: int = 0
    status: str = "running"
    fault: str = ""
    position: int = 0
    ip: int = 0
    asked: bool = False
    output: bytearray = field(default_factory=bytearray)
    printed_at: list[int] = field(default_factory=list)
    read_at: list[int] = field(default_factory=list)
    writes: list[tuple[int, str, int, int]] = field(default_factory=list)  # step, who, old, new
    stage: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.play = read_play(self.source)
        self.script = self.play.script
        self.values = dict.fromkeys(self.play.people, 0)
        self.stacks: dict[str, list[int]] = {name: [] for name in self.values}
        self.memory = 8 * len(self.values)

    @property
    def offset(self) -> int:
        return self.script[self.ip][0] if self.ip < len(self.script) else len(self.source)

    @property
    def used(self) -> int:
        held = [*self.values.values(), *(v for stack in self.stacks.values() for v in stack)]
        return 8 * len(held) + sum(map(large, held))

    def run(self, budget: int) -> str:
        if self.status == "needs_input":
            self.status = "running"
        for _ in range(budget):
            if not self.step():
                break
        if self.ip == len(self.script):
            self.status = "halted"
        elif self.steps == self.max_steps and self.status == "running":
            self.status = "limited"
        return self.status

    def step(self) -> bool:
        """Execute one sentence or stage direction; return False if none could be executed."""
        if self.ip == len(self.script) or self.steps == self.max_steps:
            return False
        self.status = "running"
        before = self.ip
        self.ip += 1
        self.temporary = self.most = self.charge = 0
        try:
            if self.used > self.max_memory:
                raise CannotExecute("limit")
            self.sentence(*self.script[before][2:])
        except CannotExecute as error:
            self.ip = before
            word = str(error)
            self.status = {"limit": "limited", "input": "needs_input"}.get(word, "faulted")
            if self.status == "faulted":
                self.fault = word
            return False
        self.steps += 1
        self.work += self.charge
        return True

    def sentence(self, speaker: str, text: str) -> None:
        if not speaker:
            self.direction(text.strip("[]").split(" ", 1))
            return
        if speaker not in self.stage:
            raise CannotExecute("off_stage")
        if condition := re.match(r"if (so|not), (.*)", text):
            if (condition[1] == "so") != self.asked:
                return
            text = condition[2]
        self.speaker = speaker
        text, end = text[:-1], text[-1]
        if goal := re.search(r"(?:return|proceed) to (act|scene) (\w+)$", text):
            act = goal[2].upper() if goal[1] == "act" else self.play.homes[self.ip - 1]
            scene = "" if goal[1] == "act" else goal[2].upper()
            if (act, scene) not in self.play.scenes:
                raise CannotExecute("no_such_scene")
            self.ip = self.play.scenes[act, scene]
        elif end == "?":
            self.question(text.split(" ", 1)[1])
        else:
            self.to_you(text, self.you())

    def direction(self, parts: list[str]) -> None:
        people = re.split(r", and |, | and ", parts[1]) if len(parts) == 2 else self.stage
        stage = list(self.stage)
        for who in people if parts[0] in ("enter", "exit", "exeunt") else []:
            if who not in self.values:
                raise CannotExecute("no_such_character")
            if (who in stage) == (parts[0] == "enter"):
                raise CannotExecute("already_on_stage" if parts[0] == "enter" else "not_on_stage")
            if parts[0] == "enter":
                stage.append(who)
            else:
                stage.remove(who)
        self.stage = stage

    def you(self) -> str:
        if len(self.stage) != 2:
            raise CannotExecute("nobody_addressed" if len(self.stage) < 2 else "unclear_addressee")
        return self.stage[1 - self.stage.index(self.speaker)]

    def question(self, text: str) -> None:
        first, rest = value(text, self.speaker)
        a = self.result(first)
        match = re.match(
            r"(not )?(?:(as) [\w-]+ as|(better|bigger|fresher|friendlier|nicer|jollier)"
            r"|(punier|smaller|worse)|(more|less) ([\w-]+))(?: than)? ",
            rest,
        )
        assert match, rest
        second, rest = value(rest[match.end() :], self.speaker)
        assert not rest
        b = self.result(second)
        rises = bool(match[3]) or (match[5] == "more") == (ADJECTIVES.get(match[6] or "") == "good")
        if match[4]:
            rises = False
        self.spend(work_of("+", a, b))
        held = a == b if match[2] else a > b if rises else a < b
        self.asked = held != bool(match[1])
        self.memory = max(self.memory, self.used + self.most)

    def to_you(self, text: str, you: str) -> None:
        if text.startswith("recall"):
            if not self.stacks[you]:
                raise CannotExecute("empty_stack")
            self.write(you, self.stacks[you].pop())
        elif re.match("open (thy|your|thine) heart", text):
            self.spend(work_of_printing(self.values[you]))
            self.print(str(self.values[you]).encode())
        elif re.match("speak (thy|your|thine) mind", text):
            self.print(self.character(self.values[you]))
        elif re.match("open (thy|your|thine) mind", text):
            self.write(you, self.read_character())
        elif re.match("listen to (thy|your|thine) heart", text):
            number, size = self.read_number()
            self.spend(work_of_reading(size))
            if self.used + large(number) > self.max_memory:
                raise CannotExecute("limit")
            self.memory = max(self.memory, self.used + large(number))
            self.read(size)
            self.write(you, number)
        else:
            remember = text.startswith("remember ")
            text = re.sub(r"^(remember|(you|thou|thee)( (am|are|art|be|is))?) ", "", text)
            if not remember:
                text = re.sub(r"^as (([\w-]+) as )?", "", text)
            tree, rest = value(text, self.speaker)
            assert not rest, rest
            number = self.result(tree)
            if remember:
                if self.used + 8 + large(number) > self.max_memory:
                    raise CannotExecute("limit")
                self.memory = max(self.memory, self.used + self.most)
                self.stacks[you].append(number)
            else:
                self.memory = max(self.memory, self.used + self.most)
                self.write(you, number)
        self.memory = max(self.memory, self.used)

    def write(self, who: str, value: int) -> None:
        self.writes.append((self.steps + 1, who, self.values[who], value))
        self.values[who] = value

    def result(self, tree: object) -> int:
        """Evaluate a tree; account for the memory of its operands."""
        if isinstance(tree, int):
            return self.account_for(tree)
        if isinstance(tree, str):
            who = self.you() if tree == "you" else tree
            if who not in self.values:
                raise CannotExecute("no_such_character")
            return self.account_for(self.values[who])
        assert isinstance(tree, tuple)
        operation, *operands = tree
        numbers = [self.result(operand) for operand in operands]
        self.temporary -= sum(map(large, numbers))
        return self.account_for(self.operate(operation, *numbers))

    def spend(self, units: int) -> None:
        self.charge += units
        if self.work + self.charge > self.max_work:
            raise CannotExecute("limit")

    def account_for(self, value: int) -> int:
        self.temporary += large(value)
        self.most = max(self.most, self.temporary)
        if value.bit_length() > MAX_BITS:
            raise CannotExecute("limit")
        if large(value) and self.used + self.temporary > self.max_memory:
            raise CannotExecute("limit")
        return value

    def operate(self, operation: str, a: int, b: int = 0) -> int:
        if operation in ("the quotient between", "the remainder of the quotient between"):
            if b == 0:
                raise CannotExecute("division_by_zero")
            self.spend(work_of("/", a, b))
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if operation == "the quotient between" else a - b * quotient
        if operation == "the square root of":
            if a < 0:
                raise CannotExecute("negative_root")
            self.spend(work_of("root", a))
            return math.isqrt(a)
        if operation == "the factorial of":
            if a < 0:
                raise CannotExecute("negative_factorial")
            self.spend(work_of("factorial", a))
            if a > 100_000:  # 100000! has 1.5 million bits
                raise CannotExecute("limit")
            return math.factorial(a)
        kinds = {"the product of": "*", "the square of": "^2", "the cube of": "^3"}
        self.spend(work_of(kinds.get(operation, "+"), a, b))
        power = {"the square of": 2, "the cube of": 3}.get(operation, 1)
        if power * (a.bit_length() - 1) >= MAX_BITS:
            raise CannotExecute("limit")
        return {
            "the sum of": a + b,
            "the difference between": a - b,
            "the product of": a * b,
            "twice": 2 * a,
        }.get(operation, a**power)

    # Input and output.

    def print(self, data: bytes) -> None:
        fits = data[: self.max_output - len(self.output)]
        self.output += fits
        self.printed_at += [self.steps + 1] * len(fits)
        if len(fits) < len(data):
            raise CannotExecute("limit")

    def character(self, value: int) -> bytes:
        if self.io == "bytes":
            if not 0 <= value < 256:
                raise CannotExecute("no_character")
            return bytes([value])
        try:
            return chr(value).encode("utf-8", "surrogateescape")
        except (ValueError, OverflowError):
            raise CannotExecute("no_character") from None

    def read(self, size: int) -> None:
        self.position += size
        self.read_at += [self.steps + 1] * size

    def read_character(self) -> int:
        rest = self.stdin[self.position : self.position + 4]
        if not rest:
            if not self.closed:
                raise CannotExecute("input")
            return -1
        for size in range(1, len(rest) + 1) if self.io == "utf8" else ():
            try:
                character = rest[:size].decode()
            except UnicodeDecodeError as error:
                if error.reason == "unexpected end of data" and size == len(rest) < 4:
                    if not self.closed:
                        raise CannotExecute("input") from None
                continue
            self.read(size)
            return ord(character)
        self.read(1)
        return rest[0] if rest[0] < 128 or self.io == "bytes" else 0xDC00 + rest[0]

    def read_number(self) -> tuple[int, int]:
        rest = self.stdin[self.position :]
        if not rest:
            raise CannotExecute("end_of_input" if self.closed else "input")
        if self.number == "line":
            line, newline, _ = rest.partition(b"\n")
            if not newline and not self.closed:
                raise CannotExecute("input")
            match = re.match(rb"[ \t\v\f\r]*([+-]?[0-9]+)", line)
            size = len(line + newline)
        else:
            match = re.match(rb"([0-9]+)(\n?)", rest)
            whole = re.match(rb"[0-9]*", rest)
            assert whole
            if whole.end() == len(rest) and not self.closed:
                raise CannotExecute("input")
            size = match.end() if match else 0
        if not match:
            raise CannotExecute("no_number")
        number = int(match[1])
        if number.bit_length() > MAX_BITS:
            raise CannotExecute("limit")
        return number, size
