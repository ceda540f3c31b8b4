"""Random plays that run in the core and in the native tier, and must agree.

A trial is made from its seed alone, as in ``tier_trials``.  Plays are random sentences with gotos
anywhere, and loops that count, use stacks, and change who is on stage.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from random import Random

from strategies.shakespeare import CAST, sentence_of
from tier_pairs import MachinePair, Result, assert_same_states, state, tier_restored

from esolangs import compiled, nesting
from esolangs.limits import Limits
from esolangs.shakespeare import LANGUAGE, flow, native, translation
from esolangs.shakespeare.program import ShakespeareProgram
from esolangs.stops import Slot, StopSet

_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_EDGES = [sign * ((1 << power) + more) for sign in (1, -1) for power, more in ((61, 0), (62, -1))]
_LARGE = [sign << power for sign in (1, -1) for power in (62, 63, 64, 80)]


@contextmanager
def eager_tier() -> Generator[None]:
    """Visit the tier also for a few steps."""
    before = compiled.MIN_VISIT_STEPS, native.MIN_CORE_STEPS
    compiled.MIN_VISIT_STEPS = native.MIN_CORE_STEPS = 0
    try:
        with tier_restored():
            yield
    finally:
        compiled.MIN_VISIT_STEPS, native.MIN_CORE_STEPS = before


def run_trial(seed: int) -> Result:
    """Run one trial; AssertionError if core and tier differ."""
    chance = Random(f"shakespeare {seed}")
    with _small_bounds(chance):
        return _run_trial(seed, chance)


@contextmanager
def _small_bounds(chance: Random) -> Generator[None]:
    """Change bounds that make no difference to results."""
    small = chance.random() < 0.4
    found = [
        (flow, "MAX_STATES", chance.choice((5, 15, 40, 100))),
        (nesting, "MAX_DEPTH", chance.choice((1, 1, 2))),
        (translation, "MAX_STACK", 20),
        (native, "MAX_COPIED_ENTRIES", chance.choice((1, 7))),
    ]
    with ExitStack() as stack:
        for module, name, value in found:
            if small and chance.random() < 0.5:
                stack.callback(setattr, module, name, getattr(module, name))
                setattr(module, name, value)
        if translation.MAX_STACK < native.MAX_COPIED_ENTRIES:
            stack.callback(setattr, native, "MAX_COPIED_ENTRIES", native.MAX_COPIED_ENTRIES)
            native.MAX_COPIED_ENTRIES = 7
        yield


def _run_trial(seed: int, chance: Random) -> Result:
    source, options = _source(chance), _options(chance)
    limits = Limits(
        steps=chance.choice((10**5, 10**5, 10**6)),
        output=chance.choice((10, 1000, 10**5)),
        memory=chance.choice((60, 500, 3000, 10**6, 10**6)),
    )
    some = "0123 \n-x~Aé" if chance.random() < 0.7 else ("0\n", "1\n", "12\n")
    stdin = "".join(chance.choice(some) for _ in range(chance.choice((0, 3, 200))))
    closed = chance.random() < 0.7
    code = LANGUAGE.parse(source.encode(), {**LANGUAGE.configure(), **options})
    assert isinstance(code, ShakespeareProgram)
    pair = _Pair(code, limits, stdin.encode(), closed, seed)
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
            pair.edit_cell(chance.randrange(len(CAST)), _number(chance))
        if chance.random() < 0.05:
            pair.edit_cell(1, 1 << 400)  # more than the memory limit may allow
            pair.edit_cell(1, chance.randrange(9))
    return Result(pair.visits, pair.core.steps)


class _Pair(MachinePair):
    more_input = b"12 y\n"

    def run(self, steps: int, chance: Random) -> None:
        kind = chance.random()
        if kind < 0.1:
            stops = StopSet(
                locations=frozenset({chance.choice(self.code.starts)}),
                writes=frozenset({chance.randrange(len(CAST))}),
                slots=frozenset({Slot(chance.randrange(len(CAST)), chance.randrange(5))}),
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


def in_words(number: int) -> str:
    """Return a number in words: powers of two, added up."""
    size = abs(number)
    noun = "rose" if number > 0 else "pig"
    bits = [bit for bit in range(size.bit_length()) if size >> bit & 1]
    text = "nothing"
    for bit in bits:
        word = f"a {'big ' * bit}{noun}"
        text = word if text == "nothing" else f"the sum of {word} and {text}"
    return text


def _number(chance: Random) -> int:
    kind = chance.random()
    if kind < 0.7:
        return chance.randrange(-3, 12)
    if kind < 0.85:
        return chance.randrange(-200, 400)
    if kind < 0.95:
        return chance.choice(_EDGES) + chance.randrange(-2, 2)
    return chance.choice(_LARGE) + chance.randrange(-2, 3)


def _source(chance: Random) -> str:
    parts = _loops(chance) if chance.random() < 0.8 else _random_instructions(chance)
    text = "A play.\n" + "".join(f"{name}, somebody.\n" for name in CAST) + "Act I: First.\n"
    for numeral, part in zip(_NUMERALS, parts, strict=False):
        text += f"Scene {numeral}: Something.\n{part}"
    for numeral in _NUMERALS[len(parts) :]:
        text += f"Scene {numeral}: Nothing.\n"
    text += "Act II: Second.\n"
    return text + "".join(f"Scene {numeral}: Nothing.\n" for numeral in _NUMERALS)


def _stage(chance: Random, on: set[str]) -> str:
    """Return a change of who is on stage, which is mostly possible."""
    kind = chance.random()
    if kind < 0.2 or not on:
        on.clear()
        on.update(chance.sample(CAST, 2))
        return f"[Exeunt]\n[Enter {' and '.join(sorted(on))}]\n"
    if kind < 0.25:
        return chance.choice(("[A pause]\n", "[Enter Romeo]\n", "[Exit Juliet]\n", "[Exeunt]\n"))
    leaves = chance.choice(sorted(on))
    enters = chance.choice([name for name in CAST if name not in on])
    on.remove(leaves)
    on.add(enters)
    return f"[Exit {leaves}]\n[Enter {enters}]\n"


def _lines(chance: Random, on: set[str], count: int, scenes: int) -> str:
    """Return lines of those on stage."""
    text = ""
    for _ in range(count):
        speaker = chance.choice(sorted(on))
        steps = [_step(chance, scenes) for _ in range(chance.randint(1, 4))]
        text += f"{speaker}:\n " + "\n ".join(steps) + "\n"
    return text


def _near(chance: Random, number: int, distance: int = 2) -> str:
    return in_words(number + chance.randint(-distance, distance))


def _edge(chance: Random) -> str:
    """Return sentences whose result is near a bound of compiled code."""
    kind, sign = chance.randrange(9), chance.choice((1, -1))
    if kind < 2:
        value = _near(chance, sign * ((1 << 62) - 3))
        done = f"{('the sum of', 'the difference between')[kind]} yourself and {_near(chance, 0)}"
    elif kind == 2:
        value = _near(chance, sign * ((1 << 31) + (1 << 24)), 1 << 25)
        done = f"the product of yourself and {_near(chance, (1 << 31) + (1 << 24), 1 << 25)}"
    elif kind == 3:
        value = _near(chance, sign * chance.choice((1_000_000, 1_664_510)))
        done = "the cube of yourself"
    elif kind == 4:
        value = _near(chance, chance.randrange(1, 1 << 31) ** 2)
        done = "the square root of yourself"
    elif kind == 5:
        value, done = _near(chance, 20), "the factorial of yourself"
    elif kind == 6:
        value = _near(chance, chance.choice((0, 127, 255)))
        return (
            f"You are {value}. {chance.choice(('', 'Remember you. Recall it. '))}Speak your mind."
        )
    else:
        return (
            "You are a rose. If so, listen to your heart. You are the quotient between me and you."
        )
    kept = chance.choice(("", "Remember yourself. Recall it. "))
    after = chance.choice(
        ("", " Remember yourself.", " You are the quotient between you and a big cat.")
    )
    return f"You are {value}. {kept}You are {done}.{after}"


def _step(chance: Random, scenes: int) -> str:
    if chance.random() < 0.04:
        return sentence_of(chance.randrange(1 << 32))
    if chance.random() < 0.08:
        return _edge(chance)
    step = chance.choice(_STEPS)
    while "{" in step:
        step = step.replace("{n}", in_words(_number(chance)), 1)
        step = step.replace("{s}", _NUMERALS[chance.randrange(scenes)], 1)
        step = step.replace("{c}", chance.choice(CAST), 1)
        step = step.replace("{v}", chance.choice(("me", "you", "yourself", *CAST)), 1)
    if step.count(".") == 1 and chance.random() < 0.25:
        return f"{chance.choice(('If so', 'If not'))}, {step}"
    return step


_STEPS = """\
You are the sum of yourself and a rose.
You are the sum of {v} and {n}.
You are the difference between {v} and {v}.
You are the difference between {v} and a rose.
You are {n}.
You are {v}.
You are the product of {v} and {n}.
You are the remainder of the quotient between the product of {v} and {v} and a big big big rose.
You are the remainder of the quotient between {v} and {n}.
You are the remainder of the quotient between {v} and {v}.
You are the quotient between {v} and {n}.
You are the quotient between {v} and {v}.
You are the quotient between {n} and {v}.
You are the square of the remainder of the quotient between {v} and a big big big cat.
You are the square of {v}.
You are the cube of the remainder of the quotient between {v} and {n}.
You are the remainder of the quotient between the cube of {v} and {n}.
You are the square root of the square of {v}.
You are the square root of {v}.
You are the factorial of the remainder of the quotient between {v} and a big big big big big cat.
You are the factorial of {v}.
You are twice {v}.
You are twice the sum of {v} and {v}.
You are the sum of the square root of the square of {v} and twice {v}.
You are the sum of the sum of {v} and {n} and the difference between {v} and {n}.
You are the remainder of the quotient between {v} and a big big big big big big big rose.
You are the remainder of the quotient between yourself and a big big big rose.
Remember {v}.
Remember yourself.
Remember yourself. Recall your love.
Remember {n}.
Remember the sum of {v} and {v}.
Recall your love.
Remember me. Remember me. Recall your love.
Open your heart.
Speak your mind.
You are the sum of a big big big big big big rose and a rose. Speak your mind.
Open your mind.
Listen to your heart.
Are you better than {v}?
Am I better than you?
Is {v} as good as {n}?
Is {v} not as good as {v}?
Am I not better than nothing?
Are you worse than the sum of {v} and {n}?
Is the remainder of the quotient between {v} and a big rose as good as nothing?
Are you better than me? If so, you are {n}. If not, remember {v}.
Are you better than {n}? If so, recall your love.
Are you worse than nothing? If so, you are nothing.
Are you better than a big big big big big big big cat? If so, you are a rose.
Are you better than nothing? If so, let us proceed to scene {s}.
Are you as good as {n}? If so, let us return to scene {s}.
Is {v} better than a big big rose? If not, let us proceed to scene {s}.
Let us return to scene {s}.
Let us proceed to act II.
""".splitlines()


def _random_instructions(chance: Random) -> list[str]:
    """Scenes with gotos to anywhere."""
    count = chance.randint(2, 8)
    parts: list[str] = []
    for number in range(count):
        on = set(chance.sample(CAST, 2))
        part = f"[Exeunt]\n[Enter {' and '.join(sorted(on))}]\n" if not number else ""
        if number and chance.random() < 0.5:
            part = _stage(chance, set())
        if chance.random() < 0.5:
            on = {"Romeo", "Juliet"}
        parts.append(part + _lines(chance, on, chance.randint(1, 3), count))
    return parts


def _loops(chance: Random) -> list[str]:
    """Scenes that are repeated, some inside others, each with a character who counts."""
    on = set(chance.sample(CAST, 2))
    first = f"[Enter {' and '.join(sorted(on))}]\n"
    scenes = chance.randint(2, 6)
    parts = [first + _lines(chance, on, 1, scenes + 1)]
    calm = chance.random() < 0.6  # few sentences, which rarely fault
    for number in range(1, scenes):
        begin = set(on)
        text = ""
        counter, other = sorted(on) if chance.random() < 0.5 else sorted(on, reverse=True)
        modulus = in_words(chance.choice((3, 7, 20, 100, 2000)))
        for _ in range(chance.randint(1, 3)):
            if calm:
                steps = [_calm_step(chance) for _ in range(chance.randint(1, 4))]
                text += f"{counter}:\n " + "\n ".join(steps) + "\n"
            else:
                text += _lines(chance, on, 1, scenes + 1)
                if chance.random() < 0.3:
                    text += _stage(chance, on)
        if chance.random() < 0.8 and on != begin:
            on = begin
            text += f"[Exeunt]\n[Enter {' and '.join(sorted(on))}]\n"
        if calm or {counter, other} <= on:
            text += f"{other}:\n You are the sum of yourself and a rose.\n"
            text += " Is the remainder of the quotient between yourself and "
            text += f"{modulus} as good as nothing?\n"
        back = _NUMERALS[number if chance.random() < 0.8 else chance.randint(1, number)]
        speaker = chance.choice(sorted(on))
        if chance.random() < 0.2:
            text += _stage(chance, on)
            speaker = chance.choice(sorted(on))
        text += f"{speaker}:\n If not, let us return to scene {back}.\n"
        parts.append(text)
    if chance.random() < 0.8:
        parts.append(f"{chance.choice(sorted(on))}:\n Let us return to scene II.\n")
    return parts


_CALM = """\
You are the sum of yourself and a rose.
You are the difference between yourself and me.
You are the remainder of the quotient between the product of yourself and me and a big big big rose.
You are the quotient between yourself and a big rose.
You are the quotient between yourself and a big big pig.
You are the remainder of the quotient between yourself and the sum of a rose and a big big rose.
You are the square root of the square of yourself.
You are the remainder of the quotient between the cube of me and a big big big big big cat.
You are the factorial of the square root of the remainder of the quotient between me and a big cat.
Remember yourself. Recall your love.
Remember me. Remember yourself. Recall your love. Recall your pig.
Remember me.
Are you worse than nothing? If so, you are nothing.
Are you better than me? If so, you are a rose. If not, you are the sum of yourself and a big rose.
Are you better than me? If so, remember a rose. If so, recall your love.
Is the remainder of the quotient between me and a big cat as good as a cat? If so, open your heart.
You are the product of yourself and a big big big rose.
You are the square of yourself.
""".splitlines()


def _calm_step(chance: Random) -> str:
    return chance.choice(_CALM) if chance.random() < 0.8 else _edge(chance)


def _options(chance: Random) -> dict[str, int | str]:
    chosen: dict[str, int | str] = {"missing": "fault"}
    for option in LANGUAGE.options:
        if option.values and option.name != "missing" and chance.random() < 0.3:
            chosen[option.name] = chance.choice(option.values)
    return chosen
