"""Shells of typed commands, for scripts, screen readers and dumb terminals.

``loop`` is the loop of every shell, ``debugger`` the text debugger, ``practice`` the application
as text.
"""
