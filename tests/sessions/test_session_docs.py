"""``docs/sessions.md`` says what is so."""

from __future__ import annotations

from pathlib import Path

from esoplay.sessions import events
from esoplay.sessions.protocols import FIELDS, PROTOCOLS, format_field, read_protocol

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "sessions.md").read_text("utf-8")


def rows(first_cell: str) -> list[list[str]]:
    """The cells of the table whose header begins so."""
    table = TEXT[TEXT.index(f"| {first_cell}") :].split("\n\n")[0]
    return [[cell.strip(" `") for cell in line[1:-1].split("|")] for line in table.splitlines()]


def test_the_table_of_protocols_is_the_one_in_force() -> None:
    header, _, *listed = rows("protocol |")
    assert [name for name, *_ in listed] == list(PROTOCOLS)
    for name, *cells in listed:
        row = PROTOCOLS[name]
        assert cells == [format_field(row, field) for field in header[1:]]


def test_every_field_of_a_protocol_is_explained() -> None:
    _, _, *listed = rows("field of a protocol")
    assert [name for name, *_ in listed] == list(FIELDS)


def test_the_protocol_file_on_the_page_can_be_read(tmp_path: Path) -> None:
    block = TEXT[TEXT.index("```toml") :].split("```")[1].removeprefix("toml\n")
    file = tmp_path / "mine.toml"
    file.write_text(block, "utf-8")
    protocol = read_protocol(file)
    assert (protocol.base, protocol.submissions) == ("primary", 1)


def test_every_event_is_listed() -> None:
    _, _, *listed = rows("event |")
    assert [name for name, _ in listed] == [kind.kind for kind in events.Event.__args__]
