"""Unlambda programs, their options (none) and inputs."""

from __future__ import annotations

from hypothesis import strategies as st

_ATOMS = st.sampled_from(
    ["s", "k", "i", "v", "c", "d", "r", "e", "@", "|", ".a", ".#", ".`", "?a", "?\n", "K", "S"]
)
# Combinations of functions that are rare in random trees.
_IDIOMS = st.sampled_from(
    ["``sii", "``s`kck", "``s`d.a.b", "``scd", "``ci`c.x", "`c``s`k`sv``ss`k`ki", "``s`ksk",
     "`dc", "``cd", "``s`kd", "``si`kd", "```sd", "``s`k@i", "``s`k|i", "``cir", "`d`.a.b",
     "``sid", "````s``s`kski.*i", "`````s``s`kski``s``s`kski.bi", "```sii``sii",
     "``s`kee", "`cc", "``s`k?ai",
     "`k`ci"]
)  # fmt: skip
_GAPS = st.sampled_from(["", "", "", "", " ", "\n", "# `comment\n"])


def sources() -> st.SearchStrategy[bytes]:
    """Complete expressions of atoms, idioms and applications, with comments between them."""

    def apply_terms(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds("`{}{}{}{}".format, _GAPS, inner, _GAPS, inner)

    leaves = st.one_of(_ATOMS, _ATOMS, _ATOMS.map("`{}i".format), _IDIOMS.map(_complete))
    body = st.recursive(leaves, apply_terms, max_leaves=24)
    return st.builds("{}{}{}".format, _GAPS, body, st.sampled_from(["", "\n", " trailing"])).map(
        str.encode
    )


def options() -> st.SearchStrategy[dict[str, str | int]]:
    """An empty dictionary, because the language has no options."""
    return st.just({})


def stdins() -> st.SearchStrategy[bytes]:
    """A few bytes, some of which programs compare with."""
    return st.text("aab\n`z", max_size=6).map(str.encode)


def _complete(idiom: str) -> str:
    """Return the idiom as one expression: cut at its end, or with `i` for missing operands."""
    lacking, at = 1, 0
    while at < len(idiom) and lacking:
        lacking += 1 if idiom[at] == "`" else -1
        at += 2 if idiom[at] in ".?" else 1
    return idiom[:at] + "i" * lacking
