"""Every back end's programs do what the source does in CPython, in both dialects."""

from __future__ import annotations

import agreement
import pytest
from hypothesis import HealthCheck, assume, given, settings
from strategies.sources import INPUTS, sources

from esolangs.limits import Limits
from esoplay.codegen.back_ends import back_end_ids, find_back_end, generate_program
from esoplay.codegen.cpython import run_source
from esoplay.codegen.errors import SourceError
from esoplay.codegen.generated import Generated
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source as run_program

LIMITS = Limits(steps=50_000_000, output=100_000, memory=1 << 28)
DIALECTS = ("standard", "benchmark")
LANGUAGES = back_end_ids()

SMALL = {
    "nothing": ("pass", b"", b""),
    "text": ("puts('Hello, World! #\\n')", b"", b"Hello, World! #\n"),
    "echo": ("c = getc()\nwhile c != 0:\n    putc(c)\n    c = getc()", b"a <\n~", b"a <\n~"),
    "every byte": ("for b in range(255):\n    putc(b)\nputc(255)", b"", bytes(range(256))),
    "ints": ("print_int(-12 * 7)\nx = 1000\nprint_int(x - 999)\nprint_int(0)", b"", b"-8410"),
    "division": ("n = 1234\nprint_int(n // 10)\nprint_int(n % 10)", b"", b"1234"),
    "last index": ("a = ints(256)\na[255] = 7\nprint_int(a[255] + a[0])", b"", b"7"),
    "letters of other scripts": (
        "число = getc()\nñ数 = chars(3)\nñ数[1] = число\nputc(ñ数[1])",
        b"z",
        b"z",
    ),
    "reading": ("a = read_int()\nb = read_int()\nprint_int(a * b)", b"-12 34", b"-408"),
    "line": (
        "s = chars(99)\nn = read_line(s)\nwhile n > 0:\n    n -= 1\n    putc(s[n])",
        b"<drawer>",
        b">reward<",
    ),
    "either": ("a = chars(2)\nif a[0] == 0 or a[1] // a[0] == 0:\n    puts('y')", b"", b"y"),
}


def program_of(lines: str) -> str:
    return "def main():\n" + "".join(f"    {line}\n" for line in lines.split("\n"))


def generated(language: str, text: str, *, comments: bool = False) -> Generated:
    return generate_program(compile_source(text), language, comments=comments)


def assert_runs(language: str, made: Generated, stdin: bytes, expected: bytes) -> None:
    for dialect in DIALECTS:
        outcome = run_program(
            language, made.text.encode("latin-1"), dialect=dialect, stdin=stdin, limits=LIMITS
        )
        assert (outcome.status, outcome.stdout) == ("ok", expected), outcome.stderr


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SMALL)
def test_a_small_source_runs(language: str, name: str) -> None:
    lines, stdin, expected = SMALL[name]
    assert run_source(program_of(lines), stdin) == expected
    for comments in (False, True):
        made = generated(language, program_of(lines), comments=comments)
        assert_runs(language, made, stdin, expected)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@settings(
    max_examples=12,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    deadline=None,
)
@given(text=sources(), stdin=INPUTS)
def test_a_random_source_runs(language: str, text: str, stdin: bytes) -> None:
    """``python tests/agreement.py`` runs more of these."""
    expected = agreement.expected(text, stdin)
    assume(expected is not None)
    assert expected is not None
    agreement.check_agreement(language, text, stdin, expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_non_ascii_input_is_read_as_bytes(language: str) -> None:
    text = program_of("c = getc()\nwhile c != 0:\n    print_int(c)\n    puts(' ')\n    c = getc()")
    stdin = b"a\xff\x80 " + "é€😀".encode() + b"\xc3("
    numbers: list[int] = list(stdin)
    if language in ("shakespeare", "whitespace"):
        characters = map(ord, stdin.decode("utf-8", "surrogateescape"))
        numbers = [one - 0xDC00 if one >= 0xDC00 else one for one in characters]
    made = generated(language, text)
    assert_runs(language, made, stdin, b"".join(b"%d " % number for number in numbers))


@pytest.mark.parametrize("language", LANGUAGES)
def test_spans_are_in_bounds_and_cover_every_line(language: str) -> None:
    text = program_of("x = read_int()\nif x < 0:\n    puts('low')\nprint_int(x + 1)")
    made = generated(language, text)
    assert generated(language, text) == made
    starts = [span.start for span in made.spans]
    assert starts == sorted(starts)
    assert all(0 <= span.start < span.end <= len(made.text) for span in made.spans)
    assert {span.origin.user_origin.line for span in made.spans} >= {2, 3, 4, 5}


def chain(arms: int) -> str:
    """An ``if`` with so many conditions in a row."""
    arm = "if n == {0}:\n        puts('<{0}>')\n    "
    arms_in_a_row = "el".join(arm.format(at) for at in range(arms))
    return f"def main():\n    n = getc()\n    {arms_in_a_row}puts('.')\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_elif_chain_compiles(language: str) -> None:
    arms = 105 if language == "brainfuck" else 50  # where indentation would fill a line
    made = generated(language, chain(arms))
    assert len(made.text) < 100_000
    assert_runs(language, made, b"(", b"<40>.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nesting_error_of_a_back_end_has_a_location(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compile_source(chain(40))

    def give_up(_program: object, **_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(type(find_back_end(language)), "generate", staticmethod(give_up))
    with pytest.raises(SourceError, match=r"mine.py: line 81, column 5: nested too deeply"):
        generate_program(program, language, name="mine.py")


FOREIGN = """\
def schließe(größe: int) -> None:
    print_int(größe)


def main():
    λ = getc()
    日本 = chars(3)
    à_la_carte_et_avec_des_mots_à_n_en_plus_finir_à_la_carte_à = int(λ) + 1
    日本[1] = λ
    while λ != 0:
        schließe(à_la_carte_et_avec_des_mots_à_n_en_plus_finir_à_la_carte_à)
        λ = getc()
    putc(日本[1])
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("comments", [False, True])
def test_non_ascii_names_are_utf_8_in_programs(language: str, comments: bool) -> None:
    made = generated(language, FOREIGN, comments=comments)
    assert_runs(language, made, b"zz", b"123123z")
    # what Unlambda reads and prints it spells, each byte of the 256
    strictly = "strict" if language != "unlambda" else "replace"
    told = made.text.encode("latin-1").decode("utf-8", strictly).replace("_", " ")
    if comments:
        assert all(name in told for name in ("λ", "日本", "größe of schließe"))
    words = {span.what for span in made.spans}
    assert any("λ" in each for each in words)
    plain = generated(language, FOREIGN.replace("λ", "l").replace("日本", "j"), comments=comments)
    assert [span.origin.line for span in made.spans] == [span.origin.line for span in plain.spans]
    if language in ("brainfuck", "whitespace"):
        commands = {"brainfuck": "+-<>[].,", "whitespace": " \t\n"}[language]
        for span, other in zip(made.spans, plain.spans, strict=True):
            one, two = made.text[span.start : span.end], plain.text[other.start : other.end]
            assert [c for c in one if c in commands] == [c for c in two if c in commands]


@pytest.mark.parametrize(
    ("language", "fits", "too_large"),
    [
        ("brainfuck", "49999999", "50000000"),
        ("brainfuck", "-50000000", "-50000001"),
        ("befunge-98", "20599999999", "20600000000"),
        ("befunge-98", "-5000000000", "-5000000001"),
    ],
)
def test_constant_out_of_range_is_refused_at_its_location(
    language: str, fits: str, too_large: str
) -> None:
    text = program_of(f"n = read_int()\nif n < 9:\n    n = {fits}\n    print_int(n)")
    assert_runs(language, generated(language, text), b"1", fits.encode())
    with pytest.raises(
        SourceError, match=rf"line 4, column .*: {int(too_large):,} is not an int in "
    ):
        generated(language, text.replace(fits, too_large))


@pytest.mark.parametrize("language", ["shakespeare", "unlambda", "whitespace"])
def test_unbounded_ints_are_supported(language: str) -> None:
    number = "123456789" * 3
    made = generated(language, program_of(f"n = {number}\nprint_int(-n)"))
    assert_runs(language, made, b"", f"-{number}".encode())
