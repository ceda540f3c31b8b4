"""Test the engines with random programs for a given time.

    python tests/fuzz.py --minutes 10
    python tests/fuzz.py --minutes 1 --language whitespace --seed 7
    python tests/fuzz.py --minutes 10 --tier     # needs wasmtime

Programs come from ``tests/strategies`` and from damaged copies of the samples and of
``tests/programs``.  Both engines of a language run each program in slices and must have equal
states after every slice, also after resuming a snapshot.  A finding is a difference, an exception,
an example that takes longer than ``MAX_SECONDS`` or more memory than ``MAX_GROWTH_BYTES``, or a
crash.  Each finding is printed with everything that is needed to repeat it.  Exit status 1 if there
were findings.

With ``--tier``, programs of languages with a native tier run in the core and in the tier; see
``tier_trials``, ``befunge_tier_trials``, ``whitespace_tier_trials`` and
``shakespeare_tier_trials``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

TESTS = Path(__file__).resolve().parent
for folder in (TESTS, TESTS.parent / "interpreters", TESTS.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from engines import engine_names, program  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from strategies import strategies_of  # noqa: E402

from esolangs.errors import OptionError, ParseError  # noqa: E402
from esolangs.limits import Limits, World  # noqa: E402
from esolangs.machine import FINAL, Machine  # noqa: E402
from esolangs.registry import find_language, language_ids  # noqa: E402
from esolangs.view import Window, as_json  # noqa: E402

BATCH_SIZE = 100  # examples of one seed
MAX_SECONDS = 30.0  # for one example
MAX_START_SECONDS = 300.0  # until the first example: imports, on a busy machine
MAX_GROWTH_BYTES = 400 << 20  # of memory, after the first example
MAX_ADDRESS_BYTES = 8 << 30  # of address space, which protects other processes
MAX_FINDINGS, MAX_TEXT = 3, 2000  # printed findings of a batch; characters of each part
LIMITS = Limits(steps=20_000, output=5_000, memory=4_000_000)
WORLD = World(started=1_000_000_000)
WINDOW = Window(cells=8, depth=4, width=8, height=4)


class Example(NamedTuple):
    """A program and how it is run."""

    language: str
    source: bytes
    options: dict[str, str | int]
    stdin: bytes
    closed: bool
    seed: int
    cuts: tuple[int, ...]

    def fields(self) -> dict[str, Any]:
        """Return the fields as Python literals."""
        return {name: repr(value) for name, value in self._asdict().items()}


# Checks of one example.


def examine(example: Example) -> None:
    """Raise AssertionError if the engines differ; other exceptions are findings too."""
    machines = list(_start_machines(example))
    twins = len(machines)
    if not twins:
        return
    for cut in example.cuts:
        for machine in machines:
            machine.run(cut)
        states = [_describe_state(machine) for machine in machines]
        assert all(state == states[0] for state in states), f"twins differ: {states}"
        if machines[0].status in FINAL:
            break
        if len(machines) == twins:
            machines.append(_resume_snapshot(example, machines[0]))
    printed = [machine.take_output() for machine in machines[:twins]]
    assert printed[0] == printed[-1], f"twins print {printed}"


def _start_machines(example: Example) -> Iterator[Machine]:
    """Yield a machine for each engine; nothing if the source does not parse."""
    refusals: list[str] = []
    names = engine_names(example.language)
    for name in names:
        try:
            code = program(example.language, example.source, name, **example.options)
        except (ParseError, OptionError) as error:
            start, end = getattr(error, "span", (0, 0))
            inside = 0 <= start <= end <= len(example.source)
            refusals.append(f"{start} {error}" if inside else f"outside the source: {error}")
            continue
        yield code.start(
            example.stdin, closed=example.closed, seed=example.seed, limits=LIMITS, world=WORLD
        )
    assert len(refusals) in (0, len(names)), f"one twin refuses the source: {refusals}"
    assert len(set(refusals)) < 2, f"twins refuse the source for other reasons: {refusals}"
    assert not any(each.startswith("outside") for each in refusals), refusals


def _resume_snapshot(example: Example, machine: Machine) -> Machine:
    """Return a machine resumed from a snapshot of this one."""
    code: Any = machine.program  # pyright: ignore[reportAttributeAccessIssue]
    return code.resume(
        machine.snapshot(), example.stdin, closed=example.closed, limits=LIMITS, world=WORLD
    )


def _describe_state(machine: Machine) -> str:
    view = machine.view(WINDOW)
    status = machine.status if machine.status in FINAL else "running"
    fields = {**as_json(view), "status": status, "fault": as_json(view.fault)}
    return json.dumps([fields, str(machine.location), len(machine.registers())])


# Sources of examples.


def check_generated_programs(language: str, number: int, check: Any) -> None:
    """Call ``check`` with each program of a batch of well-formed programs."""
    strategies = strategies_of(language)
    chosen = st.builds(
        Example,
        st.just(language),
        strategies.sources(),
        strategies.options(),
        strategies.stdins(),
        st.booleans(),
        st.integers(0, 9),
        st.lists(st.integers(0, 4000), min_size=1, max_size=5).map(tuple),
    )

    @seed(number)
    @settings(
        max_examples=BATCH_SIZE,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(chosen)
    def batch(example: Example) -> None:
        check(example)

    batch()


def check_damaged_programs(language: str, number: int, check: Any) -> None:
    """Call ``check`` with programs whose parts were removed, repeated, changed or moved."""
    chance = random.Random(f"{language} {number}")
    descriptor = find_language(language)
    whole = [descriptor.sample(), descriptor.starter(), bytes(range(256)), b""]
    cases = sorted((TESTS / "programs" / language).glob("*.src"))
    whole += [case.read_bytes()[:20_000] for case in cases]
    dialects = [descriptor.configure(name) for name in descriptor.dialects]
    for _ in range(BATCH_SIZE):
        source = chance.choice(whole)
        for _ in range(chance.choice((1, 1, 2, 5, 20))):
            source = _damage(chance, source, chance.choice(whole))
        options = dict(chance.choice(dialects))
        for option in descriptor.options:
            if option.values and chance.random() < 0.2:
                options[option.name] = chance.choice(option.values)
        stdin = chance.randbytes(chance.randrange(8)) + chance.choice((b"", b"12 -7\n", b"99\n"))
        cuts = tuple(chance.randrange(4000) for _ in range(chance.randint(1, 5)))
        closed = chance.random() < 0.7
        check(Example(language, source, options, stdin, closed, chance.randrange(9), cuts))


def _damage(chance: random.Random, source: bytes, other: bytes) -> bytes:
    at, to = sorted(chance.randrange(len(source) + 1) for _ in range(2))
    to = min(to, at + chance.choice((1, 2, 10, 1000)))
    part = source[at:to]
    put = chance.choice(
        (
            b"",
            part * chance.choice((2, 3, 50)),
            bytes([chance.randrange(256)]),
            part[::-1],
            bytes(chance.choice(source or b" ") for _ in range(len(part))),
            other[: chance.randrange(len(other) + 1)],
            b"9" * chance.choice((1, 30, 5000)),
        )
    )
    return (source[:at] + put + source[to:])[:40_000]


KINDS = {"strategies": check_generated_programs, "damage": check_damaged_programs}
TIER = "tier"
TIER_LANGUAGES = [
    "brainfuck",
    "befunge-98",
    "whitespace",
    "shakespeare",
]  # languages with a native tier


# The process that runs a batch, and the one that watches it.


def run_batch(language: str, kind: str, number: int, note: Path) -> int:
    """Check a batch; the file ``note`` contains the current example, in case of a crash."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES))
    before, findings = _peak_memory(), 0

    def check(example: Example) -> None:
        nonlocal before, findings
        note.write_text(json.dumps(example.fields()), encoding="utf-8")
        try:
            examine(example)
            grown = _peak_memory() - before
            assert grown <= MAX_GROWTH_BYTES, f"{grown >> 20} MiB more memory than before"
        except Exception:
            findings += 1
            text, smaller = traceback.format_exc(), _shrink(example)
            before = max(before, _peak_memory())
            if findings <= MAX_FINDINGS:
                _print_finding(language, kind, number, text, smaller.fields())

    KINDS[kind](language, number, check)
    return int(findings > 0)


def run_tier_batch(language: str, number: int, note: Path) -> int:
    """Compare core and tier on a batch, without the limit of address space."""
    import befunge_tier_trials
    import shakespeare_tier_trials
    import tier_trials
    import whitespace_tier_trials

    modules = (
        tier_trials,
        befunge_tier_trials,
        whitespace_tier_trials,
        shakespeare_tier_trials,
    )
    trials = dict(zip(TIER_LANGUAGES, modules, strict=True))[language]
    findings = visits = 0
    with trials.eager_tier():
        for trial in range(number * BATCH_SIZE, (number + 1) * BATCH_SIZE):
            fields = {"trial": str(trial)}
            note.write_text(json.dumps(fields), encoding="utf-8")
            try:
                visits += trials.run_trial(trial).visits
            except Exception:
                findings += 1
                if findings <= MAX_FINDINGS:
                    _print_finding(language, TIER, number, traceback.format_exc(), fields)
    assert visits, "no program of the batch was run in the tier"
    return int(findings > 0)


def _shrink(example: Example) -> Example:
    """Return the example with parts of its source removed, if it still fails; takes 5 seconds."""
    end = time.monotonic() + 5
    size = len(example.source) // 2
    while size and time.monotonic() < end:
        at = 0
        while at < len(example.source) and time.monotonic() < end:
            less = example._replace(source=example.source[:at] + example.source[at + size :])
            if _fails(less):
                example = less
            else:
                at += size
        size //= 2
    return example


def _fails(example: Example) -> bool:
    try:
        examine(example)
    except Exception:
        return True
    return False


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def watch_batch(language: str, kind: str, number: int, note: Path) -> bool:
    """Run a batch in a separate process; return whether it had no findings."""
    note.write_text("{}", encoding="utf-8")
    command = [sys.executable, __file__, "--language", language, "--seed", str(number)]
    child = subprocess.Popen([*command, "--batch", kind, "--note", str(note)])
    seen, since, problem = "", time.monotonic(), ""
    while child.poll() is None:
        time.sleep(0.05)
        example = note.read_text(encoding="utf-8")
        if example != seen:
            seen, since = example, time.monotonic()
        elif time.monotonic() - since > (MAX_SECONDS if example != "{}" else MAX_START_SECONDS):
            problem = f"no end within {MAX_SECONDS:g} s"
            child.kill()
            break
    code = child.wait()
    if code not in (0, 1) and not problem:
        problem = f"the process ended with {code}"
    if problem:
        fields = note.read_text(encoding="utf-8") or "{}"
        _print_finding(language, kind, number, problem, json.loads(fields))
    return code == 0


def _print_finding(language: str, kind: str, number: int, text: str, fields: Any) -> None:
    print(f"\nFINDING in {language}, {kind}, --seed {number}: {text.strip()[-MAX_TEXT:]}")
    for name, value in fields.items():
        more = f" … ({len(value)} characters)" if len(value) > MAX_TEXT else ""
        print(f"    {name} = {value[:MAX_TEXT]}{more}")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run batches until the time is over; return the exit status."""
    parser = argparse.ArgumentParser(description="Random programs against both twins.")
    parser.add_argument("--minutes", type=float, default=10, help="how long (default 10)")
    parser.add_argument("--language", choices=language_ids(), help="only this one")
    parser.add_argument("--seed", type=int, help="of the first batch; else one is drawn")
    parser.add_argument("--tier", action="store_true", help="core against native tier")
    parser.add_argument("--batch", choices=[*KINDS, TIER], help=argparse.SUPPRESS)
    parser.add_argument("--note", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.tier:
        if args.language not in (None, *TIER_LANGUAGES):
            parser.error(f"--tier: only {', '.join(TIER_LANGUAGES)} have a native tier")
        if find_spec("wasmtime") is None:
            parser.error("--tier needs wasmtime; try: pip install 'esoplay[native]'")
    language: Any = args.language
    if args.batch == TIER:
        return run_tier_batch(language, args.seed, args.note)
    if args.batch:
        return run_batch(language, args.batch, args.seed, args.note)
    number = random.randrange(10**9) if args.seed is None else args.seed
    first, batches, bad = number, 0, 0
    end = time.monotonic() + 60 * args.minutes
    languages = (
        [args.language] if args.language else TIER_LANGUAGES if args.tier else language_ids()
    )
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < end:
            for language in languages:
                for kind in [TIER] if args.tier else KINDS:
                    bad += not watch_batch(language, kind, number, Path(name, "note"))
                    batches += 1
                    if time.monotonic() >= end:
                        break
            number += 1
    print(
        f"{batches} batches of {BATCH_SIZE} programs, seeds {first} to {number}, "
        f"{bad} with findings"
    )
    return int(bad > 0)


if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if path]
    os.environ.pop("ESOPLAY_EXT", None)  # both twins are wanted
    sys.exit(main(sys.argv[1:]))
