r"""An assembler for Whitespace, with mnemonics and labels of any name.

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

``program`` is Whitespace that prints 321.  The most used labels have the shortest spellings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product

from esoplay.codegen.errors import LayerError, unknown_name_error

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
    """A program; ``starts`` and ``ends`` are the offsets where its instructions start and end."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def spell_number(number: int) -> str:
    """Return a number as the operand of an instruction.

    0 is written with a digit, because some interpreters require one.
    """
    bits = f"{abs(number):b}".replace("0", SPACE).replace("1", TAB)
    return (TAB if number < 0 else SPACE) + bits + LINE


class Assembler:
    """A program under construction; it has a method for each instruction, which appends it."""

    def __init__(self) -> None:
        self._instructions: list[tuple[str, int | str]] = []
        self._comments: dict[int, list[str]] = {}
        self._aliases: dict[str, str] = {}
        self._defined: set[str] = set()
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
        """Duplicate the top of the stack."""
        self._add("dup")

    def copy(self, depth: int) -> None:
        """Push a copy of the entry at a depth; the top is 0."""
        self._instructions.append(("copy", depth))

    def swap(self) -> None:
        """Exchange the top two entries."""
        self._add("swap")

    def discard(self) -> None:
        """Pop the top."""
        self._add("discard")

    def slide(self, number: int) -> None:
        """Remove ``number`` entries below the top."""
        self._instructions.append(("slide", number))

    # Arithmetic: pops two numbers; the left operand is below the right one

    def add(self) -> None:
        """Pop two numbers and push their sum."""
        self._add("add")

    def sub(self) -> None:
        """Pop the subtrahend, then the minuend; push their difference."""
        self._add("sub")

    def mul(self) -> None:
        """Pop two numbers and push their product."""
        self._add("mul")

    def div(self) -> None:
        """Pop the divisor, then the dividend; push the quotient, rounded as the dialect defines."""
        self._add("div")

    def mod(self) -> None:
        """Pop the divisor, then the dividend; push the remainder."""
        self._add("mod")

    # Heap

    def store(self) -> None:
        """Pop a value, then an address; store the value there."""
        self._add("store")

    def retrieve(self) -> None:
        """Pop an address; push the value that the heap contains at this address."""
        self._add("retrieve")

    # Control

    def fresh_label(self, prefix: str) -> str:
        """Return an unused label name with the prefix ``prefix``."""
        return f"{prefix} {next(self._fresh)}"

    def label(self, name: str) -> None:
        """Define a label here; raise LayerError if it is already defined."""
        if name in self._defined:
            raise LayerError(f"label {name!r} is already defined")
        self._defined.add(name)
        if self._instructions and self._instructions[-1][0] == "label":
            self._aliases[name] = str(self._instructions[-1][1])
        else:
            self._instructions.append(("label", name))

    def call(self, name: str) -> None:
        """Call the subroutine at a label."""
        self._instructions.append(("call", name))

    def ret(self) -> None:
        """Return from a subroutine."""
        self._add("return")

    def jump(self, name: str) -> None:
        """Jump to a label."""
        self._instructions.append(("jump", name))

    def jz(self, name: str) -> None:
        """Pop a number and jump to a label if it is 0."""
        self._instructions.append(("jz", name))

    def jn(self, name: str) -> None:
        """Pop a number and jump to a label if it is negative."""
        self._instructions.append(("jn", name))

    def end(self) -> None:
        """End the program."""
        self._add("end")

    # Input and output

    def printc(self) -> None:
        """Pop a number and print the character with this code."""
        self._add("printc")

    def printn(self) -> None:
        """Pop a number and print it in decimal."""
        self._add("printn")

    def readc(self) -> None:
        """Pop an address and read a character into it."""
        self._add("readc")

    def readn(self) -> None:
        """Pop an address and read a number into it."""
        self._add("readn")

    # The text

    def comment(self, text: str) -> None:
        """Add a comment before the next instruction; its whitespace is replaced by ``_``."""
        self._comments.setdefault(self.length, []).append(text)

    def listing(self) -> str:
        """Return the program in mnemonics, one instruction per line."""
        lines: list[str] = []
        for at, (name, operand) in enumerate(self._instructions):
            lines += [f"# {text}" for text in self._comments.get(at, [])]
            if isinstance(operand, str) and operand:
                operand = self._resolve_alias(operand)
            lines.append(f"{name} {operand}".rstrip())
        return "".join(f"{line}\n" for line in lines)

    def assemble(self) -> AssembledProgram:
        """Return the program as Whitespace; raise LayerError for an undefined label."""
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
                spelling = spellings.get(self._resolve_alias(operand))
                if spelling is None:
                    raise unknown_name_error("label", operand, sorted(self._defined))
                text += spelling + LINE
            starts.append(length + len(remarks))
            length = starts[-1] + len(text)
            ends.append(length)
            parts += [remarks, text]
        return AssembledProgram("".join(parts), tuple(starts), tuple(ends))

    def _add(self, name: str) -> None:
        self._instructions.append((name, ""))

    def _resolve_alias(self, label: str) -> str:
        while label in self._aliases:
            label = self._aliases[label]
        return label

    def _spellings(self) -> dict[str, str]:
        """Return the spelling of each label, shorter for frequent labels.

        Spellings are never empty, because some interpreters reject an empty label.
        """
        labels = [str(operand) for name, operand in self._instructions if name == "label"]
        uses = Counter(
            self._resolve_alias(operand)
            for _, operand in self._instructions
            if isinstance(operand, str) and operand
        )
        ordered = sorted(labels, key=lambda label: -uses[label])
        return dict(zip(ordered, _labels_shortest_first(), strict=False))


def _labels_shortest_first() -> Iterator[str]:
    for length in count(1):
        for spelling in product(SPACE + TAB, repeat=length):
            yield "".join(spelling)
