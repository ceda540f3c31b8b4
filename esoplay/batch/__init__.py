"""Grade many submissions, one per line, in several processes."""
