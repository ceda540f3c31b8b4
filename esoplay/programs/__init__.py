"""Programs: run and check them, generate them, and find the tools of host lanes."""
