"""Translate the operations of a Brainfuck program to a WebAssembly module.

The module has one function, which can enter the program at almost any block and returns at a
command where the core continues.  Loops of the program become WebAssembly loops.  A local variable
has the address of the current cell; within a block, values of cells are in local variables and are
written back once.

Three properties make the code faster than the core, with the same results:

- Steps are counted as in the core, but the limit is checked mainly at the start of loop bodies.
  ``slack`` is the maximum number of steps between two checks, by which the limit is reduced.
- A block does not check cells in its ``visited``, which every path to it has visited.
- After a loop, the cell that it tests is 0.
"""

from __future__ import annotations

from esolangs.brainfuck.flow import (
    ConditionChain,
    TierBlock,
    TranslationRefused,
    block_costs,
    close_loops,
    find_condition_chain,
    find_continuation_blocks,
    find_marked,
    find_single_rounds,
    find_visited_cells,
    level_items,
    max_distance_below,
    place_checks,
    split_blocks,
)
from esolangs.brainfuck.layout import (
    BEFORE,
    CONTROL,
    ENTERING,
    EXIT,
    FIXED,
    HALTED,
    HIGH,
    IN_BYTES,
    IN_STEPS,
    INPUT,
    LEAVE,
    LEFT,
    LOADS,
    LOCAL_TYPES,
    LOW,
    NEST,
    NEST_FLAGS,
    NEXT,
    OUT_BYTES,
    OUT_STEPS,
    PATH,
    PLACE,
    POINTER,
    PRINTED,
    READ,
    ROOM,
    ROUND,
    STEPS,
    STORES,
    VALUE,
    ZERO_VALUE,
    Exit,
    add_code,
    add_multiple,
    increment,
    load_control,
    load_rounds,
    store_rounds,
    store_step,
)
from esolangs.brainfuck.opcodes import (
    ADD,
    CLEAR,
    COUNT_HEAD,
    END,
    FAR_MOVE,
    IN,
    JUMP_NEST,
    LOOP_BEGINS,
    LOOP_ENDS,
    MOVES,
    MUL,
    MUL_HEAD,
    MUL_HEADS,
    OUT,
    SCAN,
)
from esolangs.brainfuck.rounds import RoundCode, UnsupportedLoop
from esolangs.wasm import (
    BLOCK,
    BR,
    BR_IF,
    BR_TABLE,
    I32,
    I32_ADD,
    I32_AND,
    I32_EQZ,
    I32_GE_U,
    I32_LE_U,
    I32_LOAD,
    I32_LOAD8_U,
    I32_LT_U,
    I32_MUL,
    I32_OR,
    I32_SHR_U,
    I32_STORE,
    I32_STORE8,
    I32_SUB,
    I64_ADD,
    I64_DIV_S,
    I64_EQ,
    I64_EXTEND_I32_U,
    I64_LOAD,
    I64_LT_S,
    I64_MUL,
    I64_NE,
    I64_STORE,
    I64_SUB,
    IF,
    LOOP,
    PAGE_BYTES,
    SELECT,
    build_simple_module,
    get,
    i32,
    i64,
    put,
    tee,
    uleb128,
)
from esolangs.wasm import END as CLOSE_BLOCK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from esolangs.wasmtime_library import CompiledModule

    _KnownCells: TypeAlias = tuple[dict[int, bytes], set[int]]

MAX_OPS_LENGTH = 1 << 16
"""Maximum length of ``ops`` of a program that is translated."""

NEST_ROUNDS = 16
"""The round of a loop nest at whose start compiled code lets the core try to skip rounds."""

_MAX_DISTANCE_BYTES = 1 << 18  # bytes from the pointer
_MAX_UNCONDITIONAL_TARGETS = 4  # maximum targets of a merged loop that is computed without a branch


class Translation:
    """A program translated to a WebAssembly module.

    tape: required address of cell 0 of a buffer.  bias: difference between the address of a cell
    and the local variable ``PLACE``.  slack: see the docstring of this module.  selectors: for each
    block, the numbers that select it (see ``PATH``), or None if it cannot be entered.
    marked_blocks: numbers of the blocks that are left to the core, because they contain a mark.
    """

    def __init__(
        self,
        ops: Sequence[int],
        loops: Sequence[int],
        bits: int,
        both_ways: bool,
        marks: bytearray | None = None,
    ):
        """Translate a program; raise TranslationRefused if it is too large.

        both_ways: whether the tape also grows to the left, so that its lowest cell can move.
        marks: 1 for each command that is left to the core, or None.
        """
        if len(ops) > MAX_OPS_LENGTH:
            raise TranslationRefused
        self._ops = ops
        self._loops = loops
        self._width = bits // 8
        self._mask = (1 << bits) - 1
        self._both_ways = both_ways
        self.blocks = split_blocks(ops)
        self.numbers = {block.head: number for number, block in enumerate(self.blocks)}
        close_loops(ops, self.blocks)
        find_visited_cells(ops, self.blocks)
        find_single_rounds(ops, self.blocks)
        self.marked_blocks = set[int]() if marks is None else find_marked(ops, self.blocks, marks)
        self._cost_in_slack = bits == 8  # costs of merged loops are part of the slack
        costs = block_costs(ops, self.blocks, self._mask if self._cost_in_slack else 0)
        self.slack = place_checks(costs)
        far = max_distance_below(ops, self.blocks) * self._width
        if far > _MAX_DISTANCE_BYTES:
            raise TranslationRefused
        self.bias = far
        self.tape = (FIXED + 2 * far + PAGE_BYTES) // PAGE_BYTES * PAGE_BYTES
        self.exits: list[Exit] = []
        self.selectors: list[tuple[int, ...] | None] = [None] * len(self.blocks)
        self.module: CompiledModule | None = None  # once it is compiled
        self._continuation_blocks = find_continuation_blocks(self.blocks)
        self._skip_states: dict[int, _KnownCells] = {}
        self._chain_steps: dict[int, int] = {}  # by number of a block in a chain: steps to subtract
        self._out: bytearray = bytearray()
        self._labels = 0
        self._next_local = len(LOCAL_TYPES)
        self._max_locals = self._next_local
        self._value = b""
        self._begin_block(0)
        self.code = self._build_module()

    # Code.

    def _build_module(self) -> bytes:
        begin = load_control(POINTER) + put(PLACE)
        # To enter a block is to jump down the levels; ``ENTERING`` as remaining steps requests it.
        begin += BLOCK
        self._labels = 1
        self._append_level(0, len(self.blocks) - 1, -1, ())
        code = begin + self._out + CLOSE_BLOCK
        for word, local, store in (
            (POINTER, PLACE, I32_STORE),
            (LEFT, STEPS, I64_STORE),
        ):
            code += i32(0) + get(local) + store + uleb128(CONTROL + 8 * word)
        code += load_control(EXIT)
        pages = self.tape // PAGE_BYTES + 1
        return build_simple_module(
            bytes(code), LOCAL_TYPES + [I32] * (self._max_locals - len(LOCAL_TYPES)), pages
        )

    def _append_level(self, first: int, last: int, command: int, selector: tuple[int, ...]) -> None:
        """Append code for a *level* (the program or a loop's body): blocks ``first`` to ``last``.

        command: the first command of a loop's body, at which the code returns if no steps remain;
        -1 for the program.  selector: for each outer level, the index of its branch to this one.
        """
        items = level_items(self.blocks, first, last)
        for _ in items:
            self._open_block(BLOCK)
        base = self._labels
        labels = {number: base - at for at, (number, loop) in enumerate(items) if not loop}
        if command >= 0:
            self._open_block(get(STEPS) + i64(0) + I64_LT_S + IF)
            self._begin_block(first)
            self._out += get(STEPS) + i64(ENTERING) + I64_NE
            self._return_if(LEAVE, command, 0, 0)
        self._load_level(len(selector))
        branch_labels: list[int] = []
        loop_selectors: dict[int, tuple[int, ...]] = {}
        for at, (number, loop) in enumerate(items):
            if loop:
                loop_selectors[number] = (*selector, len(branch_labels))
            elif number not in self._continuation_blocks:
                if number not in self.marked_blocks:
                    self.selectors[number] = (*selector, len(branch_labels))
            else:
                continue
            branch_labels.append(base - at)
        self._out += i32(0) + I32_LOAD + uleb128(PATH + 16 * len(selector) + 8) + BR_TABLE
        self._out += uleb128(len(branch_labels) - 1)
        for label in branch_labels:
            self._out += uleb128(self._labels - label)
        if command >= 0:
            self._close_block()
        small: bytes | None = None
        for number, loop in items:
            self._close_block()
            if number in self._chain_steps:
                self._count_steps(self._chain_steps[number])
                self._subtract_steps()
                continue
            block = self.blocks[number]
            if loop:
                rounds = self._make_round_code(number)
                if rounds is not None:
                    self._append_rounds_loop(number, rounds)
                if small is None:
                    self._append_loop(number, loop_selectors[number])
                else:
                    self._append_small_loop(number, small, loop_selectors[number])
                if rounds is not None:
                    self._close_block()
                continue
            value = self._append_block(number)
            if block.loop_end < 0:
                continue
            if block.single_round:
                chain = find_condition_chain(self._ops, self.blocks, number)
                if chain is not None and value != ZERO_VALUE and not self._is_marked(number):
                    self._append_chain(number, chain, value, labels[block.loop_end + 1])
                    continue
                self._out += value + I32_EQZ
                self._skip_states[block.loop_end + 1] = self._cells, self._clean_cells
            else:
                self._out += value + tee(VALUE) + I32_EQZ
            self._append_br_if(labels[block.loop_end + 1])
            if not block.single_round:
                small = self._single_block_body(number) if block.loop_end == number + 1 else None
                if small is None:
                    self._out += i32(0) + i64(1) + store_rounds(self._loop_depth(number))

    def _load_level(self, level: int) -> None:
        """Append code that loads ``STEPS`` (from a level in ``PATH``) and ``VALUE`` (the cell)."""
        self._out += i32(0) + I64_LOAD + uleb128(PATH + 16 * level) + put(STEPS)
        self._out += self._load_cell(0) + put(VALUE)

    def _is_marked(self, number: int) -> bool:
        """Return whether the loop that block ``number`` begins contains a marked block."""
        return any(number < at <= self.blocks[number].loop_end for at in self.marked_blocks)

    def _loop_depth(self, number: int) -> int:
        """Return the depth of the loop that a block begins."""
        return self._ops[self.blocks[self.blocks[number].loop_end].operations[-1] + 4]

    def _append_loop(self, number: int, selector: tuple[int, ...]) -> None:
        """Append a block's loop; count its rounds in memory and load its cell into ``VALUE``."""
        close = self.blocks[number].loop_end
        depth = self._loop_depth(number)
        body = self.blocks[number + 1]
        self._open_block(LOOP)
        loop = self._labels
        self._append_level(number + 1, close, body.first, selector)
        self._open_block(self._value + tee(VALUE) + IF)
        self._out += get(STEPS) + i64(1) + I64_SUB + put(STEPS)
        self._out += i32(0) + load_rounds(depth) + i64(1) + I64_ADD + store_rounds(depth)
        self._begin_block(number + 1)
        if self._ops[self.blocks[close].operations[-1]] == JUMP_NEST:
            self._append_nest_exit(close, body.first, load_rounds(depth))
        self._append_br(loop)
        self._close_block()
        self._out += i32(0) + i64(0) + store_rounds(depth)
        self._close_block()

    def _single_block_body(self, number: int) -> bytes | None:
        """Return the code of a loop body that is one block; None if it can return to the core."""
        out, exits = self._out, len(self.exits)
        self._out = bytearray()
        value = self._append_block(number + 1)
        code = bytes(self._out + value)
        self._out = out
        if len(self.exits) == exits:
            return code
        del self.exits[exits:]
        return None

    def _append_small_loop(self, number: int, code: bytes, selector: tuple[int, ...]) -> None:
        """Append a loop; count rounds in ``ROUND``. Its body, ``code``, pushes the tested cell."""
        body = self.blocks[number + 1]
        depth = self._loop_depth(number)
        self.selectors[number + 1] = (*selector, 0)
        self._begin_block(number + 1)
        self._out += i64(1) + put(ROUND)
        self._open_block(LOOP)
        loop = self._labels
        self._open_block(get(STEPS) + i64(0) + I64_LT_S + IF)
        self._open_block(get(STEPS) + i64(ENTERING) + I64_NE + IF)
        self._out += i32(0) + get(ROUND) + store_rounds(depth)
        self._append_exit(LEAVE, body.first, 0, 0)
        self._close_block()
        self._load_level(len(selector))
        self._out += load_rounds(depth) + put(ROUND)
        self._out += i32(0) + i64(0) + store_rounds(depth)
        self._close_block()
        self._open_block(code + tee(VALUE) + IF)
        self._out += get(STEPS) + i64(1) + I64_SUB + put(STEPS)
        self._out += get(ROUND) + i64(1) + I64_ADD + put(ROUND)
        if self._ops[body.operations[-1]] == JUMP_NEST and not self._cost_in_slack:
            self._append_nest_exit(number + 1, body.first, get(ROUND), depth)
        self._append_br(loop)
        self._close_block()
        self._close_block()

    def _make_round_code(self, number: int) -> RoundCode | None:
        """Return code for a loop's rounds with its cells in variables, or None if impossible."""
        bits = self._width * 8
        if self._is_marked(number):
            return None
        try:
            found = RoundCode(self._ops, self.blocks, number, bits, STEPS, ROUND, len(LOCAL_TYPES))
        except UnsupportedLoop:
            return None
        if -found.low * self._width > self.bias:
            return None
        self.slack = max(self.slack, found.max_steps)
        self._max_locals = max(self._max_locals, found.locals)
        return found

    def _append_rounds_loop(self, number: int, rounds: RoundCode) -> None:
        """Append a fast version of a loop, with its cells in local variables.

        A block remains open, for the usual loop with its cells in memory. It runs if a cell has not
        been visited or is not 0 as assumed, or if compiled code is entered inside of the loop.
        """
        body, close = self.blocks[number + 1], self.blocks[number].loop_end
        after = self.blocks[close + 1]
        width, depth = self._width, self._loop_depth(number)
        self._open_block(BLOCK)
        done = self._labels
        self._open_block(BLOCK)
        usual = self._labels
        self._out += get(STEPS) + i64(0) + I64_LT_S
        self._append_br_if(usual)
        if rounds.low < min(0, body.visited[0]):
            self._out += (
                get(PLACE) + i32(rounds.low * width) + I32_ADD + self._lowest_address() + I32_LT_U
            )
            self._append_br_if(usual)
        if rounds.high > max(0, body.visited[1]):
            self._out += (
                get(PLACE) + i32(rounds.high * width) + I32_ADD + load_control(HIGH) + I32_GE_U
            )
            self._append_br_if(usual)
        for cell in rounds.zeros:
            self._out += self._load_cell(cell)
            self._append_br_if(usual)
        for cell, variable in rounds.variables.items():
            self._out += self._load_cell(cell) + put(variable)
        store = bytearray()
        for cell in sorted(rounds.changed):
            store += get(PLACE) + get(rounds.variables[cell]) + self._store_cell(cell)
        self._out += i64(1) + put(ROUND)
        self._open_block(BLOCK)
        self._open_block(LOOP)
        self._begin_block(number + 1)
        self._open_block(get(STEPS) + i64(0) + I64_LT_S + IF)
        self._out += store + i32(0) + get(ROUND) + store_rounds(depth)
        self._append_exit(LEAVE, body.first, 0, 0)
        self._close_block()
        self._out += rounds.code
        self._close_block()
        self._close_block()
        self._out += store + i32(0) + i64(0) + store_rounds(depth)
        self._begin_block(close + 1)
        self._out += get(STEPS) + i64(0) + I64_LT_S
        self._return_if(LEAVE, after.first, 0, 0)
        self._append_br(done)
        self._close_block()

    def _append_chain(self, number: int, chain: ConditionChain, value: bytes, after: int) -> None:
        """Append code for the nested conditions of ``chain``, but not for the blocks inside them.

        number: block before the first condition.  value: code that pushes the tested cell.  after:
        label of the code after the chain.
        """
        first, steps = self.blocks[number + 1], chain.steps
        for chain_block in (*range(number + 1, number + steps + 1), *chain.blocks):
            self._chain_steps[chain_block] = 0
        self._chain_steps[chain.blocks.start] = steps  # for the "]" of each step
        self._exit_depths = first.single_round_depths
        self._open_block(value + IF)
        self._append_bounds_check(first, chain.low, chain.high, first.first, 0, 0)
        self._close_block()
        changed = {0, *(to for to, _ in chain.sums)}
        same = {offset: known for offset, known in self._cells.items() if offset not in changed}
        self._skip_states[self.blocks[number].loop_end + 1] = same, set(self._clean_cells)
        values = {to: self._cell_value(to) for to, _ in chain.sums}
        self._open_block(value + i32(steps) + I32_LE_U + IF)
        for to, by in chain.sums:
            self._out += (
                get(PLACE) + add_code(values[to], add_multiple(value, by)) + self._store_cell(to)
            )
        self._out += get(PLACE) + ZERO_VALUE + self._store_cell(0)
        cost = value + I64_EXTEND_I32_U + i64(chain.cost + 1) + I64_MUL
        self._out += get(STEPS) + cost + I64_SUB + put(STEPS)
        self._append_br(after)
        self._close_block()
        for to, by in chain.sums:
            self._set_cell(to, add_code(values[to], i32(steps * by) + I32_ADD))
        self._set_cell(0, value + i32(-steps) + I32_ADD)
        self._clean_cells.add(0)
        self._write_back(self._dirty)
        self._dirty.clear()
        self._count_steps(steps * chain.cost)
        self._subtract_steps()

    def _append_nest_exit(self, close: int, command: int, rounds: bytes, depth: int = -1) -> None:
        """Append a return from a nest of loops to the core, which then tries to skip rounds.

        The code returns before round ``NEST_ROUNDS``, unless the flag in ``NEST_FLAGS`` is set.

        depth: depth of the loop whose number of rounds to store; -1 if it is already in memory.
        """
        nest = self._loops[self._ops[self.blocks[close].operations[-1] + 5] + 3]
        if nest >= FIXED - NEST_FLAGS:
            return
        self._open_block(rounds + i64(NEST_ROUNDS) + I64_EQ + IF)
        self._open_block(i32(0) + I32_LOAD8_U + uleb128(NEST_FLAGS + nest) + I32_EQZ + IF)
        if depth >= 0:
            self._out += i32(0) + rounds + store_rounds(depth)
        self._append_exit(NEST, command, 0, 0, nest)
        self._close_block()
        self._close_block()

    def _continue_block(self, number: int) -> None:
        """Begin a block at which compiled code is never entered; keep the known values of cells."""
        cells, clean, locals_used = self._cells, self._clean_cells, self._next_local
        skipping = self._skip_states.pop(number, None)
        self._begin_block(number)
        self._next_local = locals_used
        if skipping is not None:
            # Equal code is the same local variable, which has the value of the cell on both paths.
            both = skipping[0]
            cells = {offset: value for offset, value in cells.items() if both.get(offset) == value}
            clean = clean & skipping[1]
        self._cells, self._clean_cells = dict(cells), {0, *clean}

    def _begin_block(self, number: int) -> None:
        """Begin a block: no cell has a known value, and exits get its ``single_round_depths``."""
        self._exit_depths = self.blocks[number].single_round_depths
        self._cells: dict[int, bytes] = {}
        self._clean_cells: set[int] = {0}  # no bits above the size of a cell
        self._dirty: set[int] = set()
        self._pending_steps = 0
        self._next_local = len(LOCAL_TYPES)

    def _append_block(self, number: int) -> bytes:
        """Append a block; return code that pushes the cell that the end of the block tests."""
        block = self.blocks[number]
        if number in self._continuation_blocks:
            self._continue_block(number)
        else:
            self._begin_block(number)
            if number > 0 and self.blocks[number - 1].loop_end >= 0:  # the body of a loop
                self._cells[0] = get(VALUE)
        if block.after_loop:
            self._cells[0] = ZERO_VALUE
        if number in self.marked_blocks:
            self._append_exit(LEAVE, block.first, 0, 0)  # what follows is never executed
        if block.checks_steps:
            self._out += get(STEPS) + i64(0) + I64_LT_S
            self._return_if(LEAVE, block.first, 0, 0)
        self._append_bounds_check(block, block.low, block.high, block.first, 0, 0)
        self._count_steps(block.cost)
        self._value = b""
        at = 0
        while at < len(block.operations):
            at = self._append_operation(block, at)
        return self._value

    def _append_operation(self, block: TierBlock, place: int) -> int:
        """Append the operation at a place of a block; return the place of the next one."""
        ops = self._ops
        at = block.operations[place]
        op, offset = ops[at], ops[at + 1]
        if op == ADD:
            self._set_cell(offset, add_code(self._cell_value(offset), i32(ops[at + 2]) + I32_ADD))
        elif op in (CLEAR, *MOVES):
            targets = [] if op == CLEAR else [(ops[at + 6], ops[at + 7])]
            k = 3 if op == CLEAR else ops[at + 5]
            ends = None if op != FAR_MOVE else (ops[at + 8], ops[at + 9])
            self._append_merged_loop(block, at, k, targets, ends)
        elif op in (*MUL_HEADS, COUNT_HEAD):
            ends = ops[at + 7], ops[at + 8]
            if op == COUNT_HEAD:
                ends = ops[at + 8], ops[at + 9]
            targets: list[tuple[int, int]] = []
            while ops[block.operations[place + 1]] == MUL:
                place += 1
                targets.append((ops[block.operations[place] + 2], ops[block.operations[place] + 3]))
            place += 1  # the ZERO
            self._append_merged_loop(
                block, at, ops[at + 5], targets, None if op == MUL_HEAD else ends
            )
        elif op == OUT:
            self._append_print(at)
        elif op == IN:
            self._append_input(at)
        elif op == SCAN:
            self._append_scan(at)
        else:
            self._append_block_end(at)
        return place + 1

    def _append_block_end(self, at: int) -> None:
        """Append the end of a block; set ``_value`` to code that pushes the cell tested there."""
        op, offset = self._ops[at], self._ops[at + 1]
        if op in (*LOOP_BEGINS, *LOOP_ENDS):
            self._value = self._clean_value(offset)
        self._write_back(self._dirty)
        self._dirty.clear()
        self._subtract_steps()
        self._append_move(offset)
        self._cells = {at - offset: value for at, value in self._cells.items()}
        self._clean_cells = {at - offset for at in self._clean_cells}
        if op == END:
            self._append_exit(HALTED, -1, 0, 0)

    def _append_merged_loop(
        self,
        block: TierBlock,
        at: int,
        k: int,
        targets: list[tuple[int, int]],
        ends: tuple[int, int] | None,
    ) -> None:
        """Append the merged loop whose operation has the index ``at``.  k: steps of a round.

        targets: the cells to which a multiple of the count is added, each with its factor.
        ends: the lowest and highest cell that the loop visits, or None.
        """
        ops = self._ops
        op, offset, command, refund = ops[at : at + 4]
        value = self._clean_value(offset)
        if value == ZERO_VALUE:
            self._count_steps(1)
            return
        count = self._new_value(value)
        if op == COUNT_HEAD:
            shift = ops[at + 7]
            if shift:
                self._subtract_steps()
                self._out += count + i32((1 << min(shift, 32)) - 1) + I32_AND
                self._return_if(LEAVE, command, offset, refund)
            # With a shift above 31, the check above has returned, unless the count is 0.
            rounds = count + i32(min(shift, 31)) + I32_SHR_U + i32(ops[at + 4]) + I32_MUL
            count = self._new_value(rounds + i32(self._mask >> shift) + I32_AND)
        elif ops[at + 4] > 0:
            rounds = i32(0) + count + I32_SUB
            count = self._new_value(
                rounds if self._width == 4 else rounds + i32(self._mask) + I32_AND
            )
        low = min(block.low, block.visited[0])
        high = max(block.high, block.visited[1])
        far = ends is not None and (ends[0] < low or ends[1] > high)
        if ends is not None and far:
            self._subtract_steps()
            self._open_block(count + IF)
            self._append_bounds_check(block, ends[0], ends[1], command, offset, refund)
            self._close_block()
        cost = count + I64_EXTEND_I32_U + i64(k) + I64_MUL + i64(1) + count + SELECT
        if self._cost_in_slack:
            self._out += get(STEPS) + cost + I64_SUB + put(STEPS)
        else:
            self._subtract_steps()
            self._out += get(STEPS) + cost + I64_SUB + tee(NEXT) + i64(0) + I64_LT_S
            self._return_if(LEAVE, command, offset, refund)
            self._out += get(NEXT) + put(STEPS)
        if far or len(targets) > _MAX_UNCONDITIONAL_TARGETS:
            self._write_back({to for to, _ in targets} & self._dirty)
            self._dirty -= {to for to, _ in targets}
            self._open_block(count + IF)
            for to, factor in targets:
                self._cells.pop(to, None)
                self._out += get(PLACE) + add_code(self._load_cell(to), add_multiple(count, factor))
                self._out += self._store_cell(to)
            self._close_block()
        else:
            for to, factor in targets:
                self._set_cell(to, add_code(self._cell_value(to), add_multiple(count, factor)))
        self._set_cell(offset, ZERO_VALUE)

    def _append_print(self, at: int) -> None:
        offset, command, refund = self._ops[at + 1 : at + 4]
        self._subtract_steps()
        index = self._new_value(load_control(PRINTED))
        self._out += index + load_control(ROOM) + I32_GE_U
        self._return_if(LEAVE, command, offset, refund)
        self._out += index + self._cell_value(offset) + I32_STORE8 + uleb128(OUT_BYTES)
        self._out += store_step(index, refund) + uleb128(OUT_STEPS) + increment(PRINTED, index)

    def _append_input(self, at: int) -> None:
        offset, command, refund = self._ops[at + 1 : at + 4]
        self._subtract_steps()
        index = self._new_value(load_control(READ))
        self._out += index + load_control(INPUT) + I32_GE_U
        self._return_if(LEAVE, command, offset, refund)
        self._out += store_step(index, refund) + uleb128(IN_STEPS)
        self._set_cell(offset, index + I32_LOAD8_U + uleb128(IN_BYTES))
        self._clean_cells.add(offset)
        self._out += increment(READ, index)

    def _append_scan(self, at: int) -> None:
        """Append a loop such as ``[>>]``, which searches for a 0 and is a block of its own."""
        command, stride, k, depth = self._ops[at + 1 : at + 5]
        move = i32(stride * self._width)
        self._subtract_steps()
        self._out += get(STEPS) + put(BEFORE)
        self._open_block(BLOCK)
        self._open_block(LOOP)
        self._out += self._load_cell(0) + I32_EQZ
        self._append_br_if(self._labels - 1)
        self._out += get(PLACE) + move + I32_ADD + put(PLACE)
        self._out += get(STEPS) + i64(k) + I64_SUB + tee(STEPS) + i64(0) + I64_LT_S
        edge = load_control(HIGH) + I32_GE_U if stride > 0 else self._lowest_address() + I32_LT_U
        self._open_block(get(PLACE) + edge + I32_OR + IF)
        self._out += get(PLACE) + move + I32_SUB + put(PLACE)
        self._out += get(STEPS) + i64(k) + I64_ADD + put(STEPS)
        rounds = get(BEFORE) + get(STEPS) + I64_SUB + i64(k) + I64_DIV_S
        self._out += i32(0) + load_rounds(depth) + rounds + I64_ADD + store_rounds(depth)
        self._append_exit(LEAVE, command, 0, 0)
        self._close_block()
        self._append_br(self._labels)
        self._close_block()
        self._close_block()
        # One more step: the "[" if the first cell was 0, otherwise the last "]".
        one = i64(1) + i64(0) + get(STEPS) + get(BEFORE) + I64_EQ + SELECT
        self._out += get(STEPS) + one + I64_SUB + put(STEPS)
        self._out += i32(0) + i64(0) + store_rounds(depth)

    # Cells whose values are known within a block.  A value is represented by code that pushes it.

    def _cell_value(self, offset: int) -> bytes:
        """Return code that pushes a cell's value; bits above the size of a cell may be set."""
        if offset not in self._cells:
            self._cells[offset] = self._new_value(self._load_cell(offset))
            self._clean_cells.add(offset)
        return self._cells[offset]

    def _clean_value(self, offset: int) -> bytes:
        """Return code that pushes a cell's value; bits above the size of a cell are 0."""
        value = self._cell_value(offset)
        if offset not in self._clean_cells and self._width < 4 and value != ZERO_VALUE:
            value = self._cells[offset] = self._new_value(value + i32(self._mask) + I32_AND)
            self._clean_cells.add(offset)
        return value

    def _set_cell(self, offset: int, value: bytes) -> None:
        self._cells[offset] = value if value == ZERO_VALUE else self._new_value(value)
        self._clean_cells.discard(offset)
        self._dirty.add(offset)

    def _new_value(self, code: bytes) -> bytes:
        """Append code that stores a value in a new local variable; return the variable."""
        self._out += code + put(self._next_local)
        self._next_local += 1
        self._max_locals = max(self._max_locals, self._next_local)
        return get(self._next_local - 1)

    def _write_back(self, cells: set[int]) -> None:
        for offset in sorted(cells):
            self._out += get(PLACE) + self._cells[offset] + self._store_cell(offset)

    def _load_cell(self, offset: int) -> bytes:
        return get(PLACE) + LOADS[self._width] + uleb128(self.bias + offset * self._width)

    def _store_cell(self, offset: int) -> bytes:
        return STORES[self._width] + uleb128(self.bias + offset * self._width)

    # Steps, bounds and exits.

    def _count_steps(self, steps: int) -> None:
        self._pending_steps += steps

    def _subtract_steps(self) -> None:
        """Append code that subtracts the steps counted so far, if any."""
        if self._pending_steps:
            self._out += get(STEPS) + i64(self._pending_steps) + I64_SUB + put(STEPS)
            self._pending_steps = 0

    def _append_bounds_check(
        self, block: TierBlock, low: int, high: int, command: int, offset: int, refund: int
    ) -> None:
        """Append code that returns to the core if cells ``low`` to ``high`` are not all visited."""
        if low < min(0, block.visited[0]):
            self._out += get(PLACE) + i32(low * self._width) + I32_ADD
            self._out += self._lowest_address() + I32_LT_U
            self._return_if(LEAVE, command, offset, refund)
        if high > max(0, block.visited[1]):
            self._out += (
                get(PLACE) + i32(high * self._width) + I32_ADD + load_control(HIGH) + I32_GE_U
            )
            self._return_if(LEAVE, command, offset, refund)

    def _lowest_address(self) -> bytes:
        return load_control(LOW) if self._both_ways else i32(self.tape - self.bias)

    def _append_move(self, offset: int) -> None:
        if offset:
            self._out += get(PLACE) + i32(offset * self._width) + I32_ADD + put(PLACE)

    def _return_if(self, kind: int, command: int, offset: int, refund: int) -> None:
        """Append a return to the core if the condition on the stack is true; see ``Exit``."""
        self._open_block(IF)
        self._write_back(self._dirty)
        self._append_exit(kind, command, offset, refund)
        self._close_block()

    def _append_exit(
        self, kind: int, command: int, offset: int, refund: int, nest: int = 0
    ) -> None:
        self._out += i32(0) + i32(len(self.exits)) + I32_STORE + uleb128(CONTROL + 8 * EXIT)
        self.exits.append(Exit(kind, command, offset, refund, nest, self._exit_depths))
        self._append_br(1)

    def _open_block(self, code: bytes) -> None:
        """Append code whose last instruction opens a block."""
        self._out += code
        self._labels += 1

    def _close_block(self) -> None:
        self._out += CLOSE_BLOCK
        self._labels -= 1

    def _append_br(self, label: int) -> None:
        self._out += BR + uleb128(self._labels - label)

    def _append_br_if(self, label: int) -> None:
        self._out += BR_IF + uleb128(self._labels - label)
