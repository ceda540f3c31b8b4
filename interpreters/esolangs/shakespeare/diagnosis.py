"""Diagnostics for Shakespeare: keys that identify states, and advice for faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics, Store
from esolangs.shakespeare.opcodes import WIDTH

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.language import Options
    from esolangs.machine import Machine
    from esolangs.shakespeare.program import ShakespeareMachine


class ShakespeareDiagnostics(Diagnostics):
    """The diagnostics of Shakespeare; see :class:`esolangs.diagnosis.Diagnostics`."""

    advice: Mapping[str, str] = {
        "off_stage": (
            "let the speaker enter first: [Enter …]; a goto does not change who is on stage, "
            "so other characters may be on stage than you expect"
        ),
        "nobody_addressed": "let a second character enter before this sentence",
        "unclear_addressee": "let all but two leave before this sentence: [Exit …]",
        "already_on_stage": (
            "remove the entrance, or let the character leave first: a goto does not change who is "
            "on stage; [Exeunt] at the end of a scene helps"
        ),
        "not_on_stage": "remove the exit, or let the character enter first: [Enter …]",
        "empty_stack": (
            "every Recall needs a Remember before it; if a loop recalls once too often, move the "
            "question that ends the loop to a place before the Recall"
        ),
        "division_by_zero": 'ask first: "Are you as good as nothing?" and skip the sentence if so',
        "negative_root": (
            "ask first whether the value is worse than nothing, and skip the sentence if so"
        ),
        "negative_factorial": (
            "ask first whether the value is worse than nothing, and skip the sentence if so"
        ),
        "no_character": (
            'say "Open your heart" to print the value as a number; "Speak your mind" needs the '
            "code of a character"
        ),
        "no_number": (
            'check the input: "Listen to your heart" reads an integer; "Open your mind" '
            "reads any character"
        ),
        "end_of_input": (
            'read fewer numbers; at the end of input, "Open your mind" gives -1, not a fault'
        ),
        "no_such_scene": "correct the numeral: a goto can reach a scene of its own act, or an act",
        "no_such_character": "add the name to the dramatis personae in the same spelling",
        PARSE_ERROR: (
            "compare with the reference card: only the words of the language are "
            "allowed, and every sentence ends with a punctuation mark"
        ),
    }

    def key(self, machine: Machine) -> Hashable:
        from esolangs.pages import copy_memory

        core = _machine(machine).core
        ip, answer, _, _, on, values, stacks, *_ = core.save(copy_memory)
        if any(big is not None for big in core.large_numbers):
            cast_ = range(core.cast)
            values = tuple(core.value(c) for c in cast_)
            stacks = tuple(tuple(core.stack_top(c, core.stack_depth(c))) for c in cast_)
        return ip, answer, on, values, stacks

    def partial_key(self, machine: Machine) -> Hashable:
        core = _machine(machine).core
        depths = tuple(map(core.stack_depth, range(core.cast)))
        return core.ip, core.answer, core.on_stage_count, depths

    def describe_end_of_input(self, options: Options) -> str:
        return '"Open your mind" gives -1, and "Listen to your heart" is a fault'

    def underflowed_store(self, machine: Machine) -> Store | None:
        if machine.fault is None or machine.fault.kind != "empty_stack":
            return None
        play = _machine(machine)
        core, program = play.core, play.program
        you = core.addressee(program.code[core.ip * WIDTH + 1])
        return Store(you, f"the stack of {program.names[you]}")

    def value_count(self, machine: Machine, store: Store) -> int:
        return _machine(machine).core.stack_depth(store.number)


DIAGNOSTICS = ShakespeareDiagnostics()


def _machine(machine: Machine) -> ShakespeareMachine:
    return cast("ShakespeareMachine", machine)
