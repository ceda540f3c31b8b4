"""Run, check and generate programs; list host lanes."""
