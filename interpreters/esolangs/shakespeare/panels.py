"""What a person sees of a play: the stage, and the script around the next sentence."""

from __future__ import annotations

from esolangs.numbers import shown
from esolangs.shakespeare.explain import explain
from esolangs.shakespeare.machine import ShakespeareMachine
from esolangs.shakespeare.opcodes import WIDTH
from esolangs.view import Actor, Location, Stack, Stage, Table, View, Window


def view_of(machine: ShakespeareMachine, window: Window | None = None) -> View:
    """The machine's view; costs no more for deep stacks and long plays than for small ones."""
    window = window or Window()
    core = machine.core
    return View(
        step=core.steps,
        status=machine.status,
        location=_location(machine),
        panels=(_stage(machine, window), _script(machine, window)),
        output_length=core.printed,
        input_position=machine.input_position,
        memory=machine.memory,
        fault=machine.fault,
        limit=machine.limit,
    )


def _location(machine: ShakespeareMachine) -> Location:
    program, at = machine.program, machine.core.ip
    offset, end = program.starts[at], program.ends[at]
    line, column = program.position(at)
    return Location(offset, line, column, (offset, end), program.text(at), explain(machine), offset)


def _stage(machine: ShakespeareMachine, window: Window) -> Stage:
    program, core = machine.program, machine.core
    act = scene = ""
    number = program.scene_of(core.ip)
    if number >= 0:
        of, numeral, title, _ = program.scenes[number]
        scene = _titled("Scene", numeral, title)
        act = _titled("Act", program.acts[of][0], program.acts[of][1])
    speaker = program.code[core.ip * WIDTH + 1] if core.ip < core.end else -1
    you = core.other(speaker) if 0 <= speaker < core.cast else -1
    actors: list[Actor] = []
    for index, name in enumerate(program.names):
        entries = tuple(shown(value) for value in core.stack_top(index, window.depth))
        stack = Stack(name, entries, core.stack_depth(index), index)
        role = {speaker: "speaker", you: "addressee"}.get(index, "")
        value = shown(core.value(index))
        actors.append(Actor(name, value, stack, bool(core.is_on(index)), role))
    condition = None if core.asked < 0 else core.asked == 1
    return Stage("stage", act, scene, tuple(actors), condition)


def _titled(kind: str, numeral: str, title: str) -> str:
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
