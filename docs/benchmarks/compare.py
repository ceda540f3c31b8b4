"""CPU time of the Brainfuck programs with the engine of another checkout and with this one.

    python docs/benchmarks/compare.py ../older

The other checkout needs compiled engines (``python setup.py build_ext --inplace`` in it).  Runs
alternate; the medians of five count.  Output and number of steps must be the same.
"""

from __future__ import annotations

import argparse
import compileall
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import collatz
import factor
import mandelbrot
import nests
from measure import ROOT, in_turns, use_checkout_unless_installed

RUN = """
import hashlib, json, sys, time
sys.path.insert(0, sys.argv[1])
from esolangs.brainfuck import LANGUAGE
program = LANGUAGE.parse(open(sys.argv[2], "rb").read())
began = time.process_time()
machine = program.start()
machine.run(1 << 62)
seconds = time.process_time() - began
printed = hashlib.sha256(machine.take_output()).hexdigest()
print(json.dumps([seconds, program.engine, machine.steps, machine.status, printed]))
"""


def main(arguments: list[str]) -> int:
    """Print a line for each program."""
    use_checkout_unless_installed()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (default 5)")
    args = parser.parse_args(arguments)
    for checkout in (args.other, ROOT):  # no run compiles Python
        compileall.compile_dir(checkout / "interpreters", quiet=2)
    for name, source in programs().items():
        results: set[tuple[object, ...]] = set()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "program.bf")
            file.write_text(source, encoding="ascii")

            def run(checkout: Path, file: Path = file, seen: set[tuple[object, ...]] = results):
                command = [sys.executable, "-c", RUN, str(checkout / "interpreters"), str(file)]
                done = subprocess.run(command, capture_output=True, check=True)
                seconds, *result = json.loads(done.stdout)
                seen.add(tuple(result))
                return float(seconds)

            older, newer = in_turns(args.rounds, lambda: run(args.other), lambda: run(ROOT))
        if len(results) != 1:
            print(f"{name}: results differ: {results}", file=sys.stderr)
            return 1
        steps = next(iter(results))[1]
        print(f"{name}, {steps:,} steps: {older:.6f} s, {newer:.6f} s, {older / newer:.2f} ×")
    return 0


def programs() -> dict[str, str]:
    """The programs by name."""
    return {
        "mandelbrot": mandelbrot.program(),
        "collatz": collatz.program(),
        "factor": factor.program(),
        "hanoi": nests.hanoi(),
        "long": nests.long(),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
