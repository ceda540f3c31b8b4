"""With ``ESOPLAY_TRUST=require`` no attack test can be skipped unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = (Path(__file__).parent / "conftest.py").read_text("utf-8")
MARKERS = "[pytest]\nmarkers =\n    needs\n    opt_in\n"


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("ESOPLAY_TRUST", "require")
    pytester.makeconftest(CONFTEST)
    pytester.makeini(MARKERS)
    return pytester


def test_an_unexplained_skip_fails(inner: pytest.Pytester) -> None:
    inner.makepyfile("import pytest\ndef test_attack():\n    pytest.skip('not today')\n")
    inner.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(failed=1)


def test_an_unexplained_skip_is_a_skip_without_the_switch(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ESOPLAY_TRUST")
    inner.makepyfile("import pytest\ndef test_attack():\n    pytest.skip('not today')\n")
    inner.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(skipped=1)


def test_a_requirement_that_can_be_installed_fails_and_another_skips(
    inner: pytest.Pytester,
) -> None:
    inner.makeconftest(
        CONFTEST + "\nNEEDS.update(thing=lambda: False, moon=lambda: False)\n"
        "OBTAINABLE.update(thing=lambda: True, moon=lambda: False)\n"
    )
    inner.makepyfile(
        "import pytest\n"
        "@pytest.mark.needs('thing')\ndef test_thing():\n    pass\n"
        "@pytest.mark.needs('moon')\ndef test_moon():\n    pass\n"
    )
    inner.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(errors=1, skipped=1)
