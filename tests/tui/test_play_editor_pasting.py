"""Pastes of any bytes arrive whole, in whatever chunks the terminal sends them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from esoplay.tui.terminal import (
    PASTE_BEGIN,
    PASTE_END,
    BytesPaste,
    InputSplitter,
    KeyParser,
    pasted_bytes,
)

CONTENTS = st.binary(max_size=60).filter(lambda data: PASTE_END not in data)


def parts_of(chunks: list[bytes]) -> list[tuple[str, bytes]]:
    """The parts, with neighbouring keys joined."""
    parts = InputSplitter()
    joined: list[tuple[str, bytes]] = []
    for chunk in [*chunks, b""]:
        found = list(parts.feed(chunk)) if chunk else [parts.flush()]
        for part in found:
            if isinstance(part, BytesPaste):
                joined.append(("paste", part.data))
            elif joined and joined[-1][0] == "keys":
                joined[-1] = ("keys", joined[-1][1] + part)
            elif part:
                joined.append(("keys", part))
    return joined


@given(
    st.lists(st.tuples(st.sampled_from([b"a", b"\x1b", b"\x1b[A", "é".encode()]), CONTENTS)),
    st.lists(st.integers(1, 9), min_size=1),
)
def test_pastes_are_separated_from_keys(typed: list[tuple[bytes, bytes]], sizes: list[int]) -> None:
    data = b"".join(keys + PASTE_BEGIN + paste + PASTE_END for keys, paste in typed)
    chunks: list[bytes] = []
    at = number = 0
    while at < len(data):
        size = sizes[number % len(sizes)]
        chunks.append(data[at : at + size])
        at += size
        number += 1
    expected = [each for keys, paste in typed for each in (("keys", keys), ("paste", paste))]
    assert parts_of(chunks) == expected


def test_escape_key_waits_only_for_following_bytes() -> None:
    parts = InputSplitter()
    assert list(parts.feed(b"x\x1b")) == [b"x"]
    assert parts.has_pending_bytes
    assert parts.flush() == b"\x1b"
    assert not parts.has_pending_bytes
    assert parts_of([b"\x1b", b"[", b"2", b"~"]) == [("keys", b"\x1b[2~")]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [(b"a\rb", b"a\nb"), (b"a\r\nb\rc", b"a\r\nb\rc"), (b"a\nb", b"a\nb"), (b"\r\r", b"\n\n")],
)
def test_terminal_line_breaks_are_converted_back(sent: bytes, meant: bytes) -> None:
    assert pasted_bytes(sent) == meant


def test_other_widgets_get_text_that_can_be_drawn() -> None:
    assert BytesPaste(b"a\x00\xff").text == "a\N{REPLACEMENT CHARACTER}"
    assert BytesPaste(b"").handler_name == "on_paste"


KEYS = {"a": "a", "\x1bh": "alt+h", "\x1bn": "alt+n", "\x1b[A": "up", "\x1bOP": "f1", "\r": "enter"}
"""What a terminal without the Kitty protocol sends, and the key that was pressed."""


@given(st.lists(st.sampled_from(sorted(KEYS))), st.lists(st.integers(1, 4), min_size=1))
def test_keys_stay_separate_in_split_input(sent: list[str], sizes: list[int]) -> None:
    data = "".join(sent)
    parser = KeyParser()
    found: list[str] = []
    at = number = 0
    while at < len(data):
        size = sizes[number % len(sizes)]
        for message in parser.feed(data[at : at + size]):
            assert isinstance(message, events.Key)
            found.append(message.key)
        at += size
        number += 1
    assert found == [KEYS[each] for each in sent]
