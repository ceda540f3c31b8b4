r"""A writer of plays: acts, scenes, directions, and lines of Puck to one listener at a time.

>>> from esoplay.codegen.shakespeare import Script
>>> script = Script("The Countdown")
>>> script.character("Romeo", "who grows young")
>>> script.act("In which Romeo counts")
>>> script.tell("Romeo", "You are the sum of a big cat and a rose.")
>>> again = script.new_scene()
>>> script.scene(again, "In which he is asked")
>>> script.tell("Romeo", "Open your heart!", "You are the sum of yourself and a pig.")
>>> script.ask("Is Romeo better than nothing?", again, when=True)
>>> play = script.text()

``play`` is a play that prints 321.  At the beginning of a scene that is the target of a goto, Puck
is alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import wrap

from esolangs.shakespeare.words import NAMES_IN_ORDER
from esoplay.codegen.errors import LayerError, unknown_name_error
from esoplay.codegen.shakespeare.vocabulary import SPEAKER, to_roman

_CHARACTERS = frozenset(NAMES_IN_ORDER)
_WIDTH = 78
_ENDS = str.maketrans({".": ",", "!": ",", "?": ",", "[": "(", "]": ")", ":": ","})


@dataclass(slots=True)
class ScriptPiece:
    """A part of the play, such as a heading or a sentence.

    goto: the scene to which the sentence leads, or None; its numeral is added to ``text``.
    scene: the scene that a heading begins.
    """

    kind: str
    text: str
    goto: int | None = None
    scene: int | None = None


@dataclass(slots=True)
class RenderedPlay:
    """A play; ``starts`` and ``ends`` are the offsets of its pieces."""

    text: str
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])


def plain_title(text: str) -> str:
    """Return a text as a title or a description, without punctuation that would end it."""
    return " ".join(text.translate(_ENDS).split())


class Script:
    """A play under construction."""

    def __init__(self, title: str):
        self._title = plain_title(title)
        self._people: list[tuple[str, str]] = []
        self._pieces: list[ScriptPiece] = []
        self._scenes = 0
        self._listener: str | None = None
        self._listeners: set[str] = set()
        self._speaking = False
        self._opened = False

    @property
    def length(self) -> int:
        """The number of pieces so far."""
        return len(self._pieces)

    @property
    def people(self) -> list[str]:
        """The characters in the order of the dramatis personae."""
        return [SPEAKER, *(name for name, _ in self._people)]

    def character(self, name: str, description: str) -> None:
        """Add a character of Shakespeare; raise LayerError for an unknown or repeated name."""
        if name in self.people:
            raise LayerError(f"{name} is already in the play")
        if name not in _CHARACTERS:
            raise LayerError(
                f"{name!r} is not a character of Shakespeare; expected a name such as Romeo"
            )
        self._people.append((name, plain_title(description)))

    # Headings

    def act(self, title: str, setting: str = "The same") -> None:
        """Begin an act and its first scene; a goto cannot leave the act."""
        self.clear_stage()
        self._pieces.append(ScriptPiece("act", plain_title(title)))
        self.scene(self.new_scene(), setting)

    def new_scene(self) -> int:
        """Return a new scene number for this act; a goto may use it before the scene begins."""
        self._scenes += 1
        return self._scenes

    def scene(self, scene: int, title: str) -> None:
        """Begin a scene; Puck is alone on stage."""
        self.clear_stage()
        self.heading(title, scene)
        if not self._opened:
            self._opened = True
            self._pieces.append(ScriptPiece("direction", f"[Enter {SPEAKER}]"))

    def heading(self, title: str, scene: int | None = None) -> None:
        """Begin a scene in which the same characters are on stage.

        scene: a number from ``new_scene``; None takes a new one.
        """
        number = self.new_scene() if scene is None else scene
        self._pieces.append(ScriptPiece("scene", plain_title(title), scene=number))
        self._speaking = False

    # Stage and speech

    def clear_stage(self) -> None:
        """Let the listener leave the stage."""
        if self._listener is not None:
            self._add_direction(f"[Exit {self._listener}]")
            self._listener = None

    def tell(self, listener: str, *sentences: str) -> None:
        """Let Puck say sentences to a character, who enters if necessary."""
        if self._listener != listener:
            self.clear_stage()
            self._listeners.add(listener)
            self._add_direction(f"[Enter {listener}]")
            self._listener = listener
        self.say(*sentences)

    def say(self, *sentences: str) -> None:
        """Let Puck say sentences to the listener on stage."""
        for sentence in sentences:
            self._say(sentence, None)

    def ask(self, question: str, scene: int, *, when: bool) -> None:
        """Let Puck ask a question, and go to a scene depending on the answer.

        when: the answer that leads to the scene; True means yes.
        """
        self.clear_stage()
        self.say(question)
        self._say("If so, let us proceed to" if when else "If not, let us proceed to", scene)

    def go(self, scene: int) -> None:
        """Write a goto to a scene."""
        self.clear_stage()
        self._say("Let us proceed to", scene)

    def _say(self, text: str, goto: int | None) -> None:
        if not self._speaking:
            self._pieces.append(ScriptPiece("speaker", f"{SPEAKER}:"))
            self._speaking = True
        self._pieces.append(ScriptPiece("sentence", text, goto))

    def _add_direction(self, text: str) -> None:
        self._pieces.append(ScriptPiece("direction", text))
        self._speaking = False

    # The text

    def text(self) -> str:
        """Return the whole play."""
        return self.render().text

    def render(self) -> RenderedPlay:
        """Return the text of the whole play, and where each piece starts and ends in it.

        Raises LayerError for listeners that are not characters, and for scenes that never begin.
        """
        for listener in sorted(self._listeners):
            if listener not in self.people[1:]:
                raise unknown_name_error("character", listener, self.people[1:])
        people = [(SPEAKER, "who tells the others what they are"), *self._people]
        lines = [f"{self._title}.", "", *(f"{name}, {said}." for name, said in people), ""]
        out = RenderedPlay("")
        parts = ["\n".join(lines), "\n"]
        length = sum(map(len, parts))
        numerals = self._numerals()
        acts = 0
        for piece in [*self._pieces, ScriptPiece("direction", "[Exeunt]")]:
            if piece.kind == "act":
                acts += 1
                before, text = "\n", f"Act {to_roman(acts)}: {piece.text}."
            elif piece.scene is not None:
                before, text = "\n", f"Scene {numerals[piece.scene]}: {piece.text}."
            elif piece.kind == "sentence":
                said = piece.text
                if piece.goto is not None:
                    if piece.goto not in numerals:
                        raise LayerError(
                            f"scene {piece.goto} is the target of a goto but is not in the play"
                        )
                    said += f" scene {numerals[piece.goto]}."
                before, text = " ", "\n ".join(wrap(said, _WIDTH, break_on_hyphens=False))
            else:
                before, text = "", piece.text
            out.starts.append(length + len(before))
            out.ends.append(length + len(before) + len(text))
            parts += [before, text, "\n"]
            length = out.ends[-1] + 1
        out.text = "".join(parts)
        return out

    def _numerals(self) -> dict[int, str]:
        """Return the numeral of each scene, from I in each act."""
        numerals: dict[int, str] = {}
        number = 0
        for piece in self._pieces:
            if piece.kind == "act":
                number = 0
            elif piece.scene is not None:
                number += 1
                numerals[piece.scene] = to_roman(number)
        return numerals
