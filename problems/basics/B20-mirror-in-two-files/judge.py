"""B20 Mirror in Two Files: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mirror(sign: str) -> str:
    if "a" <= sign <= "z":
        return chr(ord("a") + ord("z") - ord(sign))
    return chr(ord("A") + ord("Z") - ord(sign)) if "A" <= sign <= "Z" else sign


def solve(text: str) -> str:
    return f"<{''.join(map(mirror, text))}>"


def cases(rng):
    yield "empty", ""
    yield "lower", rng.text(LETTERS, 1, 20)
    yield "upper", rng.text(LETTERS, 1, 20).upper()
    yield "spaces", f" {rng.text(LETTERS, 1, 8)}  {rng.text(LETTERS, 1, 8).upper()} "
    yield "ends", "az" + rng.text("azAZ", 1, 17)
    yield "spaces", f"{rng.text(LETTERS, 1, 8)} {rng.text(LETTERS, 1, 8).upper()}"
