"""A Befunge program and its machine.  Any sequence of bytes is a valid program."""

from __future__ import annotations

from array import array

from esolangs.befunge_98.opcodes import (
    CELL_COST,
    FAR_COST,
    FAULT,
    IGNORE,
    LOST,
    MAPPED,
    NO_INSTRUCTION,
    NO_NUMBER,
    REACHED_GROUPS,
    REFLECT,
    UNDERFLOW,
    ZERO_DIVISION,
    codes,
    size_of_window,
)
from esolangs.befunge_98.parser import SourceLayout
from esolangs.core import CoreMachine, Engine
from esolangs.errors import Fault
from esolangs.language import Program
from esolangs.lazy_zeros import RESERVED_BYTES, extend_with_zeros
from esolangs.limits import UNLIMITED, Limits, World
from esolangs.machine import FINAL, Snapshot
from esolangs.source import locate

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Self

    from esolangs.befunge_98._core import IP, Core
    from esolangs.befunge_98.native import PlaneCompiler, PlaneTier
    from esolangs.filters import FilterNames
    from esolangs.language import Language, Options
    from esolangs.machine import Machine
    from esolangs.pages import MemorySaver, References
    from esolangs.source import Span
    from esolangs.stops import Address, ReachedGroups, Step, StopSet
    from esolangs.tally import PlaneTally, Tally
    from esolangs.tier import Tier
    from esolangs.view import Drawing

    Point = tuple[int, int]

_DIGITS = b"01" + bytes(254)
_FAULTS = {
    LOST: ("empty_path", "the path of the IP has no instruction"),
    UNDERFLOW: ("stack_underflow", "the instruction needs more values than the stack has"),
    ZERO_DIVISION: ("zero_division", "division by zero"),
    NO_INSTRUCTION: ("unknown_instruction", "unknown instruction"),
    NO_NUMBER: ("no_number", "the input ended before a number"),
}


class BefungeMachine(CoreMachine):
    """The machine of Befunge-98; addresses are points ``(x, y)``.

    ``memory`` is the maximum so far of this cost model, in bytes:

    - 8 for a cell of the window, which is at first the rectangle of the source with a margin of 8
      columns and 4 rows, and which grows when many cells around it are used; if it has more than
      65,536 cells, the ring around it costs the same per cell;
    - 256 for a cell outside the window that is not blank;
    - 8 for a cell that a stack has room for (16 cells at first, then at least doubled), and 160 for
      the stack;
    - 768 for an IP, 128 for a ``k`` that has repetitions left, 160 for a meaning of a letter, and
      160 for a point stored by REFC;
    - with unbounded cells, for a number outside -5 to 256, its bytes and 32 more.
    """

    core: Core
    program: BefungeProgram
    tier: PlaneTier | None = None

    def __init__(
        self,
        program: BefungeProgram,
        stdin: bytes,
        closed: bool,
        seed: int,
        limits: Limits,
        world: World | None,
    ):
        """Create a machine with an empty space; ``begin`` or ``restore`` loads the program."""
        super().__init__(
            program, program.new_core(limits, seed, _extras(world)), stdin, closed, limits
        )
        self._world = world
        self._frozen_space: tuple[Any, tuple[Any, ...], dict[Any, Any]] | None = None
        self._copies: References | None = None  # to the memories in the last snapshot

    @property
    def world(self) -> World | None:
        """The time and the files that the program can see; None: a constant time and no files."""
        return self._world

    @world.setter
    def world(self, world: World | None) -> None:
        self._world = world
        self.core.extras = _extras(world)

    def begin(self) -> None:
        self.program.load(self.core, self.limits.memory)
        super().begin()

    @property
    def memory(self) -> int:
        return self.core.max_used

    @property
    def work(self) -> int:  # type: ignore[override]
        return self.core.work

    @property
    def location(self) -> Point:
        return self.core.ip.x, self.core.ip.y

    @property
    def exit_code(self) -> int | None:  # type: ignore[override]
        return self.core.exit_code

    def snapshot(self) -> Snapshot:
        from esolangs.pages import MemorySaver, references_to

        core = self.core
        saver = MemorySaver(self._copies)
        frozen = self._frozen_space
        if frozen is None or core.touched:
            space = core.save_plane(saver.save), core.save_far(saver.save)
            frozen = self._frozen_space = *space, dict(saver.copies)
            core.touched = False
        else:
            saver.copies |= frozen[2]
        window = core.left, core.top, core.width, core.height, core.next_absorb
        bounds = core.low_x, core.low_y, core.high_x, core.high_y, core.bounds_loose
        time = core.turn, core.last_id, core.tick, core.lost, core.ended
        used = core.used, core.max_used, core.work, core.path_work
        rest = core.exit_code, core.random, tuple(core.states.items()), *used
        ips = tuple(_freeze_ip(ip, saver) for ip in core.ips)
        trail = tuple(core.trail())
        place = trail, saver.copies, self.input_position
        payload = frozen, window, bounds, time, rest, ips, place
        self._copies = references_to(saver.copies)
        size = saver.size + 2000
        if not core.unbounded:  # otherwise most of the memory is in large numbers, which are parts
            room = sum(len(ip.buffer) + sum(len(each) for each, _ in ip.below) for ip in core.ips)
            counted = size_of_window(core.width, core.height) + FAR_COST * core.far_count
            size += max(0, core.used - counted - CELL_COST * room) // 2
        parts = *saver.parts, *filter(None, frozen[1][2:])
        return Snapshot(core.steps, core.printed, size, payload, parts)

    def take_memory(self, machine: Machine) -> None:
        if isinstance(machine, BefungeMachine) and machine.program is self.program:
            self.core.take_far(machine.core)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""
        from esolangs.pages import load_memory, references_to

        core = self.core
        frozen, window, bounds, time, rest, ips, place = snapshot.payload
        self._frozen_space = plane, far, _ = frozen
        trail, copies, position = place
        self._copies = references_to(copies)
        core.left, core.top, width, height, core.next_absorb = window
        core.restore_plane(plane, width, height, load_memory)
        core.load_far(far, load_memory)
        core.touched = False
        core.low_x, core.low_y, core.high_x, core.high_y, core.bounds_loose = bounds
        core.turn, core.last_id, core.tick, core.lost, core.ended = time
        core.exit_code, core.random, states, *used = rest
        core.used, core.max_used, core.work, core.path_work = used
        core.states = dict(states)
        core.ips = [self._restore_ip(ip) for ip in ips]
        core.ip = core.ips[core.turn if core.turn < len(core.ips) else 0]
        core.steps = snapshot.steps
        core.set_trail(trail)
        core.take_reached()
        self._finish_restore(snapshot, position)

    def peek(self, address: Address) -> int:
        return self.core.get(*self._point(address))

    def poke(self, address: Address, value: int) -> None:
        point = self._point(address)
        if self.core.wrap(value) != value:
            raise ValueError(f"a cell of 64 bits cannot hold {value}")
        self.core.step_work = self.core.cell_work = 0  # a write from outside is not part of a step
        if not self.core.put(*point, value):
            raise ValueError("not enough memory for another cell")
        self.core.reached_anywhere = True  # the IP may leave the cell where it is
        if not self.core.ended:
            self.core.resolve()
        self._update_status()

    def registers(self) -> dict[str, int]:
        core, ip = self.core, self.core.ip
        return {
            "x": ip.x,
            "y": ip.y,
            "dx": ip.dx,
            "dy": ip.dy,
            "ox": ip.ox,
            "oy": ip.oy,
            "top": ip.buffer[ip.depth - 1] if ip.depth else 0,
            "depth": ip.depth,
            "stacks": len(ip.below) + 1,
            "string": int(ip.in_string),
            "repeats": sum([count for count, _ in ip.repeats]),
            "id": ip.id,
            "ips": 0 if core.ended and core.exit_code is None else len(core.ips),
            "tick": core.tick,
        }

    def record_reached(self) -> bool:
        self.core.take_reached()
        self.core.recording = True
        return True

    def take_reached(self) -> ReachedGroups | None:
        from esolangs.stops import ReachedGroups

        core = self.core
        layout = core.left, core.top, core.width + 2
        executed = core.take_reached()
        if executed is None or not core.recording:
            return None
        groups = int(executed[::-1].translate(_DIGITS), 2)
        return ReachedGroups(
            layout, groups | self.reached_groups(frozenset((self.location,)), layout)
        )

    def reached_groups(self, locations: frozenset[Address], layout: tuple[int, ...]) -> int:
        left, top, stride = layout
        groups = 0
        for x, y in self._marks_at(locations):
            groups |= 1 << ((y - top + 1) * stride + x - left + 1) % REACHED_GROUPS
        return groups

    def drawing(self) -> Drawing | None:
        if "TURT" not in self.core.states:
            return None
        from esolangs.befunge_98.fingerprint_turtle import drawing_of

        drawing = drawing_of(self.core, UNLIMITED, as_printed=True)
        return drawing if drawing is not None and drawing.size else None

    def copy(self) -> Self:
        """Return a copy with the same clock, but without access to files."""
        copy = super().copy()
        copy.world = None if self.world is None else World(self.world.started)
        return copy

    def span_at(self, x: int, y: int) -> Span:
        """Return the span of the source byte of a cell; empty if the cell has none."""
        offset = self.program.layout.offset_at(x, y)
        if offset is None:
            offset = self.program.layout.nearest_offset(x, y)
            return offset, offset
        return offset, offset + 1

    def next_value(self) -> int:
        """Return the value executed next: the one that ``k`` repeats, or the cell of the IP."""
        ip = self.core.ip
        return ip.repeats[len(ip.repeats) - 1][1] if ip.repeats else self.core.get(ip.x, ip.y)

    def next_instruction(self) -> int:
        """Return the instruction executed next: ``next_value``, or what IMAP maps it to."""
        value, ip = self.next_value(), self.core.ip
        if ip.modes & MAPPED and not ip.in_string and 0 <= value < 256:
            meant = ip.states["IMAP"][0][value]
            return value if meant is None else meant
        return value

    def tally(self, budget: int, tally: Tally) -> None:
        """Count executions; the core does this itself, without a stop after each step."""
        from esolangs.tally import PlaneTally

        if not isinstance(tally, PlaneTally):
            super().tally(budget, tally)
        elif self._status not in FINAL:
            tier, self.tier = self.tier, None
            adds_tier, self._adds_tier = self._adds_tier, False
            self.core.begin_tally(tally.counts, tally.latest, tally.page, tally.beyond)
            self._run_core(budget)
            self._finish_tally(tally)
            self.tier = tier
            self._adds_tier = adds_tier

    def _make_fault(self, reason: int) -> Fault:
        kind, message = _FAULTS[reason]
        span = self.span_at(self.core.ip.x, self.core.ip.y)
        line, column = locate(self.program.source, span[0])
        point = f" at ({self.core.ip.x}, {self.core.ip.y})"
        return Fault(kind, message + point, span, line, column, self.steps)

    def _recorded_step(self) -> Step | None:
        from esolangs.stops import Slot, Step, Write

        core = self.core
        point = core.last_x, core.last_y
        writes = tuple(Write((x, y), old, new) for x, y, old, new in core.last_writes)
        pushes = tuple(
            Slot(key, level) for key, first, end in core.pushed() for level in range(first, end)
        )
        return Step(
            core.steps,
            self.span_at(*point),
            point,
            writes,
            core.last_printed,
            core.last_read,
            pushes,
        )

    def _marks_at(self, locations: frozenset[Address]) -> set[Point]:
        address_at = self.program.address_at
        marks = {address_at(place) if isinstance(place, int) else place for place in locations}
        # A byte that is not in a cell, such as the end of a line, has no mark.
        return {(place[0], place[1]) for place in marks if not isinstance(place, int)}

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        marks = self._marks(stops.locations, self._marks_at)
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        watched = set(stops.writes)
        slots: dict[int, set[int]] = {}
        for key, level in stops.slots:
            if 0 <= key < UNLIMITED and 0 <= level < UNLIMITED:
                slots.setdefault(key, set()).add(level)
        self.core.watch(
            marks, watched, slots, printable, index, stops.inputs, stops.every, scanning
        )

    def _point(self, address: Address) -> Point:
        if isinstance(address, int) or len(address) != 2:
            raise ValueError(f"expected a point (x, y) as the address of a cell, not {address!r}")
        if any(self.core.wrap(number) != number for number in address):
            raise ValueError(f"cell {address} is outside of fungespace")
        return address

    def _restore_ip(self, saved: tuple[Any, ...]) -> IP:
        numbers, strings, buffer, depth, below, repeats, semantics, states = saved
        unbounded = self.core.unbounded
        ip = self.program.new_ip(numbers[0], _restore_stack(buffer, unbounded=unbounded))
        ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.ox, ip.oy, ip.modes = numbers
        ip.in_string, ip.after_space = strings
        ip.depth = depth
        ip.below = [(_restore_stack(cells, unbounded=unbounded), used) for cells, used in below]
        ip.repeats = list(repeats)
        ip.semantics = {letter: list(names) for letter, names in semantics}
        ip.states = dict(states)
        return ip


def _extras(world: World | None) -> Callable[[Core, IP, int], int]:
    """Return a function that executes a rare instruction, for the compiled and the plain core.

    The core keeps it, so it must not refer to the machine: the memory of a machine that is no
    longer used would not be freed before Python searches for cycles of references.
    """

    def execute_extra(core: Core, ip: IP, op: int) -> int:
        from esolangs.befunge_98.extras import execute

        return execute(core, ip, op, world)

    return execute_extra


def _freeze_ip(ip: IP, saver: MemorySaver) -> tuple[Any, ...]:
    """Return the state of an IP for a snapshot, as a tuple.

    saver: copies the stacks.
    """
    numbers = ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.ox, ip.oy, ip.modes
    below = tuple(
        (_freeze_stack((ip.id, number), buffer, depth, saver), depth)
        for number, (buffer, depth) in enumerate(ip.below)
    )
    semantics = tuple((letter, tuple(names)) for letter, names in ip.semantics.items() if names)
    strings = ip.in_string, ip.after_space
    stack = _freeze_stack((ip.id, -1), ip.buffer, ip.depth, saver), ip.depth, below
    return numbers, strings, *stack, tuple(ip.repeats), semantics, tuple(ip.states.items())


def _freeze_stack(
    key: tuple[int, int], buffer: Any, depth: int, saver: MemorySaver
) -> tuple[Any, ...]:
    """Return the size of a stack's buffer and a copy of its entries, for ``_restore_stack``."""
    return len(buffer), saver.save(key, buffer, depth)


def _restore_stack(frozen: tuple[Any, ...], *, unbounded: bool) -> Any:
    """Return a new buffer for a stack, from what ``_freeze_stack`` returned."""
    from esolangs.pages import load_memory

    size, entries = frozen
    if unbounded:
        numbers: list[int] = []
        load_memory(entries, numbers)
        return numbers + [0] * (size - len(numbers))
    cells = extend_with_zeros(array("q"), size, RESERVED_BYTES // 8)
    load_memory(entries, cells)
    return cells


SIZE_93 = (80, 25)  # Befunge-93's page: columns and rows
_MAX_SAVED_BYTES = 1 << 23  # memory of a window that is saved for the next start

ENGINE = Engine(__name__, Core="_core", IP="_core")


class BefungeProgram(Program):
    """A Befunge program; ``layout`` maps its cells back to source bytes."""

    had_tier = False
    """Whether a long run of this program has used a native tier."""

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Load the source.  ``engine``: the compiled or the plain core; tests use both.

        Programs with unbounded cells always use the plain core.
        """
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self.new_ip = engine.IP
        self._new_core = engine.Core
        if options["cell"] == "unbounded":
            from esolangs.befunge_98 import _core as plain

            self.engine, self.new_ip, self._new_core = "plain", plain.IP, plain.Core
        old = options["befunge"] == 93
        self.torus = old or options["space"] == "box"
        self.codes = codes("93" if old else str(options["instructions"]))
        self.layout = SourceLayout(source, SIZE_93 if old else None, self.torus)
        if old:
            self.layout.width, self.layout.height = SIZE_93
        self._plane: bytes | None = None
        self._far_count: int | None = None
        self._spans: tuple[Span, ...] | None = None
        self._compiler: PlaneCompiler | None = None

    def start(
        self,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> BefungeMachine:
        machine = BefungeMachine(self, stdin, closed, seed, limits or Limits(), world)
        machine.begin()
        return machine

    def resume(
        self,
        snapshot: Snapshot,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        limits: Limits | None = None,
        world: World | None = None,
        instead_of: Machine | None = None,
    ) -> BefungeMachine:
        machine = BefungeMachine(self, stdin, closed, 0, limits or Limits(), world)
        machine.choose_tier()
        if instead_of is not None:
            machine.take_memory(instead_of)
        machine.restore(snapshot)
        return machine

    def new_core(self, limits: Limits, seed: int, extras: Any) -> Core:
        """Return an empty core with the options of this program; ``load`` stores cells in it.

        extras: the function that executes the instructions that the core does not implement.
        """
        options = self.options
        old = options["befunge"] == 93
        unknown = {"reflect": IGNORE if old else REFLECT, "ignore": IGNORE, "fault": FAULT}
        rules = {
            "unbounded": options["cell"] == "unbounded",
            "sgml": not old,
            "torus": self.torus,
            "outside_is_nothing": old,
            "strict": options["underflow"] == "fault",
            "zero_fault": options["by-zero"] == "fault",
            "floored": options["modulo"] == "floor",
            "unknown": unknown[str(options["unknown"])],
            "eof_pushes": old or options["eof"] == -1,
            "number_eof_pushes": options["number-eof"] == -1
            or (old and options["number-eof"] != "fault"),
            "number_eof_fault": options["number-eof"] == "fault",
            "byte_cells": options["put"] == "byte",
        }
        memory, output = min(limits.memory, UNLIMITED), min(limits.output, UNLIMITED)
        work = min(limits.work, UNLIMITED)
        return self._new_core(self.codes, rules, seed, memory, output, work, extras)

    def new_watching_tier(
        self, machine: BefungeMachine, locations: frozenset[Address], scanning: bool
    ) -> None:
        """Return None: only the core watches for stops.

        Scans are short anyway: they skip the parts of a run that ``take_reached`` rules out.
        """

    def new_tier(self, machine: BefungeMachine, mode: Tier) -> PlaneTier | None:
        """Return the native tier of a machine; None if cells are unbounded."""
        if self.options["cell"] == "unbounded":
            return None
        from esolangs.befunge_98.native import PlaneCompiler, PlaneTier

        self._compiler = self._compiler or PlaneCompiler(self)
        return PlaneTier(machine, self._compiler, mode)

    def load(self, core: Core, max_memory: int) -> None:
        """Put the cells of the program into a new core.

        If they need more than ``max_memory``, leave the core empty, with its memory marked as full.
        """
        layout = self.layout
        size = size_of_window(layout.width, layout.height)
        if self._far_count is None:
            self._far_count = layout.count_far()
        if size + FAR_COST * self._far_count > max_memory:
            core.begin(None, 1, 1, {})
            return
        if size <= _MAX_SAVED_BYTES and self._plane is None:
            self._plane = b"".join(layout.pieces())
        pieces = layout.pieces() if self._plane is None else (self._plane,)
        core.begin(
            pieces, layout.width, layout.height, layout.far_cells() if self._far_count else {}
        )

    def spans(self) -> tuple[Span, ...]:
        if self._spans is None:
            found: list[Span] = []
            for y, row in enumerate(self.layout.rows):
                for x, byte in enumerate(row):
                    if byte != 32:
                        offset = self.layout.offset_at(x, y)
                        if offset is not None:
                            found.append((offset, offset + 1))
            self._spans = tuple(found)
        return self._spans

    def new_tally(self) -> PlaneTally:
        from esolangs.tally import PlaneTally

        return PlaneTally((0, 0, self.layout.width, self.layout.height))

    def instruction_at(self, offset: int) -> Span | None:
        point = self.layout.point_at(offset)
        return None if point is None or self.source[offset] == 32 else (offset, offset + 1)

    def address_at(self, offset: int) -> tuple[int, int] | int:
        """Return the point into which the byte at ``offset`` is loaded.

        Returns ``offset`` itself if the byte is not loaded, such as a line break.
        """
        point = self.layout.point_at(offset)
        return offset if point is None else point

    def offset_at(self, address: Address) -> int | None:
        return (
            address if isinstance(address, int) else self.layout.offset_at(address[0], address[1])
        )

    def register_names(self) -> Mapping[str, str]:
        return {
            "x": "column of the IP that executes the next step",
            "y": "row of the IP that executes the next step",
            "dx": "the IP's delta to the right",
            "dy": "the IP's delta downwards",
            "ox": "column of the IP's storage offset",
            "oy": "row of the IP's storage offset",
            "top": "top value of the IP's stack, 0 if the stack is empty",
            "depth": "cells on the IP's top stack (TOSS)",
            "stacks": "stacks in the IP's stack of stacks",
            "string": "1 inside a string, else 0",
            "repeats": "remaining executions of the instruction that k repeats",
            "id": "id of the IP that executes the next step, from 0",
            "ips": "number of IPs",
            "tick": "ticks executed: rounds over all IPs",
        }

    def filter_names(self) -> FilterNames:
        from esolangs.filters import FilterNames

        places = "x", "y", "dx", "dy", "ox", "oy"
        numbers = "top", "depth", "stacks", "string", "id", "ips", "tick", "repeats"
        return FilterNames(("step", "output", *places, *numbers), coordinates=2, has_levels=True)
