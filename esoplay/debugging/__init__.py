"""The debugger of every front end: moves, breakpoints, queries of history, and commands.

``debugger`` has the ``Debugger``; ``commands`` has the table of commands for typed lines. A command
acts on a ``DebugSession`` and returns a ``Reply``, which the screen, the REPL and the DAP console
display.
"""
