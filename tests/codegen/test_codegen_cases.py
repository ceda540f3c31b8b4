"""Sources that were compiled wrongly once, a file each: every language does what CPython does.

A case begins with comments that say what to expect:

    # input: 'text'                 what the source reads
    # prints: 'text'                what CPython and every language print
    # refused: 3:9: words           no language compiles it: line, column, words of the message;
                                    one such line for each error, in the order of the text
    # refused in brainfuck: 3:9: …  these are the errors when it is compiled to this language
    # faults: 3: words              running it in CPython ends with a fault in this line
    # faults in brainfuck: 3: …     only running it for this language does

A language in which a source faults makes no promise, so its program is not run.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

from esolangs.limits import Limits
from esoplay.codegen.back_ends import back_end_ids, generate_program
from esoplay.codegen.cpython import run_source
from esoplay.codegen.errors import SourceError, SourceFault
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source as run_program

FOLDER = Path(__file__).with_name("cases")
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
LIMITS = Limits(steps=5_000_000, output=10_000, memory=1 << 28)


class Case(NamedTuple):
    text: str
    expected: dict[str, list[str]]

    @property
    def stdin(self) -> bytes:
        return self.spelling("input")

    def spelling(self, key: str) -> bytes:
        """The bytes that comments spell as literals of Python."""
        return "".join(map(ast.literal_eval, self.expected.get(key, []))).encode()

    def place(self, key: str) -> tuple[int, ...]:
        """Line, and column if there is one, of a fault or of the first error."""
        words = self.expected[key][0].split(": ")[0]
        return tuple(map(int, words.split(":")))

    def words(self, key: str) -> str:
        return self.expected[key][0].partition(": ")[2]


def case(name: str) -> Case:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    expected: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            break
        key, _, value = line.removeprefix("# ").partition(": ")
        expected.setdefault(key, []).append(value)
    return Case(text, expected)


def assert_refused(one: Case, key: str, language: str | None = None) -> None:
    with pytest.raises(SourceError) as raised:
        compile_source(one.text, language=language)
    found = [f"{each.line}:{each.column}: {each.message}" for each in raised.value.errors]
    expected = one.expected[key]
    assert len(found) == len(expected), found
    for error, beginning in zip(found, expected, strict=True):
        assert error.startswith(beginning)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, language)
        for name in NAMES
        for language in back_end_ids()
        if f"refused in {language}" in case(name).expected
    ],
)
def test_a_language_refuses_a_case_with_exactly_the_expected_errors(
    name: str, language: str
) -> None:
    assert_refused(case(name), f"refused in {language}", language)


@pytest.mark.parametrize("name", NAMES)
def test_cpython_matches_the_case(name: str) -> None:
    one = case(name)
    if "refused" in one.expected:
        assert_refused(one, "refused")
    elif "faults" in one.expected:
        with pytest.raises(SourceFault) as fault:
            run_source(one.text, one.stdin)
        assert (fault.value.line,) == one.place("faults")
        assert one.words("faults") in fault.value.message
    else:
        assert run_source(one.text, one.stdin) == one.spelling("prints")


@pytest.mark.parametrize("language", back_end_ids())
@pytest.mark.parametrize("name", [name for name in NAMES if "prints" in case(name).expected])
def test_every_language_agrees_or_faults(name: str, language: str) -> None:
    one = case(name)
    fault = f"faults in {language}"
    if fault in one.expected:
        with pytest.raises(SourceFault) as raised:
            run_source(one.text, one.stdin, language=language)
        assert (raised.value.line,) == one.place(fault)
        assert one.words(fault) in raised.value.message
        return
    assert run_source(one.text, one.stdin, language=language) == one.spelling("prints")
    program = generate_program(compile_source(one.text), language).text.encode("latin-1")
    for dialect in ("standard", "benchmark"):
        outcome = run_program(language, program, dialect=dialect, stdin=one.stdin, limits=LIMITS)
        assert (outcome.status, outcome.stdout) == ("ok", one.spelling("prints")), dialect
