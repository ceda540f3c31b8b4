"""Models asked in the ways of published evaluations, and what came of it."""
