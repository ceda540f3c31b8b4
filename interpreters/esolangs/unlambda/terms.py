"""Values and expressions as text of bounded size; deep and long parts are elided.

Every visible term has the span of its text and, on a tracing machine, its origin: the step that
made it, or, if negative, the complement of its source offset.
"""

from __future__ import annotations

from esolangs.unlambda.opcodes import (
    ATOMS,
    CONTINUATION,
    FORCE,
    K1,
    OPERAND,
    PAYLOAD,
    PLACE,
    PLACE_MASK,
    PRINT,
    PROMISE_PAIR,
    PROMISE_TERM,
    PROMISE_VALUE,
    S1,
    S2,
    SHARE,
    TAG,
    TEST,
    D,
    K,
    S,
)
from esolangs.view import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from esolangs.unlambda.program import UnlambdaMachine

    Term = tuple[int, int]
    """A value as its word, or ``~node`` for the expression at a node; and its origin."""
    Application = tuple[list["Item"], int]
    """The function and the operand of an application, and its origin."""
    Item = str | Term | Application
    Part = tuple[int, int, int]
    """Start and end of a term's text, and the term's origin (0 without tracing)."""

ELIDED = "…"
HOLE = "_"
"""The placeholder in an application for the value that it waits for."""

_HEADS = {K1: K, S1: S, S2: S, PROMISE_VALUE: D, PROMISE_PAIR: D, PROMISE_TERM: D}


def atom_text(word: int) -> str:
    """Return an atom as in the source, with invisible bytes in hexadecimal."""
    tag, byte = word & TAG, word >> PAYLOAD
    if tag == CONTINUATION:
        return "<c>"
    if tag == PRINT and byte == 10:
        return "r"
    character = chr(ATOMS[tag])
    if tag not in (PRINT, TEST):
        return character
    return character + (chr(byte) if 32 < byte < 127 else f"\\x{byte:02x}")


class MachineTerms:
    """Reader of the terms in a machine's memory; valid until the machine runs again."""

    def __init__(self, machine: UnlambdaMachine):
        self._core = core = machine.core
        self._ended = machine.ended
        self._code, self._heap, self._stack = machine.program.code, core.words(), core.frames()
        self._origins = core.origins() if core.tracing else None

    def next(self) -> Item:
        """Return the application that the next step executes; after the end, the final value."""
        core = self._core
        if self._ended:
            return core.arg, core.arg_origin
        return [(core.fun, core.fun_origin), self.operand()], core.app_origin

    def operand(self) -> Item:
        """Return the operand of the next application; unevaluated if `d` delays it."""
        core = self._core
        tag, at = core.arg & TAG, core.arg >> PAYLOAD
        if tag == OPERAND:
            return self._expression(at)
        if tag == SHARE:
            return [self.heap_value(at + 1), self._stack_origin(core.sp - 1)], core.arg_origin
        return core.arg, core.arg_origin

    def heap_value(self, at: int) -> Term:
        """Return the value in word ``at`` of the heap, with its origin (0 without tracing)."""
        return self._heap[at], self._origins[0][at] if self._origins else 0

    def promise_content(self, promise: int) -> Item:
        """Return the value or expression that a promise delays."""
        tag, at = promise & TAG, promise >> PAYLOAD
        if tag == PROMISE_TERM:
            return self._expression(at)
        if tag == PROMISE_PAIR:
            return [self.heap_value(at), self.heap_value(at + 1)], self._heap_origin(at)
        return self.heap_value(at)

    def frames(self) -> Iterator[tuple[int, Application]]:
        """Yield the frames, innermost first, each as its word and the application it continues.

        The application has a HOLE in place of the value that the frame waits for.
        """
        core, stack, heap = self._core, self._stack, self._heap
        at = core.sp - 1
        if core.arg & TAG == SHARE:
            at -= 1  # the operand that `d` delays is still on the stack, but not as a frame
        while at > 0:
            pair = stack[at] & TAG in (SHARE, FORCE)
            app_origin = self._origins[3][at] if self._origins else 0
            kept = self._stack_origin(at - 1) if pair else None
            yield stack[at], self._frame_application(self._stack_origin(at), kept, app_origin)
            at -= 2 if pair else 1
        link = core.under >> PAYLOAD
        while link:
            pair = heap[link] & TAG in (SHARE, FORCE)
            kept = self.heap_value(link + 2) if pair else None
            yield (
                heap[link],
                self._frame_application(self.heap_value(link), kept, self._heap_origin(link)),
            )
            link = heap[link + 1] >> PAYLOAD

    def _frame_application(self, frame: Term, value: Term | None, origin: int) -> Application:
        tag, at = frame[0] & TAG, frame[0] >> PAYLOAD
        if tag == OPERAND:
            return [HOLE, self._expression(at)], origin
        if value is None:
            return [frame, HOLE], origin
        if tag == FORCE:
            return [HOLE, value], origin
        return [HOLE, ([self.heap_value(at + 1), value], origin)], origin

    def _stack_origin(self, at: int) -> Term:
        return self._stack[at], self._origins[2][at] if self._origins else 0

    def _heap_origin(self, at: int) -> int:
        """Return the origin of the application around word ``at`` of the heap; 0 if not traced."""
        return self._origins[1][at] if self._origins else 0

    def _expression(self, node: int) -> Term:
        return ~node, ~(self._code[node] >> PLACE & PLACE_MASK)

    def text(self, items: list[Item], width: int, depth: int) -> tuple[str, list[Part]]:
        """Return the items as one text of at most ``width`` characters, and each term's range.

        Outer terms are expanded before inner terms, and a function before its operands; parts that
        do not fit, or are nested in more than ``depth`` operands, become ``…``.  An outer term
        precedes its inner terms in the ranges.
        """
        top = [_TextItem(item, 0) for item in items]
        length = sum(len(each.text) for each in top)
        level, opening, later = 0, list(top), list[_TextItem]()
        while opening:
            for each in opening:  # grows during the loop
                item = each.item
                if isinstance(item, str):
                    continue
                text, inner = self._expand(item)
                grown = length - 1 + len(text) + len(inner)
                if inner and (level > depth or grown > width):
                    continue
                length = grown
                each.text, each.inner = text, [_TextItem(*some) for some in inner]
                for some in each.inner:
                    (later if some.inner_depth else opening).append(some)
            level, opening, later = level + 1, later, []
        return _join_items(top)

    def _expand(self, item: Term | Application) -> tuple[str, list[tuple[Item, int]]]:
        """Return the text with which an expanded term begins, and the items after this text.

        With each item comes its depth in the term: 1 if the item is an operand, else 0.
        """
        what = item[0]
        if isinstance(what, list):
            return "`", [(each, 1 if at else 0) for at, each in enumerate(what)]
        if what < 0:
            word = self._code[~what]
            if word & TAG != OPERAND:
                return atom_text(word), []
            return "`", [(self._expression(~what + 1), 0), (self._expression(word >> PAYLOAD), 1)]
        tag, at = what & TAG, what >> PAYLOAD
        if tag not in _HEADS:
            return atom_text(what), []
        place = what & PLACE_MASK << PLACE
        head: Item = place | _HEADS[tag], ~(place >> PLACE)
        if tag == S2:
            first: Item = [head, self.heap_value(at)], self._heap_origin(at)
            return "`", [(first, 0), (self.heap_value(at + 1), 1)]
        held = self.heap_value(at) if tag in (K1, S1) else self.promise_content(what)
        return "`", [(head, 0), (held, 1)]


class _TextItem:
    """An item in a text: a term, shown as ``…`` until it is expanded, or fixed text."""

    __slots__ = ("inner", "inner_depth", "item", "text")

    def __init__(self, item: Item, inner_depth: int):
        self.item = item
        self.inner_depth = inner_depth
        self.text = item if isinstance(item, str) else ELIDED
        self.inner: list[_TextItem] = []


def _join_items(items: list[_TextItem]) -> tuple[str, list[Part]]:
    texts: list[str] = []
    length = 0
    parts: list[Part] = []
    still_open: list[int] = []
    to_write: list[_TextItem | None] = [*reversed(items)]
    while to_write:
        shown = to_write.pop()
        if shown is None:  # a term ends here
            at = still_open.pop()
            parts[at] = parts[at][0], length, parts[at][2]
            continue
        if not isinstance(shown.item, str):
            still_open.append(len(parts))
            parts.append((length, length, shown.item[1]))
            to_write.append(None)
        texts.append(shown.text)
        length += len(shown.text)
        to_write += reversed(shown.inner)
    return "".join(texts), parts


_ATOM_OF = {K1: K, S1: S, S2: S}
_NO_PLACE = ~(PLACE_MASK << PLACE)


class UnlambdaValue(Value):
    """A value of Unlambda: a word, and the heap to which the word refers."""

    __slots__ = ("_heap", "_word")

    def __init__(self, heap: memoryview[int], word: int):
        self._heap = heap
        self._word = word

    @property
    def head(self) -> str:
        tag = self._word & TAG
        if tag in _ATOM_OF:
            return chr(ATOMS[_ATOM_OF[tag]])
        return (
            "d"
            if PROMISE_VALUE <= tag < CONTINUATION
            else "c"
            if tag == CONTINUATION
            else chr(ATOMS[tag])
        )

    @property
    def parts(self) -> tuple[UnlambdaValue, ...]:
        tag, at = self._word & TAG, self._word >> PAYLOAD
        if tag not in _ATOM_OF:
            return ()
        heap = self._heap
        first = UnlambdaValue(heap, heap[at])
        return (first, UnlambdaValue(heap, heap[at + 1])) if tag == S2 else (first,)

    @property
    def identity(self) -> int:
        return self._word & _NO_PLACE
