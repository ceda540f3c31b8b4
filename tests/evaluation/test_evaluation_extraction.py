"""What is inside a fence comes out byte for byte, and nothing else does."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

import esoplay.evaluation.extraction as extraction
from esolangs.registry import find_language, language_ids
from esoplay.evaluation.extraction import add_fence, output_in, program_in, replace_blocks

WHITESPACE = find_language("whitespace")
BEFUNGE = find_language("befunge-98")
LETTERS = st.sampled_from(" \t\n\r`~abS>v")
PROSE = st.text(st.sampled_from("abc .,\n\t"), max_size=30).map(lambda text: f"{text}\n")


@given(st.text(LETTERS), PROSE, PROSE)
@example("  \t\n\n\n", "\n", "\n")
@example("```sii``sii\n~~~~\n", "\n", "\n")
def test_extraction_preserves_a_program(program: str, before: str, after: str) -> None:
    answer = f"{before}{add_fence(program)}\n{after}"
    found = program_in(answer, WHITESPACE)
    assert found is not None
    ended = program if program.endswith("\n") else f"{program}\n"
    assert found == ended.encode()
    assert replace_blocks(answer, "…") == f"{before}…\n{after}"


@given(st.binary(), PROSE)
def test_bytes_that_are_not_text_are_extracted(program: bytes, before: str) -> None:
    text = program.decode("utf-8", "surrogateescape")
    found = program_in(f"{before}{add_fence(text)}", BEFUNGE)
    assert found is not None
    assert found.removesuffix(b"\n") == program.removesuffix(b"\n")


@given(st.text(LETTERS))
def test_extraction_preserves_an_output(output: str) -> None:
    assert output_in(add_fence(f"{output}\n")) == output.encode()


@given(st.text(st.sampled_from("`~ \nab")), st.sampled_from(language_ids()))
def test_an_answer_has_a_program_if_and_only_if_it_has_a_block(answer: str, id: str) -> None:
    found = program_in(answer, find_language(id))
    assert (found is None) == (not list(extraction.blocks(answer)))


def test_the_last_block_counts_and_one_that_names_the_language_before_it() -> None:
    answer = "```\none\n```\n~~~\ntwo\n~~~\n"
    assert program_in(answer, BEFUNGE) == b"two\n"
    assert program_in(f"```befunge\nzero\n```\n{answer}", BEFUNGE) == b"zero\n"
    assert program_in(f"{answer}```B98 again\nthree\n```", BEFUNGE) == b"three\n"
    assert program_in(f"{answer}```whitespace\nthree\n```", BEFUNGE) == b"three\n"
    assert program_in("~~~ program\nfirst\n~~~\n```\ninput\n```\n", BEFUNGE) == b"first\n"


def test_an_unfinished_block_counts_if_it_is_the_only_one() -> None:
    assert program_in("See:\n```\n>v\n @", BEFUNGE) == b">v\n @"
    assert program_in("```\nwhole\n```\n```\ncut", BEFUNGE) == b"whole\n"


def test_prose_is_not_a_program() -> None:
    assert program_in("The program is ,[.,] and nothing else.", find_language("brainfuck")) is None
    assert program_in("`,[.,]`  ``` inline ``` \n", find_language("brainfuck")) is None
    assert program_in("S S T L", WHITESPACE) is None
    assert output_in("It prints 42.") is None


def test_letters_and_indentation_are_extracted_unchanged() -> None:
    assert program_in("```\nSSSTL\n```", WHITESPACE) == b"SSSTL\n"
    assert program_in("   ```\n   >  v\n     @\n   ```", BEFUNGE) == b"   >  v\n     @\n"
    assert program_in("```\r\n1.@\r\n```\r\n", BEFUNGE) == b"1.@\r\n"


def test_a_fence_inside_a_program_does_not_end_it() -> None:
    unlambda = find_language("unlambda")
    assert program_in("~~~\n```sii``sii\n```\ni\n~~~\n", unlambda) == b"```sii``sii\n```\ni\n"
    assert program_in("````\n```\nx\n````", unlambda) == b"```\nx\n"


def test_a_huge_answer_is_extracted_completely() -> None:
    program = "+-" * 2_000_000
    assert (
        program_in(f"{'prose ' * 500_000}\n{add_fence(program)}\n", BEFUNGE)
        == f"{program}\n".encode()
    )
    lines = "`\n" * 500_000
    assert program_in(lines, BEFUNGE) is None
