"""The reference card of Shakespeare: what it shows runs, and is enough for three problems."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from esolangs.registry import find_language
from esoplay.packs.grading import grade_source
from esoplay.running.run import Outcome, parse_source, run_program
from esoplay.running.worker import Worker

CARD = find_language("shakespeare").card("standard")
BLOCKS = re.findall(r"```\n(.*?)```", CARD, re.DOTALL)
SUM = BLOCKS[1]

MINIMUM = SUM.replace(
    "Remember nothing.", "Remember the cube of a big big big big big big big big cat."
).replace(
    " Recall the sum. Remember the sum of yourself and me.",
    " Recall the minimum. Are you better than me? If so, you are as good as I.\n"
    " Remember yourself.",
)

FIBONACCI = """
Rabbits.

Romeo, the number. Juliet, who counts. Hamlet, the number before.

Act I: The only act.
Scene I: A beginning.
[Enter Romeo and Juliet]
Romeo:
 Listen to your heart.
Juliet:
 You are a rose.

Scene II: The next number.
Romeo:
 You are the difference between yourself and a rose.
 Are you better than nothing? If not, let us proceed to scene III.
Juliet:
 You are the sum of yourself and Hamlet.
[Exit Juliet]
[Enter Hamlet]
Romeo:
 You are the difference between me and yourself.
[Exit Hamlet]
[Enter Juliet]
Romeo:
 Let us return to scene II.

Scene III: An end.
Juliet:
 Open your heart.
"""

FRAME = """A Play.

Romeo, x. Juliet, y. Hamlet, z.

Act I: x.
Scene I: x.
[Enter Romeo and Juliet]
Romeo: {}
Scene II: x.
Scene III: x.
Scene IV: x.
Act III: x.
Scene I: x.
"""


def section(title: str) -> str:
    return CARD.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_column(title: str) -> list[str]:
    """What stands in backticks in the first column of the tables of a section."""
    cells = re.findall(r"^\| ([^|]*) \|", section(title), re.MULTILINE)
    return [code for cell in cells for code in re.findall("`([^`]*)`", cell)]


def output(play: str, stdin: bytes = b"") -> bytes:
    program = parse_source("shakespeare", play.encode())
    assert not isinstance(program, Outcome), (program.stderr, play)
    outcome = run_program(program, "standard", stdin)
    assert outcome.status == "ok", outcome.stderr
    return outcome.stdout


def parses(sentences: str) -> None:
    program = parse_source("shakespeare", FRAME.format(sentences).encode())
    assert not isinstance(program, Outcome), (sentences, program.stderr)


def test_the_plays_on_the_card_run() -> None:
    assert len(BLOCKS) == 2
    assert output(BLOCKS[0]) == b"1"
    for numbers, total in ((b"-3 10", b"7"), (b"5", b"5"), (b"-7 -8 20", b"5"), (b"0 0", b"0")):
        assert output(SUM, numbers) == total


def test_each_dialect_has_its_own_row_on_reading_numbers() -> None:
    """`Listen to your heart` reads digits in the dialect `benchmark`, as its section says."""
    standard = "| `Listen to your heart.` | read a line that begins with an integer |"
    assert standard in CARD
    benchmark = find_language("shakespeare").card("benchmark")
    assert standard not in benchmark
    assert "| `Listen to your heart.` | read digits (see below) |" in benchmark


def test_the_sentences_on_the_card_parse() -> None:
    sentences = first_column("Sentences")
    assert len(sentences) > 12
    for sentence in sentences:
        whole = sentence.replace("VALUE", "a rose").replace("SENTENCE", "speak your mind.")
        whole = whole.replace(" any words", " it").replace("..", ".")
        parses(whole if whole[-1] in ".!?" else f"{whole}.")


def test_the_values_and_comparisons_on_the_card_parse() -> None:
    values = first_column("Values")
    assert len(values) > 15
    for value in values:
        operand = re.sub(r"\b[AB]\b", "a rose", value)
        parses(f"You are {operand}.")
    for words in first_column("Comparisons"):
        parses("Are you not nicer than me?" if words == "not" else f"Are you {words} me?")


def test_the_sentences_of_the_patterns_parse() -> None:
    cells = re.findall(r"^\| [^|]* \| ([^|]*) \|$", section("Patterns"), re.MULTILINE)
    codes = [code for cell in cells for code in re.findall("`([^`]*)`", cell)]
    # Without codes that leave something out, and without parts of sentences.
    whole = [code for code in codes if "…" not in code and not code.startswith("Scene")]
    whole = [code for code in whole if code not in ("the quotient between", "you", "your")]
    assert len(whole) > 10
    for code in whole:
        if code.startswith("["):
            parses(f"You are a cat. {code}")
        else:
            parses(code if code[-1] in ".!?" else f"You are {code}.")


def test_the_pattern_that_echoes_the_input_works() -> None:
    (echo,) = re.findall(r"^\| echo the input \| `(.*)` \|$", CARD, re.MULTILINE)
    play = f"A Play. Romeo, x. Juliet, y. Act I: x. {echo}"
    assert output(play, "To be.\nö".encode()) == "To be.\nö".encode()


def test_a_question_after_an_answer_joins_two_conditions() -> None:
    both = re.findall(r"^\| (?:and|or) \| `(.*)` \|$", CARD, re.MULTILINE)
    assert len(both) == 2
    # Romeo and Hamlet are 0, and no one is better than one and worse than the other.
    for question, noun, answer in zip(both * 2, ["cat", "cat", "pig", "pig"], "0101", strict=True):
        said = f"You are a {noun}. {question} If so, you are a cat. If not, you are nothing."
        assert output(FRAME.format(f"{said} Open your heart.")) == answer.encode()


def test_a_third_number_changes_when_its_character_enters() -> None:
    (change,) = re.findall(r"^\| change a third number \| `(.*)` \|$", CARD, re.MULTILINE)
    said = f"You are a cat. {change.replace('twice yourself', 'a big cat')}"
    assert output(FRAME.format(f"{said} Romeo: You are Hamlet. Open your heart.")) == b"2"


def test_a_goto_leaves_the_stage_unchanged_and_works_for_a_character_alone() -> None:
    alone = FRAME.replace("Romeo and Juliet", "Romeo").format(
        "Is Juliet better than me? Am I worse than a rose? If so, let us proceed to scene II."
    )
    assert output(alone) == b""
    stays = FRAME.format("Let us proceed to scene III.")
    assert output(stays.replace("Scene IV", "Romeo: Open your heart. Scene IV", 1)) == b"0"


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.mark.parametrize("dialect", ["standard", "benchmark"])
@pytest.mark.parametrize(
    ("problem", "play"), [("E04", SUM), ("E12", MINIMUM), ("M08", FIBONACCI)], ids=lambda it: it[:3]
)
def test_plays_written_from_the_card_solve_problems(
    problem: str, play: str, dialect: str, worker: Worker
) -> None:
    report = grade_source(problem, "shakespeare", play.encode(), dialect=dialect, worker=worker)
    assert report.solved
