"""Tokens and cost of sessions, from JSON lines that the model's operator wrote."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Annotated, Any, NamedTuple, cast

from msgspec import Meta, Struct

from esoplay.decoding import DecodingError, FileWording, decode
from esoplay.errors import UsageError

_MAX_COUNT = 10**15


class UsageEntry(NamedTuple):
    """The tokens and the cost of one answer of a model.

    time_ms: Unix time.  reasoning_tokens: a part of output_tokens, None if not reported.
    """

    time_ms: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    reasoning_tokens: int | None = None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


Count = Annotated[int, Meta(ge=0, lt=_MAX_COUNT, extra={"expected": "a non-negative integer"})]
OptionalCount = Annotated[
    Annotated[int, Meta(ge=0, lt=_MAX_COUNT)] | None,
    Meta(extra={"expected": "a non-negative integer"}),
]
Cost = Annotated[
    Annotated[int, Meta(ge=0, lt=_MAX_COUNT)] | Annotated[float, Meta(ge=0, lt=_MAX_COUNT)] | None,
    Meta(extra={"expected": "a non-negative number"}),
]


class TokenUsage(Struct):
    """Tokens and cost of one answer of a model, as one JSON line; unknown fields are ignored.

    time_ms: Unix time.
    """

    time_ms: Count
    input_tokens: Count
    output_tokens: Count
    cost: Cost = None
    reasoning_tokens: OptionalCount = None


class UsageLine(TokenUsage, kw_only=True):
    """A line of a usage file."""

    session: str


_WORDING = FileWording(
    missing="expected {expected}, but the field is missing",
    expected="expected {expected}, not {found}",
    show=repr,
)


class SessionUsage(NamedTuple):
    """The usage of one session; entries in order of time, with cumulative sums.

    reasoning: total, None if an answer does not report it.  cost: total of the reported costs, None
    if none is reported.
    """

    entries: tuple[UsageEntry, ...]
    cumulative_input: tuple[int, ...]
    cumulative_output: tuple[int, ...]
    reasoning: int | None
    cost: float | None

    @property
    def tokens(self) -> int:
        return self.cumulative_input[-1] + self.cumulative_output[-1]

    def tokens_until(self, time_ms: int) -> TokenPair:
        """Return the tokens of all answers up to this time."""
        known = self._count_until(time_ms)
        return (
            TokenPair(self.cumulative_input[known - 1], self.cumulative_output[known - 1])
            if known
            else TokenPair(0, 0)
        )

    def split_entries(self, ends_ms: Sequence[int]) -> list[tuple[UsageEntry, ...]]:
        """Split the answers by time: each part ends at one of ``ends_ms``.

        The last part also has all later answers.
        """
        cuts = [0, *map(self._count_until, ends_ms[:-1]), len(self.entries)]
        return [self.entries[start:end] for start, end in pairwise(cuts)]

    def _count_until(self, time_ms: int) -> int:
        return bisect_right(self.entries, time_ms, key=lambda entry: entry.time_ms)


class TokenPair(NamedTuple):
    """Tokens of prompts and of answers."""

    input: int
    output: int

    @property
    def total(self) -> int:
        return self.input + self.output


class Usage:
    """Usage entries by session."""

    def __init__(self, entries: Mapping[str, Sequence[UsageEntry]] | None = None):
        self._by_session = {
            name: _session_usage(each) for name, each in (entries or {}).items() if each
        }

    def for_session(self, session: str) -> SessionUsage | None:
        """Return the usage of a session; None if not reported."""
        return self._by_session.get(session)


def read_usage(files: Mapping[str, bytes]) -> Usage:
    """Read files of lines ``{"session", "time_ms", "input_tokens", "output_tokens", "cost"}``.

    ``cost`` may be missing or null; other members are ignored. Raises UsageError, which names file
    and line, if a line is invalid.
    """
    entries: dict[str, list[UsageEntry]] = {}
    for file, data in files.items():
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip():
                session, entry = _read(line, f"{file}, line {number}")
                entries.setdefault(session, []).append(entry)
    return Usage(entries)


def parse_entry(members: Mapping[str, Any]) -> UsageEntry:
    """Return the entry of a line; raise UsageError, which names the member, if one is invalid."""
    try:
        found = decode(dict(members), TokenUsage, _WORDING)
    except DecodingError as mistake:
        raise UsageError(str(mistake)) from None
    return UsageEntry(
        found.time_ms,
        found.input_tokens,
        found.output_tokens,
        found.cost,
        found.reasoning_tokens,
    )


def _read(line: bytes, place: str) -> tuple[str, UsageEntry]:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not valid JSON: {error}") from None
    members = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    session = members.get("session")
    if not isinstance(session, str):
        raise UsageError(f"{place}: session: expected the id of a session")
    try:
        return session, parse_entry(members)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None


def _session_usage(entries: Sequence[UsageEntry]) -> SessionUsage:
    ordered = sorted(entries, key=lambda one: one.time_ms)
    costs = [one.cost for one in ordered if one.cost is not None]
    reasoning = [one.reasoning_tokens for one in ordered if one.reasoning_tokens is not None]
    return SessionUsage(
        tuple(ordered),
        tuple(accumulate(one.input_tokens for one in ordered)),
        tuple(accumulate(one.output_tokens for one in ordered)),
        sum(reasoning) if len(reasoning) == len(ordered) else None,
        sum(costs) if costs else None,
    )
