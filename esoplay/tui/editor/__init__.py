"""The byte-exact editor: it saves the loaded bytes, plus what was typed."""
