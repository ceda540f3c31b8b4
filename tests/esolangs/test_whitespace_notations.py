"""Whitespace in letters and in mnemonics: both ways, exact, comments included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.whitespace import sources, tokens

from esolangs.errors import ParseError
from esolangs.registry import find_language
from esolangs.whitespace.assembly import assemble, disassemble, from_visible, to_visible
from esolangs.whitespace.parser import VISIBLE, extract_tokens

WHITESPACE = find_language("whitespace")
_BLANKS = {"S": b" ", "T": b"\t", "L": b"\n"}
_COMMENTS = st.lists(
    st.sampled_from(
        [b"a", b"@", b"@3", "\u00a0".encode(), "\u2028".encode(), b";", b"S", b"T", b"L", b"\\",
         b"\r", b"\xff", b"'", b"7", b'"']
    ),
    max_size=4,
).map(b"".join)  # fmt: skip


@st.composite
def commented(draw: st.DrawFn) -> bytes:
    """A program with any comment anywhere, within instructions too."""
    text = draw(tokens())[:60] + draw(st.sampled_from(["", "", "L", "LL"]))
    while text:
        source = b"".join(_BLANKS[c] for c in text)
        try:
            WHITESPACE.parse(source)
        except ParseError:
            text = text[:-1]
        else:
            break
    parts = [draw(_COMMENTS)]
    for letter in text:
        parts += [_BLANKS[letter], draw(st.one_of(st.just(b""), _COMMENTS))]
    return b"".join(parts)


@given(st.binary(max_size=60) | commented())
def test_letters_convert_back_to_the_same_bytes(source: bytes) -> None:
    assert from_visible(to_visible(source)) == source
    assert extract_tokens(to_visible(source), VISIBLE) == extract_tokens(source)


@given(commented())
def test_mnemonics_convert_back_to_the_program(source: bytes) -> None:
    text = disassemble(source)
    assert assemble(text).source == source
    assert disassemble(assemble(text).source) == text


@given(sources(), st.integers(0, 300))
def test_a_program_runs_the_same_in_every_notation(source: bytes, budget: int) -> None:
    faces: list[object] = []
    for notation, text in (
        ("invisible", source),
        ("visible", to_visible(source)),
        ("assembly", disassemble(source)),
    ):
        options = WHITESPACE.configure("standard", {"notation": notation})
        program = WHITESPACE.parse(text, options)
        machine = program.start(b"12\n3\nab")
        machine.run(budget)
        spans = program.spans()
        assert len(spans) == len(WHITESPACE.parse(source).spans())
        for start, end in spans:
            assert program.instruction_at(start) == program.instruction_at(end - 1) == (start, end)
        faces.append((machine.status, machine.steps, machine.take_printed(), machine.registers()))
    assert faces[0] == faces[1] == faces[2]


def test_letters_show_a_line_for_every_line() -> None:
    assert to_visible(b"   \t\nSee\\\n") == b"SSSTL\n\\See\\\\L\n"
    assert from_visible(b"SS STL push one\nTLST print it") == (
        "   \t\npush\u00a0one\t\n \tprint\u00a0it".encode()
    )
    assert from_visible(b"\\Stack:\\\\ S") == b"Stack:\\ "


def test_mnemonics_survive_a_round_trip_as_they_were_written() -> None:
    text = b"""\
; says A
;for ever
label loop
    push 65             ; the letter
    printc
; and again
    jump loop
    push -3
    push SSST
    push
    slide 2
    jz ""
    call STS
"""
    assert disassemble(assemble(text).source) == text


@pytest.mark.parametrize(
    ("line", "letters"),
    [
        (b"push 0", b"SSSL"),
        (b"push 5", b"SSSTSTL"),
        (b"PUSH -2", b"SSTTSL"),
        (b"push 'A'", b"SSSTSSSSSTL"),
        (b"push ';' ; a semicolon", b"SSSTTTSTTL"),
        (b"push '\\n'", b"SSSTSTSL"),
        (b"push '\\\\'", b"SSSTSTTTSSL"),
        (b"push '\xe2\x82\xac'", b"SSSTSSSSSTSTSTTSSL"),
        (b"push TS", b"SSTSL"),
        (b"copy 1", b"STSSTL"),
        (b"label a", b"LSSSTTSSSSTL"),
        (b"jump T", b"LSLTL"),
        (b'jn ""', b"LTTL"),
        (b"pop", b"SLL"),
        (b"  ret  ", b"LTL"),
        (b"push 0xa", b"SSSTSTSL"),
        (b"push -0XA", b"SSTTSTSL"),
        (b"push 0o12", b"SSSTSTSL"),
        (b"push +0b1010", b"SSSTSTSL"),
        (b"push - 0xA;ten", b"SSTTSTSL"),
        (b"push - 10", b"SSTTSTSL"),
    ],
)
def test_a_line_of_mnemonics_is_its_letters(line: bytes, letters: bytes) -> None:
    assert extract_tokens(assemble(line).source) == letters


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        (b"push 1\n  psuh 2", 2, 3, "'psuh' is not an instruction"),
        (b"push x", 1, 6, "push needs an integer"),
        (b"push 'ab'", 1, 6, "one character"),
        (b"push 'a", 1, 6, "expected a closing '"),
        (b"push 1 2", 1, 8, "push expects one operand"),
        (b"add 1", 1, 5, "add expects no operand"),
        (b"\n\njump", 3, 5, "jump needs a label"),
        (b"label 'a'", 1, 7, "a label is a name"),
        (b"push 0x", 1, 6, "push needs an integer"),
        (b"push 0x_1", 1, 6, "push needs an integer"),
        (b"push 0o8", 1, 6, "push needs an integer"),
        (b"push - - 1", 1, 10, "push expects one operand"),
        (b"jump - 1", 1, 8, "jump expects one operand"),
        (b"push --1", 1, 6, "push needs an integer"),
        (b"\xff", 1, 1, "is not an instruction"),
        (b"feed\n end", 2, 2, "after feed, only comments and more lines with feed are allowed"),
        (b"feed\nfeed\nfeed", 3, 1, "at most 2 lines with feed are allowed"),
        (b"feed 1", 1, 6, "feed expects no operand"),
    ],
)
def test_a_mistake_in_mnemonics_has_a_location(
    text: bytes, line: int, column: int, told: str
) -> None:
    with pytest.raises(ParseError, match=told) as caught:
        assemble(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("source", "line", "column", "told"),
    [
        (b" ", 1, 1, r"ends inside an instruction: expected a space \(S\) or a tab"),
        (b"x\ty\t", 1, 2, r"expected a space \(S\) or a tab \(T\) after TT"),
        (b"\t\t\n", 1, 3, r"TTL does not begin an instruction: expected .* after TT"),
        (b"\n\n ", 3, 1, r"LLS does not begin an instruction: expected a line feed \(L\) after LL"),
        (
            b" \t\t",
            1,
            3,
            r"STT does not begin an instruction: expected a space \(S\) or a line feed",
        ),
        (b"\n\n\n\t\n", 4, 1, r"ends inside an instruction: expected a space \(S\)"),
        (b"\n\n\n\n ", 4, 1, "ends inside an instruction: expected .* after LS"),
        (b"\n\n\n   \t", 4, 1, r"push needs a line feed \(L\) after the number"),
        (b"   \t\n\n   \t", 2, 1, r"label needs a line feed \(L\) after the label"),
    ],
)
def test_invalid_instructions_are_located(source: bytes, line: int, column: int, told: str) -> None:
    with pytest.raises(ParseError, match=told) as caught:
        WHITESPACE.parse(source)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_an_error_in_letters_points_into_them() -> None:
    options = WHITESPACE.configure("standard", {"notation": "visible"})
    with pytest.raises(ParseError, match="LLS does not begin an instruction") as caught:
        WHITESPACE.parse(b"SS STL one\nL L S", options)
    assert (caught.value.line, caught.value.column) == (2, 5)
    with pytest.raises(ParseError, match="ends inside"):
        WHITESPACE.parse(b"SS ST\\L", options)


@pytest.mark.parametrize("dialect", ["standard", "benchmark"])
@pytest.mark.parametrize(
    ("end", "told"),
    [
        (b"\n", "line 5, column 1: 1 line feed at the end"),
        (b"\n\n", "line 5, column 1: 2 line feeds at the end"),
        (b"by\nan_editor", "line 5, column 3: 1 line feed at the end"),
    ],
)
def test_line_feeds_left_over_at_the_end_are_reported(dialect: str, end: bytes, told: str) -> None:
    text = b"push 5\nprintn\nlabel a\n"
    source = assemble(text).source
    plain = WHITESPACE.parse(source, WHITESPACE.configure(dialect))
    program = WHITESPACE.parse(source + end, WHITESPACE.configure(dialect))
    assert plain.warnings == ()
    (warning,) = program.warnings
    assert warning == f"{told}: ignored, as no instruction follows"
    assert program.spans() == plain.spans()
    machine = program.start()
    assert (machine.run(10), machine.take_output(), machine.steps) == ("halted", b"5", 3)


def test_line_feeds_left_over_are_shown_in_mnemonics() -> None:
    text = b"push 1\n"
    source = assemble(text).source + b"x\n@2\n\xe2\x80\xa8y"
    shown = disassemble(source)
    assert shown == b"    push 1              ;x\n    feed                ;@1 @2\n    feed\n;y\n"
    assert assemble(shown).source == source
    program = WHITESPACE.parse(shown, WHITESPACE.configure("standard", {"notation": "assembly"}))
    assert program.warnings == ()
    assert len(program.spans()) == 1


def test_equal_labels_are_reported() -> None:
    text = b"label a\nlabel b\n  label a\n"
    first = WHITESPACE.configure("standard", {"notation": "assembly"})
    (warning,) = WHITESPACE.parse(text, first).warnings
    assert warning.startswith("line 3, column 3: label a was marked before, at line 1")
    error = WHITESPACE.configure("benchmark", {"notation": "assembly"})
    with pytest.raises(ParseError, match="label a was marked before") as caught:
        WHITESPACE.parse(text, error)
    assert (caught.value.line, caught.value.column) == (3, 3)


def test_warnings_about_many_equal_labels_are_limited() -> None:
    options = WHITESPACE.configure("standard", {"notation": "assembly"})
    warnings = WHITESPACE.parse(b"label a\n" * 1001, options).warnings
    assert len(warnings) < 20
    assert warnings[-1] == f"{1001 - len(warnings)} more repeated labels"
