"""The parser of POSIX regular expressions, basic and extended.

Source: IEEE Std 1003.1, "Regular Expressions" and ``regcomp``. Characters are integers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Error numbers of REXP.
(
    BAD_BRACE_CONTENT,
    BAD_PATTERN,
    BAD_REPEAT,
    OPEN_BRACE,
    OPEN_BRACKET,
    BAD_COLLATION,
    BAD_CLASS,
) = range(1, 8)
TRAILING_BACKSLASH, OPEN_PARENTHESIS, BAD_RANGE = 9, 10, 11
NO_SPACE, BAD_REFERENCE = 13, 14

EXTENDED, IGNORE_CASE, NO_GROUPS, NEWLINE = 1, 2, 4, 8

MAX_PATTERN = 4096  # characters of an expression
MAX_DEPTH = 50  # nested groups and repetitions
MAX_GROUPS = 99
MAX_REPEATS = 255  # maximum of a number in braces

EMPTY, SET, BEGIN, END, GROUP, SEQUENCE, CHOICE, REPEAT, REFERENCE = range(9)
_CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": ((48, 57),),
    "graph": ((33, 126),),
    "lower": ((97, 122),),
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "upper": ((65, 90),),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}


class PatternError(Exception):
    """An invalid expression; ``number`` is the POSIX error code."""

    def __init__(self, number: int):
        self.number = number


class Node:
    """A node of the syntax tree of a regular expression.

    parts: its subexpressions.  low, high: the bounds of a repetition; high is None if unbounded.
    number: of a group or back-reference.  ranges, negated: the characters of a set.
    groups: the numbers of the groups within.
    """

    __slots__ = ("groups", "high", "kind", "low", "negated", "number", "parts", "ranges")

    def __init__(
        self,
        kind: int,
        parts: tuple[Node, ...] = (),
        *,
        number: int = 0,
        low: int = 0,
        high: int | None = None,
        ranges: tuple[tuple[int, int], ...] = (),
        negated: bool = False,
    ):
        self.kind = kind
        self.parts = parts
        self.number = number
        self.low = low
        self.high = high
        self.ranges = ranges
        self.negated = negated
        groups = [group for part in parts for group in part.groups]
        self.groups: tuple[int, ...] = (*groups, number) if kind == GROUP else tuple(groups)


class Pattern:
    """A valid regular expression: its syntax tree ``root`` and the number of its groups."""

    __slots__ = ("flags", "groups", "references", "root")

    def __init__(self, root: Node, groups: int, references: bool, flags: int):
        self.root = root
        self.groups = groups
        self.references = references
        self.flags = flags


def compile_pattern(characters: Sequence[int], flags: int) -> Pattern:
    """Parse a regular expression; raise PatternError if it is invalid."""
    if len(characters) > MAX_PATTERN:
        raise PatternError(NO_SPACE)
    parser = _Parser(characters, flags)
    root = parser.parse_choice(0)
    if parser.at < len(characters):
        raise PatternError(OPEN_PARENTHESIS)  # an unmatched end of a group
    return Pattern(root, parser.groups, parser.references, flags)


class _Parser:
    def __init__(self, characters: Sequence[int], flags: int):
        self.characters = list(characters)
        self.extended = bool(flags & EXTENDED)
        self.newline = bool(flags & NEWLINE)
        self.at = 0
        self.groups = 0
        self.ended: set[int] = set()
        self.references = False

    # A basic expression writes some operators with a backslash, an extended one without.

    def _is_at_operator(self, basic: str, extended: str) -> bool:
        """Return whether one of the given operators is at the current position.

        basic: the operators in basic syntax, which follow a backslash.  extended: the operators in
        extended syntax.  Each character is one operator.
        """
        char = self._peek(0)
        if self.extended:
            return char in extended if char else False
        return char == "\\" and self._peek(1) != "" and self._peek(1) in basic

    def _peek(self, offset: int) -> str:
        """Return the character ``offset`` places ahead; empty at the end, ``\\0`` if not ASCII."""
        at = self.at + offset
        if at >= len(self.characters):
            return ""
        value = self.characters[at]
        return chr(value) if 0 < value < 128 else "\0"

    def _skip_operator(self) -> str:
        """Skip the operator at the current position; return its character."""
        self.at += 1 if self.extended else 2
        return chr(self.characters[self.at - 1])

    def parse_choice(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise PatternError(NO_SPACE)
        branches = [self._parse_sequence(depth)]
        while self._is_at_operator("|", "|"):
            self._skip_operator()
            branches.append(self._parse_sequence(depth))
        return branches[0] if len(branches) == 1 else Node(CHOICE, tuple(branches))

    def _parse_sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.at < len(self.characters):
            if self._is_at_operator("|", "|"):
                break
            if self._is_at_operator(")", ")") and (depth or not self.extended):
                break  # an extended expression may have this character outside of groups
            start = not parts or (len(parts) == 1 and parts[0].kind == BEGIN)
            parts.append(self._parse_repetition(self._parse_atom(depth, start, not parts), depth))
        if len(parts) == 1:
            return parts[0]
        return Node(SEQUENCE, tuple(parts)) if parts else Node(EMPTY)

    def _parse_atom(self, depth: int, start: bool, first: bool) -> Node:
        """Parse one character, set, group, anchor or back-reference, without repetition operators.

        start: whether nothing repeatable precedes it.  first: whether nothing at all precedes it.
        """
        char = self._peek(0)
        if start and (self._is_at_operator("{", "*+?{")):
            raise PatternError(BAD_REPEAT)
        if self._is_at_operator("(", "("):
            return self._parse_group(depth)
        if char == "^" and (self.extended or first):
            self.at += 1
            return Node(BEGIN)
        if char == "$" and (self.extended or self._is_at_branch_end()):
            self.at += 1
            return Node(END)
        if char == "[":
            self.at += 1
            return self._parse_bracket()
        if char == ".":
            self.at += 1
            return Node(SET, ranges=((10, 10),) if self.newline else (), negated=True)
        if char == "\\":
            self.at += 1
            if self.at == len(self.characters):
                raise PatternError(TRAILING_BACKSLASH)
            if self._peek(0) in "123456789":
                return self._parse_reference()
        value = self.characters[self.at]
        self.at += 1
        return Node(SET, ranges=((value, value),))

    def _is_at_branch_end(self) -> bool:
        following = self._peek(1)
        return following == "" or (following == "\\" and self._peek(2) in (")", "|"))

    def _parse_group(self, depth: int) -> Node:
        self._skip_operator()
        if self.groups == MAX_GROUPS:
            raise PatternError(NO_SPACE)
        self.groups += 1
        number = self.groups
        inner = self.parse_choice(depth + 1)
        if not self._is_at_operator(")", ")"):
            raise PatternError(OPEN_PARENTHESIS)
        self._skip_operator()
        self.ended.add(number)
        return Node(GROUP, (inner,), number=number)

    def _parse_reference(self) -> Node:
        number = self.characters[self.at] - 48
        if number not in self.ended:
            raise PatternError(BAD_REFERENCE)
        self.at += 1
        self.references = True
        return Node(REFERENCE, number=number)

    def _parse_repetition(self, node: Node, depth: int) -> Node:
        """Parse the repetition operators after ``node``; return ``node`` with its repetitions."""
        if node.kind == BEGIN and not self.extended:
            return node  # the character after it is an ordinary one
        while self._peek(0) == "*" or self._is_at_operator("+?{", "+?{"):
            if node.kind in (BEGIN, END):
                raise PatternError(BAD_REPEAT)
            low, high = self._parse_quantifier()
            depth += 1
            if depth > MAX_DEPTH:
                raise PatternError(NO_SPACE)
            node = Node(REPEAT, (node,), low=low, high=high)
        return node

    def _parse_quantifier(self) -> tuple[int, int | None]:
        """Parse a repetition operator; return its minimum, and its maximum (None if unbounded)."""
        if self._peek(0) == "*":
            self.at += 1
            return 0, None
        operator = self._skip_operator()
        if operator == "{":
            return self._parse_interval()
        return (1, None) if operator == "+" else (0, 1)

    def _parse_interval(self) -> tuple[int, int | None]:
        """Parse the rest of an interval like ``{2,5}`` as ``_parse_quantifier`` does."""
        low = high = self._parse_count()
        if self._peek(0) == ",":
            self.at += 1
            low = low or 0
            high = self._parse_count()
        if low is None or not self._is_at_operator("}", "}"):
            raise PatternError(BAD_BRACE_CONTENT if self._has_closing_parenthesis() else OPEN_BRACE)
        self._skip_operator()
        if low > MAX_REPEATS or (high is not None and not low <= high <= MAX_REPEATS):
            raise PatternError(BAD_BRACE_CONTENT)
        return low, high

    def _has_closing_parenthesis(self) -> bool:
        while self._peek(0) and not self._is_at_operator("}", "}"):
            self.at += 1
        return self._peek(0) != ""

    def _parse_count(self) -> int | None:
        value = None
        while self._peek(0) != "" and self._peek(0) in "0123456789":
            value = min((value or 0) * 10 + self.characters[self.at] - 48, MAX_REPEATS + 1)
            self.at += 1
        return value

    # Brackets.

    def _parse_bracket(self) -> Node:
        """Parse the rest of a bracket expression after ``[``."""
        negated = self._peek(0) == "^"
        if negated:
            self.at += 1
        ranges: list[tuple[int, int]] = []
        begin = self.at
        while True:
            char = self._peek(0)
            if char == "":
                raise PatternError(OPEN_BRACKET)
            if char == "]" and self.at > begin:
                self.at += 1
                break
            if char == "[" and self._peek(1) == ":":
                name = self._parse_name(":")
                if name not in _CLASSES:
                    raise PatternError(BAD_CLASS)
                ranges += _CLASSES[name]
                if self._peek(0) == "-" and self._peek(1) not in ("]", ""):
                    raise PatternError(BAD_RANGE)
                continue
            equivalence = char == "[" and self._peek(1) == "="
            low = high = self._parse_element()
            if self._peek(0) == "-" and self._peek(1) not in ("]", ""):
                self.at += 1
                if (self._peek(0) == "[" and self._peek(1) in (":", "=")) or equivalence:
                    raise PatternError(BAD_RANGE)
                high = self._parse_element()
                further = self._peek(0) == "-" and self._peek(1) not in ("]", "")
                if high < low or further:
                    raise PatternError(BAD_RANGE)
            ranges.append((low, high))
        if negated and self.newline:
            ranges.append((10, 10))
        return Node(SET, ranges=tuple(ranges), negated=negated)

    def _parse_element(self) -> int:
        """Parse a character in brackets, also as ``[.c.]`` or ``[=c=]``."""
        if self._peek(0) == "[" and self._peek(1) != "" and self._peek(1) in ".=":
            start = self.at + 2
            self._parse_name(self._peek(1))
            if self.at - 2 != start + 1:
                raise PatternError(BAD_COLLATION)
            return self.characters[start]
        self.at += 1
        return self.characters[self.at - 1]

    def _parse_name(self, mark: str) -> str:
        """Parse a name in ``[:name:]``, ``[.name.]`` or ``[=name=]``; ``mark`` is the delimiter."""
        self.at += 2
        start = self.at
        while not (self._peek(0) == mark and self._peek(1) == "]" and self.at > start):
            if self._peek(0) == "":
                raise PatternError(OPEN_BRACKET)
            self.at += 1
        name = "".join([chr(c) if 0 < c < 128 else "\0" for c in self.characters[start : self.at]])
        self.at += 2
        return name
