"""Agents: any program that plays sessions by itself, and grids of such sessions."""
