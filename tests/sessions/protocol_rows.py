"""Rows of the table of protocols, the published ones and any others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from hypothesis import strategies as st

from esoplay.sessions import protocols
from esoplay.sessions.hosts import HOSTS
from esoplay.sessions.protocols import FIELDS, PROTOCOLS, Protocol, format_field


def _honest(row: Protocol) -> Protocol:
    """What explains hidden tests has public ones, as the reader of protocol files demands."""
    return replace(row, public_seed=True) if row.feedback == "explained" else row


ANY_ROW: st.SearchStrategy[Protocol] = st.builds(
    Protocol,
    id=st.just("any"),
    purpose=st.just("to be tried"),
    dialect=st.sampled_from(("standard", "benchmark")),
    runs=st.none() | st.integers(0, 3),
    submissions=st.none() | st.integers(1, 4),
    skip=st.sampled_from(get_args(protocols.Skip)),
    order=st.sampled_from(get_args(protocols.ProblemOrder)),
    feedback=st.sampled_from(get_args(protocols.Feedback)),
    examples=st.booleans(),
    revisit=st.sampled_from(get_args(protocols.Revisit)),
    public_seed=st.booleans(),
    debug=st.booleans(),
    shell=st.booleans(),
    generators=st.none() | st.lists(st.sampled_from(list(HOSTS)), max_size=2).map(tuple),
    files=st.sampled_from(get_args(protocols.Files)),
    material=st.sampled_from(("none", "text")),
    base=st.none() | st.just("primary"),
    compare=st.sampled_from(get_args(protocols.RowCompare)),
).map(_honest)


FINAL: Mapping[protocols.Revisit, set[str]] = {
    "never": {"solved", "failed", "skipped"},
    "skipped": {"solved", "failed"},
    "all": {"failed"},
}
"""What is never shown or accepted again, by ``revisit``; said here a second time on purpose."""


def checks_workspace(row: Protocol) -> bool:
    """Whether a submission depends on what lies in the workspace."""
    return row.generators is not None or row.files != "any"


def changes_to(row: Protocol) -> dict[str, Any]:
    """The changes that make a row of ``primary``, as they are typed."""

    def typed(name: str) -> Any:
        if name == "generators" and row.generators is not None:
            return list(row.generators)
        value = getattr(row, name)
        return format_field(row, name) if value is None else value

    return {name: typed(name) for name in FIELDS if name != "purpose"}


ANY_PROTOCOL = (
    st.sampled_from([one for one in PROTOCOLS.values() if one.material != "library"]) | ANY_ROW
)
