"""Translates blocks of a Befunge program to a module of WebAssembly.

The module has one function that enters at any block and returns where the core takes over, and two
helpers, for ``p`` and ``.``.  Within a block, pushed values are in local variables or known when
the block is translated; the end of the block writes them to the stack in memory.

A block first tests whether the remaining steps, the values on the stack and the room above them are
enough for the whole block.  If not, or if another test fails before the block has had an effect,
the tier returns at the block's beginning.
"""

from __future__ import annotations

from esolangs.befunge_98.flow import FETCH, STRING, Graph
from esolangs.befunge_98.opcodes import UNKNOWN
from esolangs.reasons import CHUNK
from esolangs.wasm import (
    BLOCK,
    BR,
    BR_IF,
    BR_TABLE,
    CALL,
    ELSE,
    END,
    I32,
    I32_ADD,
    I32_AND,
    I32_EQ,
    I32_EQZ,
    I32_GE_U,
    I32_GT_U,
    I32_LOAD,
    I32_LOAD8_U,
    I32_LT_S,
    I32_LT_U,
    I32_NE,
    I32_OR,
    I32_SHL,
    I32_SHR_U,
    I32_STORE,
    I32_STORE8,
    I32_SUB,
    I32_WRAP_I64,
    I64,
    I64_ADD,
    I64_AND,
    I64_DIV_S,
    I64_EQ,
    I64_EQZ,
    I64_EXTEND_I32_U,
    I64_GE_U,
    I64_GT_S,
    I64_LOAD,
    I64_LT_S,
    I64_LT_U,
    I64_MUL,
    I64_NE,
    I64_REM_S,
    I64_STORE,
    I64_SUB,
    I64_XOR,
    IF,
    IF_I32,
    IF_I64,
    LOOP,
    PAGE,
    RETURN,
    SELECT,
    Function,
    get,
    i32,
    i64,
    load_small,
    load_word,
    module_of,
    put,
    tee,
    unsigned,
)
from esolangs.wasm_printing import PrintBuffers, number_function, print_byte

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

    from esolangs.befunge_98.flow import Instruction, Place, PlaneBlock, Point

# Exits that belong to no instruction.  At NO_ROOM and UNDONE, the tier returns at the beginning of
# the block entered last; only UNDONE has already subtracted the block's steps from ``LEFT``.
NO_ROOM, UNDONE, STALE = range(3)

# Addresses in the memory of the module.
CONTROL = 64
RING = 1 << 10  # numbers of the blocks entered last, of 4 bytes
RING_SIZE = 64  # a power of 2, more than TRAIL
CODE_OF = 1 << 11
SCRATCH = (1 << 11) + (1 << 9)
OUT_BYTES = 1 << 12
OUT_STEPS = OUT_BYTES + CHUNK
POINTS = OUT_STEPS + 8 * CHUNK  # addresses of cells with known coordinates
MOST_POINTS = 1 << 12
GUARDS = 1 << 17  # addresses of the cells that must not change
MOST_GUARDS = 1 << 17
GUARD_VALUES = GUARDS + 4 * MOST_GUARDS
STACK = GUARD_VALUES + 8 * MOST_GUARDS
MOST_STACK = 1 << 16  # values
MOST_CELLS = 1 << 22  # of a window with its ring
MOST_FAR = 1 << 18  # cells of the rectangle around all cells outside of the window
FAR = STACK + 8 * MOST_STACK  # the cells of this rectangle
FAR_CHANGED = FAR + 8 * MOST_FAR  # for each of these cells: 1 if it was written
FAR_LIST = FAR_CHANGED + MOST_FAR  # indexes of the written cells
MARKS = FAR_LIST + 4 * MOST_FAR  # for each cell: 1 if it must not change
CODES = MARKS + MOST_CELLS
CELLS = CODES + MOST_CELLS

# Numbers of the control words, of 8 bytes each.
(LEFT, DEPTH, CEILING, ENTERED, ENTRY, PRINTED, ROOM, LIMIT) = range(8)
(WINDOW_X, WINDOW_Y, WIDTH, HEIGHT, STRIDE, ORIGIN) = range(8, 14)
(LOW_X, LOW_Y, HIGH_X, HIGH_Y, LOOSE, RECODED, GUARDED) = range(14, 21)
(FAR_X, FAR_Y, FAR_WIDTH, FAR_HEIGHT, FAR_KNOWN, FAR_WRITES, FAR_ROOM) = range(21, 28)
WORDS = 28

_BUFFERS = PrintBuffers(CONTROL + 8 * ROOM, OUT_BYTES, OUT_STEPS, SCRATCH)

# Local variables.  ``_SP`` is the address after the top of the stack.
(_PC, _SP, _ENTERED, _PRINTED, _EXIT, _CEILING, _AT, _CODE, _LEFT) = range(9)
(_X, _Y, _WIDTH, _HEIGHT, _STRIDE, _ORIGIN) = range(9, 15)
_KINDS = [I32] * 8 + [I64] * 7

_PUT, _PRINT_NUMBER, _GET_FAR = 1, 2, 3  # functions

_HALF = 1 << 63
_ALL = (1 << 64) - 1

Value = tuple[int | None, bytes, int | None]
"""A value within a block: the number, if it is known; code that pushes it; and the stack place,
counted from the block's beginning, at which memory already contains it, or None.
"""


class PlaneExit:
    """A point in a block at which the core takes over.

    place: the state of the IP.  executed: number of the block's steps executed before it.
    after: number of steps that the core executes next.  puts: whether a ``p`` was refused.
    """

    __slots__ = ("after", "block", "executed", "place", "puts")

    def __init__(self, block: int, executed: int, place: Place, after: int, puts: bool):
        self.block = block
        self.executed = executed
        self.place = place
        self.after = after
        self.puts = puts


class PlaneTranslation:
    """The compiled code of a graph's blocks, and the cells that it depends on."""

    def __init__(self, graph: Graph):
        terrain = graph.terrain
        self._graph = graph
        self._rules = terrain.rules
        self.window = terrain.window
        self.wraps = graph.wraps
        self.guards = [(*terrain.point(at), terrain.cells[at]) for at in sorted(graph.guards)]
        self.guarded = {(x, y) for x, y, _ in self.guards}
        self.blocks = graph.blocks
        self.places = [graph.place(block.head) for block in self.blocks]
        self.numbers = {
            place: block.number
            for block, place in zip(self.blocks, self.places, strict=True)
            if block.cost
        }
        self._number_of = {block.head: block.number for block in self.blocks}
        self.parts: list[tuple[int, int]] = []  # exits by a branch: block, steps executed
        self.exits: list[PlaneExit] = [PlaneExit(-1, 0, (0, 0, 0, 0), 0, False)] * 3
        self.points: dict[Point, int] = {}
        self.writes = False
        self._locals = self._most_locals = len(_KINDS)
        self._out = bytearray()
        self._labels = 1  # blocks of WebAssembly around the instruction, within the block
        self._stack: list[Value] = []
        self._taken = 0  # values popped that were on the stack before the block
        self._lowest = self._highest = 0
        self._known: dict[Point, Value] = {}  # values of cells
        self._acted = False
        self._number = 0
        self._place: Place = (0, 0, 0, 0)
        self._executed = 0
        self.code = self._module()

    # The module.

    def _module(self) -> bytes:
        blocks = [self._block(block) for block in self.blocks]
        body = b"".join(
            _word(word) + put(local)
            for word, local in (
                (WINDOW_X, _X),
                (WINDOW_Y, _Y),
                (WIDTH, _WIDTH),
                (HEIGHT, _HEIGHT),
                (STRIDE, _STRIDE),
                (ORIGIN, _ORIGIN),
                (LEFT, _LEFT),
            )
        )
        body += b"".join(
            _small(word) + put(local)
            for word, local in ((DEPTH, _SP), (CEILING, _CEILING), (ENTRY, _PC))
        )
        body += BLOCK * 3 + self._test_guards() + LOOP + BLOCK * len(blocks)
        body += get(_PC) + BR_TABLE + unsigned(len(blocks) - 1)
        body += b"".join(unsigned(number) for number in range(len(blocks)))
        body += b"".join(END + block for block in blocks)
        body += END + END + i32(NO_ROOM) + put(_EXIT) + BR + unsigned(1)
        body += END + i32(UNDONE) + put(_EXIT) + END
        body += i32(0) + get(_LEFT) + _set_word(LEFT)
        for word, local in ((DEPTH, _SP), (ENTERED, _ENTERED), (PRINTED, _PRINTED)):
            body += i32(0) + get(local) + I64_EXTEND_I32_U + _set_word(word)
        body += get(_EXIT)
        kinds = _KINDS + [I64] * (self._most_locals - len(_KINDS))
        run = Function([], [I32], kinds, body)
        printing = number_function(_BUFFERS, b" ")
        helpers = [_put_function(self._rules.torus), printing, _far_function()]
        return module_of([run, *helpers], CELLS // PAGE)

    def _test_guards(self) -> bytes:
        """Return code that leaves if a guard has changed since the translation."""
        at = get(_AT)
        address = at + i32(1) + I32_SHR_U + I32_LOAD + unsigned(GUARDS)
        value = at + I64_LOAD + unsigned(GUARD_VALUES)
        code = address + I64_LOAD + unsigned(0) + value + I64_NE + IF
        code += i32(STALE) + put(_EXIT) + BR + unsigned(5) + END
        code += at + i32(8) + I32_ADD + put(_AT) + BR + unsigned(1)
        return LOOP + at + _small(GUARDED) + I32_LT_U + IF + code + END + END

    # A block.

    def _block(self, block: PlaneBlock) -> bytes:
        self._out = bytearray()
        self._labels = 1
        self._locals = len(_KINDS)
        self._stack, self._known = [], {}
        self._taken = self._lowest = self._highest = 0
        self._acted = False
        self._number = block.number
        self._executed = 0
        following = 0
        for found, state, following in block.path:
            self._place = self._graph.place(state)
            taken = self._instruction(found)
            self._executed += len(found.at)
            self._highest = max(self._highest, self._height)
            if taken:
                self._branch(found, following, taken)
        if following >= 0:
            self._settle()
            if block.leaves is not None:
                self._exit(block.cost, self._graph.place(block.target), 1, puts=False)
            else:
                self._go(block.target)
        return LOOP + self._begin(block) + self._out + END

    def _begin(self, block: PlaneBlock) -> bytes:
        """Return the tests at the beginning of a block."""
        ring = get(_ENTERED) + i32(4 * RING_SIZE - 4) + I32_AND + i32(block.number)
        out = ring + I32_STORE + unsigned(RING)
        out += get(_ENTERED) + i32(4) + I32_ADD + put(_ENTERED)
        if not block.cost:
            return out
        bail = BR_IF + unsigned(self._top + 1)
        out += get(_LEFT) + i64(block.cost) + I64_LT_S + bail
        if self._lowest:
            out += get(_SP) + i32(STACK + 8 * self._lowest) + I32_LT_U + bail
        if self._highest > 0:
            out += get(_SP) + i32(8 * self._highest) + I32_ADD + get(_CEILING) + I32_GT_U + bail
        return out + get(_LEFT) + i64(block.cost) + I64_SUB + put(_LEFT)

    @property
    def _top(self) -> int:
        """The label of the loop around all blocks."""
        return len(self.blocks) - 1 - self._number + self._labels

    @property
    def _height(self) -> int:
        """The change of the stack's depth since the block's beginning."""
        return len(self._stack) - self._taken

    def _branch(self, found: Instruction, following: int, taken: list[Value]) -> None:
        """Append a branch.  following: the target in the same block, or -1 if the block ends."""
        if found.op == 119:
            first, second = taken[0][1], taken[1][1]
            tests = [b"", first + second + I64_GT_S, first + second + I64_LT_S]
            if following != found.targets[0]:
                tests[0] = first + second + I64_EQ
        else:
            code = taken[0][1]
            tests = [code + I64_EQZ, code + i64(0) + I64_NE]
        if following >= 0:
            for to, test in zip(found.targets, tests, strict=True):
                if to != following:
                    self._open(test + IF)
                    self._settle()
                    self._depart()
                    self._go(to)
                    self._close()
            return
        self._settle()
        *others, last = sorted(
            zip(found.targets, tests, strict=True), key=lambda each: self._is_next(each[0])
        )
        for to, test in others:
            self._go(to, test)
        self._go(last[0])

    def _is_next(self, state: int) -> bool:
        return self._number_of.get(state) == self._number + 1

    def _depart(self) -> None:
        """Append code that corrects steps and trail where a branch leaves the block early."""
        rest = self._cost - self._executed
        if not rest:
            return
        self._out += get(_LEFT) + i64(rest) + I64_ADD + put(_LEFT)
        number = len(self.blocks) + len(self.parts)
        self.parts.append((self._number, self._executed))
        at = get(_ENTERED) + i32(4) + I32_SUB + i32(4 * RING_SIZE - 4) + I32_AND
        self._out += at + i32(number) + I32_STORE + unsigned(RING)

    def _go(self, state: int, when: bytes = b"") -> None:
        """Append a jump to a state, under a condition if ``when`` is not empty."""
        number = self._number_of.get(state, -1)
        if number < 0:
            if when:
                self._open(when + IF)
            self._exit(self._executed, self._graph.place(state), 1, puts=False)
            if when:
                self._close()
            return
        branch = BR_IF if when else BR
        if number == self._number:
            self._out += when + branch + unsigned(self._labels - 1)
        elif number < self._number:
            self._out += i32(number) + put(_PC) + when + branch + unsigned(self._top)
        elif when or self._labels > 1 or not self._is_next(state):
            self._out += when + branch + unsigned(number - self._number - 1 + self._labels)

    # Instructions.

    def _instruction(self, found: Instruction) -> list[Value]:
        """Append an instruction; return the values that a branch pops."""
        op = found.op
        if op < 16:
            self._push(_constant(op))
        elif op in (STRING, FETCH):
            for number in found.pushed:
                if number is not None:
                    self._push(_constant(number))
                    self._highest = max(self._highest, self._height)
        elif op in (95, 124):
            return [self._pop()]
        elif op == 119:
            second, first = self._pop(), self._pop()
            return [first, second]
        elif op in _SIMPLE:
            second, first = self._pop(), self._pop()
            self._push(self._simple(op, first, second))
        elif op in b"/%":
            self._divide(op)
        elif op in self._OTHERS:
            self._OTHERS[op](self)
        return []

    def _simple(self, op: int, first: Value, second: Value) -> Value:
        if first[0] is not None and second[0] is not None:
            return _constant(_folded(op, first[0], second[0]))
        return self._new(first[1] + second[1] + _SIMPLE[op])

    def _divide(self, op: int) -> None:
        self._need(2)
        second, first = self._stack[-1], self._stack[-2]
        if second[0] in (None, 0, -1):
            # Division by 0 may be a fault, and the largest quotient does not fit.
            self._leave(second[1] + i64(1) + I64_ADD + i64(2) + I64_LT_U)
        self._pop()
        self._pop()
        if op == 47:
            self._push(self._new(first[1] + second[1] + I64_DIV_S))
            return
        rest = self._new(first[1] + second[1] + I64_REM_S)
        if self._rules.floored:
            differ = rest[1] + second[1] + I64_XOR + i64(0) + I64_LT_S
            wrong = rest[1] + i64(0) + I64_NE + differ + I32_AND
            rest = self._new(rest[1] + second[1] + i64(0) + wrong + SELECT + I64_ADD)
        self._push(rest)

    def _negate(self) -> None:
        value = self._pop()
        if value[0] is not None:
            self._push(_constant(int(value[0] == 0)))
        else:
            self._push(self._new(value[1] + I64_EQZ + I64_EXTEND_I32_U))

    def _duplicate(self) -> None:
        self._need(1)
        number, code, _ = self._stack[-1]
        self._push((number, code, None))

    def _swap(self) -> None:
        self._need(2)
        self._stack[-2:] = self._stack[:-3:-1]

    def _get(self) -> None:
        self._need(2)
        y, x = self._stack[-1], self._stack[-2]
        point = self._known_point(x, y)
        if point is not None:
            value = self._known.get(point)
            if value is None:
                address = self._address(point)
                value = self._known[point] = self._new(address + I64_LOAD + unsigned(0))
        else:
            at = y[1] + get(_STRIDE) + I64_MUL + x[1] + I64_ADD + get(_ORIGIN) + I64_ADD
            near = at + I32_WRAP_I64 + i32(3) + I32_SHL + I64_LOAD + unsigned(CELLS)
            if self._rules.torus:
                self._leave(self._is_outside(x, y))
            else:
                self._open(self._is_outside(x, y) + IF_I64)
                self._leave(_small(FAR_KNOWN) + I32_EQZ)
                self._out += x[1] + y[1] + CALL + unsigned(_GET_FAR) + ELSE
                self._labels -= 1
                near += END
            value = self._new(near)
        self._pop()
        self._pop()
        self._push((value[0], value[1], None))

    def _store(self) -> None:
        self._need(3)
        y, x, value = self._stack[-1], self._stack[-2], self._stack[-3]
        if self._rules.bytes_only:
            if value[0] is not None:
                value = _constant(value[0] & 255)
            else:
                value = self._new(value[1] + i64(255) + I64_AND)
        point = self._known_point(x, y)
        if value[0] is not None:
            code = i32(self._graph.terrain.code_of(value[0]))
        else:
            index = value[1] + i64(256) + value[1] + i64(256) + I64_LT_U + SELECT + I32_WRAP_I64
            self._out += index + I32_LOAD8_U + unsigned(CODE_OF) + put(_CODE)
            code = get(_CODE)
        # The fast path is for a cell whose code does not change and is not blank, so that the write
        # changes only the cell.
        changes = I32_LOAD8_U + unsigned(CODES) + code + I32_NE + code + i32(32) + I32_EQ + I32_OR
        if point is not None:
            self._out += self._address(point) + tee(_AT) + i32(3) + I32_SHR_U
            self._out += changes.replace(unsigned(CODES), unsigned(CODES - CELLS // 8), 1)
            address, offset = get(_AT), 0
            if point in self.guarded:
                self._out += i32(1) + I32_OR
        else:
            self._out += self._is_outside(x, y) + IF_I32 + i32(1) + ELSE
            at = y[1] + get(_STRIDE) + I64_MUL + x[1] + I64_ADD + get(_ORIGIN) + I64_ADD
            self._out += at + I32_WRAP_I64 + tee(_AT) + changes
            self._out += get(_AT) + I32_LOAD8_U + unsigned(MARKS) + I32_OR + END
            address, offset = get(_AT) + i32(3) + I32_SHL, CELLS
        self._open(IF)
        self._leave(x[1] + y[1] + value[1] + CALL + unsigned(_PUT), puts=True)
        self._out += ELSE + address + value[1] + I64_STORE + unsigned(offset)
        self._close()
        if point is None:
            self._known.clear()
        else:
            self._known[point] = value
        self.writes = True
        for _ in range(3):
            self._pop()
        self._acted = True

    def _print(self) -> None:
        self._need(1)
        value = self._stack[-1]
        self._leave(get(_PRINTED) + _small(ROOM) + I32_GE_U)
        self._out += print_byte(_BUFFERS, _PRINTED, value[1] + I32_WRAP_I64, self._step())
        self._pop()
        self._acted = True

    def _print_number(self) -> None:
        self._need(1)
        value = self._stack[-1]
        self._out += value[1] + self._step() + get(_PRINTED) + CALL + unsigned(_PRINT_NUMBER)
        self._out += tee(_AT) + i32(0)
        self._leave(I32_LT_S)
        self._out += get(_AT) + put(_PRINTED)
        self._pop()
        self._acted = True

    def _step(self) -> bytes:
        """Return code that pushes the step number of the current instruction."""
        # The steps of the block are already subtracted.
        rest = self._cost - self._executed - 1
        return _word(LIMIT) + get(_LEFT) + I64_SUB + i64(rest) + I64_SUB

    @property
    def _cost(self) -> int:
        return self.blocks[self._number].cost

    _OTHERS: ClassVar[dict[int, Callable[[PlaneTranslation], object]]] = {
        33: _negate,
        36: lambda self: self._pop(),
        44: _print,
        46: _print_number,
        58: _duplicate,
        92: _swap,
        103: _get,
        112: _store,
    }

    # Cells.

    def _known_point(self, x: Value, y: Value) -> Point | None:
        """Return the point if its coordinates are known and in the window, else None."""
        if x[0] is None or y[0] is None or self._graph.terrain.index(x[0], y[0]) < 0:
            return None
        point = x[0], y[0]
        return point if point in self.points or len(self.points) < MOST_POINTS else None

    def _address(self, point: Point) -> bytes:
        number = self.points.setdefault(point, len(self.points))
        return i32(0) + I32_LOAD + unsigned(POINTS + 4 * number)

    def _is_outside(self, x: Value, y: Value) -> bytes:
        outside = x[1] + get(_X) + I64_SUB + get(_WIDTH) + I64_GE_U
        return outside + y[1] + get(_Y) + I64_SUB + get(_HEIGHT) + I64_GE_U + I32_OR

    # The stack.

    def _push(self, value: Value) -> None:
        """Push a value; it is not stored if memory already contains it at this place."""
        self._stack.append(value)

    def _pop(self) -> Value:
        self._need(1)
        return self._stack.pop()

    def _need(self, count: int) -> None:
        """Load values from the stack in memory until ``count`` are available."""
        while len(self._stack) < count:
            self._taken += 1
            self._lowest = max(self._lowest, self._taken)
            place = -self._taken
            code = get(_SP) + i32(8 * place) + I32_ADD + I64_LOAD + unsigned(0)
            number, code, _ = self._new(code)
            self._stack.insert(0, (number, code, place))

    def _settled(self) -> bytes:
        """Return code that writes the stack to memory."""
        out = b""
        for at, (_, code, place) in enumerate(self._stack):
            to = at - self._taken
            if place != to:
                out += get(_SP) + i32(8 * to) + I32_ADD + code + I64_STORE + unsigned(0)
        if self._height:
            out += get(_SP) + i32(8 * self._height) + I32_ADD + put(_SP)
        return out

    def _settle(self) -> None:
        self._out += self._settled()

    def _new(self, code: bytes) -> Value:
        """Append code that stores a value in a new local variable; return it."""
        self._out += code + put(self._locals)
        self._locals += 1
        self._most_locals = max(self._most_locals, self._locals)
        return None, get(self._locals - 1), None

    # Ways out.

    def _leave(self, when: bytes, *, puts: bool = False) -> None:
        """Append a return to the core before this instruction, under a condition.

        Before the block has had an effect, the tier returns at the block's beginning.
        """
        if not self._acted and not puts:
            self._out += when + BR_IF + unsigned(self._top + 2)
            return
        self._open(when + IF)
        self._settle()
        left = self._cost - self._executed
        self._out += get(_LEFT) + i64(left) + I64_ADD + put(_LEFT)
        self._exit(self._executed, self._place, left, puts)
        self._close()

    def _exit(self, executed: int, place: Place, after: int, puts: bool) -> None:
        self._out += i32(len(self.exits)) + put(_EXIT)
        self.exits.append(PlaneExit(self._number, executed, place, after, puts))
        self._out += BR + unsigned(self._top + 3)

    def _open(self, code: bytes) -> None:
        self._out += code
        self._labels += 1

    def _close(self) -> None:
        self._out += END
        self._labels -= 1


_SIMPLE = {43: I64_ADD, 45: I64_SUB, 42: I64_MUL, 96: I64_GT_S + I64_EXTEND_I32_U}


def _constant(number: int) -> Value:
    return number, i64(number), None


def _folded(op: int, first: int, second: int) -> int:
    if op == 96:
        return int(first > second)
    number = first + second if op == 43 else first - second if op == 45 else first * second
    return ((number + _HALF) & _ALL) - _HALF


def _word(number: int) -> bytes:
    return load_word(CONTROL + 8 * number)


def _small(number: int) -> bytes:
    return load_small(CONTROL + 8 * number)


def _set_word(number: int) -> bytes:
    return I64_STORE + unsigned(CONTROL + 8 * number)


def _put_function(torus: bool) -> Function:
    """Return ``put(x, y, value)``: 1 if the core must execute it, else 0."""
    x, y, value = get(0), get(1), get(2)
    at, code = get(3), get(4)
    refuse = IF + i32(1) + RETURN + END
    out = x + _word(WINDOW_X) + I64_SUB + _word(WIDTH) + I64_GE_U
    out += y + _word(WINDOW_Y) + I64_SUB + _word(HEIGHT) + I64_GE_U + I32_OR + IF
    out += (i32(1) + RETURN if torus else _put_far()) + END
    out += y + _word(STRIDE) + I64_MUL + x + I64_ADD + _word(ORIGIN) + I64_ADD
    out += I32_WRAP_I64 + tee(3) + I32_LOAD8_U + unsigned(MARKS) + refuse
    if not torus:
        out += _word(LOW_X) + _word(HIGH_X) + I64_GT_S + refuse
        blank = b"".join(
            part + _word(word) + I64_EQ + (I32_OR if number else b"")
            for number, (part, word) in enumerate(
                ((x, LOW_X), (x, HIGH_X), (y, LOW_Y), (y, HIGH_Y))
            )
        )
        wider = b""
        for part, word, beyond in (
            (x, LOW_X, I64_LT_S),
            (x, HIGH_X, I64_GT_S),
            (y, LOW_Y, I64_LT_S),
            (y, HIGH_Y, I64_GT_S),
        ):
            wider += part + _word(word) + beyond + IF + i32(0) + part + _set_word(word) + END
        out += value + i64(32) + I64_EQ + IF
        out += blank + IF + i32(0) + i64(1) + _set_word(LOOSE) + END
        out += ELSE + wider + END
    out += i32(UNKNOWN) + put(4) + value + i64(256) + I64_LT_U + IF
    out += value + I32_WRAP_I64 + I32_LOAD8_U + unsigned(CODE_OF) + put(4) + END
    out += at + I32_LOAD8_U + unsigned(CODES) + code + I32_NE + IF
    out += at + code + I32_STORE8 + unsigned(CODES) + i32(0) + i64(1) + _set_word(RECODED) + END
    out += at + i32(3) + I32_SHL + value + I64_STORE + unsigned(CELLS) + i32(0)
    return Function([I64, I64, I64], [I32], [I32, I32], out)


def _put_far() -> bytes:
    """Return code that writes a cell outside the window unless that has other effects."""
    x, y, value, at = get(0), get(1), get(2), get(3)
    refuse = IF + i32(1) + RETURN + END
    out = _far_index(x, y, I32_EQZ + refuse) + put(3)
    old = at + i32(3) + I32_SHL + I64_LOAD + unsigned(FAR)
    out += value + i64(32) + I64_EQ + value + i64(59) + I64_EQ + I32_OR
    out += old + i64(59) + I64_EQ + I32_OR + refuse
    out += old + i64(32) + I64_EQ + IF + _small(FAR_ROOM) + I32_EQZ + refuse
    out += i32(0) + _word(FAR_ROOM) + i64(1) + I64_SUB + _set_word(FAR_ROOM) + END
    out += at + i32(3) + I32_SHL + value + I64_STORE + unsigned(FAR)
    out += at + I32_LOAD8_U + unsigned(FAR_CHANGED) + I32_EQZ + IF
    out += at + i32(1) + I32_STORE8 + unsigned(FAR_CHANGED)
    out += _small(FAR_WRITES) + i32(2) + I32_SHL + at + I32_STORE + unsigned(FAR_LIST)
    out += i32(0) + _word(FAR_WRITES) + i64(1) + I64_ADD + _set_word(FAR_WRITES) + END
    return out + i32(0) + RETURN


def _far_index(x: bytes, y: bytes, test: bytes) -> bytes:
    """Return code that pushes a far cell's index; ``test`` pops whether the index is valid."""
    column = x + _word(FAR_X) + I64_SUB
    row = y + _word(FAR_Y) + I64_SUB
    inside = column + _word(FAR_WIDTH) + I64_LT_U + row + _word(FAR_HEIGHT) + I64_LT_U + I32_AND
    return inside + test + row + _word(FAR_WIDTH) + I64_MUL + column + I64_ADD + I32_WRAP_I64


def _far_function() -> Function:
    """Return ``get_far(x, y)``: the value of a cell outside of the window."""
    blank = I32_EQZ + IF + i64(32) + RETURN + END
    out = _far_index(get(0), get(1), blank) + i32(3) + I32_SHL + I64_LOAD + unsigned(FAR)
    return Function([I64, I64], [I64], [], out)
