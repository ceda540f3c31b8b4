"""The texts of a debug session: the program, and the source it was generated from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from esoplay.dap.launching import Counting
from esoplay.dap.requests import Arguments, RequestError, whole_of
from esoplay.dap.text import TextPlaces
from esoplay.service.source_maps import SourceMap

Role = Literal["program", "generator"]

GENERATOR_REFERENCE = 1
"""By which a client asks for the text of a generator that is in no file."""


class Sources:
    """Which text a client means, and how to name each to it."""

    def __init__(self, program: Path, source_map: SourceMap | None, counting: Counting):
        self._program = Path(os.path.abspath(program))
        self._map = source_map
        self._generator: Path | None = None
        self.generator_places: TextPlaces | None = None
        if source_map is not None:
            text = source_map.text.encode("utf-8", "surrogateescape")
            self.generator_places = counting.places(text)
            beside = self._program.parent / Path(source_map.name).name
            # Another version would show lines that have made nothing of this program.
            if _holds(beside, text):
                self._generator = beside

    @property
    def program(self) -> dict[str, Any]:
        """The program, as the protocol describes a source."""
        return {"name": self._program.name, "path": str(self._program)}

    @property
    def generator(self) -> dict[str, Any] | None:
        """The source it was generated from; None where there is no map."""
        if self._map is None:
            return None
        name = Path(self._map.name).name
        if self._generator is not None:
            return {"name": name, "path": str(self._generator)}
        return {
            "name": name,
            "sourceReference": GENERATOR_REFERENCE,
            "origin": "from the source map",
        }

    @property
    def all(self) -> list[dict[str, Any]]:
        """Every source there is."""
        return [source for source in (self.program, self.generator) if source is not None]

    def role(self, source: Arguments) -> Role | None:
        """Which of the texts a client names; None where it is another file."""
        if self._map is not None and whole_of(source, "sourceReference") == GENERATOR_REFERENCE:
            return "generator"
        path = source.get("path")
        if not isinstance(path, str):
            return None
        if _same(path, self._program):
            return "program"
        if self._generator is not None and _same(path, self._generator):
            return "generator"
        return None

    def text(self, reference: int | None) -> str:
        """The text behind a reference; raises RequestError."""
        if self._map is None or reference != GENERATOR_REFERENCE:
            raise RequestError(f"there is no source {reference}")
        return self._map.text


def _holds(file: Path, text: bytes) -> bool:
    try:
        return file.is_file() and file.read_bytes() == text
    except OSError:
        return False


def _same(path: str, other: Path) -> bool:
    """Whether both name one file, be it by links."""
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))
