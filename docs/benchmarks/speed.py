"""Source steps a second: the engine, a naive loop in C, the plain engine, beef."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import collatz
import factor
import mandelbrot
import nests
from measure import FOLDER, Row, WrongAnswerError, cpu_seconds, in_turns
from peers import NaiveLoop, find_beef, run_beef

from esolangs.brainfuck import LANGUAGE, _blocks, _core
from esolangs.brainfuck.program import BrainfuckProgram

PLAIN = SimpleNamespace(name="plain", Core=_core.Core, Blocks=_blocks.Blocks)
TINY = b"+[]"
WITHOUT_END = 1 << 62
WIDTHS = (8, 16, 32)

IDIOMS = {
    "clear": b"+[>-[-]+[+]<]",
    "move and copy": b"+[>-[->+>+<<]>[-<+>]>[-<<+>>]<<[-]<]",
    "product": b"+[>++++++++[->+++++++++[->+>++<<]<]>>[-]>[-]<<<<]",
    "steps of 2 and 5": b"+[>--[-->+<]>[-]-[>+<-----]>[-]<<<]",
    "scan": b">" + b"+>" * 1000 + b"<[<]>[[>]<[<]>]",
    "nested loops": b"+[>++++++++[>++++++++[>++++++++[>+<-]<-]<-]>>>[-]<<<<]",
}
"""Endless, by what they do most."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A program, what it prints, and the G steps/s to reach: what must be, and the aim."""

    name: str
    source: bytes
    output: bytes
    must: float | None = None
    aim: float | None = None


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes smaller programs once."""
    rounds = 1 if quick else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        naive = _naive(folder)
        if naive is None:
            yield Row("speed: naive C", "skipped: no C compiler (cc, or $CC) is there")
        for workload in [*(_small() if quick else _full()), *_more(quick)]:
            yield _against_naive(workload, naive, folder, rounds)
        for workload in _small() if quick else _full():
            yield _by_width(workload, rounds)
        yield _idioms(rounds, 10**6 if quick else 2 * 10**8)
        yield _tiny_loop(naive, folder, rounds, 10**7 if quick else 10**9)
        yield _against_plain(_small()[0], rounds, 10**5 if quick else 10**6)
        yield _against_beef(_small(), folder, rounds)


def _full() -> list[Workload]:
    programs = FOLDER / "programs"
    return [
        Workload(
            "mandelbrot",
            (programs / "mandelbrot.bf").read_bytes(),
            mandelbrot.picture().encode(),
            must=2.0,
            aim=4.0,
        ),
        Workload("collatz", (programs / "collatz.bf").read_bytes(), collatz.lengths().encode()),
    ]


def _small() -> list[Workload]:
    """The same kinds of program for what is slow."""
    size, last = (16, 7), 100
    return [
        Workload(
            "mandelbrot 16×7",
            mandelbrot.program(*size).encode(),
            mandelbrot.picture(*size).encode(),
        ),
        Workload("collatz 100", collatz.program(last).encode(), collatz.lengths(last).encode()),
    ]


def _more(quick: bool) -> list[Workload]:
    """Generated code, and nests of counted loops."""
    first = factor.LAST if quick else factor.FIRST
    disks, levels = (10, 2) if quick else (nests.DISKS, nests.LEVELS)
    return [
        Workload("factor", factor.program(first).encode(), factor.factors(first).encode()),
        Workload("hanoi", nests.hanoi(disks).encode(), nests.moves(disks)),
        Workload("long", nests.long(levels).encode(), nests.passed()),
    ]


def _against_naive(workload: Workload, naive: NaiveLoop | None, folder: Path, rounds: int) -> Row:
    program, steps = _parse(workload.source), 0
    file = folder / "program.bf"
    file.write_bytes(workload.source)

    def engine() -> float:
        nonlocal steps
        machine = program.start()
        seconds = cpu_seconds(lambda: machine.run(WITHOUT_END))
        if machine.take_output() != workload.output:
            raise WrongAnswerError(f"the engine prints something else for {workload.name}")
        steps = machine.steps
        return seconds

    def peer() -> float:
        assert naive is not None
        their_steps, seconds = naive.run(file, workload.output)
        if their_steps != steps:
            raise WrongAnswerError(f"{workload.name}: {steps} steps, naive C {their_steps}")
        return seconds

    ours, *theirs = in_turns(rounds, engine, *([peer] if naive else []))
    speed = steps / ours / 1e9
    figures: dict[str, float | int | str] = {"steps": steps, "giga_steps_per_second": speed}
    ratio = ""
    if theirs:
        figures["times_naive_c"] = theirs[0] / ours
        ratio = f", {theirs[0] / ours:.1f} × naive C ({steps / theirs[0] / 1e9:.2f} G)"
    target = f"≥ {workload.must:g} G, aim {workload.aim:g} G" if workload.must else ""
    return Row(
        f"speed: {workload.name}",
        f"{speed:.2f} G steps/s ({steps / 1e9:.2f} G steps){ratio}",
        target,
        None if workload.must is None else speed >= workload.must,
        figures,
    )


def _by_width(workload: Workload, rounds: int) -> Row:
    """A whole program with cells of each size; these compute the same with all of them."""
    programs = {bits: _parse(workload.source, bits) for bits in WIDTHS}

    def run(bits: int) -> float:
        machine = programs[bits].start()
        seconds = cpu_seconds(lambda: machine.run(WITHOUT_END))
        if machine.take_output() != workload.output:
            raise WrongAnswerError(f"{workload.name} prints something else with {bits} bits")
        return seconds

    narrow, *wide = in_turns(rounds, *(lambda bits=bits: run(bits) for bits in WIDTHS))
    return _row_of_widths(workload.name, [seconds / narrow for seconds in wide])


def _idioms(rounds: int, steps: int) -> Row:
    """The same number of steps of each idiom; what is shown is the slowest."""
    slowest = [0.0] * len(WIDTHS[1:])
    for source in IDIOMS.values():
        programs = {bits: _parse(source, bits) for bits in WIDTHS}

        def run(bits: int, programs: dict[int, BrainfuckProgram] = programs) -> float:
            machine = programs[bits].start()
            return cpu_seconds(lambda: machine.run(steps))

        narrow, *wide = in_turns(rounds, *(lambda bits=bits, run=run: run(bits) for bits in WIDTHS))
        slowest = [max(old, new / narrow) for old, new in zip(slowest, wide, strict=True)]
    return _row_of_widths(f"the slowest of {len(IDIOMS)} idioms", slowest)


def _row_of_widths(name: str, ratios: list[float]) -> Row:
    measured = ", ".join(f"{ratio:.2f} ×" for ratio in ratios)
    return Row(
        f"speed: cells of 16 and 32 bits, {name}",
        f"{measured} the time of 8 bits",
        "≤ 1.5 ×",
        max(ratios) <= 1.5,
        {f"times_8_bits_{bits}": ratio for bits, ratio in zip(WIDTHS[1:], ratios, strict=True)},
    )


def _tiny_loop(naive: NaiveLoop | None, folder: Path, rounds: int, steps: int) -> Row:
    program = _parse(TINY)
    file = folder / "tiny.bf"
    file.write_bytes(TINY)

    def engine() -> float:
        machine = program.start()
        return cpu_seconds(lambda: machine.run(steps))

    def peer() -> float:
        assert naive is not None
        return naive.run(file, None, steps)[1]

    ours, *theirs = in_turns(rounds, engine, *([peer] if naive else []))
    ratio = f", {theirs[0] / ours:.1f} × naive C" if theirs else ""
    speed = steps / ours / 1e9
    return Row(
        "speed: +[] (two steps a round)",
        f"{speed:.2f} G steps/s{ratio}",
        "aim 1 G",
        None,
        {"giga_steps_per_second": speed},
    )


def _against_plain(workload: Workload, rounds: int, steps: int) -> Row:
    """A short cut of a program: the plain engine would take an hour for the whole."""
    ours = _parse(workload.source)
    plain = BrainfuckProgram(LANGUAGE, workload.source, LANGUAGE.configure(), PLAIN)

    def run(program: BrainfuckProgram, times: int) -> float:
        machines = [program.start() for _ in range(times)]
        seconds = cpu_seconds(lambda: [machine.run(steps) for machine in machines])
        if {machine.steps for machine in machines} != {steps}:
            raise WrongAnswerError(f"{workload.name} has ended before {steps} steps")
        return seconds / times

    fast, slow = in_turns(rounds, lambda: run(ours, 100), lambda: run(plain, 1))
    return Row(
        f"speed: plain engine, {workload.name}",
        f"{steps / slow / 1e6:.2f} M steps/s; the {ours.engine} one is {slow / fast:.0f} × that",
        figures={"mega_steps_per_second": steps / slow / 1e6, "times_plain": slow / fast},
    )


def _against_beef(workloads: list[Workload], folder: Path, rounds: int) -> Row:
    beef = find_beef()
    if beef is None:
        return Row("speed: beef", "skipped: beef is not installed", "aim ≥ 50 ×")
    shown: list[str] = []
    figures: dict[str, float | int | str] = {}
    for workload in workloads:
        program = _parse(workload.source)
        file = folder / "beef.bf"
        file.write_bytes(workload.source)
        theirs, ours = in_turns(
            rounds,
            lambda file=file, workload=workload: run_beef(beef, file, workload.output),
            lambda program=program: cpu_seconds(lambda: program.start().run(WITHOUT_END)),
        )
        shown.append(f"{theirs / ours:.0f} × beef on {workload.name}")
        figures[f"times_beef_{workload.name.split()[0]}"] = theirs / ours
    return Row("speed: beef", ", ".join(shown), "aim ≥ 50 ×", None, figures)


def _parse(source: bytes, bits: int = 8) -> BrainfuckProgram:
    return LANGUAGE.parse(source, LANGUAGE.configure("standard", {"cell": bits}))


def _naive(folder: Path) -> NaiveLoop | None:
    try:
        return NaiveLoop(folder)
    except (OSError, subprocess.CalledProcessError):
        return None
