"""Problem packs, hidden tests, output comparison and verdicts."""
