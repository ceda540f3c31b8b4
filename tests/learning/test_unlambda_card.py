"""The patterns and blocks of Unlambda's card do what the card says."""

from __future__ import annotations

import re

import pytest

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.packs.grading import grade_source
from esoplay.running.run import run_source

CARD = find_language("unlambda").card()
READ, KIT, SHOW = re.findall(r"^```unlambda\n(.*?)^```$", CARD, re.M | re.S)
PUSH = "``s`kk``s`k`sik"
POP = "``s``si`kk`ki"
SUCCESSOR = "`s``s`ksk"
TWO = f"`{SUCCESSOR}i"
THREE = f"`{SUCCESSOR}{TWO}"
CHOICE = "`c``s`k`k`ki``s`?xi`kk"


def printed(program: str, stdin: str = "") -> str:
    result = run_source("unlambda", program.encode(), stdin=stdin.encode())
    assert result.status == "ok", result
    return result.stdout.decode()


def assembled(program: str) -> str:
    """A program with the blocks of the card in the places of their names."""
    blocks = {"READ": READ, "KIT": KIT, "SHOW": SHOW, "PUSH": PUSH, "POP": POP}
    return re.sub("|".join(blocks), lambda name: blocks[name[0]], program)


COPY = "`SHOW`KIT``s`k`s`kk`READ`ki"


@pytest.mark.parametrize("number", ["0", "7", "10", "99", "100", "1005", "4096"])
def test_numbers_are_read_and_printed(number: str) -> None:
    assert "`SHOW`KIT``s`k`s`kkn" in CARD
    assert "`READ`ki" in CARD
    assert printed(assembled(COPY), number) == number


@pytest.mark.parametrize(("number", "sign"), [("-12", "-"), ("12", "+"), ("0", "+")])
def test_a_number_has_a_sign(number: str, sign: str) -> None:
    assert printed(assembled("````READk.+.-i"), number) == sign


@pytest.mark.parametrize(
    ("m", "n", "end"), [(TWO, THREE, "F"), (THREE, THREE, "E"), (THREE, TWO, "E")]
)
def test_the_difference_of_two_numbers_is_a_stack(m: str, n: str, end: str) -> None:
    assert f"PUSH = ``` {PUSH} ```, POP = ``` {POP} ```" in CARD
    assert "``mPOP``nPUSHk" in CARD
    assert printed(assembled(f"`````{m}POP``{n}PUSHk.E`k.Fi")) == end


# The programs of somebody who knew nothing of Unlambda but the card, by abstraction elimination.
# left = λa.λm.λb.λn.m (a i POP) (n (b i POP) (m (a PUSH i) (n (b PUSH i) k)))
# minus = λa.a `ki k

# λleft.READ (λa.λm.READ (λb.λn.(λp.λq.q i .- first, then
#   SHOW (KIT (λI.λZ.λA.count p (count q Z)))) (left a m b n) (left (minus a) m (minus b) n)))
SUM = """
`````s`k`s``s`ksk``s`kk``s`k`s``s`ks``s`kk``s`ksk``s`kk``s``s`ks``s`k`s`ks``s`k`s`k`s`ks``
s`k`s`k`s`k`s`ks``s`k`s`k`s`k`s`k`s`k``s`k`s``s`k`ki``s``si`ki`k.-``s`k`s`kSHOW``s`k`s`k
KIT``s``s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s`k`s`k`s`ks``s`k`s`k`s`kk``s``s`ks``s`kk``s`k
s``s`kk``s`ks``s`k`sik`k``s``s`ks``s`kk``s`ks``s`k`sik`kk`k`k``s`kk``s`k`s`k``sii``s`kk``s
``s`ks``s`k`s`ks``s`k`s`k`s`ks``s`k`s`k`s``s`ks``s``s`ksk`k`ki``s`k`s`kk``s`k`s`kk``s`k`s`
`s`ks``s`k`s`ks``s``s`ks``s`kk``s`ks``s``s`kskk`kk``s`kkk`k`k`ki``s``s`ks``s`k`s`ks``s`k`s
`k`s`ks``s`k`s`k`s`k`s`ks``s``s`ks``s`k`s`ks``s`k`s`k`s`ks``s`k`s`k`s`kk``s`k`s`k`s`ks``s`
`s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s``s`ks``s`kk``s`ksk`kk`k`kk`k`k`kk`k`k`k`ki``s``s`ks
``s`k`s`ks``s`k`s`k`s`ks``s`k`s`k`s`k`s`ks``s``s`ks``s`k`s`ks``s`k`s`k`s`ks``s`k`s`k`s`kk`
`s`k`s`k`s`ks``s``s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s``s`ks``s`kk``s`ksk`k``s`k`s`k``s``
si`k`ki`kkk`k`kk`k`k`k``s`k`s`k``s``si`k`ki`kkk`k`k`k`ki``s``s`ks``s`k`s`ks``s`k`s`kk``s`k
`s`ks``s`k`s``s`ksk``s`kk``s``s`ks``s``s`ksk`k`ki`k`kPOP``s`k`s`k`s``s`ks``s`k`si``s``s`ks
``s``s`ksk`k`ki`k`kPOP``s``s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s`k`s``s`ksk``s`kk``s``s`ks
``s``s`ksk`k`kPUSH`k`ki`k`k``s``s`ks``s`k`si``s``s`ks``s``s`ksk`k`kPUSH`k`ki`k`kkREADREAD
"""

# λleft.λx.λy.λprint.x (λa.λm.y (λb.λn.left a m (minus b) n x (λz.y))) print
SMALLER = """
`````s``s`ksk``s`k`s``s`ks``s`kk``s`ksk``s``s`ks``s`kk``s`ks``s`k`s`ks``s`k`s`k`s`ks``s`k`
s`k`s`k`s`ks``s`k`s``s`ks``s`k`s`ks``s`k`s`k`s`ks``s``s`ks``s`k`s`ks``s`k`s`k`s`ks``s``s`k
s``s`k`s`ks``s`k`s`kk``s`k`s`ks``s``s`ks``s`kk``s`ks``s`k`s`k``s``s`ks``s`k`s`ks``s`k`s`kk
``s`k`s`ks``s`k`s``s`ksk``s`kk``s``s`ks``s``s`ksk`k`ki`k`kPOP``s`k`s`k`s``s`ks``s`k`si``s`
`s`ks``s``s`ksk`k`ki`k`kPOP``s``s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s`k`s``s`ksk``s`kk``s`
`s`ks``s``s`ksk`k`kPUSH`k`ki`k`k``s``s`ks``s`k`si``s``s`ks``s``s`ksk`k`kPUSH`k`ki`k`kkk`kk
`k`k``s`k`s`k``s``si`k`ki`kkk`k`k`ki``s`kk``s`kk``s`kkk`k``s`kk``s`kk``s`kk``s`kkkREADREAD
``s``s`ks``s`k`s`k`ki``s``s`ks``s``s`ks``s``s`ksk`k`ki`k`k.-`k`ki`k``s`kSHOW``s`kKIT`s`k`s
`kk
"""

# SHOW (KIT (λI.λZ.λA.n (λp.p (λa.λb.λf.f b (A a b))) (λf.f Z (I Z)) k)) with n = READ `ki
FIBONACCI = """
```s`kSHOW``s`kKIT``s``s`ks``s`k`s`ks``s`k`s`k`s`ks``s``s`ks``s`kk``s`ks``s`kk``s`ks``s``s
`ksk`k``s`k`si``s`kk``s`k`s`k`s``s`ks``s`k`sik``s``s`ks``s`k`s`ks``s`k`s`kk``s`k`s`ks``s``
s`ks``s`kk``s`ksk`kk`k`kk`k``s`k`s`kk``s`k`s``s`ks``s`k`sik``s``s`ks``s`kk``s`ksk`kk`k`k`k
`kk`READ`ki
"""


@pytest.mark.parametrize(
    ("problem", "program"), [("E04", SUM), ("E12", SMALLER), ("M08", FIBONACCI)]
)
def test_the_card_suffices_for_a_problem(problem: str, program: str) -> None:
    assert grade_source(problem, "unlambda", assembled(program).encode()).solved


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
def test_the_pattern_for_a_choice_evaluates_one_of_two_branches(stdin: str, letter: str) -> None:
    assert f" {CHOICE}" in CARD
    assert printed(f"```ki`@i```{CHOICE}.F.Gi", stdin) == letter
    assert printed(f"```ki`@i```{CHOICE}`d`.Fi`d`.Gii", stdin) == letter


def test_the_pattern_for_a_sequence_evaluates_in_order() -> None:
    assert printed("```ki`.Fi`.Gi") == "FG"


def test_the_pattern_for_a_pair_returns_its_parts() -> None:
    pair = "``s``si`k.H`k.T"
    assert printed(f"``{pair}ki") == "H"
    assert printed(f"``{pair}`kii") == "T"


READ_ONE = "```ki`@i"
"""Reads a character, then gives what follows."""
A_LIST = "`k``s``si`k.H`k.T"

ROWS = {
    "print AB and a newline": [("`r``.A.Bi", "", "AB\n")],
    "λx.F without x in F": [("````s`k.a`k.bii", "", "ab"), ("```k.aii", "", "a")],
    "λx.x": [("``i.ai", "", "a")],
    "λx.`` `FG ``": [("````si`k.a.bi", "", "ba")],
    "λx.`` `Fx `` without x in F": [("```s`k.aii", "", "a"), ("`.ai", "", "a")],
    "echo the input": [("```s`d`@|i``s`d`@|i", "ab c\n", "ab c\n")],
    "number n: apply f n times": [
        ("```ki.*i", "", ""),
        ("``i.*i", "", "*"),
        (f"``{TWO}.*i", "", "**"),
    ],
    "P if the character is x, else `v`": [
        (f"{READ_ONE}```?xi.Pi", "x", "P"),
        (f"{READ_ONE}```?xi.Pi", "y", ""),
    ],
    "either F or G, by a truth value b: `i` or `v`": [
        (f"```{CHOICE.replace('`?xi', 'i')}.F.Gi", "", "F"),
        (f"```{CHOICE.replace('`?xi', 'v')}.F.Gi", "", "G"),
    ],
    "list L": [("```k.E.Fi", "", "E"), (f"```{A_LIST}.Eki", "", "H")],
    "leave a computation early": [("``c``s`k.n``si`k.xi", "", "x")],
}
ELSEWHERE = {
    "add, multiply, raise",
    "an endless loop",
    "difference of numbers",
    "either F or G",
    "first F, then G",
    "pair",
    "stack L of which only the height counts",
}


@pytest.mark.parametrize(
    ("program", "stdin", "output"), [case for cases in ROWS.values() for case in cases]
)
def test_a_pattern_prints_what_the_card_says(program: str, stdin: str, output: str) -> None:
    assert printed(program, stdin) == output


def test_every_pattern_of_the_card_is_tried() -> None:
    table = CARD.partition("## Patterns\n")[2].partition("\n\n")[0]
    rows = [line.removeprefix("| ").split(" | ")[0] for line in table.splitlines()[2:]]
    assert set(rows) == set(ROWS) | ELSEWHERE
    for code in ("`r``.A.Bi", "```s`d`@\\|i``s`d`@\\|i", "```sii``sii", "``?xiP", "``LEF"):
        assert code in table


@pytest.mark.parametrize("loop", ["```sii``sii", "```s.*i``s.*i"])
def test_an_endless_loop_does_not_end(loop: str) -> None:
    limits = Limits(steps=10_000, output=100_000, memory=1 << 24)
    assert run_source("unlambda", loop.encode(), limits=limits).status == "step_limit"


@pytest.mark.parametrize("program", ["``id`.ai", "```s`kdri"])
def test_a_promise_prints_nothing(program: str) -> None:
    assert f" {program} " in CARD
    assert printed(program) == ""


@pytest.mark.parametrize(("sign", "output"), [("k", ""), ("`ki", "-")])
def test_a_sign_is_printed(sign: str, output: str) -> None:
    assert "``ai.-" in CARD
    assert printed(f"```{sign}i.-i") == output
