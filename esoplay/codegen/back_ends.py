"""The back ends: each is a subfolder with ``BACK_END``; ``generate_program`` runs one of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from esoplay.codegen.errors import TOO_DEEP, Errors, SourceError
from esoplay.codegen.generated import Generated
from esoplay.codegen.ir import IrProgram, Number, SourceOrigin, nodes
from esoplay.errors import UsageError

if TYPE_CHECKING:
    from esoplay.codegen.generated import BackEnd


@cache
def back_end_ids() -> tuple[str, ...]:
    """Return the ids of the languages that sources can be compiled to."""
    folders = Path(__file__).parent.glob("*/__init__.py")
    return tuple(sorted(path.parent.name.replace("_", "-") for path in folders))


def find_back_end(language: str) -> BackEnd:
    """Return a language's back end. An unknown id raises UsageError, which lists the known ids."""
    if language not in back_end_ids():
        known = ", ".join(back_end_ids())
        raise UsageError(f"no back end for {language!r}; expected one of {known}")
    return import_module(f"esoplay.codegen.{language.replace('-', '_')}").BACK_END


def generate_program(
    program: IrProgram, language: str, *, name: str = "source", comments: bool = False
) -> Generated:
    """Compile a program to a language; raise UsageError if it has no back end.

    Raises SourceError, in which ``name`` is the source's name, if the source is nested too deeply
    or contains an int that the language cannot store.  Non-ASCII letters of names are encoded as
    UTF-8.
    """
    back_end, letters = find_back_end(language), LabelLetters(program.labels)
    if back_end.ints is not None:
        check_constants(program, back_end.ints, language, name)
    try:
        made = back_end.generate(replace(program, labels=letters.labels), comments=comments)
    except RecursionError:
        place = _deepest_origin(program)
        line, column = (place.user_origin.line, place.user_origin.column) if place else (1, 1)
        raise SourceError(TOO_DEEP, line, column, name) from None
    return letters.restore(made)


def _deepest_origin(program: IrProgram) -> SourceOrigin | None:
    """Return the source location of a program's most deeply nested part, or None if unknown."""
    found, most = None, -1
    for _, depth, origin in nodes(program):
        if depth >= most and origin is not None:
            found, most = origin, depth
    return found


# Constants outside the range of a language's ints would wrap at run time.


def check_constants(program: IrProgram, ints: range, language: str, name: str) -> None:
    """Check that int constants are in a back end's range; raise one SourceError for all others."""
    errors = Errors()
    for error in range_errors(program, ints, language, name):
        errors.add(error)
    if errors:
        raise errors.combine()


def range_errors(
    program: IrProgram, ints: range, language: str, name: str
) -> Iterator[SourceError]:
    """Yield an error for each int constant that a back end cannot store."""
    for node, _, origin in nodes(program):
        if isinstance(node, Number) and node.type == "int" and node.value not in ints:
            line, column = (
                (origin.user_origin.line, origin.user_origin.column) if origin else (1, 1)
            )
            expected = f"expected {ints[0]:,} to {ints[-1]:,}"
            message = f"{node.value:,} is not an int in {language}; {expected}"
            yield SourceError(message, line, column, name)


# Non-ASCII letters in the names of a source, which are UTF-8 in a program's comments.
#
# Back ends write texts in which each character is one byte.  While they run, a
# unique placeholder stands for each of these letters and counts as one character.  Afterwards the
# placeholders become the bytes of the letters, and the spans are adjusted.

_FIRST_PLACEHOLDER = 0xF0000
"""The code point of the first placeholder, a private-use character."""


class LabelLetters:
    """The non-ASCII letters in the labels of one program, and their placeholders."""

    def __init__(self, labels: Mapping[str, str]):
        found = sorted({letter for label in labels.values() for letter in label if letter > "\x7f"})
        self._labels = labels
        self._placeholders = {
            ord(letter): _FIRST_PLACEHOLDER + at for at, letter in enumerate(found)
        }
        self._letters = {_FIRST_PLACEHOLDER + at: letter for at, letter in enumerate(found)}
        self._utf8 = {
            chr(at): letter.encode().decode("latin-1") for at, letter in self._letters.items()
        }

    @property
    def labels(self) -> dict[str, str]:
        """The labels for a back end: each non-ASCII letter is replaced with its placeholder."""
        return {own: label.translate(self._placeholders) for own, label in self._labels.items()}

    def restore(self, generated: Generated) -> Generated:
        """Replace each placeholder in a generated program with its letter, as UTF-8 bytes."""
        if not self._placeholders:
            return generated
        text = generated.text
        at = [here for here, letter in enumerate(text) if letter in self._utf8]
        grown = [0, *accumulate(len(self._utf8[text[here]]) - 1 for here in at)]
        spans = tuple(
            replace(
                span,
                start=span.start + grown[bisect_left(at, span.start)],
                end=span.end + grown[bisect_left(at, span.end)],
                what=span.what.translate(self._letters),
            )
            for span in generated.spans
        )
        spelt = {ord(letter): spelling for letter, spelling in self._utf8.items()}
        return replace(generated, text=text.translate(spelt), spans=spans)
