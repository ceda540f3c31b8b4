"""Descriptions of how expected and printed output differ, and of the likely cause.

A difference has a kind, such as ``extra_spaces``.  Its usual causes in a language or host lane come
from the tables ``causes/LANGUAGE.toml``.  A cause is a guess for the reader; no verdict depends on
it.  A difference reveals expected output, so it is only used if expected output is shown anyway.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from esolangs.errors import EngineError
from esolangs.registry import find_language
from esolangs.source import character_at, common_prefix
from esolangs.wording import plural
from esoplay.decoding import DecodingError, StrictTable, Text, decode
from esoplay.errors import PackError

FOLDER = Path(__file__).parent / "causes"
ANY = "any"
"""The name of the table for all languages."""

MOST_BYTES = 1 << 16
"""The longest texts in bytes that get more than a byte-by-byte comparison."""
MOST_DIGITS = 40
MOST_TOKENS = 1_000


class OutputDifference(NamedTuple):
    """kind: a stable identifier.  what: the difference in words.  why: the likely cause, or
    empty.
    """

    kind: str
    what: str
    why: str = ""

    @property
    def text(self) -> str:
        return f"{self.what}: {self.why}" if self.why else self.what

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": self.text}


class Ending(NamedTuple):
    """How a failed run ended: its verdict and the kind of its fault."""

    verdict: str = "wrong_answer"
    fault: str = ""


WRONG_ANSWER = Ending()


class TestedProgram(NamedTuple):
    """The program that produced an output, used to select a cause."""

    __test__ = False

    language_id: str
    source: bytes = b""
    options: Mapping[str, str | int] = {}
    dialect: str = "standard"


class CauseTable(StrictTable):
    """An entry of a table; with ``has``, it applies only to programs that contain this text."""

    kind: Text
    why: Text
    has: str = ""


class CauseTables(StrictTable):
    """A file of causes."""

    causes: tuple[CauseTable, ...]


@lru_cache(maxsize=16)
def causes_of(language_id: str) -> tuple[CauseTable, ...]:
    """Return the known causes for a language, most specific first.  Raises PackError."""
    file = FOLDER / f"{language_id}.toml"
    if not file.is_file():
        return ()
    try:
        return decode(tomllib.loads(file.read_text("utf-8")), CauseTables).causes
    except (OSError, ValueError, DecodingError) as error:
        raise PackError(f"{file}: {error}") from error


def explain(
    program: TestedProgram, given: bytes, wanted: bytes, got: bytes, ending: Ending = WRONG_ANSWER
) -> OutputDifference | None:
    """Return how the output of a failed test differs, or None if there is nothing to report.

    given: the input.  Returns None for a program that cannot be parsed.
    """
    if ending.verdict in ("pass", "parse_error"):
        return None
    found = _find_difference(given, wanted, got, ending)
    if found is None:
        return None
    return found._replace(why=found.why or _cause(program, found.kind, ending))


def _cause(program: TestedProgram, kind: str, ending: Ending) -> str:
    for each in (*causes_of(program.language_id), *causes_of(ANY)):
        if each.kind == kind and each.has.encode() in program.source:
            return each.why
    if kind not in ("past_end", "fault"):
        return ""
    try:
        language = find_language(program.language_id)
        diagnostics = language.diagnostics()
        if kind == "fault":
            return diagnostics.advice.get(ending.fault, "") if diagnostics else ""
        options = language.configure(program.dialect, program.options)
    except EngineError:  # a host lane
        return ""
    return f"at the end of input {diagnostics.at_end_of_input(options)}" if diagnostics else ""


# Kinds of differences, most specific first


def _find_difference(
    given: bytes, wanted: bytes, got: bytes, ending: Ending
) -> OutputDifference | None:
    verdict = ending.verdict
    if verdict == "wrong_answer":
        return _compare(given, wanted, got)
    if verdict == "fault":
        return OutputDifference("fault", _describe_end("stops with a fault", given, wanted, got))
    if verdict in ("step_limit", "time_limit", "output_limit"):
        return OutputDifference("endless", _describe_end("does not end", given, wanted, got))
    what = f"needs too much {verdict.removesuffix('_limit')}"
    return OutputDifference(verdict, _describe_end(what, given, wanted, got))


def _describe_end(how: str, given: bytes, wanted: bytes, got: bytes) -> str:
    """Describe the output of a run that did not end normally; ``how``: what happened instead."""
    if not got:
        return f"prints nothing{_for_empty(given)} and {how}" if wanted else how
    if got.startswith(wanted) and wanted:
        more = got[len(wanted) :]
        extra = f"then {_repeated(more)}, and {how}" if more else f"then {how}"
        return f"prints the expected output, {extra}"
    if wanted.startswith(got):
        return f"prints {_count(got)} of {_size(wanted)}, then {how}"
    return f"{how}; before that, {_first(wanted, got)}"


def _compare(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    if wanted == got:
        return None
    if max(len(wanted), len(got), len(given)) > MOST_BYTES:
        return OutputDifference("other", _first(wanted, got))
    for rule in (_nothing, _surplus_space, _past_end, _number, _numbers, _text, _short, _long):
        found = rule(given, wanted, got)
        if found is not None:
            return found
    return OutputDifference("other", _first(wanted, got))


def _nothing(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    if not got:
        return OutputDifference("nothing", f"prints nothing{_for_empty(given)}")
    if not wanted:
        return OutputDifference("unwanted", f"prints {_size(got)} where nothing is expected")
    return None


def _surplus_space(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect extra or missing whitespace at the ends."""
    if got.strip() != wanted.strip() or not wanted.strip():
        return _other_space(wanted, got)
    front, back = got.find(got.strip()), got[len(got.rstrip()) :]
    if got.startswith(wanted):
        more = got[len(wanted) :]
        if more in (b"\n", b"\r\n"):
            return OutputDifference("extra_newline", "one extra newline at the end")
        if not more.strip(b" "):
            return OutputDifference("extra_spaces", f"{_extra(len(more), 'space')} at the end")
        if not more.strip(b"\n"):
            return OutputDifference("extra_newline", f"{_extra(len(more), 'newline')} at the end")
    if wanted.startswith(got):
        subject = "the number" if _int(got) is not None else "the output"
        missing = wanted[len(got) :]
        if missing == b"\n":
            return OutputDifference(
                "no_newline", f"prints {subject} without the newline at the end"
            )
        return OutputDifference(
            "no_space", f"prints {subject} without the {_named(missing)} at the end"
        )
    if front != wanted.find(wanted.strip()):
        return OutputDifference("other_space", "the whitespace before the output differs")
    return OutputDifference(
        "other_space",
        f"ends with {_named(back) if back else 'no whitespace'}, "
        f"not with {_named(wanted[len(wanted.rstrip()) :]) or 'none'}",
    )


def _other_space(wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect wrong whitespace between the right words."""
    if wanted.split() == got.split():
        if wanted.replace(b"\n", b" ") == got.replace(b"\n", b" "):
            found, other = (
                ("newlines", "spaces")
                if got.count(b"\n") > wanted.count(b"\n")
                else ("spaces", "newlines")
            )
            return OutputDifference("separator", f"{found} where {other} are expected")
        if len(got.split()) > 1:
            return OutputDifference(
                "spaces_between", "the right words with different whitespace between them"
            )
    if b"".join(wanted.split()) == b"".join(got.split()) and wanted.strip():
        return OutputDifference(
            "spaces_between", "the right characters with different whitespace between them"
        )
    return None


_AT_END = (b"\0", b"\xff", "\xff".encode(), b"-1")


def _past_end(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect values that are read at the end of the input and printed as output."""
    for mark in _AT_END:
        if mark in wanted or mark not in got:
            continue
        if got.replace(mark, b"") != wanted or (mark == b"-1" and not got.endswith(mark)):
            continue
        count = got.count(mark)
        name = "the number -1" if mark == b"-1" else f"byte {mark[-1] if len(mark) == 1 else 255}"
        where = "at the end" if got.endswith(mark) else "in the output"
        extra = f"{name} {where}" if count == 1 else f"{name} {where}, {count} times"
        what = f"reads past the end of input ({extra})"
        return OutputDifference("past_end", what)
    return None


def _number(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Compare if a single number is expected."""
    want = _int(wanted)
    if want is None:
        return _codes(wanted, got)
    text = _decoded(got)
    if len(text) == 1 and ord(text) == want and not text.isdigit():
        what = f"prints the character with the code {want} instead of the number {want}"
        return OutputDifference("character", what)
    have = _int(got)
    if have is None:
        if _int(got.lstrip(b"0+")) == want or (b"-0" in got and _int(got.replace(b"-0", b"-"))):
            return OutputDifference("zeros", "the number has leading zeros or a plus sign")
        return None
    if have == want:
        return OutputDifference("zeros", "the number has leading zeros or a plus sign")
    return _other_number(want, have)


def _other_number(want: int, have: int) -> OutputDifference | None:
    apart = have - want
    if have == -want:
        return OutputDifference("sign", "the sign is wrong")
    if abs(apart) == 1:
        return OutputDifference("off_by_one", f"off by one: the number is 1 too {_much(apart)}")
    if abs(apart) in _DIGIT_CODES:
        what = f"{abs(apart)} too {_much(apart)}, a multiple of 48, the code of the digit 0"
        return OutputDifference("digit_codes", what)
    for bits in (8, 16, 32, 64):
        if 0 <= have < 1 << bits and apart % (1 << bits) == 0:
            return OutputDifference("wrapped", f"the number has wrapped around at {1 << bits}")
    return OutputDifference("number", f"wrong number: {abs(apart)} too {_much(apart)}")


_DIGIT_CODES = frozenset({48, 96, 144, 528, 5328})
"""The error in a result whose digits were read as character codes, for short numbers."""


def _codes(wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect codes that were printed instead of characters."""
    numbers = _ints(got)
    if numbers and numbers == list(wanted[: MOST_TOKENS + 1]):
        return OutputDifference(
            "codes", "prints the codes of the characters instead of the characters"
        )
    if wanted.isdigit():
        return None
    if b"".join(b"%d" % each for each in wanted[:MOST_TOKENS]) == got:
        return OutputDifference(
            "codes", "prints the codes of the characters instead of the characters"
        )
    return None


def _numbers(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Compare lists of numbers."""
    want, have = _ints(wanted), _ints(got)
    if want is None or have is None or len(want) < 2:
        return None
    if want == have:
        return OutputDifference(
            "spelling", "the right numbers with different separators or leading zeros"
        )
    if len(want) == len(have):
        if have == sorted(want, key=str) and want == sorted(want):
            return OutputDifference(
                "sorted_as_text", "the numbers are sorted as text, not as numbers"
            )
        if have == want[::-1]:
            return OutputDifference("reversed", "the numbers are in reverse order")
        if sorted(have) == sorted(want):
            return OutputDifference("order", "the right numbers in another order")
        if {after - before for before, after in zip(want, have, strict=True)} in ({1}, {-1}):
            return OutputDifference("off_by_one", "off by one: every number")
        at = next(n for n, pair in enumerate(zip(want, have, strict=True), 1) if len(set(pair)) > 1)
        found = _other_number(want[at - 1], have[at - 1])
        rest = f": {found.what}" if found else ""
        return OutputDifference(
            found.kind if found else "number", f"number {at} of {len(want)}{rest}"
        )
    if want[: len(have)] == have:
        return OutputDifference("short", f"stops after {len(have)} of {len(want)} numbers")
    if have[: len(want)] == want:
        return OutputDifference("long", f"{_extra(len(have) - len(want), 'number')} at the end")
    if set(have) == set(want):
        which = "repeated" if len(have) > len(want) else "left out"
        return OutputDifference("repeats", f"some numbers are {which}")
    return None


def _text(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect the same characters in a different form."""
    if got == wanted[::-1]:
        return OutputDifference("reversed", "the output is in reverse order")
    if got.split() == wanted.split()[::-1] and len(wanted.split()) > 1:
        return OutputDifference("reversed", "the words are in reverse order")
    if got.lower() == wanted.lower():
        return OutputDifference("case", "upper and lower case differ")
    if given and got == given:
        return OutputDifference("echo", "prints the input unchanged")
    if len(got) == 2 * len(wanted) and got == wanted * 2:
        return OutputDifference("twice", "prints the expected output twice")
    if sorted(got.split()) == sorted(wanted.split()) and len(wanted.split()) > 1:
        return OutputDifference("order", "the right words in another order")
    if len(wanted) > 2 and sorted(got) == sorted(wanted):
        return OutputDifference("order", "the right characters in another order")
    return None


def _short(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect output that stops early."""
    if not wanted.startswith(got):
        if wanted.endswith(got):
            missing = _decoded(wanted[: len(wanted) - len(got)])
            which = "the first character is" if len(missing) == 1 else f"{_size(missing)} are"
            return OutputDifference("late", f"{which} missing at the beginning")
        return None
    rest = wanted[len(got) :]
    if rest.startswith(b"\n") or got.endswith(b"\n"):
        return OutputDifference("short", f"stops after {_first_of(len(got.splitlines()), 'line')}")
    if (rest.startswith(b" ") or got.endswith(b" ")) and got.strip():
        return OutputDifference("short", f"stops after {_first_of(len(got.split()), 'word')}")
    if len(_decoded(rest)) == 1:
        return OutputDifference("one_short", f"the last character is missing: {_named(rest)}")
    if len(_decoded(got)) == 1:
        return OutputDifference("short", "stops after the first character")
    return OutputDifference("short", f"stops after {_count(got)} of {_size(wanted)}")


def _long(given: bytes, wanted: bytes, got: bytes) -> OutputDifference | None:
    """Detect the expected output with something added."""
    if got.startswith(wanted):
        more = got[len(wanted) :]
        return OutputDifference("long", f"continues after the expected output with {_named(more)}")
    if got.endswith(wanted):
        more = got[: len(got) - len(wanted)]
        return OutputDifference("early", f"prints {_named(more)} before the expected output")
    return None


# Words


def _first(wanted: bytes, got: bytes) -> str:
    """Describe the first position where two texts differ."""
    at = common_prefix(wanted, got)
    if at == len(got):
        return f"stops after {_count(got)} of {_size(wanted)}"
    if at == len(wanted):
        return f"continues after the expected output with {_named(got[at:])}"
    lone = len(wanted) == len(got) and wanted[at + 1 :] == got[at + 1 :]
    head = "only character" if lone and len(wanted) > 1 else "character"
    differs = " differs:" if lone and len(wanted) > 1 else " is"
    found, expected = _named(_character(got, at)), _named(_character(wanted, at))
    number = len(got[:at].decode("utf-8", "ignore")) + 1
    return f"{head} {number:,}{differs} {found}, expected {expected}"


def _character(data: bytes, at: int) -> bytes:
    """Return the character that a byte belongs to, or the byte if it is not UTF-8."""
    start, end = character_at(data, at) or (at, at + 1)
    return data[start:end]


_NAMES = {b" ": "a space", b"\n": "a newline", b"\t": "a tab", b"\r": "a carriage return"}


def _named(data: bytes) -> str:
    """Describe a few bytes: their name, the text in quotes, or their number."""
    if data in _NAMES:
        return _NAMES[data]
    text = _decoded(data)
    if len(data) == 1 and not text.isprintable():
        return f"byte {data[0]}"
    if len(text) <= 12 and text.isprintable():
        return f"'{text}'"
    return _size(data)


def _repeated(data: bytes) -> str:
    """Describe additional output: one character and how often it is repeated, or the number of
    characters.
    """
    text = _decoded(data)
    if len(text) > 1 and text.count(text[0]) == len(text):
        return f"{_named(text[0].encode())} {len(text):,} times more"
    return f"{plural(len(text), 'more character')}" if len(text) > 1 else _named(data)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _count(data: bytes) -> str:
    return f"{len(_decoded(data)):,}"


def _size(data: bytes | str) -> str:
    return plural(len(data if isinstance(data, str) else _decoded(data)), "character")


def _for_empty(given: bytes) -> str:
    return "" if given else " for empty input"


def _extra(count: int, noun: str) -> str:
    return f"one extra {noun}" if count == 1 else f"{count:,} extra {noun}s"


def _first_of(count: int, noun: str) -> str:
    return f"the first {noun}" if count <= 1 else f"{count} {noun}s"


def _much(apart: int) -> str:
    return "large" if apart > 0 else "small"


def _int(data: bytes) -> int | None:
    """Return the number that a text spells, or None for other text."""
    digits = data.removeprefix(b"-")
    if not digits.isdigit() or len(digits) > MOST_DIGITS:
        return None
    return int(data)


def _ints(data: bytes) -> list[int] | None:
    """Return numbers that are separated by whitespace or commas."""
    words = data.replace(b",", b" ").split()
    if not words or len(words) > MOST_TOKENS:
        return None
    numbers = [_int(word) for word in words]
    return None if None in numbers else [each for each in numbers if each is not None]
