"""Shakespeare in an editor: sentences, where they lead, and the words that may follow."""

from __future__ import annotations

import re

from esolangs.editing import FAR, Completions, Editing, Mark, Structure
from esolangs.shakespeare.completing import complete, meaning

_NUMERAL = rb"([ivxlcdm]+)"
_ACT = re.compile(rb"\bact\s+" + _NUMERAL + rb"\s*:([^.!?]*)", re.I)
_SCENE = re.compile(rb"\bscene\s+" + _NUMERAL + rb"\s*:([^.!?]*)", re.I)
_GOTO = re.compile(rb"\b(?:proceed|return)\s+to\s+(act|scene)\s+" + _NUMERAL + rb"\b", re.I)
_END = re.compile(rb"[.!?\]]")
_LONGEST = 4_000
_SHOWN = 40


class ShakespeareEditing(Editing):
    """Words and sentences; blanks between words may be line breaks as well."""

    wraps = True
    brackets = ("[]",)

    def structure(self, source: bytes, offset: int) -> Structure | None:
        """The sentence at ``offset``, and the scene that it goes to."""
        start, end = _sentence(source, offset)
        if start == end:
            return None
        marks = (Mark(start, end, "here"),)
        goto = _GOTO.search(source, start, end)
        if goto is None:
            parts = (meaning(source, offset), _place(source, start))
            return Structure(marks, " – ".join(part for part in parts if part))
        kind, numeral = goto[1].lower(), goto[2].upper()
        found = _goal(source, start, kind, numeral)
        name = f"{kind.decode().capitalize()} {numeral.decode()}"
        if found is None:
            return Structure(marks, f"goes to {name}, which does not exist here")
        line = source.count(b"\n", 0, found.start()) + 1
        title = _shown(found[2])
        return Structure(marks, f"goes to {name}, line {line}: {title}", found.start())

    def completions(self, source: bytes, offset: int) -> Completions | None:
        return complete(source, offset)


EDITING = ShakespeareEditing()


def _sentence(source: bytes, offset: int) -> tuple[int, int]:
    """The sentence, stage direction or heading that covers an offset, without blanks around."""
    low = max(0, offset - _LONGEST)
    before = max(source.rfind(mark, low, offset) for mark in (b".", b"!", b"?", b":", b"]"))
    opening = source.rfind(b"[", low, offset + 1)
    start = opening if opening > before else before + 1 if before >= 0 else low
    ending = _END.search(source, offset, offset + _LONGEST)
    end = ending.end() if ending else min(len(source), offset + _LONGEST)
    while start < end and source[start : start + 1].isspace():
        start += 1
    if start > offset and not source[offset:start].isspace():
        return offset, offset
    return start, max(start, end)


def _goal(source: bytes, start: int, kind: bytes, numeral: bytes) -> re.Match[bytes] | None:
    """The heading of an act, or of a scene of the act that ``start`` is in."""
    if kind == b"act":
        return next((act for act in _ACT.finditer(source) if act[1].upper() == numeral), None)
    low, high = 0, len(source)
    for act in _ACT.finditer(source):
        if act.start() > start:
            high = act.start()
            break
        low = act.end()
    scenes = _SCENE.finditer(source, low, high)
    return next((scene for scene in scenes if scene[1].upper() == numeral), None)


def _place(source: bytes, start: int) -> str:
    """The act and scene that a sentence is in."""
    low = max(0, start - FAR)
    some = source[low:start].lower()
    parts: list[str] = []
    for word, heading in ((b"act", _ACT), (b"scene", _SCENE)):
        at = some.rfind(word)
        while at >= 0:
            found = heading.match(source, low + at)
            if found is not None:
                parts.append(f"{word.decode().capitalize()} {found[1].decode().upper()}")
                break
            at = some.rfind(word, 0, at)
    return ", ".join(parts)


def _shown(title: bytes) -> str:
    text = " ".join(title.decode("utf-8", "replace").split())
    text = "".join(each if each.isprintable() else "�" for each in text)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
