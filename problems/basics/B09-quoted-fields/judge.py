"""B09 Quoted Fields: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WITHIN = LETTERS + " ,"


def solve(text: str) -> str:
    fields, quoted = [""], False
    for sign in text:
        if sign == '"':
            quoted = not quoted
        elif sign == "," and not quoted:
            fields.append("")
        else:
            fields[-1] += sign
    return "\n".join(f"{field};" for field in fields)


def cases(rng):
    yield "one", rng.text(LETTERS, 1, 8)
    yield "empty", f"{rng.text(LETTERS, 1, 4)},,{rng.text(LETTERS, 1, 4)},"
    field = f"{rng.text(WITHIN, 1, 3)},{rng.text(LETTERS, 1, 3)}"
    yield "comma", f'{rng.text(LETTERS, 1, 4)},"{field}",{rng.text(LETTERS, 1, 4)}'
    yield "quotes", f'{rng.text(LETTERS, 1, 4)},"",{rng.text(LETTERS, 1, 4)}'
    yield "last", f'{rng.text(LETTERS, 1, 4)},"{rng.text(LETTERS, 1, 3)},"'
    yield "nothing", ""
