"""A server to ask, with applications that start at once."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from esoplay.web.access import Access
from esoplay.web.server import WebServer

QUIET = (
    "import sys\n"
    "out = sys.stdout.buffer\n"
    "def send(kind, data): out.write(kind + len(data).to_bytes(4, 'big') + data); out.flush()\n"
    "out.write(b'__GANGLION__\\n')\n"
)
"""The beginning of an application that draws what a test wants."""

ECHO = QUIET + (
    "while head := sys.stdin.buffer.read(5):\n"
    "    send(b'D', head[:1] + sys.stdin.buffer.read(int.from_bytes(head[1:], 'big')))\n"
)
"""Draws the packets that it gets, until its page closes."""


class Asker:
    """A browser's side of a server."""

    def __init__(self, client: TestClient[Any, Any], access: Access, server: WebServer) -> None:
        self.client = client
        self.access = access
        self.server = server

    @property
    def origin(self) -> str:
        return str(self.client.make_url("/")).rstrip("/")

    async def enter(self) -> None:
        """Open the address with the token, as after it was printed."""
        async with self.client.get("/", params={"token": self.access.token}) as answer:
            assert answer.status == 200

    def socket(self, **options: Any) -> Any:
        """The WebSocket that the page opens."""
        headers = {"Origin": self.origin}
        return self.client.ws_connect("/ws", headers=headers, **options)


Serve = Callable[..., AbstractAsyncContextManager[Asker]]


@pytest.fixture
def serve() -> Serve:
    @asynccontextmanager
    async def serving(
        code: str = ECHO, pages: int = 4, names: tuple[str, ...] = (), slot_wait: float = 300.0
    ) -> AsyncGenerator[Asker]:
        access = Access(names)
        server = WebServer(
            access,
            port=0,
            pages=pages,
            command=[sys.executable, "-S", "-c", code],
            slot_wait=slot_wait,
        )
        async with TestClient(TestServer(server.application(), host="127.0.0.1")) as client:
            yield Asker(client, access, server)

    return serving
