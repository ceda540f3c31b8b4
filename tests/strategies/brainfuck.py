"""Brainfuck programs, their options and inputs."""

from __future__ import annotations

from hypothesis import strategies as st

_SIMPLE = st.text("+-<>.,x", max_size=8)
# Loops that the optimiser merges, so that merged code is tested often.
_IDIOMS = st.sampled_from(
    ["[-]", "[+]", "[->+<]", "[->+>++<<]", "[>]", "[<]", "[>>]", "[+>+<]", "[->>-<<]", "+[>+]",
     "[-<+>]", "++++[->++++<]", "[->+<]>[-<+>]", ",[.,]", "[]", "[.-]", "[[-]>]", ">>>+[<]",
     "-[-]", "--[--]", "[--]", "[-----]", "-[>+<-----]", "--[-->+<]", "[++>-<]", "-[->++>-<<]",
     "+[---<+>]", "[>+<]", "----[---->>++<<]", "-[->+-<]", "++++[->+++[->+<]<]",
     "-[->++[->+<]>[-<+>]<<]", "+++++[>++[>++[->+<]<-]<-]", "++[->++[->++[-<<<+>>>]<]<]"]
)  # fmt: skip


def sources() -> st.SearchStrategy[bytes]:
    """Well-formed programs: idioms, noise and nested loops."""
    body = st.recursive(
        st.one_of(_SIMPLE, _IDIOMS),
        lambda inner: st.one_of(
            st.builds("[{}]".format, inner),
            st.builds("[-{}]".format, inner),
            st.lists(inner, max_size=4).map("".join),
        ),
        max_leaves=8,
    )
    return st.builds("{}{}".format, st.sampled_from(["", "+++", ">>+", ",>,"]), body).map(
        str.encode
    )


def options() -> st.SearchStrategy[dict[str, str | int]]:
    """All options, without combinations of ``tape`` and ``size`` that are invalid."""
    tape = st.one_of(
        st.builds(dict, tape=st.just("error"), size=st.sampled_from([0, 1, 5, 30000])),
        st.builds(dict, tape=st.just("wrap"), size=st.sampled_from([1, 3, 7, 300])),
        st.just({"tape": "both-ways", "size": 0}),
    )
    rest = st.fixed_dictionaries(
        {"cell": st.sampled_from([8, 16, 32]), "eof": st.sampled_from([0, -1, "unchanged"])}
    )
    return st.builds(lambda a, b: {**a, **b}, tape, rest)


def stdins() -> st.SearchStrategy[bytes]:
    """A few bytes."""
    return st.binary(max_size=6)
