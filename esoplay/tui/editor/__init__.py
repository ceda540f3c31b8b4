"""The byte-exact editor: bytes that were not edited are saved unchanged."""
