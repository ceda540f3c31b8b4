"""A simple interpreter of Brainfuck that shares no code with the engine.

It follows docs/languages/brainfuck.md literally, and prefers clear code to speed.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Oracle:
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    cell: int = 8
    tape: str = "error"
    size: int = 0
    eof: str | int = 0
    max_steps: int = 10**9
    max_output: int = 10**9
    max_memory: int = 10**9
    ip: int = 0
    pointer: int = 0
    cells: dict[int, int] = field(default_factory=lambda: {0: 0})  # the visited cells
    output: bytearray = field(default_factory=bytearray)
    printed_at: list[int] = field(default_factory=list)
    read_at: list[int] = field(default_factory=list)
    writes: list[tuple[int, int, int, int]] = field(default_factory=list)
    steps: int = 0
    status: str = "running"
    position: int = 0
    rounds: dict[int, int] = field(default_factory=dict)  # "[" of a running loop -> its round

    def __post_init__(self) -> None:
        self.code = [(at, chr(c)) for at, c in enumerate(self.source) if chr(c) in "><+-.,[]"]
        self.pairs: dict[int, int] = {}
        stack: list[int] = []
        for at, (_, command) in enumerate(self.code):
            if command == "[":
                stack.append(at)
            elif command == "]":
                self.pairs[at] = stack.pop()
                self.pairs[self.pairs[at]] = at
        assert not stack

    @property
    def offset(self) -> int:
        return self.code[self.ip][0] if self.ip < len(self.code) else len(self.source)

    def run(self, budget: int) -> str:
        if self.status == "needs_input":
            self.status = "running"  # the read is tried again
        for _ in range(budget):
            if not self.step():
                break
        if self.ip == len(self.code):
            self.status = "halted"
        elif self.steps == self.max_steps and self.status == "running":
            self.status = "limited"
        return self.status

    def step(self) -> bool:
        """Execute one command; return False if none could be executed."""
        if self.ip == len(self.code) or self.steps == self.max_steps:
            return False
        self.status = "running"
        command, value = self.code[self.ip][1], self.cells[self.pointer]
        if command in "><":
            target = self.pointer + (1 if command == ">" else -1)
            if self.tape == "wrap":
                target %= self.size
            if (target < 0 and self.tape == "error") or (self.size and target >= self.size):
                self.status = "faulted"
                return False
            low, high = min(*self.cells, target), max(*self.cells, target)
            if (high - low + 1) * (self.cell // 8) > self.max_memory:
                self.status = "limited"
                return False
            for visited in range(low, high + 1):
                self.cells.setdefault(visited, 0)
            self.pointer = target
        elif command in "+-":
            self.write((value + (1 if command == "+" else -1)) % (1 << self.cell))
        elif command == ".":
            if len(self.output) == self.max_output:
                self.status = "limited"
                return False
            self.output.append(value % 256)
            self.printed_at.append(self.steps + 1)
        elif command == ",":
            if self.position < len(self.stdin):
                self.write(self.stdin[self.position])
                self.position += 1
                self.read_at.append(self.steps + 1)
            elif not self.closed:
                self.status = "needs_input"
                return False
            elif self.eof != "unchanged":
                self.write(int(self.eof) % (1 << self.cell))
        elif command in "[]":
            self.count_round(command, value)
        if command in "[]" and (command == "[") == (value == 0):
            # "[" on zero jumps to its "]" and past it; "]" on a value jumps to just before "[".
            self.ip = self.pairs[self.ip] - (command == "]")
        self.ip += 1
        self.steps += 1
        return True

    def count_round(self, command: str, value: int) -> None:
        loop = min(self.ip, self.pairs[self.ip])
        if command == "[" and value:
            self.rounds[loop] = self.rounds.get(loop, 0) + 1
        elif command == "]" and not value:
            del self.rounds[loop]

    def write(self, value: int) -> None:
        self.writes.append((self.steps + 1, self.pointer, self.cells[self.pointer], value))
        self.cells[self.pointer] = value
