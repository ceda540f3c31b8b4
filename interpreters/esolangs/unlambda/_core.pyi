# What the rest of the engine sees of _core.py (compiled: _core_c).
from array import array

from esolangs.machine import Part

class SavedWords(Part):
    before: SavedWords | None
    begin: int
    end: int
    data: bytes | bytearray
    def __init__(
        self, before: SavedWords | None, begin: int, end: int, data: bytes | bytearray
    ) -> None: ...

Saved = tuple[SavedWords, SavedWords, tuple[int | bool, ...]]

class Core:
    fun: int
    arg: int
    under: int
    top: int
    sp: int
    pairs: int
    character: int
    steps: int
    input_position: int
    printed: int
    peak: int
    closed: bool
    hits: int
    first_hit: int
    last_hit: int
    tracing: bool
    fun_origin: int
    arg_origin: int
    app_origin: int
    last_fun: int
    last_printed: int
    last_read: int
    def __init__(
        self, code: array[int], depth: int, nursery: int, max_words: int, max_output: int
    ) -> None: ...
    @property
    def cells(self) -> int: ...
    def trace(self) -> None: ...
    def origins(
        self,
    ) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]: ...
    def application_origin(self, step: int) -> int: ...
    def set_input(self, data: bytes, closed: bool) -> None: ...
    def words(self) -> memoryview[int]: ...
    def frames(self) -> memoryview[int]: ...
    def save(self) -> Saved: ...
    def load(self, saved: Saved) -> None: ...
    def take_heap(self, other: Core) -> None: ...
    def canonical(self) -> tuple[bytes, bytes, tuple[int, ...]]: ...
    def watch(
        self,
        marks: bytearray,
        max_frames: int,
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
