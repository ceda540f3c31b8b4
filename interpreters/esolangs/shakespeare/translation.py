"""Translates the blocks of a play to a module of WebAssembly.

The module has two functions.  One executes the play: it can begin at any of ``PlayFlow.entries``,
and returns before a sentence that the core must execute.  The other prints a number.  The values of
the characters are in local variables, and their stacks are in memory.

No character's value is a large number while compiled code runs.  A sentence that would compute or
recall one makes the code return, as does one that could fault or reach a limit.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from esolangs.nesting import NestedLoop
from esolangs.reasons import CHUNK
from esolangs.shakespeare import opcodes
from esolangs.shakespeare.opcodes import IF_SO, NEGATED, TAG, YOU
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
    F64_SQRT,
    I32,
    I32_ADD,
    I32_DIV_U,
    I32_EQ,
    I32_EQZ,
    I32_GE_U,
    I32_LT_S,
    I32_NE,
    I32_REM_U,
    I32_SHL,
    I32_SUB,
    I32_WRAP_I64,
    I64,
    I64_ADD,
    I64_DIV_S,
    I64_EQ,
    I64_EQZ,
    I64_EXTEND_I32_U,
    I64_GE_S,
    I64_GE_U,
    I64_GT_S,
    I64_GT_U,
    I64_LOAD,
    I64_LT_S,
    I64_MUL,
    I64_NE,
    I64_OR,
    I64_REM_S,
    I64_SHR_U,
    I64_STORE,
    I64_SUB,
    I64_TRUNC_F64_S,
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

TYPE_CHECKING = False

if TYPE_CHECKING:
    from esolangs.nesting import Route
    from esolangs.shakespeare.flow import PlayFlow, Sentence, State

# Addresses in the memory of the module.
CONTROL = 64
SCRATCH = 512
FACTORIALS = 1 << 10  # 0! to 20!
STACK_TOPS = 1 << 11  # for each stack, the address of its top entry
OUT_BYTES = 1 << 12
OUT_STEPS = OUT_BYTES + CHUNK
VALUES = OUT_STEPS + 8 * CHUNK  # of the characters
STACKS = 1 << 16  # each has room for MAX_STACK entries
MAX_STACK = 1 << 16

# Numbers of the control words, of 8 bytes each.  LEFT: steps left.  CHOICES: the first of the
# variables that select a block; see ``Nesting``.
(LEFT, PRINTED, ROOM, LIMIT, ANSWER, USED, PEAK, MAX_MEMORY, CHOICES) = range(9)
WORDS = CHOICES + 16

_BUFFERS = PrintBuffers(CONTROL + 8 * ROOM, OUT_BYTES, OUT_STEPS, SCRATCH)
_PRINT_NUMBER = 1  # a function

# Local variables.
(_LEFT, _USED, _PEAK) = range(3)
(_PRINTED, _EXIT, _ANSWER) = range(3, 6)
_CHOICES = 6

MAX_NUMBER = TAG - 1
_FACTOR_BITS = 31  # bits of factors whose product is certainly small
_MAX_CUBED = 1_000_000

_COMPARE = {opcodes.GREATER: I64_GT_S, opcodes.SMALLER: I64_LT_S, opcodes.EQUAL: I64_EQ}
_OPERATIONS = {
    opcodes.SET_ADD: opcodes.ADD,
    opcodes.SET_SUB: opcodes.SUB,
    opcodes.SET_MUL: opcodes.MUL,
    opcodes.SET_DIV: opcodes.DIV,
    opcodes.SET_MOD: opcodes.MOD,
}
_SAFE = (opcodes.PAUSE_HERE, opcodes.ENTER, opcodes.EXIT, opcodes.EXEUNT)


class BoundedNumber:
    """A number in a sentence: code that pushes it, and its bounds."""

    __slots__ = ("code", "high", "low")

    def __init__(self, code: bytes, low: int, high: int):
        self.code = code
        self.low = low
        self.high = high

    @property
    def max_magnitude(self) -> int:
        """The greatest absolute value that the number can have, according to its bounds."""
        return max(-self.low, self.high)


class Knowledge:
    """Facts that are certain at a place in the code, because of the code executed before it.

    bounds: lowest and highest value, by character.  answered: whether a question was asked.
    entries, free: minimum number of entries, and of free places, of a stack, by character.
    used: bytes in use that the local variable ``_USED`` does not include yet.
    peak: minimum number of bytes by which the local variable ``_PEAK`` exceeds ``_USED``.
    """

    __slots__ = ("answered", "bounds", "entries", "free", "peak", "used")

    def __init__(self) -> None:
        self.bounds: dict[int, tuple[int, int]] = {}
        self.entries: dict[int, int] = {}
        self.free: dict[int, int] = {}
        self.answered = False
        self.used = self.peak = 0

    def copy(self) -> Knowledge:
        other = Knowledge()
        other.bounds, other.entries = dict(self.bounds), dict(self.entries)
        other.free = dict(self.free)
        other.answered, other.used, other.peak = self.answered, self.used, self.peak
        return other

    def change_depth(self, who: int, change: int) -> None:
        """Record that an entry was added to a stack (``change`` 1) or removed from it (-1)."""
        self.entries[who] = max(0, self.entries.get(who, 0) + change)
        self.free[who] = max(0, self.free.get(who, 0) - change)
        self.used += 8 * change
        self.peak = max(self.peak, self.used)

    def join(self, other: Knowledge) -> None:
        """Keep only what is also certain in ``other``, which must have the same ``used``."""
        for who, (low, high) in self.bounds.items():
            first = other.bounds.get(who, (-MAX_NUMBER, MAX_NUMBER))
            self.bounds[who] = min(low, first[0]), max(high, first[1])
        for mine, others in ((self.entries, other.entries), (self.free, other.free)):
            for who, count in mine.items():
                mine[who] = min(count, others.get(who, 0))
        self.answered = self.answered and other.answered
        self.peak = min(self.peak, other.peak)


class PlayTranslation:
    """A play translated to WebAssembly.

    code: the module.  exits: the states where its function returns, by the number that it returns.
    stack_places: addresses of the stacks, by character.
    """

    def __init__(self, flow: PlayFlow, *, utf8: bool):
        self.flow = flow
        self.utf8 = utf8
        self.exits: list[State] = []
        self.entries = {
            flow.blocks[number].states[0]: flow.nesting.entry_choices(number)
            for number in flow.entries
        }
        self.stack_places = {
            who: STACKS + 8 * MAX_STACK * place for place, who in enumerate(sorted(flow.stacks))
        }
        self._exit_numbers: dict[State, int] = {}
        self._labels: list[object] = []
        self._levels: dict[object, int] = {}  # by label: the number of labels around it
        self._out = bytearray()
        depths = 1 + max((depth for found in self._all_choices() for depth, _ in found), default=0)
        self._values = _CHOICES + depths
        self._top_locals = {
            who: self._values + flow.cast + place for place, who in enumerate(self.stack_places)
        }
        self._first_free = self._free = self._max_free = 0
        self._known = Knowledge()
        # By block: the facts at the end of the only block that leads to it.
        self._carried: dict[int, Knowledge] = {}
        self._sources = Counter(chain.from_iterable(flow.nesting.targets))
        self._bail: object = None  # the label of the return before the current sentence
        self._depths = depths
        self.code = self._build_module()

    def _all_choices(self) -> list[list[tuple[int, int]]]:
        nesting = self.flow.nesting
        return [
            *self.entries.values(),
            *(
                nesting.route(block, target).choices
                for block, found in enumerate(nesting.targets)
                for target in found
            ),
        ]

    # The module.

    def _build_module(self) -> bytes:
        cast = self.flow.cast
        first = self._values + cast + len(self._top_locals)
        self._first_free = self._free = self._max_free = first
        for local, word in ((_LEFT, LEFT), (_USED, USED), (_PEAK, PEAK)):
            self._out += _load_control(word) + put(local)
        self._out += _load_control_i32(ANSWER) + put(_ANSWER)
        for depth in range(self._depths):
            self._out += _load_control_i32(CHOICES + depth) + put(_CHOICES + depth)
        for who in range(cast):
            self._out += load_i64(VALUES + 8 * who) + put(self._values + who)
        for place, local in enumerate(self._top_locals.values()):
            self._out += load_i32(STACK_TOPS + 8 * place) + put(local)
        self._open_block(BLOCK, "out")
        self._append_loop(self.flow.nesting.root)
        self._close_block()
        for local, word in ((_LEFT, LEFT), (_PEAK, PEAK)):
            self._out += i32(0) + get(local) + _store(CONTROL + 8 * word)
        for local, word in ((_PRINTED, PRINTED), (_ANSWER, ANSWER)):
            self._out += i32(0) + get(local) + I64_EXTEND_I32_U + _store(CONTROL + 8 * word)
        for who in range(cast):
            self._out += i32(0) + get(self._values + who) + _store(VALUES + 8 * who)
        for place, local in enumerate(self._top_locals.values()):
            self._out += i32(0) + get(local) + I64_EXTEND_I32_U
            self._out += _store(STACK_TOPS + 8 * place)
        self._out += get(_EXIT)
        kinds = (
            [I64] * 3 + [I32] * (3 + self._depths) + [I64] * cast + [I32] * len(self._top_locals)
        )
        kinds += [I64] * (self._max_free - first)
        run = Function([], [I32], kinds, bytes(self._out))
        size = STACKS + 8 * MAX_STACK * max(1, len(self.stack_places))
        return build_module([run, number_printer(_BUFFERS, b"")], -(-size // PAGE_BYTES))

    def _append_loop(self, loop: NestedLoop) -> None:
        """Append the code of a loop, or of the whole play."""
        inner = loop.header >= 0
        if inner:
            self._open_block(LOOP, loop)
        for item in reversed(range(len(loop.items))):
            self._open_block(BLOCK, (loop, item))
        if loop.item_values:
            self._append_dispatch(loop)
        if inner:
            self._append_block(loop.header)
        for item in loop.items:
            self._close_block()
            if isinstance(item, NestedLoop):
                self._append_loop(item)
            else:
                self._append_block(item)
        if inner:
            self._close_block()

    def _append_dispatch(self, loop: NestedLoop) -> None:
        """Append a jump to the item of the loop that the loop's variable selects.

        If the variable is 0, execution continues after the jump.  The jump sets the variable to 0.
        """
        choice = get(_CHOICES + loop.depth) + i32(0) + put(_CHOICES + loop.depth)
        items = [
            (loop, item) for item in sorted(loop.item_values, key=loop.item_values.__getitem__)
        ]
        if len(items) == 1:
            self._out += choice
            self._append_branch(BR_IF, items[0])
            return
        none = object()
        self._open_block(BLOCK, none)
        self._out += choice + BR_TABLE + uleb128(len(items) + 1)
        for label in (none, *items, none):
            self._out += uleb128(self._label_depth(label))
        self._close_block()

    # A block.

    def _append_block(self, number: int) -> None:
        flow = self.flow
        block = flow.blocks[number]
        self._known = self._carried.pop(number, Knowledge())
        if number in flow.longest:
            enough = object()
            self._open_block(BLOCK, enough)
            self._out += get(_LEFT) + i64(flow.longest[number]) + I64_GE_S
            self._append_branch(BR_IF, enough)
            self._append_exit(block.states[0], 0)
            self._close_block()
        for steps_before, state in enumerate(block.states):
            if state[0] == len(flow.sentences):
                self._append_exit(state, steps_before)
                return
            if flow.sentences[state[0]].op != opcodes.GOTO or flow.needs_core(state):
                self._append_sentence(state, steps_before)
        if not block.targets:
            return
        self._append_memory_change()
        self._subtract_steps(len(block.states))
        for target in flow.nesting.targets[number]:
            if self._sources[target] == 1 and target not in flow.longest:
                self._carried[target] = self._known.copy()
        sentence = flow.sentences[block.states[-1][0]]
        if sentence.op == opcodes.GOTO and sentence.condition and len(block.targets) == 2:
            self._append_condition(sentence)
            self._append_goto(number, block.targets[0], conditional=True)
        self._append_goto(number, block.targets[-1])

    def _subtract_steps(self, steps: int) -> None:
        if steps:
            self._out += get(_LEFT) + i64(steps) + I64_SUB + put(_LEFT)

    def _append_goto(self, number: int, state: State, *, conditional: bool = False) -> None:
        """Append a jump from the end of block ``number`` to the block that begins in ``state``.

        If no block begins there, append an exit to the core instead.  conditional: whether the code
        pops a condition and jumps only if it is not 0.
        """
        target = self.flow.number_at.get(state)
        if target is None:
            if conditional:
                self._open_block(IF)
            self._append_exit(state, 0)
            if conditional:
                self._close_block()
            return
        route = self.flow.nesting.route(number, target)
        if not route.choices:
            self._append_route(BR_IF if conditional else BR, route)
            return
        if conditional:
            self._open_block(IF)
        for depth, value in route.choices:
            self._out += i32(value) + put(_CHOICES + depth)
        self._append_route(BR, route)
        if conditional:
            self._close_block()

    def _append_route(self, code: bytes, route: Route) -> None:
        self._append_branch(code, route.loop if route.item < 0 else (route.loop, route.item))

    def _append_exit(self, state: State, steps_before: int) -> None:
        """Append code that counts ``steps_before`` steps and exits to the core before ``state``."""
        number = self._exit_numbers.get(state)
        if number is None:
            number = self._exit_numbers[state] = len(self.exits)
            self.exits.append(state)
        self._subtract_steps(steps_before)
        self._out += i32(number) + put(_EXIT)
        self._append_branch(BR, "out")

    # A sentence.

    def _append_sentence(self, state: State, steps_before: int) -> None:
        """Append a sentence; the tests for faults, limits and large numbers precede its effects."""
        flow = self.flow
        sentence = flow.sentences[state[0]]
        if sentence.op in _SAFE and not flow.needs_core(state):
            return
        conditional = sentence.condition and state[1][sentence.speaker]
        before = None
        if conditional:
            self._append_memory_change()
            before = self._known.copy()
            self._append_condition(sentence)
            self._open_block(IF)
        if flow.needs_core(state):
            self._append_exit(state, steps_before)
        else:
            over, bail = object(), object()
            self._open_block(BLOCK, over)
            self._open_block(BLOCK, bail)
            self._free = self._first_free
            self._append_operation(sentence, flow.addressee(state), bail, steps_before)
            self._append_branch(BR, over)
            self._close_block()
            self._append_exit(state, steps_before)
            self._close_block()
        if before is not None:
            self._append_memory_change()
            self._close_block()
            self._known.join(before)

    def _append_condition(self, sentence: Sentence) -> None:
        """Append code that pushes whether the condition of a sentence holds."""
        so = sentence.condition == IF_SO
        if self._known.answered:
            self._out += get(_ANSWER) + (b"" if so else I32_EQZ)
        else:
            self._out += get(_ANSWER) + i32(1) + (I32_EQ if so else I32_NE)

    def _append_operation(
        self, sentence: Sentence, you: int, bail: object, steps_before: int
    ) -> None:
        """Append the operation of a sentence; branch to ``bail`` if it must be left to the core."""
        op = sentence.op
        self._bail = bail
        if op in (opcodes.ASK, opcodes.ASK_EXPR):
            first, second = self._append_values(self.flow.values(sentence), you)
            self._out += first.code + second.code + _COMPARE[sentence.c % NEGATED]
            self._out += (I32_EQZ if sentence.c >= NEGATED else b"") + put(_ANSWER)
            self._known.answered = True
        elif op in (opcodes.PUSH, opcodes.PUSH_EXPR):
            (number,) = self._append_values(self.flow.values(sentence), you)
            self._append_push(number, you)
        elif op == opcodes.POP:
            self._append_pop(you)
        elif op == opcodes.OUT_CHAR:
            self._append_character(self._value_of(you), steps_before)
        elif op == opcodes.OUT_NUMBER:
            out = self._value_of(you).code + self._step_code(steps_before) + get(_PRINTED)
            self._out += out + CALL + uleb128(_PRINT_NUMBER) + tee(_EXIT) + i32(0) + I32_LT_S
            self._append_bail_if()
            self._out += get(_EXIT) + put(_PRINTED)
        else:
            codes = self.flow.values(sentence)
            if op in _OPERATIONS:
                codes.append(_OPERATIONS[op])
            (number,) = self._append_values(codes, you)
            self._out += number.code + put(self._values + you)
            self._known.bounds[you] = number.low, number.high

    def _append_push(self, number: BoundedNumber, you: int) -> None:
        top, known = self._top_locals[you], self._known
        if not known.free.get(you):
            self._out += get(top) + i32(self.stack_places[you] + 8 * (MAX_STACK - 1)) + I32_GE_U
            self._append_bail_if()
        used = known.used + 8
        if used > known.peak:
            after = self._new_local()
            self._out += get(_USED) + i64(used) + I64_ADD + tee(after) + get(_PEAK) + I64_GT_S
            self._open_block(IF)
            self._out += get(after) + _load_control(MAX_MEMORY) + I64_GT_S
            self._append_bail_if()
            self._out += get(after) + put(_PEAK)
            self._close_block()
        self._out += get(top) + number.code + I64_STORE + uleb128(8)
        self._out += get(top) + i32(8) + I32_ADD + put(top)
        known.change_depth(you, 1)

    def _append_pop(self, you: int) -> None:
        top, known = self._top_locals[you], self._known
        if not known.entries.get(you):
            self._out += get(top) + i32(self.stack_places[you] - 8) + I32_EQ
            self._append_bail_if()
        self._out += get(top) + I64_LOAD + uleb128(0) + put(self._values + you)
        self._out += get(top) + i32(8) + I32_SUB + put(top)
        known.change_depth(you, -1)
        self._known.bounds.pop(you, None)

    def _append_memory_change(self) -> None:
        """Append code that updates ``_USED``: it adds the bytes used since the last update."""
        known = self._known
        if known.used:
            self._out += get(_USED) + i64(known.used) + I64_ADD + put(_USED)
            known.peak -= known.used
            known.used = 0

    def _append_character(self, number: BoundedNumber, steps_before: int) -> None:
        self._out += number.code + i64(128 if self.utf8 else 256) + I64_GE_U
        self._append_bail_if()
        self._out += get(_PRINTED) + _load_control_i32(ROOM) + I32_GE_U
        self._append_bail_if()
        byte = number.code + I32_WRAP_I64
        self._out += print_byte(_BUFFERS, _PRINTED, byte, self._step_code(steps_before))

    def _step_code(self, steps_before: int) -> bytes:
        """Return code that pushes the number of the step that executes a sentence of the block.

        steps_before: the number of sentences of the block before it.
        """
        return _load_control(LIMIT) + get(_LEFT) + I64_SUB + i64(steps_before + 1) + I64_ADD

    # Values.

    def _value_of(self, who: int) -> BoundedNumber:
        low, high = self._known.bounds.get(who, (-MAX_NUMBER, MAX_NUMBER))
        return BoundedNumber(get(self._values + who), low, high)

    def _append_values(self, codes: list[int], you: int) -> list[BoundedNumber]:
        """Append code that computes values in postfix order; return the results."""
        flow = self.flow
        stack: list[BoundedNumber] = []
        for code in codes:
            if code >= flow.cast:
                number = flow.play.constants[code - flow.cast]
                stack.append(BoundedNumber(i64(number), number, number))
            elif code >= YOU:
                stack.append(self._value_of(you if code == YOU else code))
            elif code >= opcodes.MOD:
                second, first = stack.pop(), stack.pop()
                stack.append(self._append_binary(code, first, second))
            else:
                stack.append(self._append_unary(code, stack.pop()))
        return stack

    def _append_binary(
        self, code: int, first: BoundedNumber, second: BoundedNumber
    ) -> BoundedNumber:
        if code == opcodes.ADD:
            low, high = first.low + second.low, first.high + second.high
            return self._append_checked(first.code + second.code + I64_ADD, low, high)
        if code == opcodes.SUB:
            low, high = first.low - second.high, first.high - second.low
            return self._append_checked(first.code + second.code + I64_SUB, low, high)
        if code == opcodes.MUL:
            return self._append_product(first, second)
        return self._append_division(code, first, second)

    def _append_unary(self, code: int, number: BoundedNumber) -> BoundedNumber:
        if code == opcodes.TWICE:
            twice = number.code + number.code + I64_ADD
            return self._append_checked(twice, 2 * number.low, 2 * number.high)
        if code == opcodes.SQUARE:
            return self._append_product(number, number)
        if code == opcodes.CUBE:
            self._check_bounds(number, -_MAX_CUBED, _MAX_CUBED)
            low, high = max(number.low, -_MAX_CUBED), min(number.high, _MAX_CUBED)
            cubed = number.code + number.code + I64_MUL + number.code + I64_MUL
            return self._new_value(cubed, low**3, high**3)
        if code == opcodes.ROOT:
            return self._append_root(number)
        self._check_bounds(number, 0, 20)
        at = number.code + I32_WRAP_I64 + i32(3) + I32_SHL
        return self._new_value(at + I64_LOAD + uleb128(FACTORIALS), 1, MAX_NUMBER)

    def _check_bounds(self, number: BoundedNumber, low: int, high: int) -> None:
        """Append code that returns to the core if a number is not from ``low`` to ``high``.

        Append nothing if the number is certainly in this range.
        """
        if number.low < low or number.high > high:
            shifted = number.code + (i64(low) + I64_SUB if low else b"")
            self._out += shifted + i64(high - low) + I64_GT_U
            self._append_bail_if()

    def _append_checked(self, code: bytes, low: int, high: int) -> BoundedNumber:
        """Append ``code``, which pushes a number, and a test of its size; return the number.

        The test returns to the core if the number is not from ``-MAX_NUMBER`` to ``MAX_NUMBER``.
        low, high: bounds of the number, which has at most 64 bits.
        """
        number = self._new_value(code, low, high)
        self._check_bounds(number, -MAX_NUMBER, MAX_NUMBER)
        return BoundedNumber(number.code, max(low, -MAX_NUMBER), min(high, MAX_NUMBER))

    def _append_product(self, first: BoundedNumber, second: BoundedNumber) -> BoundedNumber:
        corners = [a * b for a in (first.low, first.high) for b in (second.low, second.high)]
        low, high = min(corners), max(corners)
        if max(-low, high) > MAX_NUMBER:
            half = i64(1 << _FACTOR_BITS - 1)
            either = first.code + half + I64_ADD + second.code + half + I64_ADD + I64_OR
            self._open_block(either + i64(_FACTOR_BITS) + I64_SHR_U + i64(0) + I64_NE + IF)
            self._out += first.code + F64_CONVERT_I64_S + second.code + F64_CONVERT_I64_S + F64_MUL
            self._out += F64_ABS + f64(4.6e18) + F64_LT + I32_EQZ  # TAG, minus rounding errors
            self._append_bail_if()
            self._close_block()
        code = first.code + second.code + I64_MUL
        return self._new_value(code, max(low, -MAX_NUMBER), min(high, MAX_NUMBER))

    def _append_division(
        self, code: int, first: BoundedNumber, second: BoundedNumber
    ) -> BoundedNumber:
        if second.low <= 0 <= second.high:
            self._out += second.code + I64_EQZ
            self._append_bail_if()
        if code == opcodes.DIV:
            low, high = -first.max_magnitude, first.max_magnitude
            if first.low >= 0 <= second.low:
                low, high = 0, first.high
        else:
            most = max(0, min(first.max_magnitude, second.max_magnitude - 1))
            low = 0 if first.low >= 0 else -most
            high = 0 if first.high <= 0 else most
        whole = first.code + second.code + (I64_DIV_S if code == opcodes.DIV else I64_REM_S)
        if second.low == second.high:
            return self._new_value(whole, low, high)
        # Division in 32 bits is faster.
        test = first.code + second.code + I64_OR + i64(32) + I64_SHR_U + I64_EQZ + IF_I64
        test += first.code + I32_WRAP_I64 + second.code + I32_WRAP_I64
        test += (I32_DIV_U if code == opcodes.DIV else I32_REM_U) + I64_EXTEND_I32_U
        return self._new_value(test + ELSE + whole + END, low, high)

    def _append_root(self, number: BoundedNumber) -> BoundedNumber:
        if number.low < 0:
            self._out += number.code + i64(0) + I64_LT_S
            self._append_bail_if()
        code = number.code + F64_CONVERT_I64_S + F64_SQRT + I64_TRUNC_F64_S
        root = self._new_value(code, 0, 1 << 31)
        # The conversion may round up to the next square.  If it rounds down, the root is still
        # exact, because its error is less than half of its last bit.
        greater = root.code + root.code + I64_MUL + number.code + I64_GT_S + I64_EXTEND_I32_U
        return self._new_value(root.code + greater + I64_SUB, 0, 1 << 31)

    def _new_value(self, code: bytes, low: int, high: int) -> BoundedNumber:
        """Append ``code`` and a store of the number that it pushes; return the new variable."""
        local = self._new_local()
        self._out += code + put(local)
        return BoundedNumber(get(local), low, high)

    def _new_local(self) -> int:
        self._free += 1
        self._max_free = max(self._max_free, self._free)
        return self._free - 1

    # Labels.

    def _open_block(self, code: bytes, label: object = None) -> None:
        """Append the beginning of a WebAssembly block, which jumps can name by ``label``."""
        self._out += code
        self._levels[label] = len(self._labels)
        self._labels.append(label)

    def _close_block(self) -> None:
        self._out += END
        del self._labels[-1]

    def _append_bail_if(self) -> None:
        """Append a conditional return to the core, which then executes the current sentence.

        The code pops a value and returns if that is not 0.
        """
        self._append_branch(BR_IF, self._bail)

    def _append_branch(self, code: bytes, label: object) -> None:
        self._out += code + uleb128(self._label_depth(label))

    def _label_depth(self, label: object) -> int:
        return len(self._labels) - 1 - self._levels[label]


def _load_control(number: int) -> bytes:
    return load_i64(CONTROL + 8 * number)


def _load_control_i32(number: int) -> bytes:
    return load_i32(CONTROL + 8 * number)


def _store(address: int) -> bytes:
    return I64_STORE + uleb128(address)
