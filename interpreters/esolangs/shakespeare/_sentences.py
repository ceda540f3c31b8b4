# cython: language_level=3
"""The compiler from stage directions and sentences to the records that the core executes.

The grammar is that of spl 1.2.1, extended where ``shakespearelang`` accepts more;
:mod:`esolangs.shakespeare.opcodes` describes the result.  The compiler does not recurse, because
nesting depth is limited only by the length of the play.
"""

from __future__ import annotations

from array import array

from esolangs.shakespeare import words as w
from esolangs.shakespeare.folding import fold_constant
from esolangs.shakespeare.opcodes import (
    ADD,
    ASK,
    ASK_EXPR,
    ENTER,
    EQUAL,
    EXEUNT,
    EXIT,
    GOTO,
    GREATER,
    IN_CHAR,
    IN_NUMBER,
    NEGATED,
    NOBODY,
    OUT_CHAR,
    OUT_NUMBER,
    PAUSE_HERE,
    POP,
    PUSH,
    PUSH_EXPR,
    SET,
    SET_ADD,
    SET_EXPR,
    SMALLER,
    TWICE,
    UNKNOWN,
    YOU,
)
from esolangs.shakespeare.play_tokens import PlayTokens
from esolangs.shakespeare.roman import roman_value
from esolangs.source import locate

_SENTENCE = (
    "a sentence, such as 'You are …', 'Speak your mind', 'Remember …', 'Am I better than …?' "
    "or 'Let us return to scene I'"
)
_OPERATIONS = (
    *("sum", "difference", "product", "quotient", "remainder"),
    *("square", "cube", "factorial"),
)
_OPERATION = (
    "an operation such as 'the sum of', 'the difference between', 'the product of', "
    "'the quotient between', 'the remainder of the quotient between', 'the square root of'"
)
_VALUE = "a value: a noun with adjectives, a name, a pronoun, 'nothing' or 'the sum of …'"


class Sentences:
    """Compiles the sentences of a play, and stores the resulting records.

    code, post, lists: the records and their tables.  starts, ends: start and end of the text
    of each record.  seats: index of a name → place in the dramatis personae.
    gotos: for each goto, its record, whether it leads to a scene (else to an act), the number of
    the scene or act, and the token of the number; resolved at the end.
    strict: whether unknown characters are parse errors.
    """

    def __init__(self, tokens: PlayTokens, strict: bool):
        self.tokens = tokens
        self.kinds, self.values = tokens.kinds, tokens.values
        self.strict = strict
        self.code = array("i")
        self.post = array("i")
        self.lists = array("i")
        self.starts = array("i")
        self.ends = array("i")
        self.cast: list[int] = []
        self.seats: dict[int, int] = {}
        self.constants: list[int] = []
        self.gotos: list[tuple[int, bool, int, int]] = []
        self._constant_at: dict[int, int] = {}

    # Stage directions.

    def compile_direction(self, at: int) -> int:
        """Compile a stage direction; return the token after it."""
        kind = self.kinds[at + 1]
        begin, after = len(self.lists), at + 2
        if kind == w.ENTER or kind == w.EXIT:
            after = self._compile_names(after, kind == w.EXIT)
            op = ENTER if kind == w.ENTER else EXIT
        elif kind == w.EXEUNT:
            op = EXEUNT
            if self.kinds[after] != w.CLOSE_BRACKET:
                after = self._compile_names(after, False)
                op = EXIT
        elif kind == w.PAUSE:
            op = PAUSE_HERE
        else:
            raise self.tokens.phrase_error(at + 1, "'Enter', 'Exit' or 'Exeunt'")
        if self.kinds[after] != w.CLOSE_BRACKET:
            if kind == w.EXIT:
                raise self.tokens.phrase_error(
                    after, "']' ('Exit' is for one character, 'Exeunt' for several)"
                )
            more = "']'" if kind == w.PAUSE else "',', 'and' or ']'"
            raise self.tokens.phrase_error(after, more)
        self._append_record(op, len(self.cast), 0, begin, len(self.lists), 0, at, after)
        return after + 1

    def _compile_names(self, at: int, one: bool) -> int:
        """Compile a list of characters that begins at token ``at``; return the token after it.

        one: True for one character, False for a list.
        """
        kinds = self.kinds
        while True:
            if kinds[at] != w.NAME:
                raise self.tokens.phrase_error(at, "the name of a character")
            self.lists.append(self._character_index(at))
            at += 1
            if one or (kinds[at] != w.COMMA and kinds[at] != w.AND):
                return at
            at += 2 if kinds[at] == w.COMMA and kinds[at + 1] == w.AND else 1

    def _character_index(self, at: int) -> int:
        """Return the index of the character named at ``at``; UNKNOWN if not in the play."""
        name = self.values[at]
        seat = self.seats.get(name, UNKNOWN)
        if seat == UNKNOWN and self.strict:
            message = f"{w.NAMES_IN_ORDER[name]} is not in the dramatis personae"
            raise self.tokens.error(at, message + self._missing_end_hint(name))
        return seat

    def _missing_end_hint(self, name: int) -> str:
        """Return a hint if a missing '.' or '!' may be why a character is unknown, else ''.

        Without this end, a title or description includes the next line, and a character that is
        declared there.
        """
        tokens = self.tokens
        for at in range(tokens.size):
            if self.kinds[at] == w.ACT and self.kinds[at + 2] == w.COLON:
                break
            if self.kinds[at : at + 2] == [w.NAME, w.COMMA] and self.values[at] == name:
                line, column = locate(tokens.source, tokens.starts[at])
                if not tokens.source[tokens.starts[at] - column + 1 : tokens.starts[at]].strip():
                    return f"; is a '.' or '!' missing before line {line}?"
        return ""

    # Lines of characters.

    def compile_line(self, at: int) -> int:
        """Compile a speaker's name and sentences; return the token after them."""
        kinds, size = self.kinds, self.tokens.size
        speaker = self._character_index(at)
        at += 2
        first = at
        while at < size:
            kind = kinds[at]
            if kind == w.OPEN_BRACKET or kind == w.ACT or kind == w.SCENE or kind == w.NAME:
                break
            at = self._compile_sentence(at, speaker)
        if at == first:
            raise self.tokens.phrase_error(at, _SENTENCE)
        return at

    def _compile_sentence(self, at: int, speaker: int) -> int:
        """Compile one sentence; return the token after it."""
        kinds = self.kinds
        begin, condition = at, 0
        if kinds[at] == w.IF:
            condition = self.values[at]
            if kinds[at + 1] != w.COMMA:
                raise self.tokens.phrase_error(at + 1, "',' after the condition")
            at += 2
        kind = kinds[at]
        op, a, b, c = POP, 0, 0, 0
        if kind == w.SECOND_PERSON:
            at = self._skip_to_value(at + 1)
            start = len(self.post)
            at = self._compile_value(at, speaker)
            op, a, b = self._short_form(SET, SET_EXPR, start)
        elif kind == w.BE:
            start = len(self.post)
            at = self._compile_value(at + 1, speaker)
            middle = len(self.post)
            at, c = self._parse_comparison(at)
            at = self._compile_value(at, speaker)
            op, a, b = ASK_EXPR, start, len(self.post)
            if b == start + 2 and middle == start + 1:
                first, second = self.post[start], self.post[start + 1]
                if first != UNKNOWN and second != UNKNOWN:
                    op, a, b = ASK, first, second
                    del self.post[start:]
            if kinds[at] != w.QUERY:
                raise self.tokens.phrase_error(at, "'?' at the end of the question")
        elif kind == w.REMEMBER:
            start = len(self.post)
            at = self._compile_value(at + 1, speaker)
            op, a, b = self._short_form(PUSH, PUSH_EXPR, start)
        elif kind == w.LET_US:
            op, at = GOTO, self._compile_goto(at)
        elif kind == w.RECALL:
            at += 1
            while kinds[at] not in (w.DOT, w.BANG, w.END, w.OPEN_BRACKET, w.CLOSE_BRACKET):
                at += 1
        else:
            op, at = self._parse_input_or_output(at)
        if op != ASK and op != ASK_EXPR and kinds[at] != w.DOT and kinds[at] != w.BANG:
            raise self.tokens.phrase_error(at, "'.' or '!' at the end of the sentence")
        if speaker == UNKNOWN:
            op, speaker = NOBODY, len(self.cast)
        self._append_record(op, speaker, condition, a, b, c, begin, at)
        return at + 1

    def _parse_input_or_output(self, at: int) -> tuple[int, int]:
        """Compile input or output; return the operation, and the token after the phrase."""
        kinds = self.kinds
        kind = kinds[at]
        if kind != w.OPEN and kind != w.SPEAK and kind != w.LISTEN_TO:
            raise self.tokens.phrase_error(at, _SENTENCE)
        if kinds[at + 1] != w.SECOND_POSSESSIVE:
            raise self.tokens.phrase_error(at + 1, "'your', 'thy' or 'thine'")
        organ = kinds[at + 2]
        if kind == w.OPEN and organ == w.HEART:
            return OUT_NUMBER, at + 3
        if kind == w.OPEN and organ == w.MIND:
            return IN_CHAR, at + 3
        if kind == w.SPEAK and organ == w.MIND:
            return OUT_CHAR, at + 3
        if kind == w.LISTEN_TO and organ == w.HEART:
            return IN_NUMBER, at + 3
        expected = "'heart' or 'mind'"
        if kind == w.SPEAK:
            expected = "'mind' ('Open your heart' prints a number)"
        elif kind == w.LISTEN_TO:
            expected = "'heart' ('Open your mind' reads a character)"
        raise self.tokens.phrase_error(at + 2, expected)

    def _compile_goto(self, at: int) -> int:
        """Compile a goto; return the token after it.

        The parser sets the target when it has parsed all scenes.
        """
        if self.kinds[at + 1] != w.PROCEED_TO:
            raise self.tokens.phrase_error(at + 1, "'proceed to' or 'return to'")
        kind = self.kinds[at + 2]
        if kind != w.ACT and kind != w.SCENE:
            raise self.tokens.phrase_error(at + 2, "'act' or 'scene' and a Roman numeral")
        number = roman_value(self.tokens.text(at + 3))
        if not number:
            raise self.tokens.phrase_error(at + 3, "a Roman numeral, such as IV")
        self.gotos.append((len(self.starts), kind == w.SCENE, number, at + 2))
        return at + 4

    def _skip_to_value(self, at: int) -> int:
        """Skip ``are`` and ``as good as`` if present; return the token where the value begins."""
        kinds = self.kinds
        if kinds[at] == w.BE:
            at += 1
        if kinds[at] == w.AS:
            at += 1
            if self._is_adjective(at) and kinds[at + 1] == w.AS:
                at += 2
        return at

    def _is_adjective(self, at: int) -> bool:
        return w.POSITIVE_ADJECTIVE <= self.kinds[at] <= w.NEGATIVE_ADJECTIVE

    def _parse_comparison(self, at: int) -> tuple[int, int]:
        """Parse a comparison; return the token after it and the comparison's number.

        The module ``opcodes`` defines the numbers.
        """
        kinds = self.kinds
        denied = 0
        if kinds[at] == w.NOT:
            denied, at = NEGATED, at + 1
        kind = kinds[at]
        if kind == w.AS:
            if not self._is_adjective(at + 1):
                raise self.tokens.phrase_error(at + 1, "an adjective")
            if kinds[at + 2] != w.AS:
                raise self.tokens.phrase_error(at + 2, "'as'")
            return at + 3, EQUAL + denied
        if kind == w.MORE or kind == w.LESS:
            at += 1
            if kinds[at] != w.POSITIVE_ADJECTIVE and kinds[at] != w.NEGATIVE_ADJECTIVE:
                raise self.tokens.phrase_error(at, "a positive or a negative adjective")
            rises = (kind == w.MORE) == (kinds[at] == w.POSITIVE_ADJECTIVE)
        elif kind == w.BETTER or kind == w.WORSE:
            rises = kind == w.BETTER
        else:
            raise self.tokens.phrase_error(at, "a comparison, such as 'better than', 'as good as'")
        if kinds[at + 1] != w.THAN:
            raise self.tokens.phrase_error(at + 1, "'than'")
        return at + 2, (GREATER if rises else SMALLER) + denied

    # Values.

    def _compile_value(self, at: int, speaker: int) -> int:
        """Append a value to the postfix table; return the token after it."""
        kinds, values, post = self.kinds, self.values, self.post
        constants = len(self.cast)
        waiting: list[int] = []  # operations; + 100 until the first of two values is parsed
        while True:
            kind = kinds[at]
            if kind == w.BINARY:
                waiting.append(100 + ADD - values[at])
                at += 1
                continue
            if kind == w.UNARY:
                waiting.append(TWICE - values[at])
                at += 1
                continue
            if kind == w.FIRST_PERSON:
                post.append(speaker)
                at += 1
            elif kind == w.SECOND_PERSON or kind == w.SECOND_REFLEXIVE:
                post.append(YOU)
                at += 1
            elif kind == w.NAME:
                post.append(self._character_index(at))
                at += 1
            else:
                at, number = self._parse_constant(at)
                post.append(constants + self._constant_index(number))
            while waiting and waiting[-1] < 50:
                op = waiting.pop()
                post.append(op)
                number = fold_constant(post, constants, self.constants)
                if number is not None:
                    del post[-2 if op <= TWICE else -3 :]
                    post.append(constants + self._constant_index(number))
            if not waiting:
                return at
            if kinds[at] != w.AND:
                raise self.tokens.phrase_error(at, "'and' and the second value")
            waiting[-1] -= 100
            at += 1

    def _parse_constant(self, at: int) -> tuple[int, int]:
        """Parse a noun with adjectives, or ``nothing``; return the next token and the number."""
        kinds = self.kinds
        kind = kinds[at]
        if kind == w.NOTHING:
            return at + 1, 0
        begin = at
        if kind == w.ARTICLE or kind == w.POSSESSIVE or kind == w.SECOND_POSSESSIVE:
            at += 1
            begin = -1
        mood, first = w.NEUTRAL_ADJECTIVE, at
        while True:
            kind = kinds[at]
            if kind == w.NEUTRAL_ADJECTIVE or kind == mood:
                at += 1
            elif mood == w.NEUTRAL_ADJECTIVE and self._is_adjective(at):
                mood = kind
                at += 1
            else:
                break
        if kind == w.POSITIVE_NOUN and mood != w.NEGATIVE_ADJECTIVE:
            return at + 1, 1 << (at - first)
        if kind == w.NEGATIVE_NOUN and mood != w.POSITIVE_ADJECTIVE:
            return at + 1, -(1 << (at - first))
        if mood == w.NEGATIVE_ADJECTIVE:
            raise self.tokens.phrase_error(at, "a negative noun after a negative adjective")
        if mood == w.POSITIVE_ADJECTIVE:
            raise self.tokens.phrase_error(
                at, "a positive or neutral noun after a positive adjective"
            )
        if self.tokens.text(at).lower() in _OPERATIONS:
            raise self.tokens.phrase_error(begin if begin >= 0 else first - 1, _OPERATION)
        raise self.tokens.phrase_error(at, _VALUE if at == begin else "an adjective or a noun")

    def _constant_index(self, number: int) -> int:
        index = self._constant_at.get(number)
        if index is None:
            index = self._constant_at[number] = len(self.constants)
            self.constants.append(number)
        return index

    def _short_form(self, plain: int, long: int, start: int) -> tuple[int, int, int]:
        """Return the operation and operands of a sentence, without postfix code if possible.

        The code of the sentence's value begins at ``start`` in the table.  It is removed if it is a
        single value, for which the operation is ``plain``, or if one of SET_ADD to SET_MOD can
        compute it.  Otherwise, it remains, and the operation is ``long``.
        """
        post = self.post
        length = len(post) - start
        a = post[start]
        if length == 1 and a != UNKNOWN:
            del post[start:]
            return plain, a, 0
        if length == 3 and plain == SET and ADD - 5 < post[start + 2] <= ADD:
            b, op = post[start + 1], post[start + 2]
            if a != UNKNOWN and b != UNKNOWN:
                del post[start:]
                return SET_ADD + ADD - op, a, b
        return long, start, len(post)

    # Records and errors.

    def _append_record(
        self, op: int, speaker: int, condition: int, a: int, b: int, c: int, begin: int, end: int
    ) -> None:
        self.code.extend((op, speaker, condition, a, b, c))
        self.starts.append(self.tokens.starts[begin])
        self.ends.append(self.tokens.ends[end])
