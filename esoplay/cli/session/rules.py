"""``session protocols``: the table of protocols."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.sessions.protocols import Protocol

_SHOWN = ("runs", "submissions", "skip", "feedback", "generators")


def add_protocols(actions: Actions) -> None:
    protocols = actions.add(
        "protocols",
        "show the protocols, or every field of one",
        _protocols,
        in_session=False,
        in_store=False,
        examples="examples:\n  esoplay session protocols\n  esoplay session protocols budget-7\n"
        "  esoplay session protocols mine.toml --json",
    )
    protocols.add_argument("protocol", nargs="?", metavar="P", help="a name, or a file .toml")


def _protocols(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from esoplay.cli.output import print_json
    from esoplay.service.sessions import PROTOCOLS, resolve_protocol

    rows = list(PROTOCOLS.values()) if args.protocol is None else [resolve_protocol(args.protocol)]
    if args.json:
        print_json({"protocols": [asdict(row) for row in rows]})
    elif args.protocol is None:
        _print_table(rows)
    else:
        _print_fields(rows[0])
    return 0


def _print_table(rows: list[Protocol]) -> None:
    from esoplay.cli.style import styled
    from esoplay.service.sessions import spelled

    cells = [["", *_SHOWN], *([row.id, *(spelled(row, one) for one in _SHOWN)] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, line in enumerate(cells):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(styled(text.rstrip(), "dim") if number == 0 else text.rstrip())


def _print_fields(row: Protocol) -> None:
    from esoplay.cli.style import styled
    from esoplay.service.sessions import FIELDS, spelled

    print(styled(row.id, "accent") + (f" (from {row.base})" if row.base else ""))
    for field in FIELDS:
        print(f"  {field:12} {spelled(row, field)}")
