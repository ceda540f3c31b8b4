"""``esoplay view``: entries, the page, and hidden tests, which are not shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_sessions import some_session
from published_schemas import assert_valid
from scripted_models import evaluate

from esoplay.cli.main import main
from esoplay.evaluation.extraction import add_fence
from esoplay.evaluation.model import Message, ModelAnswer
from esoplay.grading.hidden import hidden_tests
from esoplay.packs.catalogue import get_problem
from esoplay.reporting.viewer import ViewerEntry, ViewerRun, ViewerSection, viewer_page

SEED = bytes(range(32))
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e"


class Chatty:
    """A model whose answers repeat the question, and try to break out of a page or a terminal."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        said = f"{HOSTILE}You asked: {messages[-1].text}\n{add_fence(',[.,]+.')}\n"
        return ModelAnswer(said, 100, 0, 7)

    def close(self) -> None: ...


def made(folder: Path, **options: Any) -> Path:
    regimes = ["zero-shot", "self-scaffolding"]
    evaluate(folder, Chatty(), ["brainfuck"], regimes, ["E02"], attempts=2, **options)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made") / "run")


@pytest.fixture(scope="module")
def scoring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its transcript has the hidden tests in the second question and its answer."""
    return made(tmp_path_factory.mktemp("scoring") / "run", feedback="scoring")


class Page(HTMLParser):
    """Elements, ids and addresses of a page; raises if an element is not closed."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        named = dict(attrs)
        assert not {"src", "srcset", "onclick", "onload"} & set(named)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.links += [named["href"] or ""] if "href" in named else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def long_inputs() -> list[str]:
    """The hidden inputs that cannot be in a page by accident."""
    tests = hidden_tests(get_problem("E02"), SEED)
    found = [test.input.decode() for test in tests if len(test.input) > 12]
    assert found
    return found


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["view", *arguments]) == 0
    return capsys.readouterr().out


def test_the_page_loads_nothing_and_links_to_every_entry(run: Path, tmp_path: Path) -> None:
    assert main(["view", str(run), "-o", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text("utf-8")
    page = Page(text)
    assert page.elements.isdisjoint({"script", "link", "img", "iframe", "form", "object"})
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert {"e1", "e2", "e3"} <= set(page.ids)
    assert "&lt;script&gt;alert(1)" in text
    assert "\x1b" not in text
    assert "Content-Security-Policy" in text
    # the system prompt is the same in all questions, and written once
    assert text.count("You write programs in Brainfuck.") == 1
    for words in ("verdict: wrong answer, 0 of 6 tests passed", "0 of 3 examples", "100 tokens in"):
        assert words in text


def test_every_question_is_an_entry(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view = json.loads(shown(capsys, str(run), "--json"))
    assert_valid(view, "view")
    found = view["entries"]
    assert [(entry["labels"][2:], entry["outcome"], entry["last"]) for entry in found] == [
        (["zero-shot", "1"], "wrong answer", True),
        (["self-scaffolding", "1"], "0 of 3", False),
        (["self-scaffolding", "2"], "wrong answer", True),
    ]
    titles = [section["title"] for section in found[0]["sections"]]
    assert titles[:2] == ["system prompt", "question"]
    assert titles[3] == "program, 8 bytes"
    # in a conversation only what is new is shown
    assert [section["title"] for section in found[2]["sections"]][:1] == ["question"]
    lines = shown(capsys, str(run), "--list", "--only", "*/self-scaffolding/*").splitlines()
    assert len(lines) == 2
    assert shown(capsys, str(run), "--list", "--solved") == ""
    assert "\x1b" not in shown(capsys, str(run), "--plain")


def test_hidden_tests_are_not_shown_unless_revealed(
    run: Path, scoring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (run, scoring):
        for form in ("--json", "--plain"):
            text = shown(capsys, str(folder), form)
            assert not any(json.dumps(each)[1:-1] in text or each in text for each in long_inputs())
        revealed = shown(capsys, str(folder), "--plain", "--reveal", "--seed", SEED.hex())
        assert all(json.dumps(each)[1:-1] in revealed for each in long_inputs())
    assert "Hidden: this text may contain hidden tests." in shown(capsys, str(scoring), "--plain")
    assert "input " in shown(capsys, str(run), "--plain")  # of examples, which are public


def test_revealing_needs_the_seed_of_the_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(run), "--plain", "--reveal", "--seed", "another"]) == 2
    assert "the seed does not match the commitment" in capsys.readouterr().err
    assert main(["view", str(run), "--seed", "another"]) == 2
    assert "require --reveal" in capsys.readouterr().err


def test_a_session_is_shown_in_the_same_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "session.json"
    export.write_text(json.dumps(some_session().export()))
    lines = shown(capsys, str(export), "--list").splitlines()
    assert len(lines) == 6
    assert "submission" in lines[3]
    assert main(["view", str(export), "-o", str(tmp_path / "page.html")]) == 0
    page = Page((tmp_path / "page.html").read_text("utf-8"))
    assert "e6" in page.ids
    assert main(["view", str(export), "--failed"]) == 2


def test_a_page_shows_hostile_texts_as_text_and_in_part() -> None:
    answer = "</pre><script>x\x1b[2J\x9b1m\u202e" + "A" * 10_000_000
    sections = (ViewerSection("text", "answer", answer),)
    entry = ViewerEntry(
        1, "g", ("E01", "b", "r", "1"), "pass", "good", True, "b", "E01", None, sections
    )
    page = viewer_page(ViewerRun("A run", ("problem", "language", "regime", "turn"), (), (entry,)))
    assert "&lt;/pre&gt;&lt;script&gt;x␛[2J\\x9b1m\\u202eAAA" in page
    assert "9,000,023 more characters; esoplay view --plain prints all" in page
    assert len(page) < 1_100_000
