"""The debugger as plain text commands: for scripts, screen readers and dumb terminals.

``loop`` is the loop of every shell, ``shell`` the debugger in it, ``lessons`` its lessons.
"""
