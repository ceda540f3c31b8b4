"""The debugger's commands, below every front end that takes typed lines.

``commands`` has the table; a command acts on a ``DebugSession`` and answers with a ``Reply``,
which the screen, the REPL and the DAP console each show in their own way.
"""
