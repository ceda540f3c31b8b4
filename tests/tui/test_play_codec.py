"""Any bytes become text and come back; the text is made of plain cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from esoplay.tui.dialogs import show_invisibles
from esoplay.tui.editor.document import clean_text, to_bytes, to_text, visible_text

ANY = st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))


@given(ANY)
def test_bytes_survive_a_round_trip(source: bytes) -> None:
    assert to_bytes(to_text(source)) == source


@given(ANY)
def test_text_is_made_of_cells(source: bytes) -> None:
    text = to_text(source)
    assert text.split("\n") == text.splitlines() + [""] * (text.endswith("\n") or not text)
    for character in text.replace("\n", ""):
        assert cell_len(character) in (1, 2)
        assert len(visible_text(character)) == 1
        assert visible_text(character).isprintable()


@given(st.text())
def test_pasted_text_keeps_its_bytes(text: str) -> None:
    encodable = text.encode("utf-8", "surrogateescape") if _encodable(text) else None
    if encodable is not None and not any("\ue000" <= each <= "\ue0ff" for each in text):
        assert to_bytes(clean_text(text)) == encodable
    to_bytes(clean_text(text))


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"abc", "abc"),
        (b"\t\r\0\x7f", "␉␍␀␡"),
        (b"\xff", "\N{REPLACEMENT CHARACTER}"),
        ("é日".encode(), "é日"),
        ("e\u0301".encode(), "e" + "\N{REPLACEMENT CHARACTER}" * 2),
    ],
)
def test_control_characters_are_visible(data: bytes, shown: str) -> None:
    assert visible_text(to_text(data)) == shown


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", "nothing"),
        (b"  a b ", "␠␠a b␠"),
        (b"   ", "␠␠␠"),
        (b"a\nb\n", "a␊b␊"),
        (b"[red]x[/]", "[red]x[/]"),
        (b"x" * 12, "xxxxxxxxxx … 2 more"),
    ],
)
def test_bytes_are_shortened_to_one_line(data: bytes, shown: str) -> None:
    assert show_invisibles(data, limit=10, if_empty="nothing").plain == shown


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
