"""The debugger as plain text commands: for scripts, screen readers and dumb terminals.

``syntax`` reads a line, ``commands`` is the table of what can be said, ``wording`` turns views and
stops into sentences, ``shell`` is the loop.
"""
