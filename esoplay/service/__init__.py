"""The one façade that every front end calls."""
