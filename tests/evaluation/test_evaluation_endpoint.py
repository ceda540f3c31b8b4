"""What leaves for an endpoint, and when its answer is given up."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from pathlib import Path

import httpx2
import pytest
from scripted_models import Reply, serving
from shell import ROOT

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.evaluation.endpoint import Endpoint, LimitedTransport
from esoplay.evaluation.model import (
    MAX_ANSWER_BYTES,
    Message,
    RequestDeclined,
    Unavailable,
    proxy_for,
)

HELLO = [Message("user", "Hello?")]
KEY = "sk-0123456789"
COMPLETION = json.dumps({"choices": [{"message": {"content": "Hi"}}]}).encode()
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(COMPLETION), COMPLETION)


@contextmanager
def serving_bytes(
    *pieces: bytes, more: Iterable[bytes] = (), context: ssl.SSLContext | None = None
) -> Generator[tuple[str, list[bytes]]]:
    """A server that says these bytes to one client after the other, until that hangs up.

    Yields its address and what it was sent.
    """
    heard: list[bytes] = []
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                client = server.accept()[0]
                with client, suppress(OSError):  # the client has hung up
                    if done.is_set():
                        return
                    if context is not None:
                        client = context.wrap_socket(client, server_side=True)
                    heard.append(client.recv(1 << 16))
                    for piece in chain(pieces, more):
                        client.sendall(piece)
                    client.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}", heard
        finally:
            done.set()
            socket.create_connection(server.getsockname()).close()
            thread.join()


def dripping(piece: bytes) -> Iterator[bytes]:
    pause = threading.Event()
    while not pause.wait(0.02):
        yield piece


@pytest.mark.parametrize(
    ("begun", "drip"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X-Wait: yes\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"HTTP/1.1 500 Oh\r\n\r\n", b" "),
    ],
    ids=["headers", "body", "no length", "error"],
)
def test_an_answer_that_arrives_too_slowly_ends_at_the_time_limit(
    begun: bytes, drip: bytes
) -> None:
    with (
        serving_bytes(begun, more=dripping(drip)) as (place, _),
        pytest.raises(Unavailable, match=r"no complete answer within 0\.2 s"),
    ):
        Endpoint(f"http://{place}", "m", timeout=0.2).ask(HELLO, None)


def test_an_endless_answer_is_read_up_to_the_length_limit() -> None:
    endless = repeat(b"x" * (1 << 20))
    with (
        serving_bytes(b"HTTP/1.1 200 OK\r\n\r\n", more=endless) as (place, _),
        pytest.raises(RequestDeclined, match=f"longer than {MAX_ANSWER_BYTES} bytes"),
    ):
        Endpoint(f"http://{place}", "m").ask(HELLO, None)
    with (
        serving_bytes(b"HTTP/1.1 503 Busy\r\n\r\n", more=endless) as (place, _),
        pytest.raises(Unavailable, match=r"^503: xxx.* …$"),
    ):
        Endpoint(f"http://{place}", "m").ask(HELLO, None)


def test_a_compressed_answer_is_not_decompressed() -> None:
    packed = gzip.compress(COMPLETION.replace(b"Hi", b" " * (MAX_ANSWER_BYTES + 1)))
    reply = Reply(None, 200, packed, (("Content-Encoding", "gzip"),))
    with (
        serving(lambda messages: reply) as served,
        pytest.raises(Unavailable, match="the answer is not valid JSON"),
    ):
        Endpoint(served.url, "m").ask(HELLO, None)
    assert served.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("body", [b"\x1f\x8b", b"", b"\x00\xff" * 9])
def test_a_connection_that_ends_during_an_answer_is_reported(body: bytes) -> None:
    begun = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with server.accept()[0] as client:
                client.recv(1 << 16)
                client.sendall(begun + body)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(Unavailable, match="no answer: "):
            Endpoint(f"http://127.0.0.1:{server.getsockname()[1]}", "m").ask(HELLO, None)
        thread.join()


@pytest.mark.parametrize("host", ["127.0.0.1:1", "a..b", f"{'x' * 70}.invalid"])
def test_an_unreachable_endpoint_is_retried(host: str) -> None:
    with pytest.raises(Unavailable, match=r"no answer: \S"):
        Endpoint(f"http://{host}/v1", "m").ask(HELLO, None)


def test_an_error_without_a_message_is_reported_by_its_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: LimitedTransport, request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ReadError("")

    monkeypatch.setattr(LimitedTransport, "handle_request", fail)
    with pytest.raises(Unavailable, match="no answer: ReadError"):
        Endpoint("http://127.0.0.1:1/v1", "m").ask(HELLO, None)


def test_closing_stops_a_running_request() -> None:
    never, asked = threading.Event(), threading.Event()

    def hanging(messages: object) -> Reply:
        asked.set()
        return Reply("late", wait=never)

    found: list[Exception] = []
    with serving(hanging) as served:
        endpoint = Endpoint(served.url, "m")

        def ask() -> None:
            with pytest.raises(Unavailable) as caught:
                endpoint.ask(HELLO, None)
            found.append(caught.value)

        thread = threading.Thread(target=ask)
        thread.start()
        assert asked.wait(300)
        endpoint.close()
        thread.join(300)
        assert found
        with pytest.raises(Unavailable, match="aborted"):
            endpoint.ask(HELLO, None)
        assert len(served.asked) == 1
        never.set()


VARIABLES = {
    "OPENAI_API_KEY": "sk-not-this-one",
    "OPENAI_ADMIN_KEY": "sk-nor-this",
    "OPENAI_BASE_URL": "http://127.0.0.1:1/elsewhere",
    "OPENAI_ORG_ID": "org",
    "OPENAI_PROJECT_ID": "project",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer stolen\nX-More: é",
    "http_proxy": "http://127.0.0.1:1",
    "all_proxy": "http://127.0.0.1:1",
}


@pytest.mark.parametrize("key", [KEY, None])
def test_variables_of_the_environment_and_cookies_are_not_sent(
    key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    cookie = Reply("Hi", headers=(("Set-Cookie", "a=b"),))
    with serving(lambda messages: cookie) as served:
        endpoint = Endpoint(served.url, "m", key=key)
        endpoint.ask(HELLO, None)
        endpoint.ask(HELLO, None)
    names = {"Host", "Content-Length", "Content-Type", "Accept", "Accept-Encoding", "Connection"}
    for headers in served.headers:
        assert headers.pop("User-Agent").startswith("esoplay/")
        assert headers.pop("Authorization", None) == (key and f"Bearer {key}")
        assert {name.title() for name in headers} == names
    assert {name: os.environ[name] for name in VARIABLES} == VARIABLES


def test_a_key_does_not_follow_a_redirect() -> None:
    with serving_bytes(WHOLE) as (elsewhere, heard):
        there = (("Location", f"http://{elsewhere}/v1/chat/completions"),)
        with (
            serving(lambda messages: Reply(None, 307, b"", there)) as served,
            pytest.raises(UsageError, match="refuses to answer: 307"),
        ):
            Endpoint(served.url, "m", key=KEY).ask(HELLO, None)
    assert heard == []


def test_a_proxy_from_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_bytes(WHOLE) as (place, heard):
        monkeypatch.setenv("http_proxy", place)
        monkeypatch.setenv("no_proxy", "inside.invalid,other.invalid:8000")
        assert Endpoint("http://model.invalid/v1", "m").ask(HELLO, None).text == "Hi"
        assert proxy_for("http://inside.invalid:1/v1") is None
        assert proxy_for("http://other.invalid:8000/v1") is None
        assert proxy_for("http://other.invalid/v1") == f"http://{place}"
    (request,) = heard
    assert request.startswith(b"POST http://model.invalid/v1/chat/completions HTTP/1.1\r\n")
    monkeypatch.setenv("http_proxy", "gopher://me:secret@host")
    with pytest.raises(UsageError, match="cannot use the proxy in the environment") as caught:
        Endpoint("http://model.invalid/v1", "m")
    assert "secret" not in str(caught.value)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1, with its key, which is self-signed."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    names = ["-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(path), "-out", str(path.with_suffix(".crt"))]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


def test_certificates_are_checked(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving_bytes(WHOLE, context=context) as (place, heard):
        with pytest.raises(UsageError, match=f"https://{place}/.*: self.signed certificate"):
            Endpoint(f"https://{place}", "m", key=KEY).ask(HELLO, None)
        assert heard == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert Endpoint(f"https://{place}", "m", key=KEY).ask(HELLO, None).text == "Hi"
    assert f"Bearer {KEY}".encode() in heard[0]
    slow = serving_bytes(b"HTTP/1.1 200 OK\r\n", more=dripping(b"A: b\r\n"), context=context)
    with slow as (place, _), pytest.raises(Unavailable, match=r"within 0\.5 s"):
        Endpoint(f"https://{place}", "m", timeout=0.5).ask(HELLO, None)


def test_without_the_extra_no_folder_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["eval", "--language", "brainfuck", "--regime", "zero-shot", "--problems", "E01"]
    asked += ["-o", str(tmp_path / "out")]
    endpoint = ["--model", "m", "--base-url", "http://localhost:1/v1"]

    def older(name: str) -> str:
        return "2.54.0"

    with monkeypatch.context() as patched:
        patched.setattr("importlib.metadata.version", older)
        assert main([*asked, *endpoint]) == 2
    assert "pip install 'esoplay[llm]'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "esoplay.evaluation.endpoint")
    assert main([*asked, *endpoint]) == 2
    assert "pip install 'esoplay[llm]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main([*asked, "--command", "cat"]) == 0


def test_only_endpoints_load_the_client() -> None:
    """The module that imports it is imported late, and by nothing else."""
    names = re.compile(
        r"^(?P<late> *)(?:from|import) \S*(?:openai|httpx2|evaluation\.endpoint)\b", re.M
    )
    found = {
        (path.stem, bool(match["late"]))
        for path in (ROOT / "esoplay").rglob("*.py")
        for match in names.finditer(path.read_text("utf-8"))
    }
    assert found == {
        ("endpoint", False),
        ("endpoint", True),  # where its variables are hidden from the client
        ("evaluations", True),
    }
