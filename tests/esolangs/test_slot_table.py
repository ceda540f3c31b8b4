"""The numbers of keys: the same as in a model, also after a return to an earlier state."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from engines import engine_names, program
from saved_states import comparable_state

from esoplay.timeline.timeline import Checkpoints, Recording, Timeline

WHITESPACE = (
    b"push 0\nlabel loop\ndup\npush -7\nmul\ncopy 1\ndup\npush 3\nmod\njz large\nstore\n"
    b"jump next\nlabel large\npush 1267650600228229401496703205376\nadd\nstore\nlabel next\n"
    b"push 1\nadd\ndup\npush 5000\nsub\njn loop\ndiscard\npush 0\njump loop"
)
BEFUNGE = b"0>::'a%'(+\\'d:**4p:7*'d9*3*%'d:**' \\4p1+'d9*3*%v\n ^" + b" " * 45 + b"<"
FILL: dict[str, tuple[bytes, dict[str, str | int]]] = {
    # Cells far from each other, some of which become blank again.
    "befunge-98": (BEFUNGE, {}),
    # A number at -7 n for each n; larger numbers at every third address.
    "whitespace": (WHITESPACE, {"notation": "assembly"}),
}


@pytest.fixture(params=["compiled", "plain"])
def table_type(request: pytest.FixtureRequest) -> Any:
    """Return the compiled or the plain class."""
    name = "_slot_table_c" if request.param == "compiled" else "_slot_table"
    return pytest.importorskip(f"esolangs.{name}").SlotTable


def key_of(number: int, points: bool) -> Any:
    return (number * 1000, -number) if points else -7 * number


def assert_same(table: Any, model: dict[Any, int], missing: list[Any]) -> None:
    assert table.count == len(model)
    assert {key: table.find(key) for key in model} == model
    assert dict(table.items()) == {slot: key for key, slot in model.items()}
    assert all(table.find(key) == -1 for key in missing)


@pytest.mark.parametrize("seed", range(12))
def test_slots_are_those_of_a_model_also_after_a_return_to_an_earlier_state(
    seed: int, table_type: Any
) -> None:
    chance = Random(seed)
    most = chance.choice([40, 1500, 6000])
    points = chance.random() < 0.5
    table, model = table_type(), dict[Any, int]()
    states: list[tuple[Any, dict[Any, int]]] = [(table.save(), {})]
    for _ in range(30):
        for _ in range(chance.randrange(most // 4)):
            key = key_of(chance.randrange(most), points)
            if key not in model:
                model[key] = table.add(key)
            elif chance.random() < 0.4:
                assert table.remove(key) == model.pop(key)
            else:
                assert table.find(key) == model[key]
        if chance.random() < 0.6:
            states.append((table.save(), dict(model)))
        if chance.random() < 0.4:
            saved, model = chance.choice(states)
            model = dict(model)
            table = table if chance.random() < 0.7 else table_type()
            table.load(saved)
        missing = [key for number in range(most) if (key := key_of(number, points)) not in model]
        assert_same(table, model, missing[:200])
        assert len(set(model.values())) == len(model)
    for saved, model in states:
        table.load(saved)
        assert_same(table, model, [])


def test_removed_keys_take_no_memory_in_later_snapshots(table_type: Any) -> None:
    table = table_type()
    for number in range(5000):
        table.add((number, number))
    full = table.save()
    for number in range(1, 5000):
        table.remove((number, number))
    assert sum(part.size for part in table.save().parts) < 0.2 * sum(p.size for p in full.parts)
    table.remove((0, 0))
    assert table.save() is None
    table.load(full)
    assert_same(table, {(number, number): number for number in range(5000)}, [(1, 2)])


def test_snapshots_share_the_keys_that_stay_the_same(table_type: Any) -> None:
    table = table_type()
    for number in range(5000):
        table.add(number)
    first = table.save()
    table.add(5000)
    second = table.save()
    assert [a is b for a, b in zip(first.parts, second.parts, strict=True)] == [True] * 4 + [False]


@pytest.mark.parametrize("language_id", sorted(FILL))
@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_seeks_restore_the_cells_outside_of_the_window(language_id: str, engine: str) -> None:
    if engine not in engine_names(language_id):
        pytest.skip("not built")
    source, options = FILL[language_id]
    code = program(language_id, source, engine, **options)
    steps = 150_000 if engine == "compiled" else 30_000
    recording = Recording(language_id, "standard", code.options, source)
    timeline = Timeline(code, recording, spacing=steps // 40)
    while timeline.machine.steps < steps:
        timeline.advance(steps)
    assert len(far_cells(timeline.machine)) > 500
    chance = Random(1)
    for _ in range(12):
        target = chance.randrange(steps)
        timeline.seek(target)
        expected: Any = code.start()
        expected.run(target)
        assert far_cells(timeline.machine) == far_cells(expected)
        timeline.machine.run(500)
        expected.run(500)
        assert far_cells(timeline.machine) == far_cells(expected)
        assert timeline.machine.registers() == expected.registers()
        timeline.seek(target // 2)


@pytest.mark.parametrize("language_id", sorted(FILL))
def test_a_snapshot_takes_only_the_cells_outside_of_the_window_that_changed(
    language_id: str,
) -> None:
    source, options = FILL[language_id]
    machine = program(language_id, source, engine_names(language_id)[0], **options).start()
    machine.run(60_000)
    checkpoints = Checkpoints(machine.snapshot())
    first = checkpoints.size
    assert first > 80 * len(far_cells(machine))
    for _ in range(2):
        machine.run(100)
        before = checkpoints.size
        checkpoints.add(machine.snapshot(), 1.0)
        assert checkpoints.size - before < 0.3 * first
        machine = machine.copy()  # a restored machine shares memory with the snapshot, too


@pytest.mark.parametrize("engine", engine_names("whitespace"))
def test_a_snapshot_does_not_contain_numbers_that_a_program_discarded(engine: str) -> None:
    text = "push 3\n" + "dup\nmul\n" * 12 + "dup\n" * 1500 + "discard\n" * 1501
    text += "label loop\npush 0\npush 0\nretrieve\npush 1\nadd\nstore\njump loop"
    code = program("whitespace", text.encode(), engine, notation="assembly")
    machine = code.start()
    machine.run(4_000)
    saved = machine.snapshot()
    assert Checkpoints(saved).size < 150_000
    machine.run(7 * 100)
    checkpoints = Checkpoints(saved)
    checkpoints.add(machine.snapshot(), 1.0)
    assert checkpoints.size < 160_000  # the second one shares what it has to store
    resumed = code.resume(saved)
    resumed.run(7 * 100)
    assert comparable_state(resumed.snapshot()) == comparable_state(machine.snapshot())


def far_cells(machine: Any) -> dict[Any, int]:
    cells: dict[Any, int] = dict(
        machine.core.far if hasattr(machine.core, "far_count") else machine.core.far_cells()
    )
    return cells
