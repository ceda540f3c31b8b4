"""``session export | reveal``: the log of a session, and its seed when all is over."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions


def add_log(actions: Actions) -> None:
    from esoplay.cli.session.shared import in_session

    export = actions.add(
        "export",
        "write the whole log, with programs and inputs, as JSON",
        in_session(_export),
    )
    export.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")

    reveal = actions.add(
        "reveal", "publish the seed of a session that is closed", in_session(_reveal)
    )
    reveal.add_argument(
        "--close", action="store_true", help="close the session first: no move is possible after"
    )


def _export(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import narrate, print_json
    from esoplay.errors import UsageError

    data = sessions.export(session).as_json()
    if args.output is None:
        print_json(data)
        return 0
    import json
    from pathlib import Path

    try:
        Path(args.output).write_text(json.dumps(data) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {error.strerror}") from None
    if args.json:
        print_json({"file": args.output, "events": len(data["events"]), "head": data["head"]})
    else:
        narrate(f"{len(data['events'])} events written to {args.output}")
    return 0


def _reveal(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import narrate, print_json

    if args.close:
        sessions.close_session(session)
    revealed = sessions.reveal(session)
    if args.json:
        print_json(revealed.as_json())
        return 0
    print(revealed.seed.hex())
    narrate(f"committed to as {revealed.seed_commitment}")
    narrate(f"for pack {revealed.pack} {revealed.pack_version}")
    return 0
