"""Counts with their nouns, and suggestions for misspelled words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TYPO_LENGTH = 80
"""Maximum number of characters of a word that gets suggestions, which are slow for long words."""
MIN_SIMILARITY = 0.7
"""Minimum similarity, between 0 and 1, of a misspelled word and a suggestion."""


def noun(count: int, singular: str, plural_noun: str = "") -> str:
    """Return ``singular`` if ``count`` is 1, else ``plural_noun`` or ``singular`` with an s."""
    return singular if count == 1 else plural_noun or f"{singular}s"


def plural(count: int, singular: str, plural_noun: str = "") -> str:
    """Return a count with its noun: ``1 byte``, ``1,204 bytes``, ``2 entries``.

    plural_noun: the plural, if it is not ``singular`` with an s.
    """
    return f"{count:,} {noun(count, singular, plural_noun)}"


def format_count(count: int, singular: str, plural_noun: str = "") -> str:
    """Return a count with its noun, without separators between thousands: ``1204 bytes``."""
    return f"{count} {noun(count, singular, plural_noun)}"


def join_names(names: Sequence[str]) -> str:
    """Return ``a, b and c``; there must be at least one name."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def similar_words(word: str, known: Iterable[str], limit: int = 1) -> list[str]:
    """Return the known words that are most similar to a misspelled one, closest first."""
    from difflib import get_close_matches  # late: needed only for errors

    if not 0 < len(word) <= MAX_TYPO_LENGTH:
        return []
    words = list(dict.fromkeys(known))
    small = {each.casefold(): each for each in reversed(words)}
    wanted = word.casefold()
    found = [small[each] for each in get_close_matches(wanted, small, limit, MIN_SIMILARITY)]
    letters = sorted(wanted)  # two letters swapped in a short word: rnu
    exchanged = [each for each in words if sorted(each.casefold()) == letters]
    started = [each for each in words if len(word) > 2 and each.casefold().startswith(wanted)]
    return list(dict.fromkeys([*found, *exchanged, *started]))[:limit]


def suggest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` if a known word is close, else ''."""
    close = similar_words(word, known)
    return f"; did you mean {close[0]}?" if close else ""
