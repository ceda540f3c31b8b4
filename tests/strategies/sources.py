"""Random sources of the write-once language, most of which do nothing forbidden.

Everything that the language has can come: functions with arrays and globals, every kind of loop
and condition, all that reads and prints.  Ints are kept small by ``tame``; products may still
leave the range that a back end with a fixed number of digits can hold, so what runs programs
asks ``oracles.statements`` first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

HELPERS = """\
STEP = 3
calls: byte = 0
kept = -4


def tame(n: int) -> int:
    if n < 0:
        n = -n
    return n % 997


def low(n: int) -> byte:
    return byte(tame(n) % 100)


def noted(n: int) -> int:
    global calls, kept
    calls = (calls + 1) % 7
    n -= kept
    kept = tame(n)
    return kept - calls


def heard() -> byte:
    return calls


def highest(line: chars, end: byte) -> byte:
    best: byte = 0
    for at in range(end):
        if line[at] > best:
            best = line[at]
    return best


def mixed(one: ints, other: ints, at: byte):
    one[at] = other[5 - at]
    other[at] += STEP
"""
BYTES = ["b", "c", "d"]
INTS = ["n", "m", "k"]
GIVEN = {
    "b": "b: byte = 7",
    "c": "c = getc()",
    "d": "d = low(300)",
    "n": "n = 5",
    "m": "m = -12",
    "k": "k = 0",
    "s": "s = chars(40)",
    "t": "t = chars(9)",
    "a": "a = ints(6)",
    "e": "e = ints(6)",
}
"""What every function begins with, but for what it is given."""

PARAMETERS = ("b: byte", "n: int", "s: chars", "a: ints")
SIMPLE = ["byte", "int", "print", "letter", "text", "element", "number", "digit", "same", "call"]
LETTERS = st.characters(max_codepoint=127)
DIVISORS = st.sampled_from([1, 2, 3, 10, 26, 100, 250])
RELATIONS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])

RANGES = [
    *(
        ("i", limits)
        for limits in ("3", "4", "b % 4", "5, 2", "b % 5, 3", "253, 255", "c % 3, d % 4")
    ),
    *(("j", limits) for limits in ("tame(n) % 3", "-2, 1", "m, m + 2", "1, tame(k) % 4 - 1")),
]
"""Of loops: those over ``j`` count in ints."""


@dataclass(frozen=True)
class At:
    """loop: how many loops are around here.  functions: how many of the drawn ones are known."""

    loop: int = 0
    functions: int = 0


@st.composite
def _byte(draw: st.DrawFn, depth: int, at: At) -> str:
    if depth == 0:
        leaves = [*BYTES, "0", "1", "9", "ord('a')", "200", "255", "len(s)", "STEP"]
        return draw(st.sampled_from(leaves))
    one, other = draw(_byte(depth - 1, at)), draw(_byte(depth - 1, at))
    number = draw(_int(depth - 1, at))
    forms = [
        f"s[{one} % 40]",
        f"t[{one} % 9]",
        f"low({number})",
        f"byte(tame({number}) // 4)",
        f"({one} // ({other} % 5 + 1))",
        f"({one} // {draw(st.sampled_from([2, 7, 10, 100, 255]))})",
        f"({one} % ({other} % 7 + 1))",
        f"({one} % 100 + {other} % 100)",
        f"(200 + {one} % 50 - {other} % 100)",
        f"({one} % 9 * ({other} % 9))",
        "getc()",
        "ended_by()",
        "heard()",
        f"highest({draw(st.sampled_from('st'))}, {one} % 9)",
        f"read_line(s) % {draw(st.integers(1, 40))}",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _int(draw: st.DrawFn, depth: int, at: At) -> str:
    if depth == 0:
        leaves = [*INTS, "0", "1", "-1", "10", "996", "1000", "-305", "STEP"]
        return draw(st.sampled_from(leaves))
    one, other = draw(_int(depth - 1, at)), draw(_int(depth - 1, at))
    small = draw(_byte(depth - 1, at))
    sign = draw(st.sampled_from(["", "-"]))
    forms = [
        f"({one} + {other})",
        f"({one} - {other})",
        f"(tame({one}) * {other})",
        f"({one} * {draw(st.sampled_from([-7, 0, 1, 2, 10, 12]))})",
        f"(tame({one}) // (tame({other}) + 1))",
        f"(tame({one}) % (tame({other}) + 1))",
        f"(tame({one}) // {draw(DIVISORS)})",
        f"(tame({one}) % {draw(DIVISORS)})",
        f"divide({one}, {sign}(tame({other}) + 1))",
        f"-{one}",
        f"a[{small} % 6]",
        f"e[{small} % 6]",
        f"int({small})",
        f"({one} + {small})",
        f"append_digit(tame({one}), {small} % 10)",
        f"noted({one})",
        "read_int()",
    ]
    if at.functions:
        which = draw(st.integers(0, at.functions - 1))
        array = draw(st.sampled_from("ae"))
        forms += [f"tame(f{which}({small}, {one}, s, {array}))"] * 3
    return draw(st.sampled_from(forms))


@st.composite
def _condition(draw: st.DrawFn, depth: int, at: At) -> str:
    """None of those joined has a call in it."""
    side = draw(st.sampled_from([_byte(0, at), _int(0, at)]))
    first, last = draw(side), draw(side)
    simple = f"{first} {draw(RELATIONS)} {last}"
    if draw(st.booleans()) and not last.startswith("len"):
        simple += f" {draw(RELATIONS)} {draw(side)}"
    if depth == 0:
        return simple
    other = draw(_condition(depth - 1, at))
    forms = [f"{simple} and {other}", f"{simple} or {other}", f"not ({other})", simple]
    forms += [f"({other}) and ({simple})", f"({simple}) and ({other})"]
    return draw(st.sampled_from(forms))


@st.composite
def _question(draw: st.DrawFn, at: At) -> str:
    """A condition that may begin with calls."""
    called = [f"{draw(_int(1, at))} < {draw(_int(1, at))}"]
    called += [f"{draw(_byte(1, at))} {draw(RELATIONS)} {draw(_byte(0, at))}"]
    return draw(st.sampled_from([draw(_condition(2, at)), *called]))


@st.composite
def _simple(draw: st.DrawFn, at: At) -> list[str]:
    byte, number = draw(st.sampled_from(BYTES)), draw(st.sampled_from(INTS))
    kind = draw(st.sampled_from(SIMPLE))
    match kind:
        case "byte":
            return [f"{byte} = {draw(_byte(2, at))}"]
        case "int":
            return [f"{number} = tame({draw(_int(2, at))}) - {draw(st.integers(0, 50))}"]
        case "print":
            return [f"print_int({draw(_int(2, at))})"]
        case "letter":
            return [draw(st.sampled_from(["putc({})", "putc({} % 95 + 32)"])).format(byte)]
        case "text":
            return [f"puts({draw(st.text(LETTERS, max_size=6))!r})"]
        case "element":
            place = draw(st.sampled_from(["s[{} % 40]", "t[{} % 9]"]))
            return [f"{place.format(draw(_byte(1, at)))} = {draw(_byte(1, at))}"]
        case "number":
            operation = draw(st.sampled_from(["=", "+=", "-="]))
            array = draw(st.sampled_from("ae"))
            return [f"{array}[{draw(_byte(1, at))} % 6] {operation} tame({draw(_int(1, at))})"]
        case "digit":
            return [f"{number} = append_digit(tame({number}), {byte} % 10)"]
        case "same":
            own = [f"{byte} //= 3", f"{byte} %= 50", f"{byte} -= {byte} % 4", f"{number} *= -1"]
            own += [f"{number} += {byte}", f"a[{byte} % 6] *= 2", f"t[{byte} % 9] //= 2"]
            return [draw(st.sampled_from(own)), f"{number} = tame({number})"]
        case _:
            one, other = draw(st.sampled_from("ae")), draw(st.sampled_from("ae"))
            calls = [f"mixed({one}, {other}, {byte} % 6)", f"noted({number})", "pass"]
            calls += [f"{byte} = read_line(s)", f"{number} = tame(read_int())"]
            return [draw(st.sampled_from(calls))]


@st.composite
def _statement(draw: st.DrawFn, depth: int, at: At) -> list[str]:
    kind = draw(st.sampled_from(["simple", "simple", "if", "for", "while"])) if depth else "simple"
    inner = replace(at, loop=at.loop + 1)
    match kind:
        case "simple":
            return draw(_simple(at))
        case "if":
            lines = [f"if {draw(_question(at))}:", *_indented(draw(_block(depth - 1, at)))]
            if draw(st.booleans()):
                lines += [f"elif {draw(_question(at))}:", *_indented(draw(_block(depth - 1, at)))]
            if draw(st.booleans()):
                lines += ["else:", *_indented(draw(_block(depth - 1, at)))]
            return lines
        case "for":
            letter, limits = draw(st.sampled_from(RANGES))
            count = f"{letter}{at.loop}"
            return [
                f"for {count} in range({limits}):",
                *_indented([*draw(_block(depth - 1, inner)), f"k = tame(k) + {count}"]),
            ]
        case _:
            left = f"w{at.loop}"
            forms = [f"{left} > 0 and {draw(_condition(1, at))}"]
            forms += [f"{draw(_int(1, at))} < {draw(_int(0, at))} and {left} > 0"]
            forms += [f"{draw(_byte(1, at))} != 0 and {left} > 0", f"0 < {left} <= 3"]
            return [
                f"{left}: byte = {draw(st.integers(0, 3))}",
                f"while {draw(st.sampled_from(forms))}:",
                *_indented([f"{left} -= 1", *draw(_block(depth - 1, inner))]),
            ]


@st.composite
def _block(draw: st.DrawFn, depth: int, at: At) -> list[str]:
    parts = draw(st.lists(_statement(depth, at), min_size=1, max_size=3))
    return [line for part in parts for line in part]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def sources(draw: st.DrawFn, depth: int = 2) -> str:
    """The text of a source."""
    functions: list[str] = []
    known = draw(st.sampled_from([0, 0, 1, 2]))
    for which in range(known):
        at = At(functions=which)
        kind = draw(st.sampled_from(["int", "byte"]))
        result = draw(_int(1, at)) if kind == "int" else draw(_byte(1, at))
        taken = {one.partition(":")[0] for one in PARAMETERS}
        start = [line for name, line in GIVEN.items() if name not in taken]
        body = [*start, *draw(_block(1, at)), f"return {result}"]
        head = f"\n\ndef f{which}({', '.join(PARAMETERS)}) -> {kind}:\n"
        functions.append(head + "\n".join(_indented(body)) + "\n")
    parts = draw(st.lists(_statement(depth, At(functions=known)), min_size=1, max_size=5))
    lines = [*GIVEN.values(), *(line for part in parts for line in part)]
    for value in (*INTS, *BYTES, "a[2]", "e[3]", "s[0]", "noted(ended_by())"):
        lines += [f"print_int({value})", "putc(10)"]
    return HELPERS + "".join(functions) + "\n\ndef main() -> None:\n" + "\n".join(_indented(lines))


WORDS = [
    "ab ",
    "19 ",
    "-7\n",
    "  -305\n",
    "x",
    "-",
    "\n",
    " ",
    "Z",
    "0",
    "\0",
    "\r",
    "\t",
    "~<",
    "9999 ",
]
STRAY = [b"\x80 ", b"\xff\xff", b"\xc3(", b"\xf0 ", b"\xe2a", b"\xa9"]
"""Bytes above ASCII that are no UTF-8, whatever comes next."""

INPUTS = st.lists(st.sampled_from([*(word.encode() for word in WORDS), *STRAY]), max_size=9).map(
    b"".join
)
