"""The score: results of the last tests, and how far one has come."""
