"""Host lanes: programs in ordinary languages, run as separate limited processes."""
