"""Program output as a terminal shows it."""

from hypothesis import given
from hypothesis import strategies as st

from esoplay.tui.debug.terminal import Terminal


def shown(output: bytes) -> list[str]:
    terminal = Terminal(20, 4)
    terminal.show(output)
    return ["".join(run.text for run in terminal.line(row)) for row in range(4)]


def test_escape_codes_move_and_colour() -> None:
    assert shown(b"ab\ncd\x1b[1;1HX")[:2] == ["Xb", "cd"]
    terminal = Terminal(20, 4)
    terminal.show(b"a\x1b[1;31mred\x1b[0mb")
    plain, red, after = terminal.line(0)
    assert (plain.text, red.text, after.text) == ("a", "red", "b")
    assert plain.style is None
    assert red.style is not None
    assert red.style.bold
    assert str(red.style.color.name) == "red"  # type: ignore[union-attr]


def test_sequence_that_pyte_rejects_is_skipped() -> None:
    assert shown(b"one \x1b[?4mtwo")[0].startswith("one")
    assert "two" in shown(b"one \x1b[?4mtwo")[0]


SEQUENCES = st.lists(
    st.one_of(
        st.binary(max_size=8),
        st.sampled_from(
            [b"\x1b[", b"\x1b]", b"\x1b[?4m", b"\x1b[38;5m", b"\x1b[9999;9999H", b"\x1b#8"]
        ),
    ),
    max_size=12,
).map(b"".join)


@given(SEQUENCES)
def test_any_bytes_can_be_shown(output: bytes) -> None:
    shown(output)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\x1b[2J", b"bc", b"\x1b[H"]), max_size=20))
def test_output_in_pieces_looks_like_output_as_a_whole(parts: list[bytes]) -> None:
    terminal, whole = Terminal(20, 4), b""
    for part in parts:
        whole += part
        terminal.show(whole)
    assert ["".join(run.text for run in terminal.line(row)) for row in range(4)] == shown(whole)
