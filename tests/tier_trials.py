"""Random Brainfuck programs that run in the core and in the native tier, and must agree.

A trial is made from its seed alone: source, options, limits, input, and slices after which the two
machines are compared.  Between slices they sometimes change places, each continuing from the
snapshot of the other, get the same edit or input, execute a single step, or watch for stops.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from random import Random
from typing import Any

from saved_states import comparable_state
from tier_pairs import MachinePair, Result, eager_watching, tier_restored

from esolangs import compiled
from esolangs.brainfuck import LANGUAGE, flow, native
from esolangs.brainfuck.program import BrainfuckMachine
from esolangs.limits import Limits
from esolangs.stops import StopSet

_LOOPS = (
    *("[-]", "[->+<]", "[->+>++<<]", "[<+>-]", "[>]", "[<]", "[+]", "[--]", "[->>+<<]", "[-<+>]"),
    *("[>>]", "[----->+<]", "[->-<]", "[-<->]"),
)
_WIDE = ("[->+>+>+>+>+>+<<<<<<]", "[>+++>+<<-]")


@contextmanager
def eager_tier(test_every: int = 64) -> Generator[None]:
    """Visit the tier also for a few steps, and test the steps left often."""
    before = (
        compiled.MIN_VISIT_STEPS,
        native.MAX_SHORT_VISITS,
        native.MIN_CORE_STEPS,
        flow.CHECK_INTERVAL,
    )
    compiled.MIN_VISIT_STEPS, native.MAX_SHORT_VISITS, native.MIN_CORE_STEPS = 0, 1 << 62, 0
    flow.CHECK_INTERVAL = test_every
    try:
        with tier_restored(), eager_watching():
            yield
    finally:
        (
            compiled.MIN_VISIT_STEPS,
            native.MAX_SHORT_VISITS,
            native.MIN_CORE_STEPS,
            flow.CHECK_INTERVAL,
        ) = before


def run_trial(seed: int) -> Result:
    """Run one trial; AssertionError if core and tier differ."""
    chance = Random(seed)
    source, options = _source(chance), _options(chance)
    if seed % 2 == 0:
        source = _with_idioms(source, Random(~seed))
    limits = Limits(
        steps=chance.choice((10**5, 10**6, 3 * 10**5)),
        output=chance.choice((10, 1000, 10**6)),
        memory=chance.choice((40, 400, 10**6)),
    )
    stdin = bytes(chance.randrange(256) for _ in range(chance.choice((0, 3, 200))))
    closed = chance.random() < 0.7
    code = LANGUAGE.parse(source.encode(), {**LANGUAGE.configure(), **options})
    pair = _Pair(code, limits, stdin, closed)
    for turn in range(chance.randint(3, 25)):
        steps = chance.choice(
            (
                1,
                chance.randint(1, 100),
                chance.randint(1, 5000),
                chance.randint(1, 100_000),
                chance.randint(1000, 400_000),
            )
        )
        pair.run(steps, chance, len(source))
        states = [_state(machine) for machine in pair.machines]
        where = f"seed {seed}, turn {turn}, {steps} steps, {options}, {source}"
        assert states[0] == states[1], f"{where}: {states}"
        if not pair.can_continue(chance):
            break
        if chance.random() < 0.2:
            pair.swap_machines()
        if chance.random() < 0.1:
            pair.edit_cell(chance.randrange(-2, 6), chance.choice((0, 0, 1, chance.randrange(256))))
    return Result(pair.visits, pair.core.steps)


class _Pair(MachinePair):
    more_input = b"xyz"

    def run(self, steps: int, chance: Random, size: int) -> None:
        kind = chance.random()
        if kind < 0.1:
            stops = StopSet(
                locations=frozenset(chance.randrange(size) for _ in range(3)),
                writes=frozenset({chance.randrange(5)}),
            )
            for machine in self.machines:
                machine.run(steps, stops)
        elif kind < 0.15:
            for machine in self.machines:
                machine.step()
        elif kind < 0.3:
            locations = frozenset(chance.randrange(size) for _ in range(chance.randint(1, 3)))
            watch = self.scan if chance.random() < 0.5 else self.run_to_location
            watch(steps, locations)
        else:
            for machine in self.machines:
                machine.run(steps)


def _state(machine: BrainfuckMachine) -> tuple[Any, ...]:
    """Everything that a user can ask for, and what was printed and read since the last call."""
    fault = machine.fault and (machine.fault.kind, machine.fault.step, machine.fault.line)
    return (
        (machine.steps, machine.status, machine.limit, fault, machine.memory, machine.location),
        (machine.input_position, machine.output_length, comparable_state(machine.snapshot())),
        (machine.take_printed(), machine.take_reads()),
    )


def _source(chance: Random) -> str:
    source = _part(chance, 0)
    if chance.random() < 0.5:
        source = "+" * chance.randint(1, 200) + "[" + source + "]"
    return source


def _part(chance: Random, depth: int) -> str:
    out: list[str] = []
    for _ in range(chance.randint(1, 7)):
        kind = chance.random()
        if kind < 0.45:
            out.append(chance.choice("+-><") * chance.choice((1, 1, 1, 2, 3)))
        elif kind < 0.5:
            out.append(chance.choice((".", ",")))
        elif kind < 0.62:
            endless = "[]" if chance.random() < 0.1 else "[-]"
            out.append(chance.choice((*_LOOPS, endless, *_WIDE)))
        elif kind < 0.85 and depth < 4:
            body = _part(chance, depth + 1)
            out.append("[" + body + chance.choice(("", "-", "[-]", ">", "<", "-", ">-<")) + "]")
        elif kind < 0.92 and depth < 3:
            rounds = "+" * chance.randint(1, 30)
            body = _part(chance, depth + 2)
            out.append(rounds + "[>" + body + chance.choice(("<", "", "<<")) + "-]")
        else:
            out.append("+" * chance.randint(1, 9))
    return "".join(out)


def _with_idioms(source: str, chance: Random) -> str:
    """Insert code whose rounds or steps the tier computes, or that only seems to be such code."""
    for _ in range(chance.randint(1, 3)):
        cells = "".join("+" * chance.choice((0, 0, 1, 3, 9, 17, 40)) + ">" for _ in range(5))
        number = "+" * chance.choice((1, 5, 12, 50)) + chance.choice(("", "-[->+<]>", ","))
        idiom = _condition_chain(chance) if chance.random() < 0.5 else _counting_loop(chance)
        if chance.random() < 0.4:
            at = chance.randrange(len(idiom))
            idiom = idiom[:at] + chance.choice(("", "+", "-", "<", ">", "[-]", ".")) + idiom[at:]
        at = chance.randint(0, len(source))
        before = chance.choice((cells + "<" * chance.randint(0, 5), "[-]", ""))
        source = source[:at] + before + number + idiom + source[at:]
    return source


def _condition_chain(chance: Random) -> str:
    """Conditions inside conditions that count a cell down."""
    far = chance.choice((-2, -1, 1, 1, 2, 3))
    there, back = (">" * far, "<" * far) if far > 0 else ("<" * -far, ">" * -far)
    step = "-" + there + chance.choice("+-") * chance.randint(1, 3) + back
    inside = chance.choice(("", there + "+++" + back, "[->+<]", ">[-]<", ">[>]<", ">>[-[-]]<<"))
    steps = chance.randint(2, 12)
    return ("[" + step) * steps + "[-" + inside + chance.choice(("[-]", "[-]", "")) + "]" * -~steps


def _counting_loop(chance: Random) -> str:
    """A loop that counts another cell down and finds its end with a flag."""
    if chance.random() < 0.3:
        return chance.choice(
            ("[->-[>+>>]>[+[-<+>]>+>>]<<<<<]", "[->+>-[>+>>]>[+[-<+>]>+>>]<<<<<<]")
        )
    digit = chance.randint(1, 12)
    first = "-" + chance.choice(("<+>", "", ">>>>+<<<<")) + ">->+<"
    carry = "-<" + "+" * digit + chance.choice(("<" + "-" * digit + ">", "")) + ">>"
    carry += chance.choice(("", ">+<", ">[-]<", "<<[->>>+<<<]>>"))
    return "+" * digit + "[" + first + "[>-]>[" + carry + "]<<<]"


def _options(chance: Random) -> dict[str, int | str]:
    tape = chance.choice(("error", "error", "wrap", "both-ways"))
    size = chance.choice((0, 0, 5, 30, 300)) if tape != "both-ways" else 0
    if tape == "wrap" and not size:
        size = chance.choice((7, 30, 1000))
    cell = chance.choice((8, 8, 8, 16, 32))
    return {"cell": cell, "tape": tape, "size": size, "eof": chance.choice((0, -1, "unchanged"))}
