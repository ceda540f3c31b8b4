"""What every back end gives: a program, where each part of it comes from, where its values are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from esoplay.codegen.ir import Origin, Program


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a generated program, ``start`` up to but not including ``end``, from 0.

    what: what the part does, in a few words for people, such as ``x += 1`` or ``print an int``.
    """

    start: int
    end: int
    origin: Origin
    what: str = ""


Kind = Literal["number", "digits", "folded", "limbs", "slots", "part"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a running program keeps a variable, or each element of an array.

    cells: expressions of the debugger's condition language, such as ``cell[12]``.
    number: the one cell holds the value, less ``offset``.  digits: the cells hold decimal digits,
    the lowest first, in ten's complement: from half of the range on the number is negative.
    folded: as digits, but where the last cell is not 0, it holds 10 less the highest digit, and
    the others hold 9 less theirs.
    limbs: the cells hold the digits of the value, less ``offset``, to the base ``base``, the lowest
    first, each from 0 to ``base`` - 1 (but the last one, which may be larger).  So the value is
    ``offset + cells[0] + base * cells[1] + base**2 * cells[2]`` and so on.
    slots: places on stacks, such as ``stack[3, 7]``: what is 7 above the lowest value on the stack
    whose key is 3.  The value is what stands in the first of them that is there.
    part: there are no cells; one value is the state, which every function of a statement is given.
    The one text is the way to the variable in it, such as ``state.KFK`` or ``state.KF[3]``; see
    :mod:`esoplay.codegen.ways`.
    unset: what each cell holds before the program has put a first value there, where that spells
    none; the value is 0 until then.
    """

    kind: Kind
    cells: tuple[str, ...]
    offset: int = 0
    base: int = 10
    unset: int | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A program in one of the languages.

    spans: in the order of their starts; those inside another one come after it.
    places: by the program's names of variables; an array has a place for each of its elements,
    named ``array[0]`` and so on.  What a language cannot show is left out.
    begins: the location, as stops name it, at which the program has put itself together and begins
    to do what it is for; None where it does so from its first step on.
    """

    text: str
    spans: tuple[Span, ...]
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])
    begins: int | tuple[int, ...] | None = None


class Generator(Protocol):
    """What compiles programs to one language."""

    def __call__(self, program: Program, *, comments: bool = False) -> Generated:
        """The program in this language: always the same text for the same program.

        The text does the same in the dialects ``standard`` and ``benchmark``.  With ``comments``
        it describes its parts, without a change of what it does.
        """
        ...


@dataclass(frozen=True, slots=True)
class BackEnd:
    """A folder of ``esoplay/codegen`` named after its language exports one as ``BACK_END``.

    language: its id in the registry of languages.
    ints: those that variables hold; None where they may be any.
    intermediates: those that an expression may compute before its value is stored; None likewise.
    """

    language: str
    generate: Generator
    ints: range | None = None
    intermediates: range | None = None
