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

MAX_STATES = 8000
"""Maximum number of states in a graph; the core executes the rest of the plane."""

MAX_BLOCKS = 2000
MAX_BLOCK_STEPS = 200
"""Number of steps after which a block is split."""

_MAX_GUARDS = 1 << 16
_MAX_SEARCHED_STATES = 500
_MAX_PATH_CELLS = 1 << 12  # cells from an instruction to the next one

# Codes of instructions that are handled separately.
STRING, FETCH = 34, 39
TURN_BACK = 114

_STRAIGHT_OPS = frozenset((*range(16), *b"+-*/%!`:\\$gp,.z"))
_ARROWS = {62: 0, 118: 1, 60: 2, 94: 3}
_TURNS = {91: 3, 93: 1, TURN_BACK: 2}
_PATH_ENDS = b"@qjx"  # the IP does not continue at the next instruction


class PlaneRules:
    """The options of a program that affect the translation.

    unknown: the effect of an unknown instruction: ``REFLECT``, ``IGNORE`` or ``FAULT``.
    """

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


class PlaneWindow:
    """A copy of a core's window, the rectangle of cells that the core keeps in an array.

    is_surrounded_by_blanks: whether all cells outside the window are blank.
    """

    def __init__(
        self,
        cells: Sequence[int],
        codes: bytes,
        window: tuple[int, int, int, int],
        is_surrounded_by_blanks: bool,
        rules: PlaneRules,
    ):
        self.cells = cells
        self.codes = codes
        self.window = window
        self.left, self.top, self.width, self.height = window
        self.stride = self.width + 2
        self.is_surrounded_by_blanks = is_surrounded_by_blanks
        self.rules = rules

    def index(self, x: int, y: int) -> int:
        """Return the index of a cell, or -1 outside of the window."""
        if not (0 <= x - self.left < self.width and 0 <= y - self.top < self.height):
            return -1
        return (y - self.top + 1) * self.stride + x - self.left + 1

    def code_of(self, value: int) -> int:
        return self.rules.codes[value] if 0 <= value < 256 else UNKNOWN

    def point(self, index: int) -> Point:
        return index % self.stride - 1 + self.left, index // self.stride - 1 + self.top


class Instruction:
    """The instruction that an IP executes at a state.

    op: the code.  targets: the states that can follow; for a branch, in all its directions.
    step_cells: the cell of each step.  pushed: the value that each step of a string or ``'``
    pushes, or None.  in_core: whether the core executes it.
    """

    __slots__ = ("in_core", "op", "pushed", "step_cells", "targets")

    def __init__(
        self,
        op: int,
        step_cells: list[int],
        targets: list[int],
        pushed: list[int | None],
        in_core: bool,
    ):
        self.op = op
        self.step_cells = step_cells
        self.targets = targets
        self.pushed = pushed
        self.in_core = in_core


class PlaneBlock:
    """A sequence of instructions that is left at its end, or earlier by a branch.

    number: its place in the code.  path: instructions with their state and the next state in the
    block, -1 after a branch that ends the block.  core_instruction: the instruction after the last
    one if the core executes it, else None.  target: the state after the last instruction; -1 if
    that instruction is a branch.  points: the cell of each step.
    """

    def __init__(self, head: int):
        self.head = head
        self.number = -1
        self.path: list[tuple[Instruction, int, int]] = []
        self.core_instruction: Instruction | None = None
        self.target = -1
        self.points: list[Point] = []

    @property
    def cost(self) -> int:
        return len(self.points)

    def targets(self) -> list[int]:
        """Return the states that can follow the block, at its end or at a branch in it.

        If the core executes the instruction after the block, the states after that instruction
        replace the state at the end.
        """
        found: list[int] = []
        if self.core_instruction is not None:
            found += self.core_instruction.targets
        elif self.target >= 0:
            found.append(self.target)
        for instruction, _, following in reversed(self.path):
            found += [to for to in instruction.targets if to != following]
        return found


class StateGraph:
    """The states that can be reached from the ``entries``, combined into blocks.

    guards: indexes of the cells that must not change.  wraps: whether a path leads over an edge;
    the code is then valid only while all cells outside the window are blank.
    mutable_cells: cells that may change while the code is valid; no path may depend on them.
    """

    def __init__(
        self, window: PlaneWindow, entries: Iterable[Place], mutable_cells: Iterable[Point]
    ):
        self.window = window
        self.deltas = (1, window.stride, -1, -window.stride)
        self.guards: set[int] = set()
        self.wraps = False
        self._mutable_cells = {window.index(*point) for point in mutable_cells}
        self._path: list[int] = []  # cells that the current instruction depends on
        self._wrapped = False
        self._instructions: dict[int, Instruction] = {}
        entry_states = [state for state in map(self.state, entries) if state >= 0]
        self._explore(entry_states)
        self.blocks = self._build_blocks(entry_states)

    def state(self, place: Place) -> int:
        """Return the number of the state of an IP with this position and delta.

        Returns -1 outside the window, or if the delta is not one of the four directions.
        """
        x, y, dx, dy = place
        direction = _DIRECTIONS.get((dx, dy), -1)
        at = self.window.index(x, y)
        return -1 if direction < 0 or at < 0 else 4 * at + direction

    def place(self, state: int) -> Place:
        return (*self.window.point(state >> 2), *_DELTAS[state & 3])

    # States.

    def _explore(self, entry_states: list[int]) -> None:
        queue = list(entry_states)
        at = 0
        while at < len(queue) and len(self._instructions) < MAX_STATES:
            state = queue[at]
            at += 1
            if state not in self._instructions:
                self._instructions[state] = found = self._find_instruction(state)
                queue += found.targets

    def _find_instruction(self, state: int) -> Instruction:
        self._path = [state >> 2]
        self._wrapped = False
        found = self._compiled_instruction(state)
        if (
            found is not None
            and not self._mutable_cells.intersection(self._path)
            and len(self.guards) < _MAX_GUARDS
        ):
            self.guards.update(self._path)
            self.wraps |= self._wrapped
            return found
        return self._core_instruction(state)

    def _core_instruction(self, state: int) -> Instruction:
        """Return the instruction of a state, to be executed by the core, not by compiled code."""
        at, direction = state >> 2, state & 3
        op = self.window.codes[at]
        targets: list[int | None] = []
        self._path = [at]
        if op == 63:
            targets = [self._next_state(at, each) for each in range(4)]
        elif op in (95, 124, 119):
            targets = [self._next_state(at, each) for each in _branch_directions(op, direction)]
        elif op in _ARROWS:
            targets = [self._next_state(at, _ARROWS[op])]
        elif op in _TURNS:
            targets = [self._next_state(at, (direction + _TURNS[op]) & 3)]
        elif op == 35 or op == FETCH:
            onto = at + self.deltas[direction]
            if self.window.codes[onto] != EDGE:
                targets = [self._next_state(onto, direction)]
        elif op not in _PATH_ENDS and op != STRING:
            targets = [self._next_state(at, direction)]
        return Instruction(op, [at], [to for to in targets if to is not None], [], True)

    def _compiled_instruction(self, state: int) -> Instruction | None:
        """Return the instruction of a state; None if the core must execute it."""
        window = self.window
        at, direction = state >> 2, state & 3
        op = window.codes[at]
        if op == UNKNOWN:
            if window.rules.unknown == FAULT:
                return None
            op = 122 if window.rules.unknown == IGNORE else TURN_BACK
        if op == STRING:
            return self._string_instruction(at, direction)
        pushed: list[int | None] = []
        directions = [direction]
        if op in _ARROWS:
            directions = [_ARROWS[op]]
        elif op in _TURNS:
            directions = [(direction + _TURNS[op]) & 3]
        elif op in (95, 124, 119):
            directions = _branch_directions(op, direction)
        elif op == 35 or op == FETCH:
            onto = at + self.deltas[direction]
            self._path.append(onto)
            if window.codes[onto] == EDGE:
                return None
            pushed = [window.cells[onto]]
            to = self._next_state(onto, direction)
            # A blank cell is certainly inside the bounds if it is between two that are not blank.
            if to is None or (window.codes[onto] == SPACE and self._wrapped):
                return None
            return Instruction(op, [at], [to], pushed, False)
        elif op not in _STRAIGHT_OPS:
            return None
        targets = [self._next_state(at, each) for each in directions]
        known = [to for to in targets if to is not None]
        return (
            Instruction(op, [at], known, pushed, False) if len(known) == len(directions) else None
        )

    def _string_instruction(self, at: int, direction: int) -> Instruction | None:
        """Return the instruction for the string that begins at cell ``at`` of the window.

        Returns None if the core must execute the string.
        """
        window = self.window
        step = self.deltas[direction]
        steps = [at]
        values: list[int | None] = [None]
        at += step
        while len(steps) < MAX_BLOCK_STEPS:
            self._path.append(at)
            if window.codes[at] == EDGE or len(self._path) > _MAX_PATH_CELLS:
                return None
            steps.append(at)
            value = window.cells[at]
            if value == 34:
                values.append(None)
                to = self._next_state(at, direction)
                return None if to is None else Instruction(STRING, steps, [to], values, False)
            values.append(value)
            at += step
            if value == SPACE and window.rules.sgml:
                while window.codes[at] == SPACE and len(self._path) <= _MAX_PATH_CELLS:
                    self._path.append(at)
                    at += step
        return None

    def _next_state(self, cell: int, direction: int) -> int | None:
        """Return the state of the next instruction; None if the core must find it."""
        codes = self.window.codes
        step = self.deltas[direction]
        wrapped = inside = False
        while len(self._path) < _MAX_PATH_CELLS:
            cell += step
            code = codes[cell]
            if code == EDGE:
                if wrapped or inside or not self.window.is_surrounded_by_blanks:
                    return None
                wrapped = self._wrapped = True
                cell -= step * (self.window.height if direction & 1 else self.window.width) + step
                continue
            self._path.append(cell)
            if code == 59:
                inside = not inside
            elif code != SPACE and not inside:
                return 4 * cell + direction
        return None

    # Blocks.

    def _build_blocks(self, entry_states: list[int]) -> list[PlaneBlock]:
        heads = self._block_heads(entry_states)
        placed: dict[int, PlaneBlock] = {}
        stack = entry_states[::-1]
        while stack and len(placed) < MAX_BLOCKS:
            state = stack.pop()
            if state in placed or state not in self._instructions:
                continue
            block = placed[state] = self._build_block(state, heads)
            block.number = len(placed) - 1
            stack += reversed(block.targets())
        return list(placed.values())

    def _block_heads(self, entry_states: list[int]) -> set[int]:
        """Return the states at which a block must begin."""
        heads = set(entry_states)
        seen: set[int] = set()
        for found in self._instructions.values():
            for to in found.targets:
                if found.in_core or to in seen:
                    heads.add(to)
                seen.add(to)
        return heads

    def _build_block(self, head: int, heads: set[int]) -> PlaneBlock:
        block = PlaneBlock(head)
        state = head
        while True:
            found = self._instructions.get(state)
            if found is None or found.in_core:
                block.core_instruction = found or Instruction(0, [], [], [], True)
                block.target = state
                return block
            block.points += map(self.window.point, found.step_cells)
            following = found.targets[0]
            ends = block.cost >= MAX_BLOCK_STEPS
            if len(found.targets) > 1:
                following = self._likely_target(found.targets, head)
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

    def _likely_target(self, targets: list[int], head: int) -> int:
        """Return the branch target with the shortest path back to ``head``, the block's start."""
        seen: dict[int, int] = {}
        queue = [(to, to) for to in targets]
        for state, first in queue:
            if state in seen:
                continue
            seen[state] = first
            if state == head:
                return first
            found = self._instructions.get(state)
            if found is not None and len(seen) < _MAX_SEARCHED_STATES:
                queue += [(to, first) for to in found.targets]
        return targets[0]


def _branch_directions(op: int, direction: int) -> list[int]:
    """Return the directions after a branch.

    ``_`` and ``|`` have one for 0 and one for other values; ``w`` for a = b, a > b and a < b.
    """
    if op == 95:
        return [0, 2]
    if op == 124:
        return [1, 3]
    return [direction, (direction + 1) & 3, (direction + 3) & 3]


_DELTAS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIRECTIONS = {delta: number for number, delta in enumerate(_DELTAS)}
