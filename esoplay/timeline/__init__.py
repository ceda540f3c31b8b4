"""Time travel for any machine: seeking, stepping, stops and queries, in both directions."""
