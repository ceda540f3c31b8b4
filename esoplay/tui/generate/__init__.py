"""Write once on the screen: a source in the editor, and the program generated from it."""
