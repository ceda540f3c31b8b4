"""``esoplay debug``: debug a program on a screen or with text commands."""

from __future__ import annotations

from esoplay.cli.output import (
    add_colours,
    apply_colours,
    has_screen,
    is_plain,
    parse_settings,
    print_json,
    print_stderr,
    read_file,
    read_program,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esolangs.errors import ParseError
    from esoplay.codegen.errors import SourceError
    from esoplay.codegen.source_map import SourceMap
    from esoplay.debugging.debugger import Debugger
    from esoplay.programs.generation import GeneratedProgram


SUMMARY = "debug a program, forwards and backwards in time"
DESCRIPTION = """\
Open FILE in the debugger, paused before its first step. With --repl the same debugger reads plain
text commands from stdin, for scripts, screen readers and dumb terminals; type help there.
If FILE.map.json exists, the debugger also shows the lines and variables of the generator's source.
A write-once source, SOURCE.py, is compiled to the language L and debugged line by line.
With --repl and without --input, the input stays open: add to it with feed, end it with eof."""
EXAMPLES = """\
examples:
  esoplay debug hello.bf
  esoplay debug hello.bf --step 120 --play
  esoplay debug sum.bf --input '5 7' --repl
  printf 'watch output 2\\nc\\nview\\n' | esoplay debug hello.bf --input '' --repl
  echo 'end' | esoplay debug hello.bf --input '' --repl --json
  printf 'break line 7\\nc\\nvars\\n' | esoplay debug sort.bf --input '3 1 2' --repl
  esoplay debug sort.py --lang whitespace --input '3 1 2'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, or a source SOURCE.py")
    parser.add_argument("--lang", metavar="L", help="language; default: by the file's extension")
    parser.add_argument("--dialect", metavar="D", default="standard", help="standard or benchmark")
    parser.add_argument(
        "--set", metavar="K=V", action="append", default=[], help="change one option of the dialect"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="input of the program")
    source.add_argument("--input-file", metavar="F", help="file with the input")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed for languages with random choices"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--map", metavar="F", help="source map; default: FILE.map.json")
    which.add_argument("--no-map", action="store_true", help="ignore source maps")
    parser.add_argument("--step", metavar="N", type=int, default=0, help="start at step N")
    parser.add_argument(
        "--play", action="store_true", help="play the run as soon as it is open, like the key P"
    )
    parser.add_argument("--repl", action="store_true", help="read text commands from stdin")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per command (--repl)"
    )
    parser.add_argument(
        "--strict", action="store_true", help="stop at the first failing command (--repl)"
    )
    add_colours(parser)


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import UsageError

    if args.step < 0:
        raise UsageError(f"--step must be an integer, 0 or more, not {args.step}")
    if args.repl and args.play:
        raise UsageError("--play requires the terminal application; leave out --repl")
    if args.repl:
        return _run_repl(args)
    if args.json:
        raise UsageError("--json requires --repl")
    if args.strict:
        raise UsageError("--strict requires --repl")
    if args.set or args.seed:
        raise UsageError(
            "--set and --seed require --repl; the terminal application has commands for them"
        )
    return _run_screen(args)


def _run_repl(args: argparse.Namespace) -> int:
    from esolangs.errors import ParseError
    from esoplay.cli.repl.debugger import ScriptError, run_debugger_shell
    from esoplay.codegen.errors import SourceError
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

    if args.file == "-":
        raise UsageError("stdin carries the commands, so the program must be a file")
    try:
        debugger = debugger_for(args, _stdin(args))
    except SourceError as error:
        return _report_invalid(args, error, str(error))
    except ParseError as error:
        place = f"line {error.line}, column {error.column}"
        return _report_invalid(args, error, f"{args.file}: {place}: {error.message}")
    try:
        debugger.seek(args.step)
        run_debugger_shell(debugger, as_json=args.json, strict=args.strict)
    except ScriptError as error:
        print_stderr(f"esoplay: {error}")
        return EXIT_FAILED
    return EXIT_PASSED


def _report_invalid(args: argparse.Namespace, error: ParseError | SourceError, message: str) -> int:
    """Report that the program cannot be debugged; with ``--json`` also as the first JSON object."""
    from esolangs.diagnosis import PARSE_ERROR
    from esolangs.errors import ParseError
    from esoplay.errors import EXIT_FAILED
    from esoplay.programs.execution import advice_on, language_for

    print_stderr(f"esoplay: {message}")
    data: dict[str, object] = {
        "kind": "source_error",
        "message": error.message,
        "line": error.line,
        "column": error.column,
    }
    advice = ""
    if isinstance(error, ParseError):
        data |= {"kind": "parse_error", "offset": error.offset}
        advice = advice_on(language_for(args.file, args.lang).id, PARSE_ERROR, error.message)
    elif len(error.errors) > 1:
        data["errors"] = [
            {"message": one.message, "line": one.line, "column": one.column} for one in error.errors
        ]
    if advice:
        print_stderr(f"esoplay: {args.file}: try: {advice}")
    if args.json:
        answer = {"command": "open", "ok": False, "error": data}
        print_json({**answer, "advice": advice} if advice else answer)
    return EXIT_FAILED


def _run_screen(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.errors import EXIT_USAGE

    terminal = has_screen()
    if terminal and is_plain():
        return _run_repl(args)
    if not terminal:
        print_stderr(
            "esoplay: the debugger needs a terminal that can draw its screen; for text commands "
            f"use: esoplay debug {args.file} --repl"
        )
        return EXIT_USAGE
    from esoplay.tui import launch

    apply_colours(args.colours)
    read_program(args.file)  # report errors before the screen opens
    language, source_map = find_language_id(args), load_map_option(args)
    return launch(
        Path(args.file),
        debug=True,
        stdin=_stdin(args) or b"",
        language=language,
        dialect=args.dialect,
        source_map=False if args.no_map else source_map,
        step=args.step,
        play=args.play,
    )


def _stdin(args: argparse.Namespace) -> bytes | None:
    """Return the input that the arguments specify; None leaves the input open."""
    import os

    if args.input is not None:
        return os.fsencode(args.input)
    return None if args.input_file is None else read_file(args.input_file)


# The program and its map, either loaded or generated from a source


def is_source(path: str) -> bool:
    """Return whether a path ends in ``.py``, as the sources of ``esoplay generate`` do."""
    return path.endswith(".py")


def find_language_id(args: argparse.Namespace) -> str:
    """Return the id of the program's language or, for a write-once source, of the target language.

    Raises UsageError if the language is unknown, or if a source has no ``--lang``.
    """
    from esoplay.programs.execution import language_for

    if not is_source(args.file):
        return language_for(args.file, args.lang).id
    from esoplay.errors import UsageError
    from esoplay.programs.generation import back_end_ids

    if args.lang is None:
        known = ", ".join(back_end_ids())
        raise UsageError(
            f"{args.file} is a write-once source (see `esoplay generate --help`): choose the "
            f"target language with --lang L, one of {known}"
        )
    if args.map is not None:
        raise UsageError(
            "--map cannot be combined with a write-once source, whose map is generated"
        )
    return language_for(args.file, args.lang).id


def debugger_for(args: argparse.Namespace, stdin: bytes | None) -> Debugger:
    """Return a debugger at step 0. ``stdin``: None leaves the input open.

    Raises ParseError for an invalid program, SourceError for an invalid write-once source, MapError
    if the map does not fit, and UsageError for invalid options or an unreadable file.
    """
    import time

    from esoplay.debugging.debugger import Debugger

    language = find_language_id(args)
    made = _compile_source(args.file, language) if is_source(args.file) else None
    debugger = Debugger.open(
        language,
        read_program(args.file) if made is None else made.source,
        stdin=stdin or b"",
        closed=stdin is not None,
        dialect=args.dialect,
        options=parse_settings(args.set),
        seed=args.seed,
        started=int(time.time()),
    )
    if args.no_map:
        return debugger
    if made is None:
        _open_map(debugger, args)
    else:
        debugger.use_map(made.source_map)
    return debugger


def load_map_option(args: argparse.Namespace) -> SourceMap | None:
    """Return the source map of ``--map``, or None; raise MapError unless it fits the program."""
    if args.map is None:
        return None
    from pathlib import Path

    from esoplay.debugging.source_maps import read_map

    source_map = read_map(Path(args.map))
    source_map.check(read_program(args.file))
    return source_map


def _compile_source(file: str, language: str) -> GeneratedProgram:
    from pathlib import Path

    from esoplay.programs.generation import generate, source_text

    return generate(source_text(read_program(file), file), language, name=Path(file).name)


def _open_map(debugger: Debugger, args: argparse.Namespace) -> None:
    """Open the source map of ``--map``, or else the one next to the program if it matches."""
    import os

    if args.map is not None:
        debugger.use_map(load_map_option(args))
        return
    if not os.path.exists(f"{args.file}.map.json"):
        return  # avoids importing the modules for maps
    from esoplay.debugging.source_maps import MapError, read_map, source_map_path

    try:
        debugger.use_map(read_map(source_map_path(args.file)))
    except MapError as error:
        print_stderr(f"esoplay: warning: {source_map_path(args.file)} is not used: {error}")
