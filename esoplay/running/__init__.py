"""Run a program under limits, in this process or in a worker that can be killed."""
