"""The strategy texts: their generators are run, and do what the text says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from esolangs.registry import language_ids
from esoplay.running.run import run_source
from esoplay.sessions.instructions import strategy


@pytest.mark.parametrize("id", language_ids())
def test_the_generator_of_each_language_writes_the_described_program(id: str) -> None:
    text = strategy(id)
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    ((given, printed),) = re.findall(
        r"^Given the input `(.*)`, it prints `(.*)`\.$", text, re.MULTILINE
    )
    names: dict[str, Any] = {}
    exec(compile(code, f"{id}.md", "exec"), names)
    source = names["program"].encode()
    outcome = run_source(id, source, dialect="benchmark", stdin=given.encode())
    assert (outcome.status, outcome.stdout.decode()) == ("ok", printed), outcome.stderr


def test_a_language_without_its_own_text_gets_the_general_one() -> None:
    general = strategy("intercal")
    assert general.startswith("# Strategy: ")
    assert all(
        strategy(id).startswith(general) and strategy(id) != general for id in language_ids()
    )
