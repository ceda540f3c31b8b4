"""CPU time of Brainfuck or Unlambda programs with the engine of another checkout and with this one.

    python docs/benchmarks/compare.py ../older
    python docs/benchmarks/compare.py ../older --language unlambda

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
import lists
import mandelbrot
import nests
import unlambda
from measure import ROOT, in_turns, use_checkout_unless_installed

RUN = """
import hashlib, importlib, json, sys, time
sys.path.insert(0, sys.argv[1])
language = importlib.import_module("esolangs." + sys.argv[3]).LANGUAGE
from esolangs.limits import Limits
program = language.parse(open(sys.argv[2], "rb").read())
began = time.process_time()
machine = program.start(limits=Limits(memory=1 << 40))
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
    parser.add_argument("--language", choices=PROGRAMS, default="brainfuck")
    args = parser.parse_args(arguments)
    for checkout in (args.other, ROOT):  # no run compiles Python
        compileall.compile_dir(checkout / "interpreters", quiet=2)
    language: str = args.language
    for name, source in PROGRAMS[language]().items():
        results: set[tuple[object, ...]] = set()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "program")
            file.write_text(source, encoding="ascii")

            def run(checkout: Path, file: Path = file, seen: set[tuple[object, ...]] = results):
                engine = str(checkout / "interpreters")
                command = [sys.executable, "-c", RUN, engine, str(file), language]
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


def brainfuck_programs() -> dict[str, str]:
    """The Brainfuck programs by name."""
    return {
        "mandelbrot": mandelbrot.program(),
        "collatz": collatz.program(),
        "factor": factor.program(),
        "hanoi": nests.hanoi(),
        "long": nests.long(),
    }


def unlambda_programs() -> dict[str, str]:
    """The Unlambda programs by name."""
    sources = {
        "church 7": unlambda.church(7),
        **{f"growing {n}": unlambda.growing(n) for n in (16, 20, 22, 24)},
        **{f"lists {n}": lists.reversals(n, rounds) for n, rounds in LISTS},
    }
    return {name: source.decode("ascii") for name, source in sources.items()}


LISTS = ((10, 800), (14, 80), (17, 10), (20, 2))  # exponents and rounds
PROGRAMS = {"brainfuck": brainfuck_programs, "unlambda": unlambda_programs}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
