"""The names that Python programs may import; a change of them is a change for users."""

from __future__ import annotations

from importlib import import_module

import pytest

PUBLIC = {
    "esoplay": [
        "CaseResult",
        "GradeResult",
        "RunResult",
        "Timeline",
        "Verification",
        "grade",
        "open_timeline",
        "parse",
        "run",
        "verify",
    ],
}
MEMBERS = {
    "esoplay.RunResult": "exit_code input_used language memory ok status stderr stdout steps",
    "esoplay.GradeResult": "hidden language passed problem solved tests",
    "esoplay.CaseResult": "index passed steps verdict",
    "esoplay.Timeline": "output position registers seek status step step_of_output view",
    "esoplay.Verification": (
        "as_json events exit_code findings head notes recorded repeated runs submissions verified"
    ),
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_are_these(package: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == PUBLIC[package]
    assert set(PUBLIC[package]) <= set(dir(module))
    for name in PUBLIC[package]:
        assert getattr(module, name).__doc__, name


@pytest.mark.parametrize("name", MEMBERS)
def test_public_classes_have_these_members(name: str) -> None:
    package, _, attribute = name.partition(".")
    found = getattr(import_module(package), attribute)
    assert sorted(each for each in dir(found) if not each.startswith("_")) == MEMBERS[name].split()
