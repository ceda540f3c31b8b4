"""The byte-exact editor: what is saved is what was loaded, plus what was typed."""
