"""Random Befunge programs that run in the core and in the native tier, and must agree.

A trial is made from its seed alone, as in ``tier_trials``.  Programs are rows of instructions that
an IP repeats, because paths wrap; grids of random instructions; and loops that count.  Some write
to their own cells, or to cells outside of the window.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

from saved_states import comparable_state
from tier_pairs import MachinePair, Result, assert_same_states, tier_restored

from esolangs import compiled
from esolangs.befunge_98 import LANGUAGE, flow, native
from esolangs.befunge_98.program import BefungeMachine, BefungeProgram
from esolangs.limits import Limits
from esolangs.stops import StopSet

_COMMON = "0123456789abcdef+-*/%!`:\\$:\\:+-1234"
_TURNS = "><v^[]rw_|#"
_RARE = ".,~&?nzkjxs'q@tu{}yio()=;\"ABMNZ\x80~"


@contextmanager
def eager_tier() -> Generator[None]:
    """Visit the tier also for a few steps."""
    before = compiled.MIN_VISIT_STEPS
    compiled.MIN_VISIT_STEPS = 0
    try:
        with tier_restored():
            yield
    finally:
        compiled.MIN_VISIT_STEPS = before


def run_trial(seed: int) -> Result:
    """Run one trial; AssertionError if core and tier differ."""
    chance = Random(f"befunge {seed}")
    with _small_bounds(chance):
        return _run_trial(seed, chance)


@contextmanager
def _small_bounds(chance: Random) -> Generator[None]:
    """Change bounds that make no difference to results."""
    small = chance.random() < 0.4
    found = [
        (flow, "MAX_STATES", 10),
        (flow, "MAX_BLOCKS", 4),
        (flow, "MAX_BLOCK_STEPS", 3),
        (native, "MAX_COPIED_ENTRIES", 5),
        (native, "MAX_FAR_PADDING", 10),
    ]
    with ExitStack() as stack:
        for module, name, value in found:
            if small and chance.random() < 0.5:
                stack.callback(setattr, module, name, getattr(module, name))
                setattr(module, name, value)
        yield


def _run_trial(seed: int, chance: Random) -> Result:
    source, options = random_source(chance), _options(chance)
    limits = Limits(
        steps=chance.choice((10**5, 10**5, 10**6)),
        output=chance.choice((10, 1000, 10**5)),
        memory=chance.choice((3000, 20_000, 10**6, 10**6)),
    )
    stdin = bytes(chance.choice(b"0123 \n-x~A") for _ in range(chance.choice((0, 3, 200))))
    closed = chance.random() < 0.7
    code = LANGUAGE.parse(source, {**LANGUAGE.configure(), **options})
    assert isinstance(code, BefungeProgram)
    pair = _Pair(code, limits, stdin, closed, seed)
    for turn in range(chance.randint(3, 12)):
        most = chance.choice((1, 50, 300, 300, 300, 2000, 2000, 20_000))
        steps = chance.randint(1, most)
        pair.run(steps, chance)
        where = f"seed {seed}, turn {turn}, {steps} steps, {options}, {limits}\n{source!r}"
        assert_same_states(state(pair.core), state(pair.tier), where)
        if not pair.can_continue(chance):
            break
        if chance.random() < 0.2:
            pair.swap_machines()
        if chance.random() < 0.15:
            pair.edit_cell((chance.randrange(-3, 20), chance.randrange(-2, 6)), _value(chance))
    return Result(pair.visits, pair.core.steps)


def _value(chance: Random) -> int:
    return chance.choice((32, 32, 59, 0, 48 + chance.randrange(10), chance.randrange(-9, 300)))


class _Pair(MachinePair):
    more_input = b"12 y"

    def run(self, steps: int, chance: Random) -> None:
        kind = chance.random()
        if kind < 0.1:
            stops = StopSet(
                locations=frozenset({(chance.randrange(20), chance.randrange(5))}),
                writes=frozenset({(chance.randrange(9), chance.randrange(5))}),
            )
            for machine in self.machines:
                machine.run(steps, stops)
        elif kind < 0.15:
            for machine in self.machines:
                machine.step()
        elif kind < 0.2:
            for machine in self.machines:
                machine.tally(min(steps, 2000), self.code.new_tally())
        else:
            for machine in self.machines:
                machine.run(steps)


def state(machine: BefungeMachine) -> list[Any]:
    """Everything that a user can ask for, and what was printed and read since the last call."""
    fault = machine.fault and (machine.fault.kind, machine.fault.step, machine.fault.span)
    core = machine.core
    if core.bounds_loose and not core.torus:
        core.tighten_bounds()
    (plane, *_), window, bounds, time, rest, _, place = comparable_state(machine.snapshot())
    place[1].pop("far", None)  # in another order
    return [
        (machine.steps, machine.status, machine.limit, fault, machine.memory, machine.work),
        (machine.location, machine.exit_code, machine.input_position, machine.output_length),
        machine.registers(),
        machine.take_printed(),
        machine.take_reads(),
        (plane, bytes(core.plane_codes)),
        core.far,
        (window, bounds),
        (time, rest),
        [_ip(ip) for ip in core.ips],
        place,
    ]


def _ip(ip: Any) -> tuple[Any, ...]:
    numbers = ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.ox, ip.oy, ip.modes, ip.in_string, ip.room
    stacks = [list(cells[:depth]) for cells, depth in [*ip.below, (ip.buffer, ip.depth)]]
    return (*numbers, ip.in_string and ip.after_space, stacks, list(ip.repeats), ip.semantics)


def random_source(chance: Random) -> bytes:
    kind = chance.random()
    if kind < 0.35:
        rows = [_row(chance, chance.randint(2, 60))]
        rows += [_random_row(chance, chance.randint(0, 30)) for _ in range(chance.randint(0, 4))]
    elif kind < 0.6:
        rows = [_random_row(chance, chance.randint(3, 25)) for _ in range(chance.randint(2, 9))]
    else:
        rows = _loop(chance)
    return "\n".join(rows).encode("latin-1")


def _row(chance: Random, length: int) -> str:
    out = ""
    while len(out) < length:
        out += _token(chance)
    return out


def _token(chance: Random) -> str:
    kind = chance.random()
    near = "0123456789abcdef"
    if kind < 0.6:
        return chance.choice(_COMMON)
    if kind < 0.68:
        return chance.choice(near) + chance.choice("01234") + "g"
    if kind < 0.76:
        return chance.choice((":", "1", "", "'x", "0")) + (
            chance.choice(near) + chance.choice("12345678") + "p"
        )
    if kind < 0.78:
        return chance.choice(("ff*1", "01-0", "a0", ":0", ":1", "1:", "ff*:*5")) + chance.choice(
            "gp"
        )
    if kind < 0.8:
        return chance.choice(('"ab"', '" a  "', '""', "'a", "#x", "# 1", ";;", ";1;", "$$$$", "n"))
    if kind < 0.84:
        return chance.choice((".", ",", ":.", ":,"))
    if kind < 0.93:
        return chance.choice(_TURNS)
    if kind < 0.97:
        return " " * chance.randint(1, 4)
    return chance.choice(_RARE)


def _random_row(chance: Random, length: int) -> str:
    out = ""
    while len(out) < length:
        out += _token(chance) if chance.random() < 0.5 else chance.choice(_TURNS + " " * 8)
    return out


def _loop(chance: Random) -> list[str]:
    """A loop that counts down, around tokens that leave the stack nearly as it is."""
    body = ""
    for _ in range(chance.randint(1, 8)):
        body += chance.choice(
            (  # the counter is below the value on top
                *(
                    "1+",
                    "2-",
                    ":+",
                    "3*",
                    ":*",
                    "7%",
                    "5/",
                    "!",
                    "1`",
                    "\\:\\",
                    "::+$",
                    "0w",
                    ":1g+",
                ),
                *("12g+", "02g1+02p", "12g1+:12p", ":03p", ":1+:04p", ":0\\2p", ":5\\3p", "f4g$"),
                *(
                    "::8\\4p",
                    ":ff*\\p",
                    ":33*:*2\\2p",
                    ":.",
                    ":,",
                    "~$",
                    "'a+",
                    '"b"$',
                    ":\\$",
                    "0:2p",
                ),
                *("\\:7\\2p\\", "\\::8%\\2p\\", "\\:48*\\2p\\", "\\:9\\02-p\\", "\\:2g\\1p\\"),
                *(
                    "\\:2g1+\\2p\\",
                    "\\:6\\0\\p\\",
                    "\\:2\\g$\\",
                    "\\:5\\:p\\",
                    "\\:3g$\\",
                    "48*92p",
                ),
                *(
                    "706p48*06p",
                    "7f6p48*f6p",
                    "12g$::3%2p12g+",
                    "12g\\3%1\\2p12g+",
                    "48*03p",
                    "48*f3p",
                    "6f3p",
                    "'zff*3p",
                    "ff*3g$",
                    "::3/$",
                    "::7-%$",
                    ":5-7\\/",
                ),
                *(":f%:2g3p", ":a%2g$", ":1+a%9p", "z", "r  r", "[ ]", "#11", ":0:p", "::4p", "&$"),
                _token(chance),
            )
        )
    count = chance.choice(("9", "f", "ff*", "ff*a*", "fff**"))
    first = f"{chance.choice(('', '0', '5', '77*', '1234567', '00000000'))}{count}>\\{body}\\1-:v"
    end = chance.choice(("@", "<", " ", "v"))
    width = len(first) - 1
    start = first.index(">")
    second = " " * start + "^" + " " * (width - start - 1) + "_" + end
    rows = [first, second]
    rows += [_random_row(chance, chance.randint(0, 12)) for _ in range(chance.randint(0, 3))]
    return rows


def _options(chance: Random) -> dict[str, int | str]:
    chosen: dict[str, int | str] = {}
    for option in LANGUAGE.options:
        if option.values and chance.random() < 0.12:
            chosen[option.name] = chance.choice(option.values)
    if chosen.get("cell") == "unbounded":
        del chosen["cell"]
    return chosen
