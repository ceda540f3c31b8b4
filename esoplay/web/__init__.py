"""Web server for the terminal application: ``esoplay web``."""
