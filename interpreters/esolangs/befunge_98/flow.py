"""The part of a plane that an IP can reach, as blocks for the native tier.

A state is a cell and a direction.  The graph of states follows all directions of a branch.  The
cells that determine the graph are *guards*, including the blank cells that an IP passes: compiled
code is valid only while their values do not change.
"""

from __future__ import annotations

from esolangs.befunge_98.opcodes import EDGE, FAULT, IGNORE, SPACE, UNKNOWN

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Point = tuple[int, int]
    Place = tuple[int, int, int, int]  # x, y, dx, dy of an IP

MOST_STATES = 8000
"""Maximum number of states in a graph; the core executes the rest of the plane."""

MOST_BLOCKS = 2000
MOST_STEPS = 200
"""Number of steps after which a block is split."""

_MOST_GUARDS = 1 << 16
_MOST_SOUGHT = 500  # states
_MOST_PATH = 1 << 12  # cells from an instruction to the next one

# Codes of instructions that are handled separately.
STRING, FETCH = 34, 39
TURN_BACK = 114

_COMPUTES = frozenset((*range(16), *b"+-*/%!`:\\$gp,.z"))
_ARROWS = {62: 0, 118: 1, 60: 2, 94: 3}
_TURNS = {91: 3, 93: 1, TURN_BACK: 2}
_ENDS = b"@qjx"  # the IP does not continue at the next instruction


class Rules:
    """The options of a program that affect the translation."""

    def __init__(
        self,
        codes: bytes,
        *,
        torus: bool,
        sgml: bool,
        floored: bool,
        bytes_only: bool,
        unknown: int,
    ):
        self.codes = codes
        self.torus = torus
        self.sgml = sgml
        self.floored = floored
        self.bytes_only = bytes_only
        self.unknown = unknown


class Terrain:
    """A copy of the window of a core.

    closed: whether all cells outside the window are blank.
    """

    def __init__(
        self,
        cells: Sequence[int],
        codes: bytes,
        window: tuple[int, int, int, int],
        closed: bool,
        rules: Rules,
    ):
        self.cells = cells
        self.codes = codes
        self.window = window
        self.left, self.top, self.width, self.height = window
        self.stride = self.width + 2
        self.closed = closed
        self.rules = rules

    def index(self, x: int, y: int) -> int:
        """Return the index of a cell, or -1 outside of the window."""
        if not (0 <= x - self.left < self.width and 0 <= y - self.top < self.height):
            return -1
        return (y - self.top + 1) * self.stride + x - self.left + 1

    def code_of(self, value: int) -> int:
        return self.rules.codes[value] if 0 <= value < 256 else UNKNOWN

    def point(self, at: int) -> Point:
        return at % self.stride - 1 + self.left, at // self.stride - 1 + self.top


class Instruction:
    """The instruction that an IP executes at a state.

    op: the code.  targets: the states that can follow; for a branch, in all its directions.
    at: the cell of each step.  pushed: the value that each step of a string or ``'`` pushes, or
    None.
    leaves: whether the core executes it.
    """

    __slots__ = ("at", "leaves", "op", "pushed", "targets")

    def __init__(
        self, op: int, at: list[int], targets: list[int], pushed: list[int | None], leaves: bool
    ):
        self.op = op
        self.at = at
        self.targets = targets
        self.pushed = pushed
        self.leaves = leaves


class PlaneBlock:
    """A sequence of instructions that is left at its end, or earlier by a branch.

    number: its place in the code.  path: instructions with their state and the next state in the
    block, -1 after a branch that ends the block.  leaves: the instruction after the last one if
    the core executes it, else None.  target: the state after the last instruction; -1 if that
    instruction is a branch.  points: the cell of each step.
    """

    def __init__(self, head: int):
        self.head = head
        self.number = -1
        self.path: list[tuple[Instruction, int, int]] = []
        self.leaves: Instruction | None = None
        self.target = -1
        self.points: list[Point] = []

    @property
    def cost(self) -> int:
        return len(self.points)

    def targets(self) -> list[int]:
        """Return the states that can follow the block, or the core's instruction after it."""
        found: list[int] = []
        if self.leaves is not None:
            found += self.leaves.targets
        elif self.target >= 0:
            found.append(self.target)
        for instruction, _, following in reversed(self.path):
            found += [to for to in instruction.targets if to != following]
        return found


class Graph:
    """The states that can be reached from some places, joined to blocks.

    guards: indexes of the cells that must not change.  wraps: whether a path leads over an edge;
    the code is then valid only while all cells outside the window are blank.
    changing: cells that may change while the code is valid; no path may depend on them.
    """

    def __init__(self, terrain: Terrain, begins: Iterable[Place], changing: Iterable[Point]):
        self.terrain = terrain
        self.deltas = (1, terrain.stride, -1, -terrain.stride)
        self.guards: set[int] = set()
        self.wraps = False
        self._changing = {terrain.index(*point) for point in changing}
        self._path: list[int] = []  # cells that the current instruction depends on
        self._over_edge = False
        self._found: dict[int, Instruction] = {}
        begin = [state for state in map(self.state, begins) if state >= 0]
        self._explore(begin)
        self.blocks = self._join(begin)

    def state(self, place: Place) -> int:
        """Return the state of an IP; -1 outside the window or with another delta."""
        x, y, dx, dy = place
        direction = _DIRECTIONS.get((dx, dy), -1)
        at = self.terrain.index(x, y)
        return -1 if direction < 0 or at < 0 else 4 * at + direction

    def place(self, state: int) -> Place:
        return (*self.terrain.point(state >> 2), *_DELTAS[state & 3])

    # States.

    def _explore(self, begin: list[int]) -> None:
        queue = list(begin)
        at = 0
        while at < len(queue) and len(self._found) < MOST_STATES:
            state = queue[at]
            at += 1
            if state not in self._found:
                self._found[state] = found = self._instruction(state)
                queue += found.targets

    def _instruction(self, state: int) -> Instruction:
        self._path = [state >> 2]
        self._over_edge = False
        found = self._translated(state)
        if (
            found is not None
            and not self._changing.intersection(self._path)
            and len(self.guards) < _MOST_GUARDS
        ):
            self.guards.update(self._path)
            self.wraps |= self._over_edge
            return found
        return self._left(state)

    def _left(self, state: int) -> Instruction:
        """Return the instruction of a state, marked as executed by the core."""
        at, direction = state >> 2, state & 3
        op = self.terrain.codes[at]
        targets: list[int | None] = []
        self._path = [at]
        if op == 63:
            targets = [self._next(at, way) for way in range(4)]
        elif op in (95, 124, 119):
            targets = [self._next(at, way) for way in _branches(op, direction)]
        elif op in _ARROWS:
            targets = [self._next(at, _ARROWS[op])]
        elif op in _TURNS:
            targets = [self._next(at, (direction + _TURNS[op]) & 3)]
        elif op == 35 or op == FETCH:
            onto = at + self.deltas[direction]
            if self.terrain.codes[onto] != EDGE:
                targets = [self._next(onto, direction)]
        elif op not in _ENDS and op != STRING:
            targets = [self._next(at, direction)]
        return Instruction(op, [at], [to for to in targets if to is not None], [], True)

    def _translated(self, state: int) -> Instruction | None:
        """Return the instruction of a state; None if the core must execute it."""
        terrain = self.terrain
        at, direction = state >> 2, state & 3
        op = terrain.codes[at]
        if op == UNKNOWN:
            if terrain.rules.unknown == FAULT:
                return None
            op = 122 if terrain.rules.unknown == IGNORE else TURN_BACK
        if op == STRING:
            return self._string(at, direction)
        pushed: list[int | None] = []
        ways = [direction]
        if op in _ARROWS:
            ways = [_ARROWS[op]]
        elif op in _TURNS:
            ways = [(direction + _TURNS[op]) & 3]
        elif op in (95, 124, 119):
            ways = _branches(op, direction)
        elif op == 35 or op == FETCH:
            onto = at + self.deltas[direction]
            self._path.append(onto)
            if terrain.codes[onto] == EDGE:
                return None
            pushed = [terrain.cells[onto]]
            to = self._next(onto, direction)
            # A blank cell is certainly inside the bounds if it is between two that are not blank.
            if to is None or (terrain.codes[onto] == SPACE and self._over_edge):
                return None
            return Instruction(op, [at], [to], pushed, False)
        elif op not in _COMPUTES:
            return None
        targets = [self._next(at, way) for way in ways]
        known = [to for to in targets if to is not None]
        return Instruction(op, [at], known, pushed, False) if len(known) == len(ways) else None

    def _string(self, at: int, direction: int) -> Instruction | None:
        """Return the instruction of a string, or None if its quotes are not on one line."""
        terrain = self.terrain
        step = self.deltas[direction]
        steps = [at]
        values: list[int | None] = [None]
        at += step
        while len(steps) < MOST_STEPS:
            self._path.append(at)
            if terrain.codes[at] == EDGE or len(self._path) > _MOST_PATH:
                return None
            steps.append(at)
            value = terrain.cells[at]
            if value == 34:
                values.append(None)
                to = self._next(at, direction)
                return None if to is None else Instruction(STRING, steps, [to], values, False)
            values.append(value)
            at += step
            if value == SPACE and terrain.rules.sgml:
                while terrain.codes[at] == SPACE and len(self._path) <= _MOST_PATH:
                    self._path.append(at)
                    at += step
        return None

    def _next(self, at: int, direction: int) -> int | None:
        """Return the state of the next instruction; None if the core must find it."""
        codes = self.terrain.codes
        step = self.deltas[direction]
        wrapped = inside = False
        while len(self._path) < _MOST_PATH:
            at += step
            code = codes[at]
            if code == EDGE:
                if wrapped or inside or not self.terrain.closed:
                    return None
                wrapped = self._over_edge = True
                at -= step * (self.terrain.height if direction & 1 else self.terrain.width) + step
                continue
            self._path.append(at)
            if code == 59:
                inside = not inside
            elif code != SPACE and not inside:
                return 4 * at + direction
        return None

    # Blocks.

    def _join(self, begin: list[int]) -> list[PlaneBlock]:
        heads = self._heads(begin)
        placed: dict[int, PlaneBlock] = {}
        stack = begin[::-1]
        while stack and len(placed) < MOST_BLOCKS:
            state = stack.pop()
            if state in placed or state not in self._found:
                continue
            block = placed[state] = self._block(state, heads)
            block.number = len(placed) - 1
            stack += reversed(block.targets())
        return list(placed.values())

    def _heads(self, begin: list[int]) -> set[int]:
        """Return the states at which a block must begin."""
        heads = set(begin)
        seen: set[int] = set()
        for found in self._found.values():
            for to in found.targets:
                if found.leaves or to in seen:
                    heads.add(to)
                seen.add(to)
        return heads

    def _block(self, head: int, heads: set[int]) -> PlaneBlock:
        block = PlaneBlock(head)
        state = head
        while True:
            found = self._found.get(state)
            if found is None or found.leaves:
                block.leaves = found or Instruction(0, [], [], [], True)
                block.target = state
                return block
            block.points += map(self.terrain.point, found.at)
            following = found.targets[0]
            ends = block.cost >= MOST_STEPS
            if len(found.targets) > 1:
                following = self._likely(found.targets, head)
                heads.update(to for to in found.targets if to != following)
                if following in heads or ends:
                    heads.add(following)
                    block.path.append((found, state, -1))
                    return block
            block.path.append((found, state, following))
            if following in heads or ends:
                heads.add(following)
                block.target = following
                return block
            state = following

    def _likely(self, targets: list[int], head: int) -> int:
        """Return the target of a branch with the shortest path to the start of the block."""
        seen: dict[int, int] = {}
        queue = [(to, to) for to in targets]
        for state, first in queue:
            if state in seen:
                continue
            seen[state] = first
            if state == head:
                return first
            found = self._found.get(state)
            if found is not None and len(seen) < _MOST_SOUGHT:
                queue += [(to, first) for to in found.targets]
        return targets[0]


def _branches(op: int, direction: int) -> list[int]:
    """Return the directions after a branch: for 0 and other values, or for a = b, a > b, a < b."""
    if op == 95:
        return [0, 2]
    if op == 124:
        return [1, 3]
    return [direction, (direction + 1) & 3, (direction + 3) & 3]


_DELTAS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIRECTIONS = {delta: number for number, delta in enumerate(_DELTAS)}
