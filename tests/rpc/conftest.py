"""Servers to talk to, on a thread of this process or in a child process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from rpc_client import Ask, Client, CompactClient

from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.server import RpcServer
from esoplay.rpc.table import Method
from esoplay.rpc.transport import descriptor_reader, descriptor_writer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """Start a server on a thread of this process and give its client."""
    ends: list[tuple[int, int, threading.Thread]] = []

    def start(
        methods: Mapping[str, Method],
        connection: Connection | None = None,
        drain_seconds: float = 0.0,
        client: type[Client] = Client,
    ) -> Client:
        server_input, client_output = os.pipe()
        client_input, server_output = os.pipe()
        server = RpcServer(
            methods,
            connection or Connection(),
            descriptor_reader(server_input),
            descriptor_writer(server_output),
            drain_seconds,
        )

        def serve() -> None:
            server.serve()
            os.close(server_input)
            os.close(server_output)

        thread = threading.Thread(target=serve)
        thread.start()
        ends.append((client_output, client_input, thread))
        return client(
            os.fdopen(client_input, "rb", closefd=False).readline, descriptor_writer(client_output)
        )

    yield start
    for client_output, client_input, thread in ends:
        os.close(client_output)
        thread.join(300)
        os.close(client_input)
        assert not thread.is_alive()


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Start ``esoplay serve`` as a child process and give its client."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> Client:
        process = subprocess.Popen(
            [sys.executable, "-m", "esoplay", "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ
            | {
                "ESOPLAY_HOME": str(tmp_path / "home"),
                "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}",
            },
        )
        processes.append(process)
        assert process.stdin is not None
        assert process.stdout is not None
        stdin = process.stdin

        def write(data: bytes) -> None:
            stdin.write(data)
            stdin.flush()

        return Client(process.stdout.readline, write)

    yield start
    for process in processes:
        rest, _ = process.communicate(timeout=300)
        assert rest == b""
        assert process.returncode == 0


@pytest.fixture
def ask(connect: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Every method of an operator, its store in a folder of this test."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    return Ask(connect(METHODS, Connection(store=tmp_path / "store.sqlite")))


@pytest.fixture(params=[1, 2], ids=["version-1", "version-2"])
def ask_each(
    request: pytest.FixtureRequest,
    connect: Callable[..., Client],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Ask:
    """Like ``ask``, in both versions of the protocol; results have the form of version 1."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    connection = Connection(store=tmp_path / "store.sqlite")
    if request.param == 1:
        return Ask(connect(METHODS, connection))
    client = connect(METHODS, connection, client=CompactClient)
    assert isinstance(client, CompactClient)
    client.start()
    return Ask(client)
