"""Static analysis of the blocks of a Brainfuck program, for its translation to compiled code.

It matches the brackets of loops, and finds the cells that every path to a block has visited and the
loops that end after one round.
"""

from __future__ import annotations

from esolangs.brainfuck.opcodes import (
    ADD,
    BLOCK_ENDS,
    CLEAR,
    CLOSE,
    COUNT_HEAD,
    HEAD,
    IN,
    LENGTH,
    LOOP_BEGINS,
    LOOP_ENDS,
    MERGED_LOOPS,
    MOVES,
    MUL,
    MUL_HEADS,
    SCAN,
    ZERO,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

MAX_DEPTH = 100
"""Maximum nesting depth of loops in a program that is translated."""

CHECK_INTERVAL = 1 << 16
"""Maximum steps that compiled code executes before it checks again how many steps remain.

Blocks are not divided, so a block that takes more steps exceeds this.
"""


_MIN_CHAIN_STEPS = 3  # a shorter chain is translated like other code


class TranslationRefused(Exception):
    """Raised for a program that is too long, too deeply nested, or uses cells too far apart."""


class TierBlock:
    """A block of the program, with the facts that its translation needs.

    operations: the indices of its operations.  loop_end: number of the block that ends the loop
    that this block begins, or -1.  visited: the lowest and highest cell that every path to the
    block has visited, relative to the pointer.  after_loop: whether a loop ends before it, so that
    the current cell is 0.  checks_steps: whether it checks the remaining steps.  single_round:
    whether it begins a loop that ends after one round.  balanced: whether it begins a loop whose
    rounds leave the pointer unchanged.  single_round_depths: depths of the enclosing
    ``single_round`` loops, whose rounds are not counted.
    """

    __slots__ = ("after_loop", "balanced", "checks_steps", "cost", "first", "head", "high",
                 "loop_end", "low", "operations", "single_round", "single_round_depths",
                 "visited")  # fmt: skip

    def __init__(self, ops: Sequence[int], head: int):
        self.head = head
        self.cost, self.low, self.high, self.first = ops[head : head + HEAD]
        self.operations: list[int] = []
        self.loop_end = -1
        self.visited: tuple[int, int] = (0, 0)
        self.after_loop = False
        self.checks_steps = self.single_round = self.balanced = False
        self.single_round_depths: tuple[int, ...] = ()


def split_blocks(ops: Sequence[int]) -> list[TierBlock]:
    blocks: list[TierBlock] = []
    at = 0
    while at < len(ops):
        block = TierBlock(ops, at)
        at += HEAD
        while True:
            block.operations.append(at)
            at += LENGTH[ops[at]]
            if ops[block.operations[-1]] in BLOCK_ENDS:
                break
        blocks.append(block)
    return blocks


def close_loops(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    open_loops: list[int] = []
    for number, block in enumerate(blocks):
        op = ops[block.operations[-1]]
        if op in LOOP_BEGINS:
            open_loops.append(number)
            if len(open_loops) > MAX_DEPTH:
                raise TranslationRefused
        elif op in LOOP_ENDS:
            blocks[open_loops.pop()].loop_end = number
            blocks[number + 1].after_loop = True
        elif op == SCAN:
            blocks[number + 1].after_loop = True


def find_visited_cells(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    """Find which cells every path to a block has visited, and which loops keep the pointer.

    Sets ``visited`` and ``balanced`` of all blocks; see :class:`TierBlock`. A loop that moves the
    pointer resets ``visited`` to ``(0, 0)`` in its first block and after it.
    """
    balanced = _balanced_loops(ops, blocks)
    after_loops: list[tuple[int, int]] = []  # after the loops that are open
    low = high = 0
    for number, block in enumerate(blocks):
        block.visited = low, high
        op, offset = ops[block.operations[-1]], ops[block.operations[-1] + 1]
        if op == SCAN:
            low = high = 0
            continue
        low, high = min(low, block.low) - offset, max(high, block.high) - offset
        if op in LOOP_BEGINS:
            block.balanced = balanced[number]
            if not block.balanced:
                low = high = 0
            after_loops.append((low, high))
        elif op in LOOP_ENDS:
            low, high = after_loops.pop()


def _balanced_loops(ops: Sequence[int], blocks: list[TierBlock]) -> dict[int, bool]:
    """Return, for each block that begins a loop, whether a round leaves the pointer as it was."""
    balanced: dict[int, bool] = {}
    open_loops: list[tuple[int, int, bool]] = []  # block, moves in the enclosing loop, balanced
    moved, known = 0, True
    for number, block in enumerate(blocks):
        op, offset = ops[block.operations[-1]], ops[block.operations[-1] + 1]
        if op == SCAN:
            known = False
            continue
        moved += offset
        if op in LOOP_BEGINS:
            open_loops.append((number, moved, known))
            moved, known = 0, True
        elif op in LOOP_ENDS:
            opening, before, known_before = open_loops.pop()
            balanced[opening] = known and moved == 0
            moved, known = before, known_before and balanced[opening]
    return balanced


def find_single_rounds(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    """Find the loops that end after one round.

    Sets ``single_round`` and ``single_round_depths`` of all blocks; see :class:`TierBlock`.  A loop
    ends after one round if the round is known to leave 0 in the cell that the loop tests.
    """
    for block in blocks:
        if block.loop_end >= 0:
            last = blocks[block.loop_end]
            block.single_round = ops[last.operations[-1] + 1] in _zeros_after(ops, last)
    inside: list[int] = []
    open_loops: list[bool] = []
    closing = {block.loop_end: block for block in blocks}
    for number, block in enumerate(blocks):
        block.single_round_depths = tuple(inside)
        if block.loop_end >= 0:
            open_loops.append(block.single_round)
            if block.single_round:
                inside.append(ops[blocks[block.loop_end].operations[-1] + 4])
        elif number in closing and open_loops.pop():
            inside.pop()


def level_items(blocks: list[TierBlock], first: int, last: int) -> list[tuple[int, bool]]:
    """Return the blocks and loops of a level: the number of each, and whether it is a loop.

    A level is the program or the body of a loop; ``first`` and ``last`` are its first and last
    block.  The number of a loop is that of the block that begins it.  The blocks of a
    ``single_round`` loop are returned like other blocks.
    """
    items: list[tuple[int, bool]] = []
    at = first
    while at <= last:
        items.append((at, False))
        block = blocks[at]
        if block.loop_end >= 0 and not block.single_round:
            items.append((at, True))
            at = block.loop_end
        at += 1
    return items


def add_predecessors(marks: bytearray, code: bytes, match: array[int]) -> bytearray:
    """Return a copy of ``marks``, with all commands marked that can directly precede a marked one.

    A ``]`` that jumps back to a marked ``[`` is not included; see ``find_marked``.
    """
    found = bytearray(marks)
    at = marks.find(1, 1)
    while at >= 0:
        found[at - 1] = 1
        if code[at - 1] == CLOSE:
            found[match[at - 1]] = 1
        at = marks.find(1, at + 1)
    return found


def find_marked(ops: Sequence[int], blocks: list[TierBlock], marks: bytearray) -> set[int]:
    """Return the blocks that compiled code must not execute, because they execute a marked command.

    marks: 1 for each command at which a run may have to stop.  A ``]`` that jumps back also
    executes the ``[``.
    """
    marked: set[int] = set()
    for number, block in enumerate(blocks):
        end = blocks[number + 1].first if number + 1 < len(blocks) else len(marks)
        at = block.operations[-1]
        jumps_to = ops[ops[at + 2] + HEAD - 1] - 1 if ops[at] in LOOP_ENDS else block.first
        if marks[jumps_to] or marks.find(1, block.first, end) >= 0:
            marked.add(number)
    return marked


def find_continuation_blocks(blocks: list[TierBlock]) -> set[int]:
    """Return the blocks at which compiled code cannot be entered.

    For each ``single_round`` loop, these are the first block of its body and the block after it:
    their code relies on cell values known from the blocks before.
    """
    continued: set[int] = set()
    for number, block in enumerate(blocks):
        if block.single_round:
            continued.update((number + 1, block.loop_end + 1))
    return continued


class ConditionChain:
    """Nested conditions that each decrement the same cell and add constants to other cells.

    A value of at most ``steps`` becomes 0; with a larger value, the blocks inside the last
    condition are executed.  steps: number of conditions.  cost: steps of each without its ``]``.
    sums: the other cells, relative to the decremented cell, and the number that each condition
    adds.  low, high: the cells that a condition visits.  blocks: numbers of the blocks with the
    closing brackets.
    """

    __slots__ = ("blocks", "cost", "high", "low", "steps", "sums")

    def __init__(
        self, steps: int, first: TierBlock, sums: list[tuple[int, int]], end_blocks: range
    ):
        self.steps = steps
        self.cost = first.cost
        self.low, self.high = first.low, first.high
        self.sums = sums
        self.blocks = end_blocks


def find_condition_chain(
    ops: Sequence[int], blocks: list[TierBlock], number: int
) -> ConditionChain | None:
    """Return the chain of conditions that begins with a block, or None if none begins there.

    number: index of the block in ``blocks``.  The next blocks contain the bodies of the conditions,
    outermost first.
    """
    first = blocks[number + 1]
    sums = _chain_step(ops, first)
    steps, at = 0, number
    while sums is not None and blocks[at].single_round and not blocks[at + 1].checks_steps:
        step = blocks[at + 1]
        close = blocks[blocks[at].loop_end]
        alike = (step.cost, step.low, step.high) == (first.cost, first.low, first.high)
        if not alike or step.loop_end != blocks[at].loop_end - 1 or _chain_step(ops, step) != sums:
            break
        if (
            len(close.operations) > 1
            or ops[close.operations[0] + 1]
            or close.cost != 1
            or close.checks_steps
        ):
            break
        steps += 1
        at += 1
    # The last step's own condition leads to the blocks inside.
    while steps and not blocks[number + steps].single_round:
        steps -= 1
    if sums is None or steps < _MIN_CHAIN_STEPS:
        return None
    last = blocks[number].loop_end
    return ConditionChain(steps, first, sums, range(last - steps + 1, last + 1))


def _chain_step(ops: Sequence[int], block: TierBlock) -> list[tuple[int, int]] | None:
    """Return what a condition adds to other cells, in the form of ``ConditionChain.sums``.

    Return None if the block is not a condition that a ``ConditionChain`` can contain.
    """
    if any(ops[at] != ADD for at in block.operations[:-1]) or ops[block.operations[-1] + 1]:
        return None
    sums = [(ops[at + 1], ops[at + 2]) for at in block.operations[:-1]]
    if (0, -1) not in sums or ops[block.operations[-1]] not in LOOP_BEGINS:
        return None
    return sorted(some for some in sums if some[0])


def _zeros_after(ops: Sequence[int], block: TierBlock) -> set[int]:
    """Return the cells that are known to be 0 at the end of a block."""
    zeros = {0} if block.after_loop else set[int]()
    runs = True
    for at in block.operations:
        op, offset = ops[at], ops[at + 1]
        if op == ADD or op == IN:
            zeros.discard(offset)
        elif op == MUL:
            if runs:
                zeros.discard(ops[at + 2])
        elif op in MERGED_LOOPS:
            runs = offset not in zeros
            if runs and op in MOVES:
                zeros.discard(ops[at + 6])
            if op in (CLEAR, *MOVES):
                zeros.add(offset)
        elif op == ZERO:
            zeros.add(offset)
    return zeros


def block_costs(
    ops: Sequence[int], blocks: list[TierBlock], max_rounds: int
) -> list[tuple[TierBlock, int]]:
    """Return each block with the maximum number of steps that one execution takes.

    max_rounds: maximum rounds of a merged loop; 0 if merged loops check the remaining steps
    themselves.
    """
    found: list[tuple[TierBlock, int]] = []
    for block in blocks:
        cost = block.cost + 1  # a jump back also executes the "["
        for at in block.operations:
            op = ops[at]
            if op == CLEAR:
                cost += 3 * max_rounds or 1
            elif op in MERGED_LOOPS:
                cost += ops[at + 5] * max_rounds or 1
            elif op == SCAN:
                cost += 1
        found.append((block, cost))
    return found


def max_distance_below(ops: Sequence[int], blocks: list[TierBlock]) -> int:
    """Return the maximum distance, in cells, of an access below the pointer at a block's entry."""
    low = 0
    for block in blocks:
        low = min(low, block.low, block.visited[0])
        for at in block.operations:
            op = ops[at]
            low = min(low, ops[at + 2] if op in (SCAN, MUL) else ops[at + 1])
            if op in MOVES:
                low = min(low, ops[at + 6], ops[at + 8])
            elif op in MUL_HEADS:
                low = min(low, ops[at + 7])
            elif op == COUNT_HEAD:
                low = min(low, ops[at + 8])
    return -low


def place_checks(block_costs: list[tuple[TierBlock, int]]) -> int:
    """Choose the blocks that check how many steps remain, by setting ``checks_steps``.

    Return the maximum number of steps between two such checks.
    """
    max_steps = 0
    open_loops: list[int] = []  # steps since the last check, at the start of each open loop
    steps = 0
    closing = {block.loop_end for block, _ in block_costs}
    for number, (block, cost) in enumerate(block_costs):
        if steps + cost > CHECK_INTERVAL and steps:
            block.checks_steps = True
            steps = 0
        steps += cost
        max_steps = max(max_steps, steps)
        if block.loop_end >= 0:
            open_loops.append(steps)
        elif number in closing:
            steps = max(steps, open_loops.pop())
    return max_steps
