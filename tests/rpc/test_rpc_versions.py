"""Protocol version 2: the answers of version 1, without what the client knows already."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import slow_except

from docs.rebuild_states import States, as_version_1
from docs.schemas.results import RESULTS
from docs.schemas.results_2 import RESULTS_2
from esolangs.registry import find_language, language_ids
from esoplay.errors import RejectedCommand
from esoplay.rpc.answers import resolve_texts
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.presentation import MAX_REMEMBERED_STATES
from esoplay.rpc.protocol import Request, RpcError
from esoplay.rpc.table import dispatch

Json = dict[str, Any]

PROGRAMS = [
    *((language, find_language(language).sample()) for language in language_ids()),
    ("befunge-98", b'v  "a\xe9"\n>:1+:3%0p 4"v"19p:01g+ #v_@\n^        -1 <   < '),
    ("befunge-98", b"2{3u" + b" " * 90 + b"1-t9:*03p\n" * 40),
    ("befunge-98", b"\"TRUT\"4($$1P9Fa9*R5F'\x01,'\x7f05p@"),
    ("whitespace", b"   \t\t\n   \t \n\t\t    \t\n   \t\t\t\n\t\t \n \n\t\n  \n\n\n"),
    ("whitespace", b"push 7\npush 8\nstore\n" + b"push 1\n" * 25 + b"dup\nadd\nswap\n" * 20),
    ("whitespace", b"push 5\n" * 50 + b"discard\n" * 50),
    ("brainfuck", b">" * 50 + b"+[>+[<]>->+.<<<]"),
]


FAST = [
    next(each for each in reversed(PROGRAMS) if each[0] == language) for language in language_ids()
]
"""One program of each language; the others are tried by ``make test-all``."""

RESULTS_BY_VERSION = {1: RESULTS, 2: RESULTS_2}


class Client:
    """A client in one version that gets its answers as JSON."""

    session: str

    def __init__(self, version: int, connection: Connection | None = None):
        self.connection = connection or Connection()
        self.call("initialize", protocol_version=version)

    def call(self, method: str, **params: Any) -> Any:
        call = Call(Request(method, params, 1), self.connection, lambda _method, _params: None)
        result = json.loads(json.dumps(resolve_texts(dispatch(METHODS, call))))
        msgspec.convert(result, RESULTS_BY_VERSION[self.connection.version][method])
        return result


WINDOWS: list[Json] = [
    {},
    {"cells": 5, "depth": 3, "width": 9, "height": 4, "lines": 1},
    {"first": 2, "corner": [-1, 0]},
    {"corner": [60, -2], "height": 3},
]
_OUTPUT = st.just([{"effect": "output"}])
MOVES = st.one_of(
    st.tuples(
        st.just("debug.step"),
        st.fixed_dictionaries({"count": st.integers(1, 40), "reverse": st.booleans()}),
    ),
    st.tuples(st.just("debug.step"), st.just({"granularity": "line", "budget": 100})),
    st.tuples(st.just("debug.seek"), st.fixed_dictionaries({"step": st.integers(0, 400)})),
    st.tuples(
        st.just("debug.continue"),
        st.fixed_dictionaries({"reverse": st.booleans(), "until": _OUTPUT, "budget": st.just(300)}),
    ),
)
SINCE = st.one_of(st.none(), st.integers(0, MAX_REMEMBERED_STATES + 1))


class Pair:
    """A client of each version that debug the same program and must see the same states."""

    def __init__(self, language: str, program: bytes):
        self.whole, self.compact, self.states = Client(1), Client(2), States()
        options = {"notation": "assembly"} if program.startswith(b"push") else {}
        given = {"program_base64": b64encode(program).decode(), "stdin": "abc", "options": options}
        before = self.whole.call("debug.open", language=language, **given)
        opened = self.compact.call("debug.open", language=language, **given)["view"]
        assert as_version_1(self.states.add(opened)) == before["view"]
        self.latest = opened["state"]

    def move(self, method: str, window: Json, params: Json, since: int | None = None) -> Json:
        """Make a move, compare the states, and give the answer of version 2."""
        back = {} if since is None else {"since": since}
        moved = self.compact.call(method, debug="d1", window=window, **params, **back)
        expected = self.whole.call(method, debug="d1", **params)
        assert (moved["step"], moved["stopped"]) == (expected["step"], expected["stopped"])
        expected = self.whole.call("debug.view", debug="d1", window=window)
        assert as_version_1(self.states.add(moved["view"])) == expected
        self.latest = moved["view"]["state"]
        return moved


@pytest.mark.parametrize("case", slow_except(PROGRAMS, *FAST))
def test_each_step_of_a_run_is_rebuilt_forwards_and_backwards(case: tuple[str, bytes]) -> None:
    pair = Pair(*case)
    for reverse in (False, True):
        for _ in range(40):
            moved = pair.move("debug.step", {}, {"reverse": reverse})
            assert moved["view"]["since"] == pair.latest - 1
    for step in range(0, 150, 11):
        pair.move("debug.seek", {"depth": 64}, {"step": step})


@pytest.mark.parametrize("case", slow_except(PROGRAMS, *FAST))
@settings(max_examples=5, deadline=None)
@given(
    moves=st.lists(st.tuples(MOVES, st.sampled_from(WINDOWS), SINCE), min_size=4, max_size=12),
)
def test_states_rebuilt_from_changes_are_those_of_version_1(
    case: tuple[str, bytes], moves: list[tuple[tuple[str, Json], Json, int | None]]
) -> None:
    pair = Pair(*case)
    for (method, params), window, back in moves:
        if back == 1:  # a state with few members is between two others
            fields = ["step", "fault", "output"]
            view = pair.compact.call("debug.view", debug="d1", fields=fields)
            pair.states.add(view)
            pair.latest = view["state"]
        since = None if back is None else max(0, pair.latest - back)
        pair.move(method, window, params, since)


def test_a_step_sends_what_changed() -> None:
    client = Client(2)
    opened = client.call("debug.open", language="befunge-98", program="9:*03p@")["view"]
    assert opened["panels"][0]["rows"] == ["9:*03p@"]
    assert "since" not in opened
    client.call("debug.seek", debug="d1", step=5)
    moved = client.call("debug.step", debug="d1")
    view = moved["view"]
    assert view.keys() == {"state", "since", "step", "location", "panels"}
    plane = view["panels"][0]
    assert plane["changes"] == [[0, 3, 81]]
    assert "rows" not in plane
    assert len(json.dumps(moved)) < 900
    back = client.call("debug.step", debug="d1", reverse=True)["view"]["panels"][0]
    assert back["changes"] == [[0, 3, 32]]


def test_cells_that_are_not_printable_are_listed() -> None:
    plane = Client(2).call("debug.open", language="befunge-98", program="\x01\xe9\n ~")["view"]
    grid = plane["panels"][0]
    assert grid["rows"] == ["···", " ~"]
    assert grid["values"] == [[0, 0, 1], [1, 0, 0xC3], [2, 0, 0xA9]]  # é has two bytes


def test_since_names_a_state_that_was_sent() -> None:
    client = Client(2)
    first = client.call("debug.open", language="brainfuck", program="+" * 20)["view"]
    for _ in range(3):
        client.call("debug.step", debug="d1")
    view = client.call("debug.view", debug="d1", since=first["state"])
    assert (view["since"], view["step"]) == (1, 3)
    assert view["panels"][0]["cells"] == {"splice": [[0, 1, [3]]]}
    for unknown in (0, 99):
        whole = client.call("debug.view", debug="d1", since=unknown)
        assert "since" not in whole
        assert len(whole["panels"][0]["cells"]) == 64
    for _ in range(MAX_REMEMBERED_STATES):
        client.call("debug.step", debug="d1")
    assert "since" not in client.call("debug.view", debug="d1", since=first["state"])


def test_window_and_fields_select_what_a_move_returns() -> None:
    client = Client(2)
    client.call("debug.open", language="brainfuck", program="+.>,", stdin="x")
    moved = client.call("debug.step", debug="d1", count=2, fields=["step", "output", "status"])
    assert moved["view"] == {
        "state": 2,
        "since": 1,
        "step": 2,
        "output": "\x01",
        "status": "running",
    }
    small = client.call("debug.seek", debug="d1", step=0, window={"cells": 3, "first": 0})
    assert small["view"]["panels"][0]["cells"] == [0, 0, 0]
    refused = {"debug": "d1", "step": 0, "window": {"cells": 3}}
    with pytest.raises(RpcError, match="unknown parameter 'window'"):
        Client(1).call("debug.seek", **refused)


def test_a_notification_is_not_a_state_that_was_sent() -> None:
    client = Client(2)
    client.call("debug.open", language="brainfuck", program="+++")
    request = Request("debug.step", {"debug": "d1"}, is_notification=True)
    dispatch(METHODS, Call(request, client.connection, lambda _method, _params: None))
    view = client.call("debug.step", debug="d1")["view"]
    assert (view["state"], view["since"], view["step"]) == (2, 1, 2)


@pytest.mark.slow
def test_a_large_state_is_not_remembered() -> None:
    client = Client(2)
    window = {"width": 512, "height": 512, "corner": [0, 0]}
    program = "\n".join(["z" * 512] * 512)
    client.call("debug.open", language="befunge-98", program=program)
    assert "since" not in client.call("debug.view", debug="d1", window=window, since=0)
    whole = client.call("debug.view", debug="d1", window=window)
    assert "since" not in whole
    assert len(whole["panels"][0]["rows"]) == 512


def test_debug_printed_and_debug_read_run_the_program() -> None:
    echo = {"language": "brainfuck", "program": ">" * 9000 + ",[.,]", "stdin": "ab"}
    compact, whole = Client(2), Client(1)
    for client in (compact, whole):
        client.call("debug.open", **echo)
    assert whole.call("debug.printed", debug="d1", byte=1) == {"step": None}
    assert compact.call("debug.printed", debug="d1", byte=1) == {"step": 9007}
    assert compact.call("debug.read", debug="d1", byte=1) == {"step": 9004}
    assert compact.call("debug.view", debug="d1", fields=["step"])["step"] == 0
    whole.call("debug.continue", debug="d1")
    assert whole.call("debug.printed", debug="d1", byte=1) == {"step": 9007}
    missing = compact.call("debug.printed", debug="d1", byte=2)
    assert missing == {"step": None, "stopped": [{"kind": "end", "text": "the program ended"}]}
    compact.call("debug.open", language="brainfuck", program="+[]")
    late = compact.call("debug.printed", debug="d2", byte=0, budget=5000)
    assert (late["step"], late["stopped"][0]["kind"]) == (None, "budget")
    again = compact.call("debug.printed", debug="d2", byte=0, budget=5000)
    assert again["stopped"][0]["text"] == late["stopped"][0]["text"] == "5000 steps executed"
    compact.call("debug.open", language="brainfuck", program=",.", closed=False)
    waits = compact.call("debug.printed", debug="d3", byte=0)
    assert (waits["step"], waits["stopped"][0]["kind"]) == (None, "needs_input")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Client]:
    """A client of version 2 that started the session ``id``, of two problems."""
    client = Client(2, Connection(store=tmp_path / "store.sqlite"))
    started = client.call("session.init", language="brainfuck", problems=["E01", "E02"])
    client.session = started["session"]
    yield client
    client.connection.sessions.close()
    client.connection.close()


def test_head_and_options_are_sent_when_they_change(session: Client) -> None:
    first = session.call("session.fetch", session=session.session)
    assert "head" not in session.call("session.status", session=session.session)
    ran = session.call("session.run", session=session.session, program=".")
    assert ran["head"] != first["head"]
    assert ran["options"]["cell"] == 8
    again = session.call("session.run", session=session.session, program=".")
    assert "options" not in again
    detailed = session.call("session.run", session=session.session, program=".", details=True)
    assert detailed["options"] == ran["options"]
    assert "head" not in session.call("session.status", session=session.session)
    one = session.call("run", language="brainfuck", program=".")
    other = session.call("run", language="brainfuck", program=".", options={"cell": 16})
    assert ("options" in one, "options" in other) == (True, True)
    assert "options" not in session.call(
        "run", language="brainfuck", program="+", options={"cell": 16}
    )


def test_the_status_is_short_without_details(session: Client) -> None:
    session.call("session.fetch", session=session.session)
    status = session.call("session.status", session=session.session)
    assert len(json.dumps(status)) <= 600
    assert (status["current"], status["submissions_left"]) == ("E01", 3)
    detailed = session.call("session.status", session=session.session, details=True)
    assert len(detailed["problems"]) == 2
    reason = "x" * 400
    session.connection.sessions.accept_visible_processes(session.session, reason)
    status = session.call("session.status", session=session.session)
    assert len(json.dumps(status)) <= 600
    detailed = session.call("session.status", session=session.session, details=True)
    assert detailed["visible_processes"] == reason


def test_the_end_of_a_session_is_a_result(session: Client) -> None:
    for problem in ("E01", "E02"):
        session.call("session.fetch", session=session.session)
        for _ in range(3):
            session.call("session.submit", session=session.session, problem=problem, program="+")
    ended = session.call("session.fetch", session=session.session)
    assert (ended["ended"], ended["closed"], ended["counts"]["failed"]) == (True, True, 2)
    for method, params in (
        ("session.run", {"program": "+"}),
        ("session.fetch", {"problem": "E01"}),
    ):
        with pytest.raises(RejectedCommand):
            session.call(method, session=session.session, **params)
    session.connection.use_version(1)
    with pytest.raises(RejectedCommand):
        session.call("session.fetch", session=session.session)


@pytest.mark.parametrize(
    ("requested", "chosen"), [(None, "1"), (1, "1"), ("2", "2"), (3, "2"), ("1.5", "1"), (0, "1")]
)
def test_the_client_chooses_the_version(requested: str | int | None, chosen: str) -> None:
    client = Client(2)
    answer = client.call("initialize", protocol_version=requested)
    assert answer["protocol_version"] == chosen
    assert answer["capabilities"]["protocol_versions"] == ["1", "2"]
    assert (client.connection.presentation is None) == (chosen == "1")
