"""Time travel over any machine: seek, step, stop and ask, in both directions."""
