"""Translates blocks of a Befunge program to a module of WebAssembly.

The module has one function that enters at any block and returns where the core takes over, and
three helpers, for ``p``, ``.`` and ``g``.  Within a block, pushed values are in local variables or
known when the block is translated; the end of the block writes them to the stack in memory.

A block first tests whether the remaining steps, the values on the stack and the room above them are
enough for the whole block.  If not, or if another test fails before the block has had an effect,
the tier returns at the block's beginning.
"""

from __future__ import annotations

from esolangs.befunge_98.flow import FETCH, STRING, StateGraph
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
    PAGE_BYTES,
    RETURN,
    SELECT,
    Function,
    build_module,
    get,
    i32,
    i64,
    load_i32,
    load_i64,
    put,
    tee,
    uleb128,
)
from esolangs.wasm_printing import PrintBuffers, number_printer, print_byte

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
RING_SIZE = 64  # a power of 2, more than TRAIL_LENGTH
CODE_OF = 1 << 11
SCRATCH = (1 << 11) + (1 << 9)
OUT_BYTES = 1 << 12
OUT_STEPS = OUT_BYTES + CHUNK
POINTS = OUT_STEPS + 8 * CHUNK  # addresses of cells with known coordinates
MAX_POINTS = 1 << 12
GUARDS = 1 << 17  # addresses of the cells that must not change
MAX_GUARDS = 1 << 17
GUARD_VALUES = GUARDS + 4 * MAX_GUARDS
STACK = GUARD_VALUES + 8 * MAX_GUARDS
MAX_STACK = 1 << 16  # values
MAX_CELLS = 1 << 22  # of a window with its ring
MAX_FAR = 1 << 18  # cells of the rectangle around all cells outside of the window
FAR = STACK + 8 * MAX_STACK  # the cells of this rectangle
FAR_CHANGED = FAR + 8 * MAX_FAR  # for each of these cells: 1 if it was written
FAR_LIST = FAR_CHANGED + MAX_FAR  # indexes of the written cells
MARKS = FAR_LIST + 4 * MAX_FAR  # for each cell: 1 if it must not change
CODES = MARKS + MAX_CELLS
CELLS = CODES + MAX_CELLS

# Numbers of the control words, of 8 bytes each.
(LEFT, DEPTH, CEILING, ENTERED, ENTRY, PRINTED, ROOM, LIMIT) = range(8)
(WINDOW_X, WINDOW_Y, WIDTH, HEIGHT, STRIDE, ORIGIN) = range(8, 14)
(LOW_X, LOW_Y, HIGH_X, HIGH_Y, BOUNDS_LOOSE, RECODED, GUARDED) = range(14, 21)
(FAR_X, FAR_Y, FAR_WIDTH, FAR_HEIGHT, FAR_KNOWN, FAR_WRITES, FAR_ROOM) = range(21, 28)
WORDS = 28

_BUFFERS = PrintBuffers(CONTROL + 8 * ROOM, OUT_BYTES, OUT_STEPS, SCRATCH)

# Local variables.  ``_SP`` is the address after the top of the stack.
(_PC, _SP, _ENTERED, _PRINTED, _EXIT, _CEILING, _AT, _CODE, _LEFT) = range(9)
(_X, _Y, _WIDTH, _HEIGHT, _STRIDE, _ORIGIN) = range(9, 15)
_LOCAL_TYPES = [I32] * 8 + [I64] * 7

_PUT, _PRINT_NUMBER, _GET_FAR = 1, 2, 3  # functions

_SIGN_BIT = 1 << 63
_WORD_MASK = (1 << 64) - 1

Value = tuple[int | None, bytes, int | None]
"""A value within a block: number, code, place.

The number is None if unknown. The code pushes the value. The place is its position on the stack in
memory, relative to the stack's top at the beginning of the block, or None if it is not there.
"""


class PlaneExit:
    """A point in a block at which the core takes over.

    place: the state of the IP.  executed_steps: number of the block's steps executed before it.
    core_steps: number of steps that the core executes next.  put_refused: whether a ``p`` was
    refused.
    """

    __slots__ = ("block", "core_steps", "executed_steps", "place", "put_refused")

    def __init__(
        self, block: int, executed_steps: int, place: Place, core_steps: int, put_refused: bool
    ):
        self.block = block
        self.executed_steps = executed_steps
        self.place = place
        self.core_steps = core_steps
        self.put_refused = put_refused


class PlaneTranslation:
    """The WebAssembly code for the blocks of a graph, and the cells that the code depends on."""

    def __init__(self, graph: StateGraph):
        window = graph.window
        self._graph = graph
        self._rules = window.rules
        self.window = window.window
        self.wraps = graph.wraps
        self.guards = [(*window.point(at), window.cells[at]) for at in sorted(graph.guards)]
        self.guarded = {(x, y) for x, y, _ in self.guards}
        self.blocks = graph.blocks
        self.places = [graph.place(block.head) for block in self.blocks]
        self.numbers = {
            place: block.number
            for block, place in zip(self.blocks, self.places, strict=True)
            if block.cost
        }
        self._number_of = {block.head: block.number for block in self.blocks}
        self.early_exits: list[tuple[int, int]] = []  # exits by a branch: block, steps executed
        self.exits: list[PlaneExit] = [PlaneExit(-1, 0, (0, 0, 0, 0), 0, False)] * 3
        self.points: dict[Point, int] = {}
        self.writes = False
        self._next_local = self._max_locals = len(_LOCAL_TYPES)
        self._out = bytearray()
        self._labels = 1  # blocks of WebAssembly around the instruction, within the block
        self._stack: list[Value] = []
        self._popped = 0  # values popped that were on the stack before the block
        self._lowest = self._highest = 0
        self._known: dict[Point, Value] = {}  # values of cells
        self._has_effect = False
        self._number = 0
        self._place: Place = (0, 0, 0, 0)
        self._executed = 0
        self.code = self._build_module()

    # The module.

    def _build_module(self) -> bytes:
        blocks = [self._translate_block(block) for block in self.blocks]
        body = b"".join(
            _load_control(word) + put(local)
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
            _load_control_i32(word) + put(local)
            for word, local in ((DEPTH, _SP), (CEILING, _CEILING), (ENTRY, _PC))
        )
        body += BLOCK * 3 + self._test_guards() + LOOP + BLOCK * len(blocks)
        body += get(_PC) + BR_TABLE + uleb128(len(blocks) - 1)
        body += b"".join(uleb128(number) for number in range(len(blocks)))
        body += b"".join(END + block for block in blocks)
        body += END + END + i32(NO_ROOM) + put(_EXIT) + BR + uleb128(1)
        body += END + i32(UNDONE) + put(_EXIT) + END
        body += i32(0) + get(_LEFT) + _store_control(LEFT)
        for word, local in ((DEPTH, _SP), (ENTERED, _ENTERED), (PRINTED, _PRINTED)):
            body += i32(0) + get(local) + I64_EXTEND_I32_U + _store_control(word)
        body += get(_EXIT)
        kinds = _LOCAL_TYPES + [I64] * (self._max_locals - len(_LOCAL_TYPES))
        run = Function([], [I32], kinds, body)
        printing = number_printer(_BUFFERS, b" ")
        helpers = [_put_function(self._rules.torus), printing, _far_function()]
        return build_module([run, *helpers], CELLS // PAGE_BYTES)

    def _test_guards(self) -> bytes:
        """Return code that exits with STALE if a guarded cell has changed since the translation."""
        at = get(_AT)
        address = at + i32(1) + I32_SHR_U + I32_LOAD + uleb128(GUARDS)
        value = at + I64_LOAD + uleb128(GUARD_VALUES)
        code = address + I64_LOAD + uleb128(0) + value + I64_NE + IF
        code += i32(STALE) + put(_EXIT) + BR + uleb128(5) + END
        code += at + i32(8) + I32_ADD + put(_AT) + BR + uleb128(1)
        return LOOP + at + _load_control_i32(GUARDED) + I32_LT_U + IF + code + END + END

    # A block.

    def _translate_block(self, block: PlaneBlock) -> bytes:
        self._out = bytearray()
        self._labels = 1
        self._next_local = len(_LOCAL_TYPES)
        self._stack, self._known = [], {}
        self._popped = self._lowest = self._highest = 0
        self._has_effect = False
        self._number = block.number
        self._executed = 0
        following = 0
        for found, state, following in block.path:
            self._place = self._graph.place(state)
            taken = self._append_instruction(found)
            self._executed += len(found.step_cells)
            self._highest = max(self._highest, self._depth_change)
            if taken:
                self._append_branch(found, following, taken)
        if following >= 0:
            self._append_spill()
            if block.core_instruction is not None:
                self._append_exit(block.cost, self._graph.place(block.target), 1, put_refused=False)
            else:
                self._append_jump(block.target)
        return LOOP + self._entry_tests(block) + self._out + END

    def _entry_tests(self, block: PlaneBlock) -> bytes:
        """Return code that logs a block, and returns to the core if not all of it can run."""
        ring = get(_ENTERED) + i32(4 * RING_SIZE - 4) + I32_AND + i32(block.number)
        out = ring + I32_STORE + uleb128(RING)
        out += get(_ENTERED) + i32(4) + I32_ADD + put(_ENTERED)
        if not block.cost:
            return out
        bail = BR_IF + uleb128(self._loop_label + 1)
        out += get(_LEFT) + i64(block.cost) + I64_LT_S + bail
        if self._lowest:
            out += get(_SP) + i32(STACK + 8 * self._lowest) + I32_LT_U + bail
        if self._highest > 0:
            out += get(_SP) + i32(8 * self._highest) + I32_ADD + get(_CEILING) + I32_GT_U + bail
        return out + get(_LEFT) + i64(block.cost) + I64_SUB + put(_LEFT)

    @property
    def _loop_label(self) -> int:
        """The WebAssembly label of the loop around all blocks, for a branch at this point."""
        return len(self.blocks) - 1 - self._number + self._labels

    @property
    def _depth_change(self) -> int:
        """The change of the stack's depth since the block's beginning."""
        return len(self._stack) - self._popped

    def _append_branch(
        self, instruction: Instruction, following: int, operands: list[Value]
    ) -> None:
        """Append a conditional branch.

        following: the target at which this block continues, or -1 if it ends with the branch.
        """
        if instruction.op == 119:
            first, second = operands[0][1], operands[1][1]
            tests = [b"", first + second + I64_GT_S, first + second + I64_LT_S]
            if following != instruction.targets[0]:
                tests[0] = first + second + I64_EQ
        else:
            code = operands[0][1]
            tests = [code + I64_EQZ, code + i64(0) + I64_NE]
        if following >= 0:
            for to, test in zip(instruction.targets, tests, strict=True):
                if to != following:
                    self._open_block(test + IF)
                    self._append_spill()
                    self._correct_steps()
                    self._append_jump(to)
                    self._close_block()
            return
        self._append_spill()
        *others, last = sorted(
            zip(instruction.targets, tests, strict=True), key=lambda each: self._is_next(each[0])
        )
        for to, test in others:
            self._append_jump(to, test)
        self._append_jump(last[0])

    def _is_next(self, state: int) -> bool:
        return self._number_of.get(state) == self._number + 1

    def _correct_steps(self) -> None:
        """Append code that corrects the number of steps when a branch leaves the block early.

        All steps of the block were counted at its beginning.  The code also replaces the last entry
        of ``RING`` by the number of this early exit.
        """
        rest = self._block_cost - self._executed
        if not rest:
            return
        self._out += get(_LEFT) + i64(rest) + I64_ADD + put(_LEFT)
        number = len(self.blocks) + len(self.early_exits)
        self.early_exits.append((self._number, self._executed))
        at = get(_ENTERED) + i32(4) + I32_SUB + i32(4 * RING_SIZE - 4) + I32_AND
        self._out += at + i32(number) + I32_STORE + uleb128(RING)

    def _append_jump(self, state: int, condition: bytes = b"") -> None:
        """Append code that jumps to the block of a state, or exits if the state has no block.

        condition: code that pushes whether to jump; empty: always.
        """
        number = self._number_of.get(state, -1)
        if number < 0:
            if condition:
                self._open_block(condition + IF)
            self._append_exit(self._executed, self._graph.place(state), 1, put_refused=False)
            if condition:
                self._close_block()
            return
        branch = BR_IF if condition else BR
        if number == self._number:
            self._out += condition + branch + uleb128(self._labels - 1)
        elif number < self._number:
            self._out += i32(number) + put(_PC) + condition + branch + uleb128(self._loop_label)
        elif condition or self._labels > 1 or not self._is_next(state):
            self._out += condition + branch + uleb128(number - self._number - 1 + self._labels)

    # Instructions.

    def _append_instruction(self, instruction: Instruction) -> list[Value]:
        """Append the code of an instruction, except for a branch.

        For a branch, pop its operands and return them, so that the caller can append its code. For
        other instructions, return an empty list.
        """
        op = instruction.op
        if op < 16:
            self._push(_constant(op))
        elif op in (STRING, FETCH):
            for number in instruction.pushed:
                if number is not None:
                    self._push(_constant(number))
                    self._highest = max(self._highest, self._depth_change)
        elif op in (95, 124):
            return [self._pop()]
        elif op == 119:
            second, first = self._pop(), self._pop()
            return [first, second]
        elif op in _SIMPLE:
            second, first = self._pop(), self._pop()
            self._push(self._apply_simple(op, first, second))
        elif op in b"/%":
            self._append_division(op)
        elif op in self._HANDLERS:
            self._HANDLERS[op](self)
        return []

    def _apply_simple(self, op: int, first: Value, second: Value) -> Value:
        if first[0] is not None and second[0] is not None:
            return _constant(_fold_constants(op, first[0], second[0]))
        return self._new_value(first[1] + second[1] + _SIMPLE[op])

    def _append_division(self, op: int) -> None:
        self._load_values(2)
        second, first = self._stack[-1], self._stack[-2]
        if second[0] in (None, 0, -1):
            # Division by 0 may be a fault, and the largest quotient does not fit.
            self._return_if(second[1] + i64(1) + I64_ADD + i64(2) + I64_LT_U)
        self._pop()
        self._pop()
        if op == 47:
            self._push(self._new_value(first[1] + second[1] + I64_DIV_S))
            return
        rest = self._new_value(first[1] + second[1] + I64_REM_S)
        if self._rules.floored:
            differ = rest[1] + second[1] + I64_XOR + i64(0) + I64_LT_S
            wrong = rest[1] + i64(0) + I64_NE + differ + I32_AND
            rest = self._new_value(rest[1] + second[1] + i64(0) + wrong + SELECT + I64_ADD)
        self._push(rest)

    def _append_not(self) -> None:
        value = self._pop()
        if value[0] is not None:
            self._push(_constant(int(value[0] == 0)))
        else:
            self._push(self._new_value(value[1] + I64_EQZ + I64_EXTEND_I32_U))

    def _append_duplicate(self) -> None:
        self._load_values(1)
        number, code, _ = self._stack[-1]
        self._push((number, code, None))

    def _append_swap(self) -> None:
        self._load_values(2)
        self._stack[-2:] = self._stack[:-3:-1]

    def _append_get(self) -> None:
        self._load_values(2)
        y, x = self._stack[-1], self._stack[-2]
        point = self._known_point(x, y)
        if point is not None:
            value = self._known.get(point)
            if value is None:
                address = self._cell_address(point)
                value = self._known[point] = self._new_value(address + I64_LOAD + uleb128(0))
        else:
            at = y[1] + get(_STRIDE) + I64_MUL + x[1] + I64_ADD + get(_ORIGIN) + I64_ADD
            near = at + I32_WRAP_I64 + i32(3) + I32_SHL + I64_LOAD + uleb128(CELLS)
            if self._rules.torus:
                self._return_if(self._outside_test(x, y))
            else:
                self._open_block(self._outside_test(x, y) + IF_I64)
                self._return_if(_load_control_i32(FAR_KNOWN) + I32_EQZ)
                self._out += x[1] + y[1] + CALL + uleb128(_GET_FAR) + ELSE
                self._labels -= 1
                near += END
            value = self._new_value(near)
        self._pop()
        self._pop()
        self._push((value[0], value[1], None))

    def _append_put(self) -> None:
        self._load_values(3)
        y, x, value = self._stack[-1], self._stack[-2], self._stack[-3]
        if self._rules.bytes_only:
            if value[0] is not None:
                value = _constant(value[0] & 255)
            else:
                value = self._new_value(value[1] + i64(255) + I64_AND)
        point = self._known_point(x, y)
        if value[0] is not None:
            code = i32(self._graph.window.code_of(value[0]))
        else:
            index = value[1] + i64(256) + value[1] + i64(256) + I64_LT_U + SELECT + I32_WRAP_I64
            self._out += index + I32_LOAD8_U + uleb128(CODE_OF) + put(_CODE)
            code = get(_CODE)
        # The fast path is for a cell whose code does not change and is not blank, so that the write
        # changes only the cell.
        changes = I32_LOAD8_U + uleb128(CODES) + code + I32_NE + code + i32(32) + I32_EQ + I32_OR
        if point is not None:
            self._out += self._cell_address(point) + tee(_AT) + i32(3) + I32_SHR_U
            self._out += changes.replace(uleb128(CODES), uleb128(CODES - CELLS // 8), 1)
            address, offset = get(_AT), 0
            if point in self.guarded:
                self._out += i32(1) + I32_OR
        else:
            self._out += self._outside_test(x, y) + IF_I32 + i32(1) + ELSE
            at = y[1] + get(_STRIDE) + I64_MUL + x[1] + I64_ADD + get(_ORIGIN) + I64_ADD
            self._out += at + I32_WRAP_I64 + tee(_AT) + changes
            self._out += get(_AT) + I32_LOAD8_U + uleb128(MARKS) + I32_OR + END
            address, offset = get(_AT) + i32(3) + I32_SHL, CELLS
        self._open_block(IF)
        self._return_if(x[1] + y[1] + value[1] + CALL + uleb128(_PUT), put_refused=True)
        self._out += ELSE + address + value[1] + I64_STORE + uleb128(offset)
        self._close_block()
        if point is None:
            self._known.clear()
        else:
            self._known[point] = value
        self.writes = True
        for _ in range(3):
            self._pop()
        self._has_effect = True

    def _append_print(self) -> None:
        self._load_values(1)
        value = self._stack[-1]
        self._return_if(get(_PRINTED) + _load_control_i32(ROOM) + I32_GE_U)
        self._out += print_byte(_BUFFERS, _PRINTED, value[1] + I32_WRAP_I64, self._current_step())
        self._pop()
        self._has_effect = True

    def _append_number_print(self) -> None:
        self._load_values(1)
        value = self._stack[-1]
        self._out += value[1] + self._current_step() + get(_PRINTED) + CALL + uleb128(_PRINT_NUMBER)
        self._out += tee(_AT) + i32(0)
        self._return_if(I32_LT_S)
        self._out += get(_AT) + put(_PRINTED)
        self._pop()
        self._has_effect = True

    def _current_step(self) -> bytes:
        """Return code that pushes the step number of the current instruction."""
        # The steps of the block are already subtracted.
        rest = self._block_cost - self._executed - 1
        return _load_control(LIMIT) + get(_LEFT) + I64_SUB + i64(rest) + I64_SUB

    @property
    def _block_cost(self) -> int:
        return self.blocks[self._number].cost

    _HANDLERS: ClassVar[dict[int, Callable[[PlaneTranslation], object]]] = {
        33: _append_not,
        36: lambda self: self._pop(),
        44: _append_print,
        46: _append_number_print,
        58: _append_duplicate,
        92: _append_swap,
        103: _append_get,
        112: _append_put,
    }

    # Cells.

    def _known_point(self, x: Value, y: Value) -> Point | None:
        """Return the point if its coordinates are known now and inside the window, else None."""
        if x[0] is None or y[0] is None or self._graph.window.index(x[0], y[0]) < 0:
            return None
        point = x[0], y[0]
        return point if point in self.points or len(self.points) < MAX_POINTS else None

    def _cell_address(self, point: Point) -> bytes:
        number = self.points.setdefault(point, len(self.points))
        return i32(0) + I32_LOAD + uleb128(POINTS + 4 * number)

    def _outside_test(self, x: Value, y: Value) -> bytes:
        outside = x[1] + get(_X) + I64_SUB + get(_WIDTH) + I64_GE_U
        return outside + y[1] + get(_Y) + I64_SUB + get(_HEIGHT) + I64_GE_U + I32_OR

    # The stack.

    def _push(self, value: Value) -> None:
        """Push a value on the stack that this translator keeps while it translates a block.

        ``_spill_code`` writes the values that are not in memory yet.
        """
        self._stack.append(value)

    def _pop(self) -> Value:
        self._load_values(1)
        return self._stack.pop()

    def _load_values(self, count: int) -> None:
        """Load values from the stack in memory until ``count`` are available."""
        while len(self._stack) < count:
            self._popped += 1
            self._lowest = max(self._lowest, self._popped)
            place = -self._popped
            code = get(_SP) + i32(8 * place) + I32_ADD + I64_LOAD + uleb128(0)
            number, code, _ = self._new_value(code)
            self._stack.insert(0, (number, code, place))

    def _spill_code(self) -> bytes:
        """Return code that writes the stack to memory."""
        out = b""
        for at, (_, code, place) in enumerate(self._stack):
            to = at - self._popped
            if place != to:
                out += get(_SP) + i32(8 * to) + I32_ADD + code + I64_STORE + uleb128(0)
        if self._depth_change:
            out += get(_SP) + i32(8 * self._depth_change) + I32_ADD + put(_SP)
        return out

    def _append_spill(self) -> None:
        self._out += self._spill_code()

    def _new_value(self, code: bytes) -> Value:
        """Append code that stores a value in a new local variable; return the variable's value."""
        self._out += code + put(self._next_local)
        self._next_local += 1
        self._max_locals = max(self._max_locals, self._next_local)
        return None, get(self._next_local - 1), None

    # Ways out.

    def _return_if(self, condition: bytes, *, put_refused: bool = False) -> None:
        """Append code that, if a condition holds, leaves this instruction to the core.

        condition: code that pushes its value.  Before the block has had an effect, the tier returns
        at the block's beginning.
        """
        if not self._has_effect and not put_refused:
            self._out += condition + BR_IF + uleb128(self._loop_label + 2)
            return
        self._open_block(condition + IF)
        self._append_spill()
        left = self._block_cost - self._executed
        self._out += get(_LEFT) + i64(left) + I64_ADD + put(_LEFT)
        self._append_exit(self._executed, self._place, left, put_refused)
        self._close_block()

    def _append_exit(
        self, executed_steps: int, place: Place, core_steps: int, put_refused: bool
    ) -> None:
        self._out += i32(len(self.exits)) + put(_EXIT)
        self.exits.append(PlaneExit(self._number, executed_steps, place, core_steps, put_refused))
        self._out += BR + uleb128(self._loop_label + 3)

    def _open_block(self, code: bytes) -> None:
        self._out += code
        self._labels += 1

    def _close_block(self) -> None:
        self._out += END
        self._labels -= 1


_SIMPLE = {43: I64_ADD, 45: I64_SUB, 42: I64_MUL, 96: I64_GT_S + I64_EXTEND_I32_U}


def _constant(number: int) -> Value:
    return number, i64(number), None


def _fold_constants(op: int, first: int, second: int) -> int:
    if op == 96:
        return int(first > second)
    number = first + second if op == 43 else first - second if op == 45 else first * second
    return ((number + _SIGN_BIT) & _WORD_MASK) - _SIGN_BIT


def _load_control(number: int) -> bytes:
    return load_i64(CONTROL + 8 * number)


def _load_control_i32(number: int) -> bytes:
    return load_i32(CONTROL + 8 * number)


def _store_control(number: int) -> bytes:
    return I64_STORE + uleb128(CONTROL + 8 * number)


def _put_function(torus: bool) -> Function:
    """Return the function ``put(x, y, value)``, which returns 1 if the core must write instead."""
    x, y, value = get(0), get(1), get(2)
    at, code = get(3), get(4)
    refuse = IF + i32(1) + RETURN + END
    out = x + _load_control(WINDOW_X) + I64_SUB + _load_control(WIDTH) + I64_GE_U
    out += y + _load_control(WINDOW_Y) + I64_SUB + _load_control(HEIGHT) + I64_GE_U + I32_OR + IF
    out += (i32(1) + RETURN if torus else _put_far()) + END
    out += y + _load_control(STRIDE) + I64_MUL + x + I64_ADD + _load_control(ORIGIN) + I64_ADD
    out += I32_WRAP_I64 + tee(3) + I32_LOAD8_U + uleb128(MARKS) + refuse
    if not torus:
        out += _load_control(LOW_X) + _load_control(HIGH_X) + I64_GT_S + refuse
        blank = b"".join(
            part + _load_control(word) + I64_EQ + (I32_OR if number else b"")
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
            wider += (
                part
                + _load_control(word)
                + beyond
                + IF
                + i32(0)
                + part
                + _store_control(word)
                + END
            )
        out += value + i64(32) + I64_EQ + IF
        out += blank + IF + i32(0) + i64(1) + _store_control(BOUNDS_LOOSE) + END
        out += ELSE + wider + END
    out += i32(UNKNOWN) + put(4) + value + i64(256) + I64_LT_U + IF
    out += value + I32_WRAP_I64 + I32_LOAD8_U + uleb128(CODE_OF) + put(4) + END
    out += at + I32_LOAD8_U + uleb128(CODES) + code + I32_NE + IF
    out += at + code + I32_STORE8 + uleb128(CODES) + i32(0) + i64(1) + _store_control(RECODED) + END
    out += at + i32(3) + I32_SHL + value + I64_STORE + uleb128(CELLS) + i32(0)
    return Function([I64, I64, I64], [I32], [I32, I32], out)


def _put_far() -> bytes:
    """Return code that writes a cell outside the window, or returns 1 if the core must write it."""
    x, y, value, at = get(0), get(1), get(2), get(3)
    refuse = IF + i32(1) + RETURN + END
    out = _far_index(x, y, I32_EQZ + refuse) + put(3)
    old = at + i32(3) + I32_SHL + I64_LOAD + uleb128(FAR)
    out += value + i64(32) + I64_EQ + value + i64(59) + I64_EQ + I32_OR
    out += old + i64(59) + I64_EQ + I32_OR + refuse
    out += old + i64(32) + I64_EQ + IF + _load_control_i32(FAR_ROOM) + I32_EQZ + refuse
    out += i32(0) + _load_control(FAR_ROOM) + i64(1) + I64_SUB + _store_control(FAR_ROOM) + END
    out += at + i32(3) + I32_SHL + value + I64_STORE + uleb128(FAR)
    out += at + I32_LOAD8_U + uleb128(FAR_CHANGED) + I32_EQZ + IF
    out += at + i32(1) + I32_STORE8 + uleb128(FAR_CHANGED)
    out += _load_control_i32(FAR_WRITES) + i32(2) + I32_SHL + at + I32_STORE + uleb128(FAR_LIST)
    out += i32(0) + _load_control(FAR_WRITES) + i64(1) + I64_ADD + _store_control(FAR_WRITES) + END
    return out + i32(0) + RETURN


def _far_index(x: bytes, y: bytes, check: bytes) -> bytes:
    """Return code that pushes the index of a cell in the copy of cells outside the window.

    check: code that pops 1 if the index is valid, else 0, before the index is pushed.
    """
    column = x + _load_control(FAR_X) + I64_SUB
    row = y + _load_control(FAR_Y) + I64_SUB
    inside = (
        column
        + _load_control(FAR_WIDTH)
        + I64_LT_U
        + row
        + _load_control(FAR_HEIGHT)
        + I64_LT_U
        + I32_AND
    )
    return (
        inside + check + row + _load_control(FAR_WIDTH) + I64_MUL + column + I64_ADD + I32_WRAP_I64
    )


def _far_function() -> Function:
    """Return code for ``get_far(x, y)``, which returns the value of a cell outside the window."""
    blank = I32_EQZ + IF + i64(32) + RETURN + END
    out = _far_index(get(0), get(1), blank) + i32(3) + I32_SHL + I64_LOAD + uleb128(FAR)
    return Function([I64, I64], [I64], [], out)
