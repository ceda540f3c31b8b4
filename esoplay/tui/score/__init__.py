"""The score: results of the last tests, and the user's progress."""
