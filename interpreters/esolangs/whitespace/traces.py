"""The compiler of frequent code to traces: three-address operations on places of the stack.

A trace follows the instructions from a frequently executed one: over jumps, into calls and out of
them, and past conditional jumps that are not taken.  The compiler tracks the content of the stack:
pushing, copying and swapping emit no operations, and an exit stores the values that are still
there.  An operation that cannot be done on slots alone takes an exit that restores the state before
its instruction, and single steps continue.  ``tracing.py`` defines the numbers of operations and
their operands.
"""

from __future__ import annotations

from array import array

from esolangs.whitespace.opcodes import (
    ADD,
    BIG,
    CALL,
    COPY,
    DISCARD,
    DIV,
    DUP,
    END,
    HALT,
    JN,
    JUMP,
    JZ,
    LABEL,
    MOD,
    MUL,
    PUSH,
    RETRIEVE,
    RETURN,
    SLIDE,
    STORE,
    SUB,
    SWAP,
)
from esolangs.whitespace.tracing import (
    BACK,
    BAIL,
    GO,
    HEAD,
    MAX_TEMPORARIES,
    OPERATIONS,
    T_ADD,
    T_ADDC,
    T_AND,
    T_CALL,
    T_DIV,
    T_END,
    T_JEQ,
    T_JEQC,
    T_JGTC,
    T_JLT,
    T_JLTC,
    T_JN,
    T_JZ,
    T_LOAD,
    T_LOADC,
    T_MOD,
    T_MUL,
    T_MULC,
    T_POP,
    T_RETURN,
    T_RSUBC,
    T_SET,
    T_SHR,
    T_STORE,
    T_STOREC,
    T_STORECK,
    T_STOREK,
    T_SUB,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.whitespace.parser import ParsedCode

    Value = tuple[bool, int]  # (True, a constant) or (False, a place)

CONSTANT_RIGHT = frozenset({T_ADDC, T_MULC, T_RSUBC, T_SHR, T_AND})
"""Operations whose second operand is a constant."""

_TEMPORARY = 1 << 20  # places from here on are numbered when the trace is complete


class TraceLayout:
    """The known stack content, and the operations and exits of a trace.

    cost: steps of the instructions in the trace.
    """

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}  # by place, if the value is elsewhere
        self._depth = 0
        self._reach = 0
        self._need = 0
        self._checked: dict[int, None] = {}  # places that must hold slots, in order
        self._temporaries = 0
        self._out: list[int] = []
        self._places: list[int] = []  # indices into `_out` and exits that hold places
        self._exit_records: list[list[int]] = []
        self._exit_places: list[list[int]] = []
        self._exit_fields: list[int] = []  # indices into `_out` that hold numbers of exits
        self.cost: int = 0

    def to_numbers(self, base: int) -> list[int]:
        """Encode the trace as numbers, which the caller stores in its array at ``base``."""
        head = [self.cost, self._need, self._reach, len(self._checked), *self._checked]
        head[2:2] = [self._reach + self._temporaries]
        assert len(head) == HEAD + len(self._checked)
        size = len(head) + len(self._out)
        starts: list[int] = []
        for record in self._exit_records:
            starts.append(base + size)
            size += len(record)
        for index in self._exit_fields:
            self._out[index] = starts[self._out[index]]
        self._place_temporaries(self._out, self._places)
        for record, places in zip(self._exit_records, self._exit_places, strict=True):
            record[0] = self.cost - record[0]
            self._place_temporaries(record, places)
        return head + self._out + [number for record in self._exit_records for number in record]

    def _place_temporaries(self, numbers: list[int], indices: list[int]) -> None:
        """Replace temporaries among the places at ``indices`` by places above the stack."""
        for index in indices:
            if numbers[index] >= _TEMPORARY:
                numbers[index] += self._reach - _TEMPORARY

    # Places and their values.

    def _require_depth(self, count: int) -> None:
        """Require for the whole trace that the stack has ``count`` entries at this point."""
        self._need = max(self._need, count - self._depth)

    def _value_at(self, place: int) -> Value:
        """Return the value in a place on the stack.

        If the trace has not stored a value there, note that the trace can be entered only if the
        number in this place fits a slot.
        """
        self._require_depth(self._depth - place)
        if place in self._values:
            return self._values[place]
        self._checked[place] = None
        return False, place

    def _push(self, value: Value) -> None:
        self._values[self._depth] = value
        self._depth += 1
        self._reach = max(self._reach, self._depth)

    def _drop(self, count: int) -> None:
        self._require_depth(count)
        self._depth -= count
        for place in [place for place in self._values if place >= self._depth]:
            del self._values[place]

    def _result_place(self) -> int:
        """Return the place for the next result, which is the next place on the stack if possible.

        It is a temporary if the next place still holds the value of another entry.
        """
        place = self._depth
        if (False, place) in self._values.values():
            return self._new_temporary()
        return place

    def _new_temporary(self) -> int:
        self._temporaries += 1
        return _TEMPORARY + self._temporaries - 1

    def _place_of(self, value: Value) -> Value:
        """Return ``value`` if it is a place; store a constant in a new place and return that."""
        if not value[0]:
            return value
        place = self._new_temporary()
        self._emit(T_SET, place, value[1])
        self._places.append(len(self._out) - 2)
        return False, place

    # Laying out.

    def _emit(self, operation: int, *operands: int, exit: int = -1) -> None:
        self._out += [operation, *operands]
        if exit >= 0:
            self._append_exit_field(exit)
        assert operation in OPERATIONS

    def _record_places(self, operation: int, left: Value, right: Value) -> None:
        """Record which operands of the last operation are places, for ``_place_temporaries``."""
        end = len(self._out)
        self._places += [end - 4, end - 3]
        if operation not in CONSTANT_RIGHT:
            self._places.append(end - 2)

    def _append_exit_field(self, exit: int) -> None:
        self._exit_fields.append(len(self._out))
        self._out.append(exit)

    def _append_exit(self, kind: int, instruction: int) -> int:
        """Add an exit with the current state; return the number of its record.

        instruction: where execution continues.
        """
        moves = {
            place: value
            for place, value in self._values.items()
            if value != (False, place) and place < self._depth
        }
        record = [self.cost, self._depth, self._reach, kind, instruction, 0]
        places: list[int] = []
        while moves:
            sources = {value[1] for value in moves.values() if not value[0]}
            ready = next((place for place in moves if place not in sources), None)
            if ready is None:  # a cycle: save the value of one place first
                ready = next(iter(moves))
                aside = self._new_temporary()
                self._append_move(record, places, aside, (False, ready))
                for place, value in moves.items():
                    if value == (False, ready):
                        moves[place] = (False, aside)
            self._append_move(record, places, ready, moves.pop(ready))
        self._exit_records.append(record)
        self._exit_places.append(places)
        return len(self._exit_records) - 1

    def _append_move(
        self, record: list[int], places: list[int], destination: int, value: Value
    ) -> None:
        record[5] += 1
        places.append(len(record))
        if not value[0]:
            places.append(len(record) + 2)
        record += [destination, int(value[0]), value[1]]

    def _append_end(self, kind: int, at: int) -> int:
        self._emit(T_END, exit=self._append_exit(kind, at))
        return -1


MAX_TRACE_STEPS = 120  # instructions of a trace
MIN_TRACE_STEPS = 2
_MAX_NUMBER = (1 << 63) - 1
_ARITHMETIC = frozenset({ADD, SUB, MUL, DIV, MOD})


class Traces:
    """The traces of a program, each compiled from a frequently executed instruction on.

    code: the numbers that the core runs.  entry: for every instruction, the index in ``code`` of
    its trace; -1 if it has none, -2 if a trace is not worthwhile.
    """

    def __init__(self, code: ParsedCode, options: Mapping[str, str | int]):
        self.code = array("q", bytes(8 * 256))
        self.entry = array("i", [-1]) * len(code.ops)
        self._size = 1
        self._program = code
        self._rounding = options["division"] == "floor", options["division"] != "truncate"

    def add(self, start: int) -> None:
        """Compile the trace that begins at an instruction.

        Cores may still use the previous arrays, which stay valid: code is only appended, and
        entries are copied.
        """
        trace = _Trace(self._program, start, self._rounding)
        trace.follow()
        self.entry = self.entry[:]
        if trace.cost < MIN_TRACE_STEPS:
            self.entry[start] = -2
            return
        laid_out = array("q", trace.to_numbers(self._size))
        end = self._size + len(laid_out)
        if end > len(self.code):
            self.code = self.code + array("q", bytes(8 * (end + len(self.code))))
        self.code[self._size : end] = laid_out
        self.entry[start] = self._size
        self._size = end


class _Trace(TraceLayout):
    def __init__(self, program: ParsedCode, start: int, rounding: tuple[bool, bool]):
        super().__init__()
        self._ops, self._args = program.ops, program.args
        self._start = start
        self._floor_quotient, self._floor_remainder = rounding
        self._frames: list[int] = []  # return points of calls made within the trace

    def follow(self) -> None:
        """Add instructions until one cannot be added or execution returns to one of them."""
        at, seen = self._start, set[int]()
        while True:
            if (
                self.cost == MAX_TRACE_STEPS
                or at in seen
                or self._ops[at] == HALT
                or self._temporaries > MAX_TEMPORARIES - 4
            ):
                self._append_end(GO, at)
                return
            seen.add(at)
            following = self._add_instruction(at)
            if following < 0:
                return
            at = following

    def _add_instruction(self, at: int) -> int:
        """Add one instruction, if possible; return the next one, or -1 if the trace ends."""
        op, arg, depth = self._ops[at], self._args[at], self._depth
        if op == PUSH and arg != BIG:
            self._push((True, arg))
        elif op in (DUP, COPY):
            if arg < 0 or arg > 1 << 16:
                return self._append_end(BAIL, at)
            self._push(self._value_at(depth - 1 - arg))
        elif op == SWAP:
            upper, lower = self._value_at(depth - 1), self._value_at(depth - 2)
            self._values[depth - 1], self._values[depth - 2] = lower, upper
        elif op == DISCARD:
            self._drop(1)
        elif op == SLIDE:
            if arg > 1 << 16:
                return self._append_end(BAIL, at)
            if arg > 0:
                top = self._value_at(depth - 1)
                self._drop(arg + 1)
                self._push(top)
            else:
                self._require_depth(1)
        elif op in _ARITHMETIC:
            following = self._append_arithmetic(op, at)
            if following != at + 1:
                return following
        elif op == STORE:
            self._append_store(at)
        elif op == RETRIEVE:
            self._append_load(at)
        elif op in (JZ, JN):
            return self._append_branch(op, at)
        elif op == JUMP and arg >= 0:
            self.cost += 1
            return arg
        elif op == CALL and arg >= 0:
            self._emit(T_CALL, at + 1, exit=self._append_exit(BAIL, at))
            self._frames.append(at + 1)
            self.cost += 1
            return arg
        elif op == RETURN:
            return self._append_return(at)
        elif op == END:
            self.cost += 1
            return self._append_end(GO, len(self._ops) - 1)
        elif op != LABEL:
            return self._append_end(BAIL, at)
        self.cost += 1
        return at + 1

    def _append_return(self, at: int) -> int:
        if self._frames:
            self._emit(T_POP)
            self.cost += 1
            return self._frames.pop()
        bail = self._append_exit(BAIL, at)
        self.cost += 1
        self._emit(T_RETURN, exit=bail)
        self._append_exit_field(self._append_exit(BACK, at))
        return -1

    def _append_arithmetic(self, op: int, at: int) -> int:
        """Append code for an arithmetic instruction and, if possible, for the jump after it.

        Return the index of the next instruction of the trace, or -1 if the trace ends here.
        """
        a, b = self._value_at(self._depth - 2), self._value_at(self._depth - 1)
        following = self._ops[at + 1]
        if a[0] and b[0]:
            result = self._fold_constants(op, a[1], b[1])
            if result is None:
                return self._append_end(BAIL, at)
            self._drop(2)
            self._push((True, result))
            return at + 1
        if op == SUB and following in (JZ, JN) and self._args[at + 1] >= 0:
            return self._append_comparison(following, a, b, at)
        operation, left, right = self._select_operation(op, a, b)
        bail = self._append_exit(BAIL, at)
        if operation < 0:
            return self._append_end(BAIL, at)
        left = self._place_of(left)
        if operation not in CONSTANT_RIGHT:
            right = self._place_of(right)
        self._drop(2)
        home = self._result_place()
        self._emit(operation, home, left[1], right[1], exit=bail)
        self._record_places(operation, left, right)
        self._push((False, home))
        return at + 1

    def _select_operation(self, op: int, a: Value, b: Value) -> tuple[int, Value, Value]:
        """Return the trace operation for an arithmetic instruction, and its operands in order.

        The operation is -1 if the instruction divides by a constant 0.
        """
        if op in (ADD, MUL) and a[0]:
            a, b = b, a
        if op == ADD:
            return (T_ADDC if b[0] else T_ADD), a, b
        if op == MUL:
            return (T_MULC if b[0] else T_MUL), a, b
        if op == SUB:
            if b[0]:
                return T_ADDC, a, (True, -b[1])
            return (T_RSUBC, b, a) if a[0] else (T_SUB, a, b)
        if b[0]:
            power = b[1] > 0 and b[1] & (b[1] - 1) == 0
            if b[1] == 0:
                return -1, a, b
            if power and op == DIV and self._floor_quotient:
                return T_SHR, a, (True, b[1].bit_length() - 1)
            if power and op == MOD and self._floor_remainder:
                return T_AND, a, (True, b[1] - 1)
        return (T_DIV if op == DIV else T_MOD), a, b

    def _fold_constants(self, op: int, a: int, b: int) -> int | None:
        if op in (DIV, MOD):
            if b == 0:
                return None
            quotient, remainder = divmod(a, b)
            if remainder and quotient < 0:
                quotient += not self._floor_quotient
                remainder -= 0 if self._floor_remainder else b
            result = quotient if op == DIV else remainder
        else:
            result = a + b if op == ADD else a - b if op == SUB else a * b
        return result if -_MAX_NUMBER <= result <= _MAX_NUMBER else None

    def _append_comparison(self, jump: int, a: Value, b: Value, at: int) -> int:
        bail = self._append_exit(BAIL, at)
        self._drop(2)
        if jump == JZ:
            if a[0]:
                a, b = b, a
            operation = T_JEQC if b[0] else T_JEQ
        elif a[0]:  # the constant is less than the place
            a, b, operation = b, a, T_JGTC
        else:
            operation = T_JLTC if b[0] else T_JLT
        self.cost += 2
        target = self._args[at + 1]
        taken = self._append_exit(GO, target)
        self._emit(operation, a[1], b[1], exit=bail)
        self._places.append(len(self._out) - 3)
        if not b[0]:
            self._places.append(len(self._out) - 2)
        self._append_exit_field(taken)
        return at + 2 if target != self._start else self._append_end(GO, at + 2)

    def _append_branch(self, op: int, at: int) -> int:
        value = self._value_at(self._depth - 1)
        target = self._args[at]
        if value[0]:
            taken = value[1] == 0 if op == JZ else value[1] < 0
            if taken and target < 0:
                return self._append_end(BAIL, at)
            self._drop(1)
            self.cost += 1
            return target if taken else at + 1
        missing = self._append_exit(BAIL, at)
        self._drop(1)
        self.cost += 1
        taken = missing if target < 0 else self._append_exit(GO, target)
        self._emit(T_JZ if op == JZ else T_JN, value[1], exit=taken)
        self._places.append(len(self._out) - 2)
        return at + 1 if target != self._start else self._append_end(GO, at + 1)

    def _append_load(self, at: int) -> None:
        address = self._value_at(self._depth - 1)
        bail = self._append_exit(BAIL, at)
        self._drop(1)
        home = self._result_place()
        self._emit(T_LOADC if address[0] else T_LOAD, home, address[1], exit=bail)
        self._places.append(len(self._out) - 3)
        if not address[0]:
            self._places.append(len(self._out) - 2)
        self._push((False, home))

    def _append_store(self, at: int) -> None:
        address, value = self._value_at(self._depth - 2), self._value_at(self._depth - 1)
        bail = self._append_exit(BAIL, at)
        self._drop(2)
        by_kind = (T_STORE, T_STOREK), (T_STOREC, T_STORECK)
        self._emit(by_kind[address[0]][value[0]], address[1], value[1], exit=bail)
        for operand, back in ((address, 3), (value, 2)):
            if not operand[0]:
                self._places.append(len(self._out) - back)
