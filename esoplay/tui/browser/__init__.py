"""The problem browser: the list of problems, and the statement, examples and hints of one."""
