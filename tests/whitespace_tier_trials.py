"""Random Whitespace programs that run in the core and in the native tier, and must agree.

A trial is made from its seed alone, as in ``tier_trials``.  Programs are random instructions with
jumps anywhere, loops that count on the stack or in the heap, and subroutines that call themselves.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from random import Random

from tier_pairs import (
    MachinePair,
    Result,
    assert_same_states,
    eager_watching,
    state,
    tier_restored,
)

from esolangs import compiled
from esolangs.limits import Limits
from esolangs.stops import Slot, StopSet
from esolangs.whitespace import LANGUAGE, flow, native, translation
from esolangs.whitespace.program import WhitespaceProgram

_EDGES = [edge << power for edge in (1, -1) for power in (61, 62, 63, 64, 80)]
_SIMPLE = ("add", "sub", "mul", "div", "mod", "swap", "dup", "discard", "retrieve", "store")


@contextmanager
def eager_tier() -> Generator[None]:
    """Visit the tier also for a few steps."""
    before = compiled.MIN_VISIT_STEPS, native.MIN_CORE_STEPS
    compiled.MIN_VISIT_STEPS = native.MIN_CORE_STEPS = 0
    try:
        with tier_restored(), eager_watching():
            yield
    finally:
        compiled.MIN_VISIT_STEPS, native.MIN_CORE_STEPS = before


def run_trial(seed: int) -> Result:
    """Run one trial; AssertionError if core and tier differ."""
    chance = Random(f"whitespace {seed}")
    with _small_bounds(chance):
        return _run_trial(seed, chance)


@contextmanager
def _small_bounds(chance: Random) -> Generator[None]:
    """Change bounds that make no difference to results."""
    small = chance.random() < 0.4
    found = [
        (flow, "MAX_BLOCK_INSTRUCTIONS", chance.choice((1, 2, 3, 8))),
        (flow, "MAX_BLOCKS", 3),
        (translation, "MAX_STACK", 20),
        (translation, "MAX_FRAMES", 9),
        (native, "MAX_COPIED_ENTRIES", 7),
        (native, "_RESERVED_CELLS", 64),
    ]
    with ExitStack() as stack:
        for module, name, value in found:
            if small and chance.random() < 0.5:
                stack.callback(setattr, module, name, getattr(module, name))
                setattr(module, name, value)
        if (
            translation.MAX_STACK < native.MAX_COPIED_ENTRIES
            or translation.MAX_FRAMES < native.MAX_COPIED_ENTRIES
        ):
            stack.callback(setattr, native, "MAX_COPIED_ENTRIES", native.MAX_COPIED_ENTRIES)
            native.MAX_COPIED_ENTRIES = 7
        yield


def _run_trial(seed: int, chance: Random) -> Result:
    source, options = _source(chance), _options(chance)
    limits = Limits(
        steps=chance.choice((10**5, 10**5, 10**6)),
        output=chance.choice((10, 1000, 10**5)),
        memory=chance.choice((500, 3000, 20_000, 10**6, 10**6)),
    )
    stdin = bytes(chance.choice(b"0123 \n-x~A\xc3\xa9") for _ in range(chance.choice((0, 3, 200))))
    closed = chance.random() < 0.7
    code = LANGUAGE.parse(
        source.encode(), {**LANGUAGE.configure(), "notation": "assembly", **options}
    )
    assert isinstance(code, WhitespaceProgram)
    pair = _Pair(code, limits, stdin, closed, seed)
    for turn in range(chance.randint(3, 12)):
        steps = chance.randint(1, chance.choice((1, 50, 300, 300, 300, 2000, 2000, 20_000)))
        pair.run(steps, chance)
        where = f"seed {seed}, turn {turn}, {steps} steps, {options}, {limits}\n{source}"
        assert_same_states(state(pair.core), state(pair.tier), where)
        if not pair.can_continue(chance):
            break
        if chance.random() < 0.2:
            pair.swap_machines()
        if chance.random() < 0.15:
            pair.edit_cell(_address(chance), _number(chance))
    return Result(pair.visits, pair.core.steps)


class _Pair(MachinePair):
    more_input = b"12 y\n"

    def run(self, steps: int, chance: Random) -> None:
        kind = chance.random()
        if kind < 0.1:
            starts = self.code.starts
            stops = StopSet(
                locations=frozenset({chance.choice(starts), (chance.choice(starts), 1)}),
                writes=frozenset({chance.randrange(9)}),
                slots=frozenset({Slot(0, chance.randrange(5))}),
            )
            for machine in self.machines:
                machine.run(steps, stops)
        elif kind < 0.15:
            for machine in self.machines:
                machine.step()
        elif kind < 0.2:
            for machine in self.machines:
                machine.tally(min(steps, 2000), self.code.new_tally())
        elif kind < 0.35:
            locations = frozenset(chance.choices(self.code.starts, k=chance.randint(1, 3)))
            watch = self.scan if chance.random() < 0.5 else self.run_to_location
            watch(steps, locations)
        else:
            for machine in self.machines:
                machine.run(steps)


def _number(chance: Random) -> int:
    kind = chance.random()
    if kind < 0.7:
        return chance.randrange(-3, 12)
    if kind < 0.9:
        return chance.randrange(-200, 400)
    if kind < 0.95:
        return chance.choice(_EDGES) + chance.randrange(-2, 3)
    return chance.randrange(-(1 << chance.randrange(1, 64)), 1 << chance.randrange(1, 64))


def _address(chance: Random) -> int:
    return chance.choice((0, 1, 2, 3, 5, 8, 63, 64, 100, -1, 1025, 5000, 1 << 40, 1 << 70))


def _source(chance: Random) -> str:
    kind = chance.random()
    lines = [f"push {_number(chance)}" for _ in range(chance.choice((0, 2, 5, 20, 70)))]
    if kind < 0.25:
        lines += _random_instructions(chance, chance.randint(5, 60))
    elif kind < 0.8:
        for number in range(chance.randint(1, 3)):
            lines += _loop(chance, f"{number}", chance.randint(0, 2))
        lines += chance.choice((["end"], ["jump again"], []))
        if lines[-1:] == ["jump again"]:
            lines.insert(0, "label again")
        lines += _random_instructions(chance, chance.randint(0, 20))
    else:
        lines += _recursion(chance)
    if chance.random() < 0.7:
        lines += _subroutines(chance)
    return "\n".join(lines) + "\n"


def _random_instructions(chance: Random, count: int) -> list[str]:
    """Instructions with jumps to anywhere."""
    lines: list[str] = []
    labels = [f"s{number}" for number in range(max(1, count // 6))]
    for label in labels:
        body = [_random_instruction(chance, labels) for _ in range(chance.randint(1, 9))]
        lines += [*([f"label {label}"] if chance.random() < 0.97 else []), *body]
    return lines


def _random_instruction(chance: Random, labels: list[str]) -> str:
    kind = chance.random()
    if kind < 0.45:
        return f"push {_number(chance)}"
    if kind < 0.5:
        return f"copy {chance.choice((0, 0, 1, 1, 2, 3, 5, 70, -1, 1 << 64))}"
    if kind < 0.53:
        return f"slide {chance.choice((0, 1, 1, 2, 3, 40, 100, -1, 1 << 64))}"
    if kind < 0.75:
        return chance.choice((*_SIMPLE, "dup", "add"))
    if kind < 0.79:
        return chance.choice(("printn", "printc"))
    if kind < 0.81:
        return chance.choice(("readc", "readn"))
    if kind < 0.82:
        return chance.choice(("end", "return", "return"))
    op = chance.choice(("jump", "jz", "jn", "jz", "jn", "call"))
    return f"{op} {chance.choice(labels) if chance.random() < 0.98 else 'nowhere'}"


_STEPS = [  # leave the depth of the stack as it is, mostly
    step.replace("; ", "\n")
    for step in """\
push 1; add
push 3; sub
dup; add
dup; mul
push 3; mul
push 7; mod
push 5; div
push -3; div
push -4; mod
push 8; mod
push 8; div
push -1; mul
push -1; div
push 0; sub
dup; push 0; sub; jn {a}; push 2; add; label {a}
dup; jz {a}; push 9; swap; div; label {a}
push 2; swap; store; push 2; retrieve
dup; push 63; mod; push 4; store
dup; push 5; swap; store
dup; dup; store
push 5; retrieve; add
dup; retrieve; add
push 3; push 3; retrieve; push 1; add; store
dup; printn
dup; push 90; mod; printc
push 65; printc
push 200; printc
dup; printc
push 6; readc
push 7; readn
push 6; retrieve; add
dup; copy 1; add; slide 1
copy 1; slide 1
copy 2; add
swap; swap
push 1; push 2; swap; discard; slide 1
call one
call two
push 1
discard
dup
slide 2
push 4611686018427387903; add
push 4611686018427387904; add
push -9223372036854775807; add
push 3037000500; mul
push 99999999999; mod
push 1099511627776; mul
push 1099511627776; div
push 1180591620717411303424; add
push 1180591620717411303424; sub
push 1180591620717411303424; mod
push 64; retrieve; push 1; add; push 64; swap; store
dup; push 1000; mod; push 1; store
dup; push 2000; mod; retrieve; add
dup; push 20; mul; push 3; store
copy 3; copy 3; sub; jz {a}; push 1; add; label {a}
push 2; push 9223372036854775808; store
push 2; retrieve; add
push 2; retrieve; jz {a}; label {a}
push 3; push 3; retrieve; dup; add; push 7; add; store
push 3; retrieve; add
dup; add; push 1; add
push 2305843009213693952; add
push 2305843009213693952; sub
push -2305843009213693952; add
push 3; copy 1; store
push 3; copy 1; push 4611686018427387903; add; store; push 3; retrieve; slide 1
dup; push 1073741824; add; mul
push 12345678; mul
push 3; push -2305843009213693952; dup; add; dup; add; store; push 3; retrieve; add
push 2900000000; dup; mul; dup; add; add
dup; push 63; mod; push 2900000000; mul; push 29000000; mul; dup; add; add
dup; push 4611686018427387903; sub; jn {a}; label {a}
push 2; jz {a}; push 0; jz {a}; label {a}
push 100; push 9; sub; push 4; mul; add
""".splitlines()
]
_EXACT = [step for step in _STEPS if "print" not in step and "read" not in step]


def _loop(chance: Random, name: str, depth: int) -> list[str]:
    """A loop that counts down on the stack or in the heap."""
    count = chance.choice((3, 20, 200, 3000))
    body: list[str] = []
    calm = chance.random() < 0.5  # few instructions, which the core rarely executes
    for number in range(chance.randint(1, 3 if calm else 7)):
        if calm:
            step = chance.choice(_EXACT).replace("{a}", f"in{name}_{number}")
            body += step.split("\n")
        elif depth and chance.random() < 0.3:
            body += _loop(chance, f"{name}_{number}", depth - 1)
        elif chance.random() < 0.1:
            body.append(_random_instruction(chance, [f"loop{name}"]))
        else:
            step = chance.choice(_STEPS).replace("{a}", f"in{name}_{number}")
            body += step.split("\n")
    if chance.random() < 0.5:
        cell = 10 + depth
        return [
            *(f"push {cell}", f"push {count}", "store", f"push {_number(chance)}"),
            *(f"label loop{name}", *body),
            *(f"push {cell}", f"push {cell}", "retrieve", "push 1", "sub", "store"),
            *(f"push {cell}", "retrieve", f"jz out{name}", f"jump loop{name}"),
            *(f"label out{name}", "discard"),
        ]
    return [
        *(f"push {_number(chance)}", f"push {count}", f"label loop{name}"),
        *("dup", f"jz out{name}", "push 1", "sub", "swap", *body, "swap", f"jump loop{name}"),
        *(f"label out{name}", "discard", "discard"),
    ]


def _recursion(chance: Random) -> list[str]:
    """A subroutine that calls itself once or twice."""
    steps = [chance.choice(_STEPS).replace("{a}", f"in{n}").split("\n") for n in range(3)]
    twice = chance.random() < 0.5
    count = chance.choice((5, 9)) if twice else chance.choice((20, 300, 3000))
    again = ["swap", "push 2", "sub", "call deep", "add"] if twice else []
    return [
        *("label start", f"push {count}", "call deep", "printn"),
        chance.choice(("jump start", "end", "call deep")),
        *("label deep", "dup", "push 2", "sub", "jn shallow", *steps[0], "dup", "push 1", "sub"),
        *("call deep", *steps[1], *again, "return", "label shallow", *steps[2], "return"),
    ]


def _subroutines(chance: Random) -> list[str]:
    bodies = [chance.choice(_STEPS).replace("{a}", f"at{n}").split("\n") for n in range(2)]
    return ["end", "label one", *bodies[0], "return", "label two", *bodies[1], "call one", "return"]


def _options(chance: Random) -> dict[str, int | str]:
    chosen: dict[str, int | str] = {}
    for option in LANGUAGE.options:
        if option.values and option.name not in ("notation", "labels") and chance.random() < 0.3:
            chosen[option.name] = chance.choice(option.values)
    return chosen
