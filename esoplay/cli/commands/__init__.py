"""One module per command; a module in this folder is a command."""
