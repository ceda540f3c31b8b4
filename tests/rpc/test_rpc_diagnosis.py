"""``debug.diagnose`` and ``debug.compare`` in every language, and what solvers pay for them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from rpc_client import Client

from esoplay.rpc.methods import METHODS

_PLAY = b"A.\nRomeo, a.\nJuliet, b.\nAct I: a.\nScene I: a.\n[Enter Romeo and Juliet]\n"

# An endless program, and one that echoes a byte.
CASES: dict[str, tuple[bytes, bytes]] = {
    "brainfuck": (b"+[>+<]", b",."),
    "befunge-98": (b">v\n^<", b"~,@"),
    "whitespace": (
        b"\n  \t\n   \t\n \n\n\n \n\t\n",
        b"   \n\t\n\t    \n\t\t\t\t\n  \n\n\n",
    ),
    "unlambda": (b"```sii``sii", b"``@|i"),
    "shakespeare": (
        _PLAY + b"Romeo: Remember me.\nScene II: b.\nRomeo: Let us return to scene II.\n[Exeunt]",
        _PLAY + b"Romeo: Open your mind. Speak your mind.\n[Exeunt]",
    ),
}


@pytest.fixture
def client(connect: Callable[..., Client]) -> Client:
    return connect(METHODS)


def opened(client: Client, language: str, program: bytes, **more: Any) -> str:
    text = base64.b64encode(program).decode()
    return client.call("debug.open", language=language, program_base64=text, **more)["debug"]


@pytest.mark.parametrize("language", CASES)
def test_an_endless_run_is_proved_endless(client: Client, language: str) -> None:
    program, _ = CASES[language]
    debug = opened(client, language, program)
    told = client.call("debug.diagnose", debug=debug)
    first = told["findings"][0]
    assert (first["kind"], first["certainty"]) == ("endless", "proved")
    assert first["advice"]
    places: list[Any] = []
    for step in first["steps"]:
        client.call("debug.seek", debug=debug, step=step["step"])
        places.append(client.call("debug.view", debug=debug, fields=["location", "panels"]))
    if language != "brainfuck":  # its loops count their rounds
        assert places[0]["location"]["offset"] == places[1]["location"]["offset"]
    assert told["searched"] is None


@pytest.mark.parametrize("language", CASES)
def test_runs_on_two_inputs_differ_where_the_inputs_are_read(client: Client, language: str) -> None:
    _, program = CASES[language]
    debug = opened(client, language, program, stdin="a")
    told = client.call("debug.compare", debug=debug, stdin="b", keep=True)
    first = told["differences"][0]
    assert first["kind"] == "input"
    assert "'a'" in first["this"]["what"]
    assert "'b'" in first["other"]["what"]
    assert (told["same_program"], told["complete"], told["exact"]) == (True, True, True)
    output = [each for each in told["differences"] if each["kind"] == "output"]
    assert output[0]["this"]["step"] == client.call("debug.printed", debug=debug, byte=0)["step"]
    other = told["other"]
    assert client.call("debug.view", debug=other, fields=["step"]) == {"step": 0}
    ended = client.call("debug.continue", debug=other)["view"]
    assert ended["output_length"] == 1


def test_runs_of_two_programs_differ_at_an_output_byte(client: Client) -> None:
    debug = opened(client, "brainfuck", b"+.+.")
    told = client.call("debug.compare", debug=debug, program="+.++.")
    (difference,) = told["differences"]
    assert (difference["kind"], told["same_program"]) == ("output", False)
    assert (difference["this"]["step"], difference["other"]["step"]) == (4, 5)
    assert client.call("debug.view", debug=debug, fields=["step"]) == {"step": 0}


def test_a_fault_says_what_to_try(client: Client) -> None:
    debug = opened(client, "brainfuck", b"+<")
    client.call("debug.continue", debug=debug)
    told = client.call("debug.diagnose", debug=debug, quick=True)
    (finding,) = told["findings"]
    assert finding["kind"] == "tape_underflow"
    assert finding["steps"] == [{"step": 1, "what": "the fault"}]
    assert finding["advice"]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("debug.diagnose", {"bound": 0}),
        ("debug.diagnose", {"bound": 10**9}),
        ("debug.compare", {}),
        ("debug.compare", {"stdin": "a", "stdin_base64": "YQ=="}),
        ("debug.compare", {"stdin": "a", "budget": 0}),
    ],
)
def test_invalid_arguments_are_refused(client: Client, method: str, params: dict[str, Any]) -> None:
    debug = opened(client, "brainfuck", b",.")
    assert client.refuse(method, debug=debug, **params)["code"] == -32602
