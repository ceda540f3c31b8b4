"""The progress of the user: what was solved, with which programs."""
