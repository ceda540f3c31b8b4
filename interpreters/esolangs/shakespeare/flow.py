"""Divides a play into blocks for compiled code.

A block is a run of sentences that control enters only at the beginning, with a known stage: who is
on stage decides who is addressed, and changes only by stage directions.  So a sentence that is
reached with two stages belongs to two blocks.
"""

from __future__ import annotations

from typing import NamedTuple

from esolangs.nesting import Nesting
from esolangs.shakespeare.opcodes import (
    ASK,
    ASK_EXPR,
    ENTER,
    EXEUNT,
    EXIT,
    GOTO,
    IN_CHAR,
    IN_NUMBER,
    NOBODY,
    PAUSE_HERE,
    POP,
    PUSH,
    PUSH_EXPR,
    SET,
    SET_ADD,
    SET_EXPR,
    SET_MOD,
    TAG,
    UNKNOWN,
    WIDTH,
    YOU,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable
    from typing import Protocol

    State = tuple[int, bytes]
    """A sentence, and who is on stage before it, as in ``Core.stage``."""

    class PlayTables(Protocol):
        """The tables of a play.

        code: the records of its sentences, as in ``opcodes``.  post: expressions in postfix order.
        lists: the characters that directions name.
        """

        code: array[int]
        post: array[int]
        lists: array[int]
        constants: list[int]

        @property
        def names(self) -> tuple[str, ...]: ...


MAX_STATES = 1 << 14
"""Number of states after which no more are explored; the core executes the remaining ones.

A state is a sentence, with the characters who are on stage before it.
"""


class Sentence(NamedTuple):
    """A sentence or stage direction of a play; ``opcodes`` describes the fields."""

    op: int
    speaker: int
    condition: int
    a: int
    b: int
    c: int


class PlayBlock:
    """A block of sentences.

    states: one for each sentence.  targets: the states that can follow the last sentence; if that
    is a goto, its target is first.
    """

    __slots__ = ("states", "targets")

    def __init__(self, states: list[State], targets: list[State]):
        self.states = states
        self.targets = targets


class PlayFlow:
    """The blocks of a play that are reachable from given states.

    number_at: the number of each block, which is its index in ``blocks``, by its first state.
    entries: numbers of the blocks where compiled code can be entered.  longest: for each block in
    ``nesting.headers`` or ``entries``, the maximum number of steps until the next such block.
    """

    def __init__(self, play: PlayTables, starts: Iterable[State]):
        self.play = play
        self.cast = len(play.names)
        self.sentences = [
            Sentence(*play.code[at : at + WIDTH]) for at in range(0, len(play.code), WIDTH)
        ]
        self._present_characters: dict[bytes, list[int]] = {}  # by stage: who is on it
        self._following: dict[State, list[State]] = {}
        self._heads: set[State] = set()
        self.blocks: list[PlayBlock] = []
        self.number_at: dict[State, int] = {}
        self.stacks: set[int] = set()  # characters whose stacks are used
        roots = self._explore(list(starts))
        self._divide_into_blocks()
        targets = [
            [self.number_at[target] for target in block.targets if target in self.number_at]
            for block in self.blocks
        ]
        self.nesting = Nesting(targets)
        self.entries = {self.number_at[state] for state in roots if state in self.number_at}
        self.entries |= self.nesting.headers
        self.longest: dict[int, int] = {}
        self._measure_longest_paths(targets)

    def addressee(self, state: State) -> int:
        """Return whom the speaker of a sentence addresses; -1 unless two are on stage."""
        at, stage = state
        on = self._present_characters.get(stage)
        if on is None:
            on = self._present_characters[stage] = [who for who in range(self.cast) if stage[who]]
        speaker = self.sentences[at].speaker
        return sum(on) - speaker if len(on) == 2 and speaker in on else -1

    def needs_core(self, state: State) -> bool:
        """Return whether the core must execute a sentence, because compiled code cannot.

        Compiled code can still skip the sentence if its condition is false and its speaker is on
        stage.
        """
        at, stage = state
        sentence = self.sentences[at]
        op = sentence.op
        if not stage[sentence.speaker] or op in (NOBODY, IN_CHAR, IN_NUMBER):
            return True
        if op == GOTO:
            return sentence.a < 0
        if op in (ENTER, EXIT):
            return self._stage_after_move(stage, sentence) is None
        if op in (EXEUNT, PAUSE_HERE):
            return False
        alone = self.addressee(state) < 0
        if op in (ASK, ASK_EXPR):
            alone = alone and YOU in self.values(sentence)
        return alone or any(map(self._is_unusual, self.values(sentence)))

    def values(self, sentence: Sentence) -> list[int]:
        """Return the values and operations of a sentence in postfix order."""
        op, a, b = sentence.op, sentence.a, sentence.b
        if op in (SET, PUSH):
            return [a]
        if op == ASK or SET_ADD <= op <= SET_MOD:
            return [a, b]
        return list(self.play.post[a:b]) if op in (SET_EXPR, PUSH_EXPR, ASK_EXPR) else []

    def _is_unusual(self, value: int) -> bool:
        """Return whether the core must handle a value: an unknown character or a large constant."""
        if value < self.cast:
            return value == UNKNOWN
        return not -TAG < self.play.constants[value - self.cast] < TAG

    def _stage_after_move(self, stage: bytes, sentence: Sentence) -> bytes | None:
        """Return who is on stage after an entrance or exit; None if the direction faults."""
        after = bytearray(stage)
        enter = sentence.op == ENTER
        for who in self.play.lists[sentence.a : sentence.b]:
            if who < 0 or after[who] == enter:
                return None
            after[who] = enter
        return bytes(after)

    def _explore(self, states: list[State]) -> set[State]:
        """Find the reachable states; return those in which compiled code starts or resumes.

        It starts in ``states``, and resumes in each state after a sentence that the core executes.
        """
        roots = set(states)
        waiting = states[:]
        while waiting and len(self._following) < MAX_STATES:
            state = waiting.pop()
            if state in self._following:
                continue
            following, handed = self._successors(state)
            self._following[state] = following
            if state[0] < len(self.sentences):
                sentence = self.sentences[state[0]]
                if sentence.op in (PUSH, PUSH_EXPR, POP) and not self.needs_core(state):
                    self.stacks.add(self.addressee(state))
            if handed is not None:
                roots.add(handed)
                waiting.append(handed)
            waiting += following
        self._heads |= roots
        return roots

    def _successors(self, state: State) -> tuple[list[State], State | None]:
        """Return the states that can follow the sentence at ``state``.

        The first result lists the states with which compiled code continues, the target of a goto
        first.  The second one is the state after the sentence if the core executes it and the play
        can continue, else None.
        """
        at, stage = state
        if at == len(self.sentences):
            return [], None
        sentence = self.sentences[at]
        op = sentence.op
        following = at + 1, stage
        if not stage[sentence.speaker]:
            return [], None
        if self.needs_core(state):
            handed = None if op in (NOBODY, GOTO, ENTER, EXIT) else following
            return [following] if sentence.condition else [], handed
        if op == GOTO:
            target = sentence.a, stage
            return [target, following] if sentence.condition else [target], None
        if op in (ENTER, EXIT):
            moved = self._stage_after_move(stage, sentence)
            assert moved is not None
            return [(at + 1, moved)], None
        if op == EXEUNT:
            return [(at + 1, bytes(self.cast) + stage[self.cast :])], None
        return [following], None

    def _divide_into_blocks(self) -> None:
        """Divide the states into blocks, runs of states that control enters only at the start."""
        heads = self._heads
        for state, following in self._following.items():
            if self._ends_block(state):
                heads.update(following)
        sources: dict[State, int] = {}
        for following in self._following.values():
            for target in following:
                sources[target] = sources.get(target, 0) + 1
        heads.update(state for state, count in sources.items() if count > 1)
        for head in sorted(state for state in heads if state in self._following):
            states = [head]
            while True:
                following = self._following[states[-1]]
                if self._ends_block(states[-1]) or not following or following[0] in heads:
                    break
                if following[0] not in self._following:
                    break
                states.append(following[0])
            self.number_at[head] = len(self.blocks)
            self.blocks.append(PlayBlock(states, following))

    def _ends_block(self, state: State) -> bool:
        """Return whether a sentence must be the last one of its block."""
        at = state[0]
        return at == len(self.sentences) or self.sentences[at].op == GOTO

    def _measure_longest_paths(self, targets: list[list[int]]) -> None:
        stops = self.nesting.headers | self.entries
        longest: dict[int, int] = {}
        for number in reversed(self.nesting.order):
            ahead = [longest[target] for target in targets[number] if target not in stops]
            longest[number] = len(self.blocks[number].states) + max(ahead, default=0)
        self.longest = {number: longest[number] for number in stops}
