"""``esoplay run``: run a program; its input and output bytes are passed on unchanged."""

from __future__ import annotations

import os
import time

from esolangs.limits import World
from esoplay.cli.output import parse_settings, print_stderr, read_file, read_program, write_file
from esoplay.descriptors import read_some, write_all
from esoplay.errors import EXIT_FAILED, UsageError
from esoplay.programs import execution
from esoplay.running.run import run_source

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.running.run import Outcome


SUMMARY = "run a program"
DESCRIPTION = """\
Run FILE. The program reads esoplay's own stdin, and its output goes to stdout unchanged.
Exit status: 0 ran to its end, 1 the program failed, 2 usage, 3 a limit was reached."""
EXAMPLES = """\
examples:
  esoplay run hello.bf
  printf '5 7' | esoplay run sum.bf
  esoplay run sum.bf --input '5 7' --max-steps 10000000 --json
  echo '+[]' | esoplay run - --lang brainfuck --input '' --time-limit 2
  esoplay run notes.b98 --allow-files notes
  esoplay run square.b98 --drawing square.svg"""

_CHUNK = 1 << 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program; - is stdin")
    parser.add_argument("--lang", metavar="L", help="language; default: by the file's extension")
    parser.add_argument("--dialect", metavar="D", default="standard", help="standard or benchmark")
    parser.add_argument(
        "--set", metavar="K=V", action="append", default=[], help="change one option of the dialect"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--input",
        metavar="TEXT",
        help="input of the program instead of stdin; --input=-x if it starts with a dash",
    )
    source.add_argument("--input-file", metavar="F", help="file with the input")
    parser.add_argument("--max-steps", metavar="N", type=int, help="default: no limit")
    parser.add_argument("--max-output", metavar="N", type=int, help="bytes; default: no limit")
    parser.add_argument("--max-memory", metavar="BYTES", type=int, help="default: 256 MiB")
    parser.add_argument(
        "--max-work",
        metavar="N",
        type=int,
        help="limit of work on large numbers and many cells, in units of about 3 ns; "
        "default: 2000000000, which takes some seconds",
    )
    parser.add_argument(
        "--time-limit",
        metavar="S",
        type=float,
        help="seconds of wall time, counted from when stdin was read completely",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed for programs with random choices"
    )
    parser.add_argument(
        "--allow-files",
        metavar="DIR",
        help="allow the program to read and write files in this folder",
    )
    parser.add_argument(
        "--drawing",
        metavar="FILE",
        help="SVG file for what the program draws, in languages with drawing",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object with the outcome"
    )
    parser.add_argument(
        "--full-output",
        action="store_true",
        help="with --json: show the first 64 MiB of the output, not only the first MiB",
    )


def run_file(path: str) -> int:
    """Execute ``esoplay run PATH`` with all defaults, without creating an argument parser."""
    language = execution.language_for(path)
    outcome = run_source(
        language.id,
        read_program(path),
        stdin=_read_stdin,
        write=_write_stdout,
        world=World(int(time.time())),
    )
    _report(path, outcome)
    return outcome.exit_code


def _is_same_file(path: str | None, *others: str | None) -> bool:
    """Return whether ``path`` refers to the same file as one of ``others``."""
    if path is None:
        return False
    real = os.path.realpath(path)
    return any(other is not None and os.path.realpath(other) == real for other in others)


def run(args: argparse.Namespace) -> int:
    language = execution.language_for(args.file, args.lang)
    source = read_program(args.file)
    if args.input is not None:
        stdin = os.fsencode(args.input)
    elif args.input_file is not None:
        stdin = read_file(args.input_file)
    else:
        stdin = b"" if args.file == "-" else _read_stdin
    if _is_same_file(args.drawing, args.file, args.input_file):
        raise UsageError(f"the drawing would replace {args.drawing}; name another file")
    shown = _output_buffer(args) if args.json else None
    outcome = execution.run(
        language.id,
        source,
        dialect=args.dialect,
        options=parse_settings(args.set),
        stdin=stdin,
        limits=_limits(args),
        seed=args.seed,
        time_limit=args.time_limit,
        write=_write_stdout if shown is None else shown.write,
        folder=args.allow_files,
        include_drawing=args.drawing is not None,
    )
    if outcome.drawing is not None:
        from esoplay.programs.drawings import make_svg

        write_file(args.drawing, make_svg(outcome.drawing), private=False)
    if shown is not None:
        from esoplay.cli.output import print_json
        from esoplay.programs.execution import outcome_as_json

        print_json(outcome_as_json(shown.with_shown_output(outcome)))
    else:
        _report(args.file, outcome)
    if args.drawing is not None and outcome.drawing is None:
        name = "stdin" if args.file == "-" else args.file
        print_stderr(f"esoplay: {name}: the program drew nothing; {args.drawing} was not written")
        print_stderr(f"esoplay: {name}: try: load TURT and put the pen down with 1P before F")
        return outcome.exit_code or EXIT_FAILED
    return outcome.exit_code


def _output_buffer(args: argparse.Namespace):
    """Return the buffer for the output that ``--json`` shows, limited by ``--max-output``."""
    from esoplay.running.run import FULL_OUTPUT, SHOWN_OUTPUT, OutputPrefix

    if args.full_output:
        return OutputPrefix(FULL_OUTPUT)
    return OutputPrefix(
        SHOWN_OUTPUT if args.max_output is None else min(args.max_output, FULL_OUTPUT)
    )


def _limits(args: argparse.Namespace):
    from esolangs.limits import Limits

    limits = Limits()
    for name in ("steps", "output", "memory", "work"):
        value = getattr(args, f"max_{name}")
        if value is not None:
            if value < 0:
                raise UsageError(f"--max-{name} must be an integer, 0 or more, not {value}")
            setattr(limits, name, value)
    if args.time_limit is not None and not 0 < args.time_limit < float("inf"):
        raise UsageError(
            f"--time-limit must be a number of seconds above 0, not {args.time_limit:g}"
        )
    return limits


def _report(path: str, outcome: Outcome) -> None:
    """Print warnings, the error and advice on stderr."""
    name = "stdin" if path == "-" else path
    for warning in outcome.warnings:
        print_stderr(f"esoplay: {name}: warning: {warning}")
    if outcome.stderr:
        print_stderr(f"esoplay: {name}: {outcome.stderr}")
    if outcome.status == "work_limit":
        smaller = "smaller numbers or fewer cells"
        print_stderr(f"esoplay: {name}: try: --max-work N with a larger N, or {smaller}")
    if outcome.fault is not None:
        from esoplay.programs.execution import advice_on

        advice = advice_on(outcome.language, outcome.fault.kind, outcome.fault.message)
        if advice:
            print_stderr(f"esoplay: {name}: try: {advice}")


def _read_stdin() -> bytes:
    """Wait for input and return the available bytes of stdin; empty at its end."""
    return read_some(0, _CHUNK)


def _write_stdout(data: bytes) -> None:
    """Write directly to the file descriptor, so that program output precedes all other output."""
    write_all(1, data)
