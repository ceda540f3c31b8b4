"""Shared parts of the benchmarks: a row of the table, medians, alternating runs.

Times are CPU time where only this process works, for other work runs on the machine
too; what is compared is measured in turns, so that both meet the same weather.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
MAX_TIMES_C = 2.5
"""Target for the native tier: its time divided by that of a direct translation to C."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    measured and target are for people; figures are the exact numbers.
    met: whether the target is reached, None where there is none.
    """

    name: str
    measured: str
    target: str = ""
    met: bool | None = None
    figures: dict[str, float | int | str] = field(default_factory=dict[str, "float | int | str"])


class WrongAnswerError(Exception):
    """Something that was to be measured gave a wrong result, so its time means nothing."""


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time that this process needs for ``work``."""
    began = time.process_time()
    work()
    return time.process_time() - began


def in_turns(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The median of each measure, taken ``rounds`` times in turns."""
    results: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for measure, values in zip(measures, results, strict=True):
            values.append(measure())
    return [statistics.median(values) for values in results]


@contextmanager
def use_tier(mode: str) -> Generator[None]:
    """Let machines that are started inside use a tier: ``core``, ``native`` or ``auto``."""
    before = os.environ.get("ESOPLAY_TIER")
    os.environ["ESOPLAY_TIER"] = mode
    try:
        yield
    finally:
        del os.environ["ESOPLAY_TIER"]
        if before is not None:
            os.environ["ESOPLAY_TIER"] = before


def compile_c(folder: Path, source: str) -> Path | None:
    """Return a program in C, compiled into a folder; None where that cannot be done."""
    number = len(list(folder.iterdir()))
    path, file = folder / f"program{number}", folder / f"program{number}.c"
    file.write_text(source, encoding="ascii")
    command = [os.environ.get("CC", "cc"), "-O2", str(file), "-o", str(path), "-lm"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return path


def tier_row(
    name: str,
    unit: str,
    run: Callable[[], tuple[int, float]],
    path: Path | None,
    output: bytes,
    rounds: int,
    target: float | None = MAX_TIMES_C,
) -> Row:
    """Measure a program in the native tier against its translation to C.

    run: returns steps and CPU seconds of a run, which compiles the program.  unit: name of a step.
    path: the program in C, which prints its CPU seconds to stderr; None if there is none.
    target: the time of the tier divided by that of C should be at most this.
    """
    steps = 0

    def tier() -> float:
        nonlocal steps
        with use_tier("native"):
            steps, seconds = run()
        return seconds

    def peer() -> float:
        assert path is not None
        done = subprocess.run([path], check=True, capture_output=True)
        if done.stdout != output:
            raise WrongAnswerError(f"C differs on {name}")
        return float(done.stderr)

    ours, *theirs = in_turns(rounds, tier, *([peer] if path else []))
    speed = steps / ours / 1e6
    figures: dict[str, float | int | str] = {"steps": steps, f"mega_{unit}_per_second": speed}
    ratio = ""
    if theirs:
        figures["times_c"] = ours / theirs[0]
        ratio = f", {ours / theirs[0]:.1f} × the time of C"
    return Row(
        f"speed: {name} in the native tier",
        f"{speed:.0f} M {unit}/s ({steps / 1e6:.0f} M){ratio}",
        f"≤ {target} × the time of C" if target else "",
        ours / theirs[0] <= target if theirs and target else None,
        figures,
    )


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that is at least as large as ``percent`` % of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def power_of_ten(number: int) -> str:
    """Return a power of ten in short form."""
    return "10" + str(len(str(number)) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def machine_line() -> str:
    """Return a line about the machine that the figures were measured on."""
    from esolangs.brainfuck.program import ENGINE

    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, {ENGINE.name} engine"
    )


def use_checkout_unless_installed() -> None:
    """Import from the checkout around this file when no package is installed."""
    if any(find_spec(name) is None for name in ("esolangs", "esoplay")):
        sys.path[:0] = [str(ROOT), str(ROOT / "interpreters")]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
