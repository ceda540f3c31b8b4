"""The process that runs the application for one page, and stops when the page closes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio import StreamReader
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

COMMAND = (
    sys.executable,
    "-P",
    "-m",
    "esoplay",
    "play",
)  # -P: do not import modules from the current folder

SHUTDOWN_SECONDS = 10.0
"""Seconds that the application has to save and exit; it is killed after twice this time."""

MAX_COLUMNS, MAX_ROWS = 1000, 500


class AppProcess(AppService):
    """The application in its own process group, connected to a WebSocket.

    The application receives only typed input, the focus and the size of the page. It cannot send
    files to the browser or open links there.
    """

    def __init__(
        self,
        write_bytes: Callable[[bytes], Coroutine[Any, Any, None]],
        close: Callable[[], Coroutine[Any, Any, None]],
        command: Sequence[str] = COMMAND,
    ) -> None:
        super().__init__(
            " ".join(command),
            write_bytes=write_bytes,
            write_str=_ignore,
            close=close,
            download_manager=DownloadManager(),
        )
        self._argv = command
        self._is_forwarding = True

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # Without a shell, and in a new group, which Ctrl-C in the server's terminal does not reach.
        self._process = process = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self._build_environment(width=width, height=height),
            start_new_session=True,
        )
        self._stdin = process.stdin
        return process

    async def run(self) -> None:
        """Forward the application's output until it exits, then close the page's socket.

        After the page is closed, output is read and discarded, because a full pipe would keep the
        application from exiting.
        """
        process = self._process
        assert process is not None
        try:
            await super().run()
        finally:
            self._is_forwarding = False
            await asyncio.gather(
                self.remote_close(), _drain(process.stdout), _drain(process.stderr)
            )

    async def on_meta(self, data: bytes) -> None:
        """Handle the message ``exit``; ignore other control messages of the application."""
        with suppress(ValueError):
            message: Any = json.loads(data)
            if isinstance(message, dict) and message.get("type") == "exit":  # pyright: ignore[reportUnknownMemberType]
                await self.remote_close()

    async def on_packed(self, payload: bytes) -> None:
        """Ignore messages with parts of files that the application offers for download."""

    async def resize(self, width: object, height: object) -> None:
        """Send the size of the page to the application; ignore invalid sizes."""
        if isinstance(width, int) and isinstance(height, int):
            await self.set_terminal_size(clamp_columns(width), clamp_rows(height))

    async def stop(self) -> None:
        """Close the application's input, so that it saves and exits; kill it if it does not exit.

        The application gets SIGTERM after ``SHUTDOWN_SECONDS``, and SIGKILL after twice this time.
        Its child processes are in the same process group, or exit when the pipes close.
        """
        process, task = self._process, self._task
        if process is None or task is None:
            return
        if self._is_forwarding:
            task.cancel()  # sending blocks if the page does not read
        assert process.stdin is not None
        process.stdin.close()  # as when a terminal is closed
        for number in (signal.SIGTERM, signal.SIGKILL):
            if await _has_exited(process, SHUTDOWN_SECONDS):
                break
            _signal_group(process.pid, number)
        _signal_group(process.pid, signal.SIGKILL)
        await process.wait()
        await asyncio.gather(task, return_exceptions=True)
        self._process = self._task = None


def clamp_columns(width: int) -> int:
    """Clamp a width in columns to the supported range."""
    return max(1, min(width, MAX_COLUMNS))


def clamp_rows(height: int) -> int:
    """Clamp a height in rows to the supported range."""
    return max(1, min(height, MAX_ROWS))


async def _has_exited(process: Process, seconds: float) -> bool:
    """Return whether a process exits within ``seconds``, even if its pipes stay open."""
    deadline = asyncio.get_running_loop().time() + seconds
    while process.returncode is None:
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def _signal_group(leader: int, signal_number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal_number)


async def _drain(stream: StreamReader | None) -> None:
    while stream is not None and await stream.read(1 << 16):
        pass


async def _ignore(_: str) -> None:
    """Discard a packet that delivers a file or opens a link."""
