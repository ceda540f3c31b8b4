"""A Whitespace program and its machine."""

from __future__ import annotations

from esolangs.core import CoreMachine, CoreProgram, Engine
from esolangs.errors import Fault, ParseError
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import Machine, Snapshot
from esolangs.source import locate
from esolangs.whitespace.opcodes import (
    BY_ZERO,
    COMPILE,
    EOF_ERROR,
    EOF_UNCHANGED,
    INSTRUCTIONS,
    LABEL,
    NAME,
    NO_CALL,
    NO_CHARACTER,
    NO_INPUT,
    NO_LABEL,
    NO_NUMBER,
    NO_OPERAND,
    UNDERFLOW,
)
from esolangs.whitespace.parser import INVISIBLE, VISIBLE, extract_tokens, parse, token_offsets
from esolangs.wording import format_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from esolangs.compiled import WatchingCompilers
    from esolangs.filters import FilterNames
    from esolangs.language import Language, Options
    from esolangs.pages import References
    from esolangs.source import Span
    from esolangs.stops import Address, Step, StopSet
    from esolangs.tally import IndexedTally
    from esolangs.tier import Tier
    from esolangs.whitespace._core import Core
    from esolangs.whitespace.listing import WhitespaceListing
    from esolangs.whitespace.native import StackCompiler, StackTier

_FAULTS = {
    UNDERFLOW: ("stack_underflow", "not enough numbers on the stack"),
    BY_ZERO: ("division_by_zero", "division by zero"),
    NO_LABEL: ("missing_label", "the label does not exist"),
    NO_CALL: ("call_stack_underflow", "return without an open call"),
    NO_CHARACTER: ("bad_character", "the number is not a character code"),
    NO_NUMBER: ("bad_number", "the input is not an integer"),
    NO_INPUT: ("end_of_input", "the input has ended"),
}


class WhitespaceMachine(CoreMachine):
    """The machine of Whitespace; see :class:`esolangs.machine.Machine`.

    Heap addresses are integers of any size.

    Cost model of memory, in bytes; memory is never released:

    - 16 for every place of the stack, 8 for every one of the call stack, up to the greatest depth;
    - 16 for every cell of the heap's window, which begins at address 0 and doubles;
    - 128 for every cell outside of it; an address of more than 63 bits counts like a number below;
    - for a place or cell that ever held a number of more than 63 bits, 32, and 8 for every 64 bits
      (rounded up) of the largest number that it held.
    """

    core: Core
    program: WhitespaceProgram
    tier: StackTier | None = None
    _copies: References | None = None  # to the memories in the last snapshot

    @property
    def memory_room(self) -> int:
        """The number of bytes that the memory limit still allows."""
        return min(self.limits.memory, UNLIMITED) - self.core.memory

    @property
    def memory(self) -> int:
        return self.core.memory

    @property
    def work(self) -> int:  # type: ignore[override]
        return self.core.work

    @property
    def location(self) -> int:
        return self.program.starts[self.core.ip]

    def snapshot(self) -> Snapshot:
        from esolangs.pages import MemorySaver, references_to

        core = self.core
        saver = MemorySaver(self._copies)
        state = core.save(saver.save)
        self._copies = references_to(saver.copies)
        tables = core.save_tables()
        payload = state, tables, saver.copies, self.input_position
        parts = *saver.parts, *filter(None, tables)
        return Snapshot(core.steps, core.printed, saver.size + 500, payload, parts)

    def take_memory(self, machine: Machine) -> None:
        if isinstance(machine, WhitespaceMachine) and machine.program is self.program:
            self.core.take_far(machine.core)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""
        from esolangs.pages import load_memory, references_to

        state, tables, copies, input_position = snapshot.payload
        self._copies = references_to(copies)
        self.core.load(state, tables, load_memory)
        self._finish_restore(snapshot, input_position)

    def peek(self, address: Address) -> int:
        return self.core.peek(_check_address(address))

    def poke(self, address: Address, value: int) -> None:
        if not self.core.poke(_check_address(address), value):
            raise ValueError(f"not enough memory to store this value at {address}")
        self._update_status()

    def registers(self) -> dict[str, int]:
        core = self.core
        depth = core.depth()
        return {
            "top": core.value(depth - 1) if depth > 0 else 0,
            "second": core.value(depth - 2) if depth > 1 else 0,
            "depth": depth,
            "calls": core.calls,
        }

    def _make_fault(self, reason: int) -> Fault:
        kind, message = _FAULTS[reason]
        at = self.core.ip
        span = self.program.spans()[at]
        line, column = locate(self.program.source, span[0])
        message = f"{self.program.short_text(at)}: {message}"
        return Fault(kind, message, span, line, column, self.steps)

    def _recorded_step(self) -> Step | None:
        core = self.core
        if core.last_ip < 0:
            return None
        from esolangs.stops import Slot, Step, Write

        span = self.program.spans()[core.last_ip]
        writes = (Write(*core.last_write),) if core.last_write is not None else ()
        depth = core.last_depth
        pushes = tuple([Slot(0, at) for at in range(depth - core.pushes(), depth)])
        return Step(self.steps, span, span[0], writes, core.last_printed, core.last_read, pushes)

    def _handle_request(self, reason: int) -> bool:
        if reason != COMPILE:
            return False
        from esolangs.whitespace.traces import Traces

        program, core = self.program, self.core
        if program.traces is None:
            program.traces = Traces(program.code, program.options)
        program.traces.add(core.ip)
        core.set_traces(program.traces.code, program.traces.entry)
        return True

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        """Watch for stops; a location is an offset, or a pair of an offset and a call depth."""
        marks, marks_at_depth = self.marks(stops.locations)
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        self.core.watch(
            marks,
            marks_at_depth,
            stops.writes,
            {level for stack, level in stops.slots if stack == 0 and 0 <= level < UNLIMITED},
            stops.output_values,
            index,
            stops.inputs,
            stops.every,
            scanning,
        )

    def marks(self, locations: frozenset[Address]) -> tuple[bytearray, set[tuple[int, int]]]:
        """Return a mark for each instruction, and the locations that include a call depth.

        A mark is 1 if the instruction is in ``locations`` without a depth, 2 if only with depths,
        else 0.  The locations with a depth are pairs of an instruction's index and the depth.
        """
        return self._marks(locations, self._marks_at)

    def _marks_at(self, locations: frozenset[Address]) -> tuple[bytearray, set[tuple[int, int]]]:
        program = self.program
        marks = bytearray(len(program.code.ops))
        marks_at_depth: set[tuple[int, int]] = set()
        for address in locations:
            offset, depth = address if isinstance(address, tuple) else (address, -1)
            at = program.instruction_index(offset)
            if at < 0 or program.starts[at] != offset:
                continue
            if depth >= 0:
                marks_at_depth.add((at, depth))
                marks[at] = max(marks[at], 2) if marks[at] != 1 else 1
            else:
                marks[at] = 1
        return marks, marks_at_depth


def _check_address(address: Address) -> int:
    if not isinstance(address, int):
        raise ValueError(f"expected an integer as a heap address, not {address!r}")
    return address


_MAX_WARNINGS = 12
_MAX_TEXT = 60  # characters of an instruction in messages and views
_EOF = {"error": EOF_ERROR, "unchanged": EOF_UNCHANGED}

ENGINE = Engine(__name__, Core="_core")


class WhitespaceProgram(CoreProgram):
    """A Whitespace program; instructions are numbered from 0 in source order.

    With ``notation=visible`` or ``assembly``, ``source`` is the text in that notation, and spans
    point into it.
    """

    machine_class = WhitespaceMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Parse the source; raise ParseError if it is invalid.

        engine: the compiled or the plain core.
        """
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self._new_core = engine.Core
        self._letters = VISIBLE if options["notation"] == "visible" else INVISIBLE
        self._spans: tuple[Span, ...] | None = None
        self._starts: Sequence[int] | None = None
        self._listing: WhitespaceListing | None = None
        if options["notation"] == "assembly":
            from esolangs.whitespace.assembly import assemble, token_starts

            assembled = assemble(source)
            self._spans = tuple(assembled.spans)
            self._starts = token_starts(assembled.spans, len(source))
            self.code = parse(extract_tokens(assembled.source), assembled.source)
        else:
            self.code = parse(extract_tokens(source, self._letters), source, self._letters)
        if self.code.repeated:
            self.warnings = tuple(self._duplicate_label_warnings())
        if self.code.left_over and options["notation"] != "assembly":
            self.warnings += (self._trailing_feed_warning(),)
        self._compiler: StackCompiler | None = None
        self._watching_compilers: WatchingCompilers | None = None
        self.traces: Any = None  # shared by all machines, because they have no state
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
        """The source offset of every instruction, then the length of the source."""
        if self._starts is None:
            from array import array

            offsets = token_offsets(self.source, self._letters)
            self._starts = array("i", [offsets[at] for at in self.code.begins])
            self._starts[-1] = len(self.source)
        return self._starts

    def new_core(self, limits: Limits) -> Core:
        """Return a core at step 0 under this program's options."""
        code = self.code
        tables = code.ops, code.args, code.constants
        most = [min(limit, UNLIMITED) for limit in (limits.output, limits.memory, limits.work)]
        core = self._new_core(tables, self._rules, *most)
        if self.traces is not None:
            core.set_traces(self.traces.code, self.traces.entry)
        return core

    def new_tier(self, machine: WhitespaceMachine, mode: Tier) -> StackTier:
        from esolangs.whitespace.native import StackCompiler, StackTier

        self._compiler = self._compiler or StackCompiler(self)
        return StackTier(machine, self._compiler, mode)

    def new_watching_tier(
        self, machine: WhitespaceMachine, locations: frozenset[Address], scanning: bool
    ) -> StackTier | None:
        from esolangs.compiled import WatchingCompilers
        from esolangs.whitespace.flow import add_predecessors
        from esolangs.whitespace.native import MAX_INSTRUCTIONS, StackCompiler, StackTier

        marks, marks_at_depth = machine.marks(locations)
        if marks_at_depth or len(marks) > MAX_INSTRUCTIONS:
            return None
        if not scanning:
            marks = add_predecessors(marks, self.code.ops, self.code.args)
        self._watching_compilers = self._watching_compilers or WatchingCompilers()
        compiler = self._watching_compilers.get(StackCompiler, self, marks, scanning=scanning)
        assert machine.tier is not None
        return StackTier(machine, compiler, machine.tier.mode)

    def spans(self) -> tuple[Span, ...]:
        if self._spans is None:
            offsets = token_offsets(self.source, self._letters)
            begins = self.code.begins
            self._spans = tuple(
                (offsets[begins[at]], offsets[begins[at + 1] - 1] + 1)
                for at in range(len(begins) - 1)
            )
        return self._spans

    def listing(self) -> WhitespaceListing | None:
        return None if self.options["notation"] == "assembly" else self.disassembly

    @property
    def disassembly(self) -> WhitespaceListing:
        """The instructions in readable form: decimal numbers, labels by name."""
        if self._listing is None:
            from esolangs.whitespace.listing import WhitespaceListing

            letters = b"" if self.options["notation"] == "assembly" else self._letters
            self._listing = WhitespaceListing(self.code, self.spans(), self.source, letters)
        return self._listing

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.starts)

    def instruction_at(self, offset: int) -> Span | None:
        at = self.instruction_index(offset)
        return self.spans()[at] if at >= 0 else None

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """Find instructions by mnemonic, mnemonic with operand, spelling or source."""
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

    def cell_readers(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        return (("retrieve",), f"top == {cell}") if isinstance(cell, int) else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "top": "the number on top of the stack, 0 where it is empty",
            "second": "the number below the top",
            "depth": "numbers on the stack",
            "calls": "calls that have not returned",
        }

    def filter_names(self) -> FilterNames:
        from esolangs.filters import FilterNames

        registers = "step", "output", "top", "second", "depth", "calls"
        return FilterNames(registers, coordinates=1, has_levels=True)

    def instruction_index(self, offset: int) -> int:
        """Return the number of the instruction at a source offset, or -1."""
        from bisect import bisect_right

        spans = self.spans()
        at = bisect_right(self.starts, offset, hi=len(spans)) - 1
        return at if at >= 0 and spans[at][0] <= offset < spans[at][1] else -1

    def text(self, index: int) -> str:
        """Return an instruction in assembly, such as ``push 65``; empty at the end."""
        from esolangs.whitespace.assembly import instruction_text

        code = self.code
        if index >= len(code.ops) - 1:
            return ""
        op = code.ops[index]
        _, spelling, kind = INSTRUCTIONS[op]
        begin = code.begins[index] + len(spelling)
        operand = b"" if kind == NO_OPERAND else code.tokens[begin : code.begins[index + 1] - 1]
        return instruction_text(op, operand).decode()

    def short_text(self, index: int) -> str:
        """Return an instruction in assembly, shortened for display."""
        return _shorten(self.text(index))

    def spelling(self, index: int) -> str:
        """Return an instruction's spelling in S, T and L, shortened for display."""
        code = self.code
        return _shorten(code.tokens[code.begins[index] : code.begins[index + 1]].decode())

    def readable_text(self, index: int) -> str:
        """Return an instruction as in the listing, such as ``push 65 'A'``; '' after the last."""
        return self.disassembly.row(index).words if index < len(self.code.ops) - 1 else ""

    def label_name(self, index: int) -> str:
        """Return the label that an instruction marks or jumps to, shortened for display."""
        from esolangs.whitespace.assembly import label_text

        assert INSTRUCTIONS[self.code.ops[index]][2] == NAME
        return _shorten(label_text(self.code.label_spelling(index)).decode())

    def _trailing_feed_warning(self) -> str:
        """Return a warning about line feeds at the end of a program that begin no instruction."""
        offset = token_offsets(self.source, self._letters)[self.code.begins[-1]]
        line, column = locate(self.source, offset)
        count = "1 line feed" if self.code.left_over == 1 else f"{self.code.left_over} line feeds"
        return (
            f"line {line}, column {column}: {count} at the end: ignored, as no instruction follows"
        )

    def _duplicate_label_warnings(self) -> list[str]:
        """Return warnings about labels that are marked twice.

        Raises ParseError if there are any and the option ``labels`` is ``error``.
        """
        warnings: list[str] = []
        repeated = self.code.repeated
        for at in repeated[:_MAX_WARNINGS]:
            assert self.code.ops[at] == LABEL
            span = self.spans()[at]
            line, column = locate(self.source, span[0])
            first = locate(self.source, self.starts[self.code.labels[self.code.label_spelling(at)]])
            name = self.short_text(at)
            message = f"{name} was marked before, at line {first[0]}, column {first[1]}"
            if self.options["labels"] == "error":
                raise ParseError(message, self.source, span)
            warnings.append(f"line {line}, column {column}: {message}; jumps go to the first mark")
        if len(repeated) > _MAX_WARNINGS:
            warnings.append(format_count(len(repeated) - _MAX_WARNINGS, "more repeated label"))
        return warnings


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
