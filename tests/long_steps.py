"""Find the single steps that take longest.

    python tests/long_steps.py
    python tests/long_steps.py --language whitespace --engine plain --memory 64
    python tests/long_steps.py --whole --language brainfuck --only tape

The programs are ``HOSTILE`` (each makes one kind of step as long as it can), the memory bombs of
``tests/running``, and the programs of ``tests/programs``.  Each runs for ``--seconds``.  A
slice of steps that takes long is run again from a snapshot, step by step, twice: the shorter time
of a step counts, so that a busy machine is not taken for a slow engine.  What a step is charged as
work does not count.  Prints the longest step of each program.

Steps at which something grows are rare, so that this search misses most of them.  With ``--whole``
two runs of each program are timed in slices of 1,000 steps from the beginning, the shorter time of
a slice counts, and the longest slice is printed, less what half of the slices take.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent
for folder in (TESTS, TESTS.parent / "interpreters", TESTS.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from engines import engine_names  # noqa: E402
from engines import program as parsed  # noqa: E402

from esolangs.core import CoreMachine  # noqa: E402
from esolangs.limits import Limits  # noqa: E402
from esolangs.machine import FINAL  # noqa: E402
from esolangs.registry import find_language, language_ids  # noqa: E402

SLICE = 40  # steps between two snapshots
WHOLE_SLICE = 1000
MILLISECOND = 0.001
UNIT = 8e-9  # seconds that a unit of work stands for: twice what it takes, and what is left counts

HOSTILE: dict[str, dict[str, str]] = {
    "befunge-98": {
        "blank row": "1+" + " " * 500_000 + "z",
        "blank row that changes": "'z99*0p' 99*0p" + " " * 500_000 + "z",
        "comment": "1+;" + "x" * 500_000 + ";z",
        "comments": "1+" + ";;" * 250_000 + "z",
        "column": "v\n1\n" + "\n" * 200_000 + "z",
        "angle": "v" + "z" * 20_000 + "\n" + "z\n" * 10 + ">1+\n" + "z\n" * 20_000,
        "angle, flying": "20x" + "z" * 20_000 + "\n" + "z\n" * 20_000,
        "flying over a row": "20x " + " z" * 200_000,
        "flying past far cells": (
            "0v\n >1+:'z\\:ff**\\aa**p:aaaa5****`#v_\n" + " " * 31 + ">aaaaa****k2x\n"
        ),
        "flying over a torus": "20x" + " " * 1_000_000 + "\n" * 3,
        "bounds that change": "'z990**99*9*p' 990**99*9*p" + "\n" * 3000 + " " * 3000 + "\n",
        "far row": "aaaaaa*****:*v\n             >1+:'z\\5p",
        "far diagonal": "aaaaaa*****v\n           >1+:'z\\:p",
        "cells near the window": "v\n>1+:'z\\a+::ff*/\\ff*%p",
        "stack of stacks": "0{",
        "block": "aaaaaa*****k1v\n             >aaaaaa*****{aaaaaa*****}",
        "under": "0{aaaaaa*****k1v\n               >aaaaaa*****u0aaaaaa*****-u",
        "split with a deep stack": "aaaaa****k1v\n         >#@t",
        "crowd": "t",
        "y with many stacks": "v\n>0{" + "0{" * 30 + "99*y$",
        "string of the stack": '"NRTS"4(aaaaa****k1v\n                 >N',
        "sum of the stack": '"SYOT"4(aaaaa****k1v\n                 >1aaaaa****k1E',
        "inverted stack": '"EDOM"4(Iaaaaaa*****{z1+',
        "roll of a deep stack": '"HTRF"4(aaaaa****:{v\n                  >9aaaaa****L$',
        "fill": '"SYOT"4(v\n         >1aa*aa*00S',
        "name of a fingerprint": "aaaaa****k1v\n           >aaaaaa*****(r",
    },
    "brainfuck": {
        "growing tape": "+[>+]",
        "growing tape to the left": "+[<+]",
        "tape that wraps": "<+[<+]",
        "loop without end": "+[]",
        "nested multiplication": "-[>-[>-[>-[>+<-]<-]<-]<-]",
        "scans of a long tape": "+>" * 400_000 + "+[[<]>[>]<]",
        "scan by two": "+>+>" * 200_000 + "+[[<<]>>[>>]<<]",
        "moves over a long tape": ">" * 100_000 + "+[" + "<" * 50_000 + ">" * 50_000 + "]",
        "search": ">" * 200_000 + "+[<]" + "<" * 10 + "+[[>]+[<]>]",
    },
    "whitespace": {
        "push": "label a\npush 1\njump a\n",
        "slide": "push 1\nlabel a\ndup\nslide 1000000000\npush 1\njump a\n",
        "copy": "push 1\npush 2\nlabel a\ncopy 1\njump a\n",
        "heap": "push 1\nlabel a\ndup\ndup\nstore\npush 7919\nadd\njump a\n",
        "large heap": "push 1\nlabel a\ndup\ndup\nstore\npush 79197919791979197919\nadd\njump a\n",
        "calls": "label a\ncall a\n",
        "slide of a deep stack": (
            "push 0\nlabel a\npush 1\nadd\ndup\ndup\npush 300000\nsub\njn a\nslide 299990\n"
        ),
        "slide of large numbers": (
            "push 99999999999999999999\nlabel a\n" + "dup\n" * 1000 + "slide 500\njump a\n"
        ),
        "heap backwards": "push 4000000\nlabel a\ndup\ndup\nstore\npush 1\nsub\njump a\n",
        "negative heap": "push -1\nlabel a\ndup\ndup\nstore\npush 1\nsub\njump a\n",
    },
    "shakespeare": {
        "push": (
            "Deep.\nRomeo, a man.\nJuliet, a woman.\nAct I: A.\nScene I: B.\n"
            "[Enter Romeo and Juliet]\n"
            "Romeo: Remember a cat. Let us return to scene I.\n"
        ),
    },
    "unlambda": {
        "deep continuations": "``ci``s``s`kci``sii``s`kc``sii",
        "continuations that return": "```sii``s`kc``s`k`ci``sii",
        "delayed": "``d``sii``s`kd``sii",
        "pairs": "```s`ks``sii``s`ks``sii",
        "growing": "```sii``ss``sii",
        "continuations": "```sii`c`ci",
        "self": "```sss``sss`ss",
    },
}
OPTIONS = {"whitespace": {"notation": "assembly"}}  # of those above and of the memory bombs
MORE_OPTIONS: dict[str, dict[str, str]] = {
    "growing tape to the left": {"tape": "both-ways"},
    "tape that wraps": {"tape": "wrap", "size": "200000000"},
}
BOMBS = TESTS / "running" / "memory_bombs"
BOMB_ENDINGS = {
    "befunge-98": ".b98",
    "brainfuck": ".bf",
    "shakespeare": ".spl",
    "unlambda": ".unl",
    "whitespace": ".wsa",
}


def timed(machine: CoreMachine, steps: int) -> float:
    began = time.process_time()
    machine.run(steps)
    return time.process_time() - began


def longest(machine: CoreMachine) -> tuple[float, int]:
    """The longest of the next steps, and its number."""
    program: Any = machine.program
    snapshot = machine.snapshot()
    if timed(machine, SLICE) < MILLISECOND:
        return 0.0, 0
    times: list[list[float]] = []
    work: list[int] = []
    for _ in range(2):
        again: CoreMachine = program.resume(snapshot, limits=machine.limits)
        again.run(0)
        row: list[float] = []
        work = []
        while again.status not in FINAL and len(row) < SLICE:
            before = again.work
            row.append(timed(again, 1))
            work.append(again.work - before)
        times.append(row)
    least = [max(0.0, min(pair) - units * UNIT) for *pair, units in zip(*times, work, strict=False)]
    if not least:
        return 0.0, 0
    return max(least), snapshot.steps + least.index(max(least)) + 1


def search(machine: CoreMachine, seconds: float) -> tuple[float, int]:
    """The longest step of a run, looked for at growing distances."""
    found, rest = (0.0, 0), SLICE
    until = time.process_time() + seconds
    while machine.status not in FINAL and time.process_time() < until:
        found = max(found, longest(machine))
        machine.patience = max(0.01, until - time.process_time())
        machine.run(rest)
        rest = min(2 * rest, 1_000_000)
    return found


def slices(program: Any, limits: Limits, seconds: float) -> list[tuple[float, int]]:
    """Time without work of each slice of a run, and its first step."""
    machine: CoreMachine = program.start(limits=limits)
    found: list[tuple[float, int]] = []
    until = time.process_time() + seconds
    while machine.status not in FINAL and time.process_time() < until:
        before, work = machine.steps, machine.work
        taken = timed(machine, WHOLE_SLICE)
        found.append((max(0.0, taken - (machine.work - work) * UNIT), before + 1))
    return found


def search_whole(program: Any, limits: Limits, seconds: float) -> tuple[float, int]:
    """The longest slice of two runs, less the median, and its first step."""
    pairs = zip(*(slices(program, limits, seconds) for _ in range(2)), strict=False)
    times = sorted(min(pair) for pair in pairs)
    if not times:
        return 0.0, 0
    return times[-1][0] - times[len(times) // 2][0], times[-1][1]


def programs(language: str) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """Name, source and options of each program."""
    options = OPTIONS.get(language, {})
    for name, text in HOSTILE[language].items():
        yield name, text.encode(), options | MORE_OPTIONS.get(name, {})
    for path in sorted(BOMBS.glob(f"*{BOMB_ENDINGS[language]}")):
        yield path.name, path.read_bytes(), options
    ending = find_language(language).extensions[0]
    for path in sorted((TESTS / "programs" / language).glob(f"*{ending}")):
        yield path.name, path.read_bytes(), {}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Find the single steps that take longest.")
    parser.add_argument("--language", action="append", choices=list(language_ids()))
    parser.add_argument("--engine", choices=["compiled", "plain"])
    parser.add_argument("--memory", type=int, default=256, help="the limit in MiB")
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time of each program")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--least", type=float, default=0.5, help="milliseconds from which to print")
    parser.add_argument("--whole", action="store_true", help="time all steps of two runs")
    args = parser.parse_args(arguments)
    limits = Limits(memory=args.memory << 20)
    for language in args.language or language_ids():
        for engine in [args.engine] if args.engine else engine_names(language):
            for name, source, options in programs(language):
                if args.only not in name:
                    continue
                program = parsed(language, source, engine, **options)
                if args.whole:
                    seconds, step = search_whole(program, limits, args.seconds)
                else:
                    seconds, step = search(program.start(limits=limits), args.seconds)
                if seconds >= args.least / 1000:
                    where = f"{language}, {engine}: {name}"
                    print(f"{seconds * 1000:10.2f} ms  step {step:>12,}  {where}", flush=True)
                gc.collect()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
