"""Shells of typed commands, for scripts, screen readers and dumb terminals.

``loop``: main loop of all shells; ``debugger``: text debugger; ``practice``: text mode of the
application.
"""
