"""What the card of Whitespace shows is run, and problems are solved with nothing but the card."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from esolangs.registry import find_language
from esolangs.whitespace.assembly import assemble, from_visible
from esoplay.packs.grading import grade_source
from esoplay.running.run import run_source
from esoplay.running.worker import Worker

CARD = find_language("whitespace").card("standard")
PATTERNS = dict(re.findall(r"^\| ([^|`]+) \| (`.*) \|$", CARD, re.MULTILINE))
READER = next(each for each in re.findall(r"```\n(.*?)```", CARD, re.DOTALL) if "digit" in each)


def program(*parts: str) -> bytes:
    return assemble("\n".join(parts).encode()).source


def pattern(name: str, *fillings: str) -> str:
    """A pattern as lines of assembly, with each … filled in."""
    words = re.findall(r"`([^`]*)`|(…(?: (?:value|else|if) …)?)", PATTERNS[name])
    filling = iter(fillings)
    return "\n".join(code or next(filling) for code, _ in words)


READ = "push 0\nreadc\npush 0\nretrieve"
SHOW = "\nprintn"

CELLS = "push 1\nretrieve\nprintn"

RUNS = [
    ("print the letter A", "", (), "", "", "A"),
    ("end a line", "", (), "", "", "\n"),
    ("read a character to the stack", "", (), SHOW, "a", "97"),
    ("read a number that is alone on its line", "", (), SHOW, "-12\n", "-12"),
    ("read numbers on one line", "", (), f"{SHOW}\nend\n{READER}", "-12 5", "-12"),
    ("keep a variable in cell 5", "", ("push 8",), SHOW, "", "8"),
    ("store the top in cell 5", "push 8", (), f"push 5\nretrieve{SHOW}", "", "8"),
    ("add one to cell 5", "push 5\npush 8\nstore", (), f"push 5\nretrieve{SHOW}", "", "9"),
    ("use the two on top and keep them", "push 7\npush 2", (), SHOW * 3, "", "527"),
    ("keep the larger of the two on top", "push 3\npush 9", (), SHOW, "", "9"),
    ("keep the larger of the two on top", "push 9\npush 3", (), SHOW, "", "9"),
    ("negate the top", "push 4", (), SHOW, "", "-4"),
    ("branch: if the top is negative, else", "push -1", ("push 1", "push 2"), SHOW, "", "2"),
    ("branch: if the top is negative, else", "push 0", ("push 1", "push 2"), SHOW, "", "1"),
    ("if the top is not above 9", "push 9", (), f"push 0{SHOW}\nend\nlabel small{SHOW}", "", "9"),
    ("if the top is not above 9", "push 10", (), f"push 0{SHOW}\nend\nlabel small{SHOW}", "", "0"),
    ("if two numbers are equal", "push 4\ndup", (), "end\nlabel equal\npush 1\nprintn", "", "1"),
    ("loop ten times", "", ("push '*'\nprintc",), "", "", "*" * 10),
    ("echo the input", "", (), "", "so é\n", "so é\n"),
    ("store the input in cells 1, 2 … and −1 after it", "", (), SHOW, "abc", "4"),
    ("store the input in cells 1, 2 … and −1 after it", "", (), f"{SHOW}\n{CELLS}", "", "1-1"),
    ("store the input in cells 1, 2 … and −1 after it", "", (), f"{SHOW}\n{CELLS}", "ab", "397"),
    ("print what was pushed above a 0", "push 0\npush 'b'\npush 'a'", (), "", "", "ab"),
    ("turn a digit's code into its number", READ, (), SHOW, "7", "7"),
]


@pytest.mark.parametrize(("name", "before", "fillings", "after", "given", "wanted"), RUNS)
def test_a_pattern_does_what_the_card_says(
    name: str, before: str, fillings: tuple[str, ...], after: str, given: str, wanted: str
) -> None:
    if name == "print the letter A":
        *words, visible = re.findall(r"`([^`]*)`", PATTERNS[name])
        source = program(*words)
        assert source == from_visible(visible.encode())
    else:
        source = program(before, pattern(name, *fillings), after)
    for dialect in ("standard", "benchmark"):
        outcome = run_source("whitespace", source, dialect=dialect, stdin=given.encode())
        assert (outcome.stdout.decode(), outcome.fault) == (wanted, None)


def test_every_pattern_of_the_card_is_run() -> None:
    assert set(PATTERNS) == {name for name, *_ in RUNS}


SOLUTIONS = {
    "E04": "call number; call number; add; printn; end",
    "E12": "call number; call number; copy 1; copy 1; sub; jn less; swap; label less; discard; "
    "printn; end",
    "M08": "call number; push 5; swap; store; push 0; push 1; label loop; swap; copy 1; add; "
    "push 5; dup; retrieve; push 1; sub; store; push 5; retrieve; jz done; jump loop; "
    "label done; discard; printn; end",
}
"""Written with nothing but the card; the reader of numbers follows them."""


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.mark.parametrize("problem", SOLUTIONS)
@pytest.mark.parametrize("dialect", ["standard", "benchmark"])
def test_the_card_suffices_for_a_problem(problem: str, dialect: str, worker: Worker) -> None:
    source = program(SOLUTIONS[problem].replace("; ", "\n"), READER)
    assert grade_source(problem, "whitespace", source, dialect=dialect, worker=worker).solved
