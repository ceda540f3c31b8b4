"""Pieces of Befunge-98 for the fingerprints that compute, format and copy values."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.posix_patterns import patterns, texts

_SMALL = st.sampled_from(["0", "1", "2", "3", "9", "01-", "03-"])
_NUMBER = st.one_of(_SMALL, st.sampled_from(["ff*", "ff*f*:*", "0ff*f*:*:*-", "'~", ":", "&"]))
_FLOAT = st.one_of(
    _NUMBER.map("{}F".format),
    st.sampled_from(["7F3FD", "0F0FD", "1F0FD", "01-F0FD", "2FQ", "0FN", "01-", ":"]),
    st.sampled_from([
        "5.1-", "83e1", "-83e1", "501e1", "fni-", "nan", "x", "", " .", "1e", "8.x0", "3p1x0", ".5",
        "p1x0+ ", "54-e1", "ffffff.0x0", "+", "  42", "004e2", "7e-", "4p.x0",
    ]).map(lambda text: f'0"{text[::-1]}"R'),
)  # fmt: skip
_LONG = st.one_of(
    _NUMBER.map("{}E".format),
    st.sampled_from(["12-", "-9223372036854775808", "99999999999999999999", " +7x", "-"]).map(
        lambda text: f'0"{text[::-1]}"Z'
    ),
    st.tuples(_NUMBER, _NUMBER).map("".join),
)
_FLAGS = st.text(st.sampled_from("-+ #0"), max_size=2)
_FORMAT = st.one_of(
    st.tuples(
        st.sampled_from(["", "", "<", "%%", "ab"]),
        st.just("%"),
        _FLAGS,
        st.sampled_from(["", "", "1", "7", "12"]),
        st.sampled_from(["", "", ".", ".0", ".1", ".3", ".12"]),
        st.sampled_from(["", "", "", "h", "hh", "l", "ll", "L", "q"]),
        st.sampled_from("dioxXucsfFeEgGdisfn%a"),
        st.sampled_from(["", "", ">", "%%", "%d", "%"]),
    ).map("".join),
    st.text(st.sampled_from("%%d s1.*"), max_size=4),
)


def _loading_code(name: str, *parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    """Return code that loads a fingerprint, drops the values that ``(`` pushes, and runs parts."""
    some = [part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts]
    start = f'"{name[::-1]}"4($$'
    return st.tuples(st.just(start), *some).map("".join)


def _repeated_letters(
    values: st.SearchStrategy[str], letters: str, most: int = 6
) -> st.SearchStrategy[str]:
    one = st.one_of(values, values, st.sampled_from(letters))
    return st.lists(one, min_size=1, max_size=most).map("".join)


def _quote(text: str) -> str:
    return f'0"{text[::-1]}"'


_FORMATTED = _FORMAT.map(_quote)
_FPRT = '"TRPF"4($$'
_PLACE = st.sampled_from(["00", "11", "20", "05", "f0", "01-0", "02"])
_FLOATS = st.lists(_FLOAT, min_size=3, max_size=6).map("".join)


def _regex_call(expression: tuple[str, int], text: str, use: str) -> str:
    pattern, flags = expression
    return f"{_quote(pattern)}{flags:x}C{_quote(text.replace(chr(10), 'c'))}{use}"


_EXPRESSION = st.builds(
    _regex_call, patterns(), texts(), st.sampled_from(["0E", "1E", "3E", "F0E"])
)

PIECES: st.SearchStrategy[str] = st.one_of(
    _loading_code("FPSP", _repeated_letters(_FLOAT, "ABCDEGHKLMNQSTVXYIP")),
    _loading_code("FPDP", _repeated_letters(_FLOAT, "ABCDEGHKLMNQSTVXYIP")),
    _loading_code("LONG", _repeated_letters(_LONG, "ABDLMNOPRSZ")),
    _loading_code("BASE", _repeated_letters(_NUMBER, "BHINO")),
    _loading_code("FRTH", _repeated_letters(_NUMBER, "DLOPR", 9)),
    _loading_code("INDV", _repeated_letters(_NUMBER, "GPVW", 9)),
    _loading_code("JSTR", _repeated_letters(_SMALL, "GP", 9)),
    _loading_code("REXP", _EXPRESSION, st.sampled_from(["", "0E", "4C", "t", "2E"])),
    _loading_code("FPRT", _FORMATTED, _NUMBER, "I"),
    _loading_code("FPRT", _FORMATTED, st.sampled_from(["", "a", "abc", "%d"]).map(_quote), "S"),
    _loading_code("FPSP", _FORMATTED, _FLOAT, _FPRT, "F"),
    _loading_code("FPDP", _FORMATTED, _FLOAT, _FPRT, "D"),
    _loading_code("LONG", _FORMATTED, _LONG, _FPRT, "L"),
    _loading_code("FPSP", '"PSD3"4($$', _FLOATS, st.sampled_from("ABCDLMNUVZ")),
    _loading_code(
        "FPSP", '"PSD3"4($$', _PLACE, _FLOATS, st.sampled_from("ST"), _FLOATS, _PLACE, "X"
    ),
    _loading_code("FPSP", '"PSD3"4($$', _PLACE, st.sampled_from("01234"), _FLOAT, "R"),
    _loading_code("FPSP", '"PSD3"4($$', _PLACE, _PLACE, _PLACE, st.sampled_from("PYX")),
)
