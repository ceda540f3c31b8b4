"""Parsers of the actions of ``esoplay session``; selection of the session that they act on.

The actions are defined in ``setup``, ``moves`` and ``exports``.
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
    """Function that performs one action and returns the exit code."""


class Actions:
    """Registry of actions: a parser and a handler for each."""

    def __init__(self, parser: argparse.ArgumentParser):
        self._parsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(
        self,
        name: str,
        help: str,
        handler: Handler,
        *,
        needs_session: bool = True,
        needs_store: bool = True,
        json: bool = True,
        examples: str = "",
    ) -> argparse.ArgumentParser:
        """Add an action and its options.

        ``needs_session`` adds the options that select a session, ``needs_store`` adds ``--store``,
        ``json`` adds ``--json``.
        """
        import argparse

        action = self._parsers.add_parser(
            name,
            help=help,
            description=help[0].upper() + help[1:] + ".",
            epilog=examples or None,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if needs_session:
            action.add_argument(
                "--session", metavar="ID", help="default: the session of the current workspace"
            )
            action.add_argument(
                "--connect", metavar="PATH", help="the socket of a server that has the session"
            )
        if needs_store:
            action.add_argument("--store", metavar="FILE", help="default: your own store")
        if json:
            action.add_argument("--json", action="store_true", help="print one JSON object")
        action.set_defaults(perform=handler)
        return action


def in_session(action: Callable[[argparse.Namespace, Sessions, str], int]) -> Handler:
    """Return a handler that calls ``action`` with the selected session.

    The default of ``--session`` is the session of the current folder.
    """

    def handler(args: argparse.Namespace) -> int:
        if args.connect is not None:
            return _perform(args)
        from esoplay.benchmark.sessions import Sessions

        session = args.session or current_session()
        with Sessions.open(as_path(args.store) or _find_store(session), create=False) as sessions:
            return action(args, sessions, session)

    return handler


def perform_via_socket(args: argparse.Namespace) -> int:
    """Perform the action of ``session --connect PATH ACTION``."""
    from esoplay.errors import UsageError

    if "connect" not in args:
        raise UsageError(f"{args.action} cannot be used with --connect")
    args.connect = args.connect_first
    return _perform(args)


def _perform(args: argparse.Namespace) -> int:
    """Perform an action through the socket ``args.connect``, as the thin client does."""
    from esoplay import thin_client
    from esoplay.errors import UsageError

    if args.action not in thin_client.ACTIONS:
        raise UsageError(f"{args.action} is for the operator and cannot be used with --connect")
    if args.store is not None:
        raise UsageError("--store cannot be combined with --connect; the server has its own store")
    return thin_client.perform(args)


def current_session() -> str:
    """Return the session of the workspace that contains the current folder.

    Raises UsageError if the current folder is not in a workspace.
    """
    from pathlib import Path

    from esoplay.benchmark.sessions import find_session
    from esoplay.errors import UsageError

    session = find_session(Path.cwd())
    if session is None:
        raise UsageError(
            "this folder is not in a workspace; change to a workspace, choose a session with "
            "--session ID, or start one with: esoplay session init --language L"
        )
    return session


def as_path(text: str | None) -> Path | None:
    """Return the path of an option, or None if the option is not set."""
    from pathlib import Path

    return None if text is None else Path(text)


def _find_store(session: str) -> Path:
    from esoplay.benchmark.sessions import find_store

    return find_store(session)
