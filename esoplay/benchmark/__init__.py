"""Benchmark sessions: hosting, verification, replay and reports."""
