"""The user's progress: solved problems and the programs that solved them."""
