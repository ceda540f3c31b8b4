"""Clients that send batches of endless runs and read little or nothing (trust.md, row 4)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from unread_batches import MEBIBYTE, Flood, MemoryFigures, Server, flood, request, serving

pytestmark = pytest.mark.needs("linux")

MAX_BYTES = 150 * MEBIBYTE
BACK = 20 * MEBIBYTE
PATIENCE = 90.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def test_a_client_that_reads_nothing_has_one_request_executed(server: Server) -> None:
    """Memory stays small while another client gets its answers, and is free when they leave."""
    start, deaf, answered = server.resident, 4, 15
    session = server.call("session.init", language="brainfuck", protocol="practice")["session"]
    server.call("session.fetch", session=session)
    run = {"session": session, "program": "+[.]"}
    batch = b"[" + b",".join(request("session.run", run, id) for id in range(40)) + b"]\n"
    clients = [server.connect() for _ in range(deaf)]
    for client in clients:
        client.sendall(batch)
    with server.connect() as reader, reader.makefile("rb") as lines:
        for _ in range(answered):  # in turn with the others: so many runs each would have had
            reader.sendall(request("session.run", run) + b"\n")
            assert json.loads(lines.readline())["result"]["status"] == "output_limit"
        most = server.resident
        reader.sendall(request("session.status", {"session": session}) + b"\n")
        (problem,) = (
            row
            for row in json.loads(lines.readline())["result"]["problems"]
            if row["problem"] == "E01"
        )
    assert most <= MAX_BYTES
    assert problem["runs"] - answered <= deaf
    for client in clients:
        client.close()
    deadline = time.monotonic() + PATIENCE
    while server.resident > start + BACK:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def attack(server: Server, how: Flood, *, seconds: float, leave: float) -> MemoryFigures:
    """Flood for ``seconds`` or until the server is too large; look ``leave`` seconds later."""
    end = time.monotonic() + seconds
    gone: list[float] = []

    def back(start: int, now: int) -> bool:
        gone.append(time.monotonic())
        return gone[-1] > gone[0] + leave

    return flood(
        server, how, go_on=lambda most: most <= MAX_BYTES and time.monotonic() < end, back=back
    )


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("method", "program"), [("session.run", "+[.]"), ("run", "+[.,>]")])
def test_twelve_clients_that_read_nothing_use_bounded_memory(
    server: Server, method: str, program: str
) -> None:
    how = Flood(method=method, program=program)
    figures = attack(server, how, seconds=20, leave=60)
    assert figures.most <= MAX_BYTES
    assert figures.after <= figures.start + BACK


@pytest.mark.opt_in
@pytest.mark.timeout(900)
@pytest.mark.skipif("ESOPLAY_UNREAD_BATCHES" not in os.environ, reason="ESOPLAY_UNREAD_BATCHES")
@pytest.mark.parametrize("read", [0, 200_000])
def test_the_whole_attack_uses_bounded_memory(server: Server, read: int) -> None:
    """Who reads 200 KB every 40 seconds is let go, as is who reads nothing."""
    figures = attack(server, Flood(read=read), seconds=200, leave=60)
    assert figures.most <= MAX_BYTES
    assert figures.after <= figures.start + BACK
    assert figures.left == Flood().clients
