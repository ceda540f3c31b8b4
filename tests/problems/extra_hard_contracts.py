"""The contracts of the extra-hard problems."""

from __future__ import annotations

from problem_contracts import Contract

CONTRACTS: dict[str, Contract] = {}
