r"""Printing the character of a number, and reading one as a number.

``putc x`` walks a tree of all 256 ``.x`` by the bits of x.  ``getc`` can only ask, by ``?x``,
whether the character read is a certain one; the answers are ``i`` and ``v``.  ``v`` is no value to
choose by, as it swallows what it gets, so all questions are asked in turn, and the one that is
answered by ``i`` leaves through a continuation with its number.  The numbers are made once, at the
start of the program.  No answer, at the end of the input or for a 0, is 0.
"""

from __future__ import annotations

from esoplay.codegen.unlambda.numbers import number
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import bit_tree

ASKED = (
    ("0", "9"), (" ", " "), ("\n", "\n"), ("a", "z"), ("A", "Z"), ("!", "/"), (":", "@"),
    ("[", "`"), ("{", "~"), ("\1", "\t"), ("\x0b", "\x1f"), ("\x7f", "\xff"),
)  # fmt: skip
"""Characters from and to, in the order in which they are asked for: each costs ten steps."""


def printer(code: int) -> str:
    """The function that prints a character and gives its operand back."""
    return "r" if code == 10 else f".{chr(code)}"


def define_characters(library: Library) -> None:
    """Put ``putc x``, which is ``I``, and ``getc I`` into a library."""
    library.add("printers", bit_tree([printer(code) for code in range(256)]))
    library.define("putc", r"\x. walk8 x printers I")
    library.define("ask", r"\test rest n. S (S test (K n)) (rest (inc n))")
    library.add("asked", _questions(library))
    library.add("read", "@")
    library.define(
        "getc",
        r"\x. C (\leave. (\_. Z) (read (\q. q asked (\hit. hit leave))))",
    )


def _questions(library: Library) -> str:
    """``asked f``: tries all; f is what ``i`` makes leave and ``v`` does not."""
    runs: list[str] = []
    for first, last in ASKED:
        codes = range(ord(first), ord(last) + 1)
        library.add("number", number(codes[0]))
        library.add("chain", _chain(library, codes))
        runs.append(library.text("chain number"))
    text = runs[-1]
    for run in reversed(runs[:-1]):
        text = f"``s{run}{text}"
    return text


def _chain(library: Library, codes: range) -> str:
    """``\\n. …``: the questions for characters that follow one another, the first being n."""
    links = "`k`k`kv"
    for code in reversed(codes):
        links = f"``s``si`k?{chr(code)}{links}"
    return f"`{links}{library['ask']}"
