"""Random seeks in long runs with a large state: CPU time, and memory of the process.

The programs named "scattered" fill 200,000 cells that are far from each other, then change them.

    python docs/benchmarks/seeks.py
    ESOPLAY_TIER=core python docs/benchmarks/seeks.py

Each run is recorded and searched in a process of its own.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import unlambda
import whitespace
from measure import FOLDER, percentile, use_checkout_unless_installed

SEEKS = 200
RUNS: dict[str, tuple[str, Callable[[], bytes], int]] = {
    "sieve-short": ("befunge-98", (FOLDER / "programs" / "sieve.b98").read_bytes, 10**7),
    "sieve-long": ("befunge-98", (FOLDER / "programs" / "sieve.b98").read_bytes, 10**8),
    "scattered-b98": (
        "befunge-98",
        (FOLDER / "programs" / "scattered.b98").read_bytes,  # 200,000 cells outside of the window
        10**7,
    ),
    "scattered-ws": ("whitespace", lambda: whitespace.scattered(200_000), 10**7),
    "heap": ("whitespace", lambda: whitespace.sieve(2 * 10**6).source, 9 * 10**7),
    "numerals": ("unlambda", lambda: unlambda.growing(24), 12 * 10**6),
}


def main(arguments: list[str]) -> int:
    """Measure one run, or each run in a new process."""
    use_checkout_unless_installed()
    if arguments:
        _measure(*RUNS[arguments[0]])
        return 0
    for name in RUNS:
        done = subprocess.run([sys.executable, __file__, name], check=False)
        if done.returncode:
            return done.returncode
    return 0


def _measure(language: str, source: Callable[[], bytes], steps: int) -> None:
    from esoplay.debugging.debugger import Debugger

    debugger = Debugger.open(language, source())
    debugger.seek(steps)
    chance = random.Random(1)
    seconds: list[float] = []
    for _ in range(SEEKS):
        target = chance.randrange(steps + 1)
        began = time.process_time()
        debugger.seek(target)
        seconds.append(time.process_time() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{language}, {steps:,} steps: median {percentile(seconds, 50) * 1e3:.1f} ms, "
        f"slowest {max(seconds) * 1e3:.1f} ms of CPU time; {peak} MiB at most"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
