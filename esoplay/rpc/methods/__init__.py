"""The method table, one module per family of methods."""
