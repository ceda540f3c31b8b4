"""``docs/sessions.md`` says what is so."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from esoplay.sessions import events
from esoplay.sessions.protocols import PROTOCOLS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "sessions.md").read_text("utf-8")
WORDS = {None: "unlimited", True: "yes", False: "no"}


def rows(first_cell: str) -> list[list[str]]:
    """The cells of the table whose header begins so."""
    table = TEXT[TEXT.index(f"| {first_cell}") :].split("\n\n")[0]
    return [[cell.strip(" `") for cell in line[1:-1].split("|")] for line in table.splitlines()]


def test_the_table_of_protocols_is_the_one_in_force() -> None:
    header, _, *fields = rows("| `primary`")
    assert header[1:] == list(PROTOCOLS)
    values = {name: asdict(protocol) for name, protocol in PROTOCOLS.items()}
    for field, *cells in fields:
        assert cells == [WORDS.get(values[n][field], str(values[n][field])) for n in PROTOCOLS]
    assert {field for field, *_ in fields} == values["primary"].keys() - {"id", "purpose"}


def test_every_event_is_listed() -> None:
    _, _, *listed = rows("event |")
    assert [name for name, _ in listed] == [kind.kind for kind in events.Event.__args__]
