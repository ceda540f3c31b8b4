"""Fixtures of the tests of native tiers."""

from __future__ import annotations

import pytest


@pytest.fixture
def wasmtime() -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: esoplay[native]")


@pytest.fixture
def eager(wasmtime: None, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Visit the tier also for a few steps."""
    from esolangs import compiled
    from esolangs.shakespeare import native as shakespeare_native
    from esolangs.whitespace import native as whitespace_native

    monkeypatch.setattr(compiled, "MIN_VISIT_STEPS", 0)
    monkeypatch.setattr(shakespeare_native, "MIN_CORE_STEPS", 0)
    monkeypatch.setattr(whitespace_native, "MIN_CORE_STEPS", 0)
    return monkeypatch
