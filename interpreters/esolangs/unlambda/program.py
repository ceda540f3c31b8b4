"""A parsed Unlambda program."""

from __future__ import annotations

from esolangs.core_machine import CoreProgram
from esolangs.engines import Engine
from esolangs.limits import UNLIMITED, Limits
from esolangs.unlambda.machine import UnlambdaMachine
from esolangs.unlambda.opcodes import (
    CLASSES,
    MOST_WORDS,
    NURSERY,
    OPERAND,
    PAYLOAD,
    PLACE,
    PLACES,
    PRINT,
    TAG,
    TEST,
)
from esolangs.unlambda.parser import ignored_text, parse_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping
    from typing import Any

    from esolangs.language import Language, Options
    from esolangs.source import Span
    from esolangs.tally import IndexedTally
    from esolangs.unlambda._core import Core

ENGINE = Engine(__name__, Core="_core", Tree="_core_tree")


class UnlambdaProgram(CoreProgram):
    """``code`` holds the expression in source order, see :mod:`esolangs.unlambda.opcodes`.

    length: source bytes from the first to the end of the expression.
    nursery: words that may be taken before garbage is collected; tests make it small.
    """

    machine_class = UnlambdaMachine
    nursery = NURSERY

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Raises ParseError.  ``engine`` picks the compiled or the plain core; tests use both."""
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
        """A core at step 0."""
        return self._new_core(
            self.code,
            self._depth,
            self.nursery,
            min(limits.memory // 8, MOST_WORDS),
            min(limits.output, UNLIMITED),
        )

    def spans(self) -> tuple[Span, ...]:
        return tuple(
            self.span_of(word >> PLACE & PLACES) for word in self.code if word & TAG != OPERAND
        )

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(range(len(self.source) + 1))

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_right

        node = bisect_right(self.code, offset, key=_place) - 1
        if node < 0 or not 0 <= offset < self.length:
            return None
        start = _place(self.code[node])
        if offset >= start + self._width(node):
            return None
        while self.code[node] & TAG == OPERAND:
            node += 1
        return self.span_of(_place(self.code[node]))

    def occurrences(self, text: str) -> tuple[int, ...]:
        """Where the combinator stands, in upper or lower case, `r` also as its long form."""
        wanted = text.encode("utf-8", "surrogateescape")
        wanted = b".\n" if wanted in (b"r", b"R") else wanted
        if len(wanted) != (2 if wanted[:1] in (b".", b"?") else 1):
            return ()
        tag, payload = CLASSES[wanted[0]], wanted[1] if len(wanted) == 2 else 0
        return tuple(
            _place(word) for word in self.code if word & TAG == tag and word >> PAYLOAD == payload
        )

    def entered_at(self, span: Span) -> int | None:
        from bisect import bisect_left

        from esolangs.unlambda.entries import entry

        node, behind = (bisect_left(self.code, offset, key=_place) for offset in span)
        after = node
        while after < behind and self.code[after] & TAG == OPERAND:
            after = self.code[after] >> PAYLOAD
        return entry(self.code, node) if node <= after == behind - 1 else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "char": "the current character, -1 when there is none",
            "depth": "frames of the continuation",
            "cells": "words in use, with garbage that was not measured yet",
        }

    def span_of(self, offset: int) -> Span:
        """The span of the atom that begins at ``offset``."""
        return (offset, offset + (2 if self.source[offset] in b".?" else 1))

    def span_of_term(self, offset: int) -> Span:
        """The span of the expression that begins at ``offset``."""
        from bisect import bisect_left

        node = bisect_left(self.code, offset, key=_place)
        while self.code[node] & TAG == OPERAND:
            node = self.code[node] >> PAYLOAD
        return offset, self.span_of(_place(self.code[node]))[1]

    def _width(self, node: int) -> int:
        tag = self.code[node] & TAG
        return 2 if tag in (PRINT, TEST) and self.source[_place(self.code[node])] in b".?" else 1


def _place(word: int) -> int:
    return word >> PLACE & PLACES
