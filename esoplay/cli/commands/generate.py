"""``esoplay generate``: compile a program in a subset of Python to an esoteric language."""

from __future__ import annotations

from esolangs.wording import plural

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.programs.generation import GeneratedProgram


SUMMARY = "compile a source in a subset of Python to an esoteric language"
DESCRIPTION = """\
Compile a source, written in a small typed subset of Python, to a program in an esoteric language.
--run runs the source in CPython instead and checks every operation: this run defines what the
compiled program must do.
With --lang, --run also stops if an int exceeds the range of that language.
The source map links each byte of the program to its source line.
Exit status: 0 done, 1 the source is wrong, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay generate sort.py --lang brainfuck -o sort.bf
                                       sort.bf, and sort.bf.map.json beside it
  esoplay generate sort.py --lang whitespace > sort.ws
  esoplay generate sort.py --lang shakespeare --comments
  esoplay generate sort.py --run --input '3
  2 1 3'                               run the source in CPython
  esoplay generate sort.py --run --lang brainfuck --input-file big.txt
                                       the same, with the int range of Brainfuck
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="the source; - is stdin")
    parser.add_argument(
        "--lang",
        metavar="L",
        help="target language; with --run, stop if an int exceeds the range of this language",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")
    parser.add_argument("--map", metavar="FILE", help="source map file; default: beside -o FILE")
    parser.add_argument("--comments", action="store_true", help="add comments to the program")
    parser.add_argument("--run", action="store_true", help="run the source in CPython instead")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="with --run: input")
    source.add_argument("--input-file", metavar="F", help="with --run: file with the input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--full-output",
        action="store_true",
        help="with --run: show the whole output, not only the first MiB",
    )


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import print_json, read_program
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.programs.generation import (
        MAP_SUFFIX,
        back_end_ids,
        check_distinct_paths,
        generate,
        source_text,
    )

    language: str | None = args.lang
    if not args.run and language is None:
        known = ", ".join(back_end_ids())
        raise UsageError(
            f"expected --lang L (one of {known}), or --run to run the source in CPython"
        )
    name = "stdin" if args.source == "-" else Path(args.source).name
    text = source_text(read_program(args.source), args.source)
    if args.run or language is None:
        return _run(text, name, language, args)
    if args.input is not None or args.input_file is not None:
        raise UsageError(
            "--input and --input-file require --run; the generated program reads its own input"
        )
    target: str | None = args.output
    map_file: str | None = args.map or (target + MAP_SUFFIX if target else None)
    check_distinct_paths(args.source, target, map_file)
    made = generate(text, language.lower(), name=name, comments=args.comments)
    if args.json:
        print_json(made.as_json())
    _write(made, target, map_file, printed=args.json)
    return EXIT_PASSED


def _run(text: str, name: str, language: str | None, args: argparse.Namespace) -> int:
    import os
    import sys

    from esolangs.limits import UNLIMITED
    from esoplay.cli.output import print_json, print_stderr, read_program
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.programs.generation import run_in_python
    from esoplay.running.run import FULL_OUTPUT, SHOWN_OUTPUT, OutputPrefix, truncation_fields

    if args.output or args.map or args.comments:
        raise UsageError("--run does not write a program; leave out -o, --map and --comments")
    if args.source == args.input_file == "-":
        raise UsageError("SOURCE and --input-file cannot both be stdin")
    if args.input_file is not None:
        stdin = read_program(args.input_file)
    else:
        stdin = os.fsencode(args.input or "")
    most = (FULL_OUTPUT if args.json else UNLIMITED) if args.full_output else SHOWN_OUTPUT
    head = OutputPrefix(most, None if args.json else sys.stdout.buffer.write)
    language = None if language is None else language.lower()
    try:
        run_in_python(text, stdin, name=name, language=language, write=head.write)
    finally:
        if not args.json:
            sys.stdout.buffer.flush()
    if args.json:
        shown = head.shown_bytes
        cut = truncation_fields(head.size) if len(shown) < head.size else {}
        print_json({"stdout": shown.decode("utf-8", "replace"), **cut})
    elif head.kept_size < head.size:
        shown = f"the first {head.kept_size:,} of {head.size:,} bytes of output are shown"
        print_stderr(f"esoplay: {name}: {shown}; try: --full-output")
    return EXIT_PASSED


def _write(
    generated: GeneratedProgram, target: str | None, map_file: str | None, *, printed: bool
) -> None:
    """Write a program and its map to files; without a file, print the program.

    printed: whether the program was already printed as JSON.
    """
    import json

    from esoplay.cli.output import print_program, print_stderr

    if target is not None:
        _save(target, generated.source)
    elif not printed:
        print_program(generated.source)
    if map_file is not None:
        _save(map_file, json.dumps(generated.source_map.as_json()).encode() + b"\n")
    if target is not None:
        size = f"{plural(len(generated.source), 'byte')} of {generated.language}"
        print_stderr(f"{target}: {size}; the map is {map_file}")


def _save(path: str, data: bytes) -> None:
    from pathlib import Path

    from esoplay.errors import UsageError

    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
