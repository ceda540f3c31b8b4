"""Sends a terminal what changed on it, in few bytes."""
