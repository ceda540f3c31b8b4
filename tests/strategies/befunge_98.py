"""Befunge-98 programs with loops, splits, blocks and self-modification."""

from __future__ import annotations

from hypothesis import strategies as st

from esolangs.befunge_98.fingerprints import MODULES, letters_of
from esolangs.registry import find_language
from strategies import befunge_98_values

_PLAIN = "0123456789abcdef+-*/%!`:\\$.,~&"
_TURNS = "><^v?_|[]rw#"
_OTHER = "\"';jkqxnghlmptsuyz{}()=io@ABCDEFGHIJKLMNOPQRSTUVWXYZ\x01\x7f\xe9 "
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CHAR = st.one_of(
    st.sampled_from(_PLAIN), st.sampled_from(_PLAIN + " "), st.sampled_from(_TURNS),
    st.sampled_from(_OTHER),
)  # fmt: skip
_NUMBER = st.sampled_from(["0", "1", "2", "3", "7", "a", "f", "01-", "02-", "99*", "ff*f*", "'~",
                           "ff*:*:*:*:*:*:*"])  # fmt: skip
_NAMES = [*sorted(MODULES), "NONE"]
_KNOWN = {name: "".join(letters_of(int.from_bytes(name.encode())) or _LETTERS) for name in _NAMES}


_TEXT = st.text(st.sampled_from("ab= 1%d+"), max_size=4).map('0"{}"'.format)


def _join_pieces(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    some = [part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts]
    return st.tuples(*some).map("".join)


def _loading_code(name: str) -> st.SearchStrategy[str]:
    """Return code that loads a fingerprint and executes letters on pushed values."""
    letters = st.sampled_from(_KNOWN[name]) | st.sampled_from(_KNOWN[name] + _LETTERS)
    value = st.one_of(_NUMBER, _NUMBER, _CHAR.map("'{}".format), _TEXT)
    uses = _join_pieces(st.lists(value, max_size=4).map("".join), letters)
    return _join_pieces(
        f'"{name[::-1]}"4(', st.lists(uses, max_size=4).map("".join),
        st.sampled_from(["", "..", f'"{name[::-1]}"4)', "4)"]),
    )  # fmt: skip


# Pieces of a row: each tests one feature that an interpreter may get wrong.
_PIECE = st.one_of(
    befunge_98_values.PIECES,
    st.text(_CHAR, min_size=1, max_size=5),
    st.text(st.sampled_from(_PLAIN), min_size=1, max_size=6),
    _join_pieces(_NUMBER, "k", st.sampled_from(["", " ", "  ", ";;", ";z; "]), _CHAR),
    _join_pieces(_NUMBER, _NUMBER, st.sampled_from(["g", "g.", "p", "x", "w", "`", "/", "%"])),
    _join_pieces(_CHAR.map("'{}".format), _NUMBER, _NUMBER, "p"),
    _join_pieces(_NUMBER, _NUMBER, _NUMBER, "p"),
    _join_pieces(_NUMBER, "j"),
    _join_pieces('"', st.text(st.sampled_from('ab  ;k"'), max_size=5), '"'),
    _join_pieces("'", _CHAR),
    _join_pieces(_CHAR.map("'{}".format), "s", _CHAR),
    _join_pieces(_NUMBER, "{", st.text(st.sampled_from(_PLAIN + "gpu"), max_size=4), _NUMBER, "}"),
    _join_pieces(_NUMBER, "u"),
    _join_pieces(_NUMBER, "y", st.sampled_from(["", ".", "n", "k$"])),
    _join_pieces(";", st.text(_CHAR, max_size=3), ";"),
    st.sampled_from(["t", "#v", "#^", "#@", ":.", "&", "~", "~,", "n", "r", ",.", "  ", "#<"]),
    st.sampled_from(_NAMES).flatmap(_loading_code),
    st.sampled_from("HIQS").map('"EDOM"4($${}'.format),
)
_ROW = st.lists(_PIECE, min_size=1, max_size=7).map("".join)


def _join_to_loop(rows: list[str]) -> str:
    """Join rows to a loop: east along the first row, back west along the last."""
    width = max(map(len, rows)) + 1
    top, *middle = [row.ljust(width) for row in rows]
    return "\n".join([f">{top}v", *(f" {row} " for row in middle), f"^{middle[-1][::-1]}<"])


def _random_rows() -> st.SearchStrategy[str]:
    return st.lists(st.text(_CHAR, max_size=16), min_size=1, max_size=6).map("\n".join)


def sources() -> st.SearchStrategy[bytes]:
    """Rows of code, loops, and noise, some with other line endings."""
    program = st.one_of(
        _ROW,
        _join_pieces(_ROW, st.sampled_from(["@", "q", ".@", " "])),
        st.lists(_ROW, min_size=2, max_size=4).map(_join_to_loop),
        st.lists(_ROW, min_size=1, max_size=4).map("\n".join),
        _random_rows(),
    )
    ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\f\n"])
    return st.builds(lambda text, end: text.replace("\n", end).encode("latin-1"), program, ends)


def options() -> st.SearchStrategy[dict[str, str | int]]:
    """Options of the dialects ``standard`` and ``benchmark``, or random ones."""
    language = find_language("befunge-98")
    free = st.fixed_dictionaries(
        {
            option.name: st.sampled_from(option.values) if option.values else st.integers(0, 9)
            for option in language.options
        }
    )
    return st.one_of(
        st.just(language.configure("standard")), st.just(language.configure("benchmark")), free
    )


def stdins() -> st.SearchStrategy[bytes]:
    """Numbers, lines and unusual bytes."""
    text = st.text(st.sampled_from("0189- \nxaZ\xff"), max_size=12).map(
        lambda t: t.encode("latin-1")
    )
    return st.one_of(text, st.binary(max_size=6), st.just(b"9223372036854775808 -12x7"))
