"""Agents: programs that play sessions on their own, and grids of such sessions."""
