"""Measure Befunge-98: instructions per second on a prime sieve and on far cells.

The sieve and a trial division are also measured in the native tier, if wasmtime is installed.
The yardstick is a naive loop in C on a grid of fixed size that the IP never leaves.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from measure import FOLDER, Row, WrongAnswerError, cpu_seconds, in_turns, use_tier

from esolangs.befunge_98 import LANGUAGE

WITHOUT_END = 1 << 62
SIEVE = FOLDER / "programs" / "sieve.b98"
TRIAL = FOLDER / "programs" / "trial.b98"
WIDE = 100_000  # columns


def rows(quick: bool) -> Iterator[Row]:
    """The sieve below 10^5, sixteen times over; ``quick`` stops it after 10^7 instructions."""
    with tempfile.TemporaryDirectory() as name:
        naive = _naive(Path(name))
        if naive is None:
            yield Row("befunge-98: naive C", "skipped: no C compiler (cc, or $CC) is there")
        yield _sieve(None if quick else naive, quick)
        yield from _tier(None if quick else naive, quick)
    yield _blanks(quick)
    yield from _far(quick)


def _sieve(naive: Path | None, quick: bool) -> Row:
    program = LANGUAGE.parse(SIEVE.read_bytes())
    steps = 0

    def engine() -> float:
        nonlocal steps
        machine = program.start()
        seconds = cpu_seconds(lambda: machine.run(10**7 if quick else WITHOUT_END))
        if not quick and machine.take_output() != b"9592 ":
            raise WrongAnswerError("the sieve counts the primes below 10^5 wrongly")
        steps = machine.steps
        return seconds

    peer = _peer(naive, SIEVE, b"9592 ", 120_536_211) if naive else None
    ours, *theirs = in_turns(1 if quick else 3, engine, *([peer] if peer else []))
    speed = steps / ours / 1e6
    figures: dict[str, float | int | str] = {"steps": steps, "mega_steps_per_second": speed}
    ratio = ""
    if theirs:
        figures["times_naive_c"] = theirs[0] / ours
        ratio = f", {theirs[0] / ours:.1f} × naive C ({steps / theirs[0] / 1e6:.0f} M)"
    return Row(
        "befunge-98: sieve",
        f"{speed:.0f} M instructions/s ({steps / 1e6:.0f} M){ratio}",
        "≥ 100 M, aim 120 M",
        None if quick else speed >= 100,
        figures,
    )


def _tier(naive: Path | None, quick: bool) -> Iterator[Row]:
    """Run the sieve and a trial division below 200,000 in the native tier, compiled each time."""
    if find_spec("wasmtime") is None:
        yield Row("befunge-98: native tier", "skipped: wasmtime is not installed")
        return
    for name, path, printed, steps in (
        ("sieve", SIEVE, b"9592 ", 120_536_211),
        ("trial division", TRIAL, b"17984 ", 240_701_764),
    ):
        engine = _tiered(path, printed, 10**6 if quick else steps, quick)
        peer = _peer(naive, path, printed, steps) if naive else None
        ours, *theirs = in_turns(1 if quick else 3, engine, *([peer] if peer else []))
        speed = (10**6 if quick else steps) / ours / 1e6
        figures: dict[str, float | int | str] = {"steps": steps, "mega_steps_per_second": speed}
        ratio = ""
        if theirs:
            figures["times_naive_c"] = theirs[0] / ours
            ratio = f", {theirs[0] / ours:.1f} × naive C"
        yield Row(
            f"befunge-98: {name} in the native tier",
            f"{speed:.0f} M instructions/s ({steps / 1e6:.0f} M){ratio}",
            "≥ 5 × naive C",
            theirs[0] / ours >= 5 if theirs else None,
            figures,
        )


def _tiered(path: Path, printed: bytes, steps: int, quick: bool) -> Callable[[], float]:
    def seconds() -> float:
        with use_tier("native"):
            machine = LANGUAGE.parse(path.read_bytes()).start()
        taken = cpu_seconds(lambda: machine.run(steps))
        if machine.steps != steps or (not quick and machine.take_output() != printed):
            raise WrongAnswerError(f"the native tier differs on {path.name}")
        return taken

    return seconds


def _peer(naive: Path, path: Path, printed: bytes, steps: int) -> Callable[[], float]:
    def seconds() -> float:
        done = subprocess.run([naive, path], check=True, capture_output=True)
        their_steps, taken = done.stderr.split()
        if done.stdout != printed or int(their_steps) != steps:
            raise WrongAnswerError(f"naive C differs on {path.name}")
        return float(taken)

    return seconds


def _blanks(quick: bool) -> Row:
    """Measure two instructions at the start of a row of ``WIDE`` cells: one wrap for every two."""
    program = LANGUAGE.parse(b"1+\n" + b" " * WIDE + b"@")
    steps = 10**5 if quick else 10**7

    def engine() -> float:
        machine = program.start()
        seconds = cpu_seconds(lambda: machine.run(steps))
        if machine.registers()["top"] != steps // 2:
            raise WrongAnswerError("the sum is wrong")
        return seconds

    (ours,) = in_turns(1 if quick else 3, engine)
    speed = steps / ours / 1e6
    return Row(
        f"befunge-98: round {WIDE} blank columns",
        f"{speed:.1f} M instructions/s",
        figures={"mega_steps_per_second": speed},
    )


LONG = 20_000  # columns and rows of the angle
NEAR = b"v\n>1+\n"
ANGLE = b"v" + b"z" * (LONG - 1) + b"\n" + b"z\n" * 9 + b">1+\n" + b"z\n" * (LONG - 11)
GROWING = b"aaaaaa*****v\n" + b">1+:'z\\:p".rjust(20) + b"\n"
STILL = b"aaaaaa*****v\n" + b">1+:'z5:p$".rjust(21) + b"\n"


def _far(quick: bool) -> Iterator[Row]:
    """A source of one long row and one long column, and ``p`` to ever farther cells.

    Each in turns with the same loop on a small plane: the ratio says what distance costs.  In
    every round of three to eight instructions the IP goes over an edge of the space in use.
    """
    for name, source, near, most in (
        (f"an angle of {LONG} × {LONG}", ANGLE, NEAR, 10**7),
        ("p at growing distances", GROWING, STILL, 4 * 10**6),
    ):
        steps = most // 100 if quick else most
        here, there = in_turns(1 if quick else 3, _loop(near, steps), _loop(source, steps))
        speed = steps / there / 1e6
        yield Row(
            f"befunge-98: {name}",
            f"{speed:.1f} M instructions/s, 1/{there / here:.1f} of those on a small plane",
            "≥ 1 M",
            None if quick else speed >= 1,
            {"mega_steps_per_second": speed, "times_near": there / here},
        )


def _loop(source: bytes, steps: int) -> Callable[[], float]:
    def seconds() -> float:
        machine = LANGUAGE.parse(source).start()
        taken = cpu_seconds(lambda: machine.run(steps))
        if machine.status != "running" or machine.steps != steps:
            raise WrongAnswerError("the program ends too early")
        return taken

    return seconds


def _naive(folder: Path) -> Path | None:
    """``befunge_98.c``, compiled for this run; None where that cannot be done."""
    path = folder / "naive"
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-O2", str(FOLDER / "befunge_98.c"), "-o", str(path)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return path
