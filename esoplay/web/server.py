"""HTTP server for the pages of the application and their WebSockets."""

from __future__ import annotations

import asyncio
import html
import signal
import socket
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any

import textual_serve
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler

from esolangs.wording import format_count
from esoplay.errors import UsageError
from esoplay.web.access import Access, is_loopback
from esoplay.web.process import COMMAND, AppProcess, clamp_columns, clamp_rows

# The browser blocks everything not listed. xterm.js adds inline styles to the page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}

NO_TOKEN = "403: missing token; open the address that `esoplay web` printed.\n"
WRONG_HOST = "403: unknown host name; `esoplay web --host-name NAME` allows it.\n"
WRONG_ORIGIN = "403: requests from other sites are not allowed.\n"

SLOT_WAIT_SECONDS = 5.0
"""Maximum seconds that a new page waits if the maximum number of pages is open.

A reload opens the new page before the old one closes.
"""

MAX_MESSAGE_BYTES = 4 << 20
"""Maximum size of a message from the browser in bytes. A paste is one message."""


class WebServer:
    """Web server that starts a process of the application for each page.

    port: the listening port.
    pages: maximum number of open pages.
    command: the command that each page runs.
    slot_wait: maximum seconds that a new page waits for another one to close.
    """

    def __init__(
        self,
        access: Access,
        *,
        port: int,
        pages: int,
        command: Sequence[str] = COMMAND,
        slot_wait: float = SLOT_WAIT_SECONDS,
    ) -> None:
        self.access = access
        self._max_pages = pages
        self._command = command
        self._slot_wait = slot_wait
        self._slots = asyncio.Semaphore(pages)
        self._stopping = False
        self._open_pages: set[web.WebSocketResponse] = set()
        self._cookie_name = f"esoplay-web-{port}"  # browsers send cookies to all ports of a host

    def application(self) -> web.Application:
        """Return the web application; it checks each request."""
        app = web.Application(middlewares=[self._check])
        statics = Path(textual_serve.__file__).parent / "static"
        app.add_routes(
            [
                web.get("/", self._serve_page),
                web.get("/ws", self._serve_socket),
                web.get("/page.css", _asset("page.css", "text/css")),
                web.get("/page.js", _asset("page.js", "text/javascript")),
                web.static("/static", statics),
            ]
        )
        app.on_response_prepare.append(_add_security_headers)
        app.on_shutdown.append(self._close_pages)
        return app

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        if not self.access.accepts_host(host):
            raise web.HTTPForbidden(text=WRONG_HOST)
        is_socket = request.path == "/ws"
        if (origin is not None or is_socket) and not self.access.accepts_origin(origin, host):
            raise web.HTTPForbidden(text=WRONG_ORIGIN)
        if not is_socket and self.access.accepts_token(request.query.get("token")):
            return self._redirect_with_cookie()
        if not self.access.accepts_cookie(request.cookies.get(self._cookie_name)):
            raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    def _redirect_with_cookie(self) -> web.Response:
        """Set a cookie, and redirect to an address without the token.

        Browsers save addresses, so the token must not stay in the address.
        """
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(
            self._cookie_name, self.access.cookie, httponly=True, samesite="Strict", path="/"
        )
        return response

    async def _serve_page(self, request: web.Request) -> web.Response:
        scheme = "wss" if request.headers.get("X-Forwarded-Proto") == "https" else "ws"
        values = {
            "socket": f"{scheme}://{request.headers['Host']}/ws",
            "font_size": str(max(6, min(_query_number(request, "fontsize", 16), 72))),
        }
        text = _read("page.html")
        for name, value in values.items():
            text = text.replace("{{" + name + "}}", html.escape(value))
        return web.Response(text=text, content_type="text/html")

    async def _serve_socket(self, request: web.Request) -> web.WebSocketResponse:
        websocket = web.WebSocketResponse(heartbeat=15, max_msg_size=MAX_MESSAGE_BYTES)
        await websocket.prepare(request)
        try:
            await asyncio.wait_for(self._slots.acquire(), self._slot_wait)
        except TimeoutError:
            pages = format_count(self._max_pages, "page")
            reason = f"{pages} can be open at a time. Close an open page first."
            await websocket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=reason.encode())
            return websocket
        if self._stopping:  # the slot was freed because the server stops
            self._slots.release()
            await websocket.close(code=WSCloseCode.GOING_AWAY, message=b"The server has stopped.")
            return websocket
        self._open_pages.add(websocket)
        process = AppProcess(
            write_bytes=websocket.send_bytes,
            close=_close_callback(websocket),
            command=self._command,
        )
        try:
            await process.start(
                clamp_columns(_query_number(request, "width", 80)),
                clamp_rows(_query_number(request, "height", 24)),
            )
            await _forward_messages(websocket, process)
        finally:
            await asyncio.shield(self._end_page(websocket, process))
        return websocket

    async def _end_page(self, websocket: web.WebSocketResponse, process: AppProcess) -> None:
        try:
            await process.stop()
        finally:
            self._open_pages.discard(websocket)
            self._slots.release()

    async def _close_pages(self, _: web.Application) -> None:
        self._stopping = True
        ending = [
            each.close(code=WSCloseCode.GOING_AWAY, message=b"The server has stopped.")
            for each in self._open_pages
        ]
        await asyncio.gather(*ending, return_exceptions=True)
        while self._open_pages:
            await asyncio.sleep(0.02)


async def serve(
    server: WebServer, listener: socket.socket, on_listening: Callable[[], None] = lambda: None
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; return after all applications have exited."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ended.set)
    # No access log, because addresses contain the token.
    runner = web.AppRunner(server.application(), access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        on_listening()
        await ended.wait()
    finally:
        await runner.cleanup()


def listen(address: str, port: int, *, allow_network: bool) -> socket.socket:
    """Return a socket that listens at an address and port.

    Raises UsageError if the system refuses, or if other computers can reach the address and
    ``allow_network`` is not set.
    """
    if not allow_network and not is_loopback(address):
        raise UsageError(
            f"--bind {address}: other machines may reach that address, and the connection is not "
            "encrypted\ntry: omit --bind and forward the port with `ssh -L`, or add "
            "--allow-network"
        )
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family)
    except OverflowError:
        raise UsageError(f"--port must be an integer from 0 to 65535, not {port}") from None
    except OSError as error:
        raise UsageError(
            f"cannot listen on {address}, port {port}: {error.strerror or error}\n"
            "try: --port 0, which chooses a free port"
        ) from None


def make_address(listener: socket.socket, token: str) -> str:
    """Return the URL to open in a browser, with the token."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={token}"


async def _forward_messages(websocket: web.WebSocketResponse, process: AppProcess) -> None:
    """Forward messages from the browser to the application until the page closes."""
    async for message in websocket:
        if message.type != WSMsgType.TEXT:
            continue
        with suppress(ValueError, LookupError, TypeError, AttributeError):
            match message.json():
                case ["stdin", str(typed)]:
                    await process.send_bytes(typed.encode("utf-8", "replace"))
                case ["resize", {"width": width, "height": height}]:
                    await process.resize(width, height)
                case ["ping", str(stamp)]:
                    await websocket.send_json(["pong", stamp])
                case ["blur"]:
                    await process.blur()
                case ["focus"]:
                    await process.focus()
                case _:
                    pass


def _close_callback(websocket: web.WebSocketResponse) -> Callable[[], Coroutine[Any, Any, None]]:
    async def close() -> None:
        await websocket.close(message=b"The application has ended.")

    return close


async def _add_security_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def _asset(name: str, content_type: str) -> Handler:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=_read(name), content_type=content_type)

    return answer


def _read(name: str) -> str:
    return resources.files("esoplay.web").joinpath(name).read_text("utf-8")


def _query_number(request: web.Request, name: str, default: int) -> int:
    try:
        return int(request.query.get(name, default))
    except ValueError:
        return default
