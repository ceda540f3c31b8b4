"""``esoplay dap``: the Debug Adapter Protocol server for editors."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "debug from an editor with the Debug Adapter Protocol on stdin and stdout"
DESCRIPTION = """\
Answer requests of the Debug Adapter Protocol on stdin and stdout, for editors. The request launch
accepts program, language, dialect, stdin or stdinFile, options, seed, maxSteps, stopOnEntry,
stopAtEnd, openInput and sourceMap. Stepping back and reverse continue work in all languages."""
EXAMPLES = """\
examples:
  esoplay dap
  in nvim-dap: {type = 'executable', command = 'esoplay', args = {'dap'}}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # no options: the protocol transmits everything


def run(args: argparse.Namespace) -> int:
    import sys

    from esoplay.dap.server import serve_stdio
    from esoplay.errors import EXIT_PASSED, UsageError

    del args
    if sys.stdin.isatty():
        raise UsageError("an editor starts this command; docs/dap.md shows how to set it up")
    serve_stdio()
    return EXIT_PASSED
