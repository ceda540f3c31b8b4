"""Where a byte of the output came from: the printing step, its value, and what made that."""

from __future__ import annotations

import pytest

from esolangs.source import character_at
from esolangs.stops import Slot
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.output_chain import byte_text, chain_links, output_origin_as_json
from esoplay.debugging.provenance import origin_of_output
from esoplay.errors import UsageError

WHITESPACE = b"   \t\n   \t     \t\n\t\t    \t\n\t\t\t\t\n  \n\n\n"
"""Push 1, push 65, store, push 1, retrieve, print, end."""


def run(language_id: str, source: bytes, stdin: bytes = b"") -> Debugger:
    debugger = Debugger.open(language_id, source, stdin=stdin, closed=True)
    debugger.seek(1000)
    return debugger


def chain_of_byte(debugger: Debugger, index: int) -> list[tuple[str, int | None]]:
    found = origin_of_output(debugger, index)
    return [(link.text, link.step) for link in chain_links(debugger, found, debugger.view())]


@pytest.mark.parametrize(
    ("language_id", "source", "links"),
    [
        (
            "brainfuck",
            b",>+++.<.",
            [
                ("step 8 printed it with . at 1:8, from cell 0, which held 120", 8),
                ("step 1 read 120 from the input into cell 0 by , at 1:1", 1),
            ],
        ),
        (
            "befunge-98",
            b"1a:*.,@",
            [
                ("step 6 printed it with , at 5,0, from level 0, which held 1", 6),
                ("step 1 wrote 1 to level 0 by 1 at 0,0", 1),
            ],
        ),
        (
            "befunge-98",
            b"5:.@",
            [
                ("step 3 printed it with . at 2,0, from level 1, which held 5", 3),
                ("step 2 copied 5 to level 1 by : at 1,0, from level 0", 2),
                ("step 1 wrote 5 to level 0 by 5 at 0,0", 1),
            ],
        ),
        (
            "befunge-98",
            b".@",
            [("step 1 printed it with . at 0,0, not from a cell or stack", 1)],
        ),
        (
            "whitespace",
            WHITESPACE,
            [
                ("step 6 printed it with printc at 4:3, from level 0, which held 65", 6),
                ("step 5 copied 65 to level 0 by retrieve at 3:7, from cell 1", 5),
                ("step 3 copied 65 to cell 1 by store at 3:1, from level 1", 3),
                ("step 2 wrote 65 to level 1 by push 65 at 2:1", 2),
            ],
        ),
        (
            "unlambda",
            b"`.xi",
            [
                ("step 1 printed it with .x at 1:2", 1),
                (".x is written in the program, at 1:2", None),
            ],
        ),
        (
            "unlambda",
            b"``@|i",
            [
                ("step 4 printed it with | at 1:4", 4),
                ("step 2 created that term by applying | in `|i", 2),
                ("step 1 created that term by applying @ in `@|", 1),
                ("that application is written in the program, at 1:2", None),
            ],
        ),
    ],
)
def test_a_chain_leads_from_the_printing_step_to_the_beginning(
    language_id: str, source: bytes, links: list[tuple[str, int | None]]
) -> None:
    debugger = run(language_id, source, b"x")
    here = debugger.step
    actual = chain_of_byte(debugger, len(debugger.output) - 1)
    assert [step for _, step in actual] == [step for _, step in links]
    for (text, _), (wanted, _) in zip(actual, links, strict=True):
        assert text.split(" at ")[0] == wanted.split(" at ")[0]
        assert language_id == "whitespace" or text == wanted
    assert debugger.step == here


def test_output_origin_does_not_depend_on_the_position() -> None:
    debugger = run("brainfuck", b"+++[>++<-]>.+.")
    there = origin_of_output(debugger, 0)
    debugger.seek(0)
    assert origin_of_output(debugger, 0) == there
    data = output_origin_as_json(there)
    assert data["step"] == debugger.find_print_step(0)
    assert data["from"] == {"cell": 1}
    assert (data["byte"], data["value"]) == (6, 6)


def test_every_digit_has_the_place_of_the_printed_number() -> None:
    debugger = run("befunge-98", b"aa*.@")
    found = [origin_of_output(debugger, index) for index in range(4)]
    assert {each.place for each in found} == {Slot(0, 0)}
    assert {each.number for each in found} == {100}
    assert bytes(each.byte for each in found) == b"100 "


@pytest.mark.parametrize("index", [-1, 2])
def test_origin_of_an_unprinted_byte_is_refused(index: int) -> None:
    with pytest.raises(UsageError, match="has not been printed"):
        origin_of_output(run("brainfuck", b"..+"), index)


def test_bytes_are_named_by_their_character() -> None:
    data = "a€\n".encode() + b"\xff"
    names = [byte_text(data, index) for index in range(len(data))]
    assert names == [
        "0x61 'a'",
        "0xe2, byte 1 of '€'",
        "0x82, byte 2 of '€'",
        "0xac, byte 3 of '€'",
        "0x0a newline",
        "0xff",
    ]
    assert character_at(data, 5) is None
