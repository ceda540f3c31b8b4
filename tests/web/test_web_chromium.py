"""The application in a real browser: ``ESOPLAY_CHROMIUM=chromium`` names one.

``ESOPLAY_SCREENSHOTS=FOLDER`` keeps pictures of the pages.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import DEADLINE, Page, chromium
from shell import PATHS

from esoplay.learning.lessons import get_course

BROWSER = os.environ.get("ESOPLAY_CHROMIUM")

pytestmark = [
    pytest.mark.opt_in,
    pytest.mark.skipif(BROWSER is None, reason="ESOPLAY_CHROMIUM names no browser"),
]

ENTER = 13


@asynccontextmanager
async def serving(*options: str) -> AsyncGenerator[str]:
    """The address that the command prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "web", "--port", "0", *options],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield (await asyncio.to_thread(process.stdout.readline)).strip()
    finally:
        process.terminate()
        assert await asyncio.to_thread(process.wait, DEADLINE) == 0


async def keep(page: Page, name: str) -> None:
    folder = os.environ.get("ESOPLAY_SCREENSHOTS")
    if folder:
        await asyncio.sleep(1)  # only for the picture
        await page.screenshot(Path(folder) / f"{name}.png")


async def test_the_first_lesson_is_playable_and_no_other_host_is_contacted(tmp_path: Path) -> None:
    assert BROWSER is not None
    lesson = get_course("brainfuck").lesson(1)
    assert lesson.solution.step is not None
    async with (
        serving() as url,
        chromium(BROWSER, tmp_path, (1280, 800)) as page,
    ):
        await page.open(url)
        await page.wait_for_text("Hello World")
        assert "token" not in await page.value("location.href")
        await page.press("l", ord("L"), control=True)
        await page.wait_for_text(lesson.task.say[:20])
        await keep(page, "lesson")
        await page.press("Enter", ENTER)
        await page.wait_for_text("PAUSED")
        for _ in range(lesson.solution.step):
            await page.type("l")
        await page.wait_for_text(lesson.task.done_text[:20])
        await keep(page, "lesson-done")
        await page.value("document.fonts.ready.then(() => 0)")
        assert await page.value("document.fonts.check('16px \"Roboto Mono\"')")
        own = {urlsplit(url).netloc}
        asked = {urlsplit(each).netloc for each in page.requested if not each.startswith("data:")}
        assert asked == own
        assert any(each.startswith("ws://") for each in page.requested)
        assert page.complaints == []


async def test_without_the_token_there_is_a_403_and_no_socket(tmp_path: Path) -> None:
    assert BROWSER is not None
    async with (
        serving() as url,
        chromium(BROWSER, tmp_path, (1280, 800)) as page,
    ):
        bare = url.partition("?")[0]
        await page.open(bare)
        await page.wait_for(lambda: bare in page.statuses)
        assert page.statuses[bare] == 403
        async with asyncio.timeout(DEADLINE):
            while "403" not in (await page.value("document.body?.innerText") or ""):
                await asyncio.sleep(0.1)
        await keep(page, "403")
        opened = await page.value(
            "new Promise(done => { const s = new WebSocket(`ws://${location.host}/ws`);"
            "s.onopen = () => done('open'); s.onerror = () => done('refused'); })"
        )
        assert opened == "refused"
        # A page of another origin of this machine, in a browser that has the cookie.
        await page.open(url)
        await page.wait_for_text("Hello World")
        await page.open("about:blank")
        opened = await page.value(
            f"new Promise(done => {{ const s = new WebSocket('{bare.replace('http', 'ws')}ws');"
            "s.onopen = () => done('open'); s.onerror = () => done('refused'); })"
        )
        assert opened == "refused"


async def test_a_page_beyond_the_limit_shows_the_limit(tmp_path: Path) -> None:
    assert BROWSER is not None
    async with (
        serving("--pages", "1") as url,
        chromium(BROWSER, tmp_path / "a", (800, 600)) as first,
        chromium(BROWSER, tmp_path / "b", (800, 600)) as second,
    ):
        await first.open(url)
        await first.wait_for_text("Hello World")
        await first.open(url)  # again: the one before makes room
        await first.wait_for_text("Hello World")
        await second.open(url)
        async with asyncio.timeout(DEADLINE):
            while "-closed" not in (await second.value("document.body?.className") or ""):
                await asyncio.sleep(0.1)
        await keep(second, "limit")
        assert "1 page can be open at a time" in await second.value("document.body.innerText")
