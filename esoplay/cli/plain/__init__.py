"""Everything that ``esoplay play`` does, as lines of text: for terminals that cannot draw."""
