"""Problem packs: the problems, verdicts on programs, references, proofs, import and export."""
