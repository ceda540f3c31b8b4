"""The protocol on a table of toy methods: order, errors, batches, cancelling, progress."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rpc_client import Client, exchange
from rpc_toys import ALIVE, ALIVE_ANSWER, TOYS, answers, code, request

from esoplay.rpc import connection as calls
from esoplay.rpc import server
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.protocol import MAX_BATCH, InvalidRequest, Request, parse_message
from esoplay.rpc.table import Method
from esoplay.rpc.transport import MAX_LINE_BYTES


def test_a_request_is_answered_with_its_id() -> None:
    assert answers(request("echo", 7, text="ab", times=2)) == [
        {"jsonrpc": "2.0", "id": 7, "result": "abab"}
    ]


@pytest.mark.parametrize("id", ["a", 0, -1, 2.5, None, "\U0001f600", 10**18])
def test_an_answer_has_the_id_of_its_request_unchanged(id: Any) -> None:
    assert answers(request("echo", id))[0]["id"] == id


def test_answers_keep_the_order_of_requests() -> None:
    found = answers(b"".join(request("echo", number) for number in range(200)))
    assert [answer["id"] for answer in found] == list(range(200))


def test_a_last_line_without_newline_is_answered() -> None:
    assert exchange(ALIVE.rstrip(b"\n"), TOYS) == [ALIVE_ANSWER]


def test_blank_lines_and_carriage_returns_are_ignored() -> None:
    assert answers(b"\n  \n\r\n" + request("echo").replace(b"\n", b"\r\n")) == [
        {"jsonrpc": "2.0", "id": 1, "result": ""}
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b'{"jsonrpc": "2.0", "id": 1, "meth',
        b"\xff\xfe\x00",
        b'{"jsonrpc": "2.0", "id": "\xed\xa0\x80", "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": NaN, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": -Infinity, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": 1e999, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b', "method": "echo"}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"[" * 100_000 + b"]" * 100_000,
        b"\x00",
        b"{} {}",
        b"'single'",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_invalid_json_is_a_parse_error(line: bytes) -> None:
    (answer,) = answers(line)
    assert answer["error"]["code"] == -32700
    assert answer["id"] is None


def test_an_escaped_pair_of_surrogates_is_a_character() -> None:
    line = b'{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"text": "\\ud83d\\ude00"}}'
    assert answers(line)[0]["result"] == "\U0001f600"


def test_an_unpaired_surrogate_in_a_parameter_is_refused_under_the_id() -> None:
    bad = b'{"jsonrpc": "2.0", "id": 7, "method": "echo", "params": {"n": 1, "text": ["\\ud83d"]}}'
    good = b'{"jsonrpc": "2.0", "id": 8, "method": "echo", "params": {"text": "x"}}'
    error = {"code": -32602, "message": "parameter 'text' has an unpaired surrogate"}
    assert answers(bad)[0] == {"jsonrpc": "2.0", "id": 7, "error": error}
    (batch,) = answers(b"[" + good + b"," + bad + b"]")
    assert [(each["id"], "error" in each) for each in batch] == [(8, False), (7, True)]
    for outside in (
        b'{"jsonrpc": "2.0", "id": "\\udc00", "method": "echo"}',
        bad[:-2] + b'}, "\\ud800": 1}',
    ):
        assert (answers(outside)[0]["id"], answers(outside)[0]["error"]["code"]) == (None, -32700)


def test_a_surrogate_at_any_depth_gets_an_answer() -> None:
    """Where decoding and encoding reach the recursion limit at different depths, too."""
    limit = sys.getrecursionlimit()
    for text in (b'"\\ud83d"', b'"\\ud83d\\ude00"'):
        for depth in range(limit // 2, limit + 10):
            nested = b"[" * depth + text + b"]" * depth
            line = (
                b'{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"x": ' + nested + b"}}"
            )
            assert isinstance(parse_message(line), Request | InvalidRequest)


def test_a_huge_line_is_refused_and_the_next_one_served() -> None:
    assert code(b"x" * (MAX_LINE_BYTES + 1)) == -32700


@pytest.mark.parametrize(
    "line",
    [
        b"1",
        b"null",
        b'"text"',
        b"{}",
        b"[]",
        b'{"jsonrpc": "1.0", "id": 1, "method": "echo"}',
        b'{"jsonrpc": 2.0, "id": 1, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 5}',
        b'{"jsonrpc": "2.0", "id": true, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": [1], "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "echo"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": "text"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": ["text"]}',
        b'{"jsonrpc": "2.0", "id": 1, "result": "an answer, not a request"}',
    ],
)
def test_json_that_is_not_a_request_is_invalid(line: bytes) -> None:
    assert code(line) == -32600


def test_an_invalid_request_keeps_a_valid_id() -> None:
    assert answers(b'{"jsonrpc": "2.0", "id": 9, "method": null}')[0]["id"] == 9


def test_an_unknown_method_is_named() -> None:
    (answer,) = answers(request("no.such"))
    assert answer["error"] == {"code": -32601, "message": "there is no method 'no.such'"}


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"tetx": "a"}, "'tetx'"),
        ({"text": 5}, "text must be a string, not a number"),
        ({"text": True}, "text must be a string, not a boolean"),
        ({"text": ["a"]}, "text must be a string, not an array"),
        ({"times": "3"}, "times must be an integer, not a string"),
        ({"times": 1.0}, "times must be an integer"),
        ({"times": True}, "times must be an integer, not a boolean"),
        ({"times": 10}, "times must be between 0 and 9"),
        ({"x" * 5_000: 1}, "…"),
    ],
)
def test_a_wrong_parameter_is_named(params: dict[str, Any], named: str) -> None:
    (answer,) = answers(request("echo", **params))
    assert answer["error"]["code"] == -32602
    assert named in answer["error"]["message"]
    assert len(answer["error"]["message"]) < 300


@pytest.mark.parametrize(
    ("items", "named"),
    [
        (None, "'items' is missing"),
        ([{"n": 1}, {"n": "x"}], "items[1].n must be an integer"),
        ([{"m": 1}], "'items[0].m'"),
        ([{}] * 3, "items must have at most 2"),
        ({"n": 1}, "items must be an array, not an object"),
    ],
)
def test_a_wrong_nested_parameter_is_named_by_its_path(items: Any, named: str) -> None:
    (answer,) = answers(request("nested", items=items))
    assert answer["error"]["code"] == -32602
    assert named in answer["error"]["message"]


def test_a_null_parameter_counts_as_omitted() -> None:
    assert answers(request("echo", text=None, times=None))[0]["result"] == ""


def test_domain_errors_carry_their_kind() -> None:
    (answer,) = answers(request("unknown"))
    assert answer["error"] == {
        "code": -32000,
        "message": "no problem 'Z99'",
        "data": {"kind": "unknown_problem"},
    }


@pytest.mark.parametrize("method", ["explode", "die"])
def test_a_defect_is_logged_and_not_shown(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = answers(request(method))
    assert answer["error"]["code"] == -32603
    assert answer["error"]["data"] == {"kind": "internal_error"}
    assert "secret" not in json.dumps(answer)
    assert "Traceback" in capsys.readouterr().err


def test_notifications_are_executed_and_never_answered() -> None:
    executed: list[str] = []
    methods = TOYS | {"note": Method("note", lambda call: executed.append("note"))}
    lines = [
        b'{"jsonrpc": "2.0", "method": "note"}',
        b'{"jsonrpc": "2.0", "method": "no.such"}',
        b'{"jsonrpc": "2.0", "method": "echo", "params": {"text": 1}}',
        b'[{"jsonrpc": "2.0", "method": "note"}, {"jsonrpc": "2.0", "method": "note"}]',
    ]
    assert exchange(b"\n".join(lines) + b"\n" + ALIVE, methods) == [ALIVE_ANSWER]
    assert executed == ["note"] * 3


def test_a_batch_is_answered_in_one_line() -> None:
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"text": "a"}},
        5,
        {"jsonrpc": "2.0", "method": "echo"},
        {"jsonrpc": "2.0", "id": 2, "method": "no.such"},
        {"jsonrpc": "2.0", "id": 3, "method": "echo", "params": {"text": "b"}},
    ]
    (found,) = answers(json.dumps(batch).encode())
    assert [answer["id"] for answer in found] == [1, None, 2, 3]
    assert [answer.get("result", answer.get("error", {}).get("code")) for answer in found] == [
        "a",
        -32600,
        -32601,
        "b",
    ]


def test_each_invalid_item_of_a_batch_gets_an_error_and_a_batch_is_bounded() -> None:
    (found,) = answers(b"[1, null, [], {}]")
    assert [answer["error"]["code"] for answer in found] == [-32600] * 4
    assert code(b"[" + b"1," * MAX_BATCH + b"1]") == -32600


def test_a_batch_s_answers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_ANSWER_BYTES", 300)
    calls = [
        {"jsonrpc": "2.0", "id": id, "method": "echo", "params": {"text": "x" * 100}}
        for id in range(6)
    ]
    (found,) = answers(json.dumps(calls).encode())
    assert [answer["id"] for answer in found] == list(range(6))
    assert ["result" in answer for answer in found] == [True, True, True, False, False, False]
    assert {answer["error"]["data"]["kind"] for answer in found[3:]} == {"limit"}


def test_a_solver_may_call_only_marked_methods() -> None:
    connection = Connection(solver_session="s")
    found = answers(request("spin") + request("no.such") + request("echo"), connection)
    assert found[0]["error"]["data"] == {"kind": "rejected_command"}
    assert found[1]["error"]["code"] == -32601
    assert found[2]["result"] == ""


def test_cancel_ends_a_running_request(connect: Callable[..., Client]) -> None:
    client = connect(TOYS)
    spinning = client.send("spin")
    while client.message()["params"]["id"] != spinning:
        pass
    cancel = client.send("cancel", id=spinning)
    found = {answer["id"]: answer for answer in (client.answer(), client.answer())}
    assert found[cancel]["result"] == {"cancelled": True}
    assert found[spinning]["error"]["data"] == {"kind": "cancelled"}


def test_cancel_takes_a_waiting_request_out_of_the_queue(connect: Callable[..., Client]) -> None:
    client = connect(TOYS)
    spinning = client.send("spin")
    waiting = client.send("echo")
    assert client.answer(client.send("cancel", id=waiting))["result"] == {"cancelled": True}
    client.send("cancel", id=spinning)
    found = {answer["id"]: answer for answer in (client.answer() for _ in range(3))}
    assert found[waiting]["error"]["data"] == {"kind": "cancelled"}


def test_cancel_of_a_finished_request_is_reported(connect: Callable[..., Client]) -> None:
    client = connect(TOYS)
    done = client.send("echo")
    client.answer(done)
    assert client.call("cancel", id=done) == {"cancelled": False}
    assert client.refuse("cancel", id=[1])["code"] == -32602
    assert client.refuse("cancel")["code"] == -32602


def test_progress_comes_before_its_answer_and_counts_up(
    connect: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "PROGRESS_SECONDS", 0.0)

    def work(call: Call) -> str:
        for done in range(5):
            assert call.tick(done, 5)
        return "done"

    client = connect(TOYS | {"work": Method("work", work)})
    id = client.send("work")
    assert client.answer(id)["result"] == "done"
    assert client.notifications == [
        {"jsonrpc": "2.0", "method": "progress", "params": {"id": id, "done": done, "total": 5}}
        for done in range(5)
    ]
    client.send_line('{"jsonrpc": "2.0", "method": "work"}')
    client.notifications.clear()
    client.call("echo")
    assert client.notifications == []


def test_the_end_of_input_ends_an_endless_request(connect: Callable[..., Client]) -> None:
    connect(TOYS, drain_seconds=0.0).send("spin")


def test_ctrl_c_ends_a_server_whose_client_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "INTERRUPT_SECONDS", 0.01)
    stuck, free = threading.Event(), threading.Event()
    lines = [request("echo", text="x")]

    def read(size: int) -> bytes:
        if lines:
            return lines.pop()
        stuck.wait()
        raise KeyboardInterrupt

    def write(data: bytes) -> None:
        stuck.set()
        free.wait()

    with pytest.raises(KeyboardInterrupt):
        server.RpcServer(TOYS, Connection(), read, write).serve()
    free.set()


def test_a_client_that_stops_reading_ends_the_server() -> None:
    from esoplay.rpc.server import RpcServer

    def write(data: bytes) -> None:
        raise BrokenPipeError

    forever = threading.Event()
    lines = iter([request("spin"), request("echo", 2)])

    def read(size: int) -> bytes:
        line = next(lines, None)
        if line is None:
            # Input stays open: only the broken output can end the spinning request.
            worker = next(t for t in threading.enumerate() if t.name == "esoplay-rpc")
            while (
                not forever.wait(0.01) and worker.is_alive() and not server.client_is_disconnected
            ):
                pass
            return b""
        return line

    server = RpcServer(TOYS, Connection(), read, write)
    server.serve()
    assert server.client_is_disconnected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)
almost_requests = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | json_values,
        "id": st.integers() | json_values,
        "method": st.sampled_from(["echo", "nested", "cancel", "initialize"]) | json_values,
        "params": st.fixed_dictionaries(
            {}, optional={"text": json_values, "times": json_values, "items": json_values}
        )
        | json_values,
    },
)
lines = st.one_of(
    st.binary(max_size=60),
    st.text(alphabet='{}[]":,\\ud8eE+-.019tfn \n\r', max_size=40).map(str.encode),
    (almost_requests | st.lists(almost_requests, max_size=3)).map(lambda m: json.dumps(m).encode()),
    st.builds(lambda m, n: json.dumps(m).encode()[:n], almost_requests, st.integers(0, 60)),
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.lists(lines, max_size=6))
def test_the_stream_survives_any_input(data: list[bytes]) -> None:
    for message in answers(b"\n".join(data)):
        for answer in message if isinstance(message, list) else [message]:
            assert answer["jsonrpc"] == "2.0"
            assert ("result" in answer) != ("error" in answer)
            assert answer.get("error", {}).get("code") != -32603
