"""The contracts of the hard problems."""

from __future__ import annotations

from problem_contracts import Contract

CONTRACTS: dict[str, Contract] = {}
