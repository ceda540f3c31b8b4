"""What a debugger shows of loaded fingerprints, modes, and mapped instructions."""

from __future__ import annotations

import pytest

from esolangs.view import Table, View
from esoplay.debugging.debugger import Debugger


def opened(source: str, steps: int) -> View:
    debugger = Debugger.open("befunge-98", source.encode("latin-1"))
    debugger.seek(steps)
    return debugger.view()


def letters(view: View) -> list[tuple[object, ...]]:
    return [
        row
        for panel in view.panels
        if isinstance(panel, Table) and panel.name == "letters"
        for row in panel.rows
    ]


def test_without_a_fingerprint_there_is_no_table_of_letters() -> None:
    assert letters(opened("123@", 2)) == []


def test_letters_modes_and_mappings_are_listed() -> None:
    source = '"EDOM"4($$"PAMI"4($$HQz'
    assert letters(opened(source, len(source) - 1)) == [
        ("C", "IMAP"), ("H", "MODE"), ("I", "MODE"), ("M", "IMAP"), ("O", "IMAP"), ("Q", "MODE"),
        ("S", "MODE"), ("mode", "hover"), ("mode", "queue"),
    ]  # fmt: skip
    source = "\"PAMI\"4($$'b'aM'z"
    assert letters(opened(source, len(source) - 4))[-1] == ("a", "acts as b")


def test_a_letter_with_the_meaning_of_another_names_both() -> None:
    source = '"AMOR"4($$"GNIF"4($$\'C\'AZA'
    view = opened(source, len(source) - 3)
    assert ("A", "C of ROMA") in letters(view)
    assert view.location.explanation == "A: C of ROMA"


@pytest.mark.parametrize(
    ("source", "explanation"),
    [
        ("\"PAMI\"4($$'b'aMa", "a acts as b: push 11"),
        ("\"PAMI\"4($$' 'aMa", "a acts as  : do nothing"),
        ('"EDOM"4($$H>', "add to the delta: east"),
        ('"EDOM"4($$H0_', "0 is 0: add to the delta: east"),
        ('"EDOM"4($$12Q.', "print 1 and a space"),
        ('"AMOR"4($$M', "M of ROMA"),
    ],
)
def test_explanations_depend_on_the_modes(source: str, explanation: str) -> None:
    executed = len(source) - 1 - 2 * source.count("'") // 2
    assert opened(source, executed).location.explanation == explanation
