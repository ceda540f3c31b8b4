"""Pages: their number, what passes between one and its application, and their end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType
from shell import PATHS
from web_server import QUIET, Serve

DEADLINE = 300.0

TELLS_ITS_PID = QUIET + "import os\nsend(b'D', b'%d' % os.getpid())\nsys.stdin.read()\n"


async def ends(pid: int) -> None:
    """Wait until a process is gone."""
    async with asyncio.timeout(DEADLINE):
        while is_alive(pid):
            await asyncio.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"


async def test_a_page_above_the_limit_shows_the_reason(serve: Serve) -> None:
    async with serve(pages=1, slot_wait=0.01) as asker:
        await asker.enter()
        async with asker.socket() as first:
            await first.send_json(["stdin", "x"])
            assert await first.receive_bytes() == b"Dx"
            async with asker.socket() as second:
                ended = await second.receive()
                assert ended.type is WSMsgType.CLOSE
                assert ended.data == aiohttp.WSCloseCode.TRY_AGAIN_LATER
                assert ended.extra.startswith("1 page can be open at a time.")
            await first.send_json(["stdin", "y"])
            assert await first.receive_bytes() == b"Dy"


async def test_a_page_that_closes_makes_room(serve: Serve) -> None:
    async with serve(pages=1) as asker:
        await asker.enter()
        for letter in "abc":  # each waits for the process before it to end
            async with asker.socket() as socket:
                await socket.send_json(["stdin", letter])
                assert await socket.receive_bytes() == b"D" + letter.encode()


STARTS_ANOTHER = QUIET + (
    "import subprocess\n"
    "child = subprocess.Popen(['sleep', '10000'])\n"
    "send(b'D', b'%d' % child.pid)\nsys.stdin.read()\n"
)
FLOODS_A_CLOSED_PAGE = TELLS_ITS_PID + "for _ in range(64): send(b'D', b'x' * 65536)\n"


@pytest.mark.parametrize("code", [TELLS_ITS_PID, STARTS_ANOTHER, FLOODS_A_CLOSED_PAGE])
async def test_processes_end_with_their_page(serve: Serve, code: str) -> None:
    async with serve(code) as asker:
        await asker.enter()
        async with asker.socket() as socket:
            pid = int(await socket.receive_bytes())
            assert is_alive(pid)
        await ends(pid)


async def test_processes_end_with_the_server(serve: Serve) -> None:
    async with serve(TELLS_ITS_PID) as asker:
        await asker.enter()
        sockets = [await asker.socket() for _ in range(3)]
        pids = [int(await socket.receive_bytes()) for socket in sockets]
        closing = asyncio.ensure_future(asker.client.server.close())
        for socket in sockets:
            ended = await socket.receive()
            assert (ended.data, ended.extra) == (1001, "The server has stopped.")
        await closing
        assert not any(map(is_alive, pids))


async def test_an_application_that_ends_closes_its_page(serve: Serve) -> None:
    for code in (QUIET, QUIET + "send(b'M', b'{\"type\": \"exit\"}')\nsys.stdin.read()\n", "1 / 0"):
        async with serve(code) as asker:
            await asker.enter()
            async with asker.socket() as socket:
                ended = await socket.receive()
                assert (ended.type, ended.extra) == (WSMsgType.CLOSE, "The application has ended.")


async def test_requests_to_open_addresses_or_download_files_are_dropped(serve: Serve) -> None:
    delivers = QUIET + (
        'send(b\'M\', b\'{"type": "open_url", "url": "http://x", "new_tab": true}\')\n'
        'send(b\'M\', b\'{"type": "deliver_file_start", "key": "k", "path": "/etc/passwd",\'\n'
        '     b\'"open_method": "browser", "mime_type": "", "encoding": ""}\')\n'
        "send(b'M', b'{')\n"
        "send(b'P', b'nonsense')\n"
        "send(b'D', b'drawn')\n"
        "sys.stdin.read()\n"
    )
    async with serve(delivers) as asker:
        await asker.enter()
        async with asker.socket() as socket:
            first = await socket.receive()
            assert (first.type, first.data) == (WSMsgType.BINARY, b"drawn")
            async with asker.client.get("/download/k") as answer:
                assert answer.status == 404


async def test_invalid_messages_from_a_page_are_ignored(serve: Serve) -> None:
    async with serve() as asker:
        await asker.enter()
        async with asker.socket(params={"width": "9" * 30, "height": "-1"}) as socket:
            for text in ("", "{", "1", "[]", '["stdin"]', '["stdin", 7]', '["resize", {}]'):
                await socket.send_str(text)
            await socket.send_bytes(b"\0")
            await socket.send_json(["resize", {"width": "a", "height": None}])
            await socket.send_json(["resize", {"width": 10**9, "height": -5}])
            told = await socket.receive_bytes()
            assert told == b'M{"type": "resize", "width": 1000, "height": 1}'
            await socket.send_json(["ping", "7"])
            assert await socket.receive_json() == ["pong", "7"]


# The real command


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_no_application_outlives_the_server(number: signal.Signals) -> None:
    from shell import heed_interrupts

    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "web", "--port", "0"],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=heed_interrupts,
    )
    try:
        assert process.stdout is not None
        url = (await asyncio.to_thread(process.stdout.readline)).strip()
        origin = url.partition("/?")[0]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
            async with client.get(url) as answer:
                assert answer.status == 200
            async with client.ws_connect(f"{origin}/ws", headers={"Origin": origin}) as socket:
                drawn = b""
                while b"Hello World" not in drawn:
                    drawn += await asyncio.wait_for(socket.receive_bytes(), DEADLINE)
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
                (child,) = map(int, children.read_text("ascii").split())
                process.send_signal(number)
                assert await asyncio.to_thread(process.wait, DEADLINE) in (0, -signal.SIGKILL)
                await ends(child)
    finally:
        process.kill()
        process.wait()
