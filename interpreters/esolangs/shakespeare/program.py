"""A parsed play."""

from __future__ import annotations

from array import array

from esolangs.core_machine import CoreProgram
from esolangs.engines import Engine
from esolangs.limits import UNLIMITED, Limits
from esolangs.shakespeare import words
from esolangs.shakespeare.machine import ShakespeareMachine
from esolangs.shakespeare.opcodes import WIDTH
from esolangs.shakespeare.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from esolangs.language import Language, Options
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare._parser import Play
    from esolangs.shakespeare._sentences import Sentences
    from esolangs.source import Span
    from esolangs.stops import Address
    from esolangs.tally import IndexedTally

MARKS = {
    ord("."): words.DOT,
    ord("!"): words.BANG,
    ord("?"): words.QUERY,
    ord(","): words.COMMA,
    ord(":"): words.COLON,
    ord("["): words.OPEN_BRACKET,
    ord("]"): words.CLOSE_BRACKET,
}

ENGINE = Engine(
    __name__, Core="_core", Play="_parser", Sentences="_sentences", tokens="_core_tokens"
)


class ShakespeareProgram(CoreProgram):
    """Sentences and stage directions are numbered from 0 in source order.

    names: of the characters, in the order of the dramatis personae.
    starts, ends: offsets of every sentence; one more at the end for the end of the play.
    """

    machine_class = ShakespeareMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Raises ParseError.  ``engine`` picks the compiled or the plain core; tests use both."""
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        tokens = engine.tokens(source, words.TABLE, MARKS, (words.WORD, words.OTHER))
        read = Reading(source, tokens)
        said: Sentences = engine.Sentences(read, options["missing"] == "refused")
        play: Play = engine.Play(read, said)
        self.names = tuple(words.NAMES_IN_ORDER[name] for name in said.cast)
        self.acts = play.acts
        self.scenes = play.scenes
        self.code = said.code
        self.post = said.post
        self.lists = said.lists
        self.constants = said.constants
        self.starts, self.ends = said.first, said.last
        self.starts.append(len(source))
        self.ends.append(len(source))
        spare = array("i", [0])  # an empty table has no address
        self.passes_over = any(self.code[2::WIDTH])
        self._tables = self.code + spare, self.post + spare, self.lists + spare
        self._new_core = engine.Core
        self._lines: list[int] | None = None

    def new_core(self, limits: Limits) -> Core:
        """A core at step 0 under this program's options."""
        return self._new_core(
            self._tables,
            len(self.names),
            self.constants,
            (self.options["io"] == "utf8", self.options["number"] == "line"),
            min(limits.memory, UNLIMITED),
            min(limits.output, UNLIMITED),
        )

    def spans(self) -> tuple[Span, ...]:
        return tuple(zip(self.starts[:-1], self.ends[:-1], strict=True))

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.starts)

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_right

        at = bisect_right(self.starts, offset, hi=len(self.starts) - 1) - 1
        if at < 0 or not self.starts[at] <= offset < self.ends[at]:
            return None
        return self.starts[at], self.ends[at]

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """The sentences that are ``text`` or say it, such as ``speak your mind``."""
        from esolangs.shakespeare.phrases import phrase

        wanted = phrase(text)
        if wanted.isspace():
            return ()
        return tuple(
            start
            for start, end in self.spans()
            if wanted in phrase(self.source[start:end].decode("utf-8", "surrogateescape"))
        )

    def places(self) -> Mapping[str, Address]:
        named: dict[str, Address] = {}
        scenes = iter([*self.scenes, (len(self.acts), "", "", 0)])
        scene = next(scenes)
        for number, (act, _, first) in enumerate(self.acts):
            named[f"Act {act}"] = self.starts[first]
            while scene[0] == number:
                named[f"Act {act} Scene {scene[1]}"] = self.starts[scene[3]]
                scene = next(scenes)
        return named

    def register_names(self) -> Mapping[str, str]:
        return {
            **{register_name(name): f"the value of {name}" for name in self.names},
            "condition": "1 if the last question was answered yes, else 0",
        }

    def scene_of(self, record: int) -> int:
        """The index of the scene that a sentence is in; -1 before the first scene."""
        from bisect import bisect_right

        return bisect_right(self.scenes, record, key=_first_record) - 1

    def position(self, record: int) -> tuple[int, int]:
        """Line and column of a sentence."""
        from bisect import bisect_right

        if self._lines is None:
            parts = self.source.split(b"\n")
            self._lines = [0]
            for part in parts[:-1]:
                self._lines.append(self._lines[-1] + len(part) + 1)
        offset = self.starts[record]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def text(self, record: int, most: int = 120) -> str:
        """A sentence on one line, shortened where it is long."""
        some = self.source[self.starts[record] : self.ends[record]][: 8 * most]
        line = " ".join(some.decode("utf-8", "replace").split())
        return line if len(line) <= most else line[: most - 1] + "…"

    def record_at(self, offset: int) -> int:
        """The number of the sentence that begins at a source offset, or -1."""
        from bisect import bisect_left

        at = bisect_left(self.starts, offset)
        return at if at < len(self.starts) and self.starts[at] == offset else -1


def register_name(name: str) -> str:
    """``lady_macbeth`` for Lady Macbeth."""
    return name.lower().replace(" ", "_")


def _first_record(scene: tuple[int, str, str, int]) -> int:
    return scene[3]
