"""Programs of every language for what is measured in all of them.

A language that is not named here has its sample repeated where a long program is wanted, and
is left out where one without an end is.
"""

from __future__ import annotations

from collections.abc import Callable

from esolangs.language import Language

LONG = 100_000  # bytes

_ENDLESS_PLAY = b"""\
Counting without end.

Romeo, who is counted.
Juliet, who counts.

Act I: The only one.

Scene I: They meet.

[Enter Romeo and Juliet]

Scene II: They count.

Juliet:
 You are as good as the sum of yourself and a hero!
 Let us return to scene II.
"""

ENDLESS: dict[str, bytes] = {
    "befunge-98": b"1+",  # round and round its line
    "brainfuck": b"+[>+<]",
    "shakespeare": _ENDLESS_PLAY,
    "unlambda": b"```sii``sii",
    "whitespace": b"   \n\n  \n   \t\n\t   \n \n\n",  # 0, label, push 1, add, jump
}
"""By language: counts, or turns in its circle, and never prints."""


def long_program(language: Language) -> bytes:
    """A program of ``LONG`` bytes or a little more."""
    write = _LONG.get(language.id, _repeated)
    return write(language.sample())


def _repeated(sample: bytes) -> bytes:
    return sample * (LONG // len(sample) + 1)


def _applied(sample: bytes) -> bytes:
    """The term applied to itself, and that to it again: an expression has no end mark."""
    del sample
    term = b"`.a``s`ki`ci"
    times = LONG // (len(term) + 1) + 1
    return b"`" * (times - 1) + term * times


def _scenes(sample: bytes) -> bytes:
    """A play of many scenes that are all the same."""
    del sample
    opening, scene = _ENDLESS_PLAY.split(b"Scene II: ")
    times = LONG // len(scene) + 1
    parts = [opening]
    for number in range(2, times + 2):
        line = b"Scene %s: %s\n" % (_roman(number), scene)
        parts.append(line.replace(b"scene II", b"scene %s" % _roman(number)))
    return b"".join(parts)


def _roman(number: int) -> bytes:
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    signs = b"M CM D CD C XC L XL X IX V IV I".split()
    text = b""
    for value, sign in zip(values, signs, strict=True):
        text += sign * (number // value)
        number %= value
    return text


_LONG: dict[str, Callable[[bytes], bytes]] = {"shakespeare": _scenes, "unlambda": _applied}
