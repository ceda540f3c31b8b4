r"""An assembler for Whitespace: instructions by their names, jumps to labels of any name.

>>> from esoplay.codegen.whitespace import Assembler
>>> code = Assembler()
>>> code.push(3)
>>> code.label("again")
>>> code.dup()
>>> code.printn()
>>> code.push(1)
>>> code.sub()
>>> code.dup()
>>> code.jz("done")
>>> code.jump("again")
>>> code.label("done")
>>> code.end()
>>> program = code.assemble().text

``program`` is Whitespace that prints 321.  Labels get the shorter spellings the more often they
are mentioned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product

from esoplay.codegen.errors import LayerError, no_such

SPACE, TAB, LINE = " \t\n"

_SPELLINGS = {
    "push": "SS",
    "dup": "SLS",
    "copy": "STS",
    "swap": "SLT",
    "discard": "SLL",
    "slide": "STL",
    "add": "TSSS",
    "sub": "TSST",
    "mul": "TSSL",
    "div": "TSTS",
    "mod": "TSTT",
    "store": "TTS",
    "retrieve": "TTT",
    "label": "LSS",
    "call": "LST",
    "jump": "LSL",
    "jz": "LTS",
    "jn": "LTT",
    "return": "LTL",
    "end": "LLL",
    "printc": "TLSS",
    "printn": "TLST",
    "readc": "TLTS",
    "readn": "TLTT",
}
_BLANKS = str.maketrans("STL", SPACE + TAB + LINE)
_VISIBLE = str.maketrans({SPACE: "_", TAB: "_", LINE: "_"})


@dataclass(frozen=True, slots=True)
class AssembledProgram:
    """A program.  starts, ends: where each instruction begins and ends in the text."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def spell_number(number: int) -> str:
    """A number as the operand of an instruction.

    0 has a digit: it could do without, but not every interpreter takes that.
    """
    bits = f"{abs(number):b}".replace("0", SPACE).replace("1", TAB)
    return (TAB if number < 0 else SPACE) + bits + LINE


class Assembler:
    """A program in the making: each method appends the instruction of its name."""

    def __init__(self) -> None:
        self._instructions: list[tuple[str, int | str]] = []
        self._comments: dict[int, list[str]] = {}
        self._same: dict[str, str] = {}
        self._marked: set[str] = set()
        self._fresh = count(1)

    @property
    def length(self) -> int:
        """The number of instructions so far."""
        return len(self._instructions)

    # Stack

    def push(self, number: int) -> None:
        """Push a number."""
        self._instructions.append(("push", number))

    def dup(self) -> None:
        """Push the top once more."""
        self._add("dup")

    def copy(self, depth: int) -> None:
        """Push the entry at a depth, the top being 0."""
        self._instructions.append(("copy", depth))

    def swap(self) -> None:
        """Exchange the two uppermost."""
        self._add("swap")

    def discard(self) -> None:
        """Drop the top."""
        self._add("discard")

    def slide(self, number: int) -> None:
        """Keep the top, drop so many entries below it."""
        self._instructions.append(("slide", number))

    # Arithmetic: takes two numbers, the left one lies below the right one

    def add(self) -> None:
        """Their sum."""
        self._add("add")

    def sub(self) -> None:
        """Their difference."""
        self._add("sub")

    def mul(self) -> None:
        """Their product."""
        self._add("mul")

    def div(self) -> None:
        """Their quotient, whose rounding of negative numbers depends on the dialect."""
        self._add("div")

    def mod(self) -> None:
        """The remainder of their quotient."""
        self._add("mod")

    # Heap

    def store(self) -> None:
        """Take a value and below it an address; keep it there."""
        self._add("store")

    def retrieve(self) -> None:
        """Take an address, push what is there."""
        self._add("retrieve")

    # Control

    def fresh(self, what: str) -> str:
        """A name for a label that no other label has; ``what`` makes it readable."""
        return f"{what} {next(self._fresh)}"

    def label(self, name: str) -> None:
        """Mark this place; LayerError if the name marks another one."""
        if name in self._marked:
            raise LayerError(f"there is a label {name!r} already")
        self._marked.add(name)
        if self._instructions and self._instructions[-1][0] == "label":
            self._same[name] = str(self._instructions[-1][1])
        else:
            self._instructions.append(("label", name))

    def call(self, name: str) -> None:
        """Go to a label, to come back by ``ret``."""
        self._instructions.append(("call", name))

    def ret(self) -> None:
        """Return to the instruction after the last call."""
        self._add("return")

    def jump(self, name: str) -> None:
        """Go to a label."""
        self._instructions.append(("jump", name))

    def jz(self, name: str) -> None:
        """Take a number; go to a label if it is 0."""
        self._instructions.append(("jz", name))

    def jn(self, name: str) -> None:
        """Take a number; go to a label if it is negative."""
        self._instructions.append(("jn", name))

    def end(self) -> None:
        """End the program."""
        self._add("end")

    # Input and output

    def printc(self) -> None:
        """Take a number, print the character that it is the code of."""
        self._add("printc")

    def printn(self) -> None:
        """Take a number, print it in decimal."""
        self._add("printn")

    def readc(self) -> None:
        """Take an address, read a character to there."""
        self._add("readc")

    def readn(self) -> None:
        """Take an address, read a number to there."""
        self._add("readn")

    # The text

    def comment(self, text: str) -> None:
        """Add a remark before the next instruction; its whitespace becomes visible."""
        self._comments.setdefault(self.length, []).append(text)

    def listing(self) -> str:
        """The program in mnemonics, an instruction a line."""
        lines: list[str] = []
        for at, (name, operand) in enumerate(self._instructions):
            lines += [f"# {text}" for text in self._comments.get(at, [])]
            if isinstance(operand, str) and operand:
                operand = self._name(operand)
            lines.append(f"{name} {operand}".rstrip())
        return "".join(f"{line}\n" for line in lines)

    def assemble(self) -> AssembledProgram:
        """The program as Whitespace; LayerError names a label that is mentioned and nowhere."""
        spellings = self._spellings()
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        length = 0
        for at, (name, operand) in enumerate(self._instructions):
            remarks = "".join(
                f"[{text.translate(_VISIBLE)}]" for text in self._comments.get(at, [])
            )
            text = _SPELLINGS[name].translate(_BLANKS)
            if isinstance(operand, int):
                text += spell_number(operand)
            elif operand:
                spelling = spellings.get(self._name(operand))
                if spelling is None:
                    raise no_such("label", operand, sorted(self._marked))
                text += spelling + LINE
            starts.append(length + len(remarks))
            length = starts[-1] + len(text)
            ends.append(length)
            parts += [remarks, text]
        return AssembledProgram("".join(parts), tuple(starts), tuple(ends))

    def _add(self, name: str) -> None:
        self._instructions.append((name, ""))

    def _name(self, label: str) -> str:
        while label in self._same:
            label = self._same[label]
        return label

    def _spellings(self) -> dict[str, str]:
        """The spelling of each label that is somewhere, the shortest for the commonest.

        None is empty, which not every interpreter takes.
        """
        labels = [str(operand) for name, operand in self._instructions if name == "label"]
        uses = Counter(
            self._name(operand)
            for _, operand in self._instructions
            if isinstance(operand, str) and operand
        )
        ordered = sorted(labels, key=lambda label: -uses[label])
        return dict(zip(ordered, _shortest_first(), strict=False))


def _shortest_first() -> Iterator[str]:
    for length in count(1):
        for spelling in product(SPACE + TAB, repeat=length):
            yield "".join(spelling)
