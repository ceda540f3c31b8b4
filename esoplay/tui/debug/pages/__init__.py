"""The pages behind the tabs: output, diff, input, breakpoints, log."""
