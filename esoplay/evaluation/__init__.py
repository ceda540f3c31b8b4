"""Ask models for programs in the ways of published evaluations, and judge the answers."""
