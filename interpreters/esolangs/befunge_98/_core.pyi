# What the rest of the engine sees of _core.py (compiled: _core_c).
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

class IP:
    id: int
    x: int
    y: int
    dx: int
    dy: int
    ox: int
    oy: int
    in_string: bool
    after_space: bool
    modes: int
    buffer: Any  # an array.array of cells, or a list where they have no bound
    room: int
    depth: int
    below: list[tuple[Any, int]]
    repeats: list[tuple[int, int]]
    semantics: dict[int, list[tuple[int, int]]]
    states: dict[str, tuple[Any, int]]
    def __init__(self, id: int, buffer: Any) -> None: ...

class Core:
    plane: Any
    plane_codes: Any  # a bytearray, or a memoryview of the memory of the native tier
    enlarge_plane: Any  # a function from a size to the two with that size, or to None
    left: int
    top: int
    width: int
    height: int
    @property
    def far(self) -> dict[tuple[int, int], int]: ...
    @property
    def far_count(self) -> int: ...
    far_version: int
    next_absorb: int
    low_x: int
    low_y: int
    high_x: int
    high_y: int
    bounds_loose: bool
    touched: bool
    ips: list[IP]
    ip: IP
    turn: int
    last_id: int
    tick: int
    lost: bool
    ended: bool
    exit_code: int | None
    random: int
    states: dict[str, tuple[Any, int]]
    steps: int
    used: int
    max_used: int
    input_position: int
    closed: bool
    printed: int
    reads: array[int]
    extras: Callable[[Core, IP, int], int]
    unbounded: bool
    torus: bool
    unknown: int
    max_memory: int
    hits: int
    first_hit: int
    last_hit: int
    last_x: int
    last_y: int
    last_writes: list[tuple[int, int, int, int]]
    last_printed: bytes
    last_read: bytes | None
    ip_stays: bool
    effort: int
    work: int
    step_work: int
    cell_work: int
    path_work: int
    reserved: int
    def __init__(
        self,
        code_of: bytes,
        rules: dict[str, Any],
        seed: int,
        max_memory: int,
        max_output: int,
        max_work: int,
        extras: Callable[[Core, IP, int], int],
    ) -> None: ...
    def begin(
        self,
        pieces: Iterable[bytes] | None,
        width: int,
        height: int,
        far: dict[tuple[int, int], int],
    ) -> None: ...
    def set_far(self, far: dict[tuple[int, int], int]) -> None: ...
    def far_state(self) -> tuple[Any, ...]: ...
    def set_far_state(self, state: tuple[Any, ...]) -> None: ...
    def set_plane(self, plane: Any, codes: Any, width: int, height: int) -> None: ...
    def save_plane(self, copy: Callable[[Hashable, Any, int], object]) -> Any: ...
    def restore_plane(
        self, saved: Any, width: int, height: int, copy: Callable[[Any, Any], None]
    ) -> None: ...
    def set_input(self, data: bytes, closed: bool) -> None: ...
    def watch(
        self,
        marks: set[Any],
        watched: set[Any],
        slots: dict[int, set[int]],
        printable: bytearray,
        output_index: int,
        every_read: bool,
        every_step: bool,
        scanning: bool,
    ) -> None: ...
    def unwatch(self) -> None: ...
    def set_filter(self, code: array[int]) -> None: ...
    def begin_tally(
        self,
        counts: array[int],
        latest: array[int],
        page: tuple[int, int, int, int],
        beyond: dict[tuple[int, int], tuple[int, int]],
    ) -> None: ...
    def end_tally(self) -> None: ...
    def pushed(self) -> list[tuple[int, int, int]]: ...
    def take_printed(self) -> tuple[bytes, array[int]]: ...
    def take_reads(self) -> array[int]: ...
    recording: bool
    reached_anywhere: bool
    def take_reached(self) -> bytes | None: ...
    def add_reached(self, groups: array[int]) -> None: ...
    def trail(self) -> list[tuple[int, int]]: ...
    def set_trail(self, points: Sequence[tuple[int, int]]) -> None: ...
    def charge(self, size: int) -> bool: ...
    def get(self, x: int, y: int) -> int: ...
    def put_far(self, numbers: Any, values: Any, left: int, top: int, width: int) -> None: ...
    def put(self, x: int, y: int, value: int) -> bool: ...
    def pop(self) -> int: ...
    def drop(self, count: int) -> None: ...
    def push(self, value: int) -> None: ...
    def set_stack(self, values: list[int]) -> None: ...
    def reserve_room(self, count: int) -> bool: ...
    def add_work(self, charge: int) -> bool: ...
    def add_cell_work(self, units: int) -> bool: ...
    def wrap(self, value: int) -> int: ...
    def reflect(self) -> None: ...
    def print_bytes(self, data: bytes) -> int: ...
    def read_ahead(self) -> bytes: ...
    def consume(self, data: bytes) -> None: ...
    def after(self, x: int, y: int, dx: int, dy: int) -> tuple[int, int]: ...
    def move_ip(self) -> None: ...
    def line(self, axis: int, index: int, limit: int) -> list[tuple[int, int, int]]: ...
    def draw_random(self) -> int: ...
    def tighten_bounds(self) -> None: ...
    def resolve(self) -> None: ...
    def run(self, limit: int) -> int: ...
