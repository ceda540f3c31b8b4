"""Tasks in the formats of other evaluation frameworks, judged by esoplay's hidden tests."""
