"""``esoplay debug``: the debugger on a screen, or as text commands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esolangs.errors import ParseError
    from esoplay.service.debugging import Debugger

SUMMARY = "debug a program, forwards and backwards in time"
DESCRIPTION = """\
Open FILE in the debugger, paused before its first step. With --repl the same debugger takes plain
text commands from stdin, for scripts, screen readers and dumb terminals; type help there.
Where FILE.map.json leads from FILE to its generator's source, that has lines and variables, too.
With --repl and no input given, the input is open: feed it, or end it with eof."""
EXAMPLES = """\
examples:
  esoplay debug hello.bf
  esoplay debug sum.bf --input '5 7' --repl
  printf 'watch output 2\\nc\\nview\\n' | esoplay debug hello.bf --input '' --repl
  echo 'end' | esoplay debug hello.bf --input '' --repl --json
  printf 'break line 7\\nc\\nvars\\n' | esoplay debug sort.bf --input '3 1 2' --repl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program")
    parser.add_argument("--lang", metavar="L", help="language, if the extension does not tell")
    parser.add_argument("--dialect", metavar="D", default="standard", help="standard or benchmark")
    parser.add_argument(
        "--set", metavar="K=V", action="append", default=[], help="change one option of the dialect"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="what the program reads")
    source.add_argument("--input-file", metavar="F", help="a file that the program reads")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="for languages with chance"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--map", metavar="F", help="its source map, if that is not FILE.map.json (--repl)"
    )
    which.add_argument("--no-map", action="store_true", help="take up no source map")
    parser.add_argument("--repl", action="store_true", help="plain text commands on stdin")
    parser.add_argument("--json", action="store_true", help="one JSON object a command (--repl)")


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import UsageError

    if args.repl:
        return _run_repl(args)
    if args.json:
        raise UsageError("--json goes with --repl")
    if args.set or args.seed:
        raise UsageError("--set and --seed go with --repl; the screen has commands for them")
    if args.map or args.no_map:
        raise UsageError("--map and --no-map go with --repl")
    return _run_screen(args)


def _run_repl(args: argparse.Namespace) -> int:
    from esoplay.cli.repl.terminal import converse
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

    if args.file == "-":
        raise UsageError("stdin carries the commands, so the program must be a file")
    from esolangs.errors import ParseError

    try:
        debugger = _open(args)
    except ParseError as error:
        from esolangs.diagnosis import PARSE_ERROR
        from esoplay.cli.output import narrate
        from esoplay.service.advice import advice_on
        from esoplay.service.programs import language_for

        place = f"line {error.line}, column {error.column}"
        narrate(f"esoplay: {args.file}: {place}: {error.message}")
        advice = advice_on(language_for(args.file, args.lang).id, PARSE_ERROR, error.message)
        if advice:
            narrate(f"esoplay: {args.file}: try: {advice}")
        if args.json:
            _print_refusal(error, advice)
        return EXIT_FAILED
    converse(debugger, as_json=args.json)
    return EXIT_PASSED


def _print_refusal(error: ParseError, advice: str) -> None:
    """Answer what would be the first object: the program cannot be opened."""
    from esoplay.cli.output import print_json

    told = {
        "kind": "parse_error",
        "message": error.message,
        "line": error.line,
        "column": error.column,
        "offset": error.offset,
    }
    answer = {"command": "open", "ok": False, "error": told}
    print_json({**answer, "advice": advice} if advice else answer)


def _open(args: argparse.Namespace) -> Debugger:
    import time

    from esoplay.cli.output import parse_settings, read_program
    from esoplay.service.debugging import Debugger
    from esoplay.service.programs import language_for

    stdin = _stdin(args)
    debugger = Debugger.open(
        language_for(args.file, args.lang).id,
        read_program(args.file),
        stdin=stdin or b"",
        closed=stdin is not None,
        dialect=args.dialect,
        options=parse_settings(args.set),
        seed=args.seed,
        started=int(time.time()),
    )
    if not args.no_map:
        _take_up_map(debugger, args)
    return debugger


def _take_up_map(debugger: Debugger, args: argparse.Namespace) -> None:
    """Open the map that is named, or the one beside the program if there is one that fits."""
    import os

    if args.map is None and not os.path.exists(f"{args.file}.map.json"):
        return  # before anything is imported for it
    from pathlib import Path

    from esoplay.cli.output import narrate
    from esoplay.service.source_maps import MapError, map_path, read_map

    try:
        debugger.use_map(read_map(Path(args.map) if args.map else map_path(args.file)))
    except MapError as error:
        if args.map is not None:
            raise
        narrate(f"esoplay: warning: {map_path(args.file)} is not used: {error}")


def _run_screen(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from esoplay.cli.output import narrate
    from esoplay.cli.style import is_plain
    from esoplay.errors import EXIT_USAGE

    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal and is_plain():
        return _run_repl(args)
    if not terminal:
        narrate(
            "esoplay: the debugger needs a terminal that can draw its screen, and this is none; "
            f"the same debugger takes text commands with: esoplay debug {args.file} --repl"
        )
        return EXIT_USAGE
    from esoplay.service.programs import language_for
    from esoplay.tui import launch

    language = language_for(args.file, args.lang)
    return launch(
        Path(args.file),
        debug=True,
        stdin=_stdin(args) or b"",
        language=language.id,
        dialect=args.dialect,
    )


def _stdin(args: argparse.Namespace) -> bytes | None:
    """The input that the arguments give; None when they leave it open."""
    import os

    from esoplay.cli.output import read_file

    if args.input is not None:
        return os.fsencode(args.input)
    return None if args.input_file is None else read_file(args.input_file)
