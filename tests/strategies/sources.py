"""Random sources of the write-once language, most of them valid at run time.

They use all features of the language: functions with arrays and globals, every kind of loop and
condition, all input and output, values that are assigned from themselves, arguments and indices
that change their neighbours, and in some sources ints at the limits of a language.  ``tame`` limits
other ints.  Products may still exceed the range of a language with a fixed number of digits, so
tests first run the source in CPython with that range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

HELPERS = """\
STEP = 3
calls: byte = 0
kept = -4
shared = 40
edge: byte = 3


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


def stirred(n: int) -> int:
    global shared, edge
    shared = tame(shared + n)
    edge = (edge + 1) % 9
    return shared


def edged() -> byte:
    global edge
    edge = (edge + 2) % 9
    return edge


def spent(one: ints, at: byte) -> int:
    one[at] -= STEP
    return one[at]


def blend(x: int, y: int) -> int:
    return x * 2 - y


def swapped(x: int, y: int) -> int:
    z = x
    x = y
    y = z
    return tame(x) - y


def least(x: byte, y: byte) -> byte:
    if y < x:
        x = y
    return x


def struck(line: chars, at: byte) -> byte:
    line[at] = (line[at] + 1) % 100
    return line[at]
"""
BYTES = ["b", "c", "d"]
INTS = ["n", "m", "k"]
INITIAL_VALUES = {
    "": "global shared, edge",
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
"""The first lines of every function, by variable; a function leaves out its parameters."""

PARAMETERS = ("b: byte", "n: int", "s: chars", "a: ints")
SIMPLE = [
    *("byte", "int", "print", "letter", "text", "element", "number", "digit", "same", "call"),
    *("itself", "itself", "change", "change"),
]
LETTERS = st.characters(max_codepoint=127)
DIVISORS = st.sampled_from([1, 2, 3, 10, 26, 100, 250])
RELATIONS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])

LIMITS: list[tuple[int, ...]] = [
    (49_999_999, -50_000_000, -49_999_999, 9_999_999, 10_000_000),
    (20_599_999_999, -5_000_000_000, 3_037_000_499, 3_037_000_507, 9_999_999_999, 10**10),
    (2**31, 2**32 - 1, 2**63 - 1, -(2**63) + 1, 2**64, -(10**30), 10**30),
]
"""Ints of a source near the limits of Brainfuck's ints, of Befunge's, and of machine words."""

SELF_UPDATES = {
    "byte": [
        ["{0} %= 100", "{0} += {0}"],
        ["{0} -= {0}"],
        ["{0} %= 60", "{0} += 1 + {0} // 2"],
        ["{0} %= 60", "{0} = 1 + {0} // {2} + {0}"],
        ["{0} += 255 - {0}"],
        ["{0} = 255 - {0}"],
        ["{0} -= {0} - {0} // 3"],
        ["{0} -= {0} * 3 // 4 % ({0} + 1)"],
        ["{0} %= 100", "{0} = {0} % 9 + {0}"],
        ["{0} //= {0} % 5 + 1"],
        ["{0} %= {0} // 2 + 1"],
        ["{0} %= 16", "{0} *= {0}"],
        ["{0} = s[{0} % 40] // 2 + {0} // 2"],
        ["{0} = t[t[{0} % 9] % 9]"],
        ["t[{0} % 9] = {0} // 2 + t[t[{0} % 9] % 9] // 2"],
        ["t[t[{0} % 9] % 9] = t[t[{0} % 9] % 9] // 2 + t[{0} % 9] // 2"],
        ["edge = (edge + edged()) % 9"],
        ["edge += edged()", "edge %= 9"],
        ["edge = edged() + edge", "edge %= 9"],
    ],
    "int": [
        ["{1} -= {1}"],
        ["{1} += {1}", "{1} = tame({1})"],
        ["{1} = tame({1})", "{1} += {1} * {1}", "{1} = tame({1})"],
        ["{1} = tame({1})", "{1} -= {1} // 3 * {1}", "{1} = tame({1})"],
        ["{1} = tame({1})", "{1} *= {2} - {1}", "{1} = tame({1})"],
        ["{1} = {2} - {1} * {1} % ({2} + 7)"],
        ["{1} = tame({1})", "{1} = append_digit({1}, byte({1} % 10))", "{1} = tame({1})"],
        ["{1} = tame({1})", "{1} = append_digit({1}, {0} % 10)", "{1} = tame({1})"],
        ["shared = append_digit(shared, edged() % 9)", "shared = tame(shared)"],
        ["shared = append_digit(shared, byte(stirred({1}) % 10))", "shared = tame(shared)"],
        ["shared = append_digit(stirred({1}), byte(shared % 10))", "shared = tame(shared)"],
        ["shared = shared - stirred({1}) * 2 + shared", "shared = tame(shared)"],
        ["shared -= stirred(shared) - shared", "shared = tame(shared)"],
        ["{1} = tame({1}) + 1", "{1} //= {1}"],
        ["{1} = tame({1})", "{1} %= {1} // 2 + 1"],
        ["{1} = tame({1})", "{1} = {1} // ({1} % 7 + 1) - {1}"],
        ["a[{0} % 6] = a[low(a[{0} % 6]) % 6] - a[{0} % 6]"],
        ["e[edge % 6] = tame(e[edge % 6])", "e[edge % 6] = append_digit(e[edge % 6], edge)"],
    ],
}
"""Statements that change a byte {0} or an int {1} from its value; {2} is a small number."""

CHANGES = [
    ["s[{at} % 40] %= 100", "s[{at} % 40] += {byte} % 100"],
    ["s[{at} % 40] %= 100", "s[{at} % 40] += s[{at} % 40]"],
    ["s[{at} % 40] -= s[{at} % 40]"],
    ["t[{at} % 9] //= {byte} % 5 + 1"],
    ["t[{at} % 9] %= {byte} % 7 + 1"],
    ["t[{at} % 9] %= 25", "t[{at} % 9] *= {byte} % 10"],
    ["t[struck(t, {at} % 9) % 9] %= struck(t, {byte} % 9) + 1"],
    ["t[struck(t, {at} % 9) % 9] //= edged() + edge + 1"],
    ["s[edged()] %= edged() + 1"],
    ["a[{at} % 6] += {int}", "a[{at} % 6] = tame(a[{at} % 6])"],
    ["a[{at} % 6] -= {int}", "a[{at} % 6] = tame(a[{at} % 6])"],
    ["a[{at} % 6] *= tame({int})", "a[{at} % 6] = tame(a[{at} % 6])"],
    ["a[{at} % 6] = tame(a[{at} % 6])", "a[{at} % 6] //= tame({int}) + 1"],
    ["a[{at} % 6] = tame(a[{at} % 6])", "a[{at} % 6] %= tame({int}) + 1"],
    ["a[{at} % 6] //= tame(a[edge % 6]) + 1"],
    ["t[{at} % 9] //= t[{byte} % 9] % 5 + 1"],
    ["a[{at} % 6] -= a[{at} % 6] - a[edge % 6]"],
    ["e[{at} % 6] += e[{at} % 6]", "e[{at} % 6] = tame(e[{at} % 6])"],
    ["e[{at} % 6] = tame(e[{at} % 6])", "e[{at} % 6] *= e[{at} % 6]", "e[{at} % 6] %= 997"],
    [
        "e[edge % 6] = tame(e[edge % 6])",
        "e[edge % 6] *= spent(e, {at} % 6)",
        "e[edge % 6] = tame(e[edge % 6])",
    ],
    ["e[edged() % 6] += stirred({int}) - spent(e, edge % 6)"],
    ["e[low(spent(e, edge % 6)) % 6] -= spent(e, {byte} % 6) + e[edge % 6]"],
    ["e[{at} % 6] = spent(e, {at} % 6) - e[{at} % 6] + spent(a, {at} % 6)"],
]
"""Compound assignments to elements, some with indices and values that change the arrays."""

LIMIT_STATEMENTS = [
    "print_int({n})",
    "print_int({n} - {near})",
    "print_int({near} - {n})",
    "print_int({n} + {small})",
    "print_int({n} - {small})",
    "print_int(-{n})",
    "print_int({n} * {small} // {small})",
    "print_int({n} - {n} * {small})",
    "if {n} {relation} {near}: puts('1')",
    "if {near} {relation} {n}: puts('2')",
    "if {near} {relation} {n} {relation} {far}: puts('3')",
    "if {n} {relation} {m}: puts('4')",
    "if {n} + {small} {relation} {near} - {small}: puts('5')",
    "a[{b} % 6] = {n}",
    "a[{b} % 6] = {near}",
    "print_int(a[{b} % 6])",
    "a[{b} % 6] -= {small}",
    "a[{b} % 6] += {n}",
    "print_int(noted({n}))",
    "{n} -= {small}",
    "{n} += {small}",
    "{n} += {m}",
    "{m} = {n}",
    "{m} = {n} - {small}",
    "print_int({n} - stirred({m}))",
    "{n} = divide({n}, {sign}{small})",
    "{n} = divide({n}, {near})",
    "{m} = divide({near}, {b} % 3 + 1)",
]
POSITIVE = [
    "print_int({n} * {n})",
    "print_int(-({n} * {n}) + {m})",
    "if {n} * {n} {relation} {near} * {near}: puts('6')",
    "print_int({n} // {small})",
    "print_int({n} % {small})",
    "print_int({n} // ({near} // {small} + 1))",
    "print_int({n} % ({near} // {small} + 1))",
    "print_int({n} // {near})",
    "print_int({n} % {near})",
    "{n} //= {small}",
    "{n} %= {near}",
    "{n} = {n} // 10",
    "{n} = append_digit({n} // 10, {b} % 10)",
    "a[{b} % 6] = {n}; a[{b} % 6] %= {near}; a[{b} % 6] //= {small}",
]
"""Statements with an int at a limit: of any sign (LIMIT_STATEMENTS), and above 0 (POSITIVE)."""

RANGES = [
    *(
        ("i", limits)
        for limits in ("3", "4", "b % 4", "5, 2", "b % 5, 3", "253, 255", "c % 3, d % 4")
    ),
    *(("j", limits) for limits in ("tame(n) % 3", "-2, 1", "m, m + 2", "1, tame(k) % 4 - 1")),
]
"""Variables and limits of loops; ``j`` is an int."""


@dataclass(frozen=True)
class StatementContext:
    """The context of a statement.  loop: number of loops around it.

    functions: number of drawn functions that it can call.  limits: ints at the limits of a
    language, none in many sources.
    """

    loop: int = 0
    functions: int = 0
    limits: tuple[int, ...] = ()


@st.composite
def _byte(draw: st.DrawFn, depth: int, context: StatementContext) -> str:
    if depth == 0:
        leaves = [*BYTES, "0", "1", "9", "ord('a')", "200", "255", "len(s)", "STEP", "edge"]
        return draw(st.sampled_from(leaves))
    one, other = draw(_byte(depth - 1, context)), draw(_byte(depth - 1, context))
    number, small = draw(_int(depth - 1, context)), draw(_byte(0, context))
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
        "edged()",
        f"least({one}, {other})",
        f"least({small}, least({one}, {other}))",
        f"struck(s, {one} % 40)",
        f"t[struck(t, {one} % 9) % 9]",
        f"(edge + edged() * {other} % 50)",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _int(draw: st.DrawFn, depth: int, context: StatementContext) -> str:
    if depth == 0:
        leaves = [*INTS, "0", "1", "-1", "10", "996", "1000", "-305", "STEP", "shared", "kept"]
        return draw(st.sampled_from(leaves))
    one, other = draw(_int(depth - 1, context)), draw(_int(depth - 1, context))
    small = draw(_byte(depth - 1, context))
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
        f"stirred({one})",
        f"blend({one}, {other})",
        f"blend(shared, blend({one}, stirred({other})))",
        f"swapped({one}, {other})",
        f"swapped(swapped({one}, 5), swapped({other}, shared))",
        f"(shared - stirred({one}))",
        f"spent(a, {small} % 6)",
        f"(a[{small} % 6] - spent(a, {small} % 6))",
    ]
    if context.functions:
        which = draw(st.integers(0, context.functions - 1))
        array = draw(st.sampled_from("ae"))
        forms += [f"tame(f{which}({small}, {one}, s, {array}))"] * 3
    return draw(st.sampled_from(forms))


@st.composite
def _condition(draw: st.DrawFn, depth: int, context: StatementContext) -> str:
    """A condition; joined conditions contain no calls."""
    side = draw(st.sampled_from([_byte(0, context), _int(0, context)]))
    first, last = draw(side), draw(side)
    simple = f"{first} {draw(RELATIONS)} {last}"
    if draw(st.booleans()) and not last.startswith("len"):
        simple += f" {draw(RELATIONS)} {draw(side)}"
    if depth == 0:
        return simple
    other = draw(_condition(depth - 1, context))
    byte, more = draw(st.sampled_from(BYTES)), draw(_byte(0, context))
    guarded = [f"{byte} < 9 and t[{byte}] {draw(RELATIONS)} {more}"]
    guarded += [f"{byte} >= 6 or a[{byte}] {draw(RELATIONS)} {draw(_int(0, context))}"]
    guarded += [f"{byte} > 3 and s[({byte} - 3) % 40] {draw(RELATIONS)} {more}"]
    guarded += [f"{byte} != 0 and {more} // {byte} {draw(RELATIONS)} 3"]
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(guarded))
    forms = [f"{simple} and {other}", f"{simple} or {other}", f"not ({other})", simple]
    forms += [f"({other}) and ({simple})", f"({simple}) and ({other})"]
    return draw(st.sampled_from(forms))


@st.composite
def _calling_condition(draw: st.DrawFn, context: StatementContext) -> str:
    """A condition that may begin with calls."""
    called = [f"{draw(_int(1, context))} < {draw(_int(1, context))}"]
    called += [f"{draw(_byte(1, context))} {draw(RELATIONS)} {draw(_byte(0, context))}"]
    return draw(st.sampled_from([draw(_condition(2, context)), *called]))


@st.composite
def _near_limit(draw: st.DrawFn, context: StatementContext) -> str:
    """An int at a limit, or a little within it."""
    limit, less = draw(st.sampled_from(context.limits)), draw(st.sampled_from([0, 0, 1, 7, 997]))
    return str(limit - less if limit > 0 else limit + less)


@st.composite
def _limit_statements(draw: st.DrawFn, context: StatementContext) -> list[str]:
    number = draw(st.sampled_from(INTS))
    start, small = draw(_near_limit(context)), draw(st.sampled_from([1, 2, 3, 5, 9, 10, 99, 1000]))
    forms = LIMIT_STATEMENTS if start[0] == "-" else LIMIT_STATEMENTS + POSITIVE * 2
    lines: list[str] = []
    for form in draw(st.lists(st.sampled_from(forms), min_size=1, max_size=4)):
        line = form.format(
            n=number,
            m=draw(st.sampled_from(INTS)),
            b=draw(st.sampled_from(BYTES)),
            near=draw(_near_limit(context)).lstrip("-" if form in POSITIVE else ""),
            far=draw(_near_limit(context)),
            small=small,
            relation=draw(RELATIONS),
            sign=draw(st.sampled_from(["", "-"])),
        )
        lines += [*line.split("; "), "putc(44)"]
    for one in INTS:
        lines += [f"if {one} < 0:", f"    {one} = -({one} + 1)", f"{one} %= 997"]
    if any("a[" in line for line in lines):
        element = ["if a[z] < 0:", "    a[z] = -(a[z] + 1)", "a[z] %= 997"]
        lines += ["for z in range(6):", *_indented(element)]
    return [f"{number} = {start}", *lines]


@st.composite
def _simple_statement(draw: st.DrawFn, context: StatementContext) -> list[str]:
    byte, number = draw(st.sampled_from(BYTES)), draw(st.sampled_from(INTS))
    kind = draw(st.sampled_from([*SIMPLE, "limit", "limit", "limit"] if context.limits else SIMPLE))
    match kind:
        case "itself":
            forms = SELF_UPDATES[draw(st.sampled_from(["byte", "int"]))]
            small = draw(st.sampled_from([1, 2, 3, 7, 10]))
            return [one.format(byte, number, small) for one in draw(st.sampled_from(forms))]
        case "change":
            values = {"at": byte, "byte": draw(_byte(1, context)), "int": draw(_int(1, context))}
            return [one.format_map(values) for one in draw(st.sampled_from(CHANGES))]
        case "limit":
            return draw(_limit_statements(context))
        case "byte":
            return [f"{byte} = {draw(_byte(2, context))}"]
        case "int":
            return [f"{number} = tame({draw(_int(2, context))}) - {draw(st.integers(0, 50))}"]
        case "print":
            return [f"print_int({draw(_int(2, context))})"]
        case "letter":
            return [draw(st.sampled_from(["putc({})", "putc({} % 95 + 32)"])).format(byte)]
        case "text":
            return [f"puts({draw(st.text(LETTERS, max_size=6))!r})"]
        case "element":
            place = draw(st.sampled_from(["s[{} % 40]", "t[{} % 9]"]))
            return [f"{place.format(draw(_byte(1, context)))} = {draw(_byte(1, context))}"]
        case "number":
            operation = draw(st.sampled_from(["=", "+=", "-="]))
            array = draw(st.sampled_from("ae"))
            return [
                f"{array}[{draw(_byte(1, context))} % 6] {operation} tame({draw(_int(1, context))})"
            ]
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
def _statement(draw: st.DrawFn, depth: int, context: StatementContext) -> list[str]:
    kind = draw(st.sampled_from(["simple", "simple", "if", "for", "while"])) if depth else "simple"
    inner = replace(context, loop=context.loop + 1)
    match kind:
        case "simple":
            return draw(_simple_statement(context))
        case "if":
            lines = [
                f"if {draw(_calling_condition(context))}:",
                *_indented(draw(_block(depth - 1, context))),
            ]
            if draw(st.booleans()):
                lines += [
                    f"elif {draw(_calling_condition(context))}:",
                    *_indented(draw(_block(depth - 1, context))),
                ]
            if draw(st.booleans()):
                lines += ["else:", *_indented(draw(_block(depth - 1, context)))]
            return lines
        case "for":
            letter, limits = draw(st.sampled_from(RANGES))
            count = f"{letter}{context.loop}"
            return [
                f"for {count} in range({limits}):",
                *_indented([*draw(_block(depth - 1, inner)), f"k = tame(k) + {count}"]),
            ]
        case _:
            left = f"w{context.loop}"
            forms = [f"{left} > 0 and {draw(_condition(1, context))}"]
            forms += [f"{draw(_int(1, context))} < {draw(_int(0, context))} and {left} > 0"]
            forms += [f"{draw(_byte(1, context))} != 0 and {left} > 0", f"0 < {left} <= 3"]
            return [
                f"{left}: byte = {draw(st.integers(0, 3))}",
                f"while {draw(st.sampled_from(forms))}:",
                *_indented([f"{left} -= 1", *draw(_block(depth - 1, inner))]),
            ]


@st.composite
def _block(draw: st.DrawFn, depth: int, context: StatementContext) -> list[str]:
    parts = draw(st.lists(_statement(depth, context), min_size=1, max_size=3))
    return [line for part in parts for line in part]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def sources(draw: st.DrawFn, depth: int = 2) -> str:
    """Random sources."""
    functions: list[str] = []
    known = draw(st.sampled_from([0, 0, 1, 2]))
    limits = draw(st.sampled_from([(), (), *LIMITS]))
    for which in range(known):
        at = StatementContext(functions=which, limits=limits)
        kind = draw(st.sampled_from(["int", "byte"]))
        result = draw(_int(1, at)) if kind == "int" else draw(_byte(1, at))
        taken = {one.partition(":")[0] for one in PARAMETERS}
        start = [line for name, line in INITIAL_VALUES.items() if name not in taken]
        body = [*start, *draw(_block(1, at)), f"return {result}"]
        head = f"\n\ndef f{which}({', '.join(PARAMETERS)}) -> {kind}:\n"
        functions.append(head + "\n".join(_indented(body)) + "\n")
    parts = draw(
        st.lists(
            _statement(depth, StatementContext(functions=known, limits=limits)),
            min_size=1,
            max_size=5,
        )
    )
    lines = [*INITIAL_VALUES.values(), *(line for part in parts for line in part)]
    for value in (*INTS, *BYTES, "a[2]", "e[3]", "s[0]", "noted(ended_by())", "shared", "edge"):
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
NON_UTF8_BYTES = [b"\x80 ", b"\xff\xff", b"\xc3(", b"\xf0 ", b"\xe2a", b"\xa9"]
"""Bytes above ASCII that are not UTF-8, whatever comes next."""

INPUTS = st.lists(
    st.sampled_from([*(word.encode() for word in WORDS), *NON_UTF8_BYTES]), max_size=9
).map(b"".join)
