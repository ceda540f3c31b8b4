"""A compiler from the intermediate representation to Shakespeare plays."""

from __future__ import annotations

from esoplay.codegen.generated import Generated, SourceWording, Span, VariablePlace, slot_text
from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Compare,
    Condition,
    Convert,
    If,
    IrProgram,
    Not,
    Number,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    SourceOrigin,
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
    upper_bound,
)
from esoplay.codegen.shakespeare.cast import (
    MAX_ASCII,
    SURROGATE_BASE,
    Cast,
    StackRow,
    count_fetches,
)
from esoplay.codegen.shakespeare.expressions import ShakespeareExpressions
from esoplay.codegen.shakespeare.script import Script
from esoplay.codegen.shakespeare.vocabulary import Vocabulary

_MAX_TITLE_NAMES = 3


def generate(program: IrProgram, *, comments: bool = False) -> Generated:
    """Compile a program; see :class:`esoplay.codegen.generated.Generator`."""
    cast = Cast(program)
    script = Script(_title(program))
    statements = ShakespeareStatements(program, script, cast, comments)
    statements.write_program()
    for name, description in cast.descriptions.items():
        script.character(name, description)
    rendered = script.render()
    spans = [
        Span(rendered.starts[start], rendered.ends[end - 1], origin, words)
        for start, end, origin, words in statements.marks
    ]
    return Generated(rendered.text, tuple(spans), _places(program, cast, script))


def _places(program: IrProgram, cast: Cast, script: Script) -> dict[str, VariablePlace]:
    """Return where the debugger finds each variable and array element while the play runs.

    A place is the value of a character, or two slots, one on each stack of a row.  One of the two
    slots exists at a time, because elements move between the two stacks.
    """
    number = {name: at for at, name in enumerate(script.people)}
    places: dict[str, VariablePlace] = {}

    def slot_place(row: StackRow, position: int) -> VariablePlace:
        behind = slot_text(number[row.before], position)
        ahead = slot_text(number[row.after], row.length - 1 - position)
        return VariablePlace("slots", (behind, ahead))

    for name in program.variables:
        if name in cast.characters:
            places[name] = VariablePlace("number", (f"cell[{number[cast.characters[name]]}]",))
        elif name in cast.slots:
            places[name] = slot_place(*cast.slots[name])
    for name, array in program.arrays.items():
        if name in cast.slots:
            row, first = cast.slots[name]
            for index in range(array.length):
                places[f"{name}[{index}]"] = slot_place(row, first + index)
    return places


def _title(program: IrProgram) -> str:
    """Return the title of the play, which names the first variables of the source."""
    own = [name for name in (*program.variables, *program.arrays) if name[0] not in "~@"]
    labels = list(dict.fromkeys(program.labels.get(name, name) for name in own))
    heroes = [label for label in labels if label.isidentifier()][:_MAX_TITLE_NAMES]
    if not heroes:
        return "A Play without Heroes"
    return f"The History of {' and '.join(heroes)}"


# Statements as scenes.

_MAX_BRIEF_ASSIGNMENTS = 3  # maximum number of assignments of a branch without scenes


class ShakespeareStatements:
    """A writer of statements.

    ``marks`` has for each statement its first piece, the piece after its last, its origin and its
    description.
    """

    def __init__(self, program: IrProgram, script: Script, cast: Cast, comments: bool):
        self.marks: list[tuple[int, int, SourceOrigin, str]] = []
        self._program = program
        self._script = script
        self._cast = cast
        self._words = Vocabulary()
        self._expressions = ShakespeareExpressions(script, cast, self._words)
        self._wording = SourceWording(program.labels)
        self._comments = comments
        self._acts = 0

    def write_program(self) -> None:
        """Write the whole program; each top-level loop is an act."""
        self._begin_act("In which everybody takes a part")
        for number, character in self._cast.constants.items():
            self._expressions.assign(character, self._words.number(number))
        for row in self._cast.rows:
            self._fill_row(row)
        looped = bool(self._cast.rows)
        for statement in self._program.body:
            loops = isinstance(statement, While)
            if loops or looped:
                self._begin_act(title(self._wording.describe(statement)))
            looped = loops
            self._block((statement,))
        self._script.clear_stage()

    def _begin_act(self, name: str) -> None:
        self._script.act(name, SETTINGS[self._acts % len(SETTINGS)])
        self._acts += 1

    def _fill_row(self, row: StackRow) -> None:
        """Write code that fills a row with zeros; ``row.counter`` counts down to 0."""
        script, expressions = self._script, self._expressions
        expressions.assign(row.counter, self._words.number(row.length))
        again = script.new_scene()
        script.scene(again, f"In which {row.after} forgets")
        expressions.tell(row.after, "Remember nothing.")
        expressions.tell(row.counter, "You are the sum of yourself and a pig.")
        script.ask(f"Is {row.counter} better than nothing?", again, when=True)

    def _block(self, block: Block) -> None:
        for statement in block:
            words = self._wording.describe(statement)
            if self._comments:
                self._script.heading(title(words))
            start, at = self._script.length, len(self.marks)
            self._statement(statement)
            self._expressions.release()
            if self._script.length > start:
                self.marks.insert(at, (start, self._script.length, statement.origin, words))

    def _statement(self, statement: Statement) -> None:
        expressions = self._expressions
        match statement:
            case Assign(name, value):
                self._assign(name, value)
            case Append(name, digit):
                ten = Binary("*", VariableRef(name, "int"), Number(10, "int"), "int")
                self._assign(name, Binary("+", ten, Convert(digit, "int"), "int"))
            case StoreElement(array, index, value):
                self._store(array, index, value)
            case Clear(array):
                self._clear(array)
            case Read(name):
                self._read(name)
            case PrintByte(value):
                self._write(value)
            case PrintText(text):
                self._write_text(text)
            case PrintInt(VariableRef(name)) if name in self._cast.characters:
                expressions.tell(self._cast.characters[name], "Open your heart!")
            case PrintInt(value):
                self._assign_temporary(value, "Open your heart!")
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    # Values

    def _assign(self, name: str, value: Value) -> None:
        if name in self._cast.characters:
            phrase = self._expressions.phrase(value)
            self._expressions.assign(self._cast.characters[name], phrase)
        else:
            self._store(name, Number(0, "byte"), value)

    def _store(self, array: str, index: Value, value: Value) -> None:
        """Write code that stores ``value`` in an element of an array.

        The code moves the elements of the array's row to reach the element, so a value that
        contains elements of this row is computed first.
        """
        expressions, cast = self._expressions, self._cast
        row, _ = cast.slots[array]
        rows = count_fetches([index, value], cast.slots)
        if not rows:
            expressions.seek(array, index)
            phrase = expressions.phrase(value)
        else:
            phrase = expressions.phrases([value], row)[0]
            if rows[row.counter] or count_fetches([index], cast.slots):
                temporary = cast.take_character()
                expressions.assign(temporary, phrase)
                expressions.reserve(temporary)
                phrase = f"{{{temporary}}}"
            expressions.seek_alone(array, index)
        expressions.tell(row.after, f"Recall thy past. Remember {phrase}.")

    def _clear(self, array: str) -> None:
        """Write code that sets all elements of an array to 0.

        The code moves the elements up to the array's end to the stack of ``row.before``, then pops
        each element of the array from there and pushes a zero to the stack of ``row.after``.
        """
        row, offset = self._cast.slots[array]
        script, expressions = self._script, self._expressions
        end = offset + self._program.arrays[array].length
        expressions.seek_position(row, expressions.number(end))
        again = script.new_scene()
        script.scene(again, f"In which {row.after} forgets")
        expressions.tell(row.before, "Recall thy past.")
        expressions.tell(row.after, "Remember nothing.")
        expressions.tell(row.counter, "You are the sum of yourself and a pig.")
        start = self._words.number(offset)
        script.ask(f"Is {row.counter} better than {start}?", again, when=True)

    # Input and output

    def _read(self, name: str) -> None:
        """Write code that reads a byte of input into a variable; 0 at the end of input.

        The language reads characters, and -1 at the end. A byte that is not UTF-8 is read as a
        surrogate (``SURROGATE_BASE`` plus the byte), which the code converts back to the byte.
        """
        expressions = self._expressions
        reader = self._cast.characters.get(name) or self._cast.take_character()
        foreign = expressions.number(SURROGATE_BASE)
        expressions.tell(
            reader,
            "Open your mind.",
            "Are you worse than nothing?",
            "If so, you are nothing.",
            f"Are you better than {foreign}?",
            f"If so, you are the difference between yourself and {foreign}.",
        )
        if name not in self._cast.characters:
            expressions.reserve(reader)
            row = expressions.seek(name, Number(0, "byte"))
            expressions.tell(row.after, f"Recall thy past. Remember {{{reader}}}.")

    def _assign_temporary(self, value: Value, *sentences: str) -> None:
        """Write code that sets a free character to a value, and then says ``sentences`` to it."""
        temporary = self._cast.take_character()
        self._expressions.assign(temporary, self._expressions.phrase(value))
        self._expressions.tell(temporary, *sentences)
        self._expressions.reserve(temporary)

    def _write(self, value: Value) -> None:
        """Write code that prints a byte; above 127, it prints the byte's surrogate escape."""
        speak = "Speak your mind!"
        if upper_bound(value) > MAX_ASCII:
            high = f"the quotient between yourself and {self._expressions.number(MAX_ASCII + 1)}"
            more = f"the product of {self._expressions.number(SURROGATE_BASE)} and {high}"
            self._assign_temporary(value, f"You are the sum of yourself and {more}.", speak)
        else:
            self._assign_temporary(value, speak)

    def _write_text(self, text: str) -> None:
        """Write code in which one character of the play prints a text, letter by letter.

        Each letter's code is written as a constant, or as a sum with the code before it if that is
        shorter.
        """
        expressions = self._expressions
        herald = self._cast.take_character()
        before: int | None = None
        for character in text:
            code = ord(character)
            if code != before:
                phrase = expressions.number(code)
                if before is not None:
                    more = f"the sum of yourself and {self._words.number(code - before)}"
                    phrase = min(phrase, more, key=len)
                expressions.assign(herald, phrase)
            expressions.tell(herald, "Speak your mind!")
            before = code
        expressions.reserve(herald)

    # Blocks

    def _if(self, statement: If) -> None:
        if self._is_brief(statement):
            self._brief_if(statement)
            return
        script, words = self._script, condition_text(self._wording.describe(statement))
        first, second, when = statement.then, statement.otherwise, False
        if not first:
            first, second, when = second, first, True
        end, other = script.new_scene(), script.new_scene()
        self._expressions.jump(statement.condition, other if second else end, when=when)
        self._block(first)
        if second:
            script.go(end)
            script.scene(other, f"In which it is otherwise than {words}")
            self._block(second)
        script.scene(end, f"After the question {words}")

    def _is_brief(self, statement: If) -> bool:
        """Return whether a branch can be written as sentences with "If so" and "If not"."""
        block = (*statement.then, *statement.otherwise)
        return (
            _single_comparison(statement.condition) is not None
            and len(block) <= _MAX_BRIEF_ASSIGNMENTS
            and all(
                isinstance(one, Assign)
                and one.name in self._cast.characters
                and not count_fetches([one.value], self._cast.slots)
                for one in block
            )
        )

    def _brief_if(self, statement: If) -> None:
        found = _single_comparison(statement.condition)
        assert found is not None
        comparison, holds = found
        question = self._expressions.question(comparison)
        self._script.say(question)
        self._expressions.release()
        for block, answer in ((statement.then, holds), (statement.otherwise, not holds)):
            for one in block:
                assert isinstance(one, Assign)
                phrase = self._expressions.phrase(one.value)
                sentence = self._expressions.assignment_sentence(
                    phrase, "If so" if answer else "If not"
                )
                self._expressions.tell(self._cast.characters[one.name], sentence)
                # Entrances before the sentence are part of the question.
                end, words = self._script.length, self._wording.describe(one)
                self.marks.append((end - 1, end, one.origin, words))

    def _while(self, statement: While) -> None:
        """Write a loop with the test after the body, so that each iteration has one goto."""
        script, words = self._script, self._wording.describe(statement)
        test, body = script.new_scene(), script.new_scene()
        if statement.body:
            script.go(test)
        script.scene(body, title(words))
        self._block(statement.body)
        if statement.body:
            script.scene(test, f"In which it is asked {condition_text(words)}")
        self._block(statement.before)
        self._expressions.jump(statement.condition, body, when=True)


def _single_comparison(condition: Condition) -> tuple[Compare, bool] | None:
    """Return the comparison in a condition without ``and`` and ``or``; None for other conditions.

    Also return the result that the comparison has if the condition is true: False if it is negated.
    """
    match condition:
        case Compare():
            return condition, True
        case Not(inner):
            found = _single_comparison(inner)
            return None if found is None else (found[0], not found[1])
        case _:
            return None


# Titles of acts and scenes.

SETTINGS = (
    *("A hall in the castle", "A street", "The forest", "Another part of the forest"),
    *("Before the gates", "A garden", "The same", "A room in the palace", "A heath"),
)
_WORDS = (("!=", "is not"), ("==", "is"), (">=", "is at least"), ("<", "is below"))


def condition_text(text: str) -> str:
    """Return a condition in words: "whether …"; ``text`` may begin with ``if`` or ``while``."""
    text = text.removeprefix("while ").removeprefix("if ")
    for sign, words in _WORDS:
        text = text.replace(f" {sign} ", f" {words} ")
    return f"whether {text}"


def title(text: str) -> str:
    """Return the title of a statement's scene."""
    text = text.replace("!=", "is not").replace("==", "is")
    return f"In which it goes on {text}" if text.startswith("while") else f"Concerning {text}"
