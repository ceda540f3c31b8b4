"""Problem packs, hidden tests, comparison, verdicts."""
