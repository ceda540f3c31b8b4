"""Every language says whether it can trace what made the parts of its terms."""

from __future__ import annotations

import pytest

from esolangs.registry import find_language, language_ids
from esolangs.view import Term


@pytest.mark.parametrize("language_id", language_ids())
def test_a_tracer_reports_every_part(language_id: str) -> None:
    language = find_language(language_id)
    machine = language.parse(language.sample()).start(b"5 7\n")
    has_terms = any(isinstance(panel, Term) for panel in machine.view().panels)
    assert machine.trace() == has_terms
    if not has_terms:
        with pytest.raises(ValueError, match="is not tracing"):
            machine.part_origins()
        return
    for _ in range(50):
        machine.run(7)
        term = next(panel for panel in machine.view().panels if isinstance(panel, Term))
        made = machine.part_origins()
        assert len(made) == len(term.parts)
        assert all(0 <= each.step <= machine.steps for each in made)
        assert all((each.span is None) == (each.step > 0) for each in made)
        assert machine.application_origin(machine.steps) is not None
        assert machine.application_origin(machine.steps + 1) is None
