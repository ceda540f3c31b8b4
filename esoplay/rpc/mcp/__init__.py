"""Model Context Protocol: the methods of the JSON-RPC server as tools for models."""
