"""``session events``: the log of a session as flat lines for other tools."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.exports import SessionExport
    from esoplay.service.sessions import Sessions

_EVENTS_EXAMPLES = """\
examples:
  esoplay session events session.json -o events.jsonl
  esoplay session events --session c9cc095cacc2 | grep submission_graded
"""


def add_events(actions: Actions) -> None:
    events = actions.add(
        "events",
        "write one line of JSON an event, all with the same fields, for other tools",
        _events,
        examples=_EVENTS_EXAMPLES,
    )
    events.add_argument(
        "export", nargs="?", metavar="EXPORT", help="an export; default: the session itself"
    )
    events.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")


def _events(args: argparse.Namespace) -> int:
    import json
    from pathlib import Path

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.shared import in_session
    from esoplay.errors import UsageError
    from esoplay.service.event_lines import event_lines

    if args.export is None:
        exports: list[SessionExport] = []
        in_session(lambda _, sessions, session: _keep(sessions, session, exports))(args)
        export = exports[0]
    elif args.session is not None or args.store is not None:
        raise UsageError("name an EXPORT, or a session with --session and --store, not both")
    else:
        export = load(args.export)
    text = "".join(json.dumps(line) + "\n" for line in event_lines(export))
    if args.output is None:
        if args.json:
            raise UsageError("--json tells what was written to a file: name one with -o")
        print(text, end="")
        return 0
    try:
        Path(args.output).write_text(text, "ascii")
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {error.strerror}") from None
    if args.json:
        print_json({"file": args.output, "events": len(export.events)})
    else:
        narrate(f"{len(export.events)} events written to {args.output}")
    return 0


def _keep(sessions: Sessions, session: str, exports: list[SessionExport]) -> int:
    from esoplay.service.exports import SessionExport

    exports.append(SessionExport(sessions.export(session).as_json()))
    return 0


def load(path: str) -> SessionExport:
    """The export in a file; ``-`` is stdin.  Raises UsageError."""
    from esoplay.cli.output import read_input
    from esoplay.errors import UsageError
    from esoplay.service.exports import LARGEST, read_export

    try:
        return read_export(read_input(path, LARGEST + 1))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
