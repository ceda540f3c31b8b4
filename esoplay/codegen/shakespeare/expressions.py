"""Express values as phrases, with names of characters in braces.

Sentences that must be spoken before a phrase are written when the phrase is computed.
"""

from __future__ import annotations

import re

from esoplay.codegen.ir import (
    And,
    Binary,
    Compare,
    Condition,
    Convert,
    Element,
    Not,
    Number,
    Or,
    Value,
    VariableRef,
)
from esoplay.codegen.shakespeare.cast import Cast, StackRow, count_fetches
from esoplay.codegen.shakespeare.script import Script
from esoplay.codegen.shakespeare.vocabulary import Vocabulary

_OPERATIONS = {
    "+": "the sum of",
    "-": "the difference between",
    "*": "the product of",
    "//": "the quotient between",
    "%": "the remainder of the quotient between",
}
_MAX_FETCHES = 6  # elements in one phrase; more are fetched in two parts
_MAX_REPEATED_LENGTH = 40  # length of the longest index that is repeated in a sentence


class ShakespeareExpressions:
    """A writer of values and conditions in a script."""

    def __init__(self, script: Script, cast: Cast, words: Vocabulary):
        self._script = script
        self._cast = cast
        self._words = words
        self._reserved: list[str] = []
        self._row_uses: dict[str, int] = {}

    # Speech

    def tell(self, listener: str, *sentences: str) -> None:
        """Write sentences that Puck says to the character ``listener``.

        The sentences contain names of characters in braces. The listener's name is replaced by
        "yourself"; other names lose their braces.
        """
        said = [one.replace(f"{{{listener}}}", "yourself") for one in sentences]
        self._script.tell(listener, *(without_braces(one) for one in said))

    def assign(self, listener: str, phrase: str) -> None:
        """Write a sentence that assigns a value to the character ``listener``.

        phrase: the words for the value.
        """
        self.tell(listener, self.assignment_sentence(phrase))

    def assignment_sentence(self, phrase: str, condition: str = "") -> str:
        """Return the sentence that assigns a value to the listener."""
        you = self._words.one_of("You are", "Thou art", "You are")
        if phrase.startswith("{"):
            you += f" as {self._words.one_of('good', 'fair', 'brave', 'noble', 'proud')} as"
        if condition:
            return f"{condition}, {you[0].lower()}{you[1:]} {phrase}."
        return f"{you} {phrase}{self._words.one_of('.', '.', '!')}"

    def question(self, comparison: Compare) -> str:
        """Return Puck's question that compares two values."""
        left, right = self.phrases([comparison.left, comparison.right])
        if comparison.relation == "<":
            than = self._words.one_of("worse than", "smaller than", "punier than")
        else:
            than = f"as {self._words.one_of('good', 'fair', 'brave')} as"
        return without_braces(f"Is {left} {than} {right}?")

    def release(self) -> None:
        """Free all characters that were reserved for values."""
        self._cast.free_characters(self._reserved)

    # Values

    def number(self, number: int) -> str:
        """Return the phrase for a constant."""
        if number in self._cast.constants:
            return f"{{{self._cast.constants[number]}}}"
        return self._words.number(number)

    def phrase(self, value: Value) -> str:
        """Return the phrase for a value, which must be the only one in its sentence."""
        return self.phrases([value])[0]

    def phrases(self, values: list[Value], entered: StackRow | None = None) -> list[str]:
        """Return the phrases for the values of one sentence.

        entered: the row, if any, whose elements the statement moves after the values are computed.
        A value fetched from this row is stored in a temporary character.
        """
        self._row_uses = dict(count_fetches(values, self._cast.slots))
        if entered is not None:
            self._row_uses[entered.counter] = self._row_uses.get(entered.counter, 0) + 1
        fetching = [value for value in values if _fetch_count(value, self._cast)]
        if (
            sum(_fetch_count(value, self._cast) for value in fetching) > _MAX_FETCHES
            and len(fetching) > 1
        ):
            return self._phrases_in_turn(values)
        return [self._phrase(value) for value in values]

    def _phrases_in_turn(self, values: list[Value]) -> list[str]:
        """Return phrases for two values; a stack stores the first while the second is computed."""
        first, second = values
        stack = self._cast.stack_character()
        before = len(self._reserved)
        self.tell(stack, f"Remember {self._phrase(first)}.")
        self._free_after(before)
        other = self._assign_single_temporary(second)
        self.tell(stack, "Recall thy duty.")
        return [self._assign_temporary(f"{{{stack}}}"), other]

    def _free_after(self, count: int) -> None:
        """Free the characters that were taken after the first ``count``."""
        done = self._reserved[count:]
        del self._reserved[count:]
        self._cast.free_characters(done)

    def _assign_single_temporary(self, value: Value) -> str:
        """Assign a value to a free character; free the characters used to compute it."""
        before = len(self._reserved)
        phrase = self._phrase(value)
        temporary = self._cast.take_character()
        self.assign(temporary, phrase)
        self._free_after(before)
        self.reserve(temporary)
        return f"{{{temporary}}}"

    def _assign_temporary(self, phrase: str) -> str:
        temporary = self._cast.take_character()
        self._reserved.append(temporary)
        self.assign(temporary, phrase)
        return f"{{{temporary}}}"

    def _phrase(self, value: Value) -> str:
        match value:
            case Number(number):
                return self.number(number)
            case VariableRef(name) if name in self._cast.characters:
                return f"{{{self._cast.characters[name]}}}"
            case VariableRef(name):
                return self._fetch(name, Number(0, "byte"))
            case Element(array, index):
                return self._fetch(array, index)
            case Convert(inner):
                return self._phrase(inner)
            case Binary("*", Number(2), other) | Binary("*", other, Number(2)):
                return f"twice {self._phrase(other)}"
            case Binary(operator, left, right):
                if _fetch_count(value, self._cast) > _MAX_FETCHES:
                    one, other = self._phrases_in_turn([left, right])
                else:
                    one, other = self._phrase(left), self._phrase(right)
                return f"{_OPERATIONS[operator]} {one} and {other}"

    def reserve(self, character: str) -> None:
        """Reserve a character until ``release``."""
        self._reserved.append(character)

    # Rows

    def seek_alone(self, name: str, index: Value) -> StackRow:
        """Call ``seek`` for a statement whose other values have been computed; return the row.

        Only elements in ``index`` then count as uses of rows.  An element whose row is used only
        once needs no temporary character.
        """
        self._row_uses = dict(count_fetches([index], self._cast.slots))
        return self.seek(name, index)

    def seek(self, name: str, index: Value) -> StackRow:
        """Write code that moves an element to the top of a stack; return the row of the element.

        The stack belongs to the character ``after`` of the row.
        """
        row, offset = self._cast.slots[name]
        if isinstance(index, Number):
            phrase = self.number(index.value + offset)
        else:
            phrase = self._phrase(index)
            if offset:
                phrase = f"the sum of {phrase} and {self.number(offset)}"
        self.seek_position(row, phrase)
        return row

    def seek_position(self, row: StackRow, phrase: str) -> None:
        """Write code that moves elements between the row's stacks to reach a position in the row.

        phrase: the position, an expression in the play; the row's counter equals it afterwards.
        """
        script = self._script
        if (
            len(phrase) > _MAX_REPEATED_LENGTH
            or f"{{{row.after}}}" in phrase
            or f"{{{row.before}}}" in phrase
        ):
            phrase = self._assign_temporary(phrase)
        ahead, back, there = script.new_scene(), script.new_scene(), script.new_scene()
        script.scene(ahead, f"In which {row.counter} looks for a place")
        script.ask(without_braces(f"Is {row.counter} as good as {phrase}?"), there, when=True)
        script.ask(without_braces(f"Is {row.counter} better than {phrase}?"), back, when=True)
        self._step(row.after, row.before, row.counter, "rose")
        script.go(ahead)
        script.scene(back, f"In which {row.counter} turns back")
        self._step(row.before, row.after, row.counter, "pig")
        script.go(ahead)
        script.scene(there, f"In which {row.counter} has arrived")

    def _step(self, source: str, target: str, counter: str, change: str) -> None:
        self.tell(source, "Recall thy past.")
        self.tell(target, f"Remember {source}.")
        self.tell(counter, f"You are the sum of yourself and a {change}.")

    def _fetch(self, name: str, index: Value) -> str:
        before = len(self._reserved)
        row = self.seek(name, index)
        self._free_after(before)
        self.tell(row.after, "Recall thy secret.", "Remember yourself.")
        if self._row_uses.get(row.counter, 0) > 1:
            return self._assign_temporary(f"{{{row.after}}}")
        return f"{{{row.after}}}"

    # Conditions

    def jump(self, condition: Condition, scene: int, *, when: bool) -> None:
        """Go to a scene if the condition has the result ``when``; else continue."""
        match condition:
            case Not(inner):
                self.jump(inner, scene, when=not when)
            case And(first, second) | Or(first, second):
                if when == isinstance(condition, Or):
                    self.jump(first, scene, when=when)
                    self.jump(second, scene, when=when)
                else:
                    past = self._script.new_scene()
                    self.jump(first, past, when=not when)
                    self.jump(second, scene, when=when)
                    self._script.scene(past, "In which the matter is dropped")
            case Compare():
                self._script.ask(self.question(condition), scene, when=when)
                self.release()


def without_braces(text: str) -> str:
    """Return a sentence without the braces around characters."""
    return re.sub(r"[{}]", "", text)


def _fetch_count(value: Value, cast: Cast) -> int:
    return sum(count_fetches([value], cast.slots).values())
