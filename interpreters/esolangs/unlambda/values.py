"""The values of a machine, opened by those who read what a program keeps in them."""

from __future__ import annotations

from esolangs.unlambda.opcodes import (
    ATOMS,
    CONT,
    K1,
    LAST_VALUE,
    LATER,
    PAYLOAD,
    PLACE,
    PLACES,
    S1,
    S2,
    TAG,
    K,
    S,
)
from esolangs.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda.machine import UnlambdaMachine

_ATOM_OF = {K1: K, S1: S, S2: S}
_NO_PLACE = ~(PLACES << PLACE)


class UnlambdaValue(Value):
    """See :class:`esolangs.value.Value`; a word, and the heap that its payload leads into."""

    __slots__ = ("_heap", "_word")

    def __init__(self, heap: memoryview[int], word: int):
        self._heap = heap
        self._word = word

    @property
    def head(self) -> str:
        tag = self._word & TAG
        if tag in _ATOM_OF:
            return chr(ATOMS[_ATOM_OF[tag]])
        return "d" if LATER <= tag < CONT else "c" if tag == CONT else chr(ATOMS[tag])

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


def operand(machine: UnlambdaMachine) -> UnlambdaValue | None:
    """What the next function gets; None where that is no value yet."""
    core = machine.core
    return UnlambdaValue(core.words(), core.arg) if core.arg & TAG <= LAST_VALUE else None
