"""Run, check and generate programs; list the ordinary languages (host lanes)."""
