"""What a debugger sees of a play: places, roles, registers, and what a sentence will do."""

from __future__ import annotations

import pytest
from engines import engine_names, program

from esolangs.machine import Machine
from esolangs.shakespeare.program import ShakespeareProgram
from esolangs.stops import StopSet
from esolangs.view import Stage

SOURCE = b"""\
A play.
Romeo, x.
The Ghost, y.
Act I: First.
Scene I: One.
[Enter Romeo and The Ghost]
Romeo: You are a big rose. You are the sum of Romeo and the product of you and a big cat.
 Am I better than you? If so, speak your mind. Remember yourself. Recall me.
 Let us proceed to scene II.
Scene II: Two.
The Ghost: You are the factorial of a big big rose. Open your heart. Open your mind.
 Listen to your heart. Are you not worse than nothing? Let us proceed to act II.
Act II: Second.
Scene I: Again.
Scene II: Here.
[Exeunt]
"""


def code() -> ShakespeareProgram:
    return program("shakespeare", SOURCE, engine_names("shakespeare")[0])


def explained(machine: Machine) -> str:
    return machine.view().location.explanation


def test_places_are_acts_and_scenes() -> None:
    places = code().places()
    assert list(places) == [
        "Act I",
        "Act I Scene I",
        "Act I Scene II",
        "Act II",
        "Act II Scene I",
        "Act II Scene II",
    ]
    assert places["Act I"] == places["Act I Scene I"] == SOURCE.index(b"[Enter")
    assert places["Act I Scene II"] == SOURCE.index(b"You are the factorial")
    assert places["Act II"] == places["Act II Scene II"] == SOURCE.index(b"[Exeunt")


def test_a_breakpoint_on_a_scene_stops_at_its_first_sentence() -> None:
    machine = code().start()
    places = code().places()
    stops = StopSet(locations=frozenset({places["Act I Scene II"]}))
    assert machine.run(100, stops) == "stopped"
    assert machine.view().location.instruction == "You are the factorial of a big big rose."


def test_registers_are_the_characters() -> None:
    machine = code().start()
    assert list(machine.registers()) == list(code().register_names())
    machine.run(3)
    assert machine.registers() == {"romeo": 0, "the_ghost": 4, "condition": 0}


def test_every_sentence_is_explained() -> None:
    machine = code().start(b"x7\n")
    said: list[str] = []
    while machine.status == "running":
        said.append(explained(machine))
        machine.step()
    assert said == [
        "Romeo and The Ghost enter the stage",
        "The Ghost's value becomes 2",
        "The Ghost's value becomes 4 (the sum of Romeo (0) and the product of The Ghost (2) and 2)",
        "is Romeo (0) greater than The Ghost (4)? no",
        "the question was answered no: skip this sentence",
        "The Ghost remembers 4 (The Ghost (4))",
        "The Ghost's value becomes 4, the value remembered last",
        "go to Act I Scene II",
        "Romeo's value becomes 24",
        "print Romeo's value as a number: 24",
        "read 'x' (120) into Romeo's value",
        "read a number from the input into Romeo's value",
        "is Romeo (7) not less than 0? yes",
        "go to Act II Scene II",
        "everybody leaves the stage",
    ]
    assert explained(machine) == "the play has ended"


@pytest.mark.parametrize(
    ("said", "explanation"),
    [
        (b"Romeo: You are twice I.", "Romeo speaks, but is not on stage: the play will fault"),
        (b"Juliet: Recall.", "`you` is undefined, because no one else is on stage"),
        (
            b"[Enter Romeo] Juliet: Recall.",
            "the stack of Romeo is empty: the play will fault",
        ),
        (b"[Enter Romeo] Romeo: You are the square root of a pig.", "the play will fault"),
        (
            b"[Enter Romeo] Romeo: If not, speak your mind.",
            "print Juliet's value as a character: 0",
        ),
        (b"[Enter Romeo] Romeo: Open your mind.", "the input has ended, Juliet's value becomes -1"),
        (b"Juliet: Is a rose better than you?", "is 1 greater than somebody? the play will fault"),
    ],
)
def test_the_explanation_of_the_next_step_predicts_its_fault(said: bytes, explanation: str) -> None:
    source = b"A play.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Juliet]\n" + said
    machine = program("shakespeare", source, engine_names("shakespeare")[0]).start()
    machine.run(1 + said.count(b"[Enter"))
    assert explanation in explained(machine)


def test_the_stage_shows_roles_act_and_scene() -> None:
    machine = code().start()
    stage = machine.view().panels[0]
    assert isinstance(stage, Stage)
    assert (stage.act, stage.scene, stage.condition) == ("Act I: First", "Scene I: One", None)
    assert [(actor.on_stage, actor.role) for actor in stage.actors] == [(False, "")] * 2
    machine.run(8)
    stage = machine.view().panels[0]
    assert isinstance(stage, Stage)
    assert (stage.scene, stage.condition) == ("Scene II: Two", False)
    assert [(actor.on_stage, actor.role) for actor in stage.actors] == [
        (True, "addressee"),
        (True, "speaker"),
    ]


def test_stepping_out_leaves_the_scene() -> None:
    machine = code().start(b"x7\n")
    machine.run(4)
    assert machine.leap("over") is machine.leap("back_over") is None
    out, back = machine.leap("out"), machine.leap("back_out")
    assert out is not None
    assert back is not None
    assert back.stops.locations == {code().places()["Act I Scene I"]}
    machine.run(100, out.stops)
    assert machine.location == code().places()["Act I Scene II"]


def test_an_instruction_is_found_by_any_of_its_bytes() -> None:
    program_ = code()
    for start, end in program_.spans():
        assert program_.instruction_at(start) == program_.instruction_at(end - 1) == (start, end)
    assert program_.instruction_at(0) is None
    assert program_.instruction_at(SOURCE.index(b"Scene II")) is None
    assert program_.instruction_at(len(SOURCE)) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (" you  ARE\na big rose!", [b"You are a big rose"]),
        ("Speak your mind", [b"If so, speak"]),
        ("open thy heart.", [b"Open your heart"]),
        ("recall", [b"Recall me"]),
        ("am i better than you?", [b"Am I"]),
        ("Let us proceed to scene II", [b"Let us proceed to scene"]),
        ("let us", [b"Let us proceed to scene", b"Let us proceed to act"]),
        ("[Exeunt]", [b"[Exeunt"]),
        ("Exeunt", [b"[Exeunt"]),
        ("rose", [b"You are a big rose", b"You are the factorial"]),
        ("ros", []),
        ("Scene", [b"Let us proceed to scene"]),
        ("speak your heart", []),
        ("...", []),
        (" ", []),
    ],
)
def test_sentences_are_found_by_their_words(text: str, found: list[bytes]) -> None:
    assert code().occurrences(text) == tuple(SOURCE.index(each) for each in found)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            b"You are the quotient\n between me and nothing!",
            "“You are the quotient between me and nothing!”: division by zero",
        ),
        (b"Recall.", "“Recall.”: Juliet cannot recall a value: the stack is empty"),
        (b"[Exit Othello]", "“[Exit Othello]”: Othello leaves, but is not on stage"),
        (
            b"You are the factorial of " + b"a rotten rotten rotten rotten rotten pig.",
            (
                "“You are the factorial of a rotten rotten rotten rotten rott…”: "
                "factorial of a negative number"
            ),
        ),
    ],
)
def test_a_fault_quotes_its_sentence(said: bytes, message: str) -> None:
    people = b"A play.\nRomeo, x.\nJuliet, y.\nOthello, z.\n"
    source = people + b"Act I: x.\nScene I: x.\n[Enter Romeo and Juliet]\nRomeo:\n " + said
    source = source.replace(b"Romeo:\n [", b" [")
    machine = program("shakespeare", source, engine_names("shakespeare")[0]).start()
    machine.run(2)
    assert machine.fault is not None
    assert machine.fault.message == message
    assert (machine.fault.line, machine.fault.column) == (9 if b"Romeo:\n" in source else 8, 2)


@pytest.mark.parametrize("said", [b"[Enter Romeo and Juliet]", b"[Exit Romeo]", b"Romeo: Recall."])
@pytest.mark.parametrize("people", [b"", b"Othello, z.\n"])
def test_a_fault_about_an_unknown_character_is_explained(people: bytes, said: bytes) -> None:
    source = b"A play.\n" + people + b"Act I: x.\nScene I: x.\n" + said
    machine = program(
        "shakespeare", source, engine_names("shakespeare")[0], missing="fault"
    ).start()
    machine.run(1)
    assert machine.fault is not None
    assert machine.fault.kind == "no_such_character"
    assert explained(machine).endswith(
        "the sentence names a character who is not in the dramatis personae"
    )
