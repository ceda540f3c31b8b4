r"""Printing the character of a number, and reading one as a number.

``putc x`` finds one of all 256 ``.x`` in a constant array.  ``getc`` can only ask, by ``?x``,
whether the character read is a certain one; the answers are ``i`` and ``v``.  ``v`` is no value to
choose by, as it swallows what it gets, so all questions are asked in turn, and the one that is
answered by ``i`` leaves through a continuation with its number.  The numbers are made once, at the
start of the program, those of unusual characters whenever they are asked for.  No answer, at the
end of the input or for a 0, is 0.
"""

from __future__ import annotations

from esoplay.codegen.unlambda.numbers import number
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import by_bits

ASKED = (
    ("0", "9"), (" ", " "), ("\n", "\n"), ("a", "z"), ("A", "Z"), ("!", "/"), (":", "@"),
    ("[", "`"), ("{", "~"), ("\1", "\t"), ("\x0b", "\x1f"), ("\x7f", "\xff"),
)  # fmt: skip
"""Characters from and to, in the order in which they are asked for: each costs ten steps."""

USUAL = 9
"""Of these, the numbers are made at the start; the others only when it comes to them."""


def printer(code: int) -> str:
    """The function that prints a character and gives its operand back."""
    return "r" if code == 10 else f".{chr(code)}"


def define_characters(library: Library) -> None:
    """Put ``putc x``, which is ``I``, and ``getc I`` into a library."""
    printers = by_bits([printer(code) for code in range(256)])
    library.define("putc", r"\x. printers x I", printers=printers)
    library.define(
        "getc",
        r"\x. C (\leave. (\_. Z) (read (\q. q asked (\hit. hit leave))))",
        read="@",
        asked=_questions(library),
    )


def _questions(library: Library) -> str:
    r"""``asked f``: tries all; f is what ``i`` makes leave and ``v`` does not.

    ``ask`` makes a question of a ``?x``, the questions behind it, and the number of x.
    """
    texts = {"ask": library.text(r"\test rest n. S (S test (K n)) (rest (inc n))")}
    runs: list[str] = []
    for at, (first, last) in enumerate(ASKED):
        codes = range(ord(first), ord(last) + 1)
        texts |= {f"links{at}": _links(codes), f"number{at}": number(codes[0])}
        run = f"links{at} ask number{at}"
        runs.append(f"({run})" if at < USUAL else rf"(\f. {run} f)")
    asked = runs[-1]
    for run in reversed(runs[:-1]):
        asked = f"(S {run} {asked})"
    return library.text(rf"(\ask. {asked}) ask", **texts)


def _links(codes: range) -> str:
    r"""``\ask. ask ?x (ask ?y … (K (K V)))``: the last gives ``v``, as each without an answer."""
    links = "`k`k`kv"
    for code in reversed(codes):
        links = f"``s``si`k?{chr(code)}{links}"
    return links
