"""Whitespace programs, their options and inputs."""

from __future__ import annotations

from hypothesis import strategies as st

SPELLINGS = {
    "push": "SS", "dup": "SLS", "copy": "STS", "swap": "SLT", "discard": "SLL", "slide": "STL",
    "add": "TSSS", "sub": "TSST", "mul": "TSSL", "div": "TSTS", "mod": "TSTT", "store": "TTS",
    "retrieve": "TTT", "label": "LSS", "call": "LST", "jump": "LSL", "jz": "LTS", "jn": "LTT",
    "return": "LTL", "end": "LLL", "printc": "TLSS", "printn": "TLST", "readc": "TLTS",
    "readn": "TLTT",
}  # fmt: skip
LABELS = ("", "S", "T", "ST", "SST")
_TOKENS = {"S": b" ", "T": b"\t", "L": b"\n"}
_EDGE = 1 << 63

_numbers = st.one_of(
    st.integers(-3, 9),
    st.integers(-300, 300),
    st.sampled_from([_EDGE - 1, _EDGE, -_EDGE, -_EDGE - 1, 1 - _EDGE, _EDGE >> 1, 1 << 31, 1 << 32,
                     1 << 80, -(1 << 70), (1 << 64) - 1, 1 << 64, -(1 << 64), (1 << 126) - 1,
                     1 << 126, -(1 << 126), 3**39, 1 << 2200, 3**2600,
                     0xDCFF, 0xD800, 0x20AC, 0x1F600, 1500, 5000, 1 << 16]),
)  # fmt: skip
_PLAIN = ["dup", "swap", "discard", "add", "sub", "mul", "div", "mod", "store", "retrieve",
          "dup", "add", "sub", "store", "retrieve", "printc", "printn", "readc",
          "readn"]  # fmt: skip


def number(value: int) -> str:
    """Return the usual spelling of a number."""
    digits = format(abs(value), "b").replace("0", "S").replace("1", "T") if value else ""
    return ("T" if value < 0 else "S") + digits


_labels = st.sampled_from(LABELS)
_push = _numbers.map(lambda n: SPELLINGS["push"] + number(n) + "L")
_instruction = st.one_of(
    _push,
    _push,
    st.sampled_from(_PLAIN).map(SPELLINGS.__getitem__),
    st.sampled_from(_PLAIN).map(SPELLINGS.__getitem__),
    st.builds(
        lambda name, n: SPELLINGS[name] + n + "L",
        st.sampled_from(["copy", "slide"]),
        st.one_of(st.integers(-1, 4).map(number), st.sampled_from(["", "S", "T", "SSST"])),
    ),
    st.builds(
        lambda name, label: SPELLINGS[name] + label + "L",
        st.sampled_from(["label", "label", "call", "jump", "jz", "jn", "jz", "jn"]),
        _labels,
    ),
    st.sampled_from(["return", "end", "return"]).map(SPELLINGS.__getitem__),
)


def _loop(count: int, body: str, label: str, at: int) -> str:
    """Return a loop with a counter in the heap, which the trace compiler can compile."""
    cell = SPELLINGS["push"] + number(at) + "L"
    load = cell + SPELLINGS["retrieve"]
    begin = cell + SPELLINGS["push"] + number(count) + "L" + SPELLINGS["store"]
    down = cell + load + SPELLINGS["push"] + "STL" + SPELLINGS["sub"] + SPELLINGS["store"]
    mark, out = SPELLINGS["label"] + label + "L", label + "SSS"
    leave = load + SPELLINGS["jz"] + out + "L"
    back = SPELLINGS["jump"] + label + "L" + SPELLINGS["label"] + out + "L"
    return begin + mark + leave + body + down + back


_body = st.lists(_instruction, max_size=10).map("".join)
_loops = st.builds(
    _loop,
    st.sampled_from([2, 5, 60, 90, 120]),
    st.recursive(
        _body,
        lambda inner: st.builds(
            _loop, st.sampled_from([1, 3, 50]), inner, st.sampled_from(["TST", "TSTT"]),
            st.sampled_from([5, 6]),
        ),
        max_leaves=2,
    ),
    st.sampled_from(["TTT", "TTTT"]),
    st.sampled_from([7, 8, 2000]),
)  # fmt: skip
_straight = st.lists(_instruction, max_size=25).map("".join)
_start = st.lists(_push, max_size=6).map("".join)


def tokens() -> st.SearchStrategy[str]:
    """Well-formed programs in the letters S, T and L."""
    parts = st.lists(st.one_of(_straight, _loops, _loops), min_size=1, max_size=3).map("".join)
    return st.builds("{}{}".format, _start, parts)


def sources() -> st.SearchStrategy[bytes]:
    """Well-formed programs, some with comments or with extra line feeds at the end."""
    comments = st.sampled_from([b"", b"", b"", b"x", b"a comment".replace(b" ", b"_"), b"\xff\r"])

    def with_comments(text: str, comment: bytes, every: int) -> bytes:
        return b"".join(
            _TOKENS[c] + (comment if at % every == 0 else b"") for at, c in enumerate(text)
        )

    ended = st.builds("{}{}".format, tokens(), st.sampled_from(["", "", "L", "LL"]))
    return st.builds(with_comments, ended, comments, st.integers(1, 9))


def options() -> st.SearchStrategy[dict[str, str | int]]:
    """All options except ``labels`` and ``notation``."""
    return st.fixed_dictionaries(
        {
            "division": st.sampled_from(["floor", "truncate", "mixed"]),
            "eof": st.sampled_from([-1, 0, "error", "unchanged"]),
            "io": st.sampled_from(["utf8", "bytes"]),
            "number": st.sampled_from(["line", "token"]),
        }
    )


def stdins() -> st.SearchStrategy[bytes]:
    """Text, numbers and bytes that are not text."""
    piece = st.sampled_from([b"a", b"7", b"-12", b"\n", b" ", b"\xe2\x82\xac", b"\xe2\x82", b"\xff",
                             b"+5\r\n", b"99999999999999999999",
                             b"\xf0\x9f\x98\x80", b"x"])  # fmt: skip
    return st.lists(piece, max_size=5).map(b"".join)
