# What the rest of the engine sees of _core.py (compiled: _core_c).
from array import array
from typing import Any

Tables = tuple[bytearray, array[int], array[int], array[int], array[int], array[int], int]

class Core:
    ip: int
    pointer: int
    base: int
    low: int
    high: int
    capacity: int
    steps: int
    input_position: int
    printed: int
    bits: int
    closed: bool
    buffer: Any  # a bytearray or array.array of cells
    hits: int
    first_hit: int
    last_hit: int
    last_ip: int
    last_old: int
    last_read: int
    def __init__(
        self,
        tables: Tables,
        bits: int,
        eof: int,
        tape: str,
        size: int,
        max_cells: int,
        max_output: int,
    ) -> None: ...
    def new_tape(self, cells: int) -> Any: ...
    def set_tape(self, buffer: Any) -> None: ...
    def set_input(self, data: bytes, closed: bool) -> None: ...
    def loop_rounds(self) -> memoryview[int]: ...
    def watch(
        self,
        marks: bytearray,
        watched: bytearray,
        watch_first: int,
        printable: bytearray,
        output_index: int,
        every_read: bool,
        every_step: bool,
        scanning: bool,
    ) -> None: ...
    def unwatch(self) -> None: ...
    def set_filter(self, code: array[int]) -> None: ...
    def begin_tally(self, counts: array[int], latest: array[int]) -> None: ...
    def end_tally(self) -> None: ...
    def take_printed(self) -> tuple[bytes, array[int]]: ...
    def take_reads(self) -> array[int]: ...
    def run(self, limit: int) -> int: ...
    def run_to_entry(self, limit: int) -> int: ...
