"""The actions of ``esoplay agents``."""
