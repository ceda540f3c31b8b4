"""The problem browser: the list of problems, and the statement of the selected problem."""
