"""Translates the regions of a Whitespace program to a module of WebAssembly.

The module has two functions.  One executes the program: it can begin at any root, and returns at
the beginning of a block that the core must execute.  The other prints a number.  Within a region,
the places of the stack that it uses are in local variables, which are written to memory when
control leaves the region.

All numbers in local variables and in the copy of the stack are narrow (see ``flow.NARROW_LIMIT``)
at the beginning of a block.  Any other number makes the tier return, as do addresses outside of the
window of the heap.
"""

from __future__ import annotations

from esolangs.reasons import CHUNK
from esolangs.wasm import (
    BLOCK,
    BR,
    BR_IF,
    BR_TABLE,
    CALL,
    ELSE,
    END,
    F64_ABS,
    F64_CONVERT_I64_S,
    F64_LT,
    F64_MUL,
    I32,
    I32_ADD,
    I32_AND,
    I32_DIV_U,
    I32_EQ,
    I32_EQZ,
    I32_GE_U,
    I32_GT_U,
    I32_LOAD,
    I32_LOAD16_U,
    I32_LT_S,
    I32_LT_U,
    I32_REM_U,
    I32_SHL,
    I32_STORE,
    I32_SUB,
    I32_WRAP_I64,
    I64,
    I64_ADD,
    I64_AND,
    I64_DIV_S,
    I64_EQZ,
    I64_EXTEND_I32_U,
    I64_GE_U,
    I64_LOAD,
    I64_LT_S,
    I64_MUL,
    I64_NE,
    I64_OR,
    I64_REM_S,
    I64_SHR_S,
    I64_SHR_U,
    I64_STORE,
    I64_SUB,
    I64_XOR,
    IF,
    IF_I64,
    LOOP,
    PAGE_BYTES,
    Function,
    build_module,
    f64,
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
from esolangs.whitespace import opcodes
from esolangs.whitespace.flow import MAX_PLACE, NARROW_LIMIT, bits_below, places

TYPE_CHECKING = False

if TYPE_CHECKING:
    from esolangs.whitespace.flow import Flow, Region, StackBlock

# Addresses in the memory of the module.
CONTROL = 64
SCRATCH = 512
OUT_BYTES = 1 << 12
OUT_STEPS = OUT_BYTES + CHUNK
ROOT_REGIONS = 1 << 16  # for each instruction, the region of which it is the root; 2 bytes each
MAX_CODE = 1 << 16  # instructions
FRAMES = ROOT_REGIONS + 2 * MAX_CODE
MAX_FRAMES = 1 << 16
STACK_BOTTOM = FRAMES + 4 * MAX_FRAMES + 8 * MAX_PLACE  # of the stack; the space below remains zero
MAX_STACK = 1 << 16  # numbers
CELLS = STACK_BOTTOM + 8 * MAX_STACK + PAGE_BYTES - 8 * MAX_PLACE  # of the heap

# Numbers of the control words, of 8 bytes each.  DEPTH, HIGH and CEILING are stack addresses minus
# 8 * MAX_PLACE; DEPTH is the one after the top.  CALLS, CALLS_HIGH and CALLS_CEILING are addresses
# of frames.  RAISED: the steps left when HIGH was last raised, for the next block.  OLD_HIGH: HIGH
# before that.
(LEFT, DEPTH, HIGH, CEILING, CALLS, CALLS_HIGH, CALLS_CEILING) = range(7)
(ENTRY, PRINTED, ROOM, LIMIT, WINDOW, RAISED, OLD_HIGH) = range(7, 14)
WORDS = 14

_BUFFERS = PrintBuffers(CONTROL + 8 * ROOM, OUT_BYTES, OUT_STEPS, SCRATCH)

# Local variables.
(_PC, _SP, _CALLS, _PRINTED, _EXIT, _LEFT, _WINDOW, _NARROW) = range(8)
_LOCAL_TYPES = [I32] * 5 + [I64] * 3
_STACK = len(_LOCAL_TYPES) + MAX_PLACE  # the variable for place 0
_FIRST_VALUE = _STACK + MAX_PLACE
_PRINT_NUMBER = 1  # a function

_FACTOR_BITS = 30  # bits of factors whose product is narrow


class StackValue:
    """A number within a block: the number itself if it is known, and code that pushes it.

    narrow: whether it is certainly narrow (see ``flow.NARROW_LIMIT``); otherwise it certainly
    fits a slot.  place: the place on the stack that contained it at the beginning of the block,
    or None.
    """

    __slots__ = ("code", "narrow", "number", "place")

    def __init__(
        self, code: bytes, number: int | None = None, *, narrow: bool, place: int | None = None
    ):
        self.code = code
        self.number = number
        self.narrow = narrow
        self.place = place


class StackRules:
    """The options that compiled code depends on.

    cells: minimum size of the heap's window; constant addresses below it are not tested.
    """

    __slots__ = ("cells", "floor_quotient", "floor_remainder", "utf8")

    def __init__(self, *, floor_quotient: bool, floor_remainder: bool, utf8: bool, cells: int):
        self.floor_quotient = floor_quotient
        self.floor_remainder = floor_remainder
        self.utf8 = utf8
        self.cells = cells


class StackTranslation:
    """A program translated to WebAssembly.  code: the module."""

    def __init__(self, flow: Flow, rules: StackRules):
        self.flow = flow
        self.rules = rules
        self._labels: list[object] = []
        self._out = bytearray()
        self._changed: dict[int, StackValue] = {}
        self._top = 0
        self._next_local = self._max_locals = _FIRST_VALUE
        self.code = self._build_module()

    # The module.

    def _build_module(self) -> bytes:
        regions = self.flow.regions
        for word, local in (
            (DEPTH, _SP),
            (CALLS, _CALLS),
            (ENTRY, _PC),
        ):
            self._out += _load_control_i32(word) + put(local)
        self._out += _load_control(LEFT) + put(_LEFT) + _load_control(WINDOW) + put(_WINDOW)
        self._out += i64(NARROW_LIMIT) + put(_NARROW)
        self._open_block(BLOCK, "out")
        self._open_block(LOOP, "top")
        for region in reversed(regions):
            self._open_block(BLOCK, region)
        self._out += get(_PC) + BR_TABLE + uleb128(len(regions) - 1)
        self._out += b"".join(uleb128(number) for number in range(len(regions)))
        for region in regions:
            self._close_block()
            self._append_region(region)
        self._close_block()
        self._close_block()
        for word, local in (
            (DEPTH, _SP),
            (CALLS, _CALLS),
            (PRINTED, _PRINTED),
        ):
            self._out += i32(0) + get(local) + I64_EXTEND_I32_U + _store_control(word)
        self._out += i32(0) + get(_LEFT) + _store_control(LEFT) + get(_EXIT)
        kinds = _LOCAL_TYPES + [I64] * (self._max_locals - len(_LOCAL_TYPES))
        run = Function([], [I32], kinds, bytes(self._out))
        return build_module([run, number_printer(_BUFFERS, b"")], CELLS // PAGE_BYTES)

    def _append_region(self, region: Region) -> None:
        root = region.root
        self._open_block(LOOP, "again")
        self._open_block(BLOCK, "refused")
        if root.need:
            self._out += get(_SP) + i32(STACK_BOTTOM + 8 * (root.need - MAX_PLACE)) + I32_LT_U
            self._branch_if("refused")
        if root.high:
            self._raise_max_depth(root.high, "refused")
        for place in places(root.live):
            self._out += get(_SP) + I64_LOAD + uleb128(8 * (place + MAX_PLACE))
            self._out += put(_STACK + place)
        self._open_block(LOOP, root)
        for block in reversed(region.blocks[1:]):
            self._open_block(BLOCK, block)
        for block in region.blocks:
            if block is not root:
                self._close_block()
            self._append_block(region, block)
        self._close_block()
        self._close_block()
        self._append_exit(root.head)
        self._close_block()

    def _raise_max_depth(self, depth_change: int, refusal: str) -> None:
        """Append code that raises the recorded maximum depth if the stack is about to exceed it.

        depth_change: how much deeper the stack becomes.  refusal: label to which the code jumps if
        there is no room for that depth.
        """
        depth = get(_SP) + i32(8 * depth_change) + I32_ADD
        self._out += depth + _load_control_i32(HIGH) + I32_GT_U
        self._open_block(IF, "if")
        self._out += depth + _load_control_i32(CEILING) + I32_GT_U
        self._branch_if(refusal)
        self._out += i32(0) + _load_control(HIGH) + _store_control(OLD_HIGH)
        self._out += i32(0) + get(_LEFT) + _store_control(RAISED)
        self._out += i32(0) + depth + I64_EXTEND_I32_U + _store_control(HIGH)
        self._close_block()

    # A block.

    def _append_block(self, region: Region, block: StackBlock) -> None:
        if block.end == block.head:
            self._spill(block.dirty, block.depth)
            self._append_exit(block.head)
            return
        self._changed = {}
        self._top = block.depth
        self._next_local = _FIRST_VALUE
        self._open_block(BLOCK, "bail")
        if block is region.root:
            self._out += get(_LEFT) + i64(region.max_steps) + I64_LT_S
            self._branch_if("bail")
        else:
            need, high = block.need - block.depth, block.high + block.depth
            if need > max(0, block.checked_need):
                self._out += get(_SP) + i32(STACK_BOTTOM + 8 * (need - MAX_PLACE)) + I32_LT_U
                self._branch_if("bail")
            if high > max(0, block.checked_high):
                self._raise_max_depth(high, "bail")
        for at in range(block.head, block.end - 1):
            self._append_instruction(at)
        self._append_last_instruction(block, block.end - 1)
        self._close_block()
        self._spill(block.dirty & bits_below(block.depth), block.depth)
        self._append_exit(block.head)

    def _append_last_instruction(self, block: StackBlock, index: int) -> None:
        """Append the last instruction of a block, and the jump to what follows."""
        flow = self.flow
        op, arg = flow.ops[index], flow.args[index]
        if op in (opcodes.JZ, opcodes.JN):
            value = self._pop()
            test = I64_EQZ if op == opcodes.JZ else i64(0) + I64_LT_S
            self._check_all_narrow()
            self._out += value.code + test
            self._subtract_steps(block)
            self._move_to_places()
            self._append_jump(block, arg, conditional=True)
            self._append_jump(block, block.end)
        elif op == opcodes.CALL:
            self._check_all_narrow()
            self._append_call(block, index + 1)
            self._leave_region(block, arg)
        elif op == opcodes.RETURN:
            self._check_all_narrow()
            self._out += get(_CALLS) + i32(FRAMES) + I32_EQ
            self._branch_if("bail")
            self._subtract_steps(block)
            self._move_to_places()
            self._spill(flow.dirty_after(block), self._top)
            self._out += get(_CALLS) + i32(4) + I32_SUB + tee(_CALLS) + I32_LOAD + uleb128(0)
            self._out += i32(1) + I32_SHL + I32_LOAD16_U + uleb128(ROOT_REGIONS) + put(_PC)
            self._append_branch("top")
        else:
            if op == opcodes.STORE:
                self._append_store()
            elif op in (opcodes.PRINTC, opcodes.PRINTN):
                self._append_print(op, block)
            else:
                self._append_instruction(index)
                self._check_all_narrow()
            self._subtract_steps(block)
            self._move_to_places()
            self._append_jump(block, arg if op == opcodes.JUMP else block.end)

    def _subtract_steps(self, block: StackBlock) -> None:
        self._out += get(_LEFT) + i64(block.cost) + I64_SUB + put(_LEFT)

    def _append_call(self, block: StackBlock, return_point: int) -> None:
        """Append a call without the jump to its target."""
        self._out += get(_CALLS) + _load_control_i32(CALLS_HIGH) + I32_GE_U
        self._open_block(IF, "if")
        self._out += get(_CALLS) + _load_control_i32(CALLS_CEILING) + I32_GE_U
        self._branch_if("bail")
        self._out += i32(0) + get(_CALLS) + i32(4) + I32_ADD + I64_EXTEND_I32_U
        self._out += _store_control(CALLS_HIGH)
        self._close_block()
        self._subtract_steps(block)
        self._move_to_places()
        self._out += get(_CALLS) + i32(return_point) + I32_STORE + uleb128(0)
        self._out += get(_CALLS) + i32(4) + I32_ADD + put(_CALLS)

    def _append_jump(self, block: StackBlock, target: int, *, conditional: bool = False) -> None:
        """Append a jump to instruction ``target``; if ``conditional``, pop the condition."""
        found = self.flow.block_inside(block, target)
        if found is not None:
            self._out += (BR_IF if conditional else BR) + uleb128(self._label_depth(found))
            return
        if conditional:
            self._open_block(IF, "if")
        self._leave_region(block, target)
        if conditional:
            self._close_block()

    def _leave_region(self, block: StackBlock, target: int) -> None:
        """Append a jump to the region that begins at instruction ``target``.

        The jump writes changed places to memory and adjusts the stack pointer. The region can be
        that of ``block``, whose places are then loaded again.
        """
        self._spill(self.flow.dirty_after(block), self._top)
        region = self.flow.region_at[target]
        if region.number == block.region:
            self._append_branch("again")
        elif region.number > block.region:
            self._append_branch(region)
        else:
            self._out += i32(region.number) + put(_PC)
            self._append_branch("top")

    def _spill(self, place_bits: int, depth: int) -> None:
        """Append code that writes stack places to memory and moves the stack pointer.

        place_bits: a bit for each place to write.  depth: number of places to move the pointer by.
        """
        for place in places(place_bits):
            value = get(_STACK + place)
            self._out += get(_SP) + value + I64_STORE + uleb128(8 * (place + MAX_PLACE))
        if depth:
            self._out += get(_SP) + i32(8 * depth) + I32_ADD + put(_SP)

    def _append_exit(self, instruction: int) -> None:
        """Append a return to the core, which continues at ``instruction``."""
        self._out += i32(instruction) + put(_EXIT)
        self._append_branch("out")

    # Instructions.

    def _append_instruction(self, at: int) -> None:
        op, arg = self.flow.ops[at], self.flow.args[at]
        if op == opcodes.PUSH:
            self._push(_constant(arg))
        elif op == opcodes.DUP or op == opcodes.COPY:
            self._push(self._value_at(self._top - 1 - (arg if op == opcodes.COPY else 0)))
        elif op == opcodes.SWAP:
            above, below_it = self._pop(), self._pop()
            self._push(above)
            self._push(below_it)
        elif op == opcodes.DISCARD:
            self._top -= 1
        elif op == opcodes.SLIDE:
            if arg > 0:
                value = self._pop()
                self._top -= arg
                self._push(value)
        elif op == opcodes.RETRIEVE:
            self._append_retrieve()
        elif op == opcodes.MUL:
            self._append_product()
        elif op == opcodes.DIV or op == opcodes.MOD:
            self._append_division(op)
        elif op == opcodes.ADD or op == opcodes.SUB:
            self._append_addition(op)

    def _append_addition(self, op: int) -> None:
        second, first = self._pop_narrow(), self._pop_narrow()
        if first.number is not None and second.number is not None:
            number = first.number + (second.number if op == opcodes.ADD else -second.number)
            if -NARROW_LIMIT < number < NARROW_LIMIT:
                self._push(_constant(number))
                return
        result = self._new_value(
            first.code + second.code + (I64_ADD if op == opcodes.ADD else I64_SUB)
        )
        known = first.number is not None or second.number is not None
        if op == opcodes.ADD and not known:  # -NARROW_LIMIT - NARROW_LIMIT is BIG
            self._check_narrow(result)
        self._push(result)

    def _append_product(self) -> None:
        second, first = self._pop_narrow(), self._pop_narrow()
        half = i64(1 << _FACTOR_BITS)
        either = first.code + half + I64_ADD + second.code + half + I64_ADD + I64_OR
        self._open_block(either + i64(_FACTOR_BITS + 1) + I64_SHR_U + i64(0) + I64_NE + IF, "if")
        self._out += first.code + F64_CONVERT_I64_S + second.code + F64_CONVERT_I64_S + F64_MUL
        self._out += F64_ABS + f64(4.6e18) + F64_LT + I32_EQZ  # NARROW_LIMIT, minus rounding errors
        self._branch_if("bail")
        self._close_block()
        self._push(self._new_value(first.code + second.code + I64_MUL, narrow=True))

    def _append_division(self, op: int) -> None:
        second, first = self._pop_narrow(), self._pop_narrow()
        floors = self.rules.floor_quotient if op == opcodes.DIV else self.rules.floor_remainder
        by = second.number
        if by is not None and by > 0 and by & (by - 1) == 0 and floors:
            shift = i64(by.bit_length() - 1) + I64_SHR_S
            code = first.code + (shift if op == opcodes.DIV else i64(by - 1) + I64_AND)
            self._push(self._new_value(code, narrow=True))
            return
        if not by:
            self._out += second.code + I64_EQZ
            self._branch_if("bail")
        # Division in 32 bits is faster.
        code = first.code + second.code + I64_OR + i64(32) + I64_SHR_U + I64_EQZ + IF_I64
        code += first.code + I32_WRAP_I64 + second.code + I32_WRAP_I64
        code += (I32_DIV_U if op == opcodes.DIV else I32_REM_U) + I64_EXTEND_I32_U + ELSE
        self._out += code
        self._labels.append("if")
        if op == opcodes.MOD or floors:
            rest = self._new_value(first.code + second.code + I64_REM_S).code
            differ = rest + second.code + I64_XOR + i64(0) + I64_LT_S
            wrong = rest + i64(0) + I64_NE + differ + I32_AND + I64_EXTEND_I32_U
        else:
            rest = wrong = b""
        if op == opcodes.DIV:
            self._out += first.code + second.code + I64_DIV_S
            self._out += wrong + I64_SUB if floors else b""
        else:
            self._out += rest
            self._out += (
                i64(0) + wrong + I64_SUB + second.code + I64_AND + I64_ADD if floors else b""
            )
        self._close_block()
        self._push(self._new_value(b"", narrow=op == opcodes.MOD or (by is not None and by != -1)))

    def _heap_address(self, address: StackValue) -> tuple[bytes, int]:
        """Append a test of a heap address, and return the code and offset to access its cell.

        At run time, the test returns to the core if the address is outside the heap's window.
        The returned code pushes the base of the memory access, to which the offset is added.
        """
        number = address.number
        if number is not None and 0 <= number < self.rules.cells:
            return i32(0), CELLS + 8 * number
        self._out += address.code + get(_WINDOW) + I64_GE_U
        self._branch_if("bail")
        return address.code + I32_WRAP_I64 + i32(3) + I32_SHL, CELLS

    def _append_retrieve(self) -> None:
        at, offset = self._heap_address(self._pop())
        result = self._new_value(at + I64_LOAD + uleb128(offset))
        self._check_narrow(result)  # the cell may contain BIG
        self._push(result)

    def _append_store(self) -> None:
        value, address = self._pop(), self._pop()
        at, offset = self._heap_address(address)
        self._check_all_narrow()
        self._out += at + value.code + I64_STORE + uleb128(offset)

    def _append_print(self, op: int, block: StackBlock) -> None:
        value = self._pop()
        self._check_all_narrow()
        step = _load_control(LIMIT) + get(_LEFT) + I64_SUB + i64(block.cost) + I64_ADD
        if op == opcodes.PRINTN:
            self._out += value.code + step + get(_PRINTED) + CALL + uleb128(_PRINT_NUMBER)
            self._out += tee(_PC) + i32(0) + I32_LT_S
            self._branch_if("bail")
            self._out += get(_PC) + put(_PRINTED)
            return
        self._out += get(_PRINTED) + _load_control_i32(ROOM) + I32_GE_U
        self._branch_if("bail")
        if self.rules.utf8:
            self._out += value.code + i64(128) + I64_GE_U
            self._branch_if("bail")
        self._out += print_byte(_BUFFERS, _PRINTED, value.code + I32_WRAP_I64, step)

    # Values.

    def _value_at(self, place: int) -> StackValue:
        value = self._changed.get(place)
        if value is None:
            value = self._changed[place] = StackValue(get(_STACK + place), narrow=True, place=place)
        return value

    def _push(self, value: StackValue) -> None:
        self._changed[self._top] = value
        self._top += 1

    def _pop(self) -> StackValue:
        self._top -= 1
        return self._value_at(self._top)

    def _pop_narrow(self) -> StackValue:
        """Pop a number; append code that returns to the core if the number is not narrow.

        ``flow.NARROW_LIMIT`` defines narrow.
        """
        value = self._pop()
        self._check_narrow(value)
        return value

    def _new_value(self, code: bytes, *, narrow: bool = False) -> StackValue:
        """Append ``code`` and a store of the number that it pushes; return the new variable."""
        local = self._next_local
        self._next_local += 1
        self._max_locals = max(self._max_locals, self._next_local)
        self._out += code + put(local)
        return StackValue(get(local), narrow=narrow)

    def _check_narrow(self, value: StackValue) -> None:
        """Append code that returns to the core if a number is not *narrow*.

        A narrow number is in the range that ``flow.NARROW_LIMIT`` describes.  Appends nothing if
        the number is known to be narrow.
        """
        if not value.narrow:
            self._out += value.code + get(_NARROW) + I64_ADD + i64(0) + I64_LT_S
            self._branch_if("bail")
            value.narrow = True

    def _check_all_narrow(self) -> None:
        """Call ``_check_narrow`` for each changed number that is still on the stack."""
        for place, value in self._changed.items():
            if place < self._top:
                self._check_narrow(value)

    def _move_to_places(self) -> None:
        """Append code that moves each number to the variable for its current place on the stack."""
        moves = [
            (place, value.code)
            for place, value in self._changed.items()
            if place < self._top and value.place != place
        ]
        self._out += b"".join(code for _, code in moves)
        self._out += b"".join(put(_STACK + place) for place, _ in reversed(moves))

    # Labels.

    def _open_block(self, code: bytes, label: object) -> None:
        self._out += code
        self._labels.append(label)

    def _close_block(self) -> None:
        self._out += END
        self._labels.pop()

    def _label_depth(self, label: object) -> int:
        found = len(self._labels) - 1
        while self._labels[found] is not label and self._labels[found] != label:
            found -= 1
        return len(self._labels) - 1 - found

    def _append_branch(self, label: object) -> None:
        self._out += BR + uleb128(self._label_depth(label))

    def _branch_if(self, label: object) -> None:
        self._out += BR_IF + uleb128(self._label_depth(label))


def _constant(number: int) -> StackValue:
    return StackValue(i64(number), number, narrow=True)


def _load_control(number: int) -> bytes:
    return load_i64(CONTROL + 8 * number)


def _load_control_i32(number: int) -> bytes:
    return load_i32(CONTROL + 8 * number)


def _store_control(number: int) -> bytes:
    return I64_STORE + uleb128(CONTROL + 8 * number)
