"""The handlers of the debugger's commands, by subject."""
