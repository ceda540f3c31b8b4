"""A parsed Countfish program: the offsets of its commands."""

from __future__ import annotations

from bisect import bisect_left

from esolangs.countfish.machine import Core, CountfishMachine

from esolangs.core import CoreProgram
from esolangs.errors import ParseError
from esolangs.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.language import Language, Options
    from esolangs.source import Span


class CountfishProgram(CoreProgram):
    engine = "plain"

    def __init__(self, language: Language, source: bytes, options: Options):
        """Raises ParseError for a ``x``, which this language does not have."""
        self.language = language
        self.source = source
        self.options = options
        self.offsets = [at for at, byte in enumerate(source) if byte in b"idsorj"]
        wrong = source.find(b"x")
        if wrong >= 0:
            raise ParseError("there is no command 'x'", source, (wrong, wrong + 1))

    def new_machine(self, stdin: bytes, closed: bool, limits: Limits) -> CountfishMachine:
        return CountfishMachine(self, Core(self, limits), stdin, closed, limits)

    def spans(self) -> tuple[Span, ...]:
        return tuple((at, at + 1) for at in self.offsets)

    def instruction_at(self, offset: int) -> Span | None:
        at = bisect_left(self.offsets, offset)
        found = at < len(self.offsets) and self.offsets[at] == offset
        return (offset, offset + 1) if found else None

    def places(self) -> Mapping[str, int]:
        return {"the start": self.offsets[0]} if self.offsets else {}

    def register_names(self) -> Mapping[str, str]:
        return {"value": "the number"}
