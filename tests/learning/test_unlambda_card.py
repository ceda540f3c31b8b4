"""The patterns and blocks of Unlambda's card do what the card says."""

from __future__ import annotations

import re

import pytest

from esolangs.registry import find_language
from esoplay.running.run import run_source

CARD = find_language("unlambda").card()
READ, PRINT = re.findall(r"^```unlambda\n(.*?)^```$", CARD, re.M | re.S)
SUCCESSOR = "`s``s`ksk"
TWO = f"`{SUCCESSOR}i"
THREE = f"`{SUCCESSOR}{TWO}"
CHOICE = "`c``s`k`k`ki``s`?xi`kk"


def printed(program: str, stdin: str = "") -> str:
    result = run_source("unlambda", program.encode(), stdin=stdin.encode())
    assert result.status == "ok", result
    return result.stdout.decode()


@pytest.mark.parametrize("number", ["0", "7", "10", "99", "100", "1005"])
def test_numbers_are_read_and_printed(number: str) -> None:
    assert printed(f"`{PRINT}{READ}", number) == number


def test_two_numbers_of_a_line_are_added() -> None:
    assert f"``READ{SUCCESSOR}READ" in CARD
    assert printed(f"`{PRINT}``{READ}{SUCCESSOR}{READ}", "12 345") == "357"


@pytest.mark.parametrize(
    ("pattern", "program", "stars"),
    [
        (f"``m{SUCCESSOR}n", f"``{TWO}{SUCCESSOR}{THREE}", 5),
        ("``s`kmn", f"``s`k{TWO}{THREE}", 6),
        ("`nm", f"`{THREE}{TWO}", 8),
    ],
)
def test_numbers_are_added_multiplied_and_raised(pattern: str, program: str, stars: int) -> None:
    assert f" {pattern} " in CARD
    assert printed(f"``{program}.*i") == "*" * stars


@pytest.mark.parametrize(("stdin", "letter"), [("x", "F"), ("y", "G"), ("", "G")])
def test_a_choice_takes_one_of_two(stdin: str, letter: str) -> None:
    assert f" {CHOICE}" in CARD
    assert printed(f"```ki`@i```{CHOICE}.F.Gi", stdin) == letter
    assert printed(f"```ki`@i```{CHOICE}`d`.Fi`d`.Gii", stdin) == letter


def test_first_one_thing_and_then_another() -> None:
    assert printed("```ki`.Fi`.Gi") == "FG"


def test_a_pair_gives_its_parts() -> None:
    pair = "``s``si`k.H`k.T"
    assert printed(f"``{pair}ki") == "H"
    assert printed(f"``{pair}`kii") == "T"
