"""``problem.*``: statements and public examples, as in practice."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.connection import Call
from esoplay.rpc.methods.shared import PACK, PROBLEM
from esoplay.rpc.table import Method
from esoplay.service.problems import get_installed


def list_problems(call: Call, *, pack: str | None = None) -> dict[str, Any]:
    """All problems, by tier."""
    found = get_installed(pack)
    return {
        "pack": found.as_json_head(),
        "problems": [problem.as_json_row() for problem in found],
    }


def get_problem(call: Call, *, problem: str, pack: str | None = None) -> dict[str, Any]:
    """One problem: statement, public examples, hints."""
    return get_installed(pack).problem(problem).as_json()


PROBLEM_METHODS = (
    Method("problem.list", list_problems, (PACK,)),
    Method("problem.get", get_problem, (PROBLEM, PACK)),
)
