"""Reading source maps: files of others, so each field is looked at and named where it is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast, get_args

from esoplay.codegen.generated import Kind, Place
from esoplay.codegen.source_map import FORMAT, VERSION, MapError, Mapped, SourceMap
from esoplay.codegen.ways import slot_of, way_of

LARGEST = 64 * 2**20
"""Bytes of a map that are read."""

_READERS = {"slots": slot_of, "part": way_of}
"""Of kinds whose texts are no expressions: what refuses a text that is not such a place."""

_MOST_CELLS, _LARGEST_BASE = 256, 1 << 32
_LONGEST = 60  # characters of a wrong value that an error shows


def read_map(path: Path) -> SourceMap:
    """The map in a file; raises MapError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise MapError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise MapError(f"{path} is larger than any source map: {LARGEST:,} bytes")
    try:
        raw: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MapError(f"{path} is no JSON: {error}") from None
    return parse_map(raw, str(path))


def parse_map(raw: object, name: str = "source map") -> SourceMap:
    """The map that JSON values spell; raises MapError with the field that is wrong."""
    try:
        return _map(raw)
    except ValueError as error:
        raise MapError(f"{name}: {error}") from None


def _map(raw: object) -> SourceMap:
    if not isinstance(raw, dict):
        raise ValueError("expected an object")
    data = cast("dict[str, Any]", raw)
    for field, wanted in (("format", FORMAT), ("version", VERSION)):
        if data.get(field) != wanted:
            raise _wrong(field, repr(wanted), data.get(field))
    source = _object("source", data.get("source"))
    return SourceMap(
        _text("program_sha256", data.get("program_sha256")),
        _shown(_text("source.name", source.get("name"))),
        _text("source.text", source.get("text")),
        _spans(data.get("spans")),
        _variables(data.get("variables", {})),
        _location(data.get("begins")),
    )


def _spans(entries: Any) -> list[Mapped]:
    spans = [_span(entry, at) for at, entry in enumerate(_list("spans", "a list", entries))]
    return sorted(spans, key=lambda span: (span.start, -span.end))


def _span(entry: Any, at: int) -> Mapped:
    field, wanted = f"spans[{at}]", "[start, end, line, label]"
    parts = _list(field, wanted, entry)
    if not 4 <= len(parts) <= 6:
        raise _wrong(field, wanted, entry)
    start, end, line, label, statement, once = [*parts, *(0, False)[len(parts) - 4 :]]
    if not (all(type(each) is int for each in parts[:3]) and isinstance(label, str)):
        raise _wrong(field, f"{wanted}, three numbers and a text", entry)
    if not 0 <= start < end or line < 1:
        raise _wrong(field, f"{wanted} with 0 <= start < end and a line from 1", entry)
    if type(statement) is not int or statement < 0 or type(once) is not bool:
        raise _wrong(field, "a statement from 0, and true or false, behind the label", entry)
    return Mapped(start, end, line, _shown(label), statement, once)


def _variables(entries: Any) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for label, entry in _object("variables", entries).items():
        shown = _shown(label)
        try:
            places[shown] = place_of(entry)
        except ValueError as error:
            raise ValueError(f"variables, {shown}: {error}") from None
    return places


def place_of(raw: Any) -> Place:
    """The place that JSON values spell; ValueError says what is wrong."""
    if not isinstance(raw, dict):
        raise ValueError(f"expected an object with kind and cells, found {_spelt(raw)}")
    entry = cast("dict[str, Any]", raw)
    kind: Any = entry.get("kind")
    offset: Any = entry.get("offset", 0)
    base: Any = entry.get("base", 10)
    unset: Any = entry.get("unset")
    if kind not in get_args(Kind):
        raise _wrong("kind", f"one of {', '.join(get_args(Kind))}", kind)
    texts = tuple(_list("cells", "a list of texts", entry.get("cells")))
    if not texts or not all(isinstance(cell, str) for cell in texts):
        raise _wrong("cells", "a list of at least one text", list(texts))
    if type(base) is not int or not 2 <= base <= _LARGEST_BASE:
        raise _wrong("base", f"a number from 2 to {_LARGEST_BASE}", base)
    if len(texts) > _MOST_CELLS:
        raise ValueError(f"a place has at most {_MOST_CELLS} cells, not {len(texts)}")
    if type(offset) is not int or abs(offset) > _LARGEST_BASE**2:
        raise _wrong("offset", "a number of at most 64 bits", offset)
    for cell in texts if kind in _READERS else ():
        _READERS[kind](cell)
    if kind in ("number", "part") and len(texts) != 1:
        raise ValueError(f"a {kind} is in one place, not in {len(texts)}")
    if unset is not None and (type(unset) is not int or abs(unset) > _LARGEST_BASE):
        raise _wrong("unset", "a number of at most 32 bits", unset)
    return Place(kind, texts, offset, base, unset)


def _location(entry: Any) -> int | tuple[int, ...] | None:
    wanted = "a location: a number, or a pair of them"
    if entry is None or type(entry) is int:
        return entry
    parts = tuple(_list("begins", wanted, entry))
    if len(parts) != 2 or not all(type(part) is int for part in parts):
        raise _wrong("begins", wanted, entry)
    return parts


def _list(field: str, wanted: str, entry: Any) -> list[Any]:
    if not isinstance(entry, list):
        raise _wrong(field, wanted, entry)
    return cast("list[Any]", entry)


def _object(field: str, entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise _wrong(field, "an object", entry)
    return cast("dict[str, Any]", entry)


def _text(field: str, entry: Any) -> str:
    if not isinstance(entry, str):
        raise _wrong(field, "a text", entry)
    return entry


def _wrong(field: str, wanted: str, found: Any) -> ValueError:
    return ValueError(f"{field}: expected {wanted}, found {_spelt(found)}")


def _spelt(found: Any) -> str:
    """A wrong value as JSON has it, the beginning of it where it is long."""
    text = "nothing" if found is None else json.dumps(found)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _shown(text: str) -> str:
    """A name as one line; a map may come from anywhere, and terminals obey control characters."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
