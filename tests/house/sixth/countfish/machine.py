"""A running Countfish program: a core in a few lines, and its face."""

from __future__ import annotations

from array import array

from esolangs.core import CoreMachine
from esolangs.errors import Fault
from esolangs.machine import Snapshot
from esolangs.numbers import MAX_BITS, abbreviate, decimal, fits
from esolangs.reasons import (
    BUDGET,
    ENDED,
    MEMORY_FULL,
    NEEDS_INPUT,
    OUTPUT_FULL,
    PAUSE,
    STOP,
)
from esolangs.source import locate
from esolangs.stops import StopSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.countfish.program import CountfishProgram

    from esolangs.limits import Limits
    from esolangs.machine import LeapKind
    from esolangs.stops import Address, Leap, Step
    from esolangs.view import View, Window


_LARGE = 10_000  # bits: what is done with such a number takes its time


class Core:
    """Executes; ``value`` is the number, ``ip`` the command about to be executed."""

    def __init__(self, program: CountfishProgram, limits: Limits):
        self.code = bytes(program.source[at] for at in program.offsets)
        self.offsets = [*program.offsets, len(program.source)]
        self.eof = int(program.options["eof"])
        self.limits = limits
        self.ip = self.value = self.memory = 0
        self.steps = self.printed = self.input_position = 0
        self.hits, self.first_hit, self.last_hit = 0, 0, 0
        self.last: tuple[int, int, bytes, bytes | None] | None = None
        self.stops: StopSet | None = None
        self.scanning = False
        self._fresh = bytearray(), array("q"), array("q")

    def set_input(self, data: bytes, closed: bool) -> None:
        self.data, self.closed = data, closed

    def take_printed(self) -> tuple[bytes, array[int]]:
        data, steps, reads = self._fresh
        self._fresh = bytearray(), array("q"), reads
        return bytes(data), steps

    def take_reads(self) -> array[int]:
        data, steps, reads = self._fresh
        self._fresh = data, steps, array("q")
        return reads

    def unwatch(self) -> None:
        self.stops = None

    def run(self, limit: int) -> int:
        while self.ip < len(self.code):
            if self.steps >= limit:
                return BUDGET
            reason = self._step()
            if reason != BUDGET:
                return reason
            if self.stops is not None and self._met(self.stops):
                self.first_hit = self.first_hit if self.hits else self.steps
                self.hits, self.last_hit = self.hits + 1, self.steps
                if not self.scanning:
                    return STOP
            if self.value.bit_length() > _LARGE:
                return PAUSE
        return ENDED

    def _step(self) -> int:
        command, before, printed = self.code[self.ip : self.ip + 1], self.value, b""
        read: bytes | None = None
        after, to = before, self.ip + 1
        if command == b"i":
            after += 1
        elif command == b"d":
            after -= 1
        elif command == b"s":
            if not fits(2 * before.bit_length()):
                return MEMORY_FULL
            after *= after
        elif command == b"o":
            printed = decimal(before) + b"\n"
        elif command == b"r":
            read = self.data[self.input_position : self.input_position + 1]
            if not read and not self.closed:
                return NEEDS_INPUT
            after += read[0] if read else self.eof
        elif before:
            to = 0
        memory = max(self.memory, 8 + after.bit_length() // 8)
        if memory > self.limits.memory:
            return MEMORY_FULL
        room = self.limits.output - self.printed
        self._fresh[0].extend(printed[:room])
        self._fresh[1].extend([self.steps + 1] * min(room, len(printed)))
        self.printed += min(room, len(printed))
        if len(printed) > room:
            return OUTPUT_FULL
        if read:
            self.input_position += 1
            self._fresh[2].append(self.steps + 1)
        self.last = self.ip, before, printed, read
        self.ip, self.value, self.memory = to, after, memory
        self.steps += 1
        return BUDGET

    def _met(self, stops: StopSet) -> bool:
        assert self.last is not None
        _, _, printed, read = self.last
        index = -1 if stops.output_index is None else stops.output_index
        return (
            stops.every
            or (self.ip < len(self.code) and self.offsets[self.ip] in stops.locations)
            or (self._wrote() and 0 in stops.writes)
            or self.printed - len(printed) <= index < self.printed
            or not stops.output_values.isdisjoint(printed)
            or (stops.inputs and read is not None)
        )

    def _wrote(self) -> bool:
        return self.last is not None and self.code[self.last[0]] in b"idsr"


class CountfishMachine(CoreMachine):
    """Cost model of memory: 8 bytes, and the bytes of the number."""

    core: Core

    def __init__(
        self, program: CountfishProgram, core: Core, stdin: bytes, closed: bool, limits: Limits
    ):
        super().__init__(program, core, stdin, closed, limits)
        self._run_core(0)

    @property
    def memory(self) -> int:
        return self.core.memory

    @property
    def location(self) -> int:
        return self.core.offsets[self.core.ip]

    def snapshot(self) -> Snapshot:
        core = self.core
        payload = core.ip, core.value, core.memory, self.input_position
        return Snapshot(core.steps, core.printed, 100 + core.value.bit_length() // 8, payload)

    def restore(self, snapshot: Snapshot) -> None:
        core = self.core
        core.ip, core.value, core.memory, input_position = snapshot.payload
        self._finish_restore(snapshot, input_position)

    def peek(self, address: Address) -> int:
        if not isinstance(address, int):
            raise ValueError(f"there is the number in cell 0, and no cell {address!r}")
        return self.core.value if address == 0 else 0

    def poke(self, address: Address, value: int) -> None:
        if address != 0 or not fits(value.bit_length()):
            raise ValueError(f"cell {address} cannot hold that: 0 holds {MAX_BITS} bits")
        self.core.value = value
        self._update_status()

    def registers(self) -> dict[str, int]:
        return {"value": self.core.value}

    def leap(self, kind: LeapKind) -> Leap | None:
        return None

    def view(self, window: Window | None = None) -> View:
        from esolangs.view import Location, Stack, Table, View, Window

        core, at, depth = self.core, self.location, (window or Window()).depth
        source = self.program.source
        instruction = source[at : at + 1].decode()
        why = f"the number is {abbreviate(core.value)}" if instruction else "the program has ended"
        place = Location(at, *locate(source, at), (at, at + len(instruction)), instruction, why, at)
        factors = [value for value in range(1, 100) if core.value % value == 0]
        return View(
            step=core.steps,
            status=self.status,
            location=place,
            panels=(
                Table(
                    "number",
                    ("value", "bits"),
                    ((abbreviate(core.value), core.value.bit_length()),),
                    1,
                ),
                Stack("small divisors", tuple(factors[:depth]), len(factors)),
            ),
            output_length=core.printed,
            input_position=self.input_position,
            memory=self.memory,
            fault=self.fault,
            limit=self.limit,
        )

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        self.core.stops, self.core.scanning, self.core.hits = stops, scanning, 0

    def _make_fault(self, reason: int) -> Fault:
        raise AssertionError(f"this language has no faults, not even {reason}")

    def _recorded_step(self) -> Step | None:
        from esolangs.stops import Step, Write

        core = self.core
        if core.last is None:
            return None
        ip, before, printed, read = core.last
        at = core.offsets[ip]
        wrote = core.code[ip] in b"idsr"
        writes = (Write(0, before, core.value),) if wrote else ()
        return Step(self.steps, (at, at + 1), at, writes, printed, read)
