"""The origin of an output byte as sentences about a chain of steps, newest first."""

from __future__ import annotations

from typing import Any, NamedTuple

from esolangs.source import Span, character_at, locate
from esolangs.stops import Address
from esolangs.view import View
from esolangs.wording import format_count
from esoplay.debugging.debugger import Debugger, address_text
from esoplay.debugging.descriptions import instruction_text
from esoplay.debugging.provenance import (
    OutputOrigin,
    TermCreation,
    TermOrigin,
    ValueOrigin,
    ValueWrite,
    end_text,
    origin_as_json,
    place_as_json,
    place_text,
    term_origin_as_json,
)

MAX_LISTED = 20
"""Longer chains are shortened to this number of links: half the newest, half the oldest."""

_NAMES = {9: "tab", 10: "newline", 13: "return", 27: "escape", 32: "space"}


def byte_text(data: bytes, index: int) -> str:
    """Return ``0x36 '6'``, ``0x0a newline``, or ``0xa9, byte 2 of 'é'``."""
    byte = data[index]
    if byte in _NAMES:
        return f"{byte:#04x} {_NAMES[byte]}"
    if 32 < byte < 127:
        return f"{byte:#04x} '{chr(byte)}'"
    span = character_at(data, index) if byte > 127 else None
    text = "" if span is None else data[span[0] : span[1]].decode()
    if span is None or not text.isprintable():
        return f"{byte:#04x}"
    return f"{byte:#04x}, byte {index - span[0] + 1} of '{text}'"


class ChainLink(NamedTuple):
    """A sentence about one step of a chain or, if ``step`` is None, about several steps."""

    text: str
    step: int | None = None


def chain_links(debugger: Debugger, output_origin: OutputOrigin, view: View) -> list[ChainLink]:
    """Return the origin of an output byte as sentences, beginning with the step that printed it."""
    source = debugger.program.source
    links = [ChainLink(_print_step_text(output_origin, source, view), output_origin.step)]
    if output_origin.origin is not None:
        links += _copy_links(output_origin.origin, source, view)
    elif output_origin.term is not None:
        links += _creation_links(output_origin.term)
    if len(links) > MAX_LISTED:
        half = MAX_LISTED // 2
        left_out = format_count(len(links) - 2 * half, "more step")
        links[half:-half] = [ChainLink(f"… {left_out} …")]
    return links


def _print_step_text(origin: OutputOrigin, source: bytes, view: View) -> str:
    by = f"step {origin.step} printed it with {_instruction(origin, source)}"
    if origin.place is None:
        made = "" if origin.term is not None else ", not from a cell or stack"
        return f"{by}{made}"
    holds = "" if origin.number is None else f", which held {origin.number}"
    return f"{by}, from {place_text(origin.place, view)}{holds}"


def _copy_links(origin: ValueOrigin, source: bytes, view: View) -> list[ChainLink]:
    links = [ChainLink(_write_text(each, source, view), each.step) for each in origin.links]
    if origin.end == "computed" or (origin.end == "read" and origin.links[-1].read):
        return links  # the last link already describes the end
    return [*links, ChainLink(end_text(origin, view), origin.step or None)]


def _write_text(write: ValueWrite, source: bytes, view: View) -> str:
    value = "a value" if write.value is None else str(write.value)
    place, by = place_text(write.place, view), f"by {_instruction(write, source)}"
    if write.copied_from is not None:
        done = f"copied {value} to {place}"
        return f"step {write.step} {done} {by}, from {place_text(write.copied_from, view)}"
    if write.read:
        return f"step {write.step} read {value} from the input into {place} {by}"
    return f"step {write.step} wrote {value} to {place} {by}"


def _creation_links(origin: TermOrigin) -> list[ChainLink]:
    links = [ChainLink(_creation_text(each), each.step) for each in origin.links]
    if origin.end == "more":
        return [
            *links,
            ChainLink(f"earlier applications, before step {origin.links[-1].step}, are not shown"),
        ]
    what = "that application" if origin.links else origin.text
    at = f"{origin.line}:{origin.column}"
    return [*links, ChainLink(f"{what} is written in the program, at {at}")]


def _creation_text(creation: TermCreation) -> str:
    name = instruction_text(creation.instruction)
    return f"step {creation.step} created that term by applying {name} in {creation.application}"


def _instruction(event: OutputOrigin | ValueWrite, source: bytes) -> str:
    return f"{instruction_text(event.instruction)} at {_place(event.location, event.span, source)}"


def _place(location: Address, span: Span, source: bytes) -> str:
    if isinstance(location, tuple):
        return address_text(location)
    line, column = locate(source, span[0])
    return f"{line}:{column}"


def output_origin_as_json(origin: OutputOrigin) -> dict[str, Any]:
    """Return as JSON an output byte, the step that printed it, and the origin of its value."""
    return {
        "output": origin.index,
        "byte": origin.byte,
        "step": origin.step,
        "instruction": origin.instruction,
        "span": list(origin.span),
        "value": origin.number,
        "from": None if origin.place is None else place_as_json(origin.place),
        "origin": None if origin.origin is None else origin_as_json(origin.origin),
        "term": None if origin.term is None else term_origin_as_json(origin.term),
    }
