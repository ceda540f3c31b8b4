"""``session status | list``: how a session stands, and which there are."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions


def add_standing(actions: Actions) -> None:
    from esoplay.cli.session.shared import in_session

    status = actions.add(
        "status",
        "show how the session stands: each tier, the current problem, what is left",
        in_session(_status),
        examples="examples:\n  esoplay session status\n  esoplay session status -v | grep failed",
    )
    status.add_argument("-v", "--verbose", action="store_true", help="one line for every problem")

    listing = actions.add(
        "list",
        "show all sessions of the store",
        _list,
        in_session=False,
        examples="examples:\n  esoplay session list\n  esoplay session list --open --json",
    )
    listing.add_argument("--open", action="store_true", help="only those that are not closed")


def _status(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.thin_client import show_status

    status = sessions.status(session).as_json()
    print_json(status) if args.json else show_status(status, args.verbose)
    return 0


def _list(args: argparse.Namespace) -> int:
    import time

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.shared import as_path
    from esoplay.service.sessions import Sessions

    with Sessions.open(as_path(args.store), create=False) as sessions:
        listed = [one for one in sessions.list() if not (args.open and one.closed)]
    if args.json:
        print_json({"sessions": [one.as_json() for one in listed]})
        return 0
    for one in listed:
        if one.error is not None:
            print(f"{one.session}  cannot be read: {one.error}")
            continue
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.time_ms / 1000))
        word = "closed" if one.closed else "open"
        print(
            f"{one.session}  {day}  {one.language:11} {one.protocol:16} {one.pack:12} "
            f"{one.solved:>3} of {one.total:<3} {word:6} {one.solver or ''}".rstrip()
        )
    if not listed:
        narrate("no sessions")
    return 0
