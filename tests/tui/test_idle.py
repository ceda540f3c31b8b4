"""The tests of the screen wait for work, not for time."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest
from idle import wait_for_idle

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at threads by /proc")


async def test_working_thread_is_awaited() -> None:
    worker = threading.Thread(target=lambda: sum(range(2_000_000)))
    worker.start()
    await wait_for_idle()
    assert not worker.is_alive()


async def test_callbacks_from_a_thread_are_awaited() -> None:
    handed: list[int] = []
    loop = asyncio.get_running_loop()

    def work() -> None:
        loop.call_soon_threadsafe(handed.append, sum(range(2_000_000)))

    threading.Thread(target=work).start()
    await wait_for_idle()
    assert handed


async def test_idle_or_endless_thread_is_not_awaited() -> None:
    end = threading.Event()

    def work() -> None:
        while not end.is_set():
            sum(range(10_000))

    workers = [threading.Thread(target=end.wait), threading.Thread(target=work)]
    try:
        for worker in workers:
            worker.start()
            await wait_for_idle()
            assert worker.is_alive()
    finally:
        end.set()
        for worker in workers:
            worker.join()


@pytest.mark.slow
async def test_busy_event_loop_is_not_awaited_forever() -> None:
    loop = asyncio.get_running_loop()
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        if turns >= 0:
            loop.call_soon(turn)

    turn()
    await wait_for_idle()
    assert turns > 1
    turns = -2
