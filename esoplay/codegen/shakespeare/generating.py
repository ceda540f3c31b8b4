"""A program of statements as a play."""

from __future__ import annotations

from esoplay.codegen.generated import Generated, Place, Span
from esoplay.codegen.ir import Program
from esoplay.codegen.shakespeare.cast import Cast
from esoplay.codegen.shakespeare.script import Script
from esoplay.codegen.shakespeare.statements import Statements

_HEROES = 3


def generate(program: Program, *, comments: bool = False) -> Generated:
    """See :class:`esoplay.codegen.generated.BackEnd`."""
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
    number = {name: at for at, name in enumerate(script.people)}
    places = {
        name: Place("number", (f"cell[{number[cast.characters[name]]}]",))
        for name in program.variables
        if name in cast.characters
    }
    return Generated(rendered.text, tuple(spans), places)


def _title(program: Program) -> str:
    """The play is named after the first of the source's own names."""
    own = [name for name in (*program.variables, *program.arrays) if name[0] not in "~@"]
    labels = list(dict.fromkeys(program.labels.get(name, name) for name in own))
    heroes = [label for label in labels if label.isidentifier()][:_HEROES]
    if not heroes:
        return "A Play without Heroes"
    return f"The History of {' and '.join(heroes)}"
