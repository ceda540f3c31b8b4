"""Instructions a second: the engine, a naive loop in C, the plain engine, the native tier.

The tier, if wasmtime is installed, is compared with a direct translation to C.  No other
interpreter of Whitespace was found in Debian's or Python's registries.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import whitespace_to_c
from measure import FOLDER, Row, WrongAnswerError, compile_c, cpu_seconds, in_turns, tier_row

from esolangs.whitespace import LANGUAGE, _core
from esolangs.whitespace.assembly import assemble
from esolangs.whitespace.program import WhitespaceProgram

PLAIN = SimpleNamespace(name="plain", Core=_core.Core)
WITHOUT_END = 1 << 62
MUST, AIM = 300, 400  # M instructions/s
MUST_LARGE, AIM_LARGE = 20, 32


@dataclass(frozen=True, slots=True)
class Workload:
    """A program and what it prints."""

    name: str
    source: bytes
    output: bytes


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes smaller numbers once."""
    rounds = 1 if quick else 5
    primes, fib = sieve(10**4 if quick else 4 * 10**5), _fib(15 if quick else 32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        naive = _naive(folder)
        if naive is None:
            yield Row("speed: naive C, Whitespace", "skipped: no C compiler (cc, or $CC) is there")
        for workload in (primes, fib, _primes(300 if quick else 20_000)):
            yield _against_naive(workload, naive, folder, rounds)
        yield from _tier(folder, quick, rounds)
    yield _large(10**4 if quick else 10**6, rounds)
    yield _against_plain(sieve(10**3), sieve(10**4 if quick else 10**6), rounds)


def _program(name: str, **values: int) -> bytes:
    """The Whitespace of a file of mnemonics, with numbers filled in."""
    text = (FOLDER / "programs" / f"{name}.wsa").read_text(encoding="ascii")
    for word, value in values.items():
        text = text.replace(word, str(value))
    return assemble(text.encode()).source


def sieve(limit: int) -> Workload:
    """Counts the primes below ``limit`` in a sieve on the heap."""
    marks = bytearray([1]) * limit
    marks[:2] = b"\0\0"
    for n in range(2, int(limit**0.5) + 1):
        if marks[n]:
            marks[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return Workload(f"sieve to {limit}", _program("sieve", LIMIT=limit), b"%d" % sum(marks))


def scattered(count: int) -> bytes:
    """Return a program without end that stores numbers at ``count`` addresses below 0."""
    return _program("scattered", COUNT=count)


def _fib(n: int) -> Workload:
    """Fibonacci's numbers by recursion: calls and returns."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return Workload(f"fib({n}) by recursion", _program("fib", NUMBER=n), b"%d" % a)


def _primes(limit: int) -> Workload:
    """Counts the primes below ``limit`` by trial division: multiplications and remainders."""
    count = sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(2, limit))
    return Workload(f"trial division to {limit}", _program("trial", LIMIT=limit), b"%d" % count)


def _run(program: WhitespaceProgram, output: bytes) -> tuple[int, float]:
    """Steps and CPU seconds of a run to the end, which must print ``output``."""
    machine = program.start()
    seconds = cpu_seconds(lambda: machine.run(WITHOUT_END))
    if machine.take_output() != output:
        raise WrongAnswerError("the engine prints something else")
    return machine.steps, seconds


def _against_naive(workload: Workload, naive: Path | None, folder: Path, rounds: int) -> Row:
    program, steps = LANGUAGE.parse(workload.source), 0
    file = folder / "program.ws"
    file.write_bytes(workload.source)

    def engine() -> float:
        nonlocal steps
        steps, seconds = _run(program, workload.output)
        return seconds

    def peer() -> float:
        assert naive is not None
        done = subprocess.run([naive, file], check=True, capture_output=True)
        their_steps, seconds = done.stderr.split()
        if done.stdout != workload.output or int(their_steps) != steps:
            raise WrongAnswerError(f"naive C differs on {workload.name}")
        return float(seconds)

    ours, *theirs = in_turns(rounds, engine, *([peer] if naive else []))
    speed = steps / ours / 1e6
    figures: dict[str, float | int | str] = {"steps": steps, "mega_instructions_per_second": speed}
    ratio = ""
    if theirs:
        figures["times_naive_c"] = theirs[0] / ours
        ratio = f", {theirs[0] / ours:.1f} × naive C ({steps / theirs[0] / 1e6:.0f} M)"
    return Row(
        f"speed: {workload.name}",
        f"{speed:.0f} M instructions/s ({steps / 1e6:.0f} M){ratio}",
        f"≥ {MUST} M, aim {AIM} M",
        speed >= MUST,
        figures,
    )


def _tier(folder: Path, quick: bool, rounds: int) -> Iterator[Row]:
    """Run programs in the native tier, compiled each time, and as programs in C."""
    if find_spec("wasmtime") is None:
        yield Row("speed: native tier, Whitespace", "skipped: wasmtime is not installed")
        return
    workloads = [_fib(27)] if quick else [sieve(4 * 10**6), _primes(400_000), _fib(36)]
    for workload in workloads:
        source, output = workload.source, workload.output
        path = None
        if not quick:
            path = compile_c(folder, whitespace_to_c.translate(LANGUAGE.parse(source)))

        def run(source: bytes = source, output: bytes = output) -> tuple[int, float]:
            return _run(LANGUAGE.parse(source), output)

        yield tier_row(workload.name, "instructions", run, path, output, rounds)


def _large(loops: int, rounds: int) -> Row:
    """Numbers of 80 bits, added up and kept below a bound."""
    value, bound = 10**24, 1 << 80
    for _ in range(loops):
        value += (1 << 79) - 1
        if value >= bound:
            value -= bound
    program = LANGUAGE.parse(_program("large", LOOPS=loops))
    steps = 0

    def once() -> float:
        nonlocal steps
        steps, seconds = _run(program, b"%d" % value)
        return seconds

    (seconds,) = in_turns(rounds, once)
    speed = steps / seconds / 1e6
    return Row(
        "speed: a loop on numbers of 80 bits",
        f"{speed:.0f} M instructions/s ({steps / 1e6:.0f} M)",
        f"≥ {MUST_LARGE} M, aim {AIM_LARGE} M",
        speed >= MUST_LARGE,
        {"steps": steps, "mega_instructions_per_second": speed},
    )


def _against_plain(small: Workload, large: Workload, rounds: int) -> Row:
    ours = LANGUAGE.parse(large.source)
    plain = WhitespaceProgram(LANGUAGE, small.source, LANGUAGE.configure(), PLAIN)

    def seconds_a_step(program: WhitespaceProgram, output: bytes) -> float:
        steps, seconds = _run(program, output)
        return seconds / steps

    fast, slow = in_turns(
        rounds,
        lambda: seconds_a_step(ours, large.output),
        lambda: seconds_a_step(plain, small.output),
    )
    return Row(
        "speed: plain engine, Whitespace",
        f"{1e-6 / slow:.2f} M instructions/s; the {ours.engine} one is {slow / fast:.0f} × that",
        figures={"mega_instructions_per_second": 1e-6 / slow, "times_plain": slow / fast},
    )


def _naive(folder: Path) -> Path | None:
    """``whitespace.c``, compiled for this run; None where that cannot be done."""
    return compile_c(folder, (FOLDER / "whitespace.c").read_text(encoding="ascii"))
