"""Describe the difference between expected and printed output, and its likely cause.

A difference has a kind, such as ``extra_spaces``.  Its usual causes in a language or host lane come
from the tables ``causes/LANGUAGE.toml``.  A cause is a fact about the language or, with the word
"perhaps", a guess about the program.  Verdicts do not depend on it.  A difference reveals expected
output, so it is used only if expected output is shown anyway.
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
ANY_LANGUAGE = "any"
"""Name of the table with causes for all languages."""

MAX_BYTES = 1 << 16
"""Maximum bytes of the input and each output; longer ones are compared only byte by byte."""
MAX_DIGITS = 40
MAX_TOKENS = 1_000


class OutputDifference(NamedTuple):
    """Difference between the expected and the actual output of a test.

    kind: stable identifier.  description: sentence about the difference.  why: likely cause, or
    empty.
    """

    kind: str
    description: str
    why: str = ""

    @property
    def text(self) -> str:
        return f"{self.description}: {self.why}" if self.why else self.description

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": self.text}


class RunEnding(NamedTuple):
    """End of a failed run: its verdict and the kind of its fault."""

    verdict: str = "wrong_answer"
    fault: str = ""


WRONG_ANSWER = RunEnding()


class TestedProgram(NamedTuple):
    """The properties of a tested program on which the likely cause of a wrong output depends."""

    __test__ = False

    language_id: str
    source: bytes = b""
    options: Mapping[str, str | int] = {}
    dialect: str = "standard"


class CauseTable(StrictTable):
    """Table in a file of causes: the likely cause of one kind of wrong output.

    kind: kind of the difference, such as ``extra_spaces``.  why: the cause.  has: the cause is
    likely only if the program contains this text.
    """

    kind: Text
    why: Text
    has: str = ""


class CauseTables(StrictTable):
    """The content of a file of causes, for one language or for all languages."""

    causes: tuple[CauseTable, ...]


@lru_cache(maxsize=16)
def load_causes(language_id: str) -> tuple[CauseTable, ...]:
    """Return the known causes of wrong output in a language, most specific first.

    language_id: may also be ANY_LANGUAGE.  Raises PackError if the file is invalid.
    """
    file = FOLDER / f"{language_id}.toml"
    if not file.is_file():
        return ()
    try:
        return decode(tomllib.loads(file.read_text("utf-8")), CauseTables).causes
    except (OSError, ValueError, DecodingError) as error:
        raise PackError(f"{file}: {error}") from error


def explain_difference(
    program: TestedProgram,
    stdin: bytes,
    expected: bytes,
    actual: bytes,
    ending: RunEnding = WRONG_ANSWER,
) -> OutputDifference | None:
    """Describe the difference in a failed test, or return None if none is found.

    stdin: input of the test.  Returns None for a program that cannot be parsed.
    """
    if ending.verdict in ("pass", "parse_error"):
        return None
    found = _find_difference(stdin, expected, actual, ending)
    if found is None:
        return None
    return found._replace(why=found.why or _cause(program, found.kind, ending))


def _cause(program: TestedProgram, kind: str, ending: RunEnding) -> str:
    for each in (*load_causes(program.language_id), *load_causes(ANY_LANGUAGE)):
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
    return (
        f"at the end of input, {diagnostics.describe_end_of_input(options)}" if diagnostics else ""
    )


# Kinds of differences, most specific first


def _find_difference(
    stdin: bytes, expected: bytes, actual: bytes, ending: RunEnding
) -> OutputDifference | None:
    verdict = ending.verdict
    if verdict == "wrong_answer":
        return _compare(stdin, expected, actual)
    if verdict == "fault":
        return OutputDifference(
            "fault", _describe_end("stops with a fault", stdin, expected, actual)
        )
    if verdict in ("step_limit", "time_limit", "output_limit"):
        how = f"is still running at the {verdict.replace('_', ' ')}"
        return OutputDifference("endless", _describe_end(how, stdin, expected, actual))
    what = f"needs too much {verdict.removesuffix('_limit')}"
    return OutputDifference(verdict, _describe_end(what, stdin, expected, actual))


def _describe_end(ending_text: str, stdin: bytes, expected: bytes, actual: bytes) -> str:
    """Describe the output of a run that did not end normally.  ending_text: how it ended."""
    if not actual:
        return (
            f"prints nothing{_empty_input_text(stdin)} and {ending_text}"
            if expected
            else ending_text
        )
    if actual.startswith(expected) and expected:
        more = actual[len(expected) :]
        extra = (
            f"then {_describe_repetition(more)}, and {ending_text}"
            if more
            else f"then {ending_text}"
        )
        return f"prints the expected output, {extra}"
    if expected.startswith(actual):
        return f"prints {_describe_length(actual)} of {_size(expected)}, then {ending_text}"
    return f"{ending_text}; before that, {_describe_first_difference(expected, actual)}"


def _compare(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    if expected == actual:
        return None
    if max(len(expected), len(actual), len(stdin)) > MAX_BYTES:
        return OutputDifference("other", _describe_first_difference(expected, actual))
    for rule in (
        _compare_empty,
        _compare_outer_space,
        _compare_past_end,
        _compare_number,
        _compare_numbers,
        _compare_text,
        _compare_short,
        _compare_long,
    ):
        found = rule(stdin, expected, actual)
        if found is not None:
            return found
    return OutputDifference("other", _describe_first_difference(expected, actual))


def _compare_empty(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    if not actual:
        return OutputDifference("nothing", f"prints nothing{_empty_input_text(stdin)}")
    if not expected:
        return OutputDifference("unwanted", f"prints {_size(actual)} where nothing is expected")
    return None


def _compare_outer_space(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect extra or missing whitespace at the start or end of the output."""
    if actual.strip() != expected.strip() or not expected.strip():
        return _compare_inner_space(expected, actual)
    front, back = actual.find(actual.strip()), actual[len(actual.rstrip()) :]
    if actual.startswith(expected):
        more = actual[len(expected) :]
        if more in (b"\n", b"\r\n"):
            return OutputDifference("extra_newline", "one extra newline at the end")
        if not more.strip(b" "):
            return OutputDifference("extra_spaces", f"{_extra(len(more), 'space')} at the end")
        if not more.strip(b"\n"):
            return OutputDifference("extra_newline", f"{_extra(len(more), 'newline')} at the end")
    if expected.startswith(actual):
        subject = "the number" if _int(actual) is not None else "the output"
        missing = expected[len(actual) :]
        if missing == b"\n":
            return OutputDifference(
                "no_newline", f"prints {subject} without the newline at the end"
            )
        return OutputDifference(
            "no_space", f"prints {subject} without the {_describe_bytes(missing)} at the end"
        )
    if front != expected.find(expected.strip()):
        return OutputDifference("other_space", "the whitespace before the output differs")
    return OutputDifference(
        "other_space",
        f"ends with {_describe_bytes(back) if back else 'no whitespace'}, "
        f"not with {_describe_bytes(expected[len(expected.rstrip()) :]) or 'none'}",
    )


def _compare_inner_space(expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect wrong whitespace between correct words."""
    if expected.split() == actual.split():
        if expected.replace(b"\n", b" ") == actual.replace(b"\n", b" "):
            found, other = (
                ("newlines", "spaces")
                if actual.count(b"\n") > expected.count(b"\n")
                else ("spaces", "newlines")
            )
            return OutputDifference("separator", f"{found} where {other} are expected")
        if len(actual.split()) > 1:
            return OutputDifference(
                "spaces_between", "the right words with different whitespace between them"
            )
    if b"".join(expected.split()) == b"".join(actual.split()) and expected.strip():
        return OutputDifference(
            "spaces_between", "the right characters with different whitespace between them"
        )
    return None


_END_OF_INPUT_VALUES = (b"\0", b"\xff", "\xff".encode(), b"-1")


def _compare_past_end(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect values that are read at the end of the input and printed as output."""
    for mark in _END_OF_INPUT_VALUES:
        if mark in expected or mark not in actual:
            continue
        if actual.replace(mark, b"") != expected or (mark == b"-1" and not actual.endswith(mark)):
            continue
        count = actual.count(mark)
        name = "the number -1" if mark == b"-1" else f"byte {mark[-1] if len(mark) == 1 else 255}"
        where = "at the end" if actual.endswith(mark) else "in the output"
        extra = f"{name} {where}" if count == 1 else f"{name} {where}, {count} times"
        what = f"{extra}, perhaps from reading past the end of input"
        return OutputDifference("past_end", what)
    return None


def _compare_number(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect a difference from an expected output that is a single number."""
    want = _int(expected)
    if want is None:
        return _compare_codes(expected, actual)
    text = _decode(actual)
    if len(text) == 1 and ord(text) == want and not text.isdigit():
        what = f"prints the character with the code {want} instead of the number {want}"
        return OutputDifference("character", what)
    have = _int(actual)
    if have is None:
        if _int(actual.lstrip(b"0+")) == want or (
            b"-0" in actual and _int(actual.replace(b"-0", b"-"))
        ):
            return OutputDifference("zeros", "the number has leading zeros or a plus sign")
        return None
    if have == want:
        return OutputDifference("zeros", "the number has leading zeros or a plus sign")
    return _describe_wrong_number(want, have)


def _describe_wrong_number(expected: int, actual: int) -> OutputDifference | None:
    apart = actual - expected
    if actual == -expected:
        return OutputDifference("sign", "the sign is wrong")
    if abs(apart) == 1:
        return OutputDifference(
            "off_by_one", f"off by one: the number is 1 too {_direction(apart)}"
        )
    if abs(apart) in _DIGIT_CODES:
        what = f"{abs(apart)} too {_direction(apart)}, a multiple of 48, the code of the digit 0"
        return OutputDifference("digit_codes", what)
    for bits in (8, 16, 32, 64):
        if 0 <= actual < 1 << bits and apart % (1 << bits) == 0:
            what = f"{abs(apart):,} too {_direction(apart)}, as if wrapped around at {1 << bits:,}"
            return OutputDifference("wrapped", what)
    return OutputDifference("number", f"wrong number: {abs(apart)} too {_direction(apart)}")


_DIGIT_CODES = frozenset({48, 96, 144, 528, 5328})
"""Errors of a number that was computed from codes of digits instead of their values.

The code of a digit is its value plus 48. A number of one, two or three digits is therefore wrong by
48, 528 or 5328, and the sum of two or three digits by 96 or 144.
"""


def _compare_codes(expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect codes that were printed instead of characters."""
    numbers = _ints(actual)
    if numbers and numbers == list(expected[: MAX_TOKENS + 1]):
        return OutputDifference(
            "codes", "prints the codes of the characters instead of the characters"
        )
    if expected.isdigit():
        return None
    if b"".join(b"%d" % each for each in expected[:MAX_TOKENS]) == actual:
        return OutputDifference(
            "codes", "prints the codes of the characters instead of the characters"
        )
    return None


def _compare_numbers(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect a difference between lists of numbers."""
    want, have = _ints(expected), _ints(actual)
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
            return OutputDifference(
                "off_by_one", f"off by one: every number is 1 too {_direction(have[0] - want[0])}"
            )
        at = next(n for n, pair in enumerate(zip(want, have, strict=True), 1) if len(set(pair)) > 1)
        found = _describe_wrong_number(want[at - 1], have[at - 1])
        rest = f": {found.description}" if found else ""
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


def _compare_text(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect output in another order or case, a copy of the input, or the expected output twice."""
    if actual == expected[::-1]:
        return OutputDifference("reversed", "the output is in reverse order")
    if actual.split() == expected.split()[::-1] and len(expected.split()) > 1:
        return OutputDifference("reversed", "the words are in reverse order")
    if actual.lower() == expected.lower():
        return OutputDifference("case", "upper and lower case differ")
    if stdin and actual == stdin:
        return OutputDifference("echo", "prints the input unchanged")
    if len(actual) == 2 * len(expected) and actual == expected * 2:
        return OutputDifference("twice", "prints the expected output twice")
    if sorted(actual.split()) == sorted(expected.split()) and len(expected.split()) > 1:
        return OutputDifference("order", "the right words in another order")
    if len(expected) > 2 and sorted(actual) == sorted(expected):
        return OutputDifference("order", "the right characters in another order")
    return None


def _compare_short(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Detect output that lacks the end or the start of the expected output."""
    if not expected.startswith(actual):
        if expected.endswith(actual):
            missing = _decode(expected[: len(expected) - len(actual)])
            which = "the first character is" if len(missing) == 1 else f"{_size(missing)} are"
            return OutputDifference("late", f"{which} missing at the beginning")
        return None
    rest = expected[len(actual) :]
    if rest.startswith(b"\n") or actual.endswith(b"\n"):
        return OutputDifference(
            "short", f"stops after {_describe_first(len(actual.splitlines()), 'line')}"
        )
    if (rest.startswith(b" ") or actual.endswith(b" ")) and actual.strip():
        return OutputDifference(
            "short", f"stops after {_describe_first(len(actual.split()), 'word')}"
        )
    if len(_decode(rest)) == 1:
        return OutputDifference(
            "one_short", f"the last character is missing: {_describe_bytes(rest)}"
        )
    if len(_decode(actual)) == 1:
        return OutputDifference("short", "stops after the first character")
    return OutputDifference("short", f"stops after {_describe_length(actual)} of {_size(expected)}")


def _compare_long(stdin: bytes, expected: bytes, actual: bytes) -> OutputDifference | None:
    """Describe an output that begins or ends with the expected output; None for others."""
    if actual.startswith(expected):
        more = actual[len(expected) :]
        return OutputDifference(
            "long", f"continues after the expected output with {_describe_bytes(more)}"
        )
    if actual.endswith(expected):
        more = actual[: len(actual) - len(expected)]
        return OutputDifference(
            "early", f"prints {_describe_bytes(more)} before the expected output"
        )
    return None


# Formatting of values for descriptions


def _describe_first_difference(expected: bytes, actual: bytes) -> str:
    """Describe the first position where two texts differ."""
    at = common_prefix(expected, actual)
    if at == len(actual):
        return f"stops after {_describe_length(actual)} of {_size(expected)}"
    if at == len(expected):
        return f"continues after the expected output with {_describe_bytes(actual[at:])}"
    lone = len(expected) == len(actual) and expected[at + 1 :] == actual[at + 1 :]
    head = "only character" if lone and len(expected) > 1 else "character"
    differs = " differs:" if lone and len(expected) > 1 else " is"
    actual_name, expected_name = (
        _describe_bytes(_character(actual, at)),
        _describe_bytes(_character(expected, at)),
    )
    number = len(actual[:at].decode("utf-8", "ignore")) + 1
    return f"{head} {number:,}{differs} {actual_name}, expected {expected_name}"


def _character(data: bytes, index: int) -> bytes:
    """Return the character that a byte belongs to, or the byte if it is not UTF-8."""
    start, end = character_at(data, index) or (index, index + 1)
    return data[start:end]


_NAMES = {b" ": "a space", b"\n": "a newline", b"\t": "a tab", b"\r": "a carriage return"}


def _describe_bytes(data: bytes) -> str:
    """Describe bytes by name, by the value of a single byte, as quoted text, or by length."""
    if data in _NAMES:
        return _NAMES[data]
    text = _decode(data)
    if len(data) == 1 and not text.isprintable():
        return f"byte {data[0]}"
    if len(text) <= 12 and text.isprintable():
        return f"'{text}'"
    return _size(data)


def _describe_repetition(data: bytes) -> str:
    """Describe additional output as one repeated character, or by its length."""
    text = _decode(data)
    if len(text) > 1 and text.count(text[0]) == len(text):
        return f"{_describe_bytes(text[0].encode())} {len(text):,} more times"
    return f"{plural(len(text), 'more character')}" if len(text) > 1 else _describe_bytes(data)


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _describe_length(data: bytes) -> str:
    return f"{len(_decode(data)):,}"


def _size(data: bytes | str) -> str:
    return plural(len(data if isinstance(data, str) else _decode(data)), "character")


def _empty_input_text(stdin: bytes) -> str:
    return "" if stdin else " for empty input"


def _extra(count: int, noun: str) -> str:
    return f"one extra {noun}" if count == 1 else f"{count:,} extra {noun}s"


def _describe_first(count: int, noun: str) -> str:
    return f"the first {noun}" if count <= 1 else f"{count} {noun}s"


def _direction(difference: int) -> str:
    return "large" if difference > 0 else "small"


def _int(data: bytes) -> int | None:
    """Parse a number; return None for other text."""
    digits = data.removeprefix(b"-")
    if not digits.isdigit() or len(digits) > MAX_DIGITS:
        return None
    return int(data)


def _ints(data: bytes) -> list[int] | None:
    """Parse numbers separated by whitespace or commas; return None for other text."""
    words = data.replace(b",", b" ").split()
    if not words or len(words) > MAX_TOKENS:
        return None
    numbers = [_int(word) for word in words]
    return None if None in numbers else [each for each in numbers if each is not None]
