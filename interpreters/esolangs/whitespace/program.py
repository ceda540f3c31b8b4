"""A parsed Whitespace program."""

from __future__ import annotations

from esolangs.core_machine import CoreProgram
from esolangs.engines import Engine
from esolangs.errors import ParseError
from esolangs.limits import UNLIMITED, Limits
from esolangs.source import locate
from esolangs.whitespace.machine import WhitespaceMachine
from esolangs.whitespace.opcodes import (
    EOF_ERROR,
    EOF_UNCHANGED,
    INSTRUCTIONS,
    LABEL,
    NAME,
    NO_OPERAND,
)
from esolangs.whitespace.parser import INVISIBLE, VISIBLE, offsets_of, parse, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from esolangs.language import Language, Options
    from esolangs.source import Span
    from esolangs.stops import Address
    from esolangs.tally import IndexedTally
    from esolangs.whitespace._core import Core

_MOST_WARNINGS = 12
_MOST_TEXT = 60  # characters of an instruction in messages and views
_EOF = {"error": EOF_ERROR, "unchanged": EOF_UNCHANGED}

ENGINE = Engine(__name__, Core="_core")


class WhitespaceProgram(CoreProgram):
    """Instructions are numbered from 0 in source order; ``starts`` leads back to the source.

    With ``notation=visible`` or ``assembly`` the source is what was given, and spans point
    into that text.
    """

    machine_class = WhitespaceMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Raises ParseError.  ``engine`` picks the compiled or the plain core; tests use both."""
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self._new_core = engine.Core
        self._letters = VISIBLE if options["notation"] == "visible" else INVISIBLE
        self._spans: tuple[Span, ...] | None = None
        self._starts: Sequence[int] | None = None
        if options["notation"] == "assembly":
            from esolangs.whitespace.assembly import assemble, starts_of

            assembled = assemble(source)
            self._spans = tuple(assembled.spans)
            self._starts = starts_of(assembled.spans, len(source))
            self.code = parse(tokens_of(assembled.source), assembled.source)
        else:
            self.code = parse(tokens_of(source, self._letters), source, self._letters)
        if self.code.repeated:
            self.warnings = tuple(self._repeated())
        if self.code.left_over and options["notation"] != "assembly":
            self.warnings += (self._left_over(),)
        self.traces: Any = None  # made from hot code; shared, as they hold no state
        division = options["division"]
        eof = options["eof"]
        self._rules = (
            division == "floor",
            division != "truncate",
            _EOF[eof] if isinstance(eof, str) else eof,
            options["io"] == "utf8",
            options["number"] == "line",
        )

    @property
    def starts(self) -> Sequence[int]:
        """Source offset of every instruction, then the length of the source."""
        if self._starts is None:
            from array import array

            offsets = offsets_of(self.source, self._letters)
            self._starts = array("i", [offsets[at] for at in self.code.begins])
            self._starts[-1] = len(self.source)
        return self._starts

    def new_core(self, limits: Limits) -> Core:
        """A core at step 0 under this program's options."""
        code = self.code
        tables = code.ops, code.args, code.constants
        most = min(limits.output, UNLIMITED), min(limits.memory, UNLIMITED)
        core = self._new_core(tables, self._rules, *most)
        if self.traces is not None:
            core.set_traces(self.traces.code, self.traces.entry)
        return core

    def spans(self) -> tuple[Span, ...]:
        if self._spans is None:
            offsets = offsets_of(self.source, self._letters)
            begins = self.code.begins
            self._spans = tuple(
                (offsets[begins[at]], offsets[begins[at + 1] - 1] + 1)
                for at in range(len(begins) - 1)
            )
        return self._spans

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.starts)

    def instruction_at(self, offset: int) -> Span | None:
        at = self.instruction_of(offset)
        return self.spans()[at] if at >= 0 else None

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """Where an instruction reads so: by mnemonic, mnemonic and operand, spelling or source."""
        wanted = " ".join(text.split())
        code = self.code
        spelled = wanted.encode()
        named = {
            self.starts[at]
            for at in range(len(code.ops) - 1)
            if wanted.casefold() == INSTRUCTIONS[code.ops[at]][0]
            or spelled == code.tokens[code.begins[at] : code.begins[at + 1]]
            or wanted == self.text(at)
        }
        return tuple(sorted(named | set(super().occurrences(text))))

    def places(self) -> Mapping[str, Address]:
        labels = self.code.labels.values()
        return {self.text(at): self.starts[at] for at in labels}

    def reads(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        return (("retrieve",), f"top == {cell}") if isinstance(cell, int) else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "top": "the number on top of the stack, 0 where it is empty",
            "second": "the number below the top",
            "depth": "numbers on the stack",
            "calls": "calls that have not returned",
        }

    def instruction_of(self, offset: int) -> int:
        """The number of the instruction that covers a source offset; -1 where none does."""
        from bisect import bisect_right

        spans = self.spans()
        at = bisect_right(self.starts, offset, hi=len(spans)) - 1
        return at if at >= 0 and spans[at][0] <= offset < spans[at][1] else -1

    def text(self, at: int) -> str:
        """An instruction as mnemonics write it, such as ``push 65``; empty at the end."""
        from esolangs.whitespace.assembly import instruction_text

        code = self.code
        if at >= len(code.ops) - 1:
            return ""
        op = code.ops[at]
        _, spelling, kind = INSTRUCTIONS[op]
        begin = code.begins[at] + len(spelling)
        operand = b"" if kind == NO_OPERAND else code.tokens[begin : code.begins[at + 1] - 1]
        return instruction_text(op, operand).decode()

    def brief(self, at: int) -> str:
        """An instruction as mnemonics write it, shortened for people."""
        return _shortened(self.text(at))

    def spelled(self, at: int) -> str:
        """An instruction's spelling in S, T and L, shortened for people."""
        code = self.code
        return _shortened(code.tokens[code.begins[at] : code.begins[at + 1]].decode())

    def label_of(self, at: int) -> str:
        """The label that an instruction marks or jumps to, as mnemonics write it, shortened."""
        from esolangs.whitespace.assembly import name_text

        assert INSTRUCTIONS[self.code.ops[at]][2] == NAME
        return _shortened(name_text(self.code.name(at)).decode())

    def _left_over(self) -> str:
        """Warn of line feeds at the end; in assembly they are written out, so they are meant."""
        offset = offsets_of(self.source, self._letters)[self.code.begins[-1]]
        line, column = locate(self.source, offset)
        told = "1 line feed" if self.code.left_over == 1 else f"{self.code.left_over} line feeds"
        return (
            f"line {line}, column {column}: {told} at the end: ignored, as no instruction follows"
        )

    def _repeated(self) -> list[str]:
        """Warn of labels that were marked before, or refuse them."""
        warnings: list[str] = []
        repeated = self.code.repeated
        for at in repeated[:_MOST_WARNINGS]:
            assert self.code.ops[at] == LABEL
            span = self.spans()[at]
            line, column = locate(self.source, span[0])
            first = locate(self.source, self.starts[self.code.labels[self.code.name(at)]])
            told = f"{self.brief(at)} was marked before, at line {first[0]}, column {first[1]}"
            if self.options["labels"] == "error":
                raise ParseError(told, self.source, span)
            warnings.append(f"line {line}, column {column}: {told}; jumps go there")
        if len(repeated) > _MOST_WARNINGS:
            warnings.append(f"{len(repeated) - _MOST_WARNINGS} more labels were marked before")
        return warnings


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"
