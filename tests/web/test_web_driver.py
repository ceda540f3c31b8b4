"""What the application in a page gets: keys, exact pastes, sizes, and an end."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.message import Message

from esoplay.tui.app import EsoplayApp
from esoplay.tui.terminal import BytesPaste
from esoplay.tui.web_driver import ExactWebDriver


class StandIn:
    """The application, as far as the driver knows it."""

    def __init__(self) -> None:
        self.exits: list[int] = []
        self.messages: list[Message] = []

    def call_later(self, _: object, code: int) -> None:
        self.exits.append(code)

    def exit(self) -> None: ...

    def post_message(self, message: Message) -> None:
        self.messages.append(message)


class Driver(ExactWebDriver):
    """Reads what a test wrote."""

    def __init__(self) -> None:
        self._debug = False
        self.exit_event = threading.Event()
        self.app = StandIn()
        self._app: Any = self.app
        self.got: list[Message] = []

    def process_message(self, message: Message) -> None:
        self.got.append(message)


def packet(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def reading(data: bytes) -> Driver:
        # A pipe: a file cannot be waited for.
        out, into = os.pipe()
        os.write(into, data)
        os.close(into)
        with open(out, "rb", buffering=0) as stdin:
            monkeypatch.setattr("sys.__stdin__", stdin)
            driver = Driver()
            driver.run_input_thread()
        return driver

    return reading


def test_a_paste_keeps_its_bytes(read: Any) -> None:
    typed = [b"a\x1b[20", b"0~x\0y\r", b"z\x1b[201", b"~b"]
    driver = read(b"".join(packet(b"D", each) for each in typed))
    keys = [each.key for each in driver.got if isinstance(each, events.Key)]
    pastes = [each.data for each in driver.got if isinstance(each, BytesPaste)]
    assert keys == ["a", "b"]
    assert pastes == [b"x\0y\rz"]


def test_sizes_arrive_and_the_end_of_the_page_ends_the_application(read: Any) -> None:
    size = {"type": "resize", "width": 100, "height": 30}
    driver = read(packet(b"M", json.dumps(size).encode()))
    (resized,) = driver.app.messages
    assert isinstance(resized, events.Resize)
    assert tuple(resized.size) == (100, 30)
    assert driver.app.exits == [129]


def test_drawing_without_a_server_raises_no_error() -> None:
    driver = Driver()
    out, into = os.pipe()
    os.close(out)
    driver.fileno = into
    driver._write_all(b"x")  # pyright: ignore[reportPrivateUsage]
    os.close(into)


def test_textual_s_driver_for_pages_is_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("textual.constants.DRIVER", "textual.drivers.web_driver:WebDriver")
    assert EsoplayApp(tmp_path).get_driver_class() is ExactWebDriver


def test_a_web_page_counts_as_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    from esoplay.cli.output import has_screen, is_plain

    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert not has_screen()
    assert is_plain()
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert has_screen()
    assert not is_plain()
