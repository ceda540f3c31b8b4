"""Panes and commands for write-once sources, which are compiled to a program in each language."""
