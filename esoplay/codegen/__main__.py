"""The compiler, run by ``python3 -m`` in sessions that have no ``esoplay`` command."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import TextIO, cast

from esoplay.codegen.back_ends import back_end_ids, generate_program
from esoplay.codegen.cpython import run_source
from esoplay.codegen.grammar import source_text
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.source_map import MAP_SUFFIX, check_distinct_paths, make_map
from esoplay.errors import EXIT_PASSED, EsoplayError, UsageError
from esoplay.terminal_text import TerminalStream

EXAMPLES = """\
examples:
  python3 -m {package} generate mine.py -o mine.out      writes mine.out and mine.out.map.json
  python3 -m {package} generate mine.py --comments       to stdout, with comments
  python3 -m {package} run mine.py --input '3 4'         run the source with all checks
  python3 -m {package} run --lang {language} mine.py     stop if an int overflows in {language}

Exit status: 0 success, 1 invalid source, 2 invalid usage.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return the exit status; control characters in messages are escaped."""
    with redirect_stderr(cast("TextIO", TerminalStream(sys.stderr))):
        return _main(arguments)


def _main(arguments: list[str] | None) -> int:
    args = _parser().parse_args(arguments)
    try:
        text = source_text(_read(args.source), args.source)
        if args.command == "run":
            _run(text, args)
        else:
            _generate(text, args)
    except EsoplayError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return EXIT_PASSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {__package__}",
        description="Compile sources, written in a small typed subset of Python.",
        epilog=EXAMPLES.format(package=__package__, language=back_end_ids()[0]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="generate | run")
    ids = back_end_ids()
    generate = commands.add_parser("generate", help="compile a source")
    generate.add_argument("source", metavar="SOURCE", help="the source; - is stdin")
    only = ids[0] if len(ids) == 1 else None
    generate.add_argument("--lang", choices=ids, required=only is None, default=only)
    generate.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")
    generate.add_argument("--comments", action="store_true", help="add comments")
    run = commands.add_parser("run", help="run a source in CPython, with all checks")
    run.add_argument("source", metavar="SOURCE", help="the source")
    run.add_argument(
        "--lang", choices=ids, default=only, help="stop if an int exceeds this language's range"
    )
    stdin = run.add_mutually_exclusive_group()
    stdin.add_argument("--input", metavar="TEXT", help="the program's input; default: stdin")
    stdin.add_argument("--input-file", metavar="F", help="a file with the program's input")
    return parser


def _generate(text: str, args: argparse.Namespace) -> None:
    name = Path(args.source).name
    target: str | None = args.output
    map_file = None if target is None else target + MAP_SUFFIX
    check_distinct_paths(args.source, target, map_file)
    program = compile_source(text, name, args.lang)
    made = generate_program(program, args.lang, name=name, comments=args.comments)
    data = made.text.encode("latin-1")
    if target is None or map_file is None:
        sys.stdout.buffer.write(data)
        return
    source_map = make_map(made, name, text, program.labels)
    _write(target, data)
    _write(map_file, json.dumps(source_map.as_json()).encode() + b"\n")
    print(
        f"{target}: {len(data):,} byte{'' if len(data) == 1 else 's'} of {args.lang}",
        file=sys.stderr,
    )


def _run(text: str, args: argparse.Namespace) -> None:
    stdin = os.fsencode(args.input) if args.input is not None else _read(args.input_file or "-")
    name = Path(args.source).name
    run_source(text, stdin, name=name, language=args.lang, write=sys.stdout.buffer.write)


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _write(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
