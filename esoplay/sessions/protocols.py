"""The protocols of a session, as one table.

A protocol is data: what a solver may do, how often, and what it is told.  The rules that read
this table stand in ``machine`` and ``conduct``; nothing else decides anything, and nothing
decides by a protocol's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from esoplay.errors import UsageError

Skip = Literal["never", "when-exhausted", "free"]
Order = Literal["forward", "free"]
Feedback = Literal["count", "per-test", "explained"]
Revisit = Literal["never", "skipped", "all"]
Files = Literal["any", "own"]
Material = Literal["none", "text", "library"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """One row of the table.

    base: the row that this one was derived from, None for a published one.
    dialect: of the language, pinned for every run and submission of the session.
    runs, submissions: how many per problem; None is "as many as you like".
    skip: ``"when-exhausted"`` refuses while submissions are left.  The last submission
        finalizes its problem anyway, so under a counted protocol no problem can be given up:
        a solver moves on by spending its submissions.  ``"never"`` refuses always.
    order: ``"forward"`` hands out the problems one after the other, one active at a time;
        ``"free"`` on demand.
    feedback: on a submission; ``"count"`` is the number of tests passed and nothing about any
        single test, ``"per-test"`` adds a word for each, ``"explained"`` the input and outputs.
    examples: whether ``fetch`` shows the problem's public examples.
    revisit: which problems that are left or finished may be fetched and submitted again.
    debug: whether the solver may debug; each recording is a local run.
    shell: whether the solver may use other tools than the session's own moves.  It is told;
        no program can check it.
    generators: the languages whose programs may lie in the workspace; None is any.
    files: what else may lie there; ``"own"`` is the language's own programs and nothing else.
    material: what ``init`` puts into the workspace beside the instructions.
    public_seed: hidden tests come from the public practice seed instead of a secret one.
    """

    id: str
    purpose: str
    dialect: str
    runs: int | None
    submissions: int | None
    skip: Skip
    order: Order
    feedback: Feedback
    examples: bool
    revisit: Revisit
    public_seed: bool
    debug: bool = False
    shell: bool = True
    generators: tuple[str, ...] | None = None
    files: Files = "any"
    material: Material = "none"
    base: str | None = None


_PRIMARY = Protocol(
    id="primary",
    purpose="the headline numbers of the benchmark",
    dialect="benchmark",
    runs=None,
    submissions=3,
    skip="when-exhausted",
    order="forward",
    feedback="count",
    examples=False,
    revisit="never",
    public_seed=False,
)


def _budget(runs: int | None) -> Protocol:
    spoken = "any number of" if runs is None else f"{runs}"
    return replace(
        _PRIMARY,
        id=f"budget-{'inf' if runs is None else runs}",
        purpose=f"what the interpreter is worth: {spoken} local runs per problem",
        runs=runs,
    )


def _host(language: str) -> Protocol:
    return replace(
        _PRIMARY,
        id=f"host-{language}",
        purpose=f"programs may be generated, by {language} alone",
        generators=(language,),
    )


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        protocol.id: protocol
        for protocol in (
            _PRIMARY,
            replace(
                _PRIMARY,
                id="controlled",
                purpose="three local runs, then the one submission",
                runs=3,
                submissions=1,
                skip="never",
            ),
            *(_budget(runs) for runs in (3, 5, 15, 30, None)),
            replace(
                _PRIMARY,
                id="direct",
                purpose="programs written by hand, without generators",
                shell=False,
                generators=(),
                files="own",
            ),
            *(_host(language) for language in ("python", "javascript", "rust")),
            replace(
                _PRIMARY,
                id="library",
                purpose="as text, with the builders' library in the workspace",
                material="library",
            ),
            replace(
                _PRIMARY,
                id="text",
                purpose="a text on how to go about it lies in the workspace",
                material="text",
            ),
            replace(
                _PRIMARY,
                id="relaxed",
                purpose="diagnosis: problems may be left and taken up again; not comparable",
                skip="free",
                revisit="skipped",
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
                revisit="all",
                public_seed=True,
                debug=True,
            ),
        )
    }
)

_BUDGET = re.compile(r"budget-(0|[1-9][0-9]{0,8})")


def find_protocol(id: str) -> Protocol:
    """The protocol of this name; ``budget-N`` exists for every N.  UsageError names them."""
    if id in PROTOCOLS:
        return PROTOCOLS[id]
    budget = _BUDGET.fullmatch(id)
    if budget:
        return _budget(int(budget[1]))
    raise UsageError(
        f"no protocol {id!r}; there are {', '.join(PROTOCOLS)}, budget-N for any number of runs, "
        "and files: a path that ends in .toml"
    )


def upgraded_row(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON, perhaps of an earlier version, with the fields of this one.

    Until the rows had a field for it, debugging was allowed exactly where the seed is public;
    ``revisit`` was a boolean.
    """
    row = dict(fields)
    row.setdefault("debug", row.get("public_seed"))
    if isinstance(row.get("revisit"), bool):
        row["revisit"] = "all" if row["revisit"] else "never"
    return row


def row_from(fields: Mapping[str, Any]) -> Protocol:
    """The row that ``asdict`` gave, perhaps in an earlier version; TypeError if it is none."""
    row = upgraded_row(fields)
    if row.get("generators") is not None:
        row["generators"] = tuple(row["generators"])
    return Protocol(**row)
