# What the rest of the engine sees of _core.py (compiled: _core_c).
from array import array
from typing import Any

class Core:
    cast: int
    end: int
    ip: int
    count: int
    asked: int
    used: int
    peak: int
    steps: int
    printed: int
    input_position: int
    closed: bool
    bigs: list[int | None]
    values: array[int]
    hits: int
    first_hit: int
    last_hit: int
    last_ip: int
    last_target: int
    last_printed: int
    last_read: int
    def __init__(
        self,
        tables: tuple[array[int], array[int], array[int]],
        cast: int,
        constants: list[int],
        rules: tuple[bool, bool],
        most_memory: int,
        most_output: int,
    ) -> None: ...
    def set_input(self, data: bytes, closed: bool) -> None: ...
    def watch(
        self,
        marks: bytearray,
        watched: bytearray,
        printable: bytearray,
        output_index: int,
        any_input: bool,
        every: bool,
        scanning: bool,
    ) -> None: ...
    def unwatch(self) -> None: ...
    def take_printed(self) -> tuple[bytes, array[int]]: ...
    def take_reads(self) -> array[int]: ...
    def value(self, index: int) -> int: ...
    def set_value(self, index: int, number: int) -> None: ...
    def old_value(self) -> int: ...
    def is_on(self, index: int) -> bool: ...
    def other(self, index: int) -> int: ...
    def stack_depth(self, index: int) -> int: ...
    def stack_top(self, index: int, most: int) -> list[int]: ...
    def save(self) -> Any: ...
    def load(self, state: Any) -> None: ...
    def foresee(self) -> tuple[int, list[int]]: ...
    def run(self, limit: int) -> int: ...
