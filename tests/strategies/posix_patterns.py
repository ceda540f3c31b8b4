"""POSIX regular expressions, valid and not, and texts that they may match."""

from __future__ import annotations

from hypothesis import strategies as st

_ATOMS = st.sampled_from(
    ["a", "b", "a", "b", ".", "[ab]", "[^a]", "c", "[[:alpha:]]", "[a-c]", "[]b]", "[=a=]"]
)
_NOISE = st.text(st.sampled_from("ab()|*+?{}1,2\\^$.[]-:="), max_size=7)
_TIMES = ["*", "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{,1}"]


def _longer_patterns(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(%s|%s)".__mod__),
        inner.map("({})".format),
        st.tuples(inner.map("({})".format), st.sampled_from(_TIMES)).map("".join),
        st.tuples(st.sampled_from("ab."), st.sampled_from(_TIMES)).map("".join),
        st.tuples(inner, inner).map("(%s)%s\\1".__mod__),
        st.tuples(st.sampled_from("^$"), inner).map("".join),
        st.tuples(inner, st.sampled_from("^$")).map("".join),
    )


def _to_basic(pattern: str) -> str:
    """Convert an extended expression to the notation of basic ones."""
    return "".join("\\" + char if char in "()|{}+?" else char for char in pattern)


def patterns() -> st.SearchStrategy[tuple[str, int]]:
    """A pattern and flags to compile it with."""
    extended = st.recursive(_ATOMS, _longer_patterns, max_leaves=6)
    other = st.sampled_from([0, 0, 0, 2, 8, 10])
    return st.one_of(
        st.tuples(extended, other.map(lambda flags: flags | 1)),
        st.tuples(extended.map(_to_basic), other),
        st.tuples(_NOISE, st.integers(0, 11)),
    )


def texts() -> st.SearchStrategy[str]:
    return st.text(st.sampled_from("aabbcA\n"), max_size=6)
