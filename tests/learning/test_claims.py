"""What lessons say about small programs is so: a passage, a program that tries it, its output."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from lesson_instructions import passages

from esolangs.limits import MEBIBYTE, Limits
from esolangs.whitespace.assembly import assemble
from esoplay.learning.lessons import get_course
from esoplay.programs.execution import code_size
from esoplay.running.run import run_source

LIMITS = Limits(steps=20_000, output=1_000, memory=16 * MEBIBYTE)


class Claim(NamedTuple):
    """A passage of a lesson, and what a program that tries it prints.

    status: how the run ends, where that is what the passage is about.
    """

    language: str
    lesson: int
    passage: str
    program: str
    output: str
    stdin: str = ""
    status: str = "ok"


BF, B98, SPL, UNL, WS = "brainfuck", "befunge-98", "shakespeare", "unlambda", "whitespace"
FRAME = (
    "A Play.\nRomeo, x.\nJuliet, y.\nHamlet, z.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\n"
)


def says(sentences: str) -> str:
    return f"{FRAME}Romeo: {sentences}\n[Exeunt]\n"


def asm(text: str) -> str:
    return assemble("\n".join(text.split("; ")).encode() + b"\n").source.decode()


CLAIMS = (
    Claim(BF, 3, "65 is `A`, 66 is `B`, 97 is `a`", "+" * 65 + ".+." + "+" * 31 + ".", "ABa"),
    Claim(BF, 3, "33 is `!`, 48 is the digit `0`", "+" * 33 + "." + "+" * 15 + ".", "!0"),
    Claim(BF, 4, "`,.` prints the first character of its input", ",.", "x", "xyz"),
    Claim(BF, 4, "4 gives 456", ",.+.+.", "456", "4"),
    Claim(BF, 8, "`,` stores **0** in the cell", "+++,[-+.]", ""),
    Claim(BF, 8, "Empty input works, too", ",[.,]", ""),
    Claim(BF, 9, "Just before the second letter is printed, cell 2 holds 76", "+" * 76 + ".", "L"),
    Claim(BF, 10, "255 plus 1 is 0 again", "-+[.]", ""),
    Claim(
        BF,
        12,
        "The distances between the capital vowels are 4, 4, 6 and 6",
        "+" * 65 + ".++++.++++.++++++.++++++.++++++++++++.++++.++++.++++++.++++++.",
        "AEIOUaeiou",
    ),
    Claim(
        BF,
        13,
        "`>+<[ not zero: clear the flag, and so on [-] ]>[- zero ]<`",
        "+" * 48 + ">,>+<[>-<[-]]>[-<<.>>]<",
        "0",
    ),
    Claim(BF, 14, "0 minus 10 is 246, which is not 0", "-" * 10 + "+" * 9 + "[-.[-]]", "\xfe"),
    Claim(B98, 2, "`34+` is 3 + 4", "34+.@", "7 "),
    Claim(B98, 3, "`99*` is 81, `aa*` is a hundred", "99*.aa*.@", "81 100 "),
    Claim(B98, 3, "`aa*5+` is a hundred and five", "aa*5+.@", "105 "),
    Claim(B98, 3, "`04-` is 0 − 4, which is −4", "04-.@", "-4 "),
    Claim(B98, 3, "Then each missing number is 0", "5+.@", "5 "),
    Claim(B98, 4, "`H` is 72, `i` is 105", '"iH"..@', "72 105 "),
    Claim(B98, 8, "`0k` is different: it skips the next instruction", "0k9.@", "0 "),
    Claim(
        B98,
        9,
        "A minus **directly** before the first digit makes the number negative",
        "&.&.@",
        "-5 5 ",
        "x-5 - 5",
    ),
    Claim(B98, 10, "So `&&-!` leaves 1 if two numbers are equal", "&&-!.&&-!.@", "1 0 ", "4 4 4 5"),
    Claim(B98, 10, "after `&&\\` the number that was read first is on top", "&&\\.@", "1 ", "1 2"),
    Claim(B98, 12, "`00g` reads the top left cell", "00g.@", "48 "),
    Claim(B98, 12, "`'A31p` writes an A at column 3, row 1", "'A31p31g,@", "A"),
    Claim(B98, 14, "`` 53` `` is 1, and `` 35` `` and `` 33` `` are 0", "53`.35`.33`.@", "1 0 0 "),
    Claim(B98, 14, "`` :0` `` asks whether the top is positive", "3:0`.04-:0`.@", "1 0 "),
    Claim(B98, 16, "`0\\-` subtracts the number from 0", "50\\-.@", "-5 "),
    Claim(
        SPL,
        2,
        "*A rose* is 1, *a red rose* is 2, *a lovely red rose* is 4",
        says(
            "You are a rose. Open your heart. You are a red rose. Open your heart."
            " You are a lovely red rose. Open your heart."
        ),
        "124",
    ),
    Claim(
        SPL,
        2,
        "A nasty one, such as *pig*, *toad* or *coward*, is **−1**",
        says(
            "You are a pig. Open your heart. You are a toad. Open your heart."
            " You are a coward. Open your heart."
        ),
        "-1-1-1",
    ),
    Claim(SPL, 2, "*A lovely pig* is", says("You are a lovely pig."), "", "", "parse_error"),
    Claim(
        SPL,
        5,
        "The cube of 4 is 64, and three adjectives make 8",
        says(
            "You are the sum of the cube of a big big tree and a fair white golden rose."
            " Open your heart."
        ),
        "72",
    ),
    Claim(
        SPL,
        6,
        "`5 7` you get only the 5",
        says("Listen to your heart. Open your heart. Listen to your heart. Open your heart."),
        "58",
        "5 7\n8",
    ),
    Claim(
        SPL,
        10,
        "17 divided by 5 is 3",
        says(
            "Listen to your heart. You are the quotient between yourself and"
            " the sum of a big big cat and a cat. Open your heart."
        ),
        "3",
        "17",
    ),
    Claim(
        SPL,
        10,
        "so −17 divided by 5 is −3 and leaves −2",
        says(
            "Listen to your heart. Remember yourself. You are the quotient between yourself and"
            " the sum of a big big cat and a cat. Open your heart. Recall it. You are the"
            " remainder of the quotient between yourself and the sum of a big big cat and a cat."
            " Open your heart."
        ),
        "-3-2",
        "-17",
    ),
    Claim(
        SPL,
        10,
        "A division by 0 stops the play with a fault",
        says("You are the quotient between a cat and nothing."),
        "",
        "",
        "fault",
    ),
    Claim(
        SPL,
        11,
        "With three, `you` could be either of two, and the play stops with a fault",
        says("You are a cat. [Enter Hamlet] Romeo: You are a cat."),
        "",
        "",
        "fault",
    ),
    Claim(
        SPL,
        12,
        "Recalling from an empty memory stops the play with a fault",
        says("Recall it."),
        "",
        "",
        "fault",
    ),
    Claim(SPL, 14, "the number becomes **−1**", says("Open your mind. Open your heart."), "-1"),
    Claim(UNL, 2, "everything after the first complete expression is ignored", "`.Hi`.xi", "H"),
    Claim(UNL, 2, "`r` is a function like `.x` that prints a newline", "`ri", "\n"),
    Claim(UNL, 4, "``kXY becomes X", "```k.a.bi", "a"),
    Claim(UNL, 5, "```` ```siiX ```` becomes ``` `XX ```", "```sii.a", "a"),
    Claim(UNL, 6, "Without `d` it would have been ab", "``.ai`.bi", "ab"),
    Claim(UNL, 7, "anything it returns `v`", "````v.a.bi.c", ""),
    Claim(
        UNL,
        9,
        "print the first once and the second forever: `abbbb…`",
        "```s`@|i``s`@|i",
        "a" + "b" * 98,
        "ab",
        "output_limit",
    ),
    Claim(UNL, 14, "mⁿ | `` `nm ``", "```i``s``s`kski.*i", "**"),
    Claim(
        UNL, 14, "m × n | ``` ``s`kmn ```", "````s`k``s``s`kski``s``s`ksk``s``s`kski.*i", "******"
    ),
    Claim(
        WS, 3, "They differ in a single blank", asm("push 65; printc; push 65; printn; end"), "A65"
    ),
    Claim(WS, 2, "a sign followed by `¶` is 0", "  " + " \n" + "\t\n \t" + "\n\n\n", "0"),
    Claim(
        WS,
        2,
        "Leading zeros do no harm",
        "  " + " 000\t \n".replace("0", " ") + "\t\n \t\n\n\n",
        "2",
    ),
    Claim(
        WS,
        4,
        "push 7, push 2, subtract, and the result is 7 − 2 = 5",
        asm("push 7; push 2; sub; printn; end"),
        "5",
    ),
    Claim(WS, 4, "divides and rounds down", asm("push -7; push 2; div; printn; end"), "-4"),
    Claim(
        WS,
        5,
        "is copy 1 and leaves *a b a*",
        asm("push 1; push 2; copy 1; printn; printn; printn; end"),
        "121",
    ),
    Claim(
        WS,
        5,
        "is slide 1 and leaves *b*",
        asm("push 0; push 1; push 2; slide 1; printn; printn; end"),
        "20",
    ),
    Claim(
        WS, 7, "readn stops the program with a fault", asm("push 0; readn; end"), "", "5 7", "fault"
    ),
    Claim(
        WS,
        13,
        "At the end of the input it stores **−1**",
        asm("push 0; readc; push 0; retrieve; printn; end"),
        "-1",
    ),
    Claim(
        WS,
        19,
        "They begin with 1 and 1, and each further one is the sum",
        asm("push 0; push 1; swap; copy 1; add; swap; copy 1; add; printn; printn; end"),
        "21",
    ),
)
each_claim = pytest.mark.parametrize(
    "claim", CLAIMS, ids=[f"{each.language}-{each.lesson}-{n}" for n, each in enumerate(CLAIMS)]
)


@each_claim
def test_statements_of_lessons_are_true(claim: Claim) -> None:
    lesson = get_course(claim.language).lesson(claim.lesson)
    assert any(claim.passage in text for text in passages(lesson)), claim.passage
    outcome = run_source(
        claim.language, claim.program.encode(), stdin=claim.stdin.encode(), limits=LIMITS
    )
    shown = outcome.stdout.decode("latin-1")
    assert (outcome.status, shown[:99]) == (claim.status, claim.output[:99])


def test_lengths_are_as_lessons_say() -> None:
    loop = get_course(BF).lesson(5)
    assert "Fourteen commands did the work of twenty" in loop.task.done_text
    assert code_size(BF, loop.program.partition(b"]")[0] + b"]") == 14
    echo = get_course(UNL).lesson(9)
    assert "Nineteen characters" in echo.task.done_text
    assert code_size(UNL, echo.program) == 19
