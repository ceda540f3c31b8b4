"""The words of plays: varied, but deterministic.

Words and names are from the lists of the standard compiler (spl 1.2.1).
"""

from __future__ import annotations

from functools import cache
from itertools import count

from esolangs.shakespeare.words import NAMES_IN_ORDER


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


ADJECTIVES = _split_list(
    """
big, fair, good, red, tiny, bold, old, warm, fine, green, sweet, huge, brave, rich,
blue, proud, small, happy, white, noble, cute, large, golden, little, pretty, hard,
sunny, black, loving, gentle
"""
)
NEGATIVE_ADJECTIVES = _split_list(
    """
bad, vile, fat, foul, dirty, evil, lying, hairy, sorry, rotten, cursed, horrid, stupid,
smelly
"""
)
NOUNS = _split_list(
    """
rose, cat, king, pony, hero, town, plum, lamp, lord, moon, angel, tree, horse, flower,
sky, cow, sister, wind, door, kingdom, brother, son, joy, mother, road, uncle, squirrel,
father, aunt, morning
"""
)
NEGATIVE_NOUNS = _split_list(
    """
pig, goat, toad, wolf, hog, devil, leech, hound, coward, beggar, lie, plague, curse, war
"""
)
FAMOUS_CHARACTERS = _split_list(
    """
Romeo, Juliet, Hamlet, Ophelia, Viola, Orsino, Othello, Portia, Banquo, Miranda,
Macbeth, Beatrice, Benedick, Rosalind, Orlando, Cordelia, Regan, Oberon, Titania,
Helena, Hermia, Lysander, Paris, Tybalt, Horatio, Prospero, Cleopatra, Brutus, Ajax,
Troilus, Cressida
"""
)

SPEAKER = "Puck"
"""The character who speaks all lines; the others listen."""


_SIGNS = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def to_roman(number: int) -> str:
    """Return a number above 0 in Roman numerals."""
    text = ""
    for size, sign in _SIGNS:
        text += sign * (number // size)
        number %= size
    return text


def cast_in_order() -> list[str]:
    """Return the characters in the order in which plays use them, without the speaker."""
    others = sorted(
        set(NAMES_IN_ORDER) - {*FAMOUS_CHARACTERS, SPEAKER}, key=lambda name: (len(name), name)
    )
    return [*FAMOUS_CHARACTERS, *others]


class Vocabulary:
    """Chooses words in rotation."""

    def __init__(self) -> None:
        self._turn = count()

    def noun(self, positive: bool, doublings: int) -> str:
        """Return a noun phrase for 1 or -1, doubled ``doublings`` times."""
        turn = next(self._turn)
        nouns = NOUNS if positive else NEGATIVE_NOUNS
        adjectives = ADJECTIVES if positive else NEGATIVE_ADJECTIVES
        words = [adjectives[(turn * 3 + at) % len(adjectives)] for at in range(doublings)]
        words.append(nouns[turn % len(nouns)])
        return f"{'an' if words[0][0] in 'aeiou' else 'a'} {' '.join(words)}"

    def one_of(self, *choices: str) -> str:
        """Return one of several phrases with the same meaning."""
        return choices[next(self._turn) % len(choices)]

    def number(self, number: int) -> str:
        """Return a short phrase for a constant."""
        return self._phrase(abs(number), number >= 0)

    def _phrase(self, number: int, positive: bool) -> str:
        if number == 0:
            return "nothing"
        match _plan(number)[1]:
            case ("power", doublings, _):
                return self.noun(positive, doublings)
            case ("twice", half, _):
                return f"twice {self._phrase(half, positive)}"
            case ("square", root, _) if positive:
                return f"the square of {self._phrase(root, True)}"
            case ("square", root, _):
                return f"the product of {self._phrase(root, True)} and {self._phrase(root, False)}"
            case ("product", one, other):
                return (
                    f"the product of {self._phrase(one, True)} and {self._phrase(other, positive)}"
                )
            case ("cube", root, _):
                return f"the cube of {self._phrase(root, positive)}"
            case ("sum", one, other):
                return (
                    f"the sum of {self._phrase(one, positive)} and {self._phrase(other, positive)}"
                )
            case (_, one, other):
                # a difference, written as a sum with the negated number
                first, second = self._phrase(one, positive), self._phrase(other, not positive)
                return f"the sum of {first} and {second}"


_LARGE = 60  # bits

Plan = tuple[int, tuple[str, int, int]]
"""How to express a number: the approximate length of the phrase; its operation and operands."""


@cache
def _plan(number: int) -> Plan:
    """Return the plan for a number above 0: of the plans that are tried, the shortest one."""
    bits = number.bit_length() - 1
    if number == 1 << bits and bits <= 7:
        return 7 + 6 * bits, ("power", bits, 0)
    if bits > _LARGE:
        return _plan_large_number(number, bits)
    plans: list[Plan] = []
    if number % 2 == 0:
        plans.append((9 + _plan(number // 2)[0], ("twice", number // 2, 0)))
    root = _root(number, 2)
    if root > 1 and root**2 == number:
        plans.append((14 + _plan(root)[0], ("square", root, 0)))
    root = _root(number, 3)
    if root > 1 and root**3 == number:
        plans.append((12 + _plan(root)[0], ("cube", root, 0)))
    zeros = (number & -number).bit_length() - 1
    if 3 < zeros < bits:
        cost = 19 + _plan(1 << zeros)[0] + _plan(number >> zeros)[0]
        plans.append((cost, ("product", 1 << zeros, number >> zeros)))
    if number != 1 << bits:
        for low in (number - (1 << bits), *((1,) if number % 2 else ())):
            cost = 16 + _plan(low)[0] + _plan(number - low)[0]
            plans.append((cost, ("sum", number - low, low)))
        over = (2 << bits) - number
        if over < number // 2 and bits < 7:
            plans.append((16 + _plan(over)[0] + _plan(2 << bits)[0], ("less", 2 << bits, over)))
    return min(plans)


def _plan_large_number(number: int, bits: int) -> Plan:
    """Plan a large number in halves, so that phrases are nested at most log2(bits) deep."""
    zeros = (number & -number).bit_length() - 1
    half = bits // 2
    if zeros == bits:
        steps = ("twice", number // 2, 0) if bits % 2 else ("square", 1 << half, 0)
    elif zeros >= half:
        steps = ("product", 1 << zeros, number >> zeros)
    else:
        low = number & ((1 << half) - 1)
        steps = ("sum", number - low, low)
    return bits * 10, steps


def _root(number: int, power: int) -> int:
    """Return the largest integer that, raised to ``power``, is at most ``number``."""
    low, high = 0, 1 << (number.bit_length() // power + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= number else (low, middle)
    return low
