"""``esoplay session``: solve the problems of a pack under a protocol."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "solve problems under the rules of a benchmark, or practise"
DESCRIPTION = """\
In a session one solver works through the problems in one language, under a protocol: primary is the
benchmark (three submissions per problem, hidden tests, fixed order), practice explains every test;
`protocols` lists them. `init` creates a workspace folder; inside it the other commands find their
session.
Exit status: 0 passed, 1 the program was wrong or the command refused, 2 usage, 3 limit reached."""
EXAMPLES = """\
examples:
  esoplay session init --language brainfuck --workspace bench && cd bench
  esoplay session fetch
  esoplay session run hello.bf --input 'some text'
  esoplay session submit E01 hello.bf --json
  esoplay session status
  esoplay session export -o session.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.session import Actions
    from esoplay.cli.session.exports import (
        add_events,
        add_export_and_reveal,
        add_replay,
        add_verify,
    )
    from esoplay.cli.session.moves import add_moves, add_status
    from esoplay.cli.session.setup import add_client, add_init, add_protocols

    parser.add_argument(
        "--connect",
        dest="connect_first",
        metavar="PATH",
        help="play through the socket of a server",
    )
    actions = Actions(parser)
    add_init(actions)
    add_moves(actions)
    add_status(actions)
    add_export_and_reveal(actions)
    add_events(actions)
    add_replay(actions)
    add_verify(actions)
    add_client(actions)
    add_protocols(actions)


def run(args: argparse.Namespace) -> int:
    if args.connect_first is not None:
        from esoplay.cli.session import perform_via_socket

        return perform_via_socket(args)
    return args.perform(args)
