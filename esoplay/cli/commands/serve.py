"""``esoplay serve``: JSON-RPC on stdin and stdout."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.rpc.connection import Connection

SUMMARY = "JSON-RPC 2.0 on stdin and stdout, for agents, scripts and editors"
DESCRIPTION = """\
Answer JSON-RPC 2.0 requests, one message a line, until stdin ends. The operator (default) may
call everything. A solver, who is handed one session, sees that session and nothing else.
stdout carries the protocol alone; the log goes to stderr."""
EXAMPLES = """\
examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}' | esoplay serve
  esoplay serve --store runs.sqlite --seed-file ~/seed
  esoplay serve --solver --session 0123456789ab
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="FILE", help="where sessions are kept, else your own")
    parser.add_argument("--seed-file", metavar="F", help="the seed of new sessions, else a new one")
    parser.add_argument("--solver", action="store_true", help="serve a solver; needs --session")
    parser.add_argument("--session", metavar="ID", help="the session that the solver is handed")
    parser.add_argument(
        "--allow-debug",
        action="store_true",
        help="let the solver debug in a benchmark session, too",
    )


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.rpc.stdio import serve_stdio

    if args.solver != (args.session is not None):
        raise UsageError("--solver and --session ID go together")
    if args.allow_debug and not args.solver:
        raise UsageError("--allow-debug is about a solver; the operator may debug anyway")
    if args.solver and args.seed_file is not None:
        raise UsageError("a solver begins no sessions, so --seed-file has no meaning")
    serve_stdio(_open(args))
    return EXIT_PASSED


def _open(args: argparse.Namespace) -> Connection:
    """The connection that the arguments describe; raises for a session that is not there."""
    from pathlib import Path

    from esoplay.rpc.connection import Connection
    from esoplay.service.sessions import store_of

    store = None if args.store is None else Path(args.store)
    seed_file = None if args.seed_file is None else Path(args.seed_file)
    if args.solver and store is None:
        store = store_of(args.session)
    connection = Connection(
        args.session, solver_may_debug=args.allow_debug, store=store, seed_file=seed_file
    )
    if args.solver:
        connection.sessions.status(args.session)
    return connection
