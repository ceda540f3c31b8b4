"""Problem packs: problems, verdicts on programs, references, proofs, import and export."""
