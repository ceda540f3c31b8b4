"""Where atoms stand, and how errors and warnings name places."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st

from esolangs.errors import ParseError

engines = pytest.mark.parametrize("engine", engine_names("unlambda"))


@engines
@pytest.mark.parametrize(
    ("source", "place", "message"),
    [
        (b"", (1, 1), "the program has no expression"),
        (b" \n# `ii\n", (1, 1), "the program has no expression"),
        (b"`", (1, 1), "'`' at line 1, column 1 has no operator: the program ends before it"),
        (b"`i", (1, 1), "'`' at line 1, column 1 has no operand: the program ends before it"),
        (b"`k\n\n  `.x", (3, 3), "'`' at line 3, column 3 has no operand"),
        (b"``ii", (1, 1), "'`' at line 1, column 1 has no operand"),
        (b"`i#`i", (1, 1), "'`' at line 1, column 1 has no operand"),
        (b"`k\n `xi", (2, 3), "'x' is not a combinator: expected '`' or one of s k i v c d r e"),
        (b"`.\xc3\xa9i", (1, 4), "byte 169 is not a combinator"),
        (b"`i.", (1, 3), "'.' needs a character to print, but the program ends"),
        (b"`i\n?", (2, 1), "'?' needs a character to compare with"),
        (b"\0", (1, 1), "byte 0 is not a combinator"),
    ],
)
def test_an_error_has_line_and_column(
    engine: str, source: bytes, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(ParseError) as caught:
        program("unlambda", source, engine)
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.span[0] == caught.value.offset


@engines
@pytest.mark.parametrize(
    ("source", "place"),
    [
        (b"`.ai`.bi", "line 1, column 5"),
        (b"`ii # ignored\n\n  x", "line 3, column 3"),
        (b"i\xff", "line 1, column 2"),
    ],
)
def test_text_after_the_expression_gives_a_warning(engine: str, source: bytes, place: str) -> None:
    (warning,) = program("unlambda", source, engine).warnings
    assert warning.startswith(f"{place}: the program's expression ends before this place")


@engines
@pytest.mark.parametrize("after", [b"", b"\n", b" # `comment", b" \t\r\n#\n#"])
def test_comments_and_white_space_may_follow(engine: str, after: bytes) -> None:
    assert program("unlambda", b"`.ai" + after, engine).warnings == ()


@engines
def test_every_byte_belongs_to_an_atom_or_to_none(engine: str) -> None:
    source = b"# i\n`` .#\nk?` #s\n`ri"
    code = program("unlambda", source, engine)
    dot, k, question = (7, 9), (10, 11), (11, 13)
    assert code.spans() == (dot, k, question)
    found = {offset: code.instruction_at(offset) for offset in range(-1, len(source) + 2)}
    assert {at: span for at, span in found.items() if span} == {
        4: dot, 5: dot, 7: dot, 8: dot, 10: k, 11: question, 12: question,
    }  # fmt: skip


@engines
def test_occurrences_do_not_depend_on_the_spelling(engine: str) -> None:
    code = program("unlambda", b"``Kk``r.\n``.K.k`Ri", engine)
    assert code.occurrences("k") == code.occurrences("K") == (2, 3)
    assert code.occurrences("r") == code.occurrences(".\n") == (6, 7, 16)
    assert code.occurrences(".K") == (11,)
    assert code.occurrences("x") == code.occurrences("") == code.occurrences("kk") == ()


@given(st.binary(max_size=12), st.text("`.?#ki\n ", max_size=30).map(str.encode))
def test_any_text_is_a_program_or_an_error(some: bytes, other: bytes) -> None:
    outcomes: set[tuple[object, ...]] = set()
    for engine in engine_names("unlambda"):
        try:
            code = program("unlambda", some + other, engine)
            outcomes.add((code.spans(), code.warnings))
        except ParseError as error:
            outcomes.add((error.message, error.span, error.offset <= len(some + other)))
    assert len(outcomes) == 1
    assert False not in outcomes.pop()


@engines
@pytest.mark.parametrize(("source", "told"), [(b"`?\xe2\x82\xaci", True), (b"`\x82i", False)])
def test_a_character_of_several_bytes_is_reported(engine: str, source: bytes, told: bool) -> None:
    with pytest.raises(ParseError) as caught:
        program("unlambda", source, engine)
    assert caught.value.message.startswith("byte 130 is not a combinator")
    assert ("must be one byte" in caught.value.message) == told
