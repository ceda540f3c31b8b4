"""An Unlambda program, its parser, and its machine."""

from __future__ import annotations

from esolangs.core import CoreMachine, CoreProgram, Engine
from esolangs.errors import ParseError
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import Snapshot
from esolangs.source import locate
from esolangs.unlambda.opcodes import (
    CLASSES,
    EMPTY,
    IS_COMMENT,
    IS_SPACE,
    LAST_VALUE,
    MAX_WORDS,
    NO_CHARACTER,
    NURSERY,
    OPERAND,
    PAYLOAD,
    PLACE,
    PLACE_MASK,
    PRINT,
    TAG,
    TEST,
    TRACED_STEPS,
    UNFINISHED,
    UNKNOWN,
    WORD_COST,
    I,
    K,
    S,
    word_location,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping
    from typing import Any

    from esolangs.errors import Fault
    from esolangs.filters import FilterNames
    from esolangs.language import Language, Options
    from esolangs.machine import Machine
    from esolangs.source import Span
    from esolangs.stops import Address, Step, StopSet
    from esolangs.tally import IndexedTally
    from esolangs.unlambda._core import Core
    from esolangs.unlambda._core_tree import Tree
    from esolangs.view import PartOrigin

    _WatchArguments = tuple[bytearray, int, bytearray, int, bool, bool]

    Term = int | tuple["Term", "Term"]  # a node of the tree, or an application made since

ANYWHERE = -1
"""``(ANYWHERE, n)`` is a location that matches every application with at most n waiting frames."""


class UnlambdaMachine(CoreMachine):
    """The machine of Unlambda, without cells or faults; see :class:`esolangs.machine.Machine`.

    Cost model of memory: 24 bytes for every live word on the heap and in the continuation: eight
    for the word itself, and sixteen for words that are allocated before the next count. `kx and `sx
    take 1 word, ``sxy 2; `dX takes 1 word if X is a value, 2 if X is an application of two values
    that an s made, and none if X is an expression.  A frame that waits for an operand takes 1 word,
    a frame with a stored value 2. `c` moves frames to the heap, where each takes one more word.
    Atoms take no words, and captured continuations only the words of their frames.

    The live words are counted before an application of k, s, d, a promise or c (and of results of k
    and s, except `kx) when the words allocated since the last count are twice the words that were
    alive then, and at least ``NURSERY``; the first such application counts at once.  Only a count
    detects that the limit is exceeded.
    """

    core: Core
    program: UnlambdaProgram
    _watch_arguments_cache: tuple[StopSet, _WatchArguments] | None = None

    @property
    def memory(self) -> int:
        return WORD_COST * self.core.peak

    @property
    def location(self) -> int:
        return self._place_of(self.core.fun)

    def snapshot(self) -> Snapshot:
        saved = heap, stack, _ = self.core.save()
        payload = saved, self.input_position
        return Snapshot(self.core.steps, self.core.printed, 300, payload, (heap, stack))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""
        saved, input_position = snapshot.payload
        self.core.load(saved)
        self._finish_restore(snapshot, input_position)

    def take_memory(self, machine: Machine) -> None:
        if isinstance(machine, UnlambdaMachine) and machine.program is self.program:
            self.core.take_heap(machine.core)
            machine._update_status()

    def peek(self, address: Address) -> int:
        raise ValueError(f"Unlambda has no cells; cannot read {address!r}")

    def poke(self, address: Address, value: int) -> None:
        raise ValueError(f"Unlambda has no cells; cannot change {address!r}")

    def registers(self) -> dict[str, int]:
        core = self.core
        return {"char": core.character, "depth": self.depth, "cells": core.cells}

    @property
    def depth(self) -> int:
        """The number of frames of the continuation."""
        core = self.core
        return core.sp - 1 - core.pairs + (core.under >> PLACE & PLACE_MASK)

    def next_depth(self) -> int:
        """Return the number of frames after the next step, which is executed on a copy."""
        stdin = bytes(self._dropped) + self._stdin  # dropped input is not read again
        after = UnlambdaMachine(
            self.program, self.program.new_core(Limits()), stdin, self.core.closed, Limits()
        )
        after.restore(self.snapshot())
        after.run(1)
        return after.depth

    @property
    def ended(self) -> bool:
        """Whether no application is left to execute."""
        return self.core.fun & TAG > LAST_VALUE

    def trace(self) -> bool:
        if self.steps:
            raise ValueError("tracing can begin only at step 0")
        self.core.trace()
        self._run_core(0)
        return True

    def application_origin(self, step: int) -> PartOrigin | None:
        core = self.core
        if not core.tracing or not core.steps - TRACED_STEPS < step <= core.steps or step < 1:
            return None
        return self.decode_origin(core.application_origin(step))

    def decode_origin(self, origin: int) -> PartOrigin:
        """Return the origin that the core stores as the number ``origin``.

        A positive number is the step that made the part; ``~n`` is the term that begins
        at offset ``n`` of the source.
        """
        from esolangs.view import PartOrigin

        return PartOrigin(origin) if origin > 0 else PartOrigin(0, self.program.term_span(~origin))

    def _make_fault(self, reason: int) -> Fault:
        raise AssertionError(f"Unlambda has no faults, but the core returned fault {reason}")

    def _recorded_step(self) -> Step | None:
        core = self.core
        if core.last_fun < 0:
            return None
        from esolangs.stops import Step

        place = self._place_of(core.last_fun)
        printed = bytes([core.last_printed]) if core.last_printed >= 0 else b""
        read = None
        if core.last_read >= -1:
            read = bytes([core.last_read]) if core.last_read >= 0 else b""
        return Step(self.steps, self.program.atom_span(place), place, (), printed, read)

    def _place_of(self, fun: int) -> int:
        if fun & TAG > LAST_VALUE:
            return len(self.program.source)
        return word_location(fun)

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        if self._watch_arguments_cache is None or self._watch_arguments_cache[0] != stops:
            self._watch_arguments_cache = stops, self._make_watch_arguments(stops)
        self.core.watch(*self._watch_arguments_cache[1], scanning)

    def _marks_at(self, locations: frozenset[Address]) -> tuple[bytearray, int]:
        marks = bytearray(len(self.program.source) + 1)
        max_frames = -1
        for offset in locations:
            if isinstance(offset, tuple):
                if len(offset) == 2 and offset[0] == ANYWHERE:
                    max_frames = max(max_frames, min(offset[1], 1 << 62))
            elif 0 <= offset < len(marks):
                marks[offset] = 1
        return marks, max_frames

    def _make_watch_arguments(self, stops: StopSet) -> _WatchArguments:
        """Convert stops to the arguments of ``Core.watch``."""
        marks, max_frames = self._marks(stops.locations, self._marks_at)
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index >= 1 << 63:
            index = -1
        return marks, max_frames, printable, index, stops.inputs, stops.every


_ATOMS = "s k i v c d r e @ | .x ?x"


def parse_tree(source: bytes, build_tree: Callable[[bytes], Tree]) -> Tree:
    """Return the tree of the expression at the start of ``source``.

    build_tree: the class ``Tree`` of an engine.  Raises ParseError if the source is too long, or if
    the expression is incomplete or contains an unknown combinator.
    """
    if len(source) > PLACE_MASK:
        raise ParseError(
            f"a program can have {PLACE_MASK} bytes at most, not {len(source)}", source, (0, 0)
        )
    tree = build_tree(source)
    at = tree.at
    if tree.found == UNFINISHED:
        line, column = locate(source, at)
        lacks = "operand" if tree.has_operator else "operator"
        message = f"'`' at line {line}, column {column} has no {lacks}: the program ends before it"
    elif tree.found == UNKNOWN:
        message = f"{_format_byte(source[at])} is not a combinator: expected '`' or one of {_ATOMS}"
        if source[at] & 0xC0 == 0x80 and source[at - 2 : at - 1] in (b".", b"?"):
            message += (
                f" (the character after '{chr(source[at - 2])}' must be one byte, not several)"
            )
    elif tree.found == NO_CHARACTER:
        what = "print" if source[at : at + 1] == b"." else "compare with"
        message = f"'{chr(source[at])}' needs a character to {what}, but the program ends"
    elif tree.found == EMPTY:
        message = f"the program has no expression: expected '`' or one of {_ATOMS}"
        at = 0
    else:
        return tree
    raise ParseError(message, source, (at, min(at + 1, len(source))))


def ignored_text(source: bytes, end: int) -> str | None:
    """Return a warning about text after the expression, which ends at ``end``, or None."""
    at = end
    while at < len(source):
        kind = CLASSES[source[at]]
        if kind == IS_COMMENT:
            at = source.find(b"\n", at)
            if at < 0:
                return None
        elif kind != IS_SPACE:
            line, column = locate(source, at)
            return (
                f"line {line}, column {column}: the program's expression ends before this "
                "place; the rest is ignored"
            )
        at += 1
    return None


def _format_byte(byte: int) -> str:
    return f"'{chr(byte)}'" if 32 < byte < 127 else f"byte {byte}"


ENGINE = Engine(__name__, Core="_core", Tree="_core_tree")


class UnlambdaProgram(CoreProgram):
    """An Unlambda program; ``code`` has the words of its expression in source order.

    length: source bytes up to the end of the expression.
    nursery: number of words allocated before garbage is collected; tests make it small.
    """

    machine_class = UnlambdaMachine
    nursery = NURSERY

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Parse the source; raise ParseError if it is invalid.

        engine: the compiled or the plain core.
        """
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        tree = parse_tree(source, engine.Tree)
        self.code: array[int] = tree.code
        self.length = tree.at
        warning = ignored_text(source, tree.at)
        if warning is not None:
            self.warnings = (warning,)
        self._depth = tree.depth
        self._new_core = engine.Core

    def new_core(self, limits: Limits) -> Core:
        """Return a core at step 0."""
        return self._new_core(
            self.code,
            self._depth,
            self.nursery,
            min(limits.memory // WORD_COST, MAX_WORDS),
            min(limits.output, UNLIMITED),
        )

    def spans(self) -> tuple[Span, ...]:
        return tuple(
            self.atom_span(word_location(word)) for word in self.code if word & TAG != OPERAND
        )

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(range(len(self.source) + 1))

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_right

        node = bisect_right(self.code, offset, key=word_location) - 1
        if node < 0 or not 0 <= offset < self.length:
            return None
        start = word_location(self.code[node])
        if offset >= start + self._width(node):
            return None
        while self.code[node] & TAG == OPERAND:
            node += 1
        return self.atom_span(word_location(self.code[node]))

    def occurrences(self, text: str) -> tuple[int, ...]:
        """Return the offsets of a combinator in upper and lower case; `r` also matches ``.\\n``."""
        wanted = text.encode("utf-8", "surrogateescape")
        wanted = b".\n" if wanted in (b"r", b"R") else wanted
        if len(wanted) != (2 if wanted[:1] in (b".", b"?") else 1):
            return ()
        tag, payload = CLASSES[wanted[0]], wanted[1] if len(wanted) == 2 else 0
        return tuple(
            word_location(word)
            for word in self.code
            if word & TAG == tag and word >> PAYLOAD == payload
        )

    def entry_address(self, span: Span) -> int | None:
        from bisect import bisect_left

        node, end = (bisect_left(self.code, offset, key=word_location) for offset in span)
        after = node
        while after < end and self.code[after] & TAG == OPERAND:
            after = self.code[after] >> PAYLOAD
        return entry_offset(self.code, node) if node <= after == end - 1 else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "char": "the current character, -1 when there is none",
            "depth": "frames of the continuation",
            "cells": "words in use, including garbage since the last collection",
        }

    def filter_names(self) -> FilterNames:
        from esolangs.filters import FilterNames

        return FilterNames(("step", "output", "char", "depth", "cells"))

    def atom_span(self, offset: int) -> Span:
        """Return the span of the atom that begins at ``offset``."""
        return (offset, offset + (2 if self.source[offset] in b".?" else 1))

    def term_span(self, offset: int) -> Span:
        """Return the span of the expression that begins at ``offset``."""
        from bisect import bisect_left

        node = bisect_left(self.code, offset, key=word_location)
        while self.code[node] & TAG == OPERAND:
            node = self.code[node] >> PAYLOAD
        return offset, self.atom_span(word_location(self.code[node]))[1]

    def _width(self, node: int) -> int:
        word = self.code[node]
        has_character = word & TAG in (PRINT, TEST) and self.source[word_location(word)] in b".?"
        return 2 if has_character else 1


_MAX_REDUCTIONS = 10_000


def entry_offset(code: array[int], node: int) -> int | None:
    """Return the offset of the combinator that a node evaluates to, or None if unknown.

    The value of an expression is a combinator with the operands that it has so far.  The machine
    identifies a function by the offset of its combinator, so applying the value executes the
    instruction at this offset.  Reducing the outermost application first finds the combinator
    without the values of operands.  Applications that have effects or take a continuation are not
    reduced.
    """
    head: Term = node
    operands: list[Term] = []  # the next one last
    for _ in range(_MAX_REDUCTIONS):
        while True:
            if isinstance(head, tuple):
                head, operand = head
            elif code[head] & TAG == OPERAND:
                operand = code[head] >> PAYLOAD
                head += 1
            else:
                break
            operands.append(operand)
        tag = code[head] & TAG
        if tag == S and len(operands) > 2:
            x, y, z = operands.pop(), operands.pop(), operands.pop()
            operands += [(y, z), z]
            head = x
        elif tag == K and len(operands) > 1:
            head = operands.pop()
            operands.pop()
        elif tag == I and operands:
            head = operands.pop()
        elif tag in (S, K) or not operands:
            return word_location(code[head])
        else:
            return None
    return None
