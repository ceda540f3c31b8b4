"""The actions of ``esoplay session``: their parsers, and the session that they act on.

``setup``, ``moves`` and ``exports`` have the actions themselves.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from esoplay.benchmark.sessions import Sessions


if TYPE_CHECKING:
    Handler = Callable[[argparse.Namespace], int]
    """Runs one action and returns the exit code."""


class Actions:
    """Collects the actions of the command, each a parser with the function that does it."""

    def __init__(self, parser: argparse.ArgumentParser):
        self._parsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(
        self,
        name: str,
        help: str,
        handler: Handler,
        *,
        in_session: bool = True,
        in_store: bool = True,
        json: bool = True,
        examples: str = "",
    ) -> argparse.ArgumentParser:
        """A new action; ``in_session`` gives it the option that names a session, ``in_store`` that
        which names a store, ``json`` that which prints one object."""
        import argparse

        action = self._parsers.add_parser(
            name,
            help=help,
            description=help[0].upper() + help[1:] + ".",
            epilog=examples or None,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if in_session:
            action.add_argument(
                "--session", metavar="ID", help="default: that of the workspace this folder is in"
            )
            action.add_argument(
                "--connect", metavar="PATH", help="the socket of a server that has the session"
            )
        if in_store:
            action.add_argument("--store", metavar="FILE", help="default: the user's own store")
        if json:
            action.add_argument("--json", action="store_true", help="print one JSON object")
        action.set_defaults(perform=handler)
        return action


def in_session(move: Callable[[argparse.Namespace, Sessions, str], int]) -> Handler:
    """Makes ``move`` in the session that is named, else in that of the current folder."""

    def handler(args: argparse.Namespace) -> int:
        if args.connect is not None:
            return _perform(args)
        from esoplay.benchmark.sessions import Sessions

        session = args.session or session_here()
        with Sessions.open(as_path(args.store) or _store_of(session), create=False) as sessions:
            return move(args, sessions, session)

    return handler


def perform_through(args: argparse.Namespace) -> int:
    """Perform the action of ``session --connect PATH ACTION``."""
    from esoplay.errors import UsageError

    if "connect" not in args:
        raise UsageError(f"{args.action} is not done through a socket")
    args.connect = args.connect_first
    return _perform(args)


def _perform(args: argparse.Namespace) -> int:
    """Perform an action through the socket ``args.connect``, as the thin client does."""
    from esoplay import thin_client
    from esoplay.errors import UsageError

    if args.action not in thin_client.ACTIONS:
        raise UsageError(f"{args.action} is for the operator; --connect reaches a server's session")
    if args.store is not None:
        raise UsageError("--connect reaches a server, which has a store of its own")
    return thin_client.perform(args)


def session_here() -> str:
    """The session of the workspace that the current folder lies in; UsageError outside."""
    from pathlib import Path

    from esoplay.benchmark.sessions import find_session
    from esoplay.errors import UsageError

    session = find_session(Path.cwd())
    if session is None:
        raise UsageError(
            "this folder belongs to no session; go to a workspace, name one with --session ID, "
            "or begin one with: esoplay session init --language L"
        )
    return session


def as_path(text: str | None) -> Path | None:
    """The path that an option names, None where it was not given."""
    from pathlib import Path

    return None if text is None else Path(text)


def _store_of(session: str) -> Path:
    from esoplay.benchmark.sessions import store_of

    return store_of(session)
