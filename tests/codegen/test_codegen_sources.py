"""What sources may contain, the errors for anything else, and how sources run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from oracles.statements import interpret

from esoplay.codegen.cpython import run_source
from esoplay.codegen.errors import SourceError, SourceFault
from esoplay.codegen.lowering import compile_source

ROOT = Path(__file__).resolve().parents[2]

SORT = """\
from esoplay.codegen.source import byte, ints, print_int, putc, read_int


def main() -> None:
    n = byte(read_int())
    a = ints(40)
    for i in range(n):
        x = read_int()
        j = i
        while j > 0 and a[j - 1] > x:
            a[j] = a[j - 1]
            j -= 1
        a[j] = x
    for i in range(n):
        if i > 0:
            putc(ord(" "))
        print_int(a[i])


if __name__ == "__main__":
    main()
"""


def body(*lines: str) -> str:
    return "def main():\n" + "".join(f"    {line}\n" for line in lines)


def chain(arms: int) -> str:
    """An ``if`` with so many conditions in a row."""
    arm = "if n == {0}:\n        print_int({0})\n    "
    return body("n = getc()", "el".join(arm.format(at) for at in range(arms)))


def test_a_source_prints_the_same_as_a_file_with_checks_and_as_statements(tmp_path: Path) -> None:
    stdin, sorted_numbers = b"5\n3 -1 22 0 4", b"-1 0 3 4 22"
    assert run_source(SORT, stdin) == sorted_numbers
    assert interpret(compile_source(SORT), stdin) == sorted_numbers
    file = tmp_path / "sort.py"
    file.write_text(SORT)
    done = subprocess.run(
        [sys.executable, str(file)],
        input=stdin,
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'interpreters'}"},
    )
    assert done.stdout == sorted_numbers


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("def main(:", 1, 10, "invalid syntax"),
        ("x = 1", 1, 1, "main()"),
        ("import os", 1, 1, "expected a function or NAME = VALUE"),
        ("from os import system", 1, 1, "expected a function"),
        ("X = print()\n" + body("pass"), 1, 5, "must be a number"),
        ("class A:\n    pass", 1, 1, "expected a function"),
        ("def main(x: int):\n    pass", 1, 1, "main() must have no parameters"),
        ("def f(x):\n    pass\n" + body("f(1)"), 1, 7, "x needs a type"),
        ("def f(x: int = 1):\n    pass\n" + body("f(1)"), 1, 1, "cannot have defaults"),
        ("def getc():\n    pass\n" + body("pass"), 1, 1, "function getc is already defined"),
        ("def f(x: int) -> int:\n    return f(x)\n" + body("print_int(f(1))"), 2, 12, "itself"),
        ("def f() -> int:\n    pass\n" + body("print_int(f())"), 2, 5, "must end with return"),
        ("def f():\n    return 1\n" + body("f()"), 2, 5, "f must return nothing"),
        (body("if 1 < 2:", "    return"), 3, 9, "return must be the last statement"),
        (body("x = 'a'"), 2, 9, "ord('x')"),
        (body("x = 1 / 2"), 2, 9, "+ - * // or %"),
        (body("x = 1 // 0"), 2, 9, "division by zero"),
        (body("x = y"), 2, 9, "y is not defined"),
        (body("x = 1", "if x:", "    pass"), 3, 8, "a condition compares"),
        (body("x = 1 < 2"), 2, 9, "a condition is not a value"),
        (body("x: byte = 256"), 2, 15, "expected a byte, 0 to 255, found 256"),
        (body("c = getc()", "n = 300", "c = n"), 4, 9, "`byte(x)` converts it"),
        (body("x = 1", "x: byte = 1"), 3, 5, "x is already an int"),
        (body("for i in range(3):", "    i = 1"), 3, 9, "cannot be assigned in it"),
        (body("for i in range(3):", "    pass", "print_int(i)"), 4, 15, "after the loop"),
        (
            body("for i in range(3):", "    pass", "for i in range(300):", "    pass"),
            4,
            5,
            "i is already a byte",
        ),
        (body("for i in range(1, 2, 3):", "    pass"), 2, 5, "range(START, END)"),
        (body("a = chars(257)"), 2, 15, "from 1 to 256"),
        (body("a = chars(3)", "print_int(a)"), 3, 15, "a is an array"),
        (body("a = chars(3)", "a = 1"), 3, 5, "a is an array"),
        (body("a = ints(3)", "read_line(a)"), 3, 15, "chars(n)"),
        (body("a[1] = 2"), 2, 5, "a is not an array here"),
        (body("n = 1", "a = chars(3)", "a[n] = 2"), 4, 7, "byte(x)"),
        (
            body("x = 1", "if x < 2 and getc() > 1:", "    pass"),
            3,
            18,
            "assign its result to a variable first",
        ),
        (body("puts(1)"), 2, 5, "puts expects one string"),
        (body("puts('é')"), 2, 5, "ASCII"),
        (body("with x:", "    pass"), 2, 5, "a statement is"),
        (body("while 1 < 2:", "    break"), 3, 9, "a statement is"),
        (body("x = [1]"), 2, 9, "a value is a number"),
        (body("nothing()"), 2, 5, "unknown function nothing"),
        (body("divide(1)"), 2, 5, "divide expects 2 arguments"),
        (body("divide(a=1, b=2)"), 2, 5, "pass arguments by position"),
        (body("c = getc(to=1 // 0)"), 2, 9, "pass arguments by position"),
        (
            body("for i in range(3, by=open('x')):", "    putc(65)"),
            2,
            14,
            "pass arguments by position",
        ),
        ("def f():\n    open(file='x')\n" + body("pass"), 2, 5, "pass arguments by position"),
        (body("puts('é'); x = y"), 2, 5, "ASCII"),
        (body("x = ord('é') + getc()"), 2, 9, "ord('x')"),
        (body("if ord('a') < 'é' and 1 < z:", "    pass"), 2, 19, "written `ord('x')`"),
        (body("𝐱 = 1; print_int(z)"), 2, 22, "z is not defined"),
        ("é = 1; A = print()\n" + body("pass"), 1, 12, "must be a number"),
        (body("é = 1; x = é + y"), 2, 20, "y is not defined"),
        (body("x = " + "(" * 50 + "1" + ")" * 50 + "q"), 2, 110, "invalid syntax"),
        (body("x = 1", "x = " + "-" * 5000 + "getc()", "x = 2"), 3, 5, "nested too deeply"),
        (body("x = 1", "x = " + "1 + " * 700 + "y", "x = 2"), 3, 13, "nested too deeply"),
        (chain(400), 802, 19, "nested too deeply"),
        (body("x = 0x" + "f" * 4000), 2, 9, "at most 10,000 bits"),
        ("N = 0x" + "f" * 2000 + "\n" + body("x = N * N"), 3, 9, "at most 10,000 bits"),
        (
            body(
                "n = 0", *("    " * at + "while n < 1:" for at in range(21)), "    " * 21 + "n = 1"
            ),
            23,
            85,
            "nested blocks",
        ),
        ("n = 1\n" + body("n = 2", "global n"), 4, 5, "before global declaration"),
        ("n = 1\n" + body("é = n; global n", "n = é"), 3, 12, "prior to global declaration"),
        (body("pass", "global n", "n = 1"), 3, 5, "n is not a global"),
    ],
)
def test_an_error_names_its_place_and_what_is_allowed(
    source: str, line: int, column: int, words: str
) -> None:
    with pytest.raises(SourceError) as error:
        compile_source(source, "mine.py")
    assert words in str(error.value)
    assert (error.value.line, error.value.column) == (line, column)
    assert str(error.value).startswith(f"mine.py: line {line}, column {column}: ")


MANY = """\
import os
X = [1]


def f(n: int) -> int:
    return n + missing


def main():
    a = ints(300)
    a[0] = X
    c = y + z * w
    d = f(c, 1) + f(2)
    d = f(d)
    while c < 3 and v < 4 and d < u:
        break
    for i in a:
        print_int(i)
        if i:
            e = 1 // 0
        else:
            d = e
    with a:
        d = t
    n = 1
    n = append_digit(n, s)
    f(r, a, n)
    print_int(f(q))
    n = g(p)
"""


def test_all_errors_are_reported_in_the_order_of_the_text() -> None:
    with pytest.raises(SourceError) as error:
        compile_source(MANY, "mine.py")
    found = [(one.line, one.column, one.message) for one in error.value.errors]
    places = [(1, 1), (2, 5), (6, 16), (10, 14), (12, 9), (12, 13), (12, 17), (13, 9)]
    places += [(15, 21), (15, 35), (16, 9), (17, 5), (19, 12), (20, 17), (23, 5), (24, 13)]
    places += [(26, 25), (27, 5), (27, 7), (28, 17), (29, 9), (29, 11)]
    assert [(line, column) for line, column, _ in found] == places
    assert found[0] == (error.value.line, error.value.column, error.value.message)
    lines = str(error.value).splitlines()
    assert len(lines) == len(places)
    assert lines[4] == "mine.py: line 12, column 9: y is not defined"


@pytest.mark.parametrize("loop", ["while 1 < 2:", "for i in range(3):"])
def test_a_loop_outside_of_functions_is_not_reported_for_its_else(loop: str) -> None:
    with pytest.raises(SourceError, match=r"^[^;]*expected a function or NAME = VALUE"):
        compile_source(f"{loop}\n    pass\n\n" + body("pass"))


def test_follow_on_errors_are_not_reported() -> None:
    source = "def f(n):\n    pass\n" + body(
        "n = m", "n += 1", "a = ints(n)", "a[0] = n", "f(n)", "for i in range(n):", "    f(i)"
    )
    with pytest.raises(SourceError) as error:
        compile_source(source)
    assert [(one.line, one.column) for one in error.value.errors] == [(1, 7), (4, 9), (6, 14)]


def test_an_error_in_a_function_is_reported_once() -> None:
    source = "def f():\n    x = y\n" + body("f()", "f()", "z = 1 / 2")
    with pytest.raises(SourceError) as error:
        compile_source(source)
    assert [one.line for one in error.value.errors] == [2, 6]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["while 1 < 2:", "    break"], "`break` is not supported: test in the condition"),
        (["while 1 < 2:", "    continue"], "`continue` is not supported: put the rest of the loop"),
        (["a, b = b, a"], "a swap is not supported: write `t = a`, `a = b`, `b = t`, one per line"),
        (["a[1], a[2] = a[2], a[1]"], "write `t = a[1]`, `a[1] = a[2]`, `a[2] = t`"),
        (["a, b = 1, c + 2"], "write `a = 1`, `b = c + 2`, one per line"),
        (["a, b = f()"], "assign one variable at a time"),
        (["a = b = 0"], "assign one variable at a time: write a line for each"),
        (
            ["c = getc()", "if c in a:", "    pass"],
            "`in` is not supported: compare with each value using `==`",
        ),
        (
            ["c = getc()", "if c not in 'ab':", "    pass"],
            "compare with each value using `!=` and join the comparisons with `and`",
        ),
        (["c = getc()", "if c is 3:", "    pass"], "`is` is not supported: write `==`"),
        (["x = 1 if 2 < 3 else 4"], "write `if` and `else`, with an assignment in each"),
        (["x = 1", "if x:", "    pass"], "`x` alone is not a condition: write `x != 0`"),
        (
            ["while True:", "    pass"],
            "`True` is not a condition: write a comparison, or `1 == 1`",
        ),
        (
            ["while 1 < 2 < 3 < 4:", "    pass"],
            "chain of comparisons: write separate comparisons and join",
        ),
        (["while 1 < 2:", "    pass", "else:", "    pass"], "a loop has no `else`"),
        (
            ["for i in range(0, 9, 2):", "    pass"],
            "step is not supported: write `while`, and `i += step`",
        ),
        (["for i in a:", "    pass"], "write `for i in range(len(a))`, and `a[i]`"),
        (["for i in 'ab':", "    pass"], "write a statement for each value"),
        (["for i in reversed(a):", "    pass"], "instead of `reversed`, write `for i in range(n)`"),
        (["x: int"], "`n: int = 0`"),
        (["x = True"], "`True` is not supported: write 1"),
        (
            ["x = 'ab'"],
            'text is not a value: print it with `puts("…")`; a character is written `ord(',
        ),
        (["x = None"], "`None` is not supported"),
        (["x = 1.5"], "floats are not supported"),
        (["x = 2 ** 3"], "`**` is not supported: multiply in a loop"),
        (["x = 7 / 2"], "`/` is not supported: write `//`"),
        (["x = 7 & 1"], "write `%` with a power of 2"),
        (["x = 7", "x <<= 1"], "multiply by a power of 2"),
        (["x = ~1 + getc()"], "write `-1 - x`"),
        (["x = f'{1}'"], "f-strings are not supported: print the parts with `puts"),
        (["x = [1, 2]"], "make an array with `chars(n)` or `ints(n)`"),
        (["x = [i for i in range(3)]"], "and fill it in a `for` loop"),
        (["a = ints(4)", "x = a[1:2]"], "copy the elements in a `for` loop"),
        (["a = ints(4)", "x = a[1][2]"], "an array has one index: write `a[i * WIDTH + j]`"),
        (["a = ints(4)", "a[1][2] = 3"], "an array has one index"),
        (
            ["a = ints(4)", "print_int(a[-1])"],
            "negative indices are not supported: write `a[len(a) - 1]`",
        ),
        (["a = ints(4)", "a[-2] += 3"], "write `a[len(a) - 2]`"),
        (["a.append(3)"], "count the elements in use in a variable"),
        (["print(3)"], 'instead of `print`, write `puts("text")`, `print_int(n)`'),
        (["x = input()"], "instead of `input`, write `read_int()`"),
        (["x = abs(3)"], "instead of `abs`, write `if n < 0: n = -n`"),
        (["x = max(1, 2)"], "instead of `max`, write `if a < b: a = b`"),
        (["x = chr(65)"], "instead of `chr`, write the number itself"),
        (["assert 1 < 2"], "`assert` is not supported"),
        (["try:", "    pass", "finally:", "    pass"], "exceptions are not supported"),
        (["del x"], "`del` is not supported"),
        (["import os"], "modules are not supported"),
        (["def f():", "    pass"], "move the function to the top level, and pass values"),
        (["1 < 2"], "a value by itself has no effect"),
        (["while 1 < 2:", "    return", "x = 1"], "store the result in a variable"),
    ],
)
def test_refused_construct_names_its_replacement(lines: list[str], words: str) -> None:
    with pytest.raises(SourceError) as error:
        compile_source(body(*lines))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (body("x: byte = 0", "x -= 1"), 3, "0 to 255, not -1"),
        (body("c = getc()", "if c - 1 < 5:", "    pass"), 3, "not -1"),
        (body("a = chars(3)", "c = getc()", "a[c + 3] = 1"), 4, "index 3 is out of range"),
        (body("a = ints(3)", "n = 0 - 1", "print_int(a[byte(n)])"), 4, "not -1"),
        (body("n = 0 - 5", "n = n // 3"), 3, "found -5 and 3"),
        (body("n = 0", "n = 7 % n"), 3, "found 7 and 0"),
        (body("n = 0", "while n < 1:", "    n -= 1"), 4, "the limit of 1,000 iterations"),
        (body("n = 0 - 1", "n = append_digit(n, 3)"), 3, "cannot append digit 3"),
        (body("n = 3", "while n > 0:", "    n *= n"), 4, "exceeds 10,000 bits"),
        (body("if getc() == 3:", "    x = 1", "print_int(x)"), 4, "variable 'x'"),
    ],
)
def test_run_reports_failed_checks(source: str, line: int, words: str) -> None:
    with pytest.raises(SourceFault) as fault:
        run_source(source, rounds=1000)
    assert words in str(fault.value)
    assert fault.value.line in (line, line - 1)


def test_a_run_says_where_a_source_is_nested_too_deeply() -> None:
    with pytest.raises(SourceError, match=r"line 80[0-9], column [0-9]+: nested too deeply"):
        run_source(chain(400))


def test_too_many_inlined_calls_are_refused() -> None:
    twice = [f"def f{at}():\n    f{at - 1}()\n    f{at - 1}()\n" for at in range(1, 40)]
    source = "def f0():\n    pass\n" + "".join(twice) + body("f39()")
    with pytest.raises(SourceError, match="more than 20,000 calls"):
        compile_source(source)


@pytest.mark.parametrize(
    ("lines", "stdin", "expected"),
    [
        (["print_int(getc() - getc())"], b"ba", b"1"),
        (["n = read_int()", "print_int(n * 10 + ended_by())"], b"-5,", b"-6"),
        (
            ["s = chars(9)", "n = read_line(s)", "putc(s[n - 1])", "print_int(len(s))"],
            b"xyz",
            b"z9",
        ),
        (["print_int(divide(-7, 2))", "print_int(divide(7, -2))"], b"", b"-3-3"),
        (["for i in range(2, 5):", "    print_int(i)"], b"", b"234"),
        (["for i in range(getc()):", "    puts('x')"], b"\x03", b"xxx"),
        (["c = getc()", "if ord('a') <= c <= ord('z'):", "    puts('low')"], b"k", b"low"),
        (["x = 2", "print_int(-x - -3)"], b"", b"1"),
        (["a = ints(9)", "a[getc() % 6] += 57", "putc(getc())"], b"xyz", b"y"),
        (["a = chars(2)", "a[0] = 3", "a[a[1]] += getc() % 5", "print_int(a[0])"], b"\x04", b"7"),
        (
            ["for i in range(2):", "    s = chars(2)", "    s[0] += 1", "    print_int(s[0])"],
            b"",
            b"11",
        ),
    ],
)
def test_compiled_statements_print_the_same_as_the_source(
    lines: list[str], stdin: bytes, expected: bytes
) -> None:
    assert run_source(body(*lines), stdin) == expected
    assert interpret(compile_source(body(*lines)), stdin) == expected


def test_main_may_share_globals() -> None:
    source = "n = 3\n" + body("global n", "n += 1", "print_int(n)")
    assert run_source(source) == interpret(compile_source(source), b"") == b"4"


def test_a_number_that_grows_by_sums_is_bounded() -> None:
    source = body("n = 1", "for i in range(999):", "    n += n", "print_int(n)")
    assert run_source(source) == b"%d" % 2**999
    with pytest.raises(SourceFault, match="exceeds 10,000 bits"):
        run_source(source.replace("999", "15000"))


def test_names_of_the_source_do_not_hide_the_checks() -> None:
    source = "def _product(a: int, b: int) -> int:\n    return a - b\n"
    assert run_source(source + body("byte: byte = 7", "n = 6", "print_int(n * byte)")) == b"42"


def test_uncalled_function_is_not_compiled() -> None:
    source = "def f():\n    x: int\n    a.b: int = 1\n" + body("putc(65)")
    assert run_source(source) == b"A"


def test_a_source_may_end_by_calling_main() -> None:
    source = body("puts('once')") + "main()\n"
    assert run_source(source) == b"once"
    assert interpret(compile_source(source), b"") == b"once"
    with pytest.raises(SourceError, match="line 3, column 1: expected a function"):
        compile_source(body("pass") + "main(1)\n")


SAME = """\
def same(n: int) -> int:
    return n


def seven() -> int:
    x = (same(8) - 1) * same(1)
    return x


"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["print_int(same(9) - seven())"], b"2"),
        (["print_int(same(9) - seven() * (same(2) - seven()))"], b"44"),
        (["a = ints(2)", "a[0] = 50", "a[0] -= seven()", "print_int(a[0])"], b"43"),
        (["for i in range(same(3)):", "    print_int(i + same(1))"], b"123"),
        (["if same(9) < seven():", "    puts('less')", "print_int(same(1))"], b"1"),
    ],
)
def test_value_survives_later_calls(lines: list[str], expected: bytes) -> None:
    source = SAME + body(*lines)
    assert run_source(source) == expected
    assert interpret(compile_source(source), b"") == expected


def test_unread_variables_are_removed() -> None:
    program = compile_source(body("x = read_int()", "y = x", "print_int(x)"))
    assert set(program.variables) == {"read_int.c", "read_int.negative", "read_int.number", "x"}


def test_an_origin_leads_back_through_the_calls() -> None:
    program = compile_source(body("x = read_int()", "print_int(x)"))
    first = program.body[0].origin
    assert (first.function, first.is_library) == ("read_int", True)
    assert (first.user_origin.function, first.user_origin.line, first.user_origin.column) == (
        "main",
        2,
        9,
    )


def test_an_origin_counts_characters() -> None:
    program = compile_source(body("é = read_int(); ü = é; print_int(ü)"))
    own = [one.origin.user_origin for one in program.body]
    assert {one.column for one in own if one.line == 2} >= {5, 28}


def test_byte_is_checked_after_non_ascii_letters() -> None:
    source = body("é: byte = getc(); ü = 1; x = é + é; print_int(x + ü)")
    assert run_source(source, b"\x7f") == b"255"
    with pytest.raises(SourceFault, match="line 2: a byte is 0 to 255, not 256"):
        run_source(source, b"\x80")
