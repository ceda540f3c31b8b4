"""A play and its machine."""

from __future__ import annotations

from array import array

from esolangs.core import CoreMachine, CoreProgram, Engine
from esolangs.errors import Fault
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import Snapshot
from esolangs.numbers import MAX_BITS, decimal
from esolangs.shakespeare import words
from esolangs.shakespeare.opcodes import (
    ALONE,
    BY_ZERO,
    CROWD,
    EMPTY_STACK,
    ENTER,
    IF_SO,
    IN_CHAR,
    IN_NUMBER,
    NEGATIVE_FACTORIAL,
    NEGATIVE_ROOT,
    NO_CHARACTER,
    NO_DIGITS,
    NO_INPUT,
    NO_PERSON,
    NO_SCENE,
    NOT_ON_STAGE,
    OFF_STAGE,
    ON_STAGE_ALREADY,
    OUT_CHAR,
    OUT_NUMBER,
    WIDTH,
)
from esolangs.shakespeare.play_tokens import PlayTokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from esolangs.filters import FilterNames
    from esolangs.language import Language, Options
    from esolangs.pages import References
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare._parser import Play
    from esolangs.shakespeare._sentences import Sentences
    from esolangs.shakespeare.native import PlayCompiler, PlayTier
    from esolangs.source import Span
    from esolangs.stops import Address, Step, StopSet
    from esolangs.tally import IndexedTally
    from esolangs.tier import Tier


class ShakespeareMachine(CoreMachine):
    """The machine of Shakespeare; addresses are indices into the dramatis personae.

    Cost model of memory: 8 bytes for every character and for every entry of a stack; a number
    outside ±2⁶² costs the bytes of its binary digits and 48 more, also as an operand of the
    sentence being executed.
    """

    core: Core
    program: ShakespeareProgram
    tier: PlayTier | None = None
    _saved_input: Step | None = None
    _copies: References | None = None  # to the memories in the last snapshot

    @property
    def memory(self) -> int:
        return self.core.peak

    @property
    def work(self) -> int:  # type: ignore[override]
        return self.core.work

    @property
    def location(self) -> int:
        return self.program.starts[self.core.ip]

    def snapshot(self) -> Snapshot:
        from esolangs.pages import MemorySaver, references_to

        core = self.core
        saver = MemorySaver(self._copies)
        state = core.save(saver.save)
        self._copies = references_to(saver.copies)
        size = saver.size + 100 * core.cast + 600
        payload = state, saver.copies, self.input_position
        return Snapshot(core.steps, core.printed, size, payload, saver.parts)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of ``snapshot``; its output is not printed again."""
        from esolangs.pages import load_memory, references_to

        state, copies, input_position = snapshot.payload
        self._copies = references_to(copies)
        self.core.load(state, load_memory)
        self._finish_restore(snapshot, input_position)

    def peek(self, address: Address) -> int:
        return self.core.value(self._character(address))

    def poke(self, address: Address, value: int) -> None:
        character = self._character(address)
        if value.bit_length() > MAX_BITS:
            raise ValueError(f"a number of more than {MAX_BITS} bits is too large")
        self.core.set_value(character, value)
        self._update_status()

    def registers(self) -> dict[str, int]:

        core = self.core
        values = {
            register_name(name): core.value(index) for index, name in enumerate(self.program.names)
        }
        return {**values, "condition": int(core.answer == 1)}

    @property
    def skips_instruction(self) -> bool:
        core = self.core
        condition = self.program.code[core.ip * WIDTH + 2] if core.ip < core.end else 0
        return condition != 0 and (condition == IF_SO) != (core.answer == 1)

    def feed(self, data: bytes) -> None:
        self._saved_input = self.last_step  # free the input already read
        super().feed(data)

    def _make_fault(self, reason: int) -> Fault:

        return make_fault(self, reason)

    def _recorded_step(self) -> Step | None:
        core = self.core
        if core.last_ip < 0:
            return None
        if self._saved_input is not None and self._saved_input.number == core.steps:
            return self._saved_input
        from esolangs.stops import Slot, Step, Write

        program, at = self.program, core.last_ip
        offset = program.starts[at]
        op = program.code[at * WIDTH]
        writes, printed, read = (), b"", None
        target = core.last_target
        if target >= 0:
            writes = (Write(target, core.old_value(), core.value(target)),)
        if core.last_printed and op in (OUT_CHAR, OUT_NUMBER):
            printed = self._printed_bytes(at, op)
        if core.last_read >= 0 and op in (IN_CHAR, IN_NUMBER):
            end = core.input_position
            read = self._stdin[end - core.last_read : end]
        span = (offset, program.ends[at])
        pushed = core.pushed_to()
        pushes = (Slot(pushed, core.stack_depth(pushed) - 1),) if pushed >= 0 else ()
        return Step(self.steps, span, offset, writes, printed, read, pushes)

    def _printed_bytes(self, record: int, op: int) -> bytes:
        """Return the bytes that a sentence printed, computed from the addressee's value."""
        value = self.core.value(self.core.addressee(self.program.code[record * WIDTH + 1]))
        if op == OUT_NUMBER:
            return decimal(value)
        if self.program.options["io"] == "bytes":
            return bytes([value])
        return chr(value).encode("utf-8", "surrogateescape")

    def _character(self, address: Address) -> int:
        cast = len(self.program.names)
        if not isinstance(address, int) or not 0 <= address < cast:
            raise ValueError(f"expected a character number from 0 to {cast - 1}, not {address!r}")
        return address

    def _marks_at(self, locations: frozenset[Address]) -> bytearray:
        program = self.program
        marks = bytearray(len(program.starts))
        for offset in locations:
            record = program.record_at(offset) if isinstance(offset, int) else -1
            if record >= 0:
                marks[record] = 1
        return marks

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        program = self.program
        marks = self._marks(stops.locations, self._marks_at)
        cast = len(program.names)
        watched = bytearray(cast + 1)
        for cell in stops.writes:
            if isinstance(cell, int) and 0 <= cell < cast:
                watched[cell] = 1
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index > UNLIMITED:
            index = -1
        slots = array("q")
        for stack, level in stops.slots:
            if 0 <= stack < cast and 0 <= level < UNLIMITED:
                slots.extend((stack, level))
        self.core.watch(
            marks, watched, slots, printable, index, stops.inputs, stops.every, scanning
        )


MARKS = {
    ord("."): words.DOT,
    ord("!"): words.BANG,
    ord("?"): words.QUERY,
    ord(","): words.COMMA,
    ord(":"): words.COLON,
    ord("["): words.OPEN_BRACKET,
    ord("]"): words.CLOSE_BRACKET,
}

ENGINE = Engine(
    __name__, Core="_core", Play="_parser", Sentences="_sentences", tokens="_core_tokens"
)


class ShakespeareProgram(CoreProgram):
    """A play; sentences and stage directions are numbered from 0 in source order.

    names: of the characters, in the order of the dramatis personae.
    starts, ends: offsets of every sentence; one more at the end for the end of the play.
    """

    machine_class = ShakespeareMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Parse the source; raise ParseError if it is invalid.

        engine: the compiled or the plain core.
        """
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        parts = engine.tokens(source, words.TABLE, MARKS, (words.WORD, words.OTHER))
        tokens = PlayTokens(source, parts)
        sentences: Sentences = engine.Sentences(tokens, options["missing"] == "refused")
        play: Play = engine.Play(tokens, sentences)
        self.names = tuple(words.NAMES_IN_ORDER[name] for name in sentences.cast)
        self.acts = play.acts
        self.scenes = play.scenes
        self.code = sentences.code
        self.post = sentences.post
        self.lists = sentences.lists
        self.constants = sentences.constants
        self.starts, self.ends = sentences.starts, sentences.ends
        self.starts.append(len(source))
        self.ends.append(len(source))
        spare = array("i", [0])  # an empty table has no address
        self.has_conditional_instructions = any(self.code[2::WIDTH])
        self._tables = self.code + spare, self.post + spare, self.lists + spare
        self._new_core = engine.Core
        self._compiler: PlayCompiler | None = None
        self._lines: list[int] | None = None

    def new_core(self, limits: Limits) -> Core:
        """Return a core at step 0 under this program's options."""
        return self._new_core(
            self._tables,
            len(self.names),
            self.constants,
            (self.options["io"] == "utf8", self.options["number"] == "line"),
            min(limits.memory, UNLIMITED),
            min(limits.output, UNLIMITED),
            min(limits.work, UNLIMITED),
        )

    def new_tier(self, machine: ShakespeareMachine, mode: Tier) -> PlayTier:
        from esolangs.shakespeare.native import PlayCompiler, PlayTier

        self._compiler = self._compiler or PlayCompiler(self)
        return PlayTier(machine, self._compiler, mode)

    def spans(self) -> tuple[Span, ...]:
        return tuple(zip(self.starts[:-1], self.ends[:-1], strict=True))

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.starts)

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_right

        at = bisect_right(self.starts, offset, hi=len(self.starts) - 1) - 1
        if at < 0 or not self.starts[at] <= offset < self.ends[at]:
            return None
        return self.starts[at], self.ends[at]

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """Return the offsets of sentences that contain ``text``, such as ``speak your mind``."""

        wanted = normalize_phrase(text)
        if wanted.isspace():
            return ()
        return tuple(
            start
            for start, end in self.spans()
            if wanted in normalize_phrase(self.source[start:end].decode("utf-8", "surrogateescape"))
        )

    def places(self) -> Mapping[str, Address]:
        named: dict[str, Address] = {}
        scenes = iter([*self.scenes, (len(self.acts), "", "", 0)])
        scene = next(scenes)
        for number, (act, _, first) in enumerate(self.acts):
            named[f"Act {act}"] = self.starts[first]
            while scene[0] == number:
                named[f"Act {act} Scene {scene[1]}"] = self.starts[scene[3]]
                scene = next(scenes)
        return named

    def register_names(self) -> Mapping[str, str]:
        return {
            **{register_name(name): f"the value of {name}" for name in self.names},
            "condition": "1 if the answer to the last question was yes, else 0",
        }

    def filter_names(self) -> FilterNames:
        from esolangs.filters import FilterNames

        characters = [register_name(name) for name in self.names]
        registers = "step", "output", "condition", *characters
        return FilterNames(registers, coordinates=1, has_levels=True)

    def scene_index(self, record: int) -> int:
        """Return the index of a sentence's scene, or -1 before the first scene."""
        from bisect import bisect_right

        return bisect_right(self.scenes, record, key=_first_record) - 1

    def position(self, record: int) -> tuple[int, int]:
        """Return the line and column of the sentence with number ``record``."""
        from bisect import bisect_right

        if self._lines is None:
            parts = self.source.split(b"\n")
            self._lines = [0]
            for part in parts[:-1]:
                self._lines.append(self._lines[-1] + len(part) + 1)
        offset = self.starts[record]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def text(self, record: int, max_length: int = 120) -> str:
        """Return a sentence on one line, shortened if it is long."""
        some = self.source[self.starts[record] : self.ends[record]][: 8 * max_length]
        line = " ".join(some.decode("utf-8", "replace").split())
        return line if len(line) <= max_length else line[: max_length - 1] + "…"

    def record_at(self, offset: int) -> int:
        """Return the number of the sentence that begins at a source offset, or -1."""
        from bisect import bisect_left

        at = bisect_left(self.starts, offset)
        return at if at < len(self.starts) and self.starts[at] == offset else -1


def register_name(name: str) -> str:
    """Return the name of a character's register: ``lady_macbeth`` for Lady Macbeth."""
    return name.lower().replace(" ", "_")


def _first_record(scene: tuple[int, str, str, int]) -> int:
    return scene[3]


_FAULTS = {
    OFF_STAGE: ("off_stage", "{speaker} speaks, but is not on stage"),
    ALONE: ("nobody_addressed", "{speaker} addresses someone, but is alone on stage"),
    CROWD: (
        "unclear_addressee",
        "{speaker} addresses someone, but {count} characters are on stage, not two",
    ),
    ON_STAGE_ALREADY: ("already_on_stage", "{who} enters, but is on stage already"),
    NOT_ON_STAGE: ("not_on_stage", "{who} leaves, but is not on stage"),
    EMPTY_STACK: ("empty_stack", "{you} cannot recall a value: the stack is empty"),
    BY_ZERO: ("division_by_zero", "division by zero"),
    NEGATIVE_ROOT: ("negative_root", "square root of a negative number"),
    NEGATIVE_FACTORIAL: ("negative_factorial", "factorial of a negative number"),
    NO_CHARACTER: ("no_character", "the value of {you} is not a character code"),
    NO_DIGITS: ("no_number", "the input does not continue with a number"),
    NO_INPUT: ("end_of_input", "{you} reads a number, but the input has ended"),
    NO_SCENE: ("no_such_scene", "the act or scene does not exist"),
    NO_PERSON: (
        "no_such_character",
        "the sentence names a character who is not in the dramatis personae",
    ),
}


def make_fault(machine: ShakespeareMachine, reason: int) -> Fault:
    """Return the fault that describes why the next sentence cannot be executed.

    reason: a key of ``_FAULTS``.
    """
    program, core = machine.program, machine.core
    at = core.ip
    kind, message = _FAULTS[reason]
    names = (*program.names, "nobody")
    speaker = program.code[at * WIDTH + 1]
    you = core.addressee(speaker) if speaker < core.cast else -1
    who = _misplaced_character(machine, at)
    text = message.format(
        speaker=names[speaker],
        you=names[you] if you >= 0 else "the addressee",
        count=core.on_stage_count,
        who=names[who] if who >= 0 else "somebody",
    )
    text = f"“{program.text(at, 60)}”: {text}"
    line, column = program.position(at)
    return Fault(kind, text, (program.starts[at], program.ends[at]), line, column, machine.steps)


def _misplaced_character(machine: ShakespeareMachine, direction: int) -> int:
    """Return the first character who cannot enter or leave in a stage direction, or -1.

    direction: the index of the stage direction among the sentences.
    """
    code, lists, core = machine.program.code, machine.program.lists, machine.core
    enters = code[direction * WIDTH] == ENTER
    seen: set[int] = set()
    for index in lists[code[direction * WIDTH + 3] : code[direction * WIDTH + 4]]:
        if index < 0 or core.is_on_stage(index) == enters or index in seen:
            return index
        seen.add(index)
    return -1


def normalize_phrase(text: str) -> str:
    """Return the words and inner punctuation of a text in lower case, with spaces around each.

    ``thy`` and ``thine`` become ``your``, so that one search finds all spellings.
    """
    from re import findall

    parts = findall(r"[\w'-]+|[^\w\s]", text.lower())
    while parts and parts[-1] in ".!?":
        parts.pop()
    return f" {' '.join('your' if part in ('thy', 'thine') else part for part in parts)} "
