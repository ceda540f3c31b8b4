"""The debug pane: a program, its state, its input and output, at any step of its run."""
