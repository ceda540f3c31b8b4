"""Random sources of the write-once language, most of which do nothing forbidden.

Ints stay below 10,000 by ``tame``, so that back ends with a fixed number of digits can hold
every value in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

TAME = """\
def tame(n: int) -> int:
    if n < 0:
        n = -n
    return n % 997


def low(n: int) -> byte:
    return byte(tame(n) % 100)
"""

BYTES = ["b", "c", "d"]
INTS = ["n", "m", "k"]
START = """\
b: byte = 7
c = getc()
d = low(300)
n = 5
m = -12
k = 0
s = chars(9)
a = ints(6)
"""


@st.composite
def _byte(draw: st.DrawFn, depth: int) -> str:
    if depth == 0:
        return draw(st.sampled_from([*BYTES, "0", "1", "9", "ord('a')", "200", "255", "len(s)"]))
    one, other = draw(_byte(depth - 1)), draw(_byte(depth - 1))
    number = draw(_int(depth - 1))
    return draw(
        st.sampled_from(
            [
                f"s[{one} % 9]",
                f"low({number})",
                f"byte(tame({number}) // 4)",
                f"({one} // ({other} % 5 + 1))",
                f"({one} % ({other} % 7 + 1))",
                f"({one} % 100 + {other} % 100)",
                f"({one} % 9 * ({other} % 9))",
                "getc()",
            ]
        )
    )


@st.composite
def _int(draw: st.DrawFn, depth: int) -> str:
    if depth == 0:
        return draw(st.sampled_from([*INTS, "0", "1", "-1", "10", "996", "1000", "-305"]))
    one, other = draw(_int(depth - 1)), draw(_int(depth - 1))
    small = draw(_byte(depth - 1))
    return draw(
        st.sampled_from(
            [
                f"({one} + {other})",
                f"({one} - {other})",
                f"(tame({one}) * {other})",
                f"(tame({one}) // (tame({other}) + 1))",
                f"(tame({one}) % (tame({other}) + 1))",
                f"divide({one}, tame({other}) + 1)",
                f"-{one}",
                f"a[{small} % 6]",
                f"int({small})",
                f"({one} + {small})",
                f"append_digit(tame({one}), {small} % 10)",
            ]
        )
    )


@st.composite
def _condition(draw: st.DrawFn, depth: int) -> str:
    relation = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
    if draw(st.booleans()):
        simple = f"{draw(_byte(0))} {relation} {draw(_byte(0))}"
    else:
        simple = f"{draw(_int(0))} {relation} {draw(_int(0))}"
    if depth == 0:
        return simple
    other = draw(_condition(depth - 1))
    forms = [f"{simple} and {other}", f"{simple} or {other}", f"not ({other})", simple]
    forms += [f"({other}) and ({simple})", f"({simple}) and ({other})"]
    return draw(st.sampled_from(forms))


@st.composite
def _statement(draw: st.DrawFn, depth: int, loop: int) -> list[str]:
    byte, number = draw(st.sampled_from(BYTES)), draw(st.sampled_from(INTS))
    kinds = ["byte", "int", "print", "letter", "text", "element", "number", "digit"]
    if depth:
        kinds += ["if", "for", "while", "line"]
    match draw(st.sampled_from(kinds)):
        case "byte":
            return [f"{byte} = {draw(_byte(2))}"]
        case "int":
            return [f"{number} = tame({draw(_int(2))}) - {draw(st.integers(0, 50))}"]
        case "print":
            return [f"print_int({draw(_int(2))})"]
        case "letter":
            return [f"putc({draw(_byte(1))} % 95 + 32)"]
        case "text":
            text = draw(st.text(st.characters(min_codepoint=10, max_codepoint=126), max_size=6))
            return [f"puts({text!r})"]
        case "element":
            return [f"s[{draw(_byte(1))} % 9] = {draw(_byte(1))}"]
        case "number":
            operation = draw(st.sampled_from(["=", "+=", "-="]))
            return [f"a[{draw(_byte(1))} % 6] {operation} tame({draw(_int(1))})"]
        case "digit":
            return [f"{number} = append_digit(tame({number}), {byte} % 10)"]
        case "line":
            return [f"{byte} = read_line(s) % 9"]
        case "if":
            first = draw(
                st.sampled_from([draw(_condition(2)), f"{draw(_int(1))} < {draw(_int(1))}"])
            )
            return [
                f"if {first}:",
                *_indented(draw(_block(depth - 1, loop))),
                "else:",
                *_indented(draw(_block(depth - 1, loop))),
            ]
        case "for":
            letter, end = draw(
                st.sampled_from([("i", "3"), ("i", "b % 4"), ("i", "4"), ("j", "tame(n) % 3")])
            )
            count = f"{letter}{loop}"  # those named j are ints
            return [
                f"for {count} in range({end}):",
                *_indented([*draw(_block(depth - 1, loop + 1)), f"k = tame(k) + {count}"]),
            ]
        case _:
            count = draw(st.integers(1, 3))
            forms = [f"w{loop} > 0 and {draw(_condition(1))}"]
            forms += [f"{draw(_int(1))} < {draw(_int(0))} and w{loop} > 0"]
            return [
                f"w{loop}: byte = {count}",
                f"while {draw(st.sampled_from(forms))}:",
                *_indented([f"w{loop} -= 1", *draw(_block(depth - 1, loop + 1))]),
            ]


@st.composite
def _block(draw: st.DrawFn, depth: int, loop: int) -> list[str]:
    parts = draw(st.lists(_statement(depth, loop), min_size=1, max_size=3))
    return [line for part in parts for line in part]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def sources(draw: st.DrawFn, depth: int = 2) -> str:
    """The text of a source."""
    body = draw(st.lists(_statement(depth, 0), min_size=1, max_size=5))
    end = [f"print_int({name})\nputc(10)" for name in INTS]
    lines = [*START.splitlines(), *(line for part in body for line in part)]
    lines += [line for part in end for line in part.splitlines()]
    return TAME + "\n\ndef main() -> None:\n" + "\n".join(_indented(lines)) + "\n"


INPUTS = st.lists(st.sampled_from(list(b"ab 19-\nZ")), max_size=12).map(bytes)
