"""The contracts of all problems, by id: one module for each tier."""

from __future__ import annotations

import easy_contracts
import extra_hard_contracts
import hard_contracts
import medium_contracts

CONTRACTS = (
    easy_contracts.CONTRACTS
    | medium_contracts.CONTRACTS
    | hard_contracts.CONTRACTS
    | extra_hard_contracts.CONTRACTS
)
