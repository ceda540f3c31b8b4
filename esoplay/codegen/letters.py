"""Letters beyond ASCII in the names of a source: UTF-8 where a program tells of them.

A program is bytes, and what back ends write is a text of such bytes.  So while they work each of
these letters is one that stands nowhere else, and counts as one character; only then it becomes
the bytes that spell it, and the spans are moved along.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate

from esoplay.codegen.generated import Generated

_FIRST = 0xF0000
"""Of the letters that stand for others: for private use, so that nothing is made of them."""


class Letters:
    """Those in the labels of one program."""

    def __init__(self, labels: Mapping[str, str]):
        found = sorted({letter for label in labels.values() for letter in label if letter > "\x7f"})
        self._labels = labels
        self._there = {ord(letter): _FIRST + at for at, letter in enumerate(found)}
        self._back = {_FIRST + at: letter for at, letter in enumerate(found)}
        self._spelt = {
            chr(at): letter.encode().decode("latin-1") for at, letter in self._back.items()
        }

    @property
    def labels(self) -> dict[str, str]:
        """The labels that a back end is given."""
        return {own: label.translate(self._there) for own, label in self._labels.items()}

    def spelt(self, made: Generated) -> Generated:
        """What a back end has made of them, with the letters themselves."""
        if not self._there:
            return made
        text = made.text
        at = [here for here, letter in enumerate(text) if letter in self._spelt]
        grown = [0, *accumulate(len(self._spelt[text[here]]) - 1 for here in at)]
        spans = tuple(
            replace(
                span,
                start=span.start + grown[bisect_left(at, span.start)],
                end=span.end + grown[bisect_left(at, span.end)],
                what=span.what.translate(self._back),
            )
            for span in made.spans
        )
        spelt = {ord(letter): spelling for letter, spelling in self._spelt.items()}
        return replace(made, text=text.translate(spelt), spans=spans)
