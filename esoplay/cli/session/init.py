"""``session init``: begin a session."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions

_INIT_EXAMPLES = """\
examples:
  esoplay session init --language brainfuck --workspace bench
  esoplay session init --language whitespace --protocol budget-3 --solver some-model
  esoplay session init --language unlambda --set submissions=1 --set feedback=per-test
  esoplay session init --language befunge-98 --protocol mine.toml --pack other-pack
"""


def add_init(actions: Actions) -> None:
    init = actions.add(
        "init",
        "begin a session and write its workspace",
        _init,
        in_session=False,
        examples=_INIT_EXAMPLES,
    )
    init.add_argument("--language", required=True, metavar="L", help="such as brainfuck")
    init.add_argument(
        "--protocol",
        default="primary",
        metavar="P",
        help="a name, see `esoplay session protocols`, or a file that ends in .toml; "
        "default: primary",
    )
    init.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a rule of the protocol; recorded, and told in the protocol's name; repeatable",
    )
    init.add_argument(
        "--debug", action="store_true", help="let the solver debug: the same as --set debug=true"
    )
    init.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the one that ships",
    )
    init.add_argument(
        "--workspace", metavar="DIR", help="default: a new folder named after the session"
    )
    init.add_argument(
        "--socket",
        metavar="PATH",
        help="put the thin client into the workspace, for `esoplay serve --socket PATH`",
    )
    init.add_argument(
        "--seed-file",
        metavar="F",
        help="file with 64 hexadecimal digits, mode 600; default: a seed is drawn",
    )
    init.add_argument("--solver", metavar="NAME", help="a label for reports")


def _init(args: argparse.Namespace) -> int:
    from esoplay.cli.session.shared import as_path
    from esoplay.errors import UsageError
    from esoplay.service.sessions import Sessions, parse_changes, resolve_protocol

    changes = parse_changes([*args.changes, *(["debug=true"] if args.debug else [])])
    protocol = resolve_protocol(args.protocol, changes)
    if args.seed_file is not None and protocol.public_seed:
        raise UsageError(f"{protocol.id} uses the public seed, so --seed-file has no meaning")
    with Sessions.open(as_path(args.store)) as sessions:
        return _begin(args, sessions, changes)


def _begin(args: argparse.Namespace, sessions: Sessions, changes: dict[str, object]) -> int:
    from pathlib import Path

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.shared import as_path

    started = sessions.init(
        args.language.lower(),
        args.protocol,
        changes=changes,
        pack=args.pack,
        seed_file=as_path(args.seed_file),
        solver=args.solver,
        workspace=as_path(args.workspace),
        workspace_in=Path(),
        socket=as_path(args.socket),
    )
    if args.json:
        print_json(started.as_json())
    else:
        print(started.session)
        narrate(
            f"{len(started.problems)} problems in {started.language}, "
            f"protocol {started.protocol.id}; the workspace is {started.workspace}. "
            + _next_step(args, started.session)
        )
    return 0


def _next_step(args: argparse.Namespace, session: str) -> str:
    if args.socket is None:
        return "Go there and begin with: esoplay session fetch"
    return (
        f"Serve it with: esoplay serve --solver --session {session} --socket {args.socket}; "
        "the solver begins there with: python3 session.py fetch"
    )
