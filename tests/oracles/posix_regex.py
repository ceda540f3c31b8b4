"""A POSIX regular expression matcher that tries all matches, for short expressions and texts.

Of all matches at the leftmost place, the longest is chosen; among equally long ones, the one whose
list of the ends of parts is greatest, from left to right and from the outside inwards.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

Captures = tuple[tuple[int, int] | None, ...]
Trace = tuple[int, ...]
PartMatch = tuple[int, Captures, Trace]
Member = Callable[[int], bool]

BADBR, BADPAT, BADRPT, EBRACE, EBRACK, ECOLLATE, ECTYPE = range(1, 8)
EESCAPE, EPAREN, ERANGE, ESPACE, ESUBREG = 9, 10, 11, 13, 14

CLASSES: dict[str, str] = {
    "alnum": string.ascii_letters + string.digits, "alpha": string.ascii_letters,
    "blank": " \t", "cntrl": "".join(map(chr, [*range(32), 127])), "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))), "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))), "punct": string.punctuation,
    "space": " \t\n\v\f\r", "upper": string.ascii_uppercase, "xdigit": string.hexdigits,
}  # fmt: skip


class InvalidPattern(Exception):
    def __init__(self, number: int) -> None:
        self.number = number


@dataclass
class PatternPart:
    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        raise NotImplementedError


@dataclass
class Text:
    cells: Sequence[int]
    fold: bool
    newline: bool
    begin: bool
    end: bool


def swap_case(char: int) -> int:
    return ord(chr(char).swapcase()) if 0 < char < 128 else char


@dataclass
class CharacterSet(PatternPart):
    member: Member
    negated: bool = False

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        if at < len(text.cells):
            char = text.cells[at]
            inside = self.member(char) or (text.fold and self.member(swap_case(char)))
            newline = self.negated and text.newline and char == 10
            if inside != self.negated and not newline:
                yield at + 1, captures, (at + 1,)


@dataclass
class Anchor(PatternPart):
    begin: bool

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        cells = text.cells
        if self.begin:
            holds = (at == 0 and text.begin) or (text.newline and at > 0 and cells[at - 1] == 10)
        else:
            end = at == len(cells)
            holds = (end and text.end) or (text.newline and not end and cells[at] == 10)
        if holds:
            yield at, captures, (at,)


@dataclass
class Group(PatternPart):
    number: int
    inner: PatternPart
    within: set[int]

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        fresh = tuple(None if n in self.within else span for n, span in enumerate(captures))
        for end, found, trace in self.inner.matches(text, at, fresh):
            changed = list(found)
            changed[self.number] = at, end
            yield end, tuple(changed), trace


@dataclass
class Reference(PatternPart):
    number: int

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        span = captures[self.number]
        if span is None:
            return
        wanted = list(text.cells[span[0] : span[1]])
        there = list(text.cells[at : at + len(wanted)])
        if text.fold:
            wanted, there = ([min(c, swap_case(c)) for c in cells] for cells in (wanted, there))
        if wanted == there:
            yield at + len(wanted), captures, (at + len(wanted),)


@dataclass
class ConcatenatedParts(PatternPart):
    parts: list[PatternPart] = field(default_factory=list[PatternPart])

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        for end, found, trace in self.match_rest(0, text, at, captures):
            yield end, found, (end, *trace)

    def match_rest(
        self, index: int, text: Text, at: int, captures: Captures
    ) -> Iterator[PartMatch]:
        if index == len(self.parts):
            yield at, captures, ()
            return
        for middle, found, first in self.parts[index].matches(text, at, captures):
            for end, more, second in self.match_rest(index + 1, text, middle, found):
                yield end, more, first + second


@dataclass
class Choice(PatternPart):
    branches: list[PatternPart]

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        for index, branch in enumerate(self.branches):
            for end, found, trace in branch.matches(text, at, captures):
                yield end, found, (end, -index, *trace)


@dataclass
class Repeat(PatternPart):
    part: PatternPart
    low: int
    high: int | None

    def matches(self, text: Text, at: int, captures: Captures) -> Iterator[PartMatch]:
        for end, found, trace in self.match_repetitions(0, text, at, captures):
            yield end, found, (end, *trace)

    def match_repetitions(
        self, done: int, text: Text, at: int, captures: Captures
    ) -> Iterator[PartMatch]:
        if done >= self.low:
            yield at, captures, (-1,)
        if done == self.high:
            return
        for middle, found, first in self.part.matches(text, at, captures):
            if middle > at:
                for end, more, second in self.match_repetitions(done + 1, text, middle, found):
                    yield end, more, first + second
            elif done + 1 < self.low:
                for end, more, second in self.match_repetitions(done + 1, text, middle, found):
                    if end == middle:
                        yield end, more, first + second
            elif done < self.low or done == 0:
                yield middle, found, (*first, -1)


class Reader:
    """A parser of expressions."""

    def __init__(self, cells: Sequence[int], flags: int) -> None:
        self.text = "".join(chr(c) if 0 < c < 128 else "\x80" for c in cells)
        self.cells = cells
        self.extended = bool(flags & 1)
        self.at = 0
        self.groups = 0
        self.done: set[int] = set()

    def take(self, *operators: str) -> str:
        """Consume the next operator and return it in extended notation; '' if none is next."""
        for operator in operators:
            spelled = operator if self.extended or operator == "*" else "\\" + operator
            if self.text.startswith(spelled, self.at):
                self.at += len(spelled)
                return operator
        return ""

    def peek(self, *operators: str) -> str:
        before = self.at
        found = self.take(*operators)
        self.at = before
        return found

    def parse_pattern(self) -> PatternPart:
        part = self.parse_choice(0)
        if self.at < len(self.text):
            raise InvalidPattern(EPAREN)
        return part

    def parse_choice(self, depth: int) -> PatternPart:
        branches = [self.parse_sequence(depth)]
        while self.take("|"):
            branches.append(self.parse_sequence(depth))
        return branches[0] if len(branches) == 1 else Choice(branches)

    def parse_sequence(self, depth: int) -> PatternPart:
        parts: list[PatternPart] = []
        while self.at < len(self.text) and not self.peek("|"):
            if self.peek(")") and (depth or not self.extended):
                break
            bare = not parts or (
                len(parts) == 1 and isinstance(parts[0], Anchor) and parts[0].begin
            )
            parts.append(self.parse_repetition(self.parse_atom(depth, bool(parts), bare)))
        return ConcatenatedParts(parts)

    def parse_atom(self, depth: int, following: bool, bare: bool) -> PatternPart:
        if bare and (self.peek("{") or (self.extended and self.peek("*", "+", "?"))):
            raise InvalidPattern(BADRPT)
        if self.take("("):
            self.groups += 1
            number, inside = self.groups, self.parse_choice(depth + 1)
            if not self.take(")"):
                raise InvalidPattern(EPAREN)
            self.done.add(number)
            return Group(number, inside, set(range(number, self.groups + 1)))
        char, value = self.text[self.at], self.cells[self.at]
        self.at += 1
        if char == "^" and (self.extended or not following):
            return Anchor(True)
        rest = self.text[self.at :]
        if char == "$" and (self.extended or not rest or rest.startswith(("\\)", "\\|"))):
            return Anchor(False)
        if char == ".":
            return CharacterSet(lambda _: False, negated=True)
        if char == "[":
            return self.parse_bracket()
        if char != "\\":
            return CharacterSet(lambda c: c == value)
        if not rest:
            raise InvalidPattern(EESCAPE)
        escaped = self.cells[self.at]
        self.at += 1
        if not 49 <= escaped <= 57:
            return CharacterSet(lambda c: c == escaped)
        if escaped - 48 not in self.done:
            raise InvalidPattern(ESUBREG)
        return Reference(escaped - 48)

    def parse_repetition(self, part: PatternPart) -> PatternPart:
        if isinstance(part, Anchor) and part.begin and not self.extended:
            return part
        while operator := self.take("*", "+", "?", "{"):
            if isinstance(part, Anchor):
                raise InvalidPattern(BADRPT)
            fixed: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
            low, high = fixed[operator] if operator in fixed else self.parse_interval()
            part = Repeat(part, low, high)
        return part

    def parse_interval(self) -> tuple[int, int | None]:
        close = "}" if self.extended else "\\}"
        end = self.text.find(close, self.at)
        if end < 0:
            raise InvalidPattern(EBRACE)
        inside = self.text[self.at : end].split(",")
        self.at = end + len(close)
        if len(inside) > 2 or any(part and not part.isdigit() for part in inside):
            raise InvalidPattern(BADBR)
        if len(inside) == 1 and not inside[0]:
            raise InvalidPattern(BADBR)
        low = int(inside[0] or "0")
        high = int(inside[-1]) if inside[-1] else None
        if low > 255 or (high is not None and not low <= high <= 255):
            raise InvalidPattern(BADBR)
        return low, high

    def parse_bracket(self) -> PatternPart:
        negated = self.text.startswith("^", self.at)
        self.at += negated
        members: list[Member] = []
        first = True
        while first or not self.text.startswith("]", self.at):
            if self.at >= len(self.text):
                raise InvalidPattern(EBRACK)
            first = False
            if self.text.startswith("[:", self.at):
                name = self.parse_name(":")
                if name not in CLASSES:
                    raise InvalidPattern(ECTYPE)
                members.append(lambda c, name=name: 0 < c < 128 and chr(c) in CLASSES[name])
                if self.is_range():
                    raise InvalidPattern(ERANGE)
                continue
            equivalence = self.text.startswith("[=", self.at)
            low = high = self.parse_element()
            if self.is_range():
                self.at += 1
                if equivalence or self.text.startswith(("[:", "[="), self.at):
                    raise InvalidPattern(ERANGE)
                high = self.parse_element()
                if high < low or self.is_range():
                    raise InvalidPattern(ERANGE)
            members.append(lambda c, low=low, high=high: low <= c <= high)
        self.at += 1
        return CharacterSet(lambda c: any(member(c) for member in members), negated)

    def is_range(self) -> bool:
        """Return whether a ``-`` is next that is not the last character in the brackets."""
        return self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in (
            "]",
            "",
        )

    def parse_element(self) -> int:
        for mark in ".=":
            if self.text.startswith("[" + mark, self.at):
                start = self.at + 2
                if len(self.parse_name(mark)) != 1:
                    raise InvalidPattern(ECOLLATE)
                return self.cells[start]
        self.at += 1
        return self.cells[self.at - 1]

    def parse_name(self, mark: str) -> str:
        end = self.text.find(mark + "]", self.at + 3)
        if end < 0:
            raise InvalidPattern(EBRACK)
        name = self.text[self.at + 2 : end]
        self.at = end + 2
        return name


def compile_expression(cells: Sequence[int], flags: int) -> tuple[PatternPart, int]:
    """Parse an expression; return it and the number of its groups, or raise InvalidPattern."""
    reader = Reader(cells, flags)
    return reader.parse_pattern(), reader.groups


def match_text(
    cells: Sequence[int], flags: int, text: Sequence[int], how: int
) -> list[tuple[int, int] | None] | None:
    """Return the spans of the match and its groups; None without a match."""
    part, groups = compile_expression(cells, flags)
    subject = Text(text, bool(flags & 2), bool(flags & 8), not how & 1, not how & 2)
    for at in range(len(text) + 1):
        matches = list(part.matches(subject, at, (None,) * (groups + 1)))
        if matches:
            end, captures, _ = max(matches, key=lambda way: (way[0], way[2]))
            return [(at, end), *captures[1:]]
    return None
