"""Tasks in the formats of other evaluation frameworks, judged by our hidden tests."""
