"""The native tier of Befunge-98: long runs continue in code that wasmtime compiles.

The window of the plane is in the memory of the module while the tier is in use, and the core works
on it there.  A visit is one call of the compiled code; it copies the top of the stack to the module
and back.  The code depends on the cells that an IP can pass.  If one of them has changed, the code
is not entered, and the program is compiled again, a limited number of times.
``docs/adr/0043-a-native-tier-for-befunge.md`` lists what the tier handles and what it leaves to the
core.
"""

from __future__ import annotations

from array import array

from esolangs import compiled
from esolangs.befunge_98 import flow, translation
from esolangs.befunge_98.opcodes import BLANK, FAR_COST, REACHED_GROUPS, TRAIL_LENGTH, UNKNOWN
from esolangs.reasons import BUDGET, CHUNK, FLUSH, PAUSE
from esolangs.wasm import PAGE_BYTES
from esolangs.wasmtime_library import CompiledModule, ModuleInstance, WasmtimeError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Protocol

    from esolangs import tier
    from esolangs.befunge_98._core import IP, Core
    from esolangs.befunge_98.flow import Place, Point
    from esolangs.language import Options

    class PlaneProgram(Protocol):
        """The attributes of a Befunge-98 program that the native tier uses."""

        options: Options
        codes: bytes

    class PlaneMachine(Protocol):
        """The attributes of a Befunge-98 machine that the native tier uses."""

        core: Core

        @property
        def program(self) -> PlaneProgram: ...
        @property
        def output_room(self) -> int: ...
        def flush_core(self) -> None: ...
        def accept_output(self, printed: bytes, steps: array[int], reads: array[int]) -> None:
            """Add printed bytes, the step of each, and the step of each byte that was read."""


MAX_COMPILATIONS = 12
"""Maximum number of compilations of a program, each for a new entry point or changed cells."""

MAX_COPIED_ENTRIES = 1 << 12
"""Maximum number of stack values that are copied to the module for a call of compiled code."""

MAX_FAR_PADDING = 1 << 15
"""Maximum number of empty columns or rows added to the copy of the cells outside the window.

Half of them are on each of two opposite sides of the copied rectangle, as room for new cells.
"""

_MAX_WAIT_STEPS = 1 << 21  # in the core, between two checks for compiled code
_MAX_STEPS_TO_BLOCK = 64  # in the core, one by one
_RETRY_STEPS = 1000  # steps in the core after a failed search, doubled after each
_MISSES_PER_COMPILATION = 4  # failed searches before compiling from the IP's place
_MAX_REFUSED_PUTS = 4  # refused writes to a cell after which the code is made independent of it
_MAX_PLACES = 64
_MAX_COORDINATE = 1 << 61


class PlaneCompiler(compiled.Compiler):
    """Compiles a program; all machines that run the program share the result.

    latest: the latest translation and its module; None before the first one.
    """

    def __init__(self, program: PlaneProgram):
        super().__init__()
        self.program = program
        self.latest: tuple[translation.PlaneTranslation, CompiledModule] | None = None
        self._places: dict[Place, None] = {}
        self._mutable_cells: set[Point] = set()
        self._window_copy: flow.PlaneWindow | None = None
        self._count = 0

    @property
    def min_core_seconds(self) -> float:
        """Seconds in the core before the program is compiled; doubled by each compilation."""
        return compiled.MIN_CORE_SECONDS * (1 << self._count)

    @property
    def retry_steps(self) -> int:
        """Steps in the core between compilations in mode ``native``.

        Each compilation doubles this number.
        """
        return 1 << self._count

    def request(self, core: Core, place: Place, mutable_cell: Point | None, blocking: bool) -> None:
        """Compile the current plane of a core, in this thread if ``blocking``, else in a new one.

        place: position and delta with which an IP enters the code.  mutable_cell: a cell that the
        code must not depend on.
        """
        if (core.width + 2) * (core.height + 2) > translation.MAX_CELLS:
            self.refused = True
        if self.refused or self.is_busy:
            return
        if mutable_cell is not None:
            self._mutable_cells.add(mutable_cell)
        if len(self._places) >= _MAX_PLACES:
            self._places.clear()
        self._places[place] = None
        self._window_copy = self._copy(core)
        if blocking:
            self.compile()
        else:
            self.compile_in_thread()

    def compile(self) -> None:
        """Compile the plane that ``request`` copied.

        Set ``refused``, so that ``request`` does nothing from then on, if the code cannot be loaded
        or if this was attempt number ``MAX_COMPILATIONS``.
        """
        self._count += 1
        if self._window_copy is not None:
            graph = flow.StateGraph(self._window_copy, list(self._places), set(self._mutable_cells))
            if graph.blocks:
                code = translation.PlaneTranslation(graph)
                try:
                    self.latest = code, CompiledModule(code.code)
                except (ImportError, OSError, WasmtimeError):
                    self.refused = True
                    return
        self._window_copy = None
        self.refused = self._count >= MAX_COMPILATIONS

    def _copy(self, core: Core) -> flow.PlaneWindow:
        options = self.program.options
        rules = flow.PlaneRules(
            self.program.codes,
            torus=core.torus,
            sgml=options["befunge"] != 93,
            floored=options["modulo"] == "floor",
            bytes_only=options["put"] == "byte",
            unknown=core.unknown,
        )
        cells = array("q", core.plane.tobytes())
        window = core.left, core.top, core.width, core.height
        return flow.PlaneWindow(cells, bytes(core.plane_codes), window, not core.far_count, rules)


class PlaneTier(compiled.CompiledTier):
    """Runs one machine: in compiled code where that is possible, otherwise in its core."""

    machine: PlaneMachine
    compiler: PlaneCompiler
    _instance: _PlaneInstance | None

    def __init__(self, machine: PlaneMachine, compiler: PlaneCompiler, mode: tier.Tier):
        super().__init__(machine, compiler, mode)
        self._outdated: translation.PlaneTranslation | None = None  # does not fit the plane
        self._missed_searches = 0
        self._copied = 0  # number of cells that the latest visit copied
        self._refused_puts: dict[Point, int] = {}

    def run(self, limit: int) -> int:
        """Execute until step ``limit`` or until the run must stop; return why it stopped."""
        core = self.machine.core
        latest = self.compiler.latest
        if limit - core.steps <= compiled.MIN_VISIT_STEPS:
            return core.run(limit)
        if latest is None or latest[0] is self._outdated:
            return self._run_uncompiled(limit)
        if core.steps < self._backoff.end_step:
            return compiled.run_core(core, limit, self._backoff.end_step)
        if self._must_wait(limit):
            return self._run_waiting(limit)
        code = latest[0]
        until = core.steps + compiled.MAX_VISIT_STEPS
        while core.steps < until and core.steps >= self._backoff.end_step:
            if limit - core.steps <= compiled.MIN_VISIT_STEPS:
                return core.run(limit)
            number = self._block(code)
            for _ in range(_MAX_STEPS_TO_BLOCK):
                if number is not None:
                    break
                reason = core.run(core.steps + 1)
                if reason != BUDGET or core.steps >= limit:
                    return reason
                number = self._block(code)
            else:
                return self._run_after_miss(limit)
            before, printed = core.steps, core.printed
            end = min(limit, until)
            exit = self._visit(code, latest[1], number, end)
            if exit is None:
                return PAUSE
            executed = max(0, core.steps - before - self._copied)
            self._backoff.record_visit(executed, core.steps, end - before)
            if exit.put_refused:
                self._count_refused_put(code)
            reason = core.run(min(limit, core.steps + exit.core_steps))
            if reason != BUDGET or core.steps >= limit:
                return reason
            if core.printed > printed:
                return FLUSH
        return PAUSE

    def _cells_to_copy(self) -> int | None:
        instance, core = self._instance, self.machine.core
        in_use = instance is not None and core.plane is instance.plane
        return None if in_use else len(core.plane)

    def _run_uncompiled(self, limit: int) -> int:
        """Run the core without compiled code; request compilation once the run is long enough.

        Used if nothing has been compiled yet, or if the compiled code is outdated.
        """
        compiler, core = self.compiler, self.machine.core
        if compiler.refused:
            return core.run(limit)
        if self.mode == "native":
            place = self._place()
            if place is not None:
                compiler.request(core, place, None, blocking=True)
                if compiler.latest is not None and compiler.latest[0] is not self._outdated:
                    return self.run(limit)
            return compiled.run_core(core, limit, core.steps + compiler.retry_steps)
        reason = self._run_timed(limit, core.steps + _MAX_WAIT_STEPS)
        place = self._place()
        can_continue = reason in (BUDGET, PAUSE, FLUSH)
        if self._usage.seconds >= compiler.min_core_seconds and place and can_continue:
            self._usage.seconds = 0.0
            compiler.request(core, place, None, blocking=False)
        return reason

    def _run_after_miss(self, limit: int) -> int:
        """Run the core after a search in which the IP reached no block of compiled code.

        After several of these searches, compile code that begins at the IP.
        """
        core = self.machine.core
        self._missed_searches += 1
        place = self._place()
        if self._missed_searches % _MISSES_PER_COMPILATION == 0 and place is not None:
            self.compiler.request(core, place, None, self.mode == "native")
        return compiled.run_core(
            core, limit, core.steps + (_RETRY_STEPS << min(self._missed_searches, 10))
        )

    def _place(self) -> Place | None:
        """Return position and delta of the IP; None if compiled code does not support the state."""
        core = self.machine.core
        ip = core.ip
        if (
            core.ended
            or core.lost
            or len(core.ips) != 1
            or ip.in_string
            or ip.modes
            or ip.repeats
            or ip.ox
            or ip.oy
            or core.path_work
            or core.used > core.max_memory
        ):
            return None
        return ip.x, ip.y, ip.dx, ip.dy

    def _block(self, code: translation.PlaneTranslation) -> int | None:
        """Return the number of the block of compiled code that begins at the IP, or None."""
        place = self._place()
        return None if place is None else code.numbers.get(place)

    def _count_refused_put(self, code: translation.PlaneTranslation) -> None:
        """Count the write that compiled code has refused, if the code depends on the written cell.

        The core executes a refused write.  After ``_MAX_REFUSED_PUTS`` of them to one cell, compile
        code that does not depend on the cell.
        """
        core = self.machine.core
        ip = core.ip
        point = ip.buffer[ip.depth - 2], ip.buffer[ip.depth - 1]
        if point not in code.guarded:
            return
        count = self._refused_puts[point] = self._refused_puts.get(point, 0) + 1
        place = self._place()
        if count == _MAX_REFUSED_PUTS and place is not None:
            self.compiler.request(core, place, point, self.mode == "native")

    def _visit(
        self, code: translation.PlaneTranslation, module: CompiledModule, number: int, limit: int
    ) -> translation.PlaneExit | None:
        """Run compiled code from a block; return the exit reached, or None if it did not run."""
        machine, core = self.machine, self.machine.core
        instance = self._instance
        try:
            if instance is None or instance.code is not code:
                instance = _PlaneInstance(code, module, machine.program.codes)
                self._instance = instance
            self._copied = 0
            if core.plane is instance.plane:
                fits = instance.follow_window(core)
            else:
                fits = instance.attach(core)
                self._copied = len(core.plane)
        except WasmtimeError:  # not enough memory
            self._backoff.stop()
            return None
        if not fits or (code.wraps and core.far_count):
            self._outdated = code
            return None
        machine.flush_core()
        began, ip, words = core.steps, core.ip, instance.words
        omitted = instance.enter(core, ip, number, limit - began)
        words[translation.LIMIT] = limit
        words[translation.ROOM] = min(CHUNK, machine.output_room)
        exit_number = instance.run()
        if exit_number == translation.STALE:
            self._outdated = code
            return None
        self.visits += 1
        self._missed_searches = 0
        exit = instance.exit_of(exit_number)
        core.steps = limit - words[translation.LEFT]
        if exit_number == translation.UNDONE:
            core.steps -= exit.core_steps
        core.tick += core.steps - began
        core.set_trail(instance.recent_points(exit.executed_steps))
        core.add_reached(instance.reached)
        ip.x, ip.y, ip.dx, ip.dy = exit.place
        ip.after_space = False
        instance.leave(core, ip, omitted)
        self._accept_printed(instance, words[translation.PRINTED])
        return exit


class _PlaneInstance:
    """An instance of a compiled module for one machine: its memory and its function ``run``."""

    def __init__(self, code: translation.PlaneTranslation, module: CompiledModule, codes: bytes):
        self.code = code
        self._instance = ModuleInstance(module)
        self.run = self._instance.run
        self._guard_indices: list[int] = []
        self.plane: Any = None
        self._window = code.window
        self.reached = array("I")  # groups of all cells that the code may execute
        self._far_version = -1
        self._scattered = 0  # the number of far cells when they were too far from each other
        self._create_views()
        table = codes + bytes((UNKNOWN,))  # the last one is for all other values
        self._raw[translation.CODE_OF : translation.CODE_OF + len(table)] = table

    def _create_views(self) -> None:
        """Create the memoryviews through which Python reads and writes the module's memory."""
        raw = self._raw = self._instance.view()
        self.words = raw[translation.CONTROL : translation.CONTROL + 8 * translation.WORDS].cast(
            "q"
        )
        self._ring = raw[translation.RING : translation.RING + 4 * translation.RING_SIZE].cast("I")
        self.out = raw[translation.OUT_BYTES : translation.OUT_STEPS]
        self.out_steps = raw[translation.OUT_STEPS : translation.POINTS].cast("q")
        self._stack = raw[translation.STACK : translation.FAR].cast("q")
        self._far_cells = raw[translation.FAR : translation.FAR_CHANGED].cast("q")
        self._far_changed = raw[translation.FAR_CHANGED : translation.FAR_LIST]
        self._far_list = raw[translation.FAR_LIST : translation.MARKS].cast("I")

    def attach(self, core: Core) -> bool:
        """Move a core's window into the module's memory; return False if that is impossible."""
        if not self._window_fits(core):
            return False
        codes, plane = core.plane_codes, core.plane
        new_plane, new_codes = self._views(len(plane))
        new_plane[:] = memoryview(plane)
        new_codes[:] = memoryview(codes)
        core.set_plane(new_plane, new_codes, core.width, core.height)
        core.enlarge_plane = self._enlarge_views
        self.plane = new_plane
        self._update_addresses(core)
        return True

    def follow_window(self, core: Core) -> bool:
        """Adapt the module to the core's window, if it has changed; return False if impossible.

        The window is the rectangle of cells that the core keeps in an array.
        """
        window = core.left, core.top, core.width, core.height
        if window != self._window:
            if not self._window_fits(core):
                return False
            self._update_addresses(core)
        return True

    def _window_fits(self, core: Core) -> bool:
        """Return whether a core's window includes the compiled one and fits in module memory."""
        left, top, width, height = self.code.window
        return (
            len(core.plane) <= translation.MAX_CELLS
            and core.left <= left <= left + width <= core.left + core.width
            and core.top <= top <= top + height <= core.top + core.height
        )

    def _views(self, size: int) -> tuple[Any, Any]:
        """Return views of the module's memory: ``size`` cells, and their instruction codes."""
        missing = translation.CELLS + 8 * size - len(self._raw)
        if missing > 0:
            self._instance.grow(-(-missing // PAGE_BYTES))
            self._create_views()
        cells = self._raw[translation.CELLS : translation.CELLS + 8 * size].cast("q")
        return cells, self._raw[translation.CODES : translation.CODES + size]

    def _enlarge_views(self, size: int) -> tuple[Any, Any] | None:
        """Return ``_views`` for an enlarged window, or None if memory does not suffice."""
        if size > translation.MAX_CELLS:
            return None
        try:
            cells, codes = self._views(size)
        except WasmtimeError:  # not enough memory
            return None
        self.plane = cells
        return cells, codes

    def _update_addresses(self, core: Core) -> None:
        """Write the addresses of cells, which depend on the window, to the module's memory."""
        code, raw, words = self.code, self._raw, self.words
        left, top, width, height = self._window = core.left, core.top, core.width, core.height
        stride = width + 2
        words[translation.WINDOW_X], words[translation.WINDOW_Y] = left, top
        words[translation.WIDTH], words[translation.HEIGHT], words[translation.STRIDE] = (
            width,
            height,
            stride,
        )
        origin = words[translation.ORIGIN] = (1 - top) * stride + 1 - left
        marks = raw[translation.MARKS : translation.CODES]
        for index in self._guard_indices:
            marks[index] = 0
        self._guard_indices = [origin + y * stride + x for x, y, _ in code.guards]
        for index in self._guard_indices:
            marks[index] = 1
        count = words[translation.GUARDED] = 8 * len(code.guards)
        addresses = array("I", [translation.CELLS + 8 * index for index in self._guard_indices])
        values = array("q", [value for _, _, value in code.guards])
        raw[translation.GUARDS : translation.GUARDS + count // 2] = memoryview(addresses).cast("B")
        raw[translation.GUARD_VALUES : translation.GUARD_VALUES + count] = memoryview(values).cast(
            "B"
        )
        cells = [translation.CELLS + 8 * (origin + y * stride + x) for x, y in code.points]
        found = memoryview(array("I", cells)).cast("B")
        raw[translation.POINTS : translation.POINTS + len(found)] = found
        points = {point for block in code.blocks for point in block.points}
        groups = {(origin + y * stride + x) % REACHED_GROUPS for x, y in points}
        self.reached = array("I", sorted(groups))

    def enter(self, core: Core, ip: IP, number: int, steps: int) -> int:
        """Copy a core's state to the module; return how many stack values were not copied.

        Only the top ``MAX_COPIED_ENTRIES`` values are copied.  number: the block at which compiled
        code starts.  steps: the number of steps that it may execute.
        """
        words = self.words
        count = min(ip.depth, MAX_COPIED_ENTRIES)
        omitted = ip.depth - count
        if count:
            self._stack[:count] = memoryview(ip.buffer)[omitted : ip.depth]
        words[translation.LEFT] = steps
        words[translation.DEPTH] = translation.STACK + 8 * count
        words[translation.CEILING] = translation.STACK + 8 * min(
            ip.room - omitted, translation.MAX_STACK
        )
        words[translation.ENTRY] = number
        words[translation.PRINTED] = words[translation.ENTERED] = words[translation.RECODED] = 0
        words[translation.LOW_X], words[translation.LOW_Y] = core.low_x, core.low_y
        words[translation.HIGH_X], words[translation.HIGH_Y] = core.high_x, core.high_y
        words[translation.BOUNDS_LOOSE] = not core.torus and core.bounds_loose
        words[translation.FAR_WRITES] = 0
        if core.far_version != self._far_version and not self._are_far_cells_scattered(core):
            self._copy_far_cells(core)
        # Each new far cell uses memory, and after enough of them the core enlarges the window.
        room = min((core.max_memory - core.used) // FAR_COST, core.next_absorb - core.far_count - 1)
        words[translation.FAR_ROOM] = 0 if self.code.wraps else max(0, room)
        return omitted

    def _are_far_cells_scattered(self, core: Core) -> bool:
        """Return whether the far cells are probably still too far apart to be copied.

        This is assumed until their number has halved: finding their bounds takes time for each
        cell, and compiled code is also correct without the cells.
        """
        return 2 * core.far_count > self._scattered > 0

    def _copy_far_cells(self, core: Core) -> None:
        """Copy the cells outside of the window, if a rectangle around them is small enough.

        The copied rectangle extends past them along its longer side, so that compiled code can
        write further cells.
        """
        words = self.words
        left, top, right, bottom = core.left, core.top, core.left, core.top
        if core.far_count:
            left, top, right, bottom = core.far_bounds()
        width, height = right - left + 1, bottom - top + 1
        known = width * height <= translation.MAX_FAR
        more = (
            max(
                0,
                min(
                    translation.MAX_FAR // min(width, height) - max(width, height), MAX_FAR_PADDING
                ),
            )
            // 2
        )
        if width >= height:
            left, width = left - more, width + 2 * more
        else:
            top, height = top - more, height + 2 * more
        if not known or not _fits(left, top, width, height):
            known = width = height = 0
        self._scattered = 0 if known else core.far_count
        words[translation.FAR_KNOWN] = known or not core.far_count
        words[translation.FAR_X], words[translation.FAR_Y] = left, top
        words[translation.FAR_WIDTH], words[translation.FAR_HEIGHT] = width, height
        if known:
            self._far_cells[: width * height] = array("q", [BLANK]) * (width * height)
            core.copy_far(self._far_cells, left, top, width)
        self._far_version = core.far_version

    def _write_far_cells(self, core: Core) -> None:
        """Copy to the core the cells that compiled code has changed outside of the window."""
        words = self.words
        numbers = self._far_list[: words[translation.FAR_WRITES]]
        for number in numbers:
            self._far_changed[number] = 0
        place = words[translation.FAR_X], words[translation.FAR_Y]
        core.put_far(numbers, self._far_cells, *place, words[translation.FAR_WIDTH])
        self._far_version = core.far_version

    def exit_of(self, exit_number: int) -> translation.PlaneExit:
        """Return an exit by its number.

        If this exit is not in a block, return one at the start of the block entered last.
        """
        found = self.code.exits[exit_number]
        if found.block >= 0:
            return found
        number = self._ring[(self.words[translation.ENTERED] // 4 - 1) % translation.RING_SIZE]
        block = self.code.blocks[number]
        return translation.PlaneExit(
            number, 0, self.code.places[number], block.cost, put_refused=False
        )

    def recent_points(self, executed_steps: int) -> list[Point]:
        """Return the coordinates of the cells executed last, the latest first.

        executed_steps: number of steps executed in the block entered last.
        """
        entered = self.words[translation.ENTERED] // 4
        blocks, early_exits = self.code.blocks, self.code.early_exits
        found: list[Point] = []
        while entered > 0 and len(found) < TRAIL_LENGTH:
            entered -= 1
            number = self._ring[entered % translation.RING_SIZE]
            if number < len(blocks):
                points = blocks[number].points
            else:
                number, count = early_exits[number - len(blocks)]
                points = blocks[number].points[:count]
            if executed_steps >= 0:
                points, executed_steps = points[:executed_steps], -1
            found += reversed(points)
        return found[:TRAIL_LENGTH]

    def leave(self, core: Core, ip: IP, omitted: int) -> None:
        """Copy the module's state back to a core.

        omitted: the number of stack values that ``enter`` did not copy.
        """
        words = self.words
        count: int = (words[translation.DEPTH] - translation.STACK) // 8
        if count:
            memoryview(ip.buffer)[omitted : omitted + count] = self._stack[:count]
        ip.depth = omitted + count
        if self.code.writes:
            core.touched = True
        if self.code.writes and not core.torus:  # a torus has fixed bounds
            core.low_x, core.low_y = words[translation.LOW_X], words[translation.LOW_Y]
            core.high_x, core.high_y = words[translation.HIGH_X], words[translation.HIGH_Y]
            core.bounds_loose = words[translation.BOUNDS_LOOSE] != 0
        if words[translation.FAR_WRITES]:
            self._write_far_cells(core)
        if words[translation.RECODED]:
            core.set_plane(core.plane, core.plane_codes, core.width, core.height)


def _fits(left: int, top: int, width: int, height: int) -> bool:
    """Return whether all coordinates of a rectangle are between -2⁶¹ and 2⁶¹."""
    ends = left, top, left + width, top + height
    return min(ends) > -_MAX_COORDINATE and max(ends) < _MAX_COORDINATE
