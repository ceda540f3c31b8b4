"""``problem.*``: statements and public examples, as in practice."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.calls import Call
from esoplay.rpc.methods.shared import PROBLEM
from esoplay.rpc.table import Method
from esoplay.service.problems import get_pack, get_problem


def list_(call: Call) -> dict[str, Any]:
    """All problems, by tier."""
    pack = get_pack()
    return {
        "pack": pack.as_json_head(),
        "problems": [problem.as_json_row() for problem in pack],
    }


def get(call: Call, *, problem: str) -> dict[str, Any]:
    """One problem: statement, public examples, hints."""
    return get_problem(problem).as_json()


METHODS = (
    Method("problem.list", list_),
    Method("problem.get", get, (PROBLEM,)),
)
