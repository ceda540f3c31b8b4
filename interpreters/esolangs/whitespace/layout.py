"""Places of the stack by name while a trace is made, and the trace as numbers."""

from __future__ import annotations

from esolangs.whitespace.tracing import (
    HEAD,
    OPERATIONS,
    T_ADDC,
    T_AND,
    T_END,
    T_MULC,
    T_RSUBC,
    T_SET,
    T_SHR,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = tuple[bool, int]  # (True, a constant) or (False, a place)

CONSTANT_RIGHT = frozenset({T_ADDC, T_MULC, T_RSUBC, T_SHR, T_AND})
"""Operations whose second operand is a constant."""

_TEMPORARY = 1 << 20  # places from here on get their number when the trace is complete


class Layout:
    """What is known of the stack, and the operations and exits laid out so far.

    cost: steps of the instructions taken up.
    """

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}  # of places whose value is not where it belongs
        self._depth = 0
        self._reach = 0
        self._need = 0
        self._checked: dict[int, None] = {}  # places that must hold slots, in order
        self._temporaries = 0
        self._out: list[int] = []
        self._places: list[int] = []  # indices into `_out` and exits that hold places
        self._exits: list[list[int]] = []
        self._exit_places: list[list[int]] = []
        self._exit_fields: list[int] = []  # indices into `_out` that hold numbers of exits
        self.cost: int = 0

    def laid_out(self, base: int) -> list[int]:
        """The trace as numbers, for a place in the code."""
        head = [self.cost, self._need, self._reach, len(self._checked), *self._checked]
        head[2:2] = [self._reach + self._temporaries]
        assert len(head) == HEAD + len(self._checked)
        size = len(head) + len(self._out)
        starts: list[int] = []
        for record in self._exits:
            starts.append(base + size)
            size += len(record)
        for index in self._exit_fields:
            self._out[index] = starts[self._out[index]]
        self._number(self._out, self._places)
        for record, places in zip(self._exits, self._exit_places, strict=True):
            record[0] = self.cost - record[0]
            self._number(record, places)
        return head + self._out + [number for record in self._exits for number in record]

    def _number(self, numbers: list[int], places: list[int]) -> None:
        for index in places:
            if numbers[index] >= _TEMPORARY:
                numbers[index] += self._reach - _TEMPORARY

    # Places and what they hold.

    def _require(self, count: int) -> None:
        """There must be so many entries on the stack."""
        self._need = max(self._need, count - self._depth)

    def _get(self, place: int) -> Value:
        """What a place holds, which must be a slot and no large number."""
        self._require(self._depth - place)
        if place in self._values:
            return self._values[place]
        self._checked[place] = None
        return False, place

    def _push(self, value: Value) -> None:
        self._values[self._depth] = value
        self._depth += 1
        self._reach = max(self._reach, self._depth)

    def _drop(self, count: int) -> None:
        self._require(count)
        self._depth -= count
        for place in [place for place in self._values if place >= self._depth]:
            del self._values[place]

    def _home(self) -> int:
        """Where the next result goes: its own place, unless that still holds what is needed."""
        place = self._depth
        if (False, place) in self._values.values():
            return self._temporary()
        return place

    def _temporary(self) -> int:
        self._temporaries += 1
        return _TEMPORARY + self._temporaries - 1

    def _placed(self, value: Value) -> Value:
        """The value in a place, for operations that take no constant there."""
        if not value[0]:
            return value
        place = self._temporary()
        self._emit(T_SET, place, value[1])
        self._places.append(len(self._out) - 2)
        return False, place

    # Laying out.

    def _emit(self, operation: int, *operands: int, exit: int = -1) -> None:
        self._out += [operation, *operands]
        if exit >= 0:
            self._field(exit)
        assert operation in OPERATIONS

    def _places_behind(self, operation: int, left: Value, right: Value) -> None:
        """Mark what an arithmetic operation just laid out names as places."""
        end = len(self._out)
        self._places += [end - 4, end - 3]
        if operation not in CONSTANT_RIGHT:
            self._places.append(end - 2)

    def _field(self, exit: int) -> None:
        self._exit_fields.append(len(self._out))
        self._out.append(exit)

    def _exit(self, kind: int, at: int) -> int:
        """A way out with the state as it is now; the number of its record."""
        moves = {
            place: value
            for place, value in self._values.items()
            if value != (False, place) and place < self._depth
        }
        record = [self.cost, self._depth, self._reach, kind, at, 0]
        places: list[int] = []
        while moves:
            sources = {value[1] for value in moves.values() if not value[0]}
            ready = next((place for place in moves if place not in sources), None)
            if ready is None:  # a circle: what one of its places holds is put aside
                ready = next(iter(moves))
                aside = self._temporary()
                self._move(record, places, aside, (False, ready))
                for place, value in moves.items():
                    if value == (False, ready):
                        moves[place] = (False, aside)
            self._move(record, places, ready, moves.pop(ready))
        self._exits.append(record)
        self._exit_places.append(places)
        return len(self._exits) - 1

    def _move(self, record: list[int], places: list[int], to: int, value: Value) -> None:
        record[5] += 1
        places.append(len(record))
        if not value[0]:
            places.append(len(record) + 2)
        record += [to, int(value[0]), value[1]]

    def _end(self, kind: int, at: int) -> int:
        self._emit(T_END, exit=self._exit(kind, at))
        return -1
