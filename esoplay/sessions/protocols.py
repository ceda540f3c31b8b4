"""The protocols of a session, as one table.

A protocol is data: what a solver may do, how often, and what it is told.  The rules that read
this table stand in ``machine``; nothing else decides anything by a protocol's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from esoplay.errors import UsageError

SkipPolicy = Literal["when-exhausted", "free"]
Order = Literal["forward", "free"]
Feedback = Literal["count", "explained"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """One row of the table.

    dialect: of the language, pinned for every run and submission of the session.
    runs, submissions: how many per problem; None is "as many as you like".
    skip: ``"when-exhausted"`` refuses while submissions are left.  The last submission
        finalizes its problem anyway, so under a counted protocol no problem can be given up:
        a solver moves on by spending its submissions.
    order: ``"forward"`` hands out the problems one after the other, ``"free"`` on demand.
    feedback: on a submission; ``"count"`` is the number of tests passed and nothing about any
        single test, ``"explained"`` adds each test with its input and both outputs.
    examples: whether ``fetch`` shows the problem's public examples.
    revisit: whether a solved or skipped problem may be fetched and submitted again.
    public_seed: hidden tests come from the public practice seed instead of a secret one.
    """

    id: str
    purpose: str
    dialect: str
    runs: int | None
    submissions: int | None
    skip: SkipPolicy
    order: Order
    feedback: Feedback
    examples: bool
    revisit: bool
    public_seed: bool


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        protocol.id: protocol
        for protocol in (
            Protocol(
                id="primary",
                purpose="the headline numbers of the benchmark",
                dialect="benchmark",
                runs=None,
                submissions=3,
                skip="when-exhausted",
                order="forward",
                feedback="count",
                examples=False,
                revisit=False,
                public_seed=False,
            ),
            Protocol(
                id="practice",
                purpose="for learning: examples shown, results explained, nothing counted",
                dialect="standard",
                runs=None,
                submissions=None,
                skip="free",
                order="free",
                feedback="explained",
                examples=True,
                revisit=True,
                public_seed=True,
            ),
        )
    }
)


def find_protocol(id: str) -> Protocol:
    """The protocol of this name; UsageError names those there are."""
    try:
        return PROTOCOLS[id]
    except KeyError:
        raise UsageError(f"no protocol {id!r}; there are {', '.join(PROTOCOLS)}") from None
