"""All benchmarks, as one table with the targets beside the figures: ``make bench``.

    python docs/benchmarks/run.py                   everything, a few minutes
    python docs/benchmarks/run.py --quick           does it work at all: seconds, no true figures
    python docs/benchmarks/run.py --only history    one of them; --help lists their names
    python docs/benchmarks/run.py --json            for programs

The exit code is 1 when a target is missed (never with --quick) or a result is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from importlib import import_module

from measure import (
    FOLDER,
    Row,
    WrongAnswerError,
    machine_line,
    use_checkout_unless_installed,
    use_tier,
)

BENCHMARKS = ("speed", "startup", "languages", "history", "screen", "grading")
"""Benchmarks that are not about one language; ``speed`` is for Brainfuck."""

AS_USED = ("startup", "screen", "grading")
"""Benchmarks that run as users do; the others measure the core, and the native tier where said."""


def main(arguments: list[str]) -> int:
    """Run the chosen benchmarks and print their rows as they come."""
    use_checkout_unless_installed()
    names = benchmarks()
    parser = argparse.ArgumentParser(
        description="Measure esoplay, against its peers where they are there."
    )
    parser.add_argument("--quick", action="store_true", help="small and once: a smoke test")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    parser.add_argument("--only", choices=names, action="append", help="only this one")
    args = parser.parse_args(arguments)
    machine = machine_line()
    if not args.json:
        print(machine, end="\n\n")
    rows: list[Row] = []
    try:
        for name in args.only or names:
            with use_tier("auto" if name in AS_USED else "core"):
                for row in import_module(name).rows(args.quick):
                    rows.append(row)
                    if not args.json:
                        print(_line(row, args.quick), flush=True)
    except WrongAnswerError as error:
        print(f"wrong result: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}))
    return int(not args.quick and any(row.met is False for row in rows))


def benchmarks() -> list[str]:
    """``BENCHMARKS``, and the modules here that are named like an installed language's folder."""
    from esolangs.registry import language_ids

    folders = [id.replace("-", "_") for id in language_ids()]
    own = [name for name in folders if (FOLDER / f"{name}.py").is_file()]
    return [BENCHMARKS[0], *own, *BENCHMARKS[1:]]


def _line(row: Row, quick: bool) -> str:
    target = row.target
    if row.met is not None and not quick:
        target += "  reached" if row.met else "  MISSED"
    return f"{row.name:<44} {row.measured:<66} {target}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
