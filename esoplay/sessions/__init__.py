"""Benchmark sessions: a pure state machine, an event store and a workspace."""
