"""Parse errors of Shakespeare: where they are, and what was expected there."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import example, given
from hypothesis import strategies as st

from esolangs.errors import ParseError
from esolangs.shakespeare import words

FRAME = """\
A play.
Romeo, x.
Juliet, y.
Act I: x.
Scene I: x.
[Enter Romeo and Juliet]
Romeo:
"""
SAID = [  # a sentence, the phrase not understood, its column, what was expected
    ("Hello there, Juliet.", "Hello there", 1, "a sentence"),
    ("You are a.", ".", 10, "an adjective or a noun"),
    ("You are.", ".", 8, "a value"),
    ("You are smelly flower.", "flower", 16, "negative noun"),
    ("You are a rotten flower.", "flower", 18, "negative noun"),
    ("You are a big fair pig.", "pig", 20, "positive or neutral noun"),
    ("You are a fair rotten pig.", "rotten pig", 16, "positive or neutral noun"),
    ("You are a flowery thing.", "flowery thing", 11, "an adjective or a noun"),
    ("You are as good as.", ".", 19, "a value"),
    ("You are the sum of a rose.", ".", 26, "'and'"),
    ("You are the sum of a rose and.", ".", 30, "a value"),
    ("You are the sum off a rose and a rose.", "the sum off a rose and a rose", 9, "'the sum of'"),
    ("You are twice.", ".", 14, "a value"),
    ("You are a sum of a rose and you.", "a sum of a rose and you", 9, "'the sum of'"),
    ("You are big quotient of you.", "big quotient of you", 9, "'the quotient between'"),
    ("You are product of you.", "product of you", 9, "'the product of'"),
    ("You are a rose?", "?", 15, "'.' or '!'"),
    ("You are a rose, a cat.", ",", 15, "'.' or '!'"),
    ("You are a rose a cat.", "a cat", 16, "'.' or '!'"),
    ("You are a rose", None, 1, "'.' or '!'"),
    ("Remember.", ".", 9, "a value"),
    ("Remember thy rose", None, 1, "'.' or '!'"),
    ("Recall thy rose", None, 1, "'.' or '!'"),
    ("Speak your heart.", "heart", 12, "'mind' ('Open your heart' prints a number)"),
    ("Speak his mind.", "his mind", 7, "'your', 'thy' or 'thine'"),
    ("Open mind.", "mind", 6, "'your', 'thy' or 'thine'"),
    ("Open your door.", "door", 11, "'heart' or 'mind'"),
    ("Listen to your mind.", "mind", 16, "'heart' ('Open your mind' reads a character)"),
    ("Listen your heart.", "Listen your heart", 1, "a sentence"),
    ("Let us return scene I.", "return scene I", 8, "'proceed to' or 'return to'"),
    ("Let us return to I.", "I", 18, "'act' or 'scene'"),
    ("Let us return to scene.", ".", 23, "a Roman numeral"),
    ("Let us return to scene IIII.", "IIII", 24, "a Roman numeral"),
    ("Let us return to scene 1.", "1", 24, "a Roman numeral"),
    ("Let us return to scene V.", None, 18, "this act has no scene V"),
    ("Let us return to act V.", None, 18, "there is no act V"),
    ("If so you are a rose.", "you are a rose", 7, "','"),
    ("If so, if not, you are a rose.", "if not", 8, "a sentence"),
    ("Is a rose better than?", "?", 22, "a value"),
    ("Is a rose better a pig?", "a pig", 18, "'than'"),
    ("Is a rose good?", "good", 11, "a comparison"),
    ("Is a rose as good a pig?", "a pig", 19, "'as'"),
    ("Is a rose as a pig?", "a pig", 14, "an adjective"),
    ("Is a rose more big than a pig?", "big than a pig", 16, "a positive or a negative"),
    ("Is a rose not a pig?", "a pig", 15, "a comparison"),
    ("Is a rose better than a pig.", ".", 28, "'?'"),
    ("You are Hamlet.", None, 9, "Hamlet is not in the dramatis personae"),
    ("You are a rose. [Enter Bob]", "Bob", 24, "the name of a character"),
    ("You are a rose. [Enter]", "]", 23, "the name of a character"),
    ("You are a rose. [Exit Romeo and Juliet]", "and Juliet", 29, "'Exeunt' for several"),
    ("You are a rose. [Enter Romeo Juliet]", "Juliet", 30, "',', 'and' or ']'"),
    ("You are a rose. [Enter Romeo.]", ".", 29, "',', 'and' or ']'"),
    ("You are a rose. [Dance]", "Dance", 18, "'Enter', 'Exit' or 'Exeunt'"),
    ("You are a rose. [A pause, Romeo]", ",", 25, "']'"),
    ("You are a rose. [Exit Hamlet]", None, 23, "Hamlet is not in the dramatis personae"),
    ("You are a rose. Romeo, you are a rose.", ",", 22, "':'"),
    ("You are a rose. Juliet", None, 1, "':'"),
    ("You are a rose. Bob: You are a rose.", "Bob", 17, "a sentence"),
    ("You are a rose. [Exeunt] You are a rose.", "You are a rose", 26, "speak"),
    ("You are a rose. [Exeunt] Bob: You.", "Bob", 26, "one of Shakespeare's characters"),
    ("You are a rose. Scene I: Again.", None, 17, "this act has two scenes I"),
    ("You are a rose. Act I: Again.", None, 17, "there are two acts I"),
    ("You are a rose. Act II Again.", "Again", 24, "':'"),
    ("You are a rose. Act two: Again.", "two", 21, "a Roman numeral"),
    ("You are a rose. Act II: Again. [Exeunt]", "[", 32, "'Scene I:'"),
    ("You are a rose. Scene II: Again [Exeunt]", "[", 33, "at the end of the title"),
    ("You are (a rose).", "(", 9, "a value"),
    ("You're a rose.", "You're a rose", 1, "a sentence"),
    ("Julıet.", "Julıet", 1, "a sentence"),
]
WHOLE = [  # a text, the line and column, what is said
    ("", (1, 1), "the title of the play"),
    (" \n", (2, 1), "the title of the play"),
    ("A play", (1, 7), "'.' or '!' at the end of the title"),
    ("A play.\nBob, x.\n", (2, 1), "“Bob” was not understood; expected the name of one of"),
    ("A play.\nThe Red King, x.\n", (2, 1), "expected the name of one of"),
    ("A play.\nThe Red King", (2, 1), "a character and a description"),
    ("A play.\nRomeo.\n", (2, 6), "',' and a description"),
    ("A play.\nRomeo, x", (2, 9), "at the end of the description"),
    ("A play.\nRomeo, x.\nRomeo, y.\n", (3, 1), "Romeo is in the dramatis personae twice"),
    ("A play.\nRomeo, x.\n[Exeunt]", (3, 1), "a character and a description, or 'Act I:'"),
    ("A play.\nScene I: x.\n", (2, 1), "a character and a description, or 'Act I:'"),
    ("A play.\nAct I: x", (2, 9), "at the end of the title"),
    ("A play.\nRomeo, x.\nAct I: x.\nRomeo: You are a rose.", (4, 1), "'Scene I:'"),
    ("A play.\nRomeo, x.\nAct I: x.\nScene I: x.\nRomeo:", (5, 7), "a sentence"),
    ("A play.\nRomeo, x.\nAct I: x.\nScene I: x.\n[Enter Romeo", (5, 13), "',', 'and' or ']'"),
]
engines = pytest.mark.parametrize("engine", engine_names("shakespeare"))


def error_of(text: str, engine: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        program("shakespeare", text.encode(), engine)
    return caught.value


@engines
@pytest.mark.parametrize(("said", "phrase", "column", "expected"), SAID)
def test_an_invalid_sentence_is_reported(
    engine: str, said: str, phrase: str | None, column: int, expected: str
) -> None:
    error = error_of(FRAME + said + "\n", engine)
    assert expected in error.message
    if phrase is not None:
        assert error.message.startswith(f"“{phrase}” was not understood; expected ")
    elif "is not in" not in error.message and "there" not in error.message:
        assert "this act" in error.message or "the play ends here" in error.message
    at_end = "the play ends here" in error.message
    assert (error.line, error.column) == ((9, 1) if at_end else (8, column))


@engines
@pytest.mark.parametrize(("text", "place", "expected"), WHOLE)
def test_an_invalid_play_is_reported(
    engine: str, text: str, place: tuple[int, int], expected: str
) -> None:
    error = error_of(text, engine)
    assert expected in error.message
    assert (error.line, error.column) == place


@engines
@pytest.mark.parametrize(
    ("people", "hint"),
    [
        ("A play\nRomeo, x.\n", "; is a '.' or '!' missing before line 2?"),
        ("A play.\nJuliet, x\n  Romeo, y.\n", "; is a '.' or '!' missing before line 3?"),
        ("A play.\nJuliet, who likes Romeo, of course.\n", ""),
        ("A play.\nJuliet, who likes\nRomeo.\n", ""),
        ("A play.\nJuliet, x.\n", ""),
    ],
)
def test_a_missing_full_stop_before_a_character_is_reported(
    engine: str, people: str, hint: str
) -> None:
    text = people + "Act I: x.\nScene I:\nRomeo, x.\n[Enter Romeo]\n"
    error = error_of(text, engine)
    assert error.message == "Romeo is not in the dramatis personae" + hint
    assert error.line == people.count("\n") + 4


@engines
def test_a_long_phrase_is_cut_in_the_message(engine: str) -> None:
    error = error_of(FRAME + "Hum" * 10_000 + ".", engine)
    assert len(error.message) < 300


@engines
def test_a_phrase_over_several_lines_is_reported_as_one(engine: str) -> None:
    error = error_of(FRAME + "You are a big\n rotten\n\tbeautiful   rose.", engine)
    assert error.message.startswith("“beautiful rose” was not understood")
    assert (error.line, error.column) == (10, 2)


VOCABULARY = sorted(
    {b" ".join((first, *rest)) for first, entries in words.TABLE.items() for rest, _, _ in entries}
)
PIECES = st.sampled_from([*VOCABULARY, b".", b".", b"!", b"?", b",", b":", b"[", b"]", b"II", b"x"])


def find_parse_error(source: bytes, engine: str) -> ParseError | None:
    try:
        program("shakespeare", source, engine).start().run(50)
    except ParseError as error:
        return error
    return None


@engines
@given(st.lists(PIECES, max_size=12).map(b" ".join) | st.binary(max_size=30))
@example(b"A play.\x00")
@example(b"A play.\n\xff\x1b")
def test_any_other_text_is_a_parse_error_with_a_location(engine: str, said: bytes) -> None:
    for source in (said, FRAME.encode() + said):
        error = find_parse_error(source, engine)
        if error is not None:
            assert 0 <= error.span[0] <= error.span[1] <= len(source)
            assert error.message.isprintable()
