"""Pictures and recordings are made of what the application shows."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures.cells import Run, Shot
from pictures.recording import Frame, animation
from pictures.scenes import PICTURES, RECORDING, record, take
from pictures.svg import WIDTH, picture

SVG = "{http://www.w3.org/2000/svg}"
MAX_SVG_BYTES = 300_000
TEXTS = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Mn", "Me", "Cf"]), max_size=12)


def shot(*rows: str) -> Shot:
    columns = max(map(len, rows))
    return Shot(
        columns,
        tuple((Run(0, columns, row.ljust(columns), "#ffffff", "#000000"),) for row in rows),
        "#000000",
    )


def texts(svg: str) -> list[str]:
    """The texts of a picture, without its title."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [(each.text or "").replace("\u00a0", " ") for each in found][1:]


@given(TEXTS)
def test_any_text_gives_a_valid_document(text: str) -> None:
    if not text.isascii():
        text = "".join(each for each in text if each.isprintable())
    svg = picture(shot(f"<{text}&"), "title & more")
    assert "".join(texts(svg)).replace(" ", "").startswith("<")


def test_text_is_drawn_in_its_columns() -> None:
    svg = picture(shot("│ab  cd│"), "t")
    _, text = ElementTree.fromstring(svg).iter(f"{SVG}text")
    assert (text.text or "").replace("\u00a0", " ") == "ab  cd"
    assert float(text.get("x", "")) == pytest.approx(WIDTH)
    assert float(text.get("textLength", "")) == pytest.approx(6 * WIDTH)
    assert svg.count("<path") == 2


def test_recording_shows_each_frame_at_its_time() -> None:
    frames = [Frame(shot("stays", "one"), 1), Frame(shot("stays", "two"), 3)]
    svg = animation(frames, "t", still=1)
    assert sorted(texts(svg)) == ["one", "stays", "two"]
    assert re.search(r"25\.000%\{opacity:1\}", svg)
    hidden = re.findall(r'<g class="f (f\d+)" opacity="0">', svg)
    assert len(hidden) == 1
    assert "prefers-reduced-motion" in svg


@pytest.mark.slow
async def test_the_debuggers_picture_is_of_the_real_debugger() -> None:
    svg = picture(await take(PICTURES[0]), "esoplay")
    words = " ".join(texts(svg))
    for wanted in ("solved 6/6", "step 25/27", "move left to cell 0", "E08"):
        assert wanted in words
    assert len(svg.encode()) < MAX_SVG_BYTES


@pytest.mark.slow
async def test_recording_shows_how_a_wrong_byte_is_fixed() -> None:
    frames = await record(RECORDING)
    rows = [" ".join(run.text for row in frame.shot.rows for run in row) for frame in frames]
    assert "examples 0/1" in rows[1]
    assert any("print cell 1: 'p' (112)" in row for row in rows)
    assert any("increment cell 1 (111 → 112)" in row for row in rows)
    assert "solved 6/6" in rows[-1]
    assert len(animation(frames, "esoplay").encode()) < MAX_SVG_BYTES
