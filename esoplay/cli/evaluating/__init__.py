"""``esoplay eval`` in parts: what is said, who is asked, what is shown."""
