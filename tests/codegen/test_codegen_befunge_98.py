"""Generated Befunge-98: pages, their layout, ints in limbs, what is where, what it costs."""

from __future__ import annotations

import doctest
import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from esolangs.limits import Limits
from esolangs.machine import FINAL
from esolangs.registry import find_language
from esoplay.codegen.befunge_98 import (
    BACK_END,
    Box,
    Choice,
    Code,
    Loop,
    Page,
    Sequence,
    lay_out,
    page,
    spell,
)
from esoplay.codegen.errors import LayerError
from esoplay.codegen.generated import Generated, VariablePlace
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.source_map import make_map
from esoplay.running.run import run_source
from esoplay.timeline.conditions import Condition

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "codegen" / "befunge-98.md"
COSTS = runpy.run_path(str(ROOT / "docs" / "codegen" / "befunge_98_costs.py"))
LIMITS = Limits(steps=1_000_000, output=100_000, memory=1 << 24)

LOWEST, HIGHEST = -5_000_000_000, 20_599_999_999
INTS = st.one_of(
    st.integers(LOWEST, HIGHEST),
    st.sampled_from([LOWEST, HIGHEST, 0, -1, 99, 100, 9_999, 10_000, 99_999_999, 100_000_000]),
)


def printed(text: str, stdin: bytes = b"") -> bytes:
    """What both dialects print alike."""
    outputs: set[bytes] = set()
    for dialect in ("standard", "benchmark"):
        outcome = run_source(
            "befunge-98", text.encode("latin-1"), dialect=dialect, stdin=stdin, limits=LIMITS
        )
        assert outcome.status == "ok", outcome.stderr
        outputs.add(outcome.stdout)
    (output,) = outputs
    return output


def generated(*lines: str, comments: bool = False) -> Generated:
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    return BACK_END.generate(compile_source(source), comments=comments)


# Pages


def test_example_on_the_page_runs_and_is_current() -> None:
    text = PAGE.read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"```befunge\n(.*?)```", text, re.DOTALL)
    names: dict[str, str] = {}
    exec(example, names)
    assert names["program"] == shown
    assert printed(shown, b"4 2") == b"?24:6"


def test_generated_program_on_the_page_is_current() -> None:
    text = PAGE.read_text("utf-8")
    (source,) = re.findall(r"```python source\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert BACK_END.generate(compile_source(source), comments=True).text == shown


def test_the_example_of_the_module_runs() -> None:
    assert page.__doc__ is not None
    examples = doctest.DocTestParser().get_examples(page.__doc__)
    names: dict[str, str] = {}
    exec("".join(one.source for one in examples), names)
    assert printed(names["program"]) == b"321"


@settings(max_examples=60, deadline=None)
@given(st.integers(-(10**12), 10**12))
@example(0)
@example(16)
@example(34)
@example(127)
@example(-1)
def test_a_number_is_spelt_as_code_that_pushes_it(number: int) -> None:
    code = spell(number)
    assert printed(f"{code}.@") == f"{number} ".encode()
    assert len(code) <= 3 * len(str(number)) + 2


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(max_codepoint=127), max_size=90))
@example('  "  ')
@example("   \0\0 \n" * 20)
def test_a_text_is_printed_as_it_is(text: str) -> None:
    sheet = Page()
    sheet.print_text(text)
    assert printed(sheet.text(40)) == text.encode()


@settings(max_examples=40, deadline=None)
@given(start=INTS, up=st.integers(0, 3), down=st.integers(0, 3))
@example(99_999_999, 1, 0)
@example(100_000_000, 1, 3)
@example(-1, 2, 0)
def test_ints_are_stored_and_incremented_in_limbs(start: int, up: int, down: int) -> None:
    up, down = min(up, HIGHEST - start), min(down, start - LOWEST)
    sheet = Page()
    sheet.variable("n", "int")
    sheet.array("many", "int", 256)
    sheet.push(start)
    sheet.store("n")
    for _ in range(up):
        sheet.add_one("n")
    sheet.fetch("n")
    sheet.push(255)
    sheet.column()
    sheet.store_element("many")
    sheet.set("n", start)
    for _ in range(down):
        sheet.subtract_one("n")
    for at in (lambda: sheet.fetch_at("many", 255), lambda: sheet.fetch("n")):
        at()
        sheet.print_number()
        sheet.print_text(" ")
    assert printed(sheet.text()) == b"%d %d " % (start + up, start - down)


def test_clear_sets_only_the_array_to_zero() -> None:
    sheet = Page()
    sheet.variable("before", "int")
    sheet.array("many", "int", 3)
    sheet.array("line", "byte", 3)
    sheet.variable("behind", "byte")
    sheet.set("before", -7)
    sheet.set("behind", 200)
    sheet.clear("many")
    sheet.clear("line")
    for index in range(3):
        for name in ("many", "line"):
            sheet.fetch_at(name, index)
            sheet.print_number()
    sheet.fetch("before")
    sheet.print_number()
    sheet.fetch("behind")
    sheet.print_number()
    assert printed(sheet.text()) == b"000000-7200"


def test_loop_or_choice_without_a_call_of_test_is_refused() -> None:
    sheet = Page()
    with pytest.raises(ValueError, match=r"test\(\)"), sheet.loop():
        sheet.push(1)
    with pytest.raises(ValueError, match=r"test\(\)"), sheet.choice():
        sheet.push(1)


NOT_THERE: list[tuple[Callable[[Page], None], str]] = [
    (lambda sheet: sheet.fetch("m"), "unknown variable or array 'm'; expected one of: n, c, line"),
    (lambda sheet: sheet.fetch("line"), "line is an array"),
    (lambda sheet: sheet.add_one("c"), "c is a byte"),
    (lambda sheet: sheet.clear("n"), "n is not an array"),
    (lambda sheet: sheet.variable("c", "int"), "c is already defined"),
    (lambda sheet: sheet.array("long", "byte", 257), "1 to 256 elements, not 257"),
]


@pytest.mark.parametrize(("ask", "words"), NOT_THERE)
def test_unknown_names_on_a_page_are_reported(ask: Callable[[Page], None], words: str) -> None:
    sheet = Page()
    sheet.variable("n", "int")
    sheet.variable("c", "byte")
    sheet.array("line", "byte", 5)
    with pytest.raises(LayerError, match=words):
        ask(sheet)


# The layout


@st.composite
def sequences(draw: st.DrawFn, depth: int = 3) -> tuple[Sequence, str]:
    """Pieces, and what they print: letters, each once for every time that it is come by."""
    parts: list[Code | Box | Sequence | Loop | Choice] = []
    prints = ""
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["code", "code", "box", "loop", "choice", "sequence"]))
        letters = draw(st.text("abcdefgh", min_size=1, max_size=4))
        code = "".join(f"'{letter}," for letter in letters)
        if kind == "code" or not depth:
            parts.append(Code(code))
            prints += letters
        elif kind == "box":
            parts.append(Box((f"v{' ' * len(code)}>", f">{code}^")))
            prints += letters
        elif kind == "loop":
            inner, text = draw(sequences(depth - 1))
            before, start = draw(sequences(depth - 1))
            rounds = draw(st.integers(0, 2))
            test = Sequence([before, Code(":")])
            loop = Loop(test, Sequence([inner, Code("1-")]))
            parts += [Code(f"{rounds}"), loop, Code("$")]
            prints += (start + text) * rounds + start
        elif kind == "choice":
            then, first = draw(sequences(depth - 1))
            otherwise, second = draw(sequences(depth - 1))
            value = draw(st.sampled_from("015"))
            parts.append(Choice(Sequence([Code(code), Code(value)]), then, otherwise))
            prints += letters + (second if value == "0" else first)
        else:
            inner, text = draw(sequences(depth - 1))
            parts.append(inner)
            prints += text
    return Sequence(parts), prints


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(drawn=sequences(), width=st.sampled_from([10, 40, 70, 100, 1000]))
def test_layout_preserves_order_without_overlaps(drawn: tuple[Sequence, str], width: int) -> None:
    sequence, prints = drawn
    block = lay_out(Sequence([sequence, Code("@")]), width)
    cells = [(one.y, one.x + at) for one in block.texts for at in range(len(one.text))]
    assert len(cells) == len(set(cells))
    assert all(0 <= x < block.width and 0 <= y < block.height for y, x in cells)
    if width >= 70:
        assert block.width <= width
    assert printed("\n".join(block.rows())) == prints.encode()


# Programs


def test_comments_are_right_of_the_code_and_never_executed() -> None:
    lines = ["x = read_int()", "while x < 3:", "    x += 1", "    puts('low')", "print_int(x)"]
    plain, remarked = (generated(*lines, comments=one).text for one in (False, True))
    assert "while x < 3" in remarked
    assert "print 'low'" in remarked
    for bare, row in zip(plain.split("\n"), remarked.split("\n"), strict=True):
        assert row.startswith(bare)
        assert row == bare or row[len(bare) :].startswith("   ")
    assert printed(plain, b"1") == printed(remarked, b"1") == b"lowlow3"


def test_each_statement_has_spans_within_those_around_it() -> None:
    made = generated("x = 3", "while x > 0:", "    if x == 2:", "        puts('two')", "    x -= 1")
    assert all(made.text[one.start] != " " for one in made.spans)
    assert all("\n" not in made.text[one.start : one.end] for one in made.spans)
    open_spans: list[int] = []
    for one in made.spans:
        while open_spans and open_spans[-1] <= one.start:
            open_spans.pop()
        assert not open_spans or one.end <= open_spans[-1]
        open_spans.append(one.end)
    by_line: dict[int, str] = {}
    for one in made.spans:
        line = one.origin.user_origin.line
        by_line[line] = by_line.get(line, "") + made.text[one.start : one.end]
    assert '"owt"' in by_line[5]
    assert '"owt"' in by_line[3]
    assert '"owt"' not in by_line[6]
    assert "#v_" in by_line[3]


def test_lines_run_in_the_order_of_python() -> None:
    lines = ["x = 3", "while x > 0:", "    if x == 2:", "        puts('two')", "    x -= 1"]
    made = generated(*lines)
    lines_of = make_map(made, "x.py", "", {})
    rows = made.text.split("\n")
    machine = find_language("befunge-98").parse(made.text.encode()).start(limits=LIMITS)
    seen: list[int] = []
    while machine.run(1) not in FINAL:
        at = machine.location
        assert isinstance(at, tuple)
        x, y = at[:2]
        line = lines_of.line_at(sum(len(row) + 1 for row in rows[:y]) + x)
        if line is not None and line not in seen[-1:]:
            seen.append(line)
    assert seen == [2, *(3, 4, 6), *(3, 4, 5, 6), *(3, 4, 6), 3]


def test_variable_places_are_correct_at_every_step() -> None:
    lines = [
        "b: byte = 200",
        "x = read_int()",
        "a = ints(4)",
        "s = chars(3)",
        "a[b // 100] = x * x",
    ]
    lines += ["s[1] = b", "x -= 1"]
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    program = compile_source(source)
    made = BACK_END.generate(program)
    names = {label: name for name, label in program.labels.items()}
    parsed = find_language("befunge-98").parse(made.text.encode())
    machine = parsed.start(b"-12345", limits=LIMITS)

    def value(place: VariablePlace) -> int:
        found = [Condition(cell).value(machine) for cell in place.cells]  # type: ignore[arg-type]
        return place.offset + sum(one * place.base**power for power, one in enumerate(found))

    seen: list[int] = []
    while machine.run(1) not in FINAL:
        seen.append(value(made.places[names["x"]]))
    assert seen[-1] == -12346
    assert -12345 in seen
    assert seen.index(-12345) < seen.index(-12346)
    assert value(made.places[names["b"]]) == 200
    a, s = names["a"], names["s"]
    assert [value(made.places[f"{a}[{index}]"]) for index in range(4)] == [0, 0, 12345**2, 0]
    assert [value(made.places[f"{s}[{index}]"]) for index in range(3)] == [0, 200, 0]
    assert {made.places[names["x"]].kind, made.places[names["b"]].kind} == {"limbs", "number"}


def test_unset_variables_are_zero() -> None:
    made = generated(
        "putc(ended_by() + ord('0'))", "s = chars(200)", "b = getc()", "putc(s[b] + 48)"
    )
    assert printed(made.text, b"\xc7") == b"00"


def test_non_ascii_bytes_are_preserved() -> None:
    made = generated("c = getc()", "while c != 0:", "    putc(c)", "    c = getc()")
    assert printed(made.text, bytes(range(1, 256))) == bytes(range(1, 256))


def test_computed_indices_reach_column_256() -> None:
    lines = ["a = ints(256)", "i = getc()", "a[i] = -305 * int(i)", "a[i - 1] = a[i] + 1"]
    made = generated(*lines, "print_int(a[i])", "print_int(a[i - 1])", "print_int(a[0])")
    assert printed(made.text, b"\xff") == b"-77775-777740"


def test_code_respects_the_width() -> None:
    source = (ROOT / "problems").glob("X0*/source.py")
    for path in source:
        program = compile_source(path.read_text("utf-8"))
        made = BACK_END.generate(program)
        code = made.text[min(one.start for one in made.spans) :]
        assert max(map(len, code.split("\n"))) <= 100


# What it costs


def figures() -> dict[str, tuple[int, int]]:
    """By statement, as the page has them."""
    rows = re.findall(r"^\| (.*?) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {statement: (int(steps), int(size)) for statement, steps, size in rows}


@pytest.mark.parametrize("shown", COSTS["STATEMENTS"])
def test_a_statement_costs_no_more_than_the_page_says(shown: str) -> None:
    steps, size = COSTS["cost"](COSTS["STATEMENTS"][shown])
    most_steps, most_size = figures()[shown]
    assert 0 < steps <= most_steps
    assert 0 < size <= most_size
