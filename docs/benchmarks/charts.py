"""Draw the charts of docs/performance.md: speed by language and tier, and seek time by step.

    python docs/benchmarks/charts.py docs/images           measures for about two minutes
    python docs/benchmarks/charts.py FOLDER --quick        only checks that it works

Each engine runs in a process of its own.  Speed is in CPU time, which includes compilation; seeks
are in wall time, because a user waits for them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import befunge_98
import history
import shakespeare
import unlambda
import whitespace
from measure import FOLDER, ROOT, WrongAnswerError, machine_line, percentile, use_tier
from workloads import ENDLESS

from esolangs.registry import find_language
from esoplay.debugging.debugger import Debugger
from esoplay.reporting.canvas import DASHES, FONT_SIZE, ROW_HEIGHT, SHAPES, WIDTH, SvgCanvas
from esoplay.reporting.charts import LinearScale, MarkerStyle, draw_marker_legend, ticks

TIERS = {
    "plain Python": {"ESOPLAY_EXT": "off", "ESOPLAY_TIER": "core"},
    "compiled engine": {"ESOPLAY_TIER": "core"},
    "native tier": {"ESOPLAY_TIER": "native"},
}
"""By name: the environment variables that select it."""

STEPS = {"plain Python": 300_000, "compiled engine": 10**9, "native tier": 4 * 10**9}
HISTORY = 10_000_000  # steps
SEEKS = 60  # per program
TARGET = 50.0  # milliseconds


class Timing(NamedTuple):
    """The steps of one run, and its CPU time in seconds."""

    steps: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.steps / self.seconds


PROGRAMS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "Brainfuck: mandelbrot": ("brainfuck", lambda: history.SUBJECTS[0].source),
    "Befunge-98: a sieve": ("befunge-98", befunge_98.SIEVE.read_bytes),
    "Whitespace: a sieve": ("whitespace", lambda: whitespace.sieve(4 * 10**6).source),
    "Unlambda: a Church numeral": ("unlambda", lambda: unlambda.church(8)),
    "Shakespeare: counting": ("shakespeare", lambda: shakespeare.counting(10**8)),
}
"""By name: the language and a function that makes the source."""


def main(arguments: list[str]) -> int:
    """Draw both charts into a folder, or time one run for another process."""
    parser = argparse.ArgumentParser(description="Draw the charts of docs/performance.md.")
    parser.add_argument("folder", type=Path, help="where speed.svg and seeks.svg are written")
    parser.add_argument("--quick", action="store_true", help="short runs: a smoke test")
    parser.add_argument("--time", nargs=2, metavar=("PROGRAM", "STEPS"), help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.time:
        print(json.dumps(_time_run(args.time[0], int(args.time[1]))))
        return 0
    scale = 1000 if args.quick else 1
    speed, seeks = _draw_speeds(_measure_speeds(scale)), _draw_seeks(_measure_seeks(scale))
    for canvas in (speed, seeks):
        (args.folder / f"{canvas.name}.svg").write_text(canvas.document(), "utf-8")
    return 0


def _measure_speeds(scale: int) -> dict[str, dict[str, Timing]]:
    """Return the timings by program and tier, without tiers that are not available."""
    found: dict[str, dict[str, Timing]] = {}
    for name, (language, _) in PROGRAMS.items():
        program = find_language(language).parse(_source(name))
        native = False
        if find_spec("wasmtime") is not None:
            with use_tier("native"):
                native = program.start().tier is not None
        tiers = [tier for tier in TIERS if native or tier != "native tier"]
        found[name] = {tier: _time_in_process(name, tier, STEPS[tier] // scale) for tier in tiers}
    return found


def _source(name: str) -> bytes:
    return PROGRAMS[name][1]()


def _time_in_process(name: str, tier: str, steps: int) -> Timing:
    command = [sys.executable, str(FOLDER / "charts.py"), ".", "--time", name, str(steps)]
    environment = {**os.environ, **TIERS[tier]}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, cwd=ROOT)
    return Timing(*json.loads(done.stdout))


def _time_run(name: str, steps: int) -> Timing:
    language = find_language(PROGRAMS[name][0])
    program = language.parse(_source(name))
    began = time.process_time()
    machine = program.start()
    machine.run(steps)
    return Timing(machine.steps, time.process_time() - began)


class Seeks(NamedTuple):
    """Seeks in the history of one program: step and milliseconds of each."""

    name: str
    points: list[tuple[int, float]]


def _measure_seeks(scale: int) -> list[Seeks]:
    """Seek in an endless program of each language, and in one with a large plane."""
    debuggers = {
        find_language(id).name: Debugger.open(id, source) for id, source in ENDLESS.items()
    }
    sieve = Debugger.open("befunge-98", befunge_98.SIEVE.read_bytes())
    debuggers["Befunge-98: a sieve"] = sieve
    return [_seek(name, one, HISTORY // scale) for name, one in debuggers.items()]


def _seek(name: str, debugger: Debugger, steps: int) -> Seeks:
    debugger.seek(steps)
    points: list[tuple[int, float]] = []
    for target in random.Random(name).sample(range(steps + 1), SEEKS):
        began = time.perf_counter()
        stop = debugger.seek(target)
        points.append((target, (time.perf_counter() - began) * 1e3))
        if stop.step != target:
            raise WrongAnswerError(f"{name}: seek {target} ends at {stop.step}")
    return Seeks(name, points)


# Drawing


class PowerScale(NamedTuple):
    """A map of powers of ten to pixels: from 10 to the ``least`` to 10 to the ``greatest``."""

    least: int
    greatest: int
    start: float
    end: float

    def __call__(self, value: float) -> float:
        power = math.log10(min(max(value, 10.0**self.least), 10.0**self.greatest))
        return LinearScale(self.least, self.greatest, self.start, self.end)(power)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.least, self.greatest + 1)]


def _draw_speeds(timings: dict[str, dict[str, Timing]]) -> SvgCanvas:
    described = "; ".join(
        f"{name}: " + ", ".join(f"{tier} {_rate(one.speed)}" for tier, one in tiers.items())
        for name, tiers in timings.items()
    )
    canvas = SvgCanvas("speed", "Steps per second by language and tier", f"{described}.")
    signs = _signs(list(TIERS))
    top = draw_marker_legend(canvas, 18, signs) + 8
    left, right = 230.0, 130.0
    scale = PowerScale(6, 11, left + 12, WIDTH - right)
    bottom = top + ROW_HEIGHT * len(timings)
    for value in scale.ticks():
        canvas.line(scale(value), top, scale(value), bottom)
        canvas.text(scale(value), bottom + 15, _rate(value), "small", "middle")
    canvas.text((scale.start + scale.end) / 2, bottom + 31, "steps per second", "small", "middle")
    for number, (name, tiers) in enumerate(timings.items()):
        y = top + ROW_HEIGHT * (number + 0.5)
        canvas.label(left, y + FONT_SIZE / 3, name, left - 12)
        for tier, one in tiers.items():
            hint = f"{name}, {tier}: {_rate(one.speed)} steps per second"
            canvas.mark(signs[tier].shape, scale(one.speed), y, signs[tier].colour, hint)
        fastest = max(one.speed for one in tiers.values())
        canvas.text(scale.end + 18, y + FONT_SIZE / 3, f"up to {_rate(fastest)}", "quiet")
    canvas.text(8, bottom + 52, machine_line(), "small")
    canvas.height = bottom + 62
    return canvas


_HEIGHT, _COLUMNS = 150.0, 3


def _draw_seeks(seeks: list[Seeks]) -> SvgCanvas:
    described = "; ".join(
        f"{one.name}: median {percentile([ms for _, ms in one.points], 50):.1f} ms, "
        f"slowest {max(ms for _, ms in one.points):.1f} ms"
        for one in seeks
    )
    canvas = SvgCanvas("seeks", "Time of a seek by step number", f"{described}.")
    width = WIDTH / _COLUMNS
    canvas.text(8, 14, f"milliseconds per seek; the thick line is the target, {TARGET:g}", "small")
    for number, one in enumerate(seeks):
        left, top = number % _COLUMNS * width, 28 + number // _COLUMNS * (_HEIGHT + 76)
        furthest = max(step for step, _ in one.points)
        wide = LinearScale(0, furthest, left + 40, left + width - 22)
        high = PowerScale(-1, 3, top + 20 + _HEIGHT, top + 20)
        canvas.text(left + 40, top + 10, one.name, "head")
        for value in high.ticks():
            canvas.line(wide.start, high(value), wide.end, high(value))
            canvas.text(wide.start - 6, high(value) + 4, f"{value:g}", "small", "end")
        canvas.line(wide.start, high(TARGET), wide.end, high(TARGET), "s1 bold")
        for value in ticks(0, furthest, 4):
            shown = f"{value / 1e6:g} M" if furthest >= 1e6 else f"{value:,.0f}"
            canvas.text(wide(value), high.start + 16, shown, "small", "middle")
        canvas.text((wide.start + wide.end) / 2, high.start + 32, "step", "small", "middle")
        for step, ms in one.points:
            canvas.mark("disc", wide(step), high(ms), 0, f"step {step:,}: {ms:.1f} ms", 2.5)
    rows = -(-len(seeks) // _COLUMNS)
    canvas.text(8, 28 + rows * (_HEIGHT + 76), machine_line(), "small")
    canvas.height = 38 + rows * (_HEIGHT + 76)
    return canvas


def _signs(names: list[str]) -> dict[str, MarkerStyle]:
    return {
        name: MarkerStyle(number, SHAPES[number], DASHES[number])
        for number, name in enumerate(names)
    }


def _rate(value: float) -> str:
    """Return a number with three digits and M or G: 10⁶ or 10⁹."""
    unit, sign = (1e9, "G") if value >= 1e9 else (1e6, "M")
    return f"{value / unit:.3g} {sign}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
