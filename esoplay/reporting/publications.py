"""The tables and figures of three publications that a report reproduces.

The numbers are from the preprints of EsoLang-Bench (arXiv 2603.09678) and of the agent paper (arXiv
2606.10933). Versions of a paper may be numbered differently, so each name includes the subject.
"""

from __future__ import annotations

from typing import Final

NOTHING: Final = ""
"""The value of ``reproduces`` for a table or picture that reproduces nothing published."""


def join_publications(*names: str) -> str:
    """Join the names of published tables or figures that one part of a report reproduces."""
    return "; ".join(filter(None, names))


# EsoLang-Bench: models in five ways of prompting.
ACCURACY: Final = "EsoLang-Bench, main results (Fig. 1); AgentLang Index, leaderboard"
TIERS: Final = "EsoLang-Bench, accuracy by tier (Figs 4–7)"
CATEGORIES: Final = "EsoLang-Bench, accuracy by category (Figs 4–7)"
ERRORS: Final = "EsoLang-Bench, error profiles (Figs 4–7)"
ATTEMPTS: Final = "EsoLang-Bench, attempts per problem (Table 10)"
REGIMES: Final = "EsoLang-Bench, Wilcoxon tests between ways of prompting"
COMPUTE: Final = "EsoLang-Bench, compute against accuracy"
CORPUS: Final = "EsoLang-Bench, data scarcity against accuracy"

# AgentLang Index: programs in familiar languages and in a new one.
REPAIRS: Final = "AgentLang Index, first-attempt pass rate and iterations to green"
SPENT: Final = "AgentLang Index, wall time, tokens and cost"
TAX: Final = "AgentLang Index, language tax"

# The agent paper: agents in sequential sessions.
MAIN: Final = "agent paper, main experiment (Table 1, Fig. 3)"
MAIN_INTERVALS: Final = "agent paper, raw counts and intervals (App. B)"
BUDGETS: Final = "agent paper, success by run budget (Fig. 4)"
CUMULATIVE: Final = "agent paper, cumulative solves (Fig. 5)"
EXTERNAL: Final = "agent paper, accuracy against external scores (Tables 2 and 6, Fig. 6)"
OVERLAP: Final = "agent paper, n-gram overlap with references (Tables 2 and 6)"
ABLATIONS: Final = "agent paper, ablations against the headline (Tables 3–5)"
GENERATORS: Final = "agent paper, generators and helpers (Figs 7 and 8)"
AGENTS: Final = "agent paper, versions and settings of agents (Table 5)"
