"""The benchmark session: a pure state machine, an event store, a workspace."""
