"""Statistics that reports use, each by its definition and exact where that can be had."""
