"""``session init``: begin a session."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions


def add_to(actions: Actions) -> None:
    init = actions.add("init", "begin a session and write its workspace", _init, in_session=False)
    init.add_argument("--language", required=True, metavar="L", help="such as brainfuck")
    init.add_argument("--protocol", default="primary", metavar="P", help="primary or practice")
    init.add_argument(
        "--workspace", metavar="DIR", help="default: a new folder named after the session"
    )
    init.add_argument(
        "--seed-file",
        metavar="F",
        help="file with 64 hexadecimal digits, mode 600; default: a seed is drawn",
    )
    init.add_argument("--solver", metavar="NAME", help="a label for reports")


def _init(args: argparse.Namespace) -> int:
    from esoplay.cli.session.shared import as_path
    from esoplay.service.sessions import Sessions

    with Sessions.open(as_path(args.store)) as sessions:
        return _begin(args, sessions)


def _begin(args: argparse.Namespace, sessions: Sessions) -> int:
    from pathlib import Path

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.shared import as_path
    from esoplay.errors import UsageError
    from esoplay.service.sessions import PROTOCOLS

    protocol = PROTOCOLS.get(args.protocol)
    if args.seed_file is not None and protocol is not None and protocol.public_seed:
        raise UsageError(f"{protocol.id} uses the public seed, so --seed-file has no meaning")
    started = sessions.init(
        args.language.lower(),
        args.protocol,
        seed_file=as_path(args.seed_file),
        solver=args.solver,
        workspace=as_path(args.workspace),
        workspace_in=Path(),
    )
    if args.json:
        print_json(started.as_json())
    else:
        print(started.session)
        narrate(
            f"{len(started.problems)} problems in {started.language}, "
            f"protocol {started.protocol.id}; the workspace is {started.workspace}. "
            "Go there and begin with: esoplay session fetch"
        )
    return 0
