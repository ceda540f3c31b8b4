"""Benchmark sessions: host them, verify, replay and report them."""
