"""A small pack on disk that tests may break at will."""

from __future__ import annotations

from pathlib import Path

PACK = """\
format = 1
id = "tiny"
version = "7"
title = "Tiny pack"
tiers = ["first", "second"]
categories = ["strings"]
"""
PROBLEM = """\
id = "{id}"
title = "Copy {id}"
tier = "{tier}"
category = "strings"
hints = ["one", "two", "three"]

[[examples]]
input = "abc"
output = "abc"

[classes]
word = "Some letters."
empty = "Nothing."

[ranges]
length = [0, 9]
"""
JUDGE = """\
def solve(text):
    return text


def cases(rng):
    yield "empty", ""
    for _ in range(5):
        yield "word", rng.text("abcdefghijklmnopqrstuvwxyz", 6, 9)
"""


def write_problem(pack: Path, id: str, tier: str = "first") -> Path:
    folder = pack / f"{id}-copy"
    folder.mkdir()
    (folder / "problem.toml").write_text(PROBLEM.format(id=id, tier=tier))
    (folder / "statement.md").write_text("Copy the input.\n")
    (folder / "judge.py").write_text(JUDGE)
    return folder


def write_pack(pack: Path) -> Path:
    pack.mkdir()
    (pack / "pack.toml").write_text(PACK)
    write_problem(pack, "T1")
    return pack
