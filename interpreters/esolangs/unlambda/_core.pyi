# What the rest of the engine sees of _core.py (compiled: _core_c).
from array import array

Saved = tuple[bytes, bytes, tuple[int, ...]]

class Core:
    fun: int
    arg: int
    under: int
    top: int
    sp: int
    pairs: int
    current: int
    steps: int
    input_position: int
    printed: int
    highest: int
    closed: bool
    hits: int
    first_hit: int
    last_hit: int
    tracing: bool
    fun_birth: int
    arg_birth: int
    maker: int
    last_fun: int
    last_printed: int
    last_read: int
    def __init__(
        self, code: array[int], depth: int, nursery: int, most_words: int, most_output: int
    ) -> None: ...
    @property
    def cells(self) -> int: ...
    def trace(self) -> None: ...
    def births(
        self,
    ) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]: ...
    def maker_of(self, step: int) -> int: ...
    def set_input(self, data: bytes, closed: bool) -> None: ...
    def words(self) -> memoryview[int]: ...
    def frames(self) -> memoryview[int]: ...
    def save(self) -> Saved: ...
    def load(self, saved: Saved) -> None: ...
    def watch(
        self,
        marks: bytearray,
        most_frames: int,
        printable: bytearray,
        output_index: int,
        any_input: bool,
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
