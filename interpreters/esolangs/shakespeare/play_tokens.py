"""The tokens of a play with their places, and the errors at tokens."""

from __future__ import annotations

from esolangs.errors import ParseError
from esolangs.shakespeare.words import END, WORD

_AHEAD = 5  # lookahead past the last token


class PlayTokens:
    """The tokens of a play: kinds, values, starts and ends; ``size`` is their number."""

    def __init__(self, source: bytes, tokens: tuple[list[int], ...]):
        self.source = source
        self.kinds, self.values, self.starts, self.ends = tokens
        self.size = len(self.kinds)
        self.kinds += [END] * _AHEAD
        self.starts.append(len(source))
        self.ends.append(len(source))

    def text(self, at: int) -> str:
        """Return the text of a token."""
        at = min(at, self.size)
        return self.source[self.starts[at] : self.ends[at]].decode("utf-8", "replace")

    def error(self, at: int, message: str) -> ParseError:
        """Return an error about one token."""
        return ParseError(message, self.source, (self.starts[at], self.ends[at]))

    def phrase_error(self, at: int, expected: str) -> ParseError:
        """Return the error for an invalid phrase from token ``at`` to the next punctuation mark."""
        at = min(at, self.size)
        if at == self.size:
            end = len(self.source)
            return ParseError(f"the play ends here; expected {expected}", self.source, (end, end))
        last = at
        while self.kinds[last + 1] >= WORD and self.kinds[at] >= WORD and last - at < 7:
            last += 1
        start, end = self.starts[at], self.ends[last]
        phrase = " ".join(self.source[start:end][:500].decode("utf-8", "replace").split())
        phrase = "".join([c if c.isprintable() else f"\\x{ord(c):02x}" for c in phrase])
        if len(phrase) > 60:
            phrase = phrase[:59] + "…"
        message = f"“{phrase}” was not understood; expected {expected}"
        return ParseError(message, self.source, (start, end))
