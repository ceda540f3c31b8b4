"""Finding things in program text: matching brackets, and what ``/`` looks for."""

from __future__ import annotations

import re

_PAIRS = {b"[": b"]", b"(": b")", b"{": b"}"}
_PARTNERS = _PAIRS | {closing: opening for opening, closing in _PAIRS.items()}
_CLOSING = frozenset(_PAIRS.values())


def matching_bracket(source: bytes, offset: int, reach: int | None = None) -> int | None:
    """The partner of the bracket at ``offset``; None where there is no bracket or no partner.

    reach: how many bytes away to look at most; None looks through all of the source.
    """
    bracket = source[offset : offset + 1]
    partner = _PARTNERS.get(bracket)
    if partner is None:
        return None
    pattern = re.compile(b"[" + re.escape(bracket) + re.escape(partner) + b"]")
    first = 0 if reach is None else max(0, offset - reach)
    end = len(source) if reach is None else offset + reach + 1
    depth = 0
    if bracket in _CLOSING:
        before = [match.start() for match in pattern.finditer(source, first, offset + 1)]
        for found in reversed(before):
            depth += 1 if source[found : found + 1] == bracket else -1
            if depth == 0:
                return found
        return None
    for match in pattern.finditer(source, offset, end):
        depth += 1 if match.group() == bracket else -1
        if depth == 0:
            return match.start()
    return None


def find_next(source: bytes, wanted: bytes, after: int) -> int | None:
    """The first place of ``wanted`` behind ``after``, going round at the end."""
    if not wanted:
        return None
    found = source.find(wanted, after + 1)
    if found < 0:
        found = source.find(wanted)
    return None if found < 0 else found


def find_previous(source: bytes, wanted: bytes, before: int) -> int | None:
    """The last place of ``wanted`` that begins ahead of ``before``, going round at the start."""
    if not wanted:
        return None
    found = source.rfind(wanted, 0, max(0, before + len(wanted) - 1)) if before > 0 else -1
    if found < 0:
        found = source.rfind(wanted)
    return None if found < 0 else found
