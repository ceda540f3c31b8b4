"""Whitespace as a list of instructions: numbers, characters, labels, comments and errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.errors import ParseError
from esolangs.listing import Listing
from esolangs.registry import find_language
from esolangs.whitespace.assembly import assemble, spell_name
from esolangs.whitespace.listing import list_source
from esolangs.whitespace.parser import extract_tokens

WHITESPACE = find_language("whitespace")


def invisible(visible: bytes) -> bytes:
    return visible.translate(bytes.maketrans(b"STL", b" \t\n"))


def words(listing: Listing) -> list[str]:
    return [listing.row(at).words or listing.row(at).error for at in range(len(listing))]


def test_numbers_are_decimal_and_characters_are_shown() -> None:
    source = invisible(b"SSSTSSTSSSLSSSTSTSLSSTTLSSSSLSSLSTSSTLTLSS")
    assert words(list_source(source)) == [
        "push 72 'H'",
        r"push 10 '\n'",
        "push -1",
        "push 0",
        "push 0",
        "copy 1",
        "printc",
    ]


def test_labels_are_numbered_in_the_order_of_their_definitions() -> None:
    source = invisible(b"LSLTLLSSSLLSSTLLTSSLLSTTTLLSSLLTTL")
    listing = list_source(source)
    assert words(listing) == [
        "jump L2 (T)",
        "label L1 (S)",
        "label L2 (T)",
        "jz L1 (S)",
        "call ? (TT)",
        'label L3 ("")',
        'jn L3 ("")',
    ]
    assert [listing.row(at).target for at in range(7)] == [2, None, None, 1, None, None, 5]
    assert [listing.row(at).marks_label for at in range(7)] == [
        False,
        True,
        True,
        *[False] * 2,
        True,
        False,
    ]


def test_labels_of_assembly_have_their_names() -> None:
    text = b"label again\n label S\n label L2\njump again\njump S\njump L2\n"
    source = assemble(text).source
    assert words(list_source(source)) == [
        "label again",
        "label L2_ (S)",
        "label L2",
        "jump again",
        "jump L2_ (S)",
        "jump L2",
    ]
    program = WHITESPACE.parse(text, {**WHITESPACE.configure(), "notation": "assembly"})
    assert program.listing() is None  # the text can be read as it is


def test_a_partner_is_where_a_jump_leads_and_the_first_jump_to_a_label() -> None:
    listing = list_source(assemble(b"label a\njump b\njump a\nlabel b\njump a\nlabel c").source)
    assert [listing.partner(at) for at in range(6)] == [2, 3, 0, 1, 0, None]


def test_a_source_offset_belongs_to_a_row_and_comments_to_the_next() -> None:
    source = b"first" + invisible(b"SLS") + b"second" + invisible(b"SLS") + b"last"
    listing = list_source(source)
    assert [listing.row_at(at) for at in (0, 5, 7, 8, 13, 14, 16, 17, 99)] == [0, 0, 0, *[1] * 6]
    assert [listing.row(at).comment for at in (0, 1)] == ["first", "second last"]
    assert [listing.row(at).span for at in (0, 1)] == [(5, 8), (14, 17)]
    assert (listing.start(1), listing.end(1)) == (14, 17)


def test_an_invalid_source_is_listed_up_to_its_error() -> None:
    source = invisible(b"SLSSSST")
    listing = list_source(source)
    assert words(listing)[0] == "dup"
    assert words(listing)[1].startswith("the program ends inside an instruction: push")
    assert listing.row(1).span == (3, 7)
    assert listing.row_at(5) == 1
    wrong = list_source(invisible(b"SLSTLLSLS"))
    assert words(wrong) == [
        "dup",
        "TLL does not begin an instruction: expected a space (S) or a tab (T) after TL",
    ]
    assert wrong.row(1).span == (5, 6)
    assert (len(list_source(b"")), list_source(b"").row_at(0)) == (0, 0)


@given(st.binary(max_size=40).map(lambda data: bytes(b" \t\nx"[byte % 4] for byte in data)))
def test_any_source_can_be_listed_as_far_as_it_parses(source: bytes) -> None:
    listing = list_source(source)
    rows = [listing.row(at) for at in range(len(listing))]
    spelled = b"".join(extract_tokens(source[slice(*row.span)]) for row in rows if not row.error)
    assert extract_tokens(source).startswith(spelled)
    starts = [listing.start(at) for at in range(len(rows))]
    assert starts == sorted(starts)
    for at in range(len(rows) - bool(rows and rows[-1].error)):
        assert listing.row_at(starts[at]) == at
    if rows and rows[-1].error:
        with pytest.raises(ParseError) as caught:
            WHITESPACE.parse(source)
        assert rows[-1].error in str(caught.value)


def test_a_search_wraps_around() -> None:
    listing = list_source(assemble(b"push 'A'\nprintc\npush 'B'\nprintc\nlabel end_here").source)
    assert listing.find("printc", 1) == 3
    assert listing.find("PRINTC", 3) == 1
    assert listing.find("'b'", 0, backwards=True) == 2
    assert listing.find("66", 2) == 2
    assert listing.find("end_here:", 0) == 4
    assert listing.find("jump", 0) is None


def test_a_row_of_a_large_program_is_composed_alone() -> None:
    """The first rows of 100,000 instructions are there without any of the others."""
    source = invisible(b"SSSTSSSSSTLTLSS") * 50_000
    program = WHITESPACE.parse(source)
    listing = program.listing()
    assert listing is not None
    made: list[int] = []
    row = listing.row
    listing.row = lambda at: made.append(at) or row(at)  # type: ignore[method-assign]
    assert listing.row(99_999).words == "printc"
    assert listing.row_at(len(source) // 2) == 50_000
    assert made == [99_999]


def test_views_have_readable_instructions() -> None:
    program = WHITESPACE.parse(invisible(b"SSSSLLSSTLLSLTL"))
    machine = program.start()
    location = machine.view().location
    assert (location.instruction, location.readable_instruction) == ("push SS", "push 0")
    machine.step()
    location = machine.view().location
    assert (location.instruction, location.readable_instruction) == ("label T", "label L1 (T)")
    assert location.explanation == "label L1 (T): nothing happens"
    assert spell_name(b"T") == b"T"
