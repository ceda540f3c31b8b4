"""``esoplay serve``: JSON-RPC server on stdin and stdout, or on a Unix socket."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from esoplay.benchmark.sessions import Sessions
    from esoplay.rpc.connection import Connection
    from esoplay.rpc.peers import NamespaceRule

SUMMARY = "JSON-RPC 2.0 on stdin and stdout, or a socket, for agents, scripts and editors"
DESCRIPTION = """\
Answer JSON-RPC 2.0 requests, one message per line, until stdin ends; with --socket, requests of all
clients that connect, until SIGTERM or Ctrl-C. The operator (default) may call every method.
A solver sees only its own session.
A program under test can expose its hidden input in /proc. A server that admits another user
therefore does not start unless processes are hidden from that user, or every client is isolated.
Only protocol messages go to stdout; the log goes to stderr."""
EXAMPLES = """\
examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}' | esoplay serve
  esoplay serve --store runs.sqlite --seed-file ~/seed
  esoplay serve --solver --session 0123456789ab
  esoplay serve --solver --session 0123456789ab --socket bench.sock --allow-uid solver
  esoplay serve --solver --session 0123456789ab --socket bench.sock --isolated-solver
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="FILE", help="store of the sessions; default: your own store"
    )
    parser.add_argument("--seed-file", metavar="F", help="seed of new sessions; default: random")
    parser.add_argument("--solver", action="store_true", help="serve a solver; needs --session")
    parser.add_argument("--session", metavar="ID", help="session of the solver")
    parser.add_argument(
        "--allow-debug",
        action="store_true",
        help="allow the solver to debug in a benchmark session",
    )
    parser.add_argument("--socket", metavar="PATH", help="serve all clients of this Unix socket")
    parser.add_argument(
        "--socket-mode",
        metavar="MODE",
        help="mode of the socket's file, in octal; default: 0600, with --allow-uid 0666",
    )
    parser.add_argument(
        "--allow-uid",
        metavar="USER",
        action="append",
        default=[],
        help="number or name of another user who may connect as the solver; may be repeated",
    )
    parser.add_argument(
        "--isolated-solver",
        action="store_true",
        help="accept only clients with their own PID namespace, such as clients in a container",
    )
    parser.add_argument(
        "--accept-visible-processes",
        action="store_true",
        help="start even if the solver can see processes that contain hidden tests; the session "
        "records this",
    )


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import EXIT_PASSED, UsageError

    if args.solver != (args.session is not None):
        raise UsageError("--solver requires --session ID, and --session requires --solver")
    if args.allow_debug and not args.solver:
        raise UsageError("--allow-debug requires --solver; the operator may always debug")
    if args.solver and args.seed_file is not None:
        raise UsageError("a solver cannot start sessions, so --seed-file cannot be used")
    if args.socket is None and (args.socket_mode is not None or args.allow_uid):
        raise UsageError("--socket-mode and --allow-uid require --socket")
    if args.allow_uid and not args.solver:
        raise UsageError(
            "--allow-uid requires --solver; without it, that user would be an operator with your "
            "rights"
        )
    _check_protection(args)
    if args.socket is not None:
        _serve_socket(args)
    else:
        from esoplay.rpc.server import serve_stdio

        serve_stdio(_open_connection(args))
    return EXIT_PASSED


def _check_protection(args: argparse.Namespace) -> None:
    """Raise UsageError for misuse of ``--isolated-solver`` or ``--accept-visible-processes``."""
    from esoplay.errors import UsageError

    given = [
        name
        for name in ("--isolated-solver", "--accept-visible-processes")
        if getattr(args, name[2:].replace("-", "_"))
    ]
    if len(given) == 2:
        raise UsageError("--isolated-solver and --accept-visible-processes cannot be combined")
    if given and (args.socket is None or not args.solver):
        raise UsageError(f"{given[0]} needs --solver and --socket")


def _serve_socket(args: argparse.Namespace) -> None:
    from pathlib import Path

    from esoplay.benchmark.sessions import Sessions
    from esoplay.rpc.connection import Connection, DebuggerQuota
    from esoplay.rpc.peers import find_uid, require_peer_uid
    from esoplay.rpc.unix_socket import serve_socket

    mode = _mode(args)
    uids = [find_uid(user) for user in args.allow_uid]
    if uids:
        require_peer_uid()
    room = DebuggerQuota()
    with Sessions.open(_store(args), create=not args.solver) as sessions:
        namespaces = _protect(args, sessions, uids) if args.solver else "any"

        def connect() -> Connection:
            return Connection(
                args.session,
                solver_may_debug=args.allow_debug,
                seed_file=_path(args.seed_file),
                sessions=sessions,
                quota=room,
            )

        serve_socket(Path(args.socket), connect, mode=mode, uids=uids, namespaces=namespaces)


def _protect(args: argparse.Namespace, sessions: Sessions, uids: list[int]) -> NamespaceRule:
    """Protect hidden tests from a solver who could see the processes that contain them.

    Returns the PID namespaces from which clients are accepted. Raises UsageError if the solver
    could see the processes and the operator has not accepted the risk. The session records an
    acceptance.
    """
    import os
    import sys

    from esoplay.errors import UsageError
    from esoplay.rpc.peers import require_namespaces
    from esoplay.rpc.process_visibility import ACCEPT_ADVICE, describe_user, find_exposure
    from esoplay.running.host.lanes import is_lane

    language = sessions.status(args.session).state.started.language
    if args.isolated_solver:
        require_namespaces()
        return "inner"
    found = [find_exposure(uid, host_lane=is_lane(language)) for uid in uids]
    exposures = [exposure for exposure in found if exposure is not None]
    if args.accept_visible_processes:
        if uids and not exposures:
            print(
                "esoplay: processes are hidden from the solver, so --accept-visible-processes "
                "is not needed and the session does not record it",
                file=sys.stderr,
            )
            return "known"
        reasons = [exposure.reason for exposure in exposures]
        own = f"{describe_user(os.getuid())} is the server's own user and sees its processes"
        reason = "; ".join(reasons) or own
        sessions.accept_visible_processes(args.session, reason)
        print(f"esoplay: recorded in the session: {reason}", file=sys.stderr)
        return "any"
    if exposures:
        first = exposures[0]
        raise UsageError(
            f"{first.reason}; a program under test can expose its hidden input in /proc\n"
            f"try: {first.advice}; {ACCEPT_ADVICE}"
        )
    return "known" if uids else "any"


def _mode(args: argparse.Namespace) -> int:
    from esoplay.errors import UsageError

    if args.socket_mode is None:
        return 0o666 if args.allow_uid else 0o600
    try:
        mode = int(args.socket_mode, 8)
    except ValueError:
        mode = -1
    if not 0 <= mode <= 0o777:
        raise UsageError(f"--socket-mode must be octal digits such as 0660, not {args.socket_mode}")
    return mode


def _open_connection(args: argparse.Namespace) -> Connection:
    """Open the connection that the arguments describe; raise an error for an unknown session."""
    from esoplay.rpc.connection import Connection

    connection = Connection(
        args.session,
        solver_may_debug=args.allow_debug,
        store=_store(args),
        seed_file=_path(args.seed_file),
    )
    if args.solver:
        connection.sessions.status(args.session)
    return connection


def _store(args: argparse.Namespace) -> Path | None:
    from esoplay.benchmark.sessions import find_store

    store = _path(args.store)
    return find_store(args.session) if store is None and args.solver else store


def _path(text: str | None) -> Path | None:
    from pathlib import Path

    return None if text is None else Path(text)
