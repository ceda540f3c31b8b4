"""JSON-RPC 2.0 over lines: the headless face for agents and scripts."""
