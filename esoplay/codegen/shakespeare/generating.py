"""A program of statements as a play."""

from __future__ import annotations

from esoplay.codegen.generated import Generated, Place, Span
from esoplay.codegen.ir import Program
from esoplay.codegen.shakespeare.cast import Cast, Row
from esoplay.codegen.shakespeare.script import Script
from esoplay.codegen.shakespeare.statements import Statements
from esoplay.codegen.ways import slot_text

_HEROES = 3


def generate(program: Program, *, comments: bool = False) -> Generated:
    """See :class:`esoplay.codegen.generated.Generator`."""
    cast = Cast(program)
    script = Script(_title(program))
    statements = Statements(program, script, cast, comments)
    statements.play()
    for name, description in cast.descriptions.items():
        script.character(name, description)
    rendered = script.render()
    spans = [
        Span(rendered.starts[start], rendered.ends[end - 1], origin, words)
        for start, end, origin, words in statements.marks
    ]
    return Generated(rendered.text, tuple(spans), _places(program, cast, script))


def _places(program: Program, cast: Cast, script: Script) -> dict[str, Place]:
    """Characters are cells; of a row's elements each is on one of two stacks."""
    number = {name: at for at, name in enumerate(script.people)}
    places: dict[str, Place] = {}

    def on_stacks(row: Row, at: int) -> Place:
        behind = slot_text(number[row.behind], at)
        ahead = slot_text(number[row.ahead], row.length - 1 - at)
        return Place("slots", (behind, ahead))

    for name in program.variables:
        if name in cast.characters:
            places[name] = Place("number", (f"cell[{number[cast.characters[name]]}]",))
        elif name in cast.slots:
            places[name] = on_stacks(*cast.slots[name])
    for name, array in program.arrays.items():
        if name in cast.slots:
            row, first = cast.slots[name]
            for index in range(array.length):
                places[f"{name}[{index}]"] = on_stacks(row, first + index)
    return places


def _title(program: Program) -> str:
    """The play is named after the first of the source's own names."""
    own = [name for name in (*program.variables, *program.arrays) if name[0] not in "~@"]
    labels = list(dict.fromkeys(program.labels.get(name, name) for name in own))
    heroes = [label for label in labels if label.isidentifier()][:_HEROES]
    if not heroes:
        return "A Play without Heroes"
    return f"The History of {' and '.join(heroes)}"
