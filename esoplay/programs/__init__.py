"""Running, checking and generating programs, and the tools of host lanes."""
