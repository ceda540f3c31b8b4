"""``session client``: the thin client, written to a file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions

_CLIENT_EXAMPLES = """\
examples:
  esoplay session client -o session.py
  python3 session.py fetch --connect bench.sock
"""


def add_client(actions: Actions) -> None:
    client = actions.add(
        "client",
        "write a client that needs Python alone, for who has only a shell and a socket",
        _write,
        in_session=False,
        in_store=False,
        examples=_CLIENT_EXAMPLES,
    )
    client.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")


def _write(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from esoplay.cli.output import print_json
    from esoplay.errors import UsageError
    from esoplay.sessions.client import client_source

    source = client_source()
    if args.output is None:
        if args.json:
            raise UsageError("--json needs -o FILE: without it the client itself is printed")
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
