"""``esoplay play``: the terminal application."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "open the terminal application"
DESCRIPTION = """\
Open the terminal application: problems to solve, an editor, a debugger that goes back in
time, and tests.  With FILE it opens that program instead, and reads it again when it changes;
with --problem as well, the problem's examples are run again each time.
"""
EXAMPLES = """\
examples:
  esoplay                    where you left off
  esoplay play hello.bf      with a file of your own
  esoplay play rev.bf --problem E08
                             the same, tested by a problem's examples whenever it is saved
"""

HEADLESS = """\
esoplay: the terminal application needs a terminal, and this is none. Everything works without \
one as well: `esoplay run FILE` runs a program, `esoplay debug --repl FILE` steps through it, \
`esoplay problems` lists the problems, `esoplay grade FILE --problem E01` tests a solution, \
`esoplay session` and `esoplay serve` are for agents and scripts. `esoplay --help` has the rest."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a program to open")
    parser.add_argument("--problem", metavar="ID", help="what FILE is to solve, such as E08")
    parser.add_argument("--lang", metavar="L", help="language, if FILE's extension does not tell")


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import EXIT_USAGE, UsageError

    if args.file is None and (args.problem or args.lang):
        raise UsageError("--problem and --lang are about a FILE, and none was named")
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not terminal or os.environ.get("TERM") == "dumb":
        print(HEADLESS, file=sys.stderr)
        return EXIT_USAGE
    from pathlib import Path

    from esoplay.tui import launch

    file = Path(args.file) if args.file else None
    return launch(file, language=args.lang, problem=args.problem)
