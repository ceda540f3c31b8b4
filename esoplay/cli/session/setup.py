"""``session init | protocols | client``: set up a session."""

from __future__ import annotations

from esolangs.wording import format_count

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.benchmark.sessions import Sessions
    from esoplay.cli.session import Actions
    from esoplay.sessions.protocols import Protocol


_INIT_EXAMPLES = """\
examples:
  esoplay session init --language brainfuck --workspace bench
  esoplay session init --language whitespace --protocol budget-3 --solver some-model
  esoplay session init --language unlambda --set submissions=1 --set feedback=per-test
  esoplay session init --language befunge-98 --protocol mine.toml --pack other-pack
  esoplay session init --language brainfuck --tools blind --compare strip
  esoplay session init --language brainfuck --problems E01-E05      a pilot of five problems
"""


def add_init(actions: Actions) -> None:
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES
    from esoplay.sessions.tool_profiles import TOOL_PROFILES

    init = actions.add(
        "init",
        "start a session and create its workspace",
        _init,
        needs_session=False,
        examples=_INIT_EXAMPLES,
    )
    init.add_argument("--language", required=True, metavar="L", help="such as brainfuck")
    init.add_argument(
        "--protocol",
        default="primary",
        metavar="P",
        help="a name from `esoplay session protocols`, or a file that ends in .toml; "
        "default: primary",
    )
    init.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a rule of the protocol; the change is recorded and shown in the protocol's "
        "name; may be repeated",
    )
    init.add_argument(
        "--compare",
        choices=COMPARE_MODES,
        help=COMPARE_HELP + "the pack's; the same as --set compare=MODE",
    )
    init.add_argument(
        "--tools",
        choices=TOOL_PROFILES,
        help="what the solver may use; full-access: everything; interpreter-only: the session's "
        "commands alone; blind: these commands without local runs; the same as --set "
        "tools=PROFILE; default: as the protocol says",
    )
    init.add_argument(
        "--debug",
        action="store_true",
        help="allow the solver to debug: the same as --set debug=true",
    )
    init.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    init.add_argument(
        "--problems", metavar="ID,…", help="ids, ranges such as E01-E05, tiers; default: all"
    )
    init.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="time limit in seconds for each run, at most 60; "
        "default: the limit of the problem, usually 60",
    )
    init.add_argument(
        "--workspace", metavar="DIR", help="default: a new folder named after the session"
    )
    init.add_argument(
        "--socket",
        metavar="PATH",
        help="add the thin client to the workspace, for `esoplay serve --socket PATH`",
    )
    init.add_argument(
        "--seed-file",
        metavar="F",
        help="file with 64 hexadecimal digits, mode 600; default: a random seed",
    )
    init.add_argument("--solver", metavar="NAME", help="name of the solver, for reports")


def _init(args: argparse.Namespace) -> int:
    from esoplay.benchmark.sessions import Sessions, parse_changes, resolve_protocol
    from esoplay.cli.session import as_path
    from esoplay.errors import UsageError

    options = {
        "debug=true": args.debug,
        f"compare={args.compare}": args.compare,
        f"tools={args.tools}": args.tools,
    }
    changes = parse_changes([*args.changes, *(text for text, given in options.items() if given)])
    protocol = resolve_protocol(args.protocol, changes)
    if args.seed_file is not None and protocol.public_seed:
        raise UsageError(f"protocol {protocol.id} uses the public seed; --seed-file cannot be used")
    with Sessions.open(as_path(args.store)) as sessions:
        return _begin(args, sessions, changes)


def _begin(args: argparse.Namespace, sessions: Sessions, changes: dict[str, object]) -> int:
    from pathlib import Path

    from esoplay.cli.output import print_json, print_stderr
    from esoplay.cli.session import as_path

    started = sessions.init(
        args.language.lower(),
        args.protocol,
        changes=changes,
        pack=args.pack,
        problems=None if args.problems is None else args.problems.split(","),
        time_limit=args.time_limit,
        seed_file=as_path(args.seed_file),
        solver=args.solver,
        workspace=as_path(args.workspace),
        workspace_parent=Path(),
        socket=as_path(args.socket),
    )
    if args.json:
        print_json(started.as_json())
    else:
        print(started.session)
        print_stderr(
            f"{format_count(len(started.problems), 'problem')} in {started.language}, "
            f"protocol {started.protocol.id}; the workspace is {started.workspace}. "
            + _next_step(args, started.session)
        )
    return 0


def _next_step(args: argparse.Namespace, session: str) -> str:
    if args.socket is None:
        return "Change to the workspace and start with: esoplay session fetch"
    return (
        "Serve the session with: esoplay serve --solver --session "
        f"{session} --socket {args.socket}; "
        "the solver starts in the workspace with: python3 session.py fetch"
    )


# session protocols

_TABLE_FIELDS = ("runs", "submissions", "skip", "feedback", "generators")


def add_protocols(actions: Actions) -> None:
    protocols = actions.add(
        "protocols",
        "list the protocols, or show every field of a protocol",
        _protocols,
        needs_session=False,
        needs_store=False,
        examples="examples:\n  esoplay session protocols\n  esoplay session protocols budget-7\n"
        "  esoplay session protocols mine.toml --json",
    )
    protocols.add_argument(
        "protocol", nargs="?", metavar="P", help="a name, or a path that ends in .toml"
    )


def _protocols(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from esoplay.benchmark.sessions import PROTOCOLS, resolve_protocol
    from esoplay.cli.output import print_json

    rows = list(PROTOCOLS.values()) if args.protocol is None else [resolve_protocol(args.protocol)]
    if args.json:
        print_json({"protocols": [asdict(row) for row in rows]})
    elif args.protocol is None:
        _print_table(rows)
    else:
        _print_fields(rows[0])
    return 0


def _print_table(rows: list[Protocol]) -> None:
    from esoplay.benchmark.sessions import format_field
    from esoplay.cli.output import paint

    cells = [
        ["", *_TABLE_FIELDS],
        *([row.id, *(format_field(row, one) for one in _TABLE_FIELDS)] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, line in enumerate(cells):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(paint(text.rstrip(), "dim") if number == 0 else text.rstrip())


def _print_fields(row: Protocol) -> None:
    from esoplay.benchmark.sessions import FIELDS, format_field
    from esoplay.cli.output import paint

    print(paint(row.id, "accent") + (f" (from {row.base})" if row.base else ""))
    for field in FIELDS:
        print(f"  {field:12} {format_field(row, field)}")


# session client

_CLIENT_EXAMPLES = """\
examples:
  esoplay session client -o session.py
  python3 session.py fetch --connect bench.sock
"""


def add_client(actions: Actions) -> None:
    client = actions.add(
        "client",
        "write a client that needs only Python and the server's socket",
        _write,
        needs_session=False,
        needs_store=False,
        examples=_CLIENT_EXAMPLES,
    )
    client.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")


def _write(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from esoplay.cli.output import print_json
    from esoplay.errors import UsageError
    from esoplay.sessions.workspace import client_source

    source = client_source()
    if args.output is None:
        if args.json:
            raise UsageError("--json needs -o FILE; without -o, stdout gets the client's source")
        sys.stdout.buffer.write(source)
        return 0
    path = Path(args.output)
    try:
        with path.open("xb") as file:
            file.write(source)
        path.chmod(0o755)
    except FileExistsError:
        raise UsageError(f"{path} exists") from None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    if args.json:
        print_json({"file": str(path), "bytes": len(source)})
    return 0
