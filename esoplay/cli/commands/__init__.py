"""One module per command; presence registers it."""
