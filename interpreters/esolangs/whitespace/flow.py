"""Divides a Whitespace program into blocks, and joins blocks to regions, for compiled code.

A block is a run of instructions that control enters only at the beginning.  Only its last
instruction transfers control, writes to the heap or prints, so the block has had no effect if a
test of another instruction fails.  A region is entered only at its first block, its *root*.  All
jumps inside it lead forward or back to the root, and every block begins at a fixed depth of the
stack, counted from the depth at the root.
"""

from __future__ import annotations

from esolangs.whitespace.opcodes import (
    CALL,
    COPY,
    DISCARD,
    DUP,
    END,
    HALT,
    JN,
    JUMP,
    JZ,
    LABEL,
    MOD,
    PRINTC,
    PRINTN,
    PUSH,
    READC,
    READN,
    RETRIEVE,
    RETURN,
    SLIDE,
    STORE,
    SWAP,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from array import array

MAX_BLOCK_INSTRUCTIONS = 60
"""Maximum number of instructions in a block.

The core executes ``copy`` and ``slide`` if their operands are not less than this.
"""

MAX_PLACE = 128
"""Limit of the stack places that a region accesses: from -MAX_PLACE to MAX_PLACE - 1.

Places are counted from the depth of the stack at the region's root.
"""

MAX_BLOCKS = 200
"""Maximum number of blocks in a region."""

NARROW_LIMIT = 1 << 62
"""Numbers from -NARROW_LIMIT to NARROW_LIMIT - 1 are *narrow*: a difference of two fits a slot."""

_JUMPS = (CALL, JUMP, JZ, JN)
_BLOCK_ENDS = (STORE, PRINTC, PRINTN, RETURN, *_JUMPS)


def add_predecessors(marks: bytearray, ops: bytearray, args: array[int]) -> bytearray:
    """Return a copy of ``marks``, with all instructions marked that can precede a marked one.

    args: the argument of each instruction, such as the target of a jump.
    """
    found = bytearray(marks)
    for at in range(1, len(ops)):
        if marks[at]:
            found[at - 1] = 1
    returns = any(marks[at + 1] for at in range(len(ops) - 1) if ops[at] == CALL)
    for at, op in enumerate(ops):
        if (op in _JUMPS and args[at] >= 0 and marks[args[at]]) or (op == RETURN and returns):
            found[at] = 1
    return found


class StackBlock:
    """A block: the instructions ``head`` to ``end`` - 1.

    need: number of entries that the stack must have.  high: the greatest depth, relative to the
    depth at the beginning.  change: the change of the depth.  The other attributes are
    set when the block joins a region.

    region: its number, or -1.  depth: the depth at the beginning, relative to the root's.
    dirty: places that may have been written since the root and are not in memory yet.
    live: places whose numbers the block or a later one needs.
    checked_need, checked_high: the ``need`` and ``high``, relative to the depth at the root, that
    are already tested when the block begins.
    ``dirty`` and ``live`` are sets of bits, see ``place_bit``.
    """

    __slots__ = (
        "change",
        "checked_high",
        "checked_need",
        "depth",
        "dirty",
        "end",
        "head",
        "high",
        "live",
        "need",
        "read",
        "region",
        "written",
    )  # fmt: skip

    def __init__(self, head: int, end: int):
        self.head = head
        self.end = end
        self.need = self.high = self.change = 0
        self.read: set[int] = set()
        self.written: set[int] = set()
        self.region = -1
        self.depth = 0
        self.dirty = self.live = 0
        self.checked_need = self.checked_high = 0

    @property
    def cost(self) -> int:
        """The number of steps that the block takes."""
        return self.end - self.head


class Region:
    """Blocks with one entry, in the order of the program.  max_steps: steps of its longest path."""

    __slots__ = ("blocks", "max_steps", "number")

    def __init__(self, number: int, root: StackBlock):
        self.number = number
        self.blocks = [root]
        self.max_steps = 0

    @property
    def root(self) -> StackBlock:
        return self.blocks[0]


def place_bit(place: int) -> int:
    """Return the bit that represents a place on the stack in a set of places.

    place: counted from the depth of the stack at the region's root; negative below that depth.
    """
    return 1 << place + MAX_PLACE


def places(bits: int) -> list[int]:
    """Return the stack places that the bits represent; see :func:`place_bit`."""
    found: list[int] = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1 - MAX_PLACE)
        bits ^= lowest
    return found


def bits_below(depth: int) -> int:
    """Return the set of all stack places below a depth, with one bit for each place."""
    return place_bit(depth) - 1


class Flow:
    """The blocks and regions of a program.

    regions: in the order of their roots.  region_at: regions by the instruction at their root.
    """

    def __init__(self, ops: bytearray, args: array[int], marks: bytearray | None = None):
        """Divide a program into blocks and regions.

        marks: 1 for each instruction that the core must execute, else 0; None if all are 0.
        """
        self.ops = ops
        self.args = args
        self._marks = marks or bytearray(len(ops))
        self.blocks: dict[int, StackBlock] = {}
        self.regions: list[Region] = []
        self.region_at: dict[int, Region] = {}
        self._sources: dict[int, list[StackBlock]] = {}  # by block: the blocks that lead to it
        self._split_blocks()
        self._build_regions()
        for region in self.regions:
            self._analyse_region(region)

    def runs_in_core(self, at: int) -> bool:
        """Return whether compiled code leaves an instruction to the core."""
        op, arg = self.ops[at], self.args[at]
        if self._marks[at]:
            return True
        if op == PUSH:
            return not -NARROW_LIMIT < arg < NARROW_LIMIT
        if op == COPY:
            return not 0 <= arg < MAX_BLOCK_INSTRUCTIONS
        if op == SLIDE:
            return arg >= MAX_BLOCK_INSTRUCTIONS
        if op in _JUMPS:
            return arg < 0
        return op in (END, HALT, READC, READN)

    def targets(self, block: StackBlock) -> list[int]:
        """Return the instructions that can follow a block, except after calls and returns."""
        if block.end == block.head:
            return []
        at = block.end - 1
        op = self.ops[at]
        if op in (CALL, RETURN):
            return []
        if op == JUMP:
            return [self.args[at]]
        return [self.args[at], block.end] if op in (JZ, JN) else [block.end]

    def block_inside(self, block: StackBlock, target: int) -> StackBlock | None:
        """Return the block at a target if control stays in the region, else None."""
        found = self.blocks[target]
        region = self.regions[block.region]
        depth = block.depth + block.change
        if found is region.root:
            return found if depth == 0 else None
        return found if found.region == block.region else None

    def _split_blocks(self) -> None:
        ops, args = self.ops, self.args
        size = len(ops)
        heads, roots = {0}, {0}
        for at in range(size):
            op = ops[at]
            if self.runs_in_core(at):
                heads.add(at)
                roots.add(at + 1)
                if op in _JUMPS and args[at] >= 0:
                    roots.add(args[at])
            elif op in _BLOCK_ENDS:
                heads.add(at + 1)
                if op in _JUMPS:
                    heads.add(args[at])
                    if op == CALL or args[at] <= at:
                        roots.add(args[at])
                if op == CALL:
                    roots.add(at + 1)
        heads |= roots
        starts = sorted(head for head in heads if head < size)
        for number, head in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else size
            if self.runs_in_core(head):
                end = head
            while True:
                block = StackBlock(head, min(end, head + MAX_BLOCK_INSTRUCTIONS))
                self._find_stack_use(block)
                self.blocks[head] = block
                if block.end >= end:
                    break
                head = block.end
        self._roots = roots

    def _find_stack_use(self, block: StackBlock) -> None:
        """Find which places of the stack a block uses, counted from the depth at its beginning."""
        need = high = depth = 0
        read, written = block.read, block.written

        def use(place: int) -> None:
            nonlocal need
            need = max(need, -place)
            if place not in written:
                read.add(place)

        for at in range(block.head, block.end):
            op = self.ops[at]
            if op == PUSH:
                written.add(depth)
                depth += 1
            elif op in (DUP, COPY):
                use(depth - 1 - (self.args[at] if op == COPY else 0))
                written.add(depth)
                depth += 1
            elif op == SWAP:
                use(depth - 1)
                use(depth - 2)
                written |= {depth - 1, depth - 2}
            elif op == SLIDE:
                use(depth - 1)
                count = max(0, self.args[at])
                need = max(need, count + 1 - depth)
                depth -= count
                written.add(depth - 1)
            elif op == DISCARD:
                need = max(need, 1 - depth)
                depth -= 1
            elif op <= MOD:
                use(depth - 1)
                use(depth - 2)
                depth -= 1
                written.add(depth - 1)
            elif op == RETRIEVE:
                use(depth - 1)
                written.add(depth - 1)
            elif op == STORE:
                use(depth - 1)
                use(depth - 2)
                depth -= 2
            elif op in (JZ, JN, PRINTC, PRINTN):
                use(depth - 1)
                depth -= 1
            else:
                assert op in (LABEL, CALL, JUMP, RETURN)
            high = max(high, depth)
        block.need, block.high, block.change = need, high, depth

    def _build_regions(self) -> None:
        """Join blocks to regions; a block that cannot join a region is the root of a new one."""
        for block in self.blocks.values():
            root = block.head in self._roots
            sources = self._sources.get(block.head, [])
            if not root and not sources:
                continue  # control does not reach it
            if not root:
                first = sources[0]
                depth = first.depth + first.change
                region = self.regions[first.region]
                root = (
                    any(
                        other.region != first.region or other.depth + other.change != depth
                        for other in sources
                    )
                    or len(region.blocks) >= MAX_BLOCKS
                    or depth - block.need < -MAX_PLACE
                    or depth + block.high >= MAX_PLACE
                )
                if not root:
                    block.region, block.depth = first.region, depth
                    region.blocks.append(block)
            if root:
                block.region = len(self.regions)
                region = Region(block.region, block)
                self.regions.append(region)
                self.region_at[block.head] = region
            for target in self.targets(block):
                if target > block.head:
                    self._sources.setdefault(target, []).append(block)

    def _analyse_region(self, region: Region) -> None:
        """Set ``max_steps`` of a region, and attributes of its blocks that depend on other blocks.

        They are ``checked_need``, ``checked_high``, ``dirty`` and ``live`` of :class:`StackBlock`.
        """
        for block in region.blocks[1:]:
            sources = [
                (
                    max(source.checked_need, source.need - source.depth),
                    max(source.checked_high, source.high + source.depth),
                )
                for source in self._sources[block.head]
            ]
            block.checked_need = min(need for need, _ in sources)
            block.checked_high = min(high for _, high in sources)
        root = region.root
        root.checked_need, root.checked_high = root.need, root.high
        changed = True
        while changed:
            changed = False
            for block in region.blocks:
                dirty = self.dirty_after(block)
                for target in self.targets(block):
                    found = self.block_inside(block, target)
                    if found is not None and dirty & ~found.dirty:
                        found.dirty |= dirty
                        changed = True
        changed = True
        while changed:
            changed = False
            for block in reversed(region.blocks):
                live = block.dirty | self._bits(block, block.read)
                for target in self.targets(block):
                    found = self.block_inside(block, target)
                    if found is not None:
                        live |= found.live & ~self._bits(block, block.written)
                if live != block.live:
                    block.live = live
                    changed = True
        paths: dict[int, int] = {}
        for block in reversed(region.blocks):
            found = [
                paths.get(target, 0) if self.block_inside(block, target) is not root else 0
                for target in self.targets(block)
                if self.block_inside(block, target) is not None
            ]
            paths[block.head] = block.cost + max(found, default=0)
        region.max_steps = paths[root.head]

    def dirty_after(self, block: StackBlock) -> int:
        """Return, as bits, the stack places that may not be in memory yet when a block ends.

        They were written since the beginning of the region.
        """
        dirty = block.dirty | self._bits(block, block.written)
        return dirty & bits_below(block.depth + block.change)

    def _bits(self, block: StackBlock, relative_places: set[int]) -> int:
        """Return a set of places as bits.

        relative_places: the places, counted from the block's initial depth.
        """
        return sum(place_bit(block.depth + place) for place in relative_places)
