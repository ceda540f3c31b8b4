"""A simple interpreter of Unlambda that shares no code with the engine.

It follows docs/languages/unlambda.md literally, and prefers clear code to speed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MEASURED = {"k", "s", "s1", "s2", "d", "later_pair", "later_term", "c"}
WORDS = {"k1": 1, "s1": 1, "s2": 2, "later": 1, "later_pair": 2}


@dataclass(eq=False)
class Value:
    """A combinator with its arguments: other values, an expression, frames or a byte."""

    name: str
    place: int
    held: tuple[Any, ...] = ()


@dataclass(eq=False)
class Frame:
    """A frame that uses a returned value.  words: 2 if it also contains a value, else 1."""

    kind: str  # "operand" of an expression, "apply" a value, "share" of an s2, "give"
    held: tuple[Any, ...]

    @property
    def words(self) -> int:
        return 2 if self.kind in ("share", "give") else 1


@dataclass(eq=False)
class Moved:
    """A frame that `c` moved to the heap, with those below it."""

    frame: Frame
    below: Moved | None


@dataclass
class Oracle:
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    max_steps: int = 10**9
    max_output: int = 10**9
    max_memory: int = 10**9
    nursery: int = 16384
    output: bytearray = field(default_factory=bytearray)
    printed_at: list[int] = field(default_factory=list[int])
    read_at: list[int] = field(default_factory=list[int])
    read_tries: int = 0
    steps: int = 0
    status: str = "running"
    position: int = 0
    current: int = -1
    stack: list[Frame] = field(default_factory=list[Frame])
    under: Moved | None = None
    fun: Any = None  # applied next, to `arg`; None at the end
    arg: Any = None
    kept: int = 0  # stack words of a `d` that is about to delay an s2's operand
    taken: int = 0  # words allocated so far
    due: int = 0
    due_stack: int = 1
    memory: int = 0
    counted: int = 0  # words alive on the heap at the last count, minus `taken` at that time

    def __post_init__(self) -> None:
        self.at = 0
        self.eval(self.parse())

    def parse(self) -> Any:
        """Parse an expression: a value, or (operator, operand, place); recursively."""
        while True:
            place, char = self.at, chr(self.source[self.at]).lower()
            self.at += 1
            if char == "#":
                self.at = self.source.find(b"\n", self.at) + 1 or len(self.source)
            elif char == "`":
                operator = self.parse()
                return operator, self.parse(), place
            elif char in ".?":
                self.at += 1
                return Value(char, place, (self.source[self.at - 1],))
            elif char == "r":
                return Value(".", place, (10,))
            elif not char.isspace():
                assert char in "ksivcde@|"
                return Value(char, place)

    @property
    def offset(self) -> int:
        return len(self.source) if self.fun is None else self.fun.place

    @property
    def depth(self) -> int:
        moved, count = self.under, len(self.stack)
        while moved is not None:
            moved, count = moved.below, count + 1
        return count

    @property
    def cells(self) -> int:
        return self.counted + self.taken + self.stack_words

    @property
    def stack_words(self) -> int:
        return 1 + sum(frame.words for frame in self.stack) + self.kept

    def eval(self, expression: Any) -> None:
        while not isinstance(expression, Value):
            operator, operand, _ = expression
            self.stack.append(Frame("operand", (operand,)))
            expression = operator
        self.give_back(expression)

    def give_back(self, value: Value) -> None:
        """Return ``value`` to the innermost frames until an application is next."""
        if not self.stack:
            if self.under is None:
                self.fun, self.arg = None, value
                return
            self.stack.append(self.under.frame)
            self.under = self.under.below
        frame = self.stack.pop()
        held = frame.held
        if frame.kind == "apply":
            self.fun, self.arg = held[0], value
        elif frame.kind == "give":
            self.fun, self.arg = value, held[0]
        elif value.name == "d":  # the operand is not evaluated
            self.fun, self.arg = value, frame
            self.kept = 1 if frame.kind == "share" else 0
        elif frame.kind == "operand":
            self.stack.append(Frame("apply", (value,)))
            self.eval(held[0])
        else:  # `xz of ``sxy z was returned: now `yz
            self.stack.append(Frame("apply", (value,)))
            self.fun, self.arg = held[0].held[1], held[1]

    def run(self, budget: int) -> str:
        if self.status == "needs_input":
            self.status = "running"  # the read is tried again
        for _ in range(budget):
            if not self.step():
                break
        if self.fun is None:
            self.status = "halted"
        elif self.steps == self.max_steps and self.status == "running":
            self.status = "limited"
        return self.status

    def step(self) -> bool:
        """Execute one application; return False if none could be executed."""
        if self.fun is None or self.steps == self.max_steps or not self.measured():
            return False
        self.status = "running"
        if self.fun.name == "." and len(self.output) == self.max_output:
            self.status = "limited"
            return False
        if self.fun.name == "@" and self.position == len(self.stdin) and not self.closed:
            self.status = "needs_input"
            return False
        self.steps += 1
        self.apply(self.fun, self.arg)
        return True

    def make(self, name: str, place: int, *held: Any) -> None:
        self.taken += WORDS.get(name, 0)
        self.give_back(Value(name, place, held))

    def apply(self, fun: Value, arg: Any) -> None:
        name, place, held = fun.name, fun.place, fun.held
        if name in ("k", "s"):
            self.make(name + "1", place, arg)
        elif name == "k1":
            self.give_back(held[0])
        elif name == "s1":
            self.make("s2", place, held[0], arg)
        elif name == "s2":
            self.stack.append(Frame("share", (fun, arg)))
            self.fun = held[0]
        elif name == "i":
            self.give_back(arg)
        elif name == "v":
            self.give_back(fun)
        elif name == "d":
            self.kept = 0
            if isinstance(arg, Value):
                self.make("later", place, arg)
            elif arg.kind == "operand":
                self.make("later_term", place, arg.held[0])
            else:
                self.make("later_pair", place, arg.held[0].held[1], arg.held[1])
        elif name == "later":
            self.fun, self.arg = held[0], arg
        elif name == "later_term":
            self.stack.append(Frame("give", (arg,)))
            self.eval(held[0])
        elif name == "later_pair":
            self.stack.append(Frame("give", (arg,)))
            self.fun, self.arg = held
        elif name == "c":
            for frame in self.stack:
                self.under = Moved(frame, self.under)
                self.taken += frame.words + 1
            self.stack = []
            self.fun, self.arg = arg, Value("cont", place, (self.under,))
        elif name == "cont":
            self.stack, self.under = [], held[0]
            self.give_back(arg)
        elif name == ".":
            self.output.append(held[0])
            self.printed_at.append(self.steps)
            self.give_back(arg)
        elif name == "e":
            self.fun, self.stack, self.under = None, [], None
        elif name == "@":
            self.read_tries += 1
            self.current = -1
            if self.position < len(self.stdin):
                self.current = self.stdin[self.position]
                self.position += 1
                self.read_at.append(self.steps)
            self.fun, self.arg = arg, Value("v" if self.current < 0 else "i", place)
        elif name == "?":
            self.fun, self.arg = arg, Value("i" if self.current == held[0] else "v", place)
        else:
            assert name == "|"
            printer = Value(".", place, (self.current,))
            self.fun, self.arg = arg, Value("v", place) if self.current < 0 else printer

    def measured(self) -> bool:
        """Measure the memory in use if that is due; return False if it exceeds the limit."""
        if self.fun.name not in MEASURED:
            return True
        need = 2 * self.stack_words if self.fun.name == "c" else 0
        if self.taken + need < self.due and self.stack_words < self.due_stack:
            return True
        alive = self.alive() + self.stack_words + need
        if alive * 24 > self.max_memory:
            self.status = "limited"
            return False
        self.memory = max(self.memory, alive * 24)
        self.counted = self.alive() - self.taken
        room = max(self.nursery, 2 * alive)
        self.due, self.due_stack = self.taken + need + room, self.stack_words + room
        return True

    def alive(self) -> int:
        """Return the number of words on the heap that can be reached."""
        seen: set[int] = set()
        words = 0
        to_look_at: list[Any] = [self.fun, self.arg, self.under]
        for frame in self.stack:
            to_look_at += frame.held
        while to_look_at:
            thing = to_look_at.pop()
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, Value):
                words += WORDS.get(thing.name, 0)
                to_look_at += thing.held
            elif isinstance(thing, Frame):
                to_look_at += thing.held
            elif isinstance(thing, Moved):
                words += thing.frame.words + 1
                to_look_at += [thing.below, *thing.frame.held]
        return words
