"""The viewer of runs: questions, answers, programs and verdicts, as text and as a page.

Evaluations and sessions are both converted to viewer entries, so that the terminal and the page
show the same content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from esolangs.wording import plural
from esoplay.reporting.document import make_page

EntryTone = Literal["good", "bad", "calm"]
SectionKind = Literal["prompt", "text", "program", "result", "note"]

MARKS = {"good": "✓", "bad": "✗", "calm": "·"}


class ViewerSection(NamedTuple):
    """A text with a title, such as a prompt: a part of a ``ViewerEntry``.

    kind: a prompt, an answer or another text, a program, a result, or a remark of the viewer. text:
    unescaped, with any characters.
    """

    kind: SectionKind
    title: str
    text: str


class ViewerEntry(NamedTuple):
    """A question with its answer, or an attempt of a session.

    number: counts from 1. group: the name of its group, such as a trial. labels: short words for
    lists, such as problem, language and regime. is_last: whether it ends its group. program: the
    program that was run or graded.
    """

    number: int
    group: str
    labels: tuple[str, ...]
    outcome: str
    tone: EntryTone
    is_last: bool
    language: str
    problem: str | None
    program: bytes | None
    sections: tuple[ViewerSection, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "group": self.group,
            "labels": list(self.labels),
            "outcome": self.outcome,
            "last": self.is_last,
            "language": self.language,
            "problem": self.problem,
            "sections": [section._asdict() for section in self.sections],
        }


class ViewerRun(NamedTuple):
    """A run to view.

    columns: headings for the labels of its entries. facts: names and values of its settings.
    """

    title: str
    columns: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    entries: tuple[ViewerEntry, ...]

    def with_entries(self, entries: Iterable[ViewerEntry]) -> ViewerRun:
        """Return a copy of the run that contains ``entries`` in place of its own."""
        return self._replace(entries=tuple(entries))

    def as_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "columns": list(self.columns),
            "facts": dict(self.facts),
            "entries": [entry.as_json() for entry in self.entries],
        }


def entry_line(entry: ViewerEntry) -> str:
    """Return one line about a question with its answer, or about an attempt of a session."""
    widths = (4, 11, 24, 4)
    labels = "  ".join(
        f"{label:{width}}" for label, width in zip(entry.labels, widths, strict=False)
    )
    return f"{entry.number:>5}  {labels}  {MARKS[entry.tone]} {entry.outcome}"


def entry_text(entry: ViewerEntry) -> Iterator[str]:
    """Yield the lines of an entry, headings underlined."""
    for section in entry.sections:
        yield section.title
        yield "-" * len(section.title)
        yield from section.text.rstrip("\n").split("\n")
        yield ""


# One HTML page, without scripts; every text can be folded, and equal long prompts are written once.

_MIN_SHARED_LENGTH = 200
"""Minimum characters of a repeated prompt that is written only once, at the end of the page."""

_MAX_PAGE_CHARACTERS = 1_000_000
"""Maximum number of characters of a text that a page shows."""

_GLYPHS = {
    **{code: chr(0x2400 + code) for code in range(32) if code not in (9, 10)},
    127: "␡",
    **{code: f"\\x{code:02x}" for code in range(0x80, 0xA0)},
    **{
        code: f"\\u{code:04x}"
        for code in (0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
    },
}
"""The glyphs for control characters and for marks of the direction of text."""


def viewer_page(run: ViewerRun) -> str:
    """Return the HTML page that shows a run."""
    sheet = files("esoplay.reporting").joinpath("viewer.css").read_text("utf-8")
    shared = _shared_prompts(run.entries)
    main = [*_facts(run), *_index(run)]
    for entry in run.entries:
        main += _entry(entry, shared)
    main += _prompts(shared)
    links = [("Terms", "terms"), ("Index", "index")]
    links += [("Prompts", "prompts")] if shared else []
    return make_page(run.title, links, main, sheet)


def _shared_prompts(entries: Sequence[ViewerEntry]) -> dict[str, str]:
    """Return the long prompts that occur more than once, by the HTML id that they get."""
    seen: set[str] = set()
    shared: dict[str, str] = {}
    for entry in entries:
        for section in entry.sections:
            if section.kind == "prompt" and len(section.text) >= _MIN_SHARED_LENGTH:
                if section.text in seen:
                    shared[_prompt_id(section.text)] = section.text
                seen.add(section.text)
    return shared


def _prompt_id(text: str) -> str:
    return f"prompt-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _facts(run: ViewerRun) -> Iterator[str]:
    yield '<section aria-labelledby="terms"><h2 id="terms">Terms</h2><dl>'
    for name, value in run.facts:
        yield f"<dt>{_escape_html(name)}</dt><dd>{_escape_html(value)}</dd>"
    yield "</dl></section>"


def _index(run: ViewerRun) -> Iterator[str]:
    yield '<section aria-labelledby="index"><h2 id="index">Index</h2>'
    yield '<div class="wide" tabindex="0" role="region" aria-label="Index"><table>'
    heads = "".join(
        f'<th scope="col">{_escape_html(name)}</th>' for name in ("", *run.columns, "result")
    )
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for entry in run.entries:
        cells = "".join(f"<td>{_escape_html(label)}</td>" for label in entry.labels)
        link = f'<a href="#e{entry.number}">{entry.number}</a>'
        yield f'<tr><th scope="row">{link}</th>{cells}<td>{_result(entry)}</td></tr>'
    yield "</tbody></table></div></section>"


def _result(entry: ViewerEntry) -> str:
    return f'<span class="{entry.tone}">{MARKS[entry.tone]} {_escape_html(entry.outcome)}</span>'


def _entry(entry: ViewerEntry, shared: dict[str, str]) -> Iterator[str]:
    labels = " · ".join(label for label in entry.labels if label)
    yield f'<section class="entry" aria-labelledby="e{entry.number}">'
    yield f'<h3 id="e{entry.number}">{entry.number}. {_escape_html(labels)} {_result(entry)}</h3>'
    for section in entry.sections:
        name = _prompt_id(section.text)
        if section.kind == "prompt" and name in shared:
            yield f'<p>{_escape_html(section.title)}: <a href="#{name}">{name}</a></p>'
            continue
        unfolded = " open" if section.kind in ("program", "result", "note") else ""
        yield f"<details{unfolded}><summary>{_escape_html(section.title)}</summary>"
        text = _escape_html(section.text[:_MAX_PAGE_CHARACTERS])
        yield f'<pre class="{section.kind}" tabindex="0">{text}</pre>'
        if (more := len(section.text) - _MAX_PAGE_CHARACTERS) > 0:
            yield f"<p>… {plural(more, 'more character')}; esoplay view --plain prints all.</p>"
        yield "</details>"
    yield "</section>"


def _prompts(shared: dict[str, str]) -> Iterator[str]:
    if not shared:
        return
    yield '<section aria-labelledby="prompts"><h2 id="prompts">Prompts</h2>'
    for name, text in shared.items():
        yield f'<details id="{name}"><summary>{name}</summary>'
        yield f'<pre class="prompt" tabindex="0">{_escape_html(text)}</pre></details>'
    yield "</section>"


def _escape_html(text: str) -> str:
    """Escape a text for HTML; control characters and lone surrogates get a glyph."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return escape(whole.translate(_GLYPHS))
