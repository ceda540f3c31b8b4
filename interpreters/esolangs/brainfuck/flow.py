"""What a translation to compiled code knows of the blocks of a Brainfuck program.

Loops are matched; each block knows the cells that every path to it has visited, and which loops end
after one round.
"""

from __future__ import annotations

from bisect import bisect_left

from esolangs.brainfuck.opcodes import (
    ADD,
    BLOCK_ENDS,
    CLEAR,
    HEAD,
    IN,
    LENGTH,
    LOOP_BEGINS,
    LOOP_ENDS,
    MERGED_LOOPS,
    MOVES,
    MUL,
    SCAN,
    ZERO,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MOST_DEPTH = 100
"""Depth of loops from which on a program is not translated."""

TEST_EVERY = 1 << 16
"""Number of steps after which a block tests the steps left, if none did since."""


class Refused(Exception):
    """The program is not translated: too long, too deep, or cells too far apart."""


class TierBlock:
    """A block of the program.

    at: its operations.  close: of one that begins a loop, the block that ends it.  reach: the
    lowest and highest cell that every path to it has visited, relative to the pointer.
    after_loop: whether its cell is 0 at its beginning.  tests: whether it tests the steps left.
    once: of one that begins a loop, whether the loop ends after one round.  inside: the depths of
    such loops around it, whose rounds are not counted.
    """

    __slots__ = ("after_loop", "at", "close", "cost", "first", "head", "high", "inside", "low",
                 "once", "reach", "tests")  # fmt: skip

    def __init__(self, ops: Sequence[int], head: int):
        self.head = head
        self.cost, self.low, self.high, self.first = ops[head : head + HEAD]
        self.at: list[int] = []
        self.close = -1
        self.reach: tuple[int, int] = (0, 0)
        self.after_loop = False
        self.tests = self.once = False
        self.inside: tuple[int, ...] = ()


def blocks_of(ops: Sequence[int]) -> list[TierBlock]:
    blocks: list[TierBlock] = []
    at = 0
    while at < len(ops):
        block = TierBlock(ops, at)
        at += HEAD
        while True:
            block.at.append(at)
            at += LENGTH[ops[at]]
            if ops[block.at[-1]] in BLOCK_ENDS:
                break
        blocks.append(block)
    return blocks


def close_loops(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    begun: list[int] = []
    for number, block in enumerate(blocks):
        op = ops[block.at[-1]]
        if op in LOOP_BEGINS:
            begun.append(number)
            if len(begun) > MOST_DEPTH:
                raise Refused
        elif op in LOOP_ENDS:
            blocks[begun.pop()].close = number
            blocks[number + 1].after_loop = True
        elif op == SCAN:
            blocks[number + 1].after_loop = True


def find_reach(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    """Set ``reach``.  A loop that moves the pointer begins and ends with unknown cells."""
    even = _even_loops(ops, blocks)
    around: list[tuple[int, int]] = []  # after the loops that are open
    low = high = 0
    for number, block in enumerate(blocks):
        block.reach = low, high
        op, off = ops[block.at[-1]], ops[block.at[-1] + 1]
        if op == SCAN:
            low = high = 0
            continue
        low, high = min(low, block.low) - off, max(high, block.high) - off
        if op in LOOP_BEGINS:
            if not even[number]:
                low = high = 0
            around.append((low, high))
        elif op in LOOP_ENDS:
            low, high = around.pop()


def _even_loops(ops: Sequence[int], blocks: list[TierBlock]) -> dict[int, bool]:
    """Return, for each block that begins a loop, whether a round leaves the pointer as it was."""
    even: dict[int, bool] = {}
    begun: list[tuple[int, int, bool]] = []  # block, moves in the loop around, whether it is even
    moved, known = 0, True
    for number, block in enumerate(blocks):
        op, off = ops[block.at[-1]], ops[block.at[-1] + 1]
        if op == SCAN:
            known = False
            continue
        moved += off
        if op in LOOP_BEGINS:
            begun.append((number, moved, known))
            moved, known = 0, True
        elif op in LOOP_ENDS:
            opening, before, known_before = begun.pop()
            even[opening] = known and moved == 0
            moved, known = before, known_before and even[opening]
    return even


def find_once(ops: Sequence[int], blocks: list[TierBlock]) -> None:
    """Find the loops that end after one round, because it leaves 0 in the cell that they test."""
    for block in blocks:
        if block.close >= 0:
            last = blocks[block.close]
            block.once = ops[last.at[-1] + 1] in _zeros_after(ops, last)
    inside: list[int] = []
    begun: list[bool] = []
    closing = {block.close: block for block in blocks}
    for number, block in enumerate(blocks):
        block.inside = tuple(inside)
        if block.close >= 0:
            begun.append(block.once)
            if block.once:
                inside.append(ops[blocks[block.close].at[-1] + 4])
        elif number in closing and begun.pop():
            inside.pop()


def cold_loops(blocks: list[TierBlock], samples: Collection[int]) -> set[int]:
    """Return the blocks that begin a loop which none of the sampled commands is in.

    A loop of one block is never cold, because leaving the tier for it takes longer than it does.
    """
    ordered = sorted(samples)
    cold: set[int] = set()
    for number, block in enumerate(blocks):
        if ordered and block.close > number + 1 and not block.once:
            at = bisect_left(ordered, blocks[number + 1].first - 1)
            if at == len(ordered) or ordered[at] >= blocks[block.close + 1].first:
                cold.add(number)
    return cold


def find_continued(blocks: list[TierBlock], cold: set[int]) -> set[int]:
    """Return the blocks that begin and follow the bodies of loops that run once.

    Cells that are known before them are known in them, so control cannot come from elsewhere.
    """
    continued: set[int] = set()
    for number, block in enumerate(blocks):
        if block.once and number not in cold:
            continued.update((number + 1, block.close + 1))
    return continued


def _zeros_after(ops: Sequence[int], block: TierBlock) -> set[int]:
    """Return cells that are 0 after a block."""
    zeros = {0} if block.after_loop else set[int]()
    runs = True
    for at in block.at:
        op, off = ops[at], ops[at + 1]
        if op == ADD or op == IN:
            zeros.discard(off)
        elif op == MUL:
            if runs:
                zeros.discard(ops[at + 2])
        elif op in MERGED_LOOPS:
            runs = off not in zeros
            if runs and op in MOVES:
                zeros.discard(ops[at + 6])
            if op in (CLEAR, *MOVES):
                zeros.add(off)
        elif op == ZERO:
            zeros.add(off)
    return zeros


def place_tests(costs: list[tuple[TierBlock, int]]) -> int:
    """Mark the blocks that test the steps; return the most steps of a path between two tests."""
    most = 0
    begun: list[int] = []  # steps before each open loop
    steps = 0
    closing = {block.close for block, _ in costs}
    for number, (block, cost) in enumerate(costs):
        if steps + cost > TEST_EVERY and steps:
            block.tests = True
            steps = 0
        steps += cost
        most = max(most, steps)
        if block.close >= 0:
            begun.append(steps)
        elif number in closing:
            steps = max(steps, begun.pop())
    return most
