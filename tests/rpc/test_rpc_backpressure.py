"""Clients that do not read: what is held for them, what waits, and who is let go."""

from __future__ import annotations

import io
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rpc_client import Client
from rpc_toys import TOYS, request

from esolangs.limits import Limits
from esoplay.programs.execution import outcome_as_json
from esoplay.rpc import answers, server, transport, unix_socket
from esoplay.rpc import connection as calls
from esoplay.rpc.answers import (
    Base64,
    EncodedMessage,
    LazyText,
    Spool,
    StoredBytes,
    is_utf8,
    resolve_texts,
)
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.protocol import InvalidRequest, parse_message
from esoplay.rpc.server import RpcServer
from esoplay.rpc.table import Method
from esoplay.rpc.transport import (
    MAX_SMALL_LINE,
    UNTRACKED_BYTES,
    ConnectionQuota,
    LineReader,
    LineWriter,
    RequestQueue,
    RequestWork,
    estimate_memory,
)
from esoplay.rpc.unix_socket import MIN_BYTES_PER_SECOND, SEND_SECONDS, ClientLag
from esoplay.running.run import run_source

PATIENCE = 60.0


def dumped(message: Any) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii")


def encoded(message: Any) -> bytes:
    return b"".join(EncodedMessage(message).pieces())


def spooled(data: bytes) -> Spool:
    spool = Spool()
    spool.write(data)
    return spool


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.002)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.builds(str.__mul__, st.text(min_size=1, max_size=3), st.just(30_000)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(result=values, held=st.sampled_from([0, 100_000, answers.MAX_IN_MEMORY]))
def test_an_answer_in_pieces_is_what_json_writes(result: Any, held: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "MAX_IN_MEMORY", held)
        message = {"jsonrpc": "2.0", "id": 1, "result": result, "again": {"1": [result]}}
        assert encoded(message) == dumped(message)


def test_values_without_json_form_are_refused_at_once() -> None:
    for wrong in (float("nan"), {"x": [object()]}, {1: {2}}):
        with pytest.raises((ValueError, TypeError)):
            EncodedMessage({"result": wrong})
    assert encoded({"result": {1: "x", None: 2}}) == dumped({"result": {1: "x", None: 2}})


@given(data=st.binary(max_size=300) | st.text().map(str.encode), times=st.sampled_from([1, 900]))
def test_printed_bytes_are_decoded_as_in_one_go(data: bytes, times: int) -> None:
    data *= times
    printed = spooled(data)
    text = data.decode("utf-8", "replace")
    message = {
        "stdout": LazyText(StoredBytes(printed)),
        "stdout_base64": Base64(StoredBytes(printed)),
    }
    plain = resolve_texts(message)
    assert plain["stdout"] == text
    assert encoded(message) == dumped(plain)
    assert is_utf8(printed) is (text.encode() == data)


def test_a_large_answer_waits_on_disk() -> None:
    long = "\1" * (1 << 20)
    message = {"result": {"tests": [{"got": long} for _ in range(6)], "more": ["x" * 9] * 9_000}}
    answer = EncodedMessage(message)
    assert sum(answers._to_stored_bytes(part).memory for part in answer._parts) == 0  # pyright: ignore
    assert b"".join(answer.pieces()) == dumped(message)
    small = EncodedMessage({"result": {"stdout": long}})
    assert (
        0
        < sum(answers._to_stored_bytes(part).memory for part in small._parts)
        <= answers.MAX_IN_MEMORY
    )  # pyright: ignore


@pytest.mark.parametrize("program", ["+[.]", "-.", "+++.", ">-.<+++."])
def test_the_answer_of_run_has_the_members_of_an_outcome_in_order(ask: Any, program: str) -> None:
    """In the same order, with base64 where the output is not UTF-8."""
    ours = ask.client.call(
        "run", language="brainfuck", program=program, limits={"output": 1000, "steps": 5000}
    )
    limits = Limits(steps=5000, output=1000)
    theirs = outcome_as_json(run_source("brainfuck", program.encode(), limits=limits))
    assert list(ours.items()) == list(theirs.items())


def test_a_run_that_reaches_its_time_limit_reports_output_input_and_memory(ask: Any) -> None:
    params = {"language": "brainfuck", "program": ",.>>+[]", "stdin": "abc"}
    answer = ask.client.call("run", **params, limits={"time": 0.1})
    assert (answer["status"], answer["stdout"], answer["input_used"]) == ("time_limit", "a", 1)
    assert answer["limit"] == {"kind": "time", "value": 0.1}
    assert answer["memory"] > 0


class Sink:
    """A client that takes what is written only while it is ``open``."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.open = threading.Event()
        self.waiting = threading.Event()

    def write(self, data: bytes) -> None:
        if not self.open.is_set():
            self.waiting.set()
            assert self.open.wait(PATIENCE)
        self.data += data

    @property
    def lines(self) -> list[bytes]:
        return bytes(self.data).splitlines()


class Source:
    """What a client sends: given by the test, in any pieces."""

    def __init__(self, *chunks: bytes):
        self._chunks = list(chunks)
        self.ended = threading.Event()
        self.reads = 0

    def read(self, size: int) -> bytes:
        if self._chunks:
            self.reads += 1
            return self._chunks.pop(0)
        assert self.ended.wait(PATIENCE)
        return b""


def large(times: int) -> Method:
    return Method("large", lambda call: executed.append(call.request.id) or "x" * times)


executed: list[Any] = []


@pytest.fixture(autouse=True)
def _nothing_executed() -> None:
    executed.clear()


def serve(
    source: Source, sink: Sink, times: int, **more: Any
) -> tuple[RpcServer, threading.Thread]:
    methods = TOYS | {"large": large(times)}
    one = RpcServer(methods, Connection(), source.read, sink.write, **more)
    thread = threading.Thread(target=one.serve, daemon=True)
    thread.start()
    return one, thread


@pytest.mark.parametrize("batch", [False, True])
def test_nothing_is_executed_until_the_answer_before_it_is_out(batch: bool) -> None:
    lines = [request("large", id) for id in range(8)]
    whole = b"[" + b",".join(lines).replace(b"\n", b"") + b"]\n" if batch else b"".join(lines)
    source, sink = Source(whole), Sink()
    _, thread = serve(source, sink, 2 * server.LINE_BUFFER_BYTES)
    assert sink.waiting.wait(PATIENCE)
    assert executed == [0]
    sink.open.set()
    source.ended.set()
    thread.join(PATIENCE)
    assert executed == list(range(8))
    found = json.loads(sink.data) if batch else [json.loads(line) for line in sink.lines]
    assert [answer["id"] for answer in found] == executed
    wanted = [
        {"jsonrpc": "2.0", "id": id, "result": "x" * 2 * server.LINE_BUFFER_BYTES}
        for id in executed
    ]
    assert bytes(sink.data) == (
        dumped(wanted) + b"\n" if batch else b"".join(dumped(each) + b"\n" for each in wanted)
    )


def test_short_lines_are_written_after_a_long_line_has_ended() -> None:
    sink = Sink()
    sink.open.set()
    writer = LineWriter(sink.write)
    writer.begin_long_line()
    writer.write_part(b"[1,")
    writer.write_line(b"cancelled")
    writer.try_write_line(b"progress")
    writer.write_part(b"2]\n")
    writer.end_long_line(complete=True)
    writer.try_write_line(b"progress")
    assert sink.lines == [b"[1,2]", b"cancelled", b"progress"]


def test_a_request_can_be_cancelled_while_a_batch_is_being_answered(
    connect: Callable[..., Client],
) -> None:
    """The answer of ``cancel`` comes after the batch, whose answers are written as they come."""
    client = connect(TOYS | {"large": large(2 * server.LINE_BUFFER_BYTES)})
    spinning = {"jsonrpc": "2.0", "id": "s", "method": "spin"}
    batch = [json.loads(request("large", "l")), spinning]
    client.send_line(json.dumps(batch))
    until(lambda: executed)
    cancel = client.send("cancel", id="s")
    message = client.message()
    while isinstance(message, dict) and message.get("method") == "progress":
        message = client.message()
    assert [answer["id"] for answer in message] == ["l", "s"]
    assert message[1]["error"]["data"]["kind"] == "cancelled"
    assert client.answer(cancel)["result"] == {"cancelled": True}


def test_progress_is_dropped_while_the_client_takes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls, "PROGRESS_SECONDS", 0.0)
    output = io.BytesIO()
    ready = iter([True, False, False, True])

    def work(call: Call) -> str:
        return "done" if all(call.tick(done, 4) for done in range(4)) else "cancelled"

    methods = {"work": Method("work", work)}
    source = io.BytesIO(request("work"))
    RpcServer(methods, Connection(), source.read, output.write, ready=lambda: next(ready)).serve()
    *progress, answer = map(json.loads, output.getvalue().splitlines())
    assert [each["params"]["done"] for each in progress] == [0, 3]
    assert answer["result"] == "done"


def test_requests_that_wait_are_bounded_for_a_connection() -> None:
    line = request("echo", text="x" * 50_000)
    source, sink = Source(*[line] * 100), Sink()
    _, thread = serve(source, sink, 0, inbox_bytes=1_000_000)
    until(lambda: sink.waiting.is_set() and source.reads >= 18)
    thread.join(0.2)
    assert source.reads <= 1_000_000 // 50_000 + 2
    sink.open.set()
    source.ended.set()
    thread.join(PATIENCE)
    assert len(sink.lines) == 100


def work_of(size: int) -> RequestWork:
    return RequestWork((), [], False, size)


def test_connections_of_a_user_share_a_quota_for_large_waiting_requests() -> None:
    shared = ConnectionQuota(1_000_000)
    greedy = RequestQueue(8_000_000, shared, lambda: False)
    other = RequestQueue(8_000_000, shared, lambda: False)
    large = work_of(900_000)
    greedy.put(large)
    for _ in range(10):
        other.put(work_of(UNTRACKED_BYTES // 10))  # does not wait
    late = threading.Thread(target=other.put, args=(work_of(500_000),))
    late.start()
    late.join(0.1)
    assert late.is_alive()
    assert greedy.take() == large
    late.join(0.1)
    assert late.is_alive(), "it counts until it is answered"
    greedy.finish(large)
    late.join(PATIENCE)
    assert not late.is_alive()


def test_a_closed_connection_does_not_wait_for_others_of_its_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "_POLL_SECONDS", 0.01)
    shared = ConnectionQuota(1_000)
    shared.acquire(900, lambda: False)
    gone = threading.Event()
    waiting = threading.Thread(target=shared.acquire, args=(900, gone.is_set))
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    gone.set()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()


def test_an_answer_above_the_total_limit_is_sent_alone() -> None:
    shared = ConnectionQuota(1_000)
    shared.acquire(5_000, lambda: False)
    shared.release(5_000)
    shared.acquire(1_000, lambda: False)


def test_a_user_sends_one_large_line_at_a_time() -> None:
    shared = ConnectionQuota()
    half = b"x" * MAX_SMALL_LINE

    def reader(source: Source) -> LineReader:
        return LineReader(source.read, large_line=lambda: shared.reserve_large_line(lambda: False))

    first, second, small = Source(half, half), Source(half, half, b"y\n"), Source(b"small\n")
    one, two = iter(reader(first)), iter(reader(second))
    lines: list[Any] = []
    threads = [
        threading.Thread(target=lambda: lines.append(next(one)), daemon=True),
        threading.Thread(target=lambda: lines.append(next(two)), daemon=True),
    ]
    threads[0].start()
    until(lambda: first.reads == 2)
    threads[1].start()
    until(lambda: second.reads == 2 and shared.is_contended)
    assert next(iter(reader(small))) == b"small"
    assert lines == []
    first.ended.set()
    threads[0].join(PATIENCE)
    assert lines == [half + half]
    assert second.reads == 2, "until the first line was processed"
    one.close()
    threads[1].join(PATIENCE)
    assert lines[1] == half + half + b"y"
    two.close()
    assert not shared.is_contended


def test_small_lines_count_by_their_decoded_size() -> None:
    value = json.loads("[" + "[]," * 50_000 + "{}]")
    assert estimate_memory(value) > 50_000 * 56
    assert estimate_memory({"program": "x" * 1000}) < 2_000


@pytest.mark.parametrize("line", [b"[1,", b'"\xff"', b"[" * 100_000, b"1e999", b'"\\ud800"'])
def test_a_refused_line_is_not_stored(line: bytes) -> None:
    refused = parse_message(line)
    assert isinstance(refused, InvalidRequest)
    error: BaseException | None = refused.error
    assert error.__traceback__ is None
    assert error.__context__ is None


@pytest.mark.parametrize("depth", [1, 4, 5, 9])
def test_a_lazy_text_can_be_at_any_depth_of_an_answer(depth: int) -> None:
    message: Any = LazyText(StoredBytes(b"printed"))
    plain: Any = "printed"
    for level in range(depth):
        message, plain = ([message], [plain]) if level % 2 else ({"x": message}, {"x": plain})
    assert encoded({"result": message}) == dumped({"result": plain})


def test_an_answer_that_cannot_be_completed_ends_the_connection(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its call and those after it in the batch are no longer in flight."""

    class Broken(LazyText):
        def pieces(self) -> Iterator[str]:
            raise RuntimeError("the disk is gone")

    source, sink, connection = Source(batch_of("broken", "echo")), Sink(), Connection()
    sink.open.set()

    def broken(_: Call) -> LazyText:
        return Broken(StoredBytes(b"x"))

    methods = TOYS | {"broken": Method("broken", broken)}
    one = RpcServer(methods, connection, source.read, sink.write, end=source.ended.set)
    thread = threading.Thread(target=one.serve, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert (bool(connection.in_flight), sink.data) == (False, b"")
    assert "the disk is gone" in capsys.readouterr().err


def batch_of(*methods: str) -> bytes:
    lines = [request(method, id) for id, method in enumerate(methods)]
    return b"[" + b",".join(line.strip() for line in lines) + b"]\n"


@pytest.mark.parametrize("before", ["small", "large"])
def test_a_client_that_waits_for_its_large_line_does_not_count_as_slow(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is data late that is there already."""
    clock = Clock()
    shared = ConnectionQuota()
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(unix_socket, "ClientLag", lambda: ClientLag(clock))
    client = unix_socket._Client(ours, Connection(), shared)  # pyright: ignore[reportPrivateUsage]
    with ours, theirs:
        theirs.send(b"x")
        if before == "small":
            assert client._read(1) == b"x"  # pyright: ignore[reportPrivateUsage]
        else:
            with shared.reserve_large_line(lambda: False):
                assert client._read(1) == b"x"  # pyright: ignore[reportPrivateUsage]
        with waiting_for(shared):
            clock.now += 2 * SEND_SECONDS
            with shared.reserve_large_line(lambda: False):
                sender = threading.Timer(0.05, theirs.send, (b"y",))
                sender.start()
                assert client._read(1) == b"y"  # pyright: ignore[reportPrivateUsage]
                sender.join()
                clock.now += 2 * SEND_SECONDS
                theirs.send(b"z")
                assert client._read(1) == b"z"  # pyright: ignore[reportPrivateUsage]
                clock.now += 2 * SEND_SECONDS
                assert client._read(1) == b"", "now it is late"  # pyright: ignore[reportPrivateUsage]


@contextmanager
def waiting_for(shared: ConnectionQuota) -> Generator[None]:
    """Have another connection want a large line."""
    shared._large_lines += 1  # pyright: ignore[reportPrivateUsage]
    yield
    shared._large_lines -= 1  # pyright: ignore[reportPrivateUsage]


def test_a_client_without_a_free_thread_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    made: list[Connection] = []

    def connect() -> Connection:
        made.append(Connection())
        return made[-1]

    front = unix_socket._ConnectedClients(connect, {os.getuid()}, "any")  # pyright: ignore[reportPrivateUsage]
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as caller:
        listener.bind(os.fspath(tmp_path / "s"))
        listener.listen()
        caller.connect(os.fspath(tmp_path / "s"))
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            front.accept(listener)
        told = json.loads(caller.makefile("rb").readline())
    assert told["error"]["data"]["kind"] == "limit"
    assert len(made) == 1
    front.close()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def patience_of(rate: float, every: float) -> float | None:
    """When a client is let go that takes ``rate`` × ``every`` bytes each ``every`` seconds."""
    clock = Clock()
    pace = ClientLag(clock)
    pace.start()
    while clock.now < 3600:
        if pace.remaining_seconds < every:
            return clock.now
        clock.now += every
        pace.add_transfer(int(rate * every))
    return None


def test_a_slow_reader_is_disconnected_and_a_fast_enough_one_is_not() -> None:
    assert patience_of(0, 1) == pytest.approx(SEND_SECONDS, abs=1)
    slow = patience_of(200_000 / 40, 40)
    assert slow is not None
    assert slow <= 120
    assert patience_of(MIN_BYTES_PER_SECOND, 1) is None
    assert patience_of(MIN_BYTES_PER_SECOND, 50) is None, "it may come in gulps"
    assert patience_of(MIN_BYTES_PER_SECOND * 0.9, 10) is not None


def test_time_without_waiting_data_makes_up_for_slowness() -> None:
    clock = Clock()
    pace = ClientLag(clock)
    for _ in range(100):
        pace.start()
        clock.now += 50
        pace.add_transfer(1)
        clock.now += 55
    pace.start()
    assert pace.remaining_seconds > 0
