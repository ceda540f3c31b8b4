"""Headless Chromium, steered by the DevTools protocol: what a page requests, shows and receives."""

from __future__ import annotations

import asyncio
import base64
import itertools
import subprocess
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pyte

DEADLINE = 300.0
"""Seconds for whatever must come; only a hang takes that long."""

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "about:blank",
)


class Page:
    """One page.  requested: the addresses of everything that it asked for, sockets among them."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.requested: list[str] = []
        self.complaints: list[str] = []
        self.statuses: dict[str, int] = {}
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._reader = asyncio.ensure_future(self._read())

    async def open(self, url: str) -> None:
        """Load an address."""
        self._screen.reset()
        await self.call("Page.navigate", url=url)

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to one request."""
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        answer = await asyncio.wait_for(self._answers[number], DEADLINE)
        assert "error" not in answer, answer
        return answer["result"]

    async def value(self, expression: str) -> Any:
        """The value of an expression, or of its promise, in the page."""
        answer = await self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        """Until a condition holds."""
        async with asyncio.timeout(DEADLINE):
            while not condition():
                await asyncio.sleep(0.05)

    async def wait_for_text(self, text: str) -> None:
        """Until the terminal in the page shows ``text``."""
        try:
            await self.wait_for(lambda: text in self.text)
        except TimeoutError:
            raise AssertionError(f"{text!r} did not appear in:\n{self.text}") from None

    async def type(self, text: str) -> None:
        """Press the keys of printable characters."""
        for letter in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def press(self, key: str, code: int, *, control: bool = False) -> None:
        """Press a key that types nothing, by its name and its number."""
        told = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 2 * control}
        await self.call("Input.dispatchKeyEvent", type="rawKeyDown", **told)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    async def screenshot(self, path: Path) -> None:
        """Write a picture of the page."""
        answer = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))

    @property
    def text(self) -> str:
        """The terminal's cells, from the bytes that the page received."""
        return "\n".join(self._screen.display)

    async def _read(self) -> None:
        with suppress(asyncio.CancelledError):
            async for message in self._socket:
                self._take(message.json())

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers.pop(message["id"]).set_result(message)
            return
        event = message["params"]
        match message["method"]:
            case "Network.requestWillBeSent":
                self.requested.append(event["request"]["url"])
            case "Network.webSocketCreated":
                self.requested.append(event["url"])
                size = parse_qs(urlsplit(event["url"]).query)
                if "width" in size:
                    self._screen.resize(int(size["height"][0]), int(size["width"][0]))
            case "Network.responseReceived":
                self.statuses[event["response"]["url"]] = event["response"]["status"]
            case "Network.webSocketFrameReceived" if event["response"]["opcode"] == 2:
                self._stream.feed(base64.b64decode(event["response"]["payloadData"]))
            case "Log.entryAdded" if event["entry"]["level"] == "error":
                self.complaints.append(event["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.complaints.append(str(event["exceptionDetails"]))
            case _:
                pass


@asynccontextmanager
async def chromium(browser: str, folder: Path, size: tuple[int, int]) -> AsyncGenerator[Page]:
    """A page of a browser with a profile of its own; ``size`` is in pixels."""
    options = [*OPTIONS[:-1], f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}"]
    process = subprocess.Popen(
        [browser, *options, OPTIONS[-1]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        port = await _port(folder / "DevToolsActivePort")
        async with aiohttp.ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{port}/json/list") as answer:
                targets = await answer.json()
            address = next(one for one in targets if one["type"] == "page")["webSocketDebuggerUrl"]
            async with client.ws_connect(address, max_msg_size=0) as socket:
                page = Page(socket)
                for domain in ("Page", "Network", "Runtime", "Log"):
                    await page.call(f"{domain}.enable")
                yield page
    finally:
        process.terminate()
        process.wait(DEADLINE)


async def _port(file: Path) -> int:
    async with asyncio.timeout(DEADLINE):
        while not (file.exists() and file.read_text("ascii").count("\n")):
            await asyncio.sleep(0.05)
    return int(file.read_text("ascii").splitlines()[0])
