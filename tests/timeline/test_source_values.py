"""A variable of a generator's source is read and written as its place says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.generated import Place
from esoplay.codegen.source_map import SourceMap, digest
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger
from esoplay.service.generating import generate
from esoplay.service.source_maps import set_variable, variables, why_no_variables
from esoplay.timeline.source_values import decoded, encoded


def in_limbs(count: int, offset: int, base: int) -> Place:
    return Place("limbs", ("cell[0]",) * count, offset, base)


PLACES = st.one_of(
    st.builds(Place, st.just("number"), st.just(("cell[0]",)), st.integers(-9, 9)),
    st.integers(1, 9).map(lambda n: Place("digits", ("cell[0]",) * n)),
    st.builds(
        in_limbs,
        st.integers(1, 5),
        st.integers(-(1 << 31), 9),
        st.integers(2, 256),
    ),
)


@given(PLACES, st.integers(-(10**10), 10**10))
def test_a_value_is_read_as_it_was_written(place: Place, value: int) -> None:
    try:
        held = encoded(place, value)
    except UsageError as error:
        low, high = (int(part) for part in str(error).split(",")[0][9:].split(" to "))
        assert not low <= value <= high
        assert decoded(place, encoded(place, low)) == low
        assert decoded(place, encoded(place, high)) == high
    else:
        assert len(held) == len(place.cells)
        assert decoded(place, held) == value


def test_cells_that_hold_no_value_are_shown_as_they_are() -> None:
    source = b"+" * 65 + b">" + b"+" * 12 + b">+++++++++"
    debugger = Debugger.open("brainfuck", source)
    places = {
        "letter": Place("number", ("cell[0]",)),
        "wrong": Place("digits", ("cell[1]", "cell[2]")),
        "below": Place("digits", ("cell[2]", "cell[2]")),
        "parts": Place("limbs", ("cell[2]", "cell[1]"), -5, 10),
        "sum": Place("number", ("cell[1] + cell[2]",)),
        "foreign": Place("number", ("cell[0, 0, 0](",)),
    }
    debugger.use_map(SourceMap(digest(source), "x.py", "", (), places))
    debugger.seek(10**6)
    assert [(each.name, each.value, each.text) for each in variables(debugger)] == [
        ("letter", 65, "65 'A'"),
        ("wrong", None, "12 9 (no digits)"),
        ("below", -1, "-1"),
        ("parts", 124, "124"),
        ("sum", 21, "21"),
    ]
    assert set_variable(debugger, "letter", 10).reasons[0].text == "letter is now 10"
    assert variables(debugger)[0].text == r"10 '\n'"
    for name, message in (
        ("sum", "sum: cell"),
        ("below", "below: it takes -50 to 49, not 50"),
        ("none", "there is no variable 'none'; there are letter, wrong"),
    ):
        with pytest.raises(UsageError, match=message.replace("[", r"\[")):
            set_variable(debugger, name, 50)


@pytest.mark.parametrize("language", back_end_ids())
def test_variables_go_by_name_in_every_language(language: str) -> None:
    text = (
        "def main():\n    n = -42\n    a = ints(3)\n    c = getc()\n    a[1] = 7 * n\n"
        "    print_int(n)\n    putc(c)\n    print_int(a[1])\n"
    )
    made = generate(text, language, name="x.py")
    debugger = Debugger.open(language, made.source, stdin=b"x")
    debugger.use_map(made.source_map)
    held: dict[str, int | None] = {}
    while debugger.step_by(granularity="source").reasons[0].kind == "step":
        held = {each.name: each.value for each in variables(debugger)}
        if debugger.output:
            break
    assert debugger.output == b"-42"
    if language == "unlambda":
        assert not held
        assert why_no_variables(debugger).startswith("Unlambda has no cells")
        return
    assert (held["n"], held["c"]) == (-42, 120)
    if "a[1]" in held:
        assert held["a[1]"] == -294
    set_variable(debugger, "c", 121)
    debugger.seek(10**6)
    assert debugger.output == b"-42y-294"
