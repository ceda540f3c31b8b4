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

    def text(self, token: int) -> str:
        """Return the text of a token."""
        token = min(token, self.size)
        return self.source[self.starts[token] : self.ends[token]].decode("utf-8", "replace")

    def error(self, token: int, message: str) -> ParseError:
        """Return an error about a token."""
        return ParseError(message, self.source, (self.starts[token], self.ends[token]))

    def phrase_error(self, token: int, expected: str) -> ParseError:
        """Return the error for an invalid phrase from ``token`` to the next punctuation mark."""
        token = min(token, self.size)
        if token == self.size:
            end = len(self.source)
            return ParseError(f"the play ends here; expected {expected}", self.source, (end, end))
        last = token
        while self.kinds[last + 1] >= WORD and self.kinds[token] >= WORD and last - token < 7:
            last += 1
        start, end = self.starts[token], self.ends[last]
        phrase = " ".join(self.source[start:end][:500].decode("utf-8", "replace").split())
        phrase = "".join([c if c.isprintable() else f"\\x{ord(c):02x}" for c in phrase])
        if len(phrase) > 60:
            phrase = phrase[:59] + "…"
        message = f"“{phrase}” was not understood; expected {expected}"
        return ParseError(message, self.source, (start, end))
