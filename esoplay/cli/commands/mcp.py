"""``esoplay mcp``: serve tools to models with the Model Context Protocol."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "serve tools to models with the Model Context Protocol"
DESCRIPTION = """\
Serve tools over the Model Context Protocol to the client that starts this command, or with --http
to clients that connect to a port. With --session the client is that session's solver, and sees
nothing else; without --session it can read problems, run programs, grade them with the practice
tests, and debug.
Needs the extra mcp: pip install 'esoplay[mcp]'."""
EXAMPLES = """\
examples:
  esoplay mcp
  esoplay mcp --session 0123456789ab --store runs.sqlite
  esoplay mcp --session 0123456789ab --http 8000      at http://127.0.0.1:8000/mcp
  claude mcp add esoplay -- esoplay mcp
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="session to solve")
    parser.add_argument(
        "--store", metavar="FILE", help="store of the session; default: your own sessions"
    )
    parser.add_argument(
        "--allow-debug",
        action="store_true",
        help="let the solver debug even if the session's protocol forbids it",
    )
    parser.add_argument(
        "--http",
        metavar="[HOST:]PORT",
        help="serve over HTTP at this address; default host: 127.0.0.1; port 0: any free port",
    )


def run(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from esoplay.errors import EXIT_PASSED, UsageError

    if args.session is None and (args.store is not None or args.allow_debug):
        raise UsageError("--store and --allow-debug require --session")
    address = None if args.http is None else _address(args.http)
    if address is None and sys.stdin.isatty():
        raise UsageError("a client of the protocol starts this command; docs/mcp.md shows how")
    from esoplay.benchmark.sessions import find_store
    from esoplay.rpc.connection import Connection
    from esoplay.rpc.mcp.server import serve_http, serve_stdio

    store = None if args.store is None else Path(args.store)
    if store is None and args.session is not None:
        store = find_store(args.session)
    connection = Connection(args.session, solver_may_debug=args.allow_debug, store=store)
    try:
        if args.session is not None:
            connection.sessions.status(args.session)
        if address is None:
            serve_stdio(connection)
        else:
            serve_http(connection, *address)
    finally:
        connection.close()
    return EXIT_PASSED


def _address(text: str) -> tuple[str, int]:
    from esoplay.errors import UsageError

    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--http {text}: expected [HOST:]PORT, such as 8000 or 0.0.0.0:8000")
    return host.strip("[]") or "127.0.0.1", int(port)
