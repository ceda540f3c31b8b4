"""A faulty solution in every language, and the edit that mends it.

Every one prints some right bytes first, and what it then prints wrong was made earlier: the
hunt leads from the first wrong byte to its cause, and time goes on from there when it is mended.
"""

from __future__ import annotations

from typing import NamedTuple


class Hunt(NamedTuple):
    """program: what fails.  wrong: the text at ``offset`` that ``right`` replaces.

    cause: how the debugger's name of the instruction that made the wrong value begins.
    """

    language: str
    extension: str
    problem: str
    program: str
    wrong: str
    right: str
    cause: str

    @property
    def offset(self) -> int:
        """Where the edit begins; ``wrong`` is there once."""
        assert self.program.count(self.wrong) == 1
        return self.program.index(self.wrong)

    @property
    def mended(self) -> str:
        return self.program.replace(self.wrong, self.right)


def _push(number: int) -> str:
    return "  " + " " + f"{number:b}".replace("0", " ").replace("1", "\t") + "\n"


def _print(text: str) -> str:
    return "".join(f"{_push(ord(letter))}\t\n  " for letter in text)


_STORE, _RETRIEVE, _END = "\t\t ", "\t\t\t", "\n\n\n"

BRAINFUCK = """\
++++++++++
[>+++++++>++++++++++>++++<<<-]
>++.>+.+++++++..+++.
>+++++.------------.+
>,[.,]
<.
"""

BEFUNGE = """\
"olleH">:#,_'?01p"dlroW ">:#,_01g,@
"""

WHITESPACE = (
    _print("Hello ")
    + _push(0)
    + _push(ord("?"))
    + _STORE
    + _print("World")
    + _push(0)
    + _RETRIEVE
    + "\t\n  "
    + _END
)

UNLAMBDA = "`.!`.d`.l`.r`.o`.W`. ```s.l.0`.l`.e`.Hi"

SHAKESPEARE = """\
The length of a line.

Romeo, a letter.
Juliet, who counts.

Act I: The only one.

Scene I: Enter both.

[Enter Romeo and Juliet]

Scene II: A letter, or the end, which counts as well.

Juliet:
 Open your mind!

Romeo:
 You are the sum of yourself and a cat.

Juliet:
 Are you as good as a pig? If not, let us return to scene II.

Scene III: Without the end.

Romeo:
 You are the difference between yourself and a big cat.
 Remember yourself. You are a pig. Recall that number. Open your heart!

[Exeunt]
"""

HUNTS = (
    Hunt("brainfuck", ".bf", "E03", BRAINFUCK, "+++++.-", "++++.-", "+"),
    Hunt("befunge-98", ".b98", "E01", BEFUNGE, "'?", "'!", "'"),
    Hunt("whitespace", ".ws", "E01", WHITESPACE, _push(ord("?")), _push(ord("!")), "push 63"),
    Hunt("unlambda", ".unl", "E01", UNLAMBDA, "s.l.0", "s.l.o", "s"),
    Hunt("shakespeare", ".spl", "E07", SHAKESPEARE, "a big cat", "a cat", "You are the difference"),
)
