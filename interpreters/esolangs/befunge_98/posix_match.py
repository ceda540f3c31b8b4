"""Matching of POSIX regular expressions, in a bounded amount of work.

Source: IEEE Std 1003.1, "Regular Expressions" and ``regexec``. The match is the longest of the
leftmost matches; within it each part, from left to right, is as long as possible.

A set of positions in the text is a number with one bit per position, so that a part of the
expression is matched from all positions at once.  Only expressions with back-references are matched
by backtracking.
"""

from __future__ import annotations

from esolangs.befunge_98.posix_regex import (
    BEGIN,
    CHOICE,
    END,
    GROUP,
    IGNORE_CASE,
    NEWLINE,
    NO_GROUPS,
    REFERENCE,
    REPEAT,
    SEQUENCE,
    SET,
    Node,
    Pattern,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Span = tuple[int, int]
    Captures = tuple["Span | None", ...]

NOT_AT_BEGIN, NOT_AT_END = 1, 2

MAX_TEXT = 1 << 16  # characters
MAX_WORK = 1 << 20  # see `RegexMatcher.work`


class MatchLimitExceeded(Exception):
    """Raised when a match needs more work than allowed."""


def match(
    pattern: Pattern, text: Sequence[int], flags: int
) -> tuple[list[Span | None] | None, int]:
    """Return the spans of the match and its groups (None without a match), and the work done.

    Raises MatchLimitExceeded if the match needs too much work.
    """
    if len(text) > MAX_TEXT:
        raise MatchLimitExceeded
    matcher = RegexMatcher(pattern, text, flags)
    return matcher.search(), matcher.work


def _swap_case(char: int) -> int:
    if 65 <= char <= 90:
        return char + 32
    return char - 32 if 97 <= char <= 122 else char


def _in_ranges(char: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= char <= high for low, high in ranges)


class RegexMatcher:
    """Matches an expression against a text.

    work: the work so far, about one unit for an operation on one character or on the bits of 2048
    positions.
    """

    def __init__(self, pattern: Pattern, text: Sequence[int], flags: int):
        self.pattern = pattern
        self.text = text
        self.length = len(text)
        self.work = 0
        self.ignores_case = bool(pattern.flags & IGNORE_CASE)
        self.set_work = 1 + self.length // 2048
        self.positions_by_character: dict[int, list[int]] = {}
        for at, char in enumerate(text):
            self.positions_by_character.setdefault(char, []).append(at)
        self.position_sets: dict[tuple[tuple[tuple[int, int], ...], bool], int] = {}
        self.begins = 0 if flags & NOT_AT_BEGIN else 1
        self.ends = 0 if flags & NOT_AT_END else 1 << self.length
        if pattern.flags & NEWLINE:
            newlines = self._position_set(self.positions_by_character.get(10, []))
            self.begins |= newlines << 1
            self.ends |= newlines
        self.spans: list[Span | None] = [None] * (pattern.groups + 1)

    def _add_work(self, units: int) -> None:
        self.work += units
        if self.work > MAX_WORK:
            raise MatchLimitExceeded

    def search(self) -> list[Span | None] | None:
        root = self.pattern.root
        if self.pattern.references:
            return self._search_references()
        starts = self._backward(root, (1 << (self.length + 1)) - 1)
        if not starts:
            return None
        first = (starts & -starts).bit_length() - 1
        end = self._forward(root, 1 << first).bit_length() - 1
        self.spans[0] = first, end
        if not self.pattern.flags & NO_GROUPS:
            self._assign(root, first, end)
        return self.spans

    # Sets of positions, as bits.

    def _position_set(self, positions: list[int]) -> int:
        self._add_work(1 + len(positions) // 16 + self.length // 256)
        bits = bytearray(self.length // 8 + 1)
        for at in positions:
            bits[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(bits, "little")

    def _contains(self, node: Node, char: int) -> bool:
        found = _in_ranges(char, node.ranges)
        if self.ignores_case and not found:
            found = _in_ranges(_swap_case(char), node.ranges)
        return found != node.negated

    def _positions_in_set(self, node: Node) -> int:
        """Return, as bits, the positions in the text where a character of the set ``node`` is."""
        key = node.ranges, node.negated
        found = self.position_sets.get(key)
        if found is None:
            self._add_work(1 + len(self.positions_by_character) * (1 + len(node.ranges)) // 4)
            positions: list[int] = []
            for char, there in self.positions_by_character.items():
                if self._contains(node, char):
                    positions += there
            found = self.position_sets[key] = self._position_set(positions)
        return found

    def _forward(self, node: Node, positions: int) -> int:
        """Return, as bits, where matches of ``node`` that begin at ``positions`` can end."""
        self._add_work(self.set_work)
        kind = node.kind
        if kind == SET:
            return (positions & self._positions_in_set(node)) << 1
        if kind == SEQUENCE:
            for part in node.parts:
                positions = self._forward(part, positions)
                if not positions:
                    break
            return positions
        if kind == REPEAT:
            return self._repeat(node, positions, self._forward, self._fill_forward)
        return self._match_simple(node, positions, self._forward)

    def _backward(self, node: Node, positions: int) -> int:
        """Return the possible start positions of matches of ``node`` that end at ``positions``.

        Sets of positions are integers: bit n stands for position n.
        """
        self._add_work(self.set_work)
        kind = node.kind
        if kind == SET:
            return positions >> 1 & self._positions_in_set(node)
        if kind == SEQUENCE:
            for part in reversed(node.parts):
                positions = self._backward(part, positions)
                if not positions:
                    break
            return positions
        if kind == REPEAT:
            return self._repeat(node, positions, self._backward, self._fill_backward)
        return self._match_simple(node, positions, self._backward)

    def _match_simple(self, node: Node, positions: int, advance: Callable[[Node, int], int]) -> int:
        """Match a node of a kind whose rule is the same in both directions.

        advance: ``_forward`` or ``_backward``, which matches the parts of the node.
        """
        if node.kind == GROUP:
            return advance(node.parts[0], positions)
        if node.kind == CHOICE:
            found = 0
            for part in node.parts:
                found |= advance(part, positions)
            return found
        if node.kind == BEGIN:
            return positions & self.begins
        return positions & self.ends if node.kind == END else positions

    def _repeat(
        self,
        node: Node,
        positions: int,
        advance: Callable[[Node, int], int],
        fill: Callable[[int, int], int],
    ) -> int:
        """Return, as bits, the positions that a repetition reaches from ``positions``.

        advance: ``_forward`` or ``_backward``, which matches the repeated part once.  fill:
        ``_fill_forward`` or ``_fill_backward``, for sets that may be repeated without limit.
        """
        (part,) = node.parts
        for _ in range(node.low):
            found = advance(part, positions)
            if found == positions:
                break
            positions = found
        if node.high is None and part.kind == SET:
            return fill(positions, self._positions_in_set(part))
        total, rest = positions, -1 if node.high is None else node.high - node.low
        while positions and rest:
            positions = (
                advance(part, positions) & ~total
            )  # positions reached earlier have more repeats left
            total |= positions
            rest -= 1
        return total

    def _fill_forward(self, positions: int, members: int) -> int:
        """Match a repeated set of characters: add to ``positions`` the ends of all matches.

        positions: where a match can start, one bit for each.  members: where the text has a
        character of the set.  Each round doubles the number of repetitions covered.
        """
        step = 1
        while positions & members:
            self._add_work(self.set_work)
            positions |= (positions & members) << step
            members &= members >> step
            step *= 2
        return positions

    def _fill_backward(self, positions: int, members: int) -> int:
        step = 1
        while members:
            self._add_work(self.set_work)
            positions |= positions >> step & members
            members &= members >> step
            step *= 2
        return positions

    # Groups: the span that each part of the expression matches.

    def _assign(self, node: Node, first: int, end: int) -> None:
        """Store the span of each group in ``node``, which matches from ``first`` to ``end``."""
        if not node.groups:
            return
        if node.kind == GROUP:
            self.spans[node.number] = first, end
            self._assign(node.parts[0], first, end)
        elif node.kind == SEQUENCE:
            self._assign_sequence(node.parts, first, end)
        elif node.kind == CHOICE:
            for part in node.parts:
                if self._forward(part, 1 << first) >> end & 1:
                    self._assign(part, first, end)
                    break
        else:
            self._assign_repeat(node, first, end)

    def _assign_sequence(self, parts: tuple[Node, ...], first: int, end: int) -> None:
        ends = [1 << end]
        for part in reversed(parts[1:]):
            ends.append(self._backward(part, ends[len(ends) - 1]))
        for part in parts:
            part_end = (self._forward(part, 1 << first) & ends.pop()).bit_length() - 1
            self._assign(part, first, part_end)
            first = part_end

    def _assign_repeat(self, node: Node, first: int, end: int) -> None:
        """Store what each group in a repeated part matches in the last repetition.

        node: matches the text from ``first`` to ``end``.  Each repetition is as long as possible;
        if fewer repetitions than required match the text, the last one matches the empty text.
        """
        (part,) = node.parts
        low, high = node.low, node.high
        if high == 0:
            return
        if first == end:
            if self._forward(part, 1 << first) >> first & 1:
                self._assign(part, first, first)
            return
        taken = first, end
        rest, ends = node, 0
        while first < end:
            low, high = max(0, low - 1), None if high is None else high - 1
            if not ends or (rest.low, rest.high) != (low, high):
                rest = Node(REPEAT, (part,), low=low, high=high)
                ends = self._backward(rest, 1 << end)
            taken = first, (self._forward(part, 1 << first) & ends).bit_length() - 1
            first = taken[1]
        if low:
            taken = end, end
        self._assign(part, *taken)

    # Back-references: backtrack over all matches, preferred ones first.

    def _search_references(self) -> list[Span | None] | None:
        nothing: Captures = (None,) * len(self.spans)
        for first in range(self.length + 1):
            matches = self._matches_from(self.pattern.root, first, nothing)
            if matches:
                end, captures = matches[0]
                return [(first, end), *captures[1:]]
        return None

    def _matches_from(self, node: Node, at: int, captures: Captures) -> list[tuple[int, Captures]]:
        """Return end and groups of each match of ``node`` that begins at ``at``, longest first."""
        self._add_work(16)
        kind = node.kind
        if kind == SET:
            matches = at < self.length and self._contains(node, self.text[at])
            return [(at + 1, captures)] if matches else []
        if kind == GROUP:
            return self._group_matches(node, at, captures)
        if kind == REFERENCE:
            return self._reference_matches(node, at, captures)
        if kind == REPEAT:
            return self._sort_matches(self._repeat_matches(node, at, captures))
        if kind == CHOICE:
            return self._sort_matches(
                [way for part in node.parts for way in self._matches_from(part, at, captures)]
            )
        if kind == SEQUENCE:
            matches = [(at, captures)]
            for part in node.parts:
                matches = [way for each in matches for way in self._matches_from(part, *each)]
            return self._sort_matches(matches)
        return [(at, captures)] if self._match_simple(node, 1 << at, self._forward) else []

    def _sort_matches(self, matches: list[tuple[int, Captures]]) -> list[tuple[int, Captures]]:
        """Sort matches by length, longest first; remove duplicates."""
        self._add_work(len(matches) * (16 + len(self.spans)))
        return sorted(dict.fromkeys(matches), key=lambda way: -way[0])

    def _group_matches(self, node: Node, at: int, captures: Captures) -> list[tuple[int, Captures]]:
        number = node.number
        inner = tuple(
            [None if group in node.groups else span for group, span in enumerate(captures)]
        )
        matches = self._matches_from(node.parts[0], at, inner)
        self._add_work(len(matches) * (16 + len(self.spans)))
        return [(end, (*found[:number], (at, end), *found[number + 1 :])) for end, found in matches]

    def _reference_matches(
        self, node: Node, at: int, captures: Captures
    ) -> list[tuple[int, Captures]]:
        span = captures[node.number]
        if span is None:
            return []
        size = span[1] - span[0]
        self._add_work(1 + size // 8)
        for part in range(size):
            if at + part >= self.length:
                return []
            a, b = self.text[span[0] + part], self.text[at + part]
            if a != b and not (self.ignores_case and _swap_case(a) == b):
                return []
        return [(at + size, captures)]

    def _repeat_matches(
        self, node: Node, at: int, captures: Captures
    ) -> list[tuple[int, Captures]]:
        (part,) = node.parts
        found: list[tuple[int, Captures]] = []
        stack: list[tuple[int, Captures, int]] = [(at, captures, 0)]
        while stack:
            here, groups, times = stack.pop()
            if times < 0:
                found.append((here, groups))
                continue
            if times >= node.low:
                stack.append((here, groups, -1))
            if node.high is not None and times >= node.high:
                continue
            matches = self._matches_from(part, here, groups)
            for end, inner in reversed(matches):
                if end > here or times < node.low or not times:
                    # An empty match is not repeated more often than required.
                    again = times + 1 if end > here or times + 1 < node.low else -1
                    stack.append((end, inner, again))
            self._add_work(len(stack) // 64)
        return found
