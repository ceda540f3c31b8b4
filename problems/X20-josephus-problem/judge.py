"""X20 Josephus Problem: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    persons, step = map(int, text.split())
    return str(survivor(persons, step) + 1)


def survivor(persons: int, step: int) -> int:
    """Return the place of the survivor, counted from 0."""
    place = 0
    for size in range(2, persons + 1):
        place = (place + step) % size
    return place


def cases(rng):
    yield "single", f"1 {rng.integer(1, 500)}"
    yield "every", f"{rng.choice([n for n in range(2, 80) if n & (n + 1)])} 1"
    yield "two", f"{rng.integer(3, 80)} 2"
    yield "equal", telling(rng, (3, 80), lambda n: (n, n))
    yield "beyond", telling(rng, (5, 30), lambda n: (n + 1, 5 * n))
    yield "largest", telling(rng, (70, 80), lambda _: (400, 500))


def telling(rng, ends: tuple[int, int], steps) -> str:
    """Return an input for which neither another step nor the first to leave is right.

    ``steps`` gives the ends for K to a number of persons.
    """
    while True:
        persons = rng.integer(*ends)
        step = rng.integer(*steps(persons))
        others = {step - 1, step + 1, step % persons or persons, step % 256, min(step, persons)}
        wrong = {survivor(persons, other) for other in others - {0, step}}
        if survivor(persons, step) not in wrong | {(step - 1) % persons}:
            return f"{persons} {step}"
