# cython: language_level=3
"""The parser of a play's structure: title, dramatis personae, acts and scenes."""

from __future__ import annotations

from esolangs.shakespeare import words as w
from esolangs.shakespeare.opcodes import WIDTH
from esolangs.shakespeare.play_tokens import PlayTokens
from esolangs.shakespeare.roman import roman_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.shakespeare._sentences import Sentences


class Play:
    """A parsed play; creating it raises ParseError if the play is invalid.

    acts: numeral, title, first record.  scenes: index of the act, numeral, title, first record.
    sentences: where the parser adds the sentences; must be empty before.
    """

    def __init__(self, tokens: PlayTokens, sentences: Sentences):
        self.tokens = tokens
        self._sentences = sentences
        self.acts: list[tuple[str, str, int]] = []
        self.scenes: list[tuple[int, str, str, int]] = []
        self._act_numbers: dict[int, int] = {}
        self._scene_numbers: dict[tuple[int, int], int] = {}
        self._parse_acts(self._parse_characters())
        self._resolve_gotos()

    # The frame: title, characters, acts and scenes.

    def _parse_characters(self) -> int:
        if self.tokens.size == 0:
            raise self.tokens.phrase_error(0, "the title of the play, ended by '.'")
        kinds = self.tokens.kinds
        sentences = self._sentences
        at = self._skip_free_text(0, "the title")
        while kinds[at] == w.NAME:
            if kinds[at + 1] != w.COMMA:
                raise self.tokens.phrase_error(at + 1, "',' and a description of the character")
            name = self.tokens.values[at]
            if name in sentences.seats:
                raise self.tokens.error(
                    at, f"{w.NAMES_IN_ORDER[name]} is in the dramatis personae twice"
                )
            sentences.seats[name] = len(sentences.cast)
            sentences.cast.append(name)
            at = self._skip_free_text(at + 2, "the description")
        if kinds[at] != w.ACT and at < self.tokens.size:
            last = at
            while kinds[last] >= w.WORD:
                last += 1
            if kinds[last] == w.COMMA:
                raise self.tokens.phrase_error(at, "the name of one of Shakespeare's characters")
            raise self.tokens.phrase_error(at, "a character and a description, or 'Act I:'")
        return at

    def _parse_acts(self, at: int) -> None:
        kinds, size = self.tokens.kinds, self.tokens.size
        while at < size:
            kind = kinds[at]
            if kind == w.ACT:
                number, title, after = self._parse_heading(at)
                if number in self._act_numbers:
                    raise self.tokens.error(
                        at, f"there are two acts {self.tokens.text(at + 1).upper()}"
                    )
                self._act_numbers[number] = len(self._sentences.starts)
                self.acts.append(
                    (self.tokens.text(at + 1).upper(), title, len(self._sentences.starts))
                )
                at = after
            elif kind == w.SCENE and self.acts:
                act = len(self.acts) - 1
                number, title, after = self._parse_heading(at)
                if (act, number) in self._scene_numbers:
                    raise self.tokens.error(
                        at, f"this act has two scenes {self.tokens.text(at + 1).upper()}"
                    )
                self._scene_numbers[act, number] = len(self._sentences.starts)
                self.scenes.append(
                    (act, self.tokens.text(at + 1).upper(), title, len(self._sentences.starts))
                )
                at = after
            elif not self.scenes or self.scenes[-1][0] != len(self.acts) - 1:
                raise self.tokens.phrase_error(at, "'Scene I:' and a title of the scene")
            elif kind == w.OPEN_BRACKET:
                at = self._sentences.compile_direction(at)
            elif kind == w.NAME and kinds[at + 1] == w.COLON:
                at = self._sentences.compile_line(at)
            elif kind == w.NAME:
                raise self.tokens.phrase_error(at + 1, "':' after the name of the speaker")
            elif kind == w.WORD and kinds[at + 1] == w.COLON:
                raise self.tokens.phrase_error(at, "the name of one of Shakespeare's characters")
            else:
                raise self.tokens.phrase_error(
                    at, "a speaker, a stage direction in brackets, or the next scene or act"
                )

    def _parse_heading(self, at: int) -> tuple[int, str, int]:
        """Parse the number and title of an act or scene; return them and the next token."""
        number = roman_value(self.tokens.text(at + 1))
        if not number:
            raise self.tokens.phrase_error(at + 1, "a Roman numeral, such as IV")
        if self.tokens.kinds[at + 2] != w.COLON:
            raise self.tokens.phrase_error(at + 2, "':' and a title")
        after = self._skip_free_text(at + 3, "the title")
        text = self.tokens.source[self.tokens.ends[at + 2] : self.tokens.starts[after - 1]]
        return number, " ".join(text.decode("utf-8", "replace").split()), after

    def _skip_free_text(self, at: int, what: str) -> int:
        """Return the token after free text, such as a title, that begins at token ``at``.

        A question mark ends the text only if the play can continue there.  what: the name of the
        text in the error message for a missing end.
        """
        kinds = self.tokens.kinds
        while True:
            kind = kinds[at]
            if kind == w.DOT or kind == w.BANG or (kind == w.QUERY and self._can_continue(at + 1)):
                return at + 1
            if kind == w.END or (kind == w.OPEN_BRACKET and kinds[at + 1] >= w.ENTER):
                raise self.tokens.phrase_error(at, f"'.' or '!' at the end of {what}")
            at += 1

    def _can_continue(self, at: int) -> bool:
        kind = self.tokens.kinds[at]
        after = self.tokens.kinds[at + 1] if at < self.tokens.size else w.END
        if kind == w.NAME:
            return after == w.COMMA or after == w.COLON
        if kind == w.ACT or kind == w.SCENE:
            return roman_value(self.tokens.text(at + 1)) > 0
        return kind == w.END or kind == w.OPEN_BRACKET

    def _resolve_gotos(self) -> None:
        """Store in each goto the record to which it leads, or -1 if the act or scene is missing."""
        from bisect import bisect_right

        begins = [first for _, _, first in self.acts]
        for record, in_act, number, token in self._sentences.gotos:
            if in_act:
                act = bisect_right(begins, record) - 1
                goal = self._scene_numbers.get((act, number), -1)
            else:
                goal = self._act_numbers.get(number, -1)
            if goal < 0 and self._sentences.strict:
                here = "this act has no" if in_act else "there is no"
                kind = "scene" if in_act else "act"
                raise self.tokens.error(
                    token, f"{here} {kind} {self.tokens.text(token + 1).upper()}"
                )
            self._sentences.code[record * WIDTH + 3] = goal
