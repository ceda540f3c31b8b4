"""The debugger's view of a play: the stage, and the script around the next sentence."""

from __future__ import annotations

from collections.abc import Sequence

from esolangs.inspection import Inspector
from esolangs.machine import LeapKind
from esolangs.numbers import abbreviate
from esolangs.reasons import BUDGET, MEMORY_FULL, PAUSE, WORK_FULL
from esolangs.shakespeare.opcodes import (
    ADD,
    ASK,
    ASK_EXPR,
    ENTER,
    EQUAL,
    EXEUNT,
    EXIT,
    GOTO,
    GREATER,
    IF_SO,
    IN_CHAR,
    IN_NUMBER,
    MOD,
    NEGATED,
    NOBODY,
    OUT_CHAR,
    OUT_NUMBER,
    PAUSE_HERE,
    POP,
    PUSH,
    PUSH_EXPR,
    SET,
    SET_ADD,
    SET_MOD,
    TWICE,
    UNKNOWN,
    WIDTH,
    YOU,
)
from esolangs.shakespeare.program import ShakespeareMachine
from esolangs.shakespeare.words import BINARIES, UNARIES
from esolangs.stops import Leap, Slot, StopSet
from esolangs.view import Actor, Location, Panel, Stack, Stage, Table, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.stops import Address

_LIMITS_REACHED = {
    MEMORY_FULL: "not enough memory",
    PAUSE: "a number that takes long to compute",
    WORK_FULL: "the work limit (`--max-work`) will be reached",
}
_FAULT = "the play will fault"
_MAX_PARTS = 15  # operands and operations of a displayed expression


class ShakespeareInspector(Inspector[ShakespeareMachine]):
    """The inspector of Shakespeare; see :class:`esolangs.inspection.Inspector`."""

    def location(self, machine: ShakespeareMachine) -> Location:
        program, at = machine.program, machine.core.ip
        offset, end = program.starts[at], program.ends[at]
        line, column = program.position(at)
        return Location(
            offset, line, column, (offset, end), program.text(at), explain(machine), offset
        )

    def panels(self, machine: ShakespeareMachine, window: Window) -> tuple[Panel, ...]:
        """Return the panels that show the state, as limited by ``window``.

        The cost does not depend on stack depth and program length.
        """
        return (_stage(machine, window), _script(machine, window))

    def leap(self, machine: ShakespeareMachine, kind: LeapKind) -> Leap | None:
        """Return where a step out of the scene stops; None for a step over.

        Nothing can be stepped over in this language, so a step over is a single step.

        A scene is left when another scene or the end of the play is reached.  A goto to its own
        beginning does not leave it.
        """
        program = machine.program
        scene = program.scene_index(machine.core.ip)
        if scene < 0 or kind in ("over", "back_over"):
            return None
        here = program.starts[program.scenes[scene][3]]
        if kind == "back_out":
            return Leap(StopSet(locations=frozenset({here})))
        others = {program.starts[first] for _, _, _, first in program.scenes}
        return Leap(StopSet(locations=frozenset(others | {len(program.source)}) - {here}))

    def copied_from(
        self, machine: ShakespeareMachine, place: Address | Slot
    ) -> Address | Slot | None:
        """Return the place that the next step copies into ``place``, or None.

        None means that the step computes the value, or faults.
        """
        core, code = machine.core, machine.program.code
        if core.ip >= core.end:
            return None
        op, speaker, _, source = code[core.ip * WIDTH : core.ip * WIDTH + 4]
        you = core.addressee(speaker) if 0 <= speaker < core.cast else -1
        if you < 0:
            return None
        if op == POP:
            depth = core.stack_depth(you)
            return Slot(you, depth - 1) if depth and not isinstance(place, Slot) else None
        if op != (PUSH if isinstance(place, Slot) else SET):
            return None
        if source == YOU:
            return you
        return source if 0 <= source < core.cast else None

    def printed_from(self, machine: ShakespeareMachine) -> Address | None:
        core, code = machine.core, machine.program.code
        if core.ip >= core.end:
            return None
        op, speaker, _, _ = code[core.ip * WIDTH : core.ip * WIDTH + 4]
        if op not in (OUT_CHAR, OUT_NUMBER) or not 0 <= speaker < core.cast:
            return None
        you = core.addressee(speaker)
        return you if you >= 0 else None


INSPECTOR = ShakespeareInspector()


def explain(machine: ShakespeareMachine) -> str:
    """Describe the next step in one line, or the reason why none follows."""
    program, core = machine.program, machine.core
    if machine.fault is not None:
        return machine.fault.message
    if core.ip >= core.end:
        return "the play has ended"
    op, speaker, condition, a, b, _ = program.code[core.ip * WIDTH : (core.ip + 1) * WIDTH]
    if speaker < core.cast and not core.is_on_stage(speaker):
        return f"{program.names[speaker]} speaks, but is not on stage: the play will fault"
    if condition and (condition == IF_SO) != (core.answer == 1):
        said = {1: "answered yes", 0: "answered no"}.get(core.answer, "not asked yet")
        return f"the question was {said}: skip this sentence"
    if op in (ENTER, EXIT, EXEUNT):
        return _movement(machine, op, program.lists[a:b])
    if op == PAUSE_HERE:
        return "a pause: nothing happens"
    if op == NOBODY:
        return "the speaker is not in the dramatis personae: the play will fault"
    if op == GOTO:
        return _goto(machine, a)
    if op in (ASK, ASK_EXPR):
        return _question(machine)
    you = core.addressee(speaker)
    if you < 0:
        why = (
            f"ambiguous, because {core.on_stage_count} characters are"
            if core.on_stage_count > 2
            else "undefined, because no one else is"
        )
        return f"`you` is {why} on stage: the play will fault"
    name = program.names[you]
    if op in (PUSH, PUSH_EXPR):
        return _with_result(machine, you, f"{name} remembers {{}}")
    if op == POP:
        if not core.stack_depth(you):
            return f"the stack of {name} is empty: the play will fault"
        (top,) = core.stack_top(you, 1)
        return f"{name}'s value becomes {abbreviate(top)}, the value remembered last"
    if op == OUT_CHAR:
        return f"print {name}'s value as a character: {_format_character(core.value(you))}"
    if op == OUT_NUMBER:
        return f"print {name}'s value as a number: {abbreviate(core.value(you))}"
    if op == IN_CHAR:
        return _reading(machine, name)
    if op == IN_NUMBER:
        return f"read a number from the input into {name}'s value"
    return _with_result(machine, you, f"{name}'s value becomes {{}}")


def _with_result(machine: ShakespeareMachine, addressee: int, sentence: str) -> str:
    reason, values = machine.core.preview()
    text = expression_text(machine, addressee)
    if reason != BUDGET:
        return f"{sentence.format(text)}: {_LIMITS_REACHED.get(reason, _FAULT)}"
    value = str(abbreviate(values[0]))
    return sentence.format(value if value == text else f"{value} ({text})")


def _codes(machine: ShakespeareMachine) -> list[int]:
    """Return the values and operations of the next sentence in postfix order."""
    program = machine.program
    at = machine.core.ip * WIDTH
    op, a, b = program.code[at], program.code[at + 3], program.code[at + 4]
    if op in (SET, PUSH):
        return [a]
    if op == ASK:
        return [a, b]
    if SET_ADD <= op <= SET_MOD:
        return [a, b, ADD - (op - SET_ADD)]
    return list(program.post[a : min(b, a + _MAX_PARTS + 1)])


def expression_text(machine: ShakespeareMachine, addressee: int) -> str:
    """Return the first expression of the next sentence in words, with a value after each name."""
    return _texts(machine, _codes(machine), addressee)[0]


def _texts(machine: ShakespeareMachine, codes: list[int], addressee: int) -> list[str]:
    program, core = machine.program, machine.core
    if len(codes) > _MAX_PARTS:
        return ["a long expression", "another"]
    parts: list[str] = []
    for code in codes:
        if code == UNKNOWN:
            parts.append("an unknown character")
        elif code >= YOU:
            index = addressee if code == YOU else code
            if index < 0:
                parts.append("somebody")
                continue
            value = str(abbreviate(core.value(index)))
            named = index < core.cast
            parts.append(f"{program.names[index]} ({value})" if named else value)
        elif code >= MOD:
            second = parts.pop()
            parts.append(f"{BINARIES[ADD - code]} {parts.pop()} and {second}")
        else:
            parts.append(f"{UNARIES[TWICE - code]} {parts.pop()}")
    return parts


def _question(machine: ShakespeareMachine) -> str:
    program, core = machine.program, machine.core
    at = core.ip * WIDTH
    comparison = program.code[at + 5]
    first, second = _texts(machine, _codes(machine), core.addressee(program.code[at + 1]))[:2]
    relation = {GREATER: "greater than", EQUAL: "equal to"}.get(comparison % NEGATED, "less than")
    if comparison >= NEGATED:
        relation = "not " + relation
    question = f"is {first} {relation} {second}?"
    reason, values = core.preview()
    if reason != BUDGET:
        return f"{question} {_LIMITS_REACHED.get(reason, _FAULT)}"
    a, b = values
    holds = {GREATER: a > b, EQUAL: a == b}.get(comparison % NEGATED, a < b)
    return f"{question} {'yes' if holds != (comparison >= NEGATED) else 'no'}"


def _goto(machine: ShakespeareMachine, scene: int) -> str:
    program = machine.program
    if scene < 0:
        return "go to a scene that does not exist: the play will fault"
    if scene >= machine.core.end:
        return "go to the end of the play"
    act, numeral, _, _ = program.scenes[program.scene_index(scene)]
    return f"go to Act {program.acts[act][0]} Scene {numeral}"


def _movement(machine: ShakespeareMachine, op: int, characters: Sequence[int]) -> str:
    if op == EXEUNT:
        return "everybody leaves the stage"
    names = [machine.program.names[index] if index >= 0 else "somebody" for index in characters]
    some = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} others"]
    listed = ", ".join(some[:-1]) + " and " + some[-1] if len(some) > 1 else some[0]
    verb = ("enter" if op == ENTER else "leave") + ("s" if len(names) == 1 else "")
    return f"{listed} {verb} the stage"


def _reading(machine: ShakespeareMachine, name: str) -> str:
    byte = machine.next_input()
    if byte is not None:
        if byte >= 128 and machine.program.options["io"] == "utf8":
            return f"read a character outside ASCII into {name}'s value"
        return f"read {_format_character(byte)} into {name}'s value"
    if not machine.core.closed:
        return f"read a character for {name}: waiting for input"
    return f"read: the input has ended, {name}'s value becomes -1"


def _format_character(value: int) -> str:
    """Return a value in readable form: ``'A' (65)``, ``newline (10)``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if value in names:
        return f"{names[value]} ({value})"
    if 32 < value < 0x110000 and chr(value).isprintable():
        return f"'{chr(value)}' ({value})"
    return str(abbreviate(value))


def _stage(machine: ShakespeareMachine, window: Window) -> Stage:
    program, core = machine.program, machine.core
    act = scene = ""
    number = program.scene_index(core.ip)
    if number >= 0:
        of, numeral, title, _ = program.scenes[number]
        scene = _heading("Scene", numeral, title)
        act = _heading("Act", program.acts[of][0], program.acts[of][1])
    speaker = program.code[core.ip * WIDTH + 1] if core.ip < core.end else -1
    you = core.addressee(speaker) if 0 <= speaker < core.cast else -1
    actors: list[Actor] = []
    for index, name in enumerate(program.names):
        entries = tuple(abbreviate(value) for value in core.stack_top(index, window.depth))
        stack = Stack(name, entries, core.stack_depth(index), index)
        role = {speaker: "speaker", you: "addressee"}.get(index, "")
        value = abbreviate(core.value(index))
        actors.append(Actor(name, value, stack, bool(core.is_on_stage(index)), role))
    condition = None if core.answer < 0 else core.answer == 1
    return Stage("stage", act, scene, tuple(actors), condition)


def _heading(kind: str, numeral: str, title: str) -> str:
    short = title if len(title) <= 60 else title[:59] + "…"
    return f"{kind} {numeral}: {short}" if short else f"{kind} {numeral}"


def _script(machine: ShakespeareMachine, window: Window) -> Table:
    program, core = machine.program, machine.core
    first = max(0, min(core.ip - window.depth // 2, core.end - window.depth))
    rows: list[tuple[int | str, ...]] = []
    for at in range(first, min(core.end, first + window.depth)):
        speaker = program.code[at * WIDTH + 1]
        name = program.names[speaker] if speaker < core.cast else ""
        rows.append((program.position(at)[0], name, program.text(at, 80)))
    current = core.ip - first if first <= core.ip < first + len(rows) else None
    return Table("script", ("line", "speaker", "sentence"), tuple(rows), core.end, current)
