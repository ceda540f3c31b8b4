"""Generated plays: the script alone, words for numbers, more parts than there are players."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.codegen.cpython import run_source as run_reference
from esoplay.codegen.errors import LayerError
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.shakespeare import BACK_END, Vocabulary, script
from esoplay.codegen.shakespeare.script import Script
from esoplay.running.run import run_source
from esoplay.timeline.conditions import Condition

PAGE = Path(__file__).resolve().parents[2] / "docs/codegen/shakespeare.md"
LIMITS = Limits(steps=1_000_000, output=10_000, memory=1 << 24)
DIALECTS = ("standard", "benchmark")


def output_of(play: str, dialect: str = "standard", stdin: bytes = b"") -> bytes:
    outcome = run_source(
        "shakespeare", play.encode("latin-1"), dialect=dialect, stdin=stdin, limits=LIMITS
    )
    assert outcome.status == "ok", outcome.stderr
    return outcome.stdout


def source_of(*lines: str) -> str:
    return "def main():\n" + "".join(f"    {line}\n" for line in lines)


def assert_as_in_python(source: str, stdin: bytes = b"") -> None:
    play = BACK_END.generate(compile_source(source)).text
    for dialect in DIALECTS:
        assert output_of(play, dialect, stdin) == run_reference(source, stdin)


def test_the_example_of_the_page_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    assert output_of(str(names["play"])) == b"321"


def test_the_example_of_the_script_runs() -> None:
    assert doctest.testmod(script).failed == 0


NOT_THERE: list[tuple[Callable[[Script], None], str]] = [
    (lambda play: play.tell("Juliet", "You are a pig."), "'Juliet'; expected one of: Romeo"),
    (lambda play: play.character("Hodor", "a door"), "'Hodor' is not a character of Shakespeare"),
    (lambda play: play.character("Romeo", "a son"), "Romeo is already in the play"),
    (lambda play: play.go(99), "scene 99 is the target of a goto but is not in the play"),
]


@pytest.mark.parametrize(("ask", "words"), NOT_THERE)
def test_unknown_names_in_a_play_are_reported(ask: Callable[[Script], None], words: str) -> None:
    play = Script("Nothing")
    play.character("Romeo", "who is there")
    play.act("The only one")

    def written() -> str:
        ask(play)
        return play.text()

    with pytest.raises(LayerError, match=words):
        written()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_number_has_words(dialect: str) -> None:
    numbers = [*range(-70, 300), 1000, 4096, -4095, 56320, 10**9 + 7, -(10**9), 2**70 + 1, 3**30]
    numbers += [10**400 + 7, 2**701, -(3**600), 2**400 - 2**200 - 1]
    words = Vocabulary()
    play = Script("Numbers")
    play.character("Romeo", "who counts. On!")
    play.act("All")
    for number in numbers:
        play.tell("Romeo", f"You are {words.number(number)}.", "Open your heart.")
        play.tell("Romeo", f"You are {words.number(32)}.", "Speak your mind.")
    assert output_of(play.text(), dialect).split() == [b"%d" % number for number in numbers]


def test_the_words_for_a_number_vary() -> None:
    words = Vocabulary()
    assert len({words.number(65) for _ in range(9)}) == 9


def test_a_source_can_have_more_variables_than_there_are_characters() -> None:
    names = [f"v{at}" for at in range(90)]
    assert_as_in_python(
        source_of(
            *(f"{name} = {at * 3 - 50}" for at, name in enumerate(names)),
            "v89 = append_digit(v88, getc() - 48)",
            *(f"{one} += {other}" for one, other in zip(names, reversed(names), strict=True)),
            *(f"c{at} = getc()" for at in range(4)),
            *(f"print_int({name})" for name in names),
            *(f"putc(c{at})" for at in range(4)),
        ),
        b"7abcd",
    )


def test_a_source_can_have_more_arrays_than_there_are_characters() -> None:
    assert_as_in_python(
        source_of(
            *(f"a{at} = ints({at + 1})" for at in range(15)),
            *(f"a{at}[{at}] = a{at - 1}[{at - 1}] + {at}" for at in range(1, 15)),
            "for k in range(2):",
            "    s = chars(3)",
            "    t = chars(2)",
            "    putc(s[k] + t[1] + 65)",
            "    s[k] = 3",
            "    t[1] = 9",
            "    putc(s[k] + t[1] + 65)",
            *(f"print_int(a{at}[{at}])" for at in range(15)),
        )
    )


def test_an_expression_can_have_nested_and_many_array_elements() -> None:
    right, nested = "a[1]", "s[0]"
    left = right
    for at in range(10):
        right, left = f"(a[{at % 4}] + {right})", f"({left} - a[{at % 4}])"
        nested = f"s[{nested}]"
    assert_as_in_python(
        source_of(
            "a = ints(4)",
            "s = chars(5)",
            "for i in range(4):",
            "    a[i] = int(i) * int(i) + 1",
            "    s[i] = i + 1",
            f"print_int({right} * {left})",
            f"a[{nested}] = {right} - {left}",
            f"print_int(a[{nested}])",
            f"if {left} < {right} and not {nested} == 1:",
            "    puts('y')",
        )
    )


def test_comments_are_scenes_and_take_no_step() -> None:
    program = compile_source(source_of("x = read_int()", "while x < 3:", "    x += 1"))
    plain, remarked = (BACK_END.generate(program, comments=one).text for one in (False, True))
    assert "Concerning x = (x + 1)." in remarked
    assert "Concerning x = (x + 1)." not in plain
    steps = {
        run_source("shakespeare", text.encode(), stdin=b"1", limits=LIMITS).steps
        for text in (plain, remarked)
    }
    assert len(steps) == 1


def test_variable_places_are_correct() -> None:
    compiled = compile_source(source_of("x = read_int()", "y = x * x", "print_int(y - x)"))
    made = BACK_END.generate(compiled)
    machine = find_language("shakespeare").parse(made.text.encode()).start(b"-12", limits=LIMITS)
    machine.run(LIMITS.steps)
    assert machine.take_output() == b"156"
    values: dict[str, int] = {}
    for name, place in made.places.items():
        (cell,) = place.cells
        (address,) = Condition(cell).constant_cells
        values[compiled.labels[name]] = machine.peek(address)
    assert (values["x"], values["y"]) == (-12, 144)
