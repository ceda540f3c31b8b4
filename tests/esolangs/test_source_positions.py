"""Lines and columns of sources: columns count characters, as editors do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.errors import ParseError
from esolangs.registry import find_language
from esolangs.source import BYTE_ORDER_MARK, locate, offset_at


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("é ]", 1, 3),
        ("+\n日本 😀 ]", 2, 6),
        ("[\n]\n\t]", 3, 2),
        ("\ufeff+é]", 1, 3),
        ("\ufeff\n\ufeff]", 2, 2),
    ],
)
def test_an_error_after_other_letters_names_the_column_that_an_editor_shows(
    source: str, line: int, column: int
) -> None:
    with pytest.raises(ParseError) as caught:
        find_language("brainfuck").parse(source.encode())
    assert (caught.value.line, caught.value.column) == (line, column)
    assert offset_at(source.encode(), line, column) == caught.value.offset


@given(
    st.lists(st.sampled_from(["a", "é", "日", "😀", "\n", "\udcff", "\udce9"])),
    st.sampled_from([b"", BYTE_ORDER_MARK]),
)
def test_every_character_has_its_own_location(characters: list[str], start: bytes) -> None:
    source, offset, line, column = start, len(start), 1, 1
    expected: list[tuple[int, int, int]] = []
    for character in (
        "".join(characters).encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    ):
        data = character.encode("utf-8", "surrogateescape")
        expected.append((offset, line, column))
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
        source, offset = source + data, offset + len(data)
    for at, *place in expected:
        assert locate(source, at) == tuple(place)
        if source[at : at + 1] != b"\n":
            assert offset_at(source, *place) == at


@pytest.mark.parametrize(("line", "column"), [(0, 1), (1, 0), (1, 3), (2, 1), (3, 1)])
def test_a_position_without_a_character_has_no_offset(line: int, column: int) -> None:
    assert offset_at("é+\n".encode(), line, column) is None
