"""The terminal application in a browser: ``esoplay web``."""
