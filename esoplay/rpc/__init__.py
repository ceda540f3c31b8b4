"""JSON-RPC 2.0 server, one message per line, for agents and scripts."""
